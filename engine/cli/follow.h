// Under mpirun the first process does what the command line says; it alone prints and refuses.
#pragma once

#include <algorithm>
#include <iostream>

#include "cli/command.h"
#include "mpi/processes.h"

namespace bscope::cli {

inline bool followsAnother() {
    return mpirunRank() > 0;
}

// In every process but the first, instead of the command; the exit status.
inline int followFirst(const Arguments& arguments) {
    const bool asks_for_help = std::any_of(arguments.begin(), arguments.end(), [](const auto& argument) {
        return argument == "--help" || argument == "-h";
    });
    return asks_for_help ? 0 : Processes().follow();
}

// Each of them would write the same recording.
inline void noteStrangers(const char* command) {
    if (const int processes = strangers(); processes > 1)
        std::cerr
            << "bscope " << command << ": srun started " << processes
            << " processes that know nothing of each other, and each trains alone; with srun --mpi=pmix "
               "they are the ranks of one run.\n";
}

}  // namespace bscope::cli
