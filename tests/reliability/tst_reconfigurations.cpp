// One run through many random changes of its configuration, legal and illegal; after every iteration each
// number of its report is computed again from the raw events, by code that shares nothing with the engine's
// summary.
// BSCOPE_STEPS=N (40) and BSCOPE_SEED=S (1) in the environment; 10,000 by hand.
#include <QTest>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <set>

#include "catalog/catalog.h"
#include "registered_test.h"
#include "run_fixture.h"

namespace tst_reconfigurations {

using namespace bscope;

namespace {

const int steps =
    qEnvironmentVariableIsSet("BSCOPE_STEPS") ? qEnvironmentVariableIntValue("BSCOPE_STEPS") : 40;
const auto seed = static_cast<unsigned>(
    qEnvironmentVariableIsSet("BSCOPE_SEED") ? qEnvironmentVariableIntValue("BSCOPE_SEED") : 1);

bool isClose(double a, double b) {
    return std::abs(a - b) <= 1e-9 * std::max({1.0, std::abs(a), std::abs(b)});
}

// "" or what does not follow from the events of the report's iteration. Schedules with a flush.
std::string checked(const EventCollector& collected, const IterationReport& report, const RunConfig& config) {
    const int ranks = config.params.p * config.params.d;
    std::int64_t first = std::numeric_limits<std::int64_t>::max(), last = 0, all_busy = 0, slowest_step = 0;
    std::map<std::pair<int, int>, std::set<int>> forwarded, returned;  // (rank, stage): micro-batches
    std::vector<std::string> wrong;
    const auto expect = [&](bool is_so, const std::string& what) {
        if (!is_so) wrong.push_back(what);
    };
    std::vector<std::int64_t> busy(static_cast<std::size_t>(ranks), 0);
    for (int rank = 0; rank < ranks; ++rank) {
        const auto index = static_cast<std::size_t>(rank);
        const std::string who = "rank " + std::to_string(rank) + ": ";
        std::int64_t free_ns = std::numeric_limits<std::int64_t>::min(), waited = 0, travelled = 0, step = 0;
        int in_flight = 0, most_in_flight = 0;
        const auto events = collected.by_rank.find(rank);
        if (events == collected.by_rank.end()) return who + "reported nothing";
        for (const Event& e : events->second) {
            if (e.iteration != report.iteration) continue;
            if (e.op == Op::RecvForward || e.op == Op::RecvBackward) {
                waited += e.transfer_ns - e.start_ns;
                travelled += e.end_ns - e.transfer_ns;
                continue;
            }
            expect(e.start_ns >= free_ns && e.end_ns >= e.start_ns, who + "two things at one time");
            free_ns = e.end_ns;
            if (e.op == Op::OptimizerStep || isOfCopies(e.op)) {
                step += e.end_ns - e.start_ns;
                continue;
            }
            busy[index] += e.end_ns - e.start_ns;
            first = std::min(first, e.start_ns);
            last = std::max(last, e.end_ns);
            const std::pair place(rank, e.stage);
            if (e.op == Op::Forward) {
                expect(forwarded[place].insert(e.microbatch).second, who + "a micro-batch forwarded twice");
                most_in_flight = std::max(most_in_flight, ++in_flight);
            }
            if (e.op == Op::Backward || e.op == Op::BackwardWeight) {
                expect(returned[place].insert(e.microbatch).second, who + "a micro-batch taken back twice");
                --in_flight;
            }
        }
        std::int64_t peak = 0;
        if (const auto points = collected.memory_by_rank.find(rank); points != collected.memory_by_rank.end())
            for (const MemoryPoint& point : points->second)
                if (point.iteration == report.iteration) peak = std::max(peak, point.live_bytes);
        const RankReport& of_rank = report.ranks.at(index);
        expect(isClose(of_rank.busy_ms, static_cast<double>(busy[index]) / 1e6), who + "busy_ms");
        expect(isClose(of_rank.wait_ms, static_cast<double>(waited) / 1e6), who + "wait_ms");
        expect(isClose(of_rank.transfer_ms, static_cast<double>(travelled) / 1e6), who + "transfer_ms");
        expect(of_rank.peak_activation_bytes == peak, who + "peak_activation_bytes");
        const bool goes_back = config.schedule != "forward-only";
        expect(!goes_back || of_rank.peak_in_flight == most_in_flight, who + "peak_in_flight");
        expect(!goes_back || in_flight == 0, who + "something left in flight");
        slowest_step = std::max(slowest_step, step);
        all_busy += busy[index];
    }
    for (const auto& [place, microbatches] : forwarded)
        expect(config.schedule == "forward-only" || returned[place] == microbatches,
               "a micro-batch went and did not come back");
    const double length = static_cast<double>(last - first), whole = length * ranks;
    expect(isClose(report.iteration_ms, length / 1e6), "iteration_ms");
    expect(isClose(report.bubble_of_total, 1 - static_cast<double>(all_busy) / whole), "bubble_of_total");
    expect(isClose(report.bubble_of_ideal, whole / static_cast<double>(all_busy) - 1), "bubble_of_ideal");
    for (int rank = 0; rank < ranks; ++rank) {
        const auto index = static_cast<std::size_t>(rank);
        expect(isClose(report.ranks[index].bubble_of_total, 1 - static_cast<double>(busy[index]) / length),
               "bubble_of_total of rank " + std::to_string(rank));
    }
    expect(isClose(report.optimizer_ms, static_cast<double>(slowest_step) / 1e6), "optimizer_ms");
    const double tokens =
        1.0 * config.params.m * config.params.d * config.micro_batch * config.model.sequence;
    expect(isClose(report.tokens_per_s, tokens / (length / 1e9)), "tokens_per_s");
    expect(std::isfinite(report.loss), "loss");
    std::string text;
    for (const std::string& each : wrong) text += each + "; ";
    return text;
}

class Dice {
public:
    explicit Dice(unsigned start) : random_(start) {}
    int upTo(int most) { return std::uniform_int_distribution<int>(0, most)(random_); }
    template <class T>
    T oneOf(std::initializer_list<T> choices) {
        return choices.begin()[upTo(static_cast<int>(choices.size()) - 1)];
    }

private:
    std::mt19937 random_;
};

RunConfig changed(RunConfig config, Dice& dice) {
    config.schedule =
        catalog()[static_cast<std::size_t>(dice.upTo(static_cast<int>(catalog().size()) - 1))].name;
    config.params.p = dice.oneOf({1, 2, 3, 4, 8});
    config.params.m = dice.oneOf({1, 2, 4, 5, 8, 12});
    config.params.v =
        dice.upTo(3) == 0 ? dice.oneOf({1, 2, 3}) : defaultChunks(*findSchedule(config.schedule));
    config.params.d = dice.oneOf({1, 1, 1, 2, 3});
    config.params.zero = config.params.d > 1 ? dice.oneOf({0, 1}) : 0;
    config.micro_batch = dice.oneOf({1, 2});
    config.recompute = dice.oneOf({Recompute::None, Recompute::Full, Recompute::Selective});
    config.checkpoint_every = dice.oneOf({CheckpointEvery::Stage, CheckpointEvery::Layer});
    config.link.latency_us = dice.oneOf({0.0, 0.0, 200.0});
    config.durations = dice.oneOf({Durations::Raw, Durations::Calibrated});
    config.slow_ranks.clear();
    if (dice.upTo(3) == 0) config.slow_ranks = {{dice.upTo(4), 1.5}};
    config.memory_cap_mb = dice.upTo(9) == 0 ? 0.001 : 0;
    return config;
}

}  // namespace

class TestReconfigurations : public QObject {
    Q_OBJECT
private slots:
    void everyNumberFollowsFromTheEvents() {
        Dice dice(seed);
        EventCollector collected;
        RunConfig now = tinyConfig("1f1b", 2, 4);
        Run run(now, collected);
        int refused = 0, compared = 0, iteration = 0;
        for (int step = 0; step < steps; ++step) {
            const RunConfig next = changed(now, dice);
            const std::string where =
                "step " + std::to_string(step) + ", " + next.schedule +
                " p=" + std::to_string(next.params.p) + " m=" + std::to_string(next.params.m) +
                " v=" + std::to_string(next.params.v) + " d=" + std::to_string(next.params.d) + ": ";
            if (run.check(next).empty()) {
                run.configure(next);
                now = next;
            } else {
                ++refused;
                try {
                    run.configure(next);
                    QFAIL((where + "an illegal configuration was taken").c_str());
                } catch (const ConfigError&) {
                }
            }
            collected.by_rank.clear();
            collected.memory_by_rank.clear();
            collected.reports.clear();
            run.iterate();
            for (const IterationReport& report : collected.reports) {
                QVERIFY2(report.iteration == iteration++, (where + "an iteration is missing").c_str());
                if (report.schedule.starts_with("pipedream")) continue;  // windows of a stream: tst_streams
                const std::string wrong = checked(collected, report, now);
                QVERIFY2(wrong.empty(), (where + wrong).c_str());
                ++compared;
            }
        }
        qInfo("%d steps, %d configurations refused, %d reports computed again", steps, refused, compared);
        QVERIFY(compared > steps / 2 && refused > 0);
    }
};

BUBBLESCOPE_TEST(TestReconfigurations)

}  // namespace tst_reconfigurations

#include "tst_reconfigurations.moc"
