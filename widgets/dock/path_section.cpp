#include "widgets/dock/path_section.h"

#include <QEvent>

#include "widgets/text/format.h"
#include "widgets/text/notation.h"

namespace bscope::ui {

PathSection::PathSection(ViewState& state, QWidget* parent)
    : Section(parent), state_(state), table_(new FigureTable(this)) {
    content()->addWidget(table_);
    connect(&state_, &ViewState::layersChanged, this, &PathSection::refresh);
    connect(&state_, &ViewState::presentationChanged, this, &PathSection::refresh);
    hide();
}

void PathSection::setView(const IterationView& view) {
    view_ = view;
    refresh();
}

void PathSection::setNumbersHidden(bool on) {
    hidden_numbers_ = on;
    refresh();
}

void PathSection::refresh() {
    setVisible(false);
    if (!state_.layers().critical_path || !view_.ran || !view_.planned || hidden_numbers_) return;
    const PreparedView prepared(view_);
    if (prepared.causes() == nullptr) return;
    const CriticalPath path = criticalPath(prepared.causes()->graph());
    const Notation notation = notationOf(state_, view_);
    head()->setText(tr("Critical path"));
    aside()->setText(tr("%1 operations").arg(path.nodes.size()));
    table_->setHeader({tr("Part"), tr("time, %1").arg(notation.unitName()), tr("of the path")}, {0, 0.74, 1});
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
    setVisible(true);
}

void PathSection::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) refresh();
    Section::changeEvent(event);
}

}  // namespace bscope::ui
