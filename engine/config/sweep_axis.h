// SweepAxis: what a sweep varies, and which configuration a value of it is. Values count from 1; those of
// checkpointing are the kinds in their order (1: none). Pure functions, for engine and window alike.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/run_config.h"
#include "schedule/problem.h"

namespace bscope {

enum class SweepAxis : std::uint8_t {
    Microbatches,  // m
    Chunks,        // v
    Ranks,         // p, with d so that p · d stays, and m so that m · d does: the same ranks and mini-batch
    Checkpointing
};
inline constexpr int kSweepAxes = 4;

// "m", "v", "p", "recompute", as options and JSON have it; nullopt: it is none.
const char* toText(SweepAxis axis);
std::optional<SweepAxis> sweepAxisOf(std::string_view text);

// The configuration with that value, which is at least 1; the problem says why there is none.
struct SweptConfig {
    RunConfig config;
    std::optional<Problem> problem;
};
SweptConfig swept(const RunConfig& base, SweepAxis axis, int value);
// Of a configuration that swept() gave: "v = 2", "p = 4, d = 2", "recompute = full".
std::string settingText(SweepAxis axis, const RunConfig& config);
// The base's own value.
int valueOf(SweepAxis axis, const RunConfig& base);
// What to try by default: m and v in powers of two, every p that divides p · d, all kinds of
// checkpointing.
std::vector<int> usualValues(SweepAxis axis, const RunConfig& base);

}  // namespace bscope
