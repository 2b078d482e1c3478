#include "cli/report/import_json.h"

#include <cctype>
#include <cmath>

#include "cli/print/json_text.h"
#include "cli/report/grid_text.h"
#include "cli/report/import_text.h"
#include "cli/report/report_text.h"
#include "words/catalog.h"

namespace bscope::cli {
namespace {

using nlohmann::ordered_json;

std::string english(const Sentence& said) {
    return say(said, Language::English);
}

std::vector<std::string> english(const std::vector<Sentence>& all) {
    std::vector<std::string> texts;
    for (const Sentence& each : all) texts.push_back(english(each));
    return texts;
}

void addKnown(ordered_json& object, const char* key, double value) {
    if (!std::isnan(value)) object[key] = value;
}

// What the program that recorded the run calls a rank's bubble, as a key: "bubble_as_primus_defines_it".
std::string bubbleKeyOfSource(const ImportOrigin& origin) {
    std::string name = programOf(origin);
    for (char& letter : name) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    return "bubble_as_" + name + "_defines_it";
}

const char* timesWord(ImportOrigin::Times times) {
    switch (times) {
        case ImportOrigin::Times::Recorded:
            return "recorded";
        case ImportOrigin::Times::Kernels:
            return "kernels";
        case ImportOrigin::Times::Host:
            return "host";
        case ImportOrigin::Times::Ranges:
            return "ranges";
    }
    return "";
}

ordered_json rankJson(const ImportOrigin& origin, const RankReport& rank) {
    ordered_json out = {{"rank", rank.rank}, {"busy_ms", rank.busy_ms}};
    // Without both ends of a message its waiting and transfer are one number.
    out[origin.knows_transfers ? "wait_ms" : "wait_and_transfer_ms"] = rank.wait_ms;
    addKnown(out, "transfer_ms", rank.transfer_ms);
    out["bubble_of_total"] = rank.bubble_of_total;
    if (!std::isnan(rank.bubble_of_source)) out[bubbleKeyOfSource(origin)] = rank.bubble_of_source;
    out["peak_in_flight"] = rank.peak_in_flight;
    return out;
}

}  // namespace

ordered_json importedRowJson(const ImportOrigin& origin, const IterationReport& report) {
    ordered_json out = {{"iteration", report.iteration},
                        {"schedule", report.schedule},
                        {"p", report.p},
                        {"m", report.m},
                        {"v", report.v},
                        {"device", report.device},
                        {"provenance", toText(report.provenance)},
                        {"iteration_ms", report.iteration_ms},
                        {"span_ms", report.span_ms}};
    addKnown(out, "optimizer_ms", report.optimizer_ms);
    out["bubble_of_total"] = report.bubble_of_total;
    out["bubble_of_ideal"] = report.bubble_of_ideal;
    addKnown(out, "predicted_bubble_of_total", report.predicted_bubble_of_total);
    addKnown(out, "predicted_iteration_ms", report.predicted_iteration_ms);
    out["theory_bubble_of_total"] = orNull(report.theory_bubble_of_total);
    ordered_json& ranks = out["ranks"] = ordered_json::array();
    for (const RankReport& rank : report.ranks) ranks.push_back(rankJson(origin, rank));
    return out;
}

ordered_json sentenceJson(const Sentence& said) {
    ordered_json arguments = ordered_json::array();
    for (const Argument& argument : said.arguments)
        arguments.push_back(argument.words.empty() ? ordered_json(argument.text)
                                                   : sentenceJson(argument.words.front()));
    return {{"id", said.id}, {"arguments", std::move(arguments)}};
}

ordered_json recognisedJson(const std::vector<RecognisedFile>& files) {
    ordered_json out = ordered_json::array();
    for (const RecognisedFile& each : files)
        out.push_back({{"file", each.file}, {"as", english(each.as)}, {"words", sentenceJson(each.as)}});
    return {{"files", std::move(out)}};
}

namespace {

// Whether it cannot be known where operations begin or end, so that the bubble may be too low.
bool leavesEndsOpen(const ImportOrigin& origin) {
    return origin.times == ImportOrigin::Times::Ranges ||
           (origin.times == ImportOrigin::Times::Host && origin.operations_inferred);
}

}  // namespace

ordered_json importJson(const ImportedRun& run, std::optional<int> iteration) {
    const ImportOrigin& origin = run.origin;
    ordered_json difference;
    if (origin.first_difference)
        difference = {{"rank", origin.first_difference->rank},
                      {"position", origin.first_difference->position},
                      {"expected", origin.first_difference->expected},
                      {"found", origin.first_difference->found}};
    ordered_json rows = ordered_json::array();
    for (const IterationReport& report : run.reports)
        if (!iteration || report.iteration == *iteration)
            rows.push_back(run.recorded ? reportJson(report) : importedRowJson(origin, report));
    const ScheduleParams& params = run.schedule.params;
    ordered_json out = {
        {"source", origin.source},
        {"ranks", params.p},
        {"p", params.p},
        {"v", params.v},
        {"m", params.m},
        {"iterations", run.reports.size()},
        {"schedule", orNull(run.recognition.schedule)},
        {"nearest_schedule", orNull(run.recognition.nearest)},
        {"first_difference", std::move(difference)},
        {"inferred", origin.numbers_inferred || origin.operations_inferred},
        {"times", timesWord(origin.times)},
        {"bubble_of_total_too_low_by_up_to",
         leavesEndsOpen(origin) ? ordered_json(origin.understated_by) : ordered_json()},
        {"clock",
         {{"aligned", origin.aligned},
          {"max_shift_us", static_cast<double>(origin.max_shift_ns) / 1e3},
          {"contradictions", english(origin.contradictions)}}},
        {"provenance", toText(run.timeline.provenance())},
        {"passing",
         {{"handover_ms",
           origin.handovers > 0 ? ordered_json(origin.costs.handover_ns / 1e6) : ordered_json()},
          {"handovers", origin.handovers},
          {"message_ms", origin.messages > 0 ? ordered_json(origin.costs.hopNs() / 1e6) : ordered_json()},
          {"messages", origin.messages}}},
        {"notes", english(origin.notes)},
        {"rows", std::move(rows)}};
    if (origin.grid) out["grid"] = gridJson(*origin.grid);
    return out;
}

}  // namespace bscope::cli
