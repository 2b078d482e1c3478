// The numbers of a run on its page, with where they come from. HTML. Values; any thread.
#pragma once

#include <span>
#include <string>

#include "page/run_words.h"

namespace bscope::page {

// Where the times come from; never without it.
std::string badgeHtml(const PagedRun& run);
std::string numbersOf(const PagedRun& run);
// Idle time by cause.
std::string causesOf(const PagedRun& run);
// The numbers of all runs side by side, of several.
std::string comparisonOf(std::span<const PagedRun> runs);

}  // namespace bscope::page
