// Values one after another in bytes, read back in the same order; every process runs the same program on the
// same kind of machine. Values without a state.
#pragma once

#include <cstddef>
#include <cstring>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace bscope {

class Packer {
public:
    template <class Value>
    Packer& add(const Value& value) {
        static_assert(std::is_trivially_copyable_v<Value>);
        append(&value, sizeof(Value));
        return *this;
    }
    template <class Value>
    Packer& add(const std::vector<Value>& values) {
        static_assert(std::is_trivially_copyable_v<Value>);
        add(values.size());
        append(values.data(), values.size() * sizeof(Value));
        return *this;
    }
    Packer& add(const std::string& text) { return add(std::vector<char>(text.begin(), text.end())); }
    std::vector<char> take() { return std::move(bytes_); }

private:
    void append(const void* from, std::size_t count) {
        if (count == 0) return;
        const std::size_t at = bytes_.size();
        bytes_.resize(at + count);
        std::memcpy(bytes_.data() + at, from, count);
    }
    std::vector<char> bytes_;
};

// The bytes must outlive it. Throws std::logic_error when there are too few bytes.
class Unpacker {
public:
    explicit Unpacker(const std::vector<char>& bytes)
        : at_(bytes.data()), end_(bytes.data() + bytes.size()) {}
    template <class Value>
    Value next() {
        static_assert(std::is_trivially_copyable_v<Value>);
        Value value;
        read(&value, sizeof(Value));
        return value;
    }
    template <class Value>
    std::vector<Value> nextVector() {
        std::vector<Value> values(next<std::size_t>());
        read(values.data(), values.size() * sizeof(Value));
        return values;
    }
    std::string nextText() {
        const auto letters = nextVector<char>();
        return {letters.begin(), letters.end()};
    }

private:
    void read(void* into, std::size_t count) {
        if (count > static_cast<std::size_t>(end_ - at_)) throw std::logic_error("a message is too short");
        if (count > 0) std::memcpy(into, at_, count);
        at_ += count;
    }
    const char* at_;
    const char* end_;
};

}  // namespace bscope
