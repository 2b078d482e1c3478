#include "widgets/gantt/gantt_view.h"

#include <algorithm>

#include "view/gap.h"
#include "widgets/gantt/canvas_buffer.h"
#include "widgets/gantt/gantt_plottable.h"
#include "widgets/gantt/hover_card.h"
#include "widgets/picture/overlay_painter.h"
#include "widgets/picture/timeline_painter.h"

namespace bscope::ui {

namespace {

constexpr double kRightMargin = 1.012;  // of the whole iteration
constexpr double kNowAt = 0.85;         // where the now line is kept when it leaves a zoomed view
constexpr std::size_t kMessagesToDraw = 2000;
constexpr double kWideTitle = 1000;  // px at 100 % from which chips say all they have to say
constexpr int kHoverDelayMs = 150, kOneZoomMs = 600;

bool holdsSelection(const PreparedView& group, const ViewState& state) {
    if (const auto gap = state.gap())
        return group.isBaseline() == gap->of_baseline && gapOf(group, *gap).has_value();
    const auto selection = state.selection();
    return selection && group.isBaseline() == selection->of_baseline &&
           group.view().iteration == selection->iteration;
}

}  // namespace

GanttView::GanttView(ViewState& state, QWidget* parent)
    : QCustomPlot(parent),
      state_(state),
      buffer_(new CanvasBuffer(size(), devicePixelRatioF())),
      card_(std::make_unique<HoverCard>(this)),
      scroll_bar_(new QScrollBar(Qt::Vertical, this)) {
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_InputMethodEnabled, false);
    setMouseTracking(true);
    grabGesture(Qt::PinchGesture);
    setContextMenuPolicy(Qt::PreventContextMenu);  // the right button pans
    setMinimumSize(320, 160);

    for (QCPAxis* axis : axisRect()->axes()) axis->setVisible(false);
    axisRect()->setAutoMargins(QCP::msNone);
    axisRect()->setMinimumMargins({});
    setNoAntialiasingOnDrag(false);
    // With what else is to be painted, once all of it has its place: at once would paint the whole window.
    setPlottingHint(QCP::phImmediateRefresh, false);
    setBackground(QBrush(Qt::NoBrush));  // the plottable paints one
    mPaintBuffers = {buffer_};
    new GanttPlottable(xAxis, yAxis, picture_);
    layer(QStringLiteral("overlay"))->setMode(QCPLayer::lmLogical);  // one buffer, the picture's

    hover_timer_.setSingleShot(true);
    hover_timer_.setInterval(kHoverDelayMs);
    connect(&hover_timer_, &QTimer::timeout, this, &GanttView::showCard);

    scroll_bar_->setCursor(Qt::ArrowCursor);
    connect(scroll_bar_, &QScrollBar::valueChanged, this, [this](int to) { scrollLanes(to - scroll_px_); });
    commands_ = new Commands(*this);
    connect(&state_, &ViewState::rangeChanged, this, [this] {
        fitted_ = state_.range() == fitRange();
        picture_.axis = {state_.range(), picture_.axis.left_px(), picture_.axis.width_px()};
        hideCard();
        redraw();
    });
    connect(&state_, &ViewState::selectionChanged, this, [this] {
        refreshSelection();
        redraw();
    });
    connect(&state_, &ViewState::linkChanged, this, [this] {
        picture_.link = state_.link();
        revealSelection();
        redrawOverlay();
    });
    connect(&state_, &ViewState::measuredChanged, this, [this] {
        readRanges();
        redrawOverlay();
    });
    connect(&state_, &ViewState::filterChanged, this, [this] {
        picture_.filter = state_.filter();
        readRanges();
        redraw();
    });
    connect(&state_, &ViewState::layersChanged, this, [this] {
        picture_.layers = state_.layers();
        collectMessages();
        showCriticalPath();
        relayout();
        redraw();
    });
    connect(&state_, &ViewState::presentationChanged, this, [this] {
        relayout();
        redraw();
    });
    connect(&state_, &ViewState::followChanged, this, [this] {
        followNow();
        redraw();
    });
    followTheme();
}

GanttView::~GanttView() = default;

void GanttView::followTheme() {
    const Theme& theme = currentTheme();
    picture_.theme = theme;
    buffer_->setGround(theme.canvas);
    card_->followTheme();
    relayout();
    redraw();
}

void GanttView::setView(const IterationView& view) {
    setGroups({view});
}

void GanttView::setLastComplete(const std::optional<IterationView>& view) {
    if (!showsOneRun() || !picture_.groups.front().running()) return;
    if (!view) {
        if (!picture_.last_complete) return;  // called on every tick
        picture_.last_complete.reset();
        return redraw();
    }
    if (!view->summary) return;
    const bool known = picture_.last_complete && picture_.last_complete->number == view->number() &&
                       picture_.last_complete->summary.start_ns == view->summary->start_ns;
    if (known || static_cast<int>(view->summary->ranks.size()) != picture_.groups.front().lanes()) return;
    picture_.last_complete = EarlierNumbers{view->config, view->number(), *view->summary, view->report};
    redraw();
}

// Perhaps beside its baseline or above plans; a lesson's runs are of equal rank.
bool GanttView::showsOneRun() const {
    const auto& groups = picture_.groups;
    return !groups.empty() && std::all_of(groups.begin() + 1, groups.end(), [](const PreparedView& group) {
        return group.view().beside || group.isPlan();
    });
}

void GanttView::setStacked(const std::vector<IterationView>& views) {
    setGroups(views);
}

void GanttView::setGroups(const std::vector<IterationView>& views) {
    const bool had_columns = inColumns(picture_.groups);
    const bool same_lanes =
        std::ranges::equal(picture_.groups, views, [](const PreparedView& a, const IterationView& b) {
            return a.lanes() == std::max(b.ran->ranks(), b.planned->ranks());
        });
    const bool had_memory = haveMemory(picture_.groups);
    std::vector<PreparedView> groups;
    for (std::size_t i = 0; i < views.size(); ++i)
        groups.emplace_back(views[i], i < picture_.groups.size() ? &picture_.groups[i] : nullptr);
    picture_.groups = std::move(groups);
    const bool hidden = !views.empty() && views.front().numbers_hidden;
    if (!same_lanes || hidden) picture_.last_complete.reset();
    if (!same_lanes) scroll_px_ = 0;
    PreparedView::shareMemoryScale(picture_.groups);
    if (showsOneRun() && !picture_.groups.front().running() && picture_.groups.front().hasRun() && !hidden) {
        const IterationView& whole = picture_.groups.front().view();
        picture_.last_complete.reset();
        if (whole.summary)
            picture_.last_complete =
                EarlierNumbers{whole.config, whole.number(), *whole.summary, whole.report};
    }
    collectMessages();
    refreshSelection();
    showCriticalPath();
    if (!same_lanes || haveMemory(picture_.groups) != had_memory || had_columns != inColumns(picture_.groups))
        relayout();
    picture_.notation.median_forward_ns =
        picture_.groups.empty() ? 0 : picture_.groups.front().medianForward();
    if (!views.empty()) picture_.notation.countAsIn(views.front());
    readRanges();
    if (fitted_ || state_.range().width() <= 0) state_.setRange(fitRange(), false);
    followNow();
    if (card_->isVisible() && !hitTest(picture_, pointer_).isSameThing(under_pointer_)) hideCard();
    redraw();
}

void GanttView::readRanges() {
    const std::optional<RangeReading> before = reading();
    picture_.readings.clear();
    const std::optional<TimeRange> range = state_.measured();
    for (const PreparedView& group : picture_.groups)
        picture_.readings.push_back(range ? readRange(group, *range, state_.measuredLanes(), state_.filter())
                                          : std::nullopt);
    if (reading() != before) emit rangeRead();
}

std::optional<RangeReading> GanttView::reading() const {
    return picture_.readings.empty() ? std::nullopt : picture_.readings.front();
}

void GanttView::setMarks(std::vector<Mark> marks) {
    picture_.marks = std::move(marks);
    redrawOverlay();
}

void GanttView::setNotes(std::vector<NoteMark> notes) {
    if (notes == picture_.notes) return;
    picture_.notes = std::move(notes);
    redraw();  // words make way for flags
}

void GanttView::collectMessages() {
    picture_.messages.clear();
    if (!state_.layers().arrows) return;
    for (const PreparedView& group : picture_.groups)
        picture_.messages.push_back(messagesOf(group, kMessagesToDraw));
}

void GanttView::followNow() {
    if (!state_.follow() || fitted_ || picture_.groups.empty()) return;
    const PreparedView& group = picture_.groups.front();
    if (!group.running()) return;
    const double now = group.relative(group.view().now_ns);
    const TimeRange range = state_.range();
    const bool in_sight = now >= range.from_ns && now <= range.from_ns + kNowAt * range.width();
    if (!in_sight) setRangeClamped(panned(range, now - (range.from_ns + kNowAt * range.width())), false);
}

void GanttView::setNotice(const QString& notice) {
    if (notice == picture_.notice) return;
    picture_.notice = notice;
    redraw();
}

void GanttView::setTitleChips(const std::vector<TitleChip>& chips) {
    if (chips == chips_) return;
    chips_ = chips;
    for (Button* button : chip_buttons_) button->deleteLater();
    chip_buttons_.clear();
    for (const TitleChip& chip : chips_) {
        auto* button = new Button(ButtonLook::Plain, Glyph::None, this);
        button->setDesignHeight(22);
        button->setFocusPolicy(Qt::TabFocus);
        button->setCursor(Qt::ArrowCursor);
        button->setEnabled(chip.enabled);
        button->setToolTip(chip.tip);
        button->setAccessibleName(chip.text);
        button->setAccessibleDescription(chip.tip);
        connect(button, &QAbstractButton::clicked, this, [this, id = chip.id] { emit titleChipClicked(id); });
        chip_buttons_.push_back(button);
    }
    placeChips();
    redraw();
}

// From the right end; the title keeps clear of them.
void GanttView::placeChips() {
    const double s = picture_.theme.scale;
    const bool stacked = picture_.layout.stacked;
    const QRectF& title = stacked ? picture_.layout.group_titles.front() : picture_.layout.title;
    const bool shown = title.top() >= (stacked ? picture_.layout.view.top() : 0);
    const bool tight = title.width() < kWideTitle * s;
    const double middle = numbersLine(picture_.layout, title);
    double right = title.right() - 12 * s;
    for (std::size_t i = 0; i < chip_buttons_.size(); ++i) {
        Button* button = chip_buttons_[i];
        button->setText(tight ? chips_[i].short_text : chips_[i].text);
        const QSize size = button->sizeHint();
        right -= size.width();
        button->setGeometry(static_cast<int>(right), static_cast<int>(middle - size.height() / 2.0),
                            size.width(), size.height());
        button->setVisible(shown);
        right -= 6 * s;
    }
    picture_.title_end = chip_buttons_.empty() || !shown ? 0 : title.right() - right;
    picture_.title_covered = false;
    if (over_title_ == nullptr || !over_title_->isVisible()) return;
    const QRectF over(mapFromGlobal(over_title_->mapToGlobal(QPoint())), QSizeF(over_title_->size()));
    picture_.title_covered = over.intersects(title);
    if (picture_.title_covered)
        picture_.title_end = std::max(picture_.title_end, title.right() - over.left() + 8 * s);
}

void GanttView::layTitleBeside(QWidget* over) {
    over_title_ = over;
    over->installEventFilter(this);
}

bool GanttView::eventFilter(QObject* watched, QEvent* event) {
    const bool moved = event->type() == QEvent::Resize || event->type() == QEvent::Move ||
                       event->type() == QEvent::Show || event->type() == QEvent::Hide;
    if (watched == over_title_ && moved) {
        placeChips();
        redraw();
    }
    return QWidget::eventFilter(watched, event);
}

void GanttView::setBoundaryNote(const QString& note) {
    if (note == picture_.boundary_note) return;
    picture_.boundary_note = note;
    redraw();
}

std::vector<IterationView> GanttView::views() const {
    std::vector<IterationView> views;
    for (const PreparedView& group : picture_.groups) views.push_back(group.view());
    return views;
}

TimeRange GanttView::fitRange() const {
    const TimeRange extent = extentOf(picture_.groups);
    return {extent.from_ns, extent.from_ns + extent.width() * kRightMargin};
}

void GanttView::relayout() {
    LayoutRequest request;
    request.width = width();
    request.height = height();
    request.scale = picture_.theme.scale;
    request.memory = state_.layers().memory && haveMemory(picture_.groups);
    request.scroll = scroll_px_;
    request.columns = inColumns(picture_.groups);
    request.lanes.clear();
    for (const PreparedView& group : picture_.groups) request.lanes.push_back(group.lanes());
    if (request.lanes.empty()) request.lanes.push_back(4);
    picture_.layout = LaneLayout::make(request);
    scroll_px_ = std::min(scroll_px_, picture_.layout.max_scroll);
    placeScrollBar();
    placeChips();
    picture_.axis = {picture_.axis.range(), picture_.layout.plot.left(), picture_.layout.plot.width()};
    picture_.pixel = 1.0 / devicePixelRatioF();
    picture_.layers = state_.layers();
    picture_.notation.unit = state_.timeUnit();
    picture_.notation.definition = state_.bubbleDefinition();
    picture_.notation.count_from_zero = state_.countFromZero();
    const QMargins margins(static_cast<int>(picture_.layout.plot.left()),
                           static_cast<int>(picture_.layout.plot.top()),
                           static_cast<int>(width() - picture_.layout.plot.right()), 0);
    axisRect()->setMargins(margins);
}

void GanttView::placeScrollBar() {
    const QSignalBlocker quiet(scroll_bar_);
    const LaneLayout& layout = picture_.layout;
    scroll_bar_->setVisible(!layout.scroll_bar.isEmpty());
    scroll_bar_->setGeometry(layout.scroll_bar.toAlignedRect());
    scroll_bar_->setRange(0, static_cast<int>(std::ceil(layout.max_scroll)));
    scroll_bar_->setPageStep(static_cast<int>(layout.view.height()));
    scroll_bar_->setSingleStep(static_cast<int>(layout.metrics.height()));
    scroll_bar_->setValue(static_cast<int>(std::round(scroll_px_)));
}

void GanttView::refreshSelection() {
    picture_.selection = state_.selection();
    picture_.gap = state_.gap();
    picture_.chain.clear();
    picture_.link = state_.link();
    picture_.lives.clear();
    picture_.selected_group = 0;
    for (std::size_t g = picture_.groups.size(); g-- > 0;)
        if (holdsSelection(picture_.groups[g], state_)) picture_.selected_group = g;
    if (picture_.gap && !picture_.groups.empty()) {
        const PreparedView& group = selectedGroup();
        const auto period = gapOf(group, *picture_.gap);
        const Gap* const gap = period ? group.gapOf(*period) : nullptr;
        if (gap != nullptr) picture_.chain = group.causes()->reasons(*gap);
    }
    if (!picture_.selection || picture_.selection->action.microbatch < 0) {
        picture_.selection.reset();
        return;
    }
    for (const PreparedView& group : picture_.groups)
        picture_.lives.push_back(lifeOf(group, *picture_.selection));
}

void GanttView::setRangeClamped(TimeRange range, bool remember) {
    const bool new_gesture = !since_zoom_.isValid() || since_zoom_.elapsed() > kOneZoomMs;
    since_zoom_.start();
    state_.setRange(clamped(range, fitRange()), remember && new_gesture);
}

void GanttView::zoomBy(double factor) {
    const QRectF& plot = picture_.layout.plot;
    const double x = picture_.layout.inColumn(pointer_).x();
    const bool inside = cursor_.time_ns && x >= plot.left() && x <= plot.right();
    zoomAt(factor, inside ? pointer_.x() : plot.center().x());
}

void GanttView::zoomAt(double factor, double x_px) {
    const double x = picture_.layout.inColumn({x_px, 0}).x();
    setRangeClamped(zoomed(state_.range(), factor, picture_.axis.toNs(x)), true);
}

void GanttView::panBy(double share_of_width) {
    const bool running = !picture_.groups.empty() && picture_.groups.front().running();
    if (running && !fitted_) state_.setFollow(false);  // scrolling back pauses following, the zoom stays
    setRangeClamped(panned(state_.range(), share_of_width * state_.range().width()), true);
}

void GanttView::fit() {
    since_zoom_.invalidate();
    setRangeClamped(fitRange(), true);
}

void GanttView::focusSelection() {
    const auto span = selectedSpan();
    if (!span) return;
    since_zoom_.invalidate();
    const double middle = (span->from_ns + span->to_ns) / 2;
    const TimeRange range = state_.range();
    const TimeRange centred = clamped(panned(range, middle - (range.from_ns + range.to_ns) / 2), fitRange());
    const double slack = 1e-6 * range.width();
    const bool is_centred = std::abs(centred.from_ns - range.from_ns) < slack;
    const double around = 0.25 * (span->to_ns - span->from_ns);
    setRangeClamped(is_centred ? TimeRange{span->from_ns - around, span->to_ns + around} : centred, true);
}

void GanttView::revealSelection() {
    const auto span = selectedSpan();
    if (!span) return;
    const TimeRange range = state_.range();
    if (span->from_ns < range.from_ns || span->to_ns > range.to_ns) {
        since_zoom_.invalidate();
        if (picture_.groups.front().running()) state_.setFollow(false);
        const double middle = (span->from_ns + span->to_ns) / 2;
        setRangeClamped(panned(range, middle - (range.from_ns + range.to_ns) / 2), true);
    }
    const QRectF lane =
        picture_.layout.groups[picture_.selected_group][static_cast<std::size_t>(span->rank)].all;
    const QRectF& sight = picture_.layout.view;
    if (lane.top() < sight.top())
        scrollLanes(lane.top() - sight.top());
    else if (lane.bottom() > sight.bottom())
        scrollLanes(lane.bottom() - sight.bottom());
}

void GanttView::zoomToMeasured() {
    if (!state_.measured()) return;
    since_zoom_.invalidate();
    setRangeClamped(*state_.measured(), true);
}

void GanttView::showCriticalPath() {
    picture_.critical_path.clear();
    if (!state_.layers().critical_path || picture_.groups.empty()) return;
    const PreparedView& group = picture_.groups.front();
    if (group.analysis() && !group.running()) picture_.critical_path = group.analysis()->criticalPath();
}

void GanttView::toggleLayer(bool Layers::*member) {
    Layers layers = state_.layers();
    // Drawn in the memory strip alone.
    const bool of_memory = member == &Layers::memory_bands || member == &Layers::checkpointing;
    const bool shown = layers.*member && (layers.memory || !of_memory);
    layers.*member = !shown;
    if (of_memory && !shown) layers.memory = true;
    state_.setLayers(layers);
}

void GanttView::scrollLanes(double dy_px) {
    const double to = std::clamp(scroll_px_ + dy_px, 0.0, picture_.layout.max_scroll);
    if (to == scroll_px_) return;
    scroll_px_ = to;
    hideCard();
    relayout();
    redraw();
}

void GanttView::redraw() {
    replot(QCustomPlot::rpQueuedReplot);
}

void GanttView::redrawOverlay() {
    update();
}

void GanttView::paintEvent(QPaintEvent* event) {
    QCustomPlot::paintEvent(event);
    QPainter painter(this);
    OverlayPainter(painter, picture_).draw(cursor_, state_.measured(), state_.measuredLanes());
}

QString GanttView::hoverText() const {
    return card_->isVisible() ? card_->text() : QString();
}

}  // namespace bscope::ui
