// bscope check: the numbers of a recording computed anew from its events, its starts and its costs.
#include <algorithm>
#include <iostream>

#include "cli/input/checked_recording.h"
#include "cli/input/command.h"
#include "cli/input/command_line.h"
#include "cli/print/json_text.h"
#include "cli/print/line_printer.h"
#include "view/view_data.h"
#include "words/sentence_error.h"

namespace bscope::cli {
namespace {

constexpr int kContradicted = 1;

std::size_t countOf(const CheckedRecording& found, Invariant invariant) {
    return static_cast<std::size_t>(std::ranges::count(found.violations, invariant, &Violation::invariant));
}

std::string listed(const std::vector<std::int32_t>& iterations, bool is_import) {
    std::string text;
    for (const std::int32_t iteration : iterations)
        text += (text.empty() ? "" : ", ") + std::to_string(iterationNumber(iteration, is_import));
    return text;
}

void printJson(const CheckedRecording& found, const ReadRecording& read) {
    nlohmann::ordered_json broken = nlohmann::ordered_json::array();
    for (const Violation& each : found.violations)
        broken.push_back({{"rule", toText(each.invariant)},
                          {"iteration", each.iteration},
                          {"what", say(each.what, Language::English)}});
    nlohmann::ordered_json missing = nlohmann::ordered_json::array();
    for (const Sentence& each : read.missing) missing.push_back(say(each, Language::English));
    nlohmann::ordered_json rules = nlohmann::ordered_json::array();
    for (const Invariant invariant : kInvariants) rules.push_back(toText(invariant));
    std::cout << jsonText({{"checksums", read.without_checksums.empty()},
                           {"damage", read.damage.empty()
                                          ? nlohmann::ordered_json()
                                          : nlohmann::ordered_json(say(read.damage, Language::English))},
                           {"missing", missing},
                           {"iterations", found.whole},
                           {"untraced", found.untraced},
                           {"unproven", found.unproven},
                           {"rules", rules},
                           {"violations", broken}})
              << '\n';
}

void printText(const LinePrinter& printer, const CheckedRecording& found, const ReadRecording& read) {
    printer.lines(read.missing);
    for (const Sentence* each : {&read.damage, &read.without_checksums})
        if (!each->empty()) printer.out() << printer.words(*each) << '\n';
    printer.line("{0} iterations were checked against {1} rules.", found.whole, kInvariants.size());
    if (!found.untraced.empty())
        printer.line("{0} iterations ran without tracing: nothing but their length is known.",
                     found.untraced.size());
    if (!found.unproven.empty())
        printer.line("These iterations could not be checked, since operations of theirs are missing: {0}.",
                     listed(found.unproven, read.is_import));
    for (const Invariant invariant : kInvariants) {
        const std::size_t count = countOf(found, invariant);
        printer.out() << (count == 0 ? "  " : "! ") << printer.words(wordsOf(invariant));
        if (count > 0) printer.out() << ": " << printer.words("broken {0} times", count);
        printer.out() << '\n';
        for (const Violation& each : found.violations)
            if (each.invariant == invariant)
                printer.out() << "    "
                              << printer.words("iteration {0}: {1}",
                                               iterationNumber(each.iteration, read.is_import), each.what)
                              << '\n';
    }
}

}  // namespace

int checkCommand(const Arguments& arguments) {
    CommandLine line(
        "check",
        "Holds a recording against itself and reports where it contradicts itself. Recomputed are, from the "
        "events: lengths, bubbles, tokens/s, and of every rank times, peaks, chunks in flight, versions of "
        "the weights and sums over shards; from the start of the run: configuration, closed form, device, "
        "bytes of weights and activations; from the costs: the prediction. What follows from nothing in the "
        "file stays as reported: loss, norm of the gradients, host times, durations of the costs, buffers, "
        "what the machine says. Exit status 1 when it contradicts itself, is damaged, or when an iteration "
        "lacks the events that its report is of.",
        "bscope check run.bscope");
    std::string file;
    bool json = false;
    line.argument("FILE", "a recording", file);
    line.flag("--json", "one JSON object: iterations, rules, violations", json);
    if (!line.parse(arguments)) return 0;
    if (file.empty()) line.refuse(sentence("which recording? Give its file"));
    line.check();

    RunLog log(RunLog::Keep::Everything);
    const ReadRecording read = readRecording(file, log);
    if (log.reports().empty()) {
        LinePrinter(std::cerr, line.language()).lines(read.warnings());
        throw SentenceError<>(sentence("the recording holds no complete iteration"));
    }
    const CheckedRecording found = checkRecording(log, read.audit);
    if (json)
        printJson(found, read);
    else
        printText({std::cout, line.language()}, found, read);
    const bool holds = found.violations.empty() && found.unproven.empty() && read.damage.empty();
    return holds && found.whole > 0 ? 0 : kContradicted;
}

}  // namespace bscope::cli
