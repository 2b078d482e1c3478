// What a build without MPI says under mpirun.
#include "mpi/process_run.h"

namespace bscope {

struct ProcessRun::Impl {};

ProcessRun::ProcessRun(const RunConfig&, ProcessRunOptions, RunObserver&) {}
ProcessRun::~ProcessRun() = default;
void ProcessRun::stop(const std::string&) {}

void ProcessRun::run() {
    throw RunFailure("This program was built without MPI, so mpirun cannot start its ranks.",
                     "Install libopenmpi-dev and build again, or run it without mpirun.");
}

}  // namespace bscope
