// Engines that mean harm: they attach a window and send what no engine does, without an end. The window
// lives, what it holds is bounded, what it leaves out is counted and said, and a good engine that comes after
// is shown. BSCOPE_HOSTILE_MS=N is how
// long each of them has (400).
#include <QElapsedTimer>
#include <QFile>
#include <QSignalSpy>
#include <QTest>
#include <algorithm>
#include <functional>
#include <random>

#include "fake_engine.h"
#include "opened_window.h"
#include "registered_test.h"

namespace tst_hostile_engine {

using namespace bscope;
using namespace bscope::ui;

namespace {

using Flood = std::function<std::string(std::mt19937&)>;

qint64 memory_kB() {
    QFile status(QStringLiteral("/proc/self/status"));
    if (!status.open(QIODevice::ReadOnly)) return 0;
    for (const QByteArray& line : status.readAll().split('\n'))
        if (line.startsWith("VmRSS:")) return line.mid(6).trimmed().split(' ').front().toLongLong();
    return 0;
}

std::string logs(std::size_t letters) {
    wire::Message message;
    message.mutable_log()->set_text(std::string(letters, 'x'));
    return encode(message);
}

std::string failures() {
    wire::Message message;
    message.mutable_failure()->set_sentence("trouble");
    message.mutable_failure()->set_details(std::string(1'000'000, 'x'));
    return encode(message);
}

std::string states(std::mt19937& random) {
    wire::Message message;
    message.mutable_status()->set_state(static_cast<wire::RunState>(random() % 6));
    message.mutable_status()->set_iteration(static_cast<int>(random() % 1000));
    return encode(message);
}

std::string starts(std::mt19937& random) {
    RunConfig config;
    config.params.p = 1 + static_cast<int>(random() % 8);
    config.params.m = 8 * (1 + static_cast<int>(random() % 4));
    wire::Message message;
    *message.mutable_iteration_start() =
        toWire(playedStart(config, static_cast<int>(random() % 50), 0));
    return encode(message);
}

std::string notes(std::mt19937& random) {
    wire::Message message;
    *message.mutable_note() = toWire(RunNote{1 + static_cast<std::int64_t>(random()),
                                             static_cast<int>(random() % 50),
                                             {},
                                             -1,
                                             {},
                                             std::string(RunNote::kMostBytes, 'n')});
    return encode(message);
}

std::string promises() {
    Promise promise;
    promise.change.id = std::string(5000, 'c');
    promise.config = smallRun();
    promise.predicted_ns = 5;
    wire::Message message;
    *message.mutable_promise() = toWire(promise);
    return encode(message);
}

std::string sweeps() {
    SweepState state;
    for (int m = 1; m <= 300; ++m) {
        SweepPoint& point = state.points.emplace_back();
        point.value = point.m = m;
        point.setting = "m = " + std::to_string(m);
    }
    wire::Message message;
    *message.mutable_sweep() = toWire(state);
    return encode(message);
}

std::string bytes(std::mt19937& random, bool zeros) {
    std::string all(1 << 12, '\0');
    for (char& each : all)
        if (!zeros) each = static_cast<char>(random());
    return all;
}

}  // namespace

}  // namespace tst_hostile_engine

Q_DECLARE_METATYPE(tst_hostile_engine::Flood)

namespace tst_hostile_engine {

class TestHostileEngine : public QObject {
    Q_OBJECT
    LessonBook book_ = LessonBook::embedded();

private slots:
    void initTestCase() { OpenedWindow::useTestSettings(); }

    void theWindowLives_data() {
        QTest::addColumn<Flood>("flood");
        QTest::addColumn<bool>("is_left_out");
        const auto row = [](const char* name, bool is_left_out, Flood flood) {
            QTest::newRow(name) << flood << is_left_out;
        };
        row("small logs", true, [](std::mt19937&) { return logs(10); });
        row("large logs", true, [](std::mt19937&) { return logs(100'000); });
        row("failures", true, [](std::mt19937&) { return failures(); });
        row("states", false, states);
        row("starts", false, starts);
        row("notes", true, notes);
        row("promises", true, [](std::mt19937&) { return promises(); });
        row("sweeps", false, [](std::mt19937&) { return sweeps(); });
        row("noise", false, [](std::mt19937& random) { return bytes(random, false); });
        row("zeros", false, [](std::mt19937& random) { return bytes(random, true); });
    }
    void theWindowLives() {
        QFETCH(Flood, flood);
        QFETCH(bool, is_left_out);
        bool given = false;
        const int requested = qEnvironmentVariableIntValue("BSCOPE_HOSTILE_MS", &given);
        std::mt19937 random(901);
        OpenedWindow opened(book_);
        opened.window.resize(800, 560);
        Session& session = part<Session>(opened.window);
        FakeEngine engine;
        session.connectTo({"127.0.0.1", engine.port(), {}}, false);
        QTRY_VERIFY(engine.last(wire::Message::kAttach));
        engine.hello(smallRun());
        QTRY_VERIFY(session.hello().controller());
        QSignalSpy notices(&session, &Session::notice);
        const qint64 before_kB = memory_kB();
        QElapsedTimer since;
        since.start();
        while (!since.hasExpired(given ? requested : 400)) {
            for (int i = 0; i < 64 && engine.hasViewer() && engine.bytesToWrite() < (4 << 20); ++i)
                engine.sendBytes(flood(random));
            QTest::qWait(5);
        }
        const qint64 grown_kB = memory_kB() - before_kB;
        QVERIFY2(*SANITIZERS || grown_kB < 400'000, qPrintable(QString::number(grown_kB)));
        opened.window.grab();
        const auto says_so = [&notices] {
            return std::ranges::any_of(notices, [](const QList<QVariant>& each) {
                return each.front().value<Notice>().sentence.text().contains("further messages left out");
            });
        };
        if (is_left_out) QTRY_VERIFY_WITH_TIMEOUT(says_so(), 20'000);

        FakeEngine good;
        session.connectTo({"127.0.0.1", good.port(), {}}, false);
        QTRY_VERIFY(good.last(wire::Message::kAttach));
        good.startAnew();
        good.hello(smallRun(), wire::RUNNING);
        good.start(smallRun(), 0, 0);
        good.iteration(smallRun(), 0, 0);
        QTRY_COMPARE_WITH_TIMEOUT(session.history().newestComplete(), 0, 20'000);
        QTRY_VERIFY(session.state() == SessionState::Running);
        opened.window.grab();
    }
};

BUBBLESCOPE_WINDOW_TEST(TestHostileEngine)

}  // namespace tst_hostile_engine

#include "tst_hostile_engine.moc"
