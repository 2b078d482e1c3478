// predictLength: predict() where every single operation takes what it took, instead of what its stage takes
// in the median. Messages are free, optimizer steps left out.
#pragma once

#include <cstdint>
#include <vector>

#include "schedule/program.h"
#include "timeline/event.h"

namespace bscope {

// ns of every operation that computes, by stage, kind and piece (ScheduleParams::pieceOf): a micro-batch, or
// a segment of one.
class SingleDurations {
public:
    SingleDurations(int stages, int pieces);
    std::int64_t& at(int stage, Op op, int piece) { return ns_[index(stage, op, piece)]; }
    std::int64_t at(int stage, Op op, int piece) const { return ns_[index(stage, op, piece)]; }
    int stages() const { return stages_; }
    int pieces() const { return pieces_; }

private:
    static constexpr int kKinds = static_cast<int>(Op::Recompute) + 1;
    std::size_t index(int stage, Op op, int piece) const {
        return static_cast<std::size_t>((stage * kKinds + static_cast<int>(op)) * pieces_ + piece);
    }
    int stages_, pieces_;
    std::vector<std::int64_t> ns_;
};

// From the start to the end of the last operation, ns. Throws as predict().
std::int64_t predictLength(const Program& program, const SingleDurations& durations);

}  // namespace bscope
