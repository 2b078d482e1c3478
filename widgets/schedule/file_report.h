// FileReport: what was found in a schedule file: what it is, what was translated, every broken rule (choosing
// one selects its cell), under which rules of message layers it runs (choosing one shows where it stands
// still), and the button that runs it once it is legal.
#pragma once

#include <QListWidget>

#include "hang/hang_report.h"
#include "hang/message_rules.h"
#include "schedule/formats/schedule_file.h"
#include "widgets/controls/button.h"
#include "widgets/controls/section.h"

namespace bscope::ui {

class FileReport : public Section {
    Q_OBJECT
public:
    explicit FileReport(QWidget* parent = nullptr);
    // refusal: why a legal file cannot be run here; "" when it can.
    void setFile(const QString& name, const ScheduleFile& file, const QString& refusal);
    // Of its messages; empty where its computation is broken. anew: with its messages placed anew, or empty.
    void setMessages(std::vector<RuleOutcome> outcomes, std::vector<RuleOutcome> anew);
    // Of dumps in place of a file: what was found, and then every rank, a line each; plan: what it is called.
    void setHang(const QString& name, const HangReport& report, const QString& plan);
    QListWidget* rules() const { return rules_; }
    QListWidget* messages() const { return messages_; }  // a line an outcome
    Button* runButton() const { return run_; }
    Button* closeButton() const { return close_; }
    QString verdict() const { return verdict_->text(); }
    QString notes() const { return notes_->text(); }
    void followTheme() override;

signals:
    void ruleChosen(int error);        // index into ScheduleFile::errors
    void messagesChosen(int outcome);  // index of setMessages()
    void runClicked();
    void closeClicked();

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void refresh();
    void refreshHang();
    void fitRules();
    void fitList(QListWidget& list) const;

    QString name_, refusal_;
    ScheduleFile file_;
    std::optional<HangReport> hang_;
    QString plan_;
    std::vector<RuleOutcome> outcomes_, anew_;
    Label *what_, *notes_, *verdict_, *layers_;
    QListWidget *rules_, *messages_;
    Button *run_, *close_;
};

}  // namespace bscope::ui
