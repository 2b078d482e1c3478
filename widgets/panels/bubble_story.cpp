// Decomposition of the bubble and its words.
#include "widgets/panels/bubble_story.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <cmath>

#include "schedule/catalog.h"
#include "timeline/predict.h"
#include "widgets/panels/config_text.h"
#include "widgets/panels/format.h"

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

QString pretty(QString formula, const QString& times) {
    formula.replace('*', times).replace('-', QStringLiteral(" − ")).replace('+', QStringLiteral(" + "));
    return formula.replace('/', QStringLiteral(" / "));
}

QString withNumbers(QString formula, const ScheduleParams& params) {
    formula.replace(QStringLiteral("p-1"), QString::number(params.p - 1));
    const auto put = [&formula](const char* name, int value) {
        formula.replace(QRegularExpression(QStringLiteral("\\b%1\\b").arg(QLatin1String(name))),
                        QString::number(value));
    };
    put("p", params.p);
    put("v", params.v);
    put("m", params.m);
    return formula.replace(QRegularExpression(QStringLiteral("\\((\\d+)\\)")), QStringLiteral("\\1"));
}

// a / (b + a) of total is a / b of ideal; empty when the formula has another shape.
QString idealFormula(const QString& of_total) {
    static const QRegularExpression shape(QStringLiteral("^\\(([^()]+)\\)/\\(([^()]+)\\+([^()]+)\\)$"));
    // The last '+' splits "m+p-1" into "m" and "p-1".
    const QRegularExpressionMatch match = shape.match(of_total);
    if (!match.hasMatch() || match.captured(1) != match.captured(3)) return {};
    const QString rest = match.captured(2);
    return '(' + match.captured(1) + ")/" +
           (rest.contains('*') || rest.contains('+') ? '(' + rest + ')' : rest);
}

}  // namespace

double inDefinition(double of_total, BubbleDefinition definition) {
    return definition == BubbleDefinition::OfIdeal && of_total < 1 ? of_total / (1 - of_total) : of_total;
}

QString definitionText(BubbleDefinition definition) {
    return definition == BubbleDefinition::OfTotal
               ? BubbleWords::tr("Idle time ÷ (ranks × iteration time). Ends before the optimizer.")
               : BubbleWords::tr("Idle time ÷ compute time, summed over ranks. Ends before the optimizer.");
}

std::optional<double> theoryBubble(const RunConfig& config, const Costs* costs) {
    const CatalogEntry* entry = findSchedule(config.schedule);
    if (entry == nullptr || entry->bubble_of_total == nullptr ||
        !scheduleProblems(config.schedule, config.params).empty())
        return std::nullopt;
    double f = 1, i = 1, w = 1;
    if (costs != nullptr && !costs->stages.empty()) {
        f = i = w = 0;
        for (const StageCosts& stage : costs->stages) {
            f += stage.forward_ns;
            i += stage.input_ns > 0 ? stage.input_ns : stage.backward_ns / 2;
            w += stage.weight_ns > 0 ? stage.weight_ns : stage.backward_ns / 2;
        }
    }
    return entry->bubble_of_total(config.params, f, i, w);
}

BubbleStory bubbleStory(const IterationView& view) {
    BubbleStory story;
    story.predicted = view.plan_summary.bubble_of_total;
    if (!view.report) {
        story.theory = theoryBubble(view.config, nullptr);
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
    if (!story.run)
        return view.costs_measured
                   ? BubbleWords::tr("No iteration is complete yet. The costs are those of the last run.")
                   : BubbleWords::tr(
                         "No iteration is complete yet. The costs follow from the shape of the model alone.");
    QStringList told;
    const double link_base = story.free_link.value_or(story.predicted);
    if (const double uneven = story.theory ? points(*story.theory, link_base) : 0; uneven != 0) {
        if (!view.config.slow_ranks.empty()) {
            const auto& [rank, factor] = view.config.slow_ranks.front();
            told << step(uneven, BubbleWords::tr("%2, slowed down × %3, adds %1 points."),
                         BubbleWords::tr("%2, slowed down × %3, takes %1 points away."))
                        .arg(rankText(rank, view.ranksAreGpus()), trimmedText(factor, 2));
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
            told << BubbleWords::tr("Noise, above all %1 on %2 (%3 % longer), adds %4 points.")
                        .arg(notation.action(longest.action.op, longest.action.microbatch, chunk))
                        .arg(rankText(longest.rank, view.ranksAreGpus()))
                        .arg(numberText(100 * longest.excess, 0), numberText(noise, 1));
        } else {
            told << step(noise, BubbleWords::tr("Noise adds %1 points."),
                         BubbleWords::tr("Noise takes %1 points away."));
        }
    }
    return told.isEmpty() ? BubbleWords::tr("Theory, prediction and run agree.") : sentencesText(told);
}

FormulaText formulaText(const RunConfig& config, BubbleDefinition definition) {
    const CatalogEntry* entry = findSchedule(config.schedule);
    const std::optional<double> theory = theoryBubble(config, nullptr);
    if (entry == nullptr || !theory || *entry->bubble_formula == '\0') return {};
    const bool stream = makeSchedule(config.schedule, config.params).step_every > 0;
    if (stream) return {};  // its formula is that of a piece that is filled and drained
    QString formula = QString::fromLatin1(entry->bubble_formula);
    if (config.params.v == 1) formula.replace(QStringLiteral("v*m"), QStringLiteral("m"));
    FormulaText text;
    if (definition == BubbleDefinition::OfIdeal) {
        const QString ideal = idealFormula(formula);
        if (ideal.isEmpty()) {
            text.symbols = BubbleWords::tr("theory = x / (1 − x), x = share of total");
            const QString share = numberText(*theory, 3);
            text.numbers = QStringLiteral("= %1 / (1 − %1)").arg(share);
            return text;
        }
        formula = ideal;
    }
    text.symbols = BubbleWords::tr("theory = %1").arg(pretty(formula, QStringLiteral("·")));
    text.numbers = QStringLiteral("= ") + pretty(withNumbers(formula, config.params), QStringLiteral("×"));
    return text;
}

}  // namespace bscope::ui
