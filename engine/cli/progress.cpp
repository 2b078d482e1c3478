#include "cli/progress.h"

#include <iostream>

#include "cli/number_text.h"
#include "cli/terminal.h"

namespace bscope::cli {
namespace {
constexpr int kBarColumns = 24;
}

Progress::Progress(int iterations) : iterations_(iterations), moving_(errorsGoToTerminal()) {}

Progress::~Progress() {
    if (moving_ && done_ > 0) std::cerr << '\n';
}

void Progress::finished(const IterationReport& report) {
    ++done_;
    const std::string count = aligned(std::to_string(done_), std::to_string(iterations_).size()) + "/" +
                              std::to_string(iterations_);
    const std::string text = count + "  loss " + fixed(report.loss, 4) + "  bubble " +
                             percent(report.bubble_of_total) + " of total  " + fixed(report.iteration_ms, 1) +
                             " ms " + toText(report.provenance);
    if (!moving_) {
        std::cerr << "iteration " << text << '\n';
        return;
    }
    const int full = kBarColumns * done_ / iterations_;
    std::cerr << "\r[" << std::string(static_cast<std::size_t>(full), '#')
              << std::string(static_cast<std::size_t>(kBarColumns - full), ' ') << "] " << text << "\033[K"
              << std::flush;
}

}  // namespace bscope::cli
