// predictLength: predict() where every single operation takes what it took, instead of what its stage takes
// in the median. Messages are free, optimizer steps left out.
#pragma once

#include <cstdint>
#include <vector>

#include "schedule/program.h"
#include "timeline/event.h"

namespace bscope {

// ns of every operation that computes, by stage, kind and micro-batch.
class SingleDurations {
public:
    SingleDurations(int stages, int microbatches);
    std::int64_t& at(int stage, Op op, int microbatch) { return ns_[index(stage, op, microbatch)]; }
    std::int64_t at(int stage, Op op, int microbatch) const { return ns_[index(stage, op, microbatch)]; }
    int stages() const { return stages_; }
    int microbatches() const { return microbatches_; }

private:
    static constexpr int kKinds = static_cast<int>(Op::Recompute) + 1;
    std::size_t index(int stage, Op op, int microbatch) const {
        return static_cast<std::size_t>((stage * kKinds + static_cast<int>(op)) * microbatches_ + microbatch);
    }
    int stages_, microbatches_;
    std::vector<std::int64_t> ns_;
};

// From the start to the end of the last operation, ns. Throws as predict().
std::int64_t predictLength(const Program& program, const SingleDurations& durations);

}  // namespace bscope
