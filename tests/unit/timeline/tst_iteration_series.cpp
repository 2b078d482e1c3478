// Many iterations of one configuration: the one in the middle, those that stand out and why, drift, and what
// is slow in most of them: against series whose truth is known.
#include <QTest>
#include <random>
#include <string>

#include "analysis/event_graph.h"
#include "analysis/iteration_series.h"
#include "catalog/catalog.h"
#include "registered_test.h"
#include "timeline/median.h"
#include "timeline/predict.h"

namespace tst_iteration_series {

using namespace bscope;

class TestIterationSeries : public QObject {
    Q_OBJECT

    static std::vector<SeriesPoint> noisy(std::size_t count, double scatter, std::mt19937& random,
                                          double growth = 0) {
        std::normal_distribution<double> noise(0, scatter);
        std::vector<SeriesPoint> points;
        for (std::size_t i = 0; i < count; ++i)
            points.push_back({100 * (1 + growth * static_cast<double>(i)) * (1 + noise(random))});
        return points;
    }

    // Iterations of one order whose operations scatter by `noise`; a rank, a stage or a micro-batch takes
    // `factor` times as long.
    struct Fault {
        int rank = -1, stage = -1, microbatch = -1;
        double factor = 1;
    };
    static Timeline evenly(const Schedule& schedule) {
        Costs costs;
        costs.stages.resize(static_cast<std::size_t>(schedule.stageCount()));
        for (StageCosts& stage : costs.stages) {
            stage.forward_ns = 1e6;
            stage.backward_ns = 2e6;
            stage.input_ns = stage.weight_ns = 1e6;
        }
        return predict(lower(schedule, Recompute::None), costs, Overlap::Serial);
    }
    static Outliers iterated(const Schedule& schedule, const Timeline& even, const Fault& fault, double noise,
                             std::mt19937& random) {
        std::uniform_real_distribution<double> scatter(1 - noise, 1 + noise);
        Timeline timeline(even.ranks(), Provenance::Reconstructed);
        for (int rank = 0; rank < even.ranks(); ++rank) {
            std::int64_t later_ns = 0;
            for (Event event : even.compute(rank)) {
                double longer = scatter(random);
                if (rank == fault.rank || (event.stage >= 0 && event.stage == fault.stage) ||
                    (event.microbatch >= 0 && event.microbatch == fault.microbatch))
                    longer *= fault.factor;
                const std::int64_t more_ns =
                    std::llround(static_cast<double>(event.duration_ns()) * (longer - 1));
                event.start_ns += later_ns;
                later_ns += more_ns;
                event.end_ns += later_ns;
                timeline.append(event);
            }
        }
        const EventGraph graph(timeline, 0, timeline.begin_ns());
        RunFacts facts = factsOf(schedule);
        facts.knows_messages = false;  // durations alone decide here
        return Usual(graph, facts).outliers();
    }

private slots:
    void theMiddleOneIsARealOne() {
        const std::vector<double> odd{5, 1, 9, 4, 100};
        QCOMPARE(nearestToMedian(odd), std::size_t{0});
        const std::vector<double> even{10, 20, 30, 41};  // median 25: 20 and 30 are as near
        QCOMPARE(nearestToMedian(even), std::size_t{1});
        QCOMPARE(nearestToMedian(std::vector<double>{7}), std::size_t{0});
        std::mt19937 random(3);
        for (int round = 0; round < 200; ++round) {
            std::vector<double> lengths;
            const auto count = std::uniform_int_distribution<int>(1, 30)(random);
            for (int i = 0; i < count; ++i)
                lengths.push_back(std::uniform_int_distribution<int>(0, 20)(random));
            const double middle = median(lengths);
            const std::size_t found = nearestToMedian(lengths);
            for (std::size_t i = 0; i < lengths.size(); ++i) {
                QVERIFY(std::abs(lengths[i] - middle) >= std::abs(lengths[found] - middle));
                if (i < found) QVERIFY(std::abs(lengths[i] - middle) > std::abs(lengths[found] - middle));
            }
        }
    }

    // The cause that is said is the one that is recorded, and none is said otherwise.
    void whatStandsOutHasTheCauseThatIsRecorded() {
        std::mt19937 random(1);
        std::vector<SeriesPoint> points = noisy(40, 0.01, random);
        points[0] = {180, false, true};
        points[7] = {150, true, false};
        points[20] = {140, false, false};
        points[21] = {70, false, false};  // shorter is odd, too
        points[22] = {145, false, false, 2};
        points[23] = {145, true, false, 1};   // what proves more
        points[24] = {145, true, false, 0};
        points[25] = {70, true, false, 2};    // neither makes an iteration shorter
        points[26] = {145, false, false, 0};
        points[30].disturbed = true;      // disturbed, and as long as the others
        points[31].throttles = 4;         // throttled, and as long as the others
        const SeriesFacts facts = seriesFacts(points);
        QCOMPARE(facts.samples, std::size_t{34});
        for (std::size_t i = 0; i < points.size(); ++i)
            QCOMPARE(facts.oddities[i], i == 0    ? Oddity::First
                                        : i == 7  ? Oddity::Disturbed
                                        : i == 20 ? Oddity::Unexplained
                                        : i == 21 ? Oddity::Unexplained
                                        : i == 22 ? Oddity::Thermal
                                        : i == 23 ? Oddity::Thermal
                                        : i == 24 ? Oddity::Disturbed
                                        : i == 25 ? Oddity::Unexplained
                                        : i == 26 ? Oddity::Unexplained
                                                  : Oddity::None);
    }

    void fewOrEvenIterationsTellNothing() {
        std::mt19937 random(2);
        const std::vector<SeriesPoint> few{{100}, {100}, {100}, {300}};
        QCOMPARE(seriesFacts(few).oddities[3], Oddity::None);
        // Calibrated durations: all alike, and what differs by less than a twentieth is no outlier.
        std::vector<SeriesPoint> even(20, {100});
        even[5].length_ms = 104;
        QCOMPARE(seriesFacts(even).oddities[5], Oddity::None);
        even[5].length_ms = 106;
        QCOMPARE(seriesFacts(even).oddities[5], Oddity::Unexplained);
        QVERIFY(!driftOf(even));
        QVERIFY(seriesFacts({}).oddities.empty());
        int wrong = 0;  // calm series of many lengths
        for (int round = 0; round < 500; ++round) {
            const auto points = noisy(
                static_cast<std::size_t>(std::uniform_int_distribution<int>(8, 200)(random)), 0.02, random);
            for (const Oddity why : seriesFacts(points).oddities) wrong += why != Oddity::None;
            wrong += driftOf(points).has_value();
        }
        QVERIFY2(wrong <= 5, std::to_string(wrong).c_str());
    }

    void driftIsFoundWithItsSize() {
        std::mt19937 random(4);
        int found = 0;
        for (int round = 0; round < 500; ++round) {
            const double growth = std::uniform_int_distribution<int>(0, 1)(random) == 0 ? 0.002 : -0.002;
            std::vector<SeriesPoint> points = noisy(50, 0.01, random, growth);
            points[0] = {300, false, true};
            points[10] = {250, true, false};
            points[40].length_ms = 200;  // one that stands out moves no line of medians
            const auto drift = driftOf(points);
            if (!drift) continue;
            QCOMPARE(drift->samples, std::size_t{48});
            found += std::abs(drift->share - 48 * growth / (1 + 25 * growth)) < 0.02;
            const double line = drift->at_middle_ms + drift->slope_ms * (25 - drift->middle);  // at place 25
            QVERIFY(std::abs(line - 100 * (1 + 25 * growth)) < 2);
        }
        QVERIFY2(found >= 495, std::to_string(found).c_str());
    }

    // A rank, a stage and a micro-batch are distinguished, in most of the iterations; nothing is named where
    // nothing is slow.
    void stragglersAreNamed() {
        std::mt19937 random(5);
        const auto any = [&](int least, int most) {
            return std::uniform_int_distribution<int>(least, most)(random);
        };
        int right = 0;
        for (int round = 0; round < 500; ++round) {
            const bool with_chunks = any(0, 1) == 1;
            const ScheduleParams params{any(3, 6), with_chunks ? 2 : 1, 12, 0};
            const Schedule schedule = makeSchedule(with_chunks ? "zb-v" : "1f1b", params);
            Fault fault;
            fault.factor = 1 + 0.01 * any(15, 80);
            std::optional<std::pair<Straggler::Kind, int>> truth;
            switch (any(0, 3)) {
                case 0:  // with one stage a rank the ends are what docs/NUMBERS.md says of them
                    fault.rank = with_chunks ? any(0, params.p - 1) : any(1, params.p - 2);
                    truth = {Straggler::Kind::Rank, fault.rank};
                    break;
                case 1:
                    fault.stage = schedule.stageCount() - 1;
                    truth = {Straggler::Kind::Stage, fault.stage};
                    break;
                case 2:
                    fault.microbatch = any(0, 11);
                    truth = {Straggler::Kind::Microbatch, fault.microbatch};
                    break;
                default:
                    break;
            }
            std::vector<Outliers> iterations;
            const Timeline even = evenly(schedule);
            const int slow_ones = truth ? any(6, 10) : 0;
            for (int i = 0; i < 10; ++i)
                iterations.push_back(
                    iterated(schedule, even, i < slow_ones ? fault : Fault{}, 0.01 * any(0, 5), random));
            const auto found = stragglerOf(iterations);
            const bool is_right = truth ? found && std::pair(found->kind, found->index) == *truth &&
                                              found->of == 10 &&
                                              static_cast<int>(found->found_in) == slow_ones &&
                                              std::abs(found->factor / fault.factor - 1) < 0.1
                                        : !found;
            right += is_right;
        }
        QVERIFY2(right >= 495, std::to_string(right).c_str());
    }

    void aStragglerIsInMostOfEnoughIterations() {
        Outliers slow, calm;
        slow.slow_rank = Outlier{2, -1, 1.5, 0.01, 20};
        const auto of = [&](int slow_ones, int all) {
            std::vector<Outliers> iterations(static_cast<std::size_t>(all), calm);
            for (int i = 0; i < slow_ones; ++i) iterations[static_cast<std::size_t>(i)] = slow;
            return stragglerOf(iterations);
        };
        QVERIFY(!of(4, 4));
        QVERIFY(of(3, 5));
        QVERIFY(!of(5, 10));  // half is not most
        QCOMPARE(of(6, 10)->found_in, std::size_t{6});
        QCOMPARE(of(6, 10)->factor, 1.5);
        QVERIFY(!of(6, 10)->launch_gaps);
        slow.slow_rank->launch_gaps = 0.75;
        QCOMPARE(of(6, 10)->launch_gaps, std::optional(0.75));
    }
};

BUBBLESCOPE_TEST(TestIterationSeries)

}  // namespace tst_iteration_series

#include "tst_iteration_series.moc"
