#include "cli/report/part_text.h"

#include <algorithm>
#include <ostream>

#include "catalog/catalog.h"
#include "cli/print/json_text.h"
#include "cli/print/line_printer.h"
#include "cli/print/number_text.h"
#include "cli/print/text_table.h"
#include "cli/report/import_json.h"
#include "report/measured_report.h"
#include "timeline/predict_summary.h"
#include "words/sentence_error.h"
#include "words/shown.h"

namespace bscope::cli {
namespace {

using nlohmann::ordered_json;

const std::vector<PipelinePart::Iteration>& iterationsOf(const PipelinePart& part) {
    return part.ranks.front().iterations;
}

// Its place among the iterations, which are the same on every rank.
std::size_t chosen(const PipelinePart& part, std::optional<int> iteration) {
    const auto& all = iterationsOf(part);
    if (!iteration) return all.size() - 1;
    const auto found = std::ranges::find(all, *iteration, &PipelinePart::Iteration::number);
    if (found == all.end())
        throw SentenceError<>(sentence("the run has no iteration {0}; it has {1} to {2}", *iteration,
                                       all.front().number, all.back().number));
    return static_cast<std::size_t>(found - all.begin());
}

Sentence titlesOf(const std::vector<std::string>& schedules) {
    std::vector<Sentence> titles;
    for (const std::string& name : schedules)
        if (const CatalogEntry* entry = findSchedule(name)) titles.push_back(Sentence{entry->title, {}});
    return inARow(titles);
}

const char* wordOf(Neighbour neighbour) {
    return neighbour == Neighbour::There ? "yes" : neighbour == Neighbour::None ? "no" : "unknown";
}

}  // namespace

void printPart(std::ostream& out, const PipelinePart& part, std::optional<int> iteration,
               Language language) {
    const LinePrinter printer(out, language);
    const std::size_t at = chosen(part, iteration);
    const std::size_t count = iterationsOf(part).size();
    out << shown(part.source) << " · " << say(ranksOfPart(part), language) << " · "
        << (count == 1 ? printer.words("1 iteration") : printer.words("{0} iterations", count)) << "   ["
        << toText(part.provenance) << "]\n";
    printer.line("a part of a pipeline: {0}", missingOfPart(part));
    if (!part.schedules.empty())
        printer.line("schedule: at these places, of p = {0} ranks, these orders are those of {1}", part.p,
                     titlesOf(part.schedules));
    else
        printer.line("schedule: the order of these ranks matches no schedule of the catalog");
    if (part.times == Times::Kernels) printer.line("times: from an operation's first to its last kernel");
    if (part.times == Times::Ranges)
        printer.line(
            "times: the files hold neither kernels nor calls, only ranges; handing a result over counts as "
            "work, "
            "so that idle shares are too low");
    if (part.times == Times::Host)
        printer.line(
            "times: the files hold no kernels; the time of an operation is the host's, from the arrival of "
            "its message to its return");
    if (part.operations_inferred)
        printer.line(
            "inferred: what is a forward and what a backward follows from the messages between the "
            "ranks; the files name no operation");
    for (const Sentence& note : part.notes) printer.line("note: {0}", note);
    printer.line("Bubble, theory, prediction and advice need all ranks and are left out.");
    out << '\n';
    printer.line("iteration {0}, each rank from its first operation to its last:",
                 iterationsOf(part)[at].number);
    TextTable table("rrrrrrrr");
    table.row({printer.words("rank"), printer.words("place"), printer.words("forwards"),
               printer.words("backwards"), printer.words("own time ms"), printer.words("busy ms"),
               printer.words("idle of own time"), printer.words("median over iterations")});
    for (const PipelinePart::Rank& rank : part.ranks) {
        const PipelinePart::Iteration& of = rank.iterations[at];
        table.row({std::to_string(rank.number), rank.place < 0 ? "-" : std::to_string(rank.place),
                   std::to_string(rank.forwards), std::to_string(rank.backwards), fixed(toMs(of.span_ns), 1),
                   fixed(toMs(of.busy_ns), 1), percent(of.idleShare()), percent(rank.idleShare())});
    }
    table.print(out);
    out << '\n';
    for (const PipelinePart::Rank& rank : part.ranks) printer.line("rank {0}: {1}", rank.number, rank.order);
}

ordered_json partJson(const PipelinePart& part, std::optional<int> iteration) {
    const auto known = [](int number) { return number > 0 ? ordered_json(number) : ordered_json(); };
    const PipelinePart::Rank& front = part.ranks.front();
    ordered_json numbers = ordered_json::array(), rows = ordered_json::array(),
                 ranks = ordered_json::array();
    for (const PipelinePart::Rank& rank : part.ranks) {
        numbers.push_back(rank.number);
        ranks.push_back({{"rank", rank.number},
                         {"place", rank.place < 0 ? ordered_json() : ordered_json(rank.place)},
                         {"file", rank.file},
                         {"rank_before", wordOf(rank.before)},
                         {"rank_after", wordOf(rank.after)},
                         {"forwards", rank.forwards},
                         {"backwards", rank.backwards},
                         {"order", rank.order},
                         {"idle_of_own_time", rank.idleShare()}});
    }
    const std::size_t only = chosen(part, iteration);
    for (std::size_t at = 0; at < iterationsOf(part).size(); ++at) {
        if (iteration && at != only) continue;
        ordered_json of_ranks = ordered_json::array();
        for (const PipelinePart::Rank& rank : part.ranks) {
            const PipelinePart::Iteration& of = rank.iterations[at];
            of_ranks.push_back({{"rank", rank.number},
                                {"own_time_ms", toMs(of.span_ns)},
                                {"busy_ms", toMs(of.busy_ns)},
                                {"idle_of_own_time", of.idleShare()}});
        }
        rows.push_back({{"iteration", iterationsOf(part)[at].number}, {"ranks", std::move(of_ranks)}});
    }
    const bool one = part.schedules.size() == 1;
    return {{"source", part.source},
            {"part", true},
            {"ranks", part.ranks.size()},
            {"rank_numbers", std::move(numbers)},
            {"missing_ranks", part.missing},
            {"missing", say(missingOfPart(part), Language::English)},
            {"p", known(part.p)},
            {"v", known(part.v)},
            {"m", known(part.v > 0 ? front.forwards / part.v : 0)},
            {"iterations", iterationsOf(part).size()},
            {"schedule", one ? ordered_json(part.schedules.front()) : ordered_json()},
            {"schedules_that_fit", part.schedules},
            {"inferred", part.operations_inferred},
            {"provenance", toText(part.provenance)},
            {"notes",
             [&part] {
                 ordered_json notes = ordered_json::array();
                 for (const Sentence& note : part.notes) notes.push_back(say(note, Language::English));
                 return notes;
             }()},
            {"of_ranks", std::move(ranks)},
            {"rows", std::move(rows)}};
}

ordered_json partForWindow(const PipelinePart& part) {
    ordered_json ranks = ordered_json::array(), notes = ordered_json::array();
    for (const PipelinePart::Rank& rank : part.ranks) {
        ordered_json operations = ordered_json::array();
        const std::int64_t first_ns = rank.last.empty() ? 0 : rank.last.front().start_ns;
        for (const TracedOp& op : rank.last)
            operations.push_back({{"op", opText(op.op)},
                                  {"stage", op.stage},
                                  {"microbatch", op.microbatch},
                                  {"start_ms", toMs(op.start_ns - first_ns)},
                                  {"end_ms", toMs(op.end_ns - first_ns)}});
        const PipelinePart::Iteration& last = rank.iterations.back();
        ranks.push_back({{"rank", rank.number},
                         {"place", rank.place < 0 ? ordered_json() : ordered_json(rank.place)},
                         {"forwards", rank.forwards},
                         {"backwards", rank.backwards},
                         {"own_time_ms", toMs(last.span_ns)},
                         {"busy_ms", toMs(last.busy_ns)},
                         {"idle_of_own_time", rank.idleShare()},
                         {"operations", std::move(operations)}});
    }
    for (const Sentence& note : part.notes) notes.push_back(sentenceJson(note));
    return {{"ranks_words", sentenceJson(ranksOfPart(part))},
            {"missing_words", sentenceJson(missingOfPart(part))},
            {"schedules_words", part.schedules.empty() ? ordered_json() : sentenceJson(titlesOf(part.schedules))},
            {"p", part.p},
            {"iteration", iterationsOf(part).back().number},
            {"of_ranks", std::move(ranks)},
            {"notes_words", std::move(notes)}};
}

}  // namespace bscope::cli
