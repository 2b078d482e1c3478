// ComparisonSection: the iteration beside the pinned baseline: length, bubble, idle time by cause, busy and
// idle time of every rank, peak memory. The numbers of `bscope compare`. Hidden without a baseline.
#pragma once

#include <optional>

#include "analysis/comparison.h"
#include "widgets/dock/iteration_table.h"

namespace bscope::ui {

class ComparisonSection : public IterationTable {
    Q_OBJECT
public:
    explicit ComparisonSection(ViewState& state, QWidget* parent = nullptr) : IterationTable(state, parent) {}
    void setBaseline(std::shared_ptr<const PreparedView> baseline);  // null: none

protected:
    bool fill(const PreparedView& view) override;

private:
    std::shared_ptr<const PreparedView> baseline_;
};

}  // namespace bscope::ui
