// Geometry and painting of the placement.
#include "widgets/schedule/placement_picture.h"

#include <QEvent>
#include <QPainter>
#include <algorithm>

#include "widgets/schedule/row_labels.h"
#include "widgets/text/format.h"

namespace bscope::ui {
namespace {

constexpr double kPlacementHeight = 260, kPlacementRow = 22, kGap = 26, kMostColumn = 64;

}  // namespace

PlacementPicture::PlacementPicture(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void PlacementPicture::setSchedule(const Schedule& schedule, const QString& in_words) {
    params_ = schedule.params;
    places_ = StagePlaces(schedule);
    chains_ = schedule.chains;
    setAccessibleName(in_words);
    setToolTip(in_words);
    updateGeometry();
    update();
}

int PlacementPicture::passes() const {
    int most = 0;
    for (int stage = 0; stage < places_.stages(); ++stage) most = std::max(most, places_.of(stage).chunk);
    return most + 1;
}

double PlacementPicture::rowHeight() const {
    return heightOfRow(params_.p, kPlacementRow, kPlacementHeight, currentTheme());
}

double PlacementPicture::headWidth() const {
    const Theme& theme = currentTheme();
    return QFontMetricsF(theme.font(11)).horizontalAdvance(rankText(params_.p - 1)) + theme.px(10);
}

double PlacementPicture::columnWidth() const {
    const double room = (width() - headWidth()) / std::max(1, passes());
    return std::min(room, (kMostColumn + kGap) * currentTheme().scale);
}

QSize PlacementPicture::sizeHint() const {
    const Theme& theme = currentTheme();
    const double arrows = chains_.size() > 1 ? theme.px(18) : 0;
    return {theme.px(240), static_cast<int>(params_.p * rowHeight() + arrows) + 1};
}

QRectF PlacementPicture::boxOf(int stage) const {
    const StagePlace place = places_.of(stage);
    const double column = columnWidth(), gap = std::min(kGap * currentTheme().scale, column * 0.4);
    const double line = rowHeight() >= 8 ? 2 : 0;
    return {headWidth() + place.chunk * column, place.rank * rowHeight(),
            column - gap, rowHeight() - line};
}

void PlacementPicture::paintEvent(QPaintEvent*) {
    const Theme& theme = currentTheme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const LabelledRows rows{params_.p, 0, rowHeight(), headWidth()};
    paintRowLabels(painter, rows, theme, [](int rank) { return rankText(rank); });

    painter.setPen(QPen(theme.text_faint, theme.line()));
    for (const std::vector<int>& chain : chains_)
        for (std::size_t i = 1; i < chain.size(); ++i) {
            const QRectF a = boxOf(chain[i - 1]), b = boxOf(chain[i]);
            const bool same_column = a.left() == b.left();
            painter.drawLine(
                same_column ? QPointF(a.center().x(), a.center().y()) : QPointF(a.right(), a.center().y()),
                same_column ? QPointF(b.center().x(), b.center().y()) : QPointF(b.left(), b.center().y()));
        }
    const bool lettered = places_.lettered();
    for (int stage = 0; stage < places_.stages(); ++stage) {
        if (places_.of(stage).rank < 0) continue;
        const QRectF box = boxOf(stage);
        const int chunk = places_.of(stage).chunk;
        const QColor fill = theme.fill(Op::Forward, places_.of(stage));
        painter.fillRect(box, fill);
        const QString text =
            lettered ? QString::number(stage) + QChar(u'a' + chunk % 26) : QString::number(stage);
        painter.setFont(theme.font(11, QFont::DemiBold));
        if (!isRoomy(rows, theme) || painter.fontMetrics().horizontalAdvance(text) > box.width()) continue;
        painter.setPen(theme.ink(fill));
        painter.drawText(box, Qt::AlignCenter, text);
    }
    if (chains_.size() < 2) return;
    painter.setFont(theme.font(10.5));
    painter.setPen(theme.text_soft);
    for (std::size_t i = 0; i < chains_.size(); ++i) {
        const QRectF top = boxOf(chains_[i].front());
        const bool down = places_.of(chains_[i].front()).rank == 0;
        painter.drawText(QRectF(top.left(), params_.p * rows.height, columnWidth(), theme.px(18)),
                         Qt::AlignLeft | Qt::AlignVCenter,
                         (down ? QStringLiteral("↓ ") : QStringLiteral("↑ ")) + tr("copy %1").arg(i + 1));
    }
}

void PlacementPicture::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) update();
    QWidget::changeEvent(event);
}

}  // namespace bscope::ui
