// Processes: ranks as the processes that mpirun started, this one being one of them. The first one has the
// run, serves and records; the others execute its commands. One process is one rank; those beyond p idle. MPI
// runs from the constructor to the destructor; when a process was lost there is no orderly end, and mpirun
// ends all others as soon as one has left. Calls from one thread at a time.
#pragma once

#include <memory>

#include "clock/clock.h"
#include "workers/worker_group.h"

namespace bscope {

// True when mpirun started this process together with others.
bool underMpirun();
// Which of them this process is, without calling MPI; 0 when it is alone.
int mpirunRank();
// Whether this program has MPI at all.
bool hasMpi();
// As many processes as srun started without MPI between them; 1 otherwise.
int unconnectedProcesses();

class Processes final : public Launcher {
public:
    // own: this process's clock. Throws RunFailure when this build has no MPI or MPI does not start.
    explicit Processes(HostTime own = monotonic_ns);
    ~Processes() override;

    bool isFirst() const;
    // In a worker process: the one that had the run has ended or sends no heartbeats.
    bool firstIsGone() const;
    // In a worker process, instead of a run: executes the commands of the first process until it ends. The
    // exit status.
    int executeCommands();

    RunConfig decided(RunConfig config) const override;
    std::vector<Problem> problems(const RunConfig& config, const Plan* plan) const override;
    std::unique_ptr<WorkerGroup> launch(Model& model, const Plan& plan, LiveEvents& live) override;
    std::optional<RunFailure> lost(std::chrono::milliseconds news) override;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace bscope
