// GapPart: the selected gap: the sentence about it, its causes, and the chain of reasons from its end back to
// what it hung on, whose links can be chosen. Part of the detail section.
#pragma once

#include "view/prepared_view.h"
#include "widgets/controls/figure_table.h"
#include "widgets/controls/label.h"
#include "widgets/data/view_state.h"
#include "widgets/text/notation.h"

namespace bscope::ui {

class GapPart : public QWidget {
    Q_OBJECT
public:
    explicit GapPart(ViewState& state, QWidget* parent = nullptr);
    void setGap(const PreparedView& view, const Notation& notation, int rank, const IdlePeriod& period);
    QString sentence() const { return sentence_->text(); }
    const FigureTable& parts() const { return *parts_; }
    FigureTable& chain() { return *chain_; }
    const FigureTable& chain() const { return *chain_; }
    QStringList lines() const;  // as text, for the clipboard

private:
    void showParts(const Notation& notation, const Gap& gap);
    // Of the whole chain: [ and ] go through all of it.
    void showChain(const PreparedView& view, const Notation& notation, const Gap& gap);
    void markLink();

    ViewState& state_;
    Label* sentence_;
    FigureTable* parts_;
    Label* chain_head_;
    FigureTable* chain_;
    std::vector<int> link_of_row_;  // of the chain; messages that take no time have no row
};

}  // namespace bscope::ui
