// Text of several weights and colours on one base line, and single lines of text in a rectangle.
#pragma once

#include <QColor>
#include <QFont>
#include <QPainter>
#include <QString>
#include <vector>

#include "widgets/theme/theme.h"

namespace bscope::ui {

struct TextRun {
    QString text;
    QFont font;
    QColor colour;
};

double textWidth(const QString& text, const QFont& font);
// The theme's font of this size, or the largest smaller one in which the text is not wider than room; not
// below kLeastType.
constexpr double kLeastType = 8.5;  // px at 100 %
QFont fittingFont(const QString& text, const Theme& theme, double size, QFont::Weight weight, double room);
double runsWidth(const std::vector<TextRun>& runs);
// Vertically centred on centre_y, the base line of all runs being that of the first one's font.
void drawRuns(QPainter& painter, double left, double centre_y, const std::vector<TextRun>& runs);
// One line centred on the digits' height (not on the font's box), so that it looks centred in a box.
void drawCentred(QPainter& painter, const QPointF& centre, const QString& text, const QFont& font,
                 const QColor& colour);
void drawLeft(QPainter& painter, const QPointF& left_centre, const QString& text, const QFont& font,
              const QColor& colour);
void drawRight(QPainter& painter, const QPointF& right_centre, const QString& text, const QFont& font,
               const QColor& colour);

}  // namespace bscope::ui
