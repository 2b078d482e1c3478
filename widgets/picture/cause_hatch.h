// The hatch of idle time by its cause, the same on lanes, in the legend and in the dock.
#pragma once

#include "view/gap_analysis.h"
#include "widgets/paint/hatch.h"

namespace bscope::ui {

constexpr Hatch hatchOf(CauseFamily family) {
    switch (family) {
        case CauseFamily::FillDrain:
            return Hatch::Rising;
        case CauseFamily::Dependency:
            return Hatch::Falling;
        case CauseFamily::Network:
            return Hatch::Cross;
        case CauseFamily::Other:
            break;
    }
    return Hatch::Level;
}

}  // namespace bscope::ui
