#include "run/run.h"

#include <cmath>
#include <cstdio>
#include <mutex>
#include <new>
#include <optional>
#include <utility>

#include "config/config_table.h"
#include "kernels/cpu/cpu_device.h"
#include "model/model_file.h"
#include "plan/plan_memory.h"
#include "run/config_file.h"
#include "run/pipeline.h"
#include "run/training.h"
#include "words/number_text.h"
#include "workers/worker_group.h"

namespace bscope {

namespace {

RunFailure partiallyStepped() {
    return RunFailure(
        sentence("The last optimizer step was not finished, so the weights belong to no iteration."),
        sentence("Load a saved state, or start a new run."));
}

// What to do about a stop that was asked for.
Sentence afterStop(bool is_partially_stepped) {
    if (!is_partially_stepped) return sentence("Run again to go on with the same iteration.");
    const RunFailure left = partiallyStepped();
    return sentence("{0}\n{1}", left.said, left.what_to_do);
}

// Every number that follows would be none either, and the state that was kept last would be lost to it.
RunFailure diverged(const IterationReport& report) {
    const auto shown = [](double value) { return shortText(value, 6); };
    const Sentence what =
        !std::isfinite(report.loss)
            ? sentence("The training has diverged: the loss of iteration {0} is {1}.", report.iteration + 1,
                       shown(report.loss))
            : sentence("The training has diverged: the norm of the gradients of iteration {0} is {1}.",
                       report.iteration + 1, shown(report.grad_norm));
    return RunFailure(what,
                      sentence("Lower the learning rate or clip the gradients, then load a saved state or "
                               "start a new run."));
}

}  // namespace

struct Run::Impl {
    Impl(const RunConfig& first, RunObserver& its_observer, Launcher* its_launcher)
        : observer(its_observer),
          threads(its_launcher ? nullptr : makeThreadLauncher()),
          launcher(its_launcher ? *its_launcher : *threads),
          device(makeCpuDevice()),
          config(launcher.decided(first)) {}

    std::vector<Problem> check(const RunConfig& request) const;
    void applyPending();
    void ensurePipeline();
    IterationReport iterate(int more_to_come);
    void drain();
    // The pending change in force and nothing in flight, as something that abort() may stop.
    void settle(bool with_pending);
    void gatherLayers();
    void spend();
    template <typename Work>
    auto guarded(Work work);
    void begin();  // of what abort() may stop
    void setActive(Pipeline* iterating);
    void end();

    RunObserver& observer;
    const std::unique_ptr<Launcher> threads;
    Launcher& launcher;
    std::unique_ptr<Device> device;
    RunConfig config;  // of the last or current iteration; its device is decided
    std::unique_ptr<Training> training;
    std::unique_ptr<Pipeline> pipeline;
    bool announced = false;             // the observer has got the IterationStart of what comes next
    bool is_partially_stepped = false;  // a failed optimizer step left weights of two different iterations
    std::int64_t time_ns = 0;           // device clocks: where the next iteration starts

    std::function<bool()> abort_is_requested;
    mutable std::mutex mutex;  // of what configure() and abort() share with iterate()
    std::optional<RunConfig> pending;
    bool iterating = false;
    Pipeline* active = nullptr;             // at work
    std::optional<Sentence> abort_request;  // came before the pipeline was at work
};

std::vector<Problem> Run::Impl::check(const RunConfig& request) const {
    const RunConfig decided = launcher.decided(request);
    std::vector<Problem> found = problems(decided);
    const bool complete = found.empty();
    std::optional<Plan> plan;
    if (complete) plan = makePlan(decided);
    for (Problem& problem : launcher.problems(decided, plan ? &*plan : nullptr))
        found.push_back(std::move(problem));
    for (Problem& problem : dataProblems(request)) found.push_back(std::move(problem));
    if (!plan) return found;
    if (const auto too_much = memoryCapProblem(*plan)) found.push_back(*too_much);
    return found;
}

Run::Run(const RunConfig& config, RunObserver& observer, Launcher* launcher)
    : impl_(std::make_unique<Impl>(config, observer, launcher)) {
    if (auto found = impl_->check(config); !found.empty()) throw ConfigError(std::move(found));
    impl_->training = std::make_unique<Training>(*impl_->device, config);
}

Run::~Run() = default;

std::vector<Problem> Run::check(const RunConfig& config) const {
    return impl_->check(config);
}

bool Run::configure(const RunConfig& config) {
    if (auto found = impl_->check(config); !found.empty()) throw ConfigError(std::move(found));
    const RunConfig decided = impl_->launcher.decided(config);
    const std::lock_guard<std::mutex> lock(impl_->mutex);
    impl_->pending = decided;
    return costOfChange(impl_->config, decided) == ChangeCost::NewRun;
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
    std::optional<RunConfig> request;
    {
        const std::lock_guard<std::mutex> lock(mutex);
        request = std::exchange(pending, std::nullopt);
    }
    if (!request || *request == config) return;
    drain();
    const ChangeCost cost = costOfChange(config, *request);
    if (cost == ChangeCost::Nothing && pipeline) {
        pipeline->setTrainingConfig(request->training);
    } else {
        setActive(nullptr);
        gatherLayers();
        pipeline.reset();
    }
    const std::lock_guard<std::mutex> lock(mutex);  // configure() reads config
    if (cost == ChangeCost::NewRun) {
        training = std::make_unique<Training>(*device, *request);
        is_partially_stepped = false;
    }
    config = *request;
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

void Run::Impl::settle(bool with_pending) {
    begin();
    setActive(pipeline.get());
    if (with_pending) applyPending();
    drain();
    end();
}

void Run::Impl::gatherLayers() {
    if (pipeline) pipeline->gatherLayers();
}

void Run::Impl::ensurePipeline() {
    if (pipeline) return;
    const Plan plan = makePlan(config);
    pipeline = std::make_unique<Pipeline>(*training, plan, launcher.launch(training->model, plan, observer),
                                          observer);
}

void Run::Impl::begin() {
    const std::lock_guard<std::mutex> lock(mutex);
    iterating = true;
}

void Run::Impl::setActive(Pipeline* at_work) {
    const std::lock_guard<std::mutex> lock(mutex);
    active = at_work;
    if (active != nullptr && abort_request) active->abort(*abort_request);
}

void Run::Impl::end() {
    const std::lock_guard<std::mutex> lock(mutex);
    iterating = false;
    active = nullptr;
    abort_request.reset();
}

IterationReport Run::Impl::iterate(int more_to_come) {
    begin();
    if (abort_is_requested && abort_is_requested()) throw RunFailure(sentence("the run was stopped"), {});
    setActive(pipeline.get());
    applyPending();
    if (is_partially_stepped) throw partiallyStepped();
    ensurePipeline();
    if (!announced) observer.iterationStarted(pipeline->describe(time_ns));
    announced = true;
    setActive(pipeline.get());
    const IterationReport report = pipeline->iterate(time_ns, more_to_come);
    end();
    time_ns = pipeline->end_ns();
    observer.iterationFinished(report);
    if (!std::isfinite(report.loss) || !std::isfinite(report.grad_norm)) throw diverged(report);
    return report;
}

// A pipeline that has failed is spent; the next iteration makes another one over the same training, which
// goes on from what its ranks had learned if that still can be had.
void Run::Impl::spend() {
    end();
    announced = false;  // what was reported of the iteration is void
    if (!pipeline) return;
    is_partially_stepped = is_partially_stepped || pipeline->isPartiallyStepped();
    try {
        if (!is_partially_stepped) pipeline->gatherLayers();
    } catch (const std::exception&) {
        is_partially_stepped = true;  // reported by the next iterate()
    }
    pipeline.reset();
}

template <typename Work>
auto Run::Impl::guarded(Work work) {
    try {
        return work();
    } catch (RunFailure& failure) {
        spend();
        if (failure.what_to_do.empty()) failure.what_to_do = afterStop(is_partially_stepped);
        throw;
    } catch (const std::bad_alloc&) {
        spend();
        throw RunFailure(sentence("There is no memory left for this configuration."),
                         advice::useLessMemory());
    } catch (const std::exception& error) {
        spend();
        throw RunFailure(sentence("The iteration could not be run: {0}.", sentenceOf(error)),
                         advice::changeConfiguration());
    }
}

IterationReport Run::iterate(int more_to_come) {
    return impl_->guarded([&] { return impl_->iterate(more_to_come); });
}

void Run::abort(const Sentence& reason) {
    const std::lock_guard<std::mutex> lock(impl_->mutex);
    if (impl_->active != nullptr)
        impl_->active->abort(reason);
    else if (impl_->iterating)
        impl_->abort_request = reason;
}

void Run::abortWhen(std::function<bool()> is_requested) {
    impl_->abort_is_requested = std::move(is_requested);
}

void Run::save(const std::filesystem::path& file) {
    impl_->guarded([this] {
        impl_->settle(false);
        impl_->gatherLayers();
    });
    if (impl_->is_partially_stepped) throw partiallyStepped();
    impl_->training->save(file);
}

void Run::load(const std::filesystem::path& file) {
    impl_->guarded([this] {
        impl_->settle(true);  // its shape is the one that the file must have
    });
    impl_->training->load(file);
    impl_->announced = false;
    if (impl_->pipeline && impl_->pipeline->keepsCopies()) impl_->pipeline.reset();
    impl_->is_partially_stepped = false;
}

IterationReport Run::dump(const std::filesystem::path& folder) {
    Impl& run = *impl_;
    run.guarded([&run] {
        run.settle(true);
        run.gatherLayers();
    });
    const Training& training = *run.training;
    try {
        std::filesystem::create_directories(folder);
        writeConfig(folder / "config.json", run.config);
        saveModel(folder / "initial.safetensors", training.model, ModelContent::Weights);
        const auto samples = static_cast<std::size_t>(run.config.samples());
        saveBatch(folder / "batch.safetensors",
                  training.data.batch(training.next_sample, samples,
                                      static_cast<std::size_t>(run.config.model.sequence)));
        const IterationReport report = iterate();
        run.guarded([&run] { run.gatherLayers(); });
        saveModel(folder / "gradients.safetensors", training.model, ModelContent::Gradients);
        saveModel(folder / "final.safetensors", training.model, ModelContent::Weights);
        return report;
    } catch (const RunFailure&) {
        throw;
    } catch (const std::runtime_error& error) {
        throw RunFailure(sentence("The dump could not be written: {0}", sentenceOf(error)),
                         sentence("Choose another folder, or make room on the disk."));
    }
}

}  // namespace bscope
