// Files of Ascend's profiler, written here after its documents.
#include <QTemporaryDir>
#include <QTest>

#include "import_files.h"
#include "imported_runs.h"
#include "registered_test.h"
#include "timeline/analysis.h"

namespace tst_import_ascend {

using namespace bscope;

namespace fs = std::filesystem;

namespace {

void compare(const ImportedRun& run, const Timeline& timeline, const std::string& schedule) {
    QCOMPARE(recognised(run), schedule);
    QCOMPARE(run.origin.source, std::string("Ascend PyTorch profiler"));
    QVERIFY(run.origin.numbers_inferred && !run.origin.operations_inferred);
    QVERIFY(run.origin.aligned);
    QVERIFY(!run.origin.knows_transfers);
    const IterationSummary reported = summarize(timeline, 0), found = summarize(run.timeline, 0);
    for (std::size_t rank = 0; rank < reported.ranks.size(); ++rank) {
        QCOMPARE(found.ranks[rank].busy_ns, reported.ranks[rank].busy_ns);
        // Ascend's definition, by hand: receives between a rank's first and last operation, over that time.
        const auto compute = timeline.compute(static_cast<int>(rank));
        std::int64_t start_ns = compute[0].start_ns, end_ns = 0, received_ns = 0;
        for (const Event& event : compute)
            if (isCompute(event.op)) end_ns = std::max(end_ns, event.end_ns);
        for (const Event& event : timeline.receives(static_cast<int>(rank)))
            received_ns += std::max<std::int64_t>(
                0, std::min(event.end_ns, end_ns) - std::max(event.start_ns, start_ns));
        QVERIFY(received_ns > 0);
        const double defined = static_cast<double>(received_ns) / static_cast<double>(end_ns - start_ns);
        QVERIFY(std::abs(run.reports.front().ranks[rank].bubble_of_source - defined) < 1e-12);
    }
}

}  // namespace

class TestImportAscend : public QObject {
    Q_OBJECT

private slots:
    void tracesAreRead_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("v");
        for (const char* name : {"gpipe", "1f1b"}) QTest::newRow(name) << QString(name) << 1;
        QTest::newRow("interleaved") << "interleaved" << 2;
    }
    // Times are texts with more digits than a double keeps, and come back to the nanosecond.
    void tracesAreRead() {
        QFETCH(QString, name);
        QFETCH(int, v);
        const Timeline timeline = playedTimeline(name.toStdString(), {2, v, 4}, 0.1234567);
        QTemporaryDir folder;
        const fs::path root = folder.path().toStdString();
        putAscendTraces(root, timeline);
        const ImportedRun run = imported(root);
        compare(run, timeline, name.toStdString());
        QCOMPARE(run.schedule.params.v, v);
        QCOMPARE(say(run.origin.notes.back(), Language::English),
                 "the files do not contain v: " + std::to_string(v) +
                     " is used, from the order of the operations");
    }

    void whatTheHostDidIsNoOperation() {
        QTemporaryDir folder;
        const fs::path root = folder.path().toStdString(), file = root / "trace_view.json";
        put(file, R"([{"ph":"X","name":"{'name': 'forward_step'}","pid":7,"tid":1,"ts":"1.5","dur":3}])");
        QVERIFY2(refusalOf(root).contains("Ascend Hardware"), qPrintable(refusalOf(root)));
        putAscendTraces(root, playedTimeline("1f1b", {2, 1, 4}));
        QVERIFY2(
            refusalOf(root).contains("does not say its rank") || refusalOf(root).contains("Ascend Hardware"),
            qPrintable(refusalOf(root)));
    }

#ifdef BUBBLESCOPE_SQLITE
    // The steps that the profiler numbered are iterations; what lies outside them is left out.
    void stepsAreIterations() {
        const Timeline timeline = playedTimeline("1f1b", {2, 1, 4});
        const std::int64_t step_ns = 2 * timeline.end_ns();
        QTemporaryDir folder;
        const fs::path root = folder.path().toStdString();
        putAscendDatabases(root, timeline);
        for (int rank = 0; rank < 2; ++rank) {
            std::string text = "CREATE TABLE STEP_TIME(id INTEGER, startNs INTEGER, endNs INTEGER);";
            for (const int step : {0, 1, 2}) {
                if (step > 0)
                    text += "INSERT INTO StepTaskInfo SELECT name, startNs + " +
                            std::to_string(step * step_ns) + ", endNs + " + std::to_string(step * step_ns) +
                            ", type FROM StepTaskInfo WHERE startNs < " + std::to_string(step_ns) + ";";
                if (step < 2)
                    text += "INSERT INTO STEP_TIME VALUES(" + std::to_string(7 + step) + "," +
                            std::to_string(step * step_ns) + "," + std::to_string((step + 1) * step_ns - 1) +
                            ");";
            }
            runSql(root / ("ascend_pytorch_profiler_" + std::to_string(rank) + ".db"), text);
        }
        const ImportedRun run = imported(root);
        QCOMPARE(recognised(run), std::string("1f1b"));
        QCOMPARE(run.schedule.params.m, 4);
        QCOMPARE(run.reports.size(), std::size_t{2});
        QCOMPARE(run.reports.front().iteration, 7);
    }

    void databasesAreRead() {
        const Timeline timeline = playedTimeline("1f1b", {3, 1, 6});
        QTemporaryDir folder;
        const fs::path root = folder.path().toStdString();
        putAscendDatabases(root, timeline);
        compare(imported(root), timeline, "1f1b");
        fs::remove(root / "ascend_pytorch_profiler_2.db");
        runSql(root / "ascend_pytorch_profiler_2.db", "CREATE TABLE TASK(a INTEGER);");
        QVERIFY2(refusalOf(root).contains("pp_chart"), qPrintable(refusalOf(root)));
        runSql(root / "ascend_pytorch_profiler_2.db",
               "CREATE TABLE StepTaskInfo(name TEXT, startNs INTEGER, endNs INTEGER, type INTEGER);"
               "INSERT INTO StepTaskInfo VALUES('step 1', 1, 2, 0);");
        QVERIFY2(refusalOf(root).contains("\"step 1\""), qPrintable(refusalOf(root)));
    }
#endif
};

BUBBLESCOPE_TEST(TestImportAscend)

}  // namespace tst_import_ascend

#include "tst_import_ascend.moc"
