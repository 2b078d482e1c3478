// An imported run kept as a recording says the same as the files it came from.
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <fstream>

#include "cli/input/import_recording.h"
#include "cli/input/recorded_run.h"
#include "cli/input/run_log.h"
#include "cli/report/import_json.h"
#include "imported_runs.h"
#include "registered_test.h"
#include "required.h"
#include "wire/convert.h"

namespace tst_import_recording {

using namespace bscope;

namespace {

namespace fs = std::filesystem;

// An order that no schedule of the catalog has: the second of two ranks runs B1 before B0.
TracedRun unknownOrder() {
    TracedRun run;
    run.source = "made up";
    const auto rank = [&run](int number, const char* const(&cells)[6]) {
        TracedRank& of = run.ranks.emplace_back();
        of.rank = number;
        of.file = "made up";
        std::int64_t time_ns = number * 1000;
        for (const char* cell : cells) {
            const Action action = *parseAction(cell);
            TracedOp& op = of.ops.emplace_back();
            op.op = action.op;
            op.stage = action.stage;
            op.microbatch = action.microbatch;
            op.start_ns = time_ns;
            op.end_ns = time_ns += 1000;
        }
    };
    rank(0, {"0F0", "0F1", "0F2", "0B1", "0B0", "0B2"});
    rank(1, {"1F0", "1F1", "1B1", "1F2", "1B0", "1B2"});
    for (TracedOp& op : run.ranks[0].ops)
        if (op.op == Op::Backward) op.start_ns += 5000, op.end_ns += 5000;
    return run;
}

void compareTimelines(const Timeline& found, const Timeline& wanted) {
    QCOMPARE(found.ranks(), wanted.ranks());
    QCOMPARE(found.provenance(), Provenance::Imported);
    for (int rank = 0; rank < wanted.ranks(); ++rank) {
        const auto compute = wanted.compute(rank), receives = wanted.receives(rank);
        QVERIFY(std::ranges::equal(found.compute(rank), compute));
        QVERIFY(std::ranges::equal(found.receives(rank), receives));
    }
}

}  // namespace

class TestImportRecording : public QObject {
    Q_OBJECT

private slots:
    void reportsWhatTheFilesContain_data() {
        QTest::addColumn<QString>("folder");
        QTest::newRow("Primus") << "primus-pp8";
        QTest::newRow("Kineto") << "kineto-interleaved-p2-v2-m4";
    }
    void reportsWhatTheFilesContain() {
        QFETCH(QString, folder);
        const ImportedRun run = imported(kRuns / folder.toStdString());
        QTemporaryDir to;
        const fs::path file = to.filePath("run.bscope").toStdString();
        cli::writeRecording(run, file);
        cli::RunLog log(cli::RunLog::Keep::Everything);
        QVERIFY(cli::readRecording(file, log).warnings().empty());
        const auto start = log.startOf(run.reports.back().iteration);
        QVERIFY(start && start->import && start->schedule);
        QCOMPARE(toWire(*start->import).SerializeAsString(), toWire(run.origin).SerializeAsString());
        QCOMPARE(start->schedule->orders, run.schedule.orders);
        QCOMPARE(start->schedule->placement, run.schedule.placement);
        compareTimelines(log.timeline(), run.timeline);
        QCOMPARE(log.reports().size(), run.reports.size());
        for (std::size_t at = 0; at < run.reports.size(); ++at)
            QCOMPARE(cli::importedRowJson(*start->import, log.reports()[at]).dump(),
                     cli::importedRowJson(run.origin, run.reports[at]).dump());
    }

    // Progress is reported, and reading ends where the callback says so.
    void readingIsReportedAndEnded() {
        const ImportedRun run = imported(kRuns / "primus-pp8");
        QTemporaryDir to;
        const fs::path file = to.filePath("run.bscope").toStdString();
        cli::writeRecording(run, file);
        {
            std::ofstream out(file, std::ios::binary | std::ios::app);
            wire::Message log;
            log.mutable_log()->set_text(std::string(1 << 16, 'a'));
            for (int i = 0; i < 64; ++i) out << encode(log);
        }
        std::uintmax_t before = 0;
        int reported = 0;
        const auto follow = [&](std::uintmax_t done, std::uintmax_t total) {
            REQUIRE(done > before && done <= total && total == fs::file_size(file));
            before = done;
            ++reported;
            return true;
        };
        const ImportedRun again = cli::readRecordedRun(file, std::nullopt, std::nullopt, follow);
        QCOMPARE(again.reports.size(), run.reports.size());
        QVERIFY(reported > 1);
        QVERIFY_THROWS_EXCEPTION(ImportCancelled,
                                 cli::readRecordedRun(file, std::nullopt, std::nullopt,
                                                      [](std::uintmax_t, std::uintmax_t) { return false; }));
    }

    void anOrderOfNoCatalogIsKept() {
        const ImportedRun run = importRun(unknownOrder());
        QVERIFY(!run.recognition.schedule);
        QTemporaryDir to;
        const fs::path file = to.filePath("run.bscope").toStdString();
        cli::writeRecording(run, file);
        cli::RunLog log(cli::RunLog::Keep::Everything);
        QVERIFY(cli::readRecording(file, log).warnings().empty());
        const auto start = log.startOf(0);
        QCOMPARE(start->schedule->orders, run.schedule.orders);
        QCOMPARE(start->import->nearest_schedule, *run.recognition.nearest);
        compareTimelines(log.timeline(), run.timeline);
    }
};

BUBBLESCOPE_TEST(TestImportRecording)

}  // namespace tst_import_recording

#include "tst_import_recording.moc"
