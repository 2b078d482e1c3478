// A micro-batch's life: every box of it on all ranks, and the messages that connect them. Copies of the
// events, since a live timeline may grow while the overlay still shows them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "view/prepared_view.h"

namespace bscope {

struct MessageArrow {
    int from_rank = -1, to_rank = -1;
    std::int64_t sent_ns = 0, arrived_ns = 0;  // absolute
    std::int32_t microbatch = -1, stage = -1;  // stage of the receiver
};

struct MicrobatchLife {
    std::vector<Event> boxes;
    std::vector<MessageArrow> messages;
};

MicrobatchLife lifeOf(const PreparedView& view, const Selection& selection);
// Every message of the iteration; empty when there are more than `limit`.
std::vector<MessageArrow> messagesOf(const PreparedView& view, std::size_t limit);

// The event of a selection, nullopt when this view does not hold it.
std::optional<Event> eventOf(const PreparedView& view, const Selection& selection);
Selection selectionOf(const Event& event, bool of_baseline = false);
// Neighbour on the lane (direction -1, +1), or along the dependencies: -1 what the event waited for, +1 what
// waits for it (F -> F of the next stage, at the last stage F -> B; B -> B of the stage before; I -> W).
std::optional<Selection> neighbour(const PreparedView& view, const Selection& selection, int direction);
std::optional<Selection> dependency(const PreparedView& view, const Selection& selection, int direction);

}  // namespace bscope
