// What a picture's colours and shapes mean, as data: the legend line of the window and the one of a figure
// paint the same items.
#pragma once

#include <QPainter>
#include <QString>
#include <vector>

#include "widgets/gantt/prepared_view.h"
#include "widgets/theme.h"

namespace bscope::ui {

enum class LegendKind {
    Operation,
    Transfer,
    Wait,
    FillDrain,
    DependencyBubble,
    Bubble,
    Plan,
    Memory,
    Cap,
    Version
};

struct LegendItem {
    LegendKind kind = LegendKind::Operation;
    Op op = Op::Forward;  // Operation only
    QString text;
    bool Layers::*toggles = nullptr;  // what the entry switches, none for plain entries
    QString key;                      // "B"
};

// Only what the picture contains. A figure merges the bubbles into one entry.
std::vector<LegendItem> legendItems(const PreparedView& view, const Layers& layers, bool for_figure);
void drawLegendIcon(QPainter& painter, const QRectF& area, const LegendItem& item, const Theme& theme,
                    int chunks);

}  // namespace bscope::ui
