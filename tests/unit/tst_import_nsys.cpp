// Databases of nsys: two processes under sail's names, made here; built where SQLite is.
#include <sqlite3.h>

#include <QTemporaryDir>
#include <QTest>
#include <fstream>

#include "import/import_error.h"
#include "import/imported_run.h"
#include "schedule/catalog.h"
#include "timeline/analysis.h"
#include "timeline/predict.h"

using namespace bscope;

class TestImportNsys : public QObject {
    Q_OBJECT

private slots:
    void databasesOfNsysAreRead() {
        QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath("run.sqlite").toStdString();
        const std::vector<std::filesystem::path> paths = {file};
        sqlite3* database = nullptr;
        QCOMPARE(sqlite3_open(file.c_str(), &database), SQLITE_OK);
        const auto run = [&](const std::string& text) {
            QCOMPARE(sqlite3_exec(database, text.c_str(), nullptr, nullptr, nullptr), SQLITE_OK);
        };
        run("CREATE TABLE StringIds(id INTEGER, value TEXT);"
            "CREATE TABLE NVTX_EVENTS(start INTEGER, end INTEGER, eventType INTEGER, text TEXT, textId "
            "INTEGER, "
            "globalTid INTEGER);"
            "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME(start INTEGER, end INTEGER, correlationId INTEGER, "
            "globalTid "
            "INTEGER);"
            "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start INTEGER, end INTEGER, correlationId INTEGER, "
            "globalPid "
            "INTEGER, shortName INTEGER);"
            "CREATE TABLE TARGET_INFO_SESSION_START_TIME(utcEpochNs INTEGER);"
            "INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES(1700000000000000000);"
            "INSERT INTO StringIds VALUES(1, 'gemm'), (2, 'ncclDevKernel_SendRecv');");
        // Two processes, sail's names; every operation launches one kernel later on the device.
        const Schedule schedule = makeSchedule("zb-h1", {2, 1, 4});
        const Timeline timeline = predict(lower(schedule), unitCosts(2, 1, 1.2, 0.8, 0.1));
        int correlation = 0, text_id = 10;
        for (int rank = 0; rank < 2; ++rank) {
            const std::int64_t process = (100 + rank) * (std::int64_t{1} << 24);
            std::int64_t host = 0;
            for (const Event& event : timeline.compute(rank)) {
                if (!isCompute(event.op)) continue;
                ++text_id;
                ++correlation;
                const char letter = event.op == Op::Forward ? 'F' : event.op == Op::BackwardInput ? 'B' : 'W';
                const std::string name = std::string(1, letter) + std::to_string(event.microbatch) + ".0." +
                                         std::to_string(correlation);
                run("INSERT INTO StringIds VALUES(" + std::to_string(text_id) + ", '" + name + "');" +
                    "INSERT INTO NVTX_EVENTS VALUES(" + std::to_string(host) + "," +
                    std::to_string(host + 10) + ",59,NULL," + std::to_string(text_id) + "," +
                    std::to_string(process + 7) + ");" + "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES(" +
                    std::to_string(host + 2) + "," + std::to_string(host + 3) + "," +
                    std::to_string(correlation) + "," + std::to_string(process + 9) + ");" +
                    "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES(" + std::to_string(event.start_ns) + "," +
                    std::to_string(event.end_ns) + "," + std::to_string(correlation) + "," +
                    std::to_string(process) + ",1);");
                host += 20;
            }
        }
        sqlite3_close(database);
        const ImportedRun imported = importRun(readTracedRun(paths));
        QCOMPARE(imported.recognition.schedule.value_or("none"), std::string("zb-h1"));
        QVERIFY(imported.origin.times == ImportOrigin::Times::Kernels);
        QCOMPARE(summarize(imported.timeline, 0).ranks[0].busy_ns, summarize(timeline, 0).ranks[0].busy_ns);
        std::ofstream(file, std::ios::binary | std::ios::trunc) << "SQLite format 3" << '\0' << "and no more";
        QVERIFY_EXCEPTION_THROWN(readTracedRun(paths), ImportError);
    }
};

QTEST_GUILESS_MAIN(TestImportNsys)
#include "tst_import_nsys.moc"
