// bscope export: a recording for other programs, as a page for a browser, as text or as a figure.
#include <algorithm>
#include <iostream>
#include <limits>
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
#include "export/perfetto_trace.h"
#include "page/html_page.h"
#include "page/markdown_table.h"
#include "page/run_words.h"
#include "page/tikz_figure.h"
#include "view/text/text_gantt.h"
#include "words/number_text.h"
#include "words/sentence_error.h"

namespace bscope::cli {

namespace {

constexpr int kUsualColumns = 100, kMostColumns = 1000;
constexpr double kUsualWidth_mm = 170;

std::optional<ColourScheme> schemeOf(const std::string& word) {
    const auto found = std::ranges::find(kColourSchemes, word, schemeWord);
    return found == kColourSchemes.end() ? std::nullopt : std::optional(*found);
}

// What is made of single iterations with all that is known of them.
struct Pictures {
    std::string html, markdown, ascii, tikz;
    std::optional<int> columns;
    std::optional<double> width_mm;
    std::string palette;
    bool any() const { return !(html.empty() && markdown.empty() && ascii.empty() && tikz.empty()); }
};

void writeText(const std::string& out, const std::string& text) {
    writeWhole(out, [&](std::ostream& stream) { stream << text; });
}

std::string asciiGrids(const std::vector<AnalysedRun>& runs, const std::vector<page::PageRun>& pages,
                       int columns, Language language) {
    std::string text;
    const std::vector<page::PagedRun> paged = page::pagedRuns(pages);
    for (std::size_t i = 0; i < runs.size(); ++i)
        text += (i > 0 ? "\n" : "") + page::letterOf(i, runs.size()) + page::titleOf(paged[i]).in(language) +
                ", " + page::settingsOf(paged[i]).in(language) + '\n' +
                textGantt(runs[i].timeline, runs[i].report.iteration, columns, TerminalColours::None,
                          language, TextSigns::Ascii);
    return text;
}

void writePictures(const Pictures& asked, const std::vector<std::string>& files, std::optional<int> number,
                   Language language) {
    std::vector<AnalysedRun> runs;
    std::vector<page::PageRun> pages;
    for (const std::string& file : files) {
        runs.push_back(readAnalysedRun(file, number, language));
        pages.push_back(pagedRun(std::filesystem::path(file).filename().string(), runs.back()));
    }
    if (!asked.html.empty()) {
        if (Sentence why = page::refusal(pages); !why.empty()) throw SentenceError<>(std::move(why));
        writeText(asked.html, page::htmlPage(pages, language));
    }
    if (!asked.tikz.empty()) {
        if (Sentence why = page::tikzRefusal(pages.front()); !why.empty())
            throw SentenceError<>(std::move(why));
        writeText(asked.tikz,
                  page::tikzFigure(pages.front(), asked.width_mm.value_or(kUsualWidth_mm),
                                   schemeOf(asked.palette).value_or(ColourScheme::Bubblescope), language));
    }
    if (!asked.markdown.empty()) writeText(asked.markdown, page::markdownTable(pages, language));
    if (!asked.ascii.empty())
        writeText(asked.ascii, asciiGrids(runs, pages, asked.columns.value_or(kUsualColumns), language));
}

void addPictures(CommandLine& line, Pictures& asked) {
    line.text(
        "--html", "OUT.html",
        "one file that any browser opens without a network: one iteration (chosen as with --gaps) with its "
        "numbers, what each box and each gap is, in English and Chinese",
        asked.html);
    line.text(
        "--markdown", "OUT.md",
        "a table of that iteration's numbers with where they come from, for a chat or an issue; of several "
        "recordings with their differences",
        asked.markdown);
    line.text("--ascii", "OUT.txt", "that iteration drawn with plain letters", asked.ascii);
    line.option("--columns", "N", "of --ascii: width in letters (100)",
                setInteger([&](int value) { asked.columns = value; }));
    line.text("--tikz", "OUT.tex", "that iteration as a TikZ picture for LaTeX, in the document's own font",
              asked.tikz);
    line.option("--width-mm", "MM", "of --tikz: width of the picture (170)",
                setNumber([&](double value) { asked.width_mm = value; }));
    line.text("--palette", "NAME",
              "of --tikz: colours of operations, bubblescope (usually), megatron, zero-bubble, pytorch, "
              "dualpipe or grey; or of stages: stages",
              asked.palette);
}

void refuseSizes(CommandLine& line, const Pictures& asked) {
    if (asked.columns && asked.ascii.empty()) line.refuse(sentence("--columns is for --ascii"));
    if (asked.columns && (*asked.columns < kLeastTextColumns || *asked.columns > kMostColumns))
        line.refuse(sentence("--columns {0} is not legal: give {1} to {2}", *asked.columns, kLeastTextColumns,
                             kMostColumns));
    if (!asked.palette.empty() && asked.tikz.empty()) line.refuse(sentence("--palette is for --tikz"));
    if (!asked.palette.empty() && !schemeOf(asked.palette)) {
        std::string legal;
        for (const ColourScheme scheme : kColourSchemes)
            legal += (legal.empty() ? "" : ", ") + std::string(schemeWord(scheme));
        line.refuse(sentence("--palette {0} is not legal: give one of {1}", asked.palette, legal));
    }
    if (asked.width_mm && asked.tikz.empty()) line.refuse(sentence("--width-mm is for --tikz"));
    if (asked.width_mm && (*asked.width_mm < page::kLeastTikz_mm || *asked.width_mm > page::kMostTikz_mm))
        line.refuse(sentence("--width-mm {0} is not legal: give {1} to {2}", shortText(*asked.width_mm, 6),
                             shortText(page::kLeastTikz_mm, 6), shortText(page::kMostTikz_mm, 6)));
}

// Of one recording, for other programs.
struct Traces {
    std::string chrome, perfetto, csv, gaps;
    bool ofEvents() const { return !(chrome.empty() && perfetto.empty() && csv.empty()); }
    bool any() const { return ofEvents() || !gaps.empty(); }
};

void addTraces(CommandLine& line, Traces& asked) {
    line.text("--chrome", "OUT.json", "Chrome trace; Perfetto and chrome://tracing open it", asked.chrome);
    line.text("--perfetto", "OUT.pftrace",
              "Perfetto's own format, which ui.perfetto.dev and trace_processor open", asked.perfetto);
    line.text("--csv", "OUT.csv", "one row per event", asked.csv);
    line.text("--gaps", "OUT.csv",
              "one row per idle gap of one iteration, with its causes (the last configuration's iteration "
              "nearest to their median, or --iteration)",
              asked.gaps);
}

void writeTraces(const Traces& asked, const std::string& file, std::optional<int> number, Language language) {
    if (!asked.gaps.empty()) {
        const AnalysedRun run = readAnalysedRun(file, number, language);
        writeWhole(asked.gaps, [&](std::ostream& out) { writeGapsCsv(out, run.causes()); });
    }
    if (!asked.ofEvents()) return;
    RunLog log(RunLog::Keep::Everything, number ? numbered(*number) : std::set<std::int32_t>());
    LinePrinter(std::cerr, language).lines(readRecording(file, log).warnings());
    const auto iteration = number ? std::optional(log.reportNumbered(*number).iteration) : std::nullopt;
    const Timeline timeline = log.timeline(iteration);
    if (timeline.empty())
        throw SentenceError<>(
            number ? sentence("iteration {0} ran without tracing: there is no event of it", *number)
                   : sentence("the recording holds no event"));
    const auto kernels = log.kernels(iteration);
    const auto start = log.startOf(iteration.value_or(std::numeric_limits<std::int32_t>::max()));
    const int shards = start ? start->config.params.t : 1;
    if (!asked.chrome.empty())
        writeWhole(asked.chrome,
                   [&](std::ostream& out) { writeChromeTrace(out, timeline, kernels, shards); });
    if (!asked.perfetto.empty())
        writeWhole(asked.perfetto, [&](std::ostream& out) { writePerfettoTrace(out, timeline, kernels); });
    if (!asked.csv.empty()) writeWhole(asked.csv, [&](std::ostream& out) { writeEventsCsv(out, timeline); });
}

}  // namespace

int exportCommand(const Arguments& arguments) {
    CommandLine line("export",
                     "Writes a recording for other programs, as a page for a browser, as text for a chat or "
                     "as a figure for LaTeX. - in place of a file is standard output.",
                     "bscope export run.bscope --chrome run.json\n"
                     "bscope export run.bscope --html run.html\n"
                     "bscope export before.bscope after.bscope --html both.html\n"
                     "bscope export before.bscope after.bscope --markdown -\n"
                     "bscope export run.bscope --csv - | head\n"
                     "bscope export run.bscope --tikz run.tex --width-mm 85");
    std::vector<std::string> files;
    Traces traces;
    Pictures pictures;
    std::optional<int> number;
    line.arguments("FILE", "a recording; of several --html makes one page", files);
    addPictures(line, pictures);
    addTraces(line, traces);
    line.option("--iteration", "N", "only this one, by its number in tables and in the window (all)",
                setInteger([&](int value) { number = value; }));
    if (!line.parse(arguments)) return 0;
    if (files.empty()) line.refuse(sentence("which recording? Give its file"));
    if (!traces.any() && !pictures.any())
        line.refuse(sentence(
            "export as what? Give --html OUT.html, --markdown OUT.md, --ascii OUT.txt, "
            "--tikz OUT.tex, --chrome OUT.json, --perfetto OUT.pftrace, --csv OUT.csv or --gaps OUT.csv"));
    if (files.size() > 1 && (traces.any() || !pictures.tikz.empty()))
        line.refuse(sentence("several recordings are for --html, --markdown and --ascii alone"));
    if (files.size() > page::kMostRuns)
        line.refuse(sentence("{0} recordings are too many for one picture; at most {1}", files.size(),
                             page::kMostRuns));
    refuseSizes(line, pictures);
    const std::vector<NamedFile> outputs{{"--html", pictures.html},   {"--markdown", pictures.markdown},
                                         {"--ascii", pictures.ascii}, {"--tikz", pictures.tikz},
                                         {"--chrome", traces.chrome}, {"--perfetto", traces.perfetto},
                                         {"--csv", traces.csv},       {"--gaps", traces.gaps}};
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        refuseUnwritable(line, outputs[i], Writing::BesideOrOutput);
        for (const std::string& file : files) refuseSameFile(line, outputs[i], {"the recording", file});
        for (std::size_t other = i + 1; other < outputs.size(); ++other)
            refuseSameFile(line, outputs[i], outputs[other]);
    }
    line.check();

    if (pictures.any()) writePictures(pictures, files, number, line.language());
    if (traces.any()) writeTraces(traces, files.front(), number, line.language());
    return 0;
}

}  // namespace bscope::cli
