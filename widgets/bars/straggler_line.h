// StragglerLine: the headline of an opened run: what is slow in most of its iterations, what the run would take
// without it, and the ways to see both. Plain words in, signals out. Window thread only.
#pragma once

#include "widgets/controls/button.h"
#include "widgets/controls/label.h"

namespace bscope::ui {

class StragglerLine : public QWidget, public Themed {
    Q_OBJECT
public:
    explicit StragglerLine(QWidget* parent = nullptr);
    // found: what it is; effect: what would be without it, empty where nothing can be predicted.
    void setWords(const QString& found, const QString& effect);
    void setPlanShown(bool on);  // the run without it is on the canvas
    QString found() const { return found_->text(); }
    QString effect() const { return effect_->text(); }
    Button* showButton() const { return show_; }
    Button* withoutButton() const { return without_; }
    Button* closeButton() const { return close_; }
    void followTheme() override;

signals:
    void showClicked();
    void withoutClicked();  // or back to the run, while its plan is shown
    void closeClicked();

protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent*) override;

private:
    void retranslate();

    bool plan_shown_ = false;
    Label *found_, *effect_;
    Button *show_, *without_, *close_;
};

}  // namespace bscope::ui
