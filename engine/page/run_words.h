// What is written of runs beside their pictures, in any form: names, parameters, where the times come from,
// and the table of their numbers. Values; any thread.
#pragma once

#include <span>
#include <vector>

#include "page/bilingual.h"
#include "page/page_run.h"
#include "view/prepared_view.h"

namespace bscope::page {

struct PagedRun {
    const PageRun& run;
    PreparedView view;
};

// They share their scale of memory.
std::vector<PagedRun> pagedRuns(std::span<const PageRun> runs);
// "A · " of the first of several.
std::string letterOf(std::size_t index, std::size_t of);

// "1F1B" in both languages; names of files of schedules as they are.
Bilingual titleOf(const PagedRun& run);
// "p = 4, m = 8 · recomputation: full"; the same with the iteration, as it is counted on a screen.
Bilingual settingsOf(const PagedRun& run);
Bilingual parametersOf(const PagedRun& run);
// "RECONSTRUCTED · CPU · 2 cores": where the times come from; never without it.
Bilingual badgeOf(const PagedRun& run);

double ofIdeal(double of_total);
// idle time ÷ ..., as the first of these runs counts ranks.
Sentence definitionOfTotal(const PagedRun& run);
Sentence definitionOfIdeal();

struct RunPeak {
    std::int64_t bytes = 0;
    int in_flight = 0, rank = 0,
        fullest = 0;  // the ranks that hold the most bytes, and the most micro-batches
};
RunPeak peakOf(const IterationSummary& summary);

// A row of the table of runs.
struct NumberRow {
    enum class Shown : unsigned char { Always, OfTotal, OfIdeal };
    Bilingual label;
    Shown shown = Shown::Always;         // with one definition of the bubble only
    std::vector<std::string> values;     // (runs,) with their unit; "–": not known
    std::vector<Bilingual> differences;  // (runs - 1,) from the first, of what is printed
};
// Of what any of them has.
std::vector<NumberRow> rowsOf(std::span<const PagedRun> runs);
// What a reader of the differences has to know.
std::vector<Sentence> caveatsOf(std::span<const PagedRun> runs);

}  // namespace bscope::page
