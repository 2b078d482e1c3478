#include "run/serving_run.h"

#include <utility>

#include "kernels/cpu/cpu_device.h"
#include "model/model_file.h"
#include "model/text_data.h"
#include "run/pipeline.h"
#include "run/training.h"
#include "workers/worker_group.h"

namespace bscope {

class Answering final : public Workload {
public:
    explicit Answering(const std::vector<std::vector<std::int32_t>>& prompts) {
        for (const std::vector<std::int32_t>& prompt : prompts)
            prompts_.insert(prompts_.end(), prompt.begin(), prompt.end());
    }

    int nextIteration() const override { return iteration_; }

    Work nextWork(const Plan& plan) const override {
        Work work;
        work.iteration = iteration_;
        work.training = plan.config.training;
        work.batch.tokens = prompts_;
        return work;
    }

    // Every shard of the last stage has the same.
    void complete(const Plan&, std::span<const RankIteration> shares, IterationReport&) override {
        for (const RankIteration& share : shares)
            if (!share.answers.empty()) answers_ = share.answers;
        ++iteration_;
    }

    const std::vector<std::vector<std::int32_t>>& answers() const { return answers_; }

private:
    std::vector<std::int32_t> prompts_;  // of all requests
    std::vector<std::vector<std::int32_t>> answers_;
    int iteration_ = 0;
};

namespace {

Plan planOf(const RunConfig& config, const Serving& serving, const Launcher& launcher) {
    Plan plan = makeServingPlan(launcher.decided(config), serving);
    if (auto found = launcher.problems(plan.config, &plan); !found.empty())
        throw ConfigError(std::move(found));
    return plan;
}

// Before ranks take their shards of it.
Model modelOf(Device& device, const Plan& plan, const std::filesystem::path& state) {
    Model model(device, modelShape(plan.config.model), plan.config.seed);
    if (!state.empty()) loadModel(state, model);
    model.dropTraining();
    return model;
}

}  // namespace

std::vector<std::vector<std::int32_t>> promptsFromText(const RunConfig& config, const Serving& serving) {
    const TextData data = readData(config);
    std::vector<std::vector<std::int32_t>> prompts;
    for (const Request& request : serving.requests)
        prompts.push_back(data.batch(prompts.size(), 1, static_cast<std::size_t>(request.prompt)).tokens);
    return prompts;
}

struct ServingRun::Impl {
    Impl(const RunConfig& config, const Serving& serving,
         const std::vector<std::vector<std::int32_t>>& prompts, const std::filesystem::path& state)
        : launcher(makeThreadLauncher()),
          plan(planOf(config, serving, *launcher)),
          device(makeCpuDevice()),
          model(modelOf(*device, plan, state)),
          answering(prompts),
          pipeline(answering, plan, launcher->launch(model, plan, observer), observer) {}

    RunObserver observer;
    const std::unique_ptr<Launcher> launcher;
    const Plan plan;
    const std::unique_ptr<Device> device;
    Model model;
    Answering answering;
    Pipeline pipeline;
};

ServingRun::ServingRun(const RunConfig& config, const Serving& serving,
                       const std::vector<std::vector<std::int32_t>>& prompts,
                       const std::filesystem::path& state)
    : impl_(std::make_unique<Impl>(config, serving, prompts, state)) {}

ServingRun::~ServingRun() = default;

IterationReport ServingRun::iterate() {
    return impl_->pipeline.iterate(impl_->pipeline.end_ns());
}

void ServingRun::abort(const Sentence& reason) {
    impl_->pipeline.abort(reason);
}

const Plan& ServingRun::plan() const {
    return impl_->plan;
}

ServingReport ServingRun::report() const {
    return servingReport(impl_->plan.serving->serving, impl_->plan.serving->steps,
                         impl_->plan.program.schedule, timeline());
}

const std::vector<std::vector<std::int32_t>>& ServingRun::answers() const {
    return impl_->answering.answers();
}

const Timeline& ServingRun::timeline() const {
    return impl_->pipeline.timeline();
}

}  // namespace bscope
