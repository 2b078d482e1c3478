// Workers in a pipeline: what they record follows the schedule, memory is what was predicted, and what goes
// wrong is reported with rank and action.
#include <QTest>
#include <atomic>
#include <csignal>
#include <set>

#include "host/cores.h"
#include "kernels/cpu/cpu_device.h"
#include "plan/message_needs.h"
#include "plan/message_tags.h"
#include "plan/plan_memory.h"
#include "registered_test.h"
#include "run/pipeline.h"
#include "run/training.h"
#include "run_fixture.h"
#include "timeline/analysis.h"
#include "timeline/predict.h"
#include "workers/thread_workers.h"

namespace tst_worker {

using namespace bscope;
using namespace std::chrono_literals;

namespace {

struct Fixture {
    explicit Fixture(const RunConfig& config, Provenance provenance = Provenance::Reconstructed)
        : Fixture(makePlan(config), provenance) {}
    explicit Fixture(const Plan& plan, Provenance provenance = Provenance::Reconstructed,
                     std::chrono::milliseconds patience = 2s)
        : device(makeCpuDevice()),
          training(*device, plan.config),
          pipeline(training, plan,
                   std::make_unique<ThreadWorkers>(training.model, plan, provenance, usableCores(), observer,
                                                   nullptr, patience),
                   observer) {}

    std::unique_ptr<Device> device;
    Training training;
    EventCollector observer;
    Pipeline pipeline;
};

using Key = std::pair<int, int>;  // stage, micro-batch

std::map<Key, Event> byKey(const EventCollector& observer, Op op) {
    std::map<Key, Event> found;
    for (const Event& event : observer.all(op)) found[{event.stage, event.microbatch}] = event;
    return found;
}

void removeAction(Plan& plan, std::size_t rank, const char* text) {
    std::erase(plan.program.actions[rank], parseAction(text).value());
}

bool takesSignals() {
    sigset_t held;
    ::pthread_sigmask(SIG_BLOCK, nullptr, &held);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGALRM, SIGCHLD, SIGPROF, SIGUSR1})
        if (!::sigismember(&held, signal)) return true;
    return false;
}

// Ranks hand their events over in the middle of their work, in their own threads.
struct SignalsSeen : EventCollector {
    void events(int rank, std::span<const Event> batch) override {
        asked += 1;
        taking += takesSignals();
        EventCollector::events(rank, batch);
    }
    std::atomic<int> asked = 0, taking = 0;
};

RunFailure failureOf(Pipeline& pipeline) {
    try {
        pipeline.iterate(0);
    } catch (const RunFailure& failure) {
        return failure;
    }
    return RunFailure(sentence("nothing failed"), {});
}

constexpr int kByLayer = 3;  // beside the kinds of Recompute

}  // namespace

class TestWorker : public QObject {
    Q_OBJECT

private slots:
    void recordedEventsFollowTheSchedule_data() {
        QTest::addColumn<QString>("schedule");
        QTest::addColumn<int>("p");
        QTest::addColumn<int>("m");
        QTest::addColumn<int>("v");
        QTest::addColumn<int>("recompute");
        QTest::newRow("naive") << "naive" << 3 << 2 << 1 << 0;
        QTest::newRow("gpipe") << "gpipe" << 2 << 5 << 1 << 1;
        QTest::newRow("gpipe-lifo") << "gpipe-lifo" << 4 << 4 << 1 << 0;
        QTest::newRow("1f1b") << "1f1b" << 4 << 6 << 1 << 0;
        QTest::newRow("1f1b full") << "1f1b" << 4 << 6 << 1 << 1;
        QTest::newRow("interleaved") << "interleaved" << 2 << 4 << 2 << 2;
        QTest::newRow("forward-only") << "forward-only" << 4 << 3 << 1 << 0;
    }
    void recordedEventsFollowTheSchedule() {
        QFETCH(QString, schedule);
        QFETCH(int, p);
        QFETCH(int, m);
        QFETCH(int, v);
        QFETCH(int, recompute);
        RunConfig config = tinyConfig(schedule.toUtf8().constData(), p, m, v);
        config.recompute = static_cast<Recompute>(recompute);
        config.link = {50, 0.1};
        Fixture fixture(config);
        fixture.pipeline.iterate(1'000);
        const Plan& plan = fixture.pipeline.plan();
        const Schedule& made = plan.program.schedule;
        const auto hop_ns = std::llround(config.link.transferNs(static_cast<double>(plan.messageBytes())));

        for (int rank = 0; rank < p; ++rank) {
            std::vector<Action> recorded, programmed;
            std::int64_t free_ns = 1'000;
            for (const Event& event : fixture.observer.by_rank[rank]) {
                if (isCommunication(event.op)) continue;
                QVERIFY(event.start_ns >= free_ns);
                QVERIFY(event.end_ns >= event.start_ns);
                free_ns = event.end_ns;
                recorded.push_back({event.stage, event.op, event.microbatch});
            }
            for (const Action& action : plan.program.actions[static_cast<std::size_t>(rank)])
                if (!isCommunication(action.op)) programmed.push_back(action);
            QVERIFY(recorded == programmed);
        }
        const auto forward = byKey(fixture.observer, Op::Forward),
                   backward = byKey(fixture.observer, Op::Backward);
        const auto received_forward = byKey(fixture.observer, Op::RecvForward);
        for (const auto& [key, event] : forward) {
            const int before = made.previousStage(key.first);
            if (before < 0) continue;
            const Event& producer = forward.at({before, key.second});
            const bool crosses = producer.rank != event.rank;
            QVERIFY(event.start_ns >= producer.end_ns + (crosses ? hop_ns : 0));
            QCOMPARE(received_forward.contains(key), crosses);
            if (!crosses) continue;
            const Event& receive = received_forward.at(key);
            QCOMPARE(receive.transfer_ns, producer.end_ns);
            QCOMPARE(receive.end_ns, producer.end_ns + hop_ns);
            QVERIFY(receive.start_ns <= receive.transfer_ns);
            QCOMPARE(receive.bytes, static_cast<std::int64_t>(plan.messageBytes()));
        }
        for (const auto& [key, event] : backward) {
            const int after = made.nextStage(key.first);
            if (after < 0) continue;
            const Event& producer = backward.at({after, key.second});
            QVERIFY(event.start_ns >= producer.end_ns + (producer.rank != event.rank ? hop_ns : 0));
        }
        QVERIFY(fixture.observer.batches_in_bounds);
        QVERIFY(fixture.observer.watermark_kept);
        QCOMPARE(fixture.observer.settled_ns, fixture.pipeline.end_ns());
    }

    // As many buffers as are known before, so that none is made while others wait, and not one too many.
    void messagesNeedWhatIsKnownBefore_data() {
        QTest::addColumn<QString>("schedule");
        QTest::addColumn<int>("v");
        for (const char* schedule : {"naive", "gpipe", "1f1b", "zb-h1"})
            QTest::addRow("%s", schedule) << schedule << 1;
        for (const char* schedule : {"interleaved", "zb-v", "dualpipev"})
            QTest::addRow("%s", schedule) << schedule << 2;
    }
    void messagesNeedWhatIsKnownBefore() {
        QFETCH(QString, schedule);
        QFETCH(int, v);
        RunConfig config = tinyConfig(schedule.toUtf8().constData(), 4, 8, v);
        config.recompute = Recompute::Full;
        const Plan plan = makePlan(config);
        const Schedule& made = plan.program.schedule;
        const auto device = makeCpuDevice();
        for (int rank = 0; rank < 4; ++rank) {
            const MessageNeeds needs = messageNeeds(plan.program, rank);
            std::map<int, int> sent;
            for (const int too_few : {0, 1}) {
                MessageStore store(*device);
                store.reserve(needs.held - too_few, 1);
                sent.clear();
                for (const Action& action : plan.program.actions[static_cast<std::size_t>(rank)]) {
                    const auto input = inputOf(made, action), output = outputOf(made, action);
                    if (isReceive(action.op)) {
                        store.put(messageOf(action), {store.takeBuffer(1)});
                    } else if (isSend(action.op)) {
                        ++sent[made.placement[static_cast<std::size_t>(output->stage)]];
                        store.drop(*output);
                    } else {
                        if (output) store.put(*output, {store.takeBuffer(1)});
                        if (input && action.op != Op::Recompute) store.drop(*input);
                    }
                }
                QCOMPARE(store.reservedBytes(), static_cast<std::size_t>(needs.held));
            }
            QVERIFY(needs.sends == sent);
            for (const auto& [peer, receives] : needs.receives)
                QVERIFY(receives > 0 && receives <= 2 * 8 * v);
        }
    }

    void measuredMemoryIsThePredictedOne_data() {
        QTest::addColumn<QString>("schedule");
        QTest::addColumn<int>("v");
        QTest::addColumn<int>("recompute");
        for (const char* schedule : {"gpipe", "1f1b", "forward-only", "interleaved"})
            for (int recompute = 0; recompute < kByLayer + 1; ++recompute)
                QTest::addRow("%s, recompute %d", schedule, recompute)
                    << schedule << (std::string(schedule) == "interleaved" ? 2 : 1) << recompute;
        for (int recompute = 0; recompute < kByLayer + 1; ++recompute)
            QTest::addRow("zb-h1, recompute %d", recompute) << "zb-h1" << 1 << recompute;
    }
    void measuredMemoryIsThePredictedOne() {
        QFETCH(QString, schedule);
        QFETCH(int, v);
        QFETCH(int, recompute);
        RunConfig config = tinyConfig(schedule.toUtf8().constData(), 2, 6, v);
        config.recompute = recompute == kByLayer ? Recompute::Full : static_cast<Recompute>(recompute);
        if (recompute == kByLayer) config.checkpoint_every = CheckpointEvery::Layer;
        Fixture fixture(config);
        const std::vector<std::int64_t> predicted = predictedPeakBytes(fixture.pipeline.plan());
        std::int64_t start_ns = 0;
        for (int iteration = 0; iteration < 2; ++iteration) {
            const IterationReport report = fixture.pipeline.iterate(start_ns);
            start_ns = fixture.pipeline.end_ns();
            const IterationSummary plan =
                summarize(predict(fixture.pipeline.plan().program, report.costs), 0);
            for (std::size_t rank = 0; rank < 2; ++rank) {
                QCOMPARE(report.ranks[rank].peak_activation_bytes, predicted[rank]);
                QCOMPARE(plan.ranks[rank].peak_activation_bytes, predicted[rank]);
                QCOMPARE(report.ranks[rank].peak_in_flight, plan.ranks[rank].peak_in_flight);
                int most_in_flight = 0;
                std::vector<MemoryPoint> curve;
                for (const MemoryPoint& point : fixture.observer.memory_by_rank[static_cast<int>(rank)])
                    if (point.iteration == iteration) curve.push_back(point);
                QCOMPARE(curve.front().live_bytes, std::int64_t{0});
                QCOMPARE(curve.back().live_bytes, std::int64_t{0});
                QCOMPARE(curve.back().in_flight, std::int16_t{0});
                for (std::size_t i = 0; i < curve.size(); ++i) {
                    most_in_flight = std::max<int>(most_in_flight, curve[i].in_flight);
                    QVERIFY(i == 0 || curve[i].time_ns >= curve[i - 1].time_ns);
                }
                if (!fixture.pipeline.plan().forward_only)
                    QCOMPARE(most_in_flight, plan.ranks[rank].peak_in_flight);
            }
        }
    }

    void recomputeIsAnOperationOfItsOwn() {
        RunConfig config = tinyConfig("1f1b", 2, 4);
        config.recompute = Recompute::Full;
        Fixture fixture(config);
        const IterationReport report = fixture.pipeline.iterate(0);
        const auto recomputed = byKey(fixture.observer, Op::Recompute),
                   backward = byKey(fixture.observer, Op::Backward);
        QCOMPARE(recomputed.size(), std::size_t{8});
        for (const auto& [key, event] : recomputed) {
            QCOMPARE(event.end_ns, backward.at(key).start_ns);
            QVERIFY(event.bytes > 0);
        }
        for (const StageCosts& stage : report.costs.stages) QVERIFY(stage.recompute_ns > 0);
    }

    // No R: B does it, and holds all of one layer alone.
    void layersAreComputedAgainInsideTheBackward() {
        for (const char* schedule : {"1f1b", "zb-h1"}) {
            RunConfig config = tinyConfig(schedule, 2, 4);
            config.recompute = Recompute::Full;
            Fixture stage_by_stage(config);
            config.checkpoint_every = CheckpointEvery::Layer;
            Fixture layer_by_layer(config);
            const IterationReport of_stages = stage_by_stage.pipeline.iterate(0),
                                  of_layers = layer_by_layer.pipeline.iterate(0);
            QVERIFY(of_layers.checkpoint_every == CheckpointEvery::Layer);
            QVERIFY(of_layers.recompute == Recompute::Full);
            QCOMPARE(of_layers.loss, of_stages.loss);
            QCOMPARE(of_layers.grad_norm, of_stages.grad_norm);
            QVERIFY(byKey(layer_by_layer.observer, Op::Recompute).empty());
            for (const StageCosts& stage : of_layers.costs.stages) QCOMPARE(stage.recompute_ns, 0.0);
            if (schedule == std::string("1f1b"))
                QVERIFY(of_layers.ranks[1].peak_activation_bytes < of_stages.ranks[1].peak_activation_bytes);
        }
    }

    void busyAndBubbleAreTheWholeIteration() {
        Fixture fixture(tinyConfig("1f1b", 4, 8));
        const IterationReport report = fixture.pipeline.iterate(0);
        const IterationSummary summary = summarize(fixture.pipeline.timeline(), 0);
        double busy_ms = 0;
        for (const RankReport& rank : report.ranks) busy_ms += rank.busy_ms;
        QCOMPARE(report.bubble_of_total, summary.bubble_of_total);
        QVERIFY(std::abs(busy_ms + report.bubble_of_total * 4 * report.iteration_ms -
                         4 * report.iteration_ms) < 1e-6);
        QCOMPARE(fixture.pipeline.timeline().compute(0).size(),
                 fixture.observer.by_rank[0].size() - fixture.pipeline.timeline().receives(0).size());
    }

    void theOptimizerStepsTogetherAfterTheIteration() {
        Fixture fixture(tinyConfig("1f1b", 2, 4));
        fixture.pipeline.iterate(0);
        std::int64_t last_ns = 0;
        for (const Event& event : fixture.observer.all(Op::Backward))
            last_ns = std::max(last_ns, event.end_ns);
        const std::vector<Event> steps = fixture.observer.all(Op::OptimizerStep);
        QCOMPARE(steps.size(), std::size_t{2});
        QCOMPARE(steps[0].start_ns, steps[1].start_ns);
        QVERIFY(steps[0].start_ns >= last_ns);
    }

    void aMissingSendIsReportedByTheWatchdog() {
        Plan plan = makePlan(tinyConfig("1f1b", 2, 4));
        removeAction(plan, 0, "0SEND_F2");
        Fixture fixture(plan, Provenance::Reconstructed, 50ms);
        const RunFailure failure = failureOf(fixture.pipeline);
        QCOMPARE(failure.rank, 0);
        QCOMPARE(failure.action, std::string("0B2"));
        const std::string what = failure.what();
        QVERIFY2(what.find("rank 0 waits for rank 1 in 0RECV_B2 since") != std::string::npos, what.c_str());
        QVERIFY2(what.find("rank 1 waits for rank 0 in 1RECV_F2 since") != std::string::npos, what.c_str());
        QVERIFY2(what.find(" s; no rank computes any more") != std::string::npos, what.c_str());
        QVERIFY(!fixture.pipeline.isPartiallyStepped());
        QCOMPARE(fixture.training.iteration, 0);
    }

    void receivesInTheWrongOrderAreReportedByTheWatchdog() {
        // Rank 0 sends its last micro-batch only after its backward; rank 1 wants it before any backward.
        Plan plan = makePlan(tinyConfig("gpipe", 2, 2));
        auto& actions = plan.program.actions[0];
        const auto send = std::find(actions.begin(), actions.end(), parseAction("0SEND_F1").value());
        const auto backward = std::find(actions.begin(), actions.end(), parseAction("0B1").value());
        std::rotate(send, send + 1, backward + 1);
        Fixture fixture(plan, Provenance::Reconstructed, 50ms);
        const RunFailure failure = failureOf(fixture.pipeline);
        QCOMPARE(failure.rank, 0);
        QCOMPARE(failure.action, std::string("0B0"));
    }

    void whatAWorkerThrowsCarriesRankAndAction() {
        Plan plan = makePlan(tinyConfig("1f1b", 2, 2));
        auto& actions = plan.program.actions[1];
        std::replace(actions.begin(), actions.end(), parseAction("1B1").value(), parseAction("1B0").value());
        Fixture fixture(plan);
        const RunFailure failure = failureOf(fixture.pipeline);
        QCOMPARE(failure.rank, 1);
        QCOMPARE(failure.action, std::string("1B0"));
        QVERIFY(!failure.what_to_do.empty());
    }

    void trainingGoesOnAfterAFailure() {
        const RunConfig config = tinyConfig("1f1b", 2, 4);
        Fixture undisturbed(config);
        const double first = undisturbed.pipeline.iterate(0).loss;
        Plan broken = makePlan(config);
        removeAction(broken, 0, "0SEND_F3");
        Fixture fixture(broken, Provenance::Reconstructed, 50ms);
        failureOf(fixture.pipeline);
        EventCollector observer;
        const Plan plan = makePlan(config);
        Pipeline again(fixture.training, plan,
                       std::make_unique<ThreadWorkers>(fixture.training.model, plan,
                                                       Provenance::Reconstructed, usableCores(), observer),
                       observer);
        QCOMPARE(again.iterate(0).loss, first);
    }

    void noSignalInterruptsARankAtWork_data() {
        QTest::addColumn<QString>("schedule");
        QTest::newRow("flush") << "1f1b";
        QTest::newRow("stream") << "pipedream";
    }

    void noSignalInterruptsARankAtWork() {
        QFETCH(QString, schedule);
        QVERIFY(takesSignals());
        SignalsSeen observer;
        Run run(tinyConfig(schedule.toUtf8().constData()), observer);
        run.iterate(0);
        QVERIFY(observer.asked > 0);
        QCOMPARE(observer.taking, 0);
        QVERIFY(takesSignals());
    }

    void measuredRanksRunOnOneClock() {
        const int p = std::min(2, static_cast<int>(usableCores().size()));
        RunConfig config = tinyConfig("1f1b", p, 4);
        config.link.latency_us = 300;
        Fixture fixture(config, Provenance::Measured);
        const IterationReport report = fixture.pipeline.iterate(0);
        QCOMPARE(report.provenance, Provenance::Measured);
        QVERIFY(report.host_ms >= report.iteration_ms);
        const auto forward = byKey(fixture.observer, Op::Forward);
        for (int mb = 0; p == 2 && mb < 4; ++mb)
            QVERIFY(forward.at({1, mb}).start_ns >= forward.at({0, mb}).end_ns + 300'000);
    }
};

BUBBLESCOPE_TEST(TestWorker)

}  // namespace tst_worker

#include "tst_worker.moc"
