// An engine at work for a long time, reconfigured again and again while viewers come and go: what it holds of
// the machine (memory, descriptors, threads) is what it held after the first changes, and its recording is
// replayed in less time than it took. BSCOPE_SOAK_S=600 lasts ten minutes (60 s).
#include <QDir>
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>
#include <array>
#include <memory>

#include "bscope_process.h"
#include "raw_viewer.h"
#include "registered_test.h"
#include "wire/convert.h"

namespace tst_soak {

using namespace bscope;

namespace {

struct Held {
    double memory_mb = 0;  // resident, 1e6 bytes
    qsizetype descriptors = 0, threads = 0;
};

qsizetype entriesOf(const QString& folder) {
    return QDir(folder).entryList(QDir::AllEntries | QDir::NoDotAndDotDot | QDir::System).size();
}

Held heldBy(qint64 process) {
    const QString folder = QString("/proc/%1/").arg(process);
    QFile memory(folder + "statm");
    const QByteArray pages =
        memory.open(QIODevice::ReadOnly) ? memory.readAll().split(' ').value(1) : QByteArray();
    return {pages.toDouble() * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6, entriesOf(folder + "fd"),
            entriesOf(folder + "task")};
}

QString textOf(const Held& held) {
    return QString("%1 MB, %2 descriptors, %3 threads")
        .arg(held.memory_mb, 0, 'f', 1)
        .arg(held.descriptors)
        .arg(held.threads);
}

RunConfig trained(const char* schedule, int p, int m, int v) {
    RunConfig config;
    config.schedule = schedule;
    config.params = {p, v, m};
    config.model.hidden = 32;
    config.model.heads = 2;
    config.model.sequence = 16;
    config.model.layers = 4;
    config.micro_batch = 1;
    config.clock = ClockChoice::Reconstructed;
    return config;
}

}  // namespace

class TestSoak : public QObject {
    Q_OBJECT

    // The one before leaves when the engine notices.
    static std::unique_ptr<RawViewer> inControl(int port) {
        for (;;) {
            auto viewer = std::make_unique<RawViewer>(port);
            viewer->attach();
            if (viewer->expect(wire::Message::kHello).hello().controller()) return viewer;
        }
    }

    // One round through configurations of one to four ranks, of whole and split backwards, replicas and
    // streams. Every one trains some iterations; a viewer comes and goes meanwhile, another one never reads.
    static void round(int port, std::uint64_t& request) {
        static const std::array<RunConfig, 7> kRound = {
            trained("1f1b", 2, 4, 1),      trained("interleaved", 2, 4, 2), trained("zb-h1", 4, 8, 1),
            trained("pipedream", 2, 4, 1), trained("gpipe", 1, 2, 1),       trained("chimera", 2, 4, 2),
            trained("1f1b", 4, 8, 1)};
        const std::unique_ptr<RawViewer> owner = inControl(port);
        for (const RunConfig& config : kRound) {
            wire::Message wanted;
            wanted.mutable_configure()->set_request(++request);
            *wanted.mutable_configure()->mutable_config() = toWire(config);
            owner->send(wanted);
            const wire::Message reply = owner->expect(wire::Message::kConfigureReply);
            QVERIFY2(reply.configure_reply().problems_size() == 0, config.schedule.c_str());
            RawViewer deaf(port, 4096);
            deaf.attach(kTestToken, kProtocolVersion, true);
            {
                RawViewer guest(port);
                guest.attach(kTestToken, kProtocolVersion, true);
                guest.expect(wire::Message::kHello);
            }
            for (int reports = 0; reports < 3; ++reports)
                owner->expect(wire::Message::kIterationReport, [&](const wire::Message& message) {
                    return message.iteration_report().schedule() == config.schedule;
                });
        }
    }

private slots:
    void whatIsHeldDoesNotGrow() {
        bool given = false;
        const int requested = qEnvironmentVariableIntValue("BSCOPE_SOAK_S", &given);
        const qint64 lasts_ms = 1000LL * (given ? requested : 60);
        QTemporaryDir folder;
        const QString recording = folder.filePath("run.bscope");
        QProcess server;
        server.start(bscopeProgram(), QStringList{"serve", "--record", recording} + withTestToken() +
                                          QStringList{"-p", "2", "--clock", "reconstructed"} + tinyModel());
        QByteArray line;
        QTRY_VERIFY_WITH_TIMEOUT((line += server.readAllStandardOutput()).contains('\n'), 60000);
        const int port = line.trimmed().split(':').back().toInt();
        std::uint64_t request = 0;
        QElapsedTimer since;
        since.start();
        constexpr int kRoundsBefore = 10;  // buffers have found their sizes, and the engine keeps 200 reports
        for (int i = 0; i < kRoundsBefore; ++i) round(port, request);
        const Held before = heldBy(server.processId());
        int rounds = 0;
        while (rounds < 3 || since.elapsed() < lasts_ms) {
            round(port, request);
            ++rounds;
        }
        QVERIFY(before.memory_mb > 1 && before.descriptors > 3 && before.threads > 1);
        Held after;
        const auto is_what_it_was = [&] {  // a viewer that has left is noticed when its line is used
            after = heldBy(server.processId());
            return after.descriptors <= before.descriptors && after.threads <= before.threads;
        };
        QTRY_VERIFY2_WITH_TIMEOUT(is_what_it_was(), qPrintable(textOf(before) + " became " + textOf(after)),
                                  20000);
        QVERIFY2(after.memory_mb < 1.25 * before.memory_mb + 8,
                 qPrintable(textOf(before) + " became " + textOf(after)));
        // It stays until the engine has read this: a connection that is closed with frames unread is reset,
        // and what it sent last is lost with it.
        const std::unique_ptr<RawViewer> owner = inControl(port);
        owner->control(wire::Control::SHUTDOWN);
        QVERIFY(server.waitForFinished(60000));
        QCOMPARE(server.exitCode(), 0);
        const qint64 lasted_ms = since.elapsed();

        since.restart();
        const Outcome replayed = bscopeRun({"replay", recording, "--json"}, 600'000);
        const qint64 replay_ms = since.elapsed();
        QVERIFY2(replayed.code == 0, replayed.errors);
        QVERIFY(replayed.json().size() >= 3 * 7 * (rounds + kRoundsBefore));
        qInfo().noquote() << QString("%1 s, %2 changes: %3, then %4; %5 iterations replayed in %6 s")
                                 .arg(static_cast<double>(lasted_ms) / 1e3, 0, 'f', 1)
                                 .arg(request)
                                 .arg(textOf(before), textOf(after))
                                 .arg(replayed.json().size())
                                 .arg(static_cast<double>(replay_ms) / 1e3, 0, 'f', 2);
    }
};

BUBBLESCOPE_TEST(TestSoak)

}  // namespace tst_soak

#include "tst_soak.moc"
