// markdownTable: the numbers of runs as a Markdown table for a chat or an issue: with where their times come
// from, both bubbles and how these are counted; of several runs the differences from the first. What comes
// from outside is escaped. Values; any thread.
#pragma once

#include <span>
#include <string>

#include "page/page_run.h"

namespace bscope::page {

// runs: 1..kMostRuns.
std::string markdownTable(std::span<const PageRun> runs, Language language);

}  // namespace bscope::page
