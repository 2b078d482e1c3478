// Changes of bytes that know nothing of their meaning, for the mutants of tst_fuzz.cpp and of the programs
// under test; libFuzzer has its own. The same random numbers give the same change.
#pragma once

#include <string>

#include "support/target.h"

namespace bscope::fuzz {

std::uint64_t below(Random& random, std::uint64_t limit);  // 0 .. limit - 1; 0 when limit is 0
bool oneIn(Random& random, std::uint64_t n);

// One to four changes: bits, bytes, numbers at their limits, pieces removed, doubled or moved.
void mutateBytes(std::string& bytes, Random& random);

// An integer where code has its limits: 0, -1, powers of two and ten and their neighbours, or anything.
std::int64_t edgeInteger(Random& random);
// NaN, infinities, zeros, huge and tiny numbers, or anything.
double edgeNumber(Random& random);

}  // namespace bscope::fuzz
