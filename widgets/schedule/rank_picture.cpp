// Geometry, painting and keys of the layout of ranks.
#include "widgets/schedule/rank_picture.h"

#include <QKeyEvent>
#include <QPainter>
#include <algorithm>
#include <utility>

#include "widgets/schedule/row_labels.h"

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
        return tr("%1 ranks: one column per stage, one row per replica. Point at a rank, or move with the "
                  "arrow keys.")
            .arg(layout_.world());
    const int stage = layout_.stageOf(rank), replica = layout_.replicaOf(rank);
    return tr("Rank %1: stage %2, replica %3. Exchanges activations among %4; reduces gradients with %5.")
        .arg(rank)
        .arg(stage)
        .arg(replica)
        .arg(listOf(layout_.pipelineGroups()[static_cast<std::size_t>(replica)]),
             listOf(layout_.dataParallelGroups()[static_cast<std::size_t>(stage)]));
}

double RankPicture::rowHeight() const {
    return heightOfRow(layout_.d, kReplicaRow, kLayoutHeight, currentTheme());
}

double RankPicture::headWidth() const {
    const Theme& theme = currentTheme();
    return QFontMetricsF(theme.font(11)).horizontalAdvance(tr("replica %1").arg(layout_.d - 1)) +
           theme.px(10);
}

QSize RankPicture::sizeHint() const {
    const Theme& theme = currentTheme();
    return {theme.px(240), static_cast<int>(theme.px(18) + layout_.d * rowHeight()) + 2};
}

QRectF RankPicture::cellOf(int rank) const {
    const Theme& theme = currentTheme();
    const double column =
        std::min((width() - headWidth()) / std::max(1, layout_.p), kStageColumn * theme.scale);
    const double line = rowHeight() >= 8 ? 2 : 0;
    return {headWidth() + layout_.stageOf(rank) * column,
            theme.px(18) + layout_.replicaOf(rank) * rowHeight(), column - std::min(4.0, column * 0.2),
            rowHeight() - line};
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
    const LabelledRows rows{layout_.d, static_cast<double>(theme.px(18)), rowHeight(), headWidth()};
    paintRowLabels(painter, rows, theme, [](int replica) { return tr("replica %1").arg(replica); });
    double next_label = 0;
    for (int stage = 0; stage < layout_.p; ++stage) {
        const QString text = tr("stage %1").arg(stage), number = QString::number(stage);
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
        const bool pipeline = lit >= 0 && layout_.replicaOf(rank) == layout_.replicaOf(lit);
        const bool gradients = lit >= 0 && layout_.stageOf(rank) == layout_.stageOf(lit);
        QColor fill = theme.fill(Op::Forward, 0);
        if (lit >= 0 && !pipeline && !gradients) fill.setAlphaF(0.35F);
        painter.fillRect(cell, fill);
        const QString text = QString::number(rank);
        if (!isRoomy(rows, theme) || painter.fontMetrics().horizontalAdvance(text) > cell.width()) continue;
        painter.setPen(lit >= 0 && !pipeline && !gradients ? theme.text_soft : theme.ink(fill));
        painter.drawText(cell, Qt::AlignCenter, text);
    }
    if (lit < 0) return;
    painter.setBrush(Qt::NoBrush);
    const int stage = layout_.stageOf(lit), replica = layout_.replicaOf(lit);
    const auto frame = [&](int first, int last, Qt::PenStyle style) {
        painter.setPen(QPen(theme.text, 1.5 * theme.line(), style));
        painter.drawRoundedRect(cellOf(first).united(cellOf(last)).adjusted(-1, -1, 1, 1), 3, 3);
    };
    frame(layout_.rankOf(stage, 0), layout_.rankOf(stage, layout_.d - 1), Qt::DashLine);
    frame(layout_.rankOf(0, replica), layout_.rankOf(layout_.p - 1, replica), Qt::SolidLine);
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
    int replica = chosen_ < 0 ? 0 : layout_.replicaOf(chosen_);
    switch (event->key()) {
        case Qt::Key_Left:
            --stage;
            break;
        case Qt::Key_Right:
            ++stage;
            break;
        case Qt::Key_Up:
            --replica;
            break;
        case Qt::Key_Down:
            ++replica;
            break;
        default:
            return QWidget::keyPressEvent(event);
    }
    if (chosen_ < 0) stage = replica = 0;  // the first key only enters
    light(-1, layout_.rankOf(std::clamp(stage, 0, layout_.p - 1), std::clamp(replica, 0, layout_.d - 1)));
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
