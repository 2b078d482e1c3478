// Substrate: what the ranks of a ThreadWorkers compute on: cores of this machine, or its GPUs. It has the
// clock of the ranks, their way to each other, and what it takes to complete the shares of an iteration. One
// thread, but for abort(), which any may call.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "clock/clock.h"
#include "rank/worker.h"
#include "workers/local_communicator.h"
#include "workers/worker_group.h"

namespace bscope {

class Gpus;

class Substrate {
public:
    virtual ~Substrate() = default;
    virtual std::string name() const = 0;
    virtual Clock& clock() = 0;
    // Where messages wait for their receivers, and how they are copied: null for the device's own way.
    virtual Device& messageDevice() = 0;
    virtual LocalHub::Copy messageCopy() { return nullptr; }
    // The layers of all ranks go where they compute. models: (replicas,)
    virtual void placeLayers(const std::vector<Model*>& models) = 0;
    // A rank's way to the others; host: between the threads alone.
    virtual Communicator& communicator(int /*rank*/, Communicator& host) { return host; }
    virtual void instrument(int rank, Worker& worker, Recorder& recorder) = 0;
    // Before anything runs. Throws RunFailure.
    virtual void prepare() {}
    // An iteration with a flush, or a stream.
    virtual void begin(const Work& work) = 0;
    // What it knows of the ranks' iteration becomes part of their shares. run_ns: on this host; of a stream
    // 0.
    virtual void complete(int iteration, std::int64_t run_ns, std::vector<RankIteration>& shares) = 0;
    virtual void abort(const Sentence& /*reason*/) {}
    // Before memory of the ranks is given back: what was handed over has ended.
    virtual void awaitWork() noexcept {}
    virtual void addFacts(WorkerGroupFacts& facts) const = 0;
};

// Everything that is handed over must outlive it. cores: at least one a rank for Measured; cpu_folder: of
// ThrottleCounts.
std::unique_ptr<Substrate> makeCpuSubstrate(Device& device, const Plan& plan, Provenance provenance,
                                            const std::vector<int>& cores, LiveEvents& live,
                                            const std::filesystem::path& cpu_folder);
// Reports nothing live: times are known when an iteration is over.
std::unique_ptr<Substrate> makeGpuSubstrate(Gpus& gpus, const Plan& plan, Provenance provenance);

}  // namespace bscope
