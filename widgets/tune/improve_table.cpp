#include "widgets/tune/improve_table.h"

#include <QBoxLayout>
#include <QEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <QStyle>
#include <algorithm>
#include <utility>

#include "timeline/median.h"
#include "widgets/controls/line_table.h"
#include "widgets/text/config_text.h"
#include "widgets/text/format.h"
#include "words/sentence_error.h"

namespace bscope::ui {
namespace {

constexpr double kMostCap = 1e6;
constexpr int kChange = 520;   // px at 100 %: more room than this goes to the columns of numbers
constexpr int kTextLines = 3;  // below the table, which stays where it is
constexpr int kWide =
    860;  // px at 100 %; below, what a line's sentence or other columns say too has no column

}  // namespace

ImproveTable::ImproveTable(QWidget* parent)
    : QWidget(parent),
      title_(new Label(TextRole::Title, this)),
      about_(makeParagraph(TextRole::Soft, this)),
      cap_name_(new Label(TextRole::Soft, this)),
      sentence_(makeParagraph(TextRole::Body, this)),
      status_(makeParagraph(TextRole::Soft, this)),
      badge_(new Badge(this)),
      cap_(new NumberField(0, kMostCap, 1, this)),
      copy_(new CopyFlags(this)),
      take_(new Button(ButtonLook::Primary, Glyph::None, this)),
      kinds_(new Segments(3, this)),
      copies_(new Segments(2, this)),
      updates_(new Segments(2, this)),
      framework_(new ChoiceField(this)),
      table_(new QTableWidget(0, ImproveLines::kColumns, this)) {
    build();
    badge_->setProvenance(Provenance::Predicted);
    makeLineTable(*table_, ImproveLines::Change);
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    table_->setWordWrap(true);
    table_->installEventFilter(this);
    // The header has the new width only after this.
    connect(table_->horizontalHeader(), &QHeaderView::sectionResized, this,
            [this](int column, int, int width) {
                if (column == ImproveLines::Change) fitRows(width);
            });
    for (Segments* limit : {kinds_, copies_, updates_}) limit->setCurrent(0);
    framework_->addItem(QString());
    for (const Framework each : kFrameworks) framework_->addItem(QString::fromLatin1(titleOf(each)));
    connect(table_, &QTableWidget::cellDoubleClicked, this, &ImproveTable::take);
    connect(take_, &QAbstractButton::clicked, this, &ImproveTable::take);
    connect(table_, &QTableWidget::currentCellChanged, this, [this](int row, int, int before, int) {
        if (row != before) followLine();
    });
    connect(cap_, &QDoubleSpinBox::valueChanged, this, &ImproveTable::limitsEdited);
    connect(copies_, &Segments::chosen, this, &ImproveTable::limitsEdited);
    connect(updates_, &Segments::chosen, this, &ImproveTable::limitsEdited);
    connect(framework_, &QComboBox::activated, this, &ImproveTable::limitsEdited);
    connect(kinds_, &Segments::chosen, this, &ImproveTable::fill);
    connect(cap_, &NumberField::done, table_, [this] { table_->setFocus(); });
    connect(framework_, &ChoiceField::done, table_, [this] { table_->setFocus(); });
    refresh();
}

void ImproveTable::build() {
    auto* const column = new QVBoxLayout(this);
    designLayout(*column, {16, 6, 16, 10}, 8);
    const auto row = [&](const QWidgetList& left, const QWidgetList& right) {
        auto* const line = new QHBoxLayout;
        for (QWidget* each : left) line->addWidget(each);
        line->addStretch(1);
        for (QWidget* each : right) line->addWidget(each);
        column->addLayout(line);
    };
    row({title_, badge_}, {copy_, take_});
    column->addWidget(about_);
    row({kinds_, framework_}, {});
    row({copies_, updates_}, {});
    column->addWidget(table_, 1);
    column->addWidget(sentence_);
    row({status_}, {cap_name_, cap_});
    sentence_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    framework_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
}

void ImproveTable::setRun(const ImproveRun& run) {
    const QSignalBlocker quiet(this);
    keepChange();
    data_.run = run;
    data_.notation = latest_;
    data_.advice = {};
    cap_->setValue(run.cap);
    fill();
    refresh();
}

void ImproveTable::setPlaying() {
    playing_ = true;
    searching_ = false;
    failure_.clear();
    followLine();
}

void ImproveTable::setSearching(bool on) {
    searching_ = on;
    followLine();
}

void ImproveTable::setFailure(const QString& why) {
    playing_ = false;
    failure_ = why;
    followLine();
}

void ImproveTable::setAdvice(const Advice& advice) {
    keepChange();
    playing_ = false;
    failure_.clear();
    data_.advice = advice;
    fill();
    for (int row = 0; kept_ && row < table_->rowCount(); ++row)
        if (const Candidate* each = candidateAt(row); each && each->change == *kept_)
            table_->setCurrentCell(row, ImproveLines::Change);
}

// The chosen line stays chosen while the lines are worked out anew.
void ImproveTable::keepChange() {
    if (data_.advice.candidates.empty()) return;
    const Candidate* const current = candidateAt(table_->currentRow());
    kept_ = current ? std::optional(current->change) : std::nullopt;
}

void ImproveTable::setNotation(const Notation& notation) {
    latest_ = notation;
    if (notation.inForwards() == data_.notation.inForwards())
        return;  // F is of the iteration that was shown then
    data_.notation = notation;
    fill();
    refresh();
}

void ImproveTable::setMarked(std::vector<RunConfig> marked) {
    data_.marked = std::move(marked);
    fill();
}

void ImproveTable::setBeside(std::vector<RanBeside> beside) {
    if (beside == data_.beside) return;
    data_.beside = std::move(beside);
    fill();
}

void ImproveTable::setRunning(const QString& words) {
    running_ = words;
    followLine();
}

void ImproveTable::setFlags(FlagsOfLine flags) {
    flags_ = std::move(flags);
    followLine();
}

std::optional<Framework> ImproveTable::framework() const {
    const int chosen = framework_->currentIndex();
    return chosen > 0 ? std::optional(kFrameworks[static_cast<std::size_t>(chosen - 1)]) : std::nullopt;
}

const Candidate* ImproveTable::candidateAt(int row) const {
    if (row < 0 || row >= static_cast<int>(lines_.size())) return nullptr;
    return lines_[static_cast<std::size_t>(row)].candidate;
}

void ImproveTable::take() {
    const Candidate* const candidate = candidateAt(table_->currentRow());
    if (candidate && data_.canBeTaken(*candidate)) emit taken(Candidate(*candidate));
}

// Letters are keys of the canvas elsewhere, and a table takes them for a search.
bool ImproveTable::handleKey(int key) {
    const Candidate* const candidate = candidateAt(table_->currentRow());
    switch (key) {
        case Qt::Key_Return:
        case Qt::Key_Enter:
            take();
            return true;
        case Qt::Key_A:
            if (candidate && candidate->predicted) emit markToggled(Candidate(*candidate));
            return true;
        case Qt::Key_R:
            if (!data_.run.is_file && data_.run.knowsModel() && !data_.marked.empty() && running_.isEmpty())
                emit runAsked();
            return true;
        case Qt::Key_C:
            copy_->open();
            return true;
        default:
            return false;
    }
}

bool ImproveTable::eventFilter(QObject* watched, QEvent* event) {
    if (watched == table_ && event->type() == QEvent::Resize) fitColumns();
    const bool is_key = event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride;
    if (watched != table_ || !is_key) return QWidget::eventFilter(watched, event);
    const auto* const key = static_cast<QKeyEvent*>(event);
    constexpr int kOwn[] = {Qt::Key_Return, Qt::Key_Enter, Qt::Key_A, Qt::Key_R, Qt::Key_C};
    if (key->modifiers() & ~Qt::KeypadModifier || std::ranges::count(kOwn, key->key()) == 0)
        return QWidget::eventFilter(watched, event);
    if (event->type() == QEvent::KeyPress) return handleKey(key->key());
    event->accept();
    return true;
}

void ImproveTable::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) {
        fill();
        refresh();
    }
    QWidget::changeEvent(event);
}

void ImproveTable::followTheme() {
    const Theme& theme = currentTheme();
    table_->setFont(theme.font(12));
    table_->horizontalHeader()->setFont(theme.font(11));
    table_->verticalHeader()->setDefaultSectionSize(theme.px(24));
    sentence_->setFixedHeight(kTextLines * theme.px(19));
    fill();
}

void ImproveTable::paintEvent(QPaintEvent*) {
    QPainter(this).fillRect(rect(), currentTheme().canvas);
}

QString ImproveTable::wordsAt(const QPoint& at) const {
    const int column = table_->columnAt(table_->viewport()->mapFrom(this, at).x());
    if (!table_->geometry().contains(at) || column < 0) return {};
    return data_.heads()[column] + u' ' + data_.headTips()[column];
}

void ImproveTable::setOutcomes(const std::vector<PromiseOutcome>& outcomes, const QString& machine,
                               const std::vector<double>& errors) {
    machine_ = machine;
    errors_ = errors;
    showStatus();
    if (!std::ranges::equal(outcomes, data_.outcomes, {}, &PromiseOutcome::promise,
                            &PromiseOutcome::promise)) {
        data_.outcomes = outcomes;
        return fill();
    }
    for (std::size_t i = 0; i < outcomes.size(); ++i) data_.outcomes[i].lengths_ms = outcomes[i].lengths_ms;
    const FilledLines filled(*table_);
    for (int row = 0; row < table_->rowCount(); ++row)  // lines stay where they are while a run goes on
        if (table_->item(row, ImproveLines::Ran)->text() !=
            data_.ranText(lines_[static_cast<std::size_t>(row)]))
            setLine(row);
    followLine();
}

void ImproveTable::setLine(int row) {
    const Theme& theme = currentTheme();
    const ImproveLine& line = lines_[static_cast<std::size_t>(row)];
    const bool out = line.candidate && !line.candidate->excluded.empty();
    const QStringList cells = data_.cells(line);
    const QString tip = data_.sentence(line);
    for (int column = 0; column < ImproveLines::kColumns; ++column) {
        auto* const item = new QTableWidgetItem(unbroken(cells[column]));
        item->setTextAlignment((column == ImproveLines::Change ? Qt::AlignLeft : Qt::AlignRight) |
                               Qt::AlignVCenter);
        item->setFont(theme.font(12, line.isTheRun() ? QFont::DemiBold : QFont::Normal));
        item->setForeground(out ? theme.text_faint : theme.text);
        item->setToolTip(tip);
        table_->setItem(row, column, item);
    }
}

// In a narrow window some are left out; in a wide one all numbers stand further apart, so that none is far from
// the next.
void ImproveTable::fitColumns() {
    const Theme& theme = currentTheme();
    for (const int column :
         {ImproveLines::Rate, ImproveLines::Span, ImproveLines::Copies, ImproveLines::Messages})
        table_->setColumnHidden(column, table_->width() < theme.px(kWide));
    table_->horizontalHeader()->setMinimumSectionSize(
        std::max(0, (table_->width() - theme.px(kChange)) / (ImproveLines::kColumns - 1)));
}

// A change that is longer than its column has two lines or more.
void ImproveTable::fitRows(int width) {
    const Theme& theme = currentTheme();
    const int margin = 2 * (table_->style()->pixelMetric(QStyle::PM_FocusFrameHMargin, nullptr, table_) + 1);
    const int room = std::max(1, width - margin);
    for (int row = 0; row < table_->rowCount(); ++row) {
        const QTableWidgetItem* const item = table_->item(row, ImproveLines::Change);
        if (item == nullptr) continue;
        const QFontMetrics metrics(item->font());
        const int lines = metrics.boundingRect(QRect(0, 0, room, 10'000), Qt::TextWordWrap, item->text()).height() /
                          metrics.lineSpacing();
        table_->setRowHeight(row, theme.px(24) + (std::max(1, lines) - 1) * metrics.lineSpacing());
    }
}

void ImproveTable::fill() {
    const int selected = table_->currentRow();
    lines_ = data_.lines(kind());
    {
        const FilledLines filled(*table_);
        table_->setRowCount(static_cast<int>(lines_.size()));
        for (int row = 0; row < table_->rowCount(); ++row) setLine(row);
    }
    fitRows(table_->columnWidth(ImproveLines::Change));
    if (table_->rowCount() > 0)
        table_->setCurrentCell(std::clamp(selected, 0, table_->rowCount() - 1), ImproveLines::Change);
    followLine();
}

// What can be taken and copied, and what is said of it.
void ImproveTable::followLine() {
    const int row = table_->currentRow();
    const bool chosen = row >= 0 && row < static_cast<int>(lines_.size());
    const ImproveLine line = chosen ? lines_[static_cast<std::size_t>(row)] : ImproveLine{};
    const QString why_not = playing_ ? tr("Predicting …") : data_.whyNotTaken(line.candidate);
    take_->setEnabled(why_not.isEmpty());
    take_->setToolTip(why_not.isEmpty() ? tr("Enter or a double click") : why_not);
    if (playing_ || !flags_ || !chosen || (!line.candidate && line.outcome))
        copy_->setLine({}, tr("No line is chosen."));
    else if (line.candidate && !line.candidate->predicted)
        copy_->setLine({}, tr("This line is not legal here."));
    else if (line.candidate)
        copy_->setLine([this, of = *line.candidate](Framework framework) { return flags_(&of, framework); });
    else
        copy_->setLine([this](Framework framework) { return flags_(nullptr, framework); });

    if (playing_) return sentence_->setText(tr("Predicting …"));
    if (!failure_.isEmpty()) return sentence_->setText(failure_);
    if (!data_.advice.refusal.empty()) return sentence_->setText(sentenceText(said(data_.advice.refusal)));
    QStringList all;
    if (!running_.isEmpty()) all << sentenceText(running_);
    if (const QString of_line = chosen ? data_.sentence(line) : QString(); !of_line.isEmpty()) all << of_line;
    if (const QString doubt = data_.doubt(); !doubt.isEmpty())
        all << said(bscope::sentence("Caution: {0}.", doubt.toStdString()));
    if (searching_) all << tr("Searching an order for these costs …");
    sentence_->setText(sentencesText(all << keysText()));
}

QString ImproveTable::keysText() const {
    if (data_.run.is_file)
        return tr("Enter shows a line as a plan, A stacks its plan on the canvas, C copies its flags.");
    return data_.run.knowsModel()
               ? tr("Enter applies a line, A stacks its plan on the canvas, R runs the stacked plans, C "
                    "copies "
                    "its flags.")
               : tr("Enter applies a line, A stacks its plan on the canvas, C copies its flags.");
}

void ImproveTable::refresh() {
    const ImproveRun& run = data_.run;
    title_->setText(run.name);
    about_->setText(
        run.name.isEmpty()
            ? QString()
            : tr("Predicted with %1; only the results under “ran” are from runs.").arg(run.costs));
    cap_name_->setText(run.knowsModel() ? tr("Activations of a rank at most, MB, 0 = no cap")
                                        : tr("At most in flight on a rank, 0 = no cap"));
    cap_->setAccessibleName(cap_name_->text());
    cap_->setToolTip(run.knowsModel() ? QString()
                                      : tr("In micro-batches: 1 is what one micro-batch keeps on a rank of "
                                           "the run, that is v chunks."));
    kinds_->setTexts({tr("same mini-batch"), tr("schedules only"), tr("all changes")});
    kinds_->segment(0)->setToolTip(
        tr("Another m only with smaller or larger micro-batches: an iteration has as many "
           "samples as now"));
    kinds_->segment(1)->setToolTip(tr("Another schedule, or another v, and nothing else"));
    kinds_->segment(2)->setToolTip(
        tr("Also another m with micro-batches as large as they are: the mini-batch grows "
           "or shrinks"));
    copies_->setTexts({tr("any number of copies"), tr("one copy of the weights")});
    updates_->setTexts({tr("any updates"), tr("synchronous")});
    framework_->setItemText(0, tr("any framework"));
    framework_->setAccessibleName(tr("What this framework supports"));
    framework_->setToolTip(tr("Lines for which this framework has no option are excluded and shown pale"));
    take_->setText(run.is_file ? tr("Show as a plan") : tr("Use this"));
    table_->setHorizontalHeaderLabels(data_.heads());
    table_->setAccessibleName(tr("What would help"));
    const QStringList tips = data_.headTips();
    for (int column = 0; column < ImproveLines::kColumns; ++column) {
        QTableWidgetItem* const head = table_->horizontalHeaderItem(column);
        head->setTextAlignment((column == ImproveLines::Change ? Qt::AlignLeft : Qt::AlignRight) |
                               Qt::AlignVCenter);
        head->setToolTip(tips[column]);
    }
    showStatus();
    followLine();
}

void ImproveTable::showStatus() {
    status_->setVisible(!errors_.empty());
    if (!errors_.empty())
        status_->setText(tr("Median absolute error of predictions that then ran on %1: %2 (predictions: %3).")
                             .arg(deviceWords(machine_), shareText(median(errors_)))
                             .arg(errors_.size()));
}

}  // namespace bscope::ui
