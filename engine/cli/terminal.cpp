#include "cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "cli/command_line.h"

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
    terminal.colours = isatty(STDOUT_FILENO) != 0 && !std::getenv("NO_COLOR") && !dumb;
    return terminal;
}

bool errorsGoToTerminal() {
    return isatty(STDERR_FILENO) != 0;
}

}  // namespace bscope::cli
