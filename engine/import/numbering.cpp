#include "import/numbering.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "import/trace/import_error.h"
#include "schedule/schedule.h"

namespace bscope {
namespace {

Sentence ofRank(const TracedRank& rank) {
    return sentence("rank {0} ({1})", rank.rank, rank.file);
}

// (iterations, ...) how often a rank did what; OPT does not count.
std::map<int, std::map<Op, int>> countsOf(const TracedRank& rank) {
    std::map<int, std::map<Op, int>> counts;
    for (const TracedOp& op : rank.ops)
        if (isCompute(op.op) && op.op != Op::Recompute) ++counts[op.iteration][op.op];
    return counts;
}

// Iterations in which every rank did as much as in its fullest one.
std::vector<int> wholeIterations(TracedRun& run) {
    std::set<int> all, broken;
    for (const TracedRank& rank : run.ranks) {
        const auto counts = countsOf(rank);
        std::map<Op, int> most;
        for (const auto& [iteration, of] : counts) {
            all.insert(iteration);
            for (const auto& [op, count] : of) most[op] = std::max(most[op], count);
        }
        for (const auto& [iteration, of] : counts)
            if (of != most) broken.insert(iteration);
    }
    for (const TracedRank& rank : run.ranks) {
        const auto counts = countsOf(rank);
        for (const int iteration : all)
            if (!counts.contains(iteration)) broken.insert(iteration);
    }
    std::vector<int> whole;
    std::set_difference(all.begin(), all.end(), broken.begin(), broken.end(), std::back_inserter(whole));
    if (whole.empty()) throw UnfinishedRun(sentence("no iteration is whole on every rank"));
    if (!broken.empty())
        run.notes.push_back(
            broken.size() == 1
                ? sentence("1 iteration is not whole on every rank and left out")
                : sentence("{0} iterations are not whole on every rank and left out", broken.size()));
    const auto is_broken = [&](const auto& each) {
        return !std::binary_search(whole.begin(), whole.end(), each.iteration);
    };
    for (TracedRank& rank : run.ranks) {
        std::erase_if(rank.ops, is_broken);
        std::erase_if(rank.receives, is_broken);
        std::erase_if(rank.sends, is_broken);
    }
    return whole;
}

// A stage that is numbered past, or that a message goes to or comes from, ran somewhere.
void requireAllStages(const TracedRun& run, const std::set<int>& named) {
    int last = *named.rbegin();
    for (const TracedRank& rank : run.ranks) {
        for (const TracedSend& each : rank.sends)
            if (each.op == Op::SendForward) last = std::max(last, each.stage + 1);
        for (const TracedReceive& each : rank.receives)
            if (each.op == Op::RecvBackward) last = std::max(last, each.stage + 1);
    }
    std::string missing;
    for (int stage = 0; stage <= std::min(last, kMaxRanks * kMaxChunks); ++stage)
        if (!named.contains(stage)) missing += (missing.empty() ? "" : ", ") + std::to_string(stage);
    if (!missing.empty())
        throw MissingStages(sentence(
            "no file runs stage {0}: the files of other ranks are missing, give those of all", missing));
}

// Each rank runs each micro-batch as often forward, and as often backward, as the first one; before < 0: it
// is the first.
void requireAsMany(const TracedRun& run, const TracedRank& rank, int own, int before, bool forwards) {
    if (before < 0 || own == before) return;
    const TracedRank& fewer = own < before ? rank : run.ranks.front();
    if (fewer.cut_off)
        throw ImportError(
            sentence("{0} is cut off before the end of its first iteration, so that nothing of the run can "
                     "be shown",
                     fewer.file));
    throw ImportError(
        forwards
            ? sentence("{0} ran {1} forwards in an iteration and rank {2} {3}: the files are of mixed runs",
                       ofRank(rank), own, run.ranks.front().rank, before)
            : sentence("{0} ran {1} backwards in an iteration and rank {2} {3}: the files are of mixed runs",
                       ofRank(rank), own, run.ranks.front().rank, before));
}

// Sets run.v and run.m from what the ranks did in one iteration.
void findSizes(TracedRun& run, int iteration) {
    run.p = static_cast<int>(run.ranks.size());
    int forwards = -1, backwards = -1;
    std::set<int> stages, microbatches;
    int chunks = 1;
    for (const TracedRank& rank : run.ranks) {
        int own = 0, own_backwards = 0;
        std::set<int> own_stages;
        for (const TracedOp& op : rank.ops) {
            if (op.iteration != iteration) continue;
            own_backwards += op.op == Op::Backward || op.op == Op::BackwardInput;
            if (op.op != Op::Forward) continue;
            ++own;
            if (op.stage >= 0) own_stages.insert(op.stage);
            if (op.microbatch >= 0) microbatches.insert(op.microbatch);
            chunks = std::max(chunks, op.chunk + 1);
        }
        requireAsMany(run, rank, own, forwards, true);
        requireAsMany(run, rank, own_backwards, backwards, false);
        backwards = own_backwards;
        forwards = own;
        stages.insert(own_stages.begin(), own_stages.end());
    }
    if (forwards <= 0) throw ImportError(sentence("no rank ran a forward"));
    if (!stages.empty()) {
        requireAllStages(run, stages);
        if (static_cast<int>(stages.size()) % run.p != 0)
            throw ImportError(sentence("the ranks name {0} stages, which p = {1} ranks do not share evenly",
                                       stages.size(), run.p));
        run.v = static_cast<int>(stages.size()) / run.p;
    } else {
        run.v = std::max({run.v, chunks, 1});
    }
    if (forwards % run.v != 0)
        throw ImportError(
            sentence("a rank ran {0} forwards, which is no multiple of v = {1}", forwards, run.v));
    if (run.m != 0 && run.m != forwards / run.v)
        run.notes.push_back(
            sentence("the files say m = {0}; the ranks ran m = {1}", run.m, forwards / run.v));
    run.m = forwards / run.v;
    if (run.p > kMaxRanks || run.v > kMaxChunks || run.m > kMaxMicrobatches ||
        static_cast<long>(run.p) * run.v * run.m > kMaxCells)
        throw ImportError(sentence("the pipeline is larger than what can be shown: p = {0}, v = {1}, m = {2}",
                                   run.p, run.v, run.m));
}

// Numbers of micro-batch and chunk from the order, per rank, iteration and kind of operation.
bool numberByOrder(TracedRun& run) {
    bool inferred = false;
    for (TracedRank& rank : run.ranks) {
        std::map<Op, int> next;  // of this iteration
        int iteration = -1;
        for (TracedOp& op : rank.ops) {
            if (!isCompute(op.op)) continue;
            if (std::exchange(iteration, op.iteration) != op.iteration) next.clear();
            const int k = next[op.op]++;
            const bool backward = isBackward(op.op);
            const int within = k % (run.p * run.v);
            int turn = within / run.p;
            int microbatch = run.v == 1 ? k : k / (run.p * run.v) * run.p + within % run.p;
            if (run.chunks_in_turn) {  // backward the last one first, as looped BFS has it
                turn = std::min(k / run.m, run.v - 1);
                microbatch = backward ? run.m - 1 - k % run.m : k % run.m;
            }
            const int chunk = backward ? run.v - 1 - turn : turn;
            if (op.microbatch < 0) {
                op.microbatch = microbatch;
                inferred = true;
            }
            if (op.stage < 0 && op.chunk < 0) op.chunk = chunk;
        }
    }
    return inferred;
}

// Where chunks run one after the other, the last rank sends nothing on from the forwards of the last one.
// What is received says less, since it may have been asked for long before.
void requireChunksInTurn(const TracedRun& run) {
    if (!run.chunks_in_turn || !run.ranks.front().forwards_return) return;
    const TracedRank& last = run.ranks.back();
    std::map<int, int> sent;  // (forwards of an iteration,) in how many iterations
    std::set<int> iterations;
    int iteration = -1, at = 0;
    for (const TracedOp& op : last.ops) {
        if (op.op != Op::Forward) continue;
        if (std::exchange(iteration, op.iteration) != op.iteration) at = 0;
        iterations.insert(iteration);
        sent[at++] += op.sent;
    }
    for (const auto& [forward, times] : sent)
        if (forward >= run.m * (run.v - 1) && 2 * times > static_cast<int>(iterations.size()))
            throw ImportError(
                sentence("rank {0} sends something on after forward {1} of an iteration: its chunks do not "
                         "run one after "
                         "the other",
                         last.rank, forward + 1));
}

int contradictions(const TracedRun& run, const std::vector<int>& placement, int iteration) {
    // Start of the forwards, by stage and micro-batch: each comes after that of the stage before.
    std::map<std::pair<int, int>, std::int64_t> start;
    for (const TracedRank& rank : run.ranks)
        for (const TracedOp& op : rank.ops)
            if (op.iteration == iteration && op.op == Op::Forward)
                for (std::size_t stage = 0; stage < placement.size(); ++stage)
                    if (placement[stage] == rank.rank && static_cast<int>(stage) / run.p == op.chunk)
                        start[{static_cast<int>(stage), op.microbatch}] = op.start_ns;
    int count = 0;
    for (const auto& [key, time] : start) {
        const auto before = start.find({key.first - 1, key.second});
        if (before != start.end() && before->second > time) ++count;
    }
    return count;
}

std::vector<int> placementOf(TracedRun& run, int iteration) {
    std::vector<int> placement(static_cast<std::size_t>(run.p) * static_cast<std::size_t>(run.v), -1);
    bool named = false;
    for (const TracedRank& rank : run.ranks)
        for (const TracedOp& op : rank.ops) {
            if (op.stage < 0) continue;
            named = true;
            if (op.stage >= static_cast<int>(placement.size()))
                throw ImportError(sentence("{0} names stage {1}; there are {2} stages", ofRank(rank),
                                           op.stage, placement.size()));
            int& at = placement[static_cast<std::size_t>(op.stage)];
            if (at >= 0 && at != rank.rank)
                throw ImportError(
                    sentence("stage {0} is run by rank {1} and by rank {2}: import the files of one pipeline",
                             op.stage, at, rank.rank));
            at = rank.rank;
        }
    if (!named) {
        placement = loopPlacement(run.p, run.v);
        const std::vector<int> zigzag = zigzagPlacement(run.p, run.v);
        if (contradictions(run, zigzag, iteration) < contradictions(run, placement, iteration))
            placement = zigzag;
    }
    for (std::size_t stage = 0; stage < placement.size(); ++stage)
        if (placement[stage] < 0) throw ImportError(sentence("no rank runs stage {0}", stage));
    return placement;
}

// Of a rank that runs one stage, its messages are that stage's.
void stageMessages(TracedRun& run, const std::vector<int>& placement) {
    for (TracedRank& rank : run.ranks) {
        if (std::ranges::count(placement, rank.rank) != 1) continue;
        const int stage = static_cast<int>(std::ranges::find(placement, rank.rank) - placement.begin());
        const auto place = [stage](auto& items) {
            for (auto& each : items)
                if (each.stage < 0) each.stage = stage;
        };
        place(rank.receives);
        place(rank.sends);
    }
}

}  // namespace

Numbering numberOperations(TracedRun& run) {
    if (run.ranks.empty()) throw ImportError(sentence("there is no rank"));
    for (TracedRank& rank : run.ranks) {
        std::stable_sort(rank.ops.begin(), rank.ops.end(), [](const TracedOp& a, const TracedOp& b) {
            return std::tie(a.iteration, a.start_ns) < std::tie(b.iteration, b.start_ns);
        });
        std::ranges::stable_sort(rank.receives, {}, &TracedReceive::iteration);
        std::ranges::stable_sort(rank.sends, {}, &TracedSend::iteration);
    }
    Numbering numbering;
    numbering.iterations = wholeIterations(run);
    findSizes(run, numbering.iterations.front());
    requireChunksInTurn(run);
    numbering.inferred = numberByOrder(run);
    numbering.placement = placementOf(run, numbering.iterations.front());
    for (TracedRank& rank : run.ranks) {
        std::set<std::tuple<Op, int, int>> seen;  // in this iteration
        int iteration = -1;
        for (TracedOp& op : rank.ops) {
            if (!isCompute(op.op)) continue;
            if (std::exchange(iteration, op.iteration) != op.iteration) seen.clear();
            if (op.stage < 0) {
                int chunk = 0;
                for (std::size_t stage = 0; stage < numbering.placement.size(); ++stage)
                    if (numbering.placement[stage] == rank.rank && chunk++ == op.chunk)
                        op.stage = static_cast<int>(stage);
                if (op.stage < 0)
                    throw ImportError(
                        sentence("{0} names chunk {1}; v = {2}", ofRank(rank), op.chunk, run.v));
            }
            if (op.microbatch < 0 || op.microbatch >= run.m)
                throw ImportError(
                    sentence("{0} names micro-batch {1}; m = {2}", ofRank(rank), op.microbatch, run.m));
            if (op.op != Op::Recompute && !seen.insert({op.op, op.stage, op.microbatch}).second)
                throw ImportError(sentence("{0} ran {1} twice in iteration {2}", ofRank(rank),
                                           toText({op.stage, op.op, op.microbatch}), op.iteration));
        }
    }
    stageMessages(run, numbering.placement);
    return numbering;
}

}  // namespace bscope
