#include "widgets/figure/caption.h"

#include <QStringList>

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
    if (view.import) return Figure::tr("training elsewhere");
    const ModelConfig& model = view.config.model;
    return Figure::tr("GPT (%1 layers, hidden %2, sequence %3, micro-batch %4, %5)")
        .arg(model.layers)
        .arg(model.hidden)
        .arg(model.sequence)
        .arg(view.config.micro_batch)
        .arg(QString::fromLatin1(toText(view.config.dtype)));
}

// What was made otherwise than the model alone would have it.
QStringList settingsText(const RunConfig& config) {
    QStringList parts;
    if (const int d = config.params.d; d > 1)
        parts << Figure::tr("d = %1 data-parallel replicas, rank = stage rank × %1 + replica").arg(d);
    if (!config.layers_per_stage.empty()) {
        QStringList layers;
        for (const int count : config.layers_per_stage) layers << QString::number(count);
        parts << Figure::tr("%1 layers on the stages").arg(layers.join(u' '));
    }
    for (const auto& [rank, factor] : config.slow_ranks)
        parts << Figure::tr("rank %1 slowed down %2 times").arg(rank).arg(trimmedText(factor, 2));
    if (config.link.latency_us > 0 || config.link.gbps > 0)
        parts << Figure::tr("link %1").arg(linkText(config.link));
    if (config.durations == Durations::Calibrated) parts << Figure::tr("durations calibrated");
    return parts;
}

// How the times came about: the sentence behind the badge.
QString originText(const PreparedView& group) {
    const IterationView& view = group.view();
    const QString device = view.device.isEmpty() ? Figure::tr("this machine") : deviceWords(view.device);
    switch (group.provenance()) {
        case Provenance::Measured:
            return Figure::tr("%1 ranks at the same time on %2, one clock").arg(group.lanes()).arg(device);
        case Provenance::Reconstructed:
            return Figure::tr("each operation run and timed alone on %1 and placed on %2 device clocks")
                       .arg(device)
                       .arg(group.lanes()) +
                   (view.pooled_over.isEmpty()
                        ? QString()
                        : Figure::tr("; durations are the medians of the runs %1 together")
                              .arg(view.pooled_over));
        case Provenance::Imported:
            return Figure::tr("run and timed by another program, as its files say: %1").arg(device);
        case Provenance::Predicted:
            break;
    }
    return Figure::tr("predicted from the costs of each operation; nothing ran");
}

QString numbersText(const PreparedView& group, const Notation& notation) {
    const IterationView& view = group.view();
    const IterationSummary* numbers = group.numbers();
    if (numbers == nullptr || numbers->iteration_ns <= 0) return {};
    const bool of_total = notation.definition == BubbleDefinition::OfTotal;
    const QString iteration = notation.duration(static_cast<double>(numbers->iteration_ns));
    const bool replicated = view.config.params.d > 1;
    QString text = of_total && replicated
                       ? Figure::tr("Bubble %1 of total = idle time ÷ (p × d × iteration time of %2)")
                   : of_total ? Figure::tr("Bubble %1 of total = idle time ÷ (p × iteration time of %2)")
                              : Figure::tr("Bubble %1 of ideal = idle time ÷ busy time; iteration time %2");
    text = text.arg(notation.bubble(numbers->bubble_of_total), iteration);
    if (group.hasRun() && view.plan_summary.iteration_ns > 0)
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
    if (const QString disturbed = view.report ? disturbedText(*view.report) : QString(); !disturbed.isEmpty())
        sentences << sentenceText(disturbed) << disturbedMeaning(*view.report);
    if (view.report && view.report->tokens_per_s > 0)
        sentences << Figure::tr("%1 tokens/s.").arg(rateNumber(view.report->tokens_per_s));
    return sentencesText(sentences);
}

}  // namespace

QString captionText(std::span<const PreparedView> groups, const Notation& notation, const QDate& date) {
    QStringList sentences;
    for (const PreparedView& group : groups) {
        const QString subject =
            group.hasRun()
                ? Figure::tr("Iteration %1 of a %2").arg(group.view().number()).arg(modelText(group.view()))
                : modelText(group.view());
        const RunConfig& config = group.view().config;
        const QStringList parts{subject, parameterText(group.view()).simplified(), originText(group)};
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
        if (group.running() && group.view().standing == Standing::Cut)
            sentences << Figure::tr("The recording ends in this iteration, so its end is missing.");
        if (beside && beside->isSecond()) sentences << alignmentMeaning(*beside, notation);
        const QString numbers = numbersText(group, notation);
        if (!numbers.isEmpty()) sentences << numbers;
    }
    sentences << QStringLiteral("Bubblescope %1, %2.")
                     .arg(QLatin1String(BUBBLESCOPE_VERSION), date.toString(Qt::ISODate));
    return sentencesText(sentences);
}

}  // namespace bscope::ui
