// WaterfallSection: how the bubble's closed form becomes what the iteration was, in named steps that add up,
// in points of bubble and in time. Of a complete iteration only.
#pragma once

#include <optional>

#include "analysis/waterfall.h"
#include "widgets/dock/iteration_table.h"

namespace bscope::ui {

class WaterfallSection : public IterationTable {
    Q_OBJECT
public:
    explicit WaterfallSection(ViewState& state, QWidget* parent = nullptr) : IterationTable(state, parent) {}

protected:
    bool fill(const PreparedView& view) override;
    void viewChanged(const PreparedView& view) override;

private:
    std::optional<Waterfall> waterfall_;
};

}  // namespace bscope::ui
