// From theory to what was measured: the steps sum exactly, and each adds what it is named after.
#include <QTest>
#include <random>

#include "analysis/waterfall.h"
#include "catalog/catalog.h"
#include "registered_test.h"
#include "timeline/mean_durations.h"
#include "timeline/predict.h"
#include "words/catalog.h"

namespace tst_waterfall {

using namespace bscope;

namespace {

using Kind = WaterfallStep::Kind;

// Durations in us of F and of B = 2 F, for every stage.
Costs costsOf(std::vector<double> forwards) {
    Costs costs;
    for (const double f : forwards) {
        StageCosts& stage = costs.stages.emplace_back();
        stage.forward_ns = stage.recompute_ns = 1000 * f;
        stage.backward_ns = 2000 * f;
        stage.input_ns = stage.weight_ns = 1000 * f;
    }
    return costs;
}

Waterfall of(const Schedule& schedule, const Costs& costs, Recompute recompute = Recompute::None) {
    const Timeline timeline = predict(lower(schedule, recompute), costs);
    return *waterfall(
        BubbleCauses(timeline, 0, factsOf(schedule)),
        closedFormBubble(schedule, unitCosts(schedule.stageCount(), 1, 1, 1, 0), Recompute::None));
}

const WaterfallStep& step(const Waterfall& found, Kind kind) {
    return found.steps[static_cast<std::size_t>(kind)];
}

}  // namespace

class TestWaterfall : public QObject {
    Q_OBJECT
private slots:
    void theStepsSumToWhatWasMeasured() {
        std::mt19937 random(1);
        std::uniform_real_distribution<double> duration(1, 5);
        int cases = 0;
        for (const CatalogEntry& entry : catalog())
            for (const int p : {1, 2, 4})
                for (const int m : {4, 8}) {
                    const ScheduleParams params{p, defaultChunks(entry), m, 0};
                    if (!scheduleProblems(entry.name, params).empty()) continue;
                    const Schedule schedule = makeSchedule(entry.name, params);
                    std::vector<double> forwards;
                    for (int stage = 0; stage < schedule.stageCount(); ++stage)
                        forwards.push_back(duration(random));
                    Costs costs = costsOf(forwards);
                    costs.link.latency_us = duration(random) - 1;
                    const Timeline timeline = predict(lower(schedule, Recompute::Full), costs);
                    const BubbleCauses causes(timeline, 0, factsOf(schedule));
                    const auto found = waterfall(causes, 0.25);
                    if (causes.summary().is_stream) {  // nothing stands before its first step
                        QVERIFY(!found && p == 1);
                        continue;
                    }
                    QVERIFY(found && found->steps.size() == 8U);
                    std::int64_t ns = 0;
                    double bubble = 0;
                    for (const WaterfallStep& each : found->steps) {
                        ns += each.added_ns;
                        bubble += each.added_bubble;
                        QCOMPARE(ns, each.iteration_ns);
                        QVERIFY(std::abs(bubble - each.bubble_of_total) < 1e-12);
                    }
                    QCOMPARE(ns, causes.summary().iteration_ns);
                    QVERIFY(std::abs(bubble - causes.summary().bubble_of_total) < 1e-12);
                    // A prediction has no scatter, and no rank begins late in it.
                    if (schedule.weights == WeightRule::Flush) {
                        QCOMPARE(step(*found, Kind::LaunchGaps).added_ns, 0);
                        QVERIFY(std::abs(step(*found, Kind::Scatter).added_ns) <=
                                8 * causes.graph().ranks() * m);
                    }
                    ++cases;
                }
        QVERIFY(cases > 50);
    }

    void theoryIsTheClosedForm() {
        const Schedule schedule = makeSchedule("1f1b", {4, 1, 8, 0});
        const Waterfall found = of(schedule, costsOf({5, 5, 5, 5}));
        QVERIFY(found.is_closed_form);
        QCOMPARE(found.steps.front().bubble_of_total, 3.0 / 11);
        QCOMPARE(found.steps.front().iteration_ns, 11 * 15'000);
        for (std::size_t i = 1; i < found.steps.size(); ++i) QCOMPARE(found.steps[i].added_ns, 0);
    }

    void eachStepAddsItsOwn() {
        const Schedule schedule = makeSchedule("1f1b", {4, 1, 8, 0});
        const auto added = [&](const Waterfall& found) {
            std::string names;
            for (std::size_t i = 1; i < found.steps.size(); ++i)
                if (found.steps[i].added_ns != 0) names += std::string(toText(found.steps[i].kind)) + " ";
            return names;
        };
        const Waterfall slow = of(schedule, costsOf({5, 5, 10, 5}));
        QCOMPARE(added(slow), std::string("slow_rank "));
        QCOMPARE(step(slow, Kind::SlowRank).index, 2);
        const Waterfall head = of(schedule, costsOf({5, 5, 5, 10}));
        QCOMPARE(added(head), std::string("unequal_stages "));
        QCOMPARE(step(head, Kind::UnequalStages).index, 3);
        Costs costs = costsOf({5, 5, 5, 5});
        costs.link.latency_us = 1;
        QCOMPARE(added(of(schedule, costs)), std::string("link "));
        costs.link.latency_us = 0;
        QCOMPARE(added(of(schedule, costs, Recompute::Full)), std::string("recomputation "));
        // ZB-H1's bubble depends on the ratio: x = (p - 1)(F + I - min(F, I, W)).
        for (StageCosts& stage : costs.stages) stage.input_ns = 7000;
        const Waterfall ratio = of(makeSchedule("zb-h1", {4, 1, 8, 0}), costs);
        QVERIFY(ratio.is_closed_form);
        QCOMPARE(added(ratio), std::string("ratio "));
        QCOMPARE(step(ratio, Kind::Ratio).iteration_ns, 8 * 17'000 + 3 * (5'000 + 7'000 - 5'000));
        for (const WaterfallStep& each : slow.steps)
            QVERIFY2(chineseWords().contains(wordsOf(each.kind).id), toText(each.kind));
    }
};

BUBBLESCOPE_TEST(TestWaterfall)

}  // namespace tst_waterfall

#include "tst_waterfall.moc"
