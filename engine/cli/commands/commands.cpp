// The table of subcommands and what they share: overview, version, errors and exit status.
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>
#include <iostream>
#include <new>

#include "cli/input/command.h"
#include "cli/input/language.h"
#include "cli/input/usage_error.h"
#include "cli/input/worker_command.h"
#include "cli/print/json_text.h"
#include "cli/print/line_printer.h"
#include "cli/print/number_text.h"
#include "cli/report/status_lines.h"
#include "import/readers.h"
#include "mpi/processes.h"
#include "plan/failure.h"
#include "schedule/nearest_word.h"
#include "wire/frame.h"
#include "words/sentence_error.h"

namespace bscope::cli {
namespace {

constexpr Command kCommands[] = {
    {"run", "train a model through a pipeline and time every operation", UnderMpirun::Ranks, runCommand},
    {"generate", "answer requests token by token through a pipeline: prefill and decode", UnderMpirun::First,
     generateCommand},
    {"schedule", "print a schedule: grid, CSV or JSON, with its predicted bubble", UnderMpirun::First,
     scheduleCommand},
    {"validate", "check a schedule from a file", UnderMpirun::First, validateCommand},
    {"hang", "say why ranks of a PyTorch program stand still", UnderMpirun::First, hangCommand},
    {"sweep", "run several m and find the sweet spot", UnderMpirun::First, sweepCommand},
    {"verify", "check that the pipeline computes what one rank computes", UnderMpirun::First, verifyCommand},
    {"replay", "print a recording's table and picture again", UnderMpirun::First, replayCommand},
    {"view", "show a recording in the terminal: zoom, select, iterations", UnderMpirun::First, viewCommand},
    {"watch", "show in the terminal what a server runs", UnderMpirun::First, watchCommand},
    {"top", "train, and show it in the terminal while it runs", UnderMpirun::First, topCommand},
    {"check", "check that a recording's numbers follow from its events", UnderMpirun::First, checkCommand},
    {"export", "write a recording as a page, a table, a figure, a Chrome trace or CSV", UnderMpirun::First,
     exportCommand},
    {"import", "analyse a run of another program", UnderMpirun::First, importCommand},
    {"advise", "say what would shorten an iteration, and by how much", UnderMpirun::First, adviseCommand},
    {"compare", "compare two recordings", UnderMpirun::First, compareCommand},
    {"collect", "receive what the probes of another program's training send", UnderMpirun::First,
     collectCommand},
    {"lesson", "list, take or check the lessons", UnderMpirun::First, lessonCommand},
    {"cards", "print the interview cards with the numbers of a configuration", UnderMpirun::First,
     cardsCommand},
    {"quiz", "print questions for a class, and their answers", UnderMpirun::First, quizCommand},
    {"puzzle", "list the levels of the puzzle, and check a schedule built for one", UnderMpirun::First,
     puzzleCommand},
    {"serve", "run for viewers on a socket", UnderMpirun::Ranks, serveCommand},
    {"doctor", "say what this machine has and how to get what it lacks", UnderMpirun::Each, doctorCommand},
    {"ranks", "print which rank is which stage and replica", UnderMpirun::First, ranksCommand},
    {"selftest", "check every operation of a device against a reference", UnderMpirun::Each, selftestCommand},
};

constexpr std::size_t kHelpColumns = 100;
constexpr int kRuntimeFailure = 1;
constexpr int kUsageFailure = 2;

void printOverview(std::ostream& out, Language language) {
    const auto words = [language](const char* english) { return say(sentence(english), language); };
    out << words("bscope: pipeline-parallel training, timed operation by operation") << "\n\n"
        << words("Usage: bscope COMMAND [OPTIONS]") << "\n\n";
    for (const Command& command : kCommands)
        out << "  " << command.name << std::string(10 - std::string(command.name).size(), ' ')
            << words(command.summary) << '\n';
    out << '\n'
        << words(
               "bscope COMMAND --help describes a command; bscope --version prints the version, with --json "
               "what is built in.")
        << '\n'
        << wrapped(
               words(
                   "Exit status: 0 when done; 1 after a failure, and when a recording, a kept state or the "
                   "output could not be written; 2 when the command line or the configuration is not legal; "
                   "130 and 143 when Ctrl-C or SIGTERM ended run, sweep, verify or import before they were "
                   "done. serve and collect are meant to be ended so, and give 0."),
               kHelpColumns)
        << '\n'
        << words(
               "Language: --lang en or zh after a command, else that of the locale (LC_ALL, LC_MESSAGES, "
               "LANG).")
        << '\n'
        << words("Colours: on a terminal, but not under mpirun; CLICOLOR_FORCE=1 always, NO_COLOR=1 never.")
        << "\n\n"
        << words("Example:") << "\n  bscope run --schedule 1f1b -p 4 -m 8\n";
}

void printProblems(const std::string& who, const std::vector<std::string>& sentences, Language language) {
    const LinePrinter printer(std::cerr, language);
    printer.text(who + ": " +
                 (sentences.size() == 1 ? printer.words("1 problem")
                                        : printer.words("{0} problems", sentences.size())));
    for (const auto& each : sentences) printer.text("  - " + each);
    printer.line("See {0}.", who + " --help");
}

std::vector<std::string> sentencesOf(const ConfigError& error, Language language) {
    std::vector<std::string> sentences;
    for (const auto& problem : error.problems()) sentences.push_back(say(problem.withLegal(), language));
    return sentences;
}

int runGuarded(const Command& command, const Arguments& arguments) {
    const std::string who = std::string("bscope ") + command.name;
    const Language language = languageOf(arguments);
    if (command.processes == UnderMpirun::First && underMpirun()) {
        if (isWorkerProcess()) return 0;
        std::cerr << who << ": "
                  << say(sentence("the first process works alone; run and serve use all of them"), language)
                  << '\n';
    }
    const bool for_program = std::ranges::find(arguments, "--progress") != arguments.end();
    const auto fail = [&](const Sentence& why) {
        if (for_program)
            reportRefusal(why);
        else
            LinePrinter(std::cerr, language).text(who + ": " + say(why, language));
    };
    try {
        return command.run(arguments);
    } catch (const UsageError& error) {
        printProblems(who, error.sentences, language);
        return kUsageFailure;
    } catch (const ConfigError& error) {
        printProblems(who, sentencesOf(error, language), language);
        return kUsageFailure;
    } catch (const RunFailure& failure) {
        return printFailure(command.name, failure, language);
    } catch (const std::bad_alloc&) {
        fail(sentence("there is no memory left"));
    } catch (const std::exception& error) {
        fail(sentenceOf(error));
    }
    return kRuntimeFailure;
}

int dispatch(const Arguments& arguments) {
    const Language language = languageOf(arguments);
    if (arguments.empty()) {
        printOverview(std::cerr, language);
        return kUsageFailure;
    }
    const std::string& name = arguments.front();
    if (name == "--help" || name == "-h" || name == "help") {
        printOverview(std::cout, language);
        return 0;
    }
    if (name == "--version") {
        if (arguments.size() > 1 && arguments[1] == "--json")
            std::cout << jsonText({{"version", BUBBLESCOPE_VERSION},
                                   {"stream_version", kProtocolVersion},
                                   {"mpi", hasMpi()},
                                   {"databases", readsDatabases()},
                                   {"compiler", __VERSION__}})
                      << '\n';
        else
            std::cout << "bscope " << BUBBLESCOPE_VERSION << " (stream version " << kProtocolVersion << ")\n";
        return 0;
    }
    std::vector<std::string> names;
    for (const Command& command : kCommands) {
        if (name == command.name) return runGuarded(command, {arguments.begin() + 1, arguments.end()});
        names.emplace_back(command.name);
    }
    const auto near = nearestWord(name, names);
    printProblems("bscope",
                  {say(near ? sentence("there is no command {0}; did you mean {1}?", name, *near)
                            : sentence("there is no command {0}; legal: {1}", name, joined(names, ", ")),
                       language)},
                  language);
    return kUsageFailure;
}

}  // namespace

std::span<const Command> commands() {
    return kCommands;
}

int printFailure(const char* command, const RunFailure& failure, Language language) {
    const LinePrinter printer(std::cerr, language);
    printer.text(std::string("bscope ") + command + ": " + printer.words(failure.said));
    if (!failure.what_to_do.empty()) printer.text(printer.words(failure.what_to_do));
    return kRuntimeFailure;
}

int runProgram(const Arguments& arguments) {
    const int status = dispatch(arguments);
    errno = 0;
    if (std::cout.flush()) return status;
    std::cerr << "bscope: standard output could not be written"
              << (errno != 0 ? std::string(": ") + std::strerror(errno) : "") << '\n';
    return status == 0 ? kRuntimeFailure : status;
}

}  // namespace bscope::cli
