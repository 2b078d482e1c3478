// What every schedule that was called valid must stand.
#pragma once

#include "schedule/formats/csv.h"
#include "schedule/deadlock.h"
#include "schedule/validate.h"
#include "support/target.h"
#include "timeline/analysis.h"
#include "timeline/predict.h"

namespace bscope::fuzz {

// It plays to the end by lowering, by the rules of both message layers and by prediction, and its CSV is read
// as the same schedule. Very large ones are left out: they take seconds.
inline void checkThatItPlays(const Schedule& schedule) {
    constexpr std::size_t kMostActions = 4096;
    std::size_t actions = 0;
    for (const auto& order : schedule.orders) actions += order.size();
    if (actions > kMostActions) return;
    require(locateErrors(schedule).empty(), "a valid file with an invalid schedule");
    const Program program = lower(schedule);
    for (const Transport transport : {Transport::Buffered, Transport::Rendezvous})
        require(!findDeadlock(program, transport), "a valid schedule hangs");
    const IterationSummary summary =
        summarize(predict(program, unitCosts(schedule.stageCount(), 1, 1, 1, 0.5)), 0);
    require(summary.iteration_ns > 0, "a valid schedule takes no time");
    const std::string csv = toComputeCsv(schedule);
    const Schedule again = readComputeCsv(csv, "again");
    require(again.orders == schedule.orders && again.placement == schedule.placement,
            "a schedule changes in its file", [&] { return csv; });
}

}  // namespace bscope::fuzz
