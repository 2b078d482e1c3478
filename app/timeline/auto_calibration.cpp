#include "app/timeline/auto_calibration.h"

#include <utility>

namespace bscope::ui {

RunConfig withCalibrated(RunConfig config) {
    config.durations = Durations::Calibrated;
    if (config.clock == ClockChoice::Measured) config.clock = ClockChoice::Auto;  // has only raw ones
    return config;
}

AutoCalibration::AutoCalibration(Session& session, std::function<bool()> applies, QObject* parent)
    : QObject(parent), session_(session), applies_(std::move(applies)), last_(session.wanted().durations) {
    connect(&session, &Session::configChanged, this, [this] {
        const Durations now = session_.wanted().durations;
        if (std::exchange(last_, now) != now) raw_by_hand_ = now == Durations::Raw;
        asked_ = asked_ && now == Durations::Calibrated;
    });
    connect(&session, &Session::iterationFinished, this, &AutoCalibration::look);
}

void AutoCalibration::look(int iteration) {
    if (iteration == 0) raw_by_hand_ = false;  // another run
    const auto ran = session_.history().ran(iteration);
    if (asked_ && ran && ran->start->config.durations == Durations::Calibrated) {
        asked_ = false;
        emit calibrated();
    }
    const RunConfig& config = session_.wanted();
    if (!on_ || raw_by_hand_ || session_.state() == SessionState::Replaying || session_.onlyWatches() ||
        session_.pending() || config.durations != Durations::Raw || config.clock == ClockChoice::Measured ||
        !applies_() || !isDisturbed())
        return;
    session_.edit(withCalibrated(config), true);
    asked_ = true;
}

bool AutoCalibration::isDisturbed() const {
    const std::vector<IterationBar>& bars = session_.bars();
    if (bars.size() < kDisturbedInARow) return false;
    for (auto bar = bars.rbegin(); bar != bars.rbegin() + kDisturbedInARow; ++bar) {
        const auto ran = session_.history().ran(bar->iteration);
        if (bar->disturbance == Disturbance::None || bar->since != bars.back().since || !ran ||
            ran->report->provenance != Provenance::Reconstructed || ran->report->timing.ofGpus() ||
            ran->report->host_ms < kWatched_ms)
            return false;
    }
    return true;
}

}  // namespace bscope::ui
