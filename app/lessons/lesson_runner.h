// LessonRunner: really runs the configurations of a lesson, one after the other, a few iterations each, and
// keeps the quickest of each for the stacked picture. Leaving gives the session back the settings, the
// training and the run state it had. Window thread only.
#pragma once

#include <QObject>
#include <optional>
#include <vector>

#include "app/session/session.h"

namespace bscope::ui {

class LessonRunner : public QObject {
    Q_OBJECT
public:
    // The first iteration of a configuration warms up (compiles kernels, fills caches); of the others the
    // quickest is kept, the one that whatever else runs here held up least.
    static constexpr int kIterationsEach = 3;

    explicit LessonRunner(Session& session, QObject* parent = nullptr);

    // kept: what is there already, one a configuration; only the rest runs.
    void start(std::vector<RunConfig> configs, std::vector<std::optional<IterationView>> kept = {});
    void leave();
    bool active() const { return active_; }
    bool finished() const { return active_ && index_ >= configs_.size(); }
    // All runs are there, and training was started once more.
    bool ranOn() const { return ran_on_; }
    int done() const;  // iterations
    int total() const { return static_cast<int>(configs_.size()) * kIterationsEach; }
    // (runs,) what is there: the kept iteration, or the plan while it has not run.
    std::vector<IterationView> views() const;
    const std::vector<std::optional<IterationView>>& kept() const { return kept_; }

signals:
    void changed();

private:
    void onIteration(int iteration);
    void onState();
    void begin();

    Session& session_;
    std::vector<RunConfig> configs_;
    std::vector<std::optional<IterationView>> kept_;
    std::size_t index_ = 0;
    int finished_here_ = 0;
    std::optional<IterationView> quickest_;  // of the configuration that runs
    bool active_ = false, rested_ = false, ran_on_ = false;
    RunConfig before_;
    bool ran_before_ = false;
};

}  // namespace bscope::ui
