#include "cli/input/terminal.h"

#include <fcntl.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <optional>
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

// What is typed meanwhile is not shown, and Ctrl-C ends the line: as a signal it would leave the terminal so.
class HiddenTyping {
public:
    HiddenTyping() {
        tcgetattr(STDIN_FILENO, &before_);
        termios hidden = before_;
        hidden.c_lflag &= ~static_cast<tcflag_t>(ECHO | ISIG);
        hidden.c_cc[VEOL] = before_.c_cc[VINTR];
        tcsetattr(STDIN_FILENO, TCSANOW, &hidden);
    }
    ~HiddenTyping() { tcsetattr(STDIN_FILENO, TCSAFLUSH, &before_); }
    HiddenTyping(const HiddenTyping&) = delete;
    HiddenTyping& operator=(const HiddenTyping&) = delete;

    // Up to the end of a line, of the input, or Ctrl-C, which gives nullopt.
    std::optional<std::string> line() const {
        std::string typed;
        char letter = 0;
        while (read(STDIN_FILENO, &letter, 1) == 1 && letter != '\n') {
            if (static_cast<cc_t>(letter) == before_.c_cc[VINTR]) return std::nullopt;
            typed += letter;
        }
        return typed;
    }

private:
    termios before_{};
};

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

std::string askedFor(const std::string& prompt) {
    std::cerr << prompt << std::flush;
    const std::optional<std::string> line = HiddenTyping().line();
    std::cerr << '\n';
    if (!line) std::raise(SIGINT);
    return line.value_or(std::string());
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
