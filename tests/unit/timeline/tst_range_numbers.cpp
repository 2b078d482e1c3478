// Numbers of a range: the whole iteration gives the iteration's, every part is what its events say counted
// out nanosecond by nanosecond, causes sum to idle time, filters part it completely.
#include <QTest>
#include <random>

#include "analysis/range_numbers.h"
#include "catalog/catalog.h"
#include "random_costs.h"
#include "registered_test.h"
#include "timeline/predict.h"

namespace tst_range_numbers {

using namespace bscope;

namespace {

struct Played {
    Timeline timeline;
    RunFacts facts;
};

Played played(const char* schedule, int p, int v, int m, std::mt19937& random) {
    const Schedule order = makeSchedule(schedule, {p, v, m, 0});
    Costs costs = randomCosts(order.stageCount(), random);
    costs.link.latency_us = 0.4;
    costs.message_bytes = 512;
    return {predict(lower(order, Recompute::None), costs), factsOf(order)};
}

std::int64_t sumOf(const CauseParts& parts) {
    std::int64_t sum = 0;
    for (const std::int64_t part : parts) sum += part;
    return sum;
}

// Busy nanoseconds of the range, found without any overlap formula: the borders of all events in order, and
// between two of them either one runs or none does.
std::int64_t busyByBorders(const Timeline& timeline, int rank, std::int64_t from_ns, std::int64_t to_ns) {
    std::vector<std::int64_t> borders{from_ns, to_ns};
    for (const Event& event : timeline.compute(rank)) {
        borders.push_back(std::clamp(event.start_ns, from_ns, to_ns));
        borders.push_back(std::clamp(event.end_ns, from_ns, to_ns));
    }
    std::ranges::sort(borders);
    std::int64_t busy = 0;
    for (std::size_t i = 0; i + 1 < borders.size(); ++i)
        for (const Event& event : timeline.compute(rank))
            if (isCompute(event.op) && event.start_ns <= borders[i] && borders[i] < event.end_ns) {
                busy += borders[i + 1] - borders[i];
                break;
            }
    return busy;
}

}  // namespace

class TestRangeNumbers : public QObject {
    Q_OBJECT

private slots:
    void theWholeIterationGivesItsNumbers() {
        std::mt19937 random(3);
        for (const char* name : {"1f1b", "gpipe", "zb-h1", "interleaved"}) {
            const Played run = played(name, 4, std::string(name) == "interleaved" ? 2 : 1, 8, random);
            const BubbleCauses causes(run.timeline, 0, run.facts);
            const IterationSummary& summary = causes.summary();
            const RangeNumbers numbers = rangeNumbers(summary, &causes, run.timeline,
                                                      {summary.start_ns - 5, summary.end_ns + 5, {}, {}});
            QCOMPARE(numbers.all.idle_ns, causes.idle_ns());
            QVERIFY(numbers.all.causes == causes.totals());
            QVERIFY(numbers.passing == numbers.all);
            QVERIFY(std::abs(numbers.all.bubbleOfTotal() - summary.bubble_of_total) < 1e-12);
            QVERIFY(std::abs(numbers.forward_share - 1) < 1e-9 &&
                    std::abs(numbers.backward_share - 1) < 1e-9);
        }
    }

    void everyPartIsWhatItsEventsSay() {
        std::mt19937 random(11);
        for (int round = 0; round < 200; ++round) {
            const Played run = played(round % 2 ? "1f1b" : "zb-h1", 2 + round % 4, 1, 5 + round % 4, random);
            const BubbleCauses causes(run.timeline, 0, run.facts);
            const IterationSummary& summary = causes.summary();
            std::uniform_int_distribution<std::int64_t> time(summary.start_ns, summary.end_ns);
            const auto [from, to] = std::minmax({time(random), time(random)});
            std::uniform_int_distribution<int> rank(0, run.timeline.ranks() - 1);
            const auto [first, last] = std::minmax({rank(random), rank(random)});
            RangeQuery query{from, to, {}, {}};
            for (int each = first; each <= last; ++each) query.ranks.push_back(each);
            const RangeNumbers numbers = rangeNumbers(summary, &causes, run.timeline, query);
            std::int64_t busy = 0;
            for (const RangeNumbers::OfRank& each : numbers.ranks) {
                QCOMPARE(each.all.busy_ns, busyByBorders(run.timeline, each.rank, from, to));
                QCOMPARE(each.all.idle_ns, to - from - each.all.busy_ns);
                QCOMPARE(sumOf(each.all.causes), each.all.idle_ns);
                for (const std::int64_t part : each.all.causes) QVERIFY(part >= 0);
                busy += each.all.busy_ns;
            }
            QCOMPARE(numbers.all.busy_ns, busy);
            QCOMPARE(sumOf(numbers.all.causes), numbers.all.idle_ns);
            // Without causes the same times.
            const RangeNumbers plain = rangeNumbers(summary, nullptr, run.timeline, query);
            QCOMPARE(plain.all.idle_ns, numbers.all.idle_ns);
            QCOMPARE(sumOf(plain.all.causes), std::int64_t{0});
        }
    }

    // Kinds, and micro-batches, part the range: what passes one of them each adds up to the whole, but for
    // the gaps that lead to nothing.
    void filtersPartTheRange() {
        std::mt19937 random(5);
        const Played run = played("zb-h1", 4, 1, 8, random);
        const BubbleCauses causes(run.timeline, 0, run.facts);
        const IterationSummary& summary = causes.summary();
        const std::int64_t from = summary.start_ns + summary.iteration_ns / 5, to = summary.end_ns;
        const RangeNumbers whole = rangeNumbers(summary, &causes, run.timeline, {from, to, {}, {}});
        std::int64_t last_gaps = 0;
        for (const Gap& gap : causes.gaps())
            if (!gap.next) last_gaps += std::max<std::int64_t>(0, gap.end_ns - std::max(gap.start_ns, from));
        QVERIFY(last_gaps > 0);
        std::int64_t busy = 0, idle = 0;
        double forward = 0, backward = 0;
        for (const Op op : {Op::Forward, Op::BackwardInput, Op::BackwardWeight}) {
            const RangeNumbers part =
                rangeNumbers(summary, &causes, run.timeline,
                             {from, to, {}, [op](int, const Action& a) { return a.op == op; }});
            QVERIFY(part.all == whole.all);
            QCOMPARE(sumOf(part.passing.causes), part.passing.idle_ns);
            busy += part.passing.busy_ns, idle += part.passing.idle_ns;
            forward += part.forward_share, backward += part.backward_share;
        }
        QCOMPARE(busy, whole.all.busy_ns);
        QCOMPARE(idle + last_gaps, whole.all.idle_ns);
        QVERIFY(std::abs(forward - whole.forward_share) < 1e-12);
        QVERIFY(std::abs(backward - whole.backward_share) < 1e-12);
        const RangeNumbers one =
            rangeNumbers(summary, &causes, run.timeline,
                         {summary.start_ns, to, {}, [](int, const Action& a) { return a.microbatch == 3; }});
        QVERIFY(std::abs(one.forward_share - 1.0 / 8) < 1e-9);
    }

    void thePeakIncludesWhatWasHeldBefore() {
        PackedMemory row;
        for (const auto& [time, live] : {std::pair(10, 5), {20, 9}, {30, 4}, {40, 7}}) {
            MemoryPoint point;
            point.time_ns = time, point.live_bytes = live;
            row.push_back(point);
        }
        const MemoryPoints points(row, 0, row.size());
        QVERIFY(!peakIn(points, 0, 10));
        QCOMPARE(peakIn(points, 0, 11)->live_bytes, std::int64_t{5});
        QCOMPARE(peakIn(points, 25, 30)->live_bytes, std::int64_t{9});
        QCOMPARE(peakIn(points, 30, 40)->live_bytes, std::int64_t{4});
        QCOMPARE(peakIn(points, 30, 41)->live_bytes, std::int64_t{7});
        QCOMPARE(peakIn(points, 50, 60)->live_bytes, std::int64_t{7});
    }
};

BUBBLESCOPE_TEST(TestRangeNumbers)

}  // namespace tst_range_numbers

#include "tst_range_numbers.moc"
