// The known word nearest to a mistyped one.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace bscope {

// Levenshtein's: the fewest single-letter changes from one to the other, in bytes. Of words that are more
// than `most` apart, some number above it.
std::size_t wordDistance(const std::string& a, const std::string& b,
                         std::size_t most = std::numeric_limits<std::size_t>::max());

// The word that needs the fewest single-letter changes, when those are two or at most a third of its length.
std::optional<std::string> nearestWord(const std::string& typed, const std::vector<std::string>& words);

std::string joined(const std::vector<std::string>& words, const std::string& separator);

}  // namespace bscope
