#include "widgets/paint/text_runs.h"

#include <QFontMetricsF>
#include <QHash>
#include <QStaticText>
#include <QTextLayout>
#include <algorithm>
#include <utility>

namespace bscope::ui {

namespace {

struct Shaped {
    QStaticText text;
    double width, ascent, cap_height;
};

// Highest above the base line, where a sign of another font may stand higher than those of this one.
double ascentOf(const QString& text, const QFont& font) {
    QTextLayout layout(text, font);
    layout.beginLayout();
    const QTextLine line = layout.createLine();
    layout.endLayout();
    return line.isValid() ? line.ascent() : 0;
}

// Shaping a text costs more than drawing it, and every redraw needs the same few.
const Shaped& shaped(const QString& text, const QFont& font) {
    constexpr qsizetype kKept = 4096;
    thread_local QHash<std::pair<QFont, QString>, Shaped> known;
    const std::pair asked(font, text);
    if (const auto found = known.constFind(asked); found != known.cend()) return *found;
    if (known.size() >= kKept) known.clear();
    const QFontMetricsF metrics(font);
    Shaped made{QStaticText(text), metrics.horizontalAdvance(text), ascentOf(text, font),
                metrics.capHeight()};
    made.text.setTextFormat(Qt::PlainText);
    made.text.setPerformanceHint(QStaticText::AggressiveCaching);
    made.text.prepare({}, font);
    return *known.insert(asked, made);
}

double baseline(const Shaped& text, double centre_y) {
    return centre_y + text.cap_height / 2;
}

void drawAt(QPainter& painter, double left, double base, const Shaped& known, const QFont& font,
            const QColor& colour) {
    painter.setFont(font);
    painter.setPen(colour);
    painter.drawStaticText(QPointF(left, base - known.ascent), known.text);
}

}  // namespace

double textWidth(const QString& text, const QFont& font) {
    return shaped(text, font).width;
}

QFont fittingFont(const QString& text, const Theme& theme, double size, QFont::Weight weight, double room) {
    constexpr double kStep = 0.5;
    QFont font = theme.font(size, weight);
    while (size > kLeastType && textWidth(text, font) > room)
        font = theme.font(size = std::max(kLeastType, size - kStep), weight);
    return font;
}

double runsWidth(const std::vector<TextRun>& runs) {
    double width = 0;
    for (const TextRun& run : runs) width += textWidth(run.text, run.font);
    return width;
}

void drawRuns(QPainter& painter, double left, double centre_y, const std::vector<TextRun>& runs) {
    if (runs.empty()) return;
    const double base = baseline(shaped(runs.front().text, runs.front().font), centre_y);
    for (const TextRun& run : runs) {
        const Shaped& text = shaped(run.text, run.font);
        drawAt(painter, left, base, text, run.font, run.colour);
        left += text.width;
    }
}

void drawCentred(QPainter& painter, const QPointF& centre, const QString& text, const QFont& font,
                 const QColor& colour) {
    const Shaped& known = shaped(text, font);
    drawAt(painter, centre.x() - known.width / 2, baseline(known, centre.y()), known, font, colour);
}

void drawLeft(QPainter& painter, const QPointF& left_centre, const QString& text, const QFont& font,
              const QColor& colour) {
    const Shaped& known = shaped(text, font);
    drawAt(painter, left_centre.x(), baseline(known, left_centre.y()), known, font, colour);
}

void drawRight(QPainter& painter, const QPointF& right_centre, const QString& text, const QFont& font,
               const QColor& colour) {
    const Shaped& known = shaped(text, font);
    drawAt(painter, right_centre.x() - known.width, baseline(known, right_centre.y()), known, font, colour);
}

}  // namespace bscope::ui
