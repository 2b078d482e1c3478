// Heat, from a made folder of counters: what the reader makes of it, and that an iteration in which a counter
// rises says so in its report, with threads of both clocks and in an endless stream.
#include <fcntl.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <atomic>
#include <filesystem>

#include "clock/throttle_counts.h"
#include "host/cores.h"
#include "kernels/cpu/cpu_device.h"
#include "registered_test.h"
#include "run/iteration_report.h"
#include "run/pipeline.h"
#include "run/training.h"
#include "run_fixture.h"
#include "wire/convert.h"
#include "workers/thread_workers.h"

namespace tst_throttle_counts {

using namespace bscope;

namespace {

// As /sys/devices/system/cpu, where a number is never missing while it changes: files are written over, not
// anew.
class Cpus {
public:
    std::filesystem::path path() const { return folder_.path().toStdString(); }
    void write(int cpu, const char* name, const std::string& text) const {
        const std::filesystem::path its = path() / ("cpu" + std::to_string(cpu)) / "thermal_throttle";
        std::filesystem::create_directories(its);
        const int file = open((its / name).c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
        QCOMPARE(pwrite(file, text.data(), text.size(), 0), static_cast<ssize_t>(text.size()));
        close(file);
    }
    void core(int cpu, int count) const { write(cpu, "core_throttle_count", std::to_string(count) + "\n"); }
    void package(int cpu, int count) const {
        write(cpu, "package_throttle_count", std::to_string(count) + "\n");
    }

private:
    QTemporaryDir folder_;
};

using Count = std::optional<std::int64_t>;

// Raises the counters of some cores as soon as an event of an iteration is reported.
class HeatingObserver : public EventCollector {
public:
    HeatingObserver(const Cpus& cpus, std::vector<int> hot, int iteration)
        : cpus_(cpus), hot_(std::move(hot)), iteration_(iteration) {}
    void events(int rank, std::span<const Event> batch) override {
        EventCollector::events(rank, batch);
        if (batch.front().iteration != iteration_ || is_hot_.exchange(true)) return;
        for (const int cpu : hot_) cpus_.core(cpu, 12);
    }

private:
    const Cpus& cpus_;
    const std::vector<int> hot_;
    const int iteration_;
    std::atomic<bool> is_hot_{false};
};

// Iterations 0 to 3, of which in number 2 the counters of the cores rise.
std::vector<IterationReport> heated(const RunConfig& config, Provenance provenance, const Cpus& cpus,
                                    const std::vector<int>& hot) {
    HeatingObserver observer(cpus, hot, 2);
    const auto device = makeCpuDevice();
    Training training(*device, config);
    const Plan plan = makePlan(config);
    Pipeline pipeline(
        training, plan,
        std::make_unique<ThreadWorkers>(training.model, plan, provenance, usableCores(), observer, nullptr,
                                        std::chrono::seconds(2), cpus.path()),
        observer);
    std::vector<IterationReport> reports;
    for (int i = 0; i < 4; ++i) reports.push_back(pipeline.iterate(i * 1'000'000'000LL, 3 - i));
    return reports;
}

}  // namespace

class TestThrottleCounts : public QObject {
    Q_OBJECT

private slots:
    void aLookSaysByHowMuchCountersRose() {
        const Cpus cpus;
        for (const int cpu : {3, 4}) cpus.core(cpu, 7), cpus.package(cpu, 20);
        ThrottleCounts counts({3, 4}, cpus.path());
        QCOMPARE(counts.look(), Count(0));
        cpus.core(4, 9);
        QCOMPARE(counts.look(), Count(2));
        QCOMPARE(counts.look(), Count(0));
        // The package counts on each of its cores, and is one.
        cpus.core(3, 8);
        for (const int cpu : {3, 4}) cpus.package(cpu, 23);
        QCOMPARE(counts.look(), Count(4));
        cpus.core(5, 100);  // of another program
        QCOMPARE(counts.look(), Count(0));
    }

    void aCoreWithoutASensorOfItsPackageTells() {
        const Cpus cpus;
        cpus.core(0, 1);
        ThrottleCounts counts({0}, cpus.path());
        cpus.core(0, 2);
        QCOMPARE(counts.look(), Count(1));
    }

    // Not recorded is not zero.
    void withoutCountersNothingIsKnown() {
        const Cpus cpus;
        QCOMPARE(ThrottleCounts({0, 1}, cpus.path()).look(), Count());
        QCOMPARE(ThrottleCounts({0}, cpus.path() / "nowhere").look(), Count());
        QCOMPARE(ThrottleCounts({}, cpus.path()).look(), Count());
        cpus.core(0, 1);
        QCOMPARE(ThrottleCounts({0, 1}, cpus.path()).look(), Count());  // of one of two
        ThrottleCounts counts({0}, cpus.path());
        cpus.write(0, "core_throttle_count", "hot\n");
        QCOMPARE(counts.look(), Count());
        cpus.core(0, 9);  // since when is not known
        QCOMPARE(counts.look(), Count());
        cpus.core(0, 10);
        QCOMPARE(counts.look(), Count(1));
    }

    void theReportTakesTheGreatestOfItsRanks() {
        IterationReport report;
        QCOMPARE(throttlesOf(report), Count());
        report.ranks.resize(3);
        QCOMPARE(throttlesOf(report), Count());
        report.ranks[1].throttles = 0;
        QCOMPARE(throttlesOf(report), Count());
        report.ranks[1].throttles = 4;
        QCOMPARE(throttlesOf(report), Count(4));
        for (RankReport& rank : report.ranks) rank.throttles = 0;
        QCOMPARE(throttlesOf(report), Count(0));
    }

    void theIterationInWhichItRoseSaysSo_data() {
        QTest::addColumn<QString>("schedule");
        QTest::addColumn<bool>("measured");
        QTest::newRow("reconstructed") << "1f1b" << false;
        QTest::newRow("measured") << "1f1b" << true;
        QTest::newRow("stream") << "pipedream" << false;
    }
    void theIterationInWhichItRoseSaysSo() {
        QFETCH(QString, schedule);
        QFETCH(bool, measured);
        const std::vector<int> cores = usableCores();
        const int p = measured ? std::min(2, static_cast<int>(cores.size())) : 2;
        const RunConfig config = tinyConfig(schedule.toUtf8().constData(), p, 4);
        const Provenance provenance = measured ? Provenance::Measured : Provenance::Reconstructed;
        const Cpus cpus;
        for (const int core : cores) cpus.core(core, 5), cpus.package(core, 1);
        const auto reports = heated(config, provenance, cpus, {cores.front()});
        for (const IterationReport& report : reports) {
            // In a stream the next iteration has begun before this one is over: 1 or 2, the sum is below.
            if (schedule != "pipedream") QCOMPARE(throttlesOf(report), Count(report.iteration == 2 ? 7 : 0));
            for (const RankReport& rank : report.ranks) {
                QVERIFY(rank.throttles);
                if (measured && rank.rank > 0) QCOMPARE(rank.throttles, Count(0));  // its core stayed cool
            }
            QVERIFY(sameThrottles(fromWire(toWire(report)), report));
        }
        std::int64_t all = 0;
        for (const IterationReport& report : reports) all += throttlesOf(report).value_or(0);
        QCOMPARE(all, std::int64_t{7});

        for (const IterationReport& report : heated(config, provenance, Cpus(), {})) {
            QCOMPARE(throttlesOf(report), Count());
            QVERIFY(sameThrottles(fromWire(toWire(report)), report));
        }
    }

private:
    static bool sameThrottles(const IterationReport& a, const IterationReport& b) {
        return std::ranges::equal(a.ranks, b.ranks, {}, &RankReport::throttles, &RankReport::throttles);
    }
};

BUBBLESCOPE_TEST(TestThrottleCounts)

}  // namespace tst_throttle_counts

#include "tst_throttle_counts.moc"
