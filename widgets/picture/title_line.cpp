// The title line: what ran, with which parameters, where its times come from, and what came out.

#include <QFontMetricsF>
#include <algorithm>
#include <utility>

#include "widgets/paint/badge.h"
#include "widgets/paint/text_runs.h"
#include "widgets/picture/box_numbers.h"
#include "widgets/picture/timeline_painter.h"
#include "widgets/text/canvas_words.h"
#include "widgets/text/config_text.h"
#include "widgets/text/format.h"
#include "widgets/text/iteration_name.h"

namespace bscope::ui {

namespace {

QString shapeText(const ScheduleParams& params, const QString& between) {
    QStringList parts{QStringLiteral("p=%1").arg(params.p), QStringLiteral("m=%1").arg(params.m),
                      QStringLiteral("v=%1").arg(params.v)};
    if (params.d > 1) parts << QStringLiteral("d=%1").arg(params.d);
    return parts.join(between);
}

QString checkpointingText(const RunConfig& config) {
    if (config.recomputesInBackward()) return Canvas::tr("checkpointing full, every layer");
    switch (config.recompute) {
        case Recompute::None:
            return Canvas::tr("checkpointing off");
        case Recompute::Full:
            return Canvas::tr("checkpointing full");
        case Recompute::Selective:
            return Canvas::tr("checkpointing selective");
    }
    return {};
}

QString iterationStateText(IterationState iteration_state) {
    switch (iteration_state) {
        case IterationState::Live:
            return QStringLiteral("● ") + Canvas::tr("Live");
        case IterationState::Paused:
            return QStringLiteral("‖ ") + Canvas::tr("Paused");
        case IterationState::Interrupted:
            return QStringLiteral("■ ") + Canvas::tr("Interrupted");
        case IterationState::Cut:
            return QStringLiteral("■ ") + Canvas::tr("Cut: the recording ends here");
        case IterationState::Replayed:  // the badge says so
            break;
    }
    return {};
}

// Its own, else that of the last complete iteration.
std::optional<IterationReport> reportBeside(const Picture& picture, const PreparedView& group) {
    const auto& own = group.view().report;
    return own || !picture.last_complete ? own : picture.last_complete->report;
}

// Bubble in words with its definition, theory in brackets, tokens/s; the plan's own when nothing ran.
std::vector<TextRun> numbersOf(const Picture& picture, const PreparedView& group, bool with_theory) {
    const Theme& theme = picture.theme;
    const QFont soft = theme.font(12), strong = theme.font(12.5, QFont::DemiBold);
    const bool first = &group == &picture.groups.front();
    const bool of_other = first && picture.numbersAreOfOtherRun();
    const auto word = [&](const QString& text) {
        return TextRun{text, soft, of_other ? theme.text_faint : theme.text_soft};
    };
    const auto figure = [&](const QString& text) {
        return TextRun{text, of_other ? soft : strong, of_other ? theme.text_faint : theme.text};
    };
    std::vector<TextRun> runs;
    const IterationSummary* numbers = group.numbers();
    if (numbers == nullptr && first && picture.last_complete && !group.isPlayedPlan())
        numbers = &picture.last_complete->summary;
    if (numbers == nullptr || numbers->iteration_ns <= 0) return runs;
    if (of_other)
        runs.push_back(word(
            otherRunName(picture.last_complete->number, picture.last_complete->config, group.view().config) +
            QStringLiteral(":  ")));
    if (picture.layout.stacked) {
        runs.push_back(word(Canvas::tr("iteration") + u' '));
        runs.push_back(figure(picture.notation.duration(static_cast<double>(numbers->iteration_ns)) +
                              QStringLiteral("   ")));
    }
    runs.push_back(word((!group.isPlan() ? Canvas::tr("bubble") : Canvas::tr("predicted bubble")) + u' '));
    runs.push_back(figure(picture.notation.bubble(numbers->bubble_of_total)));
    runs.push_back(
        word(u' ' + (picture.notation.definition == BubbleDefinition::OfTotal ? Canvas::tr("of total")
                                                                              : Canvas::tr("of ideal"))));
    if (picture.layout.stacked || !group.hasRun()) return runs;
    const std::optional<IterationReport> report = reportBeside(picture, group);
    if (!report) return runs;
    if (with_theory && report->theory_bubble_of_total)
        runs.push_back(word(
            spaced(Canvas::tr("(theory %1)").arg(picture.notation.bubble(*report->theory_bubble_of_total)))));
    if (report->tokens_per_s > 0) {
        runs.push_back(figure(QStringLiteral("    ") + rateNumber(report->tokens_per_s)));
        runs.push_back(word(u' ' + Canvas::tr("tokens/s")));
    }
    return runs;
}

// On paper nothing is live, and an unfinished iteration is marked as such.
QString stateText(const Picture& picture, const PreparedView& group) {
    if (!group.hasRun() || !group.running()) return {};
    const IterationView& view = group.view();
    if (picture.figure())
        return Canvas::tr("incomplete, up to %1").arg(picture.notation.duration(group.relative(view.now_ns)));
    return iterationStateText(view.iteration_state);
}

}  // namespace

QString parameterText(const IterationView& view) {
    const QString shape = shapeText(view.config.params, QStringLiteral("  "));
    // Files of others show recomputation only where it is a range of its own.
    if (view.import && view.config.recompute == Recompute::None) return shape;
    return shape + QStringLiteral(" · ") +
           (view.import ? Canvas::tr("checkpointing on") : checkpointingText(view.config));
}

QString calibratedText(const IterationView& view) {
    if (view.calibrated_over < 0 || view.ran->empty()) return {};
    const QString words = view.calibrated_over == 0   ? Canvas::tr("calibrated from the next iteration on")
                          : view.calibrated_over == 1 ? Canvas::tr("calibrated, by 1 iteration")
                                                      : Canvas::tr("calibrated, medians of %1 iterations")
                                                            .arg(view.calibrated_over);
    return QStringLiteral(" · ") + words;
}

double numbersLine(const LaneLayout& layout, const QRectF& area) {
    return layout.columns > 1 ? area.top() + 0.72 * area.height() : area.center().y();
}

void drawTitle(QPainter& painter, const Picture& picture, const PreparedView& group, const QRectF& area,
               QChar letter) {
    const Theme& theme = picture.theme;
    const IterationView& view = group.view();
    const bool two_lines = picture.layout.columns > 1;
    const double s = theme.scale, margin = picture.figure() ? 0 : 16 * s,
                 y = two_lines ? area.top() + 0.3 * area.height() : area.center().y(),
                 width = two_lines ? picture.layout.all.width() : area.width();
    const QFont strong = theme.font(15, QFont::DemiBold), soft = theme.font(12);

    const bool notice = !picture.notice.isEmpty() && !picture.layout.stacked;
    QString name = scheduleTitle(view.config.schedule);
    if (view.beside)
        name.prepend((view.beside->is_baseline ? Canvas::tr("Baseline") : Canvas::tr("This")) + u' ' +
                     iterationName(view, view.beside->other_file) + QStringLiteral("   "));
    else if (!letter.isNull())
        name.prepend(letter + QStringLiteral("   "));
    QString parameters = parameterText(view);
    if (!group.isPlan() && !picture.layout.stacked)
        parameters += QStringLiteral(" · ") + Canvas::tr("iteration %1").arg(view.number());
    const std::optional<IterationReport> report = reportBeside(picture, group);
    const TimingSource timing = group.hasRun() && report ? report->timing.source : TimingSource::Host;
    const bool recording = view.recording && !view.import;  // an import shows no words about recordings
    const QString pooled =
        view.pooled_over.empty()
            ? QString()
            : QStringLiteral(" · ") +
                  Canvas::tr("durations pooled over %1").arg(QString::fromStdString(view.pooled_over));
    const QString by_hand =
        view.costs_by_hand ? QStringLiteral(" · ") + Canvas::tr("costs given by hand") : QString();
    const QString calibrated = calibratedText(view);
    const QString wrong = view.import && !view.import->aligned
                              ? QStringLiteral(" · ") + Canvas::tr("operations contradict each other")
                              : QString();
    QString badge = badgeText(group.provenance(), QString::fromStdString(view.device), recording, timing) +
                    calibrated + wrong + pooled + by_hand;
    QString state = stateText(picture, group);
    const QFont state_font = theme.font(12, QFont::Medium);

    // Shown where numbers in boxes or memory curves had no room, so that they are not taken for missing.
    const bool has_boxes = group.usualDuration(Op::Forward, -1) > 0;
    QString hidden;
    if (has_boxes && BoxNumbers(picture, group).fontOf(Op::Forward, -1) == nullptr && !picture.layout.stacked)
        hidden = picture.figure() ? Canvas::tr("numbers left out: too narrow")
                                  : Canvas::tr("numbers hidden: zoom in");
    if (picture.layout.memory_left_out && &group == &picture.groups.front())
        hidden = Canvas::tr("memory curves: no room");

    const auto leftWidth = [&](const QString& with_parameters, const QString& with_badge) {
        return margin + textWidth(name, strong) +
               (with_parameters.isEmpty() ? 0 : 12 * s + textWidth(with_parameters, soft)) + 14 * s +
               badgeWidth(with_badge, theme) + (state.isEmpty() ? 0 : 12 * s + textWidth(state, state_font)) +
               (hidden.isEmpty() ? 0 : 14 * s + textWidth(hidden, soft));
    };
    const auto rightRuns = [&](bool with_theory) {
        std::vector<TextRun> runs;
        if (picture.figure() && !picture.layout.stacked)
            return runs;  // the badge stands at the right end; the numbers are in the caption
        runs = numbersOf(picture, group, with_theory);
        if (notice)
            runs.insert(runs.begin(), {picture.notice + (runs.empty() ? QString() : QStringLiteral("    ")),
                                       theme.font(12, QFont::Medium), theme.text});
        return runs;
    };
    std::vector<TextRun> right = rightRuns(true);
    const auto fits = [&] {
        const double numbers = two_lines ? 0 : runsWidth(right) + margin + 24 * s;
        return leftWidth(parameters, badge) + numbers <= width;
    };
    if (!fits()) right = rightRuns(false);
    if (!fits() && !picture.layout.memory_left_out) hidden.clear();
    if (!fits()) badge = badgeText(group.provenance(), QString(), recording, timing) + calibrated + wrong + pooled;
    if (!fits()) parameters = shapeText(view.config.params, QStringLiteral(" "));
    if (!fits()) hidden.clear();
    if (!fits()) parameters.clear();
    if (!fits() && !calibrated.isEmpty() && !picture.figure())
        badge.replace(calibrated, QStringLiteral(" · ") + Canvas::tr("calibrated"));
    if (!fits() && notice)  // which the status line has, too
        if (auto numbers = numbersOf(picture, group, false); !numbers.empty()) right = std::move(numbers);
    if (!fits() && picture.figure() && !state.isEmpty())
        state = Canvas::tr("incomplete");                 // the caption says how far
    if (!fits() && !picture.figure()) state.truncate(1);  // the sign without its word; the status line has it
    // On narrow paper of several runs the bubble stays longest; the caption has the others.
    const bool narrow_paper = picture.figure() && picture.layout.stacked && !two_lines;
    if (narrow_paper && !fits() && right.size() > 4) right.erase(right.begin(), right.begin() + 2);
    if (narrow_paper && !fits() && right.size() > 2) right.pop_back();
    if (narrow_paper && !fits()) right.clear();
    if (!fits()) {                                        // bubble and tokens/s stay
        const double others = leftWidth(parameters, badge) - textWidth(name, strong);
        const double room = width - others - (two_lines ? 0 : runsWidth(right) + margin + 24 * s);
        name = QFontMetricsF(strong).elidedText(name, Qt::ElideRight, std::max(room, 24 * s));
    }

    double x = margin;
    drawLeft(painter, {x, y}, name, strong, theme.text);
    x += textWidth(name, strong) + 12 * s;
    if (!parameters.isEmpty()) {
        drawLeft(painter, {x, y}, parameters, soft, theme.text_soft);
        x += textWidth(parameters, soft) + 14 * s;
    }
    if (!hidden.isEmpty() && picture.figure()) drawLeft(painter, {x, y}, hidden, soft, theme.text_faint);
    if (picture.figure() && !picture.layout.stacked) {
        x = area.right() - badgeWidth(badge, theme);
        if (!state.isEmpty()) drawRight(painter, {x - 12 * s, y}, state, state_font, theme.text);
    }
    if (view.covered) return;
    drawBadge(painter, {x, y}, group.provenance(), badge, theme);
    x += badgeWidth(badge, theme) + 12 * s;
    if (!state.isEmpty() && (!picture.figure() || picture.layout.stacked)) {
        const bool live = view.iteration_state == IterationState::Live && !picture.figure();
        drawLeft(painter, {x, y}, state, state_font, live ? theme.ok : theme.text);
        x += textWidth(state, state_font) + 14 * s;
    }
    if (!hidden.isEmpty() && !picture.figure()) drawLeft(painter, {x, y}, hidden, soft, theme.text_faint);
    if (two_lines) {
        while (!right.empty() && margin + runsWidth(right) > area.width()) right.pop_back();
        drawRuns(painter, margin, numbersLine(picture.layout, area), right);
    } else {
        drawRuns(painter, area.right() - margin - runsWidth(right), y, right);
    }
}

}  // namespace bscope::ui
