#include "import/recognition.h"

#include <algorithm>

#include "catalog/catalog.h"

namespace bscope {
namespace {

bool sameCell(const Action& a, const Action& b) {
    return a.stage == b.stage && a.op == b.op && a.microbatch == b.microbatch;
}

std::size_t cellsInPlace(const Schedule& a, const Schedule& b) {
    std::size_t count = 0;
    for (std::size_t rank = 0; rank < a.orders.size() && rank < b.orders.size(); ++rank) {
        const std::size_t shared = std::min(a.orders[rank].size(), b.orders[rank].size());
        for (std::size_t at = 0; at < shared; ++at) count += sameCell(a.orders[rank][at], b.orders[rank][at]);
    }
    return count;
}

std::optional<FirstDifference> difference(const Schedule& expected, const Schedule& found) {
    for (std::size_t rank = 0; rank < found.orders.size(); ++rank) {
        const auto& wanted = expected.orders[rank];
        const auto& ran = found.orders[rank];
        for (std::size_t at = 0; at < std::max(wanted.size(), ran.size()); ++at) {
            if (at < wanted.size() && at < ran.size() && sameCell(wanted[at], ran[at])) continue;
            return FirstDifference{static_cast<int>(rank), static_cast<int>(at),
                                   at < wanted.size() ? toText(wanted[at]) : "",
                                   at < ran.size() ? toText(ran[at]) : ""};
        }
    }
    return std::nullopt;
}

}  // namespace

Recognition recognise(const Schedule& ran) {
    Recognition recognition;
    std::optional<Schedule> nearest;
    std::size_t most = 0;
    for (const CatalogEntry& entry : catalog()) {
        ScheduleParams params = ran.params;
        // Group sizes matter for the entries that have them: others refuse all but 0.
        for (int group = 0; group <= params.m; ++group) {
            params.group_size = group;
            if (!canBeMade(entry.name, params)) {
                if (group == 1 && params.v == 1) break;
                continue;
            }
            Schedule candidate = makeSchedule(entry.name, params);
            if (candidate.orders.size() != ran.orders.size()) continue;
            const std::size_t same = cellsInPlace(candidate, ran);
            if (candidate.placement == ran.placement && !difference(candidate, ran)) {
                recognition.schedule = entry.name;
                recognition.group_size = group;
                return recognition;
            }
            if (!nearest || same > most) {
                most = same;
                nearest = std::move(candidate);
            }
        }
    }
    if (nearest) {
        recognition.nearest = nearest->name;
        recognition.first_difference = difference(*nearest, ran);
    }
    return recognition;
}

}  // namespace bscope
