#include "analysis/pairing.h"

#include <algorithm>

#include "timeline/iteration_events.h"

namespace bscope {

namespace {

constexpr std::int64_t kSeveral = -1;

std::uint64_t keyOf(const Action& action) {
    return (static_cast<std::uint64_t>(action.stage) << 40) |
           (static_cast<std::uint64_t>(action.segment() + 1) << 36) |
           (static_cast<std::uint64_t>(action.op) << 32) | static_cast<std::uint32_t>(action.microbatch);
}

}  // namespace

std::optional<std::int64_t> anchorOf(const IterationPart& part, Alignment alignment, int microbatch) {
    std::optional<std::int64_t> found;
    for (int rank = 0; rank < part.timeline.ranks() && alignment != Alignment::Start; ++rank)
        for (const Event& event : ofIteration(part.timeline.compute(rank), part.iteration)) {
            if (!isCompute(event.op)) continue;
            const bool forward = event.op == Op::Forward;
            if (alignment == Alignment::LastForward) {
                if (forward) found = std::max(found.value_or(event.end_ns), event.end_ns);
            } else if (alignment == Alignment::FirstBackward
                           ? !forward
                           : event.microbatch == part.first_microbatch + microbatch) {
                found = std::min(found.value_or(event.start_ns), event.start_ns);
            }
        }
    return found;
}

PairedDurations::PairedDurations(const IterationPart& part) {
    for (int rank = 0; rank < part.timeline.ranks(); ++rank)
        for (const Event& event : ofIteration(part.timeline.compute(rank), part.iteration)) {
            if (!isCompute(event.op) || event.stage < 0) continue;
            Action action = event.action();
            action.microbatch -= part.first_microbatch;
            const auto [own, is_new] = durations_ns_.emplace(keyOf(action), event.duration_ns());
            if (!is_new) own->second = kSeveral;
        }
}

std::optional<std::int64_t> PairedDurations::of(const Action& action) const {
    const auto own = durations_ns_.find(keyOf(action));
    if (own == durations_ns_.end() || own->second == kSeveral) return std::nullopt;
    return own->second;
}

}  // namespace bscope
