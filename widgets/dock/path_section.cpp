#include "widgets/dock/path_section.h"

#include "widgets/text/format.h"
#include "widgets/text/notation.h"

namespace bscope::ui {

PathSection::PathSection(ViewState& state, QWidget* parent) : IterationTable(state, parent) {
    connect(&state_, &ViewState::layersChanged, this, &PathSection::refresh);
}

bool PathSection::fill(const PreparedView& view) {
    if (!state_.layers().critical_path || view.causes() == nullptr) return false;
    const CriticalPath path = criticalPath(view.causes()->graph());
    const Notation notation = notationOf(state_, view.view());
    head()->setText(tr("Critical path"));
    aside()->setText(tr("%1 operations").arg(path.nodes.size()));
    table_->setHeader({tr("Part"), tr("time, %1").arg(notation.unitName()), tr("of the path")}, {0, 0.7, 1});
    std::vector<FigureRow> rows;
    const auto length_ns = static_cast<double>(path.length_ns());
    const auto add = [&](const QString& name, std::int64_t ns) {
        if (ns <= 0) return;
        rows.push_back(
            {{name, notation.number(static_cast<double>(ns)), shareText(static_cast<double>(ns) / length_ns)},
             FigureRow::Look::Normal});
    };
    for (int op = 0; op < kOpCount; ++op)
        add(opName(static_cast<Op>(op)), path.time_ns[static_cast<std::size_t>(op)]);
    add(tr("messages"), path.messages_ns);
    add(tr("pauses before an operation"), path.pauses_ns);
    table_->setRows(std::move(rows));
    return true;
}

}  // namespace bscope::ui
