#include "widgets/tune/schedule_choice_dialog.h"

#include <QShortcut>
#include <algorithm>

#include "widgets/text/config_text.h"
#include "widgets/text/format.h"

namespace bscope::ui {
namespace {

enum ChoiceColumn { Name, Time, Length, Ran, Idle, Span, Held, Weights, Sent, Why, kChoiceColumns };

}  // namespace

ScheduleChoiceDialog::ScheduleChoiceDialog(QWidget* parent)
    : PredictionDialog(kChoiceColumns, {Name, Why}, Why, TextRole::Strong, parent),
      tree_title_(new Label(TextRole::Head, this)),
      tree_text_(makeParagraph(TextRole::Body, this)),
      tree_foot_(makeParagraph(TextRole::Soft, this)),
      claims_text_(makeParagraph(TextRole::Soft, this)),
      measuring_(makeParagraph(TextRole::Soft, this)) {
    column_->addWidget(sentence_);
    column_->addWidget(measuring_);
    column_->addWidget(table_, 1);
    for (QWidget* part : QWidgetList{tree_title_, tree_text_, tree_foot_, claims_text_})
        column_->addWidget(part);
    tree_text_->setTextFormat(Qt::RichText);
    // Shortcuts, since a table takes letters for a search.
    connect(new QShortcut(Qt::Key_A, this), &QShortcut::activated, this, [this] {
        const Candidate* candidate = candidateAt(table_->currentRow());
        if (candidate && candidate->predicted) emit markToggled(*candidate);
    });
    connect(new QShortcut(Qt::Key_R, this), &QShortcut::activated, this, [this] {
        if (can_run_ && !marked_.empty() && running_.isEmpty()) emit runAsked();
    });
    begin();
}

void ScheduleChoiceDialog::setRun(const QString& schedule, const QString& costs) {
    schedule_ = schedule;
    costs_ = costs;
    refresh();
}

void ScheduleChoiceDialog::setCap(double megabytes, bool known) {
    knows_bytes_ = known;
    cap_->setValue(megabytes);
    cap_->setVisible(known);
    cap_name_->setVisible(known);
    refresh();
}

void ScheduleChoiceDialog::setMarked(std::vector<RunConfig> marked) {
    marked_ = std::move(marked);
    fill();
    refresh();
}

bool ScheduleChoiceDialog::isMarked(const Candidate& candidate) const {
    return std::ranges::count(marked_, candidate.setting.config) > 0;
}

void ScheduleChoiceDialog::setMeasured(const MeasuredMs& ms, const QString& running) {
    measured_ms_ = ms;
    running_ = running;
    fill();
    refresh();
}

void ScheduleChoiceDialog::setChoice(const Advice& advice, const RunConfig& config, Words words) {
    words_of_run_ = std::move(words);
    config_ = config;
    setAnswer(advice);
    refresh();
}

void ScheduleChoiceDialog::followTheme() {
    const Theme& theme = currentTheme();
    setLook(22, {theme.px(1080), theme.px(740)});
}

const Candidate* ScheduleChoiceDialog::candidateAt(int row) const {
    return row < 0 || row >= static_cast<int>(rows_.size()) ? nullptr : rows_[static_cast<std::size_t>(row)];
}

bool ScheduleChoiceDialog::isTheRun(int row) const {
    return row >= 0 && row < static_cast<int>(rows_.size()) && !rows_[static_cast<std::size_t>(row)];
}

QString ScheduleChoiceDialog::nameOf(const Candidate& candidate) {
    const RunConfig& config = candidate.setting.config;
    const QString title = scheduleTitle(config.schedule);
    const QString name = config.params.v > 1 ? tr("%1, v = %2").arg(title).arg(config.params.v) : title;
    return candidate.trainsDifferently() ? tr("asynchronous: %1").arg(name) : name;
}

QStringList ScheduleChoiceDialog::cellsOf(const Candidate* candidate) const {
    const QString mark = candidate && isMarked(*candidate) ? QStringLiteral("● ") : QString();
    const QString name = candidate ? mark + nameOf(*candidate) : tr("now: %1").arg(schedule_);
    const RunConfig& config = candidate ? candidate->setting.config : config_;
    const auto ran = measured_ms_.find({config.schedule, config.params.v});
    const QString why = candidate ? said(candidate->excluded) : QString();
    if (candidate && !candidate->predicted) {
        QStringList cells{name, tr("not legal")};
        while (cells.size() < Why) cells << QString();
        return cells << why;
    }
    const Prediction& predicted = candidate ? *candidate->predicted : advice_.now;
    return {name,
            candidate ? changeText(advice_.now.nsPerSample(), predicted.nsPerSample()) : QString(),
            notation_.number(static_cast<double>(predicted.iteration_ns)),
            ran == measured_ms_.end() ? QString() : notation_.number(1e6 * ran->second),
            shareText(predicted.bubble_of_total),
            predicted.bubble_of_span ? shareText(*predicted.bubble_of_span) : QStringLiteral("–"),
            knows_bytes_ ? megabytesNumber(static_cast<double>(predicted.greatestPeak()))
                         : numberText(predicted.most_in_flight, 1),
            QString::number(predicted.weight_copies),
            QString::number(predicted.messages),
            why.isEmpty() ? QString() : tr("out: %1").arg(why)};
}

// In the order of the advice, the run as it is where gain ends.
void ScheduleChoiceDialog::fill() {
    const int selected = table_->currentRow();
    rows_.clear();
    bool own = advice_.now.iteration_ns <= 0;
    for (const Candidate& each : advice_.candidates) {
        if (!changesScheduleAlone(each, config_)) continue;
        if (!own && (!each.predicted || each.gain <= 0 || each.trainsDifferently())) {
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
        LineLook look{.own = !each, .out = each && !each->excluded.empty(), .tip = cells[Why], .struck = {}};
        if (look.out) look.struck = {Length, Idle, Span, Held, Weights, Sent};
        setLine(row, cells, look);
    }
    keepCurrent(selected);
}

QStringList ScheduleChoiceDialog::tree() const {
    QStringList lines;
    const std::vector<ChoiceStep>& steps = words_of_run_.steps;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const ChoiceStep& step = steps[i];
        const bool open = step.answer == ChoiceStep::Answer::Unknown, is_it = static_cast<int>(i) == chosen_;
        QString line = QString::number(i + 1) + QStringLiteral("  ") + said(step.question) + u' ' +
                       (open ? tr("You have to say.") : said(step.found));
        if (is_it || open) line += QStringLiteral(" → ") + said(step.advice);
        lines << line;
    }
    return lines;
}

QStringList ScheduleChoiceDialog::claims() const {
    if (!words_of_run_.claims) return {};
    const std::vector<PopularClaim> claims = words_of_run_.claims(durationText());
    QStringList lines;
    if (!claims.empty()) lines << tr("Many texts decide by the size of the model alone:");
    for (const PopularClaim& each : claims)
        lines << (each.holds ? tr("%1. So it is here: %2.") : tr("%1. Not here: %2."))
                     .arg(said(each.claim), said(each.found));
    return lines;
}

void ScheduleChoiceDialog::fillTree() {
    const std::vector<ChoiceStep>& steps = words_of_run_.steps;
    chosen_ = steps.empty() ? 0 : static_cast<int>(chosenStep(steps));
    QStringList lines = tree();
    for (int i = 0; i < lines.size(); ++i) {
        lines[i] = lines[i].toHtmlEscaped();
        if (i == chosen_) lines[i] = QStringLiteral("<b>▸ ") + lines[i] + QStringLiteral("</b>");
    }
    tree_text_->setText(lines.join(QStringLiteral("<br>")));
}

void ScheduleChoiceDialog::refresh() {
    setHeads(tr("Which schedule when"), activationsCapText(),
             {tr("Schedule"), tr("time per sample"), tr("iteration, %1").arg(notation_.unitName()),
              tr("ran, %1").arg(notation_.unitName()), tr("bubble of total"), tr("of span"),
              knows_bytes_ ? tr("peak, MB") : tr("in flight"), tr("copies"), tr("messages"), tr("why not")});
    table_->horizontalHeaderItem(Time)->setToolTip(tr("Of a sample, against the run's own line."));
    table_->horizontalHeaderItem(Ran)->setToolTip(
        tr("What it took when it ran: the median of three iterations, in turn with the run itself."));
    table_->horizontalHeaderItem(Span)->setToolTip(tr(
        "Idle share within the longest rank's span, from its first start to its last end, on all ranks: the "
        "bubble of papers on zero bubble."));
    table_->setColumnHidden(Ran, measured_ms_.empty());
    measuring_->setText(running_);
    measuring_->setVisible(!running_.isEmpty());
    claims_text_->setText(claims().join(u'\n'));
    tree_title_->setText(tr("What usually decides"));
    tree_foot_->setText(tr("Where this and the table differ, the table counts: it was played."));
    fillTree();
    const std::optional<QString> state = stateText();
    const bool told = !state && !rows_.empty();
    for (QWidget* part : QWidgetList{tree_title_, tree_text_, tree_foot_}) part->setVisible(told);
    claims_text_->setVisible(told && !claims_text_->text().isEmpty());
    sentence_->setText(state ? *state : told ? said(words_of_run_.verdict(durationText())) : QString());
}

void ScheduleChoiceDialog::take(int row) {
    if (const Candidate* candidate = candidateAt(row); candidate && candidate->predicted)
        PredictionDialog::take(row);
}

}  // namespace bscope::ui
