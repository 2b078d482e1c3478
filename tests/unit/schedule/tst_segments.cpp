// Sequences cut into segments: how an action names its segment, what Seq1F1B's order is, what is legal, and
// how it is written, drawn and read. Megatron's combined 1F1B.
#include <QTest>
#include <algorithm>
#include <array>

#include "catalog/bubble_formula.h"
#include "catalog/catalog.h"
#include "catalog/explanation.h"
#include "config/run_config.h"
#include "registered_test.h"
#include "schedule/activation_ledger.h"
#include "schedule/deadlock.h"
#include "schedule/formats/csv.h"
#include "schedule/grid.h"
#include "schedule/validate.h"
#include "timeline/analysis.h"
#include "timeline/predict.h"

namespace tst_segments {

using namespace bscope;

namespace {

ScheduleParams cut(int p, int m, int segments) {
    ScheduleParams params{p, 1, m};
    params.segments = segments;
    return params;
}

// As arXiv:2406.03488 has it: units k = i q + j of micro-batch i, segment j.
std::vector<Action> expectedOrder(int p, int m, int q, int s) {
    const int units = m * q, w = std::min(p - s - 2 + q, units);
    const auto named = [&](Op op, int i, int j) { return Action(s, op, i, false, q > 1 ? j : -1); };
    std::vector<Action> order;
    for (int k = 0; k < w; ++k) order.push_back(named(Op::Forward, k / q, k % q));
    for (int k = 0; k < units; ++k) {
        if (w + k < units) order.push_back(named(Op::Forward, (w + k) / q, (w + k) % q));
        order.push_back(named(Op::Backward, k / q, q - 1 - k % q));
    }
    return order;
}

double bubbleOf(const Schedule& schedule, double f, double i, double w) {
    return summarize(predict(lower(schedule), unitCosts(schedule.stageCount(), f, i, w, 0)), 0)
        .bubble_of_total;
}

}  // namespace

class TestSegments : public QObject {
    Q_OBJECT

private slots:
    void actionsNameTheirSegment() {
        for (const char* text : {"0F3.1", "12B0.0", "2I7.14", "3W65535.2", "1RECV_F2.3", "0R4.5", "0F3"}) {
            const auto action = parseAction(text);
            QVERIFY2(action, text);
            QCOMPARE(toText(*action), std::string(text));
        }
        QCOMPARE(parseAction("0F3.1"), Action(0, Op::Forward, 3, false, 1));
        QCOMPARE(parseAction("0F3")->segment(), -1);
        for (const char* text : {"0F3.", "0F.1", "0F3.15", "0F3.-1", "0F3.1.2", "OPT.1", "2REDUCE_GRAD.0"})
            QVERIFY2(!parseAction(text), text);
        const Action action(5, Op::Forward, 2, true, 3);
        QCOMPARE(action.withStage(7), Action(7, Op::Forward, 2, true, 3));
        QCOMPARE(action.as(Op::SendForward), Action(5, Op::SendForward, 2, false, 3));
        QVERIFY(Action(0, Op::Forward, 1, false, 0) != Action(0, Op::Forward, 1));
    }

    void orderFollowsTheRule() {
        for (const int p : {1, 2, 3, 4, 8})
            for (const int m : {1, 2, 3, 4, 8, 9})
                for (const int q : {1, 2, 3, 4, 8}) {
                    const Schedule schedule = makeSchedule("seq1f1b", cut(p, m, q));
                    QVERIFY(scheduleErrors(schedule).empty());
                    for (int s = 0; s < p; ++s) {
                        const std::vector<Action>& order = schedule.orders[static_cast<std::size_t>(s)];
                        QCOMPARE(order, expectedOrder(p, m, q, s));
                        QCOMPARE(peakInFlight(order), std::min(p - s - 1 + q, m * q));
                    }
                }
        const Schedule schedule = makeSchedule("seq1f1b", cut(2, 2, 2));
        std::string text;
        appendRow(text, schedule.orders[0], " ");
        QCOMPARE(text, std::string("0F0.0 0F0.1 0F1.0 0B0.1 0F1.1 0B0.0 0B1.1 0B1.0"));
        QCOMPARE(makeSchedule("seq1f1b", cut(4, 8, 1)).orders, makeSchedule("1f1b", cut(4, 8, 1)).orders);
    }

    // Played, it is the closed form for any durations of equal segments.
    void bubbleIsTheClosedForm() {
        const CatalogEntry* entry = findSchedule("Seq1F1B");
        QVERIFY(entry != nullptr);
        for (const int p : {1, 2, 4, 8})
            for (const int m : {1, 3, 8})
                for (const int q : {1, 2, 4})
                    for (const auto& [f, i, w] :
                         {std::array{1.0, 1.0, 1.0}, {2.0, 0.5, 0.5}, {1.0, 3.0, 1.0}}) {
                        const Schedule schedule = makeSchedule("seq1f1b", cut(p, m, q));
                        const double expected = (p - 1.0) / (q * m + p - 1);
                        QVERIFY(std::abs(bubbleOf(schedule, f, i, w) - expected) < 1e-9);
                        QVERIFY(std::abs(*entry->bubble_of_total(cut(p, m, q), f, i, w) - expected) < 1e-12);
                    }
        QCOMPARE(bubbleFormula(*entry, cut(4, 8, 2), {})->numbers, std::string("(4-1)/(2*8+4-1)"));
    }

    void whatIsAgainstTheRuleIsNamed() {
        const auto errors = [](auto change) {
            Schedule schedule = makeSchedule("seq1f1b", cut(2, 2, 2));
            change(schedule.orders);
            return scheduleErrors(schedule);
        };
        const auto first = [&](auto change) { return errors(change).at(0); };
        QCOMPARE(first([](auto& orders) { std::swap(orders[0][0], orders[0][1]); }),
                 std::string("rank 0: 0F0.1 comes before the forward of the segment before it"));
        QCOMPARE(first([](auto& orders) { std::swap(orders[0][3], orders[0][5]); }),
                 std::string("rank 0: 0B0.0 comes before the backward of the segment after it"));
        QCOMPARE(first([](auto& orders) {
                     orders[0][0] = {0, Op::Forward, 0};
                 }),
                 std::string("rank 0: 0F0 must name one of the 2 segments of a micro-batch, where there are "
                             "several"));
        QCOMPARE(first([](auto& orders) { orders[0].pop_back(); }),
                 std::string("rank 0, stage 0, micro-batch 1.0: needs one B, or one I and one W; has none"));
        // 0F0.0 0F0.1 0F1.0 0F1.1 0B0.1 0B1.1: the gradients of two micro-batches' keys at a time.
        QCOMPARE(
            first([](auto& orders) {
                std::swap(orders[0][3], orders[0][4]);
                std::swap(orders[0][5], orders[0][6]);
            }),
            std::string("rank 0: 0B1.1 comes before the last backward of micro-batch 0, whose segments have "
                        "to be done with first"));
        Schedule uncut = makeSchedule("1f1b", cut(2, 2, 1));
        uncut.orders[0][0] = {0, Op::Forward, 0, false, 0};
        QVERIFY(!scheduleErrors(uncut).empty());
    }

    void problemsNameTheNearestLegalValues() {
        RunConfig config;
        config.schedule = "seq1f1b";
        config.params.segments = 4;
        QVERIFY(problems(config).empty());
        config.params.segments = 3;
        QCOMPARE(problems(config).size(), std::size_t{1});
        QCOMPARE(problems(config).front().field, std::string("segments"));
        QCOMPARE(problems(config).front().legal, (std::vector<long>{2, 4}));
        config.recompute = Recompute::Full;
        config.device = DeviceChoice::Cuda;
        QCOMPARE(problems(config).size(), std::size_t{3});
        config = RunConfig();
        config.params.segments = 2;
        QCOMPARE(problems(config).size(), std::size_t{1});
        QVERIFY(problems(config).front().text().starts_with(
            "segments = 2 must be 1 for 1F1B: only Seq1F1B cuts sequences"));
        for (const int segments : {0, -1, 16}) {
            config.schedule = "seq1f1b";
            config.params.segments = segments;
            QCOMPARE(problems(config).size(), std::size_t{1});
            QCOMPARE(problems(config).front().legal, (std::vector<long>{segments > 0 ? 15 : 1}));
        }
    }

    void filesKeepTheSegments() {
        const Schedule schedule = makeSchedule("seq1f1b", cut(4, 3, 2));
        const Schedule read = readComputeCsv(toComputeCsv(schedule), "file");
        QCOMPARE(read.orders, schedule.orders);
        QCOMPARE(read.params, schedule.params);
        QVERIFY(toCommsCsv(schedule).find("1RECV_F2.1") != std::string::npos);
        QVERIFY(toGrid(schedule).find("F2.1") != std::string::npos);
    }

    void messagesMeet() {
        for (const char* name : {"seq1f1b", "interleaved-combined"}) {
            ScheduleParams params{4, defaultChunks(*findSchedule(name)), 8};
            params.segments = findSchedule(name)->usual_segments;
            const Program program = lower(makeSchedule(name, params), Recompute::Selective);
            for (const Transport transport : {Transport::Buffered, Transport::Posted, Transport::Rendezvous})
                QVERIFY2(!findDeadlock(program, transport), name);
        }
    }

    void explainedWithNumbers() {
        const Explanation words = explain("seq1f1b", cut(4, 8, 4), Language::English);
        QVERIFY(words.memory.find("min(p-r-1+q,m*q), for r = 0: min(4-0-1+4,8*4) = 7") != std::string::npos);
        QVERIFY(words.memory.find("(stage, segment)") != std::string::npos);
        QVERIFY(words.bubble.find("(p-1)/(q*m+p-1) = (4-1)/(4*8+4-1) = 8.6 %") != std::string::npos);
        QVERIFY(words.communication.find("each of the q = 4 segments") != std::string::npos);
        QVERIFY(!explain("seq1f1b", cut(4, 8, 4), Language::Chinese).rule.empty());
    }

    // Interleaved 1F1B with one more forward in the warm-up of every rank, of the same length.
    void combinedHasOneMoreForward() {
        for (const int p : {2, 4})
            for (const int v : {1, 2, 3}) {
                const ScheduleParams params{p, v, 2 * p};
                const Schedule plain = makeSchedule("interleaved", params),
                               combined = makeSchedule("interleaved-combined", params);
                QVERIFY(scheduleErrors(combined).empty());
                for (int r = 0; r < p; ++r) {
                    const auto warmUp = [&](const Schedule& schedule) {
                        const std::vector<Action>& order = schedule.orders[static_cast<std::size_t>(r)];
                        return std::ranges::find_if(order,
                                                    [](const Action& a) { return a.op == Op::Backward; }) -
                               order.begin();
                    };
                    const int all = 2 * p * v;
                    QCOMPARE(warmUp(combined), std::min<std::ptrdiff_t>(all, warmUp(plain) + 1));
                }
                QVERIFY(std::abs(bubbleOf(combined, 1, 1, 1) - bubbleOf(plain, 1, 1, 1)) < 1e-9);
            }
    }

    // What shares a step of the steady phase does not depend on each other.
    void combinedStepsAreIndependent() {
        const Schedule schedule = makeSchedule("interleaved-combined", {4, 2, 8});
        for (const std::vector<Action>& order : schedule.orders)
            for (std::size_t i = 0; i + 1 < order.size(); ++i)
                if (order[i].op == Op::Forward && order[i + 1].op == Op::Backward)
                    QVERIFY(order[i].microbatch != order[i + 1].microbatch ||
                            order[i].stage != order[i + 1].stage);
    }
};

BUBBLESCOPE_TEST(TestSegments)

}  // namespace tst_segments

#include "tst_segments.moc"
