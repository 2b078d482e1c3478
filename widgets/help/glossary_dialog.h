// GlossaryDialog: the glossary, searchable in both languages and by every alias.
#pragma once

#include <QDialog>

#include "widgets/controls/field.h"
#include "widgets/controls/label.h"

class QTextBrowser;

namespace bscope::ui {

class GlossaryDialog : public QDialog, public Themed {
    Q_OBJECT
public:
    explicit GlossaryDialog(QWidget* parent = nullptr);
    TextField* searchField() const { return search_; }
    int shownTerms() const { return shown_; }
    QString shownText() const;
    void followTheme() override;

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();

    TextField* search_;
    QTextBrowser* text_;
    int shown_ = 0;
};

}  // namespace bscope::ui
