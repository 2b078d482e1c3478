#include "server/engine_loop.h"

#include <utility>

#include "clock/start_thread.h"
#include "run/sweep.h"
#include "server/hello.h"
#include "wire/convert.h"

namespace bscope {
namespace {

constexpr auto kLookEvery = std::chrono::seconds(1);

RunFailure refusal(const ConfigError& error) {
    std::vector<Sentence> all;
    for (const Problem& problem : error.problems()) all.push_back(problem.withLegal());
    return {sentence("This configuration cannot run: {0}", inARow(all)),
            sentence("Change it, then press Run.")};
}

}  // namespace

EngineLoop::EngineLoop(const RunConfig& config, FrameSink sink, EngineOptions options)
    : sink_(std::move(sink)),
      options_(std::move(options)),
      observer_(sink_),
      config_(config),
      run_(makeRun(config)),
      kept_(options_.keep) {
    if (!options_.load.empty()) run_->load(options_.load);
    upcoming_iteration_ = run_->nextIteration();
    thread_ = startThread(sentence("the engine"), [this] { work(); });
}

EngineLoop::~EngineLoop() {
    quit();
}

void EngineLoop::requestRun(RunRequest wanted) {
    {
        const std::lock_guard lock(mutex_);
        run_request_ = wanted;
    }
    changed_.notify_one();
}

void EngineLoop::go() {
    requestRun(RunRequest::Go);
}
void EngineLoop::step() {
    requestRun(RunRequest::Once);
}
void EngineLoop::pause() {
    requestRun(RunRequest::Hold);
}

void EngineLoop::stop() {
    {
        const std::lock_guard lock(mutex_);
        stop_ = true;
        run_request_ = RunRequest::Hold;
    }
    cancel_sweep_.cancel();
    abortRun(sentence("the run was stopped"));
    changed_.notify_one();
}

void EngineLoop::quit() {
    {
        const std::lock_guard lock(mutex_);
        quit_ = true;
    }
    cancel_sweep_.cancel();
    abortRun(sentence("the engine ends"));
    changed_.notify_one();
    if (thread_.joinable()) thread_.join();
}

void EngineLoop::abortRun(const Sentence& reason) {
    const std::lock_guard lock(run_mutex_);
    if (run_) run_->abort(reason);
}

void EngineLoop::addTask(std::function<void()> task) {
    {
        const std::lock_guard lock(mutex_);
        tasks_.push_back(std::move(task));
    }
    changed_.notify_one();
}

void EngineLoop::work() {
    std::unique_lock lock(mutex_);
    for (;;) {
        if (!waitForCall(lock)) continue;
        if (quit_) break;
        std::function<void()> next;
        if (stop_) {
            next = [this] { startAnew(); };
        } else if (!tasks_.empty()) {
            next = std::move(tasks_.front());
            tasks_.pop_front();
        } else if (run_request_ == RunRequest::Hold) {
            next = [this] { setState(wire::PAUSED); };
        } else {
            if (run_request_ == RunRequest::Once) run_request_ = RunRequest::Hold;
            next = [this] { iterate(); };
        }
        lock.unlock();
        next();
        lock.lock();
    }
    const bool was_reported = state_ == wire::FAILED;
    lock.unlock();
    if (was_reported) return;
    if (const auto failure = lost(Launcher::kNews)) fail(*failure);
}

// False after a while without a call; a process that is gone is then reported.
bool EngineLoop::waitForCall(std::unique_lock<std::mutex>& lock) {
    const auto is_called = [this] {
        return quit_ || stop_ || !tasks_.empty() || run_request_ != RunRequest::Hold ||
               state_ == wire::RUNNING;
    };
    if (changed_.wait_for(lock, kLookEvery, is_called)) return true;
    if (state_ == wire::FAILED) return false;
    lock.unlock();
    if (const auto failure = lost()) fail(*failure);
    lock.lock();
    return false;
}

std::optional<RunFailure> EngineLoop::lost(std::chrono::milliseconds news) const {
    return options_.launcher ? options_.launcher->lost(news) : std::nullopt;
}

void EngineLoop::iterate() {
    try {
        if (!run_) rebuildRun();
        setState(wire::RUNNING);
        {
            const std::lock_guard lock(mutex_);
            upcoming_iteration_ = std::exchange(anew_, false) ? 1 : run_->nextIteration() + 1;
            upcoming_iteration_ += run_->iterationsAhead();
        }
        costs_ = run_->iterate(Run::kEndless).costs;
        {
            const std::lock_guard lock(mutex_);
            upcoming_iteration_ = run_->nextIteration() + run_->iterationsAhead();
        }
        keepState();
    } catch (const RunFailure& failure) {
        {
            const std::lock_guard lock(mutex_);
            const bool was_asked_for = failure.rank < 0 && (stop_ || quit_);
            if (was_asked_for) return;
        }
        fail(failure);
    } catch (const ConfigError& error) {
        fail(refusal(error));
    } catch (const std::exception& error) {
        fail({sentenceOf(error), sentence("Press Run to go on from the last state.")});
    }
}

// Every state that cannot be kept is logged to the viewers; on standard error only the first in a row.
void EngineLoop::keepState() {
    const bool failed_before = kept_.fails();
    kept_.afterIteration(*run_, [&](const Sentence& what) {
        log(what);
        if (!failed_before) options_.trouble(what);
    });
}

void EngineLoop::startAnew() {
    {
        const std::lock_guard lock(run_mutex_);
        run_.reset();
    }
    {
        const std::lock_guard lock(mutex_);
        stop_ = anew_ = false;
        upcoming_iteration_ = 0;
    }
    try {
        rebuildRun();
        setState(wire::IDLE);
    } catch (const ConfigError& error) {
        fail(refusal(error));
    }
}

std::unique_ptr<Run> EngineLoop::makeRun(const RunConfig& config) {
    auto run = std::make_unique<Run>(config, observer_, options_.launcher);
    run->abortWhen([this] {
        const std::lock_guard lock(mutex_);
        return stop_ || quit_;
    });
    return run;
}

// A change that comes while the run is made is not passed on by configure().
void EngineLoop::rebuildRun() {
    setState(wire::STARTING);
    const RunConfig made = config();
    auto run = makeRun(made);
    const std::lock_guard lock(run_mutex_);
    if (const RunConfig requested = config(); !(requested == made)) run->configure(requested);
    run_ = std::move(run);
}

void EngineLoop::fail(const RunFailure& failure) {
    {
        const std::lock_guard lock(mutex_);
        run_request_ = RunRequest::Hold;
        if (run_) upcoming_iteration_ = run_->nextIteration();
    }
    wire::Message message = failureMessage(failure.said, failure.what_to_do);
    if (kept_.keptBefore() >= 0) {
        message.mutable_failure()->set_kept_state(kept_.file().string());
        message.mutable_failure()->set_kept_before(kept_.keptBefore());
    }
    message.mutable_failure()->set_rank(failure.rank);
    message.mutable_failure()->set_action(failure.action);
    sink_(makeFrame(message));
    setState(wire::FAILED);
    if (lost()) options_.lost();
}

wire::ConfigureReply EngineLoop::configure(std::uint64_t request, const RunConfig& config,
                                           std::vector<Problem> found) {
    wire::ConfigureReply reply;
    reply.set_request(request);
    // To the end: the run and config_ change together.
    const std::lock_guard run_lock(run_mutex_);
    if (run_ && found.empty()) {
        try {
            reply.set_new_run(run_->configure(config));
        } catch (const ConfigError& error) {
            found = error.problems();
        }
    } else {
        for (Problem& problem : run_ ? run_->check(config) : problems(config))
            found.push_back(std::move(problem));
    }
    for (const auto& problem : found) *reply.add_problems() = toWire(problem);
    if (!found.empty()) return reply;
    const std::lock_guard lock(mutex_);
    config_ = config;
    anew_ = reply.new_run();
    if (!anew_) reply.set_from_iteration(upcoming_iteration_);
    return reply;
}

void EngineLoop::startSweep(const wire::StartSweep& wanted) {
    cancel_sweep_.reset();
    addTask([this, wanted] { runSweep(wanted); });
}

void EngineLoop::cancelSweep() {
    cancel_sweep_.cancel();
}

void EngineLoop::runSweep(const wire::StartSweep& wanted) {
    SweepRequest request;
    request.config = config();
    if (!costs_.stages.empty() && run_ && run_->config() == request.config)
        request.costs_of = [measured = request.config, costs = costs_](const RunConfig& config) {
            return costsOfLike(measured, costs, config);
        };
    request.values.assign(wanted.m().begin(), wanted.m().end());
    if (wanted.iterations() > 0) request.iterations = wanted.iterations();
    request.fixed_batch = wanted.fixed_batch();
    if (wanted.memory_cap_mb() > 0) request.config.memory_cap_mb = wanted.memory_cap_mb();
    const auto report = [this](const SweepState& state) {
        wire::Message message;
        *message.mutable_sweep() = toWire(state);
        sink_(makeFrame(message));
    };
    try {
        request.axis = fromWire(wanted.axis());
        sweep(request, report, cancel_sweep_, options_.launcher);
    } catch (const std::exception& error) {
        log(sentence("The sweep ended early: {0}", sentenceOf(error)));
        SweepState ended;
        ended.cancelled = true;
        report(ended);
    }
}

void EngineLoop::save(const OpenFileHandle& file) {
    withRun(file, [this, file](Run& run) {
        run.save(file.path);
        logState(wire::STATE_SAVED, file, sentence("The state was saved to {0}.", file.name));
    });
}

void EngineLoop::load(const OpenFileHandle& file) {
    withRun(file, [this, file](Run& run) {
        run.load(file.path);
        {
            const std::lock_guard lock(mutex_);
            upcoming_iteration_ = run.nextIteration();
            anew_ = false;
        }
        logState(wire::STATE_LOADED, file, sentence("The state of {0} was loaded.", file.name));
    });
}

void EngineLoop::withRun(const OpenFileHandle& file, std::function<void(Run&)> action) {
    addTask([this, file, action = std::move(action)] {
        try {
            if (!run_) rebuildRun();
            action(*run_);
        } catch (const ConfigError& error) {
            log(refusal(error).said);
        } catch (const std::exception& error) {
            log(file.named(sentenceOf(error)));
        }
    });
}

void EngineLoop::logState(wire::StateFile done, const OpenFileHandle& file, const Sentence& what) {
    wire::Message message = logMessage(what);
    message.mutable_log()->set_state_file(done);
    message.mutable_log()->set_path(file.name);
    sink_(makeFrame(message));
}

RunConfig EngineLoop::config() const {
    const std::lock_guard lock(mutex_);
    return config_;
}

wire::RunState EngineLoop::state() const {
    const std::lock_guard lock(mutex_);
    return state_;
}

void EngineLoop::setState(wire::RunState state) {
    {
        const std::lock_guard lock(mutex_);
        if (std::exchange(state_, state) == state) return;
    }
    wire::Message message;
    message.mutable_status()->set_state(state);
    if (run_) message.mutable_status()->set_iteration(run_->nextIteration());
    sink_(makeFrame(message));
}

void EngineLoop::log(const Sentence& what) {
    sink_(makeFrame(logMessage(what)));
}

}  // namespace bscope
