#include "workers/hardware.h"
#include "workers/thread_workers.h"
#include "workers/worker_group.h"

namespace bscope {

namespace {

class ThreadLauncher final : public Launcher {
public:
    RunConfig decided(RunConfig config) const override { return hardware_.decided(std::move(config)); }

    std::vector<Problem> problems(const RunConfig& config, const Plan* plan) const override {
        std::vector<Problem> found = hardware_.problems(config);
        const bool no_gpus = config.device == DeviceChoice::Cuda && !found.empty();
        if (plan == nullptr || no_gpus) return found;
        if (const auto too_much = hardware_.memoryProblem(*plan)) found.push_back(*too_much);
        return found;
    }

    std::unique_ptr<WorkerGroup> launch(Model& model, const Plan& plan, LiveEvents& live) override {
        const RunConfig& config = plan.config;
        return std::make_unique<ThreadWorkers>(model, plan, hardware_.provenance(config), hardware_.cores(),
                                               live, hardware_.gpusFor(config));
    }

private:
    const Hardware hardware_;
};

}  // namespace

std::unique_ptr<Launcher> makeThreadLauncher() {
    return std::make_unique<ThreadLauncher>();
}

}  // namespace bscope
