// Memory of every rank.
#include "widgets/dock/memory_section.h"

#include <QEvent>
#include <algorithm>

#include "widgets/text/config_text.h"
#include "widgets/text/format.h"
#include "words/number_text.h"

namespace bscope::ui {
namespace {

QString megabytesOf(std::int64_t bytes) {
    const double megabytes = static_cast<double>(bytes) / 1e6;
    return numberText(megabytes, decimalsOf(megabytes));
}

// "6.3", or "6.3–8.1" when ranks differ on screen.
QString rangeText(const QString& low, const QString& high) {
    return low == high ? low : low + QStringLiteral("–") + high;
}

QString megabytes(const std::vector<RankReport>& ranks, std::int64_t RankReport::*member) {
    const auto [least, most] = std::ranges::minmax(ranks, {}, member);
    return rangeText(megabytesOf(least.*member), megabytesOf(most.*member));
}

std::int64_t heldAtMost(const RankReport& rank) {
    return rank.weight_bytes + rank.gradient_bytes + rank.optimizer_bytes + rank.buffer_bytes +
           rank.peak_activation_bytes;
}

std::int64_t largestPeak(const Timeline& planned) {
    std::int64_t peak = 0;
    for (int rank = 0; rank < planned.ranks(); ++rank)
        for (const MemoryPoint& point : planned.memory(rank)) peak = std::max(peak, point.live_bytes);
    return peak;
}

}  // namespace

std::int64_t largestPeak(const IterationSummary& summary) {
    std::int64_t peak = 0;
    for (const RankSummary& rank : summary.ranks) peak = std::max(peak, rank.peak_activation_bytes);
    return peak;
}

MemorySection::MemorySection(QWidget* parent)
    : Section(parent),
      rows_(new BarRows(this)),
      held_(new Section(this)),
      apart_(makeParagraph(TextRole::Faint, held_)),
      reserved_(makeParagraph(TextRole::Faint, held_)),
      driver_(makeParagraph(TextRole::Faint, held_)),
      checkpointing_(makeParagraph(TextRole::Faint, this)) {
    rows_->setColumns(50, 128, 188);
    held_->setRuled(false);
    held_->setSideMargin(0);
    held_->makeFoldable(QStringLiteral("held"));
    content()->addWidget(rows_);
    for (Label* label : {reserved_, apart_, driver_}) held_->content()->addWidget(label);
    content()->addWidget(held_);
    content()->addWidget(checkpointing_);
}

void MemorySection::setView(const IterationView& view) {
    view_ = view;
    refresh();
}

void MemorySection::setCheckpointing(const std::vector<CheckpointingPlan>& plans) {
    const auto same = [](const CheckpointingPlan& a, const CheckpointingPlan& b) {
        return a.planned == b.planned;
    };
    if (std::ranges::equal(plans, plans_, same)) return;
    plans_ = plans;
    refreshCheckpointing();
}

void MemorySection::setPending(const std::optional<PendingChange>& pending) {
    pending_ = pending;
    refresh();
}

void MemorySection::refresh() {
    if (view_.import) return refreshInFlight();
    head()->setText(tr("Peak activation memory"));
    const double cap_bytes = view_.config.memory_cap_mb * 1e6;
    const QString cap = cap_bytes > 0 ? tr("cap %1").arg(capText(view_.config.memory_cap_mb)) : QString();
    aside()->setText(cap);
    aside()->setToolTip(QString());
    aside()->setRole(pending_ ? TextRole::Accent : TextRole::Faint);
    if (!view_.ran) return;
    const IterationSummary& summary = view_.summary ? *view_.summary : view_.plan_summary;
    if (pending_) {  // in the heading, since a line of its own would move what stands below
        const QString before = bytesText(static_cast<double>(largestPeak(summary)));
        const QString after = bytesText(static_cast<double>(largestPeak(pending_->summary)));
        const QString largest = before == after ? tr("The change leaves the largest peak at %1.").arg(after)
                                                : tr("Largest peak %1 → %2").arg(before, after);
        aside()->setText(QStringLiteral("→ ") + after);
        aside()->setToolTip(cap.isEmpty() ? largest : largest + '\n' + cap);
    }
    const double scale = std::max({cap_bytes, static_cast<double>(largestPeak(summary)), 1.0});
    std::vector<BarRow> rows;
    for (const RankSummary& rank : summary.ranks) {
        const auto bytes = static_cast<double>(rank.peak_activation_bytes);
        rows.push_back({rankText(rank.rank, view_.ranksAreGpus()),
                        bytes / scale,
                        BarLook::Track,
                        bytesText(bytes),
                        said(sentence("{0} in flight", rank.peak_in_flight)),
                        false,
                        {}});
    }
    rows_->setRows(std::move(rows));
    const bool reported = view_.report && !view_.report->ranks.empty();
    apart_->setVisible(reported);
    if (reported) {
        const std::vector<RankReport>& ranks = view_.report->ranks;
        apart_->setText(tr("In addition, per rank: weights %1, gradients %2, Adam %3, buffers %4 MB.")
                            .arg(megabytes(ranks, &RankReport::weight_bytes),
                                 megabytes(ranks, &RankReport::gradient_bytes),
                                 megabytes(ranks, &RankReport::optimizer_bytes),
                                 megabytes(ranks, &RankReport::buffer_bytes)));
        const auto [least, most] = std::ranges::minmax(ranks, {}, heldAtMost);
        apart_->setText(sentencesText(
            {apart_->text(),
             tr("Including activations, a rank holds at most %1 MB.")
                 .arg(rangeText(megabytesOf(heldAtMost(least)), megabytesOf(heldAtMost(most))))}));
        const bool stashed = std::any_of(
            ranks.begin(), ranks.end(), [](const RankReport& rank) { return rank.stashed_weight_bytes > 0; });
        if (stashed)
            apart_->setText(sentencesText(
                {apart_->text(), tr("Of the weights, %1 MB are older versions.")
                                     .arg(megabytes(ranks, &RankReport::stashed_weight_bytes))}));
    }
    refreshReserved();
    refreshDriver();
    held_->head()->setText(tr("What else a rank holds"));
    held_->setVisible(reported);
    refreshCheckpointing();
}

// Of an imported run no bytes are known.
void MemorySection::refreshInFlight() {
    head()->setText(view_.config.params.v > 1 ? tr("Most chunks in flight")
                                              : tr("Most micro-batches in flight"));
    aside()->setText(QString());
    for (QWidget* part : std::initializer_list<QWidget*>{held_, reserved_, apart_, driver_, checkpointing_})
        part->hide();
    if (!view_.ran) return;
    const IterationSummary& summary = view_.summary ? *view_.summary : view_.plan_summary;
    int most = 1;
    for (const RankSummary& rank : summary.ranks) most = std::max(most, rank.peak_in_flight);
    std::vector<BarRow> rows;
    for (const RankSummary& rank : summary.ranks)
        rows.push_back({rankText(rank.rank, false),
                        static_cast<double>(rank.peak_in_flight) / most,
                        BarLook::Track,
                        QString::number(rank.peak_in_flight),
                        QString(),
                        false,
                        {}});
    rows_->setRows(std::move(rows));
}

void MemorySection::refreshReserved() {
    const bool reported = view_.report && !view_.report->ranks.empty();
    reserved_->setVisible(reported);
    if (!reported) return;
    const std::vector<RankReport>& ranks = view_.report->ranks;
    const bool reserves =
        std::ranges::all_of(ranks, [](const RankReport& r) { return r.reserved_bytes > 0; });
    reserved_->setText(
        reserves ? tr("Reserved for activations, per rank: %1 MB, of which at most %2 MB are in use.")
                       .arg(megabytes(ranks, &RankReport::reserved_bytes),
                            megabytes(ranks, &RankReport::peak_activation_bytes))
                 : tr("The memory reserved for activations is unknown: this recording is from a version that "
                      "did not record it."));
    reserved_->setToolTip(
        tr("Counted by the arena that holds a rank's activations: what it has taken from the device, in "
           "whole blocks, by the end of the iteration. It returns nothing, so later iterations need not "
           "allocate memory."));
}

void MemorySection::refreshDriver() {
    std::int64_t least = 0, most = 0;
    if (view_.report)
        for (const RankReport& rank : view_.report->ranks) {
            if (rank.driver_bytes <= 0) continue;
            least = least == 0 ? rank.driver_bytes : std::min(least, rank.driver_bytes);
            most = std::max(most, rank.driver_bytes);
        }
    driver_->setVisible(most > 0);
    const QString low = bytesText(static_cast<double>(least)), high = bytesText(static_cast<double>(most));
    driver_->setText(most <= 0 ? QString()
                     : low == high
                         ? tr("In use on each GPU, other programs included: %1").arg(high)
                         : tr("In use on each GPU, other programs included: %1 to %2").arg(low, high));
    driver_->setToolTip(
        tr("What the GPU's driver reports as used at the end of the iteration: by this run with its weights, "
           "libraries and contexts, and by every other program."));
}

void MemorySection::refreshCheckpointing() {
    checkpointing_->setVisible(!plans_.empty() && !view_.import);
    QStringList peaks;
    for (const CheckpointingPlan& plan : plans_) {
        const QString peak = bytesText(static_cast<double>(largestPeak(*plan.planned)));
        switch (plan.recompute) {
            case Recompute::None:
                peaks << tr("%1 without checkpointing").arg(peak);
                break;
            case Recompute::Full:
                peaks << tr("%1 with full checkpointing").arg(peak);
                break;
            case Recompute::Selective:
                peaks << tr("%1 with selective checkpointing").arg(peak);
                break;
        }
    }
    QStringList sentences{tr("Predicted largest peak: %1.").arg(listText(peaks))};
    const auto ends_later = [&](const CheckpointingPlan& plan) {
        return view_.planned && plan.planned->end_ns() - plan.planned->begin_ns() >
                                    view_.planned->end_ns() - view_.planned->begin_ns();
    };
    if (std::ranges::any_of(plans_, ends_later))
        sentences << tr("Where a curve ends later, the iteration takes longer: recomputing costs time.");
    checkpointing_->setText(sentencesText(sentences));
}

void MemorySection::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) refresh();
    Section::changeEvent(event);
}

}  // namespace bscope::ui
