#include "import/start_up.h"

#include <algorithm>
#include <map>

#include "timeline/median.h"
#include "words/number_text.h"

namespace bscope {
namespace {

// ns by iteration.
std::map<int, double> lengthsOf(const TracedRun& run) {
    std::map<int, double> lengths;
    for (const TracedRank& rank : run.ranks) {
        std::map<int, std::pair<std::int64_t, std::int64_t>> ends;
        for (const TracedOp& op : rank.ops) {
            if (!isCompute(op.op)) continue;
            const auto [at, fresh] = ends.try_emplace(op.iteration, op.start_ns, op.end_ns);
            if (fresh) continue;
            at->second.first = std::min(at->second.first, op.start_ns);
            at->second.second = std::max(at->second.second, op.end_ns);
        }
        for (const auto& [iteration, end] : ends) {
            double& length = lengths[iteration];
            length = std::max(length, static_cast<double>(end.second) - static_cast<double>(end.first));
        }
    }
    return lengths;
}

// Of the first iteration and the median of the others.
std::pair<double, double> firstAndOthers(const TracedRun& run, const std::vector<int>& iterations) {
    std::map<int, double> lengths = lengthsOf(run);
    std::vector<double> others;
    for (std::size_t at = 1; at < iterations.size(); ++at) others.push_back(lengths[iterations[at]]);
    return {lengths[iterations.front()], median(std::move(others))};
}

}  // namespace

std::optional<int> startUpIteration(const TracedRun& run, const std::vector<int>& iterations) {
    constexpr std::size_t least_others = 2;
    if (iterations.size() < least_others + 1) return std::nullopt;
    const auto [first, others] = firstAndOthers(run, iterations);
    return first > kStartUpFactor * others ? std::optional(iterations.front()) : std::nullopt;
}

void leaveOutStartUp(TracedRun& run, std::vector<int>& iterations, int start_up) {
    const auto [first, others] = firstAndOthers(run, iterations);
    run.notes.push_back(sentence(
        "iteration {0} starts up: it takes {1} ms, and the others {2} ms in the median; it is left out, "
        "--iteration {0} shows it",
        start_up, millisecondsText(first / 1e6), millisecondsText(others / 1e6)));
    std::erase(iterations, start_up);
    const auto starts_up = [start_up](const auto& each) { return each.iteration == start_up; };
    for (TracedRank& rank : run.ranks) {
        std::erase_if(rank.ops, starts_up);
        std::erase_if(rank.receives, starts_up);
        std::erase_if(rank.sends, starts_up);
    }
}

}  // namespace bscope
