// What a report states and what it has to state, value by value. Pure functions; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/report.h"

namespace bscope {

// A value of a recording that others of it contradict.
struct Disagreement {
    enum class With : std::uint8_t {
        Events,  // of the iteration
        Start,   // of the run
        Own,     // other values of the same message: costs, shares, the configuration
    };
    std::int32_t iteration = 0;
    std::string number = {};  // as `bscope run --json` names it: "bubble_of_total", "ranks[2].busy_ms"
    double reported = 0, recomputed = 0;  // NaN where a side has none, or where the value is words
    With with = With::Events;
    std::string reported_words = {}, recomputed_words = {};
    bool operator==(const Disagreement&) const = default;

    // Numbers with so many digits.
    std::string reportedText(int digits) const;
    std::string recomputedText(int digits) const;
};

// Of two reports of one iteration with the same ranks. Numbers are the same within 1e-9 of the greater, since
// they are sums of the same integers.
std::vector<Disagreement> differences(const IterationReport& stated, const IterationReport& expected);

// Of a start: where its stages live, and their layers.
std::vector<Disagreement> differences(const IterationStart& stated, const IterationStart& expected);

}  // namespace bscope
