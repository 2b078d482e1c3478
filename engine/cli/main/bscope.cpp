// bscope: the engine and the command line.
#include "cli/command.h"
#include "cli/terminal.h"

int main(int argc, char** argv) {
    bscope::cli::openStandardStreams();
    return bscope::cli::runProgram({argv + 1, argv + argc});
}
