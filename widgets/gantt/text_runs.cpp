#include "widgets/gantt/text_runs.h"

#include <QFontMetricsF>
#include <QHash>
#include <utility>

namespace bscope::ui {

namespace {

double baseline(const QFontMetricsF& metrics, double centre_y) {
    return centre_y + metrics.capHeight() / 2;
}

void drawAt(QPainter& painter, double left, double base, const QString& text, const QFont& font,
            const QColor& colour) {
    painter.setFont(font);
    painter.setPen(colour);
    painter.drawText(QPointF(left, base), text);
}

}  // namespace

// Shaping a text costs more than drawing it, and every redraw asks for the same few.
double textWidth(const QString& text, const QFont& font) {
    constexpr qsizetype kKept = 4096;
    thread_local QHash<std::pair<QString, QString>, double> widths;  // of font and text
    const std::pair asked(font.key(), text);
    if (const auto found = widths.constFind(asked); found != widths.cend()) return *found;
    if (widths.size() >= kKept) widths.clear();
    return *widths.insert(asked, QFontMetricsF(font).horizontalAdvance(text));
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
