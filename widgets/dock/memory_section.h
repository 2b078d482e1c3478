// MemorySection: peak activation memory of every rank on one scale (the cap, or the largest peak), with the
// number of micro-batches in flight; what the arenas have reserved beside what is live of it; weights,
// gradients, optimizer and buffers apart. With GPUs, beside what the arena measured, what the driver says is
// used.
#pragma once

#include "view/view_data.h"
#include "widgets/controls/bar_rows.h"
#include "widgets/controls/section.h"

namespace bscope::ui {

// Bytes of activations of the rank that has the most.
std::int64_t largestPeak(const IterationSummary& summary);

class MemorySection : public Section {
    Q_OBJECT
public:
    explicit MemorySection(QWidget* parent = nullptr);
    void setView(const IterationView& view);
    void setPending(const std::optional<PendingChange>& pending);
    // Of the iteration on the canvas; empty: not asked for.
    void setCheckpointing(const std::vector<CheckpointingPlan>& plans);
    const BarRows& rows() const { return *rows_; }
    Section* held() const { return held_; }  // what a rank holds besides, folded
    QString apart() const { return apart_->text(); }
    QString checkpointing() const { return checkpointing_->text(); }
    QString reserved() const { return reserved_->text(); }
    QString driver() const { return driver_->text(); }  // empty without GPUs

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();
    void refreshReserved();
    void refreshDriver();
    void refreshCheckpointing();
    void refreshInFlight();

    IterationView view_;
    std::vector<CheckpointingPlan> plans_;
    std::optional<PendingChange> pending_;
    BarRows* rows_;
    Section* held_;
    Label* apart_;
    Label* reserved_;
    Label* driver_;
    Label* checkpointing_;
};

}  // namespace bscope::ui
