// Traces that number forwards and backwards in their arguments (step_event.h): one file of all ranks, or a
// file a rank. Which rank an event is of stands in its arguments, in the name of its thread or process, or in
// that of the file; else its process is the rank of the pipeline and its thread the tensor rank, as
// MegatronApp has it.
#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <tuple>

#include "import/formats/files_progress.h"
#include "import/formats/step_event.h"
#include "import/formats/step_ranges.h"
#include "import/formats/trace_json.h"
#include "import/formats/trace_values.h"
#include "import/trace/import_error.h"
#include "import/ranks_of_run.h"
#include "import/readers.h"
#include "schedule/schedule.h"

namespace bscope {
namespace {

using simdjson::dom::element;
using LaneKey = std::pair<std::int64_t, std::int64_t>;  // process, thread

constexpr int kMaxTensorRanks = 1 << 20;  // as places are read

// What one thread of a file did.
struct Lane {
    std::string file;
    LaneKey key;
    StepPlace place;
    bool cut_off = false;
    std::vector<StepEvent> events;
};

class StepFile {
public:
    explicit StepFile(std::filesystem::path file) : file_(std::move(file)) {}

    void event(std::string_view text) {
        if (text.find("orward") == std::string_view::npos && text.find("ackward") == std::string_view::npos &&
            text.find("optimizer") == std::string_view::npos &&
            text.find("\"iteration\"") == std::string_view::npos &&
            text.find("_name\"") == std::string_view::npos)
            return;
        element event;
        if (parser_.parse(text.data(), text.size(), false).get(event) != simdjson::SUCCESS) return;
        const std::string_view name = textOf(event, "name");
        if (name == "thread_name" || name == "process_name") return metadata(name, event);
        if (name == "iteration") return iteration(event);
        auto step = stepEvent(event);
        if (!step) return;
        if (counted_) {
            if (!in_iteration_) return;  // an evaluation
            step->iteration = iterations_;
            if (__builtin_add_overflow(step->start_ns, begin_ns_, &step->start_ns)) return;
            step->end_ns = step->start_ns;
        }
        if (isCompute(step->op)) counted_by_end_ |= step->phase != StepEvent::Phase::Whole;
        Lane& lane = lanes_[{step->process, step->thread}];
        lane.place.fillFrom(step->place);
        lane.events.push_back(*step);
    }

    // Lanes of operations, each with what is said of its place.
    std::vector<Lane> lanes(bool whole) {
        const StepPlace of_file = placeInName(file_.filename().string());
        std::vector<Lane> found;
        for (auto& [key, lane] : lanes_) {
            if (std::ranges::none_of(lane.events, [](const StepEvent& each) { return isCompute(each.op); }))
                continue;
            lane.key = key;
            lane.file = file_.string();
            lane.cut_off = !whole;
            if (const auto named = threads_.find(key); named != threads_.end())
                lane.place.fillFrom(named->second);
            if (const auto named = processes_.find(key.first); named != processes_.end())
                lane.place.fillFrom(named->second);
            if (counted_) lane.place.fillFrom(of_file);
            found.push_back(std::move(lane));
        }
        placeByNumbers(found);
        return found;
    }
    bool isEmpty() const { return lanes_.empty(); }
    bool isCounted() const { return counted_; }
    bool hasPairs() const { return counted_by_end_; }

private:
    void metadata(std::string_view kind, const element& event) {
        std::int64_t process = 0, thread = 0;
        std::string_view name;
        if (event["args"]["name"].get(name) != simdjson::SUCCESS) return;
        if (event["pid"].get(process) != simdjson::SUCCESS) return;
        if (kind == "process_name") {
            processes_[process] = placeInName(name);
        } else if (event["tid"].get(thread) == simdjson::SUCCESS) {
            threads_[{process, thread}] = placeInName(name);
        }
    }

    // A rank's own file counts from the beginning of every iteration, and says how long it and the pause
    // before it were.
    void iteration(const element& event) {
        const auto length = [&](const char* key) {
            std::int64_t ns = 0;
            const bool known = event[key].get(ns) == simdjson::SUCCESS && ns >= 0 && ns < kFarthest_ns;
            return known ? ns : 0;
        };
        const std::string_view phase = textOf(event, "ph");
        if (phase == "B") {
            counted_ = true;
            in_iteration_ = true;
            begin_ns_ = later(begin_ns_, length("pad_before"));
        } else if (phase == "E" && in_iteration_) {
            in_iteration_ = false;
            ++iterations_;
            begin_ns_ = later(begin_ns_, std::max(length("duration_wall"), length("rel_ts")));
        }
    }
    std::int64_t later(std::int64_t time_ns, std::int64_t by_ns) const {
        if (time_ns + by_ns >= kFarthest_ns)
            throw ImportError(ofFile(file_, sentence("its times are outside the range of a clock")));
        return time_ns + by_ns;
    }

    // Processes are ranks of the pipeline, one replica after the other; threads are tensor ranks. Threads of
    // one process at one place are tensor ranks as well.
    static void placeByNumbers(std::vector<Lane>& lanes) {
        for (Lane& lane : lanes)
            if (lane.place.pipeline < 0 && lane.key.first >= 0 && lane.key.first < kMaxRanks)
                lane.place.pipeline = static_cast<int>(lane.key.first);
        std::map<std::tuple<std::int64_t, int, int, int>, int> threads;
        for (Lane& lane : lanes) {
            if (lane.place.tensor < 0 && lane.key.second >= 0 && lane.key.second < kMaxRanks)
                lane.place.tensor = static_cast<int>(lane.key.second);
            lane.place.tensor = std::max(lane.place.tensor, 0);
            const int twins =
                threads[{lane.key.first, lane.place.data, lane.place.pipeline, lane.place.tensor}]++;
            lane.place.tensor += std::min(twins, kMaxRanks) * kMaxTensorRanks;
        }
        std::map<std::pair<int, int>, std::set<std::int64_t>> processes;
        for (const Lane& lane : lanes)
            if (lane.place.data < 0)
                processes[{lane.place.pipeline, lane.place.tensor}].insert(lane.key.first);
        for (Lane& lane : lanes) {
            if (lane.place.data >= 0) continue;
            const auto& all = processes[{lane.place.pipeline, lane.place.tensor}];
            lane.place.data = static_cast<int>(std::distance(all.begin(), all.find(lane.key.first)));
        }
    }

    std::filesystem::path file_;
    simdjson::dom::parser parser_;
    std::map<LaneKey, Lane> lanes_;
    std::map<LaneKey, StepPlace> threads_;
    std::map<std::int64_t, StepPlace> processes_;
    bool counted_ = false, in_iteration_ = false, counted_by_end_ = false;
    int iterations_ = 0;
    std::int64_t begin_ns_ = 0;
};

// Where iterations begin anew after later ones, with an operation that they have had already, another run begins:
// of several the last one is kept. Gives how many there are.
int keepLastRun(std::vector<StepEvent>& events) {
    std::ranges::stable_sort(events, {}, &StepEvent::start_ns);
    int runs = 1, first = -1, latest = -1;
    std::size_t begin = 0;
    using Seen = std::tuple<int, Op, StepEvent::Phase, int, int>;
    std::set<Seen> seen;  // in this run
    for (std::size_t at = 0; at < events.size(); ++at) {
        const StepEvent& event = events[at];
        const int iteration = event.iteration;
        if (iteration < 0) continue;
        if (first < 0) first = iteration;
        const Seen key{iteration, event.op, event.phase, event.chunk, event.microbatch};
        if (iteration <= first && iteration < latest && (iteration < first || seen.contains(key))) {
            begin = at;
            first = latest = iteration;
            seen.clear();
            ++runs;
        }
        seen.insert(key);
        latest = std::max(latest, iteration);
    }
    events.erase(events.begin(), events.begin() + static_cast<std::ptrdiff_t>(begin));
    return runs;
}

// Of documents in one file those that no later one is of the same ranks of. Whether any is left out.
bool keepLastOfEachPlace(std::vector<std::vector<Lane>>& documents) {
    std::set<std::tuple<int, int, int>> later;
    std::vector<std::vector<Lane>> kept;
    for (auto document = documents.rbegin(); document != documents.rend(); ++document) {
        const auto placeOf = [](const Lane& lane) {
            return std::tuple(lane.place.data, lane.place.pipeline, lane.place.tensor);
        };
        if (std::ranges::any_of(*document, [&](const Lane& lane) { return later.contains(placeOf(lane)); }))
            continue;
        for (const Lane& lane : *document) later.insert(placeOf(lane));
        kept.insert(kept.begin(), std::move(*document));
    }
    const bool left_out = kept.size() < documents.size();
    documents = std::move(kept);
    return left_out;
}

// Of one run each rank is there once.
void requireOneRun(const std::vector<Lane>& lanes) {
    std::map<std::tuple<int, int, int>, const Lane*> seen;
    for (const Lane& lane : lanes) {
        if (lane.place.pipeline < 0 || lane.place.pipeline >= kMaxRanks)
            throw ImportError(ofFile(
                lane.file, sentence("it does not say which rank of the pipeline its process {0} is, or one "
                                    "from {1} on, which cannot be shown",
                                    lane.key.first, kMaxRanks)));
        const auto [of, fresh] =
            seen.try_emplace({lane.place.data, lane.place.pipeline, lane.place.tensor}, &lane);
        if (!fresh)
            throw ImportError(sentence("{0} and {1} are both of rank {2}; import the files of one run",
                                       of->second->file, lane.file, lane.place.pipeline));
    }
}

// Tensor ranks share the work of each operation: the first one of each stage stands for them.
void keepFirstTensorRank(std::vector<Lane>& lanes, TracedRun& run) {
    std::ranges::stable_sort(lanes, [](const Lane& a, const Lane& b) {
        return std::tie(a.place.data, a.place.pipeline, a.place.tensor) <
               std::tie(b.place.data, b.place.pipeline, b.place.tensor);
    });
    const std::size_t all = lanes.size();
    const auto same = [](const Lane& a, const Lane& b) {
        return a.place.data == b.place.data && a.place.pipeline == b.place.pipeline;
    };
    lanes.erase(std::unique(lanes.begin(), lanes.end(), same), lanes.end());
    if (all > lanes.size())
        run.notes.push_back(
            sentence("of {0} tensor-parallel ranks of a stage, which share each operation, "
                     "the times of the first one are shown",
                     (all + lanes.size() - 1) / lanes.size()));
}

TracedRank rankOf(Lane& lane, int number) {
    TracedRank rank;
    rank.rank = number;
    rank.file = lane.file;
    rank.cut_off = lane.cut_off;
    StepOperations found = stepOperations(std::move(lane.events));
    rank.ops = std::move(found.ops);
    if (rank.ops.empty() && !found.unpaired.empty()) {
        if (lane.cut_off)
            throw ImportError(
                sentence("{0} is cut off before the end of its first iteration, so that nothing of the run "
                         "can be shown",
                         lane.file));
        throw ImportError(ofFile(
            lane.file, sentence("in each iteration a forward or backward of rank {0} has no beginning or no "
                                "end, first in iteration {1}",
                                lane.place.pipeline, found.unpaired.begin()->first)));
    }
    return rank;
}

}  // namespace

TracedRun readStepTraces(std::span<const std::filesystem::path> files, const ReadOptions& options) {
    FilesProgress progress(files, options.progress);
    TracedRun run;
    std::vector<Lane> lanes, merged;
    bool counted = false, pairs = false;
    for (const auto& path : files) {
        std::deque<StepFile> documents;
        documents.emplace_back(path);
        FileText text(path);
        TraceJson json([&](std::string_view event) { documents.back().event(event); },
                       [](std::string_view, std::string_view) {}, [&] {
                           if (documents.back().isEmpty()) documents.pop_back();
                           documents.emplace_back(path);
                       });
        const bool whole = json.read(text, [&] { progress.report(text.position()); });
        progress.finish(path);
        if (!whole) run.notes.push_back(cutOffNote(path));
        std::vector<std::vector<Lane>> of_file;
        for (StepFile& document : documents) {
            of_file.push_back(document.lanes(whole || &document != &documents.back()));
            counted |= document.isCounted();
            pairs |= document.hasPairs();
            if (of_file.back().empty()) of_file.pop_back();
        }
        if (of_file.empty()) throw ImportError(ofFile(path, sentence("it holds no forward and no backward")));
        if (const std::size_t all = of_file.size(); keepLastOfEachPlace(of_file))
            run.notes.push_back(severalTracesNote(path, all));
        const bool counts = std::ranges::any_of(documents, &StepFile::isCounted);
        for (std::vector<Lane>& of : of_file) std::ranges::move(of, std::back_inserter(counts ? lanes : merged));
    }
    // What MegatronApp makes of the files of the ranks stands beside them.
    if (counted && !merged.empty())
        run.notes.push_back(
            sentence("{0} is left out: the files of its ranks are there", merged.front().file));
    else
        std::ranges::move(merged, std::back_inserter(lanes));
    int runs = 1;
    const Lane* of_several = nullptr;
    for (Lane& lane : lanes) {
        const int found = keepLastRun(lane.events);
        if (found > runs) runs = found, of_several = &lane;
    }
    if (of_several != nullptr) run.notes.push_back(severalRunsNote(of_several->file, runs));
    requireOneRun(lanes);
    keepFirstTensorRank(lanes, run);
    run.source = pairs ? "MegatronApp trace" : "StragglerAnalysis timeline";
    run.clocks = pairs ? Clocks::PerIteration : Clocks::PerRank;

    const int p =
        std::ranges::max(lanes, {}, [](const Lane& lane) { return lane.place.pipeline; }).place.pipeline + 1;
    std::map<int, std::vector<int>> groups;  // by replica
    std::vector<TracedRank> ranks;
    for (Lane& lane : lanes) {
        auto& group = groups[lane.place.data];
        if (group.empty())
            for (int at = 0; at < p; ++at) group.push_back(lane.place.data * p + at);
        ranks.push_back(rankOf(lane, lane.place.data * p + lane.place.pipeline));
    }
    const auto weighs = [](const TracedOp& op) { return op.op == Op::BackwardWeight; };
    if (std::ranges::any_of(ranks,
                            [&](const TracedRank& rank) { return std::ranges::any_of(rank.ops, weighs); }))
        for (TracedRank& rank : ranks)
            for (TracedOp& op : rank.ops)
                if (op.op == Op::Backward) op.op = Op::BackwardInput;
    Replicas replicas;
    for (auto& [data, group] : groups) replicas.push_back(std::move(group));
    takeReplica(run, std::move(ranks), std::move(replicas), options.replica);
    return run;
}

}  // namespace bscope
