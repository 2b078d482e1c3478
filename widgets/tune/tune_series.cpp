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
    double most = series.limit;
    for (const SweepRow& row : rows_) {
        if (row.predicted()) most = std::max(most, series.predicted(row));
        if (row.run) most = std::max(most, series.run(row));
    }
    const double step = niceStep(most), top = std::max(step, most * 1.08);
    paintScale(painter, series, plot, step, top);

    const auto y = [&](double value) { return plot.bottom() - plot.height() * value / top; };
    QPolygonF predicted, run;
    for (const SweepRow& row : rows_) {
        if (row.predicted()) predicted << QPointF(columnX(row.m), y(series.predicted(row)));
        if (row.complete()) run << QPointF(columnX(row.m), y(series.run(row)));
    }
    QPen dashes(theme_.text_faint, 1.1);
    dashes.setDashPattern({4, 3});
    painter.setPen(dashes);
    painter.drawPolyline(predicted);
    painter.setPen(QPen(theme_.text, 1.6));
    painter.drawPolyline(run);
    for (std::size_t row = 0; row < rows_.size(); ++row) paintPoint(painter, series, row, plot, top);
}

void TunePlot::paintScale(QPainter& painter, const Series& series, const QRectF& plot, double step,
                          double top) const {
    const double left = theme_.px(16), room = theme_.px(150);
    painter.setFont(theme_.font(12.5, QFont::DemiBold));
    painter.setPen(theme_.text);
    painter.drawText(QRectF(left, plot.top() - theme_.px(39), room, theme_.px(16)), Qt::AlignVCenter,
                     series.title);
    painter.setFont(theme_.font(11));
    painter.setPen(theme_.text_faint);
    painter.drawText(QRectF(left, plot.top() - theme_.px(23), room, theme_.px(15)), Qt::AlignVCenter,
                     series.unit);
    painter.setFont(theme_.font(10.5));
    for (double value = 0; value <= top * 0.999; value += step) {
        const double line = std::round(plot.bottom() - plot.height() * value / top) + 0.5;
        painter.setPen(QPen(value == 0 ? theme_.rule : theme_.hair, 1));
        painter.drawLine(QPointF(plot.left(), line), QPointF(plot.right(), line));
        painter.setPen(theme_.text_faint);
        painter.drawText(
            QRectF(plot.left() - theme_.px(50), line - theme_.px(8), theme_.px(42), theme_.px(16)),
            Qt::AlignVCenter | Qt::AlignRight, trimmedText(value, 2));
    }
    if (series.limit <= 0) return;
    const double limit = plot.bottom() - plot.height() * series.limit / top, words = theme_.px(120);
    QPen dashes(theme_.text, 1.3);
    dashes.setDashPattern({4, 3});
    painter.setPen(dashes);
    painter.drawLine(QPointF(plot.left(), limit), QPointF(plot.right(), limit));
    painter.setFont(theme_.font(11, QFont::DemiBold));
    painter.drawText(QRectF(plot.right() - words, limit - theme_.px(17), words, theme_.px(15)),
                     Qt::AlignRight | Qt::AlignVCenter, series.limit_text);
}

void TunePlot::paintPoint(QPainter& painter, const Series& series, std::size_t index, const QRectF& plot,
                          double top) const {
    const SweepRow& row = rows_[index];
    if (!row.predicted() && !row.run) return;
    const auto y = [&](double value) { return plot.bottom() - plot.height() * value / top; };
    const auto valueOf = [&](const SweepRow& r) { return r.run ? series.run(r) : series.predicted(r); };
    const double x = columnX(row.m), side = theme_.px(7);
    const bool best = row.m == verdict_.best_m;
    const QColor ink = best ? theme_.accent : theme_.text;
    if (row.predicted()) {
        painter.setPen(QPen(theme_.text_faint, 1.3));
        painter.setBrush(best ? theme_.accent_tint : theme_.canvas);
        painter.drawEllipse(QPointF(x, y(series.predicted(row))), side * 0.62, side * 0.62);
    }
    if (row.complete() && series.low) {
        painter.setPen(QPen(ink, 1.2));
        painter.drawLine(QPointF(x, y(series.low(row))), QPointF(x, y(series.high(row))));
    }
    if (row.run) {
        painter.setPen(QPen(ink, 1.8));
        painter.setBrush(row.complete() ? ink : theme_.canvas);
        painter.drawRect(QRectF(x - side / 2, y(series.run(row)) - side / 2, side, side));
    }

    // Above the mark, unless the line goes up from here or the cap runs through that place.
    const double value = valueOf(row);
    const SweepRow* next = index + 1 < rows_.size() ? &rows_[index + 1] : nullptr;
    const bool rises = next != nullptr && (next->run || next->predicted()) && valueOf(*next) > value;
    const bool crosses =
        series.limit > 0 && std::abs(y(value) - theme_.px(11) - y(series.limit)) < theme_.px(10);
    const double label = y(value) + (rises || crosses ? theme_.px(3) : -theme_.px(19));
    painter.setFont(theme_.font(11.5, row.complete() ? QFont::DemiBold : QFont::Normal));
    painter.setPen(row.complete() ? ink : theme_.text_faint);
    painter.drawText(QRectF(x + theme_.px(9), label, theme_.px(66), theme_.px(16)), Qt::AlignVCenter,
                     series.text(value));
    if (!series.names_refused || !row.over_cap) return;
    painter.drawText(QRectF(x - theme_.px(70), y(value) + theme_.px(20), theme_.px(140), theme_.px(16)),
                     Qt::AlignCenter, tr("over the cap, not run"));
}

}  // namespace bscope::ui
