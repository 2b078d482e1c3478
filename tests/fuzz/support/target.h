// Target: one way into the program for bytes of anybody, and what must hold whatever they are. A target is a
// file of targets/; it defines target(), and is linked with libFuzzer (preset `fuzz`) or with the replay of
// seeds and crashers (tst_fuzz.cpp, in every build). run() is called by one thread, again and again.
#pragma once

#include <cstdint>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>

namespace bscope::fuzz {

using Random = std::mt19937_64;

// A promise that did not hold. Like a crash, and like every exception that run() lets through, a finding.
struct Violation : std::logic_error {
    using std::logic_error::logic_error;
};

inline void require(bool holds, const char* promise) {
    if (!holds) throw Violation(promise);
}

// `shown()` is the text that broke it, asked for only then: most of a target's time would go into such texts.
template <typename Shown>
void require(bool holds, const char* promise, const Shown& shown) {
    if (!holds) throw Violation(promise + (": " + shown()));
}

struct Target {
    const char* name;  // of its folders of seeds and crashers
    void (*run)(std::string_view input);
    // Changes an input by what it means (fields of messages, cells of a table); null: bytes only.
    void (*mutate)(std::string& input, Random& random) = nullptr;
};

const Target& target();

// At most this many bytes an input.
inline constexpr std::size_t kMaxInputBytes = 1u << 16;

}  // namespace bscope::fuzz
