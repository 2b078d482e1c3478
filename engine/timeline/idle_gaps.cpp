#include "timeline/idle_gaps.h"

#include <algorithm>

namespace bscope {

std::uint64_t IdleGaps::Kind::hash() const {
    return Hash()
        .with(stage, start_high)
        .with(rank, length_high)
        .with(static_cast<std::uint64_t>(segment + 1) << 16 | static_cast<std::uint64_t>(op) << 8 |
              static_cast<std::uint64_t>(phase) << 4 | static_cast<std::uint64_t>(has_next) << 1 |
              static_cast<std::uint64_t>(overlaps_next));
}

void IdleGaps::push_back(const IdleGap& gap) {
    if (!packed_)
        packed_ = std::make_shared<Packed>();
    else if (packed_.use_count() > 1)
        packed_ = std::make_shared<Packed>(*packed_);
    const Action next = gap.next.value_or(Action());
    Kind kind;
    kind.start_high = highWord(gap.start_ns);
    const std::int64_t length = distance(gap.start_ns, gap.end_ns);
    kind.length_high = highWord(length);
    kind.rank = gap.rank;
    kind.stage = next.stage;
    kind.op = next.op;
    kind.phase = gap.phase;
    kind.has_next = gap.next.has_value();
    kind.overlaps_next = next.overlaps_next;
    kind.segment = static_cast<std::int8_t>(next.segment());
    packed_->words.push_back(
        {lowWord(gap.start_ns), lowWord(length), packed_->kinds.numberOf(kind), next.microbatch});
}

bool IdleGaps::operator==(const IdleGaps& other) const {
    return packed_ == other.packed_ || std::ranges::equal(*this, other);
}

}  // namespace bscope
