#include "widgets/figure/figure_painter.h"

#include <QColorSpace>
#include <QFontMetricsF>
#include <QTextLayout>
#include <algorithm>
#include <cmath>
#include <utility>

#include "widgets/figure/caption.h"
#include "widgets/paint/badge.h"
#include "widgets/paint/text_runs.h"
#include "widgets/picture/overlay_painter.h"
#include "widgets/picture/timeline_painter.h"
#include "widgets/text/canvas_words.h"

namespace bscope::ui {

namespace {

constexpr double kDotsPerInch = 96, kPxPerMm = kDotsPerInch / 25.4;
constexpr double kLegendIcon = 13, kCaptionGap = 12, kTitleGap = 8;
constexpr std::size_t kMostMessages = 20'000;

QFont titleFont(const Theme& theme) {
    return theme.font(15, QFont::DemiBold);
}

// A plan as what it says would run.
PreparedView asRun(const PreparedView& plan) {
    IterationView view = plan.view();
    view.ran = view.planned;
    view.summary = view.plan_summary;
    view.now_ns = -1;
    return PreparedView(view);
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

}  // namespace

QFont FigurePainter::legendFont() const {
    return picture_.theme.font(is_column_ ? 10 : 11.5);
}

QFont FigurePainter::captionFont() const {
    return picture_.theme.font(is_column_ ? 9 : 11);
}

double FigurePainter::captionLine() const {
    return QFontMetricsF(captionFont()).height() * 1.12;
}

FigurePainter::FigurePainter(std::span<const IterationView> views, const FigureOptions& options, double pixel,
                             std::span<const IterationView> also)
    : options_(options), is_column_(options.width_mm > 0 && options.width_mm <= kColumnWidth_mm) {
    const bool boxes_only = options.content == FigureContent::BoxesOnly;
    if (boxes_only)
        for (bool Layers::*layer :
             {&Layers::bubbles, &Layers::ghost, &Layers::memory, &Layers::critical_path})
            options_.layers.*layer = false;
    options_.layers.arrows = options.arrows != FigureArrows::None;
    const bool paper = options.width_mm > 0;
    margin_ = paper ? 2 : kPictureMargin;
    picture_.theme = Theme::make(options.theme, options.scheme);
    picture_.pixel = pixel;
    picture_.boxes_only = boxes_only;
    picture_.of_film = !also.empty();
    also_ = prepared(also, {});
    picture_.groups = prepared(views, {});
    const auto is_solid_plan = [](const PreparedView& group) { return group.isPlan() && group.hasRun(); };
    if (std::ranges::any_of(picture_.groups, is_solid_plan) || std::ranges::any_of(also_, is_solid_plan))
        options_.layers.ghost = false;  // it would be an outline around itself
    picture_.layers = options_.layers;
    addMessages();
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
    if (const CaptionLength length = captionOf(options); length != CaptionLength::None) {
        caption_ = length == CaptionLength::Short
                       ? shortCaption(picture_.groups, picture_.notation)
                       : captionText(picture_.groups, picture_.notation,
                                     options.date.isValid() ? options.date : QDate::currentDate());
        caption_height_ =
            captionLine() * static_cast<double>(wrapped(caption_, captionFont(), inner).size()) + kCaptionGap;
    }
    LayoutRequest request;
    request.use = LayoutUse::Figure;
    request.width = inner;
    request.memory = options_.layers.memory && haveMemory(picture_.groups);
    request.boxes_only = boxes_only;
    request.columns = inColumns(picture_.groups);
    request.lanes.clear();
    for (const PreparedView& group : picture_.groups) request.lanes.push_back(std::max(1, group.lanes()));
    if (request.lanes.empty()) request.lanes.push_back(1);
    const auto rest = [&] { return title_height_ + legend_height_ + caption_height_ + 2 * margin_; };
    const auto layOut = [&] {
        if (!paper) request.height = std::max(200.0, options.size_px.height() - rest());
        picture_.layout = LaneLayout::make(request);
    };
    layOut();
    for (std::size_t g = 0; g < picture_.groups.size(); ++g) {
        const QChar letter = letterOfGroup(picture_, g);
        int lines = titleLines(picture_, picture_.groups[g], inner, letter);
        for (std::size_t moment = g; moment < also_.size(); moment += picture_.groups.size())
            lines = std::max(lines, titleLines(picture_, also_[moment], inner, letter));
        request.title_lines.push_back(lines);
    }
    layOut();
    const bool memory_left_out = picture_.layout.memory_left_out;
    if (memory_left_out) {  // what is not there needs no sign, and the boxes take the sign's room
        options_.layers.memory = request.memory = false;
        legend_.clear();
        legend_height_ = layOutLegend(inner);
        layOut();
    }
    double height = picture_.layout.all.height() + picture_.layout.max_scroll + rest();
    is_higher_ = !paper && height > options.size_px.height();
    if (is_higher_) {
        height = 2 * std::ceil(height / 2);  // a video has an even number of lines
        request.height = height - rest();
        picture_.layout = LaneLayout::make(request);
    }
    picture_.layout.memory_left_out = memory_left_out;  // which is said
    size_ = QSizeF(width, paper ? height : std::max<double>(height, options.size_px.height()));

    TimeRange extent = extentOf(picture_.groups);
    if (!also_.empty()) extent.to_ns = std::max(extent.to_ns, extentOf(also_).to_ns);
    if (boxes_only) {  // no optimizer at the end
        extent.to_ns = extent.from_ns;
        for (const PreparedView& group : picture_.groups)
            extent.to_ns = std::max(extent.to_ns, group.computeEnd());
    }
    const TimeRange shown = options.range.width() > 0
                                ? options.range
                                : TimeRange{extent.from_ns, extent.from_ns + extent.width() * 1.004};
    picture_.axis = {shown, picture_.layout.plot.left(), picture_.layout.plot.width()};
}

void FigurePainter::show(std::span<const IterationView> moments) {
    picture_.layers = options_.layers;
    picture_.groups = prepared(moments, picture_.groups);
    picture_.messages.clear();
    addMessages();
}

void FigurePainter::showBetween(const IterationView& moment) {
    show({&moment, 1});
    picture_.layers.bubbles = false;
}

// They share their scale of memory. former: what was shown of the same iterations.
std::vector<PreparedView> FigurePainter::prepared(std::span<const IterationView> views,
                                                  std::span<const PreparedView> former) const {
    std::vector<PreparedView> groups;
    for (std::size_t i = 0; i < views.size(); ++i) {
        PreparedView group(views[i], i < former.size() ? &former[i] : nullptr);
        const bool is_solid = options_.plan == PlanLook::Solid && !group.hasRun() && !views[i].covered;
        groups.push_back(is_solid ? asRun(group) : std::move(group));
    }
    PreparedView::shareMemoryScale(groups, also_);
    return groups;
}

// Of what is not solid, as if it had run.
void FigurePainter::addMessages() {
    if (options_.arrows == FigureArrows::None) return;
    for (const PreparedView& group : picture_.groups) {
        std::vector<MessageArrow> messages = messagesOf(group.hasRun() ? group : asRun(group), kMostMessages);
        if (options_.arrows == FigureArrows::OneMicrobatch)
            std::erase_if(messages, [&](const MessageArrow& each) {
                return group.view().microbatchInIteration(each.microbatch) != options_.arrows_of;
            });
        picture_.messages.push_back(std::move(messages));
    }
}

// What has no sign in the picture has none in its legend.
std::vector<LegendItem> FigurePainter::itemsOfLegend() const {
    Signs signs;
    const bool stacked = picture_.groups.size() > 1;
    for (const PreparedView& group : picture_.groups) signs |= signsNow(group, stacked);
    for (const PreparedView& group : also_) signs |= signsNow(group, stacked);
    if (picture_.boxes_only) {
        signs.transfer = signs.wait = signs.kernels = signs.shard_sums = false;
        for (const Op op : {Op::OptimizerStep, Op::ReduceGradients, Op::GatherWeights})
            signs.shades[static_cast<std::size_t>(op)] = 0;
    }
    const double cap_mb = picture_.groups.front().view().config.memory_cap_mb;
    std::vector<LegendItem> items =
        legendItems(signs, picture_.theme, options_.layers, LegendUse::Figure, cap_mb);
    const bool has_arrows =
        std::ranges::any_of(picture_.messages, [](const auto& of_group) { return !of_group.empty(); });
    if (has_arrows) items.push_back({.kind = LegendKind::Arrow, .text = Canvas::tr("messages"), .key = {}});
    return items;
}

double FigurePainter::layOutLegend(double width) {
    if (picture_.groups.empty() || !options_.legend) return kTitleGap;
    const double row = is_column_ ? 15 : 20;
    const QFontMetricsF metrics(legendFont());
    double x = 0, y = row / 2 + 2;
    for (const LegendItem& item : itemsOfLegend()) {
        const double icon_width = legendIconWidth(item);
        const double needed = icon_width + 6 + metrics.horizontalAdvance(item.text);
        if (x > 0 && x + needed > width) {
            x = 0;
            y += row;
        }
        legend_.push_back(
            {item, QRectF(x, y - kLegendIcon / 2, icon_width, kLegendIcon), QPointF(x + icon_width + 6, y)});
        x += needed + (is_column_ ? 10 : 16);
    }
    return y + row / 2 + 2;
}

void FigurePainter::draw(QPainter& painter) const {
    if (!options_.transparent) painter.fillRect(QRectF(QPointF(0, 0), size_), picture_.theme.canvas);
    painter.save();
    painter.translate(margin_, margin_);
    drawLeft(painter, {0, (title_height_ - kTitleGap) / 2}, options_.title, titleFont(picture_.theme),
             picture_.theme.text);
    painter.translate(0, title_height_);
    TimelinePainter(painter, picture_).draw();
    OverlayPainter overlay(painter, picture_);
    overlay.drawMessages();
    if (picture_.of_film) overlay.drawNow();
    drawLegend(painter, picture_.layout.all.bottom());
    if (!caption_.isEmpty()) drawCaption(painter, picture_.layout.all.bottom() + legend_height_);
    painter.restore();
}

QImage FigurePainter::image(double factor, bool transparent) const {
    const QSizeF size = size_ * factor;
    QImage image(static_cast<int>(std::lround(size.width())), static_cast<int>(std::lround(size.height())),
                 QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    const int dots_per_m = static_cast<int>(std::lround(factor * kDotsPerInch / 0.0254));
    image.setDotsPerMeterX(dots_per_m);
    image.setDotsPerMeterY(dots_per_m);
    QPainter painter(&image);
    painter.scale(factor, factor);
    draw(painter);
    painter.end();
    image.setColorSpace(QColorSpace::SRgb);
    return transparent ? image : image.convertToFormat(QImage::Format_RGB32);
}

QString FigurePainter::words() const {
    QStringList words;
    for (const PreparedView& group : picture_.groups)
        words << badgeText(group.provenance(), QString::fromStdString(group.view().device),
                           group.view().recording && !group.view().import) +
                     calibratedText(group.view());
    words.removeDuplicates();
    if (!caption_.isEmpty()) words << caption_;
    return words.join(u'\n').replace(QChar::Nbsp, u' ');  // as it is searched for
}

void FigurePainter::drawLegend(QPainter& painter, double top) const {
    painter.save();
    painter.translate(0, top);
    for (const PlacedItem& each : legend_) {
        drawLegendIcon(painter, each.icon, each.item, picture_.theme);
        drawLeft(painter, each.text, each.item.text, legendFont(), picture_.theme.text_soft);
    }
    painter.restore();
}

void FigurePainter::drawCaption(QPainter& painter, double top) const {
    const double width = picture_.layout.width();
    painter.setPen(QPen(picture_.theme.rule, picture_.line()));
    painter.drawLine(QLineF(0, top + 3, width, top + 3));
    const double line = captionLine();
    double y = top + kCaptionGap / 2 + 4 + line / 2;
    for (const QString& text : wrapped(caption_, captionFont(), width)) {
        drawLeft(painter, {0, y}, text, captionFont(), picture_.theme.text_soft);
        y += line;
    }
}

}  // namespace bscope::ui
