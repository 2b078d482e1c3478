// CausesPart: where the idle time of all ranks went, by cause, and its longest gaps, which can be chosen.
// Part of the detail section.
#pragma once

#include "view/prepared_view.h"
#include "widgets/controls/bar_rows.h"
#include "widgets/controls/figure_table.h"
#include "widgets/controls/label.h"
#include "widgets/text/notation.h"

namespace bscope::ui {

class IdleBar;

// A row a cause that has a share, the greatest first, with its hatch.
std::vector<BarRow> causeRows(const CauseParts& parts, std::int64_t idle_ns, const Notation& notation);

class CausesPart : public QWidget {
    Q_OBJECT
public:
    explicit CausesPart(QWidget* parent = nullptr);
    void setView(const PreparedView& view, const Notation& notation);
    const BarRows& causes() const { return *causes_; }
    FigureTable& gaps() { return *gaps_; }
    const FigureTable& gaps() const { return *gaps_; }
    QString note() const { return note_->text(); }

signals:
    void gapChosen(const bscope::GapSelection& gap);

private:
    void showCauses(const BubbleCauses& causes, const Notation& notation);
    void showGaps(const PreparedView& view, const Notation& notation);

    Label* note_;
    IdleBar* bar_;
    BarRows* causes_;
    FigureTable* gaps_;
    std::vector<GapSelection> listed_;
};

}  // namespace bscope::ui
