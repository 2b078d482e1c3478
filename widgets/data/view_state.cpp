#include "widgets/data/view_state.h"

namespace bscope::ui {

namespace {
constexpr std::size_t kRememberedRanges = 100;
}

void ViewState::setRange(TimeRange range, bool remember) {
    if (range == range_) return;
    if (remember && range_.width() > 0) {
        if (zoom_history_.size() == kRememberedRanges) zoom_history_.erase(zoom_history_.begin());
        zoom_history_.push_back(range_);
    }
    range_ = range;
    emit rangeChanged();
}

bool ViewState::undoZoom() {
    if (zoom_history_.empty()) return false;
    range_ = zoom_history_.back();
    zoom_history_.pop_back();
    emit rangeChanged();
    return true;
}

void ViewState::select(std::optional<Selection> selection) {
    if (selection == selection_ && !gap_) return;
    selection_ = selection;
    gap_.reset();
    link_.reset();
    emit selectionChanged();
}

void ViewState::selectGap(const GapSelection& gap) {
    if (gap == gap_) return;
    selection_.reset();
    gap_ = gap;
    link_.reset();
    emit selectionChanged();
}

void ViewState::setLink(std::optional<int> link) {
    if (link == link_ || !gap_) return;
    link_ = link;
    emit linkChanged();
}

void ViewState::setMeasured(std::optional<TimeRange> range, std::optional<LaneSpan> lanes, bool all_lanes) {
    if (!range || !lanes) lanes.reset(), all_lanes = true;
    if (range == measured_ && lanes == measured_from_ && all_lanes == measures_all_lanes_) return;
    measured_ = range;
    measured_from_ = lanes;
    measures_all_lanes_ = all_lanes;
    emit measuredChanged();
}

void ViewState::setFilter(const Filter& filter) {
    if (filter == filter_) return;
    filter_ = filter;
    emit filterChanged();
}

void ViewState::setLayers(Layers layers) {
    if (layers == layers_) return;
    layers_ = layers;
    emit layersChanged();
}

void ViewState::setFollow(bool follow) {
    if (follow == follow_) return;
    follow_ = follow;
    emit followChanged();
}

void ViewState::setBubbleDefinition(BubbleDefinition definition) {
    if (definition == definition_) return;
    definition_ = definition;
    emit presentationChanged();
}

void ViewState::setTimeUnit(TimeUnit unit) {
    if (unit == unit_) return;
    unit_ = unit;
    emit presentationChanged();
}

void ViewState::setCountFromZero(bool on) {
    if (on == count_from_zero_) return;
    count_from_zero_ = on;
    emit presentationChanged();
}

}  // namespace bscope::ui
