#include "timeline/packed_rows.h"

#include <stdexcept>

namespace bscope {

std::uint64_t PackedEvents::Kind::hash() const {
    return Hash()
        .with(static_cast<std::uint64_t>(bytes))
        .with(static_cast<std::uint64_t>(transfer_word))
        .with(stage, static_cast<std::uint32_t>(start_high) << 16 | microbatch_high)
        .with(iteration, duration_high)
        .with(weight_version,
              static_cast<std::uint32_t>(segment + 1) << 8 | static_cast<std::uint32_t>(op) << 4 |
                  static_cast<std::uint32_t>(transfer) << 1 | static_cast<std::uint32_t>(disturbed));
}

std::uint64_t PackedMemory::Kind::hash() const {
    return Hash().with(static_cast<std::uint64_t>(live_bytes)).with(iteration, later_high).with(in_flight, 0);
}

// To be put in at this place.
PackedEvents::Words PackedEvents::packed(std::size_t index, const Event& event) {
    Kind kind;
    kind.bytes = event.bytes;
    const auto start = static_cast<std::uint64_t>(event.start_ns);
    const auto microbatch = static_cast<std::uint32_t>(event.microbatch);
    kind.start_high = static_cast<std::uint16_t>(start >> kStartBits);
    kind.microbatch_high = static_cast<std::uint16_t>(microbatch >> 16);
    const std::int64_t duration = distance(event.start_ns, event.end_ns);
    kind.duration_high = highWord(duration);
    kind.iteration = event.iteration;
    kind.stage = event.stage;
    kind.weight_version = event.weight_version;
    kind.rank = event.rank;
    kind.staleness = event.staleness;
    kind.op = event.op;
    kind.disturbed = event.disturbed;
    kind.segment = event.segment;
    const std::int64_t from_start = distance(event.start_ns, event.transfer_ns);
    if (event.transfer_ns == event.start_ns) {
        kind.transfer = Transfer::AtStart;
    } else if (event.transfer_ns != 0) {
        const std::int64_t transit = distance(event.transfer_ns, event.end_ns);
        if (!usual_transit_) usual_transit_ = transit;
        const bool usual = transit == *usual_transit_;
        kind.transfer = usual ? Transfer::BeforeEnd : Transfer::Apart;
        kind.transfer_word = usual ? transit : from_start - static_cast<std::int64_t>(lowWord(from_start));
    }
    if (!transfers_low_.empty()) {
        const auto place = transfers_low_.begin() + static_cast<std::ptrdiff_t>(index);
        transfers_low_.insert(place, lowWord(from_start));
    } else if (kind.transfer == Transfer::Apart) {
        transfers_low_.resize(size() + 1);
        transfers_low_[index] = lowWord(from_start);
    }
    Words words{};
    words.start_low = start & ((std::uint64_t{1} << kStartBits) - 1);
    words.microbatch_low = microbatch & 0xffff;
    words.duration_low = lowWord(duration);
    words.kind = kinds_.numberOf(kind);
    return words;
}

void PackedEvents::push_back(const Event& event) {
    words_.push_back(packed(size(), event));
}

void PackedEvents::insert(std::size_t index, const Event& event) {
    words_.insert(words_.begin() + static_cast<std::ptrdiff_t>(index), packed(index, event));
}

void PackedMemory::push_back(const MemoryPoint& point) {
    if (size() % kBlock == 0) begins_.push_back(point.time_ns);
    const std::int64_t later = distance(begins_.back(), point.time_ns);
    Kind kind;
    kind.live_bytes = point.live_bytes;
    kind.later_high = static_cast<std::uint32_t>(static_cast<std::uint64_t>(later) >> kLaterBits);
    kind.iteration = point.iteration;
    kind.rank = point.rank;
    kind.in_flight = point.in_flight;
    const std::uint32_t number = kinds_.numberOf(kind);
    if (number >= kMostKinds)
        throw std::length_error("PackedMemory: more kinds of points than can be distinguished");
    Words words{};
    words.later_low = static_cast<std::uint64_t>(later) & ((std::uint64_t{1} << kLaterBits) - 1);
    words.kind = number & (kMostKinds - 1);
    words_.push_back(words);
}

}  // namespace bscope
