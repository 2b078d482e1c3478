// The rules that a recording is held against: a real iteration keeps all of them, and each kind of change to its
// events breaks the rule that it should. Reports: every number that a file states otherwise is found and
// replaced by what the events say.
#include <QTest>
#include <limits>
#include <map>
#include <mutex>

#include "catalog/catalog.h"
#include "check/report_audit.h"
#include "check/rules.h"
#include "registered_test.h"
#include "run_fixture.h"
#include "timeline/analysis.h"

namespace tst_invariants {

using namespace bscope;

namespace {

// Recomputation, a link and two ranks: everything that a rule looks at is there.
struct Recorded {
    IterationStart start;
    Schedule order;
    IterationReport report;
    std::vector<std::vector<Event>> events;        // (ranks, ...)
    std::vector<std::vector<MemoryPoint>> memory;  // (ranks, ...)
    std::map<int, std::vector<KernelEvent>> sums;  // over shards, by rank

    Timeline timeline() const {
        Timeline made(static_cast<int>(events.size()), report.provenance);
        for (const auto& of_rank : events)
            for (const Event& event : of_rank) made.append(event);
        for (const auto& of_rank : memory)
            for (const MemoryPoint& point : of_rank) made.append(point);
        return made;
    }
    std::vector<Violation> broken() const {
        const Timeline own = timeline();
        return violations({start, order, report, own});
    }
    // The first compute event of a rank with this action.
    Event& find(int rank, const Action& action) {
        for (Event& event : events[static_cast<std::size_t>(rank)])
            if (event.action() == action) return event;
        throw std::out_of_range(toText(action));
    }
};

class SumCollector : public EventCollector {
public:
    void kernels(int rank, std::span<const KernelEvent> spans) override {
        const std::lock_guard<std::mutex> lock(sums_mutex_);
        sums[rank].insert(sums[rank].end(), spans.begin(), spans.end());
    }
    std::map<int, std::vector<KernelEvent>> sums;

private:
    std::mutex sums_mutex_;
};

Recorded recorded(RunConfig config, int iterations) {
    SumCollector seen;
    Run run(config, seen);
    for (int left = iterations - 1; left >= 0; --left) run.iterate(left);
    Recorded recorded{
        seen.starts.back(), makeSchedule(config.schedule, config.params), seen.reports.back(), {}, {}, {}};
    const std::int32_t last = recorded.report.iteration;
    for (auto& [rank, events] : seen.by_rank) {
        auto& own = recorded.events.emplace_back();
        for (const Event& event : events)
            if (event.iteration == last) own.push_back(event);
    }
    for (auto& [rank, points] : seen.memory_by_rank) {
        auto& own = recorded.memory.emplace_back();
        for (const MemoryPoint& point : points)
            if (point.iteration == last) own.push_back(point);
    }
    for (const auto& [rank, spans] : seen.sums)
        for (const KernelEvent& span : spans)
            if (span.iteration == last) recorded.sums[rank].push_back(span);
    return recorded;
}

Recorded recorded(const char* schedule = "1f1b", int iterations = 1) {
    RunConfig config = tinyConfig(schedule);
    config.recompute = Recompute::Full;
    config.link.latency_us = 20;
    return recorded(config, iterations);
}

bool breaks(const std::vector<Violation>& found, Invariant invariant) {
    return std::ranges::any_of(found, [&](const Violation& each) { return each.invariant == invariant; });
}

std::vector<std::string> numbersOf(const ReportAudit& audit) {
    std::vector<std::string> numbers;
    for (const auto& each : audit.disagreements()) numbers.push_back(each.number);
    return numbers;
}

IterationReport audited(ReportAudit& audit, const Recorded& recorded, const IterationReport& stated) {
    audit.started(recorded.start);
    for (const auto& of_rank : recorded.events) audit.events(of_rank);
    for (const auto& of_rank : recorded.memory) audit.memory(of_rank);
    for (const auto& [rank, spans] : recorded.sums)
        audit.kernels({static_cast<std::int16_t>(rank), 0, spans.size(), spans});
    return audit.finished(stated);
}

}  // namespace

class TestInvariants : public QObject {
    Q_OBJECT
private slots:
    void aRealIterationKeepsThemAll() {
        for (const char* schedule : {"1f1b", "gpipe", "zb-h1"}) {
            const std::vector<Violation> found = recorded(schedule).broken();
            QVERIFY2(found.empty(), schedule);
        }
    }

    void everyRuleHasWords() {
        for (const Invariant invariant : kInvariants) QVERIFY(!wordsOf(invariant).empty());
    }

    void overlappingOperationsBreakTheLane() {
        Recorded changed = recorded();
        Event& second = changed.find(0, {0, Op::Forward, 1});
        second.start_ns = changed.find(0, {0, Op::Forward, 0}).end_ns - 1;
        QVERIFY(breaks(changed.broken(), Invariant::Lanes));
    }

    void anotherOrderIsFound() {
        Recorded changed = recorded();
        std::swap(changed.find(0, {0, Op::Forward, 0}).microbatch,
                  changed.find(0, {0, Op::Forward, 1}).microbatch);
        QVERIFY(breaks(changed.broken(), Invariant::Order));
        changed = recorded();
        std::erase_if(changed.events[1], [](const Event& event) {
            return event.action() == Action{1, Op::Backward, 3};
        });
        QVERIFY(breaks(changed.broken(), Invariant::Order));
    }

    void anOperationBeforeItsInputIsFound() {
        Recorded changed = recorded();
        changed.start.config.link.latency_us = 1e6;
        QVERIFY(breaks(changed.broken(), Invariant::Dependencies));
        changed = recorded();
        changed.order.name = "changed";
        for (Event& event : changed.events[0]) event.start_ns += 1'000'000'000, event.end_ns += 1'000'000'000;
        for (MemoryPoint& point : changed.memory[0]) point.time_ns += 1'000'000'000;
        QVERIFY(breaks(changed.broken(), Invariant::Dependencies));
    }

    void memoryThatIsNotGivenBackIsFound() {
        Recorded changed = recorded();
        changed.memory[0].back().live_bytes = 1;
        QVERIFY(breaks(changed.broken(), Invariant::Memory));
        changed = recorded();
        changed.memory[1].front().in_flight += 7;
        QVERIFY(breaks(changed.broken(), Invariant::Memory));
        changed = recorded();
        changed.memory[1].front().live_bytes = 1'000'000'000'000;  // and the report says the same
        QVERIFY(breaks(changed.broken(), Invariant::Memory));
    }

    // A summary that lacks a gap, or whose gaps reach into operations.
    void gapsThatDoNotFillTheTimeAreFound() {
        const Recorded whole = recorded();
        const Timeline timeline = whole.timeline();
        IterationSummary summary = summarize(timeline, whole.report.iteration);
        QVERIFY(summary.gaps.size() > 1);
        IdleGaps fewer;
        for (std::size_t i = 1; i < summary.gaps.size(); ++i) fewer.push_back(summary.gaps[i]);
        summary.gaps = fewer;
        Findings findings(whole.report.iteration);
        checkGaps(BubbleCauses(timeline, summary, factsOf(whole.order)), timeline, findings);
        QVERIFY(breaks(findings.take(), Invariant::Gaps));
    }

    void aTrueReportStays() {
        for (const char* schedule : {"1f1b", "pipedream"}) {
            const Recorded whole = recorded(schedule);
            ReportAudit audit;
            const IterationReport kept = audited(audit, whole, whole.report);
            QCOMPARE(audit.audited(), std::size_t{1});
            QVERIFY2(audit.sentences().empty(), schedule);
            QCOMPARE(kept.bubble_of_total, whole.report.bubble_of_total);
            QCOMPARE(kept.loss, whole.report.loss);
        }
    }

    void everyNumberThatContradictsItsEventsIsReplaced() {
        const Recorded whole = recorded();
        IterationReport forged = whole.report;
        forged.iteration_ms = forged.span_ms = forged.optimizer_ms = 1e-3;
        forged.bubble_of_total = 0.02;
        forged.bubble_of_ideal = 7.5;
        forged.tokens_per_s = 1e9;
        RankReport& rank = forged.ranks[1];
        rank.rank = 0;
        rank.busy_ms = rank.wait_ms = rank.transfer_ms = 99;
        rank.bubble_of_total = -3;
        rank.peak_activation_bytes = 7;
        rank.peak_in_flight = 99;
        ReportAudit audit;
        const IterationReport shown = audited(audit, whole, forged);
        const std::vector<std::string> expected = {"iteration_ms",
                                                   "span_ms",
                                                   "optimizer_ms",
                                                   "bubble_of_total",
                                                   "bubble_of_ideal",
                                                   "tokens_per_s",
                                                   "ranks[1].rank",
                                                   "ranks[1].busy_ms",
                                                   "ranks[1].wait_ms",
                                                   "ranks[1].transfer_ms",
                                                   "ranks[1].bubble_of_total",
                                                   "ranks[1].peak_activation_bytes",
                                                   "ranks[1].peak_in_flight"};
        QCOMPARE(numbersOf(audit), expected);
        QCOMPARE(shown.bubble_of_total, whole.report.bubble_of_total);
        QCOMPARE(shown.tokens_per_s, whole.report.tokens_per_s);
        QCOMPARE(shown.ranks[1].peak_in_flight, whole.report.ranks[1].peak_in_flight);
        QCOMPARE(shown.ranks[1].weight_bytes, whole.report.ranks[1].weight_bytes);
        QCOMPARE(audit.sentences().size(), std::size_t{1});
    }

    // The optimizer state of a copy under ZeRO follows from the start.
    void aCopysOptimizerStateIsThatOfTheStart() {
        RunConfig config = tinyConfig();
        config.params.d = 2;
        config.params.zero = 1;
        const Recorded divided = recorded(config, 1);
        ReportAudit of_true;
        audited(of_true, divided, divided.report);
        QVERIFY(of_true.sentences().empty());
        IterationReport forged = divided.report;
        forged.zero = 0;
        forged.ranks[1].optimizer_bytes = 2 * forged.ranks[1].weight_bytes;
        ReportAudit audit;
        const IterationReport shown = audited(audit, divided, forged);
        QCOMPARE(numbersOf(audit), (std::vector<std::string>{"zero", "ranks[1].optimizer_bytes"}));
        QCOMPARE(shown.zero, 1);
        QCOMPARE(shown.ranks[1].optimizer_bytes, divided.report.ranks[1].optimizer_bytes);
    }

    // Sums over shards, versions of the weights: of the events too.
    void sumsAndVersionsAreThoseOfTheEvents() {
        RunConfig config = tinyConfig();
        config.params.t = 2;
        const Recorded sharded = recorded(config, 1);
        QVERIFY(sharded.report.ranks[1].shards_bytes > 0);
        ReportAudit of_true;
        audited(of_true, sharded, sharded.report);
        QVERIFY(of_true.sentences().empty());
        IterationReport forged = sharded.report;
        forged.ranks[1].shards_wait_ms = forged.ranks[1].shards_transfer_ms = 99;
        forged.ranks[1].shards_bytes = 7;
        ReportAudit audit;
        const IterationReport shown = audited(audit, sharded, forged);
        const std::vector<std::string> sums{"ranks[1].shards_wait_ms", "ranks[1].shards_transfer_ms",
                                            "ranks[1].shards_bytes"};
        QCOMPARE(numbersOf(audit), sums);
        QCOMPARE(shown.ranks[1].shards_bytes, sharded.report.ranks[1].shards_bytes);

        const Recorded stream = recorded(tinyConfig("pipedream", 3, 4), 3);
        QVERIFY(stream.report.ranks[0].weight_versions > 1);
        forged = stream.report;
        forged.ranks[0].weight_versions = 9;
        forged.ranks[0].stashed_weight_bytes = 1;
        forged.ranks[1].weight_bytes += 4;
        forged.ranks[2].gradient_bytes += 4;
        forged.ranks[2].optimizer_bytes += 4;
        ReportAudit of_stream;
        const IterationReport kept = audited(of_stream, stream, forged);
        const std::vector<std::string> found = numbersOf(of_stream);
        for (const char* number :
             {"ranks[0].weight_versions", "ranks[0].stashed_weight_bytes", "ranks[1].weight_bytes",
              "ranks[2].gradient_bytes", "ranks[2].optimizer_bytes"})
            QVERIFY2(std::ranges::count(found, number) == 1, number);
        QCOMPARE(kept.ranks[0].weight_versions, stream.report.ranks[0].weight_versions);
        QCOMPARE(kept.ranks[1].weight_bytes, stream.report.ranks[1].weight_bytes);
    }

    // The prediction is that of its costs, which follow from the start as far as they are bytes.
    void whatFollowsFromOtherValuesIsReplaced() {
        const Recorded whole = recorded();
        IterationReport forged = whole.report;
        forged.predicted_bubble_of_total = 0.01;
        forged.predicted_iteration_ms = 1;
        forged.disturbed = !forged.disturbed;
        forged.costs.stages[1].activation_bytes += 1;
        forged.costs.message_bytes *= 2;
        forged.device = "another machine";
        ReportAudit audit;
        const IterationReport shown = audited(audit, whole, forged);
        const std::vector<std::string> expected{"device",
                                                "costs.stages[1].activation_bytes",
                                                "costs.message_bytes",
                                                "predicted_bubble_of_total",
                                                "predicted_iteration_ms",
                                                "disturbed"};
        QCOMPARE(numbersOf(audit), expected);
        QCOMPARE(shown.predicted_iteration_ms, whole.report.predicted_iteration_ms);
        QCOMPARE(shown.disturbed, whole.report.disturbed);
        QCOMPARE(audit.sentences().size(), std::size_t{2});

        IterationStart start = whole.start;
        start.layers_per_stage.front() += 1;
        ReportAudit of_start;
        QCOMPARE(of_start.started(start).layers_per_stage, whole.start.layers_per_stage);
        QCOMPARE(numbersOf(of_start), std::vector<std::string>{"layers_per_stage"});
    }

    // What comes after the report was not there when it was made.
    void whatComesAfterTheReportIsLeftOut() {
        const Recorded whole = recorded();
        ReportAudit audit;
        audited(audit, whole, whole.report);
        QVERIFY(audit.sentences().empty());
        QVERIFY(audit.events(whole.events[0]).empty());
        QVERIFY(audit.memory(whole.memory[1]).empty());
        QCOMPARE(audit.late(), std::vector<std::int32_t>{0});
        QCOMPARE(audit.sentences().size(), std::size_t{1});
        Event next = whole.events[0].front();
        next.iteration = 1;
        QCOMPARE(audit.events({next}).size(), std::size_t{1});
        audit.started(whole.start);
        QVERIFY(audit.late().empty());
    }

    // Without checksums a flipped bit may make an operation another one, whose numbers are in order.
    void operationsOutOfOrderAreNamedWithoutChecksums() {
        Recorded changed = recorded();
        std::swap(changed.find(0, {0, Op::Forward, 0}).microbatch,
                  changed.find(0, {0, Op::Forward, 1}).microbatch);
        ReportAudit audit;
        audited(audit, changed, changed.report);
        QVERIFY(audit.disordered().empty());
        ReportAudit of_version_1;
        of_version_1.lacksChecksums();
        audited(of_version_1, changed, changed.report);
        QCOMPARE(of_version_1.disordered(), std::vector<std::int32_t>{0});
        QCOMPARE(of_version_1.sentences().size(), std::size_t{1});
        ReportAudit of_whole;
        of_whole.lacksChecksums();
        const Recorded whole = recorded();
        audited(of_whole, whole, whole.report);
        QVERIFY(of_whole.sentences().empty());
    }

    // Every iteration of a CPU is traced: one without a bubble and events has lost them.
    void anUntracedIterationOfACpuIsNotProved() {
        const Recorded whole = recorded();
        IterationReport forged = whole.report;
        forged.bubble_of_total = std::numeric_limits<double>::quiet_NaN();
        ReportAudit audit;
        audit.started(whole.start);
        audit.finished(forged);
        QCOMPARE(audit.unproven(), std::vector<std::int32_t>{0});
        IterationStart of_gpus = whole.start;
        of_gpus.config.device = DeviceChoice::Cuda;
        forged.tokens_per_s = 1e9;
        ReportAudit with_gpus;
        with_gpus.started(of_gpus);
        QVERIFY(with_gpus.finished(forged).tokens_per_s < 1e9);
        QVERIFY(with_gpus.unproven().empty());
        QVERIFY(std::ranges::count(numbersOf(with_gpus), "tokens_per_s") == 1);
    }

    // Neither the numbers nor the events are known to be whole.
    void anIterationWithoutAllItsOperationsIsNotProved() {
        Recorded cut = recorded();
        cut.events[0].pop_back();
        std::erase_if(cut.events[0], [](const Event& event) { return event.op == Op::OptimizerStep; });
        std::erase_if(cut.events[1], [](const Event& event) {
            return event.action() == Action{1, Op::Forward, 2};
        });
        ReportAudit audit;
        const IterationReport kept = audited(audit, cut, cut.report);
        QCOMPARE(kept.bubble_of_total, cut.report.bubble_of_total);
        QCOMPARE(audit.unproven(), std::vector<std::int32_t>{0});
        QCOMPARE(audit.audited(), std::size_t{0});
        QCOMPARE(audit.sentences().size(), std::size_t{1});
    }

    // What a report repeats of its start is that of the start.
    void aReportOfAnotherConfigurationIsReplacedAndNamed() {
        const Recorded whole = recorded();
        IterationReport forged = whole.report;
        forged.schedule = "gpipe";
        forged.p = 7, forged.m = 9, forged.v = 3, forged.d = 2;
        forged.recompute = Recompute::Selective;
        forged.checkpoint_every = CheckpointEvery::Layer;
        forged.provenance = Provenance::Predicted;
        forged.theory_bubble_of_total = 0.01;
        ReportAudit audit;
        const IterationReport shown = audited(audit, whole, forged);
        const std::vector<std::string> expected{"schedule",
                                                "p",
                                                "m",
                                                "v",
                                                "d",
                                                "recompute",
                                                "checkpoint_every",
                                                "provenance",
                                                "theory_bubble_of_total"};
        QCOMPARE(numbersOf(audit), expected);
        QCOMPARE(shown.schedule, whole.report.schedule);
        QCOMPARE(shown.layout().world(), whole.report.layout().world());
        QVERIFY(shown.provenance == whole.report.provenance);
        QCOMPARE(*shown.theory_bubble_of_total, *whole.report.theory_bubble_of_total);
        QCOMPARE(audit.disagreements().front().reportedText(3), std::string("gpipe"));
        QCOMPARE(audit.disagreements().front().recomputedText(3), std::string("1f1b"));
        const std::vector<Sentence> said = audit.sentences();
        QCOMPARE(said.size(), std::size_t{1});
        QVERIFY(say(said.front(), Language::English).find("reports name another configuration") !=
                std::string::npos);
    }

    // Without its start nothing says what should have run.
    void aReportWithoutItsStartIsNotProved() {
        Recorded whole = recorded();
        ReportAudit without;
        for (const auto& of_rank : whole.events) without.events(of_rank);
        without.finished(whole.report);
        QCOMPARE(without.unproven(), std::vector<std::int32_t>{0});
        whole.start.iteration = 1;
        ReportAudit later;
        audited(later, whole, whole.report);
        QCOMPARE(later.unproven(), std::vector<std::int32_t>{0});
    }

    void anIterationThatIsReportedTwiceIsNamed() {
        const Recorded whole = recorded();
        ReportAudit audit;
        audited(audit, whole, whole.report);
        QVERIFY(audit.repeated().empty());
        audit.finished(whole.report);
        QCOMPARE(audit.repeated(), std::vector<std::int32_t>{0});
        QVERIFY(!audit.sentences().empty());
        audited(audit, whole, whole.report);
        QVERIFY(audit.sentences().empty());
    }

    // What ran again counts; what was found of the iterations before it is void with them.
    void iterationsThatRunAgainReplaceWhatWasFound() {
        const Recorded whole = recorded();
        IterationReport forged = whole.report;
        forged.tokens_per_s = 1;
        ReportAudit audit;
        audited(audit, whole, forged);
        QCOMPARE(audit.disagreements().size(), std::size_t{1});
        audited(audit, whole, whole.report);
        QVERIFY(audit.sentences().empty());
    }

    // The second iteration of a stream is measured from the end of the first.
    void streamsAreMeasuredOverTheirWindows() {
        RunConfig config = tinyConfig("pipedream", 3, 4);
        EventCollector seen;
        Run run(config, seen);
        for (int left = 2; left >= 0; --left) run.iterate(left);
        ReportAudit audit;
        audit.started(seen.starts.front());
        for (std::int32_t iteration = 0; iteration < 3; ++iteration) {
            for (const auto& [rank, events] : seen.by_rank) {
                std::vector<Event> own;
                std::ranges::copy_if(events, std::back_inserter(own),
                                     [&](const Event& event) { return event.iteration == iteration; });
                audit.events(own);
            }
            for (const auto& [rank, points] : seen.memory_by_rank) {
                std::vector<MemoryPoint> own;
                std::ranges::copy_if(points, std::back_inserter(own),
                                     [&](const MemoryPoint& point) { return point.iteration == iteration; });
                audit.memory(own);
            }
            IterationReport report = seen.reports[static_cast<std::size_t>(iteration)];
            const int staleness =
                std::exchange(report.ranks[0].staleness, iteration == 2 ? 99 : report.ranks[0].staleness);
            QCOMPARE(audit.finished(report).ranks[0].staleness, staleness);
            QCOMPARE(audit.sentences().empty(), iteration < 2);
        }
        QCOMPARE(audit.audited(), std::size_t{3});
        QCOMPARE(numbersOf(audit), std::vector<std::string>{"ranks[0].staleness"});
    }
};

BUBBLESCOPE_TEST(TestInvariants)

}  // namespace tst_invariants

#include "tst_invariants.moc"
