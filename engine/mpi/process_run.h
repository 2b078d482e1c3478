// A run whose ranks are the processes that mpirun started, this one being one of them.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "run/run.h"

namespace bscope {

struct ProcessRunOptions {
    int iterations = 1;
    std::filesystem::path dump;                            // empty, or as Run::dump, for the first iteration
    std::function<void(const IterationReport&)> finished;  // after each, on rank 0
};

// True when mpirun started this process together with others.
bool underMpirun();
// Which of them this process is, without asking MPI; 0 when it is alone.
int mpirunRank();

// Make it before MPI's threads exist if signals are to be waited for elsewhere; MPI starts in run().
class ProcessRun {
public:
    ProcessRun(const RunConfig& config, ProcessRunOptions options, RunObserver& observer);
    ~ProcessRun();

    // Runs this process's rank to the end. The observer hears on rank 0. Throws ConfigError (on every rank)
    // and RunFailure when this build has no MPI. When the rank fails or is told to stop, it says where it was
    // on standard error and ends all processes; that call does not return.
    void run();
    // Ends a wait for another rank. Any thread.
    void stop(const std::string& reason);

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace bscope
