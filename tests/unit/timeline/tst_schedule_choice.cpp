// Which schedule when: the questions are answered from the run, in their order, and the answer changes with
// what they ask about.
#include <QTest>

#include "advice/schedule_choice.h"
#include "catalog/catalog.h"
#include "registered_test.h"
#include "words/catalog.h"

namespace tst_schedule_choice {

using namespace bscope;

namespace {

AdviceRequest requestOf(const std::string& schedule, int p, int m) {
    AdviceRequest request;
    request.known.config.schedule = schedule;
    request.known.config.params.p = p;
    request.known.config.params.m = m;
    request.known.order =
        std::make_shared<const Schedule>(makeSchedule(schedule, request.known.config.params));
    request.known.costs = unitCosts(request.schedule().stageCount(), 1, 1, 1, 0);
    return request;
}

std::string adviceOf(const AdviceRequest& request) {
    const std::vector<ChoiceStep> steps = scheduleChoice(request, {});
    return say(steps[chosenStep(steps)].advice, Language::English);
}

}  // namespace

class TestScheduleChoice : public QObject {
    Q_OBJECT

private slots:
    void everyBranchIsTaken() {
        const auto begins = [](const AdviceRequest& request, const char* with) {
            const std::string advice = adviceOf(request);
            QVERIFY2(advice.starts_with(with), advice.c_str());
        };
        begins(requestOf("forward-only", 4, 8), "forward-only");
        begins(requestOf("forward-only", 4, 1), "no pipeline");
        begins(requestOf("1f1b", 4, 15), "as much as 1F1B");
        begins(requestOf("1f1b", 4, 16), "1F1B is enough");
        AdviceRequest uneven = requestOf("1f1b", 4, 16);
        uneven.known.costs.stages[2].forward_ns *= 2;
        begins(uneven, "balance first");
        AdviceRequest slow_link = requestOf("1f1b", 4, 16);
        slow_link.known.costs.link.latency_us = 0.25e9 / 1e3;
        begins(slow_link, "not interleaved");
        slow_link.known.costs.link.latency_us = 0.24e9 / 1e3;
        begins(slow_link, "1F1B is enough");
        AdviceRequest recomputing = requestOf("1f1b", 4, 8);
        recomputing.known.config.recompute = Recompute::Full;
        begins(recomputing, "Interleaved 1F1B");
    }

    // Of another program's run messages cost nothing in predictions: no share of a forward is made up.
    void whatIsNotKnownIsNotAnswered() {
        AdviceRequest foreign = requestOf("1f1b", 4, 8);
        foreign.knows_model = false;
        foreign.most_in_flight = 3;
        Prediction now;
        now.most_in_flight = 4;
        const std::vector<ChoiceStep> steps = scheduleChoice(foreign, now);
        const auto link = std::ranges::find(steps, "Is the link slow?",
                                            [](const ChoiceStep& step) { return step.question.id; });
        QCOMPARE(say(link->found, Language::English),
                 std::string("Messages cost nothing in these predictions"));
        QVERIFY(link->answer == ChoiceStep::Answer::No);
        const auto recomputing = [](const AdviceRequest& request) {
            const std::vector<ChoiceStep> all = scheduleChoice(request, {});
            return *std::ranges::find(all, "Is recomputation on?",
                                      [](const ChoiceStep& step) { return step.question.id; });
        };
        QVERIFY(recomputing(foreign).answer == ChoiceStep::Answer::Unknown);
        QVERIFY(recomputing(foreign).found.id.empty());
        QVERIFY(recomputing(requestOf("1f1b", 4, 8)).answer == ChoiceStep::Answer::No);
        AdviceRequest named = foreign;
        named.known.config.recompute = Recompute::Full;
        QVERIFY(recomputing(named).answer == ChoiceStep::Answer::Yes);
        QCOMPARE(say(steps.back().found, Language::English),
                 std::string("4.00 micro-batches in flight now, 3.00 at most"));
    }

    // Chunks are parts of a rank's forward.
    void linkIsComparedWithTheWholeRank() {
        AdviceRequest request = requestOf("1f1b", 4, 8);
        request.known.config.params.v = 2;
        request.known.order =
            std::make_shared<const Schedule>(makeSchedule("interleaved", request.known.config.params));
        request.known.costs = unitCosts(8, 0.5, 0.5, 0.5, 0.24);
        QVERIFY(adviceOf(request).starts_with("as much as 1F1B"));
    }

    // Every sentence of the popular tree is held against predictions, with the numbers of these.
    void popularClaimsAreHeldAgainstPredictions() {
        AdviceRequest request = requestOf("1f1b", 4, 8);
        request.knows_model = false;
        const Advice advice = advise(request);
        const std::vector<PopularClaim> claims = popularClaims(request, advice);
        QCOMPARE(claims.size(), std::size_t{3});
        QStringList found;
        for (const PopularClaim& each : claims) {
            found << QString::fromStdString(say(each.found, Language::English));
            QVERIFY2(chineseWords().contains(each.claim.id) && chineseWords().contains(each.found.id),
                     each.found.id.c_str());
        }
        const auto predicted = [&](const char* schedule) {
            const auto at = std::ranges::find_if(advice.candidates, [&](const Candidate& each) {
                return each.kind == Candidate::Kind::Schedule && each.setting.config.schedule == schedule;
            });
            return *at->predicted;
        };
        QCOMPARE(predicted("gpipe").iteration_ns, advice.now.iteration_ns);
        QVERIFY(!claims[0].holds);
        QVERIFY2(found[0].contains("8.00 in flight") && found[0].contains("4.00 in flight"),
                 qPrintable(found[0]));
        QVERIFY(!claims[1].holds);  // half as much, and quicker
        QVERIFY2(found[1].startsWith("1F1B holds 4.00 in flight; V-Half holds "), qPrintable(found[1]));
        QVERIFY(!claims[2].holds);  // a split backward is quicker
        QVERIFY2(found[2].startsWith(
                     QString("Interleaved 1F1B %1 ms")
                         .arg(static_cast<double>(predicted("interleaved").iteration_ns) / 1e6, 0, 'f', 1)),
                 qPrintable(found[2]));
        // It is the predictions that decide.
        Advice other = advice;
        for (Candidate& each : other.candidates) {
            const bool is_gpipe = each.setting.config.schedule == "gpipe";
            if (each.predicted)
                each.predicted->iteration_ns = (is_gpipe ? 9 : 11) * advice.now.iteration_ns / 10;
        }
        const std::vector<PopularClaim> others = popularClaims(request, other);
        QVERIFY(others[0].holds);
        QVERIFY(others[1].holds);  // what holds less is slower
        QVERIFY(!others[2].holds);
        const AdviceRequest inference = requestOf("forward-only", 4, 8);
        QVERIFY(popularClaims(inference, advise(inference)).empty());
    }

    void theSpanLeavesOutTheFill() {
        AdviceRequest request = requestOf("zb-h2", 4, 16);
        const Prediction now = predictSetting(request, {request.config()});
        QVERIFY(now.bubble_of_total > 0.05);
        QVERIFY(now.bubble_of_span && std::abs(*now.bubble_of_span) < 1e-9);
        AdviceRequest stream = requestOf("pipedream-2bw", 4, 8);
        QVERIFY(!predictSetting(stream, {stream.config()}).bubble_of_span);
        AdviceRequest plain = requestOf("1f1b", 4, 8);
        const Prediction flush = predictSetting(plain, {plain.config()});
        QVERIFY(std::abs(*flush.bubble_of_span - flush.bubble_of_total) < 1e-9);
    }

    // What was asked for is left out, with the reason, and stands in the sentence about the rest.
    void theVerdictNamesItsConditions() {
        AdviceRequest request = requestOf("1f1b", 4, 8);
        request.knows_model = false;
        const auto verdict = [&] { return say(choiceVerdict(request, advise(request)), Language::English); };
        const std::string free = verdict();
        QVERIFY2(free.starts_with("With no more copies or versions of the weights than now: "), free.c_str());
        request.one_copy = request.flush = true;
        request.most_in_flight = 4;
        const Advice advice = advise(request);
        int out = 0;
        const Candidate* best = nullptr;
        for (const Candidate& each : advice.candidates) {
            if (!changesScheduleAlone(each, request.config()) || !each.predicted) continue;
            const bool is_in = each.predicted->weight_copies == 1 && each.predicted->flushes &&
                               each.predicted->most_in_flight <= 4;
            QCOMPARE(each.excluded.empty(), is_in);
            out += is_in ? 0 : 1;
            if (is_in && best == nullptr) best = &each;  // they are in their order
        }
        QVERIFY(out > 4 && best != nullptr);
        const std::string limited = verdict();
        const std::string begins =
            "With at most 4 micro-batches in flight per rank, a flush, one copy of the weights: " +
            std::string(findSchedule(best->setting.config.schedule)->title);
        QVERIFY2(limited.starts_with(begins), limited.c_str());
        // The two nearest are equally long there.
        QVERIFY2(limited.find(" is no different (within 0.1 %).") != std::string::npos, limited.c_str());
        request.most_in_flight = 0.1;
        QVERIFY(verdict().find("nothing is predicted to be quicker than 1F1B") != std::string::npos);
    }

    // In the unit of the table beside it: how many samples another program's micro-batch has is not known.
    void theVerdictComparesWhatTheRunCounts() {
        AdviceRequest request = requestOf("1f1b", 4, 8);
        for (const bool knows_model : {true, false}) {
            request.knows_model = knows_model;
            const Sentence verdict = choiceVerdict(request, advise(request));
            for (const auto& [language, sample, micro_batch] :
                 {std::tuple(Language::English, "less time per sample", "less time per micro-batch"),
                  std::tuple(Language::Chinese, "每个样本的时间", "每个微批次的时间")}) {
                const std::string words = say(verdict, language);
                QCOMPARE((words.find(sample) != std::string::npos), knows_model);
                QCOMPARE((words.find(micro_batch) != std::string::npos), !knows_model);
            }
        }
    }

    void everythingIsSaidInChinese() {
        AdviceRequest request = requestOf("1f1b", 4, 8);
        request.memory_cap_bytes = 1e6;
        Prediction now;
        now.peak_bytes = {2'000'000};
        const std::vector<ChoiceStep> steps = scheduleChoice(request, now);
        QCOMPARE(steps.size(), std::size_t{9});
        for (const ChoiceStep& step : steps) {
            QVERIFY(chineseWords().contains(step.question.id) && chineseWords().contains(step.advice.id));
            QCOMPARE(step.found.empty(), step.answer == ChoiceStep::Answer::Unknown);
        }
        QCOMPARE(say(steps.back().found, Language::English), std::string("2.0 MB now, 1.0 MB at most"));
    }
};

BUBBLESCOPE_TEST(TestScheduleChoice)

}  // namespace tst_schedule_choice

#include "tst_schedule_choice.moc"
