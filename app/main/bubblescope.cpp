// bubblescope: the window.
#include "app/window/program.h"

int main(int argc, char* argv[]) {
    return bscope::ui::runProgram(argc, argv);
}
