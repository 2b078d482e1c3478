// What a picture's colours and shapes mean, as data: the legend line of the window and the one of a figure
// paint the same items.
#pragma once

#include <QPainter>
#include <QString>
#include <optional>
#include <vector>

#include "view/presentation.h"
#include "view/signs.h"
#include "widgets/theme/theme.h"

namespace bscope::ui {

enum class LegendKind {
    Operation,
    ChunkLetter,
    Version,
    Neighbour,
    Kernels,
    Transfer,
    Wait,
    Arrow,
    FillDrain,
    DependencyBubble,
    NetworkBubble,
    OtherBubble,
    Plan,
    Memory,
    MemoryBand,
    Reserved,
    Checkpointing,
    Cap,
    Changes,
    End
};

struct LegendItem {
    LegendKind kind = LegendKind::Operation;
    Op op = Op::Forward;  // Operation only
    int shades = 1;       // of the operation's boxes
    QString text;
    bool Layers::*toggles = nullptr;  // what the entry switches, none for plain entries
    QString key;                      // "B"
    std::optional<Op> also = {};      // has the same entry
    std::size_t part = 0;             // MemoryBand: from below; Checkpointing: its Recompute
};

// Only what the picture contains. The window keeps the entries of hidden layers, since they switch them; a
// figure has none.
enum class LegendUse { Window, Figure };
std::vector<LegendItem> legendItems(const Signs& signs, const Theme& theme, const Layers& layers,
                                    LegendUse use, double cap_mb);
// Width at 100 %; every icon is 13 high.
double legendIconWidth(const LegendItem& item);
void drawLegendIcon(QPainter& painter, const QRectF& area, const LegendItem& item, const Theme& theme);

}  // namespace bscope::ui
