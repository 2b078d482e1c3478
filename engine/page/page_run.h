// PageRun: a run as a page shows it: one complete iteration, and what a reader has to know beside its
// numbers. A value; any thread.
#pragma once

#include <string>
#include <vector>

#include "page/bilingual.h"
#include "view/view_data.h"

namespace bscope::page {

inline constexpr std::size_t kMostRuns = 26;  // side by side: each has a letter

struct PageRun {
    std::string file;    // as it was named; from outside, like every text of a recording
    IterationView view;  // complete, with summary, report, order and analysis
    std::vector<Bilingual> remarks;  // lines of a report
};

}  // namespace bscope::page
