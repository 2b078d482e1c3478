// Clocks, the cores they stand on, and calibration.
#include <sys/resource.h>

#include <QTest>
#include <atomic>
#include <thread>

#include "clock/measured_clock.h"
#include "clock/reconstructed_clock.h"
#include "clock/run_tokens.h"
#include "clock/thread_time.h"
#include "host/cores.h"
#include "registered_test.h"

namespace tst_clock {

using namespace bscope;

namespace {

void burn(std::int64_t ns) {
    for (const std::int64_t end = threadCpu_ns() + ns; threadCpu_ns() < end;) {
    }
}

}  // namespace

class TestClock : public QObject {
    Q_OBJECT

private slots:
    void coresAreDistinctAndUsable() {
        const std::vector<int> cores = usableCores();
        QVERIFY(!cores.empty());
        QVERIFY(std::adjacent_find(cores.begin(), cores.end(), std::greater_equal<>()) == cores.end());
        bool all_pinned = true;
        std::thread([&] {
            for (const int core : cores) all_pinned = all_pinned && pinThisThread(core);
        }).join();
        QVERIFY(all_pinned);
    }

    void theClockIsChosenByRanksAndCores() {
        RunConfig config;
        config.params.p = 2;
        QCOMPARE(chooseProvenance(config, 2), Provenance::Measured);
        QCOMPARE(chooseProvenance(config, 1), Provenance::Reconstructed);
        config.durations = Durations::Calibrated;
        QCOMPARE(chooseProvenance(config, 2), Provenance::Reconstructed);
        config.durations = Durations::Raw;
        config.clock = ClockChoice::Reconstructed;
        QCOMPARE(chooseProvenance(config, 2), Provenance::Reconstructed);
        QVERIFY(clockProblems(config, 1).empty());
    }

    void measuringMoreRanksThanCoresIsAProblem() {
        RunConfig config;
        config.params.p = 4;
        config.clock = ClockChoice::Measured;
        QVERIFY(clockProblems(config, 4).empty());
        const std::vector<Problem> found = clockProblems(config, 2);
        QCOMPARE(found.size(), std::size_t{1});
        QCOMPARE(found[0].field, std::string("p"));
        QCOMPARE(found[0].legal, std::vector<long>{2});
        config.durations = Durations::Calibrated;
        QCOMPARE(clockProblems(config, 2).size(), std::size_t{2});
    }

    void reconstructedOperationsFollowEachOtherOnTheirOwnClock() {
        ReconstructedClock clock({1.0, 2.5}, usableCores(), nullptr);
        clock.beginIteration(1000);
        std::thread([&] {
            const OpTime first = clock.run(0, {0, Op::Forward, 0}, [] { burn(200'000); });
            QCOMPARE(first.start_ns, std::int64_t{1000});
            QCOMPARE(first.end_ns - first.start_ns, first.cpu_ns);
            QCOMPARE(clock.now_ns(0), first.end_ns);
            const OpTime second = clock.run(0, {0, Op::Forward, 0}, [] { burn(100'000); });
            QCOMPARE(second.start_ns, first.end_ns);
            clock.waitUntil(0, second.end_ns + 77);
            QCOMPARE(clock.now_ns(0), second.end_ns + 77);
            clock.waitUntil(0, second.end_ns);  // the past does not come back
            QCOMPARE(clock.now_ns(0), second.end_ns + 77);
            QCOMPARE(clock.now_ns(1), std::int64_t{1000});
            clock.giveWay(0);
            const OpTime slow = clock.run(1, {0, Op::Forward, 0}, [] { burn(100'000); });
            QCOMPARE(slow.duration_ns, std::int64_t(std::llround(2.5 * static_cast<double>(slow.cpu_ns))));
            QCOMPARE(slow.end_ns - slow.start_ns, slow.duration_ns);
        }).join();
    }

    void aFailedOperationGivesItsTokenBack() {
        ReconstructedClock clock({1.0}, {usableCores().front()}, nullptr);
        std::thread([&] {
            QVERIFY_THROWS_EXCEPTION(std::runtime_error, clock.run(0, {0, Op::Forward, 0}, [] {
                throw std::runtime_error("broken");
            }));
            clock.run(0, {0, Op::Forward, 0}, [] {});  // would wait for ever
        }).join();
    }

    void calibratedOperationsLastTheirMedian() {
        Calibration calibration;
        ReconstructedClock clock({1.0}, usableCores(), &calibration);
        const auto run = [&](Op op) {
            OpTime time;
            std::thread([&] { time = clock.run(0, {3, op, 0}, [] { burn(50'000); }); }).join();
            return time;
        };
        const OpTime raw = run(Op::Forward);
        QCOMPARE(raw.end_ns - raw.start_ns, raw.duration_ns);
        calibration.add({{3, Op::Forward, 100}, {3, Op::Forward, 900}, {3, Op::Forward, 120}});
        QVERIFY(!calibration.median_ns(3, Op::Forward));  // not before the iteration has ended
        calibration.endIteration();
        const OpTime placed = run(Op::Forward);
        QCOMPARE(placed.end_ns - placed.start_ns, std::int64_t{120});
        QVERIFY(placed.duration_ns > 120);
        const OpTime other = run(Op::Backward);
        QCOMPARE(other.end_ns - other.start_ns, other.duration_ns);
    }

    void theMedianForgetsOldIterations() {
        Calibration calibration;
        for (std::size_t i = 0; i < Calibration::kIterations; ++i) {
            calibration.add({{0, Op::Forward, 10}});
            calibration.endIteration();
        }
        QCOMPARE(calibration.median_ns(0, Op::Forward).value(), 10.0);
        for (std::size_t i = 0; i < Calibration::kIterations / 2; ++i) {
            calibration.add({{0, Op::Forward, 20}});
            calibration.endIteration();
        }
        QCOMPARE(calibration.median_ns(0, Op::Forward).value(), 15.0);
        calibration.add({{0, Op::Forward, 20}});
        calibration.endIteration();
        QCOMPARE(calibration.median_ns(0, Op::Forward).value(), 20.0);
        QVERIFY(!calibration.median_ns(1, Op::Forward));
    }

    void momentsWithinAnOperationStayInsideIt() {
        OpTime time;
        time.start_ns = 1000;
        time.end_ns = 1200;
        time.work_start_ns = 50;
        time.work_end_ns = 150;
        QCOMPARE(time.place_ns(50), std::int64_t{1000});
        QCOMPARE(time.place_ns(100), std::int64_t{1100});
        QCOMPARE(time.place_ns(150), std::int64_t{1200});
        QCOMPARE(time.place_ns(10), std::int64_t{1000});
        QCOMPARE(time.place_ns(500), std::int64_t{1200});
    }

    void disturbedMeansMoreWallThanCpu() {
        OpTime time;
        time.cpu_ns = 1000;
        time.wall_ns = 1050;
        QVERIFY(!time.disturbed());
        time.wall_ns = 1051;
        QVERIFY(time.disturbed());
    }

    void measuredTimeReallyPasses() {
        MeasuredClock clock({1.0}, usableCores());
        clock.prepareThread(0);
        clock.beginIteration(5'000'000'000);
        const std::int64_t start_ns = clock.now_ns(0);
        QVERIFY(start_ns >= 5'000'000'000);
        clock.waitUntil(0, start_ns + 1'000'000);
        QVERIFY(clock.now_ns(0) >= start_ns + 1'000'000);
        const OpTime time = clock.run(0, {0, Op::Forward, 0}, [] { burn(100'000); });
        QVERIFY(time.end_ns - time.start_ns >= 100'000);
        QCOMPARE(time.wall_ns, time.end_ns - time.start_ns);
    }

    // What comes between two parts of an operation takes time on the rank's clock, and is none of its work.
    void interruptionsAreNoWork() {
        static constexpr std::int64_t kWait_ns = 3'000'000;
        const auto nap = [] { std::this_thread::sleep_for(std::chrono::nanoseconds(kWait_ns)); };
        const auto work = [&](Clock& clock, std::int64_t& interrupted_ns) {
            return clock.run(0, {0, Op::Forward, 0}, [&] {
                burn(200'000);
                clock.interrupt(0, [&] {
                    interrupted_ns = clock.now_ns(0);
                    nap();
                    clock.waitUntil(0, interrupted_ns + kWait_ns);
                });
                burn(200'000);
            });
        };
        std::int64_t interrupted_ns = 0;
        ReconstructedClock reconstructed({2.0}, usableCores(), nullptr);
        reconstructed.beginIteration(1'000'000);
        OpTime time = work(reconstructed, interrupted_ns);
        QCOMPARE(time.start_ns, std::int64_t{1'000'000});
        QCOMPARE(reconstructed.now_ns(0), time.end_ns);
        QVERIFY(interrupted_ns >= time.start_ns + 2 * 200'000);
        QCOMPARE(time.duration_ns, time.end_ns - time.start_ns);
        QVERIFY(std::abs(time.duration_ns - kWait_ns - 2 * time.cpu_ns) <= 2);
        QVERIFY(time.work_end_ns - time.work_start_ns >= time.wall_ns + kWait_ns);

        MeasuredClock measured({2.0}, usableCores());
        measured.prepareThread(0);
        measured.beginIteration(1'000'000);
        time = work(measured, interrupted_ns);
        QVERIFY(interrupted_ns >= time.start_ns + 2 * 200'000);
        QVERIFY(time.end_ns >= interrupted_ns + kWait_ns + 2 * 200'000);
        QVERIFY(time.wall_ns >= 4 * 200'000);
        QVERIFY(time.end_ns - time.start_ns >= time.wall_ns + kWait_ns);
    }

    void aMeasuredRankLooksForAWhileBeforeItSleeps() {
        std::int64_t time_ns = 0;
        const MeasuredClock clock({1.0}, usableCores(), [&time_ns] { return time_ns += 500; });
        int looks = 0;
        clock.lookBeforeSleep([&looks] { return ++looks == 3; });
        QCOMPARE(looks, 3);
        looks = 0;
        const std::int64_t before = time_ns;
        clock.lookBeforeSleep([&looks] { return ++looks < 0; });  // it never comes
        QVERIFY(looks > 10);
        QVERIFY(time_ns - before < 3'000'000);
        looks = 0;
        const Calibration none;
        makeClock(Provenance::Reconstructed, RunConfig{}, usableCores(), none)->lookBeforeSleep([&looks] {
            return ++looks > 0;
        });
        QCOMPARE(looks, 0);  // its core is another rank's meanwhile
    }

    void aSlowMeasuredRankReallySpins() {
        MeasuredClock clock({3.0}, usableCores());
        clock.beginIteration(0);
        std::int64_t work_end_ns = 0;
        const OpTime time = clock.run(0, {0, Op::Forward, 0}, [&] {
            burn(100'000);
            work_end_ns = clock.now_ns(0);
        });
        QVERIFY(time.end_ns - time.start_ns >= 3 * (work_end_ns - time.start_ns));
    }

    void noMoreThreadsComputeThanThereAreTokens() {
        RunTokens tokens({usableCores().front(), usableCores().front()});
        std::atomic<int> holders{0}, most{0};
        std::vector<std::thread> threads;
        for (int rank = 0; rank < 6; ++rank)
            threads.emplace_back([&, rank] {
                int core = -1;
                for (int i = 0; i < 50; ++i) {
                    core = tokens.acquire(i, rank, core);
                    const int now = ++holders;
                    for (int seen = most; seen < now && !most.compare_exchange_weak(seen, now);) {
                    }
                    --holders;
                    tokens.release(core);
                }
            });
        for (std::thread& thread : threads) thread.join();
        QVERIFY(most <= 2);
    }

    void whoIsLittleAheadMayKeepItsToken() {
        RunTokens tokens({usableCores().front()});
        const int core = tokens.acquire(0, 0, -1);
        constexpr std::int64_t kFar_ns = std::int64_t{1} << 60, kOthers_ns = 5'000;
        QVERIFY(tokens.mayKeep(kFar_ns));  // no rank waits
        std::thread other([&] { tokens.release(tokens.acquire(kOthers_ns, 1, -1)); });
        while (tokens.mayKeep(kFar_ns)) std::this_thread::yield();
        QVERIFY(tokens.mayKeep(kOthers_ns + RunTokens::kLittle_ns));
        QVERIFY(!tokens.mayKeep(kOthers_ns + RunTokens::kLittle_ns + 1));
        tokens.release(core);
        other.join();
    }

    // The core is free again when a rank that kept it gives way, and when it is too far ahead.
    void aRankGivesWay() {
        ReconstructedClock clock({1.0, 1.0}, {usableCores().front()}, nullptr);
        clock.beginIteration(0);
        clock.run(0, {0, Op::Forward, 0}, [] {});
        std::atomic<int> done = 0;
        std::thread other([&] {
            clock.run(1, {1, Op::Forward, 0}, [&] { done = 1; });
            clock.giveWay(1);
            clock.run(1, {1, Op::Forward, 1}, [&] { done = 2; });
            clock.giveWay(1);
        });
        clock.giveWay(0);
        while (done < 1) std::this_thread::yield();
        clock.run(0, {0, Op::Forward, 1}, [] {});
        clock.waitUntil(0, clock.now_ns(0) + 10 * RunTokens::kLittle_ns);
        while (done < 2) clock.run(0, {0, Op::Forward, 2}, [] {});
        clock.giveWay(0);
        other.join();
    }

    void aTokenWakesOnlyWhoIsNext() {
        constexpr int kThreads = 48, kTimes = 100;
        RunTokens tokens({usableCores().front()});
        const auto sleeps = [] {
            rusage usage{};
            getrusage(RUSAGE_SELF, &usage);
            return usage.ru_nvcsw;
        };
        const long before = sleeps();
        std::vector<std::thread> threads;
        for (int rank = 0; rank < kThreads; ++rank)
            threads.emplace_back([&, rank] {
                for (int i = 0, core = -1; i < kTimes; ++i) {
                    core = tokens.acquire(i, rank, core);
                    tokens.release(core);
                }
            });
        for (std::thread& thread : threads) thread.join();
        const long a_turn = (sleeps() - before) / (kThreads * kTimes);
        QVERIFY2(a_turn < kThreads / 4, qPrintable(QString("a turn made %1 threads sleep").arg(a_turn)));
    }
};

BUBBLESCOPE_TEST(TestClock)

}  // namespace tst_clock

#include "tst_clock.moc"
