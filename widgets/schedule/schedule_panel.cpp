// Assembly of the schedule panel.
#include "widgets/schedule/schedule_panel.h"

#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QPainter>
#include <QScrollBar>

#include "widgets/controls/scroll_fade.h"
#include "widgets/text/config_text.h"

namespace bscope::ui {

SchedulePanel::SchedulePanel(QWidget* parent)
    : QWidget(parent),
      title_(new Label(TextRole::Title, this)),
      remark_(makeParagraph(TextRole::Accent, this)),
      copy_(new Button(ButtonLook::Link, Glyph::None, this)),
      close_(new Button(ButtonLook::Quiet, Glyph::None, this)),
      file_(new FileReport(this)),
      scroll_(new QScrollArea(this)),
      filler_(new QWidget(this)),
      explanation_(new ExplanationView(scroll_)),
      search_(new SearchSection(this)),
      head_(new QHBoxLayout) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    title_->setElided(true);
    head_->addWidget(title_, 1);
    head_->addWidget(copy_);
    head_->addWidget(close_);
    column->addWidget(file_);
    column->addLayout(head_);
    column->addWidget(remark_);
    column->addWidget(scroll_, 1);
    column->addWidget(filler_, 1);
    column->addWidget(search_);
    scroll_->setWidget(explanation_);
    scroll_->setWidgetResizable(true);
    scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    new ScrollFade(scroll_);
    file_->hide();
    filler_->hide();
    search_->setRuled(false);
    connect(copy_, &QAbstractButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(explanation_->plainText()); });
    connect(close_, &QAbstractButton::clicked, this, &SchedulePanel::closed);
    retranslate();
}

void SchedulePanel::showSchedule(const std::string& name, const ScheduleParams& params,
                                 const QString& remark, std::vector<RankTraffic> traffic) {
    name_ = name;
    params_ = params;
    remark_->setText(remark);
    if (shows_file_) return;
    title_->setText(scheduleTitle(name));
    scroll_->show();
    filler_->hide();
    remark_->setVisible(!remark.isEmpty());
    explanation_->setSchedule(name, params);
    explanation_->setTraffic(std::move(traffic));
}

void SchedulePanel::showUnknown(const std::string& name) {
    name_.clear();
    if (shows_file_) return;
    title_->setText(scheduleTitle(name));
    remark_->setText(
        tr("This schedule is neither in the catalog nor in a file on this machine. Its order came with the "
           "run: the grid shows it."));
    remark_->show();
    scroll_->hide();
    filler_->show();
}

void SchedulePanel::showFile(const QString& name, const ScheduleFile& file, const QString& refusal,
                             const std::string& explained) {
    file_->setFile(name, file, refusal);
    showBelowFile(explained, file.schedule.params);
}

void SchedulePanel::showHang(const QString& name, const HangReport& report, const std::string& plan,
                             const ScheduleParams& params) {
    file_->setHang(name, report, plan.empty() ? QString() : scheduleTitle(plan));
    showBelowFile(plan, params);
}

void SchedulePanel::showBelowFile(const std::string& explained, const ScheduleParams& params) {
    shows_file_ = true;
    file_->show();
    remark_->hide();
    const bool has_words = !explained.empty();
    if (has_words) explanation_->setSchedule(explained, params);
    scroll_->setVisible(has_words);
    title_->setText(tr("Its schedule"));
    close_->hide();
    search_->hide();
    for (QWidget* part : std::initializer_list<QWidget*>{title_, copy_}) part->setVisible(has_words);
    filler_->setVisible(!has_words);
    scroll_->verticalScrollBar()->setValue(0);
}

void SchedulePanel::closeFile() {
    if (!shows_file_) return;
    shows_file_ = false;
    file_->hide();
    filler_->hide();
    for (QWidget* part : std::initializer_list<QWidget*>{title_, copy_, close_, scroll_, search_})
        part->show();
    if (!name_.empty()) showSchedule(name_, params_, remark_->text());
}

void SchedulePanel::followTheme() {
    const Theme& theme = currentTheme();
    head_->setContentsMargins(theme.px(16), theme.px(11), theme.px(16), theme.px(2));
    head_->setSpacing(theme.px(12));
    remark_->setContentsMargins(theme.px(16), 0, theme.px(16), 0);
    scroll_->verticalScrollBar()->setSingleStep(theme.px(24));
}

void SchedulePanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QWidget::changeEvent(event);
}

void SchedulePanel::retranslate() {
    copy_->setText(tr("Copy"));
    copy_->setToolTip(tr("Copy the whole explanation"));
    close_->setText(tr("Close"));
    if (shows_file_)
        title_->setText(tr("Its schedule"));
    else if (!name_.empty())
        title_->setText(scheduleTitle(name_));
}

void SchedulePanel::paintEvent(QPaintEvent*) {
    const Theme& theme = currentTheme();
    QPainter painter(this);
    painter.fillRect(rect(), theme.panel);
    if (search_->isVisible()) painter.fillRect(0, search_->y() - 1, width(), 1, theme.rule);
}

}  // namespace bscope::ui
