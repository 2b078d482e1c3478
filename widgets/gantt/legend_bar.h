// LegendBar: what the colours and shapes of the canvas mean; its entries are switches: of layers (keys B, L,
// T, Y) and of kinds of operations (the filter). The right end switches Follow. Has the signs of the
// iterations shown under the current configuration, so that it does not change from one to the next; what has
// no room stands in a menu.
#pragma once

#include <QWidget>
#include <span>
#include <vector>

#include "widgets/controls/themed.h"
#include "widgets/data/view_state.h"
#include "widgets/picture/legend_items.h"
#include "widgets/theme/theme.h"

class QHBoxLayout;
class QMenu;
class QToolButton;

namespace bscope::ui {

class LegendBar : public QWidget, public Themed {
    Q_OBJECT
public:
    explicit LegendBar(ViewState& state, QWidget* parent = nullptr);
    void followTheme() override;
    void setGroups(std::span<const PreparedView> groups);  // what the canvas shows
    QString colours() const;                               // what its entry says
    // What keys reach: arrows one after the other while the bar has the focus, Space and Enter switch.
    QList<QToolButton*> stops() const;
    QToolButton* current() const { return stops()[current_]; }
    QSize minimumSizeHint() const override;

signals:
    void coloursClicked();  // for the next ones

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void refresh();
    void rebuild();
    QIcon iconFor(const LegendItem& item) const;
    bool isOn(const LegendItem& item) const;
    void setOn(const LegendItem& item, bool on);
    void fillMenu();
    void syncToggles();
    void dropOverflow();
    void setCurrent(int stop);

    ViewState& state_;
    std::vector<LegendItem> items_;
    std::vector<RunConfig> configs_;  // of the groups
    Signs signs_;
    bool extended_ = false;  // with entries of layers that are not always named
    QHBoxLayout* row_;
    QToolButton* more_;
    QMenu* menu_;
    QToolButton *follow_, *colours_;
    std::vector<QToolButton*> entries_;
    int current_ = 0;  // of stops()
};

}  // namespace bscope::ui
