#include "config/sweep_axis.h"

#include <algorithm>
#include <array>

#include "words/sentence.h"

namespace bscope {
namespace {

constexpr std::array<const char*, kSweepAxes> kAxisNames{"m", "v", "p", "recompute"};
constexpr std::array kKinds{Recompute::None, Recompute::Selective, Recompute::Full};
constexpr int kMostToTry = 32;

std::vector<long> divisorsOf(int number) {
    std::vector<long> divisors;
    for (int each = 1; each <= number; ++each)
        if (number % each == 0) divisors.push_back(each);
    return divisors;
}

// The same ranks with as many shards, and the same micro-batches of a mini-batch.
std::optional<Problem> shareRanks(RunConfig& config, int p) {
    const int ranks = config.params.layout().groups(), microbatches = config.params.microbatches();
    if (ranks % p != 0)
        return Problem("p", sentence("{0} ranks cannot be divided into pipelines of p = {1}", ranks, p),
                       divisorsOf(ranks));
    const int d = ranks / p;
    if (microbatches % d != 0)
        return Problem(
            "p", sentence("p = {0} makes d = {1}, over which the {2} micro-batches of an iteration cannot "
                          "be divided equally",
                          p, d, microbatches));
    config.params.p = p;
    config.params.d = d;
    if (d == 1) config.params.zero = 0;
    config.params.m = microbatches / d;
    return std::nullopt;
}

}  // namespace

const char* toText(SweepAxis axis) {
    return kAxisNames[static_cast<std::size_t>(axis)];
}

std::optional<SweepAxis> sweepAxisOf(std::string_view text) {
    const auto found = std::ranges::find(kAxisNames, text);
    if (found == kAxisNames.end()) return std::nullopt;
    return static_cast<SweepAxis>(found - kAxisNames.begin());
}

SweptConfig swept(const RunConfig& base, SweepAxis axis, int value) {
    SweptConfig made{base, std::nullopt};
    RunConfig& config = made.config;
    switch (axis) {
        case SweepAxis::Microbatches:
            config.params.m = value;
            break;
        case SweepAxis::Chunks:
            if (value != config.params.v) config.layers_per_stage.clear();
            config.params.v = value;
            break;
        case SweepAxis::Ranks:
            if (value == config.params.p) break;
            config.layers_per_stage.clear();
            made.problem = shareRanks(config, value);
            break;
        case SweepAxis::Checkpointing:
            if (value <= static_cast<int>(kKinds.size()))
                config.recompute = kKinds[static_cast<std::size_t>(value - 1)];
            else
                made.problem =
                    Problem("recompute", sentence("there is no kind {0} of checkpointing", value), {1, 2, 3});
            break;
    }
    return made;
}

std::string settingText(SweepAxis axis, const RunConfig& config) {
    const auto named = [](const char* name, int value) {
        return std::string(name) + " = " + std::to_string(value);
    };
    switch (axis) {
        case SweepAxis::Microbatches:
            return named("m", config.params.m);
        case SweepAxis::Chunks:
            return named("v", config.params.v);
        case SweepAxis::Ranks:
            return named("p", config.params.p) + ", " + named("d", config.params.d);
        case SweepAxis::Checkpointing:
            return std::string("recompute = ") + toText(config.recompute);
    }
    return {};
}

int valueOf(SweepAxis axis, const RunConfig& base) {
    switch (axis) {
        case SweepAxis::Microbatches:
            return base.params.m;
        case SweepAxis::Chunks:
            return base.params.v;
        case SweepAxis::Ranks:
            return base.params.p;
        case SweepAxis::Checkpointing:
            return static_cast<int>(std::ranges::find(kKinds, base.recompute) - kKinds.begin()) + 1;
    }
    return 0;
}

std::vector<int> usualValues(SweepAxis axis, const RunConfig& base) {
    std::vector<int> values;
    switch (axis) {
        case SweepAxis::Microbatches:
            return {1, 2, 4, 8, 16, 32};
        case SweepAxis::Chunks: {
            // As many chunks as there are blocks for them.
            const int most = std::max(1, base.model.layers / std::max(1, base.params.p));
            for (int v = 1; v <= std::min(most, kMostToTry); v *= 2) values.push_back(v);
            return values;
        }
        case SweepAxis::Ranks:
            for (const long p : divisorsOf(base.params.layout().groups()))
                if (p <= kMaxRanks) values.push_back(static_cast<int>(p));
            return values;
        case SweepAxis::Checkpointing:
            return {1, 2, 3};
    }
    return values;
}

}  // namespace bscope
