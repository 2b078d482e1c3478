// Terminal: what is known about where the output goes.
#pragma once

#include <string>

#include "view/text/text_gantt.h"

namespace bscope::cli {

struct Terminal {
    int columns = 100;
    // On a terminal, or when CLICOLOR_FORCE is set to anything but 0; never when NO_COLOR is set and not
    // empty. mpirun gives its programs a terminal wherever its own output goes, so that under it colours have
    // to be forced. How many there are say COLORTERM and TERM.
    TerminalColours colours = TerminalColours::None;
};

// Of standard output: the terminal's width, $COLUMNS, or 100.
Terminal outputTerminal();
bool errorsGoToTerminal();

// A line that a person types or pastes after `prompt`, on standard input, which is a terminal; it is not
// shown. Ctrl-C ends the program as ever.
std::string askedFor(const std::string& prompt);

// Opens a null device on each of the descriptors 0 to 2 that is closed, so that no file opened later takes
// its place and receives what is printed. To be called before anything is opened.
void openStandardStreams();

}  // namespace bscope::cli
