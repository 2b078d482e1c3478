// Painting of the sweep.
#include "widgets/tune/tune_plot.h"

#include <QEvent>
#include <QHelpEvent>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "timeline/places_of.h"
#include "widgets/controls/long_tips.h"
#include "widgets/paint/mini_timeline.h"
#include "widgets/text/format.h"

namespace bscope::ui {
namespace {

constexpr int kAxisLeft = 116, kRight = 16, kTop = 10, kLabels = 44, kThumbs = 108;

}  // namespace

TunePlot::TunePlot(QWidget* parent) : QWidget(parent) {
    setMouseTracking(true);
    setMinimumHeight(360);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void TunePlot::setRows(std::vector<SweepRow> rows, const SweepForm& form, const SweepVerdict& verdict,
                       const SweepBase& base) {
    rows_ = std::move(rows);
    form_ = form;
    verdict_ = verdict;
    base_ = base;
    update();
}

void TunePlot::setNotation(const Notation& notation) {
    notation_ = notation;
    update();
}

void TunePlot::setPicked(int value) {
    picked_ = value;
    update();
}

void TunePlot::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) update();
    QWidget::changeEvent(event);
}

double TunePlot::placeOf(int value) const {
    return form_.axis == SweepAxis::Checkpointing ? value : std::log2(value);
}

double TunePlot::columnWidth() const {
    const double room = width() - currentTheme().px(kAxisLeft + kRight);
    if (rows_.size() < 2) return room;
    const double span = placeOf(rows_.back().value) - placeOf(rows_.front().value);
    double closest = span;
    for (std::size_t i = 1; i < rows_.size(); ++i)
        closest = std::min(closest, placeOf(rows_[i].value) - placeOf(rows_[i - 1].value));
    return room / (span / closest + 1);
}

double TunePlot::columnX(int value) const {
    const Theme& theme = currentTheme();
    const double left = theme.px(kAxisLeft), room = width() - theme.px(kAxisLeft + kRight);
    if (rows_.size() < 2) return left + room / 2;
    const double first = placeOf(rows_.front().value), span = placeOf(rows_.back().value) - first;
    const double half = columnWidth() / 2;
    return left + half + (room - 2 * half) * (placeOf(value) - first) / span;
}

int TunePlot::columnAt(double x) const {
    for (const SweepRow& row : rows_)
        if (std::abs(columnX(row.value) - x) <= columnWidth() / 2) return row.value;
    return 0;
}

QRectF TunePlot::plotRect(int index) const {
    const Theme& theme = currentTheme();
    const bool thumbs = height() > theme.px(480);
    const double room = height() - theme.px(kTop + kLabels) - (thumbs ? theme.px(kThumbs) : 0);
    const double each = room / plots(), head = theme.px(42);
    return QRectF(theme.px(kAxisLeft), theme.px(kTop) + each * index + head,
                  width() - theme.px(kAxisLeft + kRight), each - head - theme.px(10));
}

void TunePlot::mousePressEvent(QMouseEvent* event) {
    const int value = columnAt(event->position().x());
    if (value > 0) emit picked(value);
}

void TunePlot::mouseMoveEvent(QMouseEvent* event) {
    setCursor(columnAt(event->position().x()) > 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

QString TunePlot::columnTip(const SweepRow& row) const {
    QString text =
        base_.knows_model ? tr("%1, micro-batch %2").arg(row.name).arg(row.micro_batch) : row.name;
    if (!row.problem.isEmpty()) return text + '\n' + row.problem;
    if (!base_.knows_model) {
        text += '\n' + tr("predicted: %1 micro-batches/s, bubble %2")
                           .arg(numberText(row.predicted_rate, 2), shareText(row.predicted_bubble));
        if (base_.scatter > 0)
            text += '\n' + tr("noise of the run's iterations: %1").arg(shareText(base_.scatter));
        return text;
    }
    text += '\n' + tr("predicted: %1 tokens/s, bubble %2, peak %3")
                       .arg(rateNumber(row.predicted_rate), shareText(row.predicted_bubble),
                            bytesText(row.predicted_peak_bytes));
    if (row.over_cap) text += '\n' + tr("over the cap, not run");
    if (row.run)
        text += '\n' + tr("this run, median of %1: %2 tokens/s (%3 to %4), bubble %5, peak %6")
                           .arg(row.done)
                           .arg(rateNumber(row.run->tokens_per_s), rateNumber(row.rate_min),
                                rateNumber(row.rate_max), shareText(row.run->bubble_of_total),
                                bytesText(row.peakBytes()));
    return text;
}

bool TunePlot::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const int value = columnAt(help->pos().x());
    for (const SweepRow& row : rows_)
        if (row.value == value) showTip(help->globalPos(), columnTip(row), this);
    return true;
}

void TunePlot::paintEvent(QPaintEvent*) {
    const Theme& theme = currentTheme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect(), theme.canvas);
    if (rows_.empty()) return;
    for (const SweepRow& row : rows_) {
        const bool best = row.value == verdict_.best || std::ranges::count(verdict_.equals, row.value) > 0;
        if (best || row.value == picked_) paintColumn(painter, row, best);
    }

    const double thousand = base_.knows_model ? 1e3 : 1;
    Series rate{tr("Throughput"),
                base_.knows_model ? tr("k tokens/s") : rateUnit(base_),
                [=](const SweepRow& r) { return r.predicted_rate / thousand; },
                [](const SweepRow& r) { return r.run->tokens_per_s / 1e3; },
                [](const SweepRow& r) { return r.rate_min / 1e3; },
                [](const SweepRow& r) { return r.rate_max / 1e3; },
                base_.scatter,
                [](double value) { return numberText(value, 2); },
                0,
                {},
                true};
    Series bubble{tr("Bubble"),
                  tr("% of total"),
                  [](const SweepRow& r) { return 100 * r.predicted_bubble; },
                  [](const SweepRow& r) { return 100 * r.run->bubble_of_total; },
                  nullptr,
                  nullptr,
                  0,
                  [](double value) { return numberText(value, 1); },
                  0,
                  {},
                  false};
    Series memory{tr("Activation peak"),
                  tr("MB, largest rank"),
                  [](const SweepRow& r) { return r.predicted_peak_bytes / 1e6; },
                  [](const SweepRow& r) { return r.peakBytes() / 1e6; },
                  nullptr,
                  nullptr,
                  0,
                  [](double value) { return megabytesNumber(value * 1e6); },
                  form_.cap_mb,
                  tr("cap %1").arg(capText(form_.cap_mb)),
                  false};
    paintSeries(painter, rate, plotRect(0));
    paintSeries(painter, bubble, plotRect(1));
    if (base_.knows_model) paintSeries(painter, memory, plotRect(2));
    const double labels = plotRect(plots() - 1).bottom() + theme.px(10);
    paintAxisLabels(painter, labels);
    if (height() > theme.px(480)) paintThumbnails(painter, labels + theme.px(kLabels));
}

void TunePlot::paintColumn(QPainter& painter, const SweepRow& row, bool best) const {
    const Theme& theme = currentTheme();
    const double half = std::min(columnWidth() / 2, 80 * theme.scale) - theme.px(2);
    const QRectF column(columnX(row.value) - half, theme.px(2), 2 * half, height() - theme.px(6));
    QPen frame(best ? QPen(Qt::NoPen) : QPen(theme.text_faint, 1));
    if (!best) frame.setDashPattern({3, 2});
    painter.setPen(frame);
    painter.setBrush(best ? theme.accent_tint : QColor(Qt::transparent));
    if (!best) {
        painter.drawRoundedRect(column, theme.px(4), theme.px(4));
        return;
    }
    painter.setFont(theme.font(12, QFont::DemiBold));
    const QString words = !verdict_.measured         ? tr("predicted best, %1")
                          : !verdict_.equals.empty() ? tr("no difference, %1")
                          : verdict_.open            ? tr("ahead so far, %1")
                                                     : tr("sweet spot, %1");
    // Over its column, but within the plot; the column is as wide as its words where these stand.
    const QString text = words.arg(row.name);
    const double wide = painter.fontMetrics().horizontalAdvance(text) + theme.px(12);
    const double left = std::max(std::min(column.center().x() - wide / 2, width() - theme.px(18) - wide),
                                 static_cast<double>(theme.px(kAxisLeft)));
    QPainterPath band, head;
    band.addRoundedRect(column, theme.px(4), theme.px(4));
    head.addRoundedRect(QRectF(left, column.top(), wide, theme.px(22)), theme.px(4), theme.px(4));
    painter.drawPath(band.united(head));
    painter.setPen(theme.accent);
    painter.drawText(QRectF(left, column.top() + theme.px(4), wide, column.height()),
                     Qt::AlignTop | Qt::AlignHCenter, text);
}

QString TunePlot::axisName() const {
    switch (form_.axis) {
        case SweepAxis::Microbatches:
            return tr("Micro-batches");
        case SweepAxis::Chunks:
            return tr("Chunks per rank");
        case SweepAxis::Ranks:
            return tr("Ranks and replicas");
        case SweepAxis::Checkpointing:
            return tr("Checkpointing");
    }
    return {};
}

void TunePlot::paintAxisLabels(QPainter& painter, double top) const {
    const Theme& theme = currentTheme();
    painter.setFont(theme.font(12.5, QFont::DemiBold));
    painter.setPen(theme.text);
    painter.drawText(QRectF(theme.px(16), top, theme.px(110), theme.px(16)), Qt::AlignVCenter, axisName());
    painter.setFont(theme.font(11));
    painter.setPen(theme.text_faint);
    const QString of = !base_.knows_model  ? QString()
                       : !form_.ofM()      ? tr("same mini-batch")
                       : form_.fixed_batch ? tr("of %1 samples").arg(form_.samples)
                                           : tr("of equal size");
    painter.drawText(QRectF(theme.px(16), top + theme.px(16), theme.px(110), theme.px(15)), Qt::AlignVCenter,
                     of);
    for (const SweepRow& row : rows_) {
        const bool best = row.value == verdict_.best, legal = row.problem.isEmpty() && !row.over_cap;
        const QRectF line(columnX(row.value) - columnWidth() / 2, top, columnWidth(), theme.px(16));
        painter.setFont(theme.font(12.5, QFont::DemiBold));
        painter.setPen(best ? theme.accent : legal ? theme.text : theme.text_faint);
        painter.drawText(line, Qt::AlignCenter,
                         form_.axis == SweepAxis::Checkpointing ? row.brief : row.name);
        painter.setFont(theme.font(11));
        painter.setPen(theme.text_faint);
        QString below = form_.axis == SweepAxis::Ranks ? QStringLiteral("m = %1").arg(row.config.params.m)
                        : base_.knows_model            ? tr("%1 each").arg(row.micro_batch)
                                                       : QString();
        if (!row.problem.isEmpty())
            below = tr("not possible");
        else if (row.running())
            below += tr(" · running");
        painter.drawText(
            line.translated(0, theme.px(16)), Qt::AlignCenter,
            painter.fontMetrics().elidedText(below, Qt::ElideRight, static_cast<int>(line.width())));
    }
}

void TunePlot::paintThumbnails(QPainter& painter, double top) const {
    const Theme& theme = currentTheme();
    painter.setFont(theme.font(12.5, QFont::DemiBold));
    painter.setPen(theme.text);
    painter.drawText(QRectF(theme.px(16), top, theme.px(110), theme.px(16)), Qt::AlignVCenter,
                     tr("One iteration"));
    painter.setFont(theme.font(11));
    painter.setPen(theme.text_faint);
    painter.drawText(QRectF(theme.px(16), top + theme.px(17), theme.px(90), theme.px(32)), Qt::TextWordWrap,
                     tr("same time scale"));
    double longest_ms = 0;
    for (const SweepRow& row : rows_) longest_ms = std::max(longest_ms, row.ms());
    if (longest_ms <= 0) return;
    const double widest = std::min(columnWidth() * 0.84, 150 * theme.scale), tallest = theme.px(78);
    for (const SweepRow& row : rows_) {
        if (!row.planned) continue;
        const int ranks = row.planned->ranks();
        MiniTimelineStyle style;
        style.row_gap = ranks > 8 ? 1 : 2;
        style.row_height = std::max(1.0, tallest / ranks - style.row_gap);
        style.opacity = row.run ? 1 : 0.4;
        const double left = columnX(row.value) - widest / 2, extent = widest * row.ms() / longest_ms;
        paintMiniTimeline(painter, QRectF(left, top, extent, tallest), *row.planned,
                          placesOf(*row.planned), theme, row.plan_ns, style);
        painter.setPen(QPen(theme.text, 1.2));
        painter.drawLine(QPointF(left + extent, top - 1), QPointF(left + extent, top + tallest));
        painter.setFont(theme.font(11, row.value == verdict_.best ? QFont::DemiBold : QFont::Normal));
        painter.setPen(row.value == verdict_.best ? theme.accent : theme.text_soft);
        painter.drawText(
            QRectF(left + extent - theme.px(80), top + tallest + 2, theme.px(80) + 1, theme.px(16)),
            Qt::AlignVCenter | Qt::AlignRight, notation_.duration(1e6 * row.ms()));
    }
}

}  // namespace bscope::ui
