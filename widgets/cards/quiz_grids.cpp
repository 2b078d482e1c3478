#include "widgets/cards/quiz_grids.h"

#include <QEvent>
#include <QScrollBar>
#include <QVBoxLayout>
#include <algorithm>

namespace bscope::ui {

QuizGrids::QuizGrids(QWidget* parent) : QWidget(parent), column_(new QVBoxLayout(this)) {
    column_->setContentsMargins(0, 0, 0, 0);
    column_->setSpacing(4);
}

void QuizGrids::setGrids(const std::vector<QuizGrid>& grids) {
    while (QLayoutItem* item = column_->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    heads_.clear();
    titles_.clear();
    grids_.clear();
    for (const QuizGrid& each : grids) {
        heads_.push_back(new Label(TextRole::Strong, this));
        titles_.push_back(makeParagraph(TextRole::Soft, this));
        titles_.back()->setText(each.title);
        auto* grid = new StepGrid(state_, this);
        grid->setFocusPolicy(Qt::NoFocus);  // the keys are the dialog's
        grid->setModel(each.model, false);
        grid->setHeightFixedToRows();
        grids_.push_back(grid);
        for (QWidget* part : {static_cast<QWidget*>(heads_.back()), static_cast<QWidget*>(titles_.back()),
                              static_cast<QWidget*>(grid)})
            column_->addWidget(part);
    }
    nameRows();
}

void QuizGrids::nameRows() {
    for (std::size_t i = 0; i < heads_.size(); ++i)
        heads_[i]->setText(i == 0 ? tr("What is right") : tr("Where your answer would be right"));
}

int QuizGrids::widthForAll() const {
    int widest = 0;
    for (const StepGrid* grid : grids_) widest = std::max(widest, grid->widthForAll());
    return widest;
}

void QuizGrids::scroll(int cells) {
    for (StepGrid* grid : grids_) {
        QScrollBar* bar = grid->horizontalScrollBar();
        bar->setValue(bar->value() + static_cast<int>(cells * grid->cellWidth()));
    }
}

QStringList QuizGrids::titles() const {
    QStringList all;
    for (const Label* title : titles_) all << title->text();
    return all;
}

void QuizGrids::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) nameRows();
    QWidget::changeEvent(event);
}

}  // namespace bscope::ui
