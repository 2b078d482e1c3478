// Which compilation of the loops runs: baseline, x86-64-v3 (AVX2 and FMA) or x86-64-v4 (AVX-512). Any thread.
#pragma once

#include <vector>

#include "kernels/cpu/simd/loops.h"
#include "kernels/products.h"

namespace bscope::simd {

struct Level {
    const char* name;  // "baseline", "v3", "v4"
    const ElementLoops& element;
    const RowLoops& row;
    const ProductLoops* products;  // null: there are none that this CPU runs
    bool multiplies_quicker;       // than oneDNN

    // Null: oneDNN multiplies.
    const ProductLoops* loopsFor(Products choice) const {
        const bool loops = choice == Products::Loops || (choice == Products::Usual && multiplies_quicker);
        return loops ? products : nullptr;
    }
};

// All that this CPU runs, best last; never empty.
const std::vector<Level>& levels();
inline const Level& bestLevel() {
    return levels().back();
}

}  // namespace bscope::simd
