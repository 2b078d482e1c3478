// What ranks did in a range of time of one iteration, for replay --range: bubble, causes, throughput and peak
// of just that, as text and as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/input/analysed_run.h"
#include "cli/print/line_printer.h"
#include "words/sentence.h"

namespace bscope::cli {

struct WantedRange {
    double from_ms = 0, to_ms = 0;  // from the start of the iteration
    std::vector<int> ranks;         // none: all
    std::vector<Op> kinds;          // none: all
};

// Of "FROM,TO", ranks as numbers and kinds as "F,B"; what is wrong with them is added to `problems`.
WantedRange wantedRange(const std::string& range, const std::vector<int>& ranks, const std::string& kinds,
                        std::vector<Sentence>& problems);

// Throw a SentenceError when the iteration has no such rank.
nlohmann::ordered_json rangeJson(const AnalysedRun& run, const WantedRange& wanted);
void printRange(const LinePrinter& printer, const AnalysedRun& run, const WantedRange& wanted);

}  // namespace bscope::cli
