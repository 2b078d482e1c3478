#include "widgets/tune/what_if_dialog.h"

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

enum Column { Name, M, V, Iteration, OfOne, Change, Bubble, InFlight, kColumns };
constexpr double kMostCap = 1e6;

}  // namespace

WhatIfDialog::WhatIfDialog(QWidget* parent)
    : QDialog(parent),
      title_(new Label(TextRole::Title, this)),
      about_(makeParagraph(TextRole::Soft, this)),
      cap_name_(new Label(TextRole::Soft, this)),
      sentence_(makeParagraph(TextRole::Soft, this)),
      badge_(new Badge(this)),
      cap_(new NumberField(0, kMostCap, 1, this)),
      table_(new QTableWidget(0, kColumns, this)) {
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
    column->addWidget(about_);
    column->addWidget(table_, 1);
    column->addWidget(sentence_);
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
    table_->horizontalHeader()->setSectionResizeMode(Name, QHeaderView::Stretch);
    connect(table_, &QTableWidget::cellClicked, this, &WhatIfDialog::take);
    connect(cap_, &QDoubleSpinBox::valueChanged, this, &WhatIfDialog::capEdited);
    connect(cap_, &NumberField::done, this, [this] { table_->setFocus(); });
    refresh();
    followTheme();
    table_->setFocus();
}

void WhatIfDialog::setSource(const QString& costs) {
    costs_ = costs;
    refresh();
}

void WhatIfDialog::setMeaning(const QString& taking) {
    taking_ = taking;
    refresh();
}

void WhatIfDialog::setPlaying() {
    playing_ = true;
    failure_.clear();
    refresh();
}

void WhatIfDialog::setResult(const WhatIf& result) {
    playing_ = false;
    failure_.clear();
    result_ = result;
    fill();
    refresh();
}

void WhatIfDialog::setFailure(const QString& why) {
    playing_ = false;
    failure_ = why;
    refresh();
}

void WhatIfDialog::followTheme() {
    const Theme& theme = currentTheme();
    table_->setFont(theme.font(12));
    table_->horizontalHeader()->setFont(theme.font(11));
    table_->verticalHeader()->setDefaultSectionSize(theme.px(24));
    resize(theme.px(760), theme.px(520));
    fill();
    refresh();
}

void WhatIfDialog::fill() {
    const Theme& theme = currentTheme();
    const int selected = table_->currentRow();
    const auto own = std::ranges::find_if(result_.alternatives, &Alternative::ran);
    table_->setRowCount(static_cast<int>(result_.alternatives.size()));
    for (int row = 0; row < table_->rowCount(); ++row) {
        const Alternative& each = result_.alternatives[static_cast<std::size_t>(row)];
        QString name = scheduleTitle(each.schedule);
        if (each.ran) name = tr("%1, as it ran").arg(name);
        if (each.even_split) name = tr("%1, every stage with equal work").arg(name);
        const QString change = own == result_.alternatives.end() || each.ran
                                   ? QString()
                                   : changeText(own->ms_per_microbatch, each.ms_per_microbatch);
        const QStringList cells{name,
                                QString::number(each.params.m),
                                QString::number(each.params.v),
                                msNumber(each.iteration_ms),
                                msNumber(each.ms_per_microbatch),
                                change,
                                shareText(each.bubble_of_total),
                                numberText(each.most_in_flight, 1)};
        for (int column = 0; column < kColumns; ++column) {
            auto* item = new QTableWidgetItem(cells[column]);
            item->setTextAlignment((column == Name ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
            item->setFont(theme.font(12, each.ran ? QFont::DemiBold : QFont::Normal));
            item->setForeground(each.over_cap ? theme.text_faint : theme.text);
            if (each.over_cap) item->setToolTip(tr("Holds more than the cap."));
            table_->setItem(row, column, item);
        }
    }
    if (table_->rowCount() > 0) table_->setCurrentCell(std::clamp(selected, 0, table_->rowCount() - 1), Name);
}

void WhatIfDialog::refresh() {
    setWindowTitle(tr("What if"));
    title_->setText(tr("What other schedules would give"));
    cap_name_->setText(tr("At most in flight on a rank, 0 = no cap"));
    cap_->setToolTip(tr("In micro-batches: 1 is what one leaves on a rank, that is v chunks."));
    about_->setText(sentencesText({tr("Played with %1.").arg(costs_), taking_}));
    const QStringList heads{tr("Schedule"),        QStringLiteral("m"),   QStringLiteral("v"),
                            tr("iteration, ms"),   tr("micro-batch, ms"), tr("change"),
                            tr("bubble of total"), tr("in flight")};
    table_->setHorizontalHeaderLabels(heads);
    table_->setAccessibleName(title_->text());
    for (int column = 0; column < kColumns; ++column)
        table_->horizontalHeaderItem(column)->setTextAlignment(
            (column == Name ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    table_->horizontalHeaderItem(OfOne)->setToolTip(tr("Iteration time over m."));
    table_->horizontalHeaderItem(Change)->setToolTip(
        tr("Of the time of a micro-batch, against the run's own line."));
    table_->horizontalHeaderItem(InFlight)->setToolTip(tr(
        "Most micro-batches that any rank holds at once; 1 is what one leaves on a rank, that is v chunks."));
    if (playing_)
        sentence_->setText(tr("Being played …"));
    else if (!failure_.isEmpty())
        sentence_->setText(failure_);
    else if (!result_.refusal.empty())
        sentence_->setText(sentenceText(said(result_.refusal)));
    else
        sentence_->setText(
            tr("Nothing of this ran, and the run's own line is predicted, too: compare the lines with each "
               "other. With another m the micro-batch stays as large as it is, and the batch grows or "
               "shrinks."));
}

void WhatIfDialog::take(int row) {
    if (row >= 0 && row < static_cast<int>(result_.alternatives.size()))
        emit taken(result_.alternatives[static_cast<std::size_t>(row)]);
}

void WhatIfDialog::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) return take(table_->currentRow());
    QDialog::keyPressEvent(event);
}

void WhatIfDialog::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) {
        fill();
        refresh();
    }
    QDialog::changeEvent(event);
}

}  // namespace bscope::ui
