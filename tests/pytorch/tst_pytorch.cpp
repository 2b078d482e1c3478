// The probe and real PyTorch: small models trained through torch.distributed.pipelining on CPUs over gloo.
// What the probe recorded is the order that the schedule itself names, and agrees with Kineto's trace of the
// same run. BUBBLESCOPE_PYTHON names a Python that has PyTorch; without one the test is skipped.
#include <signal.h>
#include <unistd.h>

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <map>
#include <tuple>

#include "bscope_process.h"
#include "imported_runs.h"
#include "registered_test.h"
#include "schedule/action.h"
#include "timeline/median.h"

namespace tst_pytorch {

using namespace bscope;

namespace {

constexpr int kStartPatience_ms = 120'000, kRunPatience_ms = 900'000;

QString python() {
    return qEnvironmentVariable("BUBBLESCOPE_PYTHON", QStringLiteral("python3"));
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
    explicit Training(const QStringList& words) {
        setProcessChannelMode(MergedChannels);
        setChildProcessModifier([] { ::setsid(); });
        start(python(),
              QStringList{QStringLiteral(BUBBLESCOPE_SOURCE_DIR "/tests/pytorch/train_pipeline.py")} + words);
    }
    ~Training() override {
        if (state() == NotRunning) return;
        ::kill(-static_cast<pid_t>(processId()), SIGKILL);
        waitForFinished();
    }
    // "": it ended well.
    QByteArray failure() {
        if (!waitForFinished(kRunPatience_ms)) return "the training does not end";
        return exitStatus() == NormalExit && exitCode() == 0 ? QByteArray() : readAll();
    }
};

using OperationKey = std::tuple<int, int, Op, int>;  // iteration from 0, stage, op, micro-batch

std::map<OperationKey, double> durationsByOperation(const ImportedRun& run) {
    std::map<OperationKey, double> durations;
    for (int rank = 0; rank < run.timeline.ranks(); ++rank)
        for (const Event& event : run.timeline.compute(rank))
            if (isCompute(event.op))
                durations[{event.iteration - run.reports.front().iteration, event.stage, event.op,
                           event.microbatch}] = static_cast<double>(event.duration_ns());
    return durations;
}

QJsonObject objectIn(const QString& file) {
    QFile in(file);
    return in.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(in.readAll()).object() : QJsonObject();
}

std::vector<double> numbersOf(const QJsonValue& list) {
    std::vector<double> numbers;
    for (const QJsonValue& each : list.toArray()) numbers.push_back(each.toDouble());
    return numbers;
}

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
        QTest::addColumn<QString>("schedule");
        QTest::addColumn<int>("p");
        QTest::addColumn<QString>("known");
        QTest::addColumn<bool>("named");  // Kineto names the operations, so that their times can be compared
        for (const int p : {2, 4}) {
            const auto row = [p](const char* schedule, const char* known, bool named) {
                QTest::addRow("%s, p = %d", schedule, p) << QString(schedule) << p << QString(known) << named;
            };
            row("GPipe", "gpipe", false);
            row("1F1B", "1f1b", false);
            row("Interleaved1F1B", "interleaved", true);
            row("InterleavedZeroBubble", "", true);
            row("ZBVZeroBubble", "", true);
        }
    }
    void theProbeRecordsWhatRan() {
        QFETCH(QString, schedule);
        QFETCH(int, p);
        QFETCH(QString, known);
        QFETCH(bool, named);
        QTemporaryDir folder;
        const int m = 2 * p;
        Training training({"record", schedule, QString::number(p), QString::number(m), folder.path()});
        const QByteArray failure = training.failure();
        QVERIFY2(failure.isEmpty(), failure.constData());

        const std::filesystem::path root = folder.path().toStdString();
        for (const char* recorded : {"probe", "kineto"}) QCOMPARE(refusalOf(root / recorded), QString());
        const ImportedRun run = imported(root / "probe");
        QCOMPARE(run.origin.source, std::string("Bubblescope probe (PyTorch)"));
        QCOMPARE(run.schedule.params.p, p);
        QCOMPARE(run.schedule.params.m, m);
        QCOMPARE(run.reports.size(), std::size_t{3});
        QVERIFY(!run.origin.numbers_inferred);
        QVERIFY(run.origin.aligned);
        if (!known.isEmpty()) QCOMPARE(recognised(run), known.toStdString());
        for (int rank = 0; rank < p; ++rank) {
            const QStringList order = namedOrder(folder.filePath(QStringLiteral("order_%1.json").arg(rank)));
            QCOMPARE(order.isEmpty(), !named);
            if (named) QCOMPARE(cellsOf(run.schedule.orders[static_cast<std::size_t>(rank)]), order);
        }

        const ImportedRun traced = imported(root / "kineto");
        QCOMPARE(traced.schedule.orders, run.schedule.orders);
        QCOMPARE(traced.schedule.placement, run.schedule.placement);
        QCOMPARE(traced.reports.size(), run.reports.size());
        // Both clocks are the host's, and the probe's range lies within Kineto's.
        std::vector<double> ratios;
        const auto by_kineto = durationsByOperation(traced);
        for (const auto& [operation, ns] : durationsByOperation(run)) {
            QVERIFY(by_kineto.contains(operation));
            ratios.push_back(ns / by_kineto.at(operation));
        }
        const double ratio = median(ratios),
                     whole = run.reports[1].iteration_ms / traced.reports[1].iteration_ms;
        qInfo("probe / Kineto: an operation %.3f (median of %zu), an iteration %.3f", ratio, ratios.size(),
              whole);
        QVERIFY2(!named || (ratio > 0.9 && ratio < 1.02), qPrintable(QString::number(ratio)));
        QVERIFY2(whole > 0.9 && whole < 1.1, qPrintable(QString::number(whole)));
    }

    // Processor time, which other programs do not lengthen: what the ranges of a step take by themselves, and
    // steps with the probe over steps without it, pair by pair.
    void theProbeCostsLessThanOnePercent() {
        QTemporaryDir folder;
        Training training({"overhead", "1F1B", "2", "4", folder.path(),
                           qEnvironmentVariable("BUBBLESCOPE_PROBE_PAIRS", QStringLiteral("20"))});
        const QByteArray failure = training.failure();
        QVERIFY2(failure.isEmpty(), failure.constData());
        for (int rank = 0; rank < 2; ++rank) {
            const QJsonObject reported =
                objectIn(folder.filePath(QStringLiteral("overhead_%1.json").arg(rank)));
            const std::vector<double> with = numbersOf(reported["with"]),
                                      without = numbersOf(reported["without"]);
            QVERIFY(!with.empty() && with.size() == without.size());
            QCOMPARE(reported["operations"].toDouble(), 8.0);
            const double of_ranges =
                reported["range"].toDouble() * reported["operations"].toDouble() / median(without);
            std::vector<double> ratios, deviations;
            for (std::size_t at = 0; at < with.size(); ++at) ratios.push_back(with[at] / without[at]);
            const double ratio = median(ratios);
            for (const double each : ratios) deviations.push_back(std::abs(each - ratio));
            const double error =
                1.2533 * 1.4826 * median(deviations) / std::sqrt(static_cast<double>(ratios.size()));
            qInfo(
                "rank %d: a range %.1f us, %.3f %% of a step of %.1f ms; with / without the probe %.4f +- "
                "%.4f",
                rank, 1e6 * reported["range"].toDouble(), 100 * of_ranges, 1e3 * median(without), ratio,
                error);
            QVERIFY2(of_ranges > 0 && of_ranges < 0.01, qPrintable(QString::number(of_ranges)));
            QVERIFY2(ratio < 1.01 + 4 * error, qPrintable(QString::number(ratio)));
        }
    }

    void aTrainingIsSentWhileItRuns() {
        QTemporaryDir folder;
        QProcess collecting;
        const auto end = qScopeGuard([&collecting] {
            collecting.kill();
            collecting.waitForFinished();
        });
        collecting.start(bscopeProgram(),
                         QStringList{"collect", "--once", "-o", folder.filePath("collected")} + withTestToken());
        QByteArray line;
        while (!line.contains('\n') && collecting.waitForReadyRead(kStartPatience_ms))
            line += collecting.readAllStandardOutput();
        const QString port = line.trimmed().split(':').back();
        Training training(
            {"live", "ZBVZeroBubble", "2", "4", folder.path(), "127.0.0.1:" + port, withTestToken().back()});
        const QByteArray failure = training.failure();
        QVERIFY2(failure.isEmpty(), failure.constData());
        QVERIFY(collecting.waitForFinished(kStartPatience_ms));
        for (const char* rank : {"0", "1"}) {
            const QString name = QStringLiteral("/probe_rank_%1.jsonl").arg(rank);
            QFile sent(folder.filePath("collected") + name), written(folder.filePath("probe") + name);
            QVERIFY(sent.open(QIODevice::ReadOnly) && written.open(QIODevice::ReadOnly));
            const QByteArray text = written.readAll();
            QVERIFY(!text.isEmpty());
            QCOMPARE(sent.readAll(), text);
        }
        QCOMPARE(imported(folder.filePath("collected").toStdString()).reports.size(), std::size_t{3});
    }
};

BUBBLESCOPE_TEST(TestPyTorch)

}  // namespace tst_pytorch

#include "tst_pytorch.moc"
