// Sweep over m: what is run, what is refused, what is predicted, and the verdict.
#include <QTest>

#include "registered_test.h"
#include "run/sweep.h"
#include "run_fixture.h"
#include "report/sweep_ranking.h"
#include "words/catalog.h"

namespace tst_sweep {

using namespace bscope;

namespace {

SweepPoint measured(int m, double slowest, double median, double fastest, std::int64_t peak_bytes) {
    SweepPoint point;
    point.value = point.m = m;
    point.setting = "m = " + std::to_string(m);
    point.iterations = point.iterations_done = 3;
    point.tokens_per_s_min = slowest;
    point.tokens_per_s_max = fastest;
    point.median.emplace();
    point.median->tokens_per_s = median;
    point.median->ranks.resize(1);
    point.median->ranks[0].peak_activation_bytes = peak_bytes;
    return point;
}

SweepState judged(std::vector<SweepPoint> points) {
    SweepState state;
    state.points = std::move(points);
    judge(state);
    return state;
}

std::string english(const Sentence& sentence) {
    return say(sentence, Language::English);
}

}  // namespace

class TestSweep : public QObject {
    Q_OBJECT

private slots:
    void everyLegalValueIsRun() {
        SweepRequest request;
        request.config = tinyConfig("gpipe", 2, 2);
        request.values = {1, 2, 4};
        request.iterations = 2;
        int calls = 0;
        Cancellation cancel;
        const SweepState state = sweep(
            request, [&](const SweepState&) { ++calls; }, cancel);
        QVERIFY(state.finished && !state.cancelled);
        QCOMPARE(calls, 1 + 3 * 2 + 1);
        for (std::size_t i = 0; i < 3; ++i) {
            const SweepPoint& point = state.points[i];
            QCOMPARE(point.iterations_done, 2);
            QCOMPARE(point.median->m, request.values[i]);
            QCOMPARE(point.micro_batch, 2);
            QVERIFY(point.tokens_per_s_min <= point.median->tokens_per_s);
            QVERIFY(point.tokens_per_s_max >= point.median->tokens_per_s);
            QCOMPARE(point.predicted_peak_bytes, std::max(point.median->ranks[0].peak_activation_bytes,
                                                          point.median->ranks[1].peak_activation_bytes));
        }
        QVERIFY(state.best > 0 && !state.why.empty());
    }

    void predictionsAreThereBeforeAnythingRuns() {
        SweepRequest request;
        request.config = tinyConfig("1f1b", 2, 4);
        RunObserver no_observer;
        const Costs measured_costs = Run(request.config, no_observer).iterate().costs;
        request.costs_of = [&](const RunConfig& config) {
            return costsOfLike(request.config, measured_costs, config);
        };
        request.values = {1, 8};
        request.iterations = 1;
        std::vector<SweepPoint> first;
        Cancellation cancel;
        cancel.cancel();
        const SweepState state = sweep(
            request,
            [&](const SweepState& now) {
                if (first.empty()) first = now.points;
            },
            cancel);
        QVERIFY(state.cancelled && !state.finished);
        QCOMPARE(state.best, 0);
        QCOMPARE(first.size(), std::size_t{2});
        QVERIFY(!first[0].median && first[0].predicted_tokens_per_s > 0);
        QVERIFY(first[0].predicted_bubble_of_total > first[1].predicted_bubble_of_total);
        QVERIFY(first[0].predicted_tokens_per_s < first[1].predicted_tokens_per_s);
    }

    void anMThatIsNamedTwiceIsRunOnce() {
        SweepRequest request;
        request.config = tinyConfig("gpipe", 2, 2);
        request.values = {2, 4, 2};
        request.iterations = 1;
        Cancellation cancel;
        const SweepState state = sweep(
            request, [](const SweepState&) {}, cancel);
        QCOMPARE(state.points.size(), std::size_t{2});
        QCOMPARE(state.points[1].m, 4);
    }

    void aFixedBatchDividesAmongTheMicrobatches() {
        SweepRequest request;
        request.config = tinyConfig("gpipe", 2, 2);
        request.values = {2, 3, 8};
        request.fixed_batch = 8;
        request.iterations = 1;
        Cancellation cancel;
        const SweepState state = sweep(
            request, [](const SweepState&) {}, cancel);
        QCOMPARE(state.points[0].micro_batch, 4);
        QCOMPARE(state.points[2].micro_batch, 1);
        QCOMPARE(state.points[1].problems.size(), std::size_t{1});
        QCOMPARE(
            state.points[1].problems[0].text(),
            std::string(
                "8 samples cannot be divided into m = 3 equal micro-batches; nearest legal values: 2, 4"));
        QVERIFY(!state.points[1].median);
        const double tokens = state.points[0].median->tokens_per_s * state.points[0].median->iteration_ms;
        QVERIFY(
            std::abs(tokens / (state.points[2].median->tokens_per_s * state.points[2].median->iteration_ms) -
                     1) < 1e-9);
    }

    // p against d: the same ranks and the same mini-batch, and the tokens of an iteration with it.
    void ranksAreSharedBetweenPAndD() {
        SweepRequest request;
        request.config = tinyConfig("1f1b", 2, 4);
        request.axis = SweepAxis::Ranks;
        request.values = usualValues(request.axis, request.config);
        QCOMPARE(request.values, (std::vector<int>{1, 2}));
        request.values.push_back(3);
        request.iterations = 1;
        Cancellation cancel;
        const SweepState state = sweep(
            request, [](const SweepState&) {}, cancel);
        QVERIFY(state.axis == SweepAxis::Ranks && state.finished);
        QCOMPARE(state.points[0].setting, std::string("p = 1, d = 2"));
        for (std::size_t i = 0; i < 2; ++i) {
            const IterationReport& ran = *state.points[i].median;
            QCOMPARE(ran.p, request.values[i]);
            QCOMPARE(ran.p * ran.d, 2);
            QCOMPARE(ran.m * ran.d, 4);
            const double tokens = ran.tokens_per_s * ran.iteration_ms / 1000;
            QVERIFY(std::abs(tokens - static_cast<double>(request.config.samples() *
                                                          request.config.model.sequence)) < 1e-6 * tokens);
        }
        QVERIFY(!state.points[2].median);
        QCOMPARE(
            state.points[2].problems[0].text(),
            std::string("2 ranks cannot be divided into pipelines of p = 3; nearest legal values: 1, 2"));
        QVERIFY(english(state.why).starts_with("p = "));
    }

    void microbatchesThatReplicasCannotShareAreRefused() {
        RunConfig config = tinyConfig("1f1b", 2, 3);
        const SweptConfig half = swept(config, SweepAxis::Ranks, 1);
        QVERIFY(half.problem && half.problem->text().find("3 micro-batches") != std::string::npos);
    }

    void chunksAndKindsOfCheckpointingAreRun() {
        SweepRequest request;
        request.config = tinyConfig("interleaved", 2, 2);
        request.axis = SweepAxis::Chunks;
        request.values = {1, 2, 64};
        request.iterations = 1;
        Cancellation cancel;
        const SweepState chunks = sweep(
            request, [](const SweepState&) {}, cancel);
        for (const SweepPoint& point : chunks.points)
            QVERIFY2(point.median.has_value() == point.problems.empty(), point.setting.c_str());
        QVERIFY(chunks.points[1].median && chunks.points[1].median->v == 2);
        QVERIFY(!chunks.points[2].problems.empty());  // more stages than layers

        request.config = tinyConfig("1f1b", 2, 2);
        request.axis = SweepAxis::Checkpointing;
        request.values = usualValues(request.axis, request.config);
        const SweepState kinds = sweep(
            request, [](const SweepState&) {}, cancel);
        QVERIFY(kinds.points[0].median->recompute == Recompute::None);
        QVERIFY(kinds.points[1].median->recompute == Recompute::Selective);
        QVERIFY(kinds.points[2].median->recompute == Recompute::Full);
        QVERIFY(kinds.points[2].predicted_peak_bytes < kinds.points[0].predicted_peak_bytes);
        QCOMPARE(kinds.points[2].setting, std::string("recompute = full"));
    }

    void everyValueOfAnAxisIsItsOwn() {
        const RunConfig config = tinyConfig("1f1b", 2, 4);
        for (int axis = 0; axis < kSweepAxes; ++axis) {
            const auto of = static_cast<SweepAxis>(axis);
            QVERIFY(sweepAxisOf(toText(of)) == of);
            QVERIFY(swept(config, of, valueOf(of, config)).config == config);
            for (const int value : usualValues(of, config))
                if (const SweptConfig made = swept(config, of, value); !made.problem)
                    QCOMPARE(valueOf(of, made.config), value);
        }
    }

    void whatTheCapForbidsIsNeverRun() {
        SweepRequest request;
        request.config = tinyConfig("gpipe", 2, 1);
        request.values = {1, 2, 32};
        request.iterations = 1;
        RunObserver no_observer;
        RunConfig two = request.config;
        two.params.m = 2;
        const std::int64_t peak = Run(two, no_observer).iterate().ranks[1].peak_activation_bytes;
        request.config.memory_cap_mb = 1.5 * static_cast<double>(peak) / 1e6;
        Cancellation cancel;
        const SweepState state = sweep(
            request, [](const SweepState&) {}, cancel);
        QVERIFY(state.points[0].median && state.points[1].median);
        QVERIFY(state.points[2].over_cap && !state.points[2].median);
        QCOMPARE(state.points[2].iterations_done, 0);
        QCOMPARE(state.points[2].problems.size(), std::size_t{1});
        QVERIFY(state.points[2].predicted_peak_bytes > peak);
        QVERIFY(english(state.why).find("over the memory cap: m = 32") != std::string::npos);
    }

    void cancellingKeepsWhatWasMeasured() {
        SweepRequest request;
        request.config = tinyConfig("gpipe", 2, 2);
        request.values = {1, 2, 4};
        request.iterations = 3;
        Cancellation cancel;
        const SweepState state = sweep(
            request,
            [&](const SweepState& now) {
                if (now.points[1].iterations_done == 1) cancel.cancel();
            },
            cancel);
        QVERIFY(state.cancelled && !state.finished);
        QCOMPARE(state.points[0].iterations_done, 3);
        QCOMPARE(state.points[1].iterations_done, 1);
        QVERIFY(state.points[1].median);
        QCOMPARE(state.points[2].iterations_done, 0);
        QVERIFY(state.best == 1 || state.best == 2);
    }

    void mostTokensWinAndTheRunnerUpIsNamed() {
        const SweepState state = judged(
            {measured(4, 99, 100, 101, 10), measured(8, 195, 200, 205, 20), measured(16, 148, 150, 152, 40)});
        QCOMPARE(state.best, 8);
        QVERIFY(QString::fromStdString(say(state.why, Language::Chinese)).contains(u"m = 16 慢 25.0 %"));
        QVERIFY2(english(state.why).rfind("m = 8 reaches 200 tokens/s", 0) == 0, english(state.why).c_str());
        QVERIFY2(english(state.why).find("m = 16 is 25.0 % slower") != std::string::npos,
                 english(state.why).c_str());
    }

    void withinTheSpreadLessMemoryWins() {
        const SweepState state =
            judged({measured(8, 190, 198, 206, 20'000'000), measured(16, 195, 200, 204, 40'000'000)});
        QCOMPARE(state.best, 8);
        QVERIFY2(english(state.why).find("m = 16: no difference (within ") != std::string::npos,
                 english(state.why).c_str());
        QVERIFY2(english(state.why).find("holds 40.0 MB instead of 20.0 MB") != std::string::npos,
                 english(state.why).c_str());
    }

    // Of an unfinished sweep nothing is the best yet.
    void whatHasNotRunIsSaid() {
        SweepPoint waits = measured(32, 0, 0, 0, 0);
        waits.iterations_done = 0;
        waits.median.reset();
        const SweepState state =
            judged({measured(8, 195, 200, 205, 20), measured(16, 148, 150, 152, 40), waits});
        QVERIFY2(english(state.why).rfind("So far, with 2 of 3 values: ", 0) == 0, english(state.why).c_str());
        const SweepRanking standing = standingOf(state.points);
        QVERIFY(standing.open && !standing.isSettled());
        QVERIFY(standingOf(std::vector{measured(8, 195, 200, 205, 20), measured(16, 148, 150, 152, 40)}).isSettled());
    }

    // 30.14 MB is not more than 30.06 MB to who reads 30.1 MB twice.
    void differencesThatAreNotPrintedAreNotClaimed() {
        const SweepState state =
            judged({measured(8, 190, 198, 206, 30'060'000), measured(16, 195, 200, 204, 30'140'000)});
        QCOMPARE(state.best, 16);
        QVERIFY2(english(state.why).find("m = 8: no difference (within ") !=
                     std::string::npos,
                 english(state.why).c_str());
        SweepPoint fast = measured(8, 195, 200, 205, 20), slow = measured(16, 148, 150, 152, 40);
        fast.median->bubble_of_total = 0.2731;
        slow.median->bubble_of_total = 0.2729;
        const std::string why = english(judged({fast, slow}).why);
        QVERIFY2(why.find("25.0 % slower with the same bubble of 27.3 %") != std::string::npos, why.c_str());
    }

    void oneValueIsTheBestOfItself() {
        const SweepState state = judged({measured(8, 1, 2, 3, 1)});
        QCOMPARE(state.best, 8);
        QVERIFY(english(state.why).find("nothing else has been measured") != std::string::npos);
        QCOMPARE(judged({}).best, 0);
    }
};

BUBBLESCOPE_TEST(TestSweep)

}  // namespace tst_sweep

#include "tst_sweep.moc"
