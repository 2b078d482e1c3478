// DeepSpeed: PipelineModule (deepspeed/runtime/pipe/module.py), whose engine trains by TrainSchedule, that is
// 1F1B, and divides layers by itself (partition_method); keys of its config: docs/_pages/config-json.md of
// deepspeedai/DeepSpeed (0.17).
#include <algorithm>

#include "advice/framework_writer.h"

namespace bscope::frameworks {

namespace {

// With tensor-parallel ranks the grid of ranks has to be given (deepspeed/runtime/pipe/topology.py).
std::string placesOf(const ScheduleParams& params) {
    const std::string p = std::to_string(params.p);
    if (params.t == 1) return "num_stages=" + p;
    return "topology=PipeModelDataParallelTopology(num_pp=" + p + ", num_mp=" + std::to_string(params.t) +
           ", num_dp=" + std::to_string(params.d) + ")";
}

}  // namespace

FrameworkFlags deepspeedFlags(const FlaggedSetting& setting) {
    constexpr const char* kOwn[] = {"1f1b"};
    const RunConfig& config = setting.config;
    const ScheduleParams& params = config.params;
    if (!nativeAmong(kOwn, setting))
        return missing(Framework::DeepSpeed,
                       sentence("DeepSpeed has 1F1B alone, not {0}", titleOfOrder(setting)));
    const std::vector<int> layers = layersOf(setting);
    if (!layers.empty() && std::ranges::max(layers) - std::ranges::min(layers) > 1)
        return missing(Framework::DeepSpeed,
                       sentence("DeepSpeed divides the layers by itself, this split cannot be named there"));
    const bool as_it_is = !setting.knows_model && setting.same_recompute;
    if (config.recompute == Recompute::Selective && !as_it_is)
        return missing(Framework::DeepSpeed,
                       sentence("DeepSpeed's pipeline recomputes whole layers or none, not selectively"));

    Writer out(Framework::DeepSpeed, setting);
    std::string module = "PipelineModule(layers=layers, " + placesOf(params);
    if (!layers.empty()) module += ", partition_method=\"type:transformer\"";
    if (!as_it_is)
        module += std::string(", activation_checkpoint_interval=") +
                  (config.recompute == Recompute::Full ? "1" : "0");
    if (!layers.empty()) {
        out.note(sentence("type: is followed by the name of the class of your blocks"));
        if (!areEven(layers)) out.note(sentence("DeepSpeed chooses which stages take one block more"));
    }
    if (params.t > 1)
        out.note(sentence(
            "DeepSpeed only places the {0} ranks of a stage: the layers themselves cut their weights "
            "and add up their results",
            params.t));
    out.code(module + ")");
    if (as_it_is)
        out.note(sentence("recomputation stays as it is in your run"));
    else if (recomputesByStage(setting))
        out.note(recomputedByLayer());
    out.note(sentence("in the JSON file of its configuration:"));
    if (params.zero > 0) out.code("\"zero_optimization\": {\"stage\": " + std::to_string(params.zero) + "},");
    out.code("\"gradient_accumulation_steps\": " + std::to_string(params.m) + ",");
    if (setting.knows_model) {
        out.code("\"train_micro_batch_size_per_gpu\": " + std::to_string(config.micro_batch) + ",");
        out.code("\"train_batch_size\": " + std::to_string(config.samples()));
    } else {
        out.note(
            sentence("train_micro_batch_size_per_gpu stays as it is in your run; train_batch_size is {0} "
                     "times that",
                     params.microbatches()));
    }
    return out.done();
}

}  // namespace bscope::frameworks
