// SweepPanel: the dock's page while tuning: the result in a sentence, the table, the form of the next sweep,
// the key.
#pragma once

#include <QScrollArea>
#include <array>

#include "widgets/controls/button.h"
#include "widgets/controls/field.h"
#include "widgets/controls/figure_table.h"
#include "widgets/controls/section.h"
#include "widgets/tune/sweep_model.h"

namespace bscope::ui {

class SweepPanel : public QScrollArea, public Themed {
    Q_OBJECT
public:
    explicit SweepPanel(QWidget* parent = nullptr);
    void setForm(const SweepForm& form);  // no signal
    const SweepForm& form() const { return form_; }
    bool formIsLegal() const;
    void setBase(const SweepBase& base);
    void setResult(const std::vector<SweepRow>& rows, const SweepVerdict& verdict, const SweepState* state,
                   int use);
    void followTheme() override;

    QString sentence() const { return sentence_->text(); }
    const FigureTable& table() const { return *table_; }
    Button* useButton() const { return use_; }
    Button* keepButton() const { return keep_; }
    ChoiceField* axisField() const { return axis_; }
    QString whyIllegal() const { return why_illegal_->isHidden() ? QString() : why_illegal_->text(); }
    QString refused() const { return refused_->isHidden() ? QString() : refused_->text(); }
    TextField* valuesField() const { return values_; }
    Segments* batchSwitch() const { return batch_; }
    NumberField* samplesField() const { return samples_; }
    NumberField* iterationsField() const { return iterations_; }
    NumberField* capField() const { return cap_; }

signals:
    void formEdited();
    void axisChosen(bscope::SweepAxis axis);  // before formEdited(), to be given its values by setForm()
    void useClicked();
    void keepClicked();
    void focusReturned();

protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void readForm();
    void retranslate();
    void nameValues();
    void enableFields();

    SweepForm form_;
    SweepBase base_;
    bool values_legal_ = true;
    Section *result_, *results_, *sweep_, *key_;
    Label *big_, *big_note_, *sentence_, *refused_, *why_illegal_;
    Button *use_, *keep_;
    FigureTable* table_;
    ChoiceField* axis_;
    TextField* values_;
    Segments* batch_;
    NumberField *samples_, *iterations_, *cap_;
    std::array<Label*, 6> row_labels_{};
    std::array<QWidget*, 6> row_fields_{};
};

}  // namespace bscope::ui
