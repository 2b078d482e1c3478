#include "run/run.h"

#include <mutex>
#include <new>
#include <optional>
#include <utility>

#include "kernels/cpu/cpu_device.h"
#include "model/model_file.h"
#include "run/config_file.h"
#include "run/cores.h"
#include "run/pipeline.h"

namespace bscope {

namespace {

RunFailure tornWeights() {
    return RunFailure("The last optimizer step was not finished, so the weights belong to no iteration.",
                      "Load a saved state, or start a new run.");
}

}  // namespace

struct Run::Impl {
    Impl(const RunConfig& first, RunObserver& its_observer)
        : observer(its_observer), device(makeCpuDevice()), cores(usableCores()), config(first) {}

    std::vector<Problem> check(const RunConfig& wish) const;
    void applyPending();
    void ensurePipeline();
    IterationReport iterate(int more_to_come);
    void drain();
    void spend();
    template <typename Work>
    auto guarded(Work work);
    void begin();  // of what abort() may stop
    void setActive(Pipeline* iterating);
    void end();

    RunObserver& observer;
    std::unique_ptr<Device> device;
    std::vector<int> cores;
    RunConfig config;  // of the last or current iteration
    std::unique_ptr<Training> training;
    std::unique_ptr<Pipeline> pipeline;
    bool announced = false;    // the observer knows the configuration
    bool torn = false;         // a failed optimizer step left weights of two different iterations
    std::int64_t time_ns = 0;  // device clocks: where the next iteration starts

    mutable std::mutex mutex;  // of what configure() and abort() share with iterate()
    std::optional<RunConfig> pending;
    bool iterating = false;
    Pipeline* active = nullptr;             // at work
    std::optional<std::string> abort_wish;  // came before the pipeline was at work
};

std::vector<Problem> Run::Impl::check(const RunConfig& wish) const {
    std::vector<Problem> found = problems(wish);
    const bool complete = found.empty();
    for (Problem& problem : clockProblems(wish, static_cast<int>(cores.size())))
        found.push_back(std::move(problem));
    for (Problem& problem : dataProblems(wish)) found.push_back(std::move(problem));
    if (!complete) return found;
    const Plan plan = makePlan(wish);
    if (const auto too_much = machineMemoryProblem(plan, machineMemoryBytes())) found.push_back(*too_much);
    if (const auto too_much = memoryCapProblem(plan)) found.push_back(*too_much);
    return found;
}

Run::Run(const RunConfig& config, RunObserver& observer) : impl_(std::make_unique<Impl>(config, observer)) {
    if (auto found = impl_->check(config); !found.empty()) throw ConfigError(std::move(found));
    impl_->training = std::make_unique<Training>(*impl_->device, config);
}

Run::~Run() = default;

std::vector<Problem> Run::check(const RunConfig& config) const {
    return impl_->check(config);
}

bool Run::configure(const RunConfig& config) {
    if (auto found = impl_->check(config); !found.empty()) throw ConfigError(std::move(found));
    const std::lock_guard<std::mutex> lock(impl_->mutex);
    const bool continues = continuesTraining(impl_->config, config);
    impl_->pending = config;
    return !continues;
}

const RunConfig& Run::config() const {
    return impl_->config;
}

int Run::nextIteration() const {
    return impl_->training->iteration;
}

int Run::iterationsAhead() const {
    return impl_->pipeline ? impl_->pipeline->iterationsAhead() : 0;
}

// Layers go back to the model with the old pipeline and on to their new ranks with the next.
void Run::Impl::applyPending() {
    std::optional<RunConfig> wish;
    {
        const std::lock_guard<std::mutex> lock(mutex);
        wish = std::exchange(pending, std::nullopt);
    }
    if (!wish || *wish == config) return;
    drain();
    RunConfig same_pipeline = *wish;
    same_pipeline.training = config.training;
    if (same_pipeline == config && pipeline) {
        pipeline->setTrainingConfig(wish->training);
    } else {
        setActive(nullptr);
        pipeline.reset();
    }
    const std::lock_guard<std::mutex> lock(mutex);  // configure() reads config
    if (!continuesTraining(config, *wish)) {
        training = std::make_unique<Training>(*device, *wish);
        torn = false;
    }
    config = *wish;
    announced = false;
}

// What an asynchronous schedule has begun is completed.
void Run::Impl::drain() {
    if (!pipeline) return;
    for (const IterationReport& report : pipeline->drain()) {
        time_ns = pipeline->end_ns();
        observer.iterationFinished(report);
    }
}

void Run::Impl::ensurePipeline() {
    if (pipeline) return;
    const Provenance provenance = chooseProvenance(config, static_cast<int>(cores.size()));
    pipeline = std::make_unique<Pipeline>(*training, makePlan(config), provenance, cores, observer);
}

void Run::Impl::begin() {
    const std::lock_guard<std::mutex> lock(mutex);
    iterating = true;
}

void Run::Impl::setActive(Pipeline* at_work) {
    const std::lock_guard<std::mutex> lock(mutex);
    active = at_work;
    if (active != nullptr && abort_wish) active->abort(*abort_wish);
}

void Run::Impl::end() {
    const std::lock_guard<std::mutex> lock(mutex);
    iterating = false;
    active = nullptr;
    abort_wish.reset();
}

IterationReport Run::Impl::iterate(int more_to_come) {
    begin();
    setActive(pipeline.get());
    applyPending();
    if (torn) throw tornWeights();
    ensurePipeline();
    if (!announced) observer.iterationStarted(pipeline->describe(time_ns));
    announced = true;
    setActive(pipeline.get());
    const IterationReport report = pipeline->iterate(time_ns, more_to_come);
    end();
    time_ns = pipeline->end_ns();
    observer.iterationFinished(report);
    return report;
}

// A pipeline that has failed is spent; the next iteration builds another one over the same training.
void Run::Impl::spend() {
    end();
    if (pipeline) torn = torn || pipeline->weightsAreTorn();
    pipeline.reset();
}

template <typename Work>
auto Run::Impl::guarded(Work work) {
    try {
        return work();
    } catch (const RunFailure&) {
        spend();
        throw;
    } catch (const std::bad_alloc&) {
        spend();
        throw RunFailure("There is no memory left for this configuration.",
                         "Use fewer or smaller micro-batches, or checkpointing, or a smaller model.");
    } catch (const std::exception& error) {
        spend();
        throw RunFailure(std::string("The iteration could not be run: ") + error.what() + ".",
                         "Change the configuration and run again.");
    }
}

IterationReport Run::iterate(int more_to_come) {
    return impl_->guarded([&] { return impl_->iterate(more_to_come); });
}

void Run::abort(const std::string& reason) {
    const std::lock_guard<std::mutex> lock(impl_->mutex);
    if (impl_->active != nullptr)
        impl_->active->abort(reason);
    else if (impl_->iterating)
        impl_->abort_wish = reason;
}

void Run::save(const std::filesystem::path& file) {
    impl_->guarded([this] { impl_->drain(); });
    if (impl_->torn) throw tornWeights();
    impl_->training->save(file);
}

void Run::load(const std::filesystem::path& file) {
    impl_->guarded([this] { impl_->drain(); });
    impl_->training->load(file);
    if (impl_->pipeline && impl_->pipeline->hasReplica()) impl_->pipeline.reset();
    impl_->torn = false;
}

IterationReport Run::dump(const std::filesystem::path& folder) {
    Impl& run = *impl_;
    run.guarded([&run] {
        run.applyPending();
        run.drain();
    });
    const Training& training = *run.training;
    try {
        std::filesystem::create_directories(folder);
        writeConfig(folder / "config.json", run.config);
        saveModel(folder / "initial.safetensors", training.model, ModelContent::Weights);
        const auto samples = static_cast<std::size_t>(run.config.params.m * run.config.micro_batch);
        saveBatch(folder / "batch.safetensors",
                  training.data.batch(training.next_sample, samples,
                                      static_cast<std::size_t>(run.config.model.sequence)));
        const IterationReport report = iterate();
        saveModel(folder / "gradients.safetensors", training.model, ModelContent::Gradients);
        saveModel(folder / "final.safetensors", training.model, ModelContent::Weights);
        return report;
    } catch (const RunFailure&) {
        throw;
    } catch (const std::runtime_error& error) {
        throw RunFailure(std::string("The dump could not be written: ") + error.what(),
                         "Choose another folder, or make room on the disk.");
    }
}

}  // namespace bscope
