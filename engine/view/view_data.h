// The plain data that views are given; they use no other. Assembled from a stream or a recording
// (run_history.h). Texts are UTF-8.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/hand_costs.h"
#include "analysis/pairing.h"
#include "analysis/series_medians.h"
#include "config/run_config.h"
#include "timeline/analysis.h"
#include "timeline/kernel_log.h"
#include "report/report.h"
#include "timeline/timeline.h"

namespace bscope {

struct GapAnalysis;

// An iteration's number as people read and type it: own runs count from 1, imported ones as their files do.
// Recordings, JSON and CSV have `iteration` itself.
constexpr int iterationNumber(std::int32_t iteration, bool imported) {
    return imported ? iteration : iteration + 1;
}
inline int numberOf(const IterationReport& report) {
    return iterationNumber(report.iteration, report.provenance == Provenance::Imported);
}

// How an iteration stands that is not complete.
enum class IterationState {
    Live,         // its engine is at it
    Paused,       // begun (asynchronous schedules begin ahead); its engine rests
    Interrupted,  // its engine is gone, failed or began anew: it ends at now_ns
    Replayed,     // a recording plays it
    Cut,          // the recording ends in it
};

// The iteration that another one is compared with, operation by operation.
struct ComparedWith {
    int number = 0;  // on the screen
    std::string file;  // as IterationView has it
    PairedDurations durations;
};

// Where the canvas has a baseline, with the iteration that it is compared with.
enum class BaselinePlace { Hidden, Below, SideBySide };

// How a person wants to see a baseline; kept from one start to the next.
struct BaselineLook {
    BaselinePlace place = BaselinePlace::Hidden;
    Alignment alignment = Alignment::Start;
    bool operator==(const BaselineLook&) const = default;
};

// How an iteration lies beside another one on one time axis, which has the times of the first one: the one
// that is no baseline, unless they are swapped.
struct Beside {
    bool is_baseline = false;
    bool swapped = false;
    bool in_columns = false;  // side by side, the axis drawn in each, not below each other
    Alignment alignment = Alignment::Start;
    std::string other_file;     // that the other one was read from, as IterationView has it
    int microbatch = 0;         // from 0 in the iteration; Alignment::Microbatch only
    bool has_anchor = true;     // false: one of the two has no such instant, and they are aligned by start
    std::int64_t shift_ns = 0;  // the second one is drawn so much later than it ran
    bool isSecond() const { return is_baseline != swapped; }
    bool operator==(const Beside&) const = default;
};

// What a rank holds besides activations, the same all the time; of an asynchronous schedule with as many
// versions of the weights as it held at most.
struct ResidentBytes {
    std::int64_t weights = 0, gradients = 0, optimizer = 0, buffers = 0;
    // By the arena, for activations: what is live of them and what is not. No part of the sum; 0: not
    // recorded.
    std::int64_t reserved = 0;
    std::int64_t sum() const { return weights + gradients + optimizer + buffers; }
    bool operator==(const ResidentBytes&) const = default;
};

// The same configuration with another kind of checkpointing.
struct CheckpointingPlan {
    Recompute recompute = Recompute::None;
    std::shared_ptr<const Timeline> planned;  // never null; starts where the iteration does
};

// One iteration as the canvas draws it: what ran (so far) over what was planned. Times of both timelines are
// absolute; the view subtracts start_ns. A plan without a run (Idle) has an empty `ran`.
struct IterationView {
    RunConfig config;
    std::shared_ptr<const Schedule> order;  // of the run or plan; null: config names one of the catalog
    std::int32_t iteration = 0;             // counts from 0; shown from 1
    std::int64_t start_ns = 0;
    std::shared_ptr<const Timeline> ran;      // never null; empty when nothing ran
    std::shared_ptr<const Timeline> planned;  // never null; starts at start_ns
    // The iterations before and after where they run into this one (asynchronous schedules have no flush
    // between them); null where they do not.
    std::shared_ptr<const Timeline> before, after;
    // Endless stream: its first micro-batch, since they count on; -1: every iteration counts from 0.
    std::int32_t first_microbatch = -1;
    std::int64_t now_ns = -1;                 // watermark of a running iteration; -1 = complete
    std::optional<IterationSummary> summary;  // complete iterations only
    // What the summary is of: `ran`, of a stream with the iteration before; null: `ran`.
    std::shared_ptr<const Timeline> summed;
    // Why the ranks of a complete iteration or plan stand still, also where it is shown as far as a time;
    // null: not known yet. What is small is worked out by the view that draws it (PreparedView).
    std::shared_ptr<const GapAnalysis> analysis;
    std::optional<IterationReport> report;  // complete iterations only
    // (ranks,) as this iteration's report or the newest one of the same configuration says; empty: none does.
    std::vector<ResidentBytes> held;
    std::vector<CheckpointingPlan> checkpointing;  // with the same costs; empty: not asked for, or not known
    IterationSummary plan_summary;
    double planned_tokens_per_s = 0;
    bool costs_measured = false;  // the plan's come from a run, else from the model's shape alone
    // What GPUs ran for the boxes; null when none were recorded, or they are no longer kept.
    std::shared_ptr<const KernelLog> kernels;
    bool kernels_forgotten = false;
    std::string device;                  // "CPU, 2 cores"
    std::vector<int> layers_per_stage;   // (stages,)
    std::vector<double> work_per_stage;  // (stages,) expected, in any unit; empty: unknown
    bool recording = false;              // from a file
    std::string file;                    // that one, with its path; empty: live, or a plan
    IterationState iteration_state = IterationState::Live;  // while now_ns >= 0
    bool alternative = false;            // a plan with the costs of the open run, in its place
    bool costs_by_hand = false;          // ... with costs that were given by hand
    std::optional<HandCosts> hand_costs = {};  // those
    std::optional<Beside> beside;        // one of two
    // With whose operations its own are compared; null: with none, or its stages are others.
    std::shared_ptr<const ComparedWith> compared;
    // Durations of the last iterations under its configuration, perhaps its own among them.
    std::vector<std::shared_ptr<const PairedDurations>> recent;
    // Calibrated durations: over how many iterations each median is, at most; 0: of none yet. -1: raw ones.
    int calibrated_over = -1;
    SharedSeries series;  // medians of the last iterations of its configuration; null: not known
    // On the time axis so much later than it began.
    std::int64_t shift_ns() const { return beside && beside->isSecond() ? beside->shift_ns : 0; }
    std::int64_t axisOrigin_ns() const { return start_ns - shift_ns(); }  // its time at 0 of the axis
    // Its micro-batch, from 0 in the iteration, as the same one of another iteration has it.
    int microbatchInIteration(int microbatch) const {
        return isStream() ? microbatch - first_microbatch : microbatch;
    }
    // The operation with that micro-batch.
    Action actionInIteration(const Event& event) const {
        Action action = event.action();
        action.microbatch = microbatchInIteration(action.microbatch);
        return action;
    }
    // A run of another program; of its configuration nothing but schedule, p, v, m and recompute is known.
    std::shared_ptr<const ImportOrigin> import;
    bool isStream() const { return first_microbatch >= 0; }
    int number() const { return iterationNumber(iteration, import != nullptr); }
    // Waiting for a message and its transfer are recorded apart.
    bool knowsTransfers() const { return !import || import->knows_transfers; }
    bool numbers_hidden = false;  // a lesson asks first: the picture without what came out
    bool covered = false;         // a lesson asks first: a frame; the timelines are empty
    bool blocks = false;          // a lesson asks first: boxes are what a rank did without a pause
    bool unexplained = false;     // a lesson asks first: gaps without their causes
    std::string pooled_over;      // a lesson's runs that share their durations with it, "A, B"
    // Every rank ran on a GPU of its own, so that a rank may be called by its GPU.
    bool ranksAreGpus() const;
    // The unit F: of what ran up to now, of the plan when nothing did; 0 = no forward pass.
    double medianForward_ns() const;
};

// What of an iteration is looked at when it is laid beside another one: what ran, else its plan.
IterationPart partOf(const IterationView& view);
// The same iteration of the same run, also where a recording is played once more.
bool isSameIteration(const IterationView& a, const IterationView& b);

// One bar of the iteration strip.
struct IterationBar {
    std::int32_t iteration = 0;
    double iteration_ms = 0, bubble_of_total = 0, loss = 0;
    std::string group;  // "1F1B · m=8": with the link what neighbours that share a bracket have in common
    Disturbance disturbance = Disturbance::None;
    bool numbered_by_files = false;  // an imported run
    std::int32_t since = -1;         // the first iteration under its configuration; -1: not known
    std::optional<std::int64_t> throttles = std::nullopt;  // throttlesOf() its report
    double link_ns = 0;  // that the modelled link takes for a message; 0: it is free
    int number() const { return iterationNumber(iteration, numbered_by_files); }
    bool sharesBracket(const IterationBar& other) const {
        return group == other.group && link_ns == other.link_ns;
    }
};

// A change that waits for the next iteration boundary, with what it would do.
struct PendingChange {
    RunConfig config;
    std::shared_ptr<const Timeline> planned;
    IterationSummary summary;
    double tokens_per_s = 0;
    int from_iteration = 0;  // counts from 0
    bool new_run = false;    // shape changed: training starts anew
    // The plan of what is in force with the same costs: what the change is compared with, everywhere.
    IterationSummary summary_now = {};
    double tokens_per_s_now = 0;
    bool quiet = false;  // the program's own doing (a lesson's runs), nothing to announce
};

}  // namespace bscope
