// DetailSection: the selected micro-batch's life (per stage: F starts, B ends, held), the selected gap (what
// waits for what, length, share, causes), or, when nothing is selected, where the idle time of all ranks
// went, by cause; below it the selected box's kernels. What is selected can be copied.
#pragma once

#include "widgets/controls/bar_rows.h"
#include "widgets/controls/button.h"
#include "widgets/controls/figure_table.h"
#include "widgets/controls/section.h"
#include "widgets/data/view_data.h"
#include "widgets/dock/kernel_list.h"
#include "widgets/text/notation.h"

namespace bscope::ui {

class PreparedView;

class IdleBar;

class DetailSection : public Section {
    Q_OBJECT
public:
    explicit DetailSection(ViewState& state, QWidget* parent = nullptr);
    void setView(const IterationView& view);
    // What the canvas shows: a selection in a running iteration is described from it.
    void setShown(const IterationView& shown);
    QString sentence() const { return sentence_->text(); }
    const FigureTable& life() const { return *life_; }
    const BarRows& causes() const { return *causes_; }
    KernelList& kernels() const { return *kernels_; }
    bool showsSelection() const { return shows_selection_; }
    Button* copyButton() const { return copy_; }

public slots:
    void copy();  // head, sentences and table as text

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();
    void showLife(const IterationView& view, const Selection& selection);
    void showGap(const PreparedView& view, const GapSelection& gap);
    void showCauses();
    void showKernels(const IterationView& view, const std::optional<Selection>& selection);
    const IterationView& viewOf(int iteration) const;

    ViewState& state_;
    IterationView view_, shown_;
    bool shows_selection_ = false;
    Label* sentence_;
    FigureTable* life_;
    IdleBar* bar_;
    BarRows* causes_;
    KernelList* kernels_;
    Button* copy_;
};

}  // namespace bscope::ui
