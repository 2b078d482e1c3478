#include "analysis/what_if.h"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "schedule/catalog.h"
#include "timeline/analysis.h"
#include "timeline/predict.h"

namespace bscope {
namespace {

constexpr long kMostWhatIfCells = 200'000;  // p * v * m

void addShare(StageCosts& to, const StageCosts& more, double share) {
    for (const DurationField& field : kDurationFields) to.*field.ns += more.*field.ns * share;
}

void measure(Alternative& out, const Timeline& timeline) {
    const IterationSummary summary = summarize(timeline, 0);
    out.iteration_ms = static_cast<double>(summary.iteration_ns) / 1e6;
    out.ms_per_microbatch = out.iteration_ms / out.params.m;
    out.bubble_of_total = summary.bubble_of_total;
    for (const RankSummary& rank : summary.ranks)
        out.most_in_flight =
            std::max(out.most_in_flight, static_cast<double>(rank.peak_in_flight) / out.params.v);
}

// Replicas hold the same stages, each its own costs; the first one's stand for all.
Costs costsOfFirstChain(const Schedule& ran, const Costs& costs) {
    Costs out = costs;
    out.stages.clear();
    for (const int stage : ran.chains.front())
        out.stages.push_back(costs.stages.at(static_cast<std::size_t>(stage)));
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

Schedule scheduleOf(const Alternative& alternative, const Schedule& ran) {
    if (alternative.ran || alternative.even_split) return ran;
    return makeSchedule(alternative.schedule, alternative.params);
}

Costs costsOf(const Alternative& alternative, const Schedule& ran, const Costs& costs) {
    if (alternative.ran) return costs;
    const Costs of_one = costsOfFirstChain(ran, costs);
    return costsForStages(alternative.even_split ? costsForStages(of_one, 1) : of_one,
                          alternative.params.stagesOfReplica());
}

WhatIf whatIf(const Schedule& ran, const Costs& costs, Recompute recompute, double memory_cap,
              const std::stop_token& stop) {
    const auto of = [&](const Alternative& alternative, const Schedule&) {
        return std::optional(costsOf(alternative, ran, costs));
    };
    return whatIf(ran, CostsOfAlternative(of), recompute, memory_cap, stop);
}

WhatIf whatIf(const Schedule& ran, const CostsOfAlternative& costs, Recompute recompute, double memory_cap,
              const std::stop_token& stop) {
    WhatIf out;
    if (ran.isForwardOnly()) {
        out.refusal =
            sentence("the run has no backward passes, and every schedule that it could be compared with has");
        return out;
    }
    if (ran.weights != WeightRule::Flush) {
        out.refusal = sentence(
            "the run's iterations overlap, and those of every schedule that it could be "
            "compared with do not");
        return out;
    }
    std::vector<Alternative>& found = out.alternatives;
    const ScheduleParams& own = ran.params;
    Alternative as_it_ran;
    as_it_ran.schedule = ran.name;
    as_it_ran.params = own;
    as_it_ran.ran = true;
    const auto play = [&](Alternative wanted, const Schedule& schedule) {
        const std::optional<Costs> its = costs(wanted, schedule);
        if (!its) return;
        measure(wanted, predict(lower(schedule, recompute), *its));
        found.push_back(std::move(wanted));
    };
    try {
        play(as_it_ran, ran);
    } catch (const std::invalid_argument&) {
        out.refusal = sentence("the order as recorded cannot be played");
        return out;
    }
    if (ran.replicas() == own.d) {
        Alternative even = as_it_ran;
        even.ran = false;
        even.even_split = true;
        play(even, ran);
    }
    std::set<std::tuple<std::string, int, int>> tried = {{ran.name, own.v, own.m}};
    const auto attempt = [&](const CatalogEntry& entry, int v, int m) {
        Alternative wanted;
        wanted.schedule = entry.name;
        wanted.params = own;
        wanted.params.v = v;
        wanted.params.m = m;
        if (entry.name != ran.name || v != own.v) wanted.params.group_size = 0;
        if (!tried.insert({entry.name, v, m}).second || stop.stop_requested() ||
            wanted.params.cells() > kMostWhatIfCells || !scheduleProblems(entry.name, wanted.params).empty())
            return;
        const Schedule schedule = makeSchedule(entry.name, wanted.params);
        if (schedule.weights == WeightRule::Flush && schedule.replicas() == wanted.params.d)
            play(wanted, schedule);
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
    return out;
}

}  // namespace bscope
