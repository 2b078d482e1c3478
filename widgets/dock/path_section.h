// PathSection: what the critical path of the iteration consists of, by kind of operation, messages and
// pauses; shown while the canvas draws the path.
#pragma once

#include "widgets/controls/figure_table.h"
#include "widgets/controls/section.h"
#include "widgets/data/view_state.h"
#include "widgets/prepared/prepared_view.h"

namespace bscope::ui {

class PathSection : public Section {
    Q_OBJECT
public:
    explicit PathSection(ViewState& state, QWidget* parent = nullptr);
    void setView(const IterationView& view);
    void setNumbersHidden(bool on);
    const FigureTable& table() const { return *table_; }

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();

    ViewState& state_;
    IterationView view_;
    bool hidden_numbers_ = false;
    FigureTable* table_;
};

}  // namespace bscope::ui
