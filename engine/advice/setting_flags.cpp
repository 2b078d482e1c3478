// The flags of a setting that was advised, as far as a framework can have it.
#include "advice/advisor.h"

namespace bscope {

bool changesTheMachine(const AdviceRequest& request, const Setting& setting) {
    const RunConfig& now = request.config();
    return !setting.isConfiguration() || setting.config.link != now.link ||
           setting.config.slow_ranks != now.slow_ranks;
}

FrameworkFlags flagsOfSetting(const AdviceRequest& request, const Setting& setting, Framework framework) {
    if (changesTheMachine(request, setting)) {
        FrameworkFlags flags;
        flags.framework = framework;
        flags.missing = sentence("it changes the machine or the model, which no option does");
        return flags;
    }
    return frameworkFlags(framework,
                          {setting.config, scheduleOfSetting(request, setting), request.knows_model,
                           setting.config.recompute == request.config().recompute});
}

Sentence whyNotIn(const AdviceRequest& request, const Setting& setting) {
    if (!request.framework || changesTheMachine(request, setting)) return {};
    const FrameworkFlags flags = flagsOfSetting(request, setting, *request.framework);
    if (flags.extension.empty()) return flags.missing;
    return sentence("{0} itself does not have it, {1} does", titleOf(flags.framework), flags.extension);
}

}  // namespace bscope
