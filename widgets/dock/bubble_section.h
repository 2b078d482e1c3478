// BubbleSection: the bubble in the chosen definition: the big number, this run beside prediction and theory,
// the definition, the formula with p, v and m put in, and in one sentence where the difference comes from.
#pragma once

#include "widgets/controls/bar_rows.h"
#include "widgets/controls/button.h"
#include "widgets/controls/section.h"
#include "widgets/text/bubble_formula_text.h"

namespace bscope::ui {

// The framed formula: symbols above, numbers below, then what stands for x in it.
class FormulaBox : public QWidget, public Themed {
    Q_OBJECT
public:
    explicit FormulaBox(QWidget* parent = nullptr);
    void setText(const FormulaText& text);
    QString numbers() const { return numbers_->text(); }
    void followTheme() override;

protected:
    void paintEvent(QPaintEvent*) override;

private:
    Label *symbols_, *numbers_, *idle_;
};

class BubbleSection : public Section {
    Q_OBJECT
public:
    explicit BubbleSection(ViewState& state, QWidget* parent = nullptr);
    void setView(const IterationView& view);
    void setPending(const std::optional<PendingChange>& pending);

    QString bigNumber() const { return big_->text(); }
    const BarRows& rows() const { return *rows_; }
    QString note() const { return note_->text(); }
    QString formulaNumbers() const { return formula_->numbers(); }
    Segments* definitionSwitch() const { return switch_; }

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();
    void otherRunChanged() override { refresh(); }

    ViewState& state_;
    IterationView view_;
    std::optional<PendingChange> pending_;
    Segments* switch_;
    Label *big_, *big_note_, *definition_, *note_;
    BarRows* rows_;
    FormulaBox* formula_;
};

}  // namespace bscope::ui
