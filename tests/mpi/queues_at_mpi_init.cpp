// To be preloaded: writes down how many hardware queues the environment asks of the driver when MPI is
// initialised, which is when a CUDA-aware library calls CUDA for the first time. A line a process in the file
// that QUEUES_AT_MPI_INIT names.
#include <mpi.h>

#include <cstdio>
#include <cstdlib>

extern "C" int MPI_Init_thread(int* count, char*** arguments, int required, int* provided) {
    if (const char* file = std::getenv("QUEUES_AT_MPI_INIT"))
        if (std::FILE* to = std::fopen(file, "a")) {
            const char* queues = std::getenv("CUDA_DEVICE_MAX_CONNECTIONS");
            std::fprintf(to, "%s\n", queues ? queues : "unset");
            std::fclose(to);
        }
    return PMPI_Init_thread(count, arguments, required, provided);
}
