// Letters of a terminal: how many cells a text takes, and texts cut and wrapped by cells. Chinese letters and
// full-width signs take two; marks that combine with the letter before them, and whatever drives a terminal,
// take none and are never shown. Pure functions; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bscope::terminal {

// 0, 1 or 2.
int cellsOf(char32_t letter);
int cellsOf(std::string_view utf8);

// Bytes that are no UTF-8 become U+FFFD.
std::u32string lettersOf(std::string_view utf8);
std::string utf8Of(char32_t letter);

// The whole text, or as much as fits with "…" behind it.
std::string fitted(std::string_view utf8, int cells);
// Lines of at most so many cells, broken at spaces and beside wide letters; what is longer is broken
// anywhere.
std::vector<std::string> wrapped(std::string_view utf8, int cells);

}  // namespace bscope::terminal
