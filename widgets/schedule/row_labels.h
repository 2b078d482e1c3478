// The names at the left of a small picture's rows: every row's when there is room, else one in so many.
#pragma once

#include <QPainter>
#include <QString>
#include <functional>

#include "widgets/theme/theme.h"

namespace bscope::ui {

// Rows of that height from `top` on, names in a column of `width`; px.
struct LabelledRows {
    int count = 0;
    double top = 0, height = 0, width = 0;
};

// Of each of so many rows, px: the usual height (at 100 %), less when all together would be higher than
// `most`.
double heightOfRow(int rows, double usual, double most, const Theme& theme);
// Is there room for a text in each?
bool isRoomy(const LabelledRows& rows, const Theme& theme);
void paintRowLabels(QPainter& painter, const LabelledRows& rows, const Theme& theme,
                    const std::function<QString(int)>& name);

}  // namespace bscope::ui
