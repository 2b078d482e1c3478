// bscope: the engine and the command line.
#include "cli/input/command.h"
#include "cli/input/terminal.h"
#include "kernels/plugin/plugin.h"

int main(int argc, char** argv) {
    bscope::askForQueues();
    bscope::cli::openStandardStreams();
    return bscope::cli::runProgram({argv + 1, argv + argc});
}
