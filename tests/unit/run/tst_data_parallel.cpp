// Data-parallel replicas: the transform of a schedule, its prediction, and that it trains what one rank
// trains.
#include <QTest>
#include <algorithm>
#include <cmath>
#include <set>

#include "catalog/catalog.h"
#include "catalog/explanation.h"
#include "clock/clock.h"
#include "plan/message_tags.h"
#include "plan/plan.h"
#include "plan/plan_memory.h"
#include "registered_test.h"
#include "run/verify.h"
#include "run_fixture.h"
#include "schedule/formats/csv.h"
#include "schedule/data_parallel.h"
#include "schedule/deadlock.h"
#include "schedule/rank_layout.h"
#include "schedule/stage_places.h"
#include "schedule/validate.h"
#include "timeline/analysis.h"
#include "timeline/predict.h"
#include "words/catalog.h"

namespace tst_data_parallel {

using namespace bscope;

namespace {

constexpr const char* kSchedules[] = {"1f1b", "gpipe", "interleaved", "zb-h1"};

RunConfig replicated(const char* schedule, int p, int m, int d) {
    const CatalogEntry& entry = *findSchedule(schedule);
    RunConfig config = tinyConfig(schedule, p, m, defaultChunks(entry));
    config.params.d = d;
    return config;
}

ScheduleParams paramsOf(const CatalogEntry& entry, int p, int m, int d) {
    ScheduleParams params{p, defaultChunks(entry), m};
    params.d = d;
    return params;
}

double relativeDifference(double a, double b) {
    return std::abs(a - b) / std::max(std::abs(a), std::abs(b));
}

}  // namespace

class TestDataParallel : public QObject {
    Q_OBJECT

private slots:
    // Every message of a reduction has a name and a size of its own, and slices and sums are all of the
    // gradients.
    void messagesOfAReduction() {
        const Plan plan = makePlan(replicated("interleaved", 2, 4, 3));
        const Schedule& schedule = plan.program.schedule;
        std::set<MessageTag> tags;
        for (int stage = 0; stage < plan.stages(); ++stage) {
            const std::vector<int> copies = schedule.copiesOf(stage);
            QCOMPARE(copies.size(), std::size_t{3});
            std::size_t slices = 0, sums = 0;
            for (const int other : copies) {
                const MessageTag slice = reductionTag(schedule, MessageKind::Slice, other, stage),
                                 sum = reductionTag(schedule, MessageKind::Sum, stage, other);
                slices += plan.messageBytes(slice);
                sums += plan.messageBytes(sum);
                for (const MessageTag& tag : {slice, sum}) {
                    QVERIFY(tags.insert(tag).second);
                    QCOMPARE(tag.microbatch, -1);
                    QCOMPARE(messageText(tag), std::to_string(tag.stage) + "REDUCE_GRAD");
                    QCOMPARE(sentAs(schedule, tag).stage, senderStage(schedule, tag));
                }
                QCOMPARE(senderStage(schedule, slice), stage);
                QCOMPARE(senderStage(schedule, sum), other);
            }
            const std::size_t all = weightBytes(plan.shape, plan.ranges[static_cast<std::size_t>(stage)]);
            QCOMPARE(slices, all);
            QCOMPARE(sums, all);
        }
        for (const Action receive : {Action{1, Op::RecvForward, 3}, Action{0, Op::RecvBackward, 2}}) {
            QCOMPARE(receivedAs(messageOf(receive)), receive);
            QCOMPARE(messageText(messageOf(receive)), toText(receive));
            QCOMPARE(plan.messageBytes(messageOf(receive)), plan.messageBytes());
        }
    }

    void everyScheduleOfUpToEightRanks() {
        int replicated_entries = 0;
        for (const CatalogEntry& entry : catalog()) {
            bool any = false;
            for (int p = 1; p <= 4; ++p)
                for (int d = 2; p * d <= 8; ++d) {
                    const ScheduleParams params = paramsOf(entry, p, 8, d);
                    if (!scheduleProblems(entry.name, params).empty()) continue;
                    any = true;
                    const Schedule world = makeSchedule(entry.name, params);
                    QVERIFY2(scheduleErrors(world).empty(), entry.name);
                    checkCopies(world, makeSchedule(entry.name, paramsOf(entry, p, 8, 1)));
                    const Program program = lower(world, Recompute::Full);
                    for (const Transport transport : {Transport::Buffered, Transport::Rendezvous})
                        QVERIFY2(!findDeadlock(program, transport), entry.name);
                    checkReductions(program);
                }
            replicated_entries += any;
        }
        QCOMPARE(replicated_entries,
                 static_cast<int>(catalog().size()) - 5);  // chimera, dualpipe, 3 without flush
    }

    void ranksAreThoseOfTheRankLayout() {
        const Schedule world = dataParallel(makeSchedule("interleaved", {2, 2, 4}), 3);
        const RankLayout layout{2, 3};
        QCOMPARE(world.params.layout().world(), layout.world());
        for (int replica = 0; replica < 3; ++replica)
            for (int stage = 0; stage < 4; ++stage) {
                const int rank = world.placement[static_cast<std::size_t>(replica * 4 + stage)];
                QCOMPARE(rank, layout.rankOf(stage % 2, replica));
                QCOMPARE(world.params.layout().replicaOf(rank), replica);
                QCOMPARE(world.params.layout().stageOf(rank), stage % 2);
                QCOMPARE(world.chainOf(replica * 4 + stage), replica);
            }
        QCOMPARE(world.firstMicrobatch(2), 8);
        QCOMPARE(world.copiesOf(5), (std::vector<int>{1, 5, 9}));
    }

    // World 16 in both orders of Megatron-LM.
    void shardsAreNeighbours() {
        using Groups = std::vector<std::vector<int>>;
        const auto first = [](const Groups& groups, std::size_t count) {
            return Groups(groups.begin(), groups.begin() + static_cast<std::ptrdiff_t>(count));
        };
        RankLayout layout{4, 2, 2};
        QCOMPARE(layout.world(), 16);
        QCOMPARE(first(layout.tensorParallelGroups(), 2), (Groups{{0, 1}, {2, 3}}));
        QCOMPARE(first(layout.dataParallelGroups(), 3), (Groups{{0, 2}, {1, 3}, {4, 6}}));
        QCOMPARE(first(layout.pipelineGroups(), 2), (Groups{{0, 4, 8, 12}, {1, 5, 9, 13}}));
        layout.order = RankOrder::TpPpDp;
        QCOMPARE(first(layout.dataParallelGroups(), 2), (Groups{{0, 8}, {1, 9}}));
        QCOMPARE(first(layout.pipelineGroups(), 2), (Groups{{0, 2, 4, 6}, {1, 3, 5, 7}}));
        for (const RankOrder order : {RankOrder::TpDpPp, RankOrder::TpPpDp}) {
            layout.order = order;
            for (int rank = 0; rank < layout.world(); ++rank)
                QCOMPARE(layout.rankOf(layout.stageOf(rank), layout.replicaOf(rank), layout.shardOf(rank)),
                         rank);
            QCOMPARE(layout.tensorParallelGroups().size(), std::size_t{8});
            QCOMPARE(layout.pipelineGroups().size(), std::size_t{4});
            QCOMPARE(layout.dataParallelGroups().size(), std::size_t{8});
        }
        QVERIFY(layoutProblems(layout, 16).empty());
        QCOMPARE(say(layoutProblems(layout, 8).front(), Language::English),
                 std::string("world = 8 must be t p d = 2 x 4 x 2 = 16"));
        QCOMPARE(layoutProblems({4, 2, 0}, 16).size(), std::size_t{1});
    }

    // Chunks are the stages of a rank in order, whatever the placement; in the catalog's schedules they begin
    // anew after every p stages, replicas and directions included.
    void placesOfStages() {
        for (const CatalogEntry& entry : catalog())
            for (const int d : {1, 2}) {
                const ScheduleParams params = paramsOf(entry, 4, 8, d);
                if (!scheduleProblems(entry.name, params).empty()) continue;
                const Schedule schedule = makeSchedule(entry.name, params);
                const StagePlaces places(schedule);
                QCOMPARE(places.stages(), schedule.stageCount());
                QCOMPARE(places.lettered(), schedule.stageCount() > params.layout().world());
                for (int stage = 0; stage < places.stages(); ++stage) {
                    const StagePlace place = places.of(stage);
                    const int in_replica = stage % (schedule.stageCount() / d);
                    QCOMPARE(place.rank, schedule.placement[static_cast<std::size_t>(stage)]);
                    QCOMPARE(place.chunk, in_replica / 4);
                    QCOMPARE(place.chain, schedule.chainOf(stage));
                    QCOMPARE(schedule.chains[static_cast<std::size_t>(place.chain)]
                                            [static_cast<std::size_t>(place.position)],
                             stage);
                    QCOMPARE(params.layout().replicaOf(place.rank), stage / (schedule.stageCount() / d));
                }
            }
        const StagePlaces neighbours(std::vector<int>{0, 0, 1, 1});  // two stages of a rank follow each other
        QCOMPARE(neighbours.of(1).chunk, 1);
        QCOMPARE(neighbours.of(2).chunk, 0);
        QCOMPARE(neighbours.stagesOf(1), (std::vector<int>{2, 3}));
        const StagePlaces gap(std::vector<int>{1, -1, 1});
        QCOMPARE(gap.of(1), (StagePlace{-1, 0, 1, 0}));
        QCOMPARE(gap.of(2).chunk, 1);
        QCOMPARE(gap.of(-1), StagePlace{});
        QCOMPARE(gap.of(3), StagePlace{});
        QVERIFY(!StagePlaces().lettered() && StagePlaces().stages() == 0);
    }

    void problemsNameTheNearestLegalValue() {
        const auto problemsOf = [](const char* name, int d, int p = 2) {
            return scheduleProblems(name, paramsOf(*findSchedule(name), p, 4, d));
        };
        for (const char* name : {"chimera", "dualpipe", "pipedream", "pipedream-2bw", "forward-only"}) {
            const auto found = problemsOf(name, 2);
            QCOMPARE(found.size(), std::size_t{1});
            QCOMPARE(found.front().field, std::string("d"));
            QCOMPARE(found.front().legal, std::vector<long>{1});
            QVERIFY(problemsOf(name, 1).empty());
        }
        QCOMPARE(problemsOf("1f1b", 0).front().legal, std::vector<long>{1});
        QCOMPARE(problemsOf("1f1b", 700).front().field, std::string("d"));
        QCOMPARE(problemsOf("1f1b", 700).front().legal, std::vector<long>{512});
        QVERIFY(problemsOf("1f1b", 512).empty());
        QVERIFY(!scheduleProblems("1f1b", ScheduleParams{1024, 1, 65536, 0, false, 1000000}).empty());
        ScheduleParams many{128, 1, 5000};
        many.d = 8;
        QCOMPARE(scheduleProblems("1f1b", many).front().legal, std::vector<long>{3906});

        RunConfig config = replicated("1f1b", 2, 4, 2);
        config.slow_ranks = {{3, 2.0}};
        QVERIFY(problems(config).empty());
        config.slow_ranks = {{4, 2.0}};
        QCOMPARE(problems(config).front().legal, std::vector<long>{3});
        config.slow_ranks.clear();
        config.clock = ClockChoice::Measured;
        QVERIFY(clockProblems(config, 4).empty());
        QCOMPARE(clockProblems(config, 3).front().legal, std::vector<long>{1});
        config.clock = ClockChoice::Auto;
        QCOMPARE(chooseProvenance(config, 3), Provenance::Reconstructed);
        QCOMPARE(chooseProvenance(config, 4), Provenance::Measured);
        QVERIFY_THROWS_EXCEPTION(
            std::invalid_argument,
            toComputeCsv(makeSchedule("1f1b", paramsOf(*findSchedule("1f1b"), 2, 4, 2))));
    }

    void oneReplicaIsExplained() {
        ScheduleParams params{2, 1, 4};
        const Explanation one = explain("1f1b", params, Language::English);
        params.d = 2;
        const Explanation two = explain("1f1b", params, Language::English);
        QCOMPARE(two.placement, one.placement);
        QCOMPARE(two.bubble, one.bubble);
        QVERIFY(two.weights.find("REDUCE_GRAD") != std::string::npos);
        QVERIFY(one.weights.find("REDUCE_GRAD") == std::string::npos);
    }

    // Copies of a stage meet when the last of them is done; the replicas do not hold each other up before.
    void predictionMeetsBeforeTheStep() {
        ScheduleParams params{2, 1, 3};
        params.d = 2;
        const Schedule world = makeSchedule("1f1b", params);
        Costs costs = unitCosts(4, 1, 1, 1, 0);
        costs.stages[2].forward_ns *= 2;  // stage 0 of the second replica, on rank 1
        costs.reduce_ns = 5e8;
        costs.optimizer_ns = 1e9;
        const Timeline timeline = predict(lower(world), costs);
        const IterationSummary summary = summarize(timeline, 0);
        QVERIFY(summary.ranks[0].last_end_ns < summary.ranks[1].last_end_ns);
        std::int64_t together = -1;
        for (int rank = 0; rank < 4; ++rank) {
            const auto events = timeline.compute(rank);
            const Event &reduce = events[events.size() - 2], &step = events.back();
            QCOMPARE(reduce.op, Op::ReduceGradients);
            QCOMPARE(step.op, Op::OptimizerStep);
            const int copy = rank ^ 1;
            QCOMPARE(reduce.start_ns, std::max(summary.ranks[static_cast<std::size_t>(rank)].last_end_ns,
                                               summary.ranks[static_cast<std::size_t>(copy)].last_end_ns));
            QCOMPARE(reduce.duration_ns(), std::int64_t{500'000'000});
            if (together >= 0) QCOMPARE(step.start_ns, together);
            together = step.start_ns;
        }
        QCOMPARE(summary.optimizer_ns, std::int64_t{1'500'000'000});
        QCOMPARE(summary.iteration_ns, summary.ranks[1].last_end_ns);
    }

    void equalReplicasHaveTheBubbleOfOne() {
        for (const char* name : kSchedules) {
            const auto predicted = [&](int d) {
                const Schedule schedule = makeSchedule(name, paramsOf(*findSchedule(name), 4, 8, d));
                return summarize(predict(lower(schedule), unitCosts(schedule.stageCount(), 1, 1, 1, 0)), 0);
            };
            QCOMPARE(predicted(3).iteration_ns, predicted(1).iteration_ns);
            QCOMPARE(predicted(3).bubble_of_total, predicted(1).bubble_of_total);
        }
    }

    void verifiesAgainstOneRank_data() {
        QTest::addColumn<QByteArray>("schedule");
        QTest::addColumn<int>("d");
        for (const char* name : kSchedules) QTest::addRow("%s d=2", name) << QByteArray(name) << 2;
        QTest::addRow("1f1b d=3") << QByteArray("1f1b") << 3;
    }
    void verifiesAgainstOneRank() {
        QFETCH(QByteArray, schedule);
        QFETCH(int, d);
        const VerifyResult result = verify(replicated(schedule.constData(), 2, 4, d));
        QVERIFY(result.replicas_equal);
        QVERIFY(result.within_tolerance);
        QVERIFY(result.tolerance <= 1e-4);
        QCOMPARE(result.params.d, d);
    }

    void everyRankReducesAndHoldsWhatWasPredicted() {
        for (const char* name : kSchedules) {
            const RunConfig config = replicated(name, 2, 4, 2);
            EventCollector observer;
            Run run(config, observer);
            run.iterate();
            const IterationReport report = run.iterate();
            const Plan plan = makePlan(config);
            const int chunks = config.params.v;
            for (int rank = 0; rank < 4; ++rank) {
                const auto& events = observer.by_rank.at(rank);
                QCOMPARE(std::ranges::count(events, Op::ReduceGradients, &Event::op), 2 * chunks);
                const auto last_compute = std::find_if(events.rbegin(), events.rend(),
                                                       [](const Event& e) { return isCompute(e.op); });
                const auto last_reduction =
                    std::ranges::find(events.rbegin(), events.rend(), Op::ReduceGradients, &Event::op);
                QVERIFY(last_reduction->start_ns >= last_compute->end_ns);
                QVERIFY(last_reduction->bytes > 0);
                QCOMPARE(report.ranks[static_cast<std::size_t>(rank)].peak_activation_bytes,
                         predictedPeakBytes(plan)[static_cast<std::size_t>(rank)]);
            }
            QCOMPARE(report.d, 2);
            QCOMPARE(report.ranks.size(), std::size_t{4});
            QCOMPARE(report.costs.stages.size(),
                     static_cast<std::size_t>(2 * config.params.stagesOfReplica()));
            QVERIFY(report.costs.reduce_ns > 0);
            QCOMPARE(std::llround(report.tokens_per_s * report.iteration_ms / 1e3), 2 * 4 * 2 * 16);
            QCOMPARE(report.theory_bubble_of_total.has_value(), true);
            double busy = 0;
            for (const RankReport& rank : report.ranks) busy += rank.busy_ms;
            QVERIFY(std::abs(report.bubble_of_total - (1 - busy / (4 * report.iteration_ms))) < 1e-9);
        }
    }

    // On device clocks with calibrated durations the run is what is predicted of it, up to rounding.
    void aCalibratedRunIsItsPrediction() {
        RunConfig config = replicated("1f1b", 2, 4, 2);
        config.durations = Durations::Calibrated;
        config.link = {200, 1};
        EventCollector observer;
        Run run(config, observer);
        run.iterate();
        Costs costs = run.iterate().costs;
        const IterationReport report = run.iterate();
        const Plan plan = makePlan(config);
        const IterationSummary predicted = summarize(predict(plan.program, costs), 0);
        QVERIFY(relativeDifference(static_cast<double>(predicted.iteration_ns) / 1e6, report.iteration_ms) <
                1e-4);
    }

    // The same mini-batch cut differently: loss and weights go on through every change of d.
    void replicasComeAndGo() {
        const auto curve = [](const std::vector<std::pair<int, int>>& shapes) {
            RunObserver no_observer;
            Run run(replicated("1f1b", 2, 12, 1), no_observer);
            std::vector<double> losses;
            for (const auto& [m, d] : shapes) {
                RunConfig config = replicated("1f1b", 2, m, d);
                config.training.learning_rate = 1e-2;
                QTest::qVerify(!run.configure(config), "continues", "", __FILE__, __LINE__);
                losses.push_back(run.iterate().loss);
            }
            return losses;
        };
        const std::vector<double> one = curve({{12, 1}, {12, 1}, {12, 1}, {12, 1}, {12, 1}, {12, 1}});
        const std::vector<double> changing = curve({{12, 1}, {6, 2}, {6, 2}, {4, 3}, {12, 1}, {12, 1}});
        QVERIFY(one.back() < one.front());
        for (std::size_t i = 0; i < one.size(); ++i) QVERIFY(relativeDifference(one[i], changing[i]) < 1e-4);
    }

    void savedStateGoesOnWithReplicas() {
        QTemporaryDir folder;
        const std::string file = folder.filePath("state.safetensors").toStdString();
        RunObserver no_observer;
        Run first(replicated("1f1b", 2, 4, 2), no_observer);
        first.iterate();
        first.save(file);
        const double expected = first.iterate().loss;
        Run second(replicated("1f1b", 2, 4, 2), no_observer);
        second.iterate();
        second.load(file);
        QCOMPARE(second.iterate().loss, expected);
    }

private:
    static void checkCopies(const Schedule& world, const Schedule& one) {
        const int d = world.params.d;
        QCOMPARE(world.replicas(), d);
        QCOMPARE(static_cast<int>(world.orders.size()), one.params.p * d);
        for (int rank = 0; rank < world.params.layout().world(); ++rank) {
            std::vector<Action> order = one.orders[static_cast<std::size_t>(rank / d)];
            for (Action& action : order)
                action = action.withStage(action.stage + (rank % d) * one.stageCount());
            QVERIFY(world.orders[static_cast<std::size_t>(rank)] == order);
        }
    }

    static void checkReductions(const Program& program) {
        for (std::size_t rank = 0; rank < program.actions.size(); ++rank) {
            const std::vector<Action>& list = program.actions[rank];
            QCOMPARE(list.back().op, Op::OptimizerStep);
            auto first = std::ranges::find(list, Op::ReduceGradients, &Action::op);
            QCOMPARE(list.end() - first - 1, program.schedule.params.v);
            for (; first + 1 != list.end(); ++first) {
                QCOMPARE(first->op, Op::ReduceGradients);
                QCOMPARE(program.schedule.placement[static_cast<std::size_t>(first->stage)],
                         static_cast<int>(rank));
            }
        }
    }
};

BUBBLESCOPE_TEST(TestDataParallel)

}  // namespace tst_data_parallel

#include "tst_data_parallel.moc"
