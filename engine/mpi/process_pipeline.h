// ProcessPipeline: a plan at work on processes, as the first of them sees it: it computes rank 0 and tells
// the others what to do. Layers go to their ranks when it is made, and come home when asked for; the training
// here stays the one truth. An endless stream runs on while reports are written: rank 0 then has a thread of
// its own, and that thread alone sends and receives from the stream's start to its end. One thread; abort()
// from any.
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "crew/local_gate.h"
#include "crew/thread_team.h"
#include "gpu/gpu_books.h"
#include "mpi/first_gate.h"
#include "mpi/process_group.h"
#include "mpi/process_rank.h"
#include "run/launcher.h"
#include "run/training.h"
#include "timeline/timeline.h"

namespace bscope {

class ProcessPipeline final : public Executor {
public:
    // The config has no problems. Throws RunFailure.
    ProcessPipeline(ProcessGroup& group, Training& training, const RunConfig& config, RunObserver& observer);
    ~ProcessPipeline() override;

    IterationReport iterate(std::int64_t start_ns, int more_to_come = 0) override;
    std::vector<IterationReport> drain() override;
    int iterationsAhead() const override;
    std::int64_t end_ns() const override { return end_ns_; }
    IterationStart describe(std::int64_t start_ns) const override;
    void setTrainingConfig(const TrainingConfig& config) override { training_config_ = config; }
    void abort(const std::string& reason) override;
    bool weightsAreTorn() const override { return streams() || torn_; }
    bool keepsCopies() const override { return true; }
    void bringHome() override;

private:
    // What a wait heeds: nothing but that processes are alive; a failed rank; a wish to stop, too.
    enum class Heed { Life, Failures, Everything };
    std::optional<Interruption> look();
    void takeReplies();
    void takeReply(int rank, Reply reply);
    bool haveReplied(int processes);
    // An order to the processes 1 to `processes` - 1.
    void tell(const std::vector<char>& order, int processes);
    void build(const std::vector<int>& cores);
    void makeOwnRank(int core);
    void alignClocks(std::chrono::steady_clock::duration at_least);
    void beforeWork(bool align);
    // The order to begin, to every other rank with the line of its clock.
    template <typename AnyOrder>
    void sendOut(AnyOrder order);
    // From here on a failed rank breaks off, but no wish to stop.
    void awaitReplies(const std::string& what);
    IterationOrder nextOrder(std::int64_t start_ns) const;
    std::vector<RankShare> runOn(const IterationOrder& order);
    [[noreturn]] void breakOff(const std::exception_ptr& error);
    [[noreturn]] void fail(const Reply& reply, int rank, const std::string& more);
    void loseGroup();
    // Work with the other processes that is no iteration. Throws RunFailure when one of them is gone.
    template <typename Work>
    void between(const char* what, Work work);
    // loss, gradient_norm: of the iteration.
    IterationReport report(const std::vector<Share>& shares, double loss, double gradient_norm,
                           std::int64_t host_ns);
    double loss(const std::vector<RankShare>& shares) const;

    bool streams() const { return gate_ != nullptr; }
    void startStream(std::int64_t start_ns);
    StreamOrder streamOrder(std::int64_t start_ns) const;
    void runStream(const StreamOrder& order);  // in rank 0's thread
    IterationReport nextOfStream();
    void finishStream();
    void joinStream();
    int ranks() const { return rank_->plan().ranks(); }
    bool onGpus() const { return order_.config.device == DeviceChoice::Cuda; }
    bool measured() const { return rank_->provenance() == Provenance::Measured; }

    ProcessGroup& group_;
    Training& training_;
    RunObserver& observer_;
    TrainingConfig training_config_;
    const int number_;
    std::string device_name_;
    std::unique_ptr<ProcessRank> rank_;  // rank 0
    std::unique_ptr<GpuBooks> books_;    // GPUs
    BuildOrder order_;
    Calibration calibration_;                    // of all ranks, for the report
    std::vector<std::optional<Reply>> replies_;  // (processes,) since they were last told to do something
    bool at_home_ = true;                        // the training has what the ranks have learned
    bool torn_ = false;
    std::int64_t start_ns_ = 0, end_ns_ = 0;
    Timeline timeline_;  // of the last iteration; of a stream also of the one before
    Heed heed_ = Heed::Life;
    std::chrono::steady_clock::time_point last_look_;

    std::unique_ptr<ThreadTeam> thread_;  // rank 0's, once there was a stream
    std::unique_ptr<LocalGate> gate_;     // while a stream is running
    std::unique_ptr<FirstGate> door_;     // rank 0's to the gate, its thread's
    std::function<void(int)> job_;
    std::exception_ptr stream_failure_;
    std::int64_t host_end_ns_ = 0;  // of the iteration reported last

    std::mutex mutex_;  // of the wish
    std::optional<std::string> stop_wish_;
};

}  // namespace bscope
