#include "cli/input/terminal.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <string_view>

#include "cli/input/command_line.h"
#include "cli/print/line_printer.h"
#include "mpi/processes.h"

namespace bscope::cli {
namespace {
constexpr int kWidest = 400;

std::string_view variable(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? std::string_view() : std::string_view(value);
}

// Of a terminal that shows some.
TerminalColours coloursOfTerminal() {
    const std::string_view colours = variable("COLORTERM"), term = variable("TERM");
    if (colours == "truecolor" || colours == "24bit" || term.ends_with("-direct"))
        return TerminalColours::Direct;
    constexpr std::string_view basic[] = {"", "linux", "ansi", "cons25", "xterm-color", "xterm-16color"};
    const bool few = std::ranges::find(basic, term) != std::end(basic) || term.starts_with("vt") ||
                     term.ends_with("-8color") || term.ends_with("-16color");
    return few ? TerminalColours::Basic : TerminalColours::Indexed;
}
}  // namespace

Terminal outputTerminal() {
    Terminal terminal;
    const char* columns = std::getenv("COLUMNS");
    if (const std::size_t wide = columnsOfTerminal(std::cout); wide > 0)
        terminal.columns = static_cast<int>(wide);
    else if (columns)
        terminal.columns = std::clamp(parseInteger(columns).value_or(terminal.columns), 1, kWidest);
    const std::string_view force = variable("CLICOLOR_FORCE");
    const bool forced = !force.empty() && force != "0";
    const bool on_terminal = isatty(STDOUT_FILENO) != 0 && !underMpirun() && variable("TERM") != "dumb";
    if (variable("NO_COLOR").empty() && (forced || on_terminal)) terminal.colours = coloursOfTerminal();
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
