// What a build without MPI says under mpirun.
#include "mpi/processes.h"

namespace bscope {

bool hasMpi() {
    return false;
}

struct Processes::Impl {};

Processes::Processes(HostTime) {
    throw RunFailure(sentence("This program was built without MPI, so mpirun cannot start its ranks."),
                     sentence("Install libopenmpi-dev and build again, or run it without mpirun."));
}

Processes::~Processes() = default;

bool Processes::firstIsGone() const {
    return false;
}

bool Processes::isFirst() const {
    return true;
}

int Processes::executeCommands() {
    return 1;
}

RunConfig Processes::decided(RunConfig config) const {
    return config;
}

std::vector<Problem> Processes::problems(const RunConfig&, const Plan*) const {
    return {};
}

std::unique_ptr<WorkerGroup> Processes::launch(Model&, const Plan&, LiveEvents&) {
    return nullptr;
}

std::optional<RunFailure> Processes::lost(std::chrono::milliseconds) {
    return std::nullopt;
}

}  // namespace bscope
