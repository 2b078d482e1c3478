// How reading and importing a long run grows with its iterations: four times as many take four times as long,
// not sixteen. CPU time of this thread, each kind of clock in one run beside its limit.
#include <QTemporaryDir>
#include <QTest>

#include "bench/timed.h"
#include "import/imported_run.h"
#include "unit/import_files.h"

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
};

QTEST_GUILESS_MAIN(BenchImport)
#include "bench_import.moc"
