// IdleGaps: when the ranks of an iteration stood still. Copies share their gaps, 16 bytes each, until one is
// added to.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "schedule/action.h"
#include "timeline/slice.h"
#include "timeline/value_table.h"

namespace bscope {

// In which part of its work a rank stood still. Why it did so is BubbleCauses' to say (analysis/causes.h).
enum class IdlePhase : std::uint8_t {
    Fill,     // before the rank's first backward
    Drain,    // after its last forward
    Between,  // the two; all of a stream
};

// From one operation of a rank to its next.
struct IdleGap {
    std::int64_t start_ns = 0, end_ns = 0;
    IdlePhase phase = IdlePhase::Fill;
    int rank = 0;
    std::optional<Action> next;  // what this rank did after it; nullopt: its part of the iteration was done
    bool operator==(const IdleGap&) const = default;
};

class IdleGaps {
public:
    using value_type = IdleGap;

    std::size_t size() const { return packed_ ? packed_->words.size() : 0; }
    bool empty() const { return size() == 0; }
    [[gnu::always_inline]] IdleGap operator[](std::size_t index) const {
        const Words& words = packed_->words[index];
        const Kind& kind = packed_->kinds[words.kind];
        IdleGap gap;
        gap.start_ns = joined(kind.start_high, words.start_low);
        gap.end_ns = moved(gap.start_ns, joined(kind.length_high, words.length_low));
        gap.phase = kind.phase;
        gap.rank = kind.rank;
        if (kind.has_next)
            gap.next = Action{kind.stage, kind.op, words.microbatch, kind.overlaps_next, kind.segment};
        return gap;
    }
    auto begin() const { return Slice<IdleGaps>(*this, 0, size()).begin(); }
    auto end() const { return Slice<IdleGaps>(*this, 0, size()).end(); }
    void prefetch(std::size_t index) const { __builtin_prefetch(&packed_->words[index]); }
    void push_back(const IdleGap& gap);
    bool operator==(const IdleGaps& other) const;

private:
    struct Words {
        std::uint32_t start_low, length_low, kind;
        std::int32_t microbatch;  // of the next operation
    };
    struct Kind {
        std::uint32_t start_high = 0, length_high = 0;
        std::int32_t rank = 0, stage = 0;
        Op op = Op::Forward;
        IdlePhase phase = IdlePhase::Fill;
        bool has_next = false, overlaps_next = false;
        std::int8_t segment = -1;
        bool operator==(const Kind&) const = default;
        std::uint64_t hash() const;
    };
    struct Packed {
        std::vector<Words> words;
        ValueTable<Kind> kinds;
    };
    std::shared_ptr<Packed> packed_;
};

}  // namespace bscope
