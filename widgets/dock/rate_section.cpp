// Iteration time and tokens a second.
#include "widgets/dock/rate_section.h"

#include <QEvent>
#include <QGridLayout>

#include "widgets/text/config_text.h"
#include "widgets/text/format.h"
#include "widgets/text/notation.h"

namespace bscope::ui {
namespace {

QLayout* figureWithUnit(Label* figure, Label* unit) {
    auto* row = new QHBoxLayout;
    row->setSpacing(5);
    row->addWidget(figure, 0, Qt::AlignBottom);
    row->addWidget(unit, 0, Qt::AlignBottom);
    row->addStretch(1);
    unit->setContentsMargins(0, 0, 0, 3);
    return row;
}

}  // namespace

RateSection::RateSection(ViewState& state, QWidget* parent)
    : Section(parent),
      state_(state),
      rate_head_(new Label(TextRole::Head, this)),
      ms_(new Label(TextRole::Figure, this)),
      ms_unit_(new Label(TextRole::Soft, this)),
      ms_note_(new Label(TextRole::Faint, this)),
      rate_(new Label(TextRole::Figure, this)),
      rate_unit_(new Label(TextRole::Soft, this)),
      rate_note_(new Label(TextRole::Faint, this)),
      of_other_(new Label(TextRole::Faint, this)),
      timing_(new Label(TextRole::Soft, this)),
      tracing_(makeParagraph(TextRole::Faint, this)) {
    auto* grid = new QGridLayout;
    grid->setVerticalSpacing(1);
    grid->setColumnStretch(0, 1);
    grid->setColumnStretch(1, 1);
    auto* head_label = head();
    removeHeadRow();
    grid->addWidget(head_label, 0, 0);
    grid->addWidget(rate_head_, 0, 1);
    grid->addLayout(figureWithUnit(ms_, ms_unit_), 1, 0);
    grid->addLayout(figureWithUnit(rate_, rate_unit_), 1, 1);
    grid->addWidget(ms_note_, 2, 0);
    grid->addWidget(rate_note_, 2, 1);
    grid->addWidget(of_other_, 2, 0, 1, 2);
    for (Label* note : {ms_note_, rate_note_, of_other_}) note->setElided(true);
    content()->addLayout(grid);
    content()->addWidget(timing_);
    content()->addWidget(tracing_);
    timing_->setElided(true);
    connect(&state_, &ViewState::presentationChanged, this, &RateSection::refresh);
}

void RateSection::setView(const IterationView& view) {
    view_ = view;
    refresh();
}

void RateSection::setPending(const std::optional<PendingChange>& pending) {
    pending_ = pending;
    refresh();
}

void RateSection::refresh() {
    head()->setText(tr("Iteration"));
    rate_head_->setText(tr("Throughput"));
    rate_unit_->setText(said(sentence("tokens/s")));
    for (Label* label : {rate_head_, rate_, rate_unit_}) label->setVisible(!view_.import);
    const bool of_other = !otherRun().isEmpty();
    of_other_->setText(otherRun());
    of_other_->setToolTip(otherRun());
    of_other_->setVisible(of_other);
    ms_note_->setVisible(!of_other);
    rate_note_->setVisible(!of_other && !view_.import);
    refreshTiming();
    if (!view_.ran) return;
    const Notation notation = notationOf(state_, view_);
    const bool ran = view_.report.has_value();
    const double planned_ms = static_cast<double>(view_.plan_summary.iteration_ns) / 1e6;
    const double predicted_ms =
        ran && view_.report->predicted_iteration_ms > 0 ? view_.report->predicted_iteration_ms : planned_ms;
    const double tokens = static_cast<double>(view_.config.samples()) * view_.config.model.sequence;
    const double predicted_rate = predicted_ms > 0 ? tokens / predicted_ms * 1000 : 0;
    const double ms = ran ? view_.report->iteration_ms : predicted_ms;
    const double rate = ran ? view_.report->tokens_per_s : predicted_rate;
    const QStringList number_and_unit = notation.duration(1e6 * ms).split(QChar::Nbsp);
    ms_->setText(number_and_unit.front());
    ms_unit_->setText(number_and_unit.back());
    rate_->setText(rateNumber(rate));
    if (pending_) {
        // Without the gain, which compares two plans: here it would be read as one over what ran.
        const auto planned = static_cast<double>(pending_->summary.iteration_ns);
        ms_note_->setText(tr("→ predicted %1").arg(notation.duration(planned)));
        rate_note_->setText(tr("→ predicted %1").arg(rateNumber(pending_->tokens_per_s)));
    } else {
        const QString predicted = notation.duration(1e6 * predicted_ms);
        const bool same_unit = predicted.endsWith(ms_unit_->text());
        const QString predicted_text = same_unit ? predicted.section(QChar::Nbsp, 0, 0) : predicted;
        ms_note_->setText(ran ? tr("predicted %1").arg(predicted_text) : said(sentence("predicted")));
        rate_note_->setText(ran ? tr("predicted %1").arg(rateNumber(predicted_rate))
                                : said(sentence("predicted")));
    }
    // A line of Latin letters is lower than one of Chinese; what stands below may not move with it.
    for (Label* note : {ms_note_, rate_note_, of_other_})
        note->setMinimumHeight(
            note->fontMetrics().size(Qt::TextSingleLine, said(sentence("predicted"))).height());
    for (Label* note : {ms_note_, rate_note_}) {
        note->setRole(pending_ ? TextRole::Accent : TextRole::Faint);
        note->setToolTip(note->text());
    }
}

void RateSection::refreshTiming() {
    const bool timed = view_.report && view_.report->timing.ofGpus();
    timing_->setVisible(timed);
    tracing_->setVisible(timed);
    if (!timed) return;
    const IterationReport& report = *view_.report;
    timing_->setText(provenanceName(report.provenance) + QStringLiteral(" · ") +
                     said(wordsOf(report.timing)));
    timing_->setToolTip(timing_->text());
    QStringList sentences;
    if (const auto share = launchGapShare(report))
        sentences << tr("Launch gaps: %1 of the operations' time.").arg(shareText(*share));
    if (report.tracing_cost)
        sentences << tr("Tracing costs %1, measured by leaving it off one iteration in %2.")
                         .arg(shareText(*report.tracing_cost))
                         .arg(view_.config.trace_cost);
    tracing_->setText(sentencesText(sentences));
    tracing_->setVisible(!sentences.isEmpty());
    tracing_->setToolTip(tr("Iteration time with tracing over iteration time without it, minus 1."));
}

void RateSection::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) refresh();
    Section::changeEvent(event);
}

}  // namespace bscope::ui
