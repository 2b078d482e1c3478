#include "terminal/layout.h"

#include <algorithm>
#include <cmath>

#include "terminal/letters.h"

namespace bscope::terminal {
namespace {

constexpr int kPanelColumns = 32, kWithPanel = 110, kSpacious = 60, kTall = 32;

bool hasMemory(const Scene& scene) {
    return scene.look->memory && scene.view != nullptr && scene.view->memoryScale() > 0;
}

// From four rows on each lane has an empty one below it, the last none.
void divideLanes(Layout& layout, int lanes, bool memory) {
    const int with_space = (layout.lanes_h + 1) / lanes;
    const int space = with_space >= 4 ? 1 : 0;
    const int height = layout.lane_h = std::clamp(space > 0 ? with_space : layout.lanes_h / lanes, 1, 8);
    layout.memory_h = !memory || height < 2 ? 0 : height >= 6 ? 2 : 1;
    layout.box_h = std::max(1, height - space - layout.memory_h);
}

}  // namespace

const IterationReport* reportOf(const Scene& scene) {
    if (scene.view == nullptr || scene.view->view().numbers_hidden) return nullptr;
    if (scene.view->view().report) return &*scene.view->view().report;
    return scene.earlier ? &*scene.earlier : nullptr;
}

TimeRange rangeOf(const Scene& scene) {
    if (scene.look->range) return *scene.look->range;
    return scene.view != nullptr ? scene.view->extent() : TimeRange{0, 1};
}

int Layout::laneAt(int row) const {
    const int lane = row < lanes_y ? -1 : (row - lanes_y) / lane_h;
    return lane < 0 || lane >= lanes ? -1 : first_lane + lane;
}

double Layout::timeAt(int column, const TimeRange& range) const {
    return range.from_ns + (column - time_x + 0.5) / time_w * range.width();
}

int Layout::columnOf(double time_ns, const TimeRange& range) const {
    const double share = (time_ns - range.from_ns) / std::max(range.width(), 1.0);
    return static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * time_w));
}

Layout layoutOf(const Scene& scene, int columns, int rows) {
    Layout layout;
    layout.columns = columns;
    layout.rows = rows;
    if (layout.tooSmall()) return layout;
    const int all_lanes = scene.view != nullptr ? std::max(scene.view->lanes(), 1) : 1;
    const bool roomy = columns >= kSpacious;
    const int last = all_lanes - 1;
    layout.time_x = 1 + (roomy ? cellsOf(say(sentence("rank {0}", last), scene.language))
                               : cellsOf(std::to_string(last)));
    layout.end_w = roomy ? 8 : 0;
    if (scene.look->panel.value_or(columns >= kWithPanel) && columns >= kLeastColumns + kPanelColumns)
        layout.panel_x = columns - kPanelColumns;
    const int past = layout.panel_x < 0 ? columns : layout.panel_x - 1;
    layout.time_w = std::max(1, past - layout.time_x - layout.end_w);

    int bottom = rows - 1;  // above the status
    if (rows >= 14) {
        layout.strip_h = rows >= kTall ? 3 : 2;
        layout.strip_y = bottom -= layout.strip_h;
    }
    layout.facts_h = rows >= 18 ? 2 : 1;
    layout.facts_y = bottom -= layout.facts_h;
    if (rows >= 12) layout.legend_y = bottom -= 1;
    layout.ruler_y = 2;
    layout.lanes_y = 3;
    layout.lanes_h = bottom - layout.lanes_y;
    divideLanes(layout, all_lanes, hasMemory(scene));
    layout.lanes = std::clamp((layout.lanes_h + 1) / layout.lane_h, 1, all_lanes);
    if (layout.lane_h < 4) layout.lanes = std::clamp(layout.lanes_h / layout.lane_h, 1, all_lanes);
    layout.first_lane = std::clamp(scene.look->first_lane, 0, all_lanes - layout.lanes);
    return layout;
}

StripPlace stripOf(const Scene& scene, const Layout& layout) {
    const auto& bars = scene.history->bars();
    StripPlace place;
    if (bars.empty() || layout.strip_y < 0) return place;
    const auto width = static_cast<std::size_t>(layout.columns);
    place.bar_w = static_cast<int>(std::clamp<std::size_t>(width / bars.size(), 1, 3));
    const std::size_t fit = width / static_cast<std::size_t>(place.bar_w);
    if (bars.size() <= fit) return place;
    const auto shown = std::ranges::partition_point(
        bars, [&](const IterationBar& bar) { return bar.iteration < scene.look->iteration; });
    // As much as fits up to the newest, or around an older one that is looked at.
    const auto at = static_cast<std::size_t>(shown - bars.begin());
    place.first = std::min(bars.size() - fit, at > fit / 2 ? at - fit / 2 : 0);
    return place;
}

}  // namespace bscope::terminal
