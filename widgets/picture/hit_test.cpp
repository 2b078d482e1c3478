#include "widgets/picture/hit_test.h"

#include <algorithm>

#include "widgets/picture/still_to_come.h"

namespace bscope::ui {

namespace {

// Something thinner than this is still meant by a pointer beside it.
constexpr double kReachPx = 2;

QRectF placeOf(const Picture& picture, const PreparedView& group, std::int64_t start_ns, std::int64_t end_ns,
               const QRectF& strip) {
    const double left = std::max(picture.xOf(group, start_ns), picture.layout.plot.left());
    const double right = std::min(picture.xOf(group, end_ns), picture.layout.plot.right());
    return QRectF(left, strip.top(), std::max(right - left, 1.0), strip.height());
}

void inBoxes(Hit& hit, const Picture& picture, const PreparedView& group, const Lane& lane,
             std::int64_t time) {
    if (group.view().blocks) return;
    const auto search = [&](const Timeline& timeline, Hit::Part part) {
        if (hit.rank >= timeline.ranks()) return false;
        const auto events = timeline.compute(hit.rank);
        const std::size_t i = timeline.firstEndingAfter(hit.rank, time);
        if (i >= events.size() || events[i].start_ns > time) return false;
        const bool later = group.running() && events[i].end_ns > group.view().now_ns;
        if (part == Hit::Part::PlannedBox && !StillToCome(group, hit.rank).holds(events[i])) return false;
        if (part == Hit::Part::Box && (later || events[i].iteration != group.view().iteration)) return false;
        hit.part = part;
        hit.event = events[i];
        hit.place = placeOf(picture, group, events[i].start_ns, events[i].end_ns, lane.box);
        return true;
    };
    if (search(*group.view().ran, Hit::Part::Box)) return;
    const bool ahead = !group.hasRun() || (group.running() && time >= group.view().now_ns);
    if (ahead && search(*group.view().planned, Hit::Part::PlannedBox)) return;
    const auto& idle = group.lane(hit.rank).idle;
    const auto period =
        std::ranges::partition_point(idle, [=](const IdlePeriod& p) { return p.end_ns <= time; });
    if (!picture.layers.bubbles || period == idle.end() || period->start_ns > time) return;
    hit.part = Hit::Part::Idle;
    hit.idle = *period;
    hit.place = placeOf(picture, group, period->start_ns, period->end_ns, lane.box);
}

void inMessages(Hit& hit, const Picture& picture, const PreparedView& group, const Lane& lane, double x) {
    const auto receives = group.receives(hit.rank);
    for (const Event& event : receives) {
        const double left = picture.xOf(group, event.start_ns), right = picture.xOf(group, event.end_ns);
        if (x < left - kReachPx || x > right + kReachPx) continue;
        hit.part = Hit::Part::Message;
        hit.event = event;
        hit.place = placeOf(picture, group, event.start_ns, event.end_ns, lane.communication);
        if (x >= picture.xOf(group, event.transfer_ns) - kReachPx)
            return;  // a transfer before a wait beside it
    }
}

}  // namespace

Hit hitTest(const Picture& picture, const QPointF& whole) {
    Hit hit;
    const LaneLayout& layout = picture.layout;
    const int column = layout.columnAt(whole.x());
    const QPointF at = layout.inColumn(whole);
    if (layout.title.contains(at)) hit.part = Hit::Part::Title;
    if (at.y() >= layout.ruler.top() && at.y() < layout.ruler.bottom()) hit.part = Hit::Part::Ruler;
    for (std::size_t g = 0; g < layout.group_titles.size(); ++g)
        if (layout.columnOf(static_cast<int>(g)) == column && layout.group_titles[g].contains(at) &&
            layout.view.contains(at)) {
            hit.part = Hit::Part::Title;
            hit.group = static_cast<int>(g);
        }
    const LaneLayout::Hit place = layout.laneAt(at.y(), column);
    if (place.lane < 0) return hit;
    hit.group = place.group;
    hit.rank = place.lane;
    const PreparedView& group = picture.groups[static_cast<std::size_t>(hit.group)];
    const Lane& lane = layout.groups[static_cast<std::size_t>(hit.group)][static_cast<std::size_t>(hit.rank)];
    hit.part = at.x() < layout.plot.left()     ? Hit::Part::Header
               : at.x() >= layout.plot.right() ? Hit::Part::End
                                               : Hit::Part::Lane;
    hit.in_memory = at.y() >= lane.memory.top() && at.y() < lane.memory.bottom();
    if (hit.part != Hit::Part::Lane || hit.rank >= group.lanes()) return hit;
    const std::int64_t time = picture.axisOf(group).toNs(at.x());
    if (at.y() >= lane.ghost_top && at.y() < lane.box.bottom()) {
        inBoxes(hit, picture, group, lane, time);
    } else if (group.hasRun() && at.y() >= lane.communication.top() - 1 &&
               at.y() <= lane.communication.bottom() + 1) {
        inMessages(hit, picture, group, lane, at.x());
    }
    hit.place.translate(layout.leftOf(column), 0);
    return hit;
}

}  // namespace bscope::ui
