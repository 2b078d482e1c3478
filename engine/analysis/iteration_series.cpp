#include "analysis/iteration_series.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "timeline/median.h"

namespace bscope {

namespace {

constexpr std::size_t kLeastForOddity = 8, kLeastForDrift = 12;
constexpr double kDeviations = 5, kLeastOddShare = 0.05;
constexpr double kLeastZ = 4, kLeastDriftShare = 0.03;

std::vector<double> lengthsOf(std::span<const SeriesPoint> points, bool calm_only) {
    std::vector<double> lengths;
    for (const SeriesPoint& point : points)
        if (!calm_only || !(point.disturbed || point.is_first)) lengths.push_back(point.length_ms);
    return lengths;
}

Oddity causeOf(const SeriesPoint& point, bool is_longer) {
    if (is_longer && point.throttles.value_or(0) > 0) return Oddity::Thermal;
    if (is_longer && point.disturbed) return Oddity::Disturbed;
    return point.is_first ? Oddity::First : Oddity::Unexplained;
}

double sign(double value) {
    return value > 0 ? 1 : value < 0 ? -1 : 0;
}

}  // namespace

std::size_t nearestToMedian(std::span<const double> lengths) {
    const double middle = median(std::vector<double>(lengths.begin(), lengths.end()));
    return static_cast<std::size_t>(
        std::ranges::min_element(lengths, {}, [middle](double each) { return std::abs(each - middle); }) -
        lengths.begin());
}

SeriesFacts seriesFacts(std::span<const SeriesPoint> points) {
    SeriesFacts facts;
    facts.oddities.assign(points.size(), Oddity::None);
    std::vector<double> lengths = lengthsOf(points, true);
    if (lengths.size() < kLeastForOddity) lengths = lengthsOf(points, false);
    if (lengths.empty()) return facts;
    facts.samples = lengths.size();
    facts.median_ms = median(lengths);
    for (double& each : lengths) each = std::abs(each - facts.median_ms);
    facts.deviation_ms = 1.4826 * median(std::move(lengths));
    if (facts.samples < kLeastForOddity) return facts;
    const double least_ms = std::max(kDeviations * facts.deviation_ms, kLeastOddShare * facts.median_ms);
    for (std::size_t i = 0; i < points.size(); ++i)
        if (std::abs(points[i].length_ms - facts.median_ms) > least_ms)
            facts.oddities[i] = causeOf(points[i], points[i].length_ms > facts.median_ms);
    return facts;
}

std::optional<Drift> driftOf(std::span<const SeriesPoint> points) {
    std::vector<std::pair<double, double>> calm;  // place, length
    std::size_t throttled = 0;
    bool all_tell = true;
    for (std::size_t i = 0; i < points.size(); ++i)
        if (!points[i].disturbed && !points[i].is_first) {
            calm.emplace_back(static_cast<double>(i), points[i].length_ms);
            all_tell = all_tell && points[i].throttles;
            throttled += points[i].throttles.value_or(0) > 0;
        }
    if (calm.size() < kLeastForDrift) return std::nullopt;
    double concordance = 0;
    std::vector<double> slopes;
    std::map<double, double> equal;  // lengths, and how often each
    for (std::size_t i = 0; i < calm.size(); ++i) {
        equal[calm[i].second] += 1;
        for (std::size_t j = i + 1; j < calm.size(); ++j) {
            const double more_ms = calm[j].second - calm[i].second;
            concordance += sign(more_ms);
            slopes.push_back(more_ms / (calm[j].first - calm[i].first));
        }
    }
    // Kendall's variance, with his correction for equal lengths.
    const auto term = [](double n) { return n * (n - 1) * (2 * n + 5); };
    double variance = term(static_cast<double>(calm.size()));
    for (const auto& [length, count] : equal) variance -= term(count);
    variance /= 18;
    if (variance <= 0) return std::nullopt;
    Drift drift;
    drift.samples = calm.size();
    if (throttled > 0 || all_tell) drift.throttled = throttled;
    drift.z = (concordance - sign(concordance)) / std::sqrt(variance);
    drift.slope_ms = median(std::move(slopes));
    std::vector<double> places, lengths;
    for (const auto& [place, length] : calm) {
        places.push_back(place);
        lengths.push_back(length);
    }
    const double span = places.back() - places.front();
    drift.middle = median(std::move(places));
    drift.at_middle_ms = median(std::move(lengths));
    if (drift.at_middle_ms <= 0) return std::nullopt;
    drift.share = drift.slope_ms * span / drift.at_middle_ms;
    if (std::abs(drift.z) <= kLeastZ || std::abs(drift.share) <= kLeastDriftShare) return std::nullopt;
    return drift;
}

std::optional<Straggler> stragglerOf(std::span<const Outliers> iterations) {
    if (iterations.size() < kLeastForStraggler) return std::nullopt;
    std::map<std::tuple<Straggler::Kind, int, int, int>, std::vector<Outlier>> found;
    for (const Outliers& each : iterations) {
        using enum Straggler::Kind;
        for (const auto& [kind, outlier] :
             {std::pair{Rank, each.slow_rank}, std::pair{Stage, each.slow_stage},
              std::pair{Microbatch, each.odd_microbatch}, std::pair{Link, each.slow_link}})
            if (outlier) found[{kind, outlier->index, outlier->to, outlier->twin}].push_back(*outlier);
    }
    std::optional<Straggler> most;
    for (const auto& [what, outliers] : found) {
        if (2 * outliers.size() <= iterations.size()) continue;
        std::vector<double> factors, launch_gaps, excesses_ns;
        for (const Outlier& each : outliers) {
            factors.push_back(each.factor);
            excesses_ns.push_back(each.excess_ns);
            if (each.launch_gaps) launch_gaps.push_back(*each.launch_gaps);
        }
        const auto& [kind, index, to, twin] = what;
        Straggler straggler{kind, index, to, median(factors), outliers.size(), iterations.size(), twin};
        straggler.excess_ns = median(excesses_ns);
        if (launch_gaps.size() == outliers.size()) straggler.launch_gaps = median(launch_gaps);
        if (!most ||
            std::pair(straggler.found_in, straggler.factor) > std::pair(most->found_in, most->factor))
            most = straggler;
    }
    return most;
}

}  // namespace bscope
