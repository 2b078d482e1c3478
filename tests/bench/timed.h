// Timing for benchmarks of computing: CPU time of this thread, the best of many, so that a busy machine
// disturbs ratios little.
#pragma once

#include <time.h>

#include <algorithm>
#include <cstddef>

#include "kernels/linear_products.h"
#include "kernels/ops.h"

namespace bscope::bench {

inline double now_s() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// Seconds of the fastest of many runs, after one that is not timed: as many as the budget has room for, and
// at least `least_runs`, so that long work has as good a chance of an undisturbed run as short work.
template <typename Work>
double bestSeconds(double budget_s, const Work& work, int least_runs = 1) {
    work();
    double best = 1e300;
    const double begin_s = now_s();
    int runs = 0;
    do {
        const double start_s = now_s();
        work();
        best = std::min(best, now_s() - start_s);
    } while (++runs < least_runs || now_s() - begin_s < budget_s);
    return best;
}

// C = A B, all (n, n): what the machine's rate of matrix products is taken from.
inline Matmul squareProduct(float* c, const float* a, const float* b, std::size_t n) {
    return backwardInputProduct(c, a, b, n, n, n);
}

}  // namespace bscope::bench
