// WaterfallSection: from the closed form of the schedule's bubble to what this iteration was, in named steps,
// in points of bubble and in time. What is printed adds up. Shown of complete iterations.
#pragma once

#include "analysis/waterfall.h"
#include "widgets/controls/figure_table.h"
#include "widgets/controls/section.h"
#include "widgets/data/view_state.h"
#include "widgets/prepared/prepared_view.h"

namespace bscope::ui {

class WaterfallSection : public Section {
    Q_OBJECT
public:
    explicit WaterfallSection(ViewState& state, QWidget* parent = nullptr);
    void setView(const IterationView& view);
    void setNumbersHidden(bool on);
    const FigureTable& table() const { return *table_; }

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();

    ViewState& state_;
    IterationView view_;
    std::optional<Waterfall> waterfall_;
    bool hidden_numbers_ = false;
    FigureTable* table_;
};

}  // namespace bscope::ui
