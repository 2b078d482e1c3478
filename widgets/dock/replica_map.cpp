#include "widgets/dock/replica_map.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "timeline/median.h"
#include "widgets/text/format.h"
#include "widgets/theme/theme_style.h"

namespace bscope::ui {
namespace {

constexpr double kMapFullAt = 1.5;      // times the median
constexpr int kMapMostRowsOfText = 16;  // more replicas are rows without numbers
constexpr double kMapWidth = 252, kMapLabel = 22, kMapHead = 18, kMapTextRow = 32, kMapPlainRow = 12,
                 kMapLeastTextWidth = 38;

}  // namespace

ReplicaMap::ReplicaMap(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void ReplicaMap::setGrid(std::shared_ptr<const ReplicaGrid> grid, const Notation& notation) {
    grid_ = std::move(grid);
    notation_ = notation;
    median_ns_ = 0;
    if (grid_) {
        std::vector<double> sums;
        for (const ReplicaCell& cell : grid_->cells) sums.push_back(cell.sum_ns());
        median_ns_ = median(std::move(sums));
        setAccessibleName(tr("Forward and backward of %1 replicas and %2 stages")
                              .arg(grid_->replicas())
                              .arg(grid_->stages));
    }
    updateGeometry();
    update();
}

double ReplicaMap::labelWidth() const {
    return currentTheme().px(kMapLabel);
}
double ReplicaMap::headHeight() const {
    return currentTheme().px(kMapHead);
}

bool ReplicaMap::hasNumbers() const {
    return grid_ && grid_->replicas() <= kMapMostRowsOfText &&
           (kMapWidth - kMapLabel) / grid_->stages >= kMapLeastTextWidth;
}

double ReplicaMap::rowHeight() const {
    return currentTheme().px(hasNumbers() ? kMapTextRow : kMapPlainRow);
}

QSize ReplicaMap::sizeHint() const {
    const int rows = grid_ ? static_cast<int>(std::ceil(rowHeight() * grid_->replicas() + headHeight())) : 0;
    return {currentTheme().px(kMapWidth / 2), rows};
}

double ReplicaMap::heat(int replica, int stage) const {
    if (!(median_ns_ > 0)) return 0;
    return std::clamp((grid_->cell(replica, stage).sum_ns() / median_ns_ - 1) / (kMapFullAt - 1), 0.0, 1.0);
}

QColor ReplicaMap::cellColour(int replica, int stage) const {
    const Theme& theme = currentTheme();
    return mixed(theme.change(2), theme.change(0), heat(replica, stage));
}

QRectF ReplicaMap::cellRect(int replica, int stage) const {
    const double width_of_one = (width() - labelWidth()) / grid_->stages;
    return {labelWidth() + stage * width_of_one, headHeight() + replica * rowHeight(), width_of_one,
            rowHeight()};
}

QString ReplicaMap::cellText(int replica, int stage) const {
    const ReplicaCell& cell = grid_->cell(replica, stage);
    QString text =
        tr("Replica %1, stage %2: forward %3, backward %4 in the median.")
            .arg(QString::number(grid_->numbers[static_cast<std::size_t>(replica)]), QString::number(stage),
                 notation_.duration(cell.forward_ns), notation_.duration(cell.backward_ns));
    if (!std::isnan(cell.beside_peers))
        text = sentencesText({text, tr("%1 times what the stage takes in the other replicas.")
                                        .arg(numberText(cell.beside_peers, 2))});
    return text;
}

void ReplicaMap::paintEvent(QPaintEvent*) {
    if (!grid_) return;
    const Theme& theme = currentTheme();
    QPainter painter(this);
    const bool numbers = hasNumbers();
    painter.setFont(theme.font(11));
    painter.setPen(theme.text_faint);
    // As many labels as fit beside each other.
    const double column = cellRect(0, 0).width(), least = theme.px(16);
    const int every_stage = std::max(1, static_cast<int>(std::ceil(least / column)));
    for (int stage = 0; stage < grid_->stages; stage += every_stage)
        painter.drawText(
            QRectF(cellRect(0, stage).left(), 0, column * every_stage, headHeight() - theme.px(2)),
            (every_stage > 1 ? Qt::AlignLeft : Qt::AlignHCenter) | Qt::AlignBottom, QString::number(stage));
    const int every_row = std::max(1, static_cast<int>(std::ceil(theme.px(14) / rowHeight())));
    const double gap = theme.line();
    for (int replica = 0; replica < grid_->replicas(); ++replica) {
        const bool shown = replica == grid_->shown;
        const bool is_beside_shown = std::abs(replica - grid_->shown) < every_row;
        if (shown || (replica % every_row == 0 && !is_beside_shown)) {
            painter.setFont(theme.font(11, shown ? QFont::DemiBold : QFont::Normal));
            painter.setPen(shown ? theme.accent : theme.text_faint);
            painter.drawText(QRectF(0, cellRect(replica, 0).top(), labelWidth() - theme.px(6), rowHeight()),
                             Qt::AlignRight | Qt::AlignVCenter,
                             QString::number(grid_->numbers[static_cast<std::size_t>(replica)]));
        }
        for (int stage = 0; stage < grid_->stages; ++stage) {
            const QRectF cell = cellRect(replica, stage);
            const QColor colour = cellColour(replica, stage);
            painter.fillRect(cell.adjusted(0, 0, -gap, -gap), colour);
            if (!numbers) continue;
            painter.setFont(theme.font(11));
            painter.setPen(theme.ink(colour));
            const ReplicaCell& of = grid_->cell(replica, stage);
            const double half = rowHeight() / 2;
            painter.drawText(QRectF(cell.left(), cell.top(), cell.width() - gap, half),
                             Qt::AlignHCenter | Qt::AlignBottom, notation_.number(of.forward_ns));
            painter.drawText(QRectF(cell.left(), cell.top() + half, cell.width() - gap, half),
                             Qt::AlignHCenter | Qt::AlignTop, notation_.number(of.backward_ns));
        }
    }
}

bool ReplicaMap::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip || !grid_) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const double row = (help->pos().y() - headHeight()) / rowHeight();
    const double column = (help->pos().x() - labelWidth()) / cellRect(0, 0).width();
    if (row < 0 || column < 0 || row >= grid_->replicas() || column >= grid_->stages) {
        QToolTip::hideText();
        event->ignore();
    } else {
        QToolTip::showText(help->globalPos(), cellText(static_cast<int>(row), static_cast<int>(column)),
                           this);
    }
    return true;
}

}  // namespace bscope::ui
