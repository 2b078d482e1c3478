// Usual: how long the operations and messages of an iteration usually last, and what stands out from it: a
// slow rank, a heavy stage, a slow link, an odd micro-batch. Robust statistics; the rules and their tests
// stand in docs/NUMBERS.md, "Causes of the bubble".
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "analysis/event_graph.h"
#include "analysis/series_medians.h"
#include "config/run_config.h"
#include "schedule/schedule.h"
#include "report/report.h"

namespace bscope {

// What is known of a run beside its events.
struct RunFacts {
    std::optional<LinkModel> link;  // the modelled link; nullopt: messages took what they took
    // False: what a message took is not distinguished from what its receiver waited, and no link is called
    // slow.
    bool knows_messages = true;
    // An operation that takes less than this longer is called neither slow, heavy nor odd: what it costs
    // beside its multiplications, and what an interrupt costs, are as long. 0: times are exact.
    double least_excess_ns = 50'000;
    // False: ranks compute a stage together (tensor parallelism), and one that is slow makes the others wait
    // within their operations, so that no rank is called slow and no stage heavy.
    bool judges_ranks = true;
    // Durations hold what other programs took, where an event is marked as disturbed.
    bool heeds_disturbance = true;
    // (stages,) expected work, in any unit, the same for all operations of a stage; empty: unknown, all
    // alike.
    std::vector<double> work;
    // (stages,) place in its chain; stages at one place are copies. Empty: one chain, in order.
    std::vector<int> places;
    std::vector<int> slowed;  // ranks that the configuration slows down: they are known to be slow
    // (ranks,) GPUs: inside operations, when none of their kernels ran. Empty: unknown.
    std::vector<std::int64_t> launch_gaps_ns;
    // The last iterations of its configuration, perhaps its own among them: stages and ranks are judged by
    // them, and what this iteration alone adds is noise. Null: nothing but this one is known.
    SharedSeries series;
};

// What follows from the schedule: the places.
RunFacts factsOf(const Schedule& schedule);
// Of a run: import is null for one of this program, work is as above.
RunFacts factsOfRun(const Schedule& schedule, const RunConfig& config, const ImportOrigin* import,
                    std::vector<double> work);

// Of an iteration that ran in that order.
RunFacts factsOfIteration(const Schedule& order, const IterationStart& start, const IterationReport& report);
// (ranks,) as in RunFacts.
std::vector<std::int64_t> launchGaps_ns(const IterationReport& report);

// Something that lasts longer than its like.
struct Outlier {
    int index = -1;                         // rank, stage or micro-batch; of a link the sender
    int to = -1;                            // of a link: the receiver
    double factor = 1, standard_error = 0;  // times as long, and the uncertainty of that
    int samples = 0;                        // durations behind it
    int iterations = 0;                     // whose medians these are; 0: durations of one iteration
    // Of a rank its only stage, of a stage its rank, where no other rank has a copy: which of the two it is
    // these times cannot tell. -1: it is known.
    int twin = -1;
    // Of a rank: how much of what it takes longer is launch gaps beyond those of the others, 0 to 1. nullopt:
    // unknown.
    std::optional<double> launch_gaps = {};
    double excess_ns = 0;  // of a link: what its messages take longer than usual ones
};

struct Outliers {
    std::optional<Outlier> slow_rank, slow_stage, slow_link, odd_microbatch;  // the greatest of each
};

class Usual {
public:
    Usual(const EventGraph& graph, const RunFacts& facts);

    // Median of the operation's stage and kind; that without its rank's slowness; the mean of the latter over
    // all stages. ns, 0 for what is no compute.
    std::int64_t median_ns(const Event& event) const { return of(event)[0]; }
    std::int64_t ownSpeed_ns(const Event& event) const { return of(event)[1]; }
    std::int64_t equalStages_ns(const Event& event) const { return of(event)[2]; }
    // Median over the messages from rank to rank.
    std::int64_t message_ns(int from, int to) const;
    // The part of a message's time that is latency.
    std::int64_t latency_ns(std::int64_t transit_ns) const;
    // Times as slow as the others; 1 where that is not significant.
    double slowness(int rank) const { return slowness_[static_cast<std::size_t>(rank)]; }
    const Outliers& outliers() const { return outliers_; }
    // Whose medians stages and ranks are judged by: at least 1.
    int iterations() const { return facts_.series ? static_cast<int>(facts_.series->size()) : 1; }

private:
    using Durations = std::array<std::int64_t, 3>;
    static constexpr int kOps = kMedianOps;
    using Medians = std::vector<std::array<double, kOps>>;
    const Durations& of(const Event& event) const;
    void learnOperations();
    void learnSeries();
    void countTimes();
    std::vector<double> ratiosOf(const Medians& medians) const;
    bool isThere(double factor, const std::vector<double>& scatter) const;
    void findSlowRanks();
    void findHeavyStage();
    void findOddMicrobatch();
    void learnLinks();
    void settleDurations();
    double work(std::size_t stage) const;
    int place(std::size_t stage) const;
    // The ratio that a stage has beside that of its copies; beside 1 without copies.
    double besideCopies(std::size_t stage) const;
    bool hasCopies(std::size_t stage) const;
    bool isSlowed(int rank) const;
    // The rank has no other stage, and no other rank a copy of this one.
    bool isTwin(std::size_t stage) const;
    std::optional<double> launchGapsOf(int rank, double factor) const;
    // Of its usual operation, beyond what it would take at a factor-th of the time.
    double excess_ns(std::size_t stage, double factor) const;

    const EventGraph& graph_;
    RunFacts facts_;
    int stages_ = 0;
    std::vector<int> ranks_of_stages_;               // (stages,) -1: it did nothing
    Medians own_medians_;                            // (stages, op) of this iteration; 0: none
    Medians medians_;                                // likewise, of the series where there is one
    std::vector<std::array<std::size_t, kOps>> times_;  // (stages, op) in this iteration
    std::vector<double> ratios_;                     // (stages,) over expected work and the other stages
    // (stages,) durations over their medians, or the ratios of the iterations of a series over theirs; and
    // whether nothing disturbed them.
    std::vector<std::vector<double>> scatter_;
    std::vector<bool> is_calm_;
    std::vector<double> slowness_;  // (ranks,)
    std::vector<std::array<Durations, kOps>> settled_;
    std::map<std::pair<int, int>, std::int64_t> links_;
    std::int64_t latency_ns_ = 0;
    Outliers outliers_;
};

}  // namespace bscope
