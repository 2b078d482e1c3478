// kill -9 at any moment: the recording can be replayed, and from the kept state training goes on with the
// same bits. The runs have no end, so that every one of them is killed, on a machine of any speed.
// BSCOPE_KILLS=N kills so many (4); 200 take some minutes.
#include <QElapsedTimer>
#include <QRandomGenerator>
#include <QTemporaryDir>
#include <QTest>

#include "bscope_process.h"
#include "registered_test.h"

namespace tst_kill {

using namespace bscope;

namespace {

constexpr int kIterations = 400;

QStringList trains(const QString& schedule) {
    return QStringList{"run", "--schedule", schedule, "-p",      "2",
                       "-m",  "4",          "--json", "--clock", "reconstructed"} +
           tinyModel();
}

}  // namespace

class TestKill : public QObject {
    Q_OBJECT

    QList<QJsonObject> expected_;

private slots:
    void initTestCase() {
        expected_ =
            bscopeRun(trains("1f1b") + QStringList{"--iterations", QString::number(kIterations)}).json();
        QCOMPARE(expected_.size(), kIterations);
    }

    void nothingIsLost_data() {
        QTest::addColumn<int>("reports");
        QTest::addColumn<int>("then_ms");
        bool given = false;
        const int requested = qEnvironmentVariableIntValue("BSCOPE_KILLS", &given);
        QRandomGenerator random(7);
        for (int i = 0; i < (given ? requested : 4); ++i) {
            const int reports = i % 2 == 0 ? static_cast<int>(random.bounded(kIterations)) : 0;
            const int then_ms = static_cast<int>(random.bounded(i % 2 == 0 ? 20 : 300));
            QTest::addRow("%d: %d ms after %d reports", i, then_ms, reports) << reports << then_ms;
        }
    }

    void nothingIsLost() {
        QFETCH(int, reports);
        QFETCH(int, then_ms);
        QTemporaryDir folder;
        const QString recording = folder.filePath("run.bscope"), kept = folder.filePath("kept.safetensors");
        QProcess process;
        process.start(bscopeProgram(),
                      trains("1f1b") + QStringList{"--iterations", "1000000", "--record", recording,
                                                   "--keep-every", "1", "--keep", kept});
        QVERIFY(process.waitForStarted());
        QByteArray out;
        QTRY_VERIFY_WITH_TIMEOUT((out += process.readAllStandardOutput()).count('\n') >= reports, 120000);
        QVERIFY(!process.waitForFinished(then_ms));
        process.kill();
        QVERIFY(process.waitForFinished(20000));
        out += process.readAllStandardOutput();
        const auto reported = out.count('\n');
        if (QFileInfo(recording).size() > 0) {
            const Outcome replayed = bscopeRun({"replay", recording, "--json"});
            QVERIFY2(!replayed.crashed, replayed.errors);
            // A report is flushed before it is printed by anybody else; the file may hold one more, not
            // fewer.
            if (reported > 0)
                QVERIFY2(replayed.code == 0 && replayed.json().size() + 1 >= reported, replayed.errors);
        }
        if (!QFile::exists(kept)) {
            QVERIFY(reported <= 1);
            return;
        }
        const Outcome again = bscopeRun(trains("1f1b") + QStringList{"--iterations", "2", "--load", kept});
        QVERIFY2(again.code == 0, again.errors);
        const QList<QJsonObject> after = again.json();
        QCOMPARE(after.size(), 2);
        const int first = after[0]["iteration"].toInt();
        QVERIFY(first + 1 >= reported);
        for (int i = 0; i < 2 && first + i < kIterations; ++i) {
            QCOMPARE(after[i]["iteration"].toInt(), first + i);
            QCOMPARE(after[i]["loss"].toDouble(), expected_[first + i]["loss"].toDouble());
        }
    }
};

BUBBLESCOPE_TEST(TestKill)

}  // namespace tst_kill

#include "tst_kill.moc"
