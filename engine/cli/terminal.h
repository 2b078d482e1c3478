// Terminal: what is known about where the output goes.
#pragma once

namespace bscope::cli {

struct Terminal {
    int columns = 100;
    bool colours = false;  // a terminal, and NO_COLOR is not set
};

// Of standard output: the terminal's width, $COLUMNS, or 100.
Terminal outputTerminal();
bool errorsGoToTerminal();

}  // namespace bscope::cli
