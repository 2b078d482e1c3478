// GanttView's mouse, wheel, touch and keyboard. A left drag measures; Alt or the middle button zooms to the
// range, Ctrl measures on the lanes that it crosses alone, Shift or the right button pans; a press that did
// not move is a click.
#include <QGestureEvent>
#include <QHelpEvent>
#include <QNativeGestureEvent>
#include <QPinchGesture>
#include <limits>

#include "view/gap.h"
#include "widgets/controls/long_tips.h"
#include "widgets/gantt/gantt_view.h"
#include "widgets/gantt/hover_card.h"
#include "widgets/picture/gap_words.h"
#include "widgets/picture/note_flags.h"
#include "widgets/text/canvas_words.h"
#include "widgets/text/config_text.h"
#include "widgets/text/format.h"

namespace bscope::ui {

namespace {

constexpr double kDragThresholdPx = 4, kWheelZoom = 0.85, kWheelPan = 0.08;

}  // namespace

bool GanttView::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride && commands_ != nullptr) {
        auto* key = static_cast<QKeyEvent*>(event);
        if (commands_->claims(*key)) {
            key->accept();
            return true;
        }
    }
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const NoteMark* const flag = noteUnder(picture_, help->pos());
        showTip(help->globalPos(),
                flag != nullptr ? flag->text : noteOf(picture_, hitTest(picture_, help->pos())), this);
        return true;
    }
    if (gesture(event)) return true;
    return QCustomPlot::event(event);
}

bool GanttView::gesture(QEvent* event) {
    if (event->type() == QEvent::NativeGesture) {
        auto* native = static_cast<QNativeGestureEvent*>(event);
        if (native->gestureType() != Qt::ZoomNativeGesture) return false;
        zoomAt(1 / (1 + native->value()), native->position().x());
        return true;
    }
    if (event->type() != QEvent::Gesture) return false;
    auto* pinch = static_cast<QPinchGesture*>(static_cast<QGestureEvent*>(event)->gesture(Qt::PinchGesture));
    if (pinch == nullptr || pinch->scaleFactor() <= 0) return false;
    zoomAt(1 / pinch->scaleFactor(), mapFromGlobal(pinch->centerPoint()).x());
    return true;
}

void GanttView::keyPressEvent(QKeyEvent* event) {
    if (!commands_->trigger(*event)) event->ignore();
}

void GanttView::resizeEvent(QResizeEvent* event) {
    relayout();
    QCustomPlot::resizeEvent(event);
}

void GanttView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange && commands_ != nullptr) {
        commands_->retranslate();
        redraw();
    }
    QCustomPlot::changeEvent(event);
}

void GanttView::mousePressEvent(QMouseEvent* event) {
    setFocus(Qt::MouseFocusReason);
    hideCard();
    drag_ = Drag::Pending;
    drag_button_ = event->button();
    drag_modifiers_ = event->modifiers();
    drag_from_ = event->position();
    drag_range_ = state_.range();
    const bool plain = drag_button_ == Qt::LeftButton && drag_modifiers_ == Qt::NoModifier;
    if (!scrubbable_ || !plain || hitTest(picture_, drag_from_).part != Hit::Part::Ruler) return;
    drag_ = Drag::Scrub;
    scrubTo(drag_from_);
}

void GanttView::scrubTo(const QPointF& at) {
    const double column = picture_.layout.leftOf(picture_.layout.columnAt(drag_from_.x()));
    emit scrubbed(picture_.axis.toNs(at.x() - column));
}

void GanttView::mouseMoveEvent(QMouseEvent* event) {
    const QPointF at = event->position();
    pointer_ = at;
    if (drag_ == Drag::Pending && (at - drag_from_).manhattanLength() >= kDragThresholdPx) {
        const bool left = drag_button_ == Qt::LeftButton;
        since_zoom_.invalidate();
        if (drag_button_ == Qt::RightButton || (left && drag_modifiers_.testFlag(Qt::ShiftModifier)))
            drag_ = Drag::Pan;
        else if (drag_button_ == Qt::MiddleButton || (left && drag_modifiers_.testFlag(Qt::AltModifier)))
            drag_ = Drag::ZoomRange;
        else if (left && drag_modifiers_.testFlag(Qt::ControlModifier))
            drag_ = Drag::MeasureLanes;
        else
            drag_ = left ? Drag::Measure : Drag::None;
    }
    switch (drag_) {
        case Drag::Pan: {
            const double by_ns = (drag_from_.x() - at.x()) / picture_.axis.pxPerNs();
            const bool running = !picture_.groups.empty() && picture_.groups.front().running();
            if (running && !fitted_) state_.setFollow(false);
            setRangeClamped(panned(drag_range_, by_ns), true);
            break;
        }
        case Drag::Measure:
        case Drag::MeasureLanes:
            state_.setMeasured(draggedRange(at), draggedLanes(at), drag_ == Drag::Measure);
            break;
        case Drag::ZoomRange:
            cursor_.zoom_range = draggedRange(at);
            redrawOverlay();
            break;
        case Drag::Scrub:
            scrubTo(at);
            break;
        case Drag::None:
            hoverAt(at);
            break;
        case Drag::Pending:
            break;
    }
}

TimeRange GanttView::draggedRange(const QPointF& to) const {
    const QRectF& plot = picture_.layout.plot;
    const double column = picture_.layout.leftOf(picture_.layout.columnAt(drag_from_.x()));
    const auto timeAt = [&](double x) {
        return picture_.axis.toNs(std::clamp(x - column, plot.left(), plot.right()));
    };
    const auto [from, past] = std::minmax({timeAt(drag_from_.x()), timeAt(to.x())});
    return {from, past};
}

// Of the lanes between the two points; nullopt: one of them is on none.
std::optional<LaneSpan> GanttView::draggedLanes(const QPointF& to) const {
    const int column = picture_.layout.columnAt(drag_from_.x());
    const LaneLayout::Hit from = picture_.layout.laneAt(drag_from_.y(), column),
                          past = picture_.layout.laneAt(to.y(), column);
    if (from.lane < 0 || past.lane < 0 || from.group != past.group) return std::nullopt;
    const auto [first, last] = std::minmax({from.lane, past.lane});
    return LaneSpan{first, last};
}

void GanttView::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() == drag_button_) endDrag(event->position());
}

void GanttView::endDrag(const QPointF& at) {
    const Drag finished = std::exchange(drag_, Drag::None);
    drag_button_ = Qt::NoButton;
    const std::optional<TimeRange> zoom_to = std::exchange(cursor_.zoom_range, std::nullopt);
    if (finished == Drag::Pending) clickAt(at);
    if (finished == Drag::ZoomRange && zoom_to && zoom_to->width() > 0) {
        since_zoom_.invalidate();
        setRangeClamped(*zoom_to, true);
        redrawOverlay();
    }
}

void GanttView::clickAt(const QPointF& at) {
    if (drag_modifiers_ != Qt::NoModifier) return;
    if (const NoteMark* const note = noteUnder(picture_, at)) return emit noteClicked(note->number);
    const Hit hit = hitTest(picture_, at);
    if (hit.part == Hit::Part::Header) {
        Filter filter = state_.filter();
        if (filter.hidden_ranks.erase(hit.rank) == 0) filter.hidden_ranks.insert(hit.rank);
        return state_.setFilter(filter);
    }
    state_.setMeasured(std::nullopt);
    // A second click on a link selects what lies there.
    if (const auto link = linkUnder(hit); link && link != state_.link()) return state_.setLink(link);
    if (hit.part == Hit::Part::Box || hit.part == Hit::Part::PlannedBox)
        state_.select(selectionIn(hit));
    else if (hit.part == Hit::Part::Idle)
        state_.selectGap(
            gapSelection(picture_.groups[static_cast<std::size_t>(hit.group)], hit.rank, hit.idle));
    else if (hit.part == Hit::Part::Lane)
        state_.select(std::nullopt);
}

void GanttView::mouseDoubleClickEvent(QMouseEvent* event) {
    pointer_ = event->position();
    if (hitTest(picture_, pointer_).part == Hit::Part::Ruler)
        fit();
    else
        lightUpLife();
}

void GanttView::wheelEvent(QWheelEvent* event) {
    const QPointF at = picture_.layout.inColumn(event->position());
    const QPoint turned = event->angleDelta().isNull() ? event->pixelDelta() : event->angleDelta();
    const double notches_y = turned.y() / 120.0, notches_x = turned.x() / 120.0;
    const QRectF& plot = picture_.layout.plot;
    const bool beside = at.x() < plot.left() || at.x() > plot.right();
    if (beside && picture_.layout.max_scroll > 0)
        scrollLanes(-notches_y * 60);
    else if (event->modifiers().testFlag(Qt::ShiftModifier))
        panBy(-(notches_y + notches_x) * kWheelPan);
    else if (std::abs(notches_x) > std::abs(notches_y))
        panBy(-notches_x * kWheelPan);
    else if (notches_y != 0)
        zoomAt(std::pow(kWheelZoom, notches_y), event->position().x());
    event->accept();
}

void GanttView::hoverAt(const QPointF& whole) {
    const QRectF& plot = picture_.layout.plot;
    const QPointF at = picture_.layout.inColumn(whole);
    const bool inside =
        at.x() >= plot.left() && at.x() <= plot.right() && at.y() >= picture_.layout.ruler.top();
    cursor_.time_ns = inside ? std::optional(picture_.axis.toNs(at.x())) : std::nullopt;
    emit hovered(inside ? *cursor_.time_ns : std::numeric_limits<double>::quiet_NaN());
    const Hit hit = hitTest(picture_, whole);
    if (!hit.isSameThing(under_pointer_)) {
        hideCard();
        under_pointer_ = hit;
        if (hit.isThing()) hover_timer_.start();
    }
    redrawOverlay();
}

void GanttView::leaveEvent(QEvent* event) {
    cursor_.time_ns.reset();
    hideCard();
    emit hovered(std::numeric_limits<double>::quiet_NaN());
    redrawOverlay();
    QCustomPlot::leaveEvent(event);
}

void GanttView::hideCard() {
    hover_timer_.stop();
    card_->hide();
    under_pointer_ = {};
}

void GanttView::showCard() {
    const Hit hit = hitTest(picture_, pointer_);
    if (!hit.isThing() || drag_ != Drag::None) return;
    const bool shared = over_canvas_ != nullptr && over_canvas_->isVisible();
    const QRect taken =
        shared ? QRect(mapFromGlobal(over_canvas_->mapToGlobal(QPoint(0, 0))), over_canvas_->size())
               : QRect();
    const LaneLayout& layout = picture_.layout;
    const QRectF lane =
        layout.groups[static_cast<std::size_t>(hit.group)][static_cast<std::size_t>(hit.rank)].all.translated(
            layout.leftOf(layout.columnOf(hit.group)), 0);
    card_->showBeside(hit.place, lane, describe(picture_, hit), taken);
}

// The words of the picture, those that stand there and those of what is drawn without words.
QString GanttView::wordsAt(const QPoint& at) const {
    if (picture_.groups.empty()) return {};
    const Hit hit = hitTest(picture_, at);
    const std::size_t of = static_cast<std::size_t>(std::max(hit.group, 0));
    const PreparedView& group = picture_.groups[of];
    QStringList words;
    const auto phases = [&words] {
        words << said(sentence("warm-up")) << said(sentence("steady")) << said(sentence("cool-down"));
    };
    switch (hit.part) {
        case Hit::Part::Title:
            words << provenanceName(group.provenance()) << scheduleTitle(group.view().config.schedule)
                  << said(sentence("bubble")) << said(sentence("tokens/s"));
            break;
        case Hit::Part::Header:
            words << Canvas::tr("Rank") << Canvas::tr("stage");
            break;
        case Hit::Part::End:
            words << said(sentence("bubble · peak")) << Canvas::tr("in flight");
            break;
        case Hit::Part::Lane:
            if (hit.in_memory)
                words << Canvas::tr("activations, number in flight");
            else if (at.y() < picture_.layout.groups[of][static_cast<std::size_t>(hit.rank)].ghost_top)
                phases();
            break;
        case Hit::Part::Idle:
            words << said(sentence("bubble")) << gapTitle(group, picture_.notation, hit.idle);
            break;
        case Hit::Part::Message:
            words << said(sentence("wait")) << said(sentence("transfer"));
            break;
        case Hit::Part::Box:
        case Hit::Part::PlannedBox:
            words << opName(hit.event.op);
            break;
        default:
            words << said(sentence("bubble"));
    }
    return words.join(QStringLiteral(", "));
}

}  // namespace bscope::ui
