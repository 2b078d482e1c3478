// FactorBars: how many times a common cost each of some things takes, one bar each: the stages of a plan, or
// a message. A bar is dragged up and down; Left and Right choose one, Up and Down change it. Plain values in,
// signals out. Window thread only.
#pragma once

#include <QWidget>
#include <vector>

#include "widgets/controls/themed.h"

namespace bscope::ui {

class FactorBars : public QWidget {
    Q_OBJECT
public:
    static constexpr double kMost = 4, kStep = 0.05;

    // least: of a factor; home: what Home and a double click make of it.
    FactorBars(double least, double home, QWidget* parent = nullptr);
    void setFactors(const std::vector<double>& factors);  // no signal
    const std::vector<double>& factors() const { return factors_; }
    int current() const { return current_; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }
    QRectF bar(int index) const;  // with the room above it

signals:
    void currentChanged();
    // goes_on: by the same drag as the change before.
    void edited(bool goes_on);

protected:
    void paintEvent(QPaintEvent*) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    double onStep(double factor) const;
    int barAt(double x) const;
    void choose(int index);
    void change(double factor, bool goes_on = false);

    const double least_, home_;
    std::vector<double> factors_;
    int current_ = 0;
    struct Drag {
        bool held = false, moved = false;
        double from_y = 0, from_factor = 1;
    } drag_;
};

}  // namespace bscope::ui
