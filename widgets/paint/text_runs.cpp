#include "widgets/paint/text_runs.h"

#include <QFontMetricsF>
#include <QHash>
#include <QStaticText>
#include <QTextLayout>
#include <utility>

namespace bscope::ui {

namespace {

struct Shaped {
    QStaticText text;
    double width, ascent;
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
    Shaped made{QStaticText(text), QFontMetricsF(font).horizontalAdvance(text), ascentOf(text, font)};
    made.text.setTextFormat(Qt::PlainText);
    made.text.setPerformanceHint(QStaticText::AggressiveCaching);
    made.text.prepare({}, font);
    return *known.insert(asked, made);
}

double baseline(const QFontMetricsF& metrics, double centre_y) {
    return centre_y + metrics.capHeight() / 2;
}

void drawAt(QPainter& painter, double left, double base, const QString& text, const QFont& font,
            const QColor& colour) {
    const Shaped& known = shaped(text, font);
    painter.setFont(font);
    painter.setPen(colour);
    painter.drawStaticText(QPointF(left, base - known.ascent), known.text);
}

}  // namespace

double textWidth(const QString& text, const QFont& font) {
    return shaped(text, font).width;
}

double runsWidth(const std::vector<TextRun>& runs) {
    double width = 0;
    for (const TextRun& run : runs) width += textWidth(run.text, run.font);
    return width;
}

void drawRuns(QPainter& painter, double left, double centre_y, const std::vector<TextRun>& runs) {
    if (runs.empty()) return;
    const double base = baseline(QFontMetricsF(runs.front().font), centre_y);
    for (const TextRun& run : runs) {
        drawAt(painter, left, base, run.text, run.font, run.colour);
        left += textWidth(run.text, run.font);
    }
}

void drawCentred(QPainter& painter, const QPointF& centre, const QString& text, const QFont& font,
                 const QColor& colour) {
    const QFontMetricsF metrics(font);
    drawAt(painter, centre.x() - textWidth(text, font) / 2, baseline(metrics, centre.y()), text, font,
           colour);
}

void drawLeft(QPainter& painter, const QPointF& left_centre, const QString& text, const QFont& font,
              const QColor& colour) {
    drawAt(painter, left_centre.x(), baseline(QFontMetricsF(font), left_centre.y()), text, font, colour);
}

void drawRight(QPainter& painter, const QPointF& right_centre, const QString& text, const QFont& font,
               const QColor& colour) {
    const QFontMetricsF metrics(font);
    drawAt(painter, right_centre.x() - textWidth(text, font), baseline(metrics, right_centre.y()), text, font,
           colour);
}

}  // namespace bscope::ui
