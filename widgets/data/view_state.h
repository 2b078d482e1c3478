// ViewState: the one owner of what the user looks at: visible time range, selection, measured range, toggles,
// units. Every view follows its signals; none keeps a copy. Window thread only.
#pragma once

#include <QObject>
#include <cstdint>
#include <optional>
#include <vector>

#include "schedule/action.h"
#include "widgets/data/filter.h"

namespace bscope::ui {

struct TimeRange {
    double from_ns = 0, to_ns = 0;
    double width() const { return to_ns - from_ns; }
    bool operator==(const TimeRange&) const = default;
};

struct Selection {
    int rank = -1;
    Action action;  // the selected box; its micro-batch's whole life lights up
    std::int32_t iteration = -1;
    bool of_baseline = false;  // of two iterations on the canvas the pinned one
    bool operator==(const Selection&) const = default;
};

// Time without work on one lane, from one box to the next; known by where it begins.
struct GapSelection {
    int rank = -1;
    std::int32_t iteration = -1;
    std::int64_t start_ns = 0;  // absolute
    bool of_baseline = false;   // as in Selection
    bool operator==(const GapSelection&) const = default;
};

// Lanes from one to another, both included.
struct LaneSpan {
    int first = 0, last = 0;
    bool holds(int lane) const { return first <= lane && lane <= last; }
    bool operator==(const LaneSpan&) const = default;
};

struct Layers {  // what is drawn: keys B, L, T, Y, V, Shift+T, Shift+Y, Shift+V
    bool bubbles = true, memory = true, critical_path = false;
    bool arrows = false;   // of all messages; those of the selection are always drawn
    bool ghost = false;    // the plan behind what ran too; what has not run yet is always drawn
    bool changes = false;  // durations beside the baseline's in place of kinds
    // Of the memory, when that is drawn: what a rank holds besides activations, below them; the activations
    // that the other kinds of checkpointing would hold.
    bool memory_bands = false, checkpointing = false;
    bool operator==(const Layers&) const = default;
};

enum class BubbleDefinition { OfTotal, OfIdeal };
enum class TimeUnit { Milliseconds, MedianForward };

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
