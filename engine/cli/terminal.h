// Terminal: what is known about where the output goes.
#pragma once

namespace bscope::cli {

struct Terminal {
    int columns = 100;
    // On a terminal, or when CLICOLOR_FORCE is set to anything but 0; never when NO_COLOR is set. mpirun
    // gives its programs a terminal wherever its own output goes, so that under it colours have to be forced.
    bool colours = false;
};

// Of standard output: the terminal's width, $COLUMNS, or 100.
Terminal outputTerminal();
bool errorsGoToTerminal();

// Where standard input, output or errors are closed, nothing stands in for them: otherwise the next file that
// is opened would take the place of one, and what is printed would go into it. Before anything is opened.
void openStandardStreams();

}  // namespace bscope::cli
