// Prediction, merging and judging of a sweep.
#include "widgets/tune/sweep_model.h"

#include <QRegularExpression>
#include <algorithm>
#include <cmath>

#include "analysis/range_numbers.h"
#include "catalog/catalog.h"
#include "timeline/iteration_events.h"
#include "timeline/predict.h"
#include "report/sweep_ranking.h"
#include "widgets/text/config_text.h"
#include "widgets/text/format.h"
#include "words/number_text.h"

namespace bscope::ui {
namespace {

constexpr long kMostPredictedCells = 1 << 18;

struct SweepWords {
    Q_DECLARE_TR_FUNCTIONS(SweepWords)
};

QStringList partsOf(const QString& values) {
    static const QRegularExpression separators(QStringLiteral("[\\s,;]+"));
    return values.split(separators, Qt::SkipEmptyParts);
}

struct PlannedIteration {
    std::shared_ptr<const Timeline> timeline;
    IterationSummary summary;
    std::int64_t length_ns = 0;  // of the picture
};

// Of an endless stream: one iteration of those that are all alike, neither filled nor drained.
PlannedIteration plannedIteration(const Schedule& schedule, const RunConfig& config, const Costs& costs) {
    if (schedule.step_every == 0) {
        auto played = std::make_shared<Timeline>(predict(lower(schedule, config.recomputedApart()), costs));
        const IterationSummary summary = summarize(*played, 0);
        return {played, summary, summary.iteration_ns};
    }
    const EndlessStream stream(schedule, config.params.m, config.recomputedApart());
    const Timeline played = predict(stream, costs);
    auto steady = std::make_shared<Timeline>(played.ranks(), played.provenance());
    for (int rank = 0; rank < played.ranks(); ++rank) {
        for (const Event& event : ofIteration(played.compute(rank), stream.steadyIteration()))
            steady->append(event);
        for (const Event& event : ofIteration(played.receives(rank), stream.steadyIteration()))
            steady->append(event);
    }
    return {steady, summarize(played, stream.steadyIteration()), steady->end_ns() - steady->begin_ns()};
}

bool isComplete(const SweepPoint& point) {
    return point.median && point.iterations_done >= point.iterations;
}

// The fit predicts what has not run: of what ran it would be no prediction.
Costs costsOfRow(const RunConfig& config, const SweepBase& base, bool ran) {
    const Costs costs = base.costs_of(config);
    return base.fit && !ran ? bscope::withSizeFit(costs, *base.fit, config.micro_batch) : costs;
}

void predictRow(SweepRow& row, const RunConfig& config, const SweepBase& base, bool ran) {
    const ScheduleParams& params = config.params;
    if (params.cells() > kMostPredictedCells) return;
    PlannedIteration planned;
    try {
        planned = plannedIteration(makeSchedule(config.schedule, params), config, costsOfRow(config, base, ran));
    } catch (const TimesDoNotFit&) {
        return;
    }
    const auto& [timeline, summary, length_ns] = planned;
    row.planned = timeline;
    row.plan_ns = static_cast<double>(length_ns);
    row.planned_ms = static_cast<double>(summary.iteration_ns) / 1e6;
    row.predicted_bubble = summary.bubble_of_total;
    row.predicted_rate =
        row.planned_ms > 0 ? amountOfIteration(config, base.knows_model) / row.planned_ms * 1000 : 0;
    if (!base.knows_model) return;
    for (const RankSummary& rank : summary.ranks)
        row.predicted_peak_bytes =
            std::max(row.predicted_peak_bytes, static_cast<double>(rank.peak_activation_bytes));
}

void mergePoint(SweepRow& row, const SweepPoint& point, bool is_fitted) {
    row.micro_batch = point.micro_batch > 0 ? point.micro_batch : row.micro_batch;
    row.done = point.iterations_done;
    row.asked = point.iterations > 0 ? point.iterations : row.asked;
    row.over_cap = point.over_cap;
    row.run = point.median;
    row.rate_min = point.tokens_per_s_min;
    row.rate_max = point.tokens_per_s_max;
    if (!point.problems.empty()) row.problem = problemText(point.problems.front());
    if (point.predicted_tokens_per_s <= 0 || (is_fitted && row.predicted())) return;
    if (row.predicted_rate > 0) row.planned_ms *= row.predicted_rate / point.predicted_tokens_per_s;
    row.predicted_rate = point.predicted_tokens_per_s;
    row.predicted_bubble = point.predicted_bubble_of_total;
    row.predicted_peak_bytes = static_cast<double>(point.predicted_peak_bytes);
}

// Null: it is not among what runs.
const SweepPoint* pointOf(const SweepState* state, int value) {
    if (state == nullptr) return nullptr;
    const auto found = std::ranges::find(state->points, value, &SweepPoint::value);
    return found != state->points.end() ? &*found : nullptr;
}

double rateOfRow(const SweepRow& row, bool measured) {
    return measured ? row.run->tokens_per_s : row.predicted_rate;
}
double bubbleOf(const SweepRow& row, bool measured) {
    return measured ? row.run->bubble_of_total : row.predicted_bubble;
}

QString settingName(SweepAxis axis, const RunConfig& config) {
    if (axis == SweepAxis::Checkpointing)
        return SweepWords::tr("checkpointing %1").arg(recomputeText(config.recompute).toLower());
    return QString::fromStdString(settingText(axis, config));
}

// Why the neighbour, larger or smaller, is not the best.
QString neighbourLoses(const SweepRow& best, const SweepRow& other, const SweepForm& form, bool measured) {
    if (other.over_cap)
        return SweepWords::tr("%1 would need %2, over the cap of %3.")
            .arg(other.name, bytesText(other.predicted_peak_bytes), capText(form.cap_mb));
    const double other_bubble = bubbleOf(other, measured), best_bubble = bubbleOf(best, measured);
    const QString slower =
        withUnit(numberText(100 * (1 - rateOfRow(other, measured) / rateOfRow(best, measured)), 1), "%");
    const QString shares = shareNumber(other_bubble), best_share = shareText(best_bubble);
    if (shareText(other_bubble) == best_share)
        return SweepWords::tr("%1 has the same bubble (%2) and is %3 slower.")
            .arg(other.name, best_share, slower);
    if (other_bubble > best_bubble)
        return SweepWords::tr("%1 idles more (%2 against %3) and is %4 slower.")
            .arg(other.name, shares, best_share, slower);
    const QString smaller_bubble =
        SweepWords::tr("%1 has a smaller bubble (%2 against %3)").arg(other.name, shares, best_share);
    return form.fixed_batch && other.value > best.value
               ? SweepWords::tr(
                     "%1, but divides the same samples into more, smaller pieces, each with a fixed cost, "
                     "and is %2 slower.")
                     .arg(smaller_bubble, slower)
               : SweepWords::tr("%1, yet is %2 slower.").arg(smaller_bubble, slower);
}

// Whether some larger value, up to four times this one, is legal.
bool canGoOn(const SweepForm& form, const SweepBase& base, int value) {
    if (form.axis != SweepAxis::Microbatches && form.axis != SweepAxis::Chunks) return false;
    SweepForm larger = form;
    larger.values.clear();
    for (int factor = 2; factor <= 4; ++factor) larger.values.push_back(factor * value);
    SweepBase unpredicted = base;
    unpredicted.costs_of = {};
    return std::ranges::any_of(sweepRows(larger, unpredicted, nullptr),
                               [](const SweepRow& row) { return row.problem.isEmpty(); });
}

}  // namespace

double SweepRow::peakBytes() const {
    if (!run || run->ranks.empty()) return predicted_peak_bytes;
    std::int64_t peak = 0;
    for (const RankReport& rank : run->ranks) peak = std::max(peak, rank.peak_activation_bytes);
    return static_cast<double>(peak);
}

QString whyIllegalText(const QString& text) {
    const QString legal = SweepWords::tr("Whole numbers from 1, with spaces between them: 1 2 4 8");
    QStringList wrong;
    for (const QString& part : partsOf(text)) {
        bool number = false;
        const int value = part.toInt(&number);
        if (!number || value < 1) wrong << SweepWords::tr("“%1”").arg(part);
    }
    return wrong.isEmpty() ? SweepWords::tr("No value is given. %1").arg(legal)
                           : SweepWords::tr("%1 cannot be tried. %2").arg(listText(wrong), legal);
}

std::optional<std::vector<int>> parseSweepValues(const QString& text) {
    std::vector<int> values;
    for (const QString& part : partsOf(text)) {
        bool number = false;
        const int value = part.toInt(&number);
        if (!number || value < 1) return std::nullopt;
        values.push_back(value);
    }
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    if (values.empty()) return std::nullopt;
    return values;
}

SweptConfig sweepConfig(const RunConfig& base, const SweepForm& form, int value) {
    SweptConfig made = swept(base, form.axis, value);
    made.config.memory_cap_mb = form.cap_mb;
    if (form.ofM() && form.fixed_batch)
        made.config.micro_batch = std::max(1, form.samples / (value * std::max(1, base.params.d)));
    return made;
}

QString rateUnit(const SweepBase& base) {
    return base.knows_model ? said(sentence("tokens/s")) : SweepWords::tr("micro-batches/s");
}

SweepBase withSizeFit(const SweepBase& base, const SweepForm& form, const SweepState* state) {
    if (state == nullptr || !form.ofM() || !base.knows_model || !base.costs_of) return base;
    std::vector<MeasuredSize> measured;
    for (const SweepPoint& point : state->points)
        if (isComplete(point))
            measured.push_back({point.micro_batch, workOf(point.median->costs)});
    SweepBase fitted = base;
    fitted.fit = sizeFit(measured);
    return fitted;
}

std::vector<SweepRow> sweepRows(const SweepForm& form, const SweepBase& base, const SweepState* state,
                                const std::vector<int>& next) {
    std::vector<int> values = form.values;
    std::vector<int> ran;
    if (state != nullptr)
        for (const SweepPoint& point : state->points) ran.push_back(point.value);
    if (!ran.empty()) values = ran;
    values.insert(values.end(), next.begin(), next.end());
    std::ranges::sort(values);
    values.erase(std::unique(values.begin(), values.end()), values.end());
    std::vector<SweepRow> rows;
    for (const int value : values) {
        const auto [config, problem] = sweepConfig(base.config, form, value);
        const SweepPoint* const point = pointOf(state, value);
        const bool complete = point != nullptr && isComplete(*point);
        SweepRow row;
        row.value = value;
        row.config = config;
        row.name = problem ? QStringLiteral("%1 = %2").arg(QLatin1String(toText(form.axis))).arg(value)
                           : settingName(form.axis, config);
        row.brief = form.axis == SweepAxis::Checkpointing && !problem ? recomputeText(config.recompute)
                                                                      : QString::number(value);
        row.micro_batch = config.micro_batch;
        row.asked = ran.empty() || std::ranges::count(ran, value) > 0 ? form.iterations : 0;  // 0: the next sweep
        const std::vector<Problem> illegal = problem            ? std::vector{*problem}
                                             : base.knows_model ? problems(config)
                                                                : scheduleProblems(config.schedule, config.params);
        if (!base.knows_model && findSchedule(config.schedule) == nullptr)
            row.problem = SweepWords::tr("its order is not in the catalog and is unknown for other values");
        else if (!base.knows_model && config.recompute == Recompute::Selective)
            row.problem = SweepWords::tr("the time of selective recomputation is unknown for this run");
        else if (!illegal.empty())
            row.problem = problemText(illegal.front());
        else if (form.ofM() && form.fixed_batch && form.samples % config.params.microbatches() != 0)
            row.problem = SweepWords::tr("%1 samples cannot be cut into %2 equal micro-batches")
                              .arg(form.samples)
                              .arg(config.params.microbatches());
        else if (base.costs_of)
            predictRow(row, config, base, complete);
        row.over_cap = form.cap_mb > 0 && row.predicted_peak_bytes > form.cap_mb * 1e6;
        if (point != nullptr) mergePoint(row, *point, base.fit && !complete);
        rows.push_back(std::move(row));
    }
    return rows;
}

namespace {

// What ran, as the engine judges it.
SweepRanking standingOfRows(const std::vector<SweepRow>& rows) {
    std::vector<SweepPoint> points;
    for (const SweepRow& row : rows) {
        if (!row.problem.isEmpty() || row.over_cap || row.asked <= 0) continue;
        SweepPoint& point = points.emplace_back();
        point.value = row.value;
        point.median = row.run;
        point.iterations_done = row.done;
        point.iterations = row.asked;
        point.tokens_per_s_min = row.rate_min;
        point.tokens_per_s_max = row.rate_max;
    }
    return standingOf(points);
}

QString namesOf(const std::vector<SweepRow>& rows, const std::vector<int>& values) {
    QStringList names;
    for (const SweepRow& row : rows)
        if (std::ranges::count(values, row.value) > 0) names << row.name;
    return listText(names);
}

// Values that no run has yet, and that are predicted to be faster than the best.
std::vector<int> predictedAhead(const SweepRow& best, const std::vector<SweepRow>& rows) {
    std::vector<int> ahead;
    for (const SweepRow& row : rows)
        if (row.predicted() && !row.complete() && row.problem.isEmpty() && !row.over_cap &&
            row.predicted_rate > best.run->tokens_per_s)
            ahead.push_back(row.value);
    return ahead;
}

// Of values that are no different from the best; the one that takes the least memory is named.
QStringList equalsWords(const SweepRanking& standing, const SweepRow& best, const std::vector<SweepRow>& rows) {
    std::vector<int> all = standing.equals;
    all.push_back(best.value);
    const QString names = namesOf(rows, all);
    const QString same = standing.closest.kind == NoiseVerdict::Kind::Unknown
                             ? SweepWords::tr("with one iteration each, the noise is unknown")
                             : said(noDifferenceWords(standing.closest));
    QStringList words{standing.open ? SweepWords::tr("So far, with %1 of %2 values, %3: %4.")
                                          .arg(standing.complete)
                                          .arg(standing.legal)
                                          .arg(names, same)
                                    : SweepWords::tr("%1: %2.").arg(names, same)};
    const bool least = std::ranges::all_of(rows, [&](const SweepRow& row) {
        return row.value == best.value || std::ranges::count(all, row.value) == 0 ||
               megabytesNumber(row.peakBytes()) != megabytesNumber(best.peakBytes());
    });
    if (least) words << SweepWords::tr("Of these, %1 takes the least memory.").arg(best.name);
    return words;
}

QString bestWords(const SweepRanking& standing, const SweepRow& best, const SweepForm& form) {
    if (standing.open)
        return SweepWords::tr("So far, with %1 of %2 values, %3 gives the most tokens/s.")
            .arg(standing.complete)
            .arg(standing.legal)
            .arg(best.name);
    return (form.cap_mb > 0 ? SweepWords::tr("%1 gives the most tokens/s under the cap.")
                            : SweepWords::tr("%1 gives the most tokens/s."))
        .arg(best.name);
}

QString measuredHead(const SweepRanking& standing, const SweepRow& best, const std::vector<SweepRow>& rows,
                     const SweepForm& form) {
    QStringList words = standing.equals.empty() ? QStringList{bestWords(standing, best, form)}
                                                : equalsWords(standing, best, rows);
    if (const std::vector<int> ahead = predictedAhead(best, rows); standing.open && !ahead.empty())
        words << SweepWords::tr("Predicted ahead of it, and not run yet: %1.").arg(namesOf(rows, ahead));
    return sentencesText(words);
}

}  // namespace

SweepVerdict sweepVerdict(const std::vector<SweepRow>& rows, const SweepForm& form, const SweepBase& base) {
    SweepVerdict verdict;
    // One value that ran beside others that did not leads nothing.
    const auto complete = std::ranges::count_if(rows, &SweepRow::complete);
    const auto runnable = std::ranges::count_if(
        rows, [](const SweepRow& row) { return row.problem.isEmpty() && !row.over_cap && row.asked > 0; });
    verdict.measured = complete >= std::min<std::ptrdiff_t>(2, std::max<std::ptrdiff_t>(1, runnable));
    const auto counts = [&](const SweepRow& row) {
        return row.problem.isEmpty() && !row.over_cap &&
               (verdict.measured ? row.complete() : row.predicted());
    };
    const SweepRow* best = nullptr;
    for (const SweepRow& row : rows)
        if (counts(row) &&
            (best == nullptr || rateOfRow(row, verdict.measured) > rateOfRow(*best, verdict.measured)))
            best = &row;
    const SweepRanking standing = verdict.measured ? standingOfRows(rows) : SweepRanking();
    if (standing.best > 0) {
        verdict.open = standing.open;
        verdict.equals = standing.equals;
        best = &*std::ranges::find(rows, standing.best, &SweepRow::value);
    }
    if (best == nullptr) {
        if (!rows.empty())
            verdict.sentence = SweepWords::tr("No value fits: every one is illegal or over the cap.");
        return verdict;
    }
    verdict.best = best->value;
    const QString head =
        !verdict.measured && base.isFile()
            ? SweepWords::tr("Predicted from the costs in %1: %2 is best.").arg(base.file, best->name)
        : verdict.measured ? measuredHead(standing, *best, rows, form)
        : base.costs_measured
            ? SweepWords::tr("Predicted with the costs of the run: %1 is best.").arg(best->name)
            : SweepWords::tr("Predicted with costs estimated before anything ran: %1 is best.")
                  .arg(best->name);
    const SweepRow* larger = nullptr;
    const SweepRow* smaller = nullptr;
    for (const SweepRow& row : rows) {
        const bool equal = std::ranges::count(verdict.equals, row.value) > 0;
        const bool comparable = !equal && (counts(row) || (row.over_cap && row.problem.isEmpty()));
        if (comparable && row.value > best->value && larger == nullptr) larger = &row;
        if (comparable && row.value < best->value) smaller = &row;
    }
    const SweepRow* other = larger != nullptr ? larger : smaller;
    QStringList sentences{head};
    if (other != nullptr) sentences << neighbourLoses(*best, *other, form, verdict.measured);
    if (larger == nullptr && !verdict.open && verdict.equals.empty() && rows.size() > 1 && best->value == rows.back().value &&
        canGoOn(form, base, best->value))
        sentences << SweepWords::tr("%1 is the largest value tried; a larger one may be better still.")
                         .arg(best->name);
    if (base.fit) {
        const double fixed_ms = base.fit->fixed_ns / 1e6, sample_ms = base.fit->sample_ns / 1e6;
        const auto text = [](double ms) { return QString::fromStdString(millisecondsText(ms)); };
        sentences << (fixed_ms > 0
                          ? SweepWords::tr("Fitted to what ran, a micro-batch takes %1 ms regardless of its size "
                                           "plus %2 ms per sample (residual %3).")
                                .arg(text(fixed_ms), text(sample_ms), shareText(base.fit->residual))
                          : SweepWords::tr(
                                "Fitted to what ran, a micro-batch takes %1 ms per sample, and no fixed time "
                                "that the scatter would show (residual %2).")
                                .arg(text(sample_ms), shareText(base.fit->residual)));
        const auto waits = [](const SweepRow& row) { return row.predicted() && !row.complete(); };
        if (std::ranges::any_of(rows, waits))
            sentences << SweepWords::tr("The values that have not run are predicted with that.");
    }
    verdict.sentence = sentencesText(sentences);
    return verdict;
}

QString sweepCsv(const std::vector<SweepRow>& rows, SweepAxis axis) {
    const bool of_m = axis == SweepAxis::Microbatches;
    QString csv = of_m ? QString() : QStringLiteral("p,d,v,recompute,");
    csv += QStringLiteral(
        "m,micro_batch,iterations,tokens_per_s,bubble_of_total,peak_bytes,"
        "predicted_tokens_per_s,predicted_bubble_of_total,predicted_peak_bytes\n");
    const auto number = [](double value) { return QString::number(value, 'g', 10); };
    for (const SweepRow& row : rows) {
        const ScheduleParams& params = row.config.params;
        QStringList cells;
        if (!of_m)
            cells << QString::number(params.p) << QString::number(params.d) << QString::number(params.v)
                  << QLatin1String(toText(row.config.recompute));
        cells << QString::number(params.m) << QString::number(row.micro_batch) << QString::number(row.done);
        if (row.run)
            cells << number(row.run->tokens_per_s) << number(row.run->bubble_of_total)
                  << number(row.peakBytes());
        else
            cells << QString() << QString() << QString();
        cells << number(row.predicted_rate) << number(row.predicted_bubble)
              << number(row.predicted_peak_bytes);
        csv += cells.join(',') + '\n';
    }
    return csv;
}

}  // namespace bscope::ui
