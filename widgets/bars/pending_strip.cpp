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

// Middles of the two lines of words, and where the timeline begins.
constexpr int kFirstLine = 15, kSecondLine = 34, kPlot = 44, kBelow = 5;

}  // namespace

PendingStrip::PendingStrip(QWidget* parent)
    : QWidget(parent),
      title_(new Label(TextRole::Accent, this)),
      change_(new Label(TextRole::Soft, this)),
      effect_(new Label(TextRole::Soft, this)),
      badge_(new Badge(this)),
      undo_(new Button(ButtonLook::Plain, Glyph::Undo, this)) {
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Ignored);
    policy.setRetainSizeWhenHidden(true);  // what stands beside it keeps its place
    setSizePolicy(policy);
    undo_->setDesignHeight(22);
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
    QStringList effects;  // by weight
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
    if (v_came_along && chosen->fixed_v > 0)
        effects << tr("v = %1 is the only v of %2").arg(v).arg(scheduleTitle(pending_->config.schedule));
    else if (v_came_along && v == defaultChunks(*chosen))
        effects << tr("v = %1 is the usual v of %2").arg(v).arg(scheduleTitle(pending_->config.schedule));
    if (brightFrom() > 0) effects << tr("bright: new ones");
    effects_ = std::move(effects);
    badge_->setProvenance(Provenance::Predicted);
    undo_->setText(tr("Undo"));
    undo_->updateGeometry();
    updateGeometry();
    place();
    update();
}

// Micro-batches from here on are new; 0: more has changed than m, or none is new.
int PendingStrip::brightFrom() const {
    RunConfig same_but_m = pending_->config;
    same_but_m.params.m = in_force_.params.m;
    return same_but_m == in_force_ && pending_->config.params.m > in_force_.params.m ? in_force_.params.m : 0;
}

QSize PendingStrip::sizeHint() const {
    return {currentTheme().px(380), currentTheme().px(84)};
}

QSize PendingStrip::minimumSizeHint() const {
    return {currentTheme().px(240), currentTheme().px(56)};
}

QRectF PendingStrip::plotRect() const {
    const Theme& theme = currentTheme();
    const double left = theme.px(62), right = theme.px(56);
    return QRectF(left, theme.px(kPlot), width() - left - right,
                  std::max(1, height() - theme.px(kPlot + kBelow)));
}

QString PendingStrip::joined(qsizetype effects) const {
    return effects_.first(effects).join(QStringLiteral("   "));
}

// Words, badge and Undo in the first line, what the change does in the second: no number is cut in two.
void PendingStrip::place() {
    const Theme& theme = currentTheme();
    const int right = width() - theme.px(12), gap = theme.px(8);
    const auto middle = [&theme](QWidget* part, int line) { return theme.px(line) - part->height() / 2; };
    undo_->resize(undo_->sizeHint());
    undo_->move(right - undo_->width(), middle(undo_, kFirstLine));
    badge_->resize(badge_->sizeHint());
    badge_->move(undo_->x() - gap - badge_->width(), middle(badge_, kFirstLine));
    const int left = theme.px(12);
    int room = badge_->x() - gap - left;
    const int title = title_->sizeHint().width() + gap;
    // The tool bar says when, too; what it changes is only here.
    change_->setText(changes_and_when_);
    if (change_->sizeHint().width() > room - title && pending_ && !pending_->new_run)
        change_->setText(changes_);
    const bool titled = room - title >= std::min(change_->sizeHint().width(), theme.px(90));
    title_->setVisible(titled);
    title_->resize(title_->sizeHint());
    title_->move(left, middle(title_, kFirstLine));
    const int from = titled ? left + title : left;
    room -= from - left;
    change_->resize(std::clamp(room, 0, change_->sizeHint().width()), change_->sizeHint().height());
    change_->move(from, middle(change_, kFirstLine));
    qsizetype shown = effects_.size();
    effect_->setText(joined(shown));
    while (shown > 1 && effect_->sizeHint().width() > right - left) effect_->setText(joined(--shown));
    effect_->resize(std::max(0, right - left), effect_->sizeHint().height());
    effect_->move(left, middle(effect_, kSecondLine));
    effect_->setToolTip(effectText());
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
    painter.fillRect(rect(), theme.panel);
    QPen dashes(theme.accent, 1);
    dashes.setDashPattern({3, 2});
    painter.setPen(dashes);
    painter.drawLine(QPointF(0, 0.5), QPointF(width(), 0.5));
    painter.drawLine(QPointF(0.5, 0), QPointF(0.5, height()));
    if (!pending_ || !pending_->planned) return;

    const QRectF plot = plotRect();
    const double range_ns = static_cast<double>(std::max<std::int64_t>(1, pending_->summary.iteration_ns));
    const double pitch = plot.height() / std::max(1, pending_->config.params.layout().world());
    MiniTimelineStyle style;
    style.row_gap = pitch > 10 ? theme.px(2) : pitch > 4 ? 1 : 0;
    style.row_height = pitch - style.row_gap;
    style.numbers = true;
    style.count_from_zero = notation_.count_from_zero;
    style.bright_from = brightFrom();
    paintMiniTimeline(painter, plot, *pending_->planned, placesOf(*pending_->planned), theme, range_ns,
                      style);

    painter.setFont(theme.font(10));
    painter.setPen(theme.text_faint);
    const int every = std::max(1, static_cast<int>(std::ceil(theme.px(12) / pitch)));  // lane is named
    for (const RankSummary& rank : pending_->summary.ranks) {
        if (rank.rank % every != 0) continue;
        const QRectF line(theme.px(12), plot.top() + pitch * rank.rank + style.row_height / 2 - theme.px(8),
                          plot.left() - theme.px(12), theme.px(16));
        painter.drawText(line, Qt::AlignVCenter, rankText(rank.rank));
        painter.drawText(line.translated(plot.right() + theme.px(8) - line.left(), 0), Qt::AlignVCenter,
                         notation_.bubble(rank.bubble_of_total));
    }
}

}  // namespace bscope::ui
