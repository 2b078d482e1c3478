// What other schedules would have given: held against closed forms, and costs cut into other stages against
// sums done by hand.
#include <QTest>
#include <algorithm>
#include <cmath>
#include <string>

#include "analysis/what_if.h"
#include "schedule/catalog.h"
#include "timeline/analysis.h"
#include "timeline/predict.h"

using namespace bscope;

class TestWhatIf : public QObject {
    Q_OBJECT
private slots:
    void whatWouldHaveBeen() {
        const Schedule ran = makeSchedule("gpipe", {4, 1, 8});
        const Costs costs = unitCosts(4, 1, 1, 1, 0);
        const std::vector<Alternative> all = whatIf(ran, costs, Recompute::None, 5).alternatives;
        const auto of = [&](const std::string& name, int v, int m) {
            return std::find_if(all.begin(), all.end(), [&](const Alternative& each) {
                return each.schedule == name && each.params.v == v && each.params.m == m;
            });
        };
        const auto own = of("gpipe", 1, 8), other = of("1f1b", 1, 8), twice = of("gpipe", 1, 16),
                   interleaved = of("interleaved", 2, 8), split = of("zb-h1", 1, 8);
        for (const auto& each : {own, other, twice, interleaved, split}) QVERIFY(each != all.end());
        QVERIFY(own->ran && !other->ran);
        // The prediction of the run itself, and closed forms of the others: equal stages, free messages.
        QCOMPARE(own->bubble_of_total, summarize(predict(lower(ran), costs), 0).bubble_of_total);
        QVERIFY(std::abs(other->bubble_of_total - 3.0 / 11) < 1e-9);
        QVERIFY(std::abs(twice->bubble_of_total - 3.0 / 19) < 1e-9);
        QVERIFY(std::abs(interleaved->bubble_of_total - 3.0 / 19) < 1e-6);
        QVERIFY(split->bubble_of_total < other->bubble_of_total);
        QCOMPARE(own->most_in_flight, 8.0);
        QCOMPARE(other->most_in_flight, 4.0);
        QVERIFY(own->over_cap && !other->over_cap);
        QVERIFY(own > other);  // what fits comes first
    }

    // Two of four units of forward work stand on one stage: spread evenly, none waits for it.
    void workMayBeSpreadEvenly() {
        const Schedule ran = makeSchedule("1f1b", {3, 1, 6});
        Costs costs = unitCosts(3, 1, 1, 1, 0);
        costs.stages[1].forward_ns *= 2;
        const WhatIf found = whatIf(ran, costs, Recompute::None);
        const auto even =
            std::ranges::find_if(found.alternatives, [](const Alternative& each) { return each.even_split; });
        const auto own = std::ranges::find_if(found.alternatives, &Alternative::ran);
        QVERIFY(even != found.alternatives.end() && own != found.alternatives.end());
        QVERIFY(std::abs(even->bubble_of_total - 2.0 / 8) < 1e-9);  // (p - 1) / (m + p - 1)
        QVERIFY(own->bubble_of_total > even->bubble_of_total);
        const Costs played_with = costsOf(*even, ran, costs);
        QCOMPARE(played_with.stages[0].forward_ns, 4e9 / 3);
        QCOMPARE(costsOf(*own, ran, costs).stages[1].forward_ns, 2e9);
    }

    // Both directions hold every stage; one pipeline has the work of one of them.
    void replicasCountOnce() {
        const Schedule ran = makeSchedule("chimera", {4, 2, 8});
        const WhatIf found = whatIf(ran, unitCosts(ran.stageCount(), 1, 1, 1, 0), Recompute::None);
        const auto other = std::ranges::find_if(found.alternatives, [](const Alternative& each) {
            return each.schedule == "1f1b" && each.params.m == 8;
        });
        QVERIFY(other != found.alternatives.end());
        QVERIFY(std::abs(other->iteration_ms - 1e3 * 3 * (8 + 3)) < 1e-6);
    }

    void whatCannotBeComparedIsSaid() {
        for (const auto& [name, params] : {std::pair{"pipedream", ScheduleParams{4, 1, 8}},
                                           std::pair{"forward-only", ScheduleParams{4, 1, 8}}}) {
            const Schedule ran = makeSchedule(name, params);
            const WhatIf found = whatIf(ran, unitCosts(4, 1, 1, 1, 0), Recompute::None);
            QVERIFY(found.alternatives.empty());
            QVERIFY(!found.refusal.empty());
        }
    }

    void costsAreCutIntoOtherStages() {
        Costs costs;
        costs.stages.resize(3);
        for (std::size_t stage = 0; stage < 3; ++stage) {
            costs.stages[stage].forward_ns = 3.0 * static_cast<double>(stage + 1);
            costs.stages[stage].backward_ns = 6;
        }
        const Costs six = costsForStages(costs, 6), two = costsForStages(costs, 2),
                    same = costsForStages(costs, 3);
        QCOMPARE(six.stages[5].forward_ns, 4.5);
        QCOMPARE(two.stages[0].forward_ns, 6.0);  // all of the first, half of the second
        QCOMPARE(two.stages[1].forward_ns, 12.0);
        QCOMPARE(two.stages[1].input_ns, 4.5);
        QCOMPARE(same.stages[2].forward_ns, 9.0);
    }
};

QTEST_GUILESS_MAIN(TestWhatIf)
#include "tst_what_if.moc"
