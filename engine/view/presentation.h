// How an iteration is presented: what is drawn of it, which bubble is shown, in which unit. Values.
#pragma once

namespace bscope {

struct Layers {  // what is drawn: keys B, L, T, Y, V, Shift+T, Shift+Y, Shift+V
    bool bubbles = true, memory = true, critical_path = false;
    bool arrows = false;   // of all messages; those of the selection are always drawn
    bool ghost = false;    // the plan behind what ran too; what has not run yet is always drawn
    bool changes = false;  // durations beside the baseline's in place of kinds
    // Of the memory, when that is drawn: what a rank holds besides activations, below them; the activations
    // that the other kinds of checkpointing would hold.
    bool memory_bands = false, checkpointing = false;
    bool operator==(const Layers&) const = default;
};

enum class BubbleDefinition { OfTotal, OfIdeal };
enum class TimeUnit { Milliseconds, MedianForward };

}  // namespace bscope
