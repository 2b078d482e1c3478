// Noise verdict: whether two series of measurements differ by more than they scatter. One rule for every
// comparison of runs: sweep, baseline, compare, lessons. The rule and what it assumes stand in
// docs/NUMBERS.md, "Difference or noise". Pure functions, any unit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "words/sentence.h"

namespace bscope {

// What is known of one series, in its unit.
struct Sampled {
    double median = 0, low = 0, high = 0;
    double deviation = 0;  // standard deviation, estimated; 0 of one sample
    std::size_t count = 0;
};
// Without values: count 0.
Sampled samplesOf(std::span<const double> values);
// Where single values are not kept.
Sampled samplesOf(double median, double low, double high, std::size_t count);

struct NoiseVerdict {
    enum class Kind : std::uint8_t {
        Unknown,       // one value each, or none: nothing is known of their scatter
        NoDifference,  // no greater than noise
        Differs,
    };
    Kind kind = Kind::Unknown;
    double difference = 0;  // of the medians, b - a
    double noise = 0;       // what a difference has to exceed; the 95 % confidence of the medians
    double of = 0;          // the median of a, what shares are of

    bool differs() const { return kind == Kind::Differs; }
    bool isNoise() const { return kind == Kind::NoDifference; }
    double share() const { return of != 0 ? difference / of : 0; }
    double noiseShare() const { return of != 0 ? noise / (of < 0 ? -of : of) : 0; }
};

// b against a.
NoiseVerdict noiseVerdict(const Sampled& a, const Sampled& b);

// "no difference (within 3.1 %)"; of a verdict that isNoise().
Sentence noDifferenceWords(const NoiseVerdict& verdict);

}  // namespace bscope
