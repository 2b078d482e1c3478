// PageRun: a run as a page shows it: one complete iteration, and what a reader has to know beside its
// numbers. A value; any thread.
#pragma once

#include <string>
#include <vector>

#include "view/view_data.h"

namespace bscope::page {

// What comes from a report that is printed in one language at a time.
struct Remark {
    std::string english, chinese;
};

struct PageRun {
    std::string file;    // as it was named; from outside, like every text of a recording
    IterationView view;  // complete, with summary, report, order and analysis
    std::vector<Remark> remarks;
};

}  // namespace bscope::page
