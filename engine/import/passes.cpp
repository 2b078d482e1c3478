#include "import/passes.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "timeline/median.h"

namespace bscope {
namespace {

using Place = std::pair<int, int>;  // iteration, pass

template <class Item>
Place placeOf(const Item& item) {
    return {item.iteration, item.pass};
}

// Of everything in the run: operations, receives and sends.
template <class Predicate>
void eraseIf(TracedRun& run, Predicate predicate) {
    for (TracedRank& rank : run.ranks) {
        std::erase_if(rank.ops, predicate);
        std::erase_if(rank.receives, predicate);
        std::erase_if(rank.sends, predicate);
        std::erase_if(rank.work, predicate);
    }
}

struct Facts {
    int worked = 0, idle = 0;
    // (ranks, ...) durations
    std::map<int, std::vector<double>> forwards, backwards;
};

// Where nothing else decides: a backward costs more than its forward, and one that takes this share of it on
// every rank is the call of an empty function.
bool takeNoTime(const Facts& facts) {
    constexpr double nothing = 0.05;
    return !facts.backwards.empty() && std::ranges::all_of(facts.backwards, [&](const auto& of) {
        const auto forwards = facts.forwards.find(of.first);
        return forwards != facts.forwards.end() && median(of.second) < nothing * median(forwards->second);
    });
}

// imported: by another program, whose names may be of calls that do nothing.
bool isForwardOnly(const Facts& facts, bool imported) {
    if (facts.worked > 0) return false;
    return facts.backwards.empty() || facts.idle > 0 || (imported && takeNoTime(facts));
}

std::map<Place, Facts> factsOf(const TracedRun& run) {
    std::map<Place, Facts> passes;
    for (const TracedRank& rank : run.ranks)
        for (const TracedOp& op : rank.ops) {
            const double took_ns = static_cast<double>(op.end_ns - op.start_ns);
            if (op.op == Op::Forward) passes[placeOf(op)].forwards[rank.rank].push_back(took_ns);
            if (!isBackward(op.op)) continue;
            Facts& facts = passes[placeOf(op)];
            facts.backwards[rank.rank].push_back(took_ns);
            facts.worked += op.evidence == TracedOp::Evidence::Worked;
            facts.idle += op.evidence == TracedOp::Evidence::Idle;
        }
    return passes;
}

}  // namespace

void leaveOutForwardPasses(TracedRun& run) {
    std::map<Place, Facts> passes = factsOf(run);
    if (passes.empty()) return;
    std::set<Place> forward, idle;
    for (const auto& [place, facts] : passes) {
        if (!isForwardOnly(facts, run.provenance == Provenance::Imported)) continue;
        forward.insert(place);
        if (!facts.backwards.empty()) idle.insert(place);
    }
    const auto isIn = [](const std::set<Place>& places, const auto& item) {
        return places.contains(placeOf(item));
    };
    const bool cut_off = std::ranges::any_of(run.ranks, &TracedRank::cut_off);
    const Place last = passes.rbegin()->first;
    if (forward.size() == passes.size()) {
        for (TracedRank& rank : run.ranks) {
            std::erase_if(rank.ops, [&](const TracedOp& op) {
                return isBackward(op.op) || op.op == Op::OptimizerStep;
            });
            std::erase_if(rank.receives, [](const auto& each) { return each.op == Op::RecvBackward; });
            std::erase_if(rank.sends, [](const auto& each) { return each.op == Op::SendBackward; });
        }
        if (!idle.empty())
            run.notes.push_back(
                sentence("what the files name a backward does no work: the run is forward only"));
        return;
    }
    // The last one of a file that ends too early is not whole, which is said elsewhere.
    if (cut_off && !idle.contains(last)) forward.erase(last);
    if (forward.empty()) return;
    eraseIf(run, [&](const auto& item) { return isIn(forward, item); });
    run.notes.push_back(
        forward.size() == 1
            ? sentence("1 pass without a backward, as of a validation, is left out")
            : sentence("{0} passes without a backward, as of a validation, are left out", forward.size()));
}

void numberPasses(TracedRun& run) {
    std::set<Place> places;
    for (const TracedRank& rank : run.ranks)
        for (const TracedOp& op : rank.ops)
            if (isCompute(op.op)) places.insert(placeOf(op));
    std::map<int, int> passes;  // of an iteration
    for (const Place& place : places) ++passes[place.first];
    const bool several = std::ranges::any_of(passes, [](const auto& of) { return of.second > 1; });
    std::map<Place, int> number;
    for (const Place& place : places)
        number.emplace(place, several ? static_cast<int>(number.size()) : place.first);
    if (several && passes.size() > 1)
        run.notes.push_back(
            sentence("a step of the profiler holds more than one pass through the micro-batches: iterations "
                     "are these passes, counted from 0"));
    const auto numbered = [&number](auto& items) {
        for (auto& item : items) {
            const auto found = number.find(placeOf(item));
            item.iteration = found == number.end() ? -1 : found->second;
            item.pass = 0;
        }
    };
    for (TracedRank& rank : run.ranks) {
        numbered(rank.ops);
        numbered(rank.receives);
        numbered(rank.sends);
        numbered(rank.work);
    }
    eraseIf(run, [](const auto& item) { return item.iteration < 0; });
}

}  // namespace bscope
