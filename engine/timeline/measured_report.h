// From the summary of an iteration's events to its report. Pure functions.
#pragma once

#include <cstdint>

#include "timeline/analysis.h"
#include "timeline/report.h"

namespace bscope {

constexpr double toMs(std::int64_t ns) {
    return static_cast<double>(ns) / 1e6;
}

// What the events say: lengths, bubbles, and of every rank times and activations. report.ranks is empty
// before.
void fillMeasured(IterationReport& report, const IterationSummary& summary);

}  // namespace bscope
