// Facts of the format: Primus, tools/visualization/pp_vis. Times are milliseconds since the rank's own start
// of the iteration; arrays are in the order of execution, with _minibatch and _chunk beside them where the
// schedule is not plain 1F1B. The cells of a combined forward and backward share one interval.
#include <simdjson.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <regex>

#include "import/formats/file_text.h"
#include "import/trace/import_error.h"
#include "import/ranks_of_run.h"
#include "import/readers.h"
#include "schedule/schedule.h"

namespace bscope {
namespace {

using simdjson::dom::element;

constexpr std::size_t kMostBytes = 256u << 20;

int wholeNumber(const element& object, std::initializer_list<const char*> names) {
    for (const char* name : names) {
        std::int64_t number = 0;
        if (object[name].get(number) == simdjson::SUCCESS && number > 0 && number < (1 << 20))
            return static_cast<int>(number);
    }
    return 0;
}

std::vector<double> numbers(const element& object, const std::string& name) {
    std::vector<double> values;
    simdjson::dom::array list;
    if (object[name].get(list) != simdjson::SUCCESS) return values;
    for (const auto each : list) {
        double value = 0;
        if (each.get(value) != simdjson::SUCCESS || !std::isfinite(value) || std::abs(value) > 1e12)
            throw ImportError(sentence("\"{0}\" holds what is no time", name));
        values.push_back(value);
    }
    return values;
}

std::vector<int> wholeNumbers(const element& object, const std::string& name, int limit) {
    std::vector<int> values;
    for (const double value : numbers(object, name)) {
        if (value < 0 || value >= limit || value != std::floor(value))
            throw ImportError(sentence("\"{0}\" must hold whole numbers from 0 to {1}", name, limit - 1));
        values.push_back(static_cast<int>(value));
    }
    return values;
}

std::int64_t toNs(double ms) {
    return static_cast<std::int64_t>(std::llround(ms * 1e6));
}

void addOps(TracedRank& rank, const element& parsed, const std::string& prefix, Op op, int iteration) {
    const auto starts = numbers(parsed, prefix + "_start"), ends = numbers(parsed, prefix + "_end");
    const auto microbatches = wholeNumbers(parsed, prefix + "_minibatch", kMaxMicrobatches);
    const auto chunks = wholeNumbers(parsed, prefix + "_chunk", kMaxChunks);
    if (starts.size() != ends.size())
        throw ImportError(sentence("\"{0}_start\" has {1} entries and \"{0}_end\" {2}", prefix, starts.size(),
                                   ends.size()));
    for (std::size_t at = 0; at < starts.size(); ++at) {
        TracedOp& one = rank.ops.emplace_back();
        one.op = op;
        one.iteration = iteration;
        one.start_ns = toNs(starts[at]);
        one.end_ns = toNs(ends[at]);
        if (one.end_ns < one.start_ns)
            throw ImportError(sentence("\"{0}\" number {1} ends before it starts", prefix, at));
        if (at < microbatches.size()) one.microbatch = microbatches[at];
        if (at < chunks.size()) one.chunk = chunks[at];
    }
}

// A forward and a backward with the same interval are one cell: each gets half of it.
void divideSharedIntervals(TracedRank& rank, std::size_t first) {
    const auto begin = rank.ops.begin() + static_cast<std::ptrdiff_t>(first);
    std::stable_sort(begin, rank.ops.end(),
                     [](const TracedOp& a, const TracedOp& b) { return a.start_ns < b.start_ns; });
    for (auto op = begin; op != rank.ops.end() && op + 1 != rank.ops.end(); ++op) {
        auto& next = *(op + 1);
        if (op->start_ns != next.start_ns || op->end_ns != next.end_ns || op->op == next.op ||
            op->end_ns == op->start_ns)
            continue;
        if (op->op != Op::Forward) std::swap(*op, next);
        op->overlaps_next = next.overlaps_before = true;
        op->end_ns = next.start_ns = op->start_ns + (op->end_ns - op->start_ns) / 2;
    }
}

// (T - F - B - W) / T with the rank's own T; here one iteration time stands for all ranks.
void addBubbleOfPrimus(TracedRank& rank, int iteration, std::int64_t total_ns) {
    const auto all_ns = static_cast<double>(total_ns);
    double busy_ns = 0;
    for (const TracedOp& op : rank.ops)
        if (op.iteration == iteration) busy_ns += static_cast<double>(op.end_ns - op.start_ns);
    rank.bubble_of_source[iteration] = (all_ns - busy_ns) / all_ns;
}

TracedRank readRank(const std::filesystem::path& file) {
    static const std::regex name("pp_rank_([0-9]{1,6})\\.json");
    const std::string leaf = file.filename().string();
    std::smatch match;
    TracedRank rank;
    rank.file = file.string();
    rank.rank = std::regex_match(leaf, match, name) ? std::stoi(match[1]) : -1;
    simdjson::dom::parser parser;
    element root;
    simdjson::dom::object iterations;
    const std::string text = wholeJson(file, kMostBytes);
    if (parser.parse(text).get(root) != simdjson::SUCCESS || root.get(iterations) != simdjson::SUCCESS)
        throw ImportError(sentence("it is no JSON object"));
    std::vector<std::pair<int, element>> by_number;
    for (const auto each : iterations) {
        int number = 0;
        const auto [end, error] = std::from_chars(each.key.data(), each.key.data() + each.key.size(), number);
        if (error != std::errc() || end != each.key.data() + each.key.size() || number < 0)
            throw ImportError(sentence("\"{0}\" is no number of an iteration", std::string(each.key)));
        by_number.emplace_back(number, each.value);
    }
    std::sort(by_number.begin(), by_number.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [number, parsed] : by_number) {
        const std::size_t first = rank.ops.size();
        const bool splits = !numbers(parsed, "wgrad_start").empty();
        addOps(rank, parsed, "fwd", Op::Forward, number);
        addOps(rank, parsed, "bwd", splits ? Op::BackwardInput : Op::Backward, number);
        if (splits) addOps(rank, parsed, "wgrad", Op::BackwardWeight, number);
        divideSharedIntervals(rank, first);
        double total_ms = 0;
        if (parsed["total"].get(total_ms) == simdjson::SUCCESS && std::isfinite(total_ms) && total_ms > 0 &&
            total_ms < 1e12)
            addBubbleOfPrimus(rank, number, toNs(total_ms));
    }
    return rank;
}

}  // namespace

TracedRun readPrimus(const std::filesystem::path& config, std::span<const std::filesystem::path> files) {
    TracedRun run;
    run.source = "Primus pp_vis";
    run.clocks = Clocks::PerIteration;
    simdjson::dom::parser parser;
    element parsed;
    const std::string text = wholeJson(config, kMostBytes);
    if (parser.parse(text).get(parsed) != simdjson::SUCCESS)
        throw ImportError(ofFile(config, sentence("it is no JSON object")));
    run.p = wholeNumber(parsed, {"pp_size"});
    run.v = std::max(1, wholeNumber(parsed, {"vp_size", "vpp_size"}));
    run.m = wholeNumber(parsed, {"num_mbs", "micro_batches"});
    if (run.p == 0)
        throw ImportError(
            sentence("{0} does not say \"pp_size\", the number of ranks of the pipeline", config.string()));
    for (const auto& file : files) {
        try {
            run.ranks.push_back(readRank(file));
        } catch (const ImportError& error) {
            throw ImportError(ofFile(file, error.said));
        }
    }
    sortRanks(run.ranks);
    std::vector<int> ranks;
    for (const TracedRank& rank : run.ranks) ranks.push_back(rank.rank);
    requireRanks(ranks, run.p, config);
    return run;
}

}  // namespace bscope
