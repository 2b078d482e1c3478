// A loss curve without axes: the head line carries first and last value, hovering the rest.
#include "widgets/dock/loss_plot.h"

#include <cmath>

#include "widgets/text/format.h"

namespace bscope::ui {

LossPlot::LossPlot(QWidget* parent) : QCustomPlot(parent) {
    setPlottingHint(QCP::phImmediateRefresh, false);  // as the canvas: not before the rest has its place
    axisRect()->setAutoMargins(QCP::msNone);
    axisRect()->setMargins(QMargins(1, 6, 5, 1));
    for (QCPAxis* axis : axisRect()->axes()) {
        axis->grid()->setVisible(false);
        axis->setTicks(false);
        axis->setTickLabels(false);
    }
    yAxis->setBasePen(Qt::NoPen);
    line_ = addGraph();
    end_ = addGraph();
    end_->setLineStyle(QCPGraph::lsNone);
    marker_ = new QCPItemTracer(this);
    marker_->setStyle(QCPItemTracer::tsCircle);
    marker_->setVisible(false);
    setMouseTracking(true);
    setFocusPolicy(Qt::NoFocus);
    setAttribute(Qt::WA_InputMethodEnabled, false);
    followTheme();
}

void LossPlot::setBars(const std::vector<IterationBar>& bars) {
    QVector<double> iterations, losses;
    changes_.clear();
    for (std::size_t i = 0; i < bars.size(); ++i) {
        if (!std::isfinite(bars[i].loss)) continue;
        iterations << bars[i].iteration;
        losses << bars[i].loss;
        if (i > 0 && !bars[i].sharesBracket(bars[i - 1])) changes_.push_back(bars[i].iteration);
    }
    line_->setData(iterations, losses, true);
    end_->setData(iterations.mid(iterations.size() - 1), losses.mid(losses.size() - 1), true);
    for (QCPItemStraightLine* rule : rules_) removeItem(rule);
    rules_.clear();
    for (int iteration : changes_) {
        auto* rule = new QCPItemStraightLine(this);
        rule->setLayer(QStringLiteral("grid"));
        rule->point1->setCoords(iteration - 0.5, 0);
        rule->point2->setCoords(iteration - 0.5, 1);
        rule->setPen(currentTheme().rule);
        rules_.push_back(rule);
    }
    if (!iterations.isEmpty()) {
        const auto [low, high] = std::minmax_element(losses.begin(), losses.end());
        const double margin = std::max(0.06 * (*high - *low), 1e-3);
        yAxis->setRange(*low - margin, *high + margin);
        xAxis->setRange(iterations.first() - 0.5,
                        std::max(iterations.last() + 0.5, iterations.first() + 10.5));
    }
    setAccessibleName(tr("Loss %1").arg(rangeText()));
    replot(QCustomPlot::rpQueuedReplot);
}

QString LossPlot::rangeText() const {
    if (line_->data()->isEmpty()) return {};
    const double first = line_->data()->constBegin()->value;
    const double last = (line_->data()->constEnd() - 1)->value;
    return numberText(first, 2) + QStringLiteral(" → ") + numberText(last, 2);
}

void LossPlot::followTheme() {
    const Theme& theme = currentTheme();
    setBackground(theme.panel);
    xAxis->setBasePen(theme.rule);
    line_->setPen(QPen(theme.text, 1.3 * theme.scale));
    end_->setPen(QPen(theme.text, 1));
    end_->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, theme.text, theme.text, 6 * theme.scale));
    marker_->setPen(QPen(theme.accent, 1.5));
    marker_->setBrush(theme.panel);
    marker_->setSize(7 * theme.scale);
    for (QCPItemStraightLine* rule : rules_) rule->setPen(theme.rule);
    setFixedHeight(theme.px(84));
    replot(QCustomPlot::rpQueuedReplot);
}

void LossPlot::mouseMoveEvent(QMouseEvent* event) {
    QCustomPlot::mouseMoveEvent(event);
    if (line_->data()->isEmpty()) return;
    const double at = xAxis->pixelToCoord(event->position().x());
    const auto found = line_->data()->findBegin(at, true);
    const auto next = found + 1 == line_->data()->constEnd() ? found : found + 1;
    const auto nearest = std::abs(next->key - at) < std::abs(found->key - at) ? next : found;
    marker_->setGraph(line_);
    marker_->setGraphKey(nearest->key);
    marker_->setVisible(true);
    replot(QCustomPlot::rpQueuedReplot);
    emit hovered(static_cast<int>(nearest->key), nearest->value);
}

void LossPlot::leaveEvent(QEvent* event) {
    QCustomPlot::leaveEvent(event);
    marker_->setVisible(false);
    replot(QCustomPlot::rpQueuedReplot);
    emit hovered(-1, 0);
}

}  // namespace bscope::ui
