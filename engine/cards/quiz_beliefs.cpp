#include "cards/quiz_beliefs.h"

#include "cards/quiz_options.h"
#include "cards/quiz_values.h"
#include "catalog/catalog.h"
#include "catalog/endless_stream.h"
#include "schedule/weight_versions.h"
#include "words/number_text.h"

namespace bscope::quiz {

namespace {

std::string percent(double value) {
    return textOf(value, Unit::Percent);
}

// That rank r holds in the steady state.
int versionsOf(const QuizSetting& setting, int rank) {
    const Schedule schedule = scheduleOf(setting);
    if (schedule.step_every == 0) return 1;
    const EndlessStream stream(schedule, setting.m, Recompute::None);
    return versionsHeld(bscope::weightVersions(stream.piece(), rank));
}

}  // namespace

std::optional<QuizQuestion> sameBubble(Draw& draw) {
    const int p = draw.of({4, 8}), m = draw.from(p + 1, 4 * p);
    QuizQuestion question = questionOf(QuizQuestion::Kind::SameBubble, "1f1b", p, 1, m);
    const QuizSetting setting = settingOf(question), gpipe = withSchedule(setting, "gpipe");
    const IterationSummary early = played(setting).summary, late = played(gpipe).summary;
    const double of_gpipe = 100 * late.bubble_of_total, of_1f1b = 100 * early.bubble_of_total;
    const int held_gpipe = late.ranks[0].peak_in_flight, held = early.ranks[0].peak_in_flight;
    const auto said = [&](double idle, int holds) {
        return sentence("GPipe {0}, {1} held; 1F1B {2}, {3} held", percent(of_gpipe), held_gpipe,
                        percent(idle), holds);
    };
    question.text = sentence(
        "GPipe and 1F1B with p = {0}, m = {1}, equal stages and a free link: which share of the total time "
        "is idle, and how many micro-batches does rank 0 hold at most?",
        p, m);
    question.because = sentence(
        "Both take (m + p − 1)(F + B), and (p − 1)/(m + p − 1) = {0}/{1} = {2} is idle; starting the "
        "backwards earlier only lets rank 0 hold min(m, p) = {3} instead of m = {4}.",
        p - 1, m + p - 1, percent(of_1f1b), held, held_gpipe);
    return withTexts(
        std::move(question), draw,
        {{said(of_1f1b, held), 0, {}, {}, setting},
         {said(100.0 * (p - 1) / (2 * m + p - 1), held), 1,
          sentence("2m + p − 1 steps: the drain is forgotten"), "M1"},
         {said(of_gpipe / 4, held), 2, sentence("assuming that another order shortens fill and drain"), "M1"},
         {said(of_1f1b, held_gpipe), 3, sentence("as if 1F1B kept all of them, like GPipe"), "M16", gpipe}});
}

std::optional<QuizQuestion> memoryOfM(Draw& draw) {
    const int p = draw.of({4, 8}), few = draw.from(3, 2 * p), more = few * draw.of({2, 4});
    QuizQuestion question = questionOf(QuizQuestion::Kind::MemoryOfM, "1f1b", p, 1, more, 0);
    const QuizSetting setting = settingOf(question);
    const auto held = [&](int m) { return played(*withM(setting, m)).summary.ranks[0].peak_in_flight; };
    const double right = 1.0 * held(more) / held(few), grows = 1.0 * more / few;
    question.text = sentence(
        "1F1B, p = {0}: m grows from {1} to {2} micro-batches of the same size. How many times as much do "
        "the activations of rank 0 take at their peak?",
        p, few, more);
    question.because = sentence("min(m, p) = {0} micro-batches before and {1} after.", held(few), held(more));
    return withOptions(
        std::move(question), draw, setting, right, Unit::Times,
        {{grows, sentence("all of them: that is GPipe"), "M16", withSchedule(setting, "gpipe")},
         {1.0 * (more + p - 1) / (few + p - 1), sentence("as the iteration gets longer"), "M16"},
         {1 + (grows - 1) / 2, sentence("half of what is added: every backward frees one"), "M16"}});
}

std::optional<QuizQuestion> weightVersions(Draw& draw) {
    const char* const name = draw.of({"1f1b", "pipedream", "pipedream-2bw"});
    const int p = draw.of({4, 6, 8}), rank = draw.from(1, p - 3), m = 4 * p;
    QuizQuestion question = questionOf(QuizQuestion::Kind::WeightVersions, name, p, 1, m, rank);
    const QuizSetting setting = settingOf(question);
    const int right = versionsOf(setting, rank);
    question.text = sentence("{0}, p = {1}: how many versions of its weights does rank {2} hold?",
                             titleOfSchedule(question), p, rank);
    question.because = sentence(
        "With a flush there is one; PipeDream never flushes and keeps p − r = {0}, one for every "
        "micro-batch in flight; PipeDream-2BW keeps two.",
        p - rank);
    const auto of = [&](const char* other) { return withSchedule(setting, other); };
    std::vector<Mistake> mistakes{{1.0 * p,
                                   question.schedule == "pipedream"
                                       ? sentence("every rank like the first one")
                                       : sentence("p: that is rank 0 of PipeDream, which never flushes"),
                                   question.schedule == "pipedream" ? "M13" : "M17"}};
    const struct {
        const char* schedule;
        Sentence name;
    } others[] = {{"1f1b", sentence("that is a schedule with a flush")},
                  {"pipedream", sentence("that is PipeDream, which never flushes")},
                  {"pipedream-2bw", sentence("that is PipeDream-2BW")}};
    for (const auto& other : others)
        mistakes.push_back(
            {1.0 * versionsOf(of(other.schedule), rank), other.name, "M17", of(other.schedule)});
    return withOptions(std::move(question), draw, setting, right, Unit::Count, std::move(mistakes));
}

std::optional<QuizQuestion> inference(Draw& draw) {
    const int p = draw.of({2, 4, 8}), m = draw.from(p, 4 * p);
    QuizQuestion question = questionOf(QuizQuestion::Kind::Inference, "forward-only", p, 1, m);
    const QuizSetting setting = settingOf(question);
    const IterationSummary summary = played(setting).summary;
    const double right = 100 * summary.bubble_of_total, of_ideal = 100 * summary.bubble_of_ideal;
    question.text = sentence(
        "p = {0}, m = {1}, equal stages, a free link; forward passes alone, as in inference. Which share of "
        "the total time is idle?",
        p, m);
    question.because = sentence(
        "Filling and draining take p − 1 of m + p − 1 forward times: {0}/{1} = {2}. Backward passes would "
        "add work and gaps in the same proportion.",
        p - 1, m + p - 1, percent(right));
    return withOptions(
        std::move(question), draw, setting, right, Unit::Percent,
        {{of_ideal, sentence("(p − 1)/m is the share of the ideal time, and training has the same"), "M18"},
         {right / 2, sentence("half of the operations, so half of the bubble"), "M18"},
         {0, sentence("as if no rank had to wait when nothing flows back"), "M18"},
         {100.0 * (p - 1) / p, sentence("one micro-batch: m is forgotten"), "M7", withM(setting, 1)}});
}

std::optional<QuizQuestion> tensorMessages(Draw& draw) {
    const int p = draw.of({2, 4, 8}), layers = p * draw.of({3, 4, 8});
    QuizQuestion question = questionOf(QuizQuestion::Kind::TensorMessages, "1f1b", p, 1, 2 * p);
    const QuizSetting setting = settingOf(question);
    const int messages = played(setting).messages_of_microbatch;
    const auto said = [](int of_pipeline, int of_tensor) {
        return sentence("{0} messages; {1} all-reduces", of_pipeline, of_tensor);
    };
    question.text = sentence(
        "{0} layers on {1} devices, as a pipeline of {1} stages, or by tensor parallelism: "
        "how often does a micro-batch communicate in a training step?",
        layers, p);
    question.because = sentence(
        "Pipeline: 2(p − 1) = {0}, there and back over each border. Tensor: attention and MLP of every "
        "layer need one all-reduce forward and one backward, four a layer: {1}.",
        messages, 4 * layers);
    return withTexts(std::move(question), draw,
                     {{said(messages, 4 * layers), 0, {}, {}, setting},
                      {said(messages, 2 * layers), 1, sentence("the backward is forgotten"), "M19"},
                      {said(messages, 4 * p), 2, sentence("counted by devices and not by layers"), "M19"},
                      {said(2 * (layers - 1), 4 * layers), 3,
                       sentence("a message after every layer, not only between stages"), "M19"}});
}

std::optional<QuizQuestion> factor(Draw& draw) {
    const int p = draw.of({4, 8}), m = draw.from(p, 3 * p);
    QuizQuestion question = questionOf(QuizQuestion::Kind::Factor, "1f1b", p, 1, m);
    const QuizSetting setting = settingOf(question);
    const IterationSummary summary = played(setting).summary;
    const double times = 1 + summary.bubble_of_ideal, right = 100 * summary.bubble_of_total;
    const std::string printed =
        fixedText(times, decimalsFor(times, 2, [](double of_ideal) { return 100 - 100 / of_ideal; }));
    question.text = sentence(
        "A page divides the time of an iteration by the ideal time, gets {0} and calls that the bubble. "
        "Which share of the total time is idle?",
        printed);
    question.because = sentence("1 − 1/{0} = {1}.", printed, percent(right));
    return withOptions(
        std::move(question), draw, setting, right, Unit::Percent,
        {{100 * (times - 1), sentence("minus 1 it is the bubble, but of the ideal time"), "M5"},
         {100 / times, sentence("the other part of the time, in which there is work"), "M6"},
         {100 * 2 * (times - 1) / (2 * times - 1), sentence("the bubble counted twice"), "M4"}});
}

}  // namespace bscope::quiz
