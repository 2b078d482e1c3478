#include "workers/hardware.h"

#include <algorithm>

#include "clock/clock.h"
#include "host/cores.h"
#include "kernels/cpu/cpu_device.h"
#include "plan/plan_memory.h"
#include "words/sentence_error.h"

namespace bscope {

Hardware::Hardware() : cores_(usableCores()), cpu_(makeCpuDevice()) {}

void Hardware::look() const {
    std::call_once(looked_, [this] {
        try {
            gpus_ = std::make_unique<Gpus>();
        } catch (const std::runtime_error& error) {
            why_no_gpus_ = sentenceOf(error);
        }
    });
}

Gpus* Hardware::gpus() const {
    look();
    return gpus_.get();
}

const Sentence& Hardware::whyNoGpus() const {
    look();
    return why_no_gpus_;
}

RunConfig Hardware::decided(RunConfig config) const {
    if (config.device == DeviceChoice::Auto) {
        const bool usable = config.params.t == 1 && config.params.zero == 0 && config.params.segments == 1 &&
                            gpus() != nullptr && gpuProblems(config, gpus()->count()).empty();
        config.device = usable ? DeviceChoice::Cuda : DeviceChoice::Cpu;
    }
    return config;
}

std::vector<Problem> Hardware::problems(const RunConfig& config) const {
    if (config.device != DeviceChoice::Cuda) return cpuProblems(config, static_cast<int>(cores_.size()));
    if (gpus() == nullptr) return {{"device", "there is no GPU to run on: {0}", {whyNoGpus()}, {}}};
    return gpuProblems(config, gpus()->count());
}

Provenance Hardware::provenance(const RunConfig& config) const {
    return config.device == DeviceChoice::Cuda ? gpuProvenance(config, gpus()->count())
                                               : chooseProvenance(config, static_cast<int>(cores_.size()));
}

std::optional<Problem> Hardware::memoryProblem(const Plan& plan) const {
    if (plan.config.device != DeviceChoice::Cuda) return sharedMemoryProblem(plan, machineMemoryBytes());
    if (provenance(plan.config) != Provenance::Measured)
        return sharedMemoryProblem(plan, gpus()->totalBytes(0));
    std::vector<std::int64_t> bytes;
    for (int rank = 0; rank < plan.config.params.layout().world(); ++rank) bytes.push_back(gpus()->totalBytes(rank));
    return gpuMemoryProblem(plan, bytes);
}

namespace {

// What real GPUs and the links between them are not made for: they do what they do.
bool needsReconstruction(const RunConfig& config) {
    return config.durations == Durations::Calibrated || !config.slow_ranks.empty() ||
           config.link != LinkModel{};
}

}  // namespace

std::vector<Problem> cpuProblems(const RunConfig& config, int cores) {
    std::vector<Problem> found = clockProblems(config, cores);
    if (config.matrix_library == MatrixLibrary::Loops && !hasProductLoops())
        found.push_back({"matrix_library",
                         "{0} = {1} needs a processor with AVX2; legal here: {2}",
                         {"matrix_library", toText(config.matrix_library), "auto, onednn"},
                         {}});
    return found;
}

std::vector<Problem> gpuProblems(const RunConfig& config, int gpus) {
    std::vector<Problem> found;
    if (config.clock != ClockChoice::Measured) return found;
    if (config.params.layout().world() > gpus)
        found.push_back({"p",
                         "the measured clock needs a GPU for every rank: {0} ranks, but there are {1} GPUs",
                         {std::to_string(config.params.layout().world()), std::to_string(gpus)},
                         {std::max(1, gpus / std::max(1, config.params.d))}});
    if (needsReconstruction(config))
        found.push_back({"clock",
                         "on GPUs, slow ranks, a modelled link and calibrated durations need the "
                         "reconstructed clock",
                         {},
                         {}});
    return found;
}

Provenance gpuProvenance(const RunConfig& config, int gpus) {
    if (config.clock == ClockChoice::Measured) return Provenance::Measured;
    const bool together =
        config.clock == ClockChoice::Auto && config.params.layout().world() <= gpus && !needsReconstruction(config);
    return together ? Provenance::Measured : Provenance::Reconstructed;
}

}  // namespace bscope
