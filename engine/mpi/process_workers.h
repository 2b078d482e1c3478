// ProcessWorkers: the ranks of a plan as processes, as the first of them sees it: it computes rank 0 and
// commands the others. Layers go to their ranks when it is made and come back with gatherLayers(); the model
// here stays the one truth. An endless stream runs on while reports are written: rank 0 then has a thread of
// its own, and that thread alone sends and receives from the stream's start to its end. One thread; stop()
// from any.
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "gpu/trace_assembler.h"
#include "mpi/coordinator_gate.h"
#include "mpi/process_group.h"
#include "mpi/process_rank.h"
#include "workers/local_gate.h"
#include "workers/thread_team.h"
#include "workers/worker_group.h"

namespace bscope {

class ProcessWorkers final : public WorkerGroup {
public:
    // The plan's config has no problems. Throws RunFailure.
    ProcessWorkers(ProcessGroup& group, Model& model, const Plan& plan);
    ~ProcessWorkers() override;

    void begin(Work work) override;
    std::vector<RankIteration> next() override;
    void admit(const Admission& admission) override { gate_->admit(admission); }
    void stop(const Sentence& reason) override;
    void gatherLayers() override;
    WorkerGroupFacts facts() const override;

private:
    // What breaks off a wait: a lost process alone; a failed rank too; a request to stop as well.
    enum class Breaks { LostProcess, FailedRank, StopRequest };
    std::optional<Interruption> look();
    void takeReplies();
    void takeReply(int rank, Reply reply);
    bool haveReplied(int processes);
    // A command to the processes 1 to `processes` - 1.
    void sendToWorkers(const std::vector<char>& command, int processes);
    void build(const std::vector<int>& cores);
    void makeOwnRank(int core);
    void alignClocks(std::chrono::steady_clock::duration at_least);
    // The command to begin, to every other rank with the line of its clock.
    template <typename AnyCommand>
    void sendOut(AnyCommand command);
    // From here on a failed rank breaks off, a request to stop does not.
    void awaitReplies(const Sentence& what);
    [[noreturn]] void breakOff(const std::exception_ptr& error);
    [[noreturn]] void fail(const RankFailure& failure);
    void loseGroup();
    // Work with the other processes that is no iteration. Throws RunFailure when one of them is gone.
    void between(const Sentence& what, const std::function<void()>& work);

    std::vector<RankIteration> runIteration();
    bool streams() const { return gate_ != nullptr; }
    void startStream(Work work);
    void runStream(const StreamCommand& command);  // in rank 0's thread
    std::vector<RankIteration> nextOfStream();
    void joinStream();

    int ranks() const { return rank_->plan().ranks(); }
    bool onGpus() const { return build_.config.device == DeviceChoice::Cuda; }
    bool measured() const { return rank_->provenance() == Provenance::Measured; }

    ProcessGroup& group_;
    Model& model_;
    const int number_;
    std::string device_name_;
    std::unique_ptr<ProcessRank> rank_;  // rank 0
    BuildCommand build_;
    IterateCommand iteration_;                   // at hand
    int first_iteration_ = 0, done_ = 0;         // iterations of the work at hand
    std::optional<TraceAssembler> assembler_;    // GPUs
    std::vector<std::optional<Reply>> replies_;  // (processes,) since the last command
    int asked_ = 0;                              // processes with a part in the last work, idle ones too
    bool has_layers_ = true;                     // the model has what the ranks have learned
    bool is_partially_stepped_ = false;
    std::int64_t run_ns_ = 0;
    Breaks breaks_ = Breaks::LostProcess;
    std::chrono::steady_clock::time_point last_look_;

    std::unique_ptr<ThreadTeam> thread_;     // rank 0's, once there was a stream
    std::unique_ptr<LocalGate> gate_;        // while a stream is running
    std::unique_ptr<CoordinatorGate> door_;  // rank 0's to the gate, its thread's
    std::function<void(int)> job_;
    std::exception_ptr stream_failure_;

    std::mutex mutex_;  // of the request
    std::optional<Sentence> stop_request_;
};

}  // namespace bscope
