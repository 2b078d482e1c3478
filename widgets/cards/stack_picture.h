// StackPicture: a BubbleStack drawn: a row a rank, its work and behind it its idle stretches, which come out
// equally long; under them the sums and the formula with its numbers. Window thread only.
#pragma once

#include <QWidget>

#include "analysis/bubble_stack.h"
#include "widgets/controls/themed.h"

namespace bscope::ui {

class StackPicture : public QWidget, public Themed {
    Q_OBJECT
public:
    explicit StackPicture(QWidget* parent = nullptr);
    void setStack(const std::optional<BubbleStack>& stack);
    const std::optional<BubbleStack>& stack() const { return stack_; }
    QString formulaText() const;  // with its value
    QString wordsText() const;    // what the idle stretches are
    void followTheme() override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent*) override;

private:
    std::optional<BubbleStack> stack_;
};

}  // namespace bscope::ui
