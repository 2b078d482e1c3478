// The probe and real PyTorch: small models trained through torch.distributed.pipelining on CPUs over gloo.
// What the probe recorded is the order that the schedule itself names, and agrees with Kineto's trace of the
// same run. BUBBLESCOPE_PYTHON names a Python that has PyTorch; without one the test is skipped.
#include <signal.h>
#include <unistd.h>

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>

#include "import/imported_run.h"
#include "schedule/action.h"

using namespace bscope;

namespace {

constexpr int kStartPatience_ms = 120'000, kRunPatience_ms = 900'000;

QString python() {
    return qEnvironmentVariable("BUBBLESCOPE_PYTHON", QStringLiteral("python3"));
}

ImportedRun importedFolder(const QString& folder) {
    const std::vector<std::filesystem::path> paths = {folder.toStdString()};
    return importRun(readTracedRun(paths));
}

QStringList cellsOf(const std::vector<Action>& order) {
    QStringList cells;
    for (const Action& action : order)
        cells << QString::fromStdString(toText({action.stage, action.op, action.microbatch}));
    return cells;
}

// The schedule's own list; pairs that run as one are two operations.
QStringList namedOrder(const QString& file) {
    QFile in(file);
    if (!in.open(QIODevice::ReadOnly)) return {};
    QStringList cells;
    for (const QJsonValue& value : QJsonDocument::fromJson(in.readAll()).array()) cells << value.toString();
    return cells;
}

// A training with the processes that it starts, which end with the object.
class Training : public QProcess {
public:
    Training() {
        setProcessChannelMode(MergedChannels);
        setChildProcessModifier([] { ::setsid(); });
    }
    ~Training() override {
        if (state() == NotRunning) return;
        ::kill(-static_cast<pid_t>(processId()), SIGKILL);
        waitForFinished();
    }
};

}  // namespace

class TestPyTorch : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        QProcess process;  // looks for it without loading it, which takes a minute on a busy machine
        process.start(python(),
                      {QStringLiteral("-c"),
                       QStringLiteral("import importlib.util as u; exit(u.find_spec('torch') is None)")});
        if (!process.waitForStarted()) QSKIP("no Python here: name one with PyTorch in BUBBLESCOPE_PYTHON");
        QVERIFY(process.waitForFinished(kStartPatience_ms));
        if (process.exitCode() != 0)
            QSKIP("no PyTorch here: pip install torch, and name the Python in BUBBLESCOPE_PYTHON");
    }

    void theProbeRecordsWhatRan_data() {
        QTest::addColumn<int>("p");
        QTest::addColumn<QString>("known");
        QTest::newRow("GPipe") << 2 << "gpipe";
        QTest::newRow("1F1B") << 4 << "1f1b";
        QTest::newRow("Interleaved1F1B") << 2 << "interleaved";
        QTest::newRow("InterleavedZeroBubble") << 2 << "";
        QTest::newRow("ZBVZeroBubble") << 2 << "";
    }
    void theProbeRecordsWhatRan() {
        QFETCH(int, p);
        QFETCH(QString, known);
        QTemporaryDir folder;
        Training training;
        const int m = 2 * p;
        training.start(python(), {QStringLiteral(BUBBLESCOPE_SOURCE_DIR "/tests/pytorch/train_pipeline.py"),
                                  QString::fromLatin1(QTest::currentDataTag()), QString::number(p),
                                  QString::number(m), folder.path()});
        QVERIFY2(training.waitForFinished(kRunPatience_ms), "the training does not end");
        QVERIFY2(training.exitCode() == 0, training.readAll().constData());

        const ImportedRun run = importedFolder(folder.filePath(QStringLiteral("probe")));
        QCOMPARE(run.origin.source, std::string("Bubblescope probe (PyTorch)"));
        QCOMPARE(run.schedule.params.p, p);
        QCOMPARE(run.schedule.params.m, m);
        QCOMPARE(run.reports.size(), std::size_t{3});
        QVERIFY(!run.origin.numbers_inferred);
        QVERIFY(run.origin.aligned);
        if (!known.isEmpty()) QCOMPARE(run.recognition.schedule.value_or("none"), known.toStdString());
        for (int rank = 0; rank < p; ++rank) {
            const QStringList named = namedOrder(folder.filePath(QStringLiteral("order_%1.json").arg(rank)));
            if (!named.isEmpty())
                QCOMPARE(cellsOf(run.schedule.orders[static_cast<std::size_t>(rank)]), named);
        }

        const ImportedRun traced = importedFolder(folder.filePath(QStringLiteral("kineto")));
        QCOMPARE(traced.schedule.orders, run.schedule.orders);
        QCOMPARE(traced.schedule.placement, run.schedule.placement);
        QCOMPARE(traced.reports.size(), run.reports.size());
    }
};

QTEST_GUILESS_MAIN(TestPyTorch)
#include "tst_pytorch.moc"
