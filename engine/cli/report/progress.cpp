#include "cli/report/progress.h"

#include <iostream>

#include "cli/input/terminal.h"
#include "cli/print/number_text.h"

namespace bscope::cli {
namespace {
constexpr int kBarColumns = 24;
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
    const int full = kBarColumns * done_ / iterations_;
    std::cerr << "\r[" << std::string(static_cast<std::size_t>(full), '#')
              << std::string(static_cast<std::size_t>(kBarColumns - full), ' ') << "] " << text << "\033[K"
              << std::flush;
}

}  // namespace bscope::cli
