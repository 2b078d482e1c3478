// Command: one subcommand of bscope. A subcommand is a file cmd_*.cpp and a row in commands.cpp.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "words/catalog.h"

namespace bscope {
struct RunFailure;
}

namespace bscope::cli {

using Arguments = std::vector<std::string>;  // without the program's and the subcommand's name

// What the processes of mpirun do: each is a rank of one run, each does the same (it looks at its machine),
// or the first works alone.
enum class UnderMpirun { Ranks, Each, First };

struct Command {
    const char* name;
    const char* summary;
    UnderMpirun processes;
    // The exit status. Throws UsageError (exit 2); any other exception is a runtime failure (exit 1).
    int (*run)(const Arguments& arguments);
};

std::span<const Command> commands();

int runCommand(const Arguments& arguments);
int generateCommand(const Arguments& arguments);
int scheduleCommand(const Arguments& arguments);
int validateCommand(const Arguments& arguments);
int hangCommand(const Arguments& arguments);
int sweepCommand(const Arguments& arguments);
int verifyCommand(const Arguments& arguments);
int replayCommand(const Arguments& arguments);
int viewCommand(const Arguments& arguments);
int watchCommand(const Arguments& arguments);
int topCommand(const Arguments& arguments);
int checkCommand(const Arguments& arguments);
int exportCommand(const Arguments& arguments);
int importCommand(const Arguments& arguments);
int adviseCommand(const Arguments& arguments);
int compareCommand(const Arguments& arguments);
int lessonCommand(const Arguments& arguments);
int cardsCommand(const Arguments& arguments);
int quizCommand(const Arguments& arguments);
int puzzleCommand(const Arguments& arguments);
int serveCommand(const Arguments& arguments);
int collectCommand(const Arguments& arguments);
int doctorCommand(const Arguments& arguments);
int ranksCommand(const Arguments& arguments);
int selftestCommand(const Arguments& arguments);

// The exit status after a signal, as a shell gives it.
constexpr int statusAfter(int signal) {
    return 128 + signal;
}

// Says on standard error what a command stopped with, and what to do; the exit status.
int printFailure(const char* command, const RunFailure& failure, Language language);

// The whole program: picks the subcommand, prints what went wrong, gives the exit status.
int runProgram(const Arguments& arguments);

}  // namespace bscope::cli
