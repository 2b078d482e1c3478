// The numbers of a run on its page, with where they come from. HTML. Values; any thread.
#pragma once

#include <span>
#include <string>

#include "page/page_run.h"
#include "view/prepared_view.h"

namespace bscope::page {

struct PagedRun {
    const PageRun& run;
    PreparedView view;
};

// "1F1B" in both languages; names of files of schedules as they are.
std::string titleOf(const PagedRun& run);
// "p = 4, m = 8, iteration 3"
std::string parametersOf(const PagedRun& run);
// Where the times come from; never without it.
std::string badgeOf(const PagedRun& run);
Sentence provenanceWords(Provenance provenance);
std::string numbersOf(const PagedRun& run);
// Idle time by cause.
std::string causesOf(const PagedRun& run);
// The numbers of all runs side by side, of several.
std::string comparisonOf(std::span<const PagedRun> runs);

}  // namespace bscope::page
