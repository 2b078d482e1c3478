// What mpirun tells a process about itself (Open MPI, and MPICH's Hydra).
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
    return environmentNumber({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}, 1) > 1;
}

int mpirunRank() {
    return environmentNumber({"OMPI_COMM_WORLD_RANK", "PMI_RANK"}, 0);
}

}  // namespace bscope
