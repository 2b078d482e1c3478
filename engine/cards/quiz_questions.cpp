// The kinds of questions. Wrong options are formulas and settings that people mistake for the right ones,
// with F = 1 and B = 2 where durations matter; right answers come from playback alone.
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
    std::optional<QuizSetting> setting = {};  // that it is true of
};

QuizSetting settingOf(const QuizQuestion& question) {
    return {.schedule = question.schedule, .p = question.p, .v = question.v, .m = question.m};
}

// The same of other m; nothing where the schedule does not allow it.
std::optional<QuizSetting> withM(QuizSetting setting, int m) {
    ScheduleParams params;
    params.p = setting.p;
    params.v = setting.v;
    params.m = setting.m = m;
    return scheduleProblems(setting.schedule, params).empty() ? std::optional(setting) : std::nullopt;
}

QuizSetting withSchedule(QuizSetting setting, const char* schedule, int v = 1) {
    setting.schedule = schedule;
    setting.v = v;
    return setting;
}

// The right option and up to three mistakes in a drawn order; nullopt: too few of them differ.
std::optional<QuizQuestion> withOptions(QuizQuestion question, Draw& draw, const QuizSetting& setting,
                                        double right, Unit unit, std::vector<Mistake> mistakes) {
    draw.shuffle(mistakes);
    std::vector<QuizOption> options{{sentence("{0}", textOf(right, unit)), right, {}, {}, setting}};
    for (const Mistake& mistake : mistakes) {
        const bool differs = std::ranges::all_of(options, [&](const QuizOption& option) {
            return std::abs(option.value - mistake.value) >= least(unit);
        });
        if (differs && static_cast<int>(options.size()) < kOptions)
            options.push_back({sentence("{0}", textOf(mistake.value, unit)), mistake.value, mistake.name,
                               mistake.misconception, mistake.setting});
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
    const char* const name = draw.of({"gpipe", "1f1b", "interleaved", "forward-only", "zb-h1"});
    const std::string schedule = name;
    const int v = schedule == "interleaved" ? 2 : 1;
    const int m = v == 1 ? draw.from(2, 4 * p) : p * draw.from(1, 4);
    QuizQuestion question = questionOf(QuizQuestion::Kind::Bubble, name, p, v, m);
    const QuizSetting setting = settingOf(question);
    const Played run = played(setting);
    const double right = 100 * run.summary.bubble_of_total, of_ideal = 100 * run.summary.bubble_of_ideal;
    question.text =
        sentence("{0}, p = {1}, v = {2}, m = {3}, a free link: which share of the total time is idle?",
                 titleOfSchedule(question), p, v, m);
    question.because = sentence("{0} of the total time, {1} of the ideal time: the same gaps.",
                                textOf(right, Unit::Percent), textOf(of_ideal, Unit::Percent));
    std::vector<Mistake> mistakes{
        {of_ideal, sentence("of the ideal time, not of the total"), "M2"},
        {2 * of_ideal, sentence("slots of F and B above, m alone below"), "M4"},
        {100.0 * (p - 1) / p, sentence("one micro-batch: m is forgotten"), "M7", withM(setting, 1)},
        {100 + of_ideal, sentence("total over ideal time: the factor, not the idle share"), "M5"},
        {-of_ideal, sentence("the fraction the other way round"), "M6"}};
    if (schedule == "1f1b")
        mistakes.push_back(
            {100.0 * (p - 1) / (2 * m + p - 1), sentence("2m + p − 1 steps: the drain is forgotten"), "M1"});
    const double unsplit = 100.0 * (p - 1) / (m + p - 1);
    if (v > 1)
        mistakes.push_back(
            {unsplit, sentence("the chunks are forgotten"), "M8", withSchedule(setting, "1f1b")});
    if (schedule == "zb-h1") {
        mistakes.push_back({unsplit, sentence("F + B with whole backwards: that is 1F1B"), "M12",
                            withSchedule(setting, "1f1b")});
        mistakes.push_back(
            {0, sentence("F + B − 2W with B = I; where the formula stands, B is I + W"), "M12"});
    }
    return withOptions(std::move(question), draw, setting, right, Unit::Percent, std::move(mistakes));
}

std::optional<QuizQuestion> inFlight(Draw& draw) {
    const int p = draw.of({4, 8}), m = draw.from(p + 1, 4 * p), rank = draw.from(1, p - 2);
    QuizQuestion question = questionOf(QuizQuestion::Kind::InFlight, "1f1b", p, 1, m, rank);
    const QuizSetting setting = settingOf(question);
    const Played run = played(setting);
    const int right = run.summary.ranks[static_cast<std::size_t>(rank)].peak_in_flight;
    question.text = sentence(
        "1F1B, p = {0}, m = {1}: for how many micro-batches does rank {2} hold activations at most? Ranks "
        "count from 0.",
        p, m, rank);
    question.because = sentence("min(m, p − r) = {0}, with r = {1}.", right, rank);
    return withOptions(
        std::move(question), draw, setting, right, Unit::Count,
        {{1.0 * m, sentence("all of them: that is GPipe"), "M13", withSchedule(setting, "gpipe")},
         {1.0 * p, sentence("every rank like the first one"), "M13"},
         {1.0 * (rank + 1), sentence("counted from the wrong end"), "M13"},
         {1.0 * (p - 1 - rank), sentence("the ranks behind it, without itself"), "M13"}});
}

std::optional<QuizQuestion> microbatches(Draw& draw) {
    const int p = draw.of({2, 4, 8}), percent = draw.of({5, 10, 20, 25});
    const auto within = [&](int m) {
        const QuizSetting setting{.schedule = "1f1b", .p = p, .m = m};
        return 100 * played(setting).summary.bubble_of_total <= percent + 1e-9;
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
    const QuizSetting setting = settingOf(question);
    const auto mistake = [&](double wrong, Sentence name, const char* misconception) {
        return Mistake{wrong, std::move(name), misconception, withM(setting, static_cast<int>(wrong))};
    };
    return withOptions(
        std::move(question), draw, setting, right, Unit::Count,
        {mistake(4.0 * p, sentence("4p, whatever share is asked for"), "M7"),
         mistake(std::ceil((p - 1) / limit - 1e-9), sentence("(p − 1)/m, which is of the ideal time"), "M2"),
         mistake(std::ceil(2 * (p - 1) / limit - 1e-9), sentence("2(p − 1)/m: fill and drain twice"), "M4")});
}

std::optional<QuizQuestion> messages(Draw& draw) {
    const int p = draw.of({2, 4, 8}), v = draw.of({2, 3, 4}), m = p * draw.from(1, 2);
    QuizQuestion question = questionOf(QuizQuestion::Kind::Messages, "interleaved", p, v, m);
    const QuizSetting setting = settingOf(question);
    const int right = played(setting).messages_of_microbatch;
    question.text = sentence(
        "Interleaved 1F1B, p = {0}, v = {1}: how many messages does a micro-batch send, forward and back "
        "together?",
        p, v);
    question.because = sentence("It passes p·v = {0} stages: {1} borders each way.", p * v, p * v - 1);
    return withOptions(
        std::move(question), draw, setting, right, Unit::Count,
        {{2.0 * v * (p - 1), sentence("v times those without chunks"), "M8"},
         {2.0 * (p - 1), sentence("as many as without chunks"), "M8", withSchedule(setting, "1f1b")},
         {1.0 * (p * v - 1), sentence("one way only"), "M8"},
         {2.0 * p * v, sentence("a message for every stage, the last one too"), "M8"}});
}

// In units of F of a rank's whole part of the model.
double iteration(const QuizSetting& setting) {
    return static_cast<double>(played(setting).summary.iteration_ns) / 1e9 / setting.v;
}

std::optional<QuizQuestion> recomputation(Draw& draw) {
    const int p = draw.of({2, 4, 8}), m = draw.from(p, 3 * p), b = draw.of({1, 2, 3});
    QuizQuestion question = questionOf(QuizQuestion::Kind::Recompute, "1f1b", p, 1, m);
    QuizSetting kept = settingOf(question);
    kept.b = b;
    QuizSetting recomputing = kept;
    recomputing.recomputes = true;
    const double right = iteration(recomputing) / iteration(kept);
    question.text = sentence(
        "1F1B with full recomputation, a backward takes {0} times as long as a forward: how many times as "
        "long is an "
        "iteration?",
        b);
    question.because =
        sentence("(2F + B)/(F + B) = {0}; the bubble's share stays.", textOf(right, Unit::Times));
    return withOptions(std::move(question), draw, recomputing, right, Unit::Times,
                       {{1, sentence("recomputation for nothing"), "M9", kept},
                        {2, sentence("everything twice"), "M9"},
                        {(1.0 + b) / b, sentence("only the backward counted as work"), "M9"}});
}

std::optional<QuizQuestion> legalOrder(Draw& draw) {
    const int p = draw.of({2, 3, 4}), m = draw.from(3, 5), rank = draw.from(0, p - 2);
    QuizQuestion question = questionOf(QuizQuestion::Kind::LegalOrder, "1f1b", p, 1, m, rank);
    QuizSetting setting = settingOf(question);
    const Schedule schedule = scheduleOf(setting);
    setting.rank = rank;
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
        {sentence("{0}", orderText(schedule.orders[static_cast<std::size_t>(rank)])), 0, {}, {}, setting}};
    for (const BrokenOrder& each : broken) {
        setting.order = each.order;
        options.push_back({sentence("{0}", orderText(each.order)), static_cast<double>(options.size()),
                           each.rule, "M15", setting});
    }
    draw.shuffle(options);
    for (std::size_t i = 0; i < options.size(); ++i)
        if (options[i].mistake.empty()) question.right = i;
    question.options = std::move(options);
    return question;
}

std::optional<QuizQuestion> slowRank(Draw& draw) {
    const int p = 4, m = draw.from(8, 20), slow = draw.below(p);
    QuizQuestion question = questionOf(QuizQuestion::Kind::SlowRank, "1f1b", p, 1, m, slow);
    QuizSetting setting = settingOf(question);
    setting.is_slow = true;
    setting.rank = slow;
    const IterationSummary summary = played(setting).summary;
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
        setting.rank = rank;
        QuizOption option{sentence("rank {0}", rank), static_cast<double>(rank), {}, {}, setting};
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
    const QuizSetting setting = settingOf(question);
    const IterationSummary summary = played(setting).summary;
    const double y = summary.bubble_of_ideal, right = 100 * (1 - summary.bubble_of_total);
    question.text = sentence(
        "A page gives the bubble as (p − 1)/m = {0}. For which share of the time do the devices "
        "compute?",
        textOf(100 * y, Unit::Percent));
    question.because = sentence("1/(1 + y) = {0}: y is of the ideal time.", textOf(right, Unit::Percent));
    return withOptions(std::move(question), draw, setting, right, Unit::Percent,
                       {{100 * (1 - y), sentence("1 − y, as if y were of the total time"), "M2"},
                        {100 * y / (1 + y), sentence("that is the idle share of the total time"), "M3"},
                        {100 / (1 + 2 * y), sentence("the bubble counted twice"), "M4"}});
}

std::optional<QuizQuestion> fixedBatch(Draw& draw) {
    const int p = draw.of({2, 4, 8}), m = draw.from(2, 2 * p), grows = draw.of({2, 4}),
              least = draw.of({1, 2});
    QuizQuestion question = questionOf(QuizQuestion::Kind::FixedBatch, "1f1b", p, 1, m);
    const QuizSetting setting = settingOf(question);
    const auto idle = [&](int of_m) { return 100 * played(*withM(setting, of_m)).summary.bubble_of_total; };
    const double right = idle(m);
    question.text = sentence(
        "1F1B, p = {0}; an iteration has {1} samples. The micro-batch grows from {2} to {3} samples. Which "
        "share of the total time is idle then?",
        p, m * grows * least, least, grows * least);
    question.because =
        sentence("m falls from {0} to {1}, and the idle share grows from {2} to {3}.", m * grows, m,
                 textOf(idle(m * grows), Unit::Percent), textOf(right, Unit::Percent));
    return withOptions(
        std::move(question), draw, setting, right, Unit::Percent,
        {{idle(m * grows), sentence("that was before: m falls as the micro-batch grows"), "M10",
          withM(setting, m * grows)},
         {idle(m * grows * grows), sentence("m fell and did not grow: larger micro-batches are fewer"), "M10",
          withM(setting, m * grows * grows)},
         {100.0 * (p - 1) / m, sentence("of the ideal time, not of the total"), "M2"}});
}

std::optional<QuizQuestion> splitAndRecompute(Draw& draw) {
    const char* const name = draw.of({"v-min", "v-half", "zb-v", "zb-h1"});
    const int p = draw.of({4, 8}), m = draw.from(p, 3 * p), v = findSchedule(name)->fixed_v > 1 ? 2 : 1;
    QuizQuestion question = questionOf(QuizQuestion::Kind::SplitAndRecompute, name, p, v, m);
    QuizSetting kept = settingOf(question), recomputing = kept;
    recomputing.recomputes = true;
    QuizSetting plain = withSchedule(recomputing, "1f1b"), plain_kept = withSchedule(kept, "1f1b");
    const double whole = iteration(plain), right = iteration(recomputing) / whole;
    question.text = sentence(
        "{0} with full recomputation, p = {1}, m = {2}, F = I = W: how many times as long is an iteration as "
        "1F1B's with full recomputation?",
        titleOfSchedule(question), p, m);
    question.because = sentence(
        "What I needs is recomputed before it, so that it takes as long as F and I: {0} times; without "
        "recomputation {1} times.",
        textOf(right, Unit::Times), textOf(iteration(kept) / iteration(plain_kept), Unit::Times));
    return withOptions(
        std::move(question), draw, recomputing, right, Unit::Times,
        {{iteration(kept) / iteration(plain_kept), sentence("that is without recomputation"), "M11", kept},
         {4.0 * m / whole, sentence("no idle time at all"), "M11"},
         {1, sentence("as much work, so as much time"), "M11", plain},
         {iteration(kept) / whole, sentence("recomputation for nothing"), "M9", kept}});
}

constexpr Maker kMakers[] = {bubble,     inFlight, microbatches, messages,   recomputation,
                             legalOrder, slowRank, utilisation,  fixedBatch, splitAndRecompute};

}  // namespace

std::span<const Maker> makers() {
    return kMakers;
}

}  // namespace bscope::quiz
