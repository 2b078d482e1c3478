// What keeps a rank from going on, from times that are given by hand, and what it makes of an iteration's
// report.
#include <QTest>

#include "clock/stolen_time.h"
#include "host/cores.h"
#include "registered_test.h"
#include "run/iteration_report.h"
#include "run/pipeline.h"
#include "run_fixture.h"

namespace tst_stolen_time {

using namespace bscope;

namespace {

constexpr std::int64_t kUsual = StolenTime::kUsualWake_ns;

// A thread whose times are what the test says.
struct Thread {
    ThreadTimes now;
    StolenTime held{[this] { return now; }};

    void works(std::int64_t ns) { now.wall_ns += ns, now.cpu_ns += ns; }
    void isKeptFrom(std::int64_t ns) { now.wall_ns += ns, now.queued_ns += ns; }  // its core
    void sleeps(std::int64_t ns) { now.wall_ns += ns; }
};

IterationReport reportOf(std::vector<std::int64_t> held_ns) {
    IterationReport report;
    report.iteration_ms = 1;
    report.ranks.resize(held_ns.size());
    std::vector<RankIteration> shares(held_ns.size());
    for (std::size_t i = 0; i < shares.size(); ++i) {
        shares[i].wall_ns = shares[i].cpu_ns = 1000;
        shares[i].held_ns = held_ns[i];
    }
    addSharesToReport(report, shares, 2'000'000);
    return report;
}

}  // namespace

class TestStolenTime : public QObject {
    Q_OBJECT
private slots:
    void workAndWaitingAreNotHeld() {
        Thread thread;
        thread.held.begin();
        thread.works(1'000'000);
        QCOMPARE(thread.held.waiting([&] { return thread.sleeps(500'000), 7; }), 7);
        thread.works(1'000'000);
        QCOMPARE(thread.held.take(), std::int64_t{0});
    }

    // Also where operations are so short that none of them is hit.
    void aPreemptionBetweenOperationsIsHeld() {
        Thread thread;
        thread.held.begin();
        thread.works(10'000);
        thread.isKeptFrom(700'000);
        thread.held.waiting([&] { thread.sleeps(100'000); });
        thread.works(10'000);
        thread.isKeptFrom(300'000);
        QCOMPARE(thread.held.take(), std::int64_t{1'000'000});
        QCOMPARE(thread.held.take(), std::int64_t{0});
    }

    // Taken by whatever the system does not count as this thread's: a machine below this one, page reads.
    void wallTimeBeyondCpuTimeIsHeldWithoutAQueueToo() {
        Thread thread;
        thread.held.begin();
        thread.works(10'000);
        thread.sleeps(40'000);
        QCOMPARE(thread.held.take(), std::int64_t{40'000});
    }

    void wakingTakesAMoment() {
        Thread thread;
        thread.held.begin();
        for (int wait = 0; wait < 100; ++wait)
            thread.held.waiting([&] {
                thread.sleeps(50'000);
                thread.isKeptFrom(kUsual);
            });
        QCOMPARE(thread.held.take(), std::int64_t{0});
        thread.held.waiting([&] {
            thread.sleeps(50'000);
            thread.isKeptFrom(kUsual + 1);
        });
        QCOMPARE(thread.held.take(), kUsual + 1);
    }

    void theReportIsMarkedFromFivePercentOn() {
        const IterationReport quiet = reportOf({20'000, 30'000});
        QCOMPARE(quiet.held_share, 0.05);
        QVERIFY(!quiet.disturbed);
        QCOMPARE(disturbanceOf(quiet), Disturbance::None);
        const IterationReport held = reportOf({0, 51'000});
        QVERIFY(held.disturbed);
        QCOMPARE(disturbanceOf(held), Disturbance::Cores);
        IterationReport loud = held;
        loud.wall_over_cpu = 1.2;
        QCOMPARE(disturbanceOf(loud), Disturbance::Operations);
        IterationReport asked = quiet;
        asked.disturbed = true;
        QCOMPARE(disturbanceOf(asked), Disturbance::Requests);
    }

    // A measured pipeline hands on what its ranks' threads were held; a reconstructed one has no such time.
    void aPipelineTellsIt() {
        if (usableCores().size() < 2) QSKIP("two ranks need two cores");
        for (const bool measured : {true, false}) {
            RunConfig config = tinyConfig("1f1b", 2, 4);
            config.clock = measured ? ClockChoice::Measured : ClockChoice::Reconstructed;
            EventCollector observer;
            const IterationReport report = Run(config, observer).iterate();
            QVERIFY(report.held_share >= 0 && std::isfinite(report.held_share));
            QVERIFY(measured || report.held_share == 0);
            QVERIFY(report.disturbed ==
                    (report.wall_over_cpu > kDisturbed || report.held_share > kHeldShare));
        }
    }
};

BUBBLESCOPE_TEST(TestStolenTime)

}  // namespace tst_stolen_time

#include "tst_stolen_time.moc"
