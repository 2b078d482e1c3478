#include "timeline/costs.h"

#include <algorithm>

namespace bscope {

double StageCosts::duration_ns(Op op) const {
    for (const DurationField& field : kDurationFields)
        if (field.op == op) return this->*field.ns;
    return 0;
}

ChunkBytes StageCosts::chunk(bool recomputes) const {
    return {activation_bytes,      recomputes ? recompute_bytes : 0,
            kept_for_weight_bytes, std::max(activation_bytes, forward_peak_bytes),
            input_peak_bytes,      backward_peak_bytes};
}

void StageCosts::setChunk(const ChunkBytes& chunk) {
    activation_bytes = chunk.held;
    recompute_bytes = chunk.recomputed;
    kept_for_weight_bytes = chunk.kept_for_weight;
    forward_peak_bytes = chunk.forward_peak;
    input_peak_bytes = chunk.input_peak;
    backward_peak_bytes = chunk.backward_peak;
}

Costs unitCosts(int stages, double f, double i, double w, double link_latency) {
    constexpr double kUnit_ns = 1e9;
    StageCosts stage;
    stage.forward_ns = f * kUnit_ns;
    stage.input_ns = i * kUnit_ns;
    stage.weight_ns = w * kUnit_ns;
    stage.backward_ns = (i + w) * kUnit_ns;
    stage.recompute_ns = f * kUnit_ns;
    stage.activation_bytes = 1;
    stage.kept_for_weight_bytes = 1;
    Costs costs;
    costs.stages.assign(static_cast<std::size_t>(stages), stage);
    costs.link.latency_us = link_latency * kUnit_ns / 1e3;
    return costs;
}

}  // namespace bscope
