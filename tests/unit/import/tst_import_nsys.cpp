// Databases of nsys, made here; built where SQLite is.
#include <QTemporaryDir>
#include <QTest>

#include "import_files.h"
#include "imported_runs.h"
#include "registered_test.h"
#include "timeline/analysis.h"

namespace tst_import_nsys {

using namespace bscope;

class TestImportNsys : public QObject {
    Q_OBJECT

private slots:
    void databasesOfNsysAreRead() {
        QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath("run.sqlite").toStdString();
        const Timeline timeline = playedTimeline("zb-h1", {2, 1, 4});
        putNsys(file, timeline);
        const ImportedRun run = imported(file);
        QCOMPARE(recognised(run), std::string("zb-h1"));
        QVERIFY(run.origin.times == ImportOrigin::Times::Kernels);
        QCOMPARE(summarize(run.timeline, 0).ranks[0].busy_ns, summarize(timeline, 0).ranks[0].busy_ns);
        put(file, std::string("SQLite format 3\0and no more", 28));
        QVERIFY(!refusalOf(file).isEmpty());
    }

    // Newer versions of nsys number their tables; what Ascend's analysis writes is none of them.
    void tablesWithVersionsAreRead() {
        for (const char* version : {"_V2", "_V3"}) {
            QTemporaryDir folder;
            const std::filesystem::path file = folder.filePath("run.sqlite").toStdString();
            putNsys(file, playedTimeline("zb-h1", {2, 1, 4}));
            std::string renamed;
            for (const char* table :
                 {"NVTX_EVENTS", "CUPTI_ACTIVITY_KIND_RUNTIME", "CUPTI_ACTIVITY_KIND_KERNEL"})
                renamed += std::string("ALTER TABLE ") + table + " RENAME TO " + table + version + ";";
            runSql(file, renamed);
            const ImportedRun run = imported(file);
            QCOMPARE(recognised(run), std::string("zb-h1"));
            QVERIFY(run.origin.times == ImportOrigin::Times::Kernels);
        }
        QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath("analysis.db").toStdString();
        runSql(file, "CREATE TABLE CommAnalyzerTime(a INTEGER);");
        QVERIFY2(refusalOf(file).contains("Ascend's analysis"), qPrintable(refusalOf(file)));
    }

    // Of times that leave their type when they are put together.
    void timesBeyondAnyClockAreRefused() {
        QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath("run.sqlite").toStdString();
        putNsys(file, playedTimeline("zb-h1", {2, 1, 4}));
        runSql(file,
               "UPDATE NVTX_EVENTS SET end = 9223372036854775807 WHERE rowid = 1;"
               "UPDATE TARGET_INFO_SESSION_START_TIME SET utcEpochNs = 9223372036854775807;");
        QVERIFY2(refusalOf(file).contains("outside the range of a clock"), qPrintable(refusalOf(file)));
    }

    // Only messages are named: what follows a receive is known, and it is said to be inferred.
    void rangesOfMegatronAreRead() {
        for (const char* name : {"1f1b", "gpipe"}) {
            QTemporaryDir folder;
            const std::filesystem::path file = folder.filePath("run.sqlite").toStdString();
            const Timeline timeline = playedTimeline(name, {3, 1, 6});
            putNsysOfMegatron(file, timeline);
            const ImportedRun run = imported(file);
            QCOMPARE(recognised(run), std::string(name));
            QVERIFY(run.origin.operations_inferred);
            QCOMPARE(run.schedule.params.m, 6);
            const IterationSummary reported = summarize(timeline, 0), found = summarize(run.timeline, 0);
            for (std::size_t rank = 0; rank < 3; ++rank)
                QCOMPARE(found.ranks[rank].busy_ns,
                         reported.ranks[rank].busy_ns - 2 * 12 * kMegatronMessage_ns);
        }
    }
};

BUBBLESCOPE_TEST(TestImportNsys)

}  // namespace tst_import_nsys

#include "tst_import_nsys.moc"
