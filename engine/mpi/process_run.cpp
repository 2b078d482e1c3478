#include "mpi/process_run.h"

#include <iostream>
#include <mutex>

#include "kernels/cpu/cpu_device.h"
#include "model/model_file.h"
#include "mpi/process_rank.h"
#include "run/config_file.h"
#include "run/cores.h"

namespace bscope {

namespace {

constexpr auto kPatience = std::chrono::seconds(8);
constexpr auto kWriting = std::chrono::minutes(10);  // that the files of a dump may take

// MPI from here to the end of the scope.
struct MpiSession {
    MpiSession() {
        int level = 0;
        if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &level) != MPI_SUCCESS)
            throw RunFailure("MPI could not be started.", "See what mpirun says.");
    }
    MpiSession(const MpiSession&) = delete;
    MpiSession& operator=(const MpiSession&) = delete;
    ~MpiSession() { MPI_Finalize(); }
};

std::vector<Problem> processProblems(const RunConfig& config, int processes, int cores) {
    std::vector<Problem> found = problems(config);
    if (found.empty()) {
        const Schedule schedule = makePlan(config).program.schedule;
        if (schedule.replicas() > 1 || makePlan(config).stream)
            found.push_back({"schedule",
                             "{0} does not run as processes; synchronous schedules with one replica do",
                             {config.schedule},
                             {}});
    }
    if (config.params.p != processes)
        found.push_back({"p",
                         "p = {0}, but mpirun started {1} processes; each is one rank",
                         {std::to_string(config.params.p), std::to_string(processes)},
                         {processes}});
    for (Problem& problem : clockProblems(config, cores)) found.push_back(std::move(problem));
    for (Problem& problem : dataProblems(config)) found.push_back(std::move(problem));
    return found;
}

void saveBefore(const std::filesystem::path& folder, const RunConfig& config, const Training& training) {
    std::filesystem::create_directories(folder);
    writeConfig(folder / "config.json", config);
    saveModel(folder / "initial.safetensors", training.model, ModelContent::Weights);
    const auto samples = static_cast<std::size_t>(config.params.m * config.micro_batch);
    saveBatch(
        folder / "batch.safetensors",
        training.data.batch(training.next_sample, samples, static_cast<std::size_t>(config.model.sequence)));
}

void iterateAll(ProcessRank& rank, MpiCommunicator& communicator, const RunConfig& config,
                const ProcessRunOptions& options, Training& training, RunObserver& observer) {
    const bool first = communicator.rank() == 0;
    for (int i = 0; i < options.iterations; ++i) {
        const bool dumps = i == 0 && !options.dump.empty();
        if (first && dumps) saveBefore(options.dump, config, training);
        if (dumps) communicator.barrier(kWriting);
        if (first && i == 0) observer.iterationStarted(rank.describe());
        const IterationReport report = rank.iterate();
        if (dumps) rank.gatherModel();
        if (first) observer.iterationFinished(report);
        if (first && dumps) {
            saveModel(options.dump / "gradients.safetensors", training.model, ModelContent::Gradients);
            saveModel(options.dump / "final.safetensors", training.model, ModelContent::Weights);
        }
        if (dumps) communicator.barrier(kWriting);
        if (first && options.finished) options.finished(report);
    }
}

}  // namespace

struct ProcessRun::Impl {
    const RunConfig config;
    const ProcessRunOptions options;
    RunObserver& observer;
    std::mutex mutex;  // of what stop() shares with run()
    MpiCommunicator* communicator = nullptr;
    std::string stop_reason;

    void meet(MpiCommunicator* at_work) {
        const std::lock_guard lock(mutex);
        communicator = at_work;
        if (communicator && !stop_reason.empty()) communicator->abort(stop_reason);
    }
};

ProcessRun::ProcessRun(const RunConfig& config, ProcessRunOptions options, RunObserver& observer)
    : impl_(new Impl{config, std::move(options), observer, {}, nullptr, {}}) {}

ProcessRun::~ProcessRun() = default;

void ProcessRun::stop(const std::string& reason) {
    const std::lock_guard lock(impl_->mutex);
    impl_->stop_reason = reason;
    if (impl_->communicator) impl_->communicator->abort(reason);
}

void ProcessRun::run() {
    const RunConfig& config = impl_->config;
    const MpiSession session;
    MpiCommunicator communicator(kPatience);
    const std::vector<int> cores = usableCores();
    if (auto found = processProblems(config, communicator.size(), static_cast<int>(cores.size()));
        !found.empty())
        throw ConfigError(std::move(found));
    const auto device = makeCpuDevice();
    Training training(*device, config);
    const Plan plan = makePlan(config);
    ProcessRank rank(training, plan, chooseProvenance(config, static_cast<int>(cores.size())), cores,
                     communicator, impl_->observer);
    impl_->meet(&communicator);
    try {
        iterateAll(rank, communicator, config, impl_->options, training, impl_->observer);
    } catch (const std::exception& error) {
        const bool begun = rank.action() != Action{};
        std::cerr << "bscope: rank " + std::to_string(communicator.rank()) + " stopped " +
                         (begun ? "in " + toText(rank.action()) : "before its first operation") + ": " +
                         error.what()
                  << std::endl;
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    impl_->meet(nullptr);
}

}  // namespace bscope
