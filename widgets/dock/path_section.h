// PathSection: what the critical path of the iteration consists of, by kind of operation, messages and
// pauses; shown while the canvas draws the path.
#pragma once

#include "widgets/dock/iteration_table.h"

namespace bscope::ui {

class PathSection : public IterationTable {
    Q_OBJECT
public:
    explicit PathSection(ViewState& state, QWidget* parent = nullptr);

protected:
    bool fill(const PreparedView& view) override;
};

}  // namespace bscope::ui
