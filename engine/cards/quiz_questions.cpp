// The eight kinds of questions. Formulas: bubbles of TEACHING's table of mistakes, with F = 1 and B = 2 where
// durations matter; right answers come from playback alone.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "cards/quiz_draw.h"
#include "cards/quiz_values.h"
#include "schedule/catalog.h"
#include "words/number_text.h"

namespace bscope::quiz {

namespace {

constexpr int kOptions = 4, kFewest = 3;
constexpr double kNearestPercent = 1.5;  // options are at least so far from each other

enum class Unit : std::uint8_t { Percent, Count, Times };

std::string textOf(double value, Unit unit) {
    if (unit == Unit::Percent) return fixedText(value, 1) + " %";
    return fixedText(value, unit == Unit::Count ? 0 : 2);
}

double least(Unit unit) {
    return unit == Unit::Percent ? kNearestPercent : unit == Unit::Count ? 0.5 : 0.05;
}

struct Mistake {
    double value;
    Sentence name;
    const char* misconception;
};

// The right option and up to three mistakes in a drawn order; nullopt: too few of them differ.
std::optional<QuizQuestion> withOptions(QuizQuestion question, Draw& draw, double right, Unit unit,
                                        std::vector<Mistake> mistakes) {
    draw.shuffle(mistakes);
    std::vector<QuizOption> options{{sentence("{0}", textOf(right, unit)), right, {}, {}}};
    for (const Mistake& mistake : mistakes) {
        const bool differs = std::ranges::all_of(options, [&](const QuizOption& option) {
            return std::abs(option.value - mistake.value) >= least(unit);
        });
        if (differs && static_cast<int>(options.size()) < kOptions)
            options.push_back({sentence("{0}", textOf(mistake.value, unit)), mistake.value, mistake.name,
                               mistake.misconception});
    }
    if (static_cast<int>(options.size()) < kFewest) return std::nullopt;
    draw.shuffle(options);
    question.right = static_cast<std::size_t>(
        std::ranges::find_if(options, [](const QuizOption& option) { return option.mistake.empty(); }) -
        options.begin());
    question.options = std::move(options);
    return question;
}

QuizQuestion questionOf(QuizQuestion::Kind kind, const char* schedule, int p, int v, int m, int rank = -1) {
    QuizQuestion question;
    question.kind = kind;
    question.schedule = schedule;
    question.p = p;
    question.v = v;
    question.m = m;
    question.rank = rank;
    return question;
}

Sentence titleOfSchedule(const QuizQuestion& question) {
    return sentence(findSchedule(question.schedule)->title);
}

std::optional<QuizQuestion> bubble(Draw& draw) {
    const int p = draw.of({2, 4, 8});
    const char* schedule = draw.of({"gpipe", "1f1b", "interleaved", "forward-only"});
    const int v = schedule == std::string("interleaved") ? 2 : 1;
    const int m = v == 1 ? draw.from(2, 4 * p) : p * draw.from(1, 4);
    QuizQuestion question = questionOf(QuizQuestion::Kind::Bubble, schedule, p, v, m);
    const Played run = played(schedule, p, v, m);
    const double right = 100 * run.summary.bubble_of_total;
    question.text =
        sentence("{0}, p = {1}, v = {2}, m = {3}, a free link: which share of the total time is idle?",
                 titleOfSchedule(question), p, v, m);
    question.because =
        sentence("{0} of the total time, {1} of the ideal time: the same gaps.", textOf(right, Unit::Percent),
                 textOf(100 * run.summary.bubble_of_ideal, Unit::Percent));
    std::vector<Mistake> mistakes{
        {100.0 * (p - 1) / (v * m), sentence("of the ideal time, not of the total"), "M2"},
        {200.0 * (p - 1) / (v * m), sentence("slots of F and B above, m alone below"), "M4"},
        {100.0 * (p - 1) / p, sentence("one micro-batch: m is forgotten"), "M7"},
        {100.0 * (v * m + p - 1) / (v * m), sentence("total over ideal time: the factor, not the idle share"),
         "M5"},
        {-100.0 * (p - 1) / (v * m), sentence("the fraction the other way round"), "M6"}};
    if (schedule == std::string("1f1b"))
        mistakes.push_back(
            {100.0 * (p - 1) / (2 * m + p - 1), sentence("2m + p − 1 steps: the drain is forgotten"), "M1"});
    if (v > 1)
        mistakes.push_back({100.0 * (p - 1) / (m + p - 1), sentence("the chunks are forgotten"), "M8"});
    return withOptions(std::move(question), draw, right, Unit::Percent, std::move(mistakes));
}

std::optional<QuizQuestion> inFlight(Draw& draw) {
    const int p = draw.of({4, 8}), m = draw.from(p + 1, 4 * p), rank = draw.from(1, p - 2);
    QuizQuestion question = questionOf(QuizQuestion::Kind::InFlight, "1f1b", p, 1, m, rank);
    const Played run = played("1f1b", p, 1, m);
    const int right = run.summary.ranks[static_cast<std::size_t>(rank)].peak_in_flight;
    question.text = sentence(
        "1F1B, p = {0}, m = {1}: for how many micro-batches does rank {2} hold activations at most? Ranks "
        "count from 0.",
        p, m, rank);
    question.because = sentence("min(m, p − r) = {0}, with r = {1}.", right, rank);
    return withOptions(std::move(question), draw, right, Unit::Count,
                       {{1.0 * m, sentence("all of them: that is GPipe"), "M13"},
                        {1.0 * p, sentence("every rank like the first one"), "M13"},
                        {1.0 * (rank + 1), sentence("counted from the wrong end"), "M13"},
                        {1.0 * (p - 1 - rank), sentence("the ranks behind it, without itself"), "M13"}});
}

std::optional<QuizQuestion> microbatches(Draw& draw) {
    const int p = draw.of({2, 4, 8}), percent = draw.of({5, 10, 20, 25});
    const auto within = [&](int m) {
        return 100 * played("1f1b", p, 1, m).summary.bubble_of_total <= percent + 1e-9;
    };
    const double limit = percent / 100.0;
    int right = std::max(1, static_cast<int>((p - 1) * (1 - limit) / limit));  // near it; playback decides
    while (!within(right)) ++right;
    while (right > 1 && within(right - 1)) --right;
    QuizQuestion question = questionOf(QuizQuestion::Kind::Microbatches, "1f1b", p, 1, right);
    question.text =
        sentence("1F1B, p = {0}: from which m on is at most {1} % of the total time idle?", p, percent);
    question.because = sentence("(p − 1)/(m + p − 1) is {0} at m = {1}, and {2} at m = {3}.",
                                textOf(100.0 * (p - 1) / (right + p - 1), Unit::Percent), right,
                                textOf(100.0 * (p - 1) / (right + p - 2), Unit::Percent), right - 1);
    return withOptions(
        std::move(question), draw, right, Unit::Count,
        {{4.0 * p, sentence("4p, whatever share is asked for"), "M7"},
         {std::ceil((p - 1) / limit - 1e-9), sentence("(p − 1)/m, which is of the ideal time"), "M2"},
         {std::ceil(2 * (p - 1) / limit - 1e-9), sentence("2(p − 1)/m: fill and drain twice"), "M4"}});
}

std::optional<QuizQuestion> messages(Draw& draw) {
    const int p = draw.of({2, 4, 8}), v = draw.of({2, 3, 4}), m = p * draw.from(1, 2);
    QuizQuestion question = questionOf(QuizQuestion::Kind::Messages, "interleaved", p, v, m);
    const int right = played("interleaved", p, v, m).messages_of_microbatch;
    question.text = sentence(
        "Interleaved 1F1B, p = {0}, v = {1}: how many messages does a micro-batch send, forward and back "
        "together?",
        p, v);
    question.because = sentence("It passes p·v = {0} stages: {1} borders each way.", p * v, p * v - 1);
    return withOptions(std::move(question), draw, right, Unit::Count,
                       {{2.0 * v * (p - 1), sentence("v times those without chunks"), "M8"},
                        {2.0 * (p - 1), sentence("as many as without chunks"), "M8"},
                        {1.0 * (p * v - 1), sentence("one way only"), "M8"},
                        {2.0 * p * v, sentence("a message for every stage, the last one too"), "M8"}});
}

std::optional<QuizQuestion> recomputation(Draw& draw) {
    const int p = draw.of({2, 4, 8}), m = draw.from(p, 3 * p), b = draw.of({1, 2, 3});
    QuizQuestion question = questionOf(QuizQuestion::Kind::Recompute, "1f1b", p, 1, m);
    const double right = static_cast<double>(played("1f1b", p, 1, m, b, true).summary.iteration_ns) /
                         static_cast<double>(played("1f1b", p, 1, m, b).summary.iteration_ns);
    question.text = sentence(
        "1F1B with full recomputation, a backward takes {0} times as long as a forward: how many times as "
        "long is an "
        "iteration?",
        b);
    question.because =
        sentence("(2F + B)/(F + B) = {0}; the bubble's share stays.", textOf(right, Unit::Times));
    return withOptions(std::move(question), draw, right, Unit::Times,
                       {{1, sentence("recomputation for nothing"), "M9"},
                        {2, sentence("everything twice"), "M9"},
                        {(1.0 + b) / b, sentence("only the backward counted as work"), "M9"}});
}

std::optional<QuizQuestion> legalOrder(Draw& draw) {
    const int p = draw.of({2, 3, 4}), m = draw.from(3, 5), rank = draw.from(0, p - 2);
    QuizQuestion question = questionOf(QuizQuestion::Kind::LegalOrder, "1f1b", p, 1, m, rank);
    const Schedule schedule = played("1f1b", p, 1, m).schedule;
    std::vector<BrokenOrder> broken = brokenOrders(schedule, rank);
    draw.shuffle(broken);
    // What only the other ranks show to be wrong comes first: it is seen less easily.
    std::stable_partition(broken.begin(), broken.end(),
                          [](const BrokenOrder& each) { return !each.wrong_by_itself; });
    if (broken.size() > kOptions - 1) broken.resize(kOptions - 1);
    if (static_cast<int>(broken.size()) < kFewest - 1) return std::nullopt;
    question.text =
        sentence("p = {0}, m = {1}; the other ranks run 1F1B. Which order can rank {2} run?", p, m, rank);
    question.because = sentence("Every B there comes after its own F, and no rank waits for ever.");
    std::vector<QuizOption> options{
        {sentence("{0}", orderText(schedule.orders[static_cast<std::size_t>(rank)])), 0, {}, {}}};
    for (const BrokenOrder& each : broken)
        options.push_back(
            {sentence("{0}", orderText(each.order)), static_cast<double>(options.size()), each.rule, "M15"});
    draw.shuffle(options);
    for (std::size_t i = 0; i < options.size(); ++i)
        if (options[i].mistake.empty()) question.right = i;
    question.options = std::move(options);
    return question;
}

std::optional<QuizQuestion> slowRank(Draw& draw) {
    const int p = 4, m = draw.from(8, 20), slow = draw.below(p);
    QuizQuestion question = questionOf(QuizQuestion::Kind::SlowRank, "1f1b", p, 1, m, slow);
    const IterationSummary summary = played("1f1b", p, 1, m, 2, false, slow).summary;
    std::string bubbles;
    double most = 0;
    for (const RankSummary& rank : summary.ranks) {
        bubbles += (bubbles.empty() ? "" : ", ") + textOf(100 * rank.bubble_of_total, Unit::Percent);
        most = std::max(most, rank.bubble_of_total);
    }
    question.text = sentence(
        "1F1B, p = 4, m = {0}. One rank is slower than the others. Idle time of rank 0 to 3: {1}. "
        "Which one is slow?",
        m, bubbles);
    question.because = sentence("Rank {0}: all others wait for it, so it idles least.", slow);
    for (int rank = 0; rank < p; ++rank) {
        QuizOption option{sentence("rank {0}", rank), static_cast<double>(rank), {}, {}};
        if (rank != slow) {
            const bool idlest = summary.ranks[static_cast<std::size_t>(rank)].bubble_of_total > most - 1e-9;
            option.mistake =
                idlest ? sentence("the one that idles most: it waits") : sentence("it waits, too");
            option.misconception = "M14";
        }
        question.options.push_back(std::move(option));
    }
    question.right = static_cast<std::size_t>(slow);
    return question;
}

std::optional<QuizQuestion> utilisation(Draw& draw) {
    const int p = draw.of({2, 4, 8}), m = draw.from(p, 4 * p);
    QuizQuestion question = questionOf(QuizQuestion::Kind::Utilisation, "1f1b", p, 1, m);
    const IterationSummary summary = played("1f1b", p, 1, m).summary;
    const double y = summary.bubble_of_ideal, right = 100 * (1 - summary.bubble_of_total);
    question.text = sentence(
        "A page gives the bubble as (p − 1)/m = {0}. For which share of the time do the devices "
        "compute?",
        textOf(100 * y, Unit::Percent));
    question.because = sentence("1/(1 + y) = {0}: y is of the ideal time.", textOf(right, Unit::Percent));
    return withOptions(std::move(question), draw, right, Unit::Percent,
                       {{100 * (1 - y), sentence("1 − y, as if y were of the total time"), "M2"},
                        {100 * y / (1 + y), sentence("that is the idle share of the total time"), "M3"},
                        {100 / (1 + 2 * y), sentence("the bubble counted twice"), "M4"}});
}

constexpr Maker kMakers[] = {bubble,        inFlight,   microbatches, messages,
                             recomputation, legalOrder, slowRank,     utilisation};

}  // namespace

std::span<const Maker> makers() {
    return kMakers;
}

}  // namespace bscope::quiz
