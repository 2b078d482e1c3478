#include "app/timeline/baseline.h"

#include <algorithm>

#include "report/noise_verdict.h"
#include "widgets/text/config_text.h"
#include "widgets/text/format.h"
#include "widgets/text/iteration_name.h"

namespace bscope::ui {

namespace {

// Stages are the same parts of the model in both only where there are as many of them.
bool haveTheSameStages(const IterationView& a, const IterationView& b) {
    const ScheduleParams &of_a = a.config.params, &of_b = b.config.params;
    return of_a.stagesOfReplica() == of_b.stagesOfReplica() && of_a.d == of_b.d && of_a.t == of_b.t;
}

// Of what ran, else of the plan: of an iteration that has not come so far, the plan says when it will.
std::optional<std::int64_t> anchorIn(const IterationView& view, Alignment alignment, int microbatch) {
    const IterationPart ran = partOf(view);
    const bool goes_on = view.now_ns >= 0;
    if (goes_on && alignment == Alignment::LastForward)
        return anchorOf({*view.planned, view.iteration, ran.first_microbatch}, alignment, microbatch);
    const auto found = anchorOf(ran, alignment, microbatch);
    if (found || !goes_on) return found;
    return anchorOf({*view.planned, view.iteration, ran.first_microbatch}, alignment, microbatch);
}

// Iterations under the configuration of this one; the first of several warms up. The undisturbed ones, or all
// where fewer than two are and calibrated durations are free of what disturbed them.
std::vector<IterationBar> barsLike(const std::vector<IterationBar>& bars, const IterationView& view) {
    const auto own = std::ranges::find(bars, view.iteration, &IterationBar::iteration);
    std::vector<IterationBar> all, undisturbed;
    if (own == bars.end()) return all;
    for (const IterationBar& bar : bars) {
        if (!bar.sharesBracket(*own) || bar.since != own->since || bar.iteration == own->since) continue;
        all.push_back(bar);
        if (bar.disturbance == Disturbance::None) undisturbed.push_back(bar);
    }
    const bool all_count = undisturbed.size() < 2 && view.config.durations == Durations::Calibrated;
    return all_count ? all : undisturbed;
}

Sampled sampledOf(const std::vector<IterationBar>& bars, double IterationBar::*number, double own) {
    std::vector<double> values;
    for (const IterationBar& bar : bars) values.push_back(bar.*number);
    Sampled sampled = samplesOf(values);
    if (sampled.count < 2) sampled = samplesOf(own, own, own, 1);
    return sampled;
}

}  // namespace

void Baseline::pin(const IterationView& whole, const std::vector<IterationBar>& bars) {
    pinned_ = whole;
    like_pinned_ = barsLike(bars, whole);
    swapped_ = false;
    operations_ = std::make_shared<const ComparedWith>(
        ComparedWith{whole.number(), whole.file, PairedDurations(partOf(whole))});
}

void Baseline::unpin() {
    pinned_.reset();
    like_pinned_.clear();
    operations_.reset();
    swapped_ = false;
}

Beside Baseline::beside(const IterationView& now, int microbatch) const {
    Beside beside;
    beside.alignment = look_.alignment;
    beside.swapped = swapped_;
    beside.in_columns = look_.place == BaselinePlace::SideBySide;
    beside.microbatch = microbatch;
    if (look_.alignment == Alignment::Start) return beside;
    const auto own = anchorIn(now, look_.alignment, microbatch),
               its = anchorIn(*pinned_, look_.alignment, microbatch);
    beside.has_anchor = own && its;
    if (beside.has_anchor) {
        const std::int64_t earlier_ns = (*own - now.start_ns) - (*its - pinned_->start_ns);  // in the pinned
        beside.shift_ns = swapped_ ? -earlier_ns : earlier_ns;
    }
    return beside;
}

std::vector<IterationView> Baseline::with(IterationView now, int microbatch) const {
    if (!pinned_ || isSameIteration(now, *pinned_) || now.covered) return {std::move(now)};
    if (haveTheSameStages(now, *pinned_)) now.compared = operations_;
    if (look_.place == BaselinePlace::Hidden) return {std::move(now)};
    IterationView pinned = *pinned_;
    now.beside = pinned.beside = beside(now, microbatch);
    pinned.beside->is_baseline = true;
    now.beside->other_file = pinned.file;
    pinned.beside->other_file = now.file;
    if (swapped_) std::swap(now, pinned);
    return {std::move(now), std::move(pinned)};
}

QString Baseline::comparedWith(const std::optional<IterationView>& now, const std::vector<IterationBar>& bars,
                               bool goes_on) const {
    if (!pinned_ || !pinned_->report || !now || !now->report) return {};
    if (isSameIteration(*now, *pinned_))
        return (goes_on ? tr("baseline %1: the last complete iteration") : tr("baseline %1: this iteration"))
            .arg(iterationName(*pinned_, now->file));
    const IterationReport &before = *pinned_->report, &after = *now->report;
    const std::vector<IterationBar> like_now = barsLike(bars, *now);
    const NoiseVerdict bubble =
        noiseVerdict(sampledOf(like_pinned_, &IterationBar::bubble_of_total, before.bubble_of_total),
                     sampledOf(like_now, &IterationBar::bubble_of_total, after.bubble_of_total));
    const NoiseVerdict length =
        noiseVerdict(sampledOf(like_pinned_, &IterationBar::iteration_ms, before.iteration_ms),
                     sampledOf(like_now, &IterationBar::iteration_ms, after.iteration_ms));
    const QString points =
        bubble.isNoise() ? tr("no difference (within %1 pt)").arg(numberText(100 * bubble.noise, 1))
                         : pointsText(before.bubble_of_total, after.bubble_of_total);
    const bool same_run = !pinned_->import && !now->import;
    QString change = length.isNoise() ? said(noDifferenceWords(length))
                     : same_run       ? changeText(before.tokens_per_s, after.tokens_per_s)
                                      : changeText(before.iteration_ms, after.iteration_ms);
    if (length.kind == NoiseVerdict::Kind::Unknown) change = tr("%1 (noise unknown)").arg(change);
    const QString differs =
        (same_run ? tr("baseline %1: bubble %2, tokens/s %3") : tr("baseline %1: bubble %2, iteration %3"))
            .arg(iterationName(*pinned_, now->file), points, change);
    const QString from = shareText(before.bubble_of_total), to = shareText(after.bubble_of_total);
    // The differences first: what a narrow line cuts off stands elsewhere, too.
    return from == to ? differs : differs + tr("; bubble %1 → %2").arg(from, to);
}

}  // namespace bscope::ui
