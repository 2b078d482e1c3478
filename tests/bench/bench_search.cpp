// How far from its own lower bound the search for an order ends, and how long it takes: p = 8, m = 32, random
// costs of operations, equal on all stages or drawn stage by stage. The gap is the most by which the order
// found may be longer than the best there is. CPU time, beside the limits; meant for a quiet machine.
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <random>
#include <utility>

#include "search/search.h"

using namespace bscope;

namespace {

constexpr int kSets = 10;
constexpr double kGapLimit = 0.01, kLimitMs = 2000;

double cpuMs() {
    return static_cast<double>(std::clock()) * 1000 / CLOCKS_PER_SEC;
}

// Operations of a transformer: I and W about as long as F, unequal stages up to 30 % apart.
Costs drawCosts(int stages, bool equal, std::mt19937& random) {
    const auto between = [&random](double least, double most) {
        return std::uniform_real_distribution<double>(least, most)(random);
    };
    const double f = 1, i = between(0.7, 1.5), w = between(0.4, 1.2), hop = between(0, 0.1);
    Costs costs = unitCosts(stages, f, i, w, hop);
    for (StageCosts& stage : costs.stages) {
        if (equal) break;
        const double scale = between(0.85, 1.15);
        for (const DurationField& field : kDurationFields) stage.*field.ns *= scale;
    }
    return costs;
}

}  // namespace

int main(int, char**) {
    for (const int v : {1, 2})
        for (const auto& [equal, cap] : {std::pair{true, 0.0}, {false, 0.0}, {true, 8.0}, {false, 8.0}}) {
            std::mt19937 random(7);
            int close = 0;
            double longest_ms = 0, worst = 0;
            for (int set = 0; set < kSets; ++set) {
                const SearchRequest request{{8, v, 32, 0}, drawCosts(8 * v, equal, random), cap};
                const double before = cpuMs();
                const SearchResult result = searchSchedule(request);
                longest_ms = std::max(longest_ms, cpuMs() - before);
                worst = std::max(worst, result.gap());
                close += result.gap() <= kGapLimit ? 1 : 0;
            }
            std::printf(
                "p=8 m=32 v=%d, %s stages, %s: %d of %d at most 1 %% above their bound (limit 9), worst %.2f "
                "%%; "
                "longest %.0f ms = %.2f of the limit of 2 s\n",
                v, equal ? "equal" : "unequal", cap > 0 ? "at most 8 micro-batches a rank" : "no cap", close,
                kSets, 100 * worst, longest_ms, longest_ms / kLimitMs);
            std::fflush(stdout);
        }
    return 0;
}
