// What every idle gap is said to have waited for, against the events themselves: for every schedule of the
// catalog, small p, m and v, random costs, with and without checkpointing, links and replicas.
#include <QtTest>
#include <random>

#include "random_costs.h"
#include "schedule/catalog.h"
#include "schedule/endless_stream.h"
#include "timeline/analysis.h"
#include "timeline/predict.h"

using namespace bscope;

namespace {

struct Case {
    const CatalogEntry* entry;
    ScheduleParams params;
    Recompute recompute;
    double latency_us;

    std::string name() const {
        return std::string(entry->name) + " p=" + std::to_string(params.p) +
               " v=" + std::to_string(params.v) + " m=" + std::to_string(params.m) +
               " d=" + std::to_string(params.d) + " recompute " +
               std::to_string(static_cast<int>(recompute)) + " link " + std::to_string(latency_us);
    }
};

template <class Visit>
void forEachCase(Visit visit) {
    for (const CatalogEntry& entry : catalog())
        for (const int p : {1, 2, 3, 4})
            for (const int m : {1, 2, 4, 6})
                for (const int v : {1, 2})
                    for (const int d : {1, 2})
                        for (const Recompute recompute : {Recompute::None, Recompute::Full})
                            for (const double latency_us : {0.0, 0.7}) {
                                ScheduleParams params{p, v, m, 0};
                                params.d = d;
                                if (scheduleProblems(entry.name, params).empty())
                                    visit(Case{&entry, params, recompute, latency_us});
                            }
}

Costs randomCostsAndLatency(int stages, double latency_us, std::mt19937& random) {
    Costs costs = randomCosts(stages, random);
    costs.link.latency_us = latency_us;
    return costs;
}

bool ended(const Timeline& timeline, int rank, const Action& action, std::int64_t end_ns) {
    for (const Event& e : timeline.compute(rank))
        if (e.stage == action.stage && e.op == action.op && e.microbatch == action.microbatch &&
            e.end_ns == end_ns)
            return true;
    return false;
}

// The two operations that could make the input of `next` on a neighbouring stage; B or I.
bool makesInputOf(const Schedule& schedule, const Action& made, const Action& next) {
    if (made.microbatch != next.microbatch) return false;
    if (next.op == Op::Forward)
        return made.op == Op::Forward && made.stage == schedule.previousStage(next.stage);
    const bool needs_gradient =
        next.op == Op::Backward || next.op == Op::BackwardInput || next.op == Op::Recompute;
    return needs_gradient && (made.op == Op::Backward || made.op == Op::BackwardInput) &&
           made.stage == schedule.nextStage(next.stage);
}

void check(const Timeline& timeline, const Schedule& schedule, const IterationSummary& summary,
           std::int64_t hop_ns, const std::string& name) {
    for (const IdleGap& gap : summary.gaps) {
        const Awaited& awaited = gap.awaited;
        const std::string what = name + ": rank " + std::to_string(gap.rank) + " " +
                                 std::to_string(gap.start_ns) + ".." + std::to_string(gap.end_ns) + " for " +
                                 toText(awaited.action) + " of rank " + std::to_string(awaited.rank);
        QVERIFY2(awaited.kind != Awaited::Kind::Nothing && awaited.kind != Awaited::Kind::Start,
                 what.c_str());
        QVERIFY2(awaited.end_ns == gap.end_ns, what.c_str());
        QVERIFY2(awaited.rank >= 0 && ended(timeline, awaited.rank, awaited.action, awaited.made_ns),
                 what.c_str());
        if (awaited.kind == Awaited::Kind::Iteration) {
            QVERIFY2(!gap.next && gap.end_ns == summary.start_ns + summary.iteration_ns, what.c_str());
            continue;
        }
        if (awaited.kind == Awaited::Kind::Step) {
            QVERIFY2(awaited.rank == gap.rank && awaited.action.op == Op::OptimizerStep, what.c_str());
            continue;
        }
        QVERIFY2(gap.next && makesInputOf(schedule, awaited.action, *gap.next), what.c_str());
        const bool on_its_way = awaited.kind == Awaited::Kind::Message;
        QVERIFY2(awaited.made_ns + (on_its_way ? hop_ns : 0) == gap.end_ns, what.c_str());
        QVERIFY2((gap.cause == IdleCause::Transfer) == on_its_way, what.c_str());
    }
}

}  // namespace

class TestGaps : public QObject {
    Q_OBJECT
private slots:
    void whatEndedAGapEndedWithIt() {
        std::mt19937 random(1);
        int cases = 0;
        forEachCase([&](const Case& each) {
            const Program program = lower(makeSchedule(each.entry->name, each.params), each.recompute);
            const Costs costs = randomCostsAndLatency(program.schedule.stageCount(), each.latency_us, random);
            const Timeline timeline = predict(program, costs);
            check(timeline, program.schedule, summarize(timeline, 0), std::llround(costs.hopNs()),
                  each.name());
            ++cases;
        });
        QVERIFY2(cases > 1000, std::to_string(cases).c_str());
    }

    void alsoInAStream() {
        std::mt19937 random(2);
        for (const char* name : {"pipedream", "pipedream-2bw"})
            for (const int p : {2, 3, 4})
                for (const double latency_us : {0.0, 0.7}) {
                    const int m = p + 1;
                    const EndlessStream stream(makeSchedule(name, {p, 1, m, 0}), m, Recompute::None);
                    const Costs costs = randomCostsAndLatency(p, latency_us, random);
                    const Timeline timeline = predict(stream, costs);
                    const int steady = stream.steadyIteration();
                    const IterationSummary summary = summarize(timeline, steady);
                    QVERIFY(!summary.gaps.empty());
                    check(timeline, stream.piece().schedule, summary, std::llround(costs.hopNs()), name);
                }
    }

    // The rank itself was late: nobody else is named.
    void aLateStartHasNoOneToBlame() {
        Timeline timeline(2, Provenance::Measured);
        const auto append = [&](int rank, Action action, std::int64_t start, std::int64_t end) {
            Event e;
            e.rank = static_cast<std::int16_t>(rank);
            e.stage = action.stage, e.op = action.op, e.microbatch = action.microbatch;
            e.start_ns = start, e.end_ns = end;
            timeline.append(e);
        };
        append(0, {0, Op::Forward, 0}, 0, 10);
        append(0, {0, Op::Forward, 1}, 12, 20);
        append(1, {1, Op::Forward, 0}, 5, 20);
        const IterationSummary summary = summarize(timeline, 0);
        QCOMPARE(summary.gaps.size(), 2U);
        QCOMPARE(summary.gaps[0].awaited.kind, Awaited::Kind::Nothing);
        QCOMPARE(summary.gaps[0].awaited.end_ns, 12);
        QCOMPARE(summary.gaps[1].awaited.kind, Awaited::Kind::Start);
        QCOMPARE(summary.gaps[1].awaited.rank, -1);
    }

    // A recording that begins in the middle of an iteration has receives whose senders it never saw.
    void anUnknownSenderIsNotMadeUp() {
        Timeline timeline(2, Provenance::Reconstructed);
        Event e;
        e.rank = 1, e.stage = 1, e.microbatch = 0, e.start_ns = 0, e.end_ns = 10;
        timeline.append(e);
        e.microbatch = 1, e.start_ns = 30, e.end_ns = 40;
        timeline.append(e);
        e.op = Op::RecvForward, e.start_ns = 10, e.transfer_ns = 25, e.end_ns = 30;
        timeline.append(e);
        const IterationSummary summary = summarize(timeline, 0);
        const Awaited& awaited = summary.gaps[1].awaited;
        QCOMPARE(awaited.kind, Awaited::Kind::Operation);
        QCOMPARE(awaited.rank, -1);
        QCOMPARE(awaited.action, (Action{1, Op::RecvForward, 1}));
        QCOMPARE(awaited.made_ns, 25);
        QCOMPARE(summary.gaps[2].awaited.kind, Awaited::Kind::Message);
        QCOMPARE(summary.gaps[2].awaited.end_ns, 30);
    }
};

QTEST_GUILESS_MAIN(TestGaps)
#include "tst_gaps.moc"
