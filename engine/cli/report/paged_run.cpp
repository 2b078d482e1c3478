#include "cli/report/paged_run.h"

#include <algorithm>
#include <functional>
#include <sstream>

#include "cli/print/line_printer.h"
#include "cli/report/bubble_text.h"
#include "cli/report/import_text.h"
#include "cli/report/report_text.h"
#include "timeline/iteration_events.h"
#include "timeline/stream_pieces.h"
#include "view/gap_analysis.h"

namespace bscope::cli {

namespace {

// Line by line, as it is printed in either language.
std::vector<page::Bilingual> remarks(const std::function<void(const LinePrinter&)>& print) {
    std::ostringstream english, chinese;
    print({english, Language::English});
    print({chinese, Language::Chinese});
    std::istringstream in_english(english.str()), in_chinese(chinese.str());
    std::vector<page::Bilingual> all;
    for (page::Bilingual line;
         std::getline(in_english, line.english) && std::getline(in_chinese, line.chinese);)
        all.push_back(line);
    return all;
}

std::int64_t firstStart_ns(const Timeline& timeline) {
    std::int64_t first_ns = timeline.end_ns();
    for (int rank = 0; rank < timeline.ranks(); ++rank)
        if (const EventSlice events = timeline.compute(rank); !events.empty())
            first_ns = std::min(first_ns, events.front().start_ns);
    return first_ns;
}

}  // namespace

page::PageRun pagedRun(const std::string& file, const AnalysedRun& run) {
    const std::int32_t iteration = run.report.iteration;
    const auto all = std::make_shared<const Timeline>(run.timeline);
    page::PageRun paged{file, {}, {}};
    IterationView& view = paged.view;
    view.config = run.start.config;
    view.order = std::make_shared<const Schedule>(run.schedule);
    view.iteration = iteration;
    view.ran = aloneOf(*all, iteration);
    view.start_ns = firstStart_ns(*view.ran);
    view.planned = std::make_shared<const Timeline>();
    if (const auto first = firstOfStream(*view.ran)) {
        view.first_microbatch = first->microbatch;
        view.before = aloneOf(*all, iteration - 1);
    }
    view.summed = all;
    view.summary = summarize(*all, iteration);
    view.analysis = std::make_shared<const GapAnalysis>(all, *view.summary, run.facts);
    view.report = run.report;
    view.series = run.facts.series;
    view.device = run.start.device;
    view.import = run.start.import;
    view.recording = true;
    view.file = file;

    paged.remarks = remarks([&](const LinePrinter& printer) {
        if (run.start.import)
            printImportCaveats(printer, run.start, run.report);
        else
            printReportCaveats(printer, run.report);
        printOutliers(printer, view.analysis->causes.usual().outliers(), run.straggler);
        printer.lines(run.warnings);
    });
    return paged;
}

}  // namespace bscope::cli
