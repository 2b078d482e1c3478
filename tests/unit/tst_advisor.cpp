// What would help: the best split against all splits, every prediction against predict(), and how a run's
// costs carry over to another configuration.
#include <QtTest>
#include <cmath>
#include <random>

#include "analysis/advisor.h"
#include "analysis/layer_costs.h"
#include "schedule/catalog.h"
#include "schedule/endless_stream.h"
#include "timeline/analysis.h"
#include "timeline/predict.h"
#include "words/catalog.h"

using namespace bscope;

namespace {

StageCosts stageOf(double f_ns) {
    StageCosts stage;
    stage.forward_ns = f_ns;
    stage.backward_ns = 2 * f_ns;
    return stage;
}

// 1F1B, p = 4, m = 8, two layers a stage; a head half as heavy as a layer; rank `slow` by a factor.
AdviceRequest requestOf(int slow = -1, double factor = 1) {
    AdviceRequest request;
    request.config.params = {4, 1, 8, 0};
    request.config.model.layers = 8;
    request.schedule = makeSchedule("1f1b", request.config.params);
    request.slowness.assign(4, 1);
    for (int stage = 0; stage < 4; ++stage)
        request.costs.stages.push_back(stageOf((stage == 3 ? 2.5e6 : 2e6) * (stage == slow ? factor : 1)));
    if (slow >= 0) request.slowness[static_cast<std::size_t>(slow)] = factor;
    request.costs.message_bytes = 1e6;
    request.activations = [](const RunConfig& config, const Schedule& schedule) {
        // A byte a layer and sample; with checkpointing a quarter of it stays.
        std::vector<ChunkBytes> chunks(schedule.placement.size());
        for (const std::vector<int>& chain : schedule.chains) {
            const std::vector<int> layers = layersPerStage(config, static_cast<int>(chain.size()));
            for (std::size_t place = 0; place < chain.size(); ++place) {
                ChunkBytes& chunk = chunks[static_cast<std::size_t>(chain[place])];
                const std::int64_t all = 1000LL * layers[place] * config.micro_batch;
                chunk.held = chunk.forward_peak = config.recompute == Recompute::None ? all : all / 4;
                chunk.recomputed = config.recompute == Recompute::None ? 0 : all - all / 4;
            }
        }
        return chunks;
    };
    return request;
}

std::string english(const Sentence& words) {
    return say(words, Language::English);
}

const Candidate* find(const Advice& advice, const std::string& change) {
    for (const Candidate& candidate : advice.candidates)
        if (english(candidate.change) == change) return &candidate;
    return nullptr;
}

// All ways to give `blocks` to the stages from `stage` on.
template <class Visit>
void forEachSplit(std::vector<int>& split, std::size_t stage, int blocks, const Visit& visit) {
    if (stage + 1 == split.size()) {
        split[stage] = blocks;
        visit();
        return;
    }
    for (int own = 1; own + static_cast<int>(split.size() - stage) - 1 <= blocks; ++own) {
        split[stage] = own;
        forEachSplit(split, stage + 1, blocks - own, visit);
    }
}

}  // namespace

class TestAdvisor : public QObject {
    Q_OBJECT
private slots:
    void noSplitIsBetter() {
        std::mt19937 random(1);
        std::uniform_real_distribution<double> time(1, 10), slow(1, 2);
        for (int round = 0; round < 300; ++round) {
            const int stages = 1 + static_cast<int>(random() % 5),
                      blocks = stages + static_cast<int>(random() % 7);
            SplitRequest request{blocks, time(random), time(random), 3 * time(random), {}};
            for (int stage = 0; stage < stages; ++stage)
                request.slowness.push_back(random() % 3 == 0 ? slow(random) : 1);
            const auto costOf = [&](const std::vector<int>& split) {
                double longest = 0, squares = 0;
                for (int stage = 0; stage < stages; ++stage) {
                    const double own = request.time_ns(stage, split[static_cast<std::size_t>(stage)]);
                    longest = std::max(longest, own);
                    squares += own * own;
                }
                return std::pair(longest, squares);
            };
            std::pair<double, double> least(INFINITY, INFINITY);
            std::vector<int> split(static_cast<std::size_t>(stages));
            forEachSplit(split, 0, blocks, [&] { least = std::min(least, costOf(split)); });
            const auto found = costOf(bestSplit(request));
            QCOMPARE(found.first, least.first);
            QVERIFY(std::abs(found.second - least.second) <= 1e-9 * least.second);
        }
        QVERIFY(bestSplit({2, 1, 0, 0, {1, 1, 1}}).empty());
    }

    void layersOfStages() {
        const std::vector<StageCosts> stages{stageOf(25), stageOf(20), stageOf(30), stageOf(17)};
        const std::vector<int> blocks{2, 2, 3, 1};
        const LayerCosts layers = layerCosts(stages, blocks);
        QCOMPARE(layers.block.forward_ns, 10);
        QCOMPARE(layers.embedding.forward_ns, 5);
        QCOMPARE(layers.head.backward_ns, 14);
        QCOMPARE(layers.stage(3, true, true).forward_ns, 42);
        QCOMPARE(layerCosts(std::vector{stageOf(30), stageOf(25)}, std::vector{2, 1}).block.forward_ns, 15);
        QCOMPARE(layerCosts(std::vector{stageOf(30), stageOf(25)}, std::vector{2, 1}).head.forward_ns, 10);
        QCOMPARE(layerCosts(std::vector{stageOf(30)}, std::vector{3}).head.forward_ns, 0);
    }

    void predictionsAreThoseOfPredict() {
        AdviceRequest request = requestOf(2, 1.5);
        request.costs.link.latency_us = 50;
        request.memory_cap_bytes = 30'000;
        const Advice advice = advise(request);
        QCOMPARE(advice.now.iteration_ns,
                 summarize(predict(lower(request.schedule), request.costs), 0).iteration_ns);
        int compared = 0;
        double before = INFINITY;
        bool legal = true;
        for (const Candidate& candidate : advice.candidates) {
            const std::string change = english(candidate.change);
            if (!candidate.predicted) {
                QVERIFY2(!candidate.excluded.empty(), change.c_str());
                legal = false;
                continue;
            }
            QVERIFY2(legal, "what is not legal comes last");
            QVERIFY2(candidate.gain <= before, change.c_str());
            before = candidate.gain;
            const RunConfig& config = candidate.setting.config;
            QVERIFY2(problems(config).empty(), change.c_str());
            const Schedule schedule = makeSchedule(config.schedule, config.params);
            const Costs costs = costsOfSetting(request, candidate.setting, schedule);
            IterationSummary summary;
            if (schedule.step_every > 0) {
                const EndlessStream stream(schedule, config.params.m, config.recompute);
                summary = summarize(predict(stream, costs), stream.steadyIteration());
            } else {
                summary = summarize(predict(lower(schedule, config.recompute), costs), 0);
            }
            QCOMPARE(candidate.predicted->iteration_ns, summary.iteration_ns);
            QCOMPARE(candidate.predicted->bubble_of_total, summary.bubble_of_total);
            const double per_sample =
                static_cast<double>(summary.iteration_ns) / static_cast<double>(candidate.predicted->samples);
            QVERIFY(std::abs(candidate.gain -
                             (1 - per_sample * 32 / static_cast<double>(advice.now.iteration_ns))) < 1e-12);
            std::int64_t peak = 0;
            for (const RankSummary& rank : summary.ranks) peak = std::max(peak, rank.peak_activation_bytes);
            QCOMPARE(candidate.predicted->greatestPeak(), peak);
            QCOMPARE(!candidate.excluded.empty(), peak > 30'000);
            ++compared;
        }
        QVERIFY2(compared > 25, std::to_string(compared).c_str());
    }

    void whatIsMeantIsDone() {
        const AdviceRequest request = requestOf(2, 1.5);
        const Advice advice = advise(request);
        // The slow rank repaired is the run with equal ranks.
        const Candidate* repaired = find(advice, "rank 2 as fast as the others");
        QVERIFY(repaired != nullptr);
        QCOMPARE(repaired->predicted->iteration_ns,
                 predictSetting(requestOf(), {request.config}).iteration_ns);
        // m = 16 with half the samples a micro-batch: every operation takes half as long.
        const Candidate* fixed = find(advice, "m = 16 with micro-batches of 2, the same mini-batch");
        const Candidate* doubled = find(advice, "m = 16");
        QVERIFY(fixed != nullptr && doubled != nullptr);
        QCOMPARE(2 * fixed->predicted->iteration_ns, doubled->predicted->iteration_ns);
        QCOMPARE(fixed->predicted->samples, 32);
        QCOMPARE(doubled->predicted->samples, 64);
        QCOMPARE(fixed->gain, doubled->gain);
        // Recomputation: each backward takes a forward longer; less is held.
        const Candidate* full = find(advice, "recomputation: full");
        QVERIFY(full != nullptr && full->gain < 0);
        QVERIFY(full->predicted->greatestPeak() < advice.now.greatestPeak());
        // 2 3 1 2: rank 2 gets less, the head's rank no more.
        const Candidate* split = find(advice, "layers 2,3,1,2");
        QVERIFY(split != nullptr && split->gain > 0);
        const Costs costs = costsOfSetting(request, split->setting, request.schedule);
        QCOMPARE(costs.stages[1].forward_ns, 3e6);
        QCOMPARE(costs.stages[2].forward_ns, 1.5e6);
        QCOMPARE(costs.stages[3].backward_ns, 5e6);
        // Without a link nothing is gained by a faster one.
        QVERIFY(find(advice, "a link twice as fast") == nullptr);
        // The best two together are better than either.
        const auto pair = std::ranges::find_if(advice.candidates, [](const Candidate& candidate) {
            return english(candidate.change).find(" and ") != std::string::npos &&
                   english(candidate.change).find("rank 2 as fast as the others") != std::string::npos;
        });
        QVERIFY(pair != advice.candidates.end());
        QVERIFY(pair->gain > repaired->gain);
    }

    void theCapExcludes() {
        AdviceRequest request = requestOf();
        request.memory_cap_bytes = 33'000;  // rank 0 of 1F1B holds four micro-batches: 32 000
        const Advice advice = advise(request);
        QCOMPARE(advice.now.greatestPeak(), 32'000);
        const Candidate* gpipe = find(advice, "schedule gpipe");
        QVERIFY(gpipe != nullptr);
        QCOMPARE(gpipe->predicted->greatestPeak(), 64'000);
        QCOMPARE(english(gpipe->excluded),
                 std::string("a rank holds 0.1 MB of activations, the cap is 0.0 MB"));
        const Candidate* chunks = find(advice, "schedule zb-h1");
        QVERIFY(chunks != nullptr && chunks->excluded.empty());
    }

    // Of another program's run no model is known: stages are cut evenly, nothing is said of memory.
    void aRunWithoutAModel() {
        AdviceRequest request = requestOf();
        request.knows_model = false;
        request.activations = {};
        request.config.model = {};
        request.config.schedule = request.schedule.name = "imported";
        const Advice advice = advise(request);
        const Candidate* interleaved = find(advice, "schedule interleaved, v = 2");
        QVERIFY(interleaved != nullptr && interleaved->predicted);
        QVERIFY(interleaved->predicted->peak_bytes.empty());
        const Schedule schedule = makeSchedule("interleaved", {4, 2, 8, 0});
        const Costs costs = costsOfSetting(request, interleaved->setting, schedule);
        QCOMPARE(costs.stages[0].forward_ns, 1e6);
        QCOMPARE(costs.stages[7].forward_ns, 1.25e6);
        for (const Candidate& candidate : advice.candidates) {
            QVERIFY(candidate.kind != Candidate::Kind::Split);
            QVERIFY(candidate.kind != Candidate::Kind::MiniBatch);
        }
    }
};

QTEST_GUILESS_MAIN(TestAdvisor)
#include "tst_advisor.moc"
