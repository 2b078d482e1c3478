#include "import/settings_changed.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "schedule/action.h"

namespace bscope {
namespace {

// What the ranks did in one iteration.
struct Did {
    std::string order;  // every rank's operations with their numbers, as text that is compared alone
    int forwards = 0;   // of the first rank
    bool whole = true;  // each rank ran as many forwards as backwards, as did the others
};

struct Counts {
    std::string order;
    int forwards = 0, backwards = 0;
};

std::map<int, Did> didOf(const TracedRun& run) {
    std::map<int, std::vector<Counts>> counted;  // (iterations, ranks)
    for (std::size_t rank = 0; rank < run.ranks.size(); ++rank) {
        std::vector<const TracedOp*> ops;
        for (const TracedOp& op : run.ranks[rank].ops)
            if (isCompute(op.op) && op.op != Op::Recompute) ops.push_back(&op);
        std::ranges::stable_sort(ops, {}, [](const TracedOp* op) { return op->start_ns; });
        for (const TracedOp* op : ops) {
            auto& of_ranks = counted[op->iteration];
            of_ranks.resize(run.ranks.size());
            Counts& of = of_ranks[rank];
            of.order += toText({op->stage >= 0 ? op->stage : op->chunk, op->op, op->microbatch}) + ' ';
            of.forwards += op->op == Op::Forward;
            of.backwards += op->op == Op::Backward || op->op == Op::BackwardInput;
        }
    }
    std::map<int, Did> iterations;
    for (const auto& [iteration, of_ranks] : counted) {
        Did& did = iterations[iteration];
        did.forwards = of_ranks.front().forwards;
        for (const Counts& of : of_ranks) {
            did.order += of.order + '|';
            did.whole = did.whole && of.forwards > 0 && of.forwards == of.backwards &&
                        of.forwards == did.forwards;
        }
    }
    return iterations;
}

}  // namespace

void keepNewestSettings(TracedRun& run) {
    if (run.provenance != Provenance::Imported || !run.growing.empty()) return;
    const std::map<int, Did> iterations = didOf(run);
    struct Alike {
        const Did* did = nullptr;
        int first = 0, last = 0, count = 0;
    };
    std::map<std::string_view, Alike> by_order;  // whole ones
    for (const auto& [iteration, did] : iterations) {
        if (!did.whole) continue;
        Alike& alike = by_order.try_emplace(did.order, Alike{&did, iteration, iteration, 0}).first->second;
        alike.last = iteration;
        ++alike.count;
    }
    std::vector<Alike> all;
    for (const auto& [order, alike] : by_order) all.push_back(alike);
    std::erase_if(all, [](const Alike& each) { return each.count < 2; });
    if (all.size() < 2) return;
    const Alike& newest = *std::ranges::max_element(all, {}, &Alike::last);
    const Alike* before = nullptr;  // the one that it follows
    for (const Alike& each : all) {
        if (&each == &newest) continue;
        if (each.last >= newest.first) return;  // both go on: what differs is no run of its own
        if (before == nullptr || each.last > before->last) before = &each;
    }
    run.notes.push_back(
        before->did->forwards != newest.did->forwards
            ? sentence("up to iteration {0} a rank ran {1} forwards in an iteration, from iteration {2} on {3}: "
                       "two runs one after the other, or settings that changed. The newer iterations are shown",
                       before->last, before->did->forwards, newest.first, newest.did->forwards)
            : sentence("up to iteration {0} operations ran in another order than from iteration {1} on: two "
                       "runs one after the other, or settings that changed. The newer iterations are shown",
                       before->last, newest.first));
    const auto older = [first = newest.first](const auto& each) { return each.iteration < first; };
    for (TracedRank& rank : run.ranks) {
        std::erase_if(rank.ops, older);
        std::erase_if(rank.receives, older);
        std::erase_if(rank.sends, older);
    }
}

}  // namespace bscope
