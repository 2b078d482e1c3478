#include "cli/input/flags_options.h"

#include <algorithm>

#include "advice/schedule_choice.h"
#include "words/sentence_error.h"

namespace bscope::cli {

namespace {

const char* const kFrameworkNames = "megatron, pytorch, deepspeed";

// Nothing to gain: the run as it is, which is nullptr.
const Candidate* bestOf(const AdviceRequest& request, const std::vector<const Candidate*>& shown) {
    const auto best = std::ranges::find_if(shown, [&](const Candidate* each) {
        return each->excluded.empty() && each->gain > 0 && !changesTheMachine(request, each->setting);
    });
    return best == shown.end() ? nullptr : *best;
}

}  // namespace

FlagsOptions::FlagsOptions(CommandLine& line) {
    line.text("--flags", "FRAMEWORK",
              "what to type for the best line into megatron, pytorch, deepspeed or all of them", flags_);
    line.option("--for", "N", "--flags: for this line of the table, from 1; 0: the run as it is",
                setInteger([this](int value) { line_ = value; }));
    line.text("--framework", "FRAMEWORK", "keep what megatron, pytorch or deepspeed has itself", framework_);
    line.flag("--one-copy", "leave out what holds further copies or versions of the weights", one_copy_);
    line.flag("--synchronous", "leave out what never flushes", flush_);
}

void FlagsOptions::check(CommandLine& line, bool json, const std::string& belongs_to) {
    if (flags_ == "all")
        frameworks_.assign(kFrameworks.begin(), kFrameworks.end());
    else if (const auto framework = parseWord<Framework>(flags_))
        frameworks_ = {*framework};
    else if (!flags_.empty())
        line.refuse(sentence("--flags {0}: legal are {1} and all", flags_, kFrameworkNames));
    only_ = parseWord<Framework>(framework_);
    if (!only_ && !framework_.empty())
        line.refuse(sentence("--framework {0}: legal are {1}", framework_, kFrameworkNames));
    if (line_ && flags_.empty()) line.refuse(sentence("--for is for --flags"));
    if (line_ && *line_ < 0) line.refuse(sentence("--for {0} must be 0, the run as it is, or more", *line_));
    if (line_ && json) line.refuse(sentence("--json has the flags of every line; leave out --for"));
    if (belongs_to.empty()) return;
    const std::pair<const char*, bool> given[] = {{"--flags", !flags_.empty()},
                                                  {"--framework", !framework_.empty()},
                                                  {"--one-copy", one_copy_},
                                                  {"--synchronous", flush_}};
    for (const auto& [name, is_given] : given)
        if (is_given) line.refuse(sentence("{0} is for {1}", name, belongs_to));
}

void FlagsOptions::limit(AdviceRequest& request) const {
    request.one_copy = one_copy_;
    request.flush = flush_;
    request.framework = only_;
}

void FlagsOptions::leaveOut(const AdviceRequest& request, Advice& advice) {
    left_out_ = std::erase_if(advice.candidates, [&](const Candidate& each) {
        return each.predicted && !whyNotIn(request, each.setting).empty();
    });
}

void FlagsOptions::print(const LinePrinter& printer, const AdviceRequest& request,
                         const std::vector<const Candidate*>& shown) const {
    if (only_) printer.line("Left out, since {0} itself does not have it: {1}.", titleOf(*only_), left_out_);
    if (!asked()) return;
    const auto count = static_cast<int>(shown.size());
    if (line_ && *line_ > count)
        throw SentenceError<>(sentence(
            "--for {0}: the table has the lines 1 to {1}, and 0 is the run as it is", *line_, count));
    const Candidate* chosen = nullptr;
    if (!line_)
        chosen = bestOf(request, shown);
    else if (*line_ > 0)
        chosen = shown[static_cast<std::size_t>(*line_ - 1)];
    printer.out() << '\n';
    if (chosen == nullptr)
        printer.line("What to type for the run as it is:");
    else
        printer.line("What to type for line {0}, {1}:", std::ranges::find(shown, chosen) - shown.begin() + 1,
                     chosen->change);
    const Setting now{request.config()};
    for (const Framework framework : frameworks_) {
        const FrameworkFlags flags =
            flagsOfSetting(request, chosen == nullptr ? now : chosen->setting, framework);
        printer.out() << '\n';
        if (flags.known())
            printer.out() << flagsText(flags, printer.language());
        else
            printer.line("{0}: {1}", titleOf(framework), flags.missing);
    }
}

nlohmann::ordered_json FlagsOptions::json(const AdviceRequest& request, const Setting& setting) const {
    nlohmann::ordered_json out;
    for (const Framework framework : frameworks_) {
        const FrameworkFlags flags = flagsOfSetting(request, setting, framework);
        nlohmann::ordered_json& one = out[toText(framework)];
        if (!flags.known()) {
            one["missing"] = say(flags.missing, Language::English);
            continue;
        }
        one["text"] = flagsText(flags, Language::English);
        if (!flags.extension.empty()) one["extension"] = flags.extension;
    }
    return out;
}

void FlagsOptions::addTo(nlohmann::ordered_json& out, const AdviceRequest& request,
                         const Advice& advice) const {
    if (only_) out["left_out"] = left_out_;
    if (!asked() || !advice.refusal.empty()) return;
    out["flags"] = json(request, {request.config()});
    for (std::size_t i = 0; i < advice.candidates.size(); ++i)
        if (advice.candidates[i].predicted)
            out["candidates"][i]["flags"] = json(request, advice.candidates[i].setting);
}

std::vector<const Candidate*> linesOf(const Advice& advice) {
    std::vector<const Candidate*> lines;
    for (const Candidate& each : advice.candidates)
        if (each.predicted) lines.push_back(&each);
    return lines;
}

std::vector<const Candidate*> scheduleLinesOf(const Advice& advice, const RunConfig& now) {
    std::vector<const Candidate*> lines = linesOf(advice);
    std::erase_if(lines, [&now](const Candidate* each) { return !changesScheduleAlone(*each, now); });
    return lines;
}

}  // namespace bscope::cli
