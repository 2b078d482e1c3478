// Decomposition of the bubble and its words.
#include "widgets/text/bubble_story.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <cmath>

#include "schedule/catalog.h"
#include "timeline/mean_durations.h"
#include "timeline/predict.h"
#include "widgets/text/config_text.h"
#include "widgets/text/format.h"

namespace bscope::ui {
namespace {

constexpr long kMostCells = 1 << 16;  // p * v * m * d up to which a second prediction costs no visible time
constexpr double kLongExcess = 0.15;  // below this an operation is not worth naming

struct BubbleWords {
    Q_DECLARE_TR_FUNCTIONS(BubbleWords)
};

// Predicted with the run's costs over a link that costs nothing.
std::optional<double> freeLinkBubble(const RunConfig& config, Costs costs) {
    const ScheduleParams& params = config.params;
    if (!problems(config).empty() || params.cells() > kMostCells) return std::nullopt;
    const Schedule schedule = makeSchedule(config.schedule, params);
    if (costs.stages.size() != schedule.placement.size()) return std::nullopt;
    costs.link = {};
    if (schedule.step_every > 0) {
        const EndlessStream stream(schedule, params.m, config.recompute);
        return summarize(predict(stream, costs), stream.steadyIteration()).bubble_of_total;
    }
    return summarize(predict(lower(schedule, config.recompute), costs), 0).bubble_of_total;
}

// Of the smallest pipeline it can be made for.
bool isEndless(const std::string& schedule) {
    const CatalogEntry* entry = findSchedule(schedule);
    if (entry == nullptr) return false;
    const ScheduleParams params{2, defaultChunks(*entry), 4, 0};
    return scheduleProblems(schedule, params).empty() && makeSchedule(schedule, params).step_every > 0;
}

std::optional<LongOperation> longestOperation(const IterationView& view, const Costs& costs) {
    std::optional<LongOperation> longest;
    double most_ns = 0;
    for (int rank = 0; rank < view.ran->ranks(); ++rank) {
        for (const Event& event : view.ran->compute(rank)) {
            const auto stage = static_cast<std::size_t>(event.stage);
            if (event.iteration != view.iteration || event.stage < 0 || stage >= costs.stages.size())
                continue;
            const double expected_ns = costs.stages[stage].duration_ns(event.op);
            const double over_ns = static_cast<double>(event.duration_ns()) - expected_ns;
            if (expected_ns <= 0 || over_ns <= most_ns || over_ns < kLongExcess * expected_ns) continue;
            most_ns = over_ns;
            longest = {{event.stage, event.op, event.microbatch}, rank, over_ns / expected_ns};
        }
    }
    return longest;
}

QString spaced(QString formula, const QString& times) {
    formula.replace('*', times).replace('-', QStringLiteral(" − ")).replace('+', QStringLiteral(" + "));
    return formula.replace('/', QStringLiteral(" / ")).replace(',', QStringLiteral(", "));
}

}  // namespace

double inDefinition(double of_total, BubbleDefinition definition) {
    return definition == BubbleDefinition::OfIdeal && of_total < 1 ? of_total / (1 - of_total) : of_total;
}

QString definitionText(BubbleDefinition definition, bool stream) {
    if (stream)
        return definition == BubbleDefinition::OfTotal
                   ? BubbleWords::tr(
                         "Idle time ÷ (ranks × iteration time). Each rank counts from its last "
                         "operation of the iteration before, without optimizer steps.")
                   : BubbleWords::tr(
                         "Idle time ÷ compute time, summed over ranks. Each rank counts from its "
                         "last operation of the iteration before, without optimizer steps.");
    return definition == BubbleDefinition::OfTotal
               ? BubbleWords::tr("Idle time ÷ (ranks × iteration time). Ends before the optimizer.")
               : BubbleWords::tr("Idle time ÷ compute time, summed over ranks. Ends before the optimizer.");
}

std::optional<BubbleFormula> theoryFormula(const RunConfig& config, const Costs* costs,
                                           BubbleDefinition definition) {
    const CatalogEntry* entry = findSchedule(config.schedule);
    if (entry == nullptr || !scheduleProblems(config.schedule, config.params).empty() ||
        isEndless(config.schedule))
        return std::nullopt;
    OperationDurations durations;
    if (costs != nullptr && !costs->stages.empty())
        durations = meanDurations(*costs, entry->split_backward, config.recompute);
    return bubbleFormula(
        *entry, config.params, durations,
        definition == BubbleDefinition::OfIdeal ? BubbleShare::OfIdeal : BubbleShare::OfTotal);
}

BubbleStory bubbleStory(const IterationView& view) {
    BubbleStory story;
    story.predicted = view.plan_summary.bubble_of_total;
    if (!view.report) {
        if (const auto formula = theoryFormula(view.config, nullptr, BubbleDefinition::OfTotal))
            story.theory = formula->value;
        return story;
    }
    const IterationReport& report = *view.report;
    story.run = report.bubble_of_total;
    story.predicted = report.predicted_bubble_of_total;
    story.theory = report.theory_bubble_of_total;
    story.free_link = freeLinkBubble(view.config, report.costs);
    story.longest = longestOperation(view, report.costs);
    return story;
}

QString tellStory(const BubbleStory& story, const IterationView& view, const Notation& notation) {
    const auto points = [&](double from, double to) {
        return printedDifference(100 * inDefinition(from, notation.definition),
                                 100 * inDefinition(to, notation.definition), 1);
    };
    const auto step = [](double difference, const QString& adds, const QString& saves) {
        return (difference > 0 ? adds : saves).arg(numberText(std::abs(difference), 1));
    };
    if (!story.run && view.alternative)
        return BubbleWords::tr("Played with the costs of the run that is open; nothing of it ran.");
    if (!story.run && view.import)
        return BubbleWords::tr("No iteration is complete yet. The costs are the medians of the whole run.");
    if (!story.run)
        return view.costs_measured
                   ? BubbleWords::tr("No iteration is complete yet. The costs are those of the last run.")
                   : BubbleWords::tr(
                         "No iteration is complete yet. The costs follow from the shape of the model alone.");
    QStringList told;
    const double link_base = story.free_link.value_or(story.predicted);
    if (const double uneven = story.theory ? points(*story.theory, link_base) : 0; uneven != 0) {
        if (!view.config.slow_ranks.empty()) {
            QStringList slow;
            for (const auto& [rank, factor] : view.config.slow_ranks)
                slow << QStringLiteral("%1 × %2").arg(rankText(rank, view.ranksAreGpus()),
                                                      trimmedText(factor, 2));
            told << step(
                        uneven,
                        BubbleWords::tr("Slowed down ranks (%2) and stages of unequal length add %1 points."),
                        BubbleWords::tr(
                            "Slowed down ranks (%2) and stages of unequal length take %1 points away."))
                        .arg(slow.join(QStringLiteral(", ")));
        } else {
            told << step(uneven, BubbleWords::tr("Stages of unequal length add %1 points."),
                         BubbleWords::tr("Stages of unequal length take %1 points away."));
        }
    }
    if (const double link = points(link_base, story.predicted); link != 0) {
        const double hop_ns = view.config.link.transferNs(view.report->costs.message_bytes);
        told << step(link, BubbleWords::tr("The link (%2 a hop) adds %1 points."),
                     BubbleWords::tr("The link (%2 a hop) takes %1 points away."))
                    .arg(notation.duration(hop_ns));
    }
    if (const double noise = points(story.predicted, *story.run); noise != 0) {
        if (noise > 0 && story.longest) {
            const LongOperation& longest = *story.longest;
            const int chunk = view.config.params.v > 1 ? view.stageChunk(longest.action.stage) : -1;
            // The costs of an imported run hold no link: messages are in this difference, too.
            told << (view.import
                         ? BubbleWords::tr(
                               "Messages and noise, above all %1 on %2 (%3 % longer), add %4 points.")
                         : BubbleWords::tr("Noise, above all %1 on %2 (%3 % longer), adds %4 points."))
                        .arg(notation.action(longest.action.op, longest.action.microbatch, chunk))
                        .arg(rankText(longest.rank, view.ranksAreGpus()))
                        .arg(numberText(100 * longest.excess, 0), numberText(noise, 1));
        } else {
            told << (view.import ? step(noise, BubbleWords::tr("Messages and noise add %1 points."),
                                        BubbleWords::tr("Messages and noise take %1 points away."))
                                 : step(noise, BubbleWords::tr("Noise adds %1 points."),
                                        BubbleWords::tr("Noise takes %1 points away.")));
        }
    }
    if (!told.isEmpty()) return sentencesText(told);
    return story.theory ? BubbleWords::tr("Theory, prediction and run agree.")
                        : BubbleWords::tr("Prediction and run agree; there is no formula for these values.");
}

QString formulaInLetters(const std::string& formula) {
    return spaced(QString::fromStdString(formula), QStringLiteral("·"));
}

QString formulaInNumbers(const std::string& formula) {
    QString text = QString::fromStdString(formula);
    static const QRegularExpression difference(QStringLiteral("(?<![\\d.*/-])(\\d+)-(\\d+)(?![\\d.*/])"));
    for (auto match = difference.match(text); match.hasMatch(); match = difference.match(text))
        text.replace(match.capturedStart(), match.capturedLength(),
                     QString::number(match.captured(1).toInt() - match.captured(2).toInt()));
    static const QRegularExpression alone(QStringLiteral("(?<![a-z])\\((\\d+)\\)"));
    return spaced(text.replace(alone, QStringLiteral("\\1")), QStringLiteral("×"));
}

FormulaText formulaText(const std::optional<BubbleFormula>& formula) {
    if (!formula) return {};
    FormulaText text;
    text.symbols = BubbleWords::tr("theory = %1").arg(formulaInLetters(formula->letters));
    if (!formula->idle.empty())
        text.symbols += BubbleWords::tr(", x = %1 = %2")
                            .arg(formulaInLetters(formula->idle), formulaInNumbers(formula->idle_numbers));
    text.numbers =
        QStringLiteral("= %1 = %2").arg(formulaInNumbers(formula->numbers), shareText(formula->value));
    return text;
}

}  // namespace bscope::ui
