// Hardware: what this process can compute on: its cores, and the machine's GPUs, which are looked for at the
// first query. Also what a configuration requires of it, and which of these requirements it cannot meet. Any
// thread, but for the devices themselves.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "gpu/gpus.h"
#include "kernels/device.h"
#include "plan/plan.h"
#include "timeline/event.h"
#include "words/sentence.h"

namespace bscope {

class Hardware {
public:
    Hardware();

    const std::vector<int>& cores() const { return cores_; }
    Device& cpu() const { return *cpu_; }
    // Null when there are none to work with; whyNoGpus() then says why.
    Gpus* gpus() const;
    const Sentence& whyNoGpus() const;
    // Those that a decided config runs on; null when it runs on the CPU.
    Gpus* gpusFor(const RunConfig& config) const {
        return config.device == DeviceChoice::Cuda ? gpus() : nullptr;
    }

    // The same with its device decided: auto is the GPUs when there are any.
    RunConfig decided(RunConfig config) const;
    // Of a decided config: what this machine cannot do of it. Not whether it is legal, and not its memory.
    std::vector<Problem> problems(const RunConfig& config) const;
    Provenance provenance(const RunConfig& config) const;
    // What a plan of a decided config needs more memory for than there is. nullopt when it fits.
    std::optional<Problem> memoryProblem(const Plan& plan) const;

private:
    void look() const;

    std::vector<int> cores_;
    std::unique_ptr<Device> cpu_;
    mutable std::once_flag looked_;
    mutable std::unique_ptr<Gpus> gpus_;
    mutable Sentence why_no_gpus_;
};

// What is wrong with a config on this machine's processor and that many cores.
std::vector<Problem> cpuProblems(const RunConfig& config, int cores);
// What is wrong with a config on that many GPUs, at least one; empty when it can be had.
std::vector<Problem> gpuProblems(const RunConfig& config, int gpus);
// MEASURED when every rank has a GPU of its own and nothing but what the GPUs do is asked for.
Provenance gpuProvenance(const RunConfig& config, int gpus);

}  // namespace bscope
