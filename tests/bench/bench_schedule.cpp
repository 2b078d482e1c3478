// What a schedule costs before anything runs: generated, lowered, predicted and summarised, part by part, the
// growth of that from thousands to millions of operations, and `bscope schedule` as a process. CPU time, the
// least of some rounds, beside its limit; meant for a quiet machine.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "timeline/analysis.h"
#include "timeline/predict.h"

using namespace bscope;

namespace {

double cpuMs() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

struct Parts {
    double generate = 1e9, lower = 1e9, predict = 1e9, summarize = 1e9;
    std::size_t operations = 0;
    double sum() const { return generate + lower + predict + summarize; }
};

Parts measure(const char* name, const ScheduleParams& params, int rounds) {
    Parts least;
    for (int round = 0; round < rounds; ++round) {
        const double begin = cpuMs();
        Schedule schedule = makeSchedule(name, params);
        const double generated = cpuMs();
        const Program program = bscope::lower(std::move(schedule));
        const double lowered = cpuMs();
        const Timeline timeline =
            bscope::predict(program, unitCosts(program.schedule.stageCount(), 1, 1, 1, 0));
        const double predicted = cpuMs();
        (void)bscope::summarize(timeline, 0);
        least.generate = std::min(least.generate, generated - begin);
        least.lower = std::min(least.lower, lowered - generated);
        least.predict = std::min(least.predict, predicted - lowered);
        least.summarize = std::min(least.summarize, cpuMs() - predicted);
        least.operations = 0;
        for (const auto& order : program.schedule.orders) least.operations += order.size();
    }
    return least;
}

void print(const char* name, const ScheduleParams& params, const Parts& parts) {
    const double per_operation = 1e6 / static_cast<double>(parts.operations);
    std::printf(
        "%-12s p=%d m=%d v=%d: %zu operations; ns each: generate %.0f, lower %.0f, predict %.0f, "
        "summarize %.0f; all %.1f ms\n",
        name, params.p, params.m, params.v, parts.operations, parts.generate * per_operation,
        parts.lower * per_operation, parts.predict * per_operation, parts.summarize * per_operation,
        parts.sum());
    std::fflush(stdout);
}

// Of `bscope` with these arguments, its output dropped.
double processMs(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), BUBBLESCOPE_BIN_DIR "/bscope");
    std::vector<char*> words;
    for (std::string& each : arguments) words.push_back(each.data());
    words.push_back(nullptr);
    double least = 1e9;
    for (int round = 0; round < 9; ++round) {
        const pid_t child = fork();
        if (child == 0) {
            dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
            execv(words[0], words.data());
            _exit(127);
        }
        int status = 0;
        rusage used{};
        if (wait4(child, &status, 0, &used) != child || status != 0) return -1;
        const auto ms = [](const timeval& time) {
            return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_usec) / 1e3;
        };
        least = std::min(least, ms(used.ru_utime) + ms(used.ru_stime));
    }
    return least;
}

}  // namespace

int main(int, char**) {
    for (const CatalogEntry& entry : catalog()) {
        const ScheduleParams params{64, defaultChunks(entry), 512};
        if (scheduleProblems(entry.name, params).empty())
            print(entry.name, params, measure(entry.name, params, 3));
    }
    const Parts usual = measure("1f1b", {64, 1, 1024}, 5);
    print("1f1b", {64, 1, 1024}, usual);
    std::printf("  %.2f of the limit of 15 ms\n", usual.sum() / 15);
    const Parts few = measure("1f1b", {16, 1, 1024}, 5), many = measure("1f1b", {64, 1, 62'500}, 1);
    print("1f1b", {16, 1, 1024}, few);
    print("1f1b", {64, 1, 62'500}, many);
    std::printf(
        "growth: %.2f times the time an operation for %.0f times the operations (limit 2)\n",
        many.sum() / static_cast<double>(many.operations) * static_cast<double>(few.operations) / few.sum(),
        static_cast<double>(many.operations) / static_cast<double>(few.operations));
    struct Whole {
        std::vector<std::string> arguments;
        double limit_ms;
    };
    const double start = processMs({"--version"});
    std::printf("bscope --version: %.1f ms\n", start);
    for (const auto& [arguments, limit_ms] :
         {Whole{{"schedule", "1f1b", "-p", "64", "-m", "1024"}, 15},
          Whole{{"schedule", "1f1b", "-p", "64", "-m", "1024", "--json"}, 30},
          Whole{{"schedule", "interleaved", "-p", "64", "-m", "512", "-v", "8", "--json"}, 100},
          Whole{{"schedule", "v-half", "-p", "64", "-m", "512", "--json"}, 100}}) {
        std::string line = "bscope";
        for (const std::string& each : arguments) line += " " + each;
        const double ms = processMs(arguments);
        std::printf("%s: %.1f ms = %.2f of the limit of %.0f ms\n", line.c_str(), ms, ms / limit_ms,
                    limit_ms);
    }
    return 0;
}
