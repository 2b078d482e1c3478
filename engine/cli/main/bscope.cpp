// bscope: the engine and the command line.
#include "cli/command.h"

int main(int argc, char** argv) {
    return bscope::cli::runProgram({argv + 1, argv + argc});
}
