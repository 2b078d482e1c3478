#include "widgets/figure/caption.h"

#include <QStringList>
#include <algorithm>

#include "widgets/figure/figure_words.h"
#include "widgets/picture/timeline_painter.h"
#include "widgets/text/alignment_text.h"
#include "widgets/text/bubble_formula_text.h"
#include "widgets/text/canvas_words.h"
#include "widgets/text/config_text.h"
#include "widgets/text/format.h"
#include "widgets/text/iteration_name.h"

namespace bscope::ui {

namespace {

QString modelText(const IterationView& view) {
    if (view.import) return Figure::tr("training in another program");
    const ModelConfig& model = view.config.model;
    return Figure::tr("GPT (%1 layers, hidden %2, sequence %3, micro-batch %4, %5)")
        .arg(model.layers)
        .arg(model.hidden)
        .arg(model.sequence)
        .arg(view.config.micro_batch)
        .arg(QString::fromLatin1(toText(view.config.dtype)));
}

// The parameters, and that the layers are split evenly where those of another run are not.
QString settingText(const PreparedView& group, std::span<const PreparedView> groups) {
    const auto is_uneven = [](const PreparedView& of) { return !of.view().config.layers_per_stage.empty(); };
    const QString parameters = parameterText(group.view()).simplified();
    return !is_uneven(group) && std::ranges::any_of(groups, is_uneven)
               ? listText({parameters, Figure::tr("layers split evenly")})
               : parameters;
}

// What was made otherwise than the model alone would have it.
QStringList settingsText(const RunConfig& config) {
    QStringList parts;
    const int d = config.params.d, t = config.params.t;
    if (config.params.segments > 1)
        parts << Figure::tr("q = %1 segments of every sequence").arg(config.params.segments);
    if (d > 1 && t > 1)
        parts << Figure::tr(
                     "d = %1 data-parallel replicas of t = %2 tensor-parallel shards, rank = (stage rank × "
                     "%1 + replica) × %2 + shard")
                     .arg(d)
                     .arg(t);
    else if (d > 1)
        parts << Figure::tr("d = %1 data-parallel replicas, rank = stage rank × %1 + replica").arg(d);
    else if (t > 1)
        parts << Figure::tr("t = %1 tensor-parallel shards, rank = stage rank × %1 + shard").arg(t);
    if (config.params.zero > 0)
        parts << Figure::tr("ZeRO-%1: each copy of a stage has 1/%2 of the optimizer state")
                     .arg(config.params.zero)
                     .arg(d);
    if (config.sequence_parallel) parts << Figure::tr("sequence parallelism");
    for (const auto& [rank, factor] : config.slow_ranks)
        parts << Figure::tr("rank %1 slowed down %2 times").arg(rank).arg(trimmedText(factor, 2));
    if (config.link.latency_us > 0 || config.link.gbps > 0)
        parts << Figure::tr("link %1").arg(linkText(config.link));
    if (config.durations == Durations::Calibrated) parts << said(sentence("durations calibrated"));
    return parts;
}

// "F = 8.00 ms, I = 8.00 ms, W = 7.50 ms", of a stage; what takes longer or shorter than that is named.
QString handCostsText(const HandCosts& hand) {
    QStringList parts;
    for (const auto& [letter, ms] :
         {std::pair(u'F', hand.forward_ms), std::pair(u'I', hand.input_ms), std::pair(u'W', hand.weight_ms)})
        parts << QStringLiteral("%1 = %2")
                     .arg(QChar(letter))
                     .arg(withUnit(trimmedText(ms, 3), QStringLiteral("ms")));
    for (std::size_t stage = 0; stage < hand.factors.size(); ++stage)
        if (hand.factors[stage] != 1)
            parts << Figure::tr("stage %1 × %2").arg(stage).arg(trimmedText(hand.factors[stage], 2));
    if (hand.link.latency_us > 0 || hand.link.gbps > 0)
        parts << Figure::tr("link %1").arg(linkText(hand.link));
    return listText(parts);
}

// How the times came about: the sentence behind the badge.
QString originText(const PreparedView& group) {
    const IterationView& view = group.view();
    const QString device =
        view.device.empty() ? Figure::tr("this machine") : deviceWords(QString::fromStdString(view.device));
    switch (group.provenance()) {
        case Provenance::Measured:
            return Figure::tr("%1 ranks at the same time on %2, one time base")
                .arg(group.lanes())
                .arg(device);
        case Provenance::Reconstructed:
            return Figure::tr("each operation run and timed alone on %1 and placed on %2 device clocks")
                       .arg(device)
                       .arg(group.lanes()) +
                   (view.pooled_over.empty()
                        ? QString()
                        : Figure::tr("; durations are the medians of the runs %1 together")
                              .arg(QString::fromStdString(view.pooled_over))) +
                   (view.calibrated_over > 1
                        ? Figure::tr("; durations are the medians of %1 iterations").arg(view.calibrated_over)
                        : QString());
        case Provenance::Imported:
            return Figure::tr("run and timed by another program; times from its files: %1").arg(device);
        case Provenance::Predicted:
            break;
    }
    if (view.hand_costs)
        return Figure::tr("predicted from costs given by hand, %1; nothing ran")
            .arg(handCostsText(*view.hand_costs));
    return Figure::tr("predicted from the costs of each operation; nothing ran");
}

// Of several plans with costs by hand whose stages are not the same.
QString sharedCostsText(std::span<const PreparedView> groups) {
    const auto forward_ms = [](const PreparedView& group) {
        const auto& hand = group.view().hand_costs;
        return hand ? hand->forward_ms : 0;
    };
    const bool differ = std::ranges::any_of(groups, [&](const PreparedView& group) {
        return forward_ms(group) > 0 && forward_ms(group) != forward_ms(groups.front());
    });
    return differ ? Figure::tr("Costs are those of one chunk; every rank has the same work in all plans.")
                  : QString();
}

QString theoryText(const PreparedView& group, const Notation& notation) {
    const auto& report = group.view().report;
    return report && report->theory_bubble_of_total ? notation.bubble(*report->theory_bubble_of_total)
                                                    : QString();
}

QString numbersText(const PreparedView& group, const Notation& notation) {
    const IterationView& view = group.view();
    const IterationSummary* numbers = group.numbers();
    if (numbers == nullptr || numbers->iteration_ns <= 0) return {};
    const bool of_total = notation.definition == BubbleDefinition::OfTotal;
    const QString iteration = notation.duration(static_cast<double>(numbers->iteration_ns));
    const QString ranks = QString::fromStdString(view.config.params.layout().worldText(" × "));
    QString text = of_total ? Figure::tr("Bubble %1 of total = idle time ÷ (%3 × iteration time of %2)")
                            : Figure::tr("Bubble %1 of ideal = idle time ÷ busy time; iteration time %2");
    text = text.arg(notation.bubble(numbers->bubble_of_total), iteration, ranks);
    if (!group.isPlan() && view.plan_summary.iteration_ns > 0)
        text += Figure::tr("; predicted %1").arg(notation.bubble(view.plan_summary.bubble_of_total));
    if (view.report && view.report->theory_bubble_of_total) {
        const auto formula = theoryFormula(view.config, &view.report->costs, notation);
        QString letters;
        if (formula) letters = formulaInLetters(formula->letters) + QStringLiteral(" = ");
        text +=
            Figure::tr(", theory %1%2").arg(letters, notation.bubble(*view.report->theory_bubble_of_total));
        if (formula && !formula->idle.empty())
            text += Figure::tr(", x = %1 = %2 (durations in %3)")
                        .arg(formulaInLetters(formula->idle), formulaInNumbers(formula->idle_numbers),
                             notation.unitName());
    }
    QStringList sentences{Figure::tr("%1.").arg(text)};
    // Calibrated durations are medians, which a busy machine does not change.
    const bool is_raw = view.config.durations != Durations::Calibrated;
    if (const QString disturbed = view.report && is_raw ? disturbedText(*view.report) : QString();
        !disturbed.isEmpty())
        sentences << sentenceText(disturbed) << disturbedMeaning(*view.report);
    if (view.report && view.report->tokens_per_s > 0)
        sentences << Figure::tr("%1 tokens/s.").arg(rateNumber(view.report->tokens_per_s));
    return sentencesText(sentences);
}

}  // namespace

QString shortCaption(std::span<const PreparedView> groups, const Notation& notation) {
    QStringList sentences;
    for (const PreparedView& group : groups) {
        const IterationView& view = group.view();
        const IterationSummary* numbers = group.numbers();
        QStringList parts;
        if (numbers != nullptr && numbers->iteration_ns > 0) {
            parts << (notation.definition == BubbleDefinition::OfTotal
                          ? Figure::tr("bubble %1 of total").arg(notation.bubble(numbers->bubble_of_total))
                          : Figure::tr("bubble %1 of ideal").arg(notation.bubble(numbers->bubble_of_total)));
            if (const QString theory = theoryText(group, notation); !theory.isEmpty())
                parts << Figure::tr("theory %1").arg(theory);
            parts << Figure::tr("iteration time %1")
                         .arg(notation.duration(static_cast<double>(numbers->iteration_ns)));
        }
        if (view.hand_costs) parts << handCostsText(*view.hand_costs);
        if (group.hasRun() && group.running())
            parts << Figure::tr("incomplete, up to %1").arg(notation.duration(group.relative(view.now_ns)));
        if (parts.isEmpty()) continue;
        // With its parameters, for which a narrow title may have no room.
        const QString run = listText({scheduleTitle(view.config.schedule), settingText(group, groups)});
        sentences << Figure::tr("%1: ").arg(run) + listText(parts) + Figure::tr(".");
    }
    if (const QString shared = sharedCostsText(groups); !shared.isEmpty()) sentences << shared;
    return sentencesText(sentences);
}

QString captionText(std::span<const PreparedView> groups, const Notation& notation, const QDate& date) {
    QStringList sentences;
    for (const PreparedView& group : groups) {
        const QString subject =
            !group.isPlan()
                ? Figure::tr("Iteration %1 of a %2").arg(group.view().number()).arg(modelText(group.view()))
                : modelText(group.view());
        const RunConfig& config = group.view().config;
        const QStringList parts{subject, settingText(group, groups), originText(group)};
        QString head =
            Figure::tr("%1.").arg(listText(group.view().import ? parts : parts + settingsText(config)));
        const auto& beside = group.view().beside;
        const QString role = beside ? (beside->is_baseline ? Canvas::tr("Baseline") : Canvas::tr("This"))
                                    : QString(QChar(static_cast<char16_t>(u'A' + (&group - groups.data()))));
        if (groups.size() > 1) {
            QStringList names{role, scheduleTitle(config.schedule)};
            const QString file = beside ? nameOfOtherFile(group.view().file, beside->other_file) : QString();
            if (!file.isEmpty()) names.insert(1, file);
            head.prepend(Figure::tr("%1: ").arg(listText(names)));
        }
        sentences << head;
        if (group.hasRun() && group.running())
            sentences << Figure::tr("Incomplete: the iteration is shown up to %1; the plan follows.")
                             .arg(notation.duration(group.relative(group.view().now_ns)));
        if (group.running() && group.view().iteration_state == IterationState::Cut)
            sentences << Figure::tr("The recording ends in this iteration, so its end is missing.");
        if (beside && beside->isSecond()) sentences << alignmentMeaning(*beside, notation);
        const QString numbers = numbersText(group, notation);
        if (!numbers.isEmpty()) sentences << numbers;
    }
    if (const QString shared = sharedCostsText(groups); !shared.isEmpty()) sentences << shared;
    sentences << QStringLiteral("Bubblescope %1, %2.")
                     .arg(QLatin1String(BUBBLESCOPE_VERSION), date.toString(Qt::ISODate));
    return sentencesText(sentences);
}

}  // namespace bscope::ui
