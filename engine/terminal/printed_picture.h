// printedPicture: what the terminal view draws of one iteration, as text to print: head, numbers, ruler,
// lanes with their memory curves, legend, where the idle time comes from. Pure; any thread.
#pragma once

#include <string>

#include "terminal/colours.h"
#include "view/view_data.h"
#include "words/catalog.h"

namespace bscope::terminal {

// At least kLeastColumns are used; UTF-8, with the terminal's sequences for colours where it has some. Every
// line ends with a line feed.
std::string printedPicture(const IterationView& view, TerminalColours depth, bool on_dark, int columns,
                           Language language);

}  // namespace bscope::terminal
