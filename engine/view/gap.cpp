#include "view/gap.h"

#include <algorithm>
#include <tuple>

namespace bscope {

GapSelection gapSelection(const PreparedView& view, int rank, const IdlePeriod& period) {
    return {rank, view.view().iteration, period.start_ns, view.isBaseline()};
}

std::optional<IdlePeriod> gapOf(const PreparedView& view, const GapSelection& gap) {
    if (gap.iteration != view.view().iteration || gap.rank < 0 || gap.rank >= view.lanes())
        return std::nullopt;
    const IdlePeriods& idle = view.lane(gap.rank).idle;
    const auto found = std::ranges::find(idle, gap.start_ns, &IdlePeriod::start_ns);
    return found == idle.end() ? std::nullopt : std::optional(*found);
}

std::int64_t idleTime_ns(const PreparedView& view) {
    if (view.causes() != nullptr) return view.causes()->idle_ns();
    std::int64_t idle_ns = 0;
    for (int rank = 0; rank < view.lanes(); ++rank)
        for (const IdlePeriod& each : view.lane(rank).idle) idle_ns += each.end_ns - each.start_ns;
    return idle_ns;
}

std::vector<GapSelection> gapsBySize(const PreparedView& view) {
    struct Sized {
        GapSelection gap;
        std::int64_t length_ns;
    };
    std::vector<Sized> sized;
    for (int rank = 0; rank < view.lanes(); ++rank)
        for (const IdlePeriod& period : view.lane(rank).idle)
            sized.push_back({gapSelection(view, rank, period), period.end_ns - period.start_ns});
    std::ranges::sort(sized, {}, [](const Sized& each) {
        return std::tuple(-each.length_ns, each.gap.start_ns, each.gap.rank);
    });
    std::vector<GapSelection> gaps;
    for (const Sized& each : sized) gaps.push_back(each.gap);
    return gaps;
}

std::optional<GapSelection> gapBySize(const PreparedView& view, const std::optional<GapSelection>& from,
                                      int direction) {
    const std::vector<GapSelection> gaps = gapsBySize(view);
    if (gaps.empty()) return std::nullopt;
    const auto at = from ? std::ranges::find(gaps, *from) : gaps.end();
    if (at == gaps.end()) return gaps.front();
    const auto next = (at - gaps.begin()) + direction;
    if (next < 0 || next >= std::ssize(gaps)) return std::nullopt;
    return gaps[static_cast<std::size_t>(next)];
}

}  // namespace bscope
