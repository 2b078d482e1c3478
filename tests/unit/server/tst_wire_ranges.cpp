// Nothing leaves the decoder that a reader would have to mistrust: orders come out as they went in and can be
// lowered, and a start, report, event or sweep with a number that cannot be is refused in a sentence.
#include <QTest>
#include <functional>

#include "catalog/catalog.h"
#include "registered_test.h"
#include "schedule/data_parallel.h"
#include "wire_samples.h"

namespace tst_wire_ranges {

using namespace bscope;

namespace {

IterationStart startOf(const RunConfig& config) {
    IterationStart start;
    start.config = config;
    start.schedule = std::make_shared<const Schedule>(makeSchedule(config.schedule, config.params));
    return start;
}

wire::IterationStart goodStart() {
    RunConfig config;
    config.schedule = "interleaved";
    config.params.v = 2;
    return toWire(startOf(config));
}

wire::IterationReport goodReport() {
    wire::IterationReport report;
    report.set_p(2);
    report.set_m(4);
    report.set_v(1);
    report.set_recompute("none");
    for (int rank = 0; rank < 2; ++rank) report.add_ranks()->set_rank(rank);
    return report;
}

template <class Message>
QString refusalOf(const Message& message) {
    try {
        fromWire(message);
        return {};
    } catch (const WireError& error) {
        return QString::fromUtf8(error.what());
    }
}

}  // namespace

class TestWireRanges : public QObject {
    Q_OBJECT

private slots:
    void everyOrderTravels() {
        for (const CatalogEntry& entry : catalog())
            for (const int p : {1, 2, 4})
                for (const int d : {1, 2})
                    for (const Recompute recompute : {Recompute::None, Recompute::Full}) {
                        RunConfig config;
                        config.schedule = entry.name;
                        config.params = {p, defaultChunks(entry), 8};
                        config.params.d = d;
                        config.recompute = recompute;
                        if (!problems(config).empty()) continue;
                        const IterationStart start = startOf(config);
                        const IterationStart reported = fromWire(toWire(start));
                        QVERIFY2(reported.schedule, entry.name);
                        const Schedule &sent = *start.schedule, &got = *reported.schedule;
                        QCOMPARE(got.name, sent.name);
                        QVERIFY(got.params == sent.params);
                        QVERIFY(got.placement == sent.placement);
                        QVERIFY(got.chains == sent.chains);
                        QVERIFY2(got.orders == sent.orders, entry.name);
                        QVERIFY(got.weights == sent.weights);
                        QVERIFY(got.chain_microbatches == sent.chain_microbatches);
                        QCOMPARE(got.step_every, sent.step_every);
                    }
    }

    // The name is no reason to look anything up: what travels is enough.
    void anOrderNeedsNoNameThatIsKnownHere() {
        RunConfig config;
        IterationStart start = startOf(config);
        start.config.schedule = "file:/nowhere/on/this/machine.csv";
        QVERIFY(!problems(start.config).empty());
        const IterationStart reported = fromWire(toWire(start));
        QVERIFY(reported.schedule && reported.schedule->orders == start.schedule->orders);
        QVERIFY(problems(reported.config, *reported.schedule).empty());
    }

    void anOrderThatIsTooLargeForAMessageStaysAtHome() {
        RunConfig config;
        config.schedule = "gpipe";
        config.params = {16, 1, 50'000};
        config.model.layers = 16;
        const wire::IterationStart start = toWire(startOf(config));
        QVERIFY(!start.has_schedule());
        QVERIFY(refusalOf(start).isEmpty());
    }

    void startsThatNoEngineSendsAreRefused_data() {
        QTest::addColumn<int>("kind");
        const char* kinds[] = {"p = 0",
                               "p = -5",
                               "m = 10^9",
                               "d = 10^6",
                               "no heads",
                               "iteration -1",
                               "a time beyond all time",
                               "a stage on a rank that is not there",
                               "more chains than stages",
                               "a length too long",
                               "an operation that is none",
                               "a micro-batch too many",
                               "a forward missing",
                               "a forward twice",
                               "orders that wait for each other",
                               "steps that do not divide",
                               "a weight rule that is none",
                               "no micro-batches",
                               "another p",
                               "a last operation that overlaps"};
        int kind = 0;
        for (const char* name : kinds) QTest::newRow(name) << kind++;
    }
    void startsThatNoEngineSendsAreRefused() {
        QFETCH(int, kind);
        wire::IterationStart start = goodStart();
        QVERIFY(refusalOf(start).isEmpty());
        wire::Schedule& order = *start.mutable_schedule();
        wire::RunConfig& config = *start.mutable_config();
        if (kind == 0) config.set_p(0);
        if (kind == 1) config.set_p(-5);
        if (kind == 2) config.set_m(1'000'000'000);
        if (kind == 3) config.set_d(1'000'000);
        if (kind == 4) config.mutable_model()->set_heads(0);
        if (kind == 5) start.set_iteration(-1);
        if (kind == 6) start.set_start_ns(INT64_MAX);
        if (kind == 7) order.set_placement(0, 7);
        if (kind == 8) order.set_chains(9);
        if (kind == 9) order.set_actions(0, 4'000'000'000u);
        if (kind == 10) order.set_op(0, 9);
        if (kind == 11) order.set_microbatch(0, 8);
        if (kind == 12) {
            order.set_actions(3, order.actions(3) - 1);
            order.mutable_stage()->RemoveLast();
            order.mutable_op()->RemoveLast();
            order.mutable_microbatch()->RemoveLast();
        }
        if (kind == 13) order.set_microbatch(1, order.microbatch(0));
        if (kind == 14) {  // the first backward of rank 0 before all its forwards
            for (int i = static_cast<int>(order.actions(0)) - 1; i > 0; --i) {
                order.mutable_op()->SwapElements(i, i - 1);
                order.mutable_stage()->SwapElements(i, i - 1);
                order.mutable_microbatch()->SwapElements(i, i - 1);
            }
        }
        if (kind == 15) order.set_step_every(3);
        if (kind == 16) order.set_weights(3);
        if (kind == 17) order.set_m(0);
        if (kind == 18) config.set_p(2);
        if (kind == 19) {
            for (int i = 0; i < order.stage_size(); ++i) order.add_overlaps_next(false);
            order.set_overlaps_next(order.overlaps_next_size() - 1, true);
        }
        const QString refusal = refusalOf(start);
        QVERIFY2(refusal.contains("the stream names") || refusal.contains("of the stream"),
                 qPrintable(refusal));
    }

    // The grid of replicas comes back as it was; one whose columns or places do not fit is refused.
    void gridsOfReplicasAreChecked() {
        ReplicaGrid grid;
        grid.stages = 4;
        grid.ranks = 2;
        grid.shown = 1;
        grid.numbers = {0, 3};
        for (int at = 0; at < 8; ++at) grid.cells.push_back({1.0 + at, 2.0 + at, 0.5});
        grid.stragglers = Stragglers{};
        grid.stragglers->actual_ns = 12;
        grid.stragglers->ideal_ns = 10;
        grid.stragglers->worker = StragglerShare{1, 1, 0.25};
        grid.stragglers->stage = {-1, 3, 1.5};
        grid.stragglers->worker_slowdowns = {1, 1, 1, 1.25};
        grid.stragglers->causes = {StragglerKind::Stage, StragglerKind::Lengths};
        const wire::ReplicaGrid good = toWire(grid);
        const ReplicaGrid reported = fromWire(good);
        QCOMPARE(reported.numbers, grid.numbers);
        QCOMPARE(reported.cell(1, 3).backward_ns, 9.0);
        QCOMPARE(reported.stragglers->slowdown(), 1.2);
        QCOMPARE(reported.stragglers->worker->index, 1);
        QCOMPARE(reported.stragglers->stage.share, 1.5);
        QCOMPARE(reported.stragglers->worker_slowdowns, grid.stragglers->worker_slowdowns);
        QCOMPARE(reported.stragglers->causes, grid.stragglers->causes);
        QVERIFY(std::isnan(reported.stragglers->rank_correlation));
        const std::vector<std::function<void(wire::ReplicaGrid&)>> spoil = {
            [](wire::ReplicaGrid& bad) { bad.set_stages(0); },
            [](wire::ReplicaGrid& bad) { bad.set_stages(3); },
            [](wire::ReplicaGrid& bad) { bad.set_ranks(0); },
            [](wire::ReplicaGrid& bad) { bad.set_ranks(3); },
            [](wire::ReplicaGrid& bad) { bad.set_shown(2); },
            [](wire::ReplicaGrid& bad) { bad.clear_numbers(); },
            [](wire::ReplicaGrid& bad) { bad.add_numbers(5); },
            [](wire::ReplicaGrid& bad) { bad.add_forward_ns(1); },
            [](wire::ReplicaGrid& bad) { bad.set_backward_ns(0, -1); },
            [](wire::ReplicaGrid& bad) { bad.set_forward_ns(0, std::nan("")); },
            [](wire::ReplicaGrid& bad) { bad.mutable_stragglers()->set_ideal_ns(std::nan("")); },
            [](wire::ReplicaGrid& bad) { bad.mutable_stragglers()->mutable_worker()->set_replica(-1); },
            [](wire::ReplicaGrid& bad) { bad.mutable_stragglers()->mutable_worker()->set_index(2); },
            [](wire::ReplicaGrid& bad) { bad.mutable_stragglers()->mutable_stage()->set_index(4); },
            [](wire::ReplicaGrid& bad) { bad.mutable_stragglers()->clear_stage(); },
            [](wire::ReplicaGrid& bad) { bad.mutable_stragglers()->add_worker_slowdowns(1); },
            [](wire::ReplicaGrid& bad) { bad.mutable_stragglers()->set_causes(0, 3); },
        };
        for (std::size_t kind = 0; kind < spoil.size(); ++kind) {
            wire::ReplicaGrid bad = good;
            spoil[kind](bad);
            try {
                fromWire(bad);
                QVERIFY2(false, qPrintable(QStringLiteral("taken: %1").arg(kind)));
            } catch (const WireError& error) {
                QVERIFY(*error.what() != '\0');
            }
        }
    }

    void reportsThatNoEngineSendsAreRefused_data() {
        QTest::addColumn<int>("kind");
        const char* kinds[] = {
            "p = 2*10^7",         "p = -5",         "m = 10^9",         "rank 2 of 2",
            "three of two ranks", "negative bytes", "endless duration", "iteration beyond"};
        int kind = 0;
        for (const char* name : kinds) QTest::newRow(name) << kind++;
    }
    void reportsThatNoEngineSendsAreRefused() {
        QFETCH(int, kind);
        wire::IterationReport report = goodReport();
        QVERIFY(refusalOf(report).isEmpty());
        if (kind == 0) report.set_p(20'000'000);
        if (kind == 1) report.set_p(-5);
        if (kind == 2) report.set_m(1'000'000'000);
        if (kind == 3) report.mutable_ranks(1)->set_rank(2);
        if (kind == 4) report.add_ranks()->set_rank(0);
        if (kind == 5) report.mutable_ranks(0)->set_weight_bytes(-1);
        if (kind == 6) report.set_iteration_ms(HUGE_VAL);
        if (kind == 7) report.set_iteration(INT32_MAX);
        QVERIFY(!refusalOf(report).isEmpty());
    }

    // What is unknown is NaN: an iteration that ran without tracing, a loss that is none any more.
    void whatIsUnknownTravels() {
        wire::IterationReport report = goodReport();
        report.set_bubble_of_total(NAN);
        report.set_optimizer_ms(NAN);
        report.set_loss(NAN);
        QVERIFY(std::isnan(fromWire(report).bubble_of_total));
    }

    void eventsThatNoEngineSendsAreRefused() {
        const auto refused = [](const std::function<void(wire::EventBatch&)>& change) {
            wire::EventBatch batch = toWire(0, Samples(5).events(0, 3));
            change(batch);
            return !refusalOf(batch).isEmpty();
        };
        QVERIFY(!refused([](wire::EventBatch&) {}));
        QVERIFY(refused([](wire::EventBatch& batch) { batch.set_rank(kMaxRanks); }));
        QVERIFY(refused([](wire::EventBatch& batch) { batch.set_stage(1, -2); }));
        QVERIFY(refused([](wire::EventBatch& batch) { batch.set_stage(1, kMaxRanks * kMaxChunks); }));
        QVERIFY(refused([](wire::EventBatch& batch) { batch.set_bytes(1, -1); }));
        QVERIFY(refused([](wire::EventBatch& batch) { batch.set_iteration(1, -1); }));
        QVERIFY(refused([](wire::EventBatch& batch) { batch.set_staleness(1, 70'000); }));
        QVERIFY(refused([](wire::EventBatch& batch) { batch.set_start_delta_ns(0, INT64_MIN); }));
    }
};

BUBBLESCOPE_TEST(TestWireRanges)

}  // namespace tst_wire_ranges

#include "tst_wire_ranges.moc"
