#include "run/cores.h"
#include "run/launcher.h"
#include "run/pipeline.h"

namespace bscope {

namespace {

class ThreadLauncher final : public Launcher {
public:
    std::vector<Problem> problems(const RunConfig& config, const Plan* plan) const override {
        std::vector<Problem> found = clockProblems(config, static_cast<int>(cores_.size()));
        if (plan == nullptr) return found;
        if (const auto too_much = machineMemoryProblem(*plan, machineMemoryBytes()))
            found.push_back(*too_much);
        return found;
    }

    std::unique_ptr<Executor> launch(Training& training, const RunConfig& config,
                                     RunObserver& observer) override {
        const Provenance provenance = chooseProvenance(config, static_cast<int>(cores_.size()));
        return std::make_unique<Pipeline>(training, makePlan(config), provenance, cores_, observer);
    }

private:
    std::vector<int> cores_ = usableCores();
};

}  // namespace

std::unique_ptr<Launcher> makeThreadLauncher() {
    return std::make_unique<ThreadLauncher>();
}

}  // namespace bscope
