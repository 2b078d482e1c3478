// ViewState: the one owner of what the user looks at: visible time range, selection, measured range, toggles,
// units. Every view follows its signals; none keeps a copy. Window thread only.
#pragma once

#include <QObject>
#include <cstdint>
#include <optional>
#include <vector>

#include "view/filter.h"
#include "view/presentation.h"
#include "view/selection.h"

namespace bscope::ui {

class ViewState : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    // Visible range relative to the shown iteration's start. Zooming keeps the former range for undo.
    TimeRange range() const { return range_; }
    void setRange(TimeRange range, bool remember = true);
    bool undoZoom();  // false when there is nothing to undo
    // A box or a gap is selected, never both.
    std::optional<Selection> selection() const { return selection_; }
    std::optional<GapSelection> gap() const { return gap_; }
    void select(std::optional<Selection> selection);  // nullopt: neither box nor gap
    void selectGap(const GapSelection& gap);
    // A link of the selected gap's chain of reasons, from its end back (BubbleCauses::reasons); nullopt:
    // none.
    std::optional<int> link() const { return link_; }
    void setLink(std::optional<int> link);
    std::optional<TimeRange> measured() const { return measured_; }
    // lanes: what the range was made from; it is on these alone when all_lanes is false.
    void setMeasured(std::optional<TimeRange> range, std::optional<LaneSpan> lanes = std::nullopt,
                     bool all_lanes = true);
    std::optional<LaneSpan> measuredFrom() const { return measured_from_; }
    // The lanes it is on; nullopt: on all.
    std::optional<LaneSpan> measuredLanes() const {
        return measures_all_lanes_ ? std::nullopt : measured_from_;
    }
    // Operations that are looked at.
    const Filter& filter() const { return filter_; }
    void setFilter(const Filter& filter);
    Layers layers() const { return layers_; }
    void setLayers(Layers layers);
    bool follow() const { return follow_; }
    void setFollow(bool follow);
    BubbleDefinition bubbleDefinition() const { return definition_; }
    void setBubbleDefinition(BubbleDefinition definition);
    TimeUnit timeUnit() const { return unit_; }
    void setTimeUnit(TimeUnit unit);
    bool countFromZero() const { return count_from_zero_; }  // micro-batch numbers in pictures
    void setCountFromZero(bool on);

signals:
    void rangeChanged();
    void selectionChanged();
    void linkChanged();
    void measuredChanged();
    void filterChanged();
    void layersChanged();
    void followChanged();
    void presentationChanged();  // definition, unit, numbering

private:
    TimeRange range_;
    std::vector<TimeRange> zoom_history_;
    std::optional<Selection> selection_;
    std::optional<GapSelection> gap_;
    std::optional<int> link_;
    std::optional<TimeRange> measured_;
    std::optional<LaneSpan> measured_from_;
    bool measures_all_lanes_ = true;
    Filter filter_;
    Layers layers_;
    bool follow_ = true;
    BubbleDefinition definition_ = BubbleDefinition::OfTotal;
    TimeUnit unit_ = TimeUnit::Milliseconds;
    bool count_from_zero_ = false;
};

}  // namespace bscope::ui
