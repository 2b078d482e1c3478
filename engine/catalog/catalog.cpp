#include "catalog/catalog.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "catalog/closed_forms.h"
#include "catalog/explanation.h"
#include "catalog/generators.h"
#include "catalog/presets.h"
#include "schedule/data_parallel.h"
#include "schedule/formats/file_schedule.h"
#include "schedule/nearest_word.h"
#include "schedule/tensor_parallel.h"
#include "words/sentence_error.h"

namespace bscope {

namespace {

std::vector<Problem> anything(const ScheduleParams&) {
    return {};
}

constexpr bool kForwardOnly = true, kTrains = false;
constexpr bool kSplit = true, kWhole = false;  // backward

// clang-format off
// A row: name, title, source
//        the only v (0 = free), the least v, the usual v, the usual segments, forward only, backward, replicas,
//        constraints, generator
//        closed form of the bubble of total, its formula for F = I = W and where that holds, the idle time for
//        any durations
constexpr CatalogEntry kCatalog[] = {
    {"naive", "Naive", "GPipe, arXiv:1811.06965",
     1, 1, 1, 1, kTrains, kWhole, 1, anything, generators::naive,
     closed_forms::oneAtATime, "(p-1)/p", "", ""},
    {"gpipe", "GPipe", "arXiv:1811.06965; backward 0..m-1 as in PyTorch",
     1, 1, 1, 1, kTrains, kWhole, 1, anything, generators::gpipe,
     closed_forms::fillAndDrain, "(p-1)/(m+p-1)", "", ""},
    {"gpipe-lifo", "GPipe (LIFO)", "arXiv:1811.06965; backward m-1..0 as the paper draws it",
     1, 1, 1, 1, kTrains, kWhole, 1, anything, generators::gpipeLifo,
     closed_forms::fillAndDrain, "(p-1)/(m+p-1)", "", ""},
    {"1f1b", "1F1B", "PipeDream-Flush, arXiv:2006.09503; DAPPLE, arXiv:2007.01045",
     1, 1, 1, 1, kTrains, kWhole, 1, anything, generators::oneFOneB,
     closed_forms::fillAndDrain, "(p-1)/(m+p-1)", "", ""},
    {"interleaved", "Interleaved 1F1B", "Megatron-LM, arXiv:2104.04473; with v = 1 it is eager 1F1B",
     0, 1, 2, 1, kTrains, kWhole, 1, generators::interleavedProblems, generators::interleaved,
     closed_forms::fillAndDrain, "(p-1)/(v*m+p-1)", "", ""},
    {"interleaved-combined", "Combined 1F1B", "Megatron-LM: interleaved 1F1B with one more forward in the warm-up",
     0, 1, 2, 1, kTrains, kWhole, 1, generators::interleavedProblems, generators::interleavedCombined,
     closed_forms::fillAndDrain, "(p-1)/(v*m+p-1)", "", ""},
    {"seq1f1b", "Seq1F1B", "arXiv:2406.03488; q segments of every sequence",
     1, 1, 1, 4, kTrains, kWhole, 1, anything, generators::seq1f1b,
     closed_forms::segments, "(p-1)/(q*m+p-1)", "", ""},
    {"eager-1f1b", "Eager 1F1B", "On Optimizing the Communication of Model Parallelism, arXiv:2211.05322",
     1, 1, 1, 1, kTrains, kWhole, 1, anything, generators::eagerOneFOneB,
     closed_forms::fillAndDrain, "(p-1)/(m+p-1)", "", ""},
    {"interleaved-pytorch", "Interleaved 1F1B (PyTorch)", "arXiv:2104.04473; group size from equal rounds as in PyTorch",
     0, 1, 2, 1, kTrains, kWhole, 1, generators::roundProblems, generators::interleavedPyTorch,
     closed_forms::fullPipe, "(p-1)/(v*m+p-1)", "v = 1 or m >= p", ""},
    {"looped-bfs", "Looped BFS", "arXiv:2211.05953",
     0, 1, 2, 1, kTrains, kWhole, 1, anything, generators::loopedBfs,
     closed_forms::fullPipe, "(p-1)/(v*m+p-1)", "v = 1 or m >= p", ""},
    {"zb-h1", "ZB-H1", "arXiv:2401.10241",
     1, 1, 1, 1, kTrains, kSplit, 1, anything, generators::zbInterleaved,
     closed_forms::zeroBubbleH1, "(p-1)/(3*m+p-1)", "m >= p", "(p-1)*(F+I-min(F,I,W))"},
    {"zb-h2", "ZB-H2", "arXiv:2401.10241",
     1, 1, 1, 1, kTrains, kSplit, 1, anything, generators::zbH2,
     closed_forms::zeroBubbleH2, "(p-1)/(3*m+p-1)", "m >= 2*p-1", "(p-1)*max(F,I-F,F+I-2*W)"},
    {"zb-interleaved", "Interleaved zero bubble", "arXiv:2401.10241 with chunks, as in PyTorch",
     0, 1, 2, 1, kTrains, kSplit, 1, generators::roundProblems, generators::zbInterleaved,
     closed_forms::zeroBubbleH1, "(p-1)/(3*v*m+p-1)", "m >= p", "(p-1)*(F+I-min(F,I,W))"},
    {"zb-v", "ZB-V", "arXiv:2401.10241",
     2, 2, 2, 1, kTrains, kSplit, 1, anything, generators::zbV,
     closed_forms::zeroBubbleV, "(p-1)/(6*m+p-1)", "m >= 2*p-1", "(p-1)*max(F,I,2*(I-W))+(p-2)*max(0,F-I,W-max(F,I))"},
    {"v-half", "V-Half", "arXiv:2405.15362",
     2, 2, 2, 1, kTrains, kSplit, 1, anything, generators::vHalf,
     closed_forms::unknown, "", "", ""},
    {"v-min", "V-Min", "arXiv:2405.15362",
     2, 2, 2, 1, kTrains, kSplit, 1, anything, generators::vMin,
     closed_forms::unknown, "", "", ""},
    {"v-1f1b", "1F1B-V", "arXiv:2405.15362, unsplit backward",
     2, 2, 2, 1, kTrains, kWhole, 1, anything, generators::vOneFOneB,
     closed_forms::unknown, "", "", ""},
    {"dualpipe-v", "DualPipeV", "deepseek-ai/DualPipe; arXiv:2412.19437 cut in half",
     2, 2, 2, 1, kTrains, kSplit, 1, generators::dualPipeVProblems, generators::dualPipeV,
     closed_forms::unknown, "", "", ""},
    {"hanayo", "Hanayo-style wave", "after arXiv:2308.15762; derived by folding Chimera",
     0, 2, 2, 1, kTrains, kWhole, 1, generators::hanayoProblems, generators::hanayo,
     closed_forms::wave, "4*(p-1)/(3*v*m+4*(p-1))", "m = p", "2*(p-1)*B"},
    {"chimera", "Chimera", "arXiv:2107.06925; units of p micro-batches one after the other",
     2, 2, 2, 1, kTrains, kWhole, 2, generators::chimeraProblems, generators::chimera,
     closed_forms::oneUnit, "2*(p-2)/(3*m+2*(p-2))", "m = p", "(p-2)*B"},
    {"dualpipe", "DualPipe", "deepseek-ai/DualPipe; arXiv:2412.19437",
     2, 2, 2, 1, kTrains, kSplit, 2, generators::dualPipeProblems, generators::dualPipe,
     closed_forms::unknown, "", "", ""},
    {"pipedream", "PipeDream", "SOSP'19; m mini-batches of an endless stream",
     1, 1, 1, 1, kTrains, kWhole, 1, anything, generators::pipeDream,
     closed_forms::fillAndDrain, "(p-1)/(m+p-1)", "", ""},
    {"pipedream-2bw", "PipeDream-2BW", "arXiv:2006.09503; three batches of m micro-batches of an endless stream",
     1, 1, 1, 1, kTrains, kWhole, 1, generators::doubleBufferProblems, generators::pipeDream2bwStream,
     closed_forms::stream, "(p-1)/(3*m+p-1)", "", ""},
    {"forward-only", "Forward only", "inference; depth first for v > 1",
     0, 1, 1, 1, kForwardOnly, kWhole, 1, anything, generators::forwardOnly,
     closed_forms::forwardFillAndDrain, "(p-1)/(v*m+p-1)", "v = 1 or p divides m", ""},
};
// clang-format on

// What a schedule is called, folded: by its name and titles, and by others.
struct Names {
    std::vector<std::string> own, elsewhere;
};

// Found once.
const Names& namesOf(const CatalogEntry& entry) {
    static const std::vector<Names> names = [] {
        std::vector<Names> of_rows;
        for (const CatalogEntry& row : kCatalog) {
            Names& its = of_rows.emplace_back();
            its.own = {foldedName(row.name), foldedName(row.title),
                       foldedName(titleOf(row, Language::Chinese))};
            for (const std::span<const Preset> table : {presets(), aliases()})
                for (const Preset& each : table)
                    if (row.name == std::string_view(each.schedule))
                        its.elsewhere.push_back(foldedName(each.name));
        }
        return of_rows;
    }();
    return names[static_cast<std::size_t>(&entry - kCatalog)];
}

// A name within the other is nearer than one with as many other letters.
double distanceOf(const std::string& wanted, const std::string& name) {
    const bool within =
        !wanted.empty() && (name.find(wanted) != std::string::npos || wanted.find(name) != std::string::npos);
    return within ? 0.25 * std::abs(static_cast<double>(name.size()) - static_cast<double>(wanted.size()))
                  : static_cast<double>(wordDistance(wanted, name));
}

std::string namesOfAll() {
    std::string names;
    for (const CatalogEntry& entry : kCatalog) names += (names.empty() ? "" : ", ") + std::string(entry.name);
    return names;
}

bool flushes(const CatalogEntry& entry) {
    return entry.generate != generators::pipeDream && entry.generate != generators::pipeDream2bwStream;
}

// Replicas meet at a flush to add their gradients.
bool canBeReplicated(const CatalogEntry& entry) {
    return entry.replicas == 1 && !entry.forward_only && flushes(entry);
}

}  // namespace

std::span<const CatalogEntry> catalog() {
    return kCatalog;
}

const CatalogEntry* findSchedule(std::string_view name) {
    // As it is written, which is how programs name it: every message of a stream asks for one.
    for (const CatalogEntry& entry : kCatalog)
        if (name == entry.name) return &entry;
    const std::string wanted = foldedName(name);
    const std::string_view preset = scheduleOfPreset(name);
    const auto found = std::find_if(std::begin(kCatalog), std::end(kCatalog), [&](const CatalogEntry& entry) {
        if (!preset.empty()) return preset == entry.name;
        const std::vector<std::string>& own = namesOf(entry).own;
        return std::find(own.begin(), own.end(), wanted) != own.end();
    });
    return found == std::end(kCatalog) ? nullptr : found;
}

std::string titleOf(std::string_view schedule) {
    if (const CatalogEntry* entry = findSchedule(schedule)) return entry->title;
    if (isFileSchedule(schedule)) schedule.remove_prefix(schedule.find_last_of("/:") + 1);
    return std::string(schedule);
}

std::vector<std::string> nearestSchedules(std::string_view name) {
    constexpr std::size_t kNearest = 3;
    const std::string wanted = foldedName(name);
    std::vector<std::pair<double, std::string>> all;
    for (const CatalogEntry& entry : kCatalog) {
        double least = std::numeric_limits<double>::max();
        const Names& its = namesOf(entry);
        for (const auto* names : {&its.own, &its.elsewhere})
            for (const std::string& each : *names) least = std::min(least, distanceOf(wanted, each));
        all.emplace_back(least, entry.name);
    }
    std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    // The first whatever it is, others only where at least half of the letters are right.
    const double most = std::max(2.0, static_cast<double>(wanted.size()) / 2);
    std::vector<std::string> nearest{all.front().second};
    for (std::size_t i = 1; i < kNearest && all[i].first <= most; ++i) nearest.push_back(all[i].second);
    return nearest;
}

int defaultChunks(const CatalogEntry& entry) {
    return entry.usual_v;
}

void takeUsual(ScheduleParams& params, const CatalogEntry& entry) {
    params.v = defaultChunks(entry);
    params.segments = entry.usual_segments;
}

namespace {

Problem tooManyRanks(const ScheduleParams& params, long ranks) {
    const std::vector<Argument> arguments{std::to_string(ranks), std::to_string(kMaxRanks)};
    const int others = params.p * params.d;
    if (params.t > 1 && others <= kMaxRanks)
        return {
            "t", "p * d * t = {0} is more than the {1} ranks there may be", arguments, {kMaxRanks / others}};
    return {"d", "p * d = {0} is more than the {1} ranks there may be", arguments, {kMaxRanks / params.p}};
}

}  // namespace

std::vector<Problem> sizeProblems(const ScheduleParams& params) {
    std::vector<Problem> found;
    for (const auto& [name, size, least, greatest] : kSizeRanges)
        if (const int value = params.*size; value < least || value > greatest)
            found.push_back(outsideRange(name, std::to_string(value), std::to_string(least),
                                         std::to_string(greatest), std::clamp(value, least, greatest)));
    if (!found.empty()) return found;
    if (const long ranks = static_cast<long>(params.p) * params.d * params.t; ranks > kMaxRanks)
        found.push_back(tooManyRanks(params, ranks));
    else if (params.cells() > kMaxCells)
        found.push_back(
            {"m",
             params.segments > 1
                 ? "p * v * m * d * t * segments = {0} is more than the {1} cells a schedule may have"
             : params.t == 1 ? "p * v * m * d = {0} is more than the {1} cells a schedule may have"
                             : "p * v * m * d * t = {0} is more than the {1} cells a schedule may have",
             {std::to_string(params.cells()), std::to_string(kMaxCells)},
             {std::max(1L, kMaxCells / (params.cells() / params.m))}});
    if (params.zero > 0 && params.d < 2)
        found.push_back({"zero",
                         "zero = {0}: d must be at least 2, since the replicas divide the optimizer state",
                         {std::to_string(params.zero)},
                         {0}});
    return found;
}

std::vector<Problem> scheduleProblems(std::string_view name, const ScheduleParams& params) {
    std::vector<Problem> found = sizeProblems(params);
    if (isFileSchedule(name)) {
        const std::vector<Problem> of_file = fileScheduleProblems(name, params);
        found.insert(found.end(), of_file.begin(), of_file.end());
        return found;
    }
    const CatalogEntry* entry = findSchedule(name);
    if (entry == nullptr) {
        found.insert(found.begin(),
                     {"schedule",
                      "There is no schedule {0}; nearest: {1}; all: {2}",
                      {"\"" + std::string(name) + "\"", joined(nearestSchedules(name), ", "), namesOfAll()},
                      {}});
        return found;
    }
    const bool sizes_legal = found.empty();
    if (entry->fixed_v > 0 && params.v != entry->fixed_v && params.v >= 1)
        found.push_back({"v",
                         "v = {0} must be {1} for {2}",
                         {std::to_string(params.v), std::to_string(entry->fixed_v), sentence(entry->title)},
                         {entry->fixed_v}});
    else if (entry->fixed_v == 0 && params.v >= 1 && params.v < entry->min_v)
        found.push_back({"v",
                         "v = {0} must be at least {1} for {2}",
                         {std::to_string(params.v), std::to_string(entry->min_v), sentence(entry->title)},
                         {entry->min_v}});
    if (params.vertical_sync && entry->generate != generators::pipeDream)
        found.push_back({"vertical_sync",
                         "vertical sync is a rule of PipeDream; {0} has no such rule",
                         {sentence(entry->title)},
                         {0}});
    if (params.d > 1 && !canBeReplicated(*entry))
        found.push_back(
            {"d",
             "d = {0} must be 1 for {1}: it has two copies of its weights, no flush or no backward",
             {std::to_string(params.d), sentence(entry->title)},
             {1}});
    if (params.segments > 1 && entry->usual_segments == 1)
        found.push_back({"segments",
                         "segments = {0} must be 1 for {1}: only Seq1F1B cuts sequences",
                         {std::to_string(params.segments), sentence(entry->title)},
                         {1}});
    if (params.t > 1 && !flushes(*entry))
        found.push_back({"t",
                         "t = {0} must be 1 for {1}: an endless stream runs without tensor parallelism here",
                         {std::to_string(params.t), sentence(entry->title)},
                         {1}});
    if (sizes_legal) {
        const std::vector<Problem> own = entry->constraints(params);
        found.insert(found.end(), own.begin(), own.end());
    }
    return found;
}

bool canBeMade(std::string_view name, const ScheduleParams& params) {
    return scheduleProblems(name, params).empty();
}

Schedule inWorld(Schedule one_replica, const ScheduleParams& params) {
    Schedule world = tensorParallel(dataParallel(std::move(one_replica), params.d), params.t);
    world.params.zero = params.zero;
    return world;
}

Schedule makeSchedule(std::string_view name, const ScheduleParams& params) {
    const std::vector<Problem> found = scheduleProblems(name, params);
    if (!found.empty()) {
        std::vector<Sentence> all;
        for (const Problem& problem : found) all.push_back(problem.withLegal());
        throw SentenceError<std::invalid_argument>(inARow(all));
    }
    if (isFileSchedule(name)) return inWorld(readFileSchedule(name), params);
    const CatalogEntry& entry = *findSchedule(name);
    Schedule schedule = entry.generate(params.ofOnePipeline());
    schedule.name = entry.name;
    return inWorld(std::move(schedule), params);
}

}  // namespace bscope
