#include "cards/card_numbers.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>

#include "catalog/catalog.h"
#include "catalog/endless_stream.h"
#include "report/measured_report.h"
#include "schedule/index.h"
#include "schedule/weight_versions.h"
#include "shape/config_shape.h"
#include "timeline/iteration_events.h"
#include "timeline/predict.h"
#include "words/number_text.h"

namespace bscope {

namespace {

constexpr int kListedRanks = 8;  // of more, the first ones and the last
constexpr double kFloatBytes = 4;

LessonRun play(const RunConfig& config, const Schedule& schedule) {
    Costs costs = unitCosts(schedule.stageCount(), 1, 1, 1, 0);
    costs.message_bytes = kFloatBytes * config.micro_batch * config.model.sequence * config.model.hidden /
                          static_cast<double>(shardShape(config).rowParts());
    LessonRun run;
    run.config = config;
    IterationReport& report = run.report;
    report.schedule = schedule.name;
    report.p = config.params.p;
    report.v = config.params.v;
    report.m = config.params.m;
    report.provenance = Provenance::Predicted;
    if (schedule.step_every == 0) {
        const Timeline played = predict(lower(schedule, config.recomputedApart()), costs);
        fillMeasured(report, summarize(played, 0));
        run.ran = std::make_shared<const Timeline>(played);
        return run;
    }
    const EndlessStream stream(schedule, config.params.m, config.recomputedApart());
    const Timeline played = predict(stream, costs);
    fillMeasured(report, summarize(played, stream.steadyIteration()));
    run.ran = aloneOf(played, stream.steadyIteration());
    for (RankReport& rank : report.ranks)
        rank.weight_versions = versionsHeld(weightVersions(stream.piece(), rank.rank));
    return run;
}

// Of equally near ones the greater: DualPipe on two ranks, for three, has nothing to show.
int nearestOf(int value, const std::vector<long>& legal) {
    return static_cast<int>(*std::ranges::min_element(
        legal, {}, [value](long each) { return std::pair(std::abs(each - value), -each); }));
}

// Each parameter that is not legal becomes the nearest that is, as far as there is one.
bool makeLegal(const std::string& schedule, ScheduleParams& params) {
    for (int round = 0; round < 4; ++round) {
        const std::vector<Problem> problems = scheduleProblems(schedule, params);
        if (problems.empty()) return true;
        for (const Problem& problem : problems) {
            int* const value = problem.field == "p"   ? &params.p
                               : problem.field == "v" ? &params.v
                               : problem.field == "m" ? &params.m
                                                      : nullptr;
            if (value == nullptr || problem.legal.empty()) return false;
            *value = nearestOf(*value, problem.legal);
        }
    }
    return false;
}

struct Variable {
    const char* name;
    double (*value)(const RunConfig&);
    bool is_of_model = true;
};

double megabytesOf(const RunConfig& config, bool of_rank) {
    if (!problems(config).empty()) return NAN;
    const ModelShape shape = modelShape(config.model);
    const Schedule schedule = makeSchedule(config.schedule, config.params);
    const std::vector<StageRange> ranges = rangesOfStages(config, schedule);
    double bytes = 0;
    for (const int stage : schedule.chains.front())
        if (!of_rank) bytes += static_cast<double>(weightBytes(shape, ranges[at(stage)]));
    for (std::size_t stage = 0; stage < ranges.size(); ++stage)
        if (of_rank && schedule.placement[stage] == 0)
            bytes += static_cast<double>(weightBytes(shape, ranges[stage]));
    return bytes / 1e6;
}

constexpr Variable kVariables[] = {
    {"config.micro_batch", [](const RunConfig& config) { return 1.0 * config.micro_batch; }},
    {"config.d", [](const RunConfig& config) { return 1.0 * config.params.d; }, false},
    {"model.layers", [](const RunConfig& config) { return 1.0 * config.model.layers; }},
    {"model.heads", [](const RunConfig& config) { return 1.0 * config.model.heads; }},
    {"model.hidden", [](const RunConfig& config) { return 1.0 * config.model.hidden; }},
    {"model.sequence", [](const RunConfig& config) { return 1.0 * config.model.sequence; }},
    {"model.vocabulary", [](const RunConfig& config) { return 1.0 * config.model.vocabulary; }},
    {"weights.model_mb", [](const RunConfig& config) { return megabytesOf(config, false); }},
    {"weights.rank_mb", [](const RunConfig& config) { return megabytesOf(config, true); }},
};

void replaceAll(std::string& text, const std::string& what, const std::string& by) {
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
        text.replace(at, what.size(), by);
}

// A variable that is not known leaves no number to compute with: the text says so with a dash.
std::string withVariables(std::string text, const CardSubject& subject) {
    for (const Variable& variable : kVariables) {
        if (text.find(variable.name) == std::string::npos) continue;
        const double value =
            variable.is_of_model && !subject.knows_model ? NAN : variable.value(subject.config);
        if (std::isnan(value)) return "–";
        replaceAll(text, variable.name, shortText(value, 12));
    }
    return text;
}

// Ranks of the run that a name such as "F.in_flight.*" begins with.
int ranksOf(const std::string& inside, std::size_t end, const LessonRuns& runs) {
    std::size_t first = end;
    const auto of_name = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.';
    };
    while (first > 0 && of_name(inside[first - 1])) --first;
    const auto run = runs.find(inside.substr(first, inside.find('.', first) - first));
    return run == runs.end() || !run->second ? 0 : static_cast<int>(run->second->report.ranks.size());
}

std::string withLastRank(std::string text, const LessonRuns& runs) {
    for (std::size_t at = 0; (at = text.find(".last", at)) != std::string::npos;)
        text.replace(at, 5, "." + std::to_string(std::max(0, ranksOf(text, at, runs) - 1)));
    return text;
}

std::string ofOnePlace(const std::string& inside, const CardSubject& subject, const LessonRuns& runs) {
    if (!inside.ends_with(".*")) {
        const std::string text = withVariables(withLastRank(inside, runs), subject);
        return text == "–" ? text : "{" + text + "}";
    }
    const int ranks = ranksOf(inside, inside.size() - 2, runs);
    std::string list;
    for (int rank = 0; rank < ranks; ++rank) {
        if (ranks > kListedRanks && rank == kListedRanks - 2) {
            list += ", …";
            rank = ranks - 1;
        }
        list +=
            (list.empty() ? "{" : ", {") + inside.substr(0, inside.size() - 1) + std::to_string(rank) + "}";
    }
    return list;
}

// Lists, last ranks and variables put in, so that what is left is a lesson's text.
std::string unfolded(const std::string& text, const CardSubject& subject, const LessonRuns& runs) {
    std::string result;
    for (std::size_t from = 0; from < text.size();) {
        const std::size_t open = text.find('{', from);
        result += text.substr(from, open - from);
        if (open == std::string::npos) break;
        const std::size_t close = text.find('}', open);
        if (close == std::string::npos) return result + text.substr(open);  // fillNumbers() refuses it
        result += ofOnePlace(text.substr(open + 1, close - open - 1), subject, runs);
        from = close + 1;
    }
    return result;
}

}  // namespace

std::optional<LessonRun> playedRun(const RunConfig& config) {
    RunConfig one = config;
    one.params.d = 1;
    one.params.zero = 0;
    if (!canBeMade(one.schedule, one.params)) return std::nullopt;
    return play(one, makeSchedule(one.schedule, one.params));
}

LessonRuns cardRuns(const Card& card, const RunConfig& now) {
    LessonRuns runs;
    const std::optional<LessonRun> current = playedRun(now);
    if (!current || now.params.p < 2) return runs;
    runs["now"] = current;
    const auto valueOf = [&](const std::string& expression, int otherwise) {
        return expression.empty() ? otherwise : static_cast<int>(std::lround(lessonValue(expression, runs)));
    };
    for (const CardRun& each : card.runs) {
        const CatalogEntry* entry = findSchedule(each.schedule);
        if (entry == nullptr) throw LessonError(sentence("no lesson has a number named {0}", each.schedule));
        RunConfig config = now;
        config.schedule = each.schedule;
        config.recompute = each.recomputes ? Recompute::Full : Recompute::None;
        ScheduleParams params;
        params.p = valueOf(each.p, now.params.p);
        params.m = valueOf(each.m, now.params.m);
        const int chunks = entry->fixed_v == 0 ? std::max(now.params.v, entry->usual_v) : entry->fixed_v;
        params.v = valueOf(each.v, chunks);
        if (!makeLegal(each.schedule, params)) return {};
        config.params = params;
        runs[each.name] = play(config, makeSchedule(each.schedule, params));
    }
    return runs;
}

std::optional<bool> cardClaimHolds(std::string_view claim, const RunConfig& now, const LessonRuns& runs) {
    if (runs.empty()) return std::nullopt;
    const std::string known = withVariables(withLastRank(std::string(claim), runs), {.config = now});
    return known == "–" ? std::nullopt : claimHolds(known, runs);
}

FilledCard filled(const Card& card, const CardSubject& subject, Language language) {
    LessonRuns runs = cardRuns(card, subject.config);
    const auto fill = [&](const CardText& text) {
        return fillNumbers(unfolded(text.in(language), subject, runs), runs);
    };
    FilledCard out;
    out.question = card.question.in(language);
    out.answer = fill(card.answer);
    out.trap = fill(card.trap);
    out.numbers =
        runs.empty()
            ? say(sentence("These numbers need a schedule that is known here, with two ranks or more."),
                  language)
            : fill(card.numbers);
    const bool names_memory = card.ran.en.find("_mb.") != std::string::npos;
    const std::optional<LessonRun>& ran = subject.ran;
    if (ran && !card.ran.en.empty() && (subject.knows_model || !names_memory)) {
        runs["ran"] = ran;
        out.ran = fill(card.ran) + " [" + std::string(toText(ran->report.provenance)) + "]";
    }
    return out;
}

}  // namespace bscope
