// Opening a recording of ten million events: one is written into the folder for temporary files (1F1B, 8
// ranks, 4,096 micro-batches, as many iterations as it takes) and opened as the window opens it. Prints when
// its first iteration could be painted and when the whole of it was there, in seconds of wall and CPU time of
// this process, with the limits of 1 and 5 s, and what it takes of memory. Arguments: millions of events
// (10).
#include <malloc.h>
#include <unistd.h>

#include <QApplication>
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>
#include <cstdio>
#include <ctime>
#include <fstream>

#include "app/recording/replayer.h"
#include "sample_view.h"
#include "report/measured_report.h"
#include "widgets/gantt/gantt_view.h"
#include "wire/convert.h"
#include "wire/recording.h"

using namespace bscope;
using namespace bscope::ui;

namespace {

constexpr double kFirstLimit = 1, kWholeLimit = 5;

double residentMb() {
    malloc_trim(0);
    std::ifstream statm("/proc/self/statm");
    double whole = 0, resident = 0;
    statm >> whole >> resident;
    return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
}

class Recorded {
public:
    Recorded(const std::filesystem::path& file, double events)
        : writer_(file, [](const Sentence&) { std::fprintf(stderr, "the disk is full\n"); }) {
        start_.config.schedule = "1f1b";
        start_.config.params = {8, 1, 4096, 0};
        start_.placement = {0, 1, 2, 3, 4, 5, 6, 7};
        program_ = lower(makeSchedule("1f1b", start_.config.params), Recompute::None);
        start_.schedule = std::make_shared<const Schedule>(program_.schedule);
        wire::Message message;
        *message.mutable_iteration_start() = toWire(start_);
        writer_.write(encode(message));
        for (int iteration = 0; static_cast<double>(events_) < events; ++iteration) write(iteration);
        writer_.close();
    }
    std::size_t events() const { return events_; }
    int iterations() const { return iterations_; }

private:
    void write(int iteration) {
        const Timeline played =
            predict(program_, sampleCosts(8, 1, true), Overlap::Serial, next_ns_, iteration);
        next_ns_ = played.end_ns() + 1'000'000;
        for (int rank = 0; rank < played.ranks(); ++rank) {
            const auto batches = [&](const auto& row, auto add) {
                for (std::size_t first = 0; first < row.size(); first += kEventsPerBatch) {
                    const auto batch = row.subspan(first, std::min(kEventsPerBatch, row.size() - first));
                    wire::Message message;
                    add(message, std::vector(batch.begin(), batch.end()));
                    writer_.write(encode(message));
                }
            };
            const auto events = [&](wire::Message& message, const std::vector<Event>& batch) {
                *message.mutable_events() = toWire(rank, batch);
                events_ += batch.size();
            };
            batches(played.compute(rank), events);
            batches(played.receives(rank), events);
            batches(played.memory(rank), [&](wire::Message& message, const std::vector<MemoryPoint>& batch) {
                *message.mutable_memory() = toWire(rank, batch);
            });
        }
        IterationReport report;
        report.iteration = iteration;
        report.schedule = "1f1b";
        report.p = 8, report.m = 4096, report.v = 1;
        fillMeasured(report, summarize(played, iteration));
        report.costs = sampleCosts(8, 1, true);
        wire::Message message;
        *message.mutable_iteration_report() = toWire(report);
        writer_.write(encode(message));
        ++iterations_;
    }

    RecordingWriter writer_;
    IterationStart start_;
    Program program_;
    std::int64_t next_ns_ = 0;
    std::size_t events_ = 0;
    int iterations_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
    QApplication app(argc, argv);
    const double millions = argc > 1 ? std::atof(argv[1]) : 10;
    const QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("long.bscope"));
    const Recorded recorded(file.toStdU16String(), millions * 1e6);
    ViewState state;
    GanttView view(state);
    view.resize(1920, 1080);
    view.show();

    const double empty_mb = residentMb();
    Replayer replayer;
    QElapsedTimer wall;
    const std::clock_t began = std::clock();
    const auto cpu = [began] { return static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC; };
    double first_s = 0, first_cpu_s = 0, whole_s = 0, whole_cpu_s = 0;
    int steps = 0, parts = 1;
    const auto paint = [&] {
        if (first_s > 0) return;
        replayer.seekIteration(0);
        const auto first = replayer.history().view(0);
        if (!first) return;
        view.setView(*first);
        view.replot(QCustomPlot::rpImmediateRefresh);
        first_s = static_cast<double>(wall.nsecsElapsed()) / 1e9;
        first_cpu_s = cpu();
    };
    QObject::connect(&replayer, &Replayer::progress, &app, [&steps] { ++steps; });
    QObject::connect(&replayer, &Replayer::began, &app, paint);
    QObject::connect(&replayer, &Replayer::grew, &app, [&parts] { ++parts; });
    QObject::connect(&replayer, &Replayer::loaded, &app, [&] {
        whole_s = static_cast<double>(wall.nsecsElapsed()) / 1e9;
        whole_cpu_s = cpu();
    });
    wall.start();
    replayer.open(file);
    if (!QTest::qWaitFor([&] { return whole_s > 0; }, 600'000)) return 1;
    std::printf("%zu events in %d iterations, progress reported %d times, shown in %d parts and as a whole\n",
                recorded.events(), recorded.iterations(), steps, parts);
    std::printf("first iteration painted after %.2f s (CPU %.2f s; limit %.0f s)\n", first_s, first_cpu_s,
                kFirstLimit);
    std::printf("whole after %.2f s (CPU %.2f s; limit %.0f s)\n", whole_s, whole_cpu_s, kWholeLimit);
    std::printf("memory: %.0f bytes an event\n",
                (residentMb() - empty_mb) * 1e6 / static_cast<double>(recorded.events()));
    return 0;
}
