// What is called a property of stages and ranks is there in the medians of several iterations: noisy iterations
// of equal ranks name none and have one figure for unequal stages; a rank that is slow in all of them is named.
#include <QTest>
#include <cmath>
#include <random>

#include "analysis/causes.h"
#include "analysis/waterfall.h"
#include "catalog/catalog.h"
#include "registered_test.h"
#include "timeline/predict.h"

namespace tst_series_medians {

using namespace bscope;
using Kind = WaterfallStep::Kind;

namespace {

constexpr int kRanks = 4;

struct Noisy {
    double of_iteration = 0.12;  // of a stage, the same for all that it does in an iteration
    double of_operation = 0.04;
    int slow_rank = -1;
    double factor = 1;
};

// Operation by operation, as a busy machine would have it.
std::vector<Timeline> iterationsOf(const Schedule& schedule, int count, const Noisy& noisy, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    std::vector<Timeline> all;
    for (int iteration = 0; iteration < count; ++iteration) {
        Costs costs = unitCosts(schedule.stageCount(), 1, 1, 1, 0);
        for (int stage = 0; stage < schedule.stageCount(); ++stage) {
            double factor = std::exp(noisy.of_iteration * normal(random));
            if (stage == schedule.stageCount() - 1) factor *= 1.3;  // the head
            if (stage == noisy.slow_rank) factor *= noisy.factor;
            StageCosts& own = costs.stages[static_cast<std::size_t>(stage)];
            own.forward_ns = 8e6 * factor;
            own.backward_ns = 16e6 * factor;
        }
        const Timeline played = predict(lower(schedule, Recompute::None), costs, Overlap::Serial, 0, iteration);
        Timeline timeline(played.ranks(), Provenance::Reconstructed);
        for (int rank = 0; rank < played.ranks(); ++rank)
            for (Event event : played.compute(rank)) {
                // Shorter ones leave gaps and move nothing.
                event.end_ns -= std::llround(std::abs(noisy.of_operation * normal(random)) *
                                             static_cast<double>(event.duration_ns()));
                timeline.append(event);
            }
        all.push_back(std::move(timeline));
    }
    return all;
}

RunFacts factsFor(const Schedule& schedule, SharedSeries series) {
    RunFacts facts = factsOf(schedule);
    facts.work = {1, 1, 1, 1.3};
    facts.series = std::move(series);
    return facts;
}

SharedSeries seriesIn(const std::vector<Timeline>& iterations) {
    SeriesMedians medians;
    for (auto i = static_cast<std::int32_t>(iterations.size()) - 1; i >= 0; --i)
        medians.push_back(iterationMedians(iterations[static_cast<std::size_t>(i)], i, false));
    return seriesOf(std::move(medians), false);
}

const WaterfallStep& step(const Waterfall& found, Kind kind) {
    return found.steps[static_cast<std::size_t>(kind)];
}

}  // namespace

class TestSeriesMedians : public QObject {
    Q_OBJECT
    const Schedule schedule_ = makeSchedule("1f1b", {kRanks, 1, 8, 0});

private slots:
    void noiseNamesNothingAndUnequalStagesHaveOneFigure() {
        int named_alone = 0;
        for (unsigned seed = 1; seed <= 60; ++seed) {
            const std::vector<Timeline> ten = iterationsOf(schedule_, 10, {}, seed);
            const SharedSeries series = seriesIn(ten);
            QCOMPARE(series->size(), kSeriesIterations);
            std::optional<std::int64_t> unequal_ns;
            for (std::int32_t i = 0; i < 10; ++i) {
                const Timeline& timeline = ten[static_cast<std::size_t>(i)];
                const BubbleCauses causes(timeline, i, factsFor(schedule_, series));
                QVERIFY2(!causes.usual().outliers().slow_rank && !causes.usual().outliers().slow_stage,
                         qPrintable(QStringLiteral("seed %1, iteration %2").arg(seed).arg(i)));
                const auto found = waterfall(causes, schedule_);
                QVERIFY(found);
                QCOMPARE(found->iterations, 8);
                QCOMPARE(step(*found, Kind::SlowRank).added_ns, 0);
                if (!unequal_ns) unequal_ns = step(*found, Kind::UnequalStages).added_ns;
                QCOMPARE(step(*found, Kind::UnequalStages).added_ns, *unequal_ns);
                const BubbleCauses alone(timeline, i, factsFor(schedule_, nullptr));
                named_alone += alone.usual().outliers().slow_rank || alone.usual().outliers().slow_stage;
            }
        }
        QVERIFY(named_alone > 100);  // of 600: each iteration by itself is no evidence
    }

    void aRankThatIsSlowInAllOfThemIsNamed() {
        int named = 0, other = 0;
        for (unsigned seed = 1; seed <= 40; ++seed) {
            const std::vector<Timeline> ten =
                iterationsOf(schedule_, 10, {.of_iteration = 0.06, .slow_rank = 2, .factor = 1.5}, seed);
            const SharedSeries series = seriesIn(ten);
            for (std::int32_t i = 0; i < 10; ++i) {
                const BubbleCauses causes(ten[static_cast<std::size_t>(i)], i, factsFor(schedule_, series));
                const auto& rank = causes.usual().outliers().slow_rank;
                if (rank) ++(rank->index == 2 ? named : other);
                if (rank) QCOMPARE(rank->iterations, 8);
            }
        }
        QVERIFY2(named >= 380 && other == 0, qPrintable(QString::number(named)));
    }

    // Of four iterations nothing is named but what the configuration slows down.
    void fewIterationsNameOnlyWhatIsKnown() {
        const std::vector<Timeline> four =
            iterationsOf(schedule_, 4, {.of_iteration = 0.01, .slow_rank = 2, .factor = 2}, 5);
        RunFacts facts = factsFor(schedule_, seriesIn(four));
        const BubbleCauses unknown(four.front(), 0, facts);
        QVERIFY(!unknown.usual().outliers().slow_rank && !unknown.usual().outliers().slow_stage);
        QCOMPARE(unknown.usual().iterations(), 4);
        facts.slowed = {2};
        const BubbleCauses known(four.front(), 0, facts);
        QVERIFY(known.usual().outliers().slow_rank);
        QCOMPARE(known.usual().outliers().slow_rank->index, 2);
    }

    // Single trace files of others are judged by what they hold.
    void importsOfFewIterationsAreJudgedAlone() {
        QVERIFY(seriesOf(SeriesMedians(4), true) == nullptr);
        QCOMPARE(seriesOf(SeriesMedians(12), true)->size(), kSeriesIterations);
        QCOMPARE(seriesOf(SeriesMedians(1), false)->size(), std::size_t{1});
        QVERIFY(seriesOf({}, false) == nullptr);
    }
};

BUBBLESCOPE_TEST(TestSeriesMedians)

}  // namespace tst_series_medians

#include "tst_series_medians.moc"
