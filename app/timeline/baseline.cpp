#include "app/timeline/baseline.h"

#include "widgets/text/format.h"

namespace bscope::ui {

QString Baseline::toggle(const std::optional<IterationView>& now) {
    if (!pinned_ && !(now && now->report))
        return tr("No iteration is complete yet: nothing to pin as baseline");
    shown_ = false;
    if (pinned_) {
        const int number = pinned_->number();
        pinned_.reset();
        return tr("Iteration %1 is no longer the baseline").arg(number);
    }
    pinned_ = now;
    return tr("Iteration %1 is the baseline: N unpins it, X swaps").arg(now->number());
}

QString Baseline::comparedWith(const std::optional<IterationView>& now) const {
    if (!pinned_ || !pinned_->report || !now || !now->report) return {};
    const IterationReport &before = *pinned_->report, &after = *now->report;
    if (pinned_->import || now->import)
        return tr("baseline #%1: bubble %2 → %3, %4; iteration %5")
            .arg(QString::number(pinned_->number()), shareText(before.bubble_of_total),
                 shareText(after.bubble_of_total), pointsText(before.bubble_of_total, after.bubble_of_total),
                 changeText(before.iteration_ms, after.iteration_ms));
    return tr("baseline #%1: bubble %2 → %3, %4; tokens/s %5")
        .arg(QString::number(pinned_->number()), shareText(before.bubble_of_total),
             shareText(after.bubble_of_total), pointsText(before.bubble_of_total, after.bubble_of_total),
             changeText(before.tokens_per_s, after.tokens_per_s));
}

}  // namespace bscope::ui
