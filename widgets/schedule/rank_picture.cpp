// Geometry, painting and keys of the layout of ranks.
#include "widgets/schedule/rank_picture.h"

#include <QKeyEvent>
#include <QPainter>
#include <algorithm>
#include <utility>

#include "widgets/schedule/row_labels.h"
#include "widgets/text/config_text.h"

namespace bscope::ui {
namespace {

constexpr double kLayoutHeight = 200, kReplicaRow = 24, kStageColumn = 56;

QString listOf(const std::vector<int>& ranks) {
    QStringList texts;
    for (const int rank : ranks) texts << QString::number(rank);
    return texts.join(QStringLiteral(", "));
}

}  // namespace

RankPicture::RankPicture(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
}

void RankPicture::setLayoutOfRanks(const RankLayout& layout) {
    layout_ = layout;
    hovered_ = chosen_ = -1;
    setAccessibleName(sentence());
    updateGeometry();
    update();
    emit shownChanged();
}

QString RankPicture::sentence() const {
    const int rank = shown();
    if (rank < 0)
        return (layout_.t > 1
                    ? tr("%1 ranks: one column per stage, one row per replica and shard. Point at a "
                         "rank, or move with the arrow keys.")
                    : tr("%1 ranks: one column per stage, one row per replica. Point at a rank, or "
                         "move with the arrow keys."))
            .arg(layout_.world());
    const int stage = layout_.stageOf(rank), replica = layout_.replicaOf(rank), shard = layout_.shardOf(rank);
    const auto groupOf = [](const std::vector<std::vector<int>>& groups, int index) {
        return listOf(groups[static_cast<std::size_t>(index)]);
    };
    const QString text =
        tr("Rank %1: stage %2, replica %3. Exchanges activations among %4; reduces gradients with %5.")
            .arg(rank)
            .arg(stage)
            .arg(replica)
            .arg(groupOf(layout_.pipelineGroups(), rowOf(rank)),
                 groupOf(layout_.dataParallelGroups(), stage * layout_.t + shard));
    if (layout_.t == 1) return text;
    return text + ' ' +
           tr("Shard %1: computes its stage together with %2.")
               .arg(shard)
               .arg(groupOf(layout_.tensorParallelGroups(), rank / layout_.t));
}

int RankPicture::rows() const {
    return layout_.d * layout_.t;
}

int RankPicture::rowOf(int rank) const {
    return layout_.replicaOf(rank) * layout_.t + layout_.shardOf(rank);
}

int RankPicture::rankIn(int stage, int row) const {
    return layout_.rankOf(stage, row / layout_.t, row % layout_.t);
}

QString RankPicture::rowName(int row) const {
    const QString replica = tr("replica %1").arg(row / layout_.t),
                  shard = tr("shard %1").arg(row % layout_.t);
    if (layout_.t == 1) return replica;
    return layout_.d == 1 ? shard : tr("%1, %2", "replica, shard").arg(replica, shard);
}

double RankPicture::rowHeight() const {
    return heightOfRow(rows(), kReplicaRow, kLayoutHeight, currentTheme());
}

double RankPicture::headWidth() const {
    const Theme& theme = currentTheme();
    return QFontMetricsF(theme.font(11)).horizontalAdvance(rowName(rows() - 1)) + theme.px(10);
}

QSize RankPicture::sizeHint() const {
    const Theme& theme = currentTheme();
    return {theme.px(240), static_cast<int>(theme.px(18) + rows() * rowHeight()) + 2};
}

QRectF RankPicture::cellOf(int rank) const {
    const Theme& theme = currentTheme();
    const double column =
        std::min((width() - headWidth()) / std::max(1, layout_.p), kStageColumn * theme.scale);
    const double line = rowHeight() >= 8 ? 2 : 0;
    return {headWidth() + layout_.stageOf(rank) * column, theme.px(18) + rowOf(rank) * rowHeight(),
            column - std::min(4.0, column * 0.2), rowHeight() - line};
}

int RankPicture::rankAt(const QPointF& at) const {
    for (int rank = 0; rank < layout_.world(); ++rank)
        if (cellOf(rank).adjusted(-1, -1, 1, 1).contains(at)) return rank;
    return -1;
}

void RankPicture::paintEvent(QPaintEvent*) {
    const Theme& theme = currentTheme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const LabelledRows labelled{rows(), static_cast<double>(theme.px(18)), rowHeight(), headWidth()};
    paintRowLabels(painter, labelled, theme, [this](int row) { return rowName(row); });
    double next_label = 0;
    for (int stage = 0; stage < layout_.p; ++stage) {
        const QString text = said(bscope::sentence("stage {0}", stage)), number = QString::number(stage);
        const QRectF cell = cellOf(layout_.rankOf(stage, 0));
        const QFontMetricsF metrics(painter.font());
        const QString label = metrics.horizontalAdvance(text) <= cell.width() ? text : number;
        if (cell.center().x() - metrics.horizontalAdvance(label) / 2 < next_label) continue;
        painter.drawText(QRectF(cell.center().x() - 60, 0, 120, theme.px(16)), Qt::AlignCenter, label);
        next_label = cell.center().x() + metrics.horizontalAdvance(label) / 2 + 3;
    }
    const int lit = shown();
    painter.setFont(theme.font(11, QFont::DemiBold));
    for (int rank = 0; rank < layout_.world(); ++rank) {
        const QRectF cell = cellOf(rank);
        const bool pale =
            lit >= 0 && rowOf(rank) != rowOf(lit) && layout_.stageOf(rank) != layout_.stageOf(lit);
        QColor fill = theme.fill(Op::Forward, StagePlace{.position = layout_.stageOf(rank)});
        if (pale) fill.setAlphaF(0.35F);
        painter.fillRect(cell, fill);
        const QString text = QString::number(rank);
        if (!isRoomy(labelled, theme) || painter.fontMetrics().horizontalAdvance(text) > cell.width())
            continue;
        painter.setPen(pale ? theme.text_soft : theme.ink(fill));
        painter.drawText(cell, Qt::AlignCenter, text);
    }
    if (lit < 0) return;
    painter.setBrush(Qt::NoBrush);
    const int stage = layout_.stageOf(lit), row = rowOf(lit);
    const auto frame = [&](int first, int last, Qt::PenStyle style) {
        painter.setPen(QPen(theme.text, 1.5 * theme.line(), style));
        painter.drawRoundedRect(cellOf(first).united(cellOf(last)).adjusted(-1, -1, 1, 1), 3, 3);
    };
    frame(rankIn(stage, 0), rankIn(stage, rows() - 1), Qt::DashLine);
    frame(rankIn(0, row), rankIn(layout_.p - 1, row), Qt::SolidLine);
    painter.setPen(QPen(theme.accent, 2 * theme.line()));
    painter.drawRect(cellOf(lit).adjusted(1, 1, -1, -1));
}

void RankPicture::light(int hovered, int chosen) {
    const int before = shown();
    hovered_ = hovered;
    chosen_ = chosen;
    if (shown() == before) return;
    setAccessibleName(sentence());
    setToolTip(shown() >= 0 ? sentence() : QString());
    update();
    emit shownChanged();
}

void RankPicture::mouseMoveEvent(QMouseEvent* event) {
    light(rankAt(event->position()), chosen_);
}

void RankPicture::mousePressEvent(QMouseEvent* event) {
    const int rank = rankAt(event->position());
    light(rank, rank);
}

void RankPicture::leaveEvent(QEvent*) {
    light(-1, chosen_);
}

void RankPicture::keyPressEvent(QKeyEvent* event) {
    int stage = chosen_ < 0 ? 0 : layout_.stageOf(chosen_);
    int row = chosen_ < 0 ? 0 : rowOf(chosen_);
    switch (event->key()) {
        case Qt::Key_Left:
            --stage;
            break;
        case Qt::Key_Right:
            ++stage;
            break;
        case Qt::Key_Up:
            --row;
            break;
        case Qt::Key_Down:
            ++row;
            break;
        default:
            return QWidget::keyPressEvent(event);
    }
    if (chosen_ < 0) stage = row = 0;  // the first key only enters
    light(-1, rankIn(std::clamp(stage, 0, layout_.p - 1), std::clamp(row, 0, rows() - 1)));
}

void RankPicture::focusInEvent(QFocusEvent* event) {
    const bool by_key = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason;
    if (by_key && chosen_ < 0) light(hovered_, 0);
    QWidget::focusInEvent(event);
}

void RankPicture::focusOutEvent(QFocusEvent* event) {
    light(hovered_, -1);
    QWidget::focusOutEvent(event);
}

void RankPicture::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) {
        setAccessibleName(sentence());
        emit shownChanged();
        update();
    }
    QWidget::changeEvent(event);
}

}  // namespace bscope::ui
