// SchedulePanel: the side panel about a schedule: its explanation, or what was found in a file, and at its
// foot the offer to search for a better order. Plain values in, signals out. Window thread only.
#pragma once

#include <QScrollArea>

#include "widgets/schedule/explanation_view.h"
#include "widgets/schedule/file_report.h"
#include "widgets/schedule/search_section.h"

namespace bscope::ui {

class SchedulePanel : public QWidget, public Themed {
    Q_OBJECT
public:
    explicit SchedulePanel(QWidget* parent = nullptr);
    // Must have no problems. remark: what is special about it, "from iteration 38"; "" = nothing.
    // One that can be neither made nor read here.
    void showUnknown(const std::string& name);
    // traffic: as ExplanationView's.
    void showSchedule(const std::string& name, const ScheduleParams& params, const QString& remark,
                      std::vector<RankTraffic> traffic = {});
    // explained: the schedule's name when the file is legal and can be explained, else "".
    void showFile(const QString& name, const ScheduleFile& file, const QString& refusal,
                  const std::string& explained);
    // Dumps of a program in place of a file; plan: the name of the planned schedule, "" when it is not known.
    void showHang(const QString& name, const HangReport& report, const std::string& plan,
                  const ScheduleParams& params);
    void closeFile();  // back to the schedule
    bool showsFile() const { return shows_file_; }
    void setLanguage(bscope::Language language) { explanation_->setLanguage(language); }
    void followTheme() override;

    const ExplanationView& explanation() const { return *explanation_; }
    FileReport& file() { return *file_; }
    SearchSection& search() { return *search_; }
    QString title() const { return title_->text(); }
    QString remark() const { return remark_->text(); }
    Button* copyButton() const { return copy_; }
    Button* closeButton() const { return close_; }

signals:
    void closed();

protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent*) override;

private:
    void retranslate();
    void showBelowFile(const std::string& explained, const ScheduleParams& params);

    Label *title_, *remark_;
    Button *copy_, *close_;
    FileReport* file_;
    QScrollArea* scroll_;
    QWidget* filler_;  // below a file that cannot be explained
    ExplanationView* explanation_;
    SearchSection* search_;
    QHBoxLayout* head_;
    std::string name_;  // of the schedule that is explained
    ScheduleParams params_;
    bool shows_file_ = false;
};

}  // namespace bscope::ui
