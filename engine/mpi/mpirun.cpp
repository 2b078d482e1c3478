// What a process learns of itself from mpirun (Open MPI, MPICH's Hydra), and srun with PMI2 or PMIx.
#include <cstdlib>
#include <initializer_list>

#include "mpi/processes.h"

namespace bscope {

namespace {

int environmentNumber(std::initializer_list<const char*> names, int otherwise) {
    for (const char* name : names)
        if (const char* value = std::getenv(name)) return std::atoi(value);
    return otherwise;
}

}  // namespace

bool underMpirun() {
    const bool by_srun = environmentNumber({"PMIX_RANK"}, -1) >= 0;
    const int of_step = by_srun ? environmentNumber({"SLURM_STEP_NUM_TASKS"}, 1) : 1;
    return environmentNumber({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}, of_step) > 1;
}

int mpirunRank() {
    return underMpirun() ? environmentNumber({"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"}, 0) : 0;
}

int unconnectedProcesses() {
    const bool has_mpi = environmentNumber({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"}, -1) >= 0;
    return has_mpi ? 1 : environmentNumber({"SLURM_STEP_NUM_TASKS"}, 1);
}

}  // namespace bscope
