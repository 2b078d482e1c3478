// Words and list of the report.
#include "widgets/schedule/file_report.h"

#include <QEvent>
#include <algorithm>

#include "widgets/text/config_text.h"
#include "widgets/text/format.h"
#include "words/shown.h"

namespace bscope::ui {
namespace {
constexpr int kMostListHeight = 260;
}

FileReport::FileReport(QWidget* parent)
    : Section(parent),
      what_(makeParagraph(TextRole::Soft, this)),
      notes_(makeParagraph(TextRole::Soft, this)),
      verdict_(makeParagraph(TextRole::Strong, this)),
      layers_(makeParagraph(TextRole::Soft, this)),
      rules_(new QListWidget(this)),
      messages_(new QListWidget(this)),
      run_(new Button(ButtonLook::Primary, Glyph::Run, this)),
      close_(new Button(ButtonLook::Plain, Glyph::None, this)) {
    for (QListWidget* list : {rules_, messages_}) {
        list->setWordWrap(true);
        list->setTextElideMode(Qt::ElideNone);
        list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    }
    head()->setWordWrap(true);
    for (QWidget* part : std::initializer_list<QWidget*>{what_, notes_, verdict_, rules_, layers_, messages_})
        content()->addWidget(part);
    auto* row = new QHBoxLayout;
    row->addWidget(run_);
    row->addWidget(close_);
    row->addStretch(1);
    content()->addLayout(row);
    connect(rules_, &QListWidget::currentRowChanged, this, [this](int rule) {
        if (rule >= 0) emit ruleChosen(rule);
    });
    connect(rules_, &QListWidget::itemClicked, this, [this] { emit ruleChosen(rules_->currentRow()); });
    const auto showMessages = [this] {
        if (messages_->currentRow() >= 0) emit messagesChosen(messages_->currentRow());
    };
    connect(messages_, &QListWidget::currentRowChanged, this, showMessages);
    connect(messages_, &QListWidget::itemClicked, this, showMessages);
    connect(run_, &QAbstractButton::clicked, this, &FileReport::runClicked);
    connect(close_, &QAbstractButton::clicked, this, &FileReport::closeClicked);
    refresh();
}

void FileReport::setFile(const QString& name, const ScheduleFile& file, const QString& refusal) {
    name_ = name;
    file_ = file;
    refusal_ = refusal;
    hang_.reset();
    refresh();
}

void FileReport::setHang(const QString& name, const HangReport& report, const QString& plan) {
    name_ = name;
    hang_ = report;
    plan_ = plan;
    setMessages({}, {});
}

void FileReport::setMessages(std::vector<RuleOutcome> outcomes, std::vector<RuleOutcome> anew) {
    outcomes_ = std::move(outcomes);
    anew_ = std::move(anew);
    const QSignalBlocker quiet(messages_);
    messages_->clear();  // nothing of them is chosen yet
    refresh();
}

void FileReport::refreshHang() {
    const QString what = tr("Flight recorder dumps of %1 ranks.").arg(hang_->ranks.size());
    what_->setText(plan_.isEmpty() ? what : sentencesText({what, tr("Planned: %1.").arg(plan_)}));
    QStringList notes;
    for (const Sentence& note : hang_->notes) notes << tr("Note: %1.").arg(said(note));
    notes_->setText(notes.join(u'\n'));
    notes_->setVisible(!notes.isEmpty());
    verdict_->setText(!hang_->waits()           ? tr("No rank waits: every recorded operation has ended.")
                      : hang_->findings.empty() ? tr("A rank waits, but these dumps do not show why.")
                                                : tr("The causes come first, then every rank."));
    const int row = rules_->currentRow();
    const QSignalBlocker quiet(rules_);
    rules_->clear();
    for (const HangFinding& each : hang_->findings) rules_->addItem(said(each.what));
    for (const HangRank& each : hang_->ranks) {
        QString text = said(sentence("rank {0} {1}", each.rank, each.text()));
        if (!each.stack.empty())
            text += QStringLiteral("\npy-spy: ") + QString::fromStdString(shown(stackText(each.stack)));
        rules_->addItem(text);
    }
    rules_->setCurrentRow(std::min(row, rules_->count() - 1));
    rules_->setVisible(true);
    rules_->setAccessibleName(verdict_->text());
    for (QWidget* part : std::initializer_list<QWidget*>{layers_, messages_, run_}) part->hide();
    close_->setText(tr("Close the dumps"));
    fitRules();
}

void FileReport::refresh() {
    head()->setText(name_);
    if (hang_) return refreshHang();
    QString what = file_.form == FileForm::TimeTable ? tr("A time table: a column is a unit of time.")
                   : file_.has_communication ? tr("An order of actions with its messages (compute_comms).")
                                             : tr("An order of actions (compute_only).");
    const ScheduleParams& params = file_.schedule.params;
    if (!file_.schedule.placement.empty())
        what =
            sentencesText({what, QStringLiteral("p=%1 v=%2 m=%3").arg(params.p).arg(params.v).arg(params.m)});
    what_->setText(what);
    QStringList notes;
    for (const Sentence& note : file_.notes) notes << tr("Note: %1.").arg(said(note));
    notes_->setText(notes.join(u'\n'));
    notes_->setVisible(!notes.isEmpty());
    const auto count = static_cast<int>(file_.errors.size());
    verdict_->setText(count > 0            ? tr("Broken rules: %1. Choose one to see its cell.").arg(count)
                      : refusal_.isEmpty() ? tr("Every rule holds: it can run.")
                                           : refusal_);
    const int row = rules_->currentRow();
    const QSignalBlocker quiet(rules_);
    rules_->clear();
    for (const CellError& error : file_.errors) rules_->addItem(said(error.what));
    rules_->setCurrentRow(std::min(row, rules_->count() - 1));
    rules_->setVisible(count > 0);
    rules_->setAccessibleName(verdict_->text());
    const int chosen = messages_->currentRow();
    const QSignalBlocker still(messages_);
    messages_->clear();
    for (std::size_t i = 0; i < outcomes_.size(); ++i)
        messages_->addItem(said(outcomes_[i].text(i < anew_.size() ? &anew_[i] : nullptr)));
    messages_->setCurrentRow(std::min(chosen, messages_->count() - 1));
    layers_->setText(
        tr("Its messages under the rules of the communication layers. Choose a rule under which it stands "
           "still to see where."));
    messages_->setAccessibleName(layers_->text());
    for (QWidget* part : std::initializer_list<QWidget*>{layers_, messages_})
        part->setVisible(!outcomes_.empty());
    run_->setText(tr("Run it"));
    run_->setVisible(count == 0);
    run_->setEnabled(refusal_.isEmpty());
    close_->setText(tr("Close the file"));
    fitRules();
}

void FileReport::fitRules() {
    fitList(*rules_);
    fitList(*messages_);
}

void FileReport::fitList(QListWidget& list) const {
    const Theme& theme = currentTheme();
    // The list is as wide as the section; its own width follows a layout later.
    const int width = this->width() - theme.px(2 * 16 + 10);
    const QFontMetrics metrics(list.font());
    int height = theme.px(6);
    for (int i = 0; i < list.count(); ++i) {
        const QRect text = metrics.boundingRect(QRect(0, 0, std::max(60, width - theme.px(8)), 10000),
                                                Qt::TextWordWrap, list.item(i)->text());
        const int row = text.height() + theme.px(8);
        list.item(i)->setSizeHint({0, row});
        height += row;
    }
    list.setFixedHeight(std::min(height, theme.px(kMostListHeight)));
}

void FileReport::followTheme() {
    const Theme& theme = currentTheme();
    Section::followTheme();
    rules_->setFont(theme.font(11.5));
    messages_->setFont(theme.font(11.5));
    fitRules();
}

void FileReport::resizeEvent(QResizeEvent* event) {
    Section::resizeEvent(event);
    fitRules();
}

void FileReport::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) refresh();
    Section::changeEvent(event);
}

}  // namespace bscope::ui
