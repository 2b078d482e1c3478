#include "widgets/gantt/gantt_plottable.h"

#include "widgets/picture/timeline_painter.h"

namespace bscope::ui {

namespace {

constexpr std::size_t kManyOperations = 20'000;

}  // namespace

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
    // While an iteration runs the other cores are the engine's, and few boxes are painted before helpers are
    // awake.
    std::size_t operations = 0;
    bool running = false;
    for (const PreparedView& group : picture_.groups) {
        operations += operationsOf(group.view());
        running = running || group.running();
    }
    const bool helped = !running && operations > kManyOperations;
    PaintThreads* const threads = helped ? &threads_ : nullptr;
    ground(*painter, threads == nullptr ? QRegion() : groundOfLanes(picture_));
    TimelinePainter(*painter, picture_, threads).draw();
}

// Over all that was there before: whole pixels, although QCustomPlot's painter stands half of one off and is
// clipped a row too high.
void GanttPlottable::ground(QPainter& painter, const QRegion& but) const {
    painter.save();
    painter.setWorldTransform({});
    painter.setClipping(false);
    painter.setRenderHint(QPainter::Antialiasing, false);
    for (const QRect& part : QRegion(clipRect()) - but) painter.fillRect(part, picture_.theme.canvas);
    painter.restore();
}

void GanttPlottable::drawLegendIcon(QCPPainter*, const QRectF&) const {}  // the legend is a widget of its own

}  // namespace bscope::ui
