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
        const std::vector<Alternative> all = whatIf(ran, costs, Recompute::None, 5);
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
