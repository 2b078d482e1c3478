#include "widgets/gantt/legend_items.h"

#include "widgets/gantt/canvas_words.h"
#include "widgets/gantt/hatch.h"
#include "widgets/gantt/notation.h"
#include "widgets/panels/format.h"

namespace bscope::ui {

std::vector<LegendItem> legendItems(const PreparedView& view, const Layers& layers, bool for_figure) {
    std::vector<LegendItem> items;
    const auto add = [&items](LegendKind kind, const QString& text, bool Layers::*toggles = nullptr,
                              const char* key = "") {
        items.push_back({kind, Op::Forward, text, toggles, QString::fromLatin1(key)});
    };
    for (const Op op : {Op::Forward, Op::Recompute, Op::Backward, Op::BackwardInput, Op::BackwardWeight,
                        Op::ReduceGradients, Op::OptimizerStep}) {
        if (!view.contains(op)) continue;
        const bool both = view.contains(Op::Backward) && view.contains(Op::BackwardInput);
        if (both && op == Op::BackwardInput) continue;  // one colour, one entry
        items.push_back({LegendKind::Operation,
                         op,
                         op == Op::OptimizerStep      ? Canvas::tr("optimizer")
                         : op == Op::ReduceGradients  ? Canvas::tr("gradients added")
                         : op == Op::Backward && both ? Canvas::tr("backward, whole or input half")
                                                      : opName(op),
                         nullptr,
                         {}});
    }
    if (view.hasMessages()) {
        add(LegendKind::Transfer, Canvas::tr("transfer"), for_figure ? nullptr : &Layers::arrows, "L");
        add(LegendKind::Wait, Canvas::tr("wait"));
    }
    if (for_figure) {
        if (layers.bubbles && view.hasRun()) add(LegendKind::Bubble, Canvas::tr("bubble"));
    } else {
        add(LegendKind::FillDrain, Canvas::tr("bubble: fill, drain"), &Layers::bubbles, "B");
        add(LegendKind::DependencyBubble, Canvas::tr("dependency"), &Layers::bubbles, "B");
    }
    if (!for_figure || layers.ghost)
        add(LegendKind::Plan, Canvas::tr("predicted"), for_figure ? nullptr : &Layers::ghost, "T");
    if (view.view().isStream()) add(LegendKind::Version, Canvas::tr("weight version"));
    if (view.memoryScale() > 0 && (!for_figure || layers.memory)) {
        add(LegendKind::Memory, Canvas::tr("activations, number in flight"),
            for_figure ? nullptr : &Layers::memory, "Y");
        if (view.memoryCap() > 0)
            add(LegendKind::Cap, Canvas::tr("cap %1").arg(capText(view.view().config.memory_cap_mb)));
    }
    return items;
}

void drawLegendIcon(QPainter& painter, const QRectF& area, const LegendItem& item, const Theme& theme,
                    int chunks) {
    painter.save();
    const double line = theme.line();
    const QRectF frame = area.adjusted(line / 2, line / 2, -line / 2, -line / 2);
    const auto hatch = [&](Hatch kind) {
        painter.fillRect(area, theme.bubble);
        drawHatch(painter, area, kind, {theme.bubble_hatch, 4.5 * theme.scale, line});
        painter.setPen(QPen(theme.bubble_hatch, line));
        painter.drawRect(frame);
    };
    switch (item.kind) {
        case LegendKind::Operation: {
            const double width = area.width() / chunks;
            for (int chunk = 0; chunk < chunks; ++chunk) {
                const QRectF part(area.left() + chunk * width, area.top(), width - (chunks > 1 ? 1 : 0),
                                  area.height());
                const QColor fill = theme.fill(item.op, chunk);
                painter.fillRect(part, fill);
                if (item.op == Op::BackwardWeight)
                    painter.fillRect(QRectF(part.left(), part.top() + 2, part.width(), 2), theme.ink(fill));
                if (item.op == Op::Recompute)
                    drawHatch(painter, part, Hatch::Rising, {theme.text_soft, 4, line});
            }
            break;
        }
        case LegendKind::Transfer:
            painter.fillRect(area.adjusted(0, area.height() * 0.2, 0, -area.height() * 0.2),
                             theme.communication);
            break;
        case LegendKind::Wait:
            drawHatch(painter, area.adjusted(0, area.height() * 0.2, 0, -area.height() * 0.2), Hatch::Rising,
                      {theme.communication, 4 * theme.scale, line});
            break;
        case LegendKind::Bubble:
        case LegendKind::FillDrain:
            hatch(Hatch::Rising);
            break;
        case LegendKind::DependencyBubble:
            hatch(Hatch::Falling);
            break;
        case LegendKind::Plan:
            painter.setPen(QPen(theme.text_soft, line));
            painter.drawRect(frame);
            break;
        case LegendKind::Memory: {
            const QPointF step[]{{frame.left(), frame.bottom()},
                                 {frame.left(), frame.center().y()},
                                 {frame.center().x(), frame.center().y()},
                                 {frame.center().x(), frame.top()},
                                 {frame.right(), frame.top()},
                                 {frame.right(), frame.bottom()}};
            painter.setPen(QPen(theme.memory_line, 1.2 * line));
            painter.setBrush(theme.memory_fill);
            painter.drawPolygon(step, 6);
            break;
        }
        case LegendKind::Version:
            painter.setPen(theme.text_soft);
            painter.setFont(theme.font(10, QFont::Medium));
            painter.drawText(area.adjusted(-6, -4, 6, 4), Qt::AlignCenter, QStringLiteral("w"));
            break;
        case LegendKind::Cap: {
            QPen pen(theme.text_soft, line);
            pen.setDashPattern({4, 3});
            painter.setPen(pen);
            painter.drawLine(QLineF(area.left(), area.center().y(), area.right(), area.center().y()));
            break;
        }
    }
    painter.restore();
}

}  // namespace bscope::ui
