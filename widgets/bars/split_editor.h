// SplitEditor: how the model's layers are divided over the stages, as one bar whose borders can be dragged
// (or moved with Left and Right after Tab). The sum never changes and every stage keeps at least one layer.
#pragma once

#include <QWidget>
#include <vector>

#include "widgets/controls/themed.h"

namespace bscope::ui {

class SplitEditor : public QWidget, public Themed {
    Q_OBJECT
public:
    explicit SplitEditor(QWidget* parent = nullptr);
    void setLayers(std::vector<int> layers_per_stage);  // no signal
    const std::vector<int>& layers() const { return layers_; }
    void followTheme() override;
    QSize sizeHint() const override { return {currentTheme().px(220), currentTheme().px(28)}; }

signals:
    void edited(const std::vector<int>& layers_per_stage);

protected:
    void paintEvent(QPaintEvent*) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent*) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    int total() const;
    double borderX(std::size_t border) const;           // right edge of stage `border`
    int borderNear(double x) const;                     // -1 when none is close
    bool moveBorder(std::size_t border, int to_layer);  // to_layer: layers left of the border

    std::vector<int> layers_;
    int dragged_ = -1;
    std::size_t current_ = 0;
};

}  // namespace bscope::ui
