// GlossaryDialog: the glossary, searchable in both languages and by every alias. Opened for a text, the terms
// of that text come first. What is seen in a run is shown on a click, or on Enter for the first one.
#pragma once

#include <QDialog>
#include <vector>

#include "widgets/controls/field.h"
#include "widgets/controls/label.h"
#include "widgets/help/glossary.h"

class QTextBrowser;

namespace bscope::ui {

class GlossaryDialog : public QDialog, public Themed {
    Q_OBJECT
public:
    explicit GlossaryDialog(QWidget* parent = nullptr, const QString& about = {});
    TextField* searchField() const { return search_; }
    int shownTerms() const { return static_cast<int>(found_.size()); }
    QString shownText() const;
    void followTheme() override;

signals:
    void showMe(const QString& what);  // GlossaryTerm::show

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();
    QString termHtml(const GlossaryTerm& term) const;
    void showFirst();

    std::vector<const GlossaryTerm*> about_;  // the terms of the text it was opened for
    std::vector<const GlossaryTerm*> found_;  // as they are shown
    TextField* search_;
    QTextBrowser* text_;
};

}  // namespace bscope::ui
