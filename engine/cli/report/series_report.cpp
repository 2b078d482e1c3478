#include "cli/report/series_report.h"

#include <iostream>
#include <nlohmann/json.hpp>
#include <vector>

#include "analysis/iteration_series.h"
#include "cli/input/run_log.h"
#include "cli/print/json_text.h"
#include "cli/print/line_printer.h"
#include "cli/print/number_text.h"
#include "cli/print/text_table.h"
#include "view/view_data.h"
#include "words/sentence_error.h"

namespace bscope::cli {

namespace {

// The iterations under one configuration.
struct Series {
    std::vector<const IterationReport*> reports;
    SeriesFacts facts;
    std::optional<Drift> drift;
    std::size_t middle = 0;
};

std::vector<Series> seriesOf(const RunLog& log) {
    std::vector<Series> all;
    std::int32_t since = -1;
    for (const IterationReport& report : log.reports()) {
        const auto start = log.startOf(report.iteration);
        const std::int32_t own = start ? start->iteration : -1;
        if (all.empty() || own != since) all.emplace_back();
        since = own;
        all.back().reports.push_back(&report);
    }
    for (Series& each : all) {
        std::vector<SeriesPoint> points;
        std::vector<double> lengths;
        for (const IterationReport* report : each.reports) {
            const auto start = log.startOf(report->iteration);
            const bool is_first = start && !start->import && report->iteration == start->iteration;
            points.push_back({report->iteration_ms, disturbanceOf(*report) != Disturbance::None, is_first,
                              throttlesOf(*report)});
            lengths.push_back(report->iteration_ms);
        }
        each.facts = seriesFacts(points);
        each.drift = driftOf(points);
        each.middle = nearestToMedian(lengths);
    }
    return all;
}

const char* toText(Oddity oddity) {
    constexpr const char* kNames[] = {"", "thermal", "disturbed", "first", "unexplained"};
    return kNames[static_cast<std::size_t>(oddity)];
}

Sentence wordsOf(Oddity oddity) {
    switch (oddity) {
        case Oddity::None:
            return {};
        case Oddity::Thermal:
            return sentence("outlier: heat lowered a clock");
        case Oddity::Disturbed:
            return sentence("outlier: disturbed, other programs took time");
        case Oddity::First:
            return sentence("outlier: the first one of its configuration");
        case Oddity::Unexplained:
            return sentence("outlier: no cause is recorded");
    }
    return {};
}

void printJson(const std::vector<Series>& all) {
    for (const Series& each : all) {
        for (std::size_t i = 0; i < each.reports.size(); ++i) {
            const IterationReport& report = *each.reports[i];
            nlohmann::ordered_json out = {{"iteration", report.iteration},
                                          {"iteration_ms", report.iteration_ms},
                                          {"disturbed", disturbanceOf(report) != Disturbance::None}};
            out["throttles"] = orNull(throttlesOf(report));
            const Oddity oddity = each.facts.oddities[i];
            out["stands_out"] =
                oddity == Oddity::None ? nlohmann::ordered_json() : nlohmann::ordered_json(toText(oddity));
            std::cout << jsonText(out) << '\n';
        }
        nlohmann::ordered_json out = {{"median_iteration", each.reports[each.middle]->iteration},
                                      {"median_ms", each.facts.median_ms},
                                      {"deviation_ms", each.facts.deviation_ms},
                                      {"samples", each.facts.samples},
                                      {"drift", nullptr}};
        if (each.drift)
            out["drift"] = {{"share", each.drift->share},
                            {"z", each.drift->z},
                            {"samples", each.drift->samples},
                            {"slope_ms", each.drift->slope_ms}};
        std::cout << jsonText(out) << '\n';
    }
}

void printText(const LinePrinter& printer, const Series& series) {
    TextTable table("rrrl");
    table.row(
        {printer.words("iteration"), printer.words("iteration ms"), printer.words("to the median"), ""});
    for (std::size_t i = 0; i < series.reports.size(); ++i) {
        const IterationReport& report = *series.reports[i];
        const double change = report.iteration_ms / series.facts.median_ms - 1;
        const std::string note = i == series.middle && series.facts.oddities[i] == Oddity::None
                                     ? printer.words("the median iteration")
                                     : printer.words(wordsOf(series.facts.oddities[i]));
        table.row({std::to_string(numberOf(report)), fixed(report.iteration_ms, 2), percent(change), note});
    }
    table.print(printer.out());
    printer.line("median {0} ms, 1.4826 times the median absolute deviation {1} ms, of {2} iterations",
                 fixed(series.facts.median_ms, 2), fixed(series.facts.deviation_ms, 2), series.facts.samples);
    if (series.drift)
        printer.line("drift: {0} over {1} undisturbed iterations (Mann-Kendall, z = {2})",
                     percent(series.drift->share), series.drift->samples, fixed(series.drift->z, 1));
    else
        printer.line("the test shows no drift");
}

}  // namespace

void printSeries(const std::filesystem::path& file, bool json, Language language) {
    RunLog log(RunLog::Keep::Reports);
    LinePrinter(std::cerr, language).lines(readRecording(file, log).warnings());
    if (log.reports().empty()) throw SentenceError<>(sentence("the recording holds no complete iteration"));
    const std::vector<Series> all = seriesOf(log);
    if (json) return printJson(all);
    const LinePrinter printer(std::cout, language);
    for (const Series& each : all) {
        if (&each != &all.front()) printer.out() << '\n';
        printText(printer, each);
    }
}

}  // namespace bscope::cli
