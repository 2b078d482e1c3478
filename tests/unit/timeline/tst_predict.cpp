// predict() against an independent player's numbers, the closed forms, and what must hold for every schedule.
#include <QTest>
#include <cmath>

#include "catalog/catalog.h"
#include "oracle.h"
#include "random_costs.h"
#include "registered_test.h"
#include "schedule/program.h"
#include "timeline/analysis.h"
#include "timeline/predict.h"
#include "timeline/predict_summary.h"

namespace tst_predict {

using namespace bscope;

namespace {

double units(std::int64_t ns) {
    return static_cast<double>(ns) / 1e9;
}

// Equal to the digits that the reference prints.
bool same(double ours, double printed) {
    return std::abs(ours - printed) < 1.5e-6;
}

Timeline play(const char* name, const ScheduleParams& params, const Costs& costs,
              Overlap overlap = Overlap::Serial) {
    return predict(lower(makeSchedule(name, params)), costs, overlap);
}

std::size_t at(int rank) {
    return static_cast<std::size_t>(rank);
}

}  // namespace

class TestPredict : public QObject {
    Q_OBJECT
private slots:
    void equalsTheReferencePlayer_data() {
        QTest::addColumn<QString>("name");
        for (const CatalogEntry& entry : catalog())
            // A stream is in weight_versions.json; the others are held against their rules in tst_schedules
            // and tst_segments.
            if (!QString(entry.name).startsWith("pipedream") && QString(entry.name) != "seq1f1b" &&
                QString(entry.name) != "interleaved-combined")
                QTest::newRow(entry.name) << QString(entry.name);
    }
    void equalsTheReferencePlayer() {
        QFETCH(QString, name);
        int compared = 0;
        for (const QJsonObject& entry : oracle::expected(name)) {
            const ScheduleParams params = oracle::paramsOf(entry);
            if (!scheduleProblems(name.toStdString(), params).empty()) continue;
            const Program program = lower(makeSchedule(name.toStdString(), params));
            for (const QJsonValue& result : entry["results"].toArray()) {
                const QJsonArray cost = result["cost"].toArray();
                const Costs costs = unitCosts(program.schedule.stageCount(), cost[0].toDouble(),
                                              cost[1].toDouble(), cost[2].toDouble(), cost[3].toDouble());
                const Overlap overlap = result["fused"].toBool() ? Overlap::Fused : Overlap::Serial;
                const IterationSummary summary = summarize(predict(program, costs, overlap), 0);
                QVERIFY(same(units(summary.iteration_ns), result["makespan"].toDouble()));
                QVERIFY(same(summary.bubble_of_total, result["bubble"].toDouble()));
                QVERIFY(same(summary.bubble_of_ideal, result["ideal"].toDouble()));
                QVERIFY(same(units(summary.span_ns), result["span"].toDouble()));
                for (const RankSummary& rank : summary.ranks) {
                    QVERIFY(same(units(rank.first_start_ns), result["first"][rank.rank].toDouble()));
                    QVERIFY(same(units(rank.last_end_ns), result["last"][rank.rank].toDouble()));
                    // Without a backward the reference frees nothing; here activations go with the end of F.
                    const bool frees = !program.schedule.isForwardOnly();
                    QCOMPARE(rank.peak_in_flight, frees ? entry["peak"][rank.rank].toInt() : 1);
                    QCOMPARE(rank.peak_in_flight_dgrad, frees ? entry["peak_dgrad"][rank.rank].toInt() : 1);
                }
                ++compared;
            }
        }
        QVERIFY(compared > 0);
    }

    // Wherever the catalog gives a formula it must be what the player finds.
    void equalsTheClosedForms() {
        int compared = 0;
        for (const CatalogEntry& entry : catalog())
            for (int p : {1, 2, 3, 5, 8})
                for (int v : {1, 2, 3, 4})
                    for (int m : {1, 2, 3, 4, 7, 8, 15, 16, 24})
                        for (int group : {0, 8}) {
                            const ScheduleParams params{p, v, m, group};
                            if (!scheduleProblems(entry.name, params).empty()) continue;
                            for (const auto& [f, i, w] : {std::tuple{1.0, 1.0, 1.0},
                                                          {1.0, 1.2, 0.8},
                                                          {1.0, 0.5, 0.5},
                                                          {2.0, 3.0, 0.5},
                                                          {2.0, 3.0, 2.5},
                                                          {1.0, 0.8, 1.2},
                                                          {3.0, 1.0, 2.0}}) {
                                const auto formula = entry.bubble_of_total(params, f, i, w);
                                if (!formula) continue;
                                const Timeline timeline =
                                    play(entry.name, params, unitCosts(p * v, f, i, w, 0));
                                const double found = summarize(timeline, 0).bubble_of_total;
                                QVERIFY2(
                                    std::abs(found - *formula) < 1e-9,
                                    qPrintable(
                                        QString("%1 p=%2 v=%3 m=%4 N=%5 f=%6 i=%7 w=%8: %9 instead of %10")
                                            .arg(entry.name)
                                            .arg(p)
                                            .arg(v)
                                            .arg(m)
                                            .arg(group)
                                            .arg(f)
                                            .arg(i)
                                            .arg(w)
                                            .arg(found)
                                            .arg(*formula)));
                                ++compared;
                            }
                        }
        QVERIFY(compared > 1000);
    }

    void peaksInFlightFollowThePapers() {
        for (int p : {2, 4, 8})
            for (int m : {1, 4, 16}) {
                const IterationSummary gpipe =
                    summarize(play("gpipe", {p, 1, m, 0}, unitCosts(p, 1, 1, 1, 0)), 0);
                const IterationSummary one =
                    summarize(play("1f1b", {p, 1, m, 0}, unitCosts(p, 1, 1, 1, 0)), 0);
                for (int r = 0; r < p; ++r) {
                    QCOMPARE(gpipe.ranks[at(r)].peak_in_flight, m);
                    QCOMPARE(one.ranks[at(r)].peak_in_flight, std::min(m, p - r));
                    QCOMPARE(one.ranks[at(r)].peak_activation_bytes, std::int64_t(std::min(m, p - r)));
                }
            }
    }

    // SCHEDULES: with a slow link 1F1B pays for every micro-batch, GPipe once.
    void aLinkHurts1F1BMore() {
        const Costs costs = unitCosts(4, 1, 1, 1, 0.1);
        QVERIFY(same(units(play("gpipe", {4, 1, 8, 0}, costs).end_ns()), 33.6));
        QVERIFY(units(play("1f1b", {4, 1, 8, 0}, costs).end_ns()) > 34.0);
    }

    void receivesSplitIntoWaitAndTransfer() {
        const Timeline timeline = play("gpipe", {2, 1, 2, 0}, unitCosts(2, 1, 1, 1, 0.25));
        const auto receives = timeline.receives(1);
        QCOMPARE(receives.size(), 2U);
        // Rank 1 waits from 0 for F0, which ends at 1 and arrives at 1.25.
        QVERIFY(receives[0].op == Op::RecvForward && receives[0].microbatch == 0);
        QCOMPARE(receives[0].start_ns, 0);
        QCOMPARE(receives[0].transfer_ns, 1'000'000'000);
        QCOMPARE(receives[0].end_ns, 1'250'000'000);
        // F1 ends at 2 and arrives at 2.25, when rank 1 has just finished F0: its transfer is hidden.
        QCOMPARE(receives[1].start_ns, 2'000'000'000);
        QCOMPARE(receives[1].transfer_ns, 2'000'000'000);
        QCOMPARE(receives[1].end_ns, 2'250'000'000);
        QCOMPARE(timeline.compute(1)[0].start_ns, 1'250'000'000);
        QCOMPARE(timeline.compute(1)[1].start_ns, 2'250'000'000);
    }

    void memoryFollowsTheActivations() {
        Costs costs = unitCosts(1, 1, 1, 1, 0);
        costs.stages[0].activation_bytes = 100;
        costs.stages[0].kept_for_weight_bytes = 30;
        costs.stages[0].recompute_bytes = 500;
        const Schedule whole = makeSchedule("gpipe", {1, 1, 1, 0});
        const auto levels = [](const Timeline& timeline) {
            std::vector<std::pair<std::int64_t, std::int64_t>> all;  // time in units, live bytes
            for (const MemoryPoint& point : timeline.memory(0))
                all.emplace_back(point.time_ns / 1'000'000'000, point.live_bytes);
            return all;
        };
        using Levels = std::vector<std::pair<std::int64_t, std::int64_t>>;
        QVERIFY(levels(predict(lower(whole), costs)) == (Levels{{0, 100}, {3, 0}}));
        QVERIFY(levels(predict(lower(whole, Recompute::Full), costs)) ==
                (Levels{{0, 100}, {1, 600}, {4, 0}}));
        Schedule split = whole;
        split.orders[0] = {{0, Op::Forward, 0}, {0, Op::BackwardInput, 0}, {0, Op::BackwardWeight, 0}};
        QVERIFY(levels(predict(lower(split), costs)) == (Levels{{0, 100}, {2, 30}, {3, 0}}));
        QVERIFY(levels(predict(lower(split, Recompute::Full), costs)) ==
                (Levels{{0, 100}, {1, 600}, {3, 30}, {4, 0}}));
        const Timeline forward = predict(lower(makeSchedule("forward-only", {1, 1, 2, 0})), costs);
        QVERIFY(levels(forward) == (Levels{{0, 100}, {1, 0}, {1, 100}, {2, 0}}));
        QCOMPARE(forward.memory(0)[0].in_flight, std::int16_t(1));
    }

    // Full recompute makes every backward one forward longer and leaves the bubble where it was.
    void recomputeKeepsTheBubble() {
        const Schedule schedule = makeSchedule("1f1b", {4, 1, 8, 0});
        const Costs costs = unitCosts(4, 1, 1, 1, 0);
        const IterationSummary plain = summarize(predict(lower(schedule), costs), 0);
        const IterationSummary again = summarize(predict(lower(schedule, Recompute::Full), costs), 0);
        QCOMPARE(units(plain.iteration_ns), 33.0);
        QCOMPARE(units(again.iteration_ns), 44.0);
        QVERIFY(std::abs(again.bubble_of_total - plain.bubble_of_total) < 1e-12);
        QCOMPARE(units(again.ranks[0].recompute_ns), 8.0);
    }

    void allRanksStepTogetherAfterTheIteration() {
        Costs costs = unitCosts(4, 1, 1, 1, 0);
        costs.optimizer_ns = 5e8;
        const Timeline timeline = play("1f1b", {4, 1, 8, 0}, costs);
        for (int rank = 0; rank < 4; ++rank) {
            const Event& step = timeline.compute(rank).back();
            QVERIFY(step.op == Op::OptimizerStep);
            QCOMPARE(units(step.start_ns), 33.0);
            QCOMPARE(units(step.end_ns), 33.5);
        }
        const IterationSummary summary = summarize(timeline, 0);
        QCOMPARE(units(summary.iteration_ns), 33.0);
        QCOMPARE(units(summary.optimizer_ns), 0.5);
        const Timeline inference = play("forward-only", {4, 1, 8, 0}, costs);
        for (const Event& e : inference.compute(0)) QVERIFY(e.op == Op::Forward);
    }

    void iterationsCanBeChained() {
        const Program program = lower(makeSchedule("interleaved", {2, 2, 4, 0}));
        const Costs costs = unitCosts(4, 1, 1.2, 0.8, 0.1);
        const Timeline first = predict(program, costs);
        const std::int64_t later = 7'000'000'000;
        const Timeline second = predict(program, costs, Overlap::Serial, later, 3);
        for (int rank = 0; rank < 2; ++rank) {
            QCOMPARE(first.compute(rank).size(), second.compute(rank).size());
            for (std::size_t i = 0; i < first.compute(rank).size(); ++i) {
                QCOMPARE(second.compute(rank)[i].start_ns, first.compute(rank)[i].start_ns + later);
                QCOMPARE(second.compute(rank)[i].iteration, 3);
            }
            for (std::size_t i = 0; i < first.receives(rank).size(); ++i) {
                QCOMPARE(second.receives(rank)[i].start_ns, first.receives(rank)[i].start_ns + later);
                QCOMPARE(second.receives(rank)[i].transfer_ns, first.receives(rank)[i].transfer_ns + later);
            }
            QCOMPARE(second.memory(rank)[0].time_ns, first.memory(rank)[0].time_ns + later);
        }
    }

    void slowStagesAreRespected() {
        Costs costs = unitCosts(2, 1, 1, 1, 0);
        costs.stages[1].forward_ns = 2e9;
        costs.stages[1].backward_ns = 4e9;
        // The slow rank works without a break: fill 1, m * 6, drain 2.
        QCOMPARE(units(play("1f1b", {2, 1, 4, 0}, costs).end_ns()), 27.0);
    }

    // No rank does two things at once, nothing starts before its input, no rank idles while it could work.
    void playsByTheRules() {
        for (const CatalogEntry& entry : catalog()) {
            const ScheduleParams params{4, entry.fixed_v > 0 ? entry.fixed_v : std::max(2, entry.min_v), 8,
                                        0};
            const Program program = lower(makeSchedule(entry.name, params));
            const int stages = program.schedule.stageCount();
            const Timeline timeline = predict(program, unitCosts(stages, 1, 1.3, 0.9, 0.2));
            std::map<std::tuple<int, bool, int>, std::int64_t> ends;  // stage, forward, micro-batch
            for (int rank = 0; rank < 4; ++rank)
                for (const Event& e : timeline.compute(rank))
                    if (e.op != Op::BackwardWeight)
                        ends[{e.stage, e.op == Op::Forward, e.microbatch}] = e.end_ns;
            for (int rank = 0; rank < 4; ++rank) {
                std::int64_t free = 0;
                std::size_t position = 0;
                for (const Event& e : timeline.compute(rank)) {
                    QVERIFY(program.schedule.orders[at(rank)][position] ==
                                (Action{e.stage, e.op, e.microbatch}) ||
                            program.schedule.orders[at(rank)][position].overlaps_next);
                    ++position;
                    std::int64_t ready = 0;
                    const int from = e.op == Op::Forward          ? program.schedule.previousStage(e.stage)
                                     : e.op == Op::BackwardWeight ? -1
                                                                  : program.schedule.nextStage(e.stage);
                    if (from >= 0)
                        ready = ends.at({from, e.op == Op::Forward, e.microbatch}) +
                                (program.schedule.placement[at(from)] == rank ? 0 : 200'000'000);
                    QCOMPARE(e.start_ns, std::max(free, ready));
                    free = e.end_ns;
                }
                QCOMPARE(position, program.schedule.orders[at(rank)].size());
            }
        }
    }

    // Neither a time nor the sum over the ranks may leave 64 bits.
    void refusesTimesThatDoNotFit() {
        const Program program = lower(makeSchedule("1f1b", {4, 1, 8}));
        const auto of = [&](double forward_ns) {
            Costs costs = unitCosts(4, 1, 1, 1, 0);
            for (StageCosts& stage : costs.stages) stage.forward_ns = forward_ns;
            return costs;
        };
        const Timeline longest = predict(program, of(1e17));  // 11 * 1e17 on each of four ranks
        QVERIFY(summarize(longest, 0).iteration_ns > 1'000'000'000'000'000'000);
        for (const double forward_ns : {1.2e17, 1e18, 5e18, 1e19, 1e300, double(INFINITY), double(NAN)})
            QVERIFY_THROWS_EXCEPTION(std::invalid_argument, predict(program, of(forward_ns)));
        Costs slow_step = unitCosts(4, 1, 1, 1, 0);
        slow_step.optimizer_ns = 1e19;
        QVERIFY_THROWS_EXCEPTION(std::invalid_argument, predict(program, slow_step));
    }

    void theNumbersAloneAreThoseOfTheTimeline() {
        std::mt19937 random(5);
        for (const CatalogEntry& entry : catalog())
            for (const Recompute recompute : {Recompute::None, Recompute::Full})
                for (const int d : {1, 2}) {
                    const ScheduleParams params{4, defaultChunks(entry), 12, 0, false, d};
                    if (!scheduleProblems(entry.name, params).empty()) continue;
                    const Program program = lower(makeSchedule(entry.name, params), recompute);
                    Costs costs = randomCosts(program.schedule.stageCount(), random);
                    costs.link.latency_us = 0.3;
                    for (StageCosts& stage : costs.stages)
                        stage.setChunk({.held = 7, .recomputed = 5, .kept_for_weight = 3, .forward_peak = 9});
                    QVERIFY2(predictSummary(program, costs) == summarize(predict(program, costs), 0),
                             entry.name);
                }
        QVERIFY_THROWS_EXCEPTION(std::invalid_argument, predictSummary(lower(makeSchedule("1f1b", {4, 1, 8})),
                                                                       unitCosts(3, 1, 1, 1, 0)));
    }

    void refusesCostsOfAnotherPipeline() {
        const Program program = lower(makeSchedule("1f1b", {4, 1, 8, 0}));
        QVERIFY_THROWS_EXCEPTION(std::invalid_argument, predict(program, unitCosts(3, 1, 1, 1, 0)));
    }
};

BUBBLESCOPE_TEST(TestPredict)

}  // namespace tst_predict

#include "tst_predict.moc"
