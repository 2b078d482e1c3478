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

QString shapeText(const RunConfig& config, const QString& between) {
    const ScheduleParams& params = config.params;
    QStringList parts{QStringLiteral("p=%1").arg(params.p), QStringLiteral("m=%1").arg(params.m),
                      QStringLiteral("v=%1").arg(params.v)};
    if (params.d > 1) parts << QStringLiteral("d=%1").arg(params.d);
    if (params.zero > 0) parts << QStringLiteral("ZeRO-%1").arg(params.zero);
    if (params.t > 1) parts << QStringLiteral("t=%1").arg(params.t);
    if (params.segments > 1) parts << QStringLiteral("q=%1").arg(params.segments);
    if (config.sequence_parallel) parts << QStringLiteral("SP");
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
    const bool of_earlier = numbers == nullptr && first && picture.last_complete && !group.isPlayedPlan();
    if (of_earlier) numbers = &picture.last_complete->summary;
    if (numbers == nullptr || numbers->iteration_ns <= 0) return runs;
    if (of_earlier && !of_other)
        runs.push_back(word(QStringLiteral("#%1:  ").arg(picture.last_complete->number)));
    if (of_other)
        runs.push_back(word(
            otherRunName(picture.last_complete->number, picture.last_complete->config, group.view().config) +
            QStringLiteral(":  ")));
    if (picture.layout.stacked) {
        runs.push_back(word(Canvas::tr("iteration") + u' '));
        runs.push_back(figure(picture.notation.duration(static_cast<double>(numbers->iteration_ns)) +
                              QStringLiteral("   ")));
    }
    runs.push_back(
        word((!group.isPlan() ? said(sentence("bubble")) : Canvas::tr("predicted bubble")) + u' '));
    runs.push_back(figure(picture.notation.bubble(numbers->bubble_of_total)));
    runs.push_back(
        word(u' ' + (picture.notation.definition == BubbleDefinition::OfTotal ? said(sentence("of total"))
                                                                              : said(sentence("of ideal")))));
    if (picture.layout.stacked || !group.hasRun()) return runs;
    const std::optional<IterationReport> report = picture.reportBeside(group);
    if (!report) return runs;
    if (with_theory && report->theory_bubble_of_total)
        runs.push_back(word(
            spaced(Canvas::tr("(theory %1)").arg(picture.notation.bubble(*report->theory_bubble_of_total)))));
    if (report->tokens_per_s > 0) {
        runs.push_back(figure(QStringLiteral("    ") + rateNumber(report->tokens_per_s)));
        runs.push_back(word(u' ' + said(sentence("tokens/s"))));
    }
    return runs;
}

// On paper nothing is live, and an unfinished iteration is marked as such.
QString stateText(const Picture& picture, const PreparedView& group) {
    if (!group.hasRun() || !group.running()) return {};
    const IterationView& view = group.view();
    if (picture.figure() && !picture.of_film)
        return Canvas::tr("incomplete, up to %1").arg(picture.notation.duration(group.relative(view.now_ns)));
    return iterationStateText(view.iteration_state);
}

}  // namespace

QString parameterText(const IterationView& view) {
    const QString shape = shapeText(view.config, QStringLiteral("  "));
    // Files of others show recomputation only where it is a range of its own.
    if (view.import && view.config.recompute == Recompute::None) return shape;
    QStringList parts{shape, view.import ? Canvas::tr("checkpointing on") : checkpointingText(view.config)};
    if (!view.config.layers_per_stage.empty()) {
        QStringList layers;
        for (const int count : view.config.layers_per_stage) layers << QString::number(count);
        parts << Canvas::tr("layers %1").arg(layers.join(u' '));
    }
    return parts.join(QStringLiteral(" · "));
}

QString calibratedText(const IterationView& view) {
    if (view.calibrated_over < 0 || view.ran->empty()) return {};
    const QString words = view.calibrated_over == 0 ? Canvas::tr("calibrated from the next iteration on")
                          : view.calibrated_over == 1
                              ? Canvas::tr("calibrated, from 1 iteration")
                              : Canvas::tr("calibrated, medians of %1 iterations").arg(view.calibrated_over);
    return QStringLiteral(" · ") + words;
}

double numbersLine(const LaneLayout& layout, const QRectF& area) {
    return layout.columns > 1 ? area.top() + 0.72 * area.height() : area.center().y();
}

namespace {

// "A   1F1B", or with the iteration where one of another file stands beside it.
QString nameOf(const IterationView& view, QChar letter) {
    const QString name = scheduleTitle(view.config.schedule);
    if (view.beside)
        return (view.beside->is_baseline ? Canvas::tr("Baseline") : Canvas::tr("This")) + u' ' +
               iterationName(view, view.beside->other_file) + QStringLiteral("   ") + name;
    return letter.isNull() ? name : letter + QStringLiteral("   ") + name;
}

// What the badge says besides where the times come from; each begins with a dot.
struct BadgeMore {
    QString calibrated, wrong, pooled, by_hand;
    QString needed() const { return calibrated + wrong + pooled; }
};

BadgeMore badgeMore(const IterationView& view) {
    const auto dotted = [](const QString& text) { return QStringLiteral(" · ") + text; };
    BadgeMore more;
    more.calibrated = calibratedText(view);
    if (view.import && !view.import->aligned)
        more.wrong = dotted(said(sentence("operations contradict each other")));
    if (!view.pooled_over.empty())
        more.pooled =
            dotted(Canvas::tr("durations pooled over %1").arg(QString::fromStdString(view.pooled_over)));
    if (view.costs_by_hand) more.by_hand = dotted(Canvas::tr("costs given by hand"));
    return more;
}

TimingSource timingOf(const Picture& picture, const PreparedView& group) {
    const std::optional<IterationReport> report = picture.reportBeside(group);
    return group.hasRun() && report ? report->timing.source : TimingSource::Host;
}

bool saysRecording(const IterationView& view) {
    return view.recording && !view.import;  // an import shows no words about recordings
}

// On paper that has no room for name and badge beside each other: the name, below it the badge, below that
// what else there is to say.
struct NarrowTitle {
    QFont name_font, rest_font;
    QString name, badge;
    QStringList rest;  // lines
    int lines() const { return 2 + static_cast<int>(rest.size()); }
};

std::optional<NarrowTitle> narrowTitle(const Picture& picture, const PreparedView& group, double width,
                                       QChar letter) {
    if (!picture.figure() || picture.layout.columns > 1) return std::nullopt;
    const Theme& theme = picture.theme;
    const IterationView& view = group.view();
    const BadgeMore more = badgeMore(view);
    const TimingSource timing = timingOf(picture, group);
    const bool recording = saysRecording(view);
    const QString state = stateText(picture, group).isEmpty() ? QString() : Canvas::tr("incomplete");
    const QFont name_font = theme.font(15, QFont::DemiBold), state_font = theme.font(12, QFont::Medium);
    NarrowTitle title{name_font,
                      theme.font(11),
                      nameOf(view, letter),
                      badgeText(group.provenance(), {}, recording, timing) + more.needed(),
                      {}};
    const double beside = textWidth(title.name, name_font) + 14 * theme.scale +
                          badgeWidth(title.badge, theme) +
                          (state.isEmpty() ? 0 : 12 * theme.scale + textWidth(state, state_font));
    if (beside <= width) return std::nullopt;
    QStringList pieces;
    if (badgeWidth(title.badge, theme) > width) {
        title.badge = badgeText(group.provenance(), {}, false);
        const QString whole = badgeText(group.provenance(), {}, recording, timing) + more.needed();
        pieces = whole.mid(title.badge.size()).split(QStringLiteral(" · "), Qt::SkipEmptyParts);
    }
    if (const QString words = stateText(picture, group); !words.isEmpty()) pieces << words;
    for (const QString& piece : pieces) {
        const QString longer =
            title.rest.isEmpty() ? piece : title.rest.back() + QStringLiteral(" · ") + piece;
        if (!title.rest.isEmpty() && textWidth(longer, title.rest_font) <= width)
            title.rest.back() = longer;
        else
            title.rest << piece;
    }
    title.name_font = fittingFont(title.name, theme, 15, QFont::DemiBold, width);
    return title;
}

// The bubble alone, without the word that says of what.
std::vector<TextRun> bubbleAlone(std::vector<TextRun> numbers) {
    if (numbers.size() > 4) numbers.erase(numbers.begin(), numbers.begin() + 2);
    if (numbers.size() > 2) numbers.pop_back();
    return numbers;
}

// On paper numbers stand in the head of every run or of none: the caption has them, too.
bool everyHeadHasNumbers(const Picture& picture, double width) {
    const Theme& theme = picture.theme;
    for (std::size_t i = 0; i < picture.groups.size(); ++i) {
        const PreparedView& group = picture.groups[i];
        const IterationView& view = group.view();
        const QChar letter = letterOfGroup(picture, i);
        const double numbers = runsWidth(bubbleAlone(numbersOf(picture, group, false)));
        const auto narrow = narrowTitle(picture, group, width, letter);
        const QString badge = narrow ? narrow->badge
                                     : badgeText(group.provenance(), {}, false, timingOf(picture, group)) +
                                           badgeMore(view).needed();
        const double name = narrow ? 0
                                   : textWidth(nameOf(view, letter), theme.font(15, QFont::DemiBold)) +
                                         (12 + 14) * theme.scale;
        if (name + badgeWidth(badge, theme) + (narrow ? 12 : 24) * theme.scale + numbers > width)
            return false;
    }
    return true;
}

void drawNarrowTitle(QPainter& painter, const Picture& picture, const PreparedView& group,
                     const NarrowTitle& title, const QRectF& area) {
    const Theme& theme = picture.theme;
    double y = area.top() + picture.layout.first_title_line / 2;
    drawLeft(painter, {0, y},
             QFontMetricsF(title.name_font).elidedText(title.name, Qt::ElideRight, area.width()),
             title.name_font, theme.text);
    y += kTitleLine * theme.scale;
    if (group.view().covered) return;
    drawBadge(painter, {0, y}, group.provenance(), title.badge, theme);
    std::vector<TextRun> numbers;
    if (picture.layout.stacked && everyHeadHasNumbers(picture, area.width()))
        numbers = numbersOf(picture, group, false);
    const auto fits = [&] {
        return badgeWidth(title.badge, theme) + 12 * theme.scale + runsWidth(numbers) <= area.width();
    };
    if (!fits()) numbers = bubbleAlone(std::move(numbers));
    if (fits()) drawRuns(painter, area.right() - runsWidth(numbers), y, numbers);
    for (const QString& line : title.rest) {
        y += kTitleLine * theme.scale;
        drawLeft(painter, {0, y}, line, fittingFont(line, theme, 11, QFont::Normal, area.width()),
                 theme.text);
    }
}

}  // namespace

QChar letterOfGroup(const Picture& picture, std::size_t group) {
    return picture.layout.stacked ? QChar(static_cast<char16_t>(u'A' + group)) : QChar();
}

int titleLines(const Picture& picture, const PreparedView& group, double width, QChar letter) {
    const std::optional<NarrowTitle> narrow = narrowTitle(picture, group, width, letter);
    return narrow ? narrow->lines() : 1;
}

void drawTitle(QPainter& painter, const Picture& picture, const PreparedView& group, const QRectF& area,
               QChar letter) {
    const Theme& theme = picture.theme;
    const IterationView& view = group.view();
    if (const auto narrow = narrowTitle(picture, group, area.width(), letter))
        return drawNarrowTitle(painter, picture, group, *narrow, area);
    const bool two_lines = picture.layout.columns > 1;
    const double s = theme.scale, margin = picture.figure() ? 0 : 16 * s,
                 y = two_lines ? area.top() + 0.3 * area.height()
                               : area.top() + picture.layout.first_title_line / 2,
                 width = two_lines ? picture.layout.all.width() : area.width();
    const QFont strong = theme.font(15, QFont::DemiBold), soft = theme.font(12);

    const bool notice = !picture.notice.isEmpty() && !picture.layout.stacked;
    QString name = nameOf(view, letter);
    QString parameters = parameterText(view);
    if (!group.isPlan() && !picture.layout.stacked)
        parameters += QStringLiteral(" · ") + Canvas::tr("iteration %1").arg(view.number());
    const TimingSource timing = timingOf(picture, group);
    const bool recording = saysRecording(view);
    const BadgeMore more = badgeMore(view);
    QString badge = badgeText(group.provenance(), QString::fromStdString(view.device), recording, timing) +
                    more.needed() + more.by_hand;
    QString state = stateText(picture, group);
    const QFont state_font = theme.font(12, QFont::Medium);

    // Shown where numbers in boxes or memory curves had no room, so that they are not taken for missing.
    const bool has_boxes = group.usualDuration(Op::Forward, -1) > 0;
    QString hidden;
    if (has_boxes && BoxNumbers(picture, group).fontOf(Op::Forward, -1) == nullptr &&
        !picture.layout.stacked && !picture.figure())
        hidden = Canvas::tr("numbers hidden: zoom in");
    if (picture.layout.memory_left_out && &group == &picture.groups.front())
        hidden = Canvas::tr("memory curves: no room");

    const auto leftWidth = [&](const QString& with_parameters, const QString& with_badge) {
        return margin + textWidth(name, strong) +
               (with_parameters.isEmpty() ? 0 : 12 * s + textWidth(with_parameters, soft)) + 14 * s +
               badgeWidth(with_badge, theme) + (state.isEmpty() ? 0 : 12 * s + textWidth(state, state_font)) +
               (hidden.isEmpty() ? 0 : 14 * s + textWidth(hidden, soft));
    };
    const bool narrow_paper = picture.figure() && picture.layout.stacked && !two_lines;
    const auto rightRuns = [&](bool with_theory) {
        std::vector<TextRun> runs;
        if (picture.figure() && !picture.layout.stacked)
            return runs;  // the badge stands at the right end; the numbers are in the caption
        if (picture.title_covered) return runs;
        if (narrow_paper && !everyHeadHasNumbers(picture, area.width())) return runs;
        runs = numbersOf(picture, group, with_theory);
        if (notice)
            runs.insert(runs.begin(), {picture.notice + (runs.empty() ? QString() : QStringLiteral("    ")),
                                       theme.font(12, QFont::Medium), theme.text});
        return runs;
    };
    std::vector<TextRun> right = rightRuns(true);
    const auto fits = [&] {
        const double numbers = two_lines ? 0 : right.empty() ? margin : runsWidth(right) + margin + 24 * s;
        return leftWidth(parameters, badge) + numbers <= width;
    };
    if (!fits()) right = rightRuns(false);
    if (!fits() && !picture.layout.memory_left_out) hidden.clear();
    if (!fits()) badge = badgeText(group.provenance(), QString(), recording, timing) + more.needed();
    if (!fits()) parameters = shapeText(view.config, QStringLiteral(" "));
    if (!fits()) hidden.clear();
    // Of a figure what ran is more than that it is a recording.
    if (!fits() && picture.figure())
        badge = badgeText(group.provenance(), QString(), false, timing) + more.needed();
    const QString calibrated = calibratedText(view);
    const auto shorten = [&] {
        if (!fits() && !calibrated.isEmpty())
            badge.replace(calibrated, QStringLiteral(" · ") + Canvas::tr("calibrated"));
    };
    if (picture.figure()) shorten();  // on paper the parameters say more
    if (!fits()) parameters.clear();
    shorten();
    if (!fits() && notice)  // which the status line has, too
        if (auto numbers = numbersOf(picture, group, false); !numbers.empty()) right = std::move(numbers);
    if (!fits() && picture.figure() && !state.isEmpty())
        state = Canvas::tr("incomplete");                 // the caption says how far
    if (!fits() && !picture.figure()) state.truncate(1);  // the sign without its word; the status line has it
    // On narrow paper of several runs the bubble stays longest; the caption has the others.
    if (narrow_paper && !fits()) right = bubbleAlone(std::move(right));
    if (!fits()) {                                        // bubble and tokens/s stay
        const double others = leftWidth(parameters, badge) - textWidth(name, strong);
        const double room = width - others -
                            (two_lines       ? 0
                             : right.empty() ? margin
                                             : runsWidth(right) + margin + 24 * s);
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
