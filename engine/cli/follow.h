// Under mpirun the first process does what the command line says; it alone prints and refuses.
#pragma once

#include <algorithm>
#include <iostream>
#include <string>

#include "cli/command.h"
#include "mpi/processes.h"
#include "run/checkpointer.h"

namespace bscope::cli {

inline bool followsAnother() {
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

// From where to go on when the process that knows it is gone: what the command line says of it.
inline std::string wayOnWithoutFirst(const Arguments& arguments) {
    const std::string keep = valueOf(arguments, "--keep"), record = valueOf(arguments, "--record");
    if (valueOf(arguments, "--keep-every").empty())
        return "Nothing was kept: with --keep-every N a run can be gone on with.";
    const std::string file = !keep.empty()     ? keep
                             : !record.empty() ? keptStateFile(record).string()
                                               : (stateFolder() / "kept-*.safetensors").string();
    return "If a state was kept, it is in " + file + " on its machine: --load FILE goes on from there.";
}

// In every process but the first, instead of the command; the exit status.
inline int followFirst(const Arguments& arguments) {
    const bool asks_for_help = std::any_of(arguments.begin(), arguments.end(), [](const auto& argument) {
        return argument == "--help" || argument == "-h";
    });
    if (asks_for_help) return 0;
    Processes processes;
    const int status = processes.follow();
    if (status != 0 && mpirunRank() == 1 && processes.firstIsGone())
        std::cerr << "bscope: the first process is gone. " + wayOnWithoutFirst(arguments) + '\n'
                  << std::flush;
    return status;
}

// Each of them would write the same recording.
inline void noteStrangers(const char* command) {
    if (const int processes = unconnectedProcesses(); processes > 1)
        std::cerr
            << "bscope " << command << ": srun started " << processes
            << " processes that know nothing of each other, and each trains alone; with srun --mpi=pmix "
               "they are the ranks of one run.\n";
}

}  // namespace bscope::cli
