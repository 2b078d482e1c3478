// What the tests start with mpirun beside bscope itself:
//   rank_program changes FILE N   runs changes.h on N processes; the first one prints, and saves to FILE
//   rank_program streams FILE N   the same of its streams
//   rank_program late FILE N      likewise; commands reach the others late, and not at the same time
//   rank_program gpu-changes FILE N   the same of changes, on GPUs
//   rank_program gpu-again FILE N    on GPUs, and what has failed again
//   rank_program gpu-stopped FILE N   on GPUs, until a rank has stopped itself before links come up
//   rank_program far              each two processes on a machine of their own, as far as they know; until
//   one
//                                 is lost, which the first one prints
//   rank_program clocks           clocks of the others run wrong; the first one prints how well it knows them
//   rank_program kept             the same of a line that is kept while the clock leaps
//   rank_program measured NAME N  runs N iterations of a schedule with measured times; prints what they say
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <iostream>
#include <limits>
#include <map>
#include <thread>

#include "changes.h"
#include "mpi/commands.h"
#include "mpi/process_group.h"
#include "mpi/processes.h"
#include "workers/worker_group.h"

using namespace bscope;

namespace {

constexpr std::int64_t kOffset_ns = 5'000'000'000;
constexpr double kDrift = 2e-4;

constexpr std::int64_t kLeap_ns = 20'000'000;
std::int64_t leaps_at_ns = std::numeric_limits<std::int64_t>::max();

// What the wrong clock of a rank shows when it is time_ns.
std::int64_t wrong(int rank, std::int64_t time_ns) {
    return time_ns + rank * kOffset_ns + std::llround(rank * kDrift * static_cast<double>(time_ns)) +
           (time_ns > leaps_at_ns ? rank * kLeap_ns : 0);
}

HostTime clockOf(int rank) {
    return [rank] { return wrong(rank, monotonic_ns()); };
}

int alignClocks(int rank) {
    constexpr int kBursts = 5;
    MPI_Init(nullptr, nullptr);
    {
        ProcessGroup group;
        meet(group, clockOf(rank));
        for (int i = 0; i < kBursts; ++i) {
            if (rank > 0) ClockSync::answer(*group.channel, group.own);
            if (rank > 0) continue;
            if (i > 0) std::this_thread::sleep_for(std::chrono::milliseconds(150));
            group.clocks->refresh(group.size());
        }
        for (int other = 1; rank == 0 && other < group.size(); ++other) {
            const std::int64_t now = monotonic_ns();
            const std::int64_t seen = group.clocks->lineOf(other).toFirst(wrong(other, now));
            std::cout << "{\"rank\":" << other << ",\"error_ns\":" << seen - now
                      << ",\"residual_ns\":" << group.clocks->alignment(other).residual_ns()
                      << ",\"drift\":" << group.clocks->alignment(other).drift() << "}\n";
        }
    }
    MPI_Finalize();
    return 0;
}

int keepLines(int rank) {
    const auto inPassing = [](int how_long_ms, const auto& work) {
        const std::int64_t end_ns = monotonic_ns() + how_long_ms * 1'000'000LL;
        for (; monotonic_ns() < end_ns; std::this_thread::sleep_for(std::chrono::microseconds(200))) work();
    };
    MPI_Init(nullptr, nullptr);
    {
        ProcessGroup group;
        meet(group, clockOf(rank));
        Channel& channel = *group.channel;
        if (rank > 0) {
            ClockSync::answer(channel, group.own);
            leaps_at_ns =
                Unpacker(channel.receive(0, kCommandTag, sentence("the time")).message).next<std::int64_t>();
            inPassing(600, [&] { ClockSync::answerWatch(channel, group.own); });
        } else {
            group.clocks->refresh(group.size());
            group.clocks->keepLines(group.size());
            const ClockLine kept = group.clocks->lineOf(1);
            leaps_at_ns = monotonic_ns();
            channel.post(1, kCommandTag, Packer().add(leaps_at_ns).take());
            inPassing(500, [&] { group.clocks->watch(2); });
            const std::int64_t now = monotonic_ns();
            std::cout << "{\"error_us\":" << static_cast<double>(kept.toFirst(wrong(1, now)) - now) / 1e3
                      << ",\"residual_us\":" << group.clocks->residual_us(2) << "}\n";
        }
    }
    MPI_Finalize();
    return 0;
}

// Compute events by stage, operation and micro-batch.
struct Computed : RunObserver {
    void events(int, std::span<const Event> batch) override {
        for (const Event& event : batch)
            if (isCompute(event.op))
                by_name[{is_stream ? 0 : event.iteration, event.stage, event.op, event.microbatch}] = event;
    }
    bool is_stream = false;  // micro-batches count through all iterations
    using Name = std::tuple<int, int, Op, int>;
    std::map<Name, Event> by_name;
};

// No forward starts before the one it needs has ended, no backward either: both ways a wrong clock would
// show.
int measure(Launcher& processes, const char* schedule, int iterations) {
    RunConfig config = smallConfig(schedule, 2, 4);
    config.clock = ClockChoice::Measured;
    Computed computed;
    computed.is_stream = config.schedule == "pipedream";
    Run run(config, computed, &processes);
    double residual_us = 0, iteration_ms = 0;
    for (int i = 0; i < iterations; ++i) {
        const IterationReport report = run.iterate(iterations - 1 - i);
        residual_us = std::max(residual_us, report.clock_residual_us.value_or(-1e9));
        iteration_ms = std::max(iteration_ms, report.iteration_ms);
    }
    std::int64_t worst_ns = 0;
    for (const auto& [name, event] : computed.by_name) {
        const auto [iteration, stage, op, microbatch] = name;
        const int needed = op == Op::Forward ? stage - 1 : stage + 1;
        const auto before = computed.by_name.find({iteration, needed, op, microbatch});
        if (before == computed.by_name.end()) continue;
        worst_ns = std::max(worst_ns, before->second.end_ns - event.start_ns);
    }
    std::cout << "{\"before_its_cause_ns\":" << worst_ns << ",\"residual_us\":" << residual_us
              << ",\"iteration_ms\":" << iteration_ms << ",\"events\":" << computed.by_name.size() << "}\n";
    return 0;
}

// Whether this process hears commands at present; else they stay where they are. Each its own milliseconds.
struct Hearing {
    bool late = false;
    int rank = 0;
    bool isOpen() const { return !late || (monotonic_ns() / 3'000'000 + 2 * rank) % 5 == 0; }
};
Hearing hearing;

// The command to begin is the last that this process hears.
struct Stopping {
    bool at_work = false;
    int last_tag = MPI_ANY_TAG;  // probed
};
Stopping stopping;

bool is_far = false;

int waitForLoss(Processes& processes) {
    std::signal(SIGTERM, SIG_IGN);  // by which mpirun ends the others
    std::cout << "ready" << std::endl;
    for (;; std::this_thread::sleep_for(std::chrono::milliseconds(10)))
        if (const auto lost = processes.lost({})) {
            std::cout << lost->what() << std::endl;
            return 1;
        }
}

}  // namespace

// The program's own in place of the library's: a name that two processes have in common.
extern "C" int gethostname(char* name, std::size_t size) noexcept {
    utsname system{};
    const std::string own = uname(&system) == 0 ? system.nodename : "localhost";
    const std::string its = is_far ? "machine" + std::to_string(mpirunRank() / 2) : own;
    std::snprintf(name, size, "%s", its.c_str());
    return 0;
}

// The program's own in place of the library's, by MPI's profiling interface.
extern "C" int MPI_Improbe(int source, int tag, MPI_Comm comm, int* flag, MPI_Message* message,
                           MPI_Status* status) {
    *flag = 0;
    if (tag == kCommandTag && !hearing.isOpen()) return MPI_SUCCESS;
    stopping.last_tag = tag;
    return PMPI_Improbe(source, tag, comm, flag, message, status);
}

extern "C" int MPI_Imrecv(void* buffer, int count, MPI_Datatype type, MPI_Message* message,
                          MPI_Request* request) {
    const int result = PMPI_Imrecv(buffer, count, type, message, request);
    if (!stopping.at_work || stopping.last_tag != kCommandTag) return result;
    PMPI_Wait(request, MPI_STATUS_IGNORE);
    if (*static_cast<Command*>(buffer) == Command::Iterate) std::raise(SIGSTOP);
    return result;
}

int main(int count, char** arguments) {
    const std::string mode = count > 1 ? arguments[1] : "";
    const int rank = mpirunRank();
    hearing = {mode == "late", rank};
    stopping.at_work = mode == "gpu-stopped" && rank == 1;
    is_far = mode == "far";
    if (mode == "clocks") return alignClocks(rank);
    if (mode == "kept") return keepLines(rank);
    Processes processes(mode == "measured" ? clockOf(rank) : HostTime(monotonic_ns));
    if (rank > 0) return processes.executeCommands();
    if (mode == "far") return waitForLoss(processes);
    if (mode == "measured") return measure(processes, arguments[2], std::atoi(arguments[3]));
    const auto run = mode == "changes"       ? runChanges
                     : mode == "gpu-changes" ? runGpuChanges
                     : mode == "gpu-again"   ? runGpuAgain
                     : mode == "gpu-stopped" ? runGpuChanges
                                             : runStreams;
    try {
        std::cout << run(std::atoi(arguments[3]), &processes, arguments[2]);
    } catch (const RunFailure& failure) {
        std::cerr << failure.what() << std::endl;
        return 1;
    }
    return 0;
}
