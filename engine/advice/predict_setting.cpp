// A run's costs carried over to a changed configuration, and what they predict.
#include <algorithm>
#include <stdexcept>
#include <string>

#include "advice/advisor.h"
#include "analysis/layer_costs.h"
#include "catalog/catalog.h"
#include "catalog/endless_stream.h"
#include "schedule/index.h"
#include "schedule/weight_versions.h"
#include "shape/config_shape.h"
#include "timeline/analysis.h"
#include "timeline/predict.h"
#include "timeline/predict_summary.h"
#include "words/number_text.h"
#include "words/sentence_error.h"

namespace bscope {

namespace {

double slownessOf(const AdviceRequest& request, int rank, int repaired) {
    const std::vector<double>& all = request.known.slowness;
    return rank == repaired || at(rank) >= all.size() ? 1 : all[at(rank)];
}

void scale(StageCosts& stage, double by) {
    if (by == 1) return;
    for (const DurationField& field : kDurationFields) stage.*field.ns *= by;
}

// Halves of a backward that the run did not do apart, recomputation that it did not do.
void complete(StageCosts& stage, Recompute ran, Recompute wanted) {
    if (stage.input_ns + stage.weight_ns == 0) stage.input_ns = stage.weight_ns = stage.backward_ns / 2;
    if (stage.backward_ns == 0) stage.backward_ns = stage.input_ns + stage.weight_ns;
    if (wanted == Recompute::Full && ran != Recompute::Full) stage.recompute_ns = stage.forward_ns;
}

// Of a run whose model is not known: the run's stages where there are as many, else its work cut anew.
Costs costsWithoutModel(const AdviceRequest& request, const Setting& setting, const Schedule& schedule) {
    const Costs& known = request.known.costs;
    const Schedule& ran = request.schedule();
    Costs costs = known;
    costs.link = setting.config.link;
    costs.stages.assign(schedule.placement.size(), {});
    for (std::size_t number = 0; number < schedule.chains.size(); ++number) {
        Costs chain;
        for (const int stage : ran.chains[std::min(number, ran.chains.size() - 1)]) {
            chain.stages.push_back(known.stages[at(stage)]);
            scale(chain.stages.back(), 1 / slownessOf(request, ran.placement[at(stage)], -1));
        }
        const std::vector<int>& stages = schedule.chains[number];
        if (setting.equal_work) chain = costsForStages(chain, 1);
        if (chain.stages.size() != stages.size())
            chain = costsForStages(chain, static_cast<int>(stages.size()));
        for (std::size_t place = 0; place < stages.size(); ++place) {
            StageCosts& stage = costs.stages[at(stages[place])];
            stage = chain.stages[place];
            complete(stage, request.config().recompute, setting.config.recompute);
            scale(stage, slownessOf(request, schedule.placement[at(stages[place])], setting.repaired_rank));
        }
    }
    return costs;
}

std::int64_t messagesOf(const Schedule& schedule) {
    std::int64_t messages = 0;
    for (std::size_t chain = 0; chain < schedule.chains.size(); ++chain) {
        const std::vector<int>& stages = schedule.chains[chain];
        std::int64_t hops = 0;
        for (std::size_t i = 1; i < stages.size(); ++i)
            hops += schedule.placement[at(stages[i])] != schedule.placement[at(stages[i - 1])];
        messages += hops * schedule.microbatchesOfChain(static_cast<int>(chain)) * schedule.params.segments;
    }
    return messages * (schedule.isForwardOnly() ? 1 : 2);
}

}  // namespace

AdviceRequest requestOfImport(const RunConfig& config, const Costs& costs,
                              std::shared_ptr<const Schedule> order, std::vector<double> slowness) {
    AdviceRequest request;
    request.known = {config, costs, std::move(order), std::move(slowness)};
    request.known.config.link = costs.link;
    request.knows_model = false;
    return request;
}

double Prediction::nsPerSample() const {
    return samples > 0 ? static_cast<double>(iteration_ns) / static_cast<double>(samples) : 0;
}

std::int64_t Prediction::greatestPeak() const {
    return peak_bytes.empty() ? 0 : std::ranges::max(peak_bytes);
}

Schedule scheduleOfSetting(const AdviceRequest& request, const Setting& setting) {
    if (setting.order) return *setting.order;
    const RunConfig& config = setting.config;
    if (config.schedule == request.config().schedule && config.params == request.config().params)
        return request.schedule();
    return makeSchedule(config.schedule, config.params);
}

Costs costsOfSetting(const AdviceRequest& request, const Setting& setting, const Schedule& schedule) {
    Costs costs = request.knows_model
                      ? estimateCosts(setting.config, schedule, &request.known, setting.repaired_rank)
                      : costsWithoutModel(request, setting, schedule);
    if (setting.lightened_stage >= 0 && at(setting.lightened_stage) < costs.stages.size())
        scale(costs.stages[at(setting.lightened_stage)], 1 / setting.lightened_by);
    if (setting.even) costs.slow_link = {}, costs.long_microbatch = {};
    return costs;
}

Prediction predictSetting(const AdviceRequest& request, const Setting& setting) {
    const RunConfig& config = setting.config;
    const Schedule schedule = scheduleOfSetting(request, setting);
    const Costs costs = costsOfSetting(request, setting, schedule);
    Prediction out;
    out.samples = request.knows_model ? config.samples() : config.params.microbatches();
    // A drawn stream holds some iterations.
    out.messages = messagesOf(schedule) * config.params.m / schedule.params.m;
    out.message_bytes = static_cast<double>(out.messages) * costs.message_bytes;
    std::vector<std::int64_t> weights(at(config.params.layout().world()), 0), optimizer = weights;
    if (request.knows_model) {
        weights = weightsOfRanks(config, schedule);
        optimizer = optimizerOfRanks(config, schedule);
    }
    const auto hold = [&](int rank, int versions) {
        const std::int64_t bytes = (1 + versions) * weights[at(rank)] + optimizer[at(rank)];  // and gradients
        out.state_bytes = std::max(out.state_bytes, bytes);
    };
    for (int rank = 0; rank < config.params.layout().world(); ++rank) hold(rank, 1);
    out.replicas = schedule.replicas();
    out.weight_copies = out.replicas / config.params.d;
    IterationSummary summary;
    if (schedule.step_every > 0) {
        const EndlessStream stream(schedule, config.params.m, config.recomputedApart());
        summary = predictSummary(stream, costs);
        for (int rank = 0; rank < config.params.layout().world(); ++rank) {
            const std::vector<VersionedAction> actions = weightVersions(stream.piece(), rank);
            const int versions = versionsHeld(actions);
            out.weight_copies = std::max(out.weight_copies, versions);
            hold(rank, versions);
            for (const VersionedAction& each : actions)
                if (each.writes >= 0) out.staleness = std::max(out.staleness, each.reads - each.gradient);
        }
    } else {
        summary = predictSummary(lower(schedule, config.recomputedApart()), costs);
    }
    out.iteration_ns = summary.iteration_ns;
    out.flushes = !summary.is_stream;
    out.optimizer_ns = summary.optimizer_ns;
    out.bubble_of_total = summary.bubble_of_total;
    if (!summary.is_stream && summary.span_ns > 0)
        out.bubble_of_span = 1 - (1 - summary.bubble_of_total) * static_cast<double>(summary.iteration_ns) /
                                     static_cast<double>(summary.span_ns);
    for (const RankSummary& rank : summary.ranks) {
        if (request.knows_model) out.peak_bytes.push_back(rank.peak_activation_bytes);
        out.most_in_flight =
            std::max(out.most_in_flight, static_cast<double>(rank.peak_in_flight) / schedule.params.v);
    }
    // On fewer ranks a micro-batch leaves more on each.
    if (!request.knows_model)
        out.most_in_flight *= static_cast<double>(request.config().params.p) / config.params.p;
    return out;
}

namespace {

// Why it is out for what it holds or leaves out; empty: it is not.
Sentence whyOut(const AdviceRequest& request, const Setting& setting, const Prediction& predicted) {
    const auto peak = static_cast<double>(predicted.greatestPeak());
    if (request.memory_cap_bytes > 0 && peak > request.memory_cap_bytes)
        return sentence("a rank holds {0} MB of activations, the cap is {1} MB", megabytesText(peak),
                        megabytesText(request.memory_cap_bytes));
    if (request.most_in_flight > 0 && predicted.most_in_flight > request.most_in_flight)
        return sentence("a rank holds {0} micro-batches, the cap is {1}",
                        fixedText(predicted.most_in_flight, 2), fixedText(request.most_in_flight, 2));
    if (request.one_copy && predicted.weight_copies > 1)
        return sentence("a rank holds {0} copies or versions of its weights", predicted.weight_copies);
    if (request.flush && !predicted.flushes)
        return sentence("it never flushes, so gradients use older weights");
    return whyNotIn(request, setting);
}

}  // namespace

void predictCandidate(const AdviceRequest& request, const Prediction& now, Candidate& candidate) {
    try {
        candidate.predicted = predictSetting(request, candidate.setting);
    } catch (const std::invalid_argument& error) {
        candidate.excluded = sentence("it cannot be predicted: {0}", sentenceOf(error));
        return;
    }
    candidate.gain = 1 - candidate.predicted->nsPerSample() / now.nsPerSample();
    candidate.excluded = whyOut(request, candidate.setting, *candidate.predicted);
}

}  // namespace bscope
