// Numbers as people read them in the terminal.
#pragma once

#include <cstdint>
#include <string>

namespace bscope::cli {

std::string fixed(double value, int decimals);
std::string shortNumber(double value);      // "1", "33.6", "0.25"
std::string percent(double share);          // 0.2727 -> "27.3 %"
std::string milliseconds(double ms);        // "12.3", "0.14": without the unit
std::string megabytes(std::int64_t bytes);  // 1e6 bytes: "12.3 MB"
// Of a terminal: two for a Chinese letter, one for any other.
std::size_t columnsOf(const std::string& text);
// Spaces appended (padded) or prepended (aligned) up to `width` columns.
std::string padded(const std::string& text, std::size_t width);
std::string aligned(const std::string& text, std::size_t width);

// Lines of up to `width` columns. A line may end after any Chinese letter, but none begins with a comma or
// the like, ends with an opening bracket, or begins with the sign of a percentage.
std::string wrapped(const std::string& text, std::size_t width);

}  // namespace bscope::cli
