#include "analysis/size_fit.h"

#include <cmath>
#include <set>

namespace bscope {

namespace {

constexpr std::size_t kLeastSizes = 3;
constexpr double kSureErrors = 2;

// Squared distances of what was measured from a line: as shares of the line, and by the weights of the fit.
struct Offs {
    double squares = 0, weighted = 0;
    int count = 0;
};

}  // namespace

std::optional<SizeFit> sizeFit(std::span<const MeasuredSize> measured) {
    // Of weights 1 / ns^2: errors are shares of what was measured.
    double weights = 0, by_size = 0, by_square = 0, by_ns = 0, by_both = 0;
    std::set<int> sizes;
    for (const MeasuredSize& each : measured) {
        if (each.size < 1 || !(each.ns > 0)) continue;
        const double weight = 1 / (each.ns * each.ns), size = each.size;
        weights += weight;
        by_size += weight * size;
        by_square += weight * size * size;
        by_ns += weight * each.ns;
        by_both += weight * size * each.ns;
        sizes.insert(each.size);
    }
    if (sizes.size() < kLeastSizes) return std::nullopt;
    SizeFit fit;
    fit.sizes = static_cast<int>(sizes.size());
    const double determinant = weights * by_square - by_size * by_size;
    fit.sample_ns = (weights * by_both - by_size * by_ns) / determinant;
    fit.fixed_ns = (by_ns - fit.sample_ns * by_size) / weights;
    if (!(fit.sample_ns > 0)) return std::nullopt;
    // Of the scatter around the line, with two numbers fitted.
    const auto offsOf = [&measured](const SizeFit& line) {
        double squares = 0, weighted = 0;
        int count = 0;
        for (const MeasuredSize& each : measured) {
            if (each.size < 1 || !(each.ns > 0)) continue;
            const double off = each.ns - line.at(each.size);
            squares += std::pow(each.ns / line.at(each.size) - 1, 2);
            weighted += off * off / (each.ns * each.ns);
            ++count;
        }
        return Offs{squares, weighted, count};
    };
    const Offs around = offsOf(fit);
    const double error = std::sqrt(around.weighted / (around.count - 2) * by_square / determinant);
    if (fit.fixed_ns < kSureErrors * error) {  // less than 0 too: no operation begins before it begins
        fit.fixed_ns = 0;
        fit.sample_ns = by_both / by_square;
    }
    const Offs left = offsOf(fit);
    fit.residual = std::sqrt(left.squares / left.count);
    return fit;
}

double workOf(const Costs& costs) {
    double ns = 0;
    for (const StageCosts& stage : costs.stages)
        ns += stage.forward_ns + (stage.backward_ns > 0 ? stage.backward_ns : stage.input_ns + stage.weight_ns);
    return ns;
}

Costs withSizeFit(Costs costs, const SizeFit& fit, int size) {
    const double now = workOf(costs);
    if (!(now > 0)) return costs;
    const double factor = fit.at(size) / now;
    for (StageCosts& stage : costs.stages)
        for (const DurationField& field : kDurationFields) stage.*field.ns *= factor;
    return costs;
}

}  // namespace bscope
