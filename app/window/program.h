// The window's program: reads the command line, then opens the window or, with --export, makes a picture
// without one.
#pragma once

namespace bscope::ui {

// Gives the exit status: 0 done, 1 failed while running, 2 asked for something illegal.
int runProgram(int argc, char* argv[]);

}  // namespace bscope::ui
