// ReplaySteps: a recording taken apart into what becomes true one after the other: an event, a memory point,
// or something rarer. Events take 32 bytes here, memory points 24, so that recordings of millions of them
// fit. A value; one thread at a time.
#pragma once

#include <optional>
#include <variant>
#include <vector>

#include "view/run_history.h"

namespace bscope::ui {

class ReplaySteps {
public:
    // A batch of kernels, the start or report of an iteration, or a promise.
    using Rare = std::variant<KernelPart, IterationStart, IterationReport, Promise>;

    void add(std::int64_t time_ns, const Event& event);
    void add(std::int64_t time_ns, const MemoryPoint& point);
    void add(std::int64_t time_ns, Rare rare);
    // Steps of later times; each comes after all that are here. Starts of iterations only with `starts`.
    void append(const ReplaySteps& later, bool starts);
    // No step is earlier than that.
    void beginAt(std::int64_t time_ns);
    // By time; those of equal times keep their order. Costs what came since the last call, and what of before
    // is later.
    void sort();
    std::size_t unsorted() const { return steps_.size() - sorted_; }

    std::size_t size() const { return steps_.size(); }
    bool empty() const { return steps_.empty(); }
    std::int64_t time_ns(std::size_t step) const { return steps_[step].time_ns; }
    std::size_t firstAfter(std::int64_t time_ns) const;  // of sorted steps; size() when there is none
    std::optional<Event> event(std::size_t step) const;
    const Rare* rare(std::size_t step) const;
    void deliver(std::size_t step, RunHistory& history) const;

private:
    enum class Kind : std::uint8_t { Event, Memory, Rare };
    struct Step {
        std::int64_t time_ns;
        std::uint32_t index;  // among those of its kind
        Kind kind;
    };
    std::vector<Step> steps_;
    std::size_t sorted_ = 0;  // that many are in order
    PackedEvents events_;
    PackedMemory points_;
    std::vector<Rare> rare_;
};

}  // namespace bscope::ui
