// The commands of the first process to the others, and their replies. A command goes to each process on its
// own; the commands of one process are executed one after the other, but for Stop, which breaks off an
// iteration or a stream, and Admit, which belongs to the stream at work. fields() lists what crosses, for
// both ways. Values.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "config/run_config.h"
#include "kernels/ops.h"
#include "mpi/clock_sync.h"
#include "mpi/own_gpu.h"
#include "mpi/packer.h"
#include "plan/plan.h"
#include "plan/rank_failure.h"
#include "rank/stream_gate.h"
#include "rank/worker.h"
#include "timeline/event.h"

namespace bscope {

enum ChannelTag : int { kCommandTag = 1, kReplyTag, kLayerTag, kProbeTag, kWatchTag, kPulseTag };

enum class Command : std::uint8_t {
    Build,       // a rank of a pipeline: BuildCommand; answered
    Join,        // split the communicator; the pipeline's ranks then get their layers, one message a tensor
    SitOut,      // BuildCommand: the splits of the GPUs' communicator for a pipeline that this is no rank of
    Iterate,     // IterateCommand; answered
    Stream,      // StreamCommand; answered with the share of every iteration, and when it has ended
    Admit,       // AdmitCommand; without effect when no stream runs
    Stop,        // a text, why; without effect when no iteration runs
    GiveLayers,  // the rank's layers, one message a tensor
    Drop,        // the pipeline is no longer needed
    AnswerProbes,  // a burst
    Quit,
    Leave,  // at once: a process is gone for good, and that has been reported
};

struct BuildCommand {
    int pipeline = 0;  // its number
    RunConfig config;
    // Of a schedule in a file, which the first process alone reads; null: the catalog's.
    std::shared_ptr<const Schedule> order;
    Provenance provenance = Provenance::Reconstructed;
    int core = 0;     // of this rank
    WorldName world;  // GPUs

    static auto fields(auto& of) {
        return std::tie(of.pipeline, of.config, of.order, of.provenance, of.core, of.world);
    }
    Plan plan() const;
    std::vector<char> pack(Command command = Command::Build) const;
    static BuildCommand unpack(Unpacker& from);
};

struct IterateCommand {
    int pipeline = 0;
    int iteration = 0;
    std::int64_t start_ns = 0;  // where all device clocks stand
    AdamWStep step;
    double clip_norm = 0;
    ClockLine clock;                            // measured times only
    std::vector<std::int32_t> tokens, targets;  // (m B, T), the whole batch

    static auto fields(auto& of) {
        return std::tie(of.pipeline, of.iteration, of.start_ns, of.step, of.clip_norm, of.clock, of.tokens,
                        of.targets);
    }
    std::vector<char> pack() const;
    static IterateCommand unpack(Unpacker& from);
};

// An endless stream begins.
struct StreamCommand {
    int pipeline = 0;
    StreamStart start;
    std::int64_t start_ns = 0;  // where all device clocks stand
    TrainingConfig training;
    ClockLine clock;                            // measured times only
    std::vector<std::int32_t> tokens, targets;  // (B, T), one micro-batch to warm up with

    static auto fields(auto& of) {
        return std::tie(of.pipeline, of.start, of.start_ns, of.training, of.clock, of.tokens, of.targets);
    }
    std::vector<char> pack() const;
    static StreamCommand unpack(Unpacker& from);
};

// What may enter the stream from now on; for the rank with the end of the chain with the samples of
// micro-batches that are new.
struct AdmitCommand {
    Admission admission;
    int first = 0;                              // micro-batch
    std::vector<std::int32_t> tokens, targets;  // (micro-batches, B, T)

    static auto fields(auto& of) { return std::tie(of.admission, of.first, of.tokens, of.targets); }
    std::vector<char> pack() const;
    static AdmitCommand unpack(Unpacker& from);
};

// Join, GiveLayers and Drop name the pipeline, Stop its reason.
std::vector<char> packCommand(Command command, int pipeline);
std::vector<char> packStop(const Sentence& reason);
void packSentence(Packer& into, const Sentence& sentence);
Sentence unpackSentence(Unpacker& from);

struct Reply {
    enum class Kind : std::uint8_t { Share, Done, Failed };
    Kind kind = Kind::Done;
    RankFailure failure;      // of Failed
    bool step_begun = false;  // when it failed
    std::vector<char> share;  // of an iteration: when it is done, or RankIteration while a stream goes on

    bool has(FailureKind why) const { return kind == Kind::Failed && failure.kind == why; }
    // The process could not make its part of a pipeline; called where that was thrown.
    static Reply notMade(int rank, const std::exception_ptr& error);
    static auto fields(auto& of) {
        return std::tie(of.kind, of.failure.kind, of.failure.rank, of.failure.action, of.failure.peer,
                        of.failure.cause_rank, of.failure.cause, of.step_begun, of.share);
    }
    std::vector<char> pack() const;
    static Reply unpack(const std::vector<char>& from);
};

}  // namespace bscope
