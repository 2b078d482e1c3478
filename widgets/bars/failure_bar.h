// FailureBar: under the title line when something went wrong: one sentence, what to do, the ways on as
// buttons, and the details on demand. The picture below stays as it was.
#pragma once

#include <QStringList>
#include <vector>

#include "widgets/controls/button.h"
#include "widgets/controls/label.h"

class QHBoxLayout;
class QPlainTextEdit;

namespace bscope::ui {

struct FailureNotice {
    QString sentence;    // "The engine ended while iteration 38 ran."
    QString what_to_do;  // "37 is the last complete iteration. Run starts a new engine from there."
    QString details;     // shown on demand
    struct Action {
        QString id, text;  // id comes back in actionChosen
    };
    std::vector<Action> actions;  // the first one is the suggested way on
};

class FailureBar : public QWidget, public Themed {
    Q_OBJECT
public:
    explicit FailureBar(QWidget* parent = nullptr);
    void setNotice(const FailureNotice& notice);  // shows the bar
    void setSentence(const QString& sentence);    // the rest stays
    void clear();                                 // hides it
    QString sentence() const { return sentence_->text(); }
    Button* action(const QString& id) const;  // nullptr when there is none
    Button* detailsButton() const { return details_button_; }
    bool detailsShown() const;
    void followTheme() override;

signals:
    void actionChosen(const QString& id);

protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent*) override;

private:
    void retranslate();

    Label *sentence_, *what_to_do_;
    QHBoxLayout* action_row_;
    std::vector<Button*> actions_;
    Button *details_button_, *close_;
    QPlainTextEdit* details_;
};

}  // namespace bscope::ui
