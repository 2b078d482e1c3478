// `bscope serve` as a process: the token that it makes, descriptors that run out, and what another user of
// the machine gets of it.
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QElapsedTimer>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <array>
#include <memory>

#include "bscope_process.h"
#include "raw_viewer.h"
#include "registered_test.h"

namespace tst_serve_access {

using namespace bscope;

namespace {

int portOf(QProcess& server) {
    QByteArray line;
    QElapsedTimer since;
    for (since.start(); !line.contains('\n') && since.elapsed() < 20000;) {
        server.waitForReadyRead(1000);
        line += server.readAllStandardOutput();
    }
    return line.trimmed().split(':').back().toInt();
}

QByteArray contentOf(const QString& file) {
    QFile in(file);
    return in.open(QIODevice::ReadOnly) ? in.readAll() : QByteArray();
}

// Clock ticks of CPU time.
long cpuOf(qint64 process) {
    const QList<QByteArray> fields =
        contentOf(QString("/proc/%1/stat").arg(process)).split(')').back().split(' ');
    return fields.value(12).toLong() + fields.value(13).toLong();
}

}  // namespace

class TestServeAccess : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    // serve with a token of its own, below folder_.
    void start(QProcess& server, const QStringList& more = {}) const {
        auto environment = QProcessEnvironment::systemEnvironment();
        environment.insert("XDG_RUNTIME_DIR", folder_.path());
        server.setProcessEnvironment(environment);
        server.start(bscopeProgram(), QStringList{"serve", "--paused"} + more + tinyModel());
    }
    static void end(QProcess& server) {
        server.terminate();
        QVERIFY(server.waitForFinished(20000));
    }

private slots:
    void theUrlLetsIn() {
        QProcess server;
        start(server, {"--show-url"});
        const int port = portOf(server);
        QVERIFY(port > 0);
        QByteArray said;
        server.setReadChannel(QProcess::StandardError);
        while (said.count('\n') < 3 && (server.bytesAvailable() > 0 || server.waitForReadyRead(5000)))
            said += server.readAll();
        static const QRegularExpression form("bscope://([0-9a-f]{32})@127\\.0\\.0\\.1:(\\d+)\n");
        const QRegularExpressionMatch url = form.match(QString::fromUtf8(said));
        QVERIFY2(url.hasMatch(), said.constData());
        QCOMPARE(url.captured(2).toInt(), port);
        RawViewer viewer(port);
        viewer.attach(url.captured(1).toStdString());
        QVERIFY(!viewer.next()->has_failure());
        end(server);
    }

    void theLineToCopyNamesATokenThatWorks() {
        QProcess server;
        start(server);
        const int port = portOf(server);
        QVERIFY(port > 0);
        QByteArray said;
        server.setReadChannel(QProcess::StandardError);
        while (said.count('\n') < 2 && (server.bytesAvailable() > 0 || server.waitForReadyRead(5000)))
            said += server.readAll();
        static const QRegularExpression line(
            "bubblescope --connect 127\\.0\\.0\\.1:(\\d+) --token-file (\\S+)\n");
        const auto match = line.match(QString::fromUtf8(said));
        QVERIFY2(match.hasMatch(), said);
        QCOMPARE(match.captured(1).toInt(), port);
        const QString file = match.captured(2);
        QCOMPARE(QFile::permissions(file) &
                     (QFile::ReadGroup | QFile::ReadOther | QFile::WriteGroup | QFile::WriteOther),
                 QFile::Permissions());
        const QByteArray token = contentOf(file).trimmed();
        QCOMPARE(token.size(), 32);
        QVERIFY(said.contains("ssh -f -N -L "));
        for (const char* place : {"cmdline", "environ"})
            QVERIFY(!contentOf(QString("/proc/%1/%2").arg(server.processId()).arg(place)).contains(token));
        RawViewer stranger(port);
        stranger.attach();
        QVERIFY(stranger.next()->has_failure());
        RawViewer owner(port);
        owner.attach(token.toStdString());
        QVERIFY(owner.next()->hello().controller());
        end(server);
        QVERIFY(!QFile::exists(file));
    }

    void theTokenComesThroughStandardInput() {
        QProcess server;
        start(server, {"--token-from-input", "--exit-when-alone"});
        server.write("0123456789abcdef\nwhat follows is not read\n");
        const int port = portOf(server);
        QVERIFY(port > 0);
        {
            RawViewer owner(port);
            owner.attach("0123456789abcdef");
            QVERIFY(owner.next()->has_hello());
        }
        QVERIFY(server.waitForFinished(20000));
        QCOMPARE(server.exitCode(), 0);
        for (const char* input : {"", "too short\n"}) {
            QProcess wrong;
            start(wrong, {"--token-from-input"});
            wrong.write(input);
            wrong.closeWriteChannel();
            QVERIFY(wrong.waitForFinished(20000));
            QCOMPARE(wrong.exitCode(), 2);
            QVERIFY(wrong.readAllStandardError().contains("at least 16 characters"));
        }
    }

    // The share of a core that it uses is compared with what a loop would.
    void withoutDescriptorsItWaitsAndTheOwnerGetsIn() {
        if (*SANITIZERS)
            QSKIP("the sanitizer checks an object's type through a pipe, which takes a descriptor");
        QProcess server;
        const QStringList words = QStringList{"serve", "--paused"} + tinyModel() + withTestToken();
        server.start("/bin/sh",
                     QStringList{"-c", "ulimit -n 20; exec \"$0\" \"$@\"", bscopeProgram()} + words);
        const int port = portOf(server);
        QVERIFY(port > 0);
        std::vector<std::unique_ptr<RawViewer>> inside;
        for (int i = 0; i < 30; ++i) {
            inside.push_back(std::make_unique<RawViewer>(port));
            inside.back()->attach(kTestToken, kProtocolVersion, true);
        }
        QElapsedTimer wall;
        wall.start();
        const long before = cpuOf(server.processId());
        QTest::qWait(1000);
        const double share = static_cast<double>(cpuOf(server.processId()) - before) /
                             static_cast<double>(sysconf(_SC_CLK_TCK)) /
                             (static_cast<double>(wall.elapsed()) / 1e3);
        QVERIFY2(share < 0.5, qPrintable(QString::number(share)));
        inside.clear();
        std::vector<std::unique_ptr<RawViewer>> idle;
        for (int i = 0; i < 30; ++i) idle.push_back(std::make_unique<RawViewer>(port));
        RawViewer owner(port);
        owner.attach();
        QVERIFY(owner.next()->has_hello());
        owner.control(wire::Control::STEP);
        QVERIFY(owner.until(wire::Message::kIterationReport).has_value());
        end(server);
        QVERIFY(server.readAllStandardError().contains("no more viewers can connect"));
    }

    void anotherUserGetsNeitherControlNorAByte() {
        if (geteuid() != 0) QSKIP("only root can become another user");
        constexpr uid_t kNobody = 65534;
        const QString state = folder_.filePath("state.safetensors");
        QFile::setPermissions(folder_.path(), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner |
                                                  QFile::ReadOther | QFile::ExeOther);
        QProcess server;
        start(server, {"--allow", folder_.path()});
        const int port = portOf(server);
        QVERIFY(port > 0);
        const std::string process = "/proc/" + std::to_string(server.processId());
        const std::string token =
            QDir(folder_.filePath("bubblescope")).entryList(QDir::Files).value(0).toStdString();
        QVERIFY(!token.empty());
        const std::string token_file = folder_.filePath("bubblescope/").toStdString() + token;
        const pid_t other = fork();
        if (other == 0) {
            // Only what is safe after a fork; the status says what it got.
            if (setgid(kNobody) != 0 || setuid(kNobody) != 0) _exit(100);
            int got = 0;
            for (const std::string& file :
                 {token_file, process + "/environ", process + "/mem", process + "/fd/0"})
                if (open(file.c_str(), O_RDONLY) >= 0) ++got;
            try {
                for (const char* guess : {"", "0123456789abcdef"}) {
                    RawViewer thief(port);
                    thief.attach(guess);
                    thief.control(wire::Control::RUN);
                    const auto answer = thief.next();
                    if (answer && !answer->has_failure()) got += 10;
                }
            } catch (const std::exception&) {
                _exit(101);
            }
            _exit(got);
        }
        int status = -1;
        QCOMPARE(waitpid(other, &status, 0), other);
        QVERIFY(WIFEXITED(status));
        QCOMPARE(WEXITSTATUS(status), 0);
        QVERIFY(!QFile::exists(state));
        end(server);
        QVERIFY(server.readAllStandardError().contains("its token is wrong"));
    }
};

BUBBLESCOPE_TEST(TestServeAccess)

}  // namespace tst_serve_access

#include "tst_serve_access.moc"
