// bscope export: a recording for other programs, or as a page for a browser.
#include <iostream>
#include <optional>

#include "cli/input/analysed_run.h"
#include "cli/input/command.h"
#include "cli/input/command_line.h"
#include "cli/input/output_files.h"
#include "cli/input/run_log.h"
#include "cli/print/line_printer.h"
#include "cli/report/paged_run.h"
#include "export/chrome_trace.h"
#include "export/csv_export.h"
#include "export/gaps_csv.h"
#include "page/html_page.h"
#include "words/sentence_error.h"

namespace bscope::cli {

namespace {

// An iteration of each recording below each other.
void writePage(const std::string& out, const std::vector<std::string>& files, std::optional<int> iteration,
               Language language) {
    std::vector<page::PageRun> runs;
    for (const std::string& file : files)
        runs.push_back(pagedRun(std::filesystem::path(file).filename().string(),
                                readAnalysedRun(file, iteration, language)));
    if (Sentence why = page::refusal(runs); !why.empty()) throw SentenceError<>(std::move(why));
    writeWhole(out, [&](std::ostream& stream) { stream << page::htmlPage(runs, language); });
}

}  // namespace

int exportCommand(const Arguments& arguments) {
    CommandLine line("export", "Writes a recording for other programs, or as a page for a browser.",
                     "bscope export run.bscope --chrome run.json\n"
                     "bscope export run.bscope --html run.html\n"
                     "bscope export before.bscope after.bscope --html both.html");
    std::vector<std::string> files;
    std::string chrome, csv, gaps, html;
    std::optional<int> iteration;
    line.arguments("FILE", "a recording; of several --html makes one page", files);
    line.text(
        "--html", "OUT.html",
        "one file that any browser opens without a network: one iteration (chosen as with --gaps) with its "
        "numbers, what each box and each gap is, in English and Chinese",
        html);
    line.text("--chrome", "OUT.json", "Chrome trace; Perfetto and chrome://tracing open it", chrome);
    line.text("--csv", "OUT.csv", "one row per event", csv);
    line.text("--gaps", "OUT.csv",
              "one row per idle gap of one iteration, with its causes (the last configuration's iteration "
              "nearest to their median, or --iteration)",
              gaps);
    line.option("--iteration", "N", "only this one, from 0 (all)",
                setInteger([&](int value) { iteration = value; }));
    if (!line.parse(arguments)) return 0;
    if (files.empty()) line.refuse(sentence("which recording? Give its file"));
    if (chrome.empty() && csv.empty() && gaps.empty() && html.empty())
        line.refuse(sentence(
            "export as what? Give --html OUT.html, --chrome OUT.json, --csv OUT.csv or --gaps OUT.csv"));
    if (files.size() > 1 && !(chrome.empty() && csv.empty() && gaps.empty()))
        line.refuse(sentence("several recordings are for --html alone"));
    const std::vector<NamedFile> outputs{
        {"--html", html}, {"--chrome", chrome}, {"--csv", csv}, {"--gaps", gaps}};
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        refuseUnwritable(line, outputs[i], Writing::BesideOrStream);
        for (const std::string& file : files) refuseSameFile(line, outputs[i], {"the recording", file});
        for (std::size_t other = i + 1; other < outputs.size(); ++other)
            refuseSameFile(line, outputs[i], outputs[other]);
    }
    line.check();

    if (!html.empty()) writePage(html, files, iteration, line.language());
    const std::string& file = files.front();
    if (!gaps.empty()) {
        const AnalysedRun run = readAnalysedRun(file, iteration, line.language());
        writeWhole(gaps, [&](std::ostream& out) { writeGapsCsv(out, run.causes()); });
    }
    if (chrome.empty() && csv.empty()) return 0;
    RunLog log(RunLog::Keep::Everything, iteration);
    LinePrinter(std::cerr, line.language()).lines(readRecording(file, log).warnings());
    const Timeline timeline = log.timeline(iteration);
    if (timeline.empty())
        throw std::runtime_error("the recording holds no event " +
                                 (iteration ? "of iteration " + std::to_string(*iteration) : "to export"));
    if (!chrome.empty())
        writeWhole(chrome,
                   [&](std::ostream& out) { writeChromeTrace(out, timeline, log.kernels(iteration)); });
    if (!csv.empty()) writeWhole(csv, [&](std::ostream& out) { writeEventsCsv(out, timeline); });
    return 0;
}

}  // namespace bscope::cli
