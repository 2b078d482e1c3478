// IterationPlayer: one complete iteration, or a plan, shown as it went: up to a time that runs slowly enough
// to be followed, steps from the end of one operation to the next, or is drawn along the ruler. With less
// motion it stands still between the ends of two micro-batches. What trains goes on meanwhile. Window thread
// only.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <optional>
#include <vector>

#include "view/view_data.h"

namespace bscope::ui {

class IterationPlayer : public QObject {
    Q_OBJECT
public:
    static constexpr double kWholeTakes_ms = 12'000;
    // All of it in that time, or so many micro-batches on average a second.
    enum class Pace : std::uint8_t { Whole, OneInTwoSeconds, OneASecond, TwoASecond };

    explicit IterationPlayer(QObject* parent);

    // What is to be played: complete, or a plan; another iteration than the one that is played ends that.
    void offer(const IterationView& view);
    bool canPlay() const { return offered_ && !ends_.empty(); }
    bool active() const { return time_ns_.has_value(); }
    bool playing() const { return tick_.isActive(); }
    // Relative to its start; active() only.
    std::int64_t time_ns() const { return *time_ns_; }
    // As it was at that time; active() only.
    IterationView view() const;

    Pace pace() const { return pace_; }
    void setPace(Pace pace) { pace_ = pace; }
    void setInBeats(bool on) { in_beats_ = on; }  // less motion

    void toggle();             // from its beginning, or on from where it stands
    void step(int direction);  // to the end of the next operation, or of the one before
    void beat(int direction);  // the same of whole micro-batches
    void scrub(double time_ns);
    void advance(double wall_ms);  // at the end the whole iteration is shown again
    void leave();

signals:
    void changed();  // what view() is, or whether it is active

private:
    void stand(std::int64_t time_ns);
    void pause();
    void go(const std::vector<std::int64_t>& ends, int direction);
    double wholeTakes_ms() const;

    std::optional<IterationView> offered_;
    std::vector<std::int64_t> ends_,
        beats_;  // of its operations and micro-batches, as played_view.h has them
    std::optional<std::int64_t> time_ns_;
    double played_ns_ = 0;  // while it plays; in beats ahead of what is shown
    Pace pace_ = Pace::Whole;
    bool in_beats_ = false;
    QTimer tick_;
    QElapsedTimer since_;
};

}  // namespace bscope::ui
