// Which boxes of a running iteration's plan are still to come, on each rank: those after the operation that
// it ended last, whether it is ahead of the plan or behind it. Of one that should be under way by now the
// rest is.
#pragma once

#include <algorithm>
#include <limits>

#include "view/prepared_view.h"

namespace bscope::ui {

class StillToCome {
public:
    StillToCome(const PreparedView& group, int rank) {
        if (group.hasRun() && !group.running()) return;
        now_ns_ = group.hasRun() ? group.view().now_ns : group.view().start_ns;
        done_ns_ = group.hasRun() ? plannedEndOfLast(group.ran(rank), group.planned(rank), now_ns_) : now_ns_;
    }

    bool holds(const Event& planned) const {
        return planned.start_ns >= done_ns_ && (planned.start_ns >= now_ns_ || planned.end_ns > now_ns_);
    }
    std::int64_t start_ns(const Event& planned) const { return std::max(planned.start_ns, now_ns_); }

private:
    static std::int64_t plannedEndOfLast(const EventSlice& ran, const EventSlice& planned,
                                         std::int64_t now_ns) {
        if (ran.empty()) return std::numeric_limits<std::int64_t>::min();
        const Event last = ran[ran.size() - 1];
        const auto isLast = [&](const Event& event) { return event.action() == last.action(); };
        // A plan and its run have one order.
        if (ran.size() <= planned.size() && isLast(planned[ran.size() - 1]))
            return planned[ran.size() - 1].end_ns;
        for (std::size_t i = 0; i < planned.size(); ++i)
            if (isLast(planned[i])) return planned[i].end_ns;
        return now_ns;
    }

    std::int64_t now_ns_ = std::numeric_limits<std::int64_t>::max();  // nothing is to come
    std::int64_t done_ns_ = std::numeric_limits<std::int64_t>::max();
};

}  // namespace bscope::ui
