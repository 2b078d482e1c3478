// LessonCourse: in which order a lesson's runs are made, and what is kept of them. The same for the window
// and the command line, which do the running.
//
// Runs alternate in rounds, so that a machine that becomes slower or quicker does so for all of them; the
// first iteration of each turn warms up and does not count, or only that of a run's first turn where each run
// stays ready beside the others, or that on GPUs alone. Of those that count, the median by iteration time
// is kept. What the runs are made for may have been shown before the last round (claims_settled.h). Runs
// whose stages compute the same share their durations, the median of each stage and operation over all of
// them, and are placed anew with these: runs that are equal in theory are then equal (RECONSTRUCTED runs with
// a flush only). A value; any thread.
#pragma once

#include <vector>

#include "lessons/lesson_numbers.h"
#include "wire/bubblescope.pb.h"

namespace bscope {

struct CourseRun {
    RunConfig config;
    std::string table = {};  // the text of a time table; nothing runs
    int iterations = 0;  // > 0: so many in one turn, from the first weights on; the last one's loss counts
    double latency_of_f = 0;  // of the link, in forward passes of the first run
};

// Without its configuration.
CourseRun courseRun(const wire::LessonRun& run);

class LessonCourse {
public:
    static constexpr int kRounds = 3, kEachTurn = 2;
    static constexpr int kRoundsWithoutWarmUp = 4;  // no more iterations, one of them cold
    // OnGpus: the first of a run, where kernels are loaded then. On CPUs it takes as long as the others, and
    // turns are one iteration each.
    enum class WarmUp { EachTurn, FirstTurn, OnGpus };

    explicit LessonCourse(std::vector<CourseRun> runs, WarmUp warm_up = WarmUp::EachTurn);

    bool finished() const { return at_ >= turns_.size(); }
    // The run whose turn it is, and its configuration with the link's latency. Not when finished.
    std::size_t run() const { return turns_[at_].run; }
    const RunConfig& config() const { return config_; }
    // It has to begin with the first weights, and has not begun.
    bool beginsAnew() const { return !finished() && turns_[at_].from_start && done_here_ == 0; }
    // Iterations of this turn that are to come. Not when finished.
    int leftHere() const { return turns_[at_].iterations - done_here_; }
    // An iteration of that configuration is complete. True: it counts, and is the next of its run's.
    bool add(LessonRun made);

    // How many iterations count of each run that alternates with others; 0: none does.
    int rounds() const;
    // As kept() would be if no further iteration came, and by the iterations of one of rounds() alone.
    LessonRuns soFar(const std::string& set = {}) const;
    LessonRuns ofRound(int round, const std::string& set = {}) const;
    void finish();  // no further iteration is needed

    int done() const { return done_; }  // iterations
    int total() const;
    std::size_t runs() const { return counted_.size(); }
    bool isTable(std::size_t run) const { return !runs_[run].table.empty(); }
    const std::string& tableOf(std::size_t run) const { return runs_[run].table; }
    // As it was given; the link's latency is that of the run while it is made.
    const RunConfig& configOf(std::size_t run) const { return runs_[run].config; }
    // With the latency that the run's link has, or is to have when a forward pass takes forward_ns; what was
    // measured of it comes first.
    RunConfig plannedConfigOf(std::size_t run, double forward_ns) const;
    // nullopt until an iteration of it has counted. All of them: by name.
    const std::optional<LessonRun>& kept(std::size_t run) const { return kept_[run]; }
    LessonRuns kept(const std::string& set = {}) const;  // set: "T1" for the first set of tries
    // Which of the run's counted iterations kept(run) is, or was made of.
    std::size_t keptIndex(std::size_t run) const;

private:
    struct Turn {
        std::size_t run = 0;
        int iterations = kEachTurn;
        bool counts = true;  // false: it measures a forward pass
        bool from_start = false;
    };
    using Kept = std::vector<std::optional<LessonRun>>;  // (runs,)
    using Counted = std::vector<std::vector<LessonRun>>;
    void beginTurn();
    bool alternates(std::size_t run) const;
    static Kept pooled(Kept kept, const Counted& counted);
    static LessonRuns named(const Kept& kept, const std::string& set);
    void setLatency(RunConfig& config, std::size_t run, double forward_ns) const;

    std::vector<CourseRun> runs_;
    std::vector<Turn> turns_;
    WarmUp warm_up_;
    Counted counted_;
    Kept kept_;
    RunConfig config_;
    double forward_ns_ = 0;
    std::size_t at_ = 0;
    int done_here_ = 0, done_ = 0;
};

}  // namespace bscope
