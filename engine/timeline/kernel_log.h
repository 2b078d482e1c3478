// KernelLog: what a GPU ran for the boxes of one iteration, so that a box can be opened. It comes rank by
// rank in parts; a part may be missing (a viewer that was too slow), which is known afterwards: a list with
// holes must never look whole. Plain data; one thread at a time.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "timeline/event.h"

namespace bscope {

// Kernels [first, first + size) of the `total` that a rank reported at once.
struct KernelPart {
    std::int16_t rank = 0;
    std::size_t first = 0, total = 0;
    std::vector<KernelEvent> kernels;
};

// Whether the parts that came make whole reports of one rank.
class PartsOfRank {
public:
    void take(const KernelPart& part) {
        const bool begins = part.first == 0 && next_ == total_;
        if (!begins && (part.first != next_ || part.total != total_)) has_hole_ = true;
        next_ = part.first + part.kernels.size();
        total_ = part.total;
    }
    bool areWhole() const { return !has_hole_ && next_ == total_; }
    bool areNone() const { return !has_hole_ && total_ == 0; }

private:
    std::size_t next_ = 0, total_ = 0;  // of the report under way
    bool has_hole_ = false;
};

class KernelLog {
public:
    void append(const KernelPart& part);
    // It was appended before.
    bool knows(const KernelPart& part) const;

    // The kernels of one compute event, by start; empty when there are none. Valid until the next append().
    std::span<const KernelEvent> of(const Event& event) const;
    // Everything the rank reported has arrived. False also when it reported nothing.
    bool isWhole(int rank) const;
    std::size_t size() const { return size_; }

private:
    struct Rank {
        std::vector<KernelEvent> kernels;  // by stage, operation and micro-batch, then by start
        PartsOfRank parts;
    };
    std::map<int, Rank> ranks_;
    std::size_t size_ = 0;
};

// Nanoseconds of the event in which none of these kernels ran: the gaps between launches.
std::int64_t launchGap_ns(const Event& event, std::span<const KernelEvent> by_start);

}  // namespace bscope
