// bscope replay: table and picture of a recorded iteration, as bscope run printed them.
#include <iostream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/input/command.h"
#include "cli/input/command_line.h"
#include "cli/print/json_text.h"
#include "cli/report/bubble_text.h"
#include "cli/report/import_json.h"
#include "cli/report/notes_text.h"
#include "cli/report/range_report.h"
#include "cli/report/report_text.h"
#include "cli/report/series_report.h"
#include "words/sentence_error.h"

namespace bscope::cli {
namespace {

const IterationReport& chosen(const RunLog& log, std::optional<int> number) {
    if (number) return log.reportNumbered(*number);
    if (log.reports().empty()) throw SentenceError<>(sentence("the recording holds no complete iteration"));
    return log.reports().back();
}

std::vector<RunNote> notesOf(const RunLog& log, std::optional<std::int32_t> iteration) {
    std::vector<RunNote> notes = log.notes();
    if (iteration) std::erase_if(notes, [&](const RunNote& note) { return note.iteration != *iteration; });
    return notes;
}

void listNotes(const std::string& file, std::optional<int> number, bool json, Language language) {
    RunLog log(RunLog::Keep::Reports);
    LinePrinter(std::cerr, language).lines(readRecording(file, log).warnings());
    const std::vector<RunNote> notes =
        notesOf(log, number ? std::optional(chosen(log, number).iteration) : std::nullopt);
    if (notes.empty()) throw SentenceError<>(sentence("there are no notes"));
    if (json)
        for (const RunNote& note : notes) std::cout << jsonText(noteJson(note)) << '\n';
    else
        printNotes({std::cout, language}, notes, log.isImported());
}

// Those on the printed iteration, and how many there are elsewhere.
void addNotes(const RunLog& log, std::int32_t printed, Language language) {
    const std::vector<RunNote> notes = notesOf(log, printed);
    const std::size_t others = log.notes().size() - notes.size();
    if (notes.empty() && others == 0) return;
    const LinePrinter printer(std::cout, language);
    std::cout << '\n';
    if (!notes.empty()) printNotes(printer, notes, log.isImported());
    if (others > 0) printer.line("Notes on other iterations: {0} (--notes lists them)", others);
}

}  // namespace

int replayCommand(const Arguments& arguments) {
    CommandLine line("replay", "Prints table and picture of a recorded iteration again.",
                     "bscope replay run.bscope\nbscope replay run.bscope --bubble --gap 1\n"
                     "bscope replay run.bscope --range 2.5,40 --ranks 0,1");
    std::string file;
    std::optional<int> number;
    bool json = false, bubble = false, notes = false, series = false;
    std::optional<int> gap;
    std::string range, kinds;
    std::vector<int> ranks;
    line.argument("FILE", "a recording", file);
    line.option("--iteration", "N", "which one, by its number in the table (the last)",
                setInteger([&](int value) { number = value; }));
    line.flag("--json",
              "one JSON line per iteration, as in bscope run --json; all of them without --iteration", json);
    line.flag("--bubble",
              "instead of the table: where its idle time comes from, by cause and gap, and this run minus "
              "theory; without --iteration, of the last configuration's iteration nearest to their median; "
              "with --json one object",
              bubble);
    line.option("--gap", "N",
                "--bubble: the N-th longest gap alone, from 1: its causes and its chain of reasons",
                setInteger([&](int value) { gap = value; }));
    line.text("--range", "FROM,TO",
              "instead of the table: bubble, causes, throughput and peak of this range alone, in ms from the "
              "start of the iteration, which is chosen as with --bubble",
              range);
    line.option("--ranks", "0,2", "--range: of these ranks alone (all)",
                setIntegers([&](std::vector<int> values) { ranks = std::move(values); }));
    line.text("--kinds", "F,B", "--range: idle time and causes before these operations alone (all)", kinds);
    line.flag("--series",
              "instead of the table: all iterations, outliers with their cause, the median one and a drift; "
              "with --json one line each",
              series);
    line.flag(
        "--notes",
        "instead of the table: what was noted in the window, on all iterations without --iteration; with "
        "--json a line a note",
        notes);
    if (!line.parse(arguments)) return 0;
    if (file.empty()) line.refuse(sentence("which recording? Give its file"));
    if (bubble + notes + series + !range.empty() > 1)
        line.refuse(
            sentence("--bubble, --range, --series and --notes are different lists: give one of them"));
    if (gap && !bubble) line.refuse(sentence("--gap belongs to --bubble"));
    if (range.empty() && (!ranks.empty() || !kinds.empty()))
        line.refuse(sentence("--ranks and --kinds belong to --range"));
    if (series && number) line.refuse(sentence("--series is of all iterations; leave out --iteration"));
    std::vector<Sentence> problems;
    const WantedRange wanted = range.empty() ? WantedRange() : wantedRange(range, ranks, kinds, problems);
    for (const Sentence& problem : problems) line.refuse(problem);
    line.check();

    const LinePrinter printer(std::cout, line.language());
    if (bubble || !range.empty()) {
        const AnalysedRun run = readAnalysedRun(file, number, line.language());
        if (json)
            std::cout << jsonText(!bubble ? rangeJson(run, wanted)
                                  : gap   ? gapJson(run, *gap)
                                          : bubbleJson(run))
                      << '\n';
        else if (!bubble)
            printRange(printer, run, wanted);
        else if (gap)
            printGap(printer, run, *gap);
        else
            printBubble(printer, run);
        return 0;
    }
    if (series) {
        printSeries(file, json, line.language());
        return 0;
    }
    if (notes) {
        listNotes(file, number, json, line.language());
        return 0;
    }
    RunLog log(json     ? RunLog::Keep::Reports
               : number ? RunLog::Keep::Everything
                        : RunLog::Keep::LastIteration,
               number ? numbered(*number) : std::set<std::int32_t>());
    LinePrinter(std::cerr, line.language()).lines(readRecording(file, log).warnings());
    const auto row = [&log](const IterationReport& report) {
        const auto start = log.startOf(report.iteration);
        return start && start->import ? importedRowJson(*start->import, report) : reportJson(report);
    };
    if (json && number)
        std::cout << jsonText(row(chosen(log, number))) << '\n';
    else if (json) {
        (void)chosen(log, std::nullopt);  // no line is no answer
        for (const auto& report : log.reports()) std::cout << jsonText(row(report)) << '\n';
    } else {
        const IterationReport& printed = chosen(log, number);
        printIteration(std::cout, log, printed, line.language());
        addNotes(log, printed.iteration, line.language());
    }
    return 0;
}

}  // namespace bscope::cli
