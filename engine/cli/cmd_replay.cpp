// bscope replay: table and picture of a recorded iteration, as bscope run printed them.
#include <iostream>
#include <optional>

#include "cli/bubble_text.h"
#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/import_json.h"
#include "cli/json_text.h"
#include "cli/notes_text.h"
#include "cli/report_text.h"
#include "words/said.h"

namespace bscope::cli {
namespace {

const IterationReport& chosen(const std::vector<IterationReport>& reports, std::optional<int> iteration) {
    if (reports.empty()) throw SaidError<>(sentence("the recording holds no complete iteration"));
    if (!iteration) return reports.back();
    for (const auto& report : reports)
        if (report.iteration == *iteration) return report;
    throw SaidError<>(sentence("the recording has no iteration {0}; it has {1} to {2}", *iteration,
                               reports.front().iteration, reports.back().iteration));
}

std::vector<RunNote> notesOf(const RunLog& log, std::optional<int> iteration) {
    std::vector<RunNote> notes = log.notes();
    if (iteration) std::erase_if(notes, [&](const RunNote& note) { return note.iteration != *iteration; });
    return notes;
}

void listNotes(const std::string& file, std::optional<int> iteration, bool json, Language language) {
    RunLog log(RunLog::Keep::Reports);
    LineTeller(std::cerr, language).lines(readRecording(file, log));
    const std::vector<RunNote> notes = notesOf(log, iteration);
    if (json)
        for (const RunNote& note : notes) std::cout << jsonText(noteJson(note)) << '\n';
    else if (notes.empty())
        LineTeller(std::cout, language).line("There are no notes.");
    else
        printNotes({std::cout, language}, notes);
}

// Those on the printed iteration, and how many there are elsewhere.
void addNotes(const RunLog& log, std::int32_t printed, Language language) {
    const std::vector<RunNote> notes = notesOf(log, printed);
    const std::size_t others = log.notes().size() - notes.size();
    if (notes.empty() && others == 0) return;
    const LineTeller tell(std::cout, language);
    std::cout << '\n';
    if (!notes.empty()) printNotes(tell, notes);
    if (others > 0) tell.line("Notes on other iterations: {0} (--notes lists them)", others);
}

}  // namespace

int replayCommand(const Arguments& arguments) {
    CommandLine line("replay", "Prints table and picture of a recorded iteration again.",
                     "bscope replay run.bscope\nbscope replay run.bscope --bubble");
    std::string file;
    std::optional<int> iteration;
    bool json = false, bubble = false, notes = false;
    line.argument("FILE", "a recording", file);
    line.option("--iteration", "N", "which one, from 0 (the last)",
                setInteger([&](int value) { iteration = value; }));
    line.flag("--json", "a JSON line an iteration, as bscope run --json; all of them without --iteration",
              json);
    line.flag("--bubble",
              "instead of the table: where its idle time comes from, by cause and gap, and measured minus "
              "theory; without --iteration of the last configuration's iterations the one nearest to their "
              "median; with --json one object",
              bubble);
    line.flag(
        "--notes",
        "instead of the table: what was noted in the window, on all iterations without --iteration; with "
        "--json a line a note",
        notes);
    if (!line.parse(arguments)) return 0;
    if (file.empty()) line.refuse(sentence("which recording? Give its file"));
    if (bubble && notes)
        line.refuse(sentence("--bubble and --notes are two different lists: give one of them"));
    line.check();

    if (bubble) {
        const AnalysedRun run = readAnalysedRun(file, iteration, line.language());
        if (json)
            std::cout << jsonText(bubbleJson(run)) << '\n';
        else
            printBubble({std::cout, line.language()}, run);
        return 0;
    }
    if (notes) {
        listNotes(file, iteration, json, line.language());
        return 0;
    }
    RunLog log(json        ? RunLog::Keep::Reports
               : iteration ? RunLog::Keep::Everything
                           : RunLog::Keep::LastIteration,
               iteration);
    LineTeller(std::cerr, line.language()).lines(readRecording(file, log));
    const auto row = [&log](const IterationReport& report) {
        const auto start = log.startOf(report.iteration);
        return start && start->import ? importedRowJson(*start->import, report) : reportJson(report);
    };
    if (json && iteration)
        std::cout << jsonText(row(chosen(log.reports(), iteration))) << '\n';
    else if (json)
        for (const auto& report : log.reports()) std::cout << jsonText(row(report)) << '\n';
    else {
        const IterationReport& printed = chosen(log.reports(), iteration);
        printIteration(std::cout, log, printed, line.language());
        addNotes(log, printed.iteration, line.language());
    }
    return 0;
}

}  // namespace bscope::cli
