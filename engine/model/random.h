// Counter-based random numbers: value i of a stream is a pure function of (key, i), so numbers do not depend
// on the order of the calls. SplitMix64 (Steele, Lea & Flood, OOPSLA 2014) and Box-Muller.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <string_view>
#include <utility>

namespace bscope {

// Output number `index` of the SplitMix64 stream that starts at `key`.
constexpr std::uint64_t randomBits(std::uint64_t key, std::uint64_t index) {
    std::uint64_t z = key + (index + 1) * 0x9E3779B97F4A7C15ULL;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

// The key of a named stream: FNV-1a of the name, mixed with the seed.
constexpr std::uint64_t randomKey(std::uint64_t seed, std::string_view name) {
    std::uint64_t hash = 0xCBF29CE484222325ULL;
    for (const char letter : name) hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001B3ULL;
    return randomBits(hash, seed);
}

// Normal numbers 2 index and 2 index + 1 of the stream, mean 0, deviation 1.
inline std::pair<double, double> randomNormals(std::uint64_t key, std::uint64_t index) {
    constexpr double unit = 1.0 / 9007199254740992.0;                                       // 2^-53
    const double u = (static_cast<double>(randomBits(key, 2 * index) >> 11) + 1.0) * unit;  // (0, 1]
    const double angle =
        2.0 * std::numbers::pi * static_cast<double>(randomBits(key, 2 * index + 1) >> 11) * unit;
    const double radius = std::sqrt(-2.0 * std::log(u));
    return {radius * std::cos(angle), radius * std::sin(angle)};
}

}  // namespace bscope
