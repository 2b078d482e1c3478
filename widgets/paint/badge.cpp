#include "widgets/paint/badge.h"

#include "widgets/paint/glyph.h"
#include "widgets/paint/text_runs.h"
#include "widgets/text/canvas_words.h"
#include "widgets/text/config_text.h"
#include "widgets/text/format.h"
#include "widgets/text/notation.h"

namespace bscope::ui {

namespace {

constexpr double kMark = 13, kPadding = 9;  // width of the filled part, room around the text, at 100 %

QString timingName(TimingSource source) {
    switch (source) {
        case TimingSource::Host:
            return {};
        case TimingSource::Cupti:
            return QStringLiteral("CUPTI");
        case TimingSource::KernelsLater:
        case TimingSource::Events:
            return Canvas::tr("CUDA events");
        case TimingSource::Untraced:
            return Canvas::tr("not traced");
    }
    return {};
}

QFont badgeFont(const Theme& theme) {
    return theme.font(11, QFont::DemiBold);
}

}  // namespace

QString badgeText(Provenance provenance, const QString& device, bool recording, TimingSource timing) {
    const QString dot = QStringLiteral(" · ");
    QString text = provenanceName(provenance);
    if (provenance != Provenance::Predicted && !device.isEmpty()) text += dot + deviceWords(device);
    if (timing != TimingSource::Host) text += dot + timingName(timing);
    if (recording) text += dot + Canvas::tr("recording");
    return text;
}

double badgeWidth(const QString& text, const Theme& theme) {
    return textWidth(text, badgeFont(theme)) + (kMark + 2 * kPadding) * theme.scale;
}

double badgeHeight(const Theme& theme) {
    return theme.px(20);
}

void drawBadge(QPainter& painter, const QPointF& left_centre, Provenance provenance, const QString& text,
               const Theme& theme) {
    const double s = theme.scale, line = 1.2 * theme.line();
    const QRectF frame = QRectF(left_centre.x(), left_centre.y() - badgeHeight(theme) / 2,
                                badgeWidth(text, theme), badgeHeight(theme))
                             .adjusted(line / 2, line / 2, -line / 2, -line / 2);
    const bool solid = provenance == Provenance::Measured;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, true);
    QPen pen(theme.text, line);
    if (provenance == Provenance::Predicted) pen.setDashPattern({3, 2});
    painter.setPen(pen);
    painter.setBrush(solid ? theme.text : theme.canvas);
    painter.drawRoundedRect(frame, 3 * s, 3 * s);
    double text_left = frame.left() + kPadding * s + (solid ? kMark / 2 * s : kMark * s);
    if (provenance == Provenance::Reconstructed) {
        painter.fillRect(QRectF(frame.left(), frame.top(), kMark * s, frame.height()), theme.text);
    } else if (provenance == Provenance::Predicted) {
        const double side = 8 * s;
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme.text, theme.line(), Qt::DotLine));
        painter.drawRect(QRectF(frame.left() + 6 * s, frame.center().y() - side / 2, side, side));
    }
    if (provenance == Provenance::Imported) {
        const double side = 8 * s;
        drawGlyph(painter, Glyph::Export, {frame.left() + 6 * s, frame.center().y() - side / 2, side, side},
                  theme.text);
    }
    drawLeft(painter, {text_left, left_centre.y()}, text, badgeFont(theme),
             solid ? theme.canvas : theme.text);
    painter.restore();
}

}  // namespace bscope::ui
