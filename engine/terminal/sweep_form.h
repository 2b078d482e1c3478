// SweepForm: a sweep of the run's configuration: what is varied, the rows as they come, and the value that is
// chosen of them. A value.
#pragma once

#include <optional>

#include "config/run_config.h"
#include "config/sweep_axis.h"
#include "terminal/keys.h"
#include "terminal/picture.h"
#include "report/report.h"
#include "words/catalog.h"

namespace bscope::terminal {

inline constexpr int kSweepIterations = 3;  // of each value

class SweepForm {
public:
    // Begun, ended: a sweep is asked for, or the end of the one that runs. Taken: the chosen value is wanted.
    enum class Outcome { Open, Left, Begun, Ended, Taken };
    Outcome handle(Key key);

    void take(const SweepState& state) { state_ = state; }
    // The engine that ran it is gone.
    void breakOff();
    bool isRunning() const { return state_ && !state_->finished && !state_->cancelled; }
    // How far it is; empty: none runs.
    Sentence progress() const;

    SweepAxis axis() const { return axis_; }
    // `config` with the chosen value; nullopt: none is chosen that can run.
    std::optional<RunConfig> chosen(const RunConfig& config) const;

    // Of the run that has this configuration.
    Page page(const RunConfig& config, Language language) const;

private:
    int chosenValue() const;  // 0: there is none

    SweepAxis axis_ = SweepAxis::Microbatches;
    std::optional<SweepState> state_;
    int row_ = 0;  // of those that can run
};

}  // namespace bscope::terminal
