// What the terminal keeps of a run: iterations run again replace what they were, and reading many changes of
// the configuration is linear in the file.
#include <QTest>

#include "cli/input/run_log.h"
#include "registered_test.h"

namespace tst_run_log {

using namespace bscope;
using namespace bscope::cli;

namespace {

IterationStart startAt(int iteration) {
    IterationStart start;
    start.iteration = iteration;
    start.start_ns = 1000 * iteration;
    return start;
}

void tell(RunLog& log, int iteration, int events, std::int64_t shift_ns = 0) {
    std::vector<Event> reported;
    std::vector<MemoryPoint> memory;
    for (int i = 0; i < events; ++i) {
        Event e;
        e.iteration = iteration;
        e.stage = 0;
        e.microbatch = i;
        e.start_ns = 1000 * iteration + 10 * i + shift_ns;
        e.end_ns = e.start_ns + 10;
        reported.push_back(e);
        memory.push_back({e.start_ns, i, iteration, 0, 1});
    }
    log.events(0, reported);
    log.memory(0, memory);
    IterationReport report;
    report.iteration = iteration;
    report.p = report.d = 1;
    report.provenance = Provenance::Reconstructed;
    log.iterationFinished(report);
}

}  // namespace

class TestRunLog : public QObject {
    Q_OBJECT
private slots:
    // Every iteration begins with a change: the work must not grow with what is kept.
    void manyChangesAreReadInLinearTime() {
        std::size_t of_few = 0, of_many = 0;
        for (auto [changes, work] : {std::pair(100, &of_few), std::pair(1000, &of_many)}) {
            RunLog log(RunLog::Keep::Everything);
            for (int i = 0; i < changes; ++i) {
                log.iterationStarted(startAt(i));
                tell(log, i, 8);
            }
            QCOMPARE(log.keptEvents(), static_cast<std::size_t>(8 * changes));
            *work = log.revisited();
        }
        QVERIFY2(of_many <= 10 * of_few, qPrintable(QString("%1, %2").arg(of_few).arg(of_many)));
    }

    void iterationsRunAgainReplaceTheFormer() {
        RunLog log(RunLog::Keep::Everything);
        log.iterationStarted(startAt(0));
        for (int i = 0; i < 5; ++i) tell(log, i, 4);
        log.iterationStarted(startAt(2));
        QCOMPARE(log.reports().size(), 2U);
        QCOMPARE(log.keptEvents(), 8U);
        tell(log, 2, 4, 5);
        QCOMPARE(log.reports().back().iteration, 2);
        QCOMPARE(log.timeline(2).compute(0)[0].start_ns, 2005);
        QCOMPARE(log.timeline(2).compute(0).size(), 4U);
        QCOMPARE(log.startOf(4)->iteration, 2);
        QCOMPARE(log.startOf(1)->iteration, 0);
        QVERIFY(log.timeline(4).empty());
    }

    void onlyWhatIsAskedForIsKept() {
        RunLog one(RunLog::Keep::Everything, 3), last(RunLog::Keep::LastIteration),
            none(RunLog::Keep::Reports);
        for (RunLog* log : {&one, &last, &none}) {
            log->iterationStarted(startAt(0));
            for (int i = 0; i < 10; ++i) tell(*log, i, 4);
            QCOMPARE(log->reports().size(), 10U);
        }
        QCOMPARE(one.keptEvents(), 8U);  // and the one before, which a stream is measured from
        QCOMPARE(one.timelineToSummarize(3).compute(0).size(), 4U);
        QCOMPARE(last.keptEvents(), 8U);
        QCOMPARE(last.timelineToSummarize(9).compute(0).size(), 4U);
        QCOMPARE(none.keptEvents(), 0U);
        QVERIFY(none.timelineToSummarize(9).empty());
    }

    void ofNoIterationThereIsNoLastOne() {
        RunLog log(RunLog::Keep::Reports);
        log.iterationStarted(startAt(0));
        QVERIFY_THROWS_EXCEPTION(std::runtime_error, log.lastTraced());
    }
};

BUBBLESCOPE_TEST(TestRunLog)

}  // namespace tst_run_log

#include "tst_run_log.moc"
