// bscope check: every number of a recording computed anew from its events.
#include <algorithm>
#include <iostream>

#include "cli/input/checked_recording.h"
#include "cli/input/command.h"
#include "cli/input/command_line.h"
#include "cli/print/json_text.h"
#include "cli/print/line_printer.h"
#include "words/sentence_error.h"

namespace bscope::cli {
namespace {

constexpr int kContradicted = 1;

std::size_t countOf(const CheckedRecording& found, Invariant invariant) {
    return static_cast<std::size_t>(std::ranges::count(found.violations, invariant, &Violation::invariant));
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
    std::cout << jsonText({{"checksums", read.has_checksums},
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
    if (!read.damage.empty()) printer.out() << printer.words(read.damage) << '\n';
    if (!read.has_checksums)
        printer.line(
            "This recording is of version 1, without checksums: damage that no rule detects may go "
            "unnoticed.");
    printer.line("{0} iterations were checked against {1} rules.", found.whole, kInvariants.size());
    if (!found.untraced.empty())
        printer.line("{0} iterations ran without tracing: nothing but their length is known.",
                     found.untraced.size());
    if (!found.unproven.empty())
        printer.line("{0} iterations could not be checked: operations of theirs are missing.",
                     found.unproven.size());
    for (const Invariant invariant : kInvariants) {
        const std::size_t count = countOf(found, invariant);
        printer.out() << (count == 0 ? "  " : "! ") << printer.words(wordsOf(invariant));
        if (count > 0) printer.out() << ": " << printer.words("broken {0} times", count);
        printer.out() << '\n';
        for (const Violation& each : found.violations)
            if (each.invariant == invariant)
                printer.out() << "    " << printer.words("iteration {0}: {1}", each.iteration, each.what)
                              << '\n';
    }
}

}  // namespace

int checkCommand(const Arguments& arguments) {
    CommandLine line(
        "check",
        "Recomputes every number of a recording from its events and reports where the recording contradicts "
        "itself. Exit status 1 when it does, when it is damaged, or when it holds no whole iteration.",
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
    return found.violations.empty() && read.damage.empty() && found.whole > 0 ? 0 : kContradicted;
}

}  // namespace bscope::cli
