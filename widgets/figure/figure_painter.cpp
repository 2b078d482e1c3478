#include "widgets/figure/figure_painter.h"

#include <QFontMetricsF>
#include <QTextLayout>
#include <algorithm>

#include "widgets/figure/caption.h"
#include "widgets/paint/badge.h"
#include "widgets/paint/text_runs.h"
#include "widgets/picture/timeline_painter.h"

namespace bscope::ui {

namespace {

constexpr double kPxPerMm = 96 / 25.4;
constexpr double kLegendRow = 20, kLegendIcon = 13, kCaptionGap = 12, kTitleGap = 8;

QFont legendFont(const Theme& theme) {
    return theme.font(11.5);
}
QFont titleFont(const Theme& theme) {
    return theme.font(15, QFont::DemiBold);
}
QFont captionFont(const Theme& theme) {
    return theme.font(11);
}

// Breaks a text into lines; each line is drawn as one text node.
QStringList wrapped(const QString& text, const QFont& font, double width) {
    QTextLayout layout(text, font);
    QStringList lines;
    layout.beginLayout();
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
        line.setLineWidth(width);
        lines << text.mid(line.textStart(), line.textLength()).trimmed();
    }
    layout.endLayout();
    return lines;
}

double captionLine(const Theme& theme) {
    return QFontMetricsF(captionFont(theme)).height() * 1.12;
}

}  // namespace

FigurePainter::FigurePainter(std::span<const IterationView> views, const FigureOptions& options, double pixel)
    : options_(options) {
    const bool paper = options.width_mm > 0;
    margin_ = paper ? 2 : 20;
    picture_.theme = Theme::make(options.theme, options.scheme);
    picture_.pixel = pixel;
    picture_.layers = options.layers;
    for (const IterationView& view : views) picture_.groups.emplace_back(view);
    PreparedView::shareMemoryScale(picture_.groups);
    if (!picture_.groups.empty())
        picture_.notation.median_forward_ns = picture_.groups.front().medianForward();
    if (!views.empty()) picture_.notation.countAsIn(views.front());
    picture_.notation.definition = options.definition;
    picture_.notation.unit = options.unit;
    picture_.notation.count_from_zero = options.count_from_zero;

    const double width = paper ? options.width_mm * kPxPerMm : options.size_px.width();
    const double inner = width - 2 * margin_;
    legend_height_ = layOutLegend(inner);
    if (!options.title.isEmpty())
        title_height_ = QFontMetricsF(titleFont(picture_.theme)).height() + kTitleGap;
    if (options.caption) {
        caption_ = captionText(picture_.groups, picture_.notation,
                               options.date.isValid() ? options.date : QDate::currentDate());
        caption_height_ =
            captionLine(picture_.theme) *
                static_cast<double>(wrapped(caption_, captionFont(picture_.theme), inner).size()) +
            kCaptionGap;
    }
    LayoutRequest request;
    request.use = LayoutUse::Figure;
    request.width = inner;
    request.memory = options.layers.memory && haveMemory(picture_.groups);
    request.columns = inColumns(picture_.groups);
    request.lanes.clear();
    for (const PreparedView& group : picture_.groups) request.lanes.push_back(std::max(1, group.lanes()));
    if (request.lanes.empty()) request.lanes.push_back(1);
    const double rest = title_height_ + legend_height_ + caption_height_ + 2 * margin_;
    if (!paper) request.height = std::max(200.0, options.size_px.height() - rest);
    picture_.layout = LaneLayout::make(request);
    if (picture_.layout.memory_left_out) {  // what is not there needs no sign
        options_.layers.memory = false;
        legend_.clear();
        layOutLegend(inner);
    }
    size_ = QSizeF(width, paper ? picture_.layout.all.height() + rest : options.size_px.height());

    const TimeRange extent = extentOf(picture_.groups);
    const TimeRange shown = options.range.width() > 0
                                ? options.range
                                : TimeRange{extent.from_ns, extent.from_ns + extent.width() * 1.004};
    picture_.axis = {shown, picture_.layout.plot.left(), picture_.layout.plot.width()};
}

double FigurePainter::layOutLegend(double width) {
    if (picture_.groups.empty()) return 0;
    const QFontMetricsF metrics(legendFont(picture_.theme));
    double x = 0, y = kLegendRow / 2 + 2;
    Signs signs;
    for (const PreparedView& group : picture_.groups) signs |= signsOf(group, picture_.groups.size() > 1);
    const double cap_mb = picture_.groups.front().view().config.memory_cap_mb;
    for (const LegendItem& item :
         legendItems(signs, picture_.theme, options_.layers, LegendUse::Figure, cap_mb)) {
        const double icon_width = legendIconWidth(item);
        const double needed = icon_width + 6 + metrics.horizontalAdvance(item.text);
        if (x > 0 && x + needed > width) {
            x = 0;
            y += kLegendRow;
        }
        legend_.push_back(
            {item, QRectF(x, y - kLegendIcon / 2, icon_width, kLegendIcon), QPointF(x + icon_width + 6, y)});
        x += needed + 16;
    }
    return y + kLegendRow / 2 + 2;
}

void FigurePainter::draw(QPainter& painter) const {
    if (!options_.transparent) painter.fillRect(QRectF(QPointF(0, 0), size_), picture_.theme.canvas);
    painter.save();
    painter.translate(margin_, margin_);
    drawLeft(painter, {0, (title_height_ - kTitleGap) / 2}, options_.title, titleFont(picture_.theme),
             picture_.theme.text);
    painter.translate(0, title_height_);
    TimelinePainter(painter, picture_).draw();
    drawLegend(painter, picture_.layout.all.bottom());
    if (options_.caption) drawCaption(painter, picture_.layout.all.bottom() + legend_height_);
    painter.restore();
}

QString FigurePainter::words() const {
    QStringList words;
    for (const PreparedView& group : picture_.groups)
        words << badgeText(group.provenance(), group.view().device,
                           group.view().recording && !group.view().import);
    words.removeDuplicates();
    if (!caption_.isEmpty()) words << caption_;
    return words.join(u'\n');
}

void FigurePainter::drawLegend(QPainter& painter, double top) const {
    painter.save();
    painter.translate(0, top);
    for (const PlacedItem& each : legend_) {
        drawLegendIcon(painter, each.icon, each.item, picture_.theme);
        drawLeft(painter, each.text, each.item.text, legendFont(picture_.theme), picture_.theme.text_soft);
    }
    painter.restore();
}

void FigurePainter::drawCaption(QPainter& painter, double top) const {
    const double width = picture_.layout.width();
    painter.setPen(QPen(picture_.theme.rule, picture_.line()));
    painter.drawLine(QLineF(0, top + 3, width, top + 3));
    const double line = captionLine(picture_.theme);
    double y = top + kCaptionGap / 2 + 4 + line / 2;
    for (const QString& text : wrapped(caption_, captionFont(picture_.theme), width)) {
        drawLeft(painter, {0, y}, text, captionFont(picture_.theme), picture_.theme.text_soft);
        y += line;
    }
}

}  // namespace bscope::ui
