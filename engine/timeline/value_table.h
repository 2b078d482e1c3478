// ValueTable: different values, each once, by number. Holds what many elements of packed rows have in common.
// A value has hash() and ==.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace bscope {

// A 64-bit number in two words.
inline std::uint32_t lowWord(std::int64_t value) {
    return static_cast<std::uint32_t>(static_cast<std::uint64_t>(value));
}
inline std::uint32_t highWord(std::int64_t value) {
    return static_cast<std::uint32_t>(static_cast<std::uint64_t>(value) >> 32);
}
inline std::int64_t joined(std::uint32_t high, std::uint32_t low) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(high) << 32 | low);
}

// Times of files may be further apart than a number holds: what is packed as a distance wraps around, on the
// way back as well.
inline std::int64_t distance(std::int64_t from, std::int64_t to) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from));
}
inline std::int64_t moved(std::int64_t from, std::int64_t by) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(from) + static_cast<std::uint64_t>(by));
}

// One multiplication for each word of a value.
class Hash {
public:
    Hash& with(std::uint64_t word) {
        state_ = (state_ ^ word) * 0x9e3779b97f4a7c15U;
        state_ ^= state_ >> 32;
        return *this;
    }
    Hash& with(std::int32_t first, std::uint32_t second) {
        return with(static_cast<std::uint64_t>(static_cast<std::uint32_t>(first)) << 32 | second);
    }
    operator std::uint64_t() const { return state_; }

private:
    std::uint64_t state_ = 0;
};

template <class Value>
class ValueTable {
public:
    std::size_t size() const { return values_.size(); }
    const Value& operator[](std::size_t number) const { return values_[number]; }

    // Most rows take turns between two values: these two are looked at before the table.
    std::uint32_t numberOf(const Value& value) {
        for (const std::uint32_t number : {before_last_, last_})
            if (number < values_.size() && values_[number] == value) {
                before_last_ = last_;
                return last_ = number;
            }
        before_last_ = last_;
        return last_ = placeOf(value) - 1;
    }

private:
    // Number + 1.
    std::uint32_t placeOf(const Value& value) {
        if (2 * values_.size() >= places_.size()) grow();
        std::size_t at = value.hash() & mask();
        for (; places_[at] != 0; at = (at + 1) & mask())
            if (values_[places_[at] - 1] == value) return places_[at];
        values_.push_back(value);
        return places_[at] = static_cast<std::uint32_t>(values_.size());
    }
    std::size_t mask() const { return places_.size() - 1; }
    void grow() {
        places_.assign(std::max<std::size_t>(8, 2 * places_.size()), 0);
        for (std::size_t number = 0; number < values_.size(); ++number) {
            std::size_t at = values_[number].hash() & mask();
            while (places_[at] != 0) at = (at + 1) & mask();
            places_[at] = static_cast<std::uint32_t>(number + 1);
        }
    }

    std::vector<Value> values_;
    std::uint32_t last_ = 0, before_last_ = 0;  // numbers found last
    std::vector<std::uint32_t> places_;         // by hash: number + 1, 0 = free; at most half full
};

}  // namespace bscope
