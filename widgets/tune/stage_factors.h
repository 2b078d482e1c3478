// StageFactors: how many times the common costs each stage takes, one bar a stage. A bar is dragged up and
// down; Left and Right choose one, Up and Down change it. Plain values in, signals out. Window thread only.
#pragma once

#include <QWidget>
#include <vector>

#include "widgets/controls/themed.h"

namespace bscope::ui {

class StageFactors : public QWidget {
    Q_OBJECT
public:
    static constexpr double kLeast = 0.05, kMost = 4, kStep = 0.05;

    explicit StageFactors(QWidget* parent = nullptr);
    void setFactors(const std::vector<double>& factors);  // (stages,); no signal
    const std::vector<double>& factors() const { return factors_; }
    int current() const { return current_; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }
    QRectF bar(int stage) const;  // with the room above it

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
    int stageAt(double x) const;
    void choose(int stage);
    void change(double factor, bool goes_on = false);

    std::vector<double> factors_;
    int current_ = 0;
    struct Drag {
        bool held = false, moved = false;
        double from_y = 0, from_factor = 1;
    } drag_;
};

}  // namespace bscope::ui
