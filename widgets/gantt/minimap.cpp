#include "widgets/gantt/minimap.h"

#include <QEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>

#include "widgets/paint/mini_timeline.h"

namespace bscope::ui {

namespace {

constexpr double kReachPx = 5, kPadding = 4;
constexpr double kSeesAll = 0.999;  // of the whole, from which all of it is seen

}  // namespace

Minimap::Minimap(GanttView& canvas, ViewState& state, QWidget* parent)
    : QWidget(parent), canvas_(canvas), state_(state) {
    setMouseTracking(true);
    setFocusPolicy(Qt::NoFocus);  // the keys of the canvas move it
    connect(&state_, &ViewState::rangeChanged, this, &Minimap::sync);
    retranslate();
    followTheme();
    sync();
}

void Minimap::followTheme() {
    setFixedHeight(currentTheme().px(34));
    picture_ = {};
    update();
}

void Minimap::sync() {
    const bool sees_all = state_.range().width() >= kSeesAll * canvas_.fitRange().width();
    setVisible(canvas_.picture().groups.size() == 1 && !sees_all);
    picture_ = {};
    update();
}

QRectF Minimap::strip() const {
    const TimeAxis& axis = canvas_.picture().axis;
    const double padding = kPadding * currentTheme().scale;
    return {axis.left_px(), padding, axis.width_px(), height() - 2 * padding};
}

QRectF Minimap::frame() const {
    const QRectF all = strip();
    const TimeRange whole = canvas_.fitRange(), seen = state_.range();
    const double per_ns = all.width() / whole.width();
    const double left = all.left() + (seen.from_ns - whole.from_ns) * per_ns;
    return QRectF(left, all.top(), std::max(2.0, seen.width() * per_ns), all.height()).intersected(all);
}

double Minimap::timeAt(double x) const {
    const QRectF all = strip();
    const TimeRange whole = canvas_.fitRange();
    return whole.from_ns + (x - all.left()) / all.width() * whole.width();
}

void Minimap::paintPicture() {
    const double ratio = devicePixelRatioF();
    picture_ = QPixmap(size() * ratio);
    picture_.setDevicePixelRatio(ratio);
    picture_.fill(currentTheme().canvas);
    const PreparedView& group = canvas_.picture().groups.front();
    const IterationView& view = group.view();
    const Timeline& timeline = group.hasRun() ? *view.ran : *view.planned;
    if (timeline.empty()) return;
    QRectF all = strip();
    const double whole_ns = canvas_.fitRange().width(),
                 // paintMiniTimeline starts there
        begins_ns = group.onAxis(timeline.begin_ns()) - canvas_.fitRange().from_ns;
    all.setLeft(all.left() + begins_ns / whole_ns * all.width());
    MiniTimelineStyle style;
    const double pitch = all.height() / std::max(1, timeline.ranks());
    style.row_gap = pitch >= 3 ? 1 : 0;
    style.row_height = pitch - style.row_gap;
    QPainter painter(&picture_);
    painter.setClipRect(strip());
    paintMiniTimeline(painter, all, timeline, group.places(), currentTheme(), whole_ns - begins_ns, style);
}

void Minimap::paintEvent(QPaintEvent*) {
    if (canvas_.picture().groups.empty()) return;
    if (picture_.isNull()) paintPicture();
    const Theme& theme = currentTheme();
    QPainter painter(this);
    painter.drawPixmap(0, 0, picture_);
    const QRectF all = strip(), seen = frame();
    QColor veil = theme.canvas;
    veil.setAlphaF(0.62F);
    painter.fillRect(QRectF(all.topLeft(), seen.bottomLeft()), veil);
    painter.fillRect(QRectF(seen.topRight(), all.bottomRight()), veil);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.accent, 1.5 * theme.line()));
    painter.drawRect(seen.adjusted(0.5, 0.5, -0.5, -0.5));
}

Minimap::Grip Minimap::gripAt(double x) const {
    const QRectF seen = frame();
    const double reach = std::min(kReachPx * currentTheme().scale, seen.width() / 3);
    if (std::abs(x - seen.left()) <= reach) return Grip::Left;
    if (std::abs(x - seen.right()) <= reach) return Grip::Right;
    return seen.left() < x && x < seen.right() ? Grip::Frame : Grip::None;
}

void Minimap::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    const double x = event->position().x();
    grip_ = gripAt(x);
    grabbed_range_ = state_.range();
    grabbed_ns_ = timeAt(x);
    if (grip_ != Grip::None) return;
    // Beside the frame: its middle goes there, and is held.
    grabbed_range_ =
        panned(grabbed_range_, grabbed_ns_ - (grabbed_range_.from_ns + grabbed_range_.to_ns) / 2);
    grip_ = Grip::Frame;
    moveTo(x);
}

void Minimap::mouseMoveEvent(QMouseEvent* event) {
    const double x = event->position().x();
    if (grip_ != Grip::None) return moveTo(x);
    const Grip under = gripAt(x);
    setCursor(under == Grip::Left || under == Grip::Right ? Qt::SizeHorCursor
              : under == Grip::Frame                      ? Qt::OpenHandCursor
                                                          : Qt::ArrowCursor);
}

void Minimap::moveTo(double x) {
    const double by_ns = timeAt(x) - grabbed_ns_, least = kLeastVisibleNs;
    TimeRange range = grabbed_range_;
    if (grip_ == Grip::Frame) range = panned(range, by_ns);
    if (grip_ == Grip::Left) range.from_ns = std::min(range.from_ns + by_ns, range.to_ns - least);
    if (grip_ == Grip::Right) range.to_ns = std::max(range.to_ns + by_ns, range.from_ns + least);
    state_.setFollow(false);  // the zoom stays where it was put
    state_.setRange(clamped(range, canvas_.fitRange()), state_.range() == grabbed_range_);
}

void Minimap::mouseReleaseEvent(QMouseEvent*) {
    grip_ = Grip::None;
}

void Minimap::resizeEvent(QResizeEvent* event) {
    picture_ = {};
    QWidget::resizeEvent(event);
}

void Minimap::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QWidget::changeEvent(event);
}

void Minimap::retranslate() {
    setAccessibleName(tr("The whole iteration"));
    setToolTip(tr("The whole iteration; the frame is what is seen. Drag it, or its edges; 0 shows all."));
}

}  // namespace bscope::ui
