// explanation: what there is to say about a schedule, in words and with the current numbers put in; for
// the command line and the window. The words stand in explanation_texts.cpp, the numbers come from the
// orders.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "schedule/schedule.h"
#include "words/catalog.h"

namespace bscope {

struct Explanation {
    std::string title;
    std::string summary;        // one paragraph
    std::string rule;           // of the order
    std::string placement;      // picture, a line a rank: "rank 0: stages 0 7"
    std::string bubble;         // both definitions, each with formula, numbers put in and result
    std::string memory;         // activations in flight by rank, with the formula where one is known
    std::string communication;  // messages of a micro-batch
    std::string weights;        // versions and copies of the weights
    std::string source;
};

// One shard of one data-parallel replica is explained; with params.d or params.t > 1 `weights` says how they
// hang together. Throws std::invalid_argument when scheduleProblems() finds any.
Explanation explain(std::string_view name, const ScheduleParams& params, Language language);

// All of it with headings, a blank line between the parts.
std::string toText(const Explanation& explanation, Language language);

// The words of one catalog row. Formulas are written in p, v, m, q (segments), r (rank) and N (group size).
struct ExplanationWords {
    const char* schedule;
    const char* peak;  // most chunks in flight on rank r, freed when B or W ends, "2*p for m >= 2*p-1"; ""
                       // where none is known
    const char* source_zh;  // "" = as in the catalog
    const char* summary_en;
    const char* rule_en;
    const char* summary_zh;
    const char* rule_zh;
    int (*group_size)(const ScheduleParams& params) = nullptr;  // N of the peak, where that has one
};

const ExplanationWords* findWords(std::string_view schedule);  // nullptr when there are none

struct CatalogEntry;
std::string titleOf(const CatalogEntry& entry, Language language);
std::string sourceOf(const CatalogEntry& entry, Language language);

}  // namespace bscope
