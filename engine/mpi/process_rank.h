// ProcessRank: one rank of a pipeline as this process: its stages, its worker, its clock, its GPU if it has
// one, and its way to the other ranks. The same in every process; it depends neither on who gives commands
// nor on the training. One thread.
#pragma once

#include <chrono>
#include <exception>
#include <memory>
#include <vector>

#include "clock/throttle_counts.h"
#include "gpu/rank_gpus.h"
#include "mpi/commands.h"
#include "mpi/mpi_communicator.h"
#include "rank/worker.h"

namespace bscope {

class ProcessRank {
public:
    // Borrows the layers of its stages from the model, which must outlive it. own: this process's clock; gpu:
    // where it computes if the command's device is Cuda.
    ProcessRank(Model& model, const BuildCommand& command, HostTime own, OwnGpu& gpu);
    ~ProcessRank();

    // The pipeline's communicator; comes after the others agreed to have one, and before anything below.
    void join(MPI_Comm comm, Channel::Look look, Channel::Gone gone);

    // The next iteration. The model has this rank's weights. Throws what goes wrong.
    RankIteration iterate(const IterateCommand& command);
    // Its part of an endless stream, until the gate says that it has ended. Throws what goes wrong.
    void runStream(const StreamCommand& command, StreamGate& gate);
    // For the gate: this share is on its way, with what the GPU recorded; and `waiting` is for nothing but
    // the process that admits iterations.
    void shareDone(RankIteration& share);
    // On its way to the first process; unpackRankIteration() reads it. Times of GPUs are on the first one's
    // clock.
    std::vector<char> packed(const RankIteration& share) const;
    template <typename Waiting>
    void rest(Waiting waiting) {
        communicator_->rest(waiting);
    }
    // Of the iteration or the stream that was thrown out of.
    Reply failed(const std::exception_ptr& error) const;

    const Plan& plan() const { return plan_; }
    Provenance provenance() const { return clock_->provenance(); }
    int rank() const { return communicator_->rank(); }
    // Null on the CPU.
    const RankGpus* gpu() const { return gpu_.get(); }
    // All ranks have begun an iteration together.
    bool isWarm() const { return warm_; }

    // All ranks together, when the pipeline is dropped. Throws as MpiCommunicator::settle.
    void settle() { communicator_->settle(); }
    void abandon();
    // Before weights are read: a GPU on which an iteration failed may still have some of it to do.
    void awaitGpu() const noexcept;

private:
    // Warm, on a clock that starts when the others start theirs.
    void beginTogether(const ClockLine& clock, const BatchView& one_microbatch, std::int64_t start_ns,
                       int iteration);
    // A second replica on this rank gets its copy of the weights.
    void makeWorker();
    void openLinks();
    void lookWhileGpuWorks();
    void exchangeNews();
    Model& copyOfModel();

    Model& model_;
    Plan plan_;
    HostTime own_;
    ClockLine line_;           // own clock to the first process's
    Calibration calibration_;  // of this rank
    OwnGpu& own_gpu_;
    const WorldName world_;
    std::unique_ptr<RankGpus> gpu_;  // null on the CPU
    std::unique_ptr<Clock> clock_;
    ThrottleCounts throttle_counts_;  // of its core; of none on a GPU
    Channel::Look look_;
    std::unique_ptr<MpiCommunicator> communicator_;
    std::unique_ptr<Recorder> recorder_;
    std::vector<std::unique_ptr<Model>> copies_;  // for every further chain with a stage here
    std::unique_ptr<Worker> worker_;
    bool warm_ = false, at_work_ = false, stepped_ = false;
    int iteration_ = 0;
    std::chrono::steady_clock::time_point since_, next_news_;  // since_: what is now done has begun
};

// of_gpu: the rank is on a GPU.
RankIteration unpackRankIteration(const std::vector<char>& bytes, bool of_gpu);

// Layers of this rank in the model's order: the embedding is layer 0, the head the last. Of the first chain
// alone: those whose state counts when the ranks' copies are brought together.
enum class Chains { First, All };
std::vector<std::size_t> layersOf(const Plan& plan, int rank, Chains chains);

// All tensors of these layers to or from the other end of a channel, one message each, in the same order.
void sendLayers(Channel& channel, int peer, const Model& model, const std::vector<std::size_t>& layers);
void receiveLayers(Channel& channel, int peer, Model& model, const std::vector<std::size_t>& layers);

}  // namespace bscope
