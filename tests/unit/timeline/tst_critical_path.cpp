// The critical path against a longest path computed from the schedule alone, and slack against what happens
// when an operation really takes longer.
#include <QTest>
#include <functional>
#include <map>
#include <random>

#include "analysis/critical_path.h"
#include "catalog/catalog.h"
#include "random_costs.h"
#include "registered_test.h"
#include "timeline/analysis.h"
#include "timeline/predict.h"
#include "timelines_by_hand.h"

namespace tst_critical_path {

using namespace bscope;

namespace {

Costs randomCostsAndLatency(int stages, std::mt19937& random) {
    Costs costs = randomCosts(stages, random);
    costs.optimizer_ns = costs.reduce_ns = 0;
    costs.link.latency_us = 0.001 * std::uniform_int_distribution<int>(0, 2500)(random);
    return costs;
}

// The longest way to the end of every operation, from what each needs: from its own rank the one before it,
// from its micro-batch the stage before, for a backward also the stage after.
class LongestPath {
public:
    LongestPath(const Schedule& schedule, const Costs& costs) : schedule_(schedule), costs_(costs) {
        for (const std::vector<Action>& order : schedule.orders)
            for (std::size_t i = 0; i < order.size(); ++i)
                before_[order[i]] = i > 0 ? std::optional(order[i - 1]) : std::nullopt;
    }

    std::int64_t makespan(const Action& longer, std::int64_t by_ns) {
        longer_ = longer;
        by_ns_ = by_ns;
        ends_.clear();
        std::int64_t all = 0;
        for (const auto& [action, before] : before_) all = std::max(all, end(action));
        return all;
    }

private:
    std::int64_t hop(int from, int to) const {
        const auto rank = [&](int stage) { return schedule_.placement[static_cast<std::size_t>(stage)]; };
        return rank(from) == rank(to) ? 0 : std::llround(costs_.hopNs());
    }
    std::int64_t input(int stage, Op op, const Action& of) {
        for (const Op each : {op, op == Op::Backward ? Op::BackwardInput : op}) {
            const auto found = before_.lower_bound(Action{stage, each, of.microbatch, false});
            if (found != before_.end() && found->first.stage == stage && found->first.op == each &&
                found->first.microbatch == of.microbatch)
                return end(found->first) + hop(stage, of.stage);
        }
        return 0;
    }
    std::int64_t end(const Action& action) {
        if (const auto known = ends_.find(action); known != ends_.end()) return known->second;
        std::int64_t start = 0;
        if (const auto& before = before_.at(action)) start = end(*before);
        if (action.op == Op::Forward && schedule_.previousStage(action.stage) >= 0)
            start = std::max(start, input(schedule_.previousStage(action.stage), Op::Forward, action));
        if ((action.op == Op::Backward || action.op == Op::BackwardInput) &&
            schedule_.nextStage(action.stage) >= 0)
            start = std::max(start, input(schedule_.nextStage(action.stage), Op::Backward, action));
        const double duration = costs_.stages[static_cast<std::size_t>(action.stage)].duration_ns(action.op);
        return ends_[action] = start + std::llround(duration) + (action == longer_ ? by_ns_ : 0);
    }

    const Schedule& schedule_;
    const Costs& costs_;
    std::map<Action, std::optional<Action>> before_;
    std::map<Action, std::int64_t> ends_;
    Action longer_;
    std::int64_t by_ns_ = 0;
};

}  // namespace

class TestCriticalPath : public QObject {
    Q_OBJECT
private slots:
    void isTheLongestPath() {
        std::mt19937 random(1);
        int cases = 0;
        for (const CatalogEntry& entry : catalog())
            for (const int p : {1, 2, 3, 4})
                for (const int m : {1, 3, 4, 8}) {
                    const ScheduleParams params{p, defaultChunks(entry), m, 0};
                    if (!scheduleProblems(entry.name, params).empty()) continue;
                    const Schedule schedule = makeSchedule(entry.name, params);
                    if (schedule.weights != WeightRule::Flush) continue;
                    const Costs costs = randomCostsAndLatency(schedule.stageCount(), random);
                    const Timeline timeline = predict(lower(schedule), costs);
                    const EventGraph graph(timeline, 0, 0);
                    const CriticalPath path = criticalPath(graph);
                    const std::int64_t longest = LongestPath(schedule, costs).makespan({}, 0);
                    QCOMPARE(path.length_ns(), longest);
                    QCOMPARE(path.length_ns(), summarize(timeline, 0).iteration_ns);
                    QCOMPARE(path.pauses_ns, 0);
                    const std::vector<std::int64_t> slacks = slack(graph);
                    for (const int node : path.nodes) QCOMPARE(slacks[static_cast<std::size_t>(node)], 0);
                    ++cases;
                }
        QVERIFY(cases > 100);
    }

    void slackIsWhatAnOperationMayTakeLonger() {
        std::mt19937 random(2);
        for (const CatalogEntry& entry : catalog()) {
            const ScheduleParams params{4, defaultChunks(entry), 8, 0};
            const Schedule schedule = makeSchedule(entry.name, params);
            if (schedule.weights != WeightRule::Flush) continue;
            const Costs costs = randomCostsAndLatency(schedule.stageCount(), random);
            const Timeline timeline = predict(lower(schedule), costs);
            const EventGraph graph(timeline, 0, 0);
            const std::vector<std::int64_t> slacks = slack(graph);
            LongestPath longest(schedule, costs);
            const std::int64_t makespan = longest.makespan({}, 0);
            for (std::size_t i = random() % 7; i < slacks.size(); i += 7) {
                const Event& e = *graph.nodes()[i].event;
                if (!isCompute(e.op)) continue;
                // As the schedule writes it, which knows of overlapped pairs.
                for (const Action& action : schedule.orders[static_cast<std::size_t>(e.rank)])
                    if (action.stage == e.stage && action.op == e.op && action.microbatch == e.microbatch) {
                        QCOMPARE(longest.makespan(action, slacks[i]), makespan);
                        QCOMPARE(longest.makespan(action, slacks[i] + 1000), makespan + 1000);
                    }
            }
        }
    }

    void composition() {
        Timeline t(2, Provenance::Reconstructed);
        t.append(computeEvent(0, {0, Op::Forward, 0}, 0, 10));
        t.append(computeEvent(1, {1, Op::Forward, 0}, 13, 23));
        t.append(computeEvent(1, {1, Op::Backward, 0}, 23, 43));
        t.append(computeEvent(0, {0, Op::Forward, 1}, 10, 20));
        t.append(computeEvent(0, {0, Op::Backward, 0}, 45, 65));
        t.append(receiveEvent(1, {1, Op::RecvForward, 0}, 0, 10, 12));
        t.append(receiveEvent(0, {0, Op::RecvBackward, 0}, 20, 43, 45));
        t.append(computeEvent(0, {-1, Op::OptimizerStep, -1}, 65, 70));
        const EventGraph graph(t, 0, 0);
        const CriticalPath path = criticalPath(graph);
        std::vector<std::string> names;
        for (const int node : path.nodes) {
            const Event& e = *graph.node(node).event;
            names.push_back(toText(Action{e.stage, e.op, e.microbatch}));
        }
        QCOMPARE(names, (std::vector<std::string>{"0F0", "1F0", "1B0", "0B0"}));
        QCOMPARE(path.time_ns[static_cast<std::size_t>(Op::Forward)], 20);
        QCOMPARE(path.time_ns[static_cast<std::size_t>(Op::Backward)], 40);
        QCOMPARE(path.messages_ns, 4);
        QCOMPARE(path.pauses_ns, 1);  // rank 1 began a nanosecond after its input had come
        QCOMPARE(path.length_ns(), 65);
        const std::vector<std::int64_t> slacks = slack(graph);
        QCOMPARE(slacks[1], 25);  // 0F1
        QCOMPARE(slacks[3], INT64_MAX);
    }

    // Two ranks that each made the other's input: no run can be so, a file can.
    void contradictingEventsEnd() {
        Timeline t(2);
        t.append(computeEvent(0, {0, Op::Forward, 0}, 0, 10));
        t.append(computeEvent(0, {2, Op::Forward, 0}, 20, 30));
        t.append(computeEvent(1, {1, Op::Forward, 0}, 20, 30));
        t.append(computeEvent(1, {3, Op::Forward, 0}, 30, 40));
        t.append(computeEvent(0, {0, Op::Forward, 0}, 40, 50));
        t.append(receiveEvent(0, {2, Op::RecvForward, 0}, 10, 30, 35));
        t.append(receiveEvent(1, {1, Op::RecvForward, 0}, 0, 30, 35));
        t.append(receiveEvent(1, {3, Op::RecvForward, 0}, 0, 30, 35));
        const CriticalPath path = criticalPath(EventGraph(t, 0, 0));
        QVERIFY(!path.nodes.empty());
        QVERIFY(path.nodes.size() <= 5U);
    }

    // The same without any length, where time decides nothing.
    void operationsWithoutLengthMayWaitForEachOther() {
        Timeline t(2);
        for (const Action& action : {Action{2, Op::Forward, 1}, Action{0, Op::Forward, 0}})
            t.append(computeEvent(0, action, 5, 5));
        for (const Action& action : {Action{1, Op::Forward, 0}, Action{1, Op::Forward, 1}})
            t.append(computeEvent(1, action, 5, 5));
        t.append(computeEvent(0, {0, Op::Forward, 2}, 5, 9));
        t.append(receiveEvent(1, {1, Op::RecvForward, 0}, 5, 5, 5));
        t.append(receiveEvent(0, {2, Op::RecvForward, 1}, 5, 5, 5));
        const EventGraph graph(t, 0, 5);
        QCOMPARE(graph.order().size(), 5U);
        QCOMPARE(criticalPath(graph).length_ns(), 4);
    }
};

BUBBLESCOPE_TEST(TestCriticalPath)

}  // namespace tst_critical_path

#include "tst_critical_path.moc"
