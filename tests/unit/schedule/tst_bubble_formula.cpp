// The closed forms as they are printed: the numbers evaluate to the result, whatever the schedule, its
// parameters and the durations are, and the result is what the player finds.
#include <QTest>
#include <cmath>
#include <random>

#include "catalog/bubble_formula.h"
#include "catalog/catalog.h"
#include "catalog/closed_forms.h"
#include "formula.h"
#include "registered_test.h"
#include "timeline/analysis.h"
#include "timeline/mean_durations.h"
#include "timeline/predict.h"

namespace tst_bubble_formula {

using namespace bscope;

namespace {

QString shown(const CatalogEntry& entry, const ScheduleParams& params, const OperationDurations& d,
              const BubbleFormula& formula) {
    return QString("%1 p=%2 v=%3 m=%4 F=%5 I=%6 W=%7: %8; %9 = %10")
        .arg(entry.name)
        .arg(params.p)
        .arg(params.v)
        .arg(params.m)
        .arg(d.f)
        .arg(d.i)
        .arg(d.w)
        .arg(formula.idle_numbers.c_str(), formula.numbers.c_str())
        .arg(formula.value);
}

double percentOf(double share) {
    return std::round(1000 * share) / 10;
}

double playedBubble(const CatalogEntry& entry, const ScheduleParams& params, const Costs& costs,
                    Recompute recompute, Overlap overlap = Overlap::Serial) {
    return summarize(predict(lower(makeSchedule(entry.name, params), recompute), costs, overlap), 0)
        .bubble_of_total;
}

// Every legal combination of a grid, with durations of all kinds.
template <class Check>
void forAll(Check check) {
    std::mt19937 random(7);
    const auto duration = [&] { return 0.2 + static_cast<double>(random() % 3000) / 1000; };
    for (const CatalogEntry& entry : catalog())
        for (int p : {1, 2, 4, 5, 8})
            for (int v : {1, 2, 4})
                for (int m : {1, 4, 8, 15, 24}) {
                    const ScheduleParams params{p, v, m, 0};
                    if (!scheduleProblems(entry.name, params).empty()) continue;
                    const double f = duration();
                    for (const OperationDurations& durations :
                         {OperationDurations{}, OperationDurations{2.5, 2.5, 2.5},
                          OperationDurations{1, 0.5, 0.5}, OperationDurations{f, 1.1 * f, 0.9 * f},
                          OperationDurations{duration(), duration(), duration()}})
                        check(entry, params, durations);
                }
}

}  // namespace

class TestBubbleFormula : public QObject {
    Q_OBJECT
private slots:
    void whatIsPrintedEvaluatesToTheResult() {
        int whole = 0, with_durations = 0;
        forAll([&](const CatalogEntry& entry, const ScheduleParams& params, const OperationDurations& d) {
            for (const BubbleShare share : {BubbleShare::OfTotal, BubbleShare::OfIdeal}) {
                const auto formula = bubbleFormula(entry, params, d, share);
                if (!formula) continue;
                const QString text = shown(entry, params, d, *formula);
                RealFormula numbers(formula->numbers);
                const double result = numbers.value();
                QVERIFY2(numbers.isWhole(), qPrintable(text));
                QVERIFY2(std::abs(result - formula->value) <= 2e-4 * std::max(0.05, result),
                         qPrintable(text));
                QVERIFY2(std::abs(percentOf(result) - percentOf(formula->value)) < 0.11, qPrintable(text));
                ++whole;
                if (formula->idle.empty()) continue;
                const QString idle = QString::fromStdString(formula->idle_numbers);
                RealFormula left(idle.section(" = ", 0, 0).toStdString());
                const double x = idle.section(" = ", 1, 1).toDouble();
                QVERIFY2(std::abs(left.value() - x) <= 5e-4 * std::max(1.0, x), qPrintable(text));
                QVERIFY2(left.isWhole(), qPrintable(text));
                QVERIFY2(formula->numbers.find(idle.section(" = ", 1, 1).toStdString()) == 0,
                         qPrintable(text));
                ++with_durations;
            }
        });
        QVERIFY(whole > 1000 && with_durations > 100);
    }

    void theResultIsWhatIsPlayed() {
        int compared = 0;
        forAll([&](const CatalogEntry& entry, const ScheduleParams& params, const OperationDurations& d) {
            const auto formula = bubbleFormula(entry, params, d);
            if (!formula || params.cells() > 200) return;
            const Costs costs = unitCosts(params.p * params.v, d.f, d.i, d.w, 0);
            const double played = playedBubble(entry, params, costs, Recompute::None);
            QVERIFY2(std::abs(played - formula->value) < 1e-4,
                     qPrintable(shown(entry, params, d, *formula) + QString(", played %1").arg(played)));
            ++compared;
        });
        QVERIFY(compared > 500);
    }

    // Recomputation stands before I, so it belongs to it.
    void recomputationCountsWithTheInputGradient() {
        for (const char* name : {"zb-h1", "zb-h2", "zb-v", "1f1b", "hanayo"}) {
            const CatalogEntry& entry = *findSchedule(name);
            const ScheduleParams params{4, defaultChunks(entry), std::string(name) == "hanayo" ? 4 : 8, 0};
            const Costs costs = unitCosts(params.p * params.v, 1, 1.2, 0.9, 0);  // R as long as F
            const auto formula =
                bubbleFormula(entry, params, meanDurations(costs, entry.split_backward, Recompute::Full));
            QVERIFY(formula.has_value());
            const double played = playedBubble(entry, params, costs, Recompute::Full);
            QVERIFY2(std::abs(played - formula->value) < 1e-4, name);
        }
    }

    // DeepSeek's, for pairs that run as one.
    void dualPipeFollowsItsPaperWhenPairsRunAsOne() {
        const CatalogEntry& entry = *findSchedule("dualpipe");
        for (const auto& [p, m] : {std::pair{2, 4}, {4, 8}, {4, 12}, {6, 12}, {8, 20}})
            for (const auto& [f, i, w] : {std::tuple{1.0, 1.0, 1.0}, {1.0, 1.0, 0.5}, {2.0, 2.0, 1.6}}) {
                const ScheduleParams params{p, 2, m, 0};
                const double played = playedBubble(entry, params, unitCosts(2 * p, f, i, w, 0),
                                                   Recompute::None, Overlap::Fused);
                QVERIFY(std::abs(played - *closed_forms::dualPipeFused(params, f, i, w)) < 1e-9);
            }
    }

    // What the text about Eager 1F1B says about a slow link.
    void aSlowLinkCostsEagerOnlyItsFillAndDrain() {
        for (int p : {2, 4, 8})
            for (int m : {8, 16, 33})
                for (double c : {0.1, 0.75, 1.5, 1.6}) {
                    const auto makespan = [&](const char* name, int microbatches) {
                        const Program program = lower(makeSchedule(name, {p, 1, microbatches, 0}));
                        return static_cast<double>(
                                   summarize(predict(program, unitCosts(p, 1, 1, 1, c)), 0).iteration_ns) /
                               1e9;
                    };
                    const double once = (m + p - 1) * 3 + 2 * (p - 1) * c;
                    QCOMPARE(std::abs(makespan("eager-1f1b", m) - once) < 1e-6, c <= 1.5);
                    // 1F1B, over p micro-batches more, which is its period.
                    const double more = makespan("1f1b", 40 + p) - makespan("1f1b", 40) - 3 * p;
                    if (c <= 1.5) QVERIFY(std::abs(more - 2 * (p - 1) * c) < 1e-6);
                }
    }

    void formulasReadAsInThePapers() {
        const auto letters = [](const char* name, const ScheduleParams& params, const OperationDurations& d,
                                BubbleShare share = BubbleShare::OfTotal) {
            const auto formula = bubbleFormula(*findSchedule(name), params, d, share);
            return formula ? formula->letters + " = " + formula->numbers : std::string();
        };
        QCOMPARE(letters("1f1b", {4, 1, 8, 0}, {2, 3, 1}), std::string("(p-1)/(m+p-1) = (4-1)/(8+4-1)"));
        QCOMPARE(letters("1f1b", {4, 1, 8, 0}, {}, BubbleShare::OfIdeal), std::string("(p-1)/m = (4-1)/8"));
        QCOMPARE(letters("naive", {4, 1, 8, 0}, {}, BubbleShare::OfIdeal), std::string("p-1 = 4-1"));
        QCOMPARE(letters("interleaved", {4, 1, 8, 0}, {}), std::string("(p-1)/(m+p-1) = (4-1)/(8+4-1)"));
        QCOMPARE(letters("zb-h1", {4, 1, 8, 0}, {1, 1.2, 0.8}),
                 std::string("x/(m*(F+I+W)+x) = 4.2/(8*3+4.2)"));
        QCOMPARE(letters("zb-v", {4, 2, 4, 0}, {}), std::string());
        QCOMPARE(QString::fromStdString(formulaForAnyDurations(*findSchedule("hanayo"))),
                 QString("x/(v*m*(F+B)+x), x = 2*(p-1)*B"));
    }
};

BUBBLESCOPE_TEST(TestBubbleFormula)

}  // namespace tst_bubble_formula

#include "tst_bubble_formula.moc"
