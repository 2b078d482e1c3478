// Flags of Megatron-LM: megatron/training/arguments.py and
// docs/user-guide/features/pipeline_parallel_layout.md of NVIDIA/Megatron-LM (core 0.16). Zero bubble and V
// schedules are those of the fork sail-sg/zero-bubble-pipeline-parallelism (megatron/core/zbpp_utils.py,
// add_zero_bubble_args and validate_arguments), DualPipeV is MindSpeed's (docs/zh/features/dualpipev.md of
// Ascend/MindSpeed).
#include <algorithm>
#include <numeric>

#include "advice/framework_writer.h"
#include "catalog/catalog.h"
#include "config/layout.h"

namespace bscope::frameworks {

namespace {

constexpr const char* kOwn[] = {"1f1b", "interleaved", "interleaved-combined"};
constexpr const char* kFork = "sail-sg/zero-bubble-pipeline-parallelism";
constexpr const char* kMindSpeed = "MindSpeed";

void writeBatch(Writer& out, const FlaggedSetting& setting) {
    const ScheduleParams& params = setting.config.params;
    if (setting.knows_model) {
        out.option("--micro-batch-size", setting.config.micro_batch);
        out.option("--global-batch-size", setting.config.samples());
        return;
    }
    out.code("--global-batch-size $((" + std::to_string(params.microbatches()) + " * MICRO_BATCH_SIZE))");
    out.note(sentence("MICRO_BATCH_SIZE is the value of --micro-batch-size in your run; m times d is {0}",
                      params.microbatches()));
}

void writeShards(Writer& out, const RunConfig& config) {
    if (config.params.t > 1) out.option("--tensor-model-parallel-size", config.params.t);
    if (config.sequence_parallel) out.code("--sequence-parallel");
    if (config.params.zero > 0) out.code("--use-distributed-optimizer");
}

// The layers of a checkpoint. "uniform" cuts the layers of every model chunk into groups of so many and keeps
// the input of each group; the number is the same for all chunks and has to divide each.
void writeCheckpoints(Writer& out, const FlaggedSetting& setting) {
    const std::string option = "--recompute-num-layers";
    const std::vector<int> layers = layersOf(setting);
    if (setting.config.checkpoint_every == CheckpointEvery::Layer) {
        out.option(option, 1);
    } else if (layers.empty()) {
        out.code(option + " $((NUM_LAYERS / " + std::to_string(setting.config.params.stagesOfReplica()) +
                 "))");
        out.note(sentence("NUM_LAYERS is the value of --num-layers in your run: one checkpoint a stage"));
    } else {
        const int group = std::accumulate(layers.begin(), layers.end(), 0, std::gcd<int, int>);
        out.option(option, group);
        if (areEven(layers)) return;
        out.note(sentence(
            "this setting has one checkpoint a stage; with stages of different length Megatron-LM takes the "
            "same number of layers to a checkpoint everywhere, here {0}: more inputs are kept, less is laid "
            "out",
            group));
    }
}

void writeRecompute(Writer& out, const FlaggedSetting& setting) {
    if (!setting.knows_model && setting.same_recompute) {
        out.note(sentence("recomputation stays as it is in your run"));
        return;
    }
    switch (setting.config.recompute) {
        case Recompute::None:
            out.note(sentence("without --recompute-granularity: nothing is recomputed"));
            break;
        case Recompute::Full:
            out.code("--recompute-granularity full").code("--recompute-method uniform");
            writeCheckpoints(out, setting);
            break;
        case Recompute::Selective:
            out.code("--recompute-granularity selective");
            break;
    }
}

bool onlyEndsDiffer(const std::vector<int>& layers) {
    return areEven({layers.begin() + 1, layers.end() - 1});
}

void writeStages(Writer& out, const FlaggedSetting& setting) {
    const int v = setting.config.params.v;
    const std::vector<int> layers = layersOf(setting);
    if (layers.size() > 1 && !areEven(layers) && v == 1 && onlyEndsDiffer(layers) && layers.front() > 0 &&
        layers.back() > 0) {
        out.option("--decoder-first-pipeline-num-layers", layers.front());
        out.option("--decoder-last-pipeline-num-layers", layers.back());
    } else if (layers.size() > 1 && !areEven(layers)) {
        out.code("--pipeline-model-parallel-layout " + quoted(layoutText(layers)));
    } else if (v > 1) {
        out.option("--num-virtual-stages-per-pipeline-rank", v);
    }
}

std::vector<std::string> optionsOfFork(const std::string& schedule, int p) {
    const std::string pending = "--zero-bubble-max-pending-backward ", v = "--zero-bubble-v-schedule";
    if (schedule == "zb-h1") return {"--enable-zero-bubble", pending + std::to_string(p)};
    if (schedule == "zb-h2") return {"--enable-zero-bubble", pending + std::to_string(2 * p)};
    if (schedule == "zb-v") return {v};
    if (schedule == "v-half") return {v, "--zero-bubble-v-schedule-mem-setup half"};
    if (schedule == "v-min") return {v, "--zero-bubble-v-schedule-mem-setup min"};
    if (schedule == "v-1f1b") return {"--enable-1f1b-v"};
    return {};
}

FrameworkFlags onlyOwn(const FlaggedSetting& setting) {
    return missing(Framework::Megatron,
                   sentence("Megatron-LM has 1F1B and interleaved 1F1B, not {0}", titleOfOrder(setting)));
}

FrameworkFlags ofExtension(const FlaggedSetting& setting) {
    constexpr const char* kElsewhere[] = {"zb-h1", "zb-h2",  "zb-v",      "v-half",
                                          "v-min", "v-1f1b", "dualpipe-v"};
    const ScheduleParams& params = setting.config.params;
    const std::optional<Native> native = nativeAmong(kElsewhere, setting);
    if (!native || params.p < 2) return onlyOwn(setting);
    const bool dual = native->schedule == "dualpipe-v";
    const char* const name = dual ? kMindSpeed : kFork;
    if (!areEven(layersOf(setting)))
        return missing(
            Framework::Megatron,
            sentence("{0}, which provides {1} besides Megatron-LM, divides layers evenly, and {2} layers "
                     "cannot be divided evenly among {3} stages",
                     name, titleOfOrder(setting), setting.config.model.layers, params.stagesOfReplica()));
    Writer out(Framework::Megatron, setting);
    out.ofExtension(name).option("--pipeline-model-parallel-size", params.p);
    writeShards(out, setting.config);
    if (dual) {
        out.code("--schedules-method dualpipev").code("--dualpipev-dw-detach");
    } else {
        for (const std::string& option : optionsOfFork(native->schedule, params.p)) out.code(option);
        out.note(sentence("the fork orders by the times that it measures, so its order may differ a little"));
    }
    writeBatch(out, setting);
    writeRecompute(out, setting);
    return out.done();
}

}  // namespace

FrameworkFlags megatronFlags(const FlaggedSetting& setting) {
    const ScheduleParams& params = setting.config.params;
    const std::optional<Native> native = nativeAmong(kOwn, setting);
    if (!native) return ofExtension(setting);
    const bool combined = native->schedule == "interleaved-combined",
               interleaved = combined || native->schedule == "interleaved";
    if (interleaved && params.v == 1)
        return missing(Framework::Megatron,
                       sentence("with v = 1 Megatron-LM runs 1F1B, not {0}", titleOfOrder(setting)));
    if (interleaved && params.p == 1)
        return missing(Framework::Megatron, sentence("Megatron-LM interleaves on two ranks or more"));
    Writer out(Framework::Megatron, setting);
    out.option("--pipeline-model-parallel-size", params.p);
    writeShards(out, setting.config);
    writeStages(out, setting);
    if (interleaved)
        out.option("--microbatch-group-size-per-virtual-pipeline-stage",
                   native->params.group_size > 0 ? native->params.group_size : params.p);
    if (combined) {
        out.code("--overlap-moe-expert-parallel-comm");
        out.note(sentence("of mixture-of-experts models alone: what it hides is the all-to-all of experts"));
    }
    if (interleaved && !setting.knows_model)
        out.note(sentence("the layers of your model must fill {0} stages", params.stagesOfReplica()));
    writeBatch(out, setting);
    writeRecompute(out, setting);
    return out.done();
}

}  // namespace bscope::frameworks
