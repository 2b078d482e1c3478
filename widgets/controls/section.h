// Section: one titled part of the dock: head on the left, a word or a switch on the right, content below, a
// rule at its foot. Its margins follow the theme's scale.
#pragma once

#include <QVBoxLayout>

#include "widgets/controls/label.h"

namespace bscope::ui {

class Section : public QWidget, public Themed {
    Q_OBJECT
public:
    explicit Section(QWidget* parent = nullptr);
    Label* head() const { return head_; }
    Label* aside() const { return aside_; }  // right of the head, faint
    void setHeadWidget(QWidget* widget);     // instead of the aside
    // The run that the numbers are of where the canvas shows another one (otherRunName()), after the head;
    // empty: they are of what is shown.
    void setOtherRun(const QString& name);
    const QString& otherRun() const { return other_run_; }
    QVBoxLayout* content() const { return content_; }
    void setRuled(bool on);
    void setSideMargin(int px) { side_margin_ = px; }  // at 100 %
    void followTheme() override;

protected:
    virtual void otherRunChanged();  // shows it in the row of the head
    void paintEvent(QPaintEvent*) override;

private:
    Label* head_;
    Label* aside_;
    Label* of_other_ = nullptr;  // made when there is one
    QString other_run_;
    QHBoxLayout* head_row_;
    QVBoxLayout* content_;
    bool ruled_ = true;
    int side_margin_ = 16;
};

}  // namespace bscope::ui
