// LessonRunner: makes the runs of a lesson, in the order of its LessonCourse, and keeps of each what the
// course keeps, as a picture. Leaving gives the session back the settings, the training and the run state it
// had. Window thread only.
#pragma once

#include <QObject>
#include <functional>
#include <optional>
#include <vector>

#include "app/session/session.h"
#include "lessons/lesson_course.h"

namespace bscope::ui {

class LessonRunner : public QObject {
    Q_OBJECT
public:
    explicit LessonRunner(Session& session, QObject* parent = nullptr);

    // What was made for a lesson or for a set of tries.
    struct Made {
        LessonCourse course;
        std::vector<std::vector<IterationView>> counted;  // (runs, iterations that count)
    };

    // enough: asked after each iteration that counts; no further one is made then.
    using Enough = std::function<bool(const LessonCourse&)>;
    void start(LessonCourse course, Enough enough = {});
    void show(Made made);  // made before, and finished; nothing runs
    void leave();
    bool active() const { return active_; }
    // The user's settings: those that leave() gives back, else what is set.
    const RunConfig& own() const { return active_ ? before_ : session_.wanted(); }
    bool finished() const { return active_ && made_.course.finished(); }
    // All runs are there, and training was started once more.
    bool ranOn() const { return ran_on_; }
    const Made& made() const { return made_; }
    // The runs that are no tables: the iteration that is kept, or the plan while none is.
    std::vector<IterationView> viewsOf(const Made& made) const;
    std::vector<IterationView> views() const { return viewsOf(made_); }
    // What has run so far, and what is predicted of the others; of what cannot be predicted, nothing.
    LessonRuns numbersSoFar() const;
    // "A": the runs none of whose iterations counts yet.
    std::vector<std::string> predictedRuns() const;

signals:
    void changed();

private:
    void begin();
    void onIteration(int iteration);
    void onState();
    RunConfig asked() const;
    IterationView planOf(const LessonCourse& course, std::size_t run) const;

    Session& session_;
    Made made_;
    Enough enough_;
    bool renewing_ = false;  // another training runs, so that the next one begins with the first weights
    bool active_ = false, rested_ = false, ran_on_ = false;
    RunConfig before_;
    bool ran_before_ = false;
};

}  // namespace bscope::ui
