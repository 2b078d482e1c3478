#include "lessons/predicted_runs.h"

#include <algorithm>

#include "analysis/cost_estimate.h"
#include "catalog/catalog.h"
#include "report/measured_report.h"
#include "timeline/median.h"
#include "timeline/predict.h"
#include "words/number_text.h"

namespace bscope {

namespace {

// A run that can be played, with its costs before they are scaled.
struct Played {
    Program program;
    Costs costs;
};

std::optional<Played> playable(const LessonRun& run) {
    if (run.problems >= 0 || !problems(run.config).empty()) return std::nullopt;
    Schedule schedule = makeSchedule(run.config.schedule, run.config.params);
    if (schedule.step_every > 0) return std::nullopt;
    Costs costs = estimateCosts(run.config, schedule, nullptr);
    return Played{lower(std::move(schedule), run.config.recomputedApart()), std::move(costs)};
}

double busyMs(const IterationReport& report) {
    double busy_ms = 0;
    for (const RankReport& rank : report.ranks) busy_ms += rank.busy_ms;
    return busy_ms;
}

Costs scaled(Costs costs, double factor) {
    for (StageCosts& stage : costs.stages)
        for (const DurationField& field : kDurationFields) stage.*field.ns *= factor;
    costs.optimizer_ns *= factor;
    costs.reduce_ns *= factor;
    costs.gather_ns *= factor;
    return costs;
}

LessonRun filledWith(LessonRun run, Timeline timeline) {
    const IterationSummary summary = summarize(timeline, 0);
    run.report.iteration = 0;
    run.report.provenance = Provenance::Predicted;
    fillMeasured(run.report, summary);
    run.report.predicted_bubble_of_total = summary.bubble_of_total;
    run.report.predicted_iteration_ms = toMs(summary.iteration_ns);
    run.report.tokens_per_s = tokensPerSecond(run.config, summary.iteration_ns);
    run.report.disturbed = false;
    run.ran = std::make_shared<const Timeline>(std::move(timeline));
    run.pooled_over.clear();
    run.counted = nullptr;
    return run;
}

}  // namespace

LessonRuns predictedRuns(const LessonRuns& runs) {
    std::map<std::string, Played, std::less<>> all;
    std::vector<double> factors;
    for (const auto& [name, run] : runs) {
        auto played = run ? playable(*run) : std::nullopt;
        if (!played) continue;
        IterationReport unscaled;
        fillMeasured(unscaled, summarize(predict(played->program, played->costs), 0));
        if (busyMs(unscaled) > 0 && busyMs(run->report) > 0)
            factors.push_back(busyMs(run->report) / busyMs(unscaled));
        all.emplace(name, std::move(*played));
    }
    LessonRuns predicted = runs;
    const double factor = factors.empty() ? 1 : median(std::move(factors));
    for (auto& [name, played] : all) {
        LessonRun& run = *predicted.find(name)->second;
        run = filledWith(run, predict(played.program, scaled(played.costs, factor)));
    }
    return predicted;
}

ClaimVerdict claimVerdict(std::string_view claim, const LessonRuns& runs) {
    if (claimHolds(claim, runs).value_or(false)) return ClaimVerdict::Holds;
    return claimIsOpen(claim, runs) && claimHolds(claim, predictedRuns(runs)).value_or(false)
               ? ClaimVerdict::Predicted
               : ClaimVerdict::Fails;
}

LessonExplanation explanationOf(const Claims& claims, const LessonRuns& runs) {
    if (allClaimsHold(claims, runs)) return {false, runs, {}};
    double wall_over_cpu = 1;
    const std::optional<NoiseVerdict> noise = noiseOfClaims(claims, runs);
    for (const auto& [name, run] : runs)
        if (run) wall_over_cpu = std::max(wall_over_cpu, run->report.wall_over_cpu);
    LessonExplanation found{true, predictedRuns(runs), {}};
    if (!allClaimsHold(claims, found.runs)) {  // nothing better is known than what ran
        found = {false, runs, {}};
        found.noisy = sentence("In what ran here noise hides part of this. Run it again.");
    } else if (wall_over_cpu > kDisturbed) {
        found.noisy = sentence(
            "These numbers are predicted: in what ran here noise hides the difference, since other programs "
            "kept this machine busy (operations took up to {0} times their own computing time).",
            fixedText(wall_over_cpu, 1));
    } else if (noise) {
        found.noisy =
            sentence("These numbers are predicted: what ran here shows no difference (within {0} %).",
                     percentNumber(noise->noiseShare()));
    } else {
        found.noisy = sentence("These numbers are predicted: in what ran here noise hides the difference.");
    }
    return found;
}

}  // namespace bscope
