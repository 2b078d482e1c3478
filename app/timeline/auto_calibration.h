// AutoCalibration: while other programs keep this machine busy, the durations of a run become medians
// ("calibrated") by themselves: single ones depend more on those programs than on the pipeline. Only of a run
// that is reconstructed on CPUs, long enough to be watched, and the user's own; after a change back to raw
// durations they stay raw until another run begins. Window thread only.
#pragma once

#include <QObject>
#include <functional>

#include "app/session/session.h"

namespace bscope::ui {

// The configuration with calibrated durations, which a measured clock does not have.
RunConfig withCalibrated(RunConfig config);

class AutoCalibration : public QObject {
    Q_OBJECT
public:
    // applies: nothing but the user decides what runs.
    AutoCalibration(Session& session, std::function<bool()> applies, QObject* parent);

    // A preference of the user; off, durations stay as they were asked for.
    void setOn(bool on) { on_ = on; }
    bool isOn() const { return on_; }

    static constexpr int kDisturbedInARow = 2;
    static constexpr double kWatched_ms = 60;  // an iteration, on the machine's clock

signals:
    void calibrated();  // the first iteration with medians is complete

private:
    void look(int iteration);
    bool isDisturbed() const;

    Session& session_;
    std::function<bool()> applies_;
    Durations last_;
    bool on_ = true, raw_by_hand_ = false, asked_ = false;
};

}  // namespace bscope::ui
