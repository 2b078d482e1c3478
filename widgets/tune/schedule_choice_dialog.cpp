#include "widgets/tune/schedule_choice_dialog.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QVBoxLayout>
#include <algorithm>

#include "widgets/text/config_text.h"
#include "widgets/text/format.h"

namespace bscope::ui {
namespace {

enum ChoiceColumn { Name, Time, Length, Idle, Held, Weights, Sent, Why, kChoiceColumns };
constexpr double kMostMegabytes = 1e6;

}  // namespace

ScheduleChoiceDialog::ScheduleChoiceDialog(QWidget* parent)
    : QDialog(parent),
      title_(new Label(TextRole::Title, this)),
      about_(makeParagraph(TextRole::Soft, this)),
      cap_name_(new Label(TextRole::Soft, this)),
      sentence_(makeParagraph(TextRole::Strong, this)),
      tree_title_(new Label(TextRole::Head, this)),
      tree_text_(makeParagraph(TextRole::Body, this)),
      tree_foot_(makeParagraph(TextRole::Soft, this)),
      badge_(new Badge(this)),
      cap_(new NumberField(0, kMostMegabytes, 1, this)),
      table_(new QTableWidget(0, kChoiceColumns, this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 14, 16, 14);
    column->setSpacing(10);
    auto* head = new QHBoxLayout;
    head->addWidget(title_);
    head->addWidget(badge_);
    head->addStretch(1);
    head->addWidget(cap_name_);
    head->addWidget(cap_);
    column->addLayout(head);
    for (QWidget* part : QWidgetList{about_, sentence_}) column->addWidget(part);
    column->addWidget(table_, 1);
    for (QWidget* part : QWidgetList{tree_title_, tree_text_, tree_foot_}) column->addWidget(part);
    tree_text_->setTextFormat(Qt::RichText);
    badge_->setProvenance(Provenance::Predicted);
    table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    table_->setShowGrid(false);
    table_->setWordWrap(false);
    table_->setTabKeyNavigation(false);
    table_->verticalHeader()->hide();
    table_->horizontalHeader()->setHighlightSections(false);
    table_->horizontalHeader()->setSectionsClickable(false);
    table_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table_->horizontalHeader()->setSectionResizeMode(Why, QHeaderView::Stretch);
    connect(table_, &QTableWidget::cellClicked, this, &ScheduleChoiceDialog::take);
    connect(cap_, &QDoubleSpinBox::valueChanged, this, &ScheduleChoiceDialog::capEdited);
    connect(cap_, &NumberField::done, this, [this] { table_->setFocus(); });
    refresh();
    followTheme();
    table_->setFocus();
}

void ScheduleChoiceDialog::setRun(const QString& schedule, const QString& costs) {
    schedule_ = schedule;
    costs_ = costs;
    refresh();
}

void ScheduleChoiceDialog::setMeaning(const QString& taking) {
    taking_ = taking;
    refresh();
}

void ScheduleChoiceDialog::setCap(double megabytes, bool known) {
    knows_bytes_ = known;
    cap_->setValue(megabytes);
    cap_->setVisible(known);
    cap_name_->setVisible(known);
    refresh();
}

void ScheduleChoiceDialog::setPlaying() {
    playing_ = true;
    failure_.clear();
    refresh();
}

void ScheduleChoiceDialog::setChoice(const Advice& advice, const std::vector<ChoiceStep>& steps) {
    playing_ = false;
    failure_.clear();
    advice_ = advice;
    steps_ = steps;
    fill();
    refresh();
}

void ScheduleChoiceDialog::setFailure(const QString& why) {
    playing_ = false;
    failure_ = why;
    refresh();
}

void ScheduleChoiceDialog::followTheme() {
    const Theme& theme = currentTheme();
    table_->setFont(theme.font(12));
    table_->horizontalHeader()->setFont(theme.font(11));
    table_->verticalHeader()->setDefaultSectionSize(theme.px(22));
    const QSize room = parentWidget() != nullptr ? parentWidget()->size() - QSize(40, 40) : QSize(4000, 4000);
    resize(QSize(theme.px(1080), theme.px(740)).boundedTo(room));
    fill();
    refresh();
}

const Candidate* ScheduleChoiceDialog::candidateAt(int row) const {
    return row < 0 || row >= static_cast<int>(rows_.size()) ? nullptr : rows_[static_cast<std::size_t>(row)];
}

QString ScheduleChoiceDialog::nameOf(const Candidate& candidate) {
    const RunConfig& config = candidate.setting.config;
    const QString title = scheduleTitle(config.schedule);
    return config.params.v > 1 ? tr("%1, v = %2").arg(title).arg(config.params.v) : title;
}

QStringList ScheduleChoiceDialog::cellsOf(const Candidate* candidate) const {
    const QString name = candidate ? nameOf(*candidate) : tr("now: %1").arg(schedule_);
    const QString why = candidate ? said(candidate->excluded) : QString();
    if (candidate && !candidate->predicted) {
        QStringList cells{name, tr("not legal")};
        while (cells.size() < Why) cells << QString();
        return cells << why;
    }
    const Prediction& predicted = candidate ? *candidate->predicted : advice_.now;
    return {name,
            candidate ? changeText(advice_.now.nsPerSample(), predicted.nsPerSample()) : QString(),
            msNumber(static_cast<double>(predicted.iteration_ns) / 1e6),
            shareText(predicted.bubble_of_total),
            knows_bytes_ ? megabytesNumber(static_cast<double>(predicted.greatestPeak()))
                         : numberText(predicted.most_in_flight, 1),
            QString::number(predicted.weight_copies),
            QString::number(predicted.messages),
            why.isEmpty() ? QString() : tr("out: %1").arg(why)};
}

// In the order of the advice, the run as it is where gain ends.
void ScheduleChoiceDialog::fill() {
    const Theme& theme = currentTheme();
    const int selected = table_->currentRow();
    rows_.clear();
    bool own = advice_.now.iteration_ns <= 0;
    for (const Candidate& each : advice_.candidates) {
        if (each.kind != Candidate::Kind::Schedule) continue;
        if (!own && (!each.predicted || each.gain <= 0)) {
            rows_.push_back(nullptr);
            own = true;
        }
        rows_.push_back(&each);
    }
    if (!own) rows_.push_back(nullptr);
    table_->setRowCount(static_cast<int>(rows_.size()));
    for (int row = 0; row < table_->rowCount(); ++row) {
        const Candidate* const each = candidateAt(row);
        const QStringList cells = cellsOf(each);
        const bool out = each && !each->excluded.empty();
        for (int column = 0; column < kChoiceColumns; ++column) {
            auto* item = new QTableWidgetItem(cells[column]);
            const bool words = column == Name || column == Why;
            item->setTextAlignment((words ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
            QFont font = theme.font(12, each ? QFont::Normal : QFont::DemiBold);
            font.setStrikeOut(out && !words && column != Time);
            item->setFont(font);
            item->setForeground(out ? theme.text_faint : theme.text);
            item->setToolTip(cells[Why]);
            table_->setItem(row, column, item);
        }
    }
    if (table_->rowCount() > 0) table_->setCurrentCell(std::clamp(selected, 0, table_->rowCount() - 1), Name);
}

// The quickest that is legal and fits and holds no more weights, and the next.
QString ScheduleChoiceDialog::verdict() const {
    std::vector<const Candidate*> left;
    for (const Candidate* each : rows_)
        if (each && each->predicted && each->excluded.empty() && each->gain > 0 &&
            each->predicted->weight_copies <= advice_.now.weight_copies)
            left.push_back(each);
    QString text = knows_bytes_ && cap_->value() > 0
                       ? tr("At most %1 MB of activations a rank, no further copies or versions of weights: ")
                             .arg(numberText(cap_->value(), 1))
                       : tr("No further copies or versions of weights: ");
    if (left.empty()) return text + tr("nothing is predicted to be quicker than %1.").arg(schedule_);
    const auto line = [this](const Candidate& each) {
        return tr("%1, %2, time of a sample %3 against now")
            .arg(nameOf(each), msText(static_cast<double>(each.predicted->iteration_ns) / 1e6),
                 changeText(advice_.now.nsPerSample(), each.predicted->nsPerSample()));
    };
    text += line(*left[0]);
    if (left.size() > 1) text += tr("; next: %1").arg(line(*left[1]));
    return sentenceText(text);
}

QStringList ScheduleChoiceDialog::tree() const {
    QStringList lines;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
        const ChoiceStep& step = steps_[i];
        const bool open = step.answer == ChoiceStep::Answer::Unknown, is_it = static_cast<int>(i) == chosen_;
        QString line = QString::number(i + 1) + QStringLiteral("  ") + said(step.question) + u' ' +
                       (open ? tr("You have to say.") : said(step.found));
        if (is_it || open) line += QStringLiteral(" → ") + said(step.advice);
        lines << line;
    }
    return lines;
}

void ScheduleChoiceDialog::fillTree() {
    chosen_ = steps_.empty() ? 0 : static_cast<int>(chosenStep(steps_));
    QStringList lines = tree();
    for (int i = 0; i < lines.size(); ++i) {
        lines[i] = lines[i].toHtmlEscaped();
        if (i == chosen_) lines[i] = QStringLiteral("<b>▸ ") + lines[i] + QStringLiteral("</b>");
    }
    tree_text_->setText(lines.join(QStringLiteral("<br>")));
}

void ScheduleChoiceDialog::refresh() {
    setWindowTitle(tr("Which schedule when"));
    title_->setText(tr("Which schedule when"));
    cap_name_->setText(tr("Activations of a rank at most, MB, 0 = no cap"));
    about_->setText(sentencesText({tr("Predicted with %1.").arg(costs_), taking_}));
    table_->setHorizontalHeaderLabels({tr("Schedule"), tr("time"), tr("iteration, ms"), tr("bubble of total"),
                                       knows_bytes_ ? tr("peak, MB") : tr("in flight"), tr("copies"),
                                       tr("messages"), tr("why not")});
    table_->setAccessibleName(title_->text());
    for (int column = 0; column < kChoiceColumns; ++column)
        table_->horizontalHeaderItem(column)->setTextAlignment(
            (column == Name || column == Why ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    table_->horizontalHeaderItem(Time)->setToolTip(tr("Of a sample, against the run's own line."));
    tree_title_->setText(tr("What usually decides"));
    tree_foot_->setText(tr("Where this and the table differ, the table counts: it was played."));
    fillTree();
    const bool told = !playing_ && failure_.isEmpty() && advice_.refusal.empty() && !rows_.empty();
    for (QWidget* part : QWidgetList{tree_title_, tree_text_, tree_foot_}) part->setVisible(told);
    sentence_->setText(playing_                   ? tr("Being predicted …")
                       : !failure_.isEmpty()      ? failure_
                       : !advice_.refusal.empty() ? sentenceText(said(advice_.refusal))
                       : rows_.empty()            ? QString()
                                                  : verdict());
}

void ScheduleChoiceDialog::take(int row) {
    if (const Candidate* candidate = candidateAt(row); candidate && candidate->predicted)
        emit taken(*candidate);
}

void ScheduleChoiceDialog::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) return take(table_->currentRow());
    QDialog::keyPressEvent(event);
}

void ScheduleChoiceDialog::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) {
        fill();
        refresh();
    }
    QDialog::changeEvent(event);
}

}  // namespace bscope::ui
