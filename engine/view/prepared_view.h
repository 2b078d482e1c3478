// PreparedView: an IterationView with what drawing needs worked out once: extents, idle periods, phases,
// scale of memory, stages of each rank. Refers to the timelines by index only, since a live one grows between
// two pictures. All returned times are absolute; relative() subtracts the iteration's start.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "schedule/stage_places.h"
#include "timeline/iteration_events.h"
#include "view/gap_analysis.h"
#include "view/idle_periods.h"
#include "view/range_maximum.h"
#include "view/selection.h"
#include "view/usual_durations.h"
#include "view/view_data.h"

namespace bscope {

struct PreparedLane {
    std::vector<int> stages;  // in chunk order
    IdlePeriods idle;
    // By fact: warm-up ends at the first backward, cool-down starts after the last forward.
    std::int64_t first_start_ns = 0, warm_up_end_ns = 0, cool_down_start_ns = 0, last_end_ns = 0;
    bool started = false;
    std::int64_t longest_planned_ns = 0;  // of the plan's operations but the optimizer step
    RangeMaximum memory_peaks;            // over the lane's memory points; empty when there are few
    PackedMemory joined_memory;           // of a stream with neighbours
};

class PreparedView {
public:
    PreparedView() = default;
    // `former`: the view shown before; its schedule and its scale of memory are kept
    // when the configuration is the same.
    explicit PreparedView(const IterationView& view, const PreparedView* former = nullptr);

    const IterationView& view() const { return view_; }
    int lanes() const { return static_cast<int>(lanes_.size()); }
    const PreparedLane& lane(int rank) const { return lanes_[static_cast<std::size_t>(rank)]; }
    // Of this iteration; of a running one what is settled, up to now.
    EventSlice ran(int rank) const { return settled(ofIteration(view_.ran->compute(rank), view_.iteration)); }
    EventSlice receives(int rank) const {
        return settled(ofIteration(view_.ran->receives(rank), view_.iteration));
    }
    // What a rank does of the iteration before (-1) or after (+1) while this one runs on other ranks.
    EventSlice neighbour(int rank, int direction) const;
    // Of the plan when nothing ran; of a stream with those of the iterations before and after, since a rank
    // goes from one to the next without letting go.
    MemoryPoints memory(int rank) const;
    EventSlice planned(int rank) const { return ofIteration(view_.planned->compute(rank), view_.iteration); }

    // Of two iterations on the canvas the pinned one.
    bool isBaseline() const { return view_.beside && view_.beside->is_baseline; }
    bool hasRun() const { return has_run_; }
    bool isPlan() const { return provenance() == Provenance::Predicted; }  // also one that is drawn as a run
    bool running() const { return view_.now_ns >= 0; }
    // One that is shown as far as a time; nothing of it ran, so that it is not drawn as what did.
    bool isPlayedPlan() const { return has_run_ && isPlan() && running(); }
    Provenance provenance() const { return has_run_ ? view_.ran->provenance() : Provenance::Predicted; }
    // Null where it is not known yet: see IterationView::analysis. Of a running iteration: up to now.
    const BubbleCauses* causes() const { return analysis_ ? &analysis_->causes : nullptr; }
    const std::shared_ptr<const GapAnalysis>& analysis() const { return analysis_; }
    // nullptr: its cause is not known.
    const Gap* gapOf(const IdlePeriod& period) const {
        return period.gap < 0 ? nullptr : &analysis_->causes.gaps()[static_cast<std::size_t>(period.gap)];
    }
    // Numbers of this iteration; the plan's when nothing ran; null while it runs or when they are hidden.
    const IterationSummary* numbers() const;
    // The same; of a running iteration, of what is settled. Null before anything is, and when hidden.
    const IterationSummary* numbersSoFar() const;
    double relative(std::int64_t time_ns) const { return static_cast<double>(time_ns - view_.start_ns); }
    // Where the time stands on the axis of the picture: relative, but for what is laid beside another one.
    double onAxis(std::int64_t time_ns) const { return static_cast<double>(time_ns - view_.axisOrigin_ns()); }
    // On the axis: last end of compute, of the plan while running; begin and end of everything drawn.
    double computeEnd() const { return compute_end_ns_ + static_cast<double>(view_.shift_ns()); }
    TimeRange extent() const {
        const auto shift_ns = static_cast<double>(view_.shift_ns());
        return {std::min(0.0, shift_ns), extent_ns_ + shift_ns};
    }
    // Of the event's operation beside the same one of the iteration that this one is compared with: 0.1 = it
    // takes a tenth longer. nullopt: there is none to compare with.
    std::optional<double> changeOf(const Event& event) const;
    double medianForward() const { return median_forward_ns_; }
    // Of an operation whose stage is as long as most; of the plan's where none has run. 0: unknown.
    double usualDuration(Op op, int stage) const { return usual_.of_ns(op, stage); }
    int lastMicrobatch() const { return last_microbatch_; }  // greatest index, -1: none
    int lastSegment() const {
        return view_.config.params.segments > 1 ? view_.config.params.segments - 1 : -1;
    }
    // Bytes at the top of every memory strip, 0 = no data. At least the plan's peak, and what the former view
    // had where the configuration is the same, so that the scale stands still from iteration to iteration.
    double memoryScale() const { return memory_scale_bytes_; }
    // The same with what ranks hold besides activations below them.
    double memoryScale(bool with_held) const {
        return with_held ? std::max(memory_scale_bytes_ + held_scale_bytes_, reserved_scale_bytes_)
                         : memory_scale_bytes_;
    }
    ResidentBytes held(int rank) const {
        const auto at = static_cast<std::size_t>(rank);
        return at < view_.held.size() ? view_.held[at] : ResidentBytes();
    }
    bool knowsHeld() const {
        return held_scale_bytes_ > 0 && memory_scale_bytes_ > 0 && !view_.numbers_hidden;
    }
    double memoryCap() const { return view_.config.memory_cap_mb * 1e6; }  // 0 = none
    // In the run or in its plan.
    bool contains(Op op) const { return contains_[static_cast<std::size_t>(op)]; }
    bool hasMessages() const { return has_messages_; }
    const StagePlaces& places() const { return places_; }
    // As it is called beside its replica's and shard's numbers: counted anew in each.
    int stageInReplica(int stage) const {
        const ScheduleParams& params = view_.config.params;
        return params.d > 1 || params.t > 1 ? places_.of(stage).position : stage;
    }
    int chunkLetterOf(int stage) const;                           // -1: no rank has two stages
    const Schedule* schedule() const { return schedule_.get(); }  // null when it is not in the catalog
    // Stacked iterations are compared: one scale of memory for all of them, and for `also`, which stay as
    // they are.
    static void shareMemoryScale(std::span<PreparedView> groups, std::span<const PreparedView> also = {});
    // Does an event belong to the selected micro-batch's life?
    bool inLife(const Event& event, const Selection& selection) const;

private:
    EventSlice settled(EventSlice events) const;
    std::optional<IterationSummary> summarySoFar(std::shared_ptr<const Timeline>& settled) const;
    bool touchesNeighbour(const IdleGap& gap) const;
    void prepareLane(int rank, const IterationSummary* summary);
    void analyse(const PreparedView* former, const std::shared_ptr<const Timeline>& settled,
                 const IterationSummary* summary);
    MemoryPoints ownMemory(int rank) const;
    const Timeline* neighbourTimeline(int direction) const;
    void joinMemory(int rank);
    void prepareMemoryScale(const PreparedView* former);
    void prepareUsual();

    IterationView view_;
    std::vector<PreparedLane> lanes_;
    std::shared_ptr<const Schedule> schedule_;
    StagePlaces places_;
    std::shared_ptr<const GapAnalysis> analysis_;
    std::optional<IterationSummary> so_far_;  // while it runs
    std::array<bool, kOpCount> contains_{};
    bool has_run_ = false, has_messages_ = false;
    UsualDurations usual_;
    int last_microbatch_ = -1;
    double compute_end_ns_ = 0, extent_ns_ = 0, median_forward_ns_ = 0, memory_scale_bytes_ = 0,
           own_memory_scale_bytes_ = 0,  // without those of the groups beside it
        held_scale_bytes_ = 0, reserved_scale_bytes_ = 0;
};

// Whether a view of this complete iteration or plan works its causes out by itself.
bool isAnalysedAtOnce(const IterationView& view);

// Of everything drawn of all of them, on the axis; at least 1 ns.
TimeRange extentOf(std::span<const PreparedView> groups);

// Whether they are drawn side by side.
bool inColumns(std::span<const PreparedView> groups);

// Whether any of them has a memory curve: files of other programs contain no memory, and a lesson may cover
// it.
bool haveMemory(const std::vector<PreparedView>& groups);

}  // namespace bscope
