#include "cli/input/terminal.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "cli/input/command_line.h"
#include "mpi/processes.h"

namespace bscope::cli {
namespace {
constexpr int kWidest = 400;
}

Terminal outputTerminal() {
    Terminal terminal;
    winsize size{};
    const char* columns = std::getenv("COLUMNS");
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        terminal.columns = size.ws_col;
    else if (columns)
        terminal.columns = std::clamp(parseInteger(columns).value_or(terminal.columns), 1, kWidest);
    const char* term = std::getenv("TERM");
    const bool dumb = term && std::string(term) == "dumb";
    const char* force = std::getenv("CLICOLOR_FORCE");
    const bool forced = force && std::string(force) != "0";
    const bool on_terminal = isatty(STDOUT_FILENO) != 0 && !underMpirun() && !dumb;
    terminal.colours = !std::getenv("NO_COLOR") && (forced || on_terminal);
    return terminal;
}

bool errorsGoToTerminal() {
    return isatty(STDERR_FILENO) != 0;
}

void openStandardStreams() {
    int opened = 0;
    while (opened >= 0 && opened <= STDERR_FILENO) opened = open("/dev/null", O_RDWR);
    if (opened > STDERR_FILENO) close(opened);
}

}  // namespace bscope::cli
