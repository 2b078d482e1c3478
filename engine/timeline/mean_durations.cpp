#include "timeline/mean_durations.h"

#include "catalog/catalog.h"

namespace bscope {

OperationDurations meanDurations(const Costs& costs, bool split_backward, Recompute recompute) {
    OperationDurations sum{0, 0, 0};
    for (const StageCosts& stage : costs.stages) {
        sum.f += stage.forward_ns;
        sum.i += split_backward ? stage.input_ns : stage.backward_ns / 2;
        sum.w += split_backward ? stage.weight_ns : stage.backward_ns / 2;
        if (recompute != Recompute::None) sum.i += stage.recompute_ns;
    }
    const double scale = costs.stages.empty() ? 0 : 1e-6 / static_cast<double>(costs.stages.size());
    return {sum.f * scale, sum.i * scale, sum.w * scale};
}

std::optional<double> closedFormBubble(const Schedule& schedule, const Costs& costs, Recompute recompute) {
    const CatalogEntry* entry = findSchedule(schedule.name);
    if (entry == nullptr) return std::nullopt;
    const auto formula =
        bubbleFormula(*entry, schedule.params, meanDurations(costs, schedule.hasSplitBackward(), recompute));
    return formula ? std::optional(formula->value) : std::nullopt;
}

}  // namespace bscope
