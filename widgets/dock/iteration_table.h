// IterationTable: a section of the dock that is one table about a complete iteration or a plan, which is
// prepared once for all sections. Hidden while there is nothing to say, and while a lesson hides numbers.
#pragma once

#include <memory>

#include "view/prepared_view.h"
#include "widgets/controls/figure_table.h"
#include "widgets/controls/section.h"
#include "widgets/data/view_state.h"

namespace bscope::ui {

class IterationTable : public Section {
    Q_OBJECT
public:
    explicit IterationTable(ViewState& state, QWidget* parent = nullptr);
    void setView(std::shared_ptr<const PreparedView> view);
    void setNumbersHidden(bool on);
    const FigureTable& table() const { return *table_; }

protected:
    // Of the view, which is there: sets head and table; false when there is nothing to say.
    virtual bool fill(const PreparedView& view) = 0;
    virtual void viewChanged(const PreparedView&) {}
    void refresh();
    void changeEvent(QEvent* event) override;

    ViewState& state_;
    FigureTable* table_;

private:
    std::shared_ptr<const PreparedView> view_;
    bool hidden_numbers_ = false;
};

}  // namespace bscope::ui
