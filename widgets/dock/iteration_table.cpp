#include "widgets/dock/iteration_table.h"

#include <QEvent>
#include <utility>

namespace bscope::ui {

IterationTable::IterationTable(ViewState& state, QWidget* parent)
    : Section(parent), state_(state), table_(new FigureTable(this)) {
    content()->addWidget(table_);
    connect(&state_, &ViewState::presentationChanged, this, &IterationTable::refresh);
    hide();
}

void IterationTable::setView(std::shared_ptr<const PreparedView> view) {
    view_ = std::move(view);
    viewChanged(*view_);
    refresh();
}

void IterationTable::setNumbersHidden(bool on) {
    hidden_numbers_ = on;
    refresh();
}

void IterationTable::refresh() {
    setVisible(view_ && !hidden_numbers_ && fill(*view_));
}

void IterationTable::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) refresh();
    Section::changeEvent(event);
}

}  // namespace bscope::ui
