// Words, layout and painting of the pending strip.
#include "widgets/bars/pending_strip.h"

#include <QEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "timeline/places_of.h"
#include "widgets/dock/memory_section.h"
#include "widgets/paint/mini_timeline.h"
#include "widgets/text/config_text.h"
#include "widgets/text/format.h"

namespace bscope::ui {
namespace {

constexpr int kHead = 38, kAxis = 20;

// 1, 2 or 5 times a power of ten, so that about `ticks` of them fit.
double tickStep(double range, int ticks) {
    const double raw = range / ticks, power = std::pow(10, std::floor(std::log10(raw)));
    for (double step : {1.0, 2.0, 5.0})
        if (raw <= step * power) return step * power;
    return 10 * power;
}

}  // namespace

PendingStrip::PendingStrip(QWidget* parent)
    : QWidget(parent),
      title_(new Label(TextRole::Accent, this)),
      change_(new Label(TextRole::Soft, this)),
      effect_(new Label(TextRole::Soft, this)),
      badge_(new Badge(this)),
      undo_(new Button(ButtonLook::Plain, Glyph::Undo, this)) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    undo_->setDesignHeight(26);
    change_->setElided(true);
    effect_->setElided(true);
    connect(undo_, &QAbstractButton::clicked, this, &PendingStrip::undoClicked);
    hide();
}

void PendingStrip::setPending(const std::optional<PendingChange>& pending, const RunConfig& in_force,
                              const IterationSummary& plan_now, double tokens_per_s_now) {
    pending_ = pending;
    in_force_ = in_force;
    plan_now_ = plan_now;
    tokens_now_ = tokens_per_s_now;
    setVisible(pending.has_value());
    refresh();
}

void PendingStrip::setNotation(const Notation& notation) {
    notation_ = notation;
    refresh();
}

void PendingStrip::refresh() {
    if (!pending_) return;
    const IterationSummary& next = pending_->summary;
    title_->setText(tr("Pending"));
    const QString changes = listText(configChanges(in_force_, pending_->config));
    changes_ = changes;
    changes_and_when_ = pending_->new_run
                            ? tr("%1: a new run starts").arg(changes)
                            : tr("%1, from iteration %2").arg(changes).arg(pending_->from_iteration + 1);
    const CatalogEntry* chosen = findSchedule(pending_->config.schedule);
    const int v = pending_->config.params.v;
    const bool v_came_along =
        chosen != nullptr && pending_->config.schedule != in_force_.schedule && v != in_force_.params.v;
    QStringList effects;
    if (v_came_along && chosen->fixed_v > 0)
        effects << tr("v = %1 is the only v of %2").arg(v).arg(scheduleTitle(pending_->config.schedule));
    else if (v_came_along && v == defaultChunks(*chosen))
        effects << tr("v = %1 is the usual v of %2").arg(v).arg(scheduleTitle(pending_->config.schedule));
    if (!plan_now_.ranks.empty()) {
        effects << tr("bubble %1 → %2")
                       .arg(notation_.bubble(plan_now_.bubble_of_total),
                            notation_.bubble(next.bubble_of_total));
        if (tokens_now_ > 0)
            effects << tr("throughput %1").arg(bscope::ui::changeText(tokens_now_, pending_->tokens_per_s));
        const QString now = notation_.duration(static_cast<double>(plan_now_.iteration_ns));
        const QString then = notation_.duration(static_cast<double>(next.iteration_ns));
        const QString unit = withUnit({}, notation_.unitName());
        const bool same_unit = now.endsWith(unit) && then.endsWith(unit);
        effects << tr("iteration %1 → %2").arg(same_unit ? now.chopped(unit.size()) : now, then);
        const QString before = bytesText(static_cast<double>(largestPeak(plan_now_)));
        const QString after = bytesText(static_cast<double>(largestPeak(next)));
        effects << (before == after ? tr("peak unchanged") : tr("peak %1 → %2").arg(before, after));
    }
    effect_->setText(effects.join(QStringLiteral("   ")));
    badge_->setProvenance(Provenance::Predicted);
    undo_->setText(tr("Undo"));
    undo_->updateGeometry();
    updateGeometry();
    place();
    update();
}

double PendingStrip::rowPitch() const {
    const int ranks = pending_ ? std::max(1, pending_->config.params.layout().world()) : 4;
    return std::clamp(76.0 / ranks, 4.0, 19.0) * currentTheme().scale;
}

QSize PendingStrip::sizeHint() const {
    const Theme& theme = currentTheme();
    const int ranks = pending_ ? pending_->config.params.layout().world() : 4;
    return {theme.px(600), theme.px(kHead + kAxis) + static_cast<int>(std::ceil(rowPitch() * ranks))};
}

QRectF PendingStrip::plotRect() const {
    const Theme& theme = currentTheme();
    const double left = theme.px(width() < theme.px(800) ? 64 : 96),
                 right = theme.px(width() < theme.px(800) ? 72 : 100);
    return QRectF(left, theme.px(kHead), width() - left - right, height() - theme.px(kHead + kAxis));
}

void PendingStrip::place() {
    const Theme& theme = currentTheme();
    const int middle = theme.px(19), right = width() - theme.px(16);
    undo_->resize(undo_->sizeHint());
    undo_->move(right - undo_->width(), middle - undo_->height() / 2);
    int left = theme.px(16);
    // The tool bar says when, too; what it changes is only here.
    change_->setText(changes_and_when_);
    int wanted = left;
    for (QWidget* part : std::initializer_list<QWidget*>{title_, change_, badge_, effect_})
        wanted += part->sizeHint().width() + theme.px(12);
    if (wanted > undo_->x() && pending_ && !pending_->new_run) change_->setText(changes_);
    for (QWidget* part : std::initializer_list<QWidget*>{title_, change_, badge_, effect_}) {
        int room = undo_->x() - theme.px(12) - left;
        if (part == change_) room -= badge_->sizeHint().width() + theme.px(12);  // which is never cut
        part->setVisible(room > theme.px(40));
        part->resize(std::min(part->sizeHint().width(), std::max(0, room)), part->sizeHint().height());
        part->move(left, middle - part->height() / 2);
        left += part->width() + theme.px(12);
    }
    effect_->setToolTip(effect_->text());
    change_->setToolTip(changes_and_when_);
}

void PendingStrip::followTheme() {
    place();
}

void PendingStrip::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) refresh();
    QWidget::changeEvent(event);
}

void PendingStrip::paintEvent(QPaintEvent*) {
    const Theme& theme = currentTheme();
    QPainter painter(this);
    painter.fillRect(rect(), theme.canvas);
    QPen dashes(theme.accent, 1);
    dashes.setDashPattern({3, 2});
    painter.setPen(dashes);
    painter.drawLine(QPointF(0, 0.5), QPointF(width(), 0.5));
    if (!pending_ || !pending_->planned) return;

    const QRectF plot = plotRect();
    const double range_ns = static_cast<double>(std::max<std::int64_t>(1, pending_->summary.iteration_ns));
    MiniTimelineStyle style;
    style.row_gap = rowPitch() > 8 ? theme.px(3) : 1;
    style.row_height = rowPitch() - style.row_gap;
    style.numbers = true;
    style.count_from_zero = notation_.count_from_zero;
    RunConfig same_but_m = pending_->config;
    same_but_m.params.m = in_force_.params.m;
    const bool grows = same_but_m == in_force_ && pending_->config.params.m > in_force_.params.m;
    if (grows) style.bright_from = in_force_.params.m;
    paintMiniTimeline(painter, plot, *pending_->planned, placesOf(*pending_->planned), theme, range_ns,
                      style);

    const bool tight = rowPitch() < theme.px(13);  // every second or fourth lane is named
    painter.setFont(theme.font(tight ? 10 : 11));
    for (const RankSummary& rank : pending_->summary.ranks) {
        if (tight && rank.rank % (rowPitch() < theme.px(7) ? 4 : 2) != 0) continue;
        const QRectF line(theme.px(16),
                          plot.top() + rowPitch() * (rank.rank + 0.5) - theme.px(8) - style.row_gap / 2,
                          plot.left() - theme.px(16), theme.px(16));
        painter.setPen(theme.text_faint);
        painter.drawText(line, Qt::AlignVCenter, rankText(rank.rank));
        painter.drawText(line.translated(plot.right() + theme.px(16) - line.left(), 0), Qt::AlignVCenter,
                         notation_.bubble(rank.bubble_of_total));
    }
    painter.setFont(theme.font(10));
    painter.setPen(theme.text_faint);
    const double range = range_ns / notation_.unitNs(), step = tickStep(range, 5);
    for (double at = 0; at <= range; at += step) {
        const double x = plot.left() + plot.width() * at / range;
        const QString label =
            at == 0 ? withUnit(QStringLiteral("0"), notation_.unitName()) : trimmedText(at, 2);
        const double room = theme.px(60);
        const int horizontal = at == 0 ? Qt::AlignLeft : Qt::AlignHCenter;
        painter.drawText(QRectF(at == 0 ? x : x - room / 2, plot.bottom() + 1, room, theme.px(16)),
                         Qt::AlignVCenter | horizontal, label);
    }
    if (grows && width() > theme.px(800))
        painter.drawText(QRectF(plot.right() + theme.px(16), plot.bottom() + 1, theme.px(84), theme.px(16)),
                         Qt::AlignVCenter, tr("bright: new ones"));
}

}  // namespace bscope::ui
