// One plot of the sweep: scale, lines, marks and their labels.
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "widgets/text/format.h"
#include "widgets/tune/tune_plot.h"

namespace bscope::ui {
namespace {

// Round top of a scale from 0: 1, 2, 2.5 or 5 times a power of ten a step.
double niceStep(double most) {
    if (most <= 0) return 1;
    const double raw = most / 4, power = std::pow(10, std::floor(std::log10(raw)));
    for (double step : {1.0, 2.0, 2.5, 5.0})
        if (raw <= step * power * 1.0001) return step * power;
    return 10 * power;
}

}  // namespace

void TunePlot::paintSeries(QPainter& painter, const Series& series, const QRectF& plot) const {
    const Theme& theme = currentTheme();
    double most = series.limit;
    for (const SweepRow& row : rows_) {
        if (row.predicted()) most = std::max(most, series.predicted(row) * (1 + series.scatter));
        if (row.run) most = std::max(most, series.run(row));
    }
    const double step = niceStep(most), top = std::max(step, most * 1.08);
    paintScale(painter, series, plot, step, top);

    const auto y = [&](double value) { return plot.bottom() - plot.height() * value / top; };
    QPolygonF predicted, run;
    for (const SweepRow& row : rows_) {
        if (row.predicted()) predicted << QPointF(columnX(row.value), y(series.predicted(row)));
        if (row.complete()) run << QPointF(columnX(row.value), y(series.run(row)));
    }
    if (series.scatter > 0 && predicted.size() > 1) {
        QPolygonF band;
        const double zero = plot.bottom();
        for (const QPointF& at : predicted) band << QPointF(at.x(), zero - (zero - at.y()) * (1 + series.scatter));
        for (auto at = predicted.crbegin(); at != predicted.crend(); ++at)
            band << QPointF(at->x(), zero - (zero - at->y()) * std::max(0.0, 1 - series.scatter));
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.hair);
        painter.drawPolygon(band);
        painter.setBrush(Qt::NoBrush);
    }
    QPen dashes(theme.text_faint, 1.1);
    dashes.setDashPattern({4, 3});
    painter.setPen(dashes);
    painter.drawPolyline(predicted);
    painter.setPen(QPen(theme.text, 1.6));
    painter.drawPolyline(run);
    for (std::size_t row = 0; row < rows_.size(); ++row) paintPoint(painter, series, row, plot, top);
}

void TunePlot::paintScale(QPainter& painter, const Series& series, const QRectF& plot, double step,
                          double top) const {
    const Theme& theme = currentTheme();
    const double left = theme.px(16), room = theme.px(150);
    painter.setFont(theme.font(12.5, QFont::DemiBold));
    painter.setPen(theme.text);
    painter.drawText(QRectF(left, plot.top() - theme.px(39), room, theme.px(16)), Qt::AlignVCenter,
                     series.title);
    painter.setFont(theme.font(11));
    painter.setPen(theme.text_faint);
    painter.drawText(QRectF(left, plot.top() - theme.px(23), room, theme.px(15)), Qt::AlignVCenter,
                     series.unit);
    painter.setFont(theme.font(10.5));
    for (double value = 0; value <= top * 0.999; value += step) {
        const double line = std::round(plot.bottom() - plot.height() * value / top) + 0.5;
        painter.setPen(QPen(value == 0 ? theme.rule : theme.hair, 1));
        painter.drawLine(QPointF(plot.left(), line), QPointF(plot.right(), line));
        painter.setPen(theme.text_faint);
        painter.drawText(QRectF(plot.left() - theme.px(50), line - theme.px(8), theme.px(42), theme.px(16)),
                         Qt::AlignVCenter | Qt::AlignRight, trimmedText(value, 2));
    }
    if (series.limit <= 0) return;
    const double limit = plot.bottom() - plot.height() * series.limit / top, words = theme.px(120);
    QPen dashes(theme.text, 1.3);
    dashes.setDashPattern({4, 3});
    painter.setPen(dashes);
    painter.drawLine(QPointF(plot.left(), limit), QPointF(plot.right(), limit));
    painter.setFont(theme.font(11, QFont::DemiBold));
    painter.drawText(QRectF(plot.right() - words, limit - theme.px(17), words, theme.px(15)),
                     Qt::AlignRight | Qt::AlignVCenter, series.limit_text);
}

void TunePlot::paintPoint(QPainter& painter, const Series& series, std::size_t index, const QRectF& plot,
                          double top) const {
    const Theme& theme = currentTheme();
    const SweepRow& row = rows_[index];
    if (!row.predicted() && !row.run) return;
    const auto y = [&](double value) { return plot.bottom() - plot.height() * value / top; };
    const auto valueOf = [&](const SweepRow& r) { return r.run ? series.run(r) : series.predicted(r); };
    const double x = columnX(row.value), side = theme.px(7);
    const bool best = row.value == verdict_.best;
    const QColor ink = best ? theme.accent : theme.text;
    if (row.predicted()) {
        painter.setPen(QPen(theme.text_faint, 1.3));
        painter.setBrush(best ? theme.accent_tint : theme.canvas);
        painter.drawEllipse(QPointF(x, y(series.predicted(row))), side * 0.62, side * 0.62);
    }
    if (row.complete() && series.low) {
        painter.setPen(QPen(ink, 1.2));
        painter.drawLine(QPointF(x, y(series.low(row))), QPointF(x, y(series.high(row))));
    }
    if (row.run) {
        painter.setPen(QPen(ink, 1.8));
        painter.setBrush(row.complete() ? ink : theme.canvas);
        painter.drawRect(QRectF(x - side / 2, y(series.run(row)) - side / 2, side, side));
    }

    // Above the mark, unless the line goes up from here or the cap runs through that place, and below there
    // is room.
    const double value = valueOf(row);
    const SweepRow* next = index + 1 < rows_.size() ? &rows_[index + 1] : nullptr;
    const bool rises = next != nullptr && (next->run || next->predicted()) && valueOf(*next) > value;
    const bool crosses =
        series.limit > 0 && std::abs(y(value) - theme.px(11) - y(series.limit)) < theme.px(10);
    const bool below = (rises || crosses) && y(value) + theme.px(3 + 16) <= plot.bottom();
    const double label = y(value) + (below ? theme.px(3) : -theme.px(19));
    painter.setFont(theme.font(11.5, row.complete() ? QFont::DemiBold : QFont::Normal));
    painter.setPen(row.complete() ? ink : theme.text_faint);
    painter.drawText(QRectF(x + theme.px(9), label, theme.px(66), theme.px(16)), Qt::AlignVCenter,
                     series.text(value));
    if (!series.names_refused || !row.over_cap) return;
    painter.drawText(QRectF(x - theme.px(70), y(value) + theme.px(20), theme.px(140), theme.px(16)),
                     Qt::AlignCenter, tr("over the cap, not run"));
}

}  // namespace bscope::ui
