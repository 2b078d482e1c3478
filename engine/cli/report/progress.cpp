#include "cli/report/progress.h"

#include <algorithm>
#include <iostream>

#include "cli/input/terminal.h"
#include "cli/print/line_printer.h"
#include "cli/print/number_text.h"

namespace bscope::cli {
namespace {

constexpr std::size_t kBarColumns = 24, kLeastBar = 4;

// Of the terminal that errors go to.
std::size_t columnsOfErrors() {
    const std::size_t columns = columnsOfTerminal(std::cerr);
    return columns > 0 ? columns : 80;
}

}  // namespace

std::string progressLine(int done, int of, const std::string& text, std::size_t columns) {
    constexpr std::size_t around = 3, last = 1;  // brackets and a space; the last column, which would break
    const std::size_t taken = columnsOf(text) + around + last;
    const std::size_t bar = columns > taken ? std::min(kBarColumns, columns - taken) : 0;
    if (bar < kLeastBar) return text;
    const std::size_t full =
        bar * static_cast<std::size_t>(std::max(0, done)) / static_cast<std::size_t>(std::max(1, of));
    return '[' + std::string(std::min(full, bar), '#') + std::string(bar - std::min(full, bar), ' ') + "] " +
           text;
}

Progress::Progress(int iterations, Language language)
    : iterations_(iterations), language_(language), moving_(errorsGoToTerminal()) {}

Progress::~Progress() {
    if (moving_ && done_ > 0) std::cerr << '\n';
}

void Progress::finished(const IterationReport& report) {
    ++done_;
    const std::string count = aligned(std::to_string(done_), std::to_string(iterations_).size()) + "/" +
                              std::to_string(iterations_);
    const std::string text = say(sentence("{0}  loss {1}  bubble {2} of total  {3} ms {4}", count,
                                          fixed(report.loss, 4), percent(report.bubble_of_total),
                                          milliseconds(report.iteration_ms), toText(report.provenance)),
                                 language_);
    if (!moving_) {
        std::cerr << say(sentence("done {0}", text), language_) << '\n';  // a count; iterations are numbered from 0
        return;
    }
    std::cerr << '\r' << progressLine(done_, iterations_, text, columnsOfErrors()) << "\033[K" << std::flush;
}

}  // namespace bscope::cli
