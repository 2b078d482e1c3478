// What every idle gap is said to have waited for, the first links of its chain of reasons, against the events
// themselves: for every schedule of the catalog, small p, m and v, random costs, with and without
// checkpointing, links and replicas.
#include <QTest>
#include <random>

#include "analysis/causes.h"
#include "catalog/catalog.h"
#include "catalog/endless_stream.h"
#include "random_costs.h"
#include "registered_test.h"
#include "timeline/predict.h"
#include "words/catalog.h"

namespace tst_gaps {

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

void check(const Timeline& timeline, const Schedule& schedule, const BubbleCauses& causes,
           std::int64_t hop_ns, const std::string& name) {
    for (const Gap& gap : causes.gaps()) {
        const std::vector<Reason> chain = causes.reasons(gap);
        const std::string what = name + ": rank " + std::to_string(gap.rank) + " " +
                                 std::to_string(gap.start_ns) + ".." + std::to_string(gap.end_ns);
        const auto made = std::ranges::find(chain, Reason::Kind::Operation, &Reason::kind);
        if (chain.back().kind == Reason::Kind::Start) {  // made in the iteration before, of a stream
            QVERIFY2(causes.summary().is_stream && chain.back().rank >= 0, what.c_str());
            continue;
        }
        if (made == chain.end()) {  // sent before the rank was free
            QVERIFY2(chain.size() == 1 && chain[0].kind == Reason::Kind::Message && gap.next, what.c_str());
            QVERIFY2(ended(timeline, chain[0].rank, chain[0].action, gap.end_ns - hop_ns), what.c_str());
            QVERIFY2(makesInputOf(schedule, chain[0].action, *gap.next), what.c_str());
            QVERIFY2(
                say(causes.words(gap), Language::English).find("on its way. Of that") != std::string::npos,
                what.c_str());
            continue;
        }
        QVERIFY2(made != chain.end() && ended(timeline, made->rank, made->action, made->end_ns),
                 what.c_str());
        if (!gap.next) {
            QVERIFY2(made == chain.begin() && made->end_ns == gap.end_ns, what.c_str());
            continue;
        }
        if (made == chain.begin()) {  // its own optimizer step
            QVERIFY2(made->rank == gap.rank && made->action.op == Op::OptimizerStep, what.c_str());
            continue;
        }
        const Reason& message = chain.front();
        QVERIFY2(message.kind == Reason::Kind::Message && made == chain.begin() + 1, what.c_str());
        QVERIFY2(message.rank == made->rank && message.to == gap.rank, what.c_str());
        QVERIFY2(makesInputOf(schedule, made->action, *gap.next), what.c_str());
        QVERIFY2(message.end_ns == gap.end_ns && made->end_ns + hop_ns == gap.end_ns, what.c_str());
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
            check(timeline, program.schedule, BubbleCauses(timeline, 0, factsOf(program.schedule)),
                  std::llround(costs.hopNs()), each.name());
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
                    const BubbleCauses causes(timeline, steady, {});
                    QVERIFY(!causes.gaps().empty());
                    check(timeline, stream.piece().schedule, causes, std::llround(costs.hopNs()), name);
                }
    }

    // The rank itself was late: no other rank is named.
    void aLateStartHasNoOtherCause() {
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
        const BubbleCauses causes(timeline, 0, {});
        QCOMPARE(causes.gaps().size(), 2U);
        for (const Gap& gap : causes.gaps()) {
            const std::vector<Reason> chain = causes.reasons(gap);
            QCOMPARE(chain.front().kind, Reason::Kind::Pause);
            QCOMPARE(chain.front().rank, gap.rank);
            QCOMPARE(gap.cause, BubbleCause::LaunchGaps);
        }
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
        const BubbleCauses causes(timeline, 0, {});
        const auto gap = std::ranges::find(causes.gaps(), 10, &Gap::start_ns);
        QVERIFY(gap != causes.gaps().end());
        const std::vector<Reason> chain = causes.reasons(*gap);
        QCOMPARE(chain[0].kind, Reason::Kind::Message);
        QCOMPARE(chain[0].rank, -1);
        QCOMPARE(chain[0].start_ns, 25);
        QCOMPARE(chain[0].end_ns, 30);
        QCOMPARE(chain[1].kind, Reason::Kind::Start);
    }
};

BUBBLESCOPE_TEST(TestGaps)

}  // namespace tst_gaps

#include "tst_gaps.moc"
