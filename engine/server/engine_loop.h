// EngineLoop: the thread that owns the Run and trains while a run is requested. Commands come from any thread
// and take effect at the next iteration boundary; only stop() and quit() cut an iteration short. What happens
// goes into the sink as frames of the stream. A run that failed keeps its weights; going on means trying
// again.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "run/cancellation.h"
#include "run/checkpointer.h"
#include "run/run.h"
#include "server/allowed_files.h"
#include "server/stream_observer.h"
#include "workers/worker_group.h"

namespace bscope {

struct EngineOptions {
    Launcher* launcher = nullptr;  // as for Run
    CheckpointPolicy keep;
    std::filesystem::path load;  // the state to begin with; empty = new weights
    // From the engine's thread, after the failure was sent: the launcher is lost, and so is the engine.
    std::function<void()> lost = [] {};
    // From the engine's thread: a sentence that should be read even when no viewer is there.
    std::function<void(const Sentence&)> trouble = [](const Sentence&) {};
};

class EngineLoop {
public:
    // Throws ConfigError, and RunFailure when the state cannot be loaded. Does nothing until go(), step() or
    // a sweep.
    EngineLoop(const RunConfig& config, FrameSink sink, EngineOptions options = {});
    ~EngineLoop();

    void go();
    void pause();
    void step();  // one iteration
    void stop();  // ends the run; the next one starts from new weights
    // Ends the thread; a running iteration is cut short.
    void quit();

    // Checked at once, in force from the next iteration. found: what is known to be wrong with the request.
    wire::ConfigureReply configure(std::uint64_t request, const RunConfig& config,
                                   std::vector<Problem> found = {});
    // Between two iterations; the training that it interrupts is not changed by it.
    void startSweep(const wire::StartSweep& wanted);
    void cancelSweep();
    void save(const OpenFileHandle& file);
    void load(const OpenFileHandle& file);

    RunConfig config() const;
    wire::RunState state() const;
    // From where to go on, as Checkpointer says it. Any thread.
    Sentence resumeHint() const { return kept_.resumeHint(); }
    // The last state that was due could not be kept. Any thread.
    bool keepingFails() const { return kept_.fails(); }

private:
    enum class RunRequest { Hold, Once, Go };
    void work();
    void iterate();
    void startAnew();
    void rebuildRun();
    void keepState();
    std::optional<RunFailure> lost(std::chrono::milliseconds news = {}) const;
    bool waitForCall(std::unique_lock<std::mutex>& lock);
    void fail(const RunFailure& failure);
    void runSweep(const wire::StartSweep& wanted);
    void requestRun(RunRequest wanted);
    void addTask(std::function<void()> task);
    // Between iterations; logs what goes wrong.
    void withRun(const OpenFileHandle& file, std::function<void(Run&)> action);
    void logState(wire::StateFile done, const OpenFileHandle& file, const Sentence& what);
    void abortRun(const Sentence& reason);
    void setState(wire::RunState state);
    void log(const Sentence& what);
    std::unique_ptr<Run> makeRun(const RunConfig& config);

    FrameSink sink_;
    const EngineOptions options_;
    StreamObserver observer_;

    mutable std::mutex mutex_;  // requests and the state that viewers query; never held while iterating
    std::condition_variable changed_;
    RunRequest run_request_ = RunRequest::Hold;
    bool stop_ = false, quit_ = false;
    bool anew_ = false;           // the next iteration starts a new run
    int upcoming_iteration_ = 0;  // the first that has not begun
    std::deque<std::function<void()>> tasks_;
    wire::RunState state_ = wire::IDLE;
    RunConfig config_;

    mutable std::mutex run_mutex_;  // guards the pointer; only the engine thread replaces it
    std::unique_ptr<Run> run_;
    Checkpointer kept_;
    Costs costs_;  // measured last; engine thread
    Cancellation cancel_sweep_;
    std::thread thread_;
};

}  // namespace bscope
