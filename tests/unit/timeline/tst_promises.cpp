// Promise and outcome: which iterations count, the median, the error, taking back; through the wire.
#include <QTest>
#include <cmath>

#include "registered_test.h"
#include "report/promises.h"
#include "wire/convert.h"

namespace tst_promises {

using namespace bscope;

namespace {

RunConfig withM(int m) {
    RunConfig config;
    config.params.m = m;
    return config;
}

IterationStart startAt(int iteration, const RunConfig& config) {
    IterationStart start;
    start.iteration = iteration;
    start.config = config;
    return start;
}

IterationReport report(int iteration, double ms, Provenance provenance = Provenance::Reconstructed) {
    IterationReport report;
    report.iteration = iteration;
    report.iteration_ms = ms;
    report.bubble_of_total = 0.2;
    report.provenance = provenance;
    return report;
}

Promise promise(int m, std::int64_t predicted_ns) {
    return {sentence("m = {0}", m), withM(m), Provenance::Reconstructed, predicted_ns};
}

}  // namespace

class TestPromises : public QObject {
    Q_OBJECT

private slots:
    void whatCounts() {
        Promises promises;
        promises.ran(startAt(0, withM(8)), report(3, 1));  // before it was given
        promises.give(promise(8, 90'000'000));
        QVERIFY(!promises.outcomes().front().got_ms() && !promises.outcomes().front().error());
        const IterationStart start = startAt(5, withM(8));
        promises.ran(start, report(5, 500));  // warms up
        promises.ran(start, report(6, 100));
        promises.ran(start, report(7, 120));
        promises.ran(start, report(8, 1, Provenance::Measured));  // another quantity
        promises.ran(startAt(9, withM(12)), report(10, 1));       // another configuration
        RunConfig other = withM(8);
        other.model.layers = 4;
        promises.ran(startAt(11, other), report(12, 1));
        RunConfig calibrated = withM(8);  // as the window makes them by itself on a busy machine
        calibrated.durations = Durations::Calibrated;
        promises.ran(startAt(20, calibrated), report(21, 80));  // and again
        const PromiseOutcome& outcome = promises.outcomes().front();
        QCOMPARE(outcome.lengths_ms, (std::vector<double>{100, 120, 80}));
        QCOMPARE(outcome.got_ms(), std::optional(100.0));
        QVERIFY(std::abs(*outcome.error() + 0.1) < 1e-12);
        QCOMPARE(absoluteErrors(promises.outcomes()).size(), std::size_t{1});
        QVERIFY(std::abs(absoluteErrors(promises.outcomes()).front() - 0.1) < 1e-12);
    }

    void takingBack() {
        Promises promises;
        Promise eight = promise(8, 1), twelve = promise(12, 1);
        promises.give(eight);
        promises.ran(startAt(0, withM(8)), report(1, 5));
        promises.give(twelve);
        eight.taken_back = twelve.taken_back = true;
        promises.give(eight);  // not the last one
        QCOMPARE(promises.outcomes().size(), std::size_t{2});
        promises.give(twelve);
        QCOMPARE(promises.outcomes().size(), std::size_t{1});
        promises.give(eight);  // it has run
        QCOMPARE(promises.outcomes().size(), std::size_t{1});
    }

    void throughTheWire() {
        Promise sent = promise(8, 123'456'789);
        sent.taken_back = true;
        QCOMPARE(fromWire(toWire(sent)), sent);
        wire::Promise broken = toWire(sent);
        broken.set_predicted_ns(-1);
        QVERIFY_THROWS_EXCEPTION(WireError, fromWire(broken));
    }
};

BUBBLESCOPE_TEST(TestPromises)

}  // namespace tst_promises

#include "tst_promises.moc"
