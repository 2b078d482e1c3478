// Under mpirun the first process executes the command line, and only it prints output and errors; the others
// are its workers.
#pragma once

#include <algorithm>
#include <iostream>
#include <string>

#include "cli/input/command.h"
#include "mpi/processes.h"
#include "run/checkpointer.h"

namespace bscope::cli {

inline bool isWorkerProcess() {
    return mpirunRank() > 0;
}

// The value of an option as it was given, the last one counts; empty without.
inline std::string valueOf(const Arguments& arguments, const std::string& option) {
    std::string value;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (arguments[i] == option && i + 1 < arguments.size()) value = arguments[i + 1];
        if (arguments[i].starts_with(option + '=')) value = arguments[i].substr(option.size() + 1);
    }
    return value;
}

// Where a kept state is when the process that wrote it is gone, as far as the command line determines it.
inline std::string resumeHintWithoutFirst(const Arguments& arguments) {
    const std::string keep = valueOf(arguments, "--keep"), record = valueOf(arguments, "--record");
    if (valueOf(arguments, "--keep-every").empty())
        return "Nothing was kept: with --keep-every N a run can be gone on with.";
    const std::string file = !keep.empty()     ? keep
                             : !record.empty() ? keptStateFile(record).string()
                                               : (stateFolder() / "kept-*.safetensors").string();
    return "If a state was kept, it is in " + file + " on its machine: --load FILE goes on from there.";
}

// In every process but the first, instead of the command; the exit status.
inline int runWorker(const Arguments& arguments) {
    const bool asks_for_help = std::any_of(arguments.begin(), arguments.end(), [](const auto& argument) {
        return argument == "--help" || argument == "-h";
    });
    if (asks_for_help) return 0;
    Processes processes;
    const int status = processes.executeCommands();
    if (status != 0 && mpirunRank() == 1 && processes.firstIsGone())
        std::cerr << "bscope: the first process is gone. " + resumeHintWithoutFirst(arguments) + '\n'
                  << std::flush;
    return status;
}

// Each of them would train alone and write the same recording.
inline void warnOfUnconnectedProcesses(const char* command, Language language) {
    if (const int processes = unconnectedProcesses(); processes > 1)
        std::cerr << "bscope " << command << ": "
                  << say(sentence("srun started {0} processes that are not connected, and each trains alone; "
                                  "with srun --mpi=pmix they are the ranks of one run.",
                                  processes),
                         language)
                  << '\n';
}

}  // namespace bscope::cli
