#include "widgets/tune/prediction_dialog.h"

#include <QEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QShortcut>
#include <algorithm>
#include <utility>

#include "widgets/controls/line_table.h"
#include "widgets/text/config_text.h"
#include "widgets/text/format.h"

namespace bscope::ui {
namespace {

constexpr double kMostCap = 1e6;

}  // namespace

PredictionDialog::PredictionDialog(int columns, const std::vector<int>& words, int wide, TextRole sentence,
                                   QWidget* parent)
    : QDialog(parent),
      column_(new QVBoxLayout(this)),
      title_(new Label(TextRole::Title, this)),
      about_(makeParagraph(TextRole::Soft, this)),
      cap_name_(new Label(TextRole::Soft, this)),
      sentence_(makeParagraph(sentence, this)),
      badge_(new Badge(this)),
      cap_(new NumberField(0, kMostCap, 1, this)),
      copy_(new CopyFlags(this)),
      table_(new QTableWidget(0, columns, this)),
      copies_(new Segments(2, this)),
      updates_(new Segments(2, this)),
      framework_(new ChoiceField(this)),
      words_(words) {
    column_->setContentsMargins(16, 14, 16, 14);
    column_->setSpacing(10);
    auto* head = new QHBoxLayout;
    head->addWidget(title_);
    head->addWidget(badge_);
    head->addStretch(1);
    head->addWidget(cap_name_);
    head->addWidget(cap_);
    column_->addLayout(head);
    auto* below = new QHBoxLayout;
    below->addWidget(about_, 1);
    below->addWidget(copy_);
    column_->addLayout(below);
    auto* limits = new QHBoxLayout;
    for (Segments* limit : {copies_, updates_}) {
        limit->setCurrent(0);
        limits->addWidget(limit);
        connect(limit, &Segments::chosen, this, &PredictionDialog::capEdited);
    }
    framework_->addItem(QString());
    for (const Framework each : kFrameworks) framework_->addItem(QString::fromLatin1(titleOf(each)));
    limits->addWidget(framework_);
    limits->addStretch(1);
    column_->addLayout(limits);
    connect(framework_, &QComboBox::activated, this, &PredictionDialog::capEdited);
    connect(framework_, &ChoiceField::done, this, [this] { table_->setFocus(); });
    badge_->setProvenance(Provenance::Predicted);
    makeLineTable(*table_, wide);
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    connect(table_, &QTableWidget::cellClicked, this, &PredictionDialog::take);
    connect(cap_, &QDoubleSpinBox::valueChanged, this, &PredictionDialog::capEdited);
    connect(table_, &QTableWidget::currentCellChanged, this, [this](int row, int, int before, int) {
        if (row != before) followLine();
    });
    connect(new QShortcut(Qt::Key_C, this), &QShortcut::activated, copy_, &CopyFlags::open);
    connect(cap_, &NumberField::done, this, [this] { table_->setFocus(); });
}

void PredictionDialog::begin() {
    refresh();
    followTheme();
    table_->setFocus();
}

std::optional<Framework> PredictionDialog::framework() const {
    const int chosen = framework_->currentIndex();
    return chosen > 0 ? std::optional(kFrameworks[static_cast<std::size_t>(chosen - 1)]) : std::nullopt;
}

void PredictionDialog::setAbout(const QString& run) {
    run_ = run;
    refresh();
}

void PredictionDialog::setMeaning(const QString& taking) {
    taking_ = taking;
    refresh();
}

void PredictionDialog::setPlaying() {
    playing_ = true;
    failure_.clear();
    refresh();
    followLine();
}

void PredictionDialog::setFlags(FlagsOfLine flags) {
    flags_ = std::move(flags);
    followLine();
}

void PredictionDialog::followLine() {
    const int row = table_->currentRow();
    const Candidate* const candidate = candidateAt(row);
    const bool legal = candidate && candidate->predicted;
    if (playing_ || !flags_ || row < 0 || (!candidate && !isTheRun(row)))
        return copy_->setLine({}, tr("No line is chosen."));
    if (candidate && !legal) return copy_->setLine({}, tr("This line is not legal here."));
    if (!candidate) return copy_->setLine([this](Framework framework) { return flags_(nullptr, framework); });
    copy_->setLine([this, line = *candidate](Framework framework) { return flags_(&line, framework); });
}

void PredictionDialog::setNotation(const Notation& notation) {
    if (notation.inForwards() == notation_.inForwards()) return;  // F is of the iteration that was shown then
    notation_ = notation;
    fill();
    refresh();
}

void PredictionDialog::setFailure(const QString& why) {
    playing_ = false;
    failure_ = why;
    refresh();
}

void PredictionDialog::setAnswer(const Advice& advice) {
    playing_ = false;
    failure_.clear();
    advice_ = advice;
    fill();
    followLine();
}

void PredictionDialog::setLook(double row_px, const QSize& size) {
    const Theme& theme = currentTheme();
    table_->setFont(theme.font(12));
    table_->horizontalHeader()->setFont(theme.font(11));
    table_->verticalHeader()->setDefaultSectionSize(theme.px(row_px));
    const QWidget* const window = parentWidget();
    resize(window != nullptr ? size.boundedTo(window->size() - QSize(40, 40)) : size);
    fill();
    refresh();
}

void PredictionDialog::setHeads(const QString& title, const QString& cap, const QStringList& heads) {
    setWindowTitle(title);
    title_->setText(title);
    cap_name_->setText(cap);
    about_->setText(sentencesText({run_.isEmpty() ? tr("Predicted with %1.").arg(costs_)
                                                  : tr("%1. Predicted with %2.").arg(run_, costs_),
                                   taking_}));
    copies_->setTexts({tr("any copies"), tr("one copy of the weights")});
    updates_->setTexts({tr("any updates"), tr("synchronous")});
    framework_->setItemText(0, tr("any framework"));
    framework_->setAccessibleName(tr("What this framework has"));
    framework_->setToolTip(tr("Lines that this framework has no option for are left out"));
    table_->setHorizontalHeaderLabels(heads);
    table_->setAccessibleName(title);
    for (int column = 0; column < table_->columnCount(); ++column)
        table_->horizontalHeaderItem(column)->setTextAlignment(
            (std::ranges::count(words_, column) > 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
}

DurationText PredictionDialog::durationText() const {
    return [this](std::int64_t ns) { return notation_.duration(static_cast<double>(ns)).toStdString(); };
}

QString PredictionDialog::activationsCapText() const {
    return tr("Activations of a rank at most, MB, 0 = no cap");
}

void PredictionDialog::setLine(int row, const QStringList& cells, const LineLook& look) {
    const Theme& theme = currentTheme();
    for (int column = 0; column < table_->columnCount(); ++column) {
        auto* item = new QTableWidgetItem(cells[column]);
        item->setTextAlignment((std::ranges::count(words_, column) > 0 ? Qt::AlignLeft : Qt::AlignRight) |
                               Qt::AlignVCenter);
        QFont font = theme.font(12, look.own ? QFont::DemiBold : QFont::Normal);
        font.setStrikeOut(std::ranges::count(look.struck, column) > 0);
        item->setFont(font);
        item->setForeground(look.out ? theme.text_faint : theme.text);
        item->setToolTip(look.tip);
        table_->setItem(row, column, item);
    }
}

void PredictionDialog::keepCurrent(int row) {
    if (table_->rowCount() > 0) table_->setCurrentCell(std::clamp(row, 0, table_->rowCount() - 1), 0);
}

std::optional<QString> PredictionDialog::stateText() const {
    if (playing_) return tr("Being predicted …");
    if (!failure_.isEmpty()) return failure_;
    if (!advice_.refusal.empty()) return sentenceText(said(advice_.refusal));
    return std::nullopt;
}

void PredictionDialog::take(int row) {
    if (const Candidate* candidate = candidateAt(row)) emit taken(*candidate);
}

void PredictionDialog::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) return take(table_->currentRow());
    QDialog::keyPressEvent(event);
}

void PredictionDialog::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) {
        fill();
        refresh();
        followLine();
    }
    QDialog::changeEvent(event);
}

}  // namespace bscope::ui
