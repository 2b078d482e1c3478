#include "cli/print/line_printer.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>

#include "cli/print/number_text.h"

namespace bscope::cli {
namespace {

constexpr std::size_t kFewColumns = 30, kFurtherIn = 2;

}  // namespace

std::size_t columnsOfTerminal(const std::ostream& out) {
    const int stream = &out == &std::cout ? STDOUT_FILENO : &out == &std::cerr ? STDERR_FILENO : -1;
    winsize size{};
    return stream >= 0 && ioctl(stream, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

std::string folded(const std::string& line, std::size_t columns) {
    if (columns < kFewColumns || columnsOf(line) <= columns || line.find('\n') != std::string::npos) return line;
    const std::size_t first = std::min(line.find_first_not_of(' '), columns / 2);
    const std::string indent(first + kFurtherIn, ' ');
    std::string text = wrapped(line.substr(first), columns - indent.size());
    for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', end + 1))
        text.insert(end + 1, indent);
    return line.substr(0, first) + text;
}

}  // namespace bscope::cli
