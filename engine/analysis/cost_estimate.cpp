#include "analysis/cost_estimate.h"

#include <algorithm>
#include <cmath>

#include "analysis/layer_costs.h"
#include "catalog/catalog.h"
#include "shape/config_shape.h"
#include "shape/shard_rounds.h"
#include "timeline/passing_costs.h"

namespace bscope {
namespace {

// Of an ordinary machine; measured runs replace it: one core, or one GPU by type.
constexpr double kCoreFlopsPerNs = 60.0, kGpuFp32FlopsPerNs = 20e3, kGpuBf16FlopsPerNs = 200e3;
constexpr double kCoreOptimizerNsPerWeight = 1.5, kGpuOptimizerNsPerWeight = 0.015;
constexpr double kCoreReduceNsPerWeight = 0.5, kGpuReduceNsPerWeight = 0.005;  // to copy or add one gradient
constexpr double kFloatBytes = 4.0;

double flopsPerNs(const RunConfig& config) {
    if (config.device != DeviceChoice::Cuda) return kCoreFlopsPerNs;
    return config.dtype == Dtype::Bf16 ? kGpuBf16FlopsPerNs : kGpuFp32FlopsPerNs;
}

// Shards meet in every block, so that all go at the pace of the slowest.
double slowFactor(const RunConfig& config, int rank) {
    const RankLayout layout = config.params.layout();
    double factor = 1.0;
    for (const auto& [slow, by] : config.slow_ranks)
        if (layout.shareStage(slow, rank)) factor = std::max(factor, by);
    return factor;
}

// One shard of a stage by counting. Per token and block: 24 C^2 flops in the four matrix products, 4 T C in
// attention; a shard has a t-th of them, and an operation on a segment is of its share of the tokens, which
// look at as many keys in the mean of all segments.
StageCosts countStage(const RunConfig& config, int blocks, bool last, int rank) {
    const double C = config.model.hidden, T = config.model.sequence, V = config.model.vocabulary;
    const double tokens = config.micro_batch * T / config.params.segments;
    const double n = blocks;
    const int t = config.params.t;
    const double head = last ? 2.0 * C * V / t : 0.0;
    const double ns = tokens * slowFactor(config, rank) / flopsPerNs(config);
    const double attention = 4.0 * T * C / t, products = 24.0 * C * C / t;

    StageCosts stage;
    stage.forward_ns = ns * (n * (products + attention) + head);
    stage.input_ns = ns * (n * (products + 2.0 * attention) + head);
    stage.weight_ns = ns * (n * products + head);
    stage.backward_ns = stage.input_ns + stage.weight_ns;

    if (config.recomputesInBackward()) {
        // Without the last product of a block, whose result the next layer has kept: a third of its products.
        const double again = stage.forward_ns - ns * n * products / 3;
        stage.input_ns += again;
        stage.backward_ns += again;
    } else if (config.recompute == Recompute::Full) {
        stage.recompute_ns = stage.forward_ns;
    }
    if (config.recompute == Recompute::Selective) stage.recompute_ns = ns * n * attention;
    return stage;
}

Costs countCosts(const RunConfig& config, const Schedule& schedule) {
    Costs costs;
    const std::vector<int> blocks = blocksOfStages(config, schedule);
    const std::vector<ActivationBytes> activations = activationsOfStages(config, schedule);
    for (int s = 0; s < schedule.stageCount(); ++s) {
        const auto index = static_cast<std::size_t>(s);
        costs.stages.push_back(
            countStage(config, blocks[index], schedule.nextStage(s) < 0, schedule.placement[index]));
        costs.stages.back().setChunk(chunkBytes(activations[index]));
    }
    const double C = config.model.hidden;
    const double weights = 12.0 * C * C * config.model.layers / (config.params.p * config.params.t);
    const bool on_gpu = config.device == DeviceChoice::Cuda;
    costs.optimizer_ns = schedule.isForwardOnly()
                             ? 0.0
                             : (on_gpu ? kGpuOptimizerNsPerWeight : kCoreOptimizerNsPerWeight) * weights;
    if (const int copies = schedule.replicas(); copies > 1) {
        const double of_stage = 12.0 * C * C * config.model.layers /
                                (config.params.t * static_cast<double>(schedule.chains.front().size()));
        const double each = (on_gpu ? kGpuReduceNsPerWeight : kCoreReduceNsPerWeight) * of_stage,
                     round = (copies - 1) * config.link.transferNs(kFloatBytes * of_stage / copies);
        const bool is_zero = config.params.zero > 0;
        costs.reduce_ns = is_zero ? each * (3 + 3.0 / copies) + round : each * (4 + 2.0 / copies) + 2 * round;
        if (is_zero) costs.gather_ns = each * (1 + 1.0 / copies) + round, costs.optimizer_ns /= copies;
    }
    costs.link = config.link;
    costs.message_bytes = messageBytes(config);
    return costs;
}

// What the collectives over shards take on the modelled link. `times` of it: 1, or -1 to leave compute alone.
void addShardSums(Costs& costs, const RunConfig& config, const Schedule& schedule, double times) {
    const int t = config.params.t;
    const double of_tokens =
        kFloatBytes * config.micro_batch * config.model.sequence / config.params.segments;
    const double hops = times * (t - 1);
    const double round = hops * config.link.transferNs(of_tokens * config.model.hidden / t);
    // An all-gather of every part's maxima, two all-reduces.
    const double loss =
        hops * (config.link.transferNs(of_tokens) + 4 * config.link.transferNs(of_tokens / t));
    const std::vector<int> blocks = blocksOfStages(config, schedule);
    for (std::size_t i = 0; i < costs.stages.size(); ++i) {
        StageCosts& stage = costs.stages[i];
        const int number = static_cast<int>(i);
        const ShardRounds rounds = shardRounds(config, blocks[i], schedule.previousStage(number) < 0,
                                               schedule.nextStage(number) < 0);
        const double input = round * rounds.input + loss * rounds.losses_input;
        stage.forward_ns += round * rounds.forward + loss * rounds.losses_forward;
        stage.input_ns += input;
        stage.weight_ns += round * rounds.weight;
        stage.backward_ns += input + round * rounds.weight;
        stage.recompute_ns += round * rounds.recompute + loss * rounds.losses_recompute;
    }
}

// measured / counted, or `otherwise` where one of them is missing.
double ratio(double measured, double counted, double otherwise) {
    return measured > 0 && counted > 0 ? measured / counted : otherwise;
}

void scale(StageCosts& stage, const StageCosts& measured, const StageCosts& counted) {
    const double forward = ratio(measured.forward_ns, counted.forward_ns, 1.0);
    const double backward =
        ratio(measured.backward_ns, counted.backward_ns, ratio(measured.input_ns, counted.input_ns, forward));
    stage.forward_ns *= forward;
    stage.backward_ns *= backward;
    stage.input_ns *= ratio(measured.input_ns, counted.input_ns, backward);
    stage.weight_ns *= ratio(measured.weight_ns, counted.weight_ns, backward);
    stage.recompute_ns *= ratio(measured.recompute_ns, counted.recompute_ns, forward);
}

// A chain's stages at the usual speed of a rank, in the chain's order: what was measured, and what counting
// gives for the same.
struct Chain {
    std::vector<StageCosts> measured, counted;
    std::vector<int> blocks;
};

// costs: the known ones without the sums over shards.
Chain chainOf(const KnownCosts& known, const Costs& costs, const Schedule& ran, const Costs& counted,
              std::size_t number) {
    const std::vector<int> blocks = blocksOfStages(known.config, ran);
    Chain chain;
    for (const int stage : ran.chains[number]) {
        const auto index = static_cast<std::size_t>(stage);
        const int rank = ran.placement[index];
        chain.measured.push_back(costs.stages[index]);
        chain.counted.push_back(counted.stages[index]);
        const double said = slowFactor(known.config, rank);
        for (const DurationField& field : kDurationFields) {
            chain.measured.back().*field.ns /= said * known.unsaidSlowness(rank);
            chain.counted.back().*field.ns /= said;
        }
        chain.blocks.push_back(blocks[index]);
    }
    return chain;
}

// The stages of other blocks.
Chain recut(const Chain& chain, const std::vector<int>& blocks) {
    const LayerCosts measured = layerCosts(chain.measured, chain.blocks),
                     counted = layerCosts(chain.counted, chain.blocks);
    Chain out;
    out.blocks = blocks;
    for (std::size_t at = 0; at < blocks.size(); ++at) {
        const bool first = at == 0, last = at + 1 == blocks.size();
        out.measured.push_back(measured.stage(blocks[at], first, last));
        out.counted.push_back(counted.stage(blocks[at], first, last));
    }
    return out;
}

}  // namespace

double KnownCosts::unsaidSlowness(int rank) const {
    if (rank < 0 || static_cast<std::size_t>(rank) >= slowness.size()) return 1;
    const double found = slowness[static_cast<std::size_t>(rank)];
    return found == 1 ? 1 : found / slowFactor(config, rank);
}

void KnownCosts::learnPassing(const Timeline& ran, int iteration) {
    if (ran.provenance() != Provenance::Measured || (order && order->step_every > 0)) return;
    const PassingCosts passing = passingCosts(ran, {&iteration, 1}, true);
    costs.handover_ns = passing.handover_ns;
    if (passing.messages > 0)
        message_extra_ns = std::max(0.0, passing.message_ns - config.link.transferNs(costs.message_bytes));
}

bool usesMeasured(const RunConfig& config, const KnownCosts* known) {
    return known != nullptr && !known->costs.stages.empty() && known->config.device == config.device &&
           known->config.dtype == config.dtype && known->config.matrix_library == config.matrix_library;
}

Costs estimateCosts(const RunConfig& config, const KnownCosts* known) {
    return estimateCosts(config, makeSchedule(config.schedule, config.params), known);
}

Costs estimateCosts(const RunConfig& wanted, const Schedule& order, const KnownCosts* known, int repaired) {
    RunConfig config = wanted;
    std::erase_if(config.slow_ranks, [repaired](const auto& slow) { return slow.first == repaired; });
    Costs costs = countCosts(config, order);
    const auto withSums = [&] {
        addShardSums(costs, config, order, 1);
        return costs;
    };
    if (!usesMeasured(config, known)) return withSums();

    const Schedule ran =
        known->order ? *known->order : makeSchedule(known->config.schedule, known->config.params);
    const Costs counted = countCosts(known->config, ran);
    if (counted.stages.size() != known->costs.stages.size()) return withSums();
    Costs measured = known->costs;
    addShardSums(measured, known->config, ran, -1);
    const std::vector<int> blocks = blocksOfStages(config, order);
    for (std::size_t number = 0; number < order.chains.size(); ++number) {
        // A replica that was not there before is like the first one.
        Chain chain = chainOf(*known, measured, ran, counted, number < ran.chains.size() ? number : 0);
        std::vector<int> cut;
        for (const int stage : order.chains[number]) cut.push_back(blocks[static_cast<std::size_t>(stage)]);
        if (cut != chain.blocks) chain = recut(chain, cut);
        for (std::size_t at = 0; at < cut.size(); ++at) {
            const auto index = static_cast<std::size_t>(order.chains[number][at]);
            StageCosts& stage = costs.stages[index];
            scale(stage, chain.measured[at], chain.counted[at]);
            const int rank = order.placement[index];
            if (rank == repaired) continue;
            for (const DurationField& field : kDurationFields) stage.*field.ns *= known->unsaidSlowness(rank);
        }
    }
    const double reduction = ratio(known->costs.reduce_ns, counted.reduce_ns, 1.0);
    costs.reduce_ns *= reduction;
    costs.gather_ns *= ratio(known->costs.gather_ns, counted.gather_ns, reduction);
    costs.optimizer_ns *= ratio(known->costs.optimizer_ns, counted.optimizer_ns, 1.0);
    costs.handover_ns = known->costs.handover_ns;
    costs.slow_link = known->costs.slow_link;
    costs.long_microbatch = known->costs.long_microbatch;
    costs.link.latency_us += known->message_extra_ns / 1e3;
    costs.message_bytes *= ratio(known->costs.message_bytes, counted.message_bytes, 1.0);
    return withSums();
}

std::vector<double> shardSums_ns(const RunConfig& config, const Schedule& order, const Timeline& played) {
    std::vector<double> sums(static_cast<std::size_t>(played.ranks()), 0);
    if (config.params.t == 1) return sums;
    Costs of_link;
    of_link.stages.resize(static_cast<std::size_t>(order.stageCount()));
    addShardSums(of_link, config, order, 1);
    for (int rank = 0; rank < played.ranks(); ++rank)
        for (const Event& event : played.compute(rank))
            for (const DurationField& field : kDurationFields)
                if (field.op == event.op)
                    sums[static_cast<std::size_t>(rank)] +=
                        of_link.stages[static_cast<std::size_t>(event.stage)].*field.ns;
    return sums;
}

}  // namespace bscope
