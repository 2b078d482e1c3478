#include "schedule/catalog.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "schedule/closed_forms.h"
#include "schedule/generators.h"
#include "schedule/nearest.h"

namespace bscope {

namespace {

std::vector<Problem> noConstraints(const ScheduleParams&) { return {}; }

constexpr CatalogEntry kCatalog[] = {
    {.name = "naive",
     .title = "Naive",
     .source = "GPipe, arXiv:1811.06965, Fig 2b",
     .fixed_v = 1,
     .min_v = 1,
     .forward_only = false,
     .split_backward = false,
     .constraints = noConstraints,
     .generate = generators::naive,
     .bubble_of_total = closed_forms::oneAtATime,
     .bubble_formula = "(p-1)/p"},
    {.name = "gpipe",
     .title = "GPipe",
     .source = "arXiv:1811.06965, Fig 2c; backward 0..m-1 as in PyTorch",
     .fixed_v = 1,
     .min_v = 1,
     .forward_only = false,
     .split_backward = false,
     .constraints = noConstraints,
     .generate = generators::gpipe,
     .bubble_of_total = closed_forms::fillAndDrain,
     .bubble_formula = "(p-1)/(m+p-1)"},
    {.name = "gpipe-lifo",
     .title = "GPipe (LIFO)",
     .source = "arXiv:1811.06965, Fig 2c; backward m-1..0 as in the paper",
     .fixed_v = 1,
     .min_v = 1,
     .forward_only = false,
     .split_backward = false,
     .constraints = noConstraints,
     .generate = generators::gpipeLifo,
     .bubble_of_total = closed_forms::fillAndDrain,
     .bubble_formula = "(p-1)/(m+p-1)"},
    {.name = "1f1b",
     .title = "1F1B",
     .source = "PipeDream-Flush, arXiv:2006.09503; DAPPLE, arXiv:2007.01045",
     .fixed_v = 1,
     .min_v = 1,
     .forward_only = false,
     .split_backward = false,
     .constraints = noConstraints,
     .generate = generators::oneFOneB,
     .bubble_of_total = closed_forms::fillAndDrain,
     .bubble_formula = "(p-1)/(m+p-1)"},
    {.name = "interleaved",
     .title = "Interleaved 1F1B",
     .source = "Megatron-LM, arXiv:2104.04473, sec 2.2",
     .fixed_v = 0,
     .min_v = 2,
     .forward_only = false,
     .split_backward = false,
     .constraints = generators::interleavedProblems,
     .generate = generators::interleaved,
     .bubble_of_total = closed_forms::fillAndDrain,
     .bubble_formula = "(p-1)/(v*m+p-1)"},
    {.name = "forward-only",
     .title = "Forward only",
     .source = "inference; depth first for v > 1",
     .fixed_v = 0,
     .min_v = 1,
     .forward_only = true,
     .split_backward = false,
     .constraints = noConstraints,
     .generate = generators::forwardOnly,
     .bubble_of_total = closed_forms::forwardFillAndDrain,
     .bubble_formula = "(p-1)/(v*m+p-1)"},
};

std::string namesOfAll() {
    std::string names;
    for (const CatalogEntry& entry : kCatalog) names += (names.empty() ? "" : ", ") + std::string(entry.name);
    return names;
}

void checkRange(std::vector<Problem>& found, const char* field, int value, int least, int greatest) {
    if (value >= least && value <= greatest) return;
    found.push_back({field,
                     std::string(field) + " = {0} must lie between {1} and {2}",
                     {std::to_string(value), std::to_string(least), std::to_string(greatest)},
                     {value < least ? least : greatest}});
}

std::vector<Problem> sizeProblems(const ScheduleParams& params) {
    std::vector<Problem> found;
    checkRange(found, "p", params.p, 1, kMaxRanks);
    checkRange(found, "v", params.v, 1, kMaxChunks);
    checkRange(found, "m", params.m, 1, kMaxMicrobatches);
    checkRange(found, "group_size", params.group_size, 0, kMaxMicrobatches);
    if (!found.empty()) return found;
    const long stages = static_cast<long>(params.p) * params.v;
    if (stages * params.m > kMaxCells) {
        const long most = std::max(1L, kMaxCells / stages);
        found.push_back({"m",
                         "p * v * m = {0} is more than the {1} cells a schedule may have",
                         {std::to_string(stages * params.m), std::to_string(kMaxCells)},
                         {most}});
    }
    return found;
}

}  // namespace

std::span<const CatalogEntry> catalog() { return kCatalog; }

const CatalogEntry* findSchedule(std::string_view name) {
    const auto found = std::find_if(std::begin(kCatalog), std::end(kCatalog),
                                    [&](const CatalogEntry& entry) { return name == entry.name; });
    return found == std::end(kCatalog) ? nullptr : found;
}

std::vector<Problem> scheduleProblems(std::string_view name, const ScheduleParams& params) {
    std::vector<Problem> found = sizeProblems(params);
    const CatalogEntry* entry = findSchedule(name);
    if (entry == nullptr) {
        found.insert(found.begin(), {"schedule", "There is no schedule {0}; there are {1}",
                                     {"\"" + std::string(name) + "\"", namesOfAll()}, {}});
        return found;
    }
    const bool sizes_legal = found.empty();
    if (entry->fixed_v > 0 && params.v != entry->fixed_v && params.v >= 1)
        found.push_back({"v", "v = {0} must be {1} for {2}",
                         {std::to_string(params.v), std::to_string(entry->fixed_v), entry->title},
                         {entry->fixed_v}});
    else if (entry->fixed_v == 0 && params.v >= 1 && params.v < entry->min_v)
        found.push_back({"v", "v = {0} must be at least {1} for {2}",
                         {std::to_string(params.v), std::to_string(entry->min_v), entry->title},
                         {entry->min_v}});
    if (sizes_legal) {
        const std::vector<Problem> own = entry->constraints(params);
        found.insert(found.end(), own.begin(), own.end());
    }
    return found;
}

Schedule makeSchedule(std::string_view name, const ScheduleParams& params) {
    const std::vector<Problem> found = scheduleProblems(name, params);
    if (!found.empty())
        throw std::invalid_argument(std::accumulate(
            found.begin(), found.end(), std::string(),
            [](std::string text, const Problem& problem) { return text + (text.empty() ? "" : "\n") + problem.text(); }));
    Schedule schedule = findSchedule(name)->generate(params);
    schedule.name = name;
    schedule.params = params;
    return schedule;
}

}  // namespace bscope
