// An analysed run as a page shows it.
#pragma once

#include <string>

#include "cli/input/analysed_run.h"
#include "page/page_run.h"

namespace bscope::cli {

// file: its name on the page. The remarks are the lines that the terminal prints of it.
page::PageRun pagedRun(const std::string& file, const AnalysedRun& run);

}  // namespace bscope::cli
