// The terminal view in a pseudo-terminal: it opens, takes keys, follows the size, and gives the terminal back
// whatever ends it.
#include <QDir>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>

#include "bscope_process.h"
#include "played_run.h"
#include "registered_test.h"
#include "tmux.h"
#include "wire/engine_address.h"

namespace tst_terminal_screen {

using namespace bscope;

namespace {

constexpr const char* kEnglish = "TERM=tmux-256color LC_ALL=C.UTF-8";

// The process of `bscope serve` with this seed; -1: there is none.
qint64 engineWith(const QString& seed) {
    for (const QString& process : QDir("/proc").entryList(QDir::Dirs)) {
        QFile line("/proc/" + process + "/cmdline");
        if (!line.open(QIODevice::ReadOnly)) continue;
        const QByteArrayList words = line.readAll().split('\0');
        if (words.value(1) == "serve" && words.contains(seed.toUtf8())) return process.toLongLong();
    }
    return -1;
}

}  // namespace

class TestTerminalScreen : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    QString file_ = folder_.filePath("run.bscope");

    QString view() const { return bscopeProgram() + " view " + file_; }

private slots:
    void initTestCase() {
        if (!Tmux::isThere()) QSKIP("tmux is missing (Debian: tmux)");
        const Outcome asked = bscopeRun({"view", file_});
        if (asked.errors.contains("without ncursesw")) QSKIP("bscope was built without ncursesw");
        RunConfig config;
        config.params = {4, 1, 8, 0};
        config.micro_batch = 1;
        config.model = {8, 32, 2, 16, 256};
        recordPlayed(file_, config, 3);
    }

    void keysWorkAndQuitGivesTheScreenBack() {
        Tmux tmux(100, 30, kEnglish);
        QVERIFY(tmux.awaits("ready>"));
        tmux.type(view());
        QVERIFY2(tmux.awaits("iteration 3"), qPrintable(tmux.screen()));
        QVERIFY(tmux.screen().contains("q quit"));
        tmux.keys({"j"});
        QVERIFY(tmux.awaits("iteration 2"));
        tmux.keys({"."});
        QVERIFY(tmux.awaits("0F0: forward of micro-batch 1"));
        tmux.keys({"PPage"});
        QVERIFY(tmux.awaits("iteration 1"));
        tmux.keys({"?"});
        QVERIFY(tmux.awaits("Next largest gap"));
        tmux.keys({"Escape"});
        QVERIFY(tmux.awaits("rank 3"));
        tmux.keys({"q"});
        QVERIFY2(tmux.awaitsPrompt(), qPrintable(tmux.screen()));
        QVERIFY(!tmux.screen().contains("rank 3"));
        tmux.type("stty -a | tr ';' '\\n' | grep -o -w -e '-\\?icanon' -e '-\\?echo'; echo status $?");
        QVERIFY2(tmux.awaits("\necho"), qPrintable(tmux.screen()));
        QVERIFY(tmux.screen().contains("\nicanon"));
    }

    void theSizeIsFollowed() {
        Tmux tmux(100, 30, kEnglish);
        tmux.type(view());
        QVERIFY(tmux.awaits("q quit"));
        tmux.resize(30, 20);
        QVERIFY2(tmux.awaits("too narrow: 30"), qPrintable(tmux.screen()));
        tmux.resize(140, 45);
        QVERIFY2(tmux.awaits("of ideal = idle / busy"), qPrintable(tmux.screen()));
    }

    void stoppedAndContinuedItStandsThereAgain() {
        Tmux tmux(100, 30, kEnglish);
        tmux.type(view());
        QVERIFY(tmux.awaits("q quit"));
        tmux.keys({"C-z"});
        QVERIFY2(tmux.awaits("Stopped"), qPrintable(tmux.screen()));
        tmux.type("fg");
        QVERIFY2(tmux.awaits("q quit"), qPrintable(tmux.screen()));
        tmux.keys({"C-c"});
        QVERIFY2(tmux.awaitsPrompt(), qPrintable(tmux.screen()));
        tmux.type("echo it is $((40+2))");
        QVERIFY2(tmux.awaits("it is 42"), qPrintable(tmux.screen()));
    }

    void kindsOfTerminals_data() {
        QTest::addColumn<QString>("environment");
        QTest::addColumn<QString>("seen");
        for (const char* term : {"xterm", "xterm-256color", "linux", "vt100", "screen", "tmux"})
            QTest::newRow(term) << QString("TERM=%1 LC_ALL=C.UTF-8").arg(term) << "q quit";
        QTest::newRow("no colours") << "TERM=xterm-256color NO_COLOR=1 LC_ALL=C.UTF-8"
                                    << "F1";
        QTest::newRow("any colour") << "TERM=xterm-256color COLORTERM=truecolor LC_ALL=C.UTF-8"
                                    << "q quit";
        QTest::newRow("Chinese") << "TERM=xterm-256color LC_ALL=C.UTF-8 LANG=zh_CN.UTF-8 LC_ALL=zh_CN.UTF-8"
                                 << QString::fromUtf8("q 退出");
        QTest::newRow("another locale")
            << "TERM=xterm-256color LC_ALL=C" << QString::fromUtf8("· iteration 3");
    }
    void kindsOfTerminals() {
        QFETCH(QString, environment);
        QFETCH(QString, seen);
        Tmux tmux(100, 30, environment);
        tmux.type(view());
        QVERIFY2(tmux.awaits(seen), qPrintable(tmux.screen()));
        tmux.keys({"q"});
        QVERIFY2(tmux.awaitsPrompt(), qPrintable(tmux.screen()));
        tmux.type("echo it is $((40+2))");
        QVERIFY2(tmux.awaits("it is 42"), qPrintable(tmux.screen()));
    }

    // A run of its own: it goes on, rests, and its engine is killed; the terminal is as it was.
    void topRunsAndSaysThatItsEngineWasKilled() {
        const QString seed = QString::number(40'000 + QCoreApplication::applicationPid() % 10'000);
        Tmux tmux(100, 30, kEnglish);
        tmux.type(bscopeProgram() + " top -p 2 -m 4 --seed " + seed + " " + tinyModel().join(' '));
        QVERIFY2(tmux.awaits("running, iteration"), qPrintable(tmux.screen()));
        QVERIFY2(tmux.awaits("% of total"), qPrintable(tmux.screen()));
        tmux.keys({"Space"});
        QVERIFY2(tmux.awaits("paused, iteration"), qPrintable(tmux.screen()));
        const qint64 engine = engineWith(seed);
        QVERIFY(engine > 0);
        kill(static_cast<pid_t>(engine), SIGKILL);
        QVERIFY2(tmux.awaits("The engine was ended by signal SIGKILL. R starts a new one"),
                 qPrintable(tmux.screen()));
        tmux.keys({"r"});
        QVERIFY2(tmux.awaits("running, iteration"), qPrintable(tmux.screen()));
        tmux.keys({"q"});
        QVERIFY2(tmux.awaitsPrompt(), qPrintable(tmux.screen()));
        tmux.type("echo it is $((40+2))");
        QVERIFY2(tmux.awaits("it is 42"), qPrintable(tmux.screen()));
        QCOMPARE(engineWith(seed), -1);
    }

    void watchTriesAgainUntilAServerAnswers() {
        const QString token = withTestToken().last();
        Tmux tmux(100, 30, kEnglish);
        tmux.type(bscopeProgram() + " watch 127.0.0.1:1 --token-file " + token);
        QVERIFY2(tmux.awaits("No engine answered at 127.0.0.1:1"), qPrintable(tmux.screen()));
        QVERIFY2(tmux.awaits("disconnected, next try in"), qPrintable(tmux.screen()));
        tmux.keys({"q"});
        QVERIFY2(tmux.awaitsPrompt(), qPrintable(tmux.screen()));
        QProcess server;
        server.start(bscopeProgram(), QStringList{"serve", "--paused"} + withTestToken() + tinyModel());
        QVERIFY(server.waitForReadyRead(60000));
        const QString address = QString::fromUtf8(server.readAllStandardOutput()).trimmed().section(' ', -1);
        tmux.type(bscopeProgram() + " watch " + address + " --token-file " + token);
        QVERIFY2(tmux.awaits("Space run, pause"), qPrintable(tmux.screen()));
        tmux.keys({"Space"});
        QVERIFY2(tmux.awaits("running, iteration"), qPrintable(tmux.screen()));
        server.kill();
        QVERIFY(server.waitForFinished());
        QVERIFY2(tmux.awaits("disconnected, next try in"), qPrintable(tmux.screen()));
        tmux.keys({"C-c"});
        QVERIFY2(tmux.awaitsPrompt(), qPrintable(tmux.screen()));
        tmux.type("echo it is $((40+2))");
        QVERIFY2(tmux.awaits("it is 42"), qPrintable(tmux.screen()));
        const Outcome refused = bscopeRun({"watch", "nowhere"});
        QCOMPARE(refused.code, 2);
        QVERIFY(refused.errors.contains("HOST:PORT") && refused.errors.contains("--token-file"));
    }

    // The URL with the token is typed, not shown, and on no command line.
    void watchAsksForTheUrl() {
        Tmux tmux(100, 30, kEnglish);
        tmux.type(bscopeProgram() + " watch");
        QVERIFY2(tmux.awaits("Paste the URL"), qPrintable(tmux.screen()));
        tmux.keys({"C-c"});
        QVERIFY2(tmux.awaitsPrompt(), qPrintable(tmux.screen()));
        tmux.type("echo it is $((40+2))");
        QVERIFY2(tmux.awaits("echo it is"), qPrintable(tmux.screen()));  // what is typed is seen again
        QProcess server;
        server.start(bscopeProgram(), QStringList{"serve", "--paused"} + withTestToken() + tinyModel());
        QVERIFY(server.waitForReadyRead(60000));
        const auto address =
            parseEngineAddress(server.readAllStandardOutput().trimmed().split(' ').last().toStdString());
        QVERIFY(address);
        EngineAddress with_token = *address;
        with_token.token = kTestToken;
        tmux.type("clear; echo gone $((40+3))");  // the words of the first time
        QVERIFY2(tmux.awaits("gone 43"), qPrintable(tmux.screen()));
        tmux.type(bscopeProgram() + " watch");
        QVERIFY2(tmux.awaits("Paste the URL"), qPrintable(tmux.screen()));
        tmux.type(QString::fromStdString(with_token.url()));
        QVERIFY2(tmux.awaits("Space run, pause"), qPrintable(tmux.screen()));
        tmux.keys({"q"});
        QVERIFY2(tmux.awaitsPrompt(), qPrintable(tmux.screen()));
        QVERIFY2(!tmux.screen().contains("bscope://"), qPrintable(tmux.screen()));
        const Outcome on_the_line = bscopeRun({"watch", "bscope://0123456789abcdef@127.0.0.1:7070"});
        QCOMPARE(on_the_line.code, 2);
        QVERIFY2(on_the_line.errors.contains("read by other users"), on_the_line.errors.constData());
    }

    void whatIsNoTerminalIsRefusedWithWhatIs() {
        const Outcome piped = bscopeRun({"view", file_});
        QCOMPARE(piped.code, 1);
        QVERIFY2(piped.errors.contains("must be a terminal; bscope replay"), piped.errors);
        Tmux tmux(100, 30, "TERM=dumb LC_ALL=C.UTF-8");
        tmux.type(view());
        QVERIFY2(tmux.awaits("TERM=dumb is no terminal"), qPrintable(tmux.screen()));
        QVERIFY(tmux.awaits("xterm-256color"));
    }
};

BUBBLESCOPE_TEST(TestTerminalScreen)

}  // namespace tst_terminal_screen

#include "tst_terminal_screen.moc"
