// bscope run: trains for some iterations and prints what happened. Ctrl-C ends the iteration, finishes the
// recording and prints the table so far. Where a recording or a kept state cannot be written the run goes on,
// says so, and its exit status is 1. Under mpirun the first process does this; the others are its workers.
#include <atomic>
#include <iostream>
#include <optional>
#include <utility>

#include "cli/input/analysed_run.h"
#include "cli/input/command.h"
#include "cli/input/command_line.h"
#include "cli/input/keep_options.h"
#include "cli/input/options.h"
#include "cli/input/output_files.h"
#include "cli/input/worker_command.h"
#include "cli/print/json_text.h"
#include "cli/report/bubble_text.h"
#include "cli/report/progress.h"
#include "cli/report/report_text.h"
#include "mpi/processes.h"
#include "run/checkpointer.h"
#include "server/hello.h"
#include "server/interrupts.h"
#include "server/stream_observer.h"
#include "server/stream_recorder.h"

namespace bscope::cli {
namespace {

constexpr int kDefaultIterations = 10;

struct RunOptions {
    int iterations = 0;  // 0 = as the scenario says, or the default
    std::string record, dump, load, save;
    bool json = false;
    int gaps = 0;  // printed after the table
    Language language = Language::English;
};

// Hands on to the log and, when there is one, to the recording.
class Tee final : public RunObserver {
public:
    Tee(RunLog& log, Language language) : log_(log), language_(language) {}
    // Replaces the file.
    void record(const std::string& file, const RunConfig& config) {
        recorder_.emplace(file, [this](const Sentence& what) {
            std::cerr << say(what, language_) << '\n';
            is_incomplete_ = true;
        });
        recorder_->push(makeFrame(helloMessage(config, wire::RUNNING, unixTime_ms(), false)));
        stream_.emplace([this](OutFrame frame) { recorder_->push(std::move(frame)); });
    }
    void iterationStarted(const IterationStart& start) override {
        log_.iterationStarted(start);
        if (stream_) stream_->iterationStarted(start);
    }
    void events(int rank, std::span<const Event> events) override {
        log_.events(rank, events);
        if (stream_) stream_->events(rank, events);
    }
    void memory(int rank, std::span<const MemoryPoint> points) override {
        log_.memory(rank, points);
        if (stream_) stream_->memory(rank, points);
    }
    void kernels(int rank, std::span<const KernelEvent> kernels) override {
        if (stream_) stream_->kernels(rank, kernels);
    }
    void watermark(std::int64_t time_ns) override {
        if (stream_) stream_->watermark(time_ns);
    }
    void iterationFinished(const IterationReport& report) override {
        log_.iterationFinished(report);
        if (stream_) stream_->iterationFinished(report);
    }

    // Closes the recording; false when something is missing in it.
    bool finish() {
        stream_.reset();
        recorder_.reset();
        return !is_incomplete_;
    }

private:
    RunLog& log_;
    Language language_;
    std::atomic<bool> is_incomplete_ = false;
    std::optional<StreamRecorder> recorder_;
    std::optional<StreamObserver> stream_;
};

void iterate(Run& run, Checkpointer& kept, const RunOptions& options, const std::atomic<int>& interrupted) {
    bool reported_before = false;
    const auto printer = [&](const Sentence& what) {
        if (!std::exchange(reported_before, true))
            LinePrinter(std::cerr, options.language).line("{0} The run goes on.", what);
    };
    Progress progress(options.iterations, options.language);
    for (int i = 0; i < options.iterations && interrupted == 0; ++i) {
        const bool dumping = i == 0 && !options.dump.empty();
        const IterationReport report =
            dumping ? run.dump(options.dump) : run.iterate(options.iterations - 1 - i);
        progress.finished(report);
        if (options.json) std::cout << jsonText(reportJson(report)) << std::endl;
        kept.afterIteration(run, printer);
    }
}

// The failure, and from where to go on.
RunFailure withHint(RunFailure failure, const Checkpointer& kept) {
    const Sentence hint = kept.resumeHint();
    if (hint.empty()) return failure;
    failure.what_to_do = failure.what_to_do.empty() ? hint : sentence("{0}\n{1}", failure.what_to_do, hint);
    return failure;
}

// At once: mpirun, which interrupts the others when one has ended, may give this process no time for more.
void printHint(const Checkpointer& kept, Language language) {
    if (const Sentence hint = kept.resumeHint(); !hint.empty())
        std::cerr << "bscope run: " + say(sentence("interrupted. {0}", hint), language) + "\n" << std::flush;
}

int train(const RunConfig& config, const RunOptions& options, const CheckpointPolicy& keep,
          Launcher* launcher) {
    RunLog log(RunLog::Keep::LastIteration);
    std::atomic<int> interrupted = 0;  // by which signal
    bool is_whole = true;              // all that was to be written
    {
        Checkpointer kept(keep);
        Tee tee(log, options.language);
        Run run(config, tee, launcher);
        run.abortWhen([&interrupted] { return interrupted != 0; });
        const Interrupts interrupts([&](int signal) {
            interrupted = signal;
            if (launcher) printHint(kept, options.language);
            run.abort(sentence("interrupted"));
        });
        if (!options.load.empty()) run.load(options.load);
        if (!options.record.empty()) tee.record(options.record, config);
        try {
            iterate(run, kept, options, interrupted);
        } catch (const RunFailure& failure) {
            const bool was_asked_for = interrupted != 0 && failure.rank < 0;
            if (!was_asked_for) throw withHint(failure, kept);
        }
        if (interrupted != 0 && launcher)  // by mpirun, perhaps, because of another process
            if (const auto lost = launcher->lost(Launcher::kNews)) throw withHint(*lost, kept);
        try {
            if (!options.save.empty()) run.save(options.save);
        } catch (const RunFailure& failure) {
            throw withHint(failure, kept);
        }
        is_whole = tee.finish() && !kept.fails();
    }
    if (interrupted != 0)
        LinePrinter(std::cerr, options.language).line("interrupted; this is what was complete");
    if (!options.json && !log.reports().empty()) {
        printIteration(std::cout, log, log.lastTraced(), options.language);
        if (options.gaps > 0)
            printGaps({std::cout, options.language}, analysedRun(log, log.lastTraced()).causes(),
                      static_cast<std::size_t>(options.gaps));
    }
    if (interrupted != 0) return statusAfter(interrupted);
    return is_whole ? 0 : 1;
}

}  // namespace

int runCommand(const Arguments& arguments) {
    if (isWorkerProcess()) return runWorker(arguments);
    CommandLine line("run",
                     "Trains a model through a pipeline, times every operation, prints table and picture.",
                     "bscope run --schedule 1f1b -p 4 -m 8 --iterations 20 --record run.bscope\n"
                     "bscope run --scenario 05-1f1b-against-gpipe --json");
    ConfigOptions config_options(line);
    RunOptions options;
    std::optional<int> iterations;
    line.option("--iterations", "N", "how many (10, or what the scenario says)",
                setInteger([&](int value) { iterations = value; }));
    line.text("--record", "FILE.bscope", "record the stream; replay, export and the window open it",
              options.record);
    line.text("--dump", "DIR", "write configuration, weights, batch and gradients of the first iteration",
              options.dump);
    line.text("--load", "FILE", "go on from a saved state (safetensors)", options.load);
    line.text("--save", "FILE", "save the state at the end (safetensors)", options.save);
    KeepOptions keep_options(line);
    line.integer("--gaps",
                 "how many of the longest gaps of the last iteration to print, each with its reason (0)",
                 options.gaps);
    line.flag("--json", "one JSON object per iteration on standard output, nothing else", options.json);
    if (!line.parse(arguments)) return 0;
    const RunConfig config = config_options.resolve();
    options.iterations =
        iterations.value_or(config_options.scenarioIterations().value_or(kDefaultIterations));
    if (options.iterations < 1)
        line.refuse(sentence("{0} {1} is not legal: it must be {2}", "--iterations", options.iterations,
                             sentence("at least 1")));
    if (options.gaps < 0) line.refuse(sentence("--gaps {0} must be 0 or more", options.gaps));
    if (options.gaps > 0 && options.json)
        line.refuse(
            sentence("--gaps is for the table; with --json record the run and ask replay --bubble --json"));
    options.language = line.language();
    const CheckpointPolicy keep = keep_options.resolve(options.record);
    const NamedFile record{"--record", options.record}, save{"--save", options.save};
    refuseUnwritable(line, record, Writing::Over);
    refuseUnwritable(line, save, Writing::Beside);
    refuseUnwritable(line, {"--dump", options.dump}, Writing::NewFolder);
    refuseSameFile(line, record, save);
    refuseSameFile(line, record, {"--load", options.load});
    line.check();
    warnOfUnconnectedProcesses("run", options.language);
    if (!underMpirun()) return train(config, options, keep, nullptr);
    Processes processes;
    try {
        return train(config, options, keep, &processes);
    } catch (const RunFailure& failure) {  // printed now: an interrupted mpirun may not let MPI end
        return printFailure("run", failure, options.language);
    }
}

}  // namespace bscope::cli
