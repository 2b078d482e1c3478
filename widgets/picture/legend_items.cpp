#include "widgets/picture/legend_items.h"

#include "widgets/paint/hatch.h"
#include "widgets/picture/cause_hatch.h"
#include "widgets/picture/change_tint.h"
#include "widgets/picture/lane_painter.h"
#include "widgets/picture/memory_shades.h"
#include "widgets/text/canvas_words.h"
#include "widgets/text/config_text.h"
#include "widgets/text/format.h"
#include "widgets/text/notation.h"

namespace bscope::ui {

namespace {

QString operationText(Op op, bool one_colour_for_backward) {
    switch (op) {
        case Op::OptimizerStep:
            return Canvas::tr("optimizer");
        case Op::ReduceGradients:
            return said(sentence("gradients added"));
        case Op::Backward:
            return one_colour_for_backward ? said(sentence("backward, whole or input half")) : opName(op);
        default:
            return opName(op);
    }
}

// "forward, stages 0–3": their colours from left to right.
QString ofStages(const QString& operation, int stages, int colours) {
    const QString words = Canvas::tr("%1, stages 0–%2").arg(operation).arg(stages - 1);
    return stages > colours ? Canvas::tr("%1, %2 colours in turn").arg(words).arg(colours) : words;
}

}  // namespace

std::vector<LegendItem> legendItems(const Signs& signs, const Theme& theme, const Layers& layers,
                                    LegendUse use, double cap_mb) {
    const bool window = use == LegendUse::Window;
    std::vector<LegendItem> items;
    const auto add = [&items](LegendKind kind, const QString& text) {
        items.push_back({kind, Op::Forward, 1, text, nullptr, {}});
    };
    const auto addLayer = [&](LegendKind kind, const QString& text, bool Layers::*layer, const char* key) {
        if (window)
            items.push_back({kind, Op::Forward, 1, text, layer, QString::fromLatin1(key)});
        else if (layers.*layer)
            add(kind, text);
    };
    const bool both = signs.shadesOf(Op::Backward) > 0 && signs.shadesOf(Op::BackwardInput) > 0 &&
                      theme.fill(Op::Backward) == theme.fill(Op::BackwardInput);
    for (const Op op : {Op::Forward, Op::Recompute, Op::Backward, Op::BackwardInput, Op::BackwardWeight,
                        Op::ReduceGradients, Op::OptimizerStep, Op::GatherWeights}) {
        if (signs.shadesOf(op) == 0 || (both && op == Op::BackwardInput)) continue;
        const bool of_stages = isCompute(op) && op != Op::Recompute && !theme.palette().stages.empty();
        const int shades = of_stages ? std::min(signs.stages, theme.palette().shades())
                           : both && op == Op::Backward
                               ? std::max(signs.shadesOf(op), signs.shadesOf(Op::BackwardInput))
                               : signs.shadesOf(op);
        items.push_back({LegendKind::Operation, op, shades, operationText(op, both), nullptr, {}});
        if (of_stages && op == Op::Forward)
            items.back().text = ofStages(items.back().text, signs.stages, theme.palette().shades());
        if (both && op == Op::Backward) items.back().also = Op::BackwardInput;
    }
    if (signs.chunk_letters) add(LegendKind::ChunkLetter, Canvas::tr("chunk"));
    if (signs.weight_versions) add(LegendKind::Version, said(sentence("weight version")));
    if (signs.neighbours) add(LegendKind::Neighbour, said(sentence("iteration before or after")));
    if (signs.kernels) add(LegendKind::Kernels, Canvas::tr("kernels, in wide boxes"));
    if (signs.shard_sums) add(LegendKind::Kernels, Canvas::tr("collectives, in wide boxes"));
    const bool as_one = signs.wait_and_transfer;
    if (signs.transfer)
        add(LegendKind::Transfer, as_one ? said(sentence("message needed")) : said(sentence("transfer")));
    if (signs.wait)
        add(LegendKind::Wait, as_one ? said(sentence("wait and transfer")) : said(sentence("wait")));
    if (signs.transfer && window)
        addLayer(LegendKind::Arrow, Canvas::tr("all messages"), &Layers::arrows, "L");
    if (signs.fill_drain)
        addLayer(LegendKind::FillDrain, said(sentence("bubble: fill, drain")), &Layers::bubbles, "B");
    if (signs.dependency)
        addLayer(LegendKind::DependencyBubble, said(sentence("dependency")), &Layers::bubbles, "B");
    if (signs.network) addLayer(LegendKind::NetworkBubble, said(sentence("network")), &Layers::bubbles, "B");
    if (signs.other_causes)
        addLayer(LegendKind::OtherBubble, said(sentence("other causes")), &Layers::bubbles, "B");
    if (signs.outlines) addLayer(LegendKind::Plan, Canvas::tr("plan behind the run"), &Layers::ghost, "T");
    if (signs.memory) {
        addLayer(LegendKind::Memory, Canvas::tr("activations, number in flight"), &Layers::memory, "Y");
        const bool bands = signs.held && layers.memory && layers.memory_bands;
        for (std::size_t band = 0; bands && band < kMemoryBands.size(); ++band) {
            addLayer(LegendKind::MemoryBand, memoryBandName(band), &Layers::memory_bands, "Shift+Y");
            items.back().part = band;
        }
        if (bands && signs.reserved)
            addLayer(LegendKind::Reserved, Canvas::tr("reserved for activations"), &Layers::memory_bands,
                     "Shift+Y");
        const bool others = layers.memory && layers.checkpointing;
        for (std::size_t kind = 0; others && kind < signs.other_checkpointing.size(); ++kind) {
            if (!signs.other_checkpointing[kind]) continue;
            addLayer(LegendKind::Checkpointing, otherCheckpointingName(static_cast<Recompute>(kind)),
                     &Layers::checkpointing, "Shift+V");
            items.back().part = kind;
        }
        if (signs.cap && (window || layers.memory))
            add(LegendKind::Cap, Canvas::tr("cap %1").arg(capText(cap_mb)));
    }
    if (signs.changes && (window || layers.changes))
        addLayer(LegendKind::Changes, Canvas::tr("differs from the baseline by 5 %, 25 %"), &Layers::changes,
                 "Shift+T");
    if (signs.end && window) add(LegendKind::End, Canvas::tr("last computation ends"));
    // Last, since it goes with the last box that is to come: nothing that is aimed at moves.
    if (signs.planned_boxes) add(LegendKind::Plan, said(sentence("predicted")));
    return items;
}

constexpr int kChunkShades = 3;  // more are of stages, and narrower

double legendIconWidth(const LegendItem& item) {
    switch (item.kind) {
        case LegendKind::Operation:
            return (item.shades > kChunkShades ? 7 : 13) * item.shades;
        case LegendKind::Changes:
            return 5 * 16;
        case LegendKind::ChunkLetter:
        case LegendKind::Cap:
        case LegendKind::Checkpointing:
        case LegendKind::Reserved:
            return 16;
        default:
            return 13;
    }
}

void drawLegendIcon(QPainter& painter, const QRectF& area, const LegendItem& item, const Theme& theme) {
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
            const double width = area.width() / item.shades;
            for (int chunk = 0; chunk < item.shades; ++chunk) {
                const QRectF part(area.left() + chunk * width, area.top(), width - (item.shades > 1 ? 1 : 0),
                                  area.height());
                const QColor fill = theme.fill(item.op, chunk);
                painter.fillRect(part, fill);
                if (item.op == Op::BackwardWeight)
                    painter.fillRect(QRectF(part.left(), part.top() + 2, part.width(), 2), theme.ink(fill));
                if (item.op == Op::GatherWeights)
                    painter.fillRect(QRectF(part.left(), part.bottom() - 4, part.width(), 2), theme.ink(fill));
                if (item.op == Op::Recompute)
                    drawHatch(painter, part, Hatch::Rising, {theme.text_soft, 4, line});
                if (item.op == Op::OptimizerStep) {
                    painter.setPen(QPen(theme.ink(fill), line, Qt::DotLine));
                    painter.drawRect(frame);
                }
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
        case LegendKind::Arrow: {
            const double head = area.height() / 4, y = area.center().y(), tip = area.right() - 1;
            painter.setRenderHint(QPainter::Antialiasing, true);
            painter.setPen(QPen(theme.communication, line));
            painter.drawLine(QLineF(area.left(), y, tip, y));
            painter.drawLine(QLineF(tip - head, y - head, tip, y));
            painter.drawLine(QLineF(tip - head, y + head, tip, y));
            break;
        }
        case LegendKind::FillDrain:
            hatch(hatchOf(CauseFamily::FillDrain));
            break;
        case LegendKind::DependencyBubble:
            hatch(hatchOf(CauseFamily::Dependency));
            break;
        case LegendKind::NetworkBubble:
            hatch(hatchOf(CauseFamily::Network));
            break;
        case LegendKind::OtherBubble:
            hatch(hatchOf(CauseFamily::Other));
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
        case LegendKind::MemoryBand:
            painter.fillRect(area, memoryBandColour(item.part, theme));
            break;
        case LegendKind::Checkpointing:
            painter.setPen(otherCheckpointingPen(static_cast<Recompute>(item.part), theme));
            painter.drawLine(QLineF(area.left(), area.center().y(), area.right(), area.center().y()));
            break;
        case LegendKind::Reserved:
            painter.setPen(reservedPen(theme));
            painter.drawLine(QLineF(area.left(), area.center().y(), area.right(), area.center().y()));
            break;
        case LegendKind::ChunkLetter:
        case LegendKind::Version:
            painter.setPen(theme.text_soft);
            painter.setFont(theme.font(10, QFont::Medium));
            painter.drawText(area.adjusted(-6, -4, 6, 4), Qt::AlignCenter,
                             item.kind == LegendKind::Version ? QStringLiteral("w") : QStringLiteral("a b"));
            break;
        case LegendKind::Neighbour:
            painter.fillRect(area, mixed(theme.fill(Op::Forward), theme.canvas, kNeighbourFill));
            break;
        case LegendKind::Kernels: {
            const double height = area.height() / 3, top = area.bottom() - height;
            const QColor fill = theme.fill(Op::Forward), ink = mixed(theme.ink(fill), fill, 0.7);
            painter.fillRect(area, fill);
            painter.fillRect(QRectF(area.left(), top, area.width() * 0.4, height), ink);
            painter.fillRect(QRectF(area.left() + area.width() * 0.55, top, area.width() * 0.45, height),
                             ink);
            break;
        }
        case LegendKind::Changes:
            for (int step = -2; step <= 2; ++step) {
                const double width = area.width() / 5;
                drawChange(painter,
                           QRectF(area.left() + (step + 2) * width, area.top(), width - line, area.height()),
                           step, theme);
            }
            break;
        case LegendKind::End: {
            QPen pen(theme.text_soft, line);
            pen.setDashPattern({1.5, 2.5});
            painter.setPen(pen);
            painter.drawLine(QLineF(area.center().x(), area.top(), area.center().x(), area.bottom()));
            break;
        }
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
