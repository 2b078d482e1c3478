// A run's costs carried over to a changed configuration, and what they predict.
#include <algorithm>
#include <stdexcept>

#include "analysis/advisor.h"
#include "analysis/layer_costs.h"
#include "analysis/what_if.h"
#include "schedule/catalog.h"
#include "schedule/endless_stream.h"
#include "schedule/index.h"
#include "schedule/weight_versions.h"
#include "timeline/analysis.h"
#include "timeline/predict.h"
#include "words/said.h"

namespace bscope {

namespace {

double slownessOf(const AdviceRequest& request, int rank, int repaired) {
    return rank == repaired || at(rank) >= request.slowness.size() ? 1 : request.slowness[at(rank)];
}

bool sameStages(const AdviceRequest& request, const RunConfig& config, std::size_t stages) {
    const std::size_t before = request.schedule.chains.front().size();
    if (stages != before) return false;
    return !request.knows_model || layersPerStage(config, static_cast<int>(stages)) ==
                                       layersPerStage(request.config, static_cast<int>(stages));
}

void scale(StageCosts& stage, double by) {
    if (by == 1) return;
    for (const DurationField& field : kDurationFields) stage.*field.ns *= by;
}

// The run's stages of a chain, in order, as they would be if no rank were slow.
std::vector<StageCosts> stagesOfRun(const AdviceRequest& request, std::size_t chain) {
    std::vector<StageCosts> stages;
    for (const int stage : request.schedule.chains[std::min(chain, request.schedule.chains.size() - 1)]) {
        stages.push_back(request.costs.stages[at(stage)]);
        scale(stages.back(), 1 / slownessOf(request, request.schedule.placement[at(stage)], -1));
    }
    return stages;
}

std::vector<StageCosts> recut(const AdviceRequest& request, const RunConfig& config, std::size_t stages) {
    std::vector<StageCosts> run = stagesOfRun(request, 0);
    if (!request.knows_model) {
        Costs costs;
        costs.stages = std::move(run);
        return costsForStages(costs, static_cast<int>(stages)).stages;
    }
    const LayerCosts layers = layerCosts(run, layersPerStage(request.config, static_cast<int>(run.size())));
    const std::vector<int> blocks = layersPerStage(config, static_cast<int>(stages));
    std::vector<StageCosts> out;
    for (std::size_t stage = 0; stage < stages; ++stage)
        out.push_back(layers.stage(blocks[stage], stage == 0, stage + 1 == stages));
    return out;
}

// The part of a forward that selective recomputation runs again: attention and GELU, by multiplications;
// what GELU takes is not in it.
double selectiveShare(const ModelConfig& model) {
    return model.sequence / (6.0 * model.hidden + model.sequence);
}

// Halves of a backward that the run did not do apart, recomputation that it did not do.
void complete(StageCosts& stage, const AdviceRequest& request, Recompute recompute) {
    if (stage.input_ns + stage.weight_ns == 0) stage.input_ns = stage.weight_ns = stage.backward_ns / 2;
    if (stage.backward_ns == 0) stage.backward_ns = stage.input_ns + stage.weight_ns;
    if (recompute == request.config.recompute || recompute == Recompute::None) return;
    stage.recompute_ns =
        stage.forward_ns * (recompute == Recompute::Full ? 1 : selectiveShare(request.config.model));
}

std::int64_t messagesOf(const Schedule& schedule) {
    std::int64_t messages = 0;
    for (std::size_t chain = 0; chain < schedule.chains.size(); ++chain) {
        const std::vector<int>& stages = schedule.chains[chain];
        std::int64_t hops = 0;
        for (std::size_t i = 1; i < stages.size(); ++i)
            hops += schedule.placement[at(stages[i])] != schedule.placement[at(stages[i - 1])];
        messages += hops * schedule.microbatchesOfChain(static_cast<int>(chain));
    }
    return messages * (schedule.isForwardOnly() ? 1 : 2);
}

Schedule scheduleOf(const AdviceRequest& request, const RunConfig& config) {
    if (config.schedule == request.config.schedule && config.params == request.config.params)
        return request.schedule;
    return makeSchedule(config.schedule, config.params);
}

}  // namespace

double Prediction::nsPerSample() const {
    return samples > 0 ? static_cast<double>(iteration_ns) / static_cast<double>(samples) : 0;
}

std::int64_t Prediction::greatestPeak() const {
    return peak_bytes.empty() ? 0 : std::ranges::max(peak_bytes);
}

Costs costsOfSetting(const AdviceRequest& request, const Setting& setting, const Schedule& schedule) {
    const RunConfig& config = setting.config;
    const double size = request.knows_model ? 1.0 * config.micro_batch / request.config.micro_batch : 1;
    Costs costs = request.costs;
    costs.message_bytes *= size;
    costs.link.latency_us /= setting.link_speed;
    costs.link.gbps *= setting.link_speed;
    costs.stages.assign(schedule.placement.size(), {});
    for (std::size_t chain = 0; chain < schedule.chains.size(); ++chain) {
        const std::vector<int>& stages = schedule.chains[chain];
        const bool same = sameStages(request, config, stages.size());
        const std::vector<StageCosts> of_chain =
            same ? stagesOfRun(request, chain) : recut(request, config, stages.size());
        const std::vector<int>& of_run =
            request.schedule.chains[std::min(chain, request.schedule.chains.size() - 1)];
        for (std::size_t place = 0; place < stages.size(); ++place) {
            StageCosts& stage = costs.stages[at(stages[place])];
            const int rank = schedule.placement[at(stages[place])];
            const double slowness = slownessOf(request, rank, setting.repaired_rank);
            const bool as_measured =
                same && slowness == slownessOf(request, request.schedule.placement[at(of_run[place])], -1);
            stage = as_measured ? request.costs.stages[at(of_run[place])] : of_chain[place];
            complete(stage, request, config.recompute);
            scale(stage, (as_measured ? 1 : slowness) * size);
            stage.setChunk({});
        }
    }
    if (!request.activations) return costs;
    const std::vector<ChunkBytes> chunks = request.activations(config, schedule);
    for (std::size_t stage = 0; stage < chunks.size(); ++stage) costs.stages[stage].setChunk(chunks[stage]);
    return costs;
}

Prediction predictSetting(const AdviceRequest& request, const Setting& setting) {
    const RunConfig& config = setting.config;
    const Schedule schedule = scheduleOf(request, config);
    const Costs costs = costsOfSetting(request, setting, schedule);
    Prediction out;
    out.samples = request.knows_model ? config.samples() : config.params.microbatches();
    // A drawn stream holds some iterations.
    out.messages = messagesOf(schedule) * config.params.m / schedule.params.m;
    out.weight_copies = schedule.replicas() / config.params.d;
    IterationSummary summary;
    if (schedule.step_every > 0) {
        const EndlessStream stream(schedule, config.params.m, config.recompute);
        summary = summarize(predict(stream, costs), stream.steadyIteration());
        for (int rank = 0; rank < config.params.ranks(); ++rank)
            out.weight_copies =
                std::max(out.weight_copies, versionsHeld(weightVersions(stream.piece(), rank)));
    } else {
        summary = summarize(predict(lower(schedule, config.recompute), costs), 0);
    }
    out.iteration_ns = summary.iteration_ns;
    out.bubble_of_total = summary.bubble_of_total;
    if (request.activations)
        for (const RankSummary& rank : summary.ranks) out.peak_bytes.push_back(rank.peak_activation_bytes);
    return out;
}

}  // namespace bscope
