// kill -9 at any moment: the recording can be replayed, and from the kept state training goes on with the
// same bits. BSCOPE_KILLS=N kills so many runs (4); 200 take some minutes.
#include <QElapsedTimer>
#include <QRandomGenerator>
#include <QTemporaryDir>
#include <QtTest>

#include "../unit/bscope_process.h"

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
        QTest::addColumn<int>("after_ms");
        bool given = false;
        const int wished = qEnvironmentVariableIntValue("BSCOPE_KILLS", &given);
        QRandomGenerator random(7);
        for (int i = 0; i < (given ? wished : 4); ++i) {
            const int after_ms = 20 + static_cast<int>(random.bounded(i % 2 == 0 ? 2500 : 300));
            QTest::addRow("%d: after %d ms", i, after_ms) << after_ms;
        }
    }

    void nothingIsLost() {
        QFETCH(int, after_ms);
        QTemporaryDir folder;
        const QString recording = folder.filePath("run.bscope"), kept = folder.filePath("kept.safetensors");
        QProcess process;
        process.start(bscopeProgram(),
                      trains("1f1b") + QStringList{"--iterations", QString::number(kIterations), "--record",
                                                   recording, "--keep-every", "1", "--keep", kept});
        QVERIFY(process.waitForStarted());
        // On a fast machine the run may have ended by itself: then nothing is lost either.
        if (!process.waitForFinished(after_ms)) {
            process.kill();
            QVERIFY(process.state() == QProcess::NotRunning || process.waitForFinished(20000));
        }
        const auto told = process.readAllStandardOutput().count('\n');
        if (QFileInfo(recording).size() > 0) {
            const Outcome replayed = bscopeRun({"replay", recording, "--json"});
            QVERIFY2(!replayed.crashed, replayed.errors);
            // A report is flushed before it is printed by anybody else; the file may hold one more, not
            // fewer.
            if (told > 0) QVERIFY2(replayed.code == 0 && replayed.json().size() + 1 >= told, replayed.errors);
        }
        if (!QFile::exists(kept)) {
            QVERIFY(told <= 1);
            return;
        }
        const Outcome again = bscopeRun(trains("1f1b") + QStringList{"--iterations", "2", "--load", kept});
        QVERIFY2(again.code == 0, again.errors);
        const QList<QJsonObject> reports = again.json();
        QCOMPARE(reports.size(), 2);
        const int first = reports[0]["iteration"].toInt();
        QVERIFY(first + 1 >= told);
        for (int i = 0; i < 2 && first + i < kIterations; ++i) {
            QCOMPARE(reports[i]["iteration"].toInt(), first + i);
            QCOMPARE(reports[i]["loss"].toDouble(), expected_[first + i]["loss"].toDouble());
        }
    }
};

QTEST_GUILESS_MAIN(TestKill)
#include "tst_kill.moc"
