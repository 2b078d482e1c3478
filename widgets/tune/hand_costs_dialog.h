// HandCostsDialog: durations and link given by hand, and what the plan makes of them. Beside the canvas,
// which shows that plan. Plain values in, signals out. Window thread only.
#pragma once

#include <QDialog>
#include <QVBoxLayout>
#include <array>
#include <memory>
#include <vector>

#include "analysis/hand_costs.h"
#include "schedule/schedule.h"
#include "widgets/controls/button.h"
#include "widgets/controls/field.h"
#include "widgets/controls/label.h"
#include "widgets/controls/provenance_badge.h"
#include "widgets/data/view_state.h"
#include "widgets/tune/factor_bars.h"

namespace bscope::ui {

class HandCostsDialog : public QDialog, public Themed {
    Q_OBJECT
public:
    enum Field { Forward, Input, Weight, Latency, Speed };
    static constexpr std::size_t kFields = 5;

    explicit HandCostsDialog(QWidget* parent = nullptr);
    // Hidden while it is whole: the field with the focus then reports that its editing is finished.
    ~HandCostsDialog() override { hide(); }
    // What the fields begin with and go back to, of the order that was set; measured: it comes from a run.
    void setBasis(const HandCosts& basis, bool measured);
    // The order of the plan. Under another one of as many ranks a rank computes as much as before: the
    // durations are those of the new stages.
    void setOrder(const std::shared_ptr<const Schedule>& order);
    const Schedule& order() const { return *order_; }  // after setOrder()
    // In forwards I and W count in the F above them, which is what a change of F then keeps; F itself and the
    // link have no such unit.
    void setUnit(TimeUnit unit);
    // What follows from the values, in words.
    void setOutcome(const QString& outcome);
    void followTheme() override;

    const HandCosts& costs() const { return costs_; }
    NumberField* field(Field which) const { return fields_[which]; }
    FactorBars* factors() const { return factors_; }
    FactorBars* messageBar() const { return message_bar_; }  // how many F a message takes
    Button* undoButton() const { return undo_; }
    Button* redoButton() const { return redo_; }
    Button* basisButton() const { return to_basis_; }
    QString outcome() const { return outcome_->text(); }

signals:
    void edited(const bscope::HandCosts& costs);

protected:
    bool eventFilter(QObject* field, QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void read(std::size_t field);
    void record(const HandCosts& now, bool goes_on);
    void nameStage();
    void keepHeight();
    void nameMessage();
    void layOutBars(QVBoxLayout& column);
    void step(std::vector<HandCosts>& from, std::vector<HandCosts>& to);
    bool takesStep(QKeyEvent& event);
    void take(const HandCosts& costs);  // into the fields
    void refresh();

    double unitMs() const;  // of I and W
    QString linkMeaning() const;

    HandCosts costs_, basis_;
    std::shared_ptr<const Schedule> order_;
    TimeUnit unit_ = TimeUnit::Milliseconds;
    std::vector<HandCosts> before_, after_;  // what undo and redo go to, the nearest at the end
    // What is typed into a field, character by character, is one step until its editing ends; so is a drag.
    static constexpr std::size_t kNone = kFields;
    std::size_t typed_into_ = kNone, last_step_ = kNone;
    bool measured_ = false;
    Label *about_, *outcome_, *stage_, *message_;
    Badge* badge_;
    FactorBars *factors_, *message_bar_;
    std::array<Label*, kFields> names_{};
    std::array<NumberField*, kFields> fields_{};
    Button *undo_, *redo_, *to_basis_, *close_;
};

}  // namespace bscope::ui
