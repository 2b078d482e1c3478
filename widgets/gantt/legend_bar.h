// LegendBar: what the colours and shapes of the canvas mean; the entries that can be hidden are the toggles
// (keys B, L, T, Y) and the right end switches Follow. Shows only what the current picture contains.
#pragma once

#include <QWidget>
#include <vector>

#include "widgets/gantt/legend_items.h"
#include "widgets/theme.h"
#include "widgets/view_data.h"
#include "widgets/view_state.h"

class QHBoxLayout;
class QToolButton;

namespace bscope::ui {

class LegendBar : public QWidget {
    Q_OBJECT
public:
    explicit LegendBar(ViewState& state, QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    void setView(const IterationView& view);
    QString colours() const;  // what its entry says
    QSize minimumSizeHint() const override;

signals:
    void coloursClicked();  // for the next ones

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void rebuild();
    void syncToggles();
    void dropOverflow();

    ViewState& state_;
    Theme theme_;
    std::vector<LegendItem> items_;
    IterationView view_;
    bool has_memory_ = false;
    QHBoxLayout* row_;
    QToolButton *follow_, *colours_;
    std::vector<QWidget*> entries_;
    int chunks_ = 1;
};

}  // namespace bscope::ui
