// GridStrip: the step-by-rank grid below the canvas with its title line. As high as its rows, up to a share
// of the room it is given; then it scrolls.
#pragma once

#include <QWidget>

#include "widgets/controls/button.h"
#include "widgets/controls/label.h"
#include "widgets/schedule/step_grid.h"

namespace bscope::ui {

class GridStrip : public QWidget, public Themed {
    Q_OBJECT
public:
    explicit GridStrip(ViewState& state, QWidget* parent = nullptr);

    StepGrid& grid() { return *grid_; }
    Button* closeButton() const { return close_; }
    // The schedule of the shown iteration: what it is called, "p=4 m=8 v=1".
    void showSchedule(std::shared_ptr<const GridModel> model, const QString& name, const QString& parameters);
    // Where the shown order parts from a known one, in words and in the grid; "" = it does not.
    void setDifference(std::optional<GridPlace> place, const QString& sentence);
    QString difference() const { return difference_->text(); }
    Button* jumpButton() const { return jump_; }
    // A file by itself.
    void showFile(std::shared_ptr<const GridModel> model, const QString& name);
    // Why there is no picture, instead of one.
    void showNothing(const QString& why);
    void setRoom(int height);  // of the page; the strip takes what it needs of a part of it
    void followTheme() override;
    QString title() const { return title_->text(); }
    QString note() const { return note_->text(); }

signals:
    void closed();
    void jumpClicked();  // to the difference

protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent*) override;

private:
    void retranslate();
    void fitHeight();

    Label *title_, *note_;
    Label* difference_;
    Button *close_, *jump_;
    StepGrid* grid_;
    QString name_, parameters_, nothing_;
    bool file_ = false;
    int room_ = 0;
};

}  // namespace bscope::ui
