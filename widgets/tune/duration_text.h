// Times in what the engine says of a run, as the window prints them. Pure function.
#pragma once

#include "advice/schedule_choice.h"
#include "widgets/text/notation.h"

namespace bscope::ui {

inline DurationText durationText(const Notation& notation) {
    return [notation](std::int64_t ns) { return notation.duration(static_cast<double>(ns)).toStdString(); };
}

}  // namespace bscope::ui
