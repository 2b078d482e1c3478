// HandCostsDialog: durations and link given by hand, and what the plan makes of them. Beside the canvas,
// which shows that plan. Plain values in, signals out. Window thread only.
#pragma once

#include <QDialog>
#include <array>
#include <vector>

#include "analysis/hand_costs.h"
#include "widgets/controls/button.h"
#include "widgets/controls/field.h"
#include "widgets/controls/label.h"
#include "widgets/controls/provenance_badge.h"

namespace bscope::ui {

class HandCostsDialog : public QDialog, public Themed {
    Q_OBJECT
public:
    enum Field { Forward, Input, Weight, Latency, Speed };
    static constexpr std::size_t kFields = 5;

    explicit HandCostsDialog(QWidget* parent = nullptr);
    // What the fields begin with and go back to; measured: it comes from a run.
    void setBasis(const HandCosts& basis, bool measured);
    // What follows from the values, in words.
    void setOutcome(const QString& outcome);
    void followTheme() override;

    const HandCosts& costs() const { return costs_; }
    NumberField* field(Field which) const { return fields_[which]; }
    Button* undoButton() const { return undo_; }
    Button* basisButton() const { return to_basis_; }
    QString outcome() const { return outcome_->text(); }

signals:
    void edited(const bscope::HandCosts& costs);

protected:
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void read();
    void undo();
    void take(const HandCosts& costs);  // into the fields
    void refresh();

    HandCosts costs_, basis_;
    std::vector<HandCosts> before_;  // what undo goes back to, the last one at the end
    bool measured_ = false;
    Label *about_, *outcome_;
    Badge* badge_;
    std::array<Label*, kFields> names_{};
    std::array<NumberField*, kFields> fields_{};
    Button *undo_, *to_basis_, *close_;
};

}  // namespace bscope::ui
