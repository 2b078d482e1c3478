// DetailSection: the selected micro-batch's life (per stage: F starts, B ends, held), the selected gap (its
// causes, chain of reasons), or, when nothing is selected, where the idle time of all ranks
// went, by cause; below it the selected box's kernels. What is selected can be copied.
#pragma once

#include "view/view_data.h"
#include "widgets/controls/button.h"
#include "widgets/controls/figure_table.h"
#include "widgets/controls/section.h"
#include "widgets/dock/causes_part.h"
#include "widgets/dock/gap_part.h"
#include "widgets/dock/kernel_list.h"
#include "widgets/text/notation.h"

namespace bscope::ui {

class DetailSection : public Section {
    Q_OBJECT
public:
    explicit DetailSection(ViewState& state, QWidget* parent = nullptr);
    void setView(std::shared_ptr<const PreparedView> view);
    // What the canvas shows: a selection in a running iteration is described from it.
    void setShown(const IterationView& shown);
    // The pinned iteration, in which a selection may lie as well; null: none.
    void setBaseline(std::shared_ptr<const PreparedView> baseline);
    QString sentence() const { return gap_->isHidden() ? sentence_->text() : gap_->sentence(); }
    const FigureTable& life() const { return *life_; }
    GapPart& gap() const { return *gap_; }
    CausesPart& causes() const { return *causes_; }
    KernelList& kernels() const { return *kernels_; }
    bool showsSelection() const { return shows_selection_; }
    Button* copyButton() const { return copy_; }

public slots:
    void copy();  // head, sentences and table as text

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();
    void showLife(const PreparedView& view, const Selection& selection);
    // What the selected box does to others: bytes, slack.
    void addConsequences(QStringList& sentences, const PreparedView& view, const Event& selected) const;
    void showGap(const PreparedView& view, const GapSelection& gap);
    QString clearing(const IterationView& view) const;
    void showCauses();
    void showKernels(const PreparedView& prepared, const std::optional<Selection>& selection);
    bool liesInShown(int iteration) const;
    // Null: of a baseline that is none any more.
    std::shared_ptr<const PreparedView> preparedOf(int iteration, bool of_baseline);
    // The same, but of an iteration that has gone by meanwhile as it was kept.
    std::shared_ptr<const PreparedView> preparedOrKept(int iteration, bool of_baseline);

    ViewState& state_;
    std::shared_ptr<const PreparedView> view_;      // null: nothing yet
    std::shared_ptr<const PreparedView> baseline_;  // null: none
    IterationView shown_;
    std::shared_ptr<const PreparedView> prepared_shown_;  // made when something of it is asked for
    std::shared_ptr<const PreparedView> kept_;            // of what is selected, which the run leaves behind
    bool shows_selection_ = false;
    Label* sentence_;
    FigureTable* life_;
    GapPart* gap_;
    CausesPart* causes_;
    KernelList* kernels_;
    Button* copy_;
};

}  // namespace bscope::ui
