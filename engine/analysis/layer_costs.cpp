#include "analysis/layer_costs.h"

#include <algorithm>
#include <functional>
#include <limits>

#include "config/run_config.h"
#include "schedule/index.h"
#include "timeline/median.h"

namespace bscope {

namespace {

constexpr double kImpossible = std::numeric_limits<double>::infinity();

// (stages,) the split with the least cost, where the costs of stages are put together by `join`; empty when
// every split is impossible.
std::vector<int> leastSplit(int stages, int blocks, const std::function<double(int, int)>& cost,
                            const std::function<double(double, double)>& join) {
    const auto columns = at(blocks) + 1;
    std::vector<double> least(columns, kImpossible);  // of the stages so far, by the blocks that they have
    std::vector<std::vector<int>> chosen(at(stages), std::vector<int>(columns, 0));
    least[0] = 0;
    for (int stage = 0; stage < stages; ++stage) {
        std::vector<double> next(columns, kImpossible);
        for (int before = 0; before <= blocks; ++before) {
            if (least[at(before)] == kImpossible) continue;
            for (int own = leastLayers(stage, stages); before + own <= blocks; ++own) {
                const double all = join(least[at(before)], cost(stage, own));
                if (all >= next[at(before + own)]) continue;
                next[at(before + own)] = all;
                chosen[at(stage)][at(before + own)] = own;
            }
        }
        least = std::move(next);
    }
    if (least[at(blocks)] == kImpossible) return {};
    std::vector<int> split(at(stages));
    for (int stage = stages - 1, left = blocks; stage >= 0; --stage) {
        split[at(stage)] = chosen[at(stage)][at(left)];
        left -= split[at(stage)];
    }
    return split;
}

}  // namespace

StageCosts LayerCosts::stage(int blocks, bool is_first, bool is_last) const {
    StageCosts costs;
    for (const DurationField& field : kDurationFields)
        costs.*field.ns =
            blocks * block.*field.ns + (is_first ? embedding.*field.ns : 0) + (is_last ? head.*field.ns : 0);
    return costs;
}

LayerCosts layerCosts(std::span<const StageCosts> stages, std::span<const int> blocks) {
    LayerCosts costs;
    for (const DurationField& field : kDurationFields) {
        std::vector<double> between, of_ends;
        for (std::size_t stage = 0; stage < stages.size(); ++stage) {
            if (blocks[stage] == 0) continue;
            const bool is_end = stage == 0 || stage + 1 == stages.size();
            (is_end ? of_ends : between).push_back(stages[stage].*field.ns / blocks[stage]);
        }
        double& block = costs.block.*field.ns;
        block = between.empty() ? std::ranges::min(of_ends) : median(between);
        if (stages.size() < 2) continue;
        const auto beyond = [&](std::size_t stage) {
            return std::max(0.0, stages[stage].*field.ns - blocks[stage] * block);
        };
        costs.embedding.*field.ns = beyond(0);
        costs.head.*field.ns = beyond(stages.size() - 1);
    }
    return costs;
}

Costs costsForStages(const Costs& costs, int stages) {
    Costs out = costs;
    const auto before = static_cast<double>(costs.stages.size());
    out.stages.assign(at(stages), {});
    for (int stage = 0; stage < stages; ++stage) {
        const double from = before * stage / stages, to = before * (stage + 1) / stages;
        for (auto old = static_cast<std::size_t>(from); old < costs.stages.size(); ++old) {
            const double share =
                std::min(to, static_cast<double>(old + 1)) - std::max(from, static_cast<double>(old));
            if (share <= 0) break;
            for (const DurationField& field : kDurationFields)
                out.stages[at(stage)].*field.ns += costs.stages[old].*field.ns * share;
        }
    }
    for (StageCosts& stage : out.stages) {
        if (stage.input_ns + stage.weight_ns == 0) stage.input_ns = stage.weight_ns = stage.backward_ns / 2;
        if (stage.backward_ns == 0) stage.backward_ns = stage.input_ns + stage.weight_ns;
    }
    return out;
}

double microbatch_ns(const StageCosts& stage, bool split_backward, bool recomputes) {
    return stage.forward_ns + (split_backward ? stage.input_ns + stage.weight_ns : stage.backward_ns) +
           (recomputes ? stage.recompute_ns : 0);
}

double SplitRequest::time_ns(int stage, int blocks_of_stage) const {
    return slowness[at(stage)] * (blocks_of_stage * block_ns + (stage == 0 ? embedding_ns : 0) +
                                  (stage == stages() - 1 ? head_ns : 0));
}

std::vector<int> bestSplit(const SplitRequest& request) {
    const int stages = request.stages(), blocks = request.blocks;
    const auto time = [&](int stage, int own) { return request.time_ns(stage, own); };
    const std::vector<int> shortest =
        leastSplit(stages, blocks, time, [](double a, double b) { return std::max(a, b); });
    double longest = 0;
    for (int stage = 0; stage < static_cast<int>(shortest.size()); ++stage)
        longest = std::max(longest, time(stage, shortest[at(stage)]));
    const auto square = [&](int stage, int own) {
        const double own_ns = time(stage, own);
        return own_ns > longest ? kImpossible : own_ns * own_ns;
    };
    return leastSplit(stages, blocks, square, std::plus<>());
}

}  // namespace bscope
