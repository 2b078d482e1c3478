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
    {.name = "eager-1f1b",
     .title = "Eager 1F1B",
     .source = "Alpa, arXiv:2211.05322",
     .fixed_v = 1,
     .min_v = 1,
     .forward_only = false,
     .split_backward = false,
     .constraints = noConstraints,
     .generate = generators::eagerOneFOneB,
     .bubble_of_total = closed_forms::fillAndDrain,
     .bubble_formula = "(p-1)/(m+p-1)"},
    {.name = "interleaved-pytorch",
     .title = "Interleaved 1F1B (PyTorch)",
     .source = "arXiv:2104.04473, sec 2.2; group size from equal rounds as in PyTorch",
     .fixed_v = 0,
     .min_v = 1,
     .forward_only = false,
     .split_backward = false,
     .constraints = generators::roundProblems,
     .generate = generators::interleavedPyTorch,
     .bubble_of_total = closed_forms::fullPipe,
     .bubble_formula = "(p-1)/(v*m+p-1)"},
    {.name = "looped-bfs",
     .title = "Looped BFS",
     .source = "arXiv:2211.05953",
     .fixed_v = 0,
     .min_v = 1,
     .forward_only = false,
     .split_backward = false,
     .constraints = noConstraints,
     .generate = generators::loopedBfs,
     .bubble_of_total = closed_forms::fullPipe,
     .bubble_formula = "(p-1)/(v*m+p-1)"},
    {.name = "zb-h1",
     .title = "ZB-H1",
     .source = "arXiv:2401.10241, Fig 3 top",
     .fixed_v = 1,
     .min_v = 1,
     .forward_only = false,
     .split_backward = true,
     .constraints = noConstraints,
     .generate = generators::zbInterleaved,
     .bubble_of_total = closed_forms::zeroBubbleH1,
     .bubble_formula = "x/(m(F+I+W)+x), x = (p-1)(F+I-min(F,I,W))"},
    {.name = "zb-h2",
     .title = "ZB-H2",
     .source = "arXiv:2401.10241, Fig 3 bottom",
     .fixed_v = 1,
     .min_v = 1,
     .forward_only = false,
     .split_backward = true,
     .constraints = noConstraints,
     .generate = generators::zbH2,
     .bubble_of_total = closed_forms::zeroBubbleH2,
     .bubble_formula = "x/(m(F+I+W)+x), x = (p-1)max(F,F+I-2W)"},
    {.name = "zb-interleaved",
     .title = "Interleaved zero bubble",
     .source = "arXiv:2401.10241 with chunks, as in PyTorch",
     .fixed_v = 0,
     .min_v = 1,
     .forward_only = false,
     .split_backward = true,
     .constraints = generators::roundProblems,
     .generate = generators::zbInterleaved,
     .bubble_of_total = closed_forms::zeroBubbleH1,
     .bubble_formula = "x/(v*m(F+I+W)+x), x = (p-1)(F+I-min(F,I,W))"},
    {.name = "zb-v",
     .title = "ZB-V",
     .source = "arXiv:2401.10241, sec 6",
     .fixed_v = 2,
     .min_v = 2,
     .forward_only = false,
     .split_backward = true,
     .constraints = noConstraints,
     .generate = generators::zbV,
     .bubble_of_total = closed_forms::zeroBubbleV,
     .bubble_formula = "x/(2m(F+I+W)+x), x = (p-1)max(I,2(I-W))"},
    {.name = "v-half",
     .title = "V-Half",
     .source = "arXiv:2405.15362",
     .fixed_v = 2,
     .min_v = 2,
     .forward_only = false,
     .split_backward = true,
     .constraints = noConstraints,
     .generate = generators::vHalf,
     .bubble_of_total = closed_forms::unknown,
     .bubble_formula = ""},
    {.name = "v-min",
     .title = "V-Min",
     .source = "arXiv:2405.15362",
     .fixed_v = 2,
     .min_v = 2,
     .forward_only = false,
     .split_backward = true,
     .constraints = noConstraints,
     .generate = generators::vMin,
     .bubble_of_total = closed_forms::unknown,
     .bubble_formula = ""},
    {.name = "v-1f1b",
     .title = "V-1F1B",
     .source = "arXiv:2405.15362, unsplit backward",
     .fixed_v = 2,
     .min_v = 2,
     .forward_only = false,
     .split_backward = false,
     .constraints = noConstraints,
     .generate = generators::vOneFOneB,
     .bubble_of_total = closed_forms::unknown,
     .bubble_formula = ""},
    {.name = "dualpipe-v",
     .title = "DualPipeV",
     .source = "deepseek-ai/DualPipe; arXiv:2412.19437 cut in half",
     .fixed_v = 2,
     .min_v = 2,
     .forward_only = false,
     .split_backward = true,
     .constraints = generators::dualPipeVProblems,
     .generate = generators::dualPipeV,
     .bubble_of_total = closed_forms::unknown,
     .bubble_formula = ""},
    {.name = "hanayo",
     .title = "Hanayo-style wave",
     .source = "after arXiv:2308.15762; derived by folding Chimera",
     .fixed_v = 0,
     .min_v = 2,
     .forward_only = false,
     .split_backward = false,
     .constraints = generators::hanayoProblems,
     .generate = generators::hanayo,
     .bubble_of_total = closed_forms::wave,
     .bubble_formula = "x/(v*m(F+B)+x), x = 2B(p-1)"},
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
