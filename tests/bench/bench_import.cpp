// How reading and importing a long run grows with its iterations: four times as many take four times as long,
// not sixteen. CPU time of this thread, each kind of clock in one run beside its limit.
#include <QTemporaryDir>
#include <QTest>

#include "bench/timed.h"
#include "import/imported_run.h"
#include "import/part_of_pipeline.h"
#include "registered_test.h"
#include "unnamed_traces.h"

namespace bench_import {

using namespace bscope;

namespace {

constexpr int kFew = 5000, kMany = 20'000;
constexpr double kMostRatio = 5, kMost_s = 3;

double importing_s(int iterations, bool one_host, bool named) {
    const QTemporaryDir folder;
    const std::vector<std::filesystem::path> paths{folder.path().toStdString()};
    putLongProbeFiles(paths.front(), playedTimeline("1f1b", {2, 1, 4}), iterations, one_host, named);
    std::size_t read = 0;
    const double seconds = bench::bestSeconds(
        0, [&] { read = importRun(readTracedRun(paths)).reports.size(); }, 4);
    return read == static_cast<std::size_t>(iterations) ? seconds : -1;
}

// Traces of PyTorch's profiler, p = 2, m = 2; of one rank they are a part of a pipeline.
double importingTraces_s(int iterations, bool plain, bool whole) {
    const QTemporaryDir folder;
    const std::vector<std::filesystem::path> paths{folder.path().toStdString()};
    UnnamedTraces how{.world_size = 2, .steps = iterations, .plain = plain};
    if (!whole) how.files = {0};
    how.more = [](int, int, int, int until, std::vector<std::string>& events) {
        events.push_back(kinetoX("user_annotation", "Optimizer.step#SGD.step", until + 10, 50));
    };
    putUnnamedTraces(paths.front(), playedTimeline("gpipe", {2, 1, 2}), how);
    std::size_t read = 0;
    const double seconds = bench::bestSeconds(
        0,
        [&] {
            try {
                read = importRun(readTracedRun(paths)).reports.size();
            } catch (const PartOfPipeline& part) {
                read = part.part.ranks.front().iterations.size();
            }
        },
        2);
    return read == static_cast<std::size_t>(iterations) ? seconds : -1;
}

}  // namespace

class BenchImport : public QObject {
    Q_OBJECT
private slots:
    void ofALongRun_data() {
        QTest::addColumn<bool>("one_host");
        QTest::addColumn<bool>("named");
        QTest::newRow("one clock") << true << true;
        QTest::newRow("a clock a rank") << false << true;
        QTest::newRow("numbers by the order") << true << false;
    }
    void ofALongRun() {
        QFETCH(bool, one_host);
        QFETCH(bool, named);
        const double few = importing_s(kFew, one_host, named), many = importing_s(kMany, one_host, named);
        QVERIFY(few > 0 && many > 0);
        qInfo(
            "import of the probe's files, p=2 m=4: %d iterations %.2f s, %d %.2f s (limit %.0f); ratio %.2f "
            "(limit %.0f)",
            kFew, few, kMany, many, kMost_s, many / few, kMostRatio);
        QVERIFY2(many / few < kMostRatio, qPrintable(QString::number(many / few)));
    }

    void ofALongTrace_data() {
        QTest::addColumn<bool>("plain");
        QTest::addColumn<bool>("whole");
        QTest::newRow("named") << true << true;
        QTest::newRow("no names") << false << true;
        QTest::newRow("of one rank") << true << false;
        QTest::newRow("no names, of one rank") << false << false;
    }
    void ofALongTrace() {
        QFETCH(bool, plain);
        QFETCH(bool, whole);
        const double few = importingTraces_s(kFew / 2, plain, whole), many = importingTraces_s(kMany / 2, plain, whole);
        QVERIFY(few > 0 && many > 0);
        qInfo("import of traces, p=2 m=2: %d iterations %.2f s, %d %.2f s; ratio %.2f (limit %.0f)", kFew / 2, few,
              kMany / 2, many, many / few, kMostRatio);
        QVERIFY2(many / few < kMostRatio, qPrintable(QString::number(many / few)));
    }
};

BUBBLESCOPE_TEST(BenchImport)

}  // namespace bench_import

#include "bench_import.moc"
