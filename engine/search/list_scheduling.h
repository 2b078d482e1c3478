// listSchedule: makes orders by walking through time: whenever a rank is free it takes the best operation
// that is ready under the given rules and the limit of chunks in flight; weight gradients fill what would be
// idle.
#pragma once

#include <cstdint>
#include <optional>

#include "search/search_instance.h"

namespace bscope {

struct ListRules {
    enum class Prefer : std::uint8_t { Backward, Forward, Alternate };
    enum class Chunks : std::uint8_t { Deepest, Groups, Oldest };  // which chunk's forward comes first
    enum class Weights : std::uint8_t {
        WhenIdle,
        Lagging,
        AtOnce
    };  // lagging: r input gradients behind on rank r

    bool split = true;  // I and W apart
    Prefer prefer = Prefer::Backward;
    Chunks chunks = Chunks::Deepest;
    Weights weights = Weights::WhenIdle;
    int window = 0;                    // chunks in flight on rank r: at most window, 0 = the limit alone
    int window_per_rank = 0;           // less this times r
    bool whole_ways = false;           // a micro-batch enters a rank only when all its chunks fit
    double patience = 0;               // leaves the rank idle when something arrives within this share of a W
    const Orders* skeleton = nullptr;  // the order of forwards and backwards to keep; only W's are placed
};

// nullopt when the rules run into a dead end.
std::optional<Orders> listSchedule(const SearchInstance& instance, const ListRules& rules);

}  // namespace bscope
