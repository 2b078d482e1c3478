// RankGpus: what the ranks of this process have of their GPUs: where each computes, its tracer, its clock,
// its links to other ranks, and a watch over what its GPU gets done. It is one object for all ranks of a
// process because a process has one tracer and opens its links together: a group of threads has all ranks in
// it, a worker process one. With a GPU for every rank the ranks run at the same time (MEASURED); else all
// share the first one and one stream of it, so that every action runs alone (RECONSTRUCTED). One thread,
// between iterations, but for copyInOrder(), endShares() and abort().
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gpu/gpu_clock.h"
#include "gpu/gpu_links.h"
#include "gpu/gpu_trace.h"
#include "gpu/gpu_watch.h"
#include "gpu/gpus.h"
#include "rank/rank_iteration.h"
#include "rank/worker.h"

namespace bscope {

class RankGpus {
public:
    // Asked while a rank waits for its GPU; what it throws ends the wait.
    using Ask = std::function<void()>;

    // All ranks of the plan in this process. Everything must outlive this. Throws DeviceError.
    RankGpus(Gpus& gpus, const Plan& plan, Provenance provenance);
    // One rank, on that GPU; the others are in other processes. ask: also while links are opened.
    RankGpus(Gpus& gpus, const Plan& plan, int rank, int gpu, Ask ask);

    Device& deviceOf(int rank) const { return *devices_[static_cast<std::size_t>(rank)]; }
    std::unique_ptr<Clock> makeClock();
    // Of the iteration or stream at work.
    HostToDevice times() const { return clock_->times(); }
    // The layers of the ranks here go where they compute. models: (replicas,)
    void placeLayers(const std::vector<Model*>& models) const;
    // A rank's way to the others; host: without the GPUs, must outlive this.
    Communicator& communicator(int rank, Communicator& host);
    // What the rank does is traced and noted from now on.
    void instrument(int rank, Worker& worker, Recorder& recorder);

    // Before the first iteration, in all processes at the same time. Throws LinkFailure, DeviceError, and
    // what ends a wait.
    void openLinks(GpuWorld& world);
    bool needsLinks() const { return links_ && links_->areNeeded(); }
    // Any thread: what waits for another GPU ends.
    void abort(const Sentence& reason);
    // After abort(), before memory of the ranks here goes: until the GPUs are done with what they were given.
    void awaitStreams() const noexcept;
    // A message between two ranks of one GPU, in the order of its stream. Any thread.
    void copyInOrder(void* to, const void* from, std::size_t bytes);

    // An iteration with a flush, or the first of a stream, which is traced throughout.
    void beginIteration(int iteration);
    // The shares, of the ranks here in their order, get what the GPUs recorded beside their notes. After the
    // ranks have waited for their GPUs. Throws LinkFailure.
    void endIteration(std::span<RankIteration> shares);
    // The same of a stream's next iteration; the ranks run on meanwhile.
    void endShares(std::span<RankIteration> shares);
    // All of a stream has ended. Throws LinkFailure.
    void endStream();

    // Null where all ranks share one GPU.
    GpuWatch* watch() { return watch_.get(); }
    // "2F3" and the rank whose message that needs, -1 when none.
    struct Standing {
        std::string action;
        int peer;
        double seconds;
    };
    Standing standing(int rank) const;

private:
    RankGpus(Gpus& gpus, const Plan& plan, Provenance provenance, std::vector<int> ranks, Ask ask);
    void look(int rank, const Worker& worker);
    std::vector<RankWork> endedWork(std::span<const RankIteration> shares) const;
    void addSamples(std::span<RankIteration> shares, std::vector<WorkSpan> spans);
    RankIteration& shareOf(int rank, std::span<RankIteration> shares) const;
    bool isAlone() const { return static_cast<int>(ranks_.size()) < plan_.ranks(); }

    Gpus& gpus_;
    const Plan& plan_;
    const Provenance provenance_;
    const std::vector<int> ranks_;  // those of this process
    const Ask ask_;
    std::vector<Device*> devices_;    // (ranks of the plan,) null of other processes
    std::unique_ptr<Stream> copies_;  // one GPU: the stream that all share
    std::unique_ptr<Ops> copy_ops_;
    GpuTrace trace_;
    std::unique_ptr<GpuLinks> links_;  // a GPU for every rank
    std::unique_ptr<GpuWatch> watch_;
    std::vector<std::unique_ptr<GpuCommunicator>> communicators_;  // (ranks of the plan,) as links_
    GpuClock* clock_ = nullptr;                                    // the worker group's
    int microbatches_ = 0;                                         // of the stream, done on all ranks here
};

// "NVIDIA H200", "4 x NVIDIA H200, bf16": what a plan runs on in one process.
std::string gpuNames(const Gpus& gpus, const Plan& plan, Provenance provenance);

}  // namespace bscope
