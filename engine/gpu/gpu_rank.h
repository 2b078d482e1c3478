// GpuRank: one rank of a pipeline on a GPU of this process, while the others are in other processes: its
// tracer, its clock, its links. What its GPU did is told in one piece after the iteration, and placed by
// somebody who hears it of all ranks. One thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gpu/gpu_clock.h"
#include "gpu/gpu_links.h"
#include "gpu/gpu_trace.h"
#include "gpu/gpu_watch.h"
#include "gpu/gpus.h"
#include "rank/gpu_told.h"
#include "rank/worker.h"

namespace bscope {

class GpuRank {
public:
    // gpus has one GPU. Everything must outlive this. Throws DeviceError.
    GpuRank(Gpus& gpus, int index, const Plan& plan, int rank);

    std::unique_ptr<Clock> makeClock();
    const GpuClock& clock() const { return *clock_; }
    Device& device() const { return device_; }
    // The layers of its stages go where it computes. models: (replicas,)
    void takeIn(const std::vector<Model*>& models) const;
    // Its way to the others; host: between the processes, must outlive this.
    Communicator& over(Communicator& host);
    // What the rank does is traced and noted from now on. watch: asked while it waits for its GPU; what it
    // throws ends the wait.
    void attend(Worker& worker, Recorder& recorder, const std::function<void()>& watch);
    // With the other processes. Throws LinkFailure, and what the watch of attend() throws.
    void openLinks(GpuWorld& world);
    bool needsLinks() const { return links_.areNeeded(); }
    void abort(const std::string& reason) { links_.abort(reason); }

    // An iteration with a flush, or the first of a stream, which is traced throughout.
    void beginIteration(int iteration);
    // Throws LinkFailure.
    GpuTold endIteration();
    // Of a stream: the rank has waited for its GPU, and runs on after this.
    GpuTold endShare(const Share& share);
    // All of it has ended. Throws LinkFailure.
    void endStream() { links_.settle(); }

    GpuWatch& watch() { return watch_; }
    // "2F3" and the rank whose message that needs, -1 when none.
    struct Standing {
        std::string action;
        int peer;
        double seconds;
    };
    Standing standing() const;

private:
    void look(const Worker& worker);
    GpuTold tell(std::vector<ActionSpan> spans);

    Gpus& gpus_;
    const Plan& plan_;
    const int rank_;
    Device& device_;
    GpuTrace trace_;
    GpuLinks links_;
    GpuWatch watch_;
    std::function<void()> ask_;
    std::unique_ptr<GpuCommunicator> communicator_;
    GpuClock* clock_ = nullptr;  // the pipeline's
    int microbatches_ = 0;       // of the stream, done on this rank
};

}  // namespace bscope
