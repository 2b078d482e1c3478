#include "widgets/picture/landmarks.h"

#include <algorithm>

namespace bscope::ui {
namespace {

constexpr double kLeastSeenPx = 8;

// The part of a time in sight, on a lane.
QRectF sightOf(const Picture& picture, const Lane& lane, std::int64_t start_ns, std::int64_t end_ns) {
    const QRectF whole(QPointF(picture.xOf(picture.groups.front(), start_ns), lane.box.top()),
                       QPointF(picture.xOf(picture.groups.front(), end_ns), lane.box.bottom()));
    const LaneLayout& layout = picture.layout;
    return whole & layout.view &
           QRectF(layout.plot.left(), layout.view.top(), layout.plot.width(), layout.view.height());
}

bool isSeen(const QRectF& place, const Lane& lane) {
    return place.width() >= kLeastSeenPx && place.height() >= 0.9 * lane.box.height();
}

template <class Search>
std::optional<QRectF> onAnyLane(const Picture& picture, const Search& search) {
    if (picture.groups.empty() || picture.layout.groups.empty()) return std::nullopt;
    const std::vector<Lane>& lanes = picture.layout.groups.front();
    for (int rank = 0; rank < picture.groups.front().lanes(); ++rank) {
        const auto at = static_cast<std::size_t>(rank);
        if (at >= lanes.size()) break;
        if (const std::optional<QRectF> found = search(rank, lanes[at])) return found;
    }
    return std::nullopt;
}

}  // namespace

std::optional<QRectF> boxToExplain(const Picture& picture) {
    return onAnyLane(picture, [&](int rank, const Lane& lane) -> std::optional<QRectF> {
        const PreparedView& group = picture.groups.front();
        const auto firstForward = [&](EventSlice events) -> std::optional<QRectF> {
            for (const Event& event : events) {
                if (event.op != Op::Forward) continue;
                const QRectF place = sightOf(picture, lane, event.start_ns, event.end_ns);
                if (isSeen(place, lane)) return place;
            }
            return std::nullopt;
        };
        if (group.hasRun() && rank < group.view().ran->ranks())
            if (const auto ran = firstForward(group.ran(rank))) return ran;
        // What has not begun yet is drawn as planned.
        const bool shows_plan = !group.hasRun() || group.running();
        if (!shows_plan || rank >= group.view().planned->ranks()) return std::nullopt;
        const EventSlice planned = group.planned(rank);
        const auto next = std::ranges::find_if(
            planned, [&](const Event& event) { return !group.hasRun() || event.start_ns >= group.view().now_ns; });
        return firstForward(planned.subspan(static_cast<std::size_t>(next - planned.begin())));
    });
}

std::optional<QRectF> bubbleToExplain(const Picture& picture) {
    return onAnyLane(picture, [&](int rank, const Lane& lane) -> std::optional<QRectF> {
        QRectF widest;
        for (const IdlePeriod& period : picture.groups.front().lane(rank).idle)
            if (const QRectF place = sightOf(picture, lane, period.start_ns, period.end_ns);
                place.width() > widest.width())
                widest = place;
        if (isSeen(widest, lane)) return widest;
        return std::nullopt;
    });
}

}  // namespace bscope::ui
