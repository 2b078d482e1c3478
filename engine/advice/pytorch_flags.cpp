// PyTorch: classes of torch/distributed/pipelining/schedules.py with the rules of their constructors (2.15);
// an order that is none of them is read from a file (_PipelineScheduleRuntime._load_csv). Keys of torchtitan:
// torchtitan/config/job_config.py (0.2) and configs.py (0.3); torchtitan/distributed/pipeline_parallel.py
// puts stages on ranks by the schedule's class: as a V for ZBVZeroBubble and DualPipeV, else in loops.
#include <algorithm>
#include <cctype>

#include "advice/framework_writer.h"
#include "catalog/catalog.h"

namespace bscope::frameworks {

namespace {

struct PyTorchClass {
    const char* schedule;  // of the catalog
    const char* name;      // without "Schedule", as torchtitan has it
    bool one_stage;        // takes one stage, not a list
};

constexpr PyTorchClass kClasses[] = {
    {"gpipe", "GPipe", true},
    {"1f1b", "1F1B", true},
    {"interleaved-pytorch", "Interleaved1F1B", false},
    {"looped-bfs", "LoopedBFS", false},
    {"zb-interleaved", "InterleavedZeroBubble", false},
    {"zb-v", "ZBVZeroBubble", false},
    {"dualpipe-v", "DualPipeV", false},
};

const PyTorchClass* classOf(const FlaggedSetting& setting) {
    std::vector<const char*> names;
    for (const PyTorchClass& each : kClasses) names.push_back(each.schedule);
    const std::optional<Native> native = nativeAmong(names, setting);
    if (!native) return nullptr;
    const auto* const found = std::ranges::find(kClasses, native->schedule, &PyTorchClass::schedule);
    const bool refused = native->schedule == "1f1b" && setting.config.params.m < setting.config.params.p;
    return refused ? nullptr : &*found;
}

enum class Placement : std::uint8_t { Loop, V, Other };

Placement placementOf(const FlaggedSetting& setting) {
    const ScheduleParams& params = setting.config.params;
    const std::vector<int> first(setting.order.chains.front());
    std::vector<int> ranks;
    for (const int stage : first)
        ranks.push_back(params.layout().stageOf(setting.order.placement[static_cast<std::size_t>(stage)]));
    if (ranks == loopPlacement(params.p, params.v)) return Placement::Loop;
    return params.v == 2 && ranks == zigzagPlacement(params.p, 2) ? Placement::V : Placement::Other;
}

std::string inShell(const std::string& word) {
    const bool plain = std::ranges::all_of(word, [](unsigned char c) {
        return std::isalnum(c) != 0 ||
               std::string_view("-_./:").find(static_cast<char>(c)) != std::string::npos;
    });
    if (plain) return word;
    std::string text = "'";
    for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + "'";
}

struct OrderFile {
    std::string name, command;
};

// How its file is made; nullopt: nothing makes one.
std::optional<OrderFile> orderFile(const FlaggedSetting& setting) {
    const RunConfig& config = setting.config;
    const ScheduleParams& params = config.params;
    std::string command = "bscope schedule " + inShell(config.schedule);
    const auto add = [&command](const char* option, int value) {
        command += std::string(option) + std::to_string(value);
    };
    const CatalogEntry* const entry = findSchedule(config.schedule);
    if (entry == nullptr && !config.schedule.starts_with("file:")) return std::nullopt;
    if (entry != nullptr) {
        add(" -p ", params.p);
        add(" -v ", params.v);
        add(" -m ", params.m);
        if (params.group_size > 0) add(" --group-size ", params.group_size);
    }
    const std::string name = (entry != nullptr ? std::string(entry->name) : std::string("order")) + ".csv";
    return OrderFile{name, command + " --csv > " + name};
}

void writeApi(Writer& out, const FlaggedSetting& setting, const PyTorchClass* native, const OrderFile* file) {
    const std::string m = std::to_string(setting.config.params.m);
    const std::string name =
        native != nullptr ? std::string("Schedule") + native->name : std::string("_PipelineScheduleRuntime");
    out.code("from torch.distributed.pipelining.schedules import " + name);
    out.code("schedule = " + name + (native != nullptr && native->one_stage ? "(stage" : "(stages") +
             ", n_microbatches=" + m + ", loss_fn=loss_fn)");
    if (native == nullptr) out.code("schedule._load_csv(" + quoted(file->name) + ")");
}

void writeStages(Writer& out, const FlaggedSetting& setting, Placement placement) {
    const ScheduleParams& params = setting.config.params;
    if (params.v == 1) return;
    if (placement == Placement::Loop)
        out.note(sentence("rank r holds the {0} stages r, r + {1} and so on", params.v, params.p));
    else if (placement == Placement::V)
        out.note(sentence("rank r holds the stages r and {0} - r", 2 * params.p - 1));
    else
        out.note(sentence("the stages go to the ranks and back, {0} a rank", params.v));
}

std::string modulesOf(const std::vector<int>& layers) {
    std::string text = "[";
    int block = 0;
    for (std::size_t stage = 0; stage < layers.size(); ++stage) {
        std::string modules = stage == 0 ? "\"tok_embeddings\"" : "";
        const auto add = [&modules](const std::string& name) {
            modules += (modules.empty() ? "" : ", ") + quoted(name);
        };
        for (int i = 0; i < layers[stage]; ++i) add("layers." + std::to_string(block++));
        if (stage + 1 == layers.size()) {
            add("norm");
            add("output");
        }
        text += (stage == 0 ? "[" : ", [") + modules + "]";
    }
    return text + "]";
}

void writeLayers(Writer& out, const FlaggedSetting& setting) {
    const ScheduleParams& params = setting.config.params;
    const std::vector<int> layers = layersOf(setting);
    if (layers.empty()) {
        if (params.v > 1)
            out.note(sentence("pipeline_parallel_layers_per_stage so that there are {0} stages",
                              params.stagesOfReplica()));
        return;
    }
    if (areEven(layers)) {
        out.key("pipeline_parallel_layers_per_stage", layers.front());
        out.key("pipeline_parallel_first_stage_less_layers", 0L);
        out.key("pipeline_parallel_last_stage_less_layers", 0L);
        return;
    }
    out.key("module_fqns_per_model_part", modulesOf(layers));
    out.note(sentence("the last module is called lm_head since torchtitan 0.3"));
}

void writeTorchtitan(Writer& out, const FlaggedSetting& setting, const PyTorchClass* native,
                     const OrderFile* file, Placement placement) {
    const RunConfig& config = setting.config;
    const ScheduleParams& params = config.params;
    const bool own = native != nullptr && (native->one_stage || params.v > 1);
    if (!own && (placement == Placement::Other || file == nullptr)) {
        out.note(sentence("torchtitan cannot place these stages"));
        return;
    }
    out.note(sentence("or in torchtitan:"));
    if (!own && native != nullptr) out.code(file->command);
    out.code("[parallelism]");
    out.key("pipeline_parallel_degree", params.p);
    out.key("data_parallel_replicate_degree", params.d);
    if (params.zero > 0)
        out.note(
            sentence("torchtitan has no ZeRO-1: data_parallel_shard_degree divides gradients and weights, "
                     "too"));
    if (params.t > 1) out.key("tensor_parallel_degree", params.t);
    if (params.t > 1 && !config.sequence_parallel)
        out.note(sentence("torchtitan's models always use sequence parallelism with tensor parallelism"));
    const char* const placed = placement == Placement::V ? "ZBVZeroBubble"
                               : params.v > 1            ? "PipelineScheduleMulti"
                                                         : "PipelineScheduleSingle";
    out.key("pipeline_parallel_schedule", quoted(own ? native->name : placed));
    if (!own) out.key("pipeline_parallel_schedule_csv", quoted(file->name));
    writeLayers(out, setting);
    if (setting.knows_model) {
        out.key("pipeline_parallel_microbatch_size", config.micro_batch);
        out.code("[training]").key("local_batch_size", long{config.micro_batch} * params.m);
    } else {
        out.note(sentence("local_batch_size is {0} times pipeline_parallel_microbatch_size", params.m));
    }
    if (!setting.knows_model && setting.same_recompute) {
        out.note(sentence("recomputation stays as it is in your run"));
        return;
    }
    out.code("[activation_checkpoint]").key("mode", quoted(toText(config.recompute)));
    if (recomputesByStage(setting)) out.note(recomputedByLayer());
}

}  // namespace

FrameworkFlags pytorchFlags(const FlaggedSetting& setting) {
    const PyTorchClass* const native = classOf(setting);
    if (native == nullptr && setting.config.params.segments > 1)
        return missing(
            Framework::PyTorch,
            sentence("PyTorch's schedules run whole micro-batches, {0} runs segments", titleOfOrder(setting)));
    const std::optional<OrderFile> file = orderFile(setting);
    if (native == nullptr && !file)
        return missing(
            Framework::PyTorch,
            sentence("PyTorch has no class for an order outside the catalog, and there is no file of it"));
    const Placement placement = placementOf(setting);
    Writer out(Framework::PyTorch, setting);
    if (native == nullptr) {
        out.note(sentence("no class of its own: PyTorch reads the order from a file"));
        out.code(file->command);
    }
    if (setting.config.params.t > 1)
        out.note(
            sentence("the modules of a stage are cut over its {0} ranks by parallelize_module "
                     "(torch.distributed.tensor.parallel)",
                     setting.config.params.t));
    writeApi(out, setting, native, file ? &*file : nullptr);
    writeStages(out, setting, placement);
    writeTorchtitan(out, setting, native, file ? &*file : nullptr, placement);
    return out.done();
}

}  // namespace bscope::frameworks
