#include "import/range_ends.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace bscope {
namespace {

// Whether another rank waits for its result.
bool handsOver(const Schedule& schedule, const Event& event) {
    if (!isCompute(event.op) || event.op == Op::BackwardWeight || event.op == Op::Recompute) return false;
    const int next = event.stage + (event.op == Op::Forward ? 1 : -1);
    return next >= 0 && next < schedule.stageCount() &&
           schedule.placement[static_cast<std::size_t>(next)] !=
               schedule.placement[static_cast<std::size_t>(event.stage)];
}

struct Sums {
    std::int64_t first_ns = std::numeric_limits<std::int64_t>::max();
    std::int64_t last_ns = std::numeric_limits<std::int64_t>::min();
    double beyond_ns = 0;  // of operations, what may be none of their work

    void take(const Event& event) {
        first_ns = std::min(first_ns, event.start_ns);
        last_ns = std::max(last_ns, event.end_ns);
    }
    double share(int ranks) const {
        const double all_ns = static_cast<double>(last_ns - first_ns) * ranks;
        return all_ns > 0 ? std::clamp(beyond_ns / all_ns, 0.0, 1.0) : 0;
    }
};

// The greatest bounds each of the iterations, whichever is shown.
double greatestShare(const std::map<int, Sums>& of_iterations, int ranks) {
    double greatest = 0;
    for (const auto& [iteration, of] : of_iterations) greatest = std::max(greatest, of.share(ranks));
    return roundedUp(greatest);
}

}  // namespace

double understatedBy(const Timeline& timeline, const Schedule& schedule, std::span<const int> iterations) {
    std::map<std::pair<int, Op>, std::int64_t> least_ns;
    const auto each = [&](const auto& take) {
        for (int rank = 0; rank < timeline.ranks(); ++rank)
            for (const Event& event : timeline.compute(rank))
                if (isCompute(event.op) && std::ranges::binary_search(iterations, event.iteration))
                    take(event);
    };
    each([&](const Event& event) {
        const auto [at, fresh] = least_ns.try_emplace({event.stage, event.op}, event.duration_ns());
        if (!fresh) at->second = std::min(at->second, event.duration_ns());
    });
    std::map<int, Sums> sums;
    each([&](const Event& event) {
        Sums& of = sums[event.iteration];
        of.take(event);
        if (handsOver(schedule, event))
            of.beyond_ns += static_cast<double>(event.duration_ns() - least_ns.at({event.stage, event.op}));
    });
    return greatestShare(sums, timeline.ranks());
}

double understatedByEdges(const TracedRun& run, const Timeline& timeline, std::span<const int> iterations) {
    std::map<int, Sums> sums;
    for (int rank = 0; rank < timeline.ranks(); ++rank)
        for (const Event& event : timeline.compute(rank))
            if (isCompute(event.op) && std::ranges::binary_search(iterations, event.iteration))
                sums[event.iteration].take(event);
    for (const TracedRank& rank : run.ranks)
        for (const TracedOp& op : rank.ops)
            if (const auto of = sums.find(op.iteration); of != sums.end())
                of->second.beyond_ns += static_cast<double>(std::min(op.around_ns, op.end_ns - op.start_ns));
    return greatestShare(sums, timeline.ranks());
}

double roundedUp(double share) {
    constexpr double tenths = 1000, noise = 1e-9;
    return std::max(0.0, std::ceil(share * tenths - noise) / tenths);
}

}  // namespace bscope
