// The strip below the boxes: each message once, at its receiver. Hatched while the receiver waits for the
// sender, solid while the data travels.
#include <algorithm>
#include <array>

#include "view/gallop.h"
#include "widgets/picture/lane_painter.h"

namespace bscope::ui {

void LanePainter::communication() {
    if (lane_.communication.height() <= 0 || !group_.hasRun()) return;
    const auto events = group_.receives(rank_);
    const QRectF& plot = picture_.layout.plot;
    const HatchStyle wait{theme_.communication, theme_.hatchSpacing() * 0.6, picture_.line()};
    const double least = 2 * picture_.line(), column = picture_.column();
    // Receives are in order of start, their ends only nearly so: begin a little before the first that is in
    // sight.
    HatchLines waits, dimmed_waits;
    const QRectF& strip = lane_.communication;
    const std::array colours{theme_.communication,
                             faded(theme_.communication, 0.5)};  // of a solid piece, dimmed
    struct {
        double left = 0, right = 0;
        bool dimmed = false;
    } solid;  // transfers that touch are one rectangle
    const auto paintSolid = [&] {
        if (solid.right > solid.left)
            painter_.fillRect(QRectF(solid.left, strip.top(), solid.right - solid.left, strip.height()),
                              colours[solid.dimmed]);
        solid = {};
    };
    Gallop gallop;
    double covered_until = plot.left() - 1e9;
    const std::size_t first = firstVisible(events);
    for (std::size_t i = first - std::min<std::size_t>(first, 8); i < events.size();) {
        const Event event = events[i];
        const double start = xOf(event.start_ns), end = xOf(event.end_ns);
        if (start > plot.right()) break;
        const bool dimmed = picture_.selection && isDimmed(events[i]);
        const double travels = xOf(event.transfer_ns);
        const double left = std::max(start, plot.left()), middle = std::clamp(travels, left, plot.right());
        if (middle - left > 2)
            collectHatch(dimmed ? dimmed_waits : waits,
                         QRectF(left, strip.top(), middle - left, strip.height()), Hatch::Rising,
                         wait.spacing_px);
        const double from = picture_.snapped(std::min(travels, end - least));
        const double to = std::min(std::max(picture_.snapped(end), from + least), plot.right());
        if (to > plot.left()) {
            const bool touches = solid.right > solid.left && dimmed == solid.dimmed && from <= solid.right &&
                                 from >= solid.left;
            if (!touches) paintSolid();
            solid = {touches ? solid.left : from, std::max(to, solid.right), dimmed};
        }
        covered_until = std::max(covered_until, end);
        // What ends in the same column stands there already.
        i = gallop.next(events, i + 1,
                        [next = timeAt(covered_until + column)](const Event& e) { return e.end_ns <= next; });
    }
    paintSolid();
    const double strength = theme_.kind == ThemeKind::Dark ? 0.9 : 0.6;  // thin lines sink into black
    for (const auto& [lines, opacity] :
         {std::pair(&waits, strength), std::pair(&dimmed_waits, strength / 2)}) {
        HatchStyle style = wait;
        style.colour = faded(theme_.communication, opacity);
        drawHatchLines(painter_, *lines, style);
    }
}

}  // namespace bscope::ui
