// PackedEvents, PackedMemory: a rank's events and memory points, 16 and 8 bytes each. What changes from one
// to the next stands in a few words; the rest (stage, operation, bytes, upper parts of times) takes few
// different values in a row, however long it is, and stands once, in a table. A Slice reads such a row. One
// thread at a time, any number of threads while nothing is added.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "host/large_pages.h"
#include "timeline/event.h"
#include "timeline/slice.h"
#include "timeline/value_table.h"

namespace bscope {

class PackedEvents {
public:
    using value_type = Event;

    std::size_t size() const { return words_.size(); }
    bool empty() const { return words_.empty(); }
    std::int64_t startOf(std::size_t index) const {
        const Words& words = words_[index];
        return static_cast<std::int64_t>(
            static_cast<std::uint64_t>(kinds_[words.kind].start_high) << kStartBits | words.start_low);
    }
    [[gnu::always_inline]] Event operator[](std::size_t index) const {
        const Words& words = words_[index];
        const Kind& kind = kinds_[words.kind];
        Event event;
        event.start_ns = startOf(index);
        event.end_ns = moved(event.start_ns, joined(kind.duration_high, words.duration_low));
        switch (kind.transfer) {
            case Transfer::None:
                break;
            case Transfer::AtStart:
                event.transfer_ns = event.start_ns;
                break;
            case Transfer::BeforeEnd:
                event.transfer_ns = distance(kind.transfer_word, event.end_ns);
                break;
            case Transfer::Apart:
                event.transfer_ns = moved(event.start_ns, kind.transfer_word | transfers_low_[index]);
        }
        event.bytes = kind.bytes;
        event.iteration = kind.iteration;
        event.stage = kind.stage;
        event.microbatch = static_cast<std::int32_t>(static_cast<std::uint32_t>(kind.microbatch_high) << 16 |
                                                     words.microbatch_low);
        event.rank = kind.rank;
        event.op = kind.op;
        event.weight_version = kind.weight_version;
        event.staleness = kind.staleness;
        event.disturbed = kind.disturbed;
        event.segment = kind.segment;
        return event;
    }
    void push_back(const Event& event);
    void insert(std::size_t index, const Event& event);
    void reserve(std::size_t size) { reserveLarge(words_, size); }
    void prefetch(std::size_t index) const { __builtin_prefetch(&words_[index]); }
    std::size_t kinds() const { return kinds_.size(); }  // entries of the table

private:
    // Most messages of a row travel equally long (BeforeEnd) or are there when they are needed (AtStart).
    enum class Transfer : std::uint8_t { None, AtStart, BeforeEnd, Apart };
    static constexpr int kStartBits = 48;  // of ns: 78 hours, so that most rows have one upper part
    struct Words {
        std::uint64_t start_low : kStartBits, microbatch_low : 16;
        std::uint32_t duration_low, kind;
    };
    struct Kind {
        Op op = Op::Forward;  // neighbours differ in it most often
        Transfer transfer = Transfer::None;
        bool disturbed = false;
        std::int8_t segment = -1;
        std::uint16_t start_high = 0, microbatch_high = 0;
        std::int16_t rank = 0, staleness = 0;
        std::int32_t stage = 0, iteration = 0, weight_version = 0;
        std::uint32_t duration_high = 0;
        std::int64_t bytes = 0;
        std::int64_t transfer_word = 0;  // BeforeEnd: so long before it; Apart: upper half of its distance
        bool operator==(const Kind&) const = default;
        std::uint64_t hash() const;
    };

    Words packed(std::size_t index, const Event& event);

    std::vector<Words> words_;
    std::vector<std::uint32_t> transfers_low_;  // (size,) once a transfer stands apart
    std::optional<std::int64_t>
        usual_transit_;  // from transfer to end: of the first message not at its start
    ValueTable<Kind> kinds_;
};

class PackedMemory {
public:
    using value_type = MemoryPoint;

    std::size_t size() const { return words_.size(); }
    bool empty() const { return words_.empty(); }
    MemoryPoint operator[](std::size_t index) const {
        const Words& words = words_[index];
        const Kind& kind = kinds_[words.kind];
        return {
            moved(begins_[index / kBlock],
                  static_cast<std::int64_t>(std::uint64_t{kind.later_high} << kLaterBits | words.later_low)),
            kind.live_bytes, kind.iteration, kind.rank, kind.in_flight};
    }
    void push_back(const MemoryPoint& point);
    void reserve(std::size_t size) {
        reserveLarge(words_, size);
        begins_.reserve(size / kBlock + 1);
    }
    void prefetch(std::size_t index) const { __builtin_prefetch(&words_[index]); }
    std::size_t kinds() const { return kinds_.size(); }  // entries of the table

private:
    static constexpr std::size_t kBlock = 32;
    static constexpr int kLaterBits = 36;  // of ns: 68 s, so that most blocks have one upper part
    static constexpr std::uint32_t kMostKinds = 1u << (64 - kLaterBits);
    struct Words {
        std::uint64_t later_low : kLaterBits, kind : 64 - kLaterBits;
    };
    struct Kind {
        std::int64_t live_bytes = 0;
        std::uint32_t later_high = 0;  // than the first point of the block
        std::int32_t iteration = 0;
        std::int16_t rank = 0, in_flight = 0;
        bool operator==(const Kind&) const = default;
        std::uint64_t hash() const;
    };

    std::vector<Words> words_;
    std::vector<std::int64_t> begins_;  // (blocks,) times of their first points
    ValueTable<Kind> kinds_;
};

using EventSlice = Slice<PackedEvents>;
using EventRef = EventSlice::iterator;  // of one event
using MemoryPoints = Slice<PackedMemory>;

}  // namespace bscope
