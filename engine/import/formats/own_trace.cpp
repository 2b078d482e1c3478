// This program's own Chrome traces (timeline/chrome_trace.h): one file holds all ranks, names and numbers
// stand in "args", messages have their own threads.
#include <simdjson.h>

#include <charconv>
#include <cmath>
#include <deque>
#include <map>
#include <tuple>

#include "import/formats/event_pairs.h"
#include "import/formats/own_chains.h"
#include "import/formats/trace_json.h"
#include "import/neighbours.h"
#include "import/ranks_of_run.h"
#include "import/readers.h"
#include "import/trace/import_error.h"

namespace bscope {
namespace {

using OwnEvent = simdjson::dom::element;

class OwnTrace {
public:
    explicit OwnTrace(std::string file) : file_(std::move(file)) {}

    void event(std::string_view text) {
        OwnEvent event;
        if (parser_.parse(text.data(), text.size(), false).get(event) != simdjson::SUCCESS) return;
        std::string_view phase, category, name;
        std::int64_t thread = 0;
        if (event["ph"].get(phase) != simdjson::SUCCESS || event["name"].get(name) != simdjson::SUCCESS ||
            event["tid"].get(thread) != simdjson::SUCCESS)
            return;
        if (phase == "M") return metadata(event, name, thread);
        if (phase != "X" || event["cat"].get(category) != simdjson::SUCCESS) return;
        const auto op = parseOp(category);
        if (!op) return;  // kernels
        TracedOp traced;
        traced.op = *op;
        constexpr std::int64_t kMostNumber = 1 << 30;
        std::int64_t number[3] = {};
        const char* const keys[3] = {"iteration", "stage", "microbatch"};
        for (int at = 0; at < 3; ++at)
            if (event["args"][keys[at]].get(number[at]) != simdjson::SUCCESS || number[at] < -kMostNumber ||
                number[at] > kMostNumber)
                throw ImportError(ofFile(file_, sentence("an event has no \"{0}\"", keys[at])));
        traced.iteration = static_cast<int>(number[0]);
        traced.stage = static_cast<int>(number[1]);
        traced.microbatch = static_cast<int>(number[2]);
        double ts = 0, dur = 0;
        if (event["ts"].get(ts) != simdjson::SUCCESS || event["dur"].get(dur) != simdjson::SUCCESS ||
            !(std::abs(ts) < 4e15) || !(dur >= 0 && dur < 4e15))
            throw ImportError(ofFile(file_, sentence("an event has no time")));
        traced.start_ns = std::llround(ts * 1000);
        traced.end_ns = traced.start_ns + std::llround(dur * 1000);
        if (std::int64_t segment = 0; event["args"]["segment"].get(segment) == simdjson::SUCCESS)
            refuseSegments(file_);
        std::int64_t version = 0;
        if (event["args"]["weight_version"].get(version) == simdjson::SUCCESS) refuseAsynchronous(file_);
        if (isReceive(traced.op))
            receive(thread, traced, name.starts_with("wait "));
        else if (isCompute(traced.op) || traced.op == Op::OptimizerStep)
            ops_[thread].push_back(traced);
    }

    bool holdsOperations() const { return !ops_.empty(); }

    // Of a file that is cut off the messages of a rank may be missing, which is where replicas would part.
    TracedRun run(bool whole, std::optional<int> replica) {
        TracedRun run;
        run.source = "Bubblescope Chrome trace";
        if (!provenance_.empty()) run.source += " (" + provenance_ + ")";
        run.clocks = Clocks::Shared;
        run.messages_recorded = true;
        std::vector<TracedRank> ranks;
        for (auto& [thread, ops] : ops_) {
            const auto number = ranks_.find(thread);
            if (number == ranks_.end())
                throw ImportError(sentence("{0} does not say which rank a thread is", file_));
            TracedRank rank;
            rank.rank = number->second;
            rank.file = file_;
            rank.ops = std::move(ops);
            for (auto& [key, receive] : receives_)
                if (std::get<0>(key) == rank.rank) rank.receives.push_back(receive);
            ranks.push_back(std::move(rank));
        }
        sortRanks(ranks);
        for (std::size_t at = 0; at < ranks.size(); ++at)
            if (ranks[at].rank != static_cast<int>(at))
                throw ImportError(
                    ofFile(file_, sentence("the ranks must be 0 to {0}, each of them once; it names rank {1}",
                                           ranks.size() - 1, ranks[at].rank)));
        std::vector<int> placement;
        Chains chains = chainsOf(ranks, placement);
        keepFirstShards(run, ranks, chains);
        if (whole && !chains.empty())
            takeChain(run, std::move(ranks), chains, placement, file_, replica);
        else
            run.ranks = std::move(ranks);
        numberByPlace(run.ranks);
        return run;
    }

    void value(std::string_view key, std::string_view text) {
        simdjson::dom::parser parser;
        OwnEvent other;
        std::string_view provenance;
        if (key != "otherData" || parser.parse(text.data(), text.size()).get(other) != simdjson::SUCCESS)
            return;
        if (other["provenance"].get(provenance) == simdjson::SUCCESS) provenance_ = provenance;
        if (std::int64_t shards = 0; other["t"].get(shards) == simdjson::SUCCESS) shards_ = shards;
    }

private:
    // Ranks of tensor parallelism are next to each other and compute the same stages at the same time, so
    // that the first of each shows the pipeline.
    void keepFirstShards(TracedRun& run, std::vector<TracedRank>& ranks, Chains& chains) const {
        if (shards_ == 1) return;
        const auto count = static_cast<std::int64_t>(ranks.size());
        if (shards_ < 1 || shards_ > count || count % shards_ != 0)
            throw ImportError(ofFile(
                file_, sentence("\"t\" is {0}, which must divide the number of ranks, {1}", shards_, count)));
        std::erase_if(ranks, [this](const TracedRank& rank) { return rank.rank % shards_ != 0; });
        std::size_t at = 0;
        const auto shards = static_cast<std::size_t>(shards_);
        std::erase_if(chains, [&](const std::vector<int>&) { return at++ % shards != 0; });
        takeFirstShards(run, static_cast<int>(shards_));
    }

    // "rank 3", "rank 3 receives".
    void metadata(const OwnEvent& event, std::string_view name, std::int64_t thread) {
        std::string_view text;
        if (name != "thread_name" || event["args"]["name"].get(text) != simdjson::SUCCESS ||
            !text.starts_with("rank "))
            return;
        int rank = 0;
        const char* const end = text.data() + text.size();
        const auto [at, error] = std::from_chars(text.data() + 5, end, rank);
        if (error != std::errc() || rank < 0) return;
        const std::string_view rest(at, static_cast<std::size_t>(end - at));
        if (rest.empty()) ranks_[thread] = rank;
        if (rest == " receives") receivers_[thread] = rank;
    }

    // A wait comes before its transfer.
    void receive(std::int64_t thread, const TracedOp& traced, bool wait) {
        const auto rank = receivers_.find(thread);
        if (rank == receivers_.end()) return;
        const std::tuple key(rank->second, traced.iteration, traced.op, traced.stage, traced.microbatch);
        auto [at, fresh] = receives_.try_emplace(key);
        TracedReceive& receive = at->second;
        if (fresh) {
            receive.op = traced.op;
            receive.stage = traced.stage;
            receive.microbatch = traced.microbatch;
            receive.iteration = traced.iteration;
            receive.start_ns = traced.start_ns;
        }
        receive.transfer_ns = wait ? traced.end_ns : traced.start_ns;
        receive.end_ns = traced.end_ns;
    }

    std::string file_, provenance_;
    std::int64_t shards_ = 1;
    simdjson::dom::parser parser_;
    std::map<std::int64_t, int> ranks_, receivers_;
    std::map<std::int64_t, std::vector<TracedOp>> ops_;
    std::map<std::tuple<int, int, Op, int, int>, TracedReceive> receives_;
};

}  // namespace

TracedRun readOwnTrace(const std::filesystem::path& file, const ReadOptions& options) {
    FileText text(file);
    std::deque<OwnTrace> traces;
    traces.emplace_back(file.string());
    EventPairs pairs([&](std::string_view event) { traces.back().event(event); });
    TraceJson json([&](std::string_view event) { pairs.event(event); },
                   [&](std::string_view key, std::string_view value) { traces.back().value(key, value); },
                   [&] {
                       if (!traces.back().holdsOperations()) traces.pop_back();
                       traces.emplace_back(file.string());
                       pairs.forget();
                   });
    bool whole = json.read(text, [&] {
        if (options.progress && !options.progress(text.position(), text.size())) throw ImportCancelled();
    });
    if (traces.size() > 1 && !traces.back().holdsOperations()) traces.pop_back(), whole = true;
    TracedRun run = traces.back().run(whole, options.replica);
    if (traces.size() > 1) run.notes.push_back(severalTracesNote(file, traces.size()));
    if (run.ranks.empty()) throw ImportError(sentence("{0} holds no operation of a pipeline", file.string()));
    if (!whole) run.notes.push_back(cutOffNote(file));
    return run;
}

}  // namespace bscope
