#include "import/start_up.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "timeline/median.h"
#include "report/start_up_note.h"
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

struct Lengths {
    double first = 0, others = 0;  // the median
    double deviation = 0;          // of the others from it, the median
};
Lengths firstAndOthers(const TracedRun& run, const std::vector<int>& iterations) {
    std::map<int, double> lengths = lengthsOf(run);
    std::vector<double> others, deviations;
    for (std::size_t at = 1; at < iterations.size(); ++at) others.push_back(lengths[iterations[at]]);
    const double usual = median(others);
    for (const double other : others) deviations.push_back(std::abs(other - usual));
    return {lengths[iterations.front()], usual, median(std::move(deviations))};
}

}  // namespace

std::optional<int> startUpIteration(const TracedRun& run, const std::vector<int>& iterations) {
    constexpr std::size_t least_others = 2;
    if (iterations.size() < least_others + 1) return std::nullopt;
    const Lengths lengths = firstAndOthers(run, iterations);
    const bool is_long = lengths.first > kStartUpFactor * lengths.others &&
                         lengths.first > lengths.others + kStartUpDeviations * lengths.deviation;
    return is_long ? std::optional(iterations.front()) : std::nullopt;
}

void leaveOutStartUp(TracedRun& run, std::vector<int>& iterations, int start_up) {
    const Lengths lengths = firstAndOthers(run, iterations);
    run.notes.push_back(
        startUpNote(start_up, millisecondsText(lengths.first / 1e6), millisecondsText(lengths.others / 1e6)));
    std::erase(iterations, start_up);
    const auto starts_up = [start_up](const auto& each) { return each.iteration == start_up; };
    for (TracedRank& rank : run.ranks) {
        std::erase_if(rank.ops, starts_up);
        std::erase_if(rank.receives, starts_up);
        std::erase_if(rank.sends, starts_up);
    }
}

}  // namespace bscope
