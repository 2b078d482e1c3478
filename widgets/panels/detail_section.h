// DetailSection: the selected micro-batch's life (per stage: F starts, B ends, held), or, when nothing is
// selected, where the idle time of all ranks went, by cause; below it the selected box's kernels.
#pragma once

#include "widgets/gantt/notation.h"
#include "widgets/panels/bar_rows.h"
#include "widgets/panels/figure_table.h"
#include "widgets/panels/kernel_list.h"
#include "widgets/panels/section.h"
#include "widgets/view_data.h"

namespace bscope::ui {

class IdleBar;

class DetailSection : public Section {
    Q_OBJECT
public:
    explicit DetailSection(ViewState& state, QWidget* parent = nullptr);
    void setView(const IterationView& view);
    QString sentence() const { return sentence_->text(); }
    const FigureTable& life() const { return *life_; }
    const BarRows& causes() const { return *causes_; }
    KernelList& kernels() const { return *kernels_; }
    bool showsSelection() const { return shows_selection_; }

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();
    void showLife(const Selection& selection, const Timeline& timeline);
    void showCauses();
    void showKernels(const std::optional<Selection>& selection);
    Notation notation() const;
    int chunkOf(int stage) const;

    ViewState& state_;
    IterationView view_;
    bool shows_selection_ = false;
    Label* sentence_;
    FigureTable* life_;
    IdleBar* bar_;
    BarRows* causes_;
    KernelList* kernels_;
};

}  // namespace bscope::ui
