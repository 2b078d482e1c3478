#include "mpi/processes.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "host/cores.h"
#include "mpi/process_workers.h"
#include "mpi/wait_notice.h"
#include "mpi/worker_process.h"
#include "plan/plan_memory.h"
#include "workers/hardware.h"

namespace bscope {

bool hasMpi() {
    return true;
}

struct Processes::Impl {
    ProcessGroup group;
};

namespace {

constexpr auto kToBeHeard = std::chrono::milliseconds(200);
constexpr auto kWatchEvery = std::chrono::milliseconds(10);

// Of a config for GPUs: what these processes cannot do of it.
std::vector<Problem> gpuProblems(const std::vector<ProcessPlace>& places, const RunConfig& config) {
    const int ranks = config.params.layout().world(), with_gpu = ranksWithOwnGpu(places);
    std::vector<Problem> found;
    if (with_gpu == 0)
        found.push_back({"device", "there is no GPU to run on: {0}", {whyNoOwnGpu(places, 0)}, {}});
    else if (ranks > with_gpu && with_gpu < static_cast<int>(places.size()))
        found.push_back({"p",
                         "under mpirun every rank needs a GPU of its own, and rank {0} has none: {1}",
                         {std::to_string(with_gpu), whyNoOwnGpu(places, with_gpu)},
                         {std::max(1, with_gpu / std::max(1, config.params.d))}});
    RunConfig measured = config;
    measured.clock = ClockChoice::Auto;
    if (config.clock == ClockChoice::Reconstructed || gpuProvenance(measured, ranks) != Provenance::Measured)
        found.push_back({"clock",
                         "GPUs under mpirun are measured: the reconstructed clock, slow ranks, a modelled "
                         "link and calibrated durations need one process",
                         {},
                         {}});
    return found;
}

}  // namespace

Processes::Processes(HostTime own) : impl_(std::make_unique<Impl>()) {
    const WaitNotice notice(sentence("started"),
                            mpirunRank() == 0 ? WaitNotice::Says::All : WaitNotice::Says::TheEnd);
    int level = 0;
    if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &level) != MPI_SUCCESS)
        throw RunFailure(sentence("MPI could not be started."), sentence("See what mpirun says."));
    if (level < MPI_THREAD_MULTIPLE)
        throw RunFailure(sentence("This MPI works in one thread alone."),
                         sentence("Use an MPI library with MPI_THREAD_MULTIPLE."));
    ProcessGroup& group = impl_->group;
    meet(group, std::move(own));
    MPI_Comm comm = MPI_COMM_NULL;
    checkMpi(MPI_Comm_dup(group.channel->comm(), &comm), "start");
    group.heartbeat = std::make_unique<Heartbeat>(comm, group.places);
}

// mpirun, when it ends a job, forgets what a process has written in its last moment.
Processes::~Processes() {
    ProcessGroup& group = impl_->group;
    if (group.lost) {
        group.heartbeat->abandon();
        std::this_thread::sleep_for(kToBeHeard);
        return;
    }
    for (int rank = 1; isFirst() && rank < group.size(); ++rank)
        group.channel->post(rank, kCommandTag, packCommand(Command::Quit, 0));
    group.heartbeat.reset();
    group.channel.reset();
    MPI_Finalize();
}

bool Processes::firstIsGone() const {
    return impl_->group.firstGone() == 0;
}

bool Processes::isFirst() const {
    return impl_->group.channel->rank() == 0;
}

// Ctrl-C is the first process's business: it says what the others do about it.
int Processes::executeCommands() {
    std::signal(SIGINT, SIG_IGN);
    std::signal(SIGTERM, SIG_IGN);
    return WorkerProcess(impl_->group).executeToTheEnd() ? 0 : 1;
}

RunConfig Processes::decided(RunConfig config) const {
    if (config.device != DeviceChoice::Auto) return config;
    config.device = DeviceChoice::Cuda;
    if (!gpuProblems(impl_->group.places, config).empty()) config.device = DeviceChoice::Cpu;
    return config;
}

std::vector<Problem> Processes::problems(const RunConfig& config, const Plan* plan) const {
    const ProcessGroup& group = impl_->group;
    const int ranks = config.params.layout().world();
    std::vector<Problem> found;
    if (config.params.t > 1)
        found.push_back({"t",
                         "t = {0} must be 1 under mpirun: shards run as threads of one process",
                         {std::to_string(config.params.t)},
                         {1}});
    if (config.params.zero > 0)
        found.push_back({"zero",
                         "zero = {0} must be 0 under mpirun: ZeRO runs on threads of one process",
                         {std::to_string(config.params.zero)},
                         {0}});
    if (ranks > group.size() && config.params.d > 1)
        found.push_back({"d",
                         "p * d = {0}, but mpirun started {1} processes; each is one rank",
                         {std::to_string(ranks), std::to_string(group.size())},
                         {std::max(1, group.size() / std::max(1, config.params.p))}});
    else if (ranks > group.size())
        found.push_back({"p",
                         "p = {0}, but mpirun started {1} processes; each is one rank",
                         {std::to_string(ranks), std::to_string(group.size())},
                         {group.size()}});
    if (config.device == DeviceChoice::Cuda) {
        for (Problem& problem : gpuProblems(group.places, config)) found.push_back(std::move(problem));
        if (plan == nullptr || !found.empty()) return found;
        std::vector<std::int64_t> bytes;
        for (int rank = 0; rank < ranks; ++rank)
            bytes.push_back(group.places[static_cast<std::size_t>(rank)].gpu.total_bytes);
        if (const auto too_much = gpuMemoryProblem(*plan, bytes)) found.push_back(*too_much);
        return found;
    }
    const int within = std::clamp(ranks, 1, group.size());
    for (Problem& problem :
         cpuProblems(config, ranksWithOwnCore(group.places, assignCores(group.places, within))))
        found.push_back(std::move(problem));
    return found;
}

std::unique_ptr<WorkerGroup> Processes::launch(Model& model, const Plan& plan, LiveEvents& /*live*/) {
    if (impl_->group.lost)
        throw RunFailure(sentence("A process of this run has ended."), advice::startProcessesAgain(), 0);
    return std::make_unique<ProcessWorkers>(impl_->group, model, plan);
}

std::optional<RunFailure> Processes::lost(std::chrono::milliseconds news) {
    ProcessGroup& group = impl_->group;
    const bool all_seen = std::all_of(group.places.begin(), group.places.end(),
                                      [](const ProcessPlace& place) { return place.seen; });
    const auto until = std::chrono::steady_clock::now() + (all_seen ? news * 0 : news);
    int gone = group.firstGone();
    for (; gone < 0 && std::chrono::steady_clock::now() < until; gone = group.firstGone())
        std::this_thread::sleep_for(kWatchEvery);
    if (!group.lost && gone < 0) return std::nullopt;
    if (!group.lost) group.channel->abandon();
    group.lost = true;
    const Sentence what = gone < 0 ? sentence("A process of this run does not answer.")
                          : group.lifeOf(gone) == Life::Silent
                              ? sentence("Between iterations {0} stopped responding.", group.nameOf(gone))
                              : sentence("Between iterations {0} ended.", group.nameOf(gone));
    return RunFailure(what, advice::startProcessesAgain(), std::max(gone, 0));
}

}  // namespace bscope
