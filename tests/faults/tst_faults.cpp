// One call of the system fails, whichever it is: the program goes on or ends with a sentence and a status
// that says so; it never crashes, never hangs, and what it calls whole is whole. BSCOPE_FAULT_ROUNDS=N looks
// at N places of each kind (12).
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>

#include "bscope_process.h"
#include "raw_viewer.h"
#include "registered_test.h"

namespace tst_faults {

using namespace bscope;

namespace {

constexpr int kIterations = 3;

QProcessEnvironment withFault(const QString& kind, int number) {
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert("LD_PRELOAD", FAULTS_LIBRARY);
    environment.insert("BSCOPE_FAULT", QString("%1:%2").arg(kind).arg(number));
    return environment;
}

}  // namespace

class TestFaults : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        if (*SANITIZERS)
            QSKIP("sanitizers have an allocator of their own, which a preloaded one would replace");
    }

    void oneCallFails_data() {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<int>("number");
        bool given = false;
        const int requested = qEnvironmentVariableIntValue("BSCOPE_FAULT_ROUNDS", &given);
        const int rounds = given ? requested : 12;
        const struct {
            const char* kind;
            int calls;  // about as many as there are
        } kinds[] = {{"malloc", 6000}, {"thread", 5}, {"write", 24}, {"fsync", 8}, {"open", 8}};
        for (const auto& [kind, calls] : kinds)
            for (int i = 0; i < std::min(rounds, calls); ++i) {
                const int number = 1 + i * calls / std::min(rounds, calls) + (calls > 100 ? 7 * i : 0);
                QTest::addRow("%s %d", kind, number) << kind << number;
            }
    }

    void oneCallFails() {
        QFETCH(QString, kind);
        QFETCH(int, number);
        QTemporaryDir folder;
        const QString recording = folder.filePath("run.bscope"), state = folder.filePath("end.safetensors"),
                      kept = folder.filePath("kept.safetensors");
        QProcess process;
        process.setProcessEnvironment(withFault(kind, number));
        process.start(bscopeProgram(),
                      QStringList{"run", "-p", "2", "--clock", "reconstructed", "--iterations",
                                  QString::number(kIterations), "--json", "--record", recording, "--save",
                                  state, "--keep-every", "1", "--keep", kept} +
                          tinyModel());
        process.closeWriteChannel();
        QVERIFY2(process.waitForFinished(60000), "it hangs");
        const QByteArray errors = process.readAllStandardError();
        QVERIFY2(process.exitStatus() == QProcess::NormalExit, errors);
        const int code = process.exitCode();
        QVERIFY2(code == 0 || code == 1, errors);
        if (code == 0) {
            QCOMPARE(process.readAllStandardOutput().count('\n'), kIterations);
            QVERIFY(QFile::exists(state));
            QCOMPARE(bscopeRun({"replay", recording, "--json"}).json().size(), kIterations);
        } else {
            QVERIFY(!errors.trimmed().isEmpty());
        }
        for (const QString& file : {state, kept}) {
            QVERIFY(!QFile::exists(file + ".part"));
            if (!QFile::exists(file)) continue;
            const Outcome loaded =
                bscopeRun(QStringList{"run", "--iterations", "1", "--json", "--load", file} + tinyModel());
            QVERIFY2(loaded.code == 0 && loaded.json().size() == 1, loaded.errors);
        }
        if (QFile::exists(recording)) {
            const Outcome replayed = bscopeRun({"replay", recording, "--json"});
            QVERIFY2(!replayed.crashed && replayed.code <= 1, replayed.errors);
        }
    }

    void aViewerThatCouldNotBeAcceptedComesInLater() {
        QProcess server;
        server.setProcessEnvironment(withFault("accept", 1));
        server.start(bscopeProgram(), QStringList{"serve", "--paused"} + tinyModel() + withTestToken());
        QByteArray line;
        while (!line.contains('\n') && server.waitForReadyRead(20000)) line += server.readAllStandardOutput();
        RawViewer viewer(line.trimmed().split(':').back().toInt());
        viewer.attach();
        QVERIFY(viewer.next().has_value());
        viewer.control(wire::Control::SHUTDOWN);
        QVERIFY(server.waitForFinished(20000));
        QCOMPARE(server.exitCode(), 0);
    }
};

BUBBLESCOPE_TEST(TestFaults)

}  // namespace tst_faults

#include "tst_faults.moc"
