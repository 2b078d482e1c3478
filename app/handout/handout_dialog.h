// HandoutDialog: asks what a handout is to look like. Window thread only.
#pragma once

#include <QDialog>

#include "app/handout/handout_options.h"
#include "widgets/controls/field.h"

namespace bscope::ui {

class HandoutDialog : public QDialog {
    Q_OBJECT
public:
    explicit HandoutDialog(QWidget* parent);
    HandoutOptions options() const;  // but for the language

    ChoiceField* paperField() const { return paper_; }
    ChoiceField* answersField() const { return answers_; }

private:
    ChoiceField *paper_, *answers_;
};

}  // namespace bscope::ui
