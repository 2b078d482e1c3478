// The kinds of questions. Wrong options are formulas and settings that people mistake for the right ones,
// with F = 1 and B = 2 where durations matter; right answers come from playback alone.
#include <algorithm>
#include <array>
#include <cmath>

#include "cards/quiz_beliefs.h"
#include "cards/quiz_draw.h"
#include "cards/quiz_options.h"
#include "cards/quiz_values.h"
#include "catalog/bubble_formula.h"
#include "catalog/catalog.h"
#include "words/number_text.h"

namespace bscope::quiz {

namespace {

// A formula as texts print it: "(p − 1)/(3·m + p − 1)".
std::string printed(const std::string& formula, std::string_view times) {
    std::string text;
    for (const char c : formula) {
        if (c == '-')
            text += " − ";
        else if (c == '+')
            text += " + ";
        else if (c == '*')
            text += times;
        else
            text += c;
    }
    return text;
}

std::optional<QuizQuestion> bubble(Draw& draw) {
    const int p = draw.of({2, 4, 8});
    const char* const name = draw.of({"gpipe", "1f1b", "interleaved", "zb-h1"});
    const std::string schedule = name;
    const int v = schedule == "interleaved" ? 2 : 1;
    // Where the closed form holds, so that the answer can be derived.
    const int least = schedule == "zb-h1" ? p : 2;
    const int m = v == 1 ? draw.from(least, 4 * p) : p * draw.from(1, 4);
    QuizQuestion question = questionOf(QuizQuestion::Kind::Bubble, name, p, v, m);
    const QuizSetting setting = settingOf(question);
    const Played run = played(setting);
    const double right = 100 * run.summary.bubble_of_total, of_ideal = 100 * run.summary.bubble_of_ideal;
    // What a split backward leaves idle depends on its halves.
    question.text = schedule == "zb-h1" ? sentence(
                                              "{0}, p = {1}, m = {2}, equal stages with F = I = W, a free "
                                              "link: which share of the total time is idle?",
                                              titleOfSchedule(question), p, m)
                                        : sentence(
                                              "{0}, p = {1}, v = {2}, m = {3}, equal stages, a free link: "
                                              "which share of the total time is idle?",
                                              titleOfSchedule(question), p, v, m);
    const auto formula = bubbleFormula(*findSchedule(schedule), {p, v, m, 0}, {});
    question.because = sentence("{0} = {1} = {2} of the total time; the same gaps are {3} of the ideal time.",
                                printed(formula->letters, "·"), printed(formula->numbers, "×"),
                                textOf(right, Unit::Percent), textOf(of_ideal, Unit::Percent));
    std::vector<Mistake> mistakes{
        {of_ideal, sentence("of the ideal time, not of the total"), "M2"},
        {100.0 * (p - 1) / p,
         schedule == "zb-h1" ? sentence("(p − 1)/p: that is a pipeline without micro-batches")
                             : sentence("one micro-batch: m is forgotten"),
         "M7",
         schedule == "zb-h1" ? withSchedule({.schedule = "naive", .p = p, .m = 1}, "naive")
                             : withM(setting, 1)},
        {100 - right, sentence("the other part of the time, in which there is work"), "M6"}};
    if (schedule == "gpipe" || schedule == "1f1b")
        mistakes.push_back({2 * of_ideal, sentence("slots of F and B above, m alone below"), "M4"});
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
            {0, sentence("F + B − 2W with B = I; in the source of the formula, B is I + W"), "M12"});
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
    question.because = sentence("min(m, p − r) = min({0}, {1} − {2}) = {3}.", m, p, rank, right);
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
        sentence("1F1B, p = {0}: what is the smallest m with which at most {1} % of the total time is idle?",
                 p, percent);
    const auto [now, before] =
        percentsThatDiffer(100.0 * (p - 1) / (right + p - 1), 100.0 * (p - 1) / (right + p - 2));
    question.because =
        sentence("(p − 1)/(m + p − 1) is {0} at m = {1}, and {2} at m = {3}.", now, right, before, right - 1);
    const QuizSetting setting = settingOf(question);
    const auto mistake = [&](double wrong, Sentence name, const char* misconception) {
        return Mistake{wrong, std::move(name), misconception, withM(setting, static_cast<int>(wrong))};
    };
    return withOptions(
        std::move(question), draw, setting, right, Unit::Count,
        {mistake(4.0 * p, sentence("4p, regardless of the required share"), "M7"),
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
    question.because =
        sentence("It passes p·v = {0} stages: {1} borders each way, 2(p·v − 1) = {2} messages.", p * v,
                 p * v - 1, right);
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
    const int p = draw.of({2, 4, 8}), m = draw.from(p, 3 * p), b = draw.of({2, 3});
    QuizQuestion question = questionOf(QuizQuestion::Kind::Recompute, "1f1b", p, 1, m);
    QuizSetting kept = settingOf(question);
    kept.b = b;
    QuizSetting recomputing = kept;
    recomputing.recomputes = true;
    const double right = iteration(recomputing) / iteration(kept);
    question.text = sentence(
        "1F1B, equal stages, a backward takes {0} times as long as a forward: how many times as long is an "
        "iteration with full recomputation that begins when the gradient is there?",
        b);
    question.because = sentence("(2F + B)/(F + B) = {0}/{1} = {2}; the share of the bubble does not change.",
                                2 + b, 1 + b, textOf(right, Unit::Times));
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
    question.because = sentence("Here every B comes after its own F, and no rank waits for ever.");
    std::vector<QuizOption> options{
        {sentence("{0}", orderText(schedule.orders[static_cast<std::size_t>(rank)])), 0, {}, {}, setting}};
    for (const BrokenOrder& each : broken) {
        setting.order = each.order;
        options.push_back({sentence("{0}", orderText(each.order)), static_cast<double>(options.size()),
                           each.rule, "M15", setting});
    }
    return withTexts(std::move(question), draw, std::move(options));
}

// How long each of four stages took beside the shortest, F and B together: medians of eight iterations of
// real runs (1F1B, p = 4, m = 8, four to twelve layers, hidden 64 to 256, two cores). The last one has the
// output head; stages are never quite equal.
constexpr std::array<std::array<double, 4>, 4> kStagesOfRuns{
    {{1.00, 1.01, 1.00, 1.05}, {1.01, 1.01, 1.00, 1.06}, {1.01, 1.00, 1.01, 1.15}, {1.00, 1.01, 1.02, 1.20}}};

std::optional<QuizQuestion> slowRank(Draw& draw) {
    const int p = 4, m = draw.from(8, 12), slow = draw.below(p);
    QuizQuestion question = questionOf(QuizQuestion::Kind::SlowRank, "1f1b", p, 1, m, slow);
    QuizSetting setting = settingOf(question);
    setting.is_slow = true;
    setting.rank = slow;
    const auto& stages =
        kStagesOfRuns[static_cast<std::size_t>(draw.below(static_cast<int>(kStagesOfRuns.size())))];
    setting.stage_times.assign(stages.begin(), stages.end());
    const IterationSummary summary = played(setting).summary;
    // In steps of a grid, which the pictures are drawn in.
    for (double& time : setting.stage_times) time = std::round(4 * time) / 4;
    setting.stage_times[static_cast<std::size_t>(slow)] = 1;
    double most = 0;
    for (const RankSummary& rank : summary.ranks) most = std::max(most, rank.bubble_of_total);
    const auto idle = [&](std::size_t rank) {
        return textOf(100 * summary.ranks[rank].bubble_of_total, Unit::Percent);
    };
    question.text = sentence(
        "1F1B, p = 4, m = {0}, stages as a run of this program measured them. One rank is slower than the "
        "others. Idle time of ranks 0 to 3: {1}, {2}, {3} and {4}. Which one is slow?",
        m, idle(0), idle(1), idle(2), idle(3));
    question.because = sentence("Rank {0}: all others wait for it, so it idles least.", slow);
    const std::vector<double> times = setting.stage_times;
    for (int rank = 0; rank < p; ++rank) {
        setting.rank = rank;
        setting.stage_times = times;
        std::swap(setting.stage_times[slow], setting.stage_times[rank]);
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
    const int decimals = decimalsFor(y, 2, [](double of_ideal) { return 100 / (1 + of_ideal); });
    question.text = sentence(
        "A page gives the bubble as (p − 1)/m = {0}. For which share of the time do the devices "
        "compute?",
        fixedText(100 * y, decimals - 2) + " %");
    question.because = sentence("1/(1 + y) = 1/(1 + {0}) = {1}: y is of the ideal time.",
                                fixedText(y, decimals), textOf(right, Unit::Percent));
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
        sentence("m falls from {0} to {1}: (p − 1)/(m + p − 1) grows from {2} to {3}/{4} = {5}.", m * grows,
                 m, textOf(idle(m * grows), Unit::Percent), p - 1, m + p - 1, textOf(right, Unit::Percent));
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
    const QuizSetting plain = withSchedule(recomputing, "1f1b"), plain_kept = withSchedule(kept, "1f1b");
    const double plain_kept_f = iteration(plain_kept), kept_f = iteration(kept), plain_f = iteration(plain),
                 f = iteration(recomputing);
    const auto saved = [](double of, double than) { return 100 * (1 - of / than); };
    const auto said = [](double percent) {
        return std::abs(percent) < 0.05 ? sentence("the same")
               : percent > 0            ? sentence("{0} shorter", textOf(percent, Unit::Percent))
                                        : sentence("{0} longer", textOf(-percent, Unit::Percent));
    };
    const double before = saved(kept_f, plain_kept_f), right = saved(f, plain_f);
    question.text = sentence(
        "F = I = W, p = {0}, m = {1}. {2} compared with 1F1B, time of an iteration: {3}. And when both "
        "recompute fully?",
        p, m, titleOfSchedule(question), said(before));
    question.because = sentence(
        "Counted in F: {0} against {1} without recomputation, {2} against {3} with it. I, for which the "
        "stage before waits, now begins with a forward: F + I instead of I.",
        shortText(kept_f, 4), shortText(plain_kept_f, 4), shortText(f, 4), shortText(plain_f, 4));
    std::vector<QuizOption> options{{said(right), right, {}, {}, recomputing}};
    const Mistake mistakes[] = {{before, sentence("that is without recomputation"), "M11", kept},
                                {saved(4.0 * m, plain_f), sentence("no idle time at all"), "M11"},
                                {0, sentence("as much work, so as much time"), "M11", plain},
                                {saved(kept_f, plain_f), sentence("recomputation for nothing"), "M9", kept}};
    for (const Mistake& mistake : mistakes) {
        const bool differs = std::ranges::all_of(
            options, [&](const QuizOption& option) { return std::abs(option.value - mistake.value) >= 1.5; });
        if (differs && static_cast<int>(options.size()) < kOptions)
            options.push_back(
                {said(mistake.value), mistake.value, mistake.name, mistake.misconception, mistake.setting});
    }
    if (static_cast<int>(options.size()) < kFewest) return std::nullopt;
    return withTexts(std::move(question), draw, std::move(options));
}

constexpr Maker kFirst[] = {sameBubble};
constexpr Maker kAlways[] = {bubble, inFlight, microbatches, weightVersions, inference};
constexpr Maker kOthers[] = {messages,   recomputation,     legalOrder, slowRank,       utilisation,
                             fixedBatch, splitAndRecompute, memoryOfM,  tensorMessages, factor};

}  // namespace

std::span<const std::span<const Maker>> makers() {
    static constexpr std::span<const Maker> kGroups[] = {kFirst, kAlways, kOthers};
    return kGroups;
}

}  // namespace bscope::quiz
