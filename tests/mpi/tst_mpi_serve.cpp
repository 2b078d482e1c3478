// `mpirun bscope serve`: a viewer controls ranks that are processes as it controls threads, and hears when
// one of them is gone.
#include <QTest>
#include <csignal>
#include <map>

#include "changes.h"
#include "mpirun.h"
#include "raw_viewer.h"
#include "registered_test.h"
#include "wire/convert.h"

namespace tst_mpi_serve {

using namespace bscope;

namespace {

class Engine {
public:
    explicit Engine(int processes, const QStringList& more = {}) {
        prepare(process);
        process.start(MPIRUN, underMpi(processes, QStringList{"serve", "--paused", "-p", "2", "-m", "4"} +
                                                      smallModel() + withTestToken() + more));
        QByteArray line;
        QElapsedTimer since;
        for (since.start(); !line.contains('\n') && since.elapsed() < 30000;) {
            process.waitForReadyRead(1000);
            line += process.readAllStandardOutput();
        }
        port = line.trimmed().split(':').back().toInt();
    }
    ~Engine() {
        if (process.state() == QProcess::NotRunning) return;
        process.terminate();
        process.waitForFinished(20000);
    }
    QProcess process;
    int port = 0;
};

RunConfig shape(const char* schedule, int p, int m) {
    RunConfig config = smallConfig(schedule, p, m);
    config.micro_batch = RunConfig().micro_batch;
    config.model = RunConfig().model;
    config.model.layers = 4;
    config.model.hidden = 64;
    config.model.heads = 2;
    config.model.sequence = 32;
    return config;
}

wire::Message configure(const RunConfig& config, std::uint64_t request) {
    wire::Message message;
    message.mutable_configure()->set_request(request);
    *message.mutable_configure()->mutable_config() = toWire(config);
    return message;
}

// What comes before the next report: how many backwards of which iteration; and that no operation comes that
// starts before a watermark.
struct Seen {
    std::map<int, int> backwards;  // by iteration
    std::int64_t watermark_ns = 0;
    bool is_late = false;

    IterationReport untilReport(RawViewer& viewer) {
        while (const auto message = viewer.next()) {
            if (message->has_iteration_report()) return fromWire(message->iteration_report());
            if (message->has_watermark()) watermark_ns = message->watermark().time_ns();
            if (!message->has_events()) continue;
            for (const Event& event : fromWire(message->events())) {
                if (event.op == Op::Backward) ++backwards[event.iteration];
                is_late = is_late || (isCompute(event.op) && event.start_ns < watermark_ns);
            }
        }
        return {};
    }
};

IterationReport nextReport(RawViewer& viewer) {
    return fromWire(viewer.expect(wire::Message::kIterationReport).iteration_report());
}

}  // namespace

class TestMpiServe : public QObject {
    Q_OBJECT

private slots:
    void aViewerChangesThePipeline() {
        Engine engine(3);
        QVERIFY(engine.port > 0);
        RawViewer viewer(engine.port);
        viewer.attach();
        RunObserver no_observer;
        Run threads(shape("1f1b", 2, 4), no_observer);
        int iteration = 0;
        for (const RunConfig& config : {shape("1f1b", 2, 4), shape("gpipe", 3, 6), shape("1f1b", 1, 2)}) {
            viewer.send(configure(config, 1));
            const auto reply = viewer.expect(wire::Message::kConfigureReply).configure_reply();
            QCOMPARE(reply.problems_size(), 0);
            QCOMPARE(reply.from_iteration(), iteration);
            viewer.control(wire::Control::STEP);
            const auto start = fromWire(viewer.expect(wire::Message::kIterationStart).iteration_start());
            QCOMPARE(start.config.params.p, config.params.p);
            QCOMPARE(start.device.find("idle") != std::string::npos, config.params.p < 3);
            threads.configure(config);
            const IterationReport report = nextReport(viewer);
            QCOMPARE(report.iteration, iteration++);
            QCOMPARE(report.loss, threads.iterate().loss);
        }
        viewer.send(configure(shape("1f1b", 4, 4), 2));
        const auto refused = viewer.expect(wire::Message::kConfigureReply).configure_reply();
        QCOMPARE(refused.problems_size(), 1);
        QCOMPARE(
            fromWire(refused.problems(0)).text(),
            std::string("p = 4, but mpirun started 3 processes; each is one rank; nearest legal values: 3"));
    }

    void aSweepAndANewStartLeaveTheTrainingAlone() {
        Engine engine(2);
        RawViewer viewer(engine.port);
        viewer.attach();
        viewer.control(wire::Control::STEP);
        const double first = nextReport(viewer).loss;
        wire::Message sweep;
        sweep.mutable_start_sweep()->add_m(2);
        sweep.mutable_start_sweep()->add_m(4);
        sweep.mutable_start_sweep()->set_iterations(1);
        viewer.send(sweep);
        const auto swept = viewer.expect(wire::Message::kSweep, [](const auto& message) {
            return message.sweep().finished() || message.sweep().cancelled();
        });
        QVERIFY(swept.sweep().finished());
        QVERIFY(swept.sweep().points(1).has_median());
        viewer.control(wire::Control::STEP);
        RunObserver no_observer;
        Run threads(shape("1f1b", 2, 4), no_observer);
        QCOMPARE(threads.iterate().loss, first);
        QCOMPARE(nextReport(viewer).loss, threads.iterate().loss);
        // In the middle of an iteration.
        viewer.control(wire::Control::RUN);
        nextReport(viewer);
        viewer.control(wire::Control::STOP);
        viewer.expect(wire::Message::kStatus,
                      [](const auto& message) { return message.status().state() == wire::IDLE; });
        viewer.control(wire::Control::STEP);
        const IterationReport again = nextReport(viewer);
        QCOMPARE(again.iteration, 0);
        QCOMPARE(again.loss, first);
    }

    void aViewerSeesAStream() {
        Engine engine(3);
        RawViewer viewer(engine.port);
        viewer.attach();
        const RunConfig stream = shape("pipedream", 3, 4);
        viewer.send(configure(stream, 1));
        QCOMPARE(viewer.expect(wire::Message::kConfigureReply).configure_reply().problems_size(), 0);
        viewer.control(wire::Control::RUN);
        RunObserver no_observer;
        Run threads(stream, no_observer);
        Seen seen;
        for (int i = 0; i < 5; ++i) {
            const IterationReport report = seen.untilReport(viewer);
            QCOMPARE(report.iteration, i);
            QCOMPARE(report.loss, threads.iterate(Run::kEndless).loss);
            QCOMPARE(seen.backwards[i], 3 * 4);
            QCOMPARE(report.ranks.size(), std::size_t{3});
            QCOMPARE(report.ranks[0].weight_versions, 3);
        }
        QVERIFY(seen.watermark_ns > 0 && !seen.is_late);
        // Changed while it runs: the stream is drained, its last iterations are reported.
        const RunConfig flushed = shape("1f1b", 2, 4);
        viewer.send(configure(flushed, 2));
        const auto reply = viewer.expect(wire::Message::kConfigureReply).configure_reply();
        QCOMPARE(reply.problems_size(), 0);
        IterationReport report;
        do {
            report = nextReport(viewer);
        } while (report.schedule == "pipedream");
        QCOMPARE(report.schedule, std::string("1f1b"));
        QCOMPARE(report.iteration, reply.from_iteration());
        viewer.control(wire::Control::STOP);
        viewer.expect(wire::Message::kStatus,
                      [](const auto& message) { return message.status().state() == wire::IDLE; });
    }

    void aLostRankIsReported_data() {
        QTest::addColumn<QString>("schedule");
        QTest::addColumn<int>("signal");
        QTest::newRow("killed") << "1f1b" << SIGKILL;
        QTest::newRow("silent") << "1f1b" << SIGSTOP;
        QTest::newRow("killed in a stream") << "pipedream" << SIGKILL;
        QTest::newRow("killed in a paused stream") << "pipedream" << SIGKILL;
    }

    void aLostRankIsReported() {
        QFETCH(QString, schedule);
        QFETCH(int, signal);
        QTemporaryDir folder;
        const QString kept = folder.filePath("kept.safetensors");
        Engine engine(2, {"--schedule", schedule, "--keep-every", "1", "--keep", kept});
        RawViewer viewer(engine.port);
        viewer.attach();
        viewer.control(wire::Control::RUN);
        for (int i = 0; i < 3; ++i) nextReport(viewer);
        if (QByteArray(QTest::currentDataTag()).contains("paused")) {
            viewer.control(wire::Control::PAUSE);
            viewer.expect(wire::Message::kStatus,
                          [](const auto& message) { return message.status().state() == wire::PAUSED; });
        }
        const QList<qint64> ranks = childrenOf(engine.process.processId());
        QCOMPARE(ranks.size(), 2);
        ::kill(static_cast<pid_t>(ranks[1]), signal);
        const auto failure = viewer.expect(wire::Message::kFailure).failure();
        const QString sentence = QString::fromStdString(failure.sentence());
        static const QRegularExpression kSentence(
            "^Rank 0 stopped .*: rank 0 waited [0-9.]+ s for (rank 1|all ranks) in |"
            "^Between iterations rank 1 \\(process");
        QVERIFY2(sentence.contains(kSentence), qPrintable(sentence));
        QVERIFY2(sentence.contains("rank 1"), qPrintable(sentence));
        QCOMPARE(QString::fromStdString(failure.kept_state()), kept);
        QVERIFY(failure.kept_before() > 0);
        QVERIFY(engine.process.waitForFinished(20000));
        QVERIFY(engine.process.exitCode() != 0);
        for (const qint64 each : ranks) QTRY_VERIFY_WITH_TIMEOUT(!isAlive(each), 5000);
        QVERIFY(QFile::exists(kept));
    }
};

BUBBLESCOPE_TEST(TestMpiServe)

}  // namespace tst_mpi_serve

#include "tst_mpi_serve.moc"
