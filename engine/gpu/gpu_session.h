// GpuSession: a pipeline's stay on the GPUs: which rank computes where, the tracer, the clock whose times are
// found after each iteration (GpuBooks). With a GPU for every rank the ranks run at the
// same time (MEASURED); else all share the first one and one stream of it, so that every action runs alone
// (RECONSTRUCTED). One thread, between iterations, but for copyInOrder() and endShares().
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gpu/gpu_books.h"
#include "gpu/gpu_clock.h"
#include "gpu/gpu_links.h"
#include "gpu/gpu_trace.h"
#include "gpu/gpus.h"
#include "rank/share.h"
#include "rank/worker.h"

namespace bscope {

class GpuSession {
public:
    // The plan's device is Cuda. Everything must outlive this. Throws DeviceError.
    GpuSession(Gpus& gpus, const Plan& plan, Provenance provenance, const Calibration& calibration,
               RunObserver& observer);

    Device& deviceOf(int rank) const { return *devices_[static_cast<std::size_t>(rank)]; }
    // "NVIDIA H200", "4 x NVIDIA H200, bf16"
    const std::string& name() const { return name_; }
    std::unique_ptr<Clock> makeClock();
    // Layers go where their rank computes. models: (replicas,)
    void takeIn(const std::vector<Model*>& models) const;
    // The rank's way to the others; `host` is between the threads alone.
    std::unique_ptr<Communicator> communicator(std::unique_ptr<Communicator> host);
    // What the rank does is traced and noted from now on.
    void attend(int rank, Worker& worker, Recorder& recorder);
    // Before the first iteration. Throws RunFailure.
    void openLinks();
    // Any thread: what waits for another GPU ends.
    void abort(const std::string& reason);
    // A message between two ranks of one GPU, in the order of its stream. Any thread.
    void copyInOrder(void* to, const void* from, std::size_t bytes);

    void beginIteration(int iteration);
    // After the ranks have met: the shares' notes become events, and what else the GPUs know.
    void endIteration(std::span<Share> shares, std::int64_t run_ns);
    // A stream of iterations, which has begun on the clock. It is traced throughout.
    void beginStream(int iteration);
    // What all ranks did in its next iteration; they run on meanwhile.
    void endShares(std::span<Share> shares);
    void complete(IterationReport& report) const { books_->complete(report); }

private:
    void look(int rank, const Worker& worker);
    void tell(std::span<Share> shares, GpuSpans spans);

    Gpus& gpus_;
    const Plan& plan_;
    const Provenance provenance_;
    const Calibration& calibration_;
    RunObserver& observer_;
    std::vector<Device*> devices_;  // (ranks,)
    std::string name_;
    std::unique_ptr<Stream> copies_;  // one GPU: the stream that all share
    std::unique_ptr<Ops> copy_ops_;
    GpuTrace trace_;
    std::unique_ptr<GpuLinks> links_;  // p GPUs
    std::unique_ptr<GpuWatch> watch_;
    std::vector<std::unique_ptr<Communicator>> hosts_;  // p GPUs: (ranks,) between the threads alone
    std::vector<GpuCommunicator*> communicators_;       // p GPUs: the pipeline's
    GpuClock* clock_ = nullptr;                         // the pipeline's
    std::unique_ptr<GpuBooks> books_;
    int iteration_ = 0;
    int microbatches_ = 0;  // of the stream, done on all ranks
};

}  // namespace bscope
