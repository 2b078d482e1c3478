#include "widgets/tune/advice_dialog.h"

#include <algorithm>
#include <utility>

#include "analysis/candidate_costs.h"
#include "timeline/median.h"
#include "widgets/text/config_text.h"
#include "widgets/text/format.h"
#include "words/said.h"

namespace bscope::ui {
namespace {

enum Column { Change, Gain, Iteration, Got, Rate, Bubble, Peak, Copies, Messages, kColumns };

}  // namespace

AdviceDialog::AdviceDialog(QWidget* parent)
    : PredictionDialog(kColumns, {Change}, Change, TextRole::Soft, parent),
      status_(makeParagraph(TextRole::Soft, this)) {
    column_->addWidget(table_, 1);
    column_->addWidget(sentence_);
    column_->addWidget(status_);
    connect(table_, &QTableWidget::currentCellChanged, this, &AdviceDialog::tellRow);
    begin();
}

void AdviceDialog::setSource(const QString& costs) {
    costs_ = costs;
    refresh();
}

void AdviceDialog::setCap(Cap unit, double cap) {
    unit_ = unit;
    cap_->setValue(cap);
    refresh();
}

void AdviceDialog::setTokensOfSample(int tokens) {
    tokens_ = tokens;
    fill();
    refresh();
}

void AdviceDialog::setPlaying() {
    searching_ = false;
    PredictionDialog::setPlaying();
}

void AdviceDialog::setSearching(bool on) {
    searching_ = on;
    refresh();
}

void AdviceDialog::setAdvice(const Advice& advice) {
    const Candidate* const current = candidateAt(table_->currentRow());
    const std::optional<Sentence> kept = current ? std::optional(current->change) : std::nullopt;
    setAnswer(advice);
    for (int row = 0; kept && row < table_->rowCount(); ++row)
        if (const Candidate* each = candidateAt(row); each && each->change == *kept)
            table_->setCurrentCell(row, Change);
    refresh();
}

void AdviceDialog::followTheme() {
    const Theme& theme = currentTheme();
    setLook(24, {theme.px(1040), theme.px(600)});
}

const Candidate* AdviceDialog::candidateAt(int row) const {
    if (row < 0 || row >= static_cast<int>(rows_.size())) return nullptr;
    return rows_[static_cast<std::size_t>(row)].candidate;
}

bool AdviceDialog::isTheRun(int row) const {
    if (row < 0 || row >= static_cast<int>(rows_.size())) return false;
    const Row& line = rows_[static_cast<std::size_t>(row)];
    return !line.candidate && !line.outcome;
}

// The latest of the same change with the same promise.
const PromiseOutcome* AdviceDialog::outcomeOf(const Candidate& candidate) const {
    for (auto each = outcomes_.rbegin(); candidate.predicted && each != outcomes_.rend(); ++each)
        if (each->promise.change == candidate.change &&
            each->promise.predicted_ns == candidate.predicted->iteration_ns)
            return &*each;
    return nullptr;
}

// By gain, the run as it is where gain ends; then what was taken of other lists.
std::vector<AdviceDialog::Row> AdviceDialog::rowsNow() const {
    std::vector<Row> rows;
    std::vector<const PromiseOutcome*> told;
    if (advice_.now.iteration_ns > 0) {
        bool own = false;
        for (const Candidate& each : advice_.candidates) {
            if (!own && (!each.predicted || each.gain <= 0 || each.trainsDifferently())) {
                rows.push_back({});
                own = true;
            }
            const PromiseOutcome* const outcome = outcomeOf(each);
            if (outcome) told.push_back(outcome);
            rows.push_back({&each, outcome});
        }
        if (!own) rows.push_back({});
    }
    for (const PromiseOutcome& each : outcomes_)
        if (std::ranges::find(told, &each) == told.end()) rows.push_back({nullptr, &each});
    return rows;
}

QString AdviceDialog::gotText(const PromiseOutcome* outcome) const {
    const auto got = outcome ? outcome->got_ms() : std::nullopt;
    return got ? notation_.number(1e6 * *got) : QString();
}

void AdviceDialog::setOutcomes(const std::vector<PromiseOutcome>& outcomes, const QString& machine,
                               const std::vector<double>& errors) {
    machine_ = machine;
    errors_ = errors;
    const bool same_lines =
        std::ranges::equal(outcomes, outcomes_, {}, &PromiseOutcome::promise, &PromiseOutcome::promise);
    if (!same_lines) {
        outcomes_ = outcomes;
        fill();
        return refresh();
    }
    for (std::size_t i = 0; i < outcomes.size(); ++i) outcomes_[i].lengths_ms = outcomes[i].lengths_ms;
    for (int row = 0; row < table_->rowCount(); ++row) {  // lines stay where they are while a run goes on
        const QString got = gotText(rows_[static_cast<std::size_t>(row)].outcome);
        QTableWidgetItem* const item = table_->item(row, Got);
        if (item->text() == got) continue;
        item->setText(got);
        for (int column = 0; column < kColumns; ++column)
            table_->item(row, column)->setToolTip(sentenceOf(rows_[static_cast<std::size_t>(row)]));
    }
    tellStatus();
    tellRow();
}

QStringList AdviceDialog::cellsOf(const Row& row) const {
    const Candidate* const candidate = row.candidate;
    if (!candidate && row.outcome) {
        const Promise& promise = row.outcome->promise;
        QStringList cells{tr("taken: %1").arg(said(promise.change)), QString(),
                          notation_.number(static_cast<double>(promise.predicted_ns)), gotText(row.outcome)};
        while (cells.size() < kColumns) cells << QString();
        return cells;
    }
    const QString change = !candidate                       ? tr("as it is")
                           : candidate->trainsDifferently() ? tr("asynchronous: %1").arg(said(candidate->change))
                                                            : said(candidate->change);
    if (candidate && !candidate->predicted) {
        QStringList cells{change, tr("not legal")};
        while (cells.size() < kColumns) cells << QString();
        return cells;
    }
    const Prediction& predicted = candidate ? *candidate->predicted : advice_.now;
    const double sample_ns = predicted.nsPerSample();
    const QString rate =
        tokens_ > 0 ? rateNumber(sample_ns > 0 ? tokens_ * 1e9 / sample_ns : 0) : notation_.number(sample_ns);
    return {change,
            candidate ? changeText(advice_.now.nsPerSample(), sample_ns) : QString(),
            notation_.number(static_cast<double>(predicted.iteration_ns)),
            gotText(row.outcome),
            rate,
            shareText(predicted.bubble_of_total),
            unit_ == Cap::Megabytes ? megabytesNumber(static_cast<double>(predicted.greatestPeak()))
                                    : numberText(predicted.most_in_flight, 1),
            QString::number(predicted.weight_copies),
            QString::number(predicted.messages)};
}

void AdviceDialog::fill() {
    const int selected = table_->currentRow();
    rows_ = rowsNow();
    table_->setRowCount(static_cast<int>(rows_.size()));
    for (int row = 0; row < table_->rowCount(); ++row) {
        const Row& line = rows_[static_cast<std::size_t>(row)];
        const Candidate* const each = line.candidate;
        setLine(row, cellsOf(line),
                {.own = !each && !line.outcome,
                 .out = each && !each->excluded.empty(),
                 .tip = sentenceOf(line),
                 .struck = {}});
    }
    keepCurrent(selected);
}

QString AdviceDialog::outcomeText(const PromiseOutcome& outcome) const {
    const auto got = outcome.got_ms();
    const double predicted_ms = static_cast<double>(outcome.promise.predicted_ns) / 1e6;
    if (!got) return tr("Taken; no iteration after the first has run under it yet.");
    return tr("Predicted %1, got %2 (%3; iterations that count: %4): the prediction is off by %5.")
        .arg(notation_.duration(1e6 * predicted_ms), notation_.duration(1e6 * *got),
             QString::fromLatin1(toText(outcome.promise.provenance)),
             QString::number(outcome.lengths_ms.size()), changeText(*got, predicted_ms));
}

// What a line's numbers do not say.
QString AdviceDialog::sentenceOf(const Row& row) const {
    QStringList all;
    if (row.outcome) all << outcomeText(*row.outcome);
    if (!row.candidate) return sentencesText(all);
    const Candidate& candidate = *row.candidate;
    if (!candidate.excluded.empty()) all << tr("Out: %1.").arg(said(candidate.excluded));
    if (!candidate.setting.isConfiguration())
        all << tr(
            "It changes the machine or the model, not the configuration: it can be looked at, not run.");
    if (candidate.trainsDifferently())
        all << tr("Asynchronous: gradients are of older weights, so that it does not train as the run does.");
    const std::vector<Sentence> costs = costsInWords(candidate, advice_.now, tokens_ > 0, durationText());
    if (!costs.empty()) all << tr("It costs: %1.").arg(said(inARow(costs)));
    return sentencesText(all);
}

void AdviceDialog::refresh() {
    const bool bytes = unit_ == Cap::Megabytes;
    cap_->setToolTip(
        bytes ? QString()
              : tr("In micro-batches: 1 is what one leaves on a rank of the run, that is v chunks."));
    const QStringList heads{tr("Change"),
                            tokens_ > 0 ? tr("time per sample") : tr("time per micro-batch"),
                            tr("iteration, %1").arg(notation_.unitName()),
                            tr("got, %1").arg(notation_.unitName()),
                            tokens_ > 0 ? tr("tokens/s") : tr("micro-batch, %1").arg(notation_.unitName()),
                            tr("bubble of total"),
                            bytes ? tr("peak, MB") : tr("in flight"),
                            tr("copies"),
                            tr("messages")};
    setHeads(tr("What would help"),
             bytes ? activationsCapText() : tr("At most in flight on a rank, 0 = no cap"), heads);
    table_->horizontalHeaderItem(Gain)->setToolTip(
        tokens_ > 0 ? tr("Of the time of a sample, against the run's own line.")
                    : tr("Of the time of a micro-batch, against the run's own line."));
    table_->horizontalHeaderItem(Got)->setToolTip(tr(
        "After the line was taken: the median of the iterations that ran under exactly this configuration, "
        "the first after the change left out."));
    table_->horizontalHeaderItem(Peak)->setToolTip(
        bytes
            ? tr("Most activations that any rank holds at once.")
            : tr("Most micro-batches that any rank holds at once; 1 is what one leaves on a rank of the run, "
                 "that is v chunks."));
    table_->horizontalHeaderItem(Copies)->setToolTip(
        tr("Most copies and versions of one stage's weights on a rank."));
    table_->horizontalHeaderItem(Messages)->setToolTip(tr("Between ranks, of an iteration."));
    tellStatus();
    tellRow();
}

void AdviceDialog::tellStatus() {
    status_->setVisible(!errors_.empty());
    if (!errors_.empty())
        status_->setText(
            tr("Median absolute error of what was predicted and then ran on %1: %2 (predictions: %3).")
                .arg(deviceWords(machine_), shareText(median(errors_)))
                .arg(errors_.size()));
}

void AdviceDialog::tellRow() {
    if (const std::optional<QString> state = stateText()) return sentence_->setText(*state);
    QStringList all;
    const int row = table_->currentRow();
    if (row >= 0 && row < static_cast<int>(rows_.size()))
        if (const QString of_row = sentenceOf(rows_[static_cast<std::size_t>(row)]); !of_row.isEmpty())
            all << of_row;
    if (searching_) all << tr("An order of its own is being searched …");
    all << tr(
        "Nothing of this ran, and the run's own line is predicted, too: compare the lines with each "
        "other. With another m alone the micro-batch stays as large as it is, and the batch grows or "
        "shrinks.");
    sentence_->setText(sentencesText(all));
}

}  // namespace bscope::ui
