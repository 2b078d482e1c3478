// QuizGrids: the pictures of an answer: what is right, and below it the case in which a wrong answer would be
// right. Window thread only.
#pragma once

#include <memory>
#include <vector>

#include "widgets/controls/label.h"
#include "widgets/schedule/step_grid.h"

class QVBoxLayout;

namespace bscope::ui {

// A titled step-by-rank grid.
struct QuizGrid {
    QString title;
    std::shared_ptr<const GridModel> model;
};

class QuizGrids : public QWidget {
    Q_OBJECT
public:
    explicit QuizGrids(QWidget* parent = nullptr);
    void setGrids(const std::vector<QuizGrid>& grids);
    void scroll(int cells);  // both, where they are wider than the room
    const std::vector<StepGrid*>& grids() const { return grids_; }
    QStringList titles() const;
    int widthForAll() const;

protected:
    void changeEvent(QEvent* event) override;

private:
    void nameRows();

    ViewState state_;
    QVBoxLayout* column_;
    std::vector<Label*> heads_, titles_;
    std::vector<StepGrid*> grids_;
};

}  // namespace bscope::ui
