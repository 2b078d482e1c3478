// RangeSection: the measured range: bubble in the chosen definition, busy and idle time, throughput, the idle
// time by cause and the greatest memory, of its time and lanes alone; what the filter shows of it is said
// apart. Shown while a range is measured.
#pragma once

#include "view/range_reading.h"
#include "widgets/controls/bar_rows.h"
#include "widgets/controls/button.h"
#include "widgets/controls/figure_table.h"
#include "widgets/controls/section.h"

namespace bscope::ui {

class RangeSection : public Section {
    Q_OBJECT
public:
    explicit RangeSection(ViewState& state, QWidget* parent = nullptr);
    // nullopt: none. view: the iteration that it is of.
    void setReading(const IterationView& view, const std::optional<RangeReading>& reading);
    QStringList lines() const;  // as text, for the clipboard
    QString sentence() const { return sentence_->text(); }
    const FigureTable& figures() const { return *figures_; }
    const BarRows& causes() const { return *causes_; }

public slots:
    void copy();

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();
    void fillFigures();
    void fillCauses();
    QString peakText() const;

    ViewState& state_;
    IterationView view_;
    std::optional<RangeReading> reading_;
    Label* sentence_;
    FigureTable* figures_;
    Label* definition_;
    Label* causes_head_;
    BarRows* causes_;
    Label* note_;
    Button* copy_;
};

}  // namespace bscope::ui
