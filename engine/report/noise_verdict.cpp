#include "report/noise_verdict.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "timeline/median.h"
#include "words/factor_text.h"
#include "words/number_text.h"

namespace bscope {

namespace {

constexpr double kOfMad = 1.4826;
constexpr std::size_t kMostByRange = 10;  // of more, single values may be far off
constexpr std::size_t kOverlapDecides = 5;
// Neighbouring iterations hang together, so that their scatter says too little of the next run.
constexpr double kLeastShare = 0.01;

// Expected range of normal samples in standard deviations, d2 of control charts, from 2 samples on.
double rangeInDeviations(std::size_t count) {
    static constexpr double kRange[] = {1.128, 1.693, 2.059, 2.326, 2.534, 2.704, 2.847, 2.970, 3.078, 3.173,
                                        3.258, 3.336, 3.407, 3.472, 3.532, 3.588, 3.640, 3.689, 3.735};
    if (count - 2 < std::size(kRange)) return kRange[count - 2];
    return kRange[std::size(kRange) - 1] + 0.8 * std::log(static_cast<double>(count) / 20);
}

// Of the median of so many normal samples.
double varianceOfMedian(double deviation, std::size_t count) {
    const double efficiency = count > 2 ? std::numbers::pi / 2 : 1;
    return efficiency * deviation * deviation / static_cast<double>(count);
}

// Two-sided 95 % point of Student's distribution.
double studentPoint(double freedom) {
    static constexpr double kPoints[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262};
    const double whole = std::max(1.0, std::floor(freedom));
    const auto below = static_cast<std::size_t>(whole);
    if (below >= std::size(kPoints)) return 1.96 + 2.5 / freedom;
    const double part = std::max(0.0, freedom - whole);  // Welch's are no whole numbers
    return kPoints[below - 1] + part * (kPoints[below] - kPoints[below - 1]);
}

}  // namespace

Sampled samplesOf(double median, double low, double high, std::size_t count) {
    Sampled samples{median, low, high, 0, count};
    if (count > 1) samples.deviation = (high - low) / rangeInDeviations(count);
    return samples;
}

Sampled samplesOf(std::span<const double> values) {
    if (values.empty()) return {};
    std::vector<double> all(values.begin(), values.end());
    const double middle = median(all);
    const auto [low, high] = std::ranges::minmax(all);
    Sampled samples = samplesOf(middle, low, high, all.size());
    if (all.size() <= kMostByRange) return samples;
    for (double& each : all) each = std::abs(each - middle);
    samples.deviation = kOfMad * median(std::move(all));
    return samples;
}

NoiseVerdict noiseVerdict(const Sampled& a, const Sampled& b) {
    NoiseVerdict verdict;
    verdict.difference = b.median - a.median;
    verdict.of = a.median;
    if (a.count == 0 || b.count == 0 || (a.count == 1 && b.count == 1)) return verdict;
    // One value scatters as the others do.
    const double of_a = varianceOfMedian(a.count > 1 ? a.deviation : b.deviation, a.count),
                 of_b = varianceOfMedian(b.count > 1 ? b.deviation : a.deviation, b.count);
    const double variance = of_a + of_b;
    double freedom = 0;  // of Welch
    if (a.count > 1) freedom += of_a * of_a / static_cast<double>(a.count - 1);
    if (b.count > 1) freedom += of_b * of_b / static_cast<double>(b.count - 1);
    freedom = freedom > 0 ? variance * variance / freedom : 1;
    if (a.count == 1 || b.count == 1) freedom = static_cast<double>(a.count + b.count - 2);
    verdict.noise =
        std::max(studentPoint(freedom) * std::sqrt(variance), kLeastShare * std::abs(a.median));
    const bool few = a.count < kOverlapDecides && b.count < kOverlapDecides;
    if (few && a.low <= b.high && b.low <= a.high)
        verdict.noise = std::max(verdict.noise, std::abs(verdict.difference));
    verdict.kind = std::abs(verdict.difference) > verdict.noise ? NoiseVerdict::Kind::Differs
                                                                : NoiseVerdict::Kind::NoDifference;
    return verdict;
}

Sentence noDifferenceWords(const NoiseVerdict& verdict) {
    if (roundsToNothing(verdict.noiseShare())) return sentence("no difference");
    return sentence("no difference (within {0} %)", percentNumber(verdict.noiseShare()));
}

}  // namespace bscope
