// The strip below the boxes: each message once, at its receiver. Hatched while the receiver waits for the sender,
// solid while the data travels.
#include <algorithm>

#include "widgets/gantt/hatch.h"
#include "widgets/gantt/lane_painter.h"

namespace bscope::ui {

void LanePainter::communication() {
    if (lane_.communication.height() <= 0 || !group_.hasRun()) return;
    const auto events = group_.receives(rank_);
    const QRectF& plot = picture_.layout.plot;
    const HatchStyle wait{theme_.communication, theme_.hatchSpacing() * 0.6,
                          picture_.line()};
    const double least = 2 * picture_.line();
    // Receives are in order of start, their ends only nearly so: begin a little before the first that is in sight.
    double covered_until = plot.left() - 1e9;
    const std::size_t first = firstVisible(events);
    for (std::size_t i = first - std::min<std::size_t>(first, 8); i < events.size();) {
        const Event& event = events[i];
        const double start = picture_.xOf(group_, event.start_ns), end = picture_.xOf(group_, event.end_ns);
        if (start > plot.right()) break;
        if (end - covered_until < 0.5) {  // nothing new to see in this pixel
            const std::int64_t next = timeAt(covered_until + 0.5);
            const auto rest = events.subspan(i + 1);
            i += 1 + static_cast<std::size_t>(
                         std::ranges::partition_point(rest, [=](const Event& e) { return e.end_ns <= next; }) - rest.begin());
            continue;
        }
        const bool dimmed = isDimmed(event);
        const double travels = picture_.xOf(group_, event.transfer_ns);
        const double left = std::max(start, plot.left()), middle = std::clamp(travels, left, plot.right());
        if (middle - left > 2) {
            HatchStyle style = wait;
            style.colour = faded(theme_.communication, dimmed ? 0.3 : 0.6);
            drawHatch(painter_, QRectF(left, lane_.communication.top(), middle - left, lane_.communication.height()),
                      Hatch::Rising, style);
        }
        const double from = picture_.snapped(std::min(travels, end - least));
        const double to = std::min(std::max(picture_.snapped(end), from + least), plot.right());
        if (to > plot.left())
            painter_.fillRect(QRectF(from, lane_.communication.top(), to - from, lane_.communication.height()),
                              dimmed ? faded(theme_.communication, 0.5) : theme_.communication);
        covered_until = std::max(covered_until, end);
        ++i;
    }
}

}  // namespace bscope::ui
