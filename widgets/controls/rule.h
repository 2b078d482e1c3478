// Rule: the thin line between two groups of a row.
#pragma once

#include <QPainter>
#include <QWidget>

#include "widgets/controls/themed.h"

namespace bscope::ui {

class Rule : public QWidget, public Themed {
public:
    explicit Rule(QWidget* parent) : QWidget(parent) {}
    void followTheme() override {
        const Theme& theme = currentTheme();
        setFixedSize(theme.px(25), theme.px(28));
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.fillRect(width() / 2, 0, 1, height(), currentTheme().rule);
    }

private:
};

}  // namespace bscope::ui
