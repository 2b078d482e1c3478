// STOP, SHUTDOWN and signals act soon in every state, however long what is modelled would take: waits of a
// thousand seconds and more end within a bound that only a hang exceeds.
#include <QElapsedTimer>
#include <QTest>
#include <csignal>

#include "bscope_process.h"
#include "registered_test.h"
#include "run/cancellation.h"
#include "run/sweep.h"
#include "served.h"
#include "wire/convert.h"
#include "workers/hardware.h"

namespace tst_interrupt {

using namespace bscope;

namespace {

constexpr double kVeryLong_us = 1e9;
constexpr std::chrono::seconds kSoon{20};

bool isState(const wire::Message& message, wire::RunState state) {
    return message.has_status() && message.status().state() == state;
}

RunConfig withClock(ClockChoice clock) {
    RunConfig config = Served::small();
    config.clock = clock;
    return config;
}

RunConfig withLink(const char* schedule) {
    RunConfig config = withClock(ClockChoice::Measured);
    config.schedule = schedule;
    config.link.latency_us = kVeryLong_us;
    return config;
}

// An iteration with more work than anybody waits for.
RunConfig withMuchWork(const char* schedule, int p) {
    RunConfig config = withClock(ClockChoice::Reconstructed);
    config.schedule = schedule;
    config.params = {p, 1, 8192, 0};
    config.micro_batch = 4;
    config.model = {4, 128, 2, 64, 256};
    return config;
}

RunConfig withSlowRank() {
    RunConfig config = withClock(ClockChoice::Measured);
    config.slow_ranks = {{1, 1e6}};
    return config;
}

struct State {
    const char* name;
    RunConfig config;
};

}  // namespace

class TestInterrupt : public QObject {
    Q_OBJECT

    static std::vector<State> states() {
        std::vector<State> all = {{"one rank at work", withMuchWork("1f1b", 1)},
                                  {"ranks at work", withMuchWork("1f1b", 2)},
                                  {"a stream at work", withMuchWork("pipedream", 2)}};
        if (Hardware().cores().size() < 2) return all;  // nothing can be measured here
        all.push_back({"a link", withLink("1f1b")});
        all.push_back({"a link, GPipe", withLink("gpipe")});
        all.push_back({"a link in a stream", withLink("pipedream")});
        RunConfig replicas = withLink("chimera");
        replicas.params.v = 2;
        all.push_back({"a link between replicas", replicas});
        all.push_back({"a slow rank", withSlowRank()});
        return all;
    }

private slots:
    void aRunStops_data() {
        QTest::addColumn<RunConfig>("config");
        QTest::addColumn<bool>("shut_down");
        for (const State& state : states())
            for (const bool shut_down : {false, true})
                QTest::addRow("%s: %s", state.name, shut_down ? "SHUTDOWN" : "STOP")
                    << state.config << shut_down;
    }
    void aRunStops() {
        QFETCH(RunConfig, config);
        QFETCH(bool, shut_down);
        Served served(Served::paused(), config);
        RawViewer viewer(served.port());
        viewer.attach();
        viewer.control(wire::Control::RUN);
        QVERIFY(viewer.until(wire::Message::kIterationStart).has_value());
        std::this_thread::sleep_for(std::chrono::milliseconds(300));  // well into it
        QElapsedTimer since;
        since.start();
        viewer.control(shut_down ? wire::Control::SHUTDOWN : wire::Control::STOP);
        if (shut_down) {
            while (viewer.next(kSoon)) continue;
            QTRY_VERIFY_WITH_TIMEOUT(served.ended(), 20000);
        } else {
            QVERIFY(viewer.until(wire::Message::kStatus, [](const auto& m) { return isState(m, wire::IDLE); })
                        .has_value());
        }
        QVERIFY2(std::chrono::milliseconds(since.elapsed()) < kSoon,
                 qPrintable(QString::number(since.elapsed())));
    }

    void aSweepIsCancelled_data() {
        QTest::addColumn<RunConfig>("config");
        for (const State& state : states()) QTest::addRow("%s", state.name) << state.config;
    }
    void aSweepIsCancelled() {
        QFETCH(RunConfig, config);
        SweepRequest request;
        request.config = config;
        request.values = {config.params.m};
        Cancellation cancel;
        std::atomic<bool> begun = false;
        std::thread other([&] {
            while (!begun) std::this_thread::sleep_for(std::chrono::milliseconds(1));
            std::this_thread::sleep_for(std::chrono::milliseconds(300));
            cancel.cancel();
        });
        QElapsedTimer since;
        since.start();
        const SweepState state = sweep(
            request, [&](const SweepState&) { begun = true; }, cancel);
        other.join();
        QVERIFY(state.cancelled);
        QVERIFY2(std::chrono::milliseconds(since.elapsed()) < kSoon,
                 qPrintable(QString::number(since.elapsed())));
    }

    void signalsEndAProgram_data() {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<int>("signal");
        QTest::addColumn<int>("status");
        if (Hardware().cores().size() < 2) QSKIP("one core: nothing can be measured here");
        for (const int signal : {SIGINT, SIGTERM}) {
            QTest::addRow("run, %d", signal) << QStringList{"run"} << signal << 128 + signal;
            QTest::addRow("sweep, %d", signal)
                << QStringList{"sweep", "--m", "2,4"} << signal << 128 + signal;
            QTest::addRow("serve, %d", signal) << QStringList{"serve"} + withTestToken() << signal << 0;
        }
    }
    void signalsEndAProgram() {
        QFETCH(QStringList, words);
        QFETCH(int, signal);
        QFETCH(int, status);
        QProcess process;
        process.start(
            bscopeProgram(),
            words + QStringList{"-p", "2", "--clock", "measured", "--link-latency-us", "1e9"} + tinyModel());
        QVERIFY(process.waitForStarted());
        QTest::qWait(1500);
        ::kill(static_cast<pid_t>(process.processId()), signal);
        QVERIFY(process.waitForFinished(20000));
        if (process.exitStatus() == QProcess::NormalExit)  // else it was too early for it to care
            QCOMPARE(process.exitCode(), status);
    }
};

BUBBLESCOPE_TEST(TestInterrupt)

}  // namespace tst_interrupt

#include "tst_interrupt.moc"
