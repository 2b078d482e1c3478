#include "advice/framework_flags.h"

#include <algorithm>

#include "advice/framework_writer.h"
#include "catalog/catalog.h"
#include "words/shown.h"

namespace bscope {

namespace frameworks {

namespace {

bool sameOrder(const Schedule& a, const Schedule& b) {
    return a.placement == b.placement && a.orders == b.orders && a.weights == b.weights &&
           a.step_every == b.step_every && a.chains == b.chains;
}

// Orders of interleaved 1F1B by PyTorch's rounds are Megatron's with groups of a round's micro-batches.
std::vector<ScheduleParams> paramsToTry(const std::string& name, ScheduleParams params) {
    std::vector<ScheduleParams> all{params};
    if (name != "interleaved" || params.group_size != 0) return all;
    params.group_size = params.m / std::max(1, params.m / params.p);
    all.push_back(params);
    return all;
}

}  // namespace

std::optional<Native> nativeAmong(std::span<const char* const> names, const FlaggedSetting& setting) {
    const CatalogEntry* const own = findSchedule(setting.config.schedule);
    if (own != nullptr && std::ranges::find(names, std::string_view(own->name)) != names.end())
        return Native{own->name, setting.config.params};
    for (const char* const name : names)
        for (const ScheduleParams& params : paramsToTry(name, setting.config.params))
            if (canBeMade(name, params) && sameOrder(makeSchedule(name, params), setting.order))
                return Native{name, params};
    return std::nullopt;
}

Sentence titleOfOrder(const FlaggedSetting& setting) {
    const CatalogEntry* const entry = findSchedule(setting.config.schedule);
    return entry != nullptr ? sentence(entry->title) : sentence("an order outside the catalog");
}

Sentence neverHas(Framework framework, const FlaggedSetting& setting) {
    const char* const title = titleOf(framework);
    if (setting.order.isForwardOnly())
        return sentence(
            "{0} has no option for the forward pass alone: it evaluates with the options of a "
            "training",
            title);
    if (setting.order.weights != WeightRule::Flush)
        return sentence("{0} has no schedule without a flush, {1} is one", title, titleOfOrder(setting));
    if (setting.order.replicas() > setting.config.params.d)
        return sentence("{0} has no schedule with two copies of the weights, {1} is one", title,
                        titleOfOrder(setting));
    return {};
}

std::vector<int> layersOf(const FlaggedSetting& setting) {
    if (!setting.knows_model) return {};
    return layersPerStage(setting.config, setting.config.params.stagesOfReplica());
}

bool areEven(const std::vector<int>& layers) {
    return std::ranges::adjacent_find(layers, std::ranges::not_equal_to()) == layers.end();
}

bool recomputesByStage(const FlaggedSetting& setting) {
    return setting.config.recompute == Recompute::Full &&
           setting.config.checkpoint_every == CheckpointEvery::Stage;
}

Sentence recomputedByLayer() {
    return sentence(
        "one checkpoint a layer, where this setting has one a stage: more inputs are kept, one layer is laid "
        "out at a time");
}

Writer::Writer(Framework framework, const FlaggedSetting& setting) {
    flags_.framework = framework;
    const ScheduleParams& params = setting.config.params;
    note(sentence("{0}: {1}, p = {2}, v = {3}, m = {4}, d = {5}, t = {6}", titleOf(framework),
                  titleOfOrder(setting), params.p, params.v, params.m, params.d, params.t));
}

Writer& Writer::ofExtension(const std::string& name) {
    flags_.extension = name;
    return note(sentence("not of {0} itself, but of {1}", titleOf(flags_.framework), name));
}

FrameworkFlags missing(Framework framework, Sentence why) {
    FrameworkFlags flags;
    flags.framework = framework;
    flags.missing = std::move(why);
    return flags;
}

std::string quoted(const std::string& text) {
    return '"' + text + '"';
}

}  // namespace frameworks

const char* titleOf(Framework framework) {
    switch (framework) {
        case Framework::Megatron:
            return "Megatron-LM";
        case Framework::PyTorch:
            return "PyTorch";
        case Framework::DeepSpeed:
            return "DeepSpeed";
    }
    return "";
}

FrameworkFlags frameworkFlags(Framework framework, const FlaggedSetting& setting) {
    if (Sentence never = frameworks::neverHas(framework, setting); !never.empty())
        return frameworks::missing(framework, std::move(never));
    switch (framework) {
        case Framework::Megatron:
            return frameworks::megatronFlags(setting);
        case Framework::PyTorch:
            return frameworks::pytorchFlags(setting);
        case Framework::DeepSpeed:
            break;
    }
    return frameworks::deepspeedFlags(setting);
}

std::string flagsText(const FrameworkFlags& flags, Language language) {
    std::string text;
    for (const FlagLine& line : flags.lines)
        text += (line.note.empty() ? shown(line.code) : "# " + say(line.note, language)) + '\n';
    return text;
}

}  // namespace bscope
