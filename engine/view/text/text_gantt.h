// textGantt: the picture of one iteration for a terminal: a row a rank, the time axis in ms, the bubble of
// each rank at the end of its row, the provenance in the last line. Readable without colours: every box
// begins with its letter, and each operation fills its box with another line pattern.
#pragma once

#include <cstdint>
#include <string>

#include "timeline/timeline.h"
#include "words/catalog.h"

namespace bscope {

// What a terminal can show: its own 16 colours, which a theme may change; the 240 that are the same
// everywhere; any.
enum class TerminalColours : std::uint8_t { None, Basic, Indexed, Direct };

// What boxes are drawn with where they have no colours: lines, or signs that any font and any chat has.
enum class TextSigns : std::uint8_t { Lines, Ascii };

inline constexpr int kLeastTextColumns = 40;

// `columns` is the width of the whole picture in terminal cells (at least kLeastTextColumns are used); UTF-8.
// With colours the boxes have those of view/palette.h, or the nearest that there are, and ink that can be
// read on these. Throws std::out_of_range when the timeline has no such iteration. Words are in the language.
std::string textGantt(const Timeline& timeline, std::int32_t iteration, int columns, TerminalColours colours,
                      Language language = Language::English, TextSigns signs = TextSigns::Lines);

}  // namespace bscope
