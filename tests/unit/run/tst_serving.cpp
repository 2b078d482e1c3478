// Requests that are answered through a pipeline: their steps, the tokens that come of them, held against the
// network in double precision, and when these came.
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>

#include "config/serving_problems.h"
#include "gpt_reference.h"
#include "kernels/cpu/cpu_device.h"
#include "model/model_file.h"
#include "plan/plan_memory.h"
#include "reference_model.h"
#include "registered_test.h"
#include "report/serving_report.h"
#include "run/serving_run.h"
#include "run_fixture.h"
#include "timeline/predict.h"

namespace tst_serving {

using namespace bscope;
using Tokens = std::vector<std::int32_t>;

namespace {

RunConfig servingConfig(int p, int t = 1) {
    RunConfig config = tinyConfig("1f1b", p, 1);
    config.model = {4, 32, 4, 24, 256};
    config.params.t = t;
    config.matrix_library = MatrixLibrary::Loops;
    return config;
}

Serving unequal(int groups = 2, int places = 2, bool is_static = false, int budget = 0) {
    Serving serving;
    serving.requests = {{5, 4}, {3, 7}, {8, 1}, {1, 6}, {4, 4}, {6, 2}};
    serving.groups = groups;
    serving.places = places;
    serving.batching = is_static ? Batching::Static : Batching::Continuous;
    serving.token_budget = budget;
    return serving;
}

std::vector<Tokens> promptsOf(const Serving& serving) {
    std::vector<Tokens> prompts;
    int next = 1;
    for (const Request& request : serving.requests)
        for (Tokens& prompt = prompts.emplace_back(); static_cast<int>(prompt.size()) < request.prompt;)
            prompt.push_back((next = next * 73 % 257) % 256);
    return prompts;
}

struct Served {
    std::vector<Tokens> answers;
    ServingReport report;
    IterationReport iteration;
    std::vector<std::int64_t> peak_bytes;
};

// The weights are in a file, since a run has its model for itself.
Served serve(const RunConfig& config, const Serving& serving) {
    const QTemporaryDir folder;
    const std::string file = folder.filePath("weights.safetensors").toStdString();
    {
        const auto device = makeCpuDevice();
        Model model(*device, modelShape(config.model), config.seed);
        disturb(model);
        saveModel(file, model, ModelContent::Weights);
    }
    ServingRun run(config, serving, promptsOf(serving), file);
    run.iterate();
    Served served{run.answers(), {}, run.iterate(), {}};
    if (run.answers() != served.answers) return {};
    served.report = run.report();
    for (const RankReport& rank : served.iteration.ranks)
        served.peak_bytes.push_back(rank.peak_activation_bytes);
    return served;
}

// Greedy, by the whole network on everything so far, in double precision.
std::vector<Tokens> expectedAnswers(const RunConfig& config, const Serving& serving) {
    const auto device = makeCpuDevice();
    Model model(*device, modelShape(config.model), config.seed);
    disturb(model);
    const reference::Weights weights = weightsOf(model);
    const ModelShape& shape = model.shape();
    std::vector<Tokens> answers;
    std::vector<Tokens> texts = promptsOf(serving);
    for (std::size_t i = 0; i < texts.size(); ++i) {
        Tokens& answer = answers.emplace_back();
        while (static_cast<int>(answer.size()) < serving.requests[i].output) {
            const reference::Values logits =
                reference::gptLogits(weights, shape.L, shape.heads, 1, texts[i].size(), texts[i]);
            const auto last = logits.end() - static_cast<std::ptrdiff_t>(shape.V);
            answer.push_back(static_cast<std::int32_t>(std::max_element(last, logits.end()) - last));
            texts[i].push_back(answer.back());
        }
    }
    return answers;
}

}  // namespace

class TestServing : public QObject {
    Q_OBJECT

private slots:
    // Every token of every request once and in order, one token comes of each but those of the middle of a
    // prompt, and a group goes on from its own step before.
    void stepsCoverAllRequests_data() {
        QTest::addColumn<int>("groups");
        QTest::addColumn<int>("places");
        QTest::addColumn<bool>("is_static");
        QTest::addColumn<int>("budget");
        for (const int groups : {1, 2, 4, 9})
            for (const int places : {1, 2, 6})
                for (const bool is_static : {false, true})
                    for (const int budget : {0, 6})
                        QTest::addRow("G=%d places=%d %s budget=%d", groups, places,
                                      is_static ? "static" : "continuous", budget)
                            << groups << places << is_static << budget;
    }
    void stepsCoverAllRequests() {
        QFETCH(int, groups);
        QFETCH(int, places);
        QFETCH(bool, is_static);
        QFETCH(int, budget);
        const Serving serving = unequal(groups, places, is_static, budget);
        const std::vector<ServingStep> steps = servingSteps(serving);
        std::vector<int> done(serving.requests.size(), 0), emitted(done), group_of(done.size(), -1);
        std::map<int, int> last;                // by group
        std::map<int, std::set<int>> at_work;   // by group
        std::map<int, std::set<int>> admitted;  // static: those of a batch
        for (std::size_t number = 0; number < steps.size(); ++number) {
            const ServingStep& step = steps[number];
            QCOMPARE(step.previous, last.contains(step.group) ? last[step.group] : -1);
            last[step.group] = static_cast<int>(number);
            QVERIFY(!step.parts.empty());
            QVERIFY(budget == 0 || step.tokens() <= budget);
            for (const ServedTokens& part : step.parts) {
                const auto index = static_cast<std::size_t>(part.request);
                const Request& request = serving.requests[index];
                if (part.first == 0) {
                    const bool was_idle = at_work[step.group].empty();
                    if (was_idle) admitted[step.group].clear();
                    if (is_static)
                        QVERIFY(was_idle || admitted[step.group].contains(part.request) ||
                                std::ranges::all_of(at_work[step.group], [&](int other) {
                                    return done[static_cast<std::size_t>(other)] == 0 ||
                                           admitted[step.group].contains(other);
                                }));
                    group_of[index] = step.group;
                }
                at_work[step.group].insert(part.request);
                admitted[step.group].insert(part.request);
                QCOMPARE(group_of[index], step.group);
                QCOMPARE(part.first, done[index]);
                QVERIFY(part.first < request.prompt ? part.first + part.count <= request.prompt
                                                    : part.count == 1);
                done[index] += part.count;
                QCOMPARE(part.emits, done[index] >= request.prompt);
                emitted[index] += part.emits;
            }
            QVERIFY(static_cast<int>(at_work[step.group].size()) <= places);
            std::erase_if(at_work[step.group], [&](int request) {
                const auto index = static_cast<std::size_t>(request);
                return done[index] == serving.requests[index].kept();
            });
        }
        for (std::size_t i = 0; i < done.size(); ++i) {
            QCOMPARE(done[i], serving.requests[i].kept());
            QCOMPARE(emitted[i], serving.requests[i].output);
        }
    }

    // Of two requests in one place each: static takes the waiting one later.
    void continuousBatchingFillsPlacesThatBecomeFree() {
        Serving serving;
        serving.requests = {{2, 1}, {2, 5}, {2, 1}};
        serving.places = 2;
        const auto firstStepOf = [&](Batching batching) {
            serving.batching = batching;
            const std::vector<ServingStep> steps = servingSteps(serving);
            return std::ranges::find_if(steps,
                                        [](const ServingStep& step) {
                                            return std::ranges::any_of(
                                                step.parts,
                                                [](const ServedTokens& part) { return part.request == 2; });
                                        }) -
                   steps.begin();
        };
        QCOMPARE(firstStepOf(Batching::Continuous), 1);
        QCOMPARE(firstStepOf(Batching::Static), 5);
    }

    // Whatever the pipeline, the shards and the steps, the tokens are those of the network as a whole.
    void tokensAreThoseOfTheWholeNetwork_data() {
        QTest::addColumn<int>("p");
        QTest::addColumn<int>("t");
        QTest::addColumn<int>("groups");
        QTest::addColumn<int>("places");
        QTest::addColumn<bool>("is_static");
        QTest::addColumn<int>("budget");
        QTest::newRow("one rank, one request at a time") << 1 << 1 << 1 << 1 << false << 0;
        QTest::newRow("one rank, two groups") << 1 << 1 << 2 << 3 << false << 0;
        QTest::newRow("p=2") << 2 << 1 << 2 << 2 << false << 0;
        QTest::newRow("p=2, static") << 2 << 1 << 2 << 2 << true << 0;
        QTest::newRow("p=2, prompts in pieces") << 2 << 1 << 2 << 2 << false << 3;
        QTest::newRow("p=3, one group") << 3 << 1 << 1 << 6 << false << 0;
        QTest::newRow("p=4, more groups than stages") << 4 << 1 << 6 << 1 << false << 0;
        QTest::newRow("p=2, t=2") << 2 << 2 << 2 << 2 << false << 4;
        QTest::newRow("t=4") << 1 << 4 << 1 << 2 << true << 0;
    }
    void tokensAreThoseOfTheWholeNetwork() {
        QFETCH(int, p);
        QFETCH(int, t);
        QFETCH(int, groups);
        QFETCH(int, places);
        QFETCH(bool, is_static);
        QFETCH(int, budget);
        const Serving serving = unequal(groups, places, is_static, budget);
        const RunConfig config = servingConfig(p, t);
        QCOMPARE(servingProblems(config, serving).size(), std::size_t{0});
        const std::vector<Tokens> answers = serve(config, serving).answers;
        QCOMPARE(answers, expectedAnswers(config, serving));
        QVERIFY(std::set<std::int32_t>(answers[1].begin(), answers[1].end()).size() > 2);
    }

    // Keys and values with what a step takes for itself, to the byte.
    void memoryIsAsPredicted_data() {
        QTest::addColumn<int>("p");
        QTest::addColumn<int>("t");
        QTest::addColumn<int>("budget");
        QTest::newRow("one rank") << 1 << 1 << 0;
        QTest::newRow("p=2") << 2 << 1 << 3;
        QTest::newRow("p=4") << 4 << 1 << 0;
        QTest::newRow("p=2, t=2") << 2 << 2 << 0;
    }
    void memoryIsAsPredicted() {
        QFETCH(int, p);
        QFETCH(int, t);
        QFETCH(int, budget);
        Serving serving = unequal();
        serving.token_budget = budget;
        const RunConfig config = servingConfig(p, t);
        QCOMPARE(serve(config, serving).peak_bytes, predictedPeakBytes(makeServingPlan(config, serving)));
    }

    // Of two groups with two places each: requests 0 and 2, 1 and 3; 2 is done with its prompt, and while 4
    // has its place most is kept.
    void mostIsKeptWhereMostAreAtWork() {
        QCOMPARE(std::ranges::max(keptTokens(unequal(), servingSteps(unequal()))), 8 + 7 + 9 + 6);
    }

    // Requests are dealt out, so that no group is without one while another has two.
    void requestsAreDealtOut() {
        Serving serving;
        serving.requests.assign(5, {2, 3});
        serving.groups = 4;
        serving.places = 2;
        std::map<int, std::set<int>> of_groups;
        for (const ServingStep& step : servingSteps(serving))
            for (const ServedTokens& part : step.parts) of_groups[step.group].insert(part.request);
        QCOMPARE(of_groups, (std::map<int, std::set<int>>{{0, {0, 4}}, {1, {1}}, {2, {2}}, {3, {3}}}));
    }

    // A group of many and one of one: the large one's own way through the stages decides.
    void unequalGroupsHaveTheFormulaOfTheLargest() {
        Serving serving;
        serving.groups = 2;
        serving.places = 2;
        serving.requests.assign(3, {4, 20});
        const Plan plan = makeServingPlan(servingConfig(2), serving);
        Timeline timeline(2, Provenance::Predicted);
        // Group 0 takes 30 ns on a stage, group 1 takes 10: a turn is 60, and not 40.
        std::vector<std::int64_t> done(plan.serving->steps.size());
        std::array<std::int64_t, 2> free{0, 0};
        for (std::size_t step = 0; step < plan.serving->steps.size(); ++step) {
            const ServingStep& each = plan.serving->steps[step];
            std::int64_t ready = each.previous < 0 ? 0 : done[static_cast<std::size_t>(each.previous)];
            for (std::size_t stage = 0; stage < 2; ++stage) {
                Event event;
                event.start_ns = std::max(ready, free[stage]);
                event.end_ns = ready = free[stage] = event.start_ns + (each.group == 0 ? 30 : 10);
                event.setAction({static_cast<int>(stage), Op::Forward, static_cast<int>(step)});
                event.rank = static_cast<std::int16_t>(stage);
                timeline.append(event);
            }
            done[step] = ready;
        }
        const ServingReport report =
            servingReport(serving, plan.serving->steps, plan.program.schedule, timeline);
        QVERIFY(report.steady.has_value());
        QCOMPARE(report.steady->formula_tokens_per_s, 1e9 * 3 / 60);
        QVERIFY(report.steady->tokens_per_s <= 1.05 * report.steady->formula_tokens_per_s);
        QVERIFY(report.steady->tokens_per_s >= 0.95 * report.steady->formula_tokens_per_s);
    }

    // Sums of steps of other sizes: the last shard's slice of a smaller one may be longer.
    void shardsAddUpStepsOfAnySize() {
        Serving serving;
        serving.requests = {{9, 3}};
        serving.token_budget = 5;
        RunConfig config = servingConfig(1, 4);
        QCOMPARE(serve(config, serving).answers, expectedAnswers(config, serving));
        serving.requests = {{20, 4}, {11, 2}};
        serving.token_budget = 3;
        QCOMPARE(serve(config, serving).answers, expectedAnswers(config, serving));
    }

    // Equal stages, as predicted: with as many groups as stages or more each stage is always busy, with fewer
    // a group waits for its own tokens.
    void decodeHasTheThroughputOfTheClosedForm_data() {
        QTest::addColumn<int>("groups");
        QTest::addColumn<double>("tokens_per_s");
        QTest::newRow("one group") << 1 << 3.0 / 4;
        QTest::newRow("two groups") << 2 << 2 * 3.0 / 4;
        QTest::newRow("as many as stages") << 4 << 3.0;
        QTest::newRow("twice as many") << 8 << 3.0;
    }
    void decodeHasTheThroughputOfTheClosedForm() {
        QFETCH(int, groups);
        QFETCH(double, tokens_per_s);
        Serving serving;
        serving.groups = groups;
        serving.places = 3;
        serving.requests.assign(static_cast<std::size_t>(3 * groups), {4, 12});
        const Plan plan = makeServingPlan(servingConfig(4), serving);
        Costs costs = unitCosts(plan.stages(), 1, 1, 1, 0);  // a step takes a second on a stage
        const Timeline timeline = predict(plan.program, costs);
        const ServingReport report =
            servingReport(serving, plan.serving->steps, plan.program.schedule, timeline);
        QVERIFY(report.steady.has_value());
        QCOMPARE(report.steady->tokens_per_s, tokens_per_s);
        QCOMPARE(report.steady->formula_tokens_per_s, tokens_per_s);
        // The first tokens of group g come when its first step has passed all stages.
        for (int group = 0; group < groups; ++group) {
            const AnswerTimes& answer = report.answers[static_cast<std::size_t>(group)];
            QCOMPARE(answer.first_ns, (4 + group) * std::int64_t{1'000'000'000});
            QCOMPARE(answer.tokens, 12);
            QCOMPARE(*answer.perToken_ns(), 1e9 * std::max(4, groups));
        }
        QCOMPARE(report.output_tokens, std::int64_t{3 * groups * 12});
        QCOMPARE(report.prompt_tokens, std::int64_t{3 * groups * 4});
    }

    // What decides is the slowest stage, and p ranks are not p times as quick as one: 6.65 of 8 here.
    void anUnequalSplitCostsThroughput() {
        Serving serving;
        serving.groups = 8;
        serving.requests.assign(8, {4, 12});
        RunConfig config = servingConfig(8);
        config.model.layers = 8;
        const Plan plan = makeServingPlan(config, serving);
        Costs costs = unitCosts(plan.stages(), 1, 1, 1, 0);
        double all_ms = 0;
        for (std::size_t stage = 0; stage < 8; ++stage) {
            const double ms = stage == 0 ? 3.153 : stage == 7 ? 3.901 : 3.150;
            costs.stages[stage].forward_ns = 1e6 * ms;
            all_ms += ms;
        }
        const ServingReport report =
            servingReport(serving, plan.serving->steps, plan.program.schedule, predict(plan.program, costs));
        QVERIFY(report.steady.has_value());
        const double times_one_rank = report.steady->tokens_per_s * all_ms / 1e3;
        QVERIFY2(std::abs(times_one_rank - 6.653) < 0.001, qPrintable(QString::number(times_one_rank)));
    }

    void everyProblemIsNamed() {
        RunConfig config = servingConfig(2);
        config.params.v = 2;
        config.params.d = 2;
        config.recompute = Recompute::Full;
        config.durations = Durations::Calibrated;
        Serving serving = unequal();
        serving.groups = 0;
        serving.token_budget = 1;
        serving.requests[3].output = 40;
        std::vector<std::string> fields;
        for (const Problem& problem : servingProblems(config, serving)) fields.push_back(problem.field);
        QCOMPARE(fields, (std::vector<std::string>{"groups", "token_budget", "sequence", "v", "d",
                                                   "recompute", "durations"}));
        // More steps than memory has room for are not made to be counted.
        serving.requests.assign(kMaxRequests, {1, 20});
        serving.groups = serving.places = 1;
        serving.token_budget = 0;
        config = servingConfig(2);
        QCOMPARE(servingProblems(config, serving).front().text(),
                 std::string("the requests take more than 65536 steps: fewer or shorter requests, or more "
                             "places"));
        config.model.sequence = 1 << 20;
        serving.requests.assign(kMaxRequests, {1 << 20, 1});
        QCOMPARE(
            servingProblems(config, serving).front().text(),
            std::string("the requests have 4294967296 tokens in all, at most 16777216 can be served: fewer "
                        "or shorter requests"));
        serving.requests.clear();
        QCOMPARE(servingProblems(servingConfig(2), serving).front().field, std::string("requests"));
    }
};

BUBBLESCOPE_TEST(TestServing)

}  // namespace tst_serving

#include "tst_serving.moc"
