// Signs: which colours, hatches and marks a picture shows, so that its legend explains these and no others.
// The lanes are drawn by the same rules (LanePainter); a test compares the two. Values.
#pragma once

#include <algorithm>
#include <array>

#include "view/prepared_view.h"

namespace bscope {

struct Signs {
    std::array<int, kOpCount> shades{};  // of an operation's boxes, 1..3 by chunk; 0: has no boxes
    int stages = 0;                      // places in their chain that have boxes
    bool chunk_letters = false, weight_versions = false, neighbours = false;
    bool kernels = false, shard_sums = false;  // in wide boxes: of GPUs, of tensor-parallel shards
    // Hatches of idle time.
    bool fill_drain = false, dependency = false, network = false, other_causes = false;
    bool transfer = false, wait = false;           // strips below the boxes
    bool wait_and_transfer = false;                // the two as one strip
    bool outlines = false, planned_boxes = false;  // of the plan: behind the run, to come
    bool memory = false, cap = false;
    bool held = false;                          // bytes besides activations are known
    bool reserved = false;                      // ... and those reserved for activations
    std::array<bool, 3> other_checkpointing{};  // by Recompute: curves of another kind than the run's
    bool changes = false;                       // durations can be compared with the baseline's
    bool end = false;                           // line where the last computation of the iteration ends

    int shadesOf(Op op) const { return shades[static_cast<std::size_t>(op)]; }
    Signs& operator|=(const Signs& other);
    bool operator==(const Signs&) const = default;
};

// Of one iteration: what it shows at any zoom with every layer on. stacked: below another one, without strips
// and outlines.
Signs signsNow(const PreparedView& view, bool stacked);
// The same; while it runs, what its plan says will come is counted as shown.
Signs signsOf(const PreparedView& view, bool stacked);

}  // namespace bscope
