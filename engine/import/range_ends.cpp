#include "import/range_ends.h"

#include <algorithm>
#include <limits>
#include <map>
#include <vector>

#include "timeline/median.h"

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
    std::int64_t beyond_ns = 0;  // of operations, what they took beyond the shortest of their kind
};

}  // namespace

double understatedBy(const Timeline& timeline, const Schedule& schedule, std::span<const int> iterations) {
    std::map<std::pair<int, Op>, std::int64_t> least_ns;
    const auto each = [&](const auto& take) {
        for (int rank = 0; rank < timeline.ranks(); ++rank)
            for (const Event& event : timeline.compute(rank))
                if (isCompute(event.op) && std::ranges::binary_search(iterations, event.iteration)) take(event);
    };
    each([&](const Event& event) {
        const auto [at, fresh] = least_ns.try_emplace({event.stage, event.op}, event.duration_ns());
        if (!fresh) at->second = std::min(at->second, event.duration_ns());
    });
    std::map<int, Sums> sums;
    each([&](const Event& event) {
        Sums& of = sums[event.iteration];
        of.first_ns = std::min(of.first_ns, event.start_ns);
        of.last_ns = std::max(of.last_ns, event.end_ns);
        if (handsOver(schedule, event))
            of.beyond_ns += event.duration_ns() - least_ns.at({event.stage, event.op});
    });
    std::vector<double> shares;
    for (const auto& [iteration, of] : sums) {
        const double all_ns = static_cast<double>(of.last_ns - of.first_ns) * timeline.ranks();
        if (all_ns > 0) shares.push_back(static_cast<double>(of.beyond_ns) / all_ns);
    }
    return shares.empty() ? 0 : median(std::move(shares));
}

}  // namespace bscope
