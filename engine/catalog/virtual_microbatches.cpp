#include "catalog/virtual_microbatches.h"

#include <algorithm>

#include "catalog/generators.h"
#include "catalog/nearest.h"

namespace bscope {

std::vector<VirtualMicrobatch> virtualMicrobatches(int v, int m, int group_size) {
    std::vector<VirtualMicrobatch> table;
    table.reserve(static_cast<std::size_t>(v) * static_cast<std::size_t>(m));
    for (int group = 0; group < m; group += group_size)
        for (int chunk = 0; chunk < v; ++chunk)
            for (int microbatch = group; microbatch < std::min(group + group_size, m); ++microbatch)
                table.push_back({chunk, microbatch});
    return table;
}

namespace {

long rounds(long p, long m) {
    return std::max(1L, m / p);
}

}  // namespace

int givenGroupSize(const ScheduleParams& params) {
    return params.group_size > 0 ? params.group_size : params.p;
}

int roundGroupSize(const ScheduleParams& params) {
    return params.m / static_cast<int>(rounds(params.p, params.m));
}

std::vector<Problem> generators::roundProblems(const ScheduleParams& params) {
    const auto legal = [&](long m) { return m % rounds(params.p, m) == 0; };
    if (legal(params.m)) return {};
    return {{"m",
             "m = {0} does not divide into {1} equal rounds (m div p, p = {2})",
             {std::to_string(params.m), std::to_string(rounds(params.p, params.m)), std::to_string(params.p)},
             nearestLegal(params.m, 1, kMaxMicrobatches, legal)}};
}

}  // namespace bscope
