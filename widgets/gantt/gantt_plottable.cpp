#include "widgets/gantt/gantt_plottable.h"

#include "widgets/picture/timeline_painter.h"

namespace bscope::ui {

GanttPlottable::GanttPlottable(QCPAxis* time, QCPAxis* lanes, const Picture& picture)
    : QCPAbstractPlottable(time, lanes), picture_(picture) {}

double GanttPlottable::selectTest(const QPointF&, bool, QVariant*) const {
    return -1;
}  // the view tests hits itself

QCPRange GanttPlottable::getKeyRange(bool& found, QCP::SignDomain) const {
    found = !picture_.groups.empty();
    return found ? QCPRange(0, picture_.groups.front().extent().to_ns) : QCPRange();
}

QCPRange GanttPlottable::getValueRange(bool& found, QCP::SignDomain, const QCPRange&) const {
    found = false;
    return {};
}

QRect GanttPlottable::clipRect() const {
    return parentPlot()->viewport();
}

void GanttPlottable::draw(QCPPainter* painter) {
    TimelinePainter(*painter, picture_).draw();
}

void GanttPlottable::drawLegendIcon(QCPPainter*, const QRectF&) const {}  // the legend is a widget of its own

}  // namespace bscope::ui
