#include "widgets/text/alignment_text.h"

#include <cmath>

#include "widgets/text/canvas_words.h"
#include "widgets/text/format.h"

namespace bscope::ui {

QString alignmentName(Alignment alignment) {
    switch (alignment) {
        case Alignment::Start:
            return Canvas::tr("by time");
        case Alignment::Microbatch:
            return Canvas::tr("by micro-batch");
        case Alignment::FirstBackward:
            return Canvas::tr("by warm-up");
        case Alignment::LastForward:
            return Canvas::tr("by cool-down");
    }
    return {};
}

QString alignmentMeaning(const Beside& beside, const Notation& notation) {
    QString instant;
    switch (beside.alignment) {
        case Alignment::Start:
            return Canvas::tr("Aligned by time: both iterations begin at 0.");
        case Alignment::Microbatch:
            instant = Canvas::tr(
                          "Aligned by micro-batch: the first operation of micro-batch %1 begins at the "
                          "same place in both.")
                          .arg(notation.microbatch(beside.microbatch));
            break;
        case Alignment::FirstBackward:
            instant = Canvas::tr(
                "Aligned by phase: the first operation of any rank that is not a forward begins at the same "
                "place in both; no rank ends its warm-up earlier.");
            break;
        case Alignment::LastForward:
            instant = Canvas::tr(
                "Aligned by phase: the last forward of any rank ends at the same place in both; no rank "
                "begins its cool-down later.");
            break;
    }
    if (!beside.has_anchor)
        return sentencesText({instant, Canvas::tr("One of the two has no such point: both begin at 0.")});
    const QString by = notation.duration(std::abs(static_cast<double>(beside.shift_ns)));
    if (beside.shift_ns == 0) return sentencesText({instant, Canvas::tr("Both begin at 0.")});
    const bool later = beside.shift_ns > 0;
    QString moved;
    if (beside.swapped)
        moved = later ? Canvas::tr(
                            "This iteration is drawn %1 later than it ran; the ruler has the times of the "
                            "baseline.")
                      : Canvas::tr(
                            "This iteration is drawn %1 earlier than it ran; the ruler has the times of the "
                            "baseline.");
    else
        moved = later ? Canvas::tr(
                            "The baseline is drawn %1 later than it ran; the ruler has the times of this "
                            "iteration.")
                      : Canvas::tr(
                            "The baseline is drawn %1 earlier than it ran; the ruler has the times of this "
                            "iteration.");
    return sentencesText({instant, moved.arg(by)});
}

}  // namespace bscope::ui
