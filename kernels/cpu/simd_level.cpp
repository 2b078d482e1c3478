// One look at the CPU; the tables themselves are in simd/*.cpp, compiled once for each level.
#include "kernels/cpu/simd_level.h"

namespace bscope::simd {

namespace baseline {
extern const ElementLoops element_loops;
extern const RowLoops row_loops;
}  // namespace baseline
#ifdef BSCOPE_SIMD_X86
namespace v3 {
extern const ElementLoops element_loops;
extern const RowLoops row_loops;
extern const ProductLoops product_loops;
}  // namespace v3
namespace v4 {
extern const ElementLoops element_loops;
extern const RowLoops row_loops;
}  // namespace v4
#endif

const std::vector<Level>& levels() {
    static const std::vector<Level> all = [] {
        std::vector<Level> found{{"baseline", baseline::element_loops, baseline::row_loops, nullptr, false}};
#ifdef BSCOPE_SIMD_X86
        const bool runs_v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                             __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
        const bool runs_v4 = runs_v3 && __builtin_cpu_supports("avx512f") &&
                             __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
                             __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
        if (runs_v3) found.push_back({"v3", v3::element_loops, v3::row_loops, &v3::product_loops, true});
        if (runs_v4) found.push_back({"v4", v4::element_loops, v4::row_loops, &v3::product_loops, false});
#endif
        return found;
    }();
    return all;
}

}  // namespace bscope::simd
