// Two iterations beside each other: the instants that they are aligned by, and the same operation in both,
// against the events.
#include <QTest>

#include "analysis/pairing.h"
#include "catalog/catalog.h"
#include "registered_test.h"
#include "timeline/iteration_events.h"
#include "timeline/predict.h"
#include "timelines_by_hand.h"

namespace tst_pairing {

using namespace bscope;

class TestPairing : public QObject {
    Q_OBJECT

    static Timeline played(const char* schedule, ScheduleParams params, std::int32_t iteration = 0) {
        const Schedule order = makeSchedule(schedule, params);
        Costs costs;
        for (int stage = 0; stage < order.stageCount(); ++stage) {
            StageCosts each;
            each.forward_ns = 1'000 + 100 * stage;
            each.backward_ns = 2'000 + 300 * stage;
            each.input_ns = each.weight_ns = 1'100 + 10 * stage;
            costs.stages.push_back(each);
        }
        return predict(lower(order, Recompute::None), costs, Overlap::Serial, 5'000'000, iteration);
    }

    // What any operation of the iteration says, in the order of the ranks.
    template <class Visit>
    static void visit(const Timeline& timeline, std::int32_t iteration, Visit&& each) {
        for (int rank = 0; rank < timeline.ranks(); ++rank)
            for (const Event& event : ofIteration(timeline.compute(rank), iteration))
                if (isCompute(event.op)) each(event);
    }

private slots:
    void instantsAreThoseOfTheEvents_data() {
        QTest::addColumn<QString>("schedule");
        QTest::addColumn<int>("v");
        for (const auto& [name, v] : std::initializer_list<std::pair<const char*, int>>{
                 {"gpipe", 1}, {"1f1b", 1}, {"interleaved-1f1b", 2}, {"zb-h1", 1}, {"zb-v", 2}})
            QTest::addRow("%s", name) << QString::fromUtf8(name) << v;
    }
    void instantsAreThoseOfTheEvents() {
        QFETCH(QString, schedule);
        QFETCH(int, v);
        const Timeline timeline = played(schedule.toUtf8().constData(), {4, v, 8}, 3);
        const IterationPart part{timeline, 3, 0};
        std::int64_t last_forward = 0, first_backward = INT64_MAX;
        std::vector<std::int64_t> begins(8, INT64_MAX);
        visit(timeline, 3, [&](const Event& event) {
            if (event.op == Op::Forward)
                last_forward = std::max(last_forward, event.end_ns);
            else
                first_backward = std::min(first_backward, event.start_ns);
            std::int64_t& begin = begins[static_cast<std::size_t>(event.microbatch)];
            begin = std::min(begin, event.start_ns);
        });
        QCOMPARE(anchorOf(part, Alignment::LastForward, 0), last_forward);
        QCOMPARE(anchorOf(part, Alignment::FirstBackward, 0), first_backward);
        for (int microbatch = 0; microbatch < 8; ++microbatch)
            QCOMPARE(anchorOf(part, Alignment::Microbatch, microbatch),
                     begins[static_cast<std::size_t>(microbatch)]);
        QVERIFY(begins[7] > begins[0]);
        QVERIFY(!anchorOf(part, Alignment::Microbatch, 8));
        QVERIFY(!anchorOf(part, Alignment::Start, 0));
        QVERIFY(!anchorOf({timeline, 2, 0}, Alignment::LastForward, 0));
    }

    void aForwardPassHasNoBackward() {
        Timeline timeline(1, Provenance::Measured);
        timeline.append(computeEvent(0, {0, Op::Forward, 0}, 10, 20));
        QVERIFY(!anchorOf({timeline, 0, 0}, Alignment::FirstBackward, 0));
        QCOMPARE(anchorOf({timeline, 0, 0}, Alignment::LastForward, 0), 20);
    }

    // Streams count their micro-batches on.
    void durationsAreFoundByTheOperation() {
        Timeline timeline(2, Provenance::Measured);
        timeline.append(computeEvent(0, {0, Op::Forward, 8}, 10, 17, 1));
        timeline.append(computeEvent(0, {0, Op::Backward, 8}, 20, 40, 1));
        timeline.append(computeEvent(1, {1, Op::Forward, 9}, 10, 15, 1));
        timeline.append(computeEvent(1, {1, Op::Backward, 9}, 16, 20, 1));
        timeline.append(computeEvent(1, {1, Op::Backward, 9}, 20, 30, 1));  // which of the two is not known
        timeline.append(computeEvent(1, {1, Op::Forward, 10}, 40, 45, 2));
        const PairedDurations durations({timeline, 1, 8});
        QCOMPARE(durations.of({0, Op::Forward, 0}), 7);
        QCOMPARE(durations.of({0, Op::Backward, 0}), 20);
        QCOMPARE(durations.of({1, Op::Forward, 1}), 5);
        QVERIFY(!durations.of({1, Op::Backward, 1}));
        QVERIFY(!durations.of({1, Op::Forward, 2}));  // of another iteration
        QVERIFY(!durations.of({0, Op::Forward, 8}));
        QVERIFY(!durations.of({0, Op::BackwardInput, 0}));
    }

    // Whichever rank an operation ran on.
    void everyOperationIsPairedWithItself() {
        const Timeline timeline = played("zb-v", {4, 2, 8});
        const PairedDurations durations({timeline, 0, 0});
        int operations = 0;
        visit(timeline, 0, [&](const Event& event) {
            QCOMPARE(durations.of({event.stage, event.op, event.microbatch}), event.duration_ns());
            ++operations;
        });
        QCOMPARE(operations, 3 * 8 * 8);
    }
};

BUBBLESCOPE_TEST(TestPairing)

}  // namespace tst_pairing

#include "tst_pairing.moc"
