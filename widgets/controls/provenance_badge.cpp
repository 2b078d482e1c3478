// The badge as a widget; drawn by the canvas' own code, so that it looks the same everywhere.
#include "widgets/controls/provenance_badge.h"

#include <QEvent>
#include <QPainter>
#include <cmath>

#include "widgets/paint/badge.h"

namespace bscope::ui {

Badge::Badge(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void Badge::setProvenance(Provenance provenance, const QString& device) {
    provenance_ = provenance;
    device_ = device;
    setAccessibleName(text());
    updateGeometry();
    update();
}

QString Badge::text() const {
    return badgeText(provenance_, device_, false);
}

QSize Badge::sizeHint() const {
    const Theme& theme = currentTheme();
    return {static_cast<int>(std::ceil(badgeWidth(text(), theme))) + 2,
            static_cast<int>(std::ceil(badgeHeight(theme))) + 2};
}

void Badge::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) updateGeometry();
    QWidget::changeEvent(event);
}

void Badge::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    drawBadge(painter, QPointF(1, height() / 2.0), provenance_, text(), currentTheme());
}

}  // namespace bscope::ui
