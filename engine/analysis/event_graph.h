// EventGraph: the operations of one iteration and what each of them waited for: the one before it on its
// rank and the one that made its input. Chains of reasons, causes of gaps, the critical path and slack are
// walks through it (docs/NUMBERS.md, "Causes of the bubble"). Refers to the Timeline, which must outlive it
// and not be appended to meanwhile. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "timeline/iteration_events.h"

namespace bscope {

class EventGraph {
public:
    static constexpr int kNone = -1;

    struct Node {
        EventRef event;
        int before = kNone;    // on the same rank
        int producer = kNone;  // made its input on another rank; kNone: no message, or of another iteration
        std::int64_t transit_ns = 0;  // from the sender's end until the message was there
        bool message_binds = false;   // the message came after the rank was free
        std::int64_t free_ns = 0;     // when nothing kept it any more; then the pause until its start

        std::int64_t pause_ns() const { return event->start_ns - free_ns; }
        // What let it begin; kNone at the start, and where that is no operation of the iteration.
        int reason() const { return message_binds ? producer : before; }
    };

    // start_ns: of the iteration; operations that wait for nothing were free to begin then.
    EventGraph(const Timeline& timeline, std::int32_t iteration, std::int64_t start_ns);

    const std::vector<Node>& nodes() const { return nodes_; }
    const Node& node(int index) const { return nodes_[static_cast<std::size_t>(index)]; }
    int ranks() const { return static_cast<int>(first_.size()) - 1; }
    // [first, past) indices of a rank's operations, in their order.
    int first(int rank) const { return first_[static_cast<std::size_t>(rank)]; }
    int past(int rank) const { return first_[static_cast<std::size_t>(rank) + 1]; }
    // All nodes, each after what it waited for.
    std::span<const int> order() const { return order_; }
    std::int64_t start_ns() const { return start_ns_; }
    // The operation (F, B, I, W, R) that ends last; kNone in an empty iteration.
    int last() const { return last_; }

private:
    std::int64_t rankFree(const Timeline& timeline, const Node& node) const;
    void connect(const Timeline& timeline, const IterationEvents& events);
    void sort();
    int freeStuck(std::vector<int>& missing);

    std::int64_t start_ns_;
    int last_ = kNone;
    std::vector<Node> nodes_;
    std::vector<int> first_;  // (ranks + 1,)
    std::vector<int> order_;
};

}  // namespace bscope
