// FileReport: what was found in a schedule file: what it is, what was translated, every broken rule (choosing
// one selects its cell), and the button that runs it once it is legal.
#pragma once

#include <QListWidget>

#include "schedule/schedule_file.h"
#include "widgets/controls/button.h"
#include "widgets/controls/section.h"

namespace bscope::ui {

class FileReport : public Section {
    Q_OBJECT
public:
    explicit FileReport(QWidget* parent = nullptr);
    // refusal: why a legal file cannot be run here; "" when it can.
    void setFile(const QString& name, const ScheduleFile& file, const QString& refusal);
    QListWidget* rules() const { return rules_; }
    Button* runButton() const { return run_; }
    Button* closeButton() const { return close_; }
    QString verdict() const { return verdict_->text(); }
    QString notes() const { return notes_->text(); }
    void followTheme() override;

signals:
    void ruleChosen(int error);  // index into ScheduleFile::errors
    void runClicked();
    void closeClicked();

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void refresh();
    void fitRules();

    QString name_, refusal_;
    ScheduleFile file_;
    Label *what_, *notes_, *verdict_;
    QListWidget* rules_;
    Button *run_, *close_;
};

}  // namespace bscope::ui
