#include "run/hardware.h"

#include <algorithm>

#include "kernels/cpu/cpu_device.h"
#include "run/clock.h"
#include "run/cores.h"
#include "schedule/catalog.h"

namespace bscope {

Hardware::Hardware() : cores_(usableCores()), cpu_(makeCpuDevice()) {}

void Hardware::look() const {
    std::call_once(looked_, [this] {
        try {
            gpus_ = std::make_unique<Gpus>();
        } catch (const std::runtime_error& error) {
            why_no_gpus_ = error.what();
        }
    });
}

Gpus* Hardware::gpus() const {
    look();
    return gpus_.get();
}

const std::string& Hardware::whyNoGpus() const {
    look();
    return why_no_gpus_;
}

RunConfig Hardware::decided(RunConfig config) const {
    if (config.device == DeviceChoice::Auto) {
        const bool usable = gpus() != nullptr && gpuProblems(config, gpus()->count()).empty();
        config.device = usable ? DeviceChoice::Cuda : DeviceChoice::Cpu;
    }
    return config;
}

std::vector<Problem> Hardware::problems(const RunConfig& config) const {
    if (config.device != DeviceChoice::Cuda) return clockProblems(config, static_cast<int>(cores_.size()));
    if (gpus() == nullptr) return {{"device", "there is no GPU to run on: {0}", {whyNoGpus()}, {}}};
    return gpuProblems(config, gpus()->count());
}

Provenance Hardware::provenance(const RunConfig& config) const {
    return config.device == DeviceChoice::Cuda ? gpuProvenance(config, gpus()->count())
                                               : chooseProvenance(config, static_cast<int>(cores_.size()));
}

std::int64_t Hardware::memoryBytes(const RunConfig& config) const {
    if (config.device != DeviceChoice::Cuda) return machineMemoryBytes();
    std::int64_t bytes = gpus()->totalBytes(0);
    if (provenance(config) == Provenance::Measured)
        for (int rank = 1; rank < std::min(config.params.p, gpus()->count()); ++rank)
            bytes += gpus()->totalBytes(rank);
    return bytes;
}

namespace {

// What a real link and a real GPU cannot be told to do.
bool isIdealised(const RunConfig& config) {
    return config.durations == Durations::Calibrated || !config.slow_ranks.empty() ||
           config.link != LinkModel{};
}

}  // namespace

std::vector<Problem> gpuProblems(const RunConfig& config, int gpus) {
    std::vector<Problem> found;
    if (scheduleProblems(config.schedule, config.params).empty()) {
        const Schedule schedule = makeSchedule(config.schedule, config.params);
        if (schedule.replicas() > 1 || schedule.weights != WeightRule::Flush)
            found.push_back({"schedule",
                             "{0} does not run on GPUs: only schedules with a flush and one copy of the "
                             "weights do; use device cpu",
                             {config.schedule},
                             {}});
    }
    if (config.params.d > 1)
        found.push_back({"d",
                         "d = {0}: replicas do not run on GPUs, use device cpu",
                         {std::to_string(config.params.d)},
                         {1}});
    if (config.clock != ClockChoice::Measured) return found;
    if (config.params.p > gpus)
        found.push_back({"p",
                         "the measured clock needs a GPU for every rank: p = {0}, but there are {1} GPUs",
                         {std::to_string(config.params.p), std::to_string(gpus)},
                         {gpus}});
    if (isIdealised(config))
        found.push_back({"clock",
                         "slow ranks, a modelled link and calibrated durations need the reconstructed clock: "
                         "what GPUs do is measured as it is",
                         {},
                         {}});
    return found;
}

Provenance gpuProvenance(const RunConfig& config, int gpus) {
    if (config.clock == ClockChoice::Measured) return Provenance::Measured;
    const bool together =
        config.clock == ClockChoice::Auto && config.params.p <= gpus && !isIdealised(config);
    return together ? Provenance::Measured : Provenance::Reconstructed;
}

}  // namespace bscope
