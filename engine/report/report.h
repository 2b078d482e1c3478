// The reports of a run as plain data: the same for engine, wire, command line, window and tests. Every number
// belongs to the provenance it carries; times in ms, on the run's device clocks unless named host.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/run_config.h"
#include "config/sweep_axis.h"
#include "report/replica_grid.h"
#include "timeline/costs.h"
#include "timeline/event.h"
#include "words/sentence.h"

namespace bscope {

// What is known of a run of another program beside its times: what its files contain, what was inferred, and
// how the clocks of its ranks were brought together.
struct ImportOrigin {
    enum class Times : std::uint8_t {
        Recorded,  // the files hold start and end of every operation
        Kernels,   // from an operation's first to its last kernel
        Host,      // the host's, from when an operation's message is there to when the host returns from it
        Ranges,    // the host's ranges alone: handing a result over counts as work
    };
    enum class Clocks : std::uint8_t {
        Shared,        // all ranks read one clock
        PerRank,       // every rank has its own, running on through all iterations
        PerIteration,  // every rank counts from its own start of every iteration
    };
    struct Difference {
        int rank = 0;
        int position = 0;             // of the rank's operations, from 0
        std::string expected, found;  // "2F0"; empty: the order has ended
        bool operator==(const Difference&) const = default;
    };

    std::string source;                // program and format: "Primus pp_vis"
    bool numbers_inferred = false;     // stages or micro-batches of the operations
    bool operations_inferred = false;  // what is a forward, what a backward
    Times times = Times::Recorded;
    double understated_by = 0;  // how much the bubble of total may be too low at most; a share, 0: not at all
    Clocks clocks = Clocks::PerRank;
    bool aligned = true;  // no operation starts before what it waits for has ended
    std::int64_t max_shift_ns = 0;
    // How far clocks of two ranks could still be moved against each other; -1: nothing bounds them.
    std::int64_t slack_ns = -1;
    std::vector<Sentence> contradictions;  // pairs of operations that no shift puts in order
    bool knows_transfers = false;          // waiting and transfer of messages are distinguished
    // The order is none of the catalog's: the nearest one and where they part. Empty: it is, or none allows
    // these p, v and m.
    std::string nearest_schedule;
    std::optional<Difference> first_difference;
    std::vector<Sentence> notes;  // what was left out or does not fit
    // Medians over all iterations. Of a link its latency: what a message took that was waited for.
    Costs costs;
    int handovers = 0, messages = 0;  // samples behind handing over and that latency; 0: not known, free
    std::shared_ptr<const ReplicaGrid> grid;  // null: not worked out, of one replica too
};

// Sent whenever an iteration starts under a configuration or provenance that differs from the one before.
struct IterationStart {
    std::int32_t iteration = 0;
    RunConfig config;
    Provenance provenance = Provenance::Reconstructed;
    std::int64_t start_ns = 0;          // device clocks, run time
    std::string device;                 // "CPU, 2 cores"
    std::vector<int> placement;         // (stages,) rank of each stage
    std::vector<int> layers_per_stage;  // (stages,)
    // The order that runs; null when it was not sent (Schedule in bubblescope.proto).
    std::shared_ptr<const Schedule> schedule = nullptr;
    // Provenance IMPORTED only; of the configuration then nothing but schedule, p, v, m and recompute is
    // known. Iterations have the numbers of the files.
    std::shared_ptr<const ImportOrigin> import = nullptr;
};

struct RankReport {
    int rank = 0;
    double busy_ms = 0, wait_ms = 0, transfer_ms = 0, bubble_of_total = 0;
    std::int64_t peak_activation_bytes = 0;
    int peak_in_flight = 0;
    std::int64_t weight_bytes = 0, gradient_bytes = 0, optimizer_bytes = 0, buffer_bytes = 0;
    // Asynchronous schedules: versions of its weights that the rank held at the same time, the newest
    // included, and the bytes of the older ones (in weight_bytes too). A second replica
    // on the rank counts in weight_bytes, gradient_bytes and optimizer_bytes alone.
    int weight_versions = 1;
    std::int64_t stashed_weight_bytes = 0;
    int staleness = 0;  // greatest of the rank's optimizer steps
    // GPUs only: time inside operations when none of their kernels ran (IterationReport::knowsLaunchGaps()),
    // and what the driver reports as used on the rank's GPU, by everybody.
    double launch_gap_ms = 0;
    std::int64_t driver_bytes = 0;
    // What the rank's arena of activations has taken of its device at the end of the iteration, in whole
    // pieces, for this iteration and those to come: at least peak_activation_bytes. 0: not recorded (other
    // programs, and older recordings).
    std::int64_t reserved_bytes = 0;
    // IMPORTED only: the bubble as the program that recorded the run defines it; NaN: it defines none.
    double bubble_of_source = std::numeric_limits<double>::quiet_NaN();
    // CPUs: how often the processor lowered the clock of a core that the rank ran on, or of its whole
    // package, against heat (ThrottleCounts). nullopt: not recorded, by this machine or by the other program.
    std::optional<std::int64_t> throttles = std::nullopt;
    // Tensor parallelism: what the sums over the shards took of the rank's operations (in busy_ms too): until
    // the last shard was ready, and from then on; the bytes that the rank sent for them.
    double shards_wait_ms = 0, shards_transfer_ms = 0;
    std::int64_t shards_bytes = 0;
};

// The timing of a stream with a GPU for every rank. CUPTI keeps a buffer of records until everything in it
// has ended, and something always is under way: boxes are reported at once, their kernels when they have
// arrived.
inline constexpr const char* kKernelsComeLater = "CUDA events: in a stream CUPTI reports kernels later";

// Who took the times of an iteration.
enum class TimingSource : std::uint8_t {
    Host,          // no GPU
    Cupti,         // CUPTI, with every kernel
    KernelsLater,  // CUDA events, the kernels of CUPTI come later
    Events,        // CUDA events alone
    Untraced,      // the host: nothing but the iteration's length is known
};

struct Timing {
    TimingSource source = TimingSource::Host;
    Sentence why;  // not CUPTI
    bool ofGpus() const { return source != TimingSource::Host; }
    bool operator==(const Timing&) const = default;
};

inline Timing kernelsComeLater() {
    return {TimingSource::KernelsLater, sentence(kKernelsComeLater)};
}

// "CUPTI", or why not; nothing without GPUs.
inline Sentence wordsOf(const Timing& timing) {
    return timing.source == TimingSource::Cupti ? sentence("CUPTI") : timing.why;
}

struct IterationReport {
    // False: it ran without tracing, so nothing but its length is known and its bubbles are NaN.
    bool isTraced() const { return !std::isnan(bubble_of_total); }
    // GPUs: kernels came with their boxes, so that the gaps between launches are known.
    bool knowsLaunchGaps() const { return timing.source == TimingSource::Cupti; }

    std::int32_t iteration = 0;
    std::string schedule;
    int p = 0, m = 0, v = 0;
    int d = 1;  // data-parallel replicas; p and m are those of one, all other numbers those of all together
    int zero = 0;      // ZeRO stage: 1 where each of d copies of a stage has a d-th of the optimizer state
    int t = 1;         // tensor-parallel shards of every stage
    int segments = 1;  // of every sequence
    bool sequence_parallel = false;
    RankLayout layout() const { return {p, d, t}; }
    ScheduleParams params() const {
        return {.p = p, .v = v, .m = m, .d = d, .t = t, .zero = zero, .segments = segments};
    }
    Recompute recompute = Recompute::None;
    CheckpointEvery checkpoint_every = CheckpointEvery::Stage;
    std::string device;
    std::string matrix_products;  // CPUs: what multiplied, "oneDNN 2.6.3"; empty: not recorded
    Provenance provenance = Provenance::Reconstructed;
    // An iteration ends with the last compute operation; the addition of replicas' gradients comes after,
    // with the optimizer step, and counts in optimizer_ms.
    double iteration_ms = 0, span_ms = 0, host_ms = 0, optimizer_ms = 0;
    double bubble_of_total = 0, bubble_of_ideal = 0;
    double predicted_bubble_of_total = 0, predicted_iteration_ms = 0;
    std::optional<double> theory_bubble_of_total;
    double tokens_per_s = 0, loss = 0, grad_norm = 0;
    bool disturbed = false;
    double wall_over_cpu = 1;  // greatest over the ranks
    // Measured on CPUs: time in which ranks could have gone on and something else had their cores, of all
    // ranks together, over the iteration's length. The iteration is longer by that share at most.
    double held_share = 0;
    double tracing_share = 0;  // CPU time of all ranks spent recording / host time
    // What tracing costs, from iterations with and without it (RunConfig::trace_cost): iteration time with it
    // over without it, minus 1. Absent until both are known.
    std::optional<double> tracing_cost;
    // Ranks as processes, measured: what a time of one rank may be off by against another's.
    std::optional<double> clock_residual_us;
    Timing timing;
    std::uint64_t dropped_events = 0;
    std::vector<RankReport> ranks;
    Costs costs;  // calibrated: medians under this configuration
};

// Launch gaps as a share of the compute time of all ranks; nullopt where they are not known.
inline std::optional<double> launchGapShare(const IterationReport& report) {
    double busy_ms = 0, gap_ms = 0;
    for (const RankReport& rank : report.ranks) {
        busy_ms += rank.busy_ms;
        gap_ms += rank.launch_gap_ms;
    }
    if (!report.knowsLaunchGaps() || busy_ms <= 0) return std::nullopt;
    return gap_ms / busy_ms;
}

// The ranks' greatest, since cores of one package count the same; none at all only when every rank reports
// it.
inline std::optional<std::int64_t> throttlesOf(const IterationReport& report) {
    std::int64_t most = 0;
    bool all_tell = !report.ranks.empty();
    for (const RankReport& rank : report.ranks) {
        all_tell = all_tell && rank.throttles;
        most = std::max(most, rank.throttles.value_or(0));
    }
    return most > 0 || all_tell ? std::optional(most) : std::nullopt;
}

// Above one of these an iteration counts as disturbed: wall over CPU time of a rank's operations, and
// held_share.
inline constexpr double kDisturbed = 1.05, kHeldShare = 0.05;

inline bool tookLonger(const IterationReport& report) {
    return report.wall_over_cpu > kDisturbed || report.held_share > kHeldShare;
}

// Why an iteration counts as disturbed.
enum class Disturbance : std::uint8_t {
    None,
    Operations,  // a rank's operations took more wall than CPU time: wall_over_cpu
    Cores,       // ranks were ready and did not get their cores: held_share
    Requests,    // a measured stream waited for its next iterations to be admitted
};
inline Disturbance disturbanceOf(const IterationReport& report) {
    if (!report.disturbed) return Disturbance::None;
    if (report.wall_over_cpu > kDisturbed) return Disturbance::Operations;
    return report.held_share > kHeldShare ? Disturbance::Cores : Disturbance::Requests;
}

// One m of a sweep: really run for a few iterations, predicted at once.
struct SweepPoint {
    int value = 0;        // of the sweep's axis (schedule/sweep_axis.h)
    std::string setting;  // "m = 8", as settingText() has it
    int m = 0, micro_batch = 0;
    int iterations_done = 0, iterations = 0;
    bool over_cap = false;                  // refused by the memory cap, never run
    std::vector<Problem> problems;          // illegal, never run
    std::optional<IterationReport> median;  // of the iterations done, by tokens_per_s
    double tokens_per_s_min = 0, tokens_per_s_max = 0;
    double predicted_tokens_per_s = 0, predicted_bubble_of_total = 0;
    std::int64_t predicted_peak_bytes = 0;
};

struct SweepState {
    SweepAxis axis = SweepAxis::Microbatches;
    std::vector<SweepPoint> points;
    bool finished = false, cancelled = false;
    int best = 0;  // value of the best point; 0 while unknown
    Sentence why;  // why the best, and why the runner-up loses
};

}  // namespace bscope
