#include "widgets/gantt/lettering.h"

#include <QFontMetricsF>
#include <QTextLayout>

namespace bscope::ui {

namespace {

constexpr qsizetype kKeptLabels = 4096;

}  // namespace

Lettering::Lettering(const Theme& theme) {
    const auto set = [this](Style style, const QFont& font) {
        const QFontMetricsF metrics(font);
        face(style) = {font, metrics.capHeight(), metrics.height(), {}};
    };
    set(Style::BoxNumber, theme.font(12, QFont::DemiBold));
    set(Style::SmallBoxNumber, theme.font(10, QFont::DemiBold));
    set(Style::ChunkLetter, theme.font(10, QFont::Medium));
    set(Style::Idle, theme.font(10.5));
    set(Style::InFlight, theme.font(10));
}

const Lettering::Label& Lettering::label(Face& face, const QString& text) {
    const auto found = face.labels.constFind(text);
    if (found != face.labels.cend()) return *found;
    if (face.labels.size() >= kKeptLabels) face.labels.clear();
    Label label{QStaticText(text), 0, 0};
    label.text.setTextFormat(Qt::PlainText);
    label.text.setPerformanceHint(QStaticText::AggressiveCaching);
    label.text.prepare({}, face.font);
    label.width = label.text.size().width();
    QTextLayout layout(text, face.font);
    layout.beginLayout();
    QTextLine line = layout.createLine();
    line.setLineWidth(label.width + 1);
    layout.endLayout();
    label.ascent = line.ascent();  // signs of another font may raise it
    return *face.labels.insert(text, label);
}

double Lettering::width(Style style, const QString& text) {
    return label(face(style), text).width;
}

void Lettering::drawCentred(QPainter& painter, Style style, const QPointF& centre, const QString& text,
                            const QColor& colour) {
    Face& each = face(style);
    const Label& shaped = label(each, text);
    painter.setFont(each.font);
    painter.setPen(colour);
    painter.drawStaticText(
        QPointF(centre.x() - shaped.width / 2, centre.y() + each.cap_height / 2 - shaped.ascent),
        shaped.text);
}

}  // namespace bscope::ui
