#include "app/window/kept_looks.h"

#include "app/timeline/timeline_controller.h"

namespace bscope::ui {

void restoreLooks(const Preferences& preferences, ViewState& state, TimelineController& timeline) {
    state.setBubbleDefinition(preferences.of_ideal ? BubbleDefinition::OfIdeal : BubbleDefinition::OfTotal);
    state.setCountFromZero(preferences.count_from_zero);
    if (preferences.in_forwards) state.setTimeUnit(TimeUnit::MedianForward);
    state.setLayers(preferences.layers);
    timeline.calibration().setOn(preferences.calibrate_when_busy);
    timeline.baselines().setLook(preferences.baseline);
    timeline.side()->setOpened(preferences.dock_opened);
}

void keepLooks(const ViewState& state, TimelineController& timeline, Preferences& preferences) {
    preferences.of_ideal = state.bubbleDefinition() == BubbleDefinition::OfIdeal;
    preferences.count_from_zero = state.countFromZero();
    preferences.in_forwards = state.timeUnit() == TimeUnit::MedianForward;
    preferences.layers = state.layers();
    preferences.calibrate_when_busy = timeline.calibration().isOn();
    preferences.baseline = timeline.baseline().look();
    preferences.dock_opened = timeline.side()->opened();
}

}  // namespace bscope::ui
