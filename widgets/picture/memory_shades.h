// Looks of what a rank holds besides activations, and of the curves of other kinds of checkpointing: one for
// the lanes and the legend. Pure functions.
#pragma once

#include <QColor>
#include <QPen>
#include <array>

#include "view/view_data.h"
#include "widgets/text/canvas_words.h"
#include "widgets/theme/theme.h"

namespace bscope::ui {

struct MemoryBand {
    std::int64_t ResidentBytes::*bytes;
    double shade;  // of the memory line on the canvas
};
// From the bottom up.
inline constexpr std::array<MemoryBand, 4> kMemoryBands{{{&ResidentBytes::weights, 0.78},
                                                         {&ResidentBytes::gradients, 0.60},
                                                         {&ResidentBytes::optimizer, 0.44},
                                                         {&ResidentBytes::buffers, 0.30}}};

inline QString memoryBandName(std::size_t band) {
    const std::array names{Canvas::tr("weights"), Canvas::tr("gradients"), Canvas::tr("optimizer state"),
                           Canvas::tr("buffers")};
    return names[band];
}

inline QColor memoryBandColour(std::size_t band, const Theme& theme) {
    return mixed(theme.memory_line, theme.canvas, kMemoryBands[band].shade);
}

// Of what the arena has reserved for activations.
inline QPen reservedPen(const Theme& theme) {
    QPen pen(theme.memory_line, theme.line());
    pen.setCapStyle(Qt::FlatCap);
    pen.setDashPattern({2, 2});
    return pen;
}

inline QString otherCheckpointingName(Recompute recompute) {
    switch (recompute) {
        case Recompute::None:
            return Canvas::tr("without checkpointing");
        case Recompute::Full:
            return Canvas::tr("with full checkpointing");
        case Recompute::Selective:
            return Canvas::tr("with selective checkpointing");
    }
    return {};
}

inline QPen otherCheckpointingPen(Recompute recompute, const Theme& theme) {
    QPen pen(theme.memory_line, 1.2 * theme.line());
    pen.setJoinStyle(Qt::MiterJoin);
    pen.setCapStyle(Qt::FlatCap);
    switch (recompute) {
        case Recompute::None:
            pen.setDashPattern({7, 3});
            break;
        case Recompute::Full:
            pen.setDashPattern({1.5, 2.5});
            break;
        case Recompute::Selective:
            pen.setDashPattern({6, 2, 1.5, 2});
            break;
    }
    return pen;
}

}  // namespace bscope::ui
