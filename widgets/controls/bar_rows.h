// BarRows: lines of name, bar, value and remark: the bubble of this run beside prediction and theory, the
// memory of every rank. The bar's shape says what a number is: solid = ran, dashed = predicted, outlined =
// theory.
#pragma once

#include <QWidget>
#include <vector>

#include "widgets/controls/themed.h"
#include "widgets/controls/words_under.h"
#include "widgets/paint/hatch.h"

namespace bscope::ui {

enum class BarLook { Solid, Dashed, Outline, PendingDashed, Track, Swatch };

struct BarRow {
    QString name;
    double fraction = 0;  // 0..1 of the bar's room
    BarLook look = BarLook::Solid;
    QString value, remark;
    bool strong = false;
    QString tip;
    Hatch hatch = Hatch::Rising;  // Swatch only
    bool operator==(const BarRow&) const = default;
};

class BarRows : public QWidget, public WordsUnder {
    Q_OBJECT
public:
    explicit BarRows(QWidget* parent = nullptr);
    void setRows(std::vector<BarRow> rows);
    void reserve(int rows);  // room for as many at least, so that one that comes and goes moves nothing
    const std::vector<BarRow>& rows() const { return rows_; }
    // Column borders at 100 %: bar from, bar to, values end (right aligned); remarks end at the right edge.
    void setColumns(int bar_from, int bar_to, int value_to);
    QString wordsAt(const QPoint& at) const override;  // of a row
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent*) override;
    bool event(QEvent* event) override;

private:
    double rowHeight() const { return 19 * currentTheme().scale; }

    std::vector<BarRow> rows_;
    int least_ = 0;
    int bar_from_ = 90, bar_to_ = 142, value_to_ = 198;
};

}  // namespace bscope::ui
