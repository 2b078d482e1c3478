#include "analysis/what_if.h"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <tuple>

#include "schedule/catalog.h"
#include "timeline/analysis.h"
#include "timeline/predict.h"

namespace bscope {
namespace {

constexpr long kMostWhatIfCells = 200'000;  // p * v * m

void addShare(StageCosts& to, const StageCosts& more, double share) {
    for (const DurationField& field : kDurationFields) to.*field.ns += more.*field.ns * share;
}

Alternative played(const Schedule& schedule, const Costs& costs, Recompute recompute) {
    const IterationSummary summary = summarize(predict(lower(schedule, recompute), costs), 0);
    Alternative out;
    out.schedule = schedule.name;
    out.params = schedule.params;
    out.iteration_ms = static_cast<double>(summary.iteration_ns) / 1e6;
    out.ms_per_microbatch = out.iteration_ms / schedule.params.m;
    out.bubble_of_total = summary.bubble_of_total;
    for (const RankSummary& rank : summary.ranks)
        out.most_in_flight =
            std::max(out.most_in_flight, static_cast<double>(rank.peak_in_flight) / schedule.params.v);
    return out;
}

}  // namespace

Costs costsForStages(const Costs& costs, int stages) {
    Costs out = costs;
    const auto before = static_cast<double>(costs.stages.size());
    out.stages.assign(static_cast<std::size_t>(stages), {});
    for (int stage = 0; stage < stages; ++stage) {
        const double from = before * stage / stages, to = before * (stage + 1) / stages;
        for (auto old = static_cast<std::size_t>(from); old < costs.stages.size(); ++old) {
            const double share =
                std::min(to, static_cast<double>(old + 1)) - std::max(from, static_cast<double>(old));
            if (share <= 0) break;
            addShare(out.stages[static_cast<std::size_t>(stage)], costs.stages[old], share);
        }
    }
    for (StageCosts& stage : out.stages) {
        if (stage.input_ns + stage.weight_ns == 0) stage.input_ns = stage.weight_ns = stage.backward_ns / 2;
        if (stage.backward_ns == 0) stage.backward_ns = stage.input_ns + stage.weight_ns;
    }
    return out;
}

std::vector<Alternative> whatIf(const Schedule& ran, const Costs& costs, Recompute recompute,
                                double memory_cap) {
    std::vector<Alternative> found;
    const ScheduleParams& own = ran.params;
    try {
        found.push_back(played(ran, costs, recompute));
    } catch (const std::invalid_argument&) {
        return {};  // the order cannot be played
    }
    found.back().ran = true;
    std::set<std::tuple<std::string, int, int>> tried = {{ran.name, own.v, own.m}};
    const auto attempt = [&](const CatalogEntry& entry, int v, int m) {
        ScheduleParams params{own.p, v, m};
        if (entry.name == ran.name && v == own.v) params.group_size = own.group_size;
        if (!tried.insert({entry.name, v, m}).second || params.cells() > kMostWhatIfCells ||
            !scheduleProblems(entry.name, params).empty())
            return;
        const Schedule schedule = makeSchedule(entry.name, params);
        if (schedule.weights != WeightRule::Flush || schedule.chains.size() != 1) return;
        found.push_back(played(schedule, costsForStages(costs, schedule.stageCount()), recompute));
    };
    for (const CatalogEntry& entry : catalog()) {
        if (entry.forward_only || entry.replicas > 1) continue;
        for (const int v : {own.v, defaultChunks(entry)}) attempt(entry, v, own.m);
        if (entry.name != ran.name) continue;
        for (const int m : {own.m / 2, own.m * 2, own.m * 4}) attempt(entry, own.v, m);
        for (const int v : {1, 2, 4}) attempt(entry, v, own.m);
    }
    for (Alternative& each : found) each.over_cap = memory_cap > 0 && each.most_in_flight > memory_cap;
    std::stable_sort(found.begin(), found.end(), [](const Alternative& a, const Alternative& b) {
        return std::tie(a.over_cap, a.ms_per_microbatch) < std::tie(b.over_cap, b.ms_per_microbatch);
    });
    return found;
}

}  // namespace bscope
