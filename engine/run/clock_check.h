// checkClocks: trains one scenario under both clocks, alternating one iteration each, which shows how far
// RECONSTRUCTED times are from MEASURED ones on this machine. Medians of the undisturbed iterations are
// compared. Here an iteration counts as disturbed much sooner than elsewhere: when what else ran on the cores
// may have made it longer by half of the limit. Blocks; one thread.
#pragma once

#include <functional>
#include <span>

#include "report/report.h"

namespace bscope {

// How far the two may be apart: iteration time, a share of the measured one; bubble of total, a difference.
inline constexpr double kClockTimeLimit = 0.02, kClockBubbleLimit = 0.01;

// Of one clock.
struct ClockFigures {
    Provenance provenance = Provenance::Measured;
    int iterations = 0, counted = 0;  // counted: undisturbed
    // Medians of those counted, of all when none is.
    double iteration_ms = 0, bubble_of_total = 0;
    double compute_ms = 0;  // of all ranks together
};

// Reports of at least one iteration.
ClockFigures clockFigures(std::span<const IterationReport> reports);

enum class ClockOutcome : std::uint8_t {
    Agree,
    Apart,
    Disturbed,  // of one clock fewer than half of the iterations count: nothing is known
};

struct ClockCheck {
    RunConfig config;  // its clock is either
    std::string device;
    ClockFigures measured, reconstructed;

    double timeDifference() const { return reconstructed.iteration_ms / measured.iteration_ms - 1; }
    double bubbleDifference() const { return reconstructed.bubble_of_total - measured.bubble_of_total; }
    ClockOutcome outcome() const;
};

// 1F1B on two ranks, one a core, with the default model in eight blocks a rank.
RunConfig clockCheckConfig();

// done: rounds, of one iteration with each clock.
using ClockCheckProgress = std::function<void(int done, int rounds)>;
// rounds >= 1, after one of each clock that is left out. Throws ConfigError, as when there are fewer cores
// than ranks, and RunFailure.
ClockCheck checkClocks(const RunConfig& config, int rounds, const ClockCheckProgress& progress = {});

}  // namespace bscope
