// What stands in the title of the Timeline beside numbers: what the run waits for, and chips that lead back
// from what is on the canvas in its place. Window thread only.
#include "app/timeline/timeline_controller.h"
#include "widgets/text/config_text.h"
#include "widgets/text/filter_text.h"
#include "widgets/text/format.h"

namespace bscope::ui {
namespace {

const QString kDisturbed = QStringLiteral("disturbed"), kAdvice = QStringLiteral("advice"),
              kFilter = QStringLiteral("filter"), kByHand = QStringLiteral("by hand"),
              kPlayed = QStringLiteral("played"), kCalibrated = QStringLiteral("calibrated"),
              kAsked = QStringLiteral("asked");

}  // namespace

QString TimelineController::titleNotice() const {
    switch (session_.state()) {
        case SessionState::Starting:
            return tr("Starting engine, %1 s").arg(numberText(session_.connection().startingFor_s(), 1));
        case SessionState::Pausing:
            return session_.following() ? tr("Pausing after this iteration") : QString();
        case SessionState::Paused: {
            const int last = session_.standsAt();
            return session_.following() && last >= 0 ? tr("Paused at %1").arg(last + 1) : QString();
        }
        default:
            return baseline().onCanvas() ? tr("Baseline") : QString();
    }
}

QString TimelineController::boundaryNote() const {
    const auto pending = session_.announcedPending();
    if (!pending || !session_.following()) return {};
    const QStringList changes = configChanges(session_.effective(), pending->config);
    if (changes.isEmpty()) return {};
    constexpr qsizetype kMost = 2;  // the pending strip names them all
    const QString first = listText(changes.mid(0, kMost));
    return tr("from here %1").arg(changes.size() > kMost ? first + QStringLiteral(" …") : first);
}

// What belongs to the numbers in the title: a busy machine, a baseline to compare with.
std::vector<GanttView::TitleChip> TimelineController::titleChips() const {
    std::vector<GanttView::TitleChip> chips;
    const auto numbers = plan() ? std::nullopt : session_.numbersOfShown();
    if (numbers && numbers->report) {
        const QString disturbed = disturbedText(*numbers->report);
        const bool can_calibrate =
            session_.state() != SessionState::Replaying && session_.wanted().durations == Durations::Raw;
        const QString meaning = disturbedMeaning(*numbers->report);
        if (numbers->config.durations == Durations::Calibrated)
            chips.push_back(
                {kCalibrated, tr("calibrated"), tr("calibrated"),
                 sentencesText(
                     {tr("Every duration is the median of its stage and operation over the last iterations, "
                         "8 at most."),
                      disturbed.isEmpty() ? QString() : meaning,
                      session_.state() == SessionState::Replaying || session_.onlyWatches()
                          ? QString()
                          : tr("Click for raw durations, as they were timed.")}),
                 session_.state() != SessionState::Replaying && !session_.onlyWatches()});
        else if (!disturbed.isEmpty())
            chips.push_back({kDisturbed, disturbed, tr("disturbed"),
                             can_calibrate ? meaning + u'\n' +
                                                 tr("Click for calibrated durations: medians in place of "
                                                    "single ones.")
                                           : meaning,
                             can_calibrate});
    }
    if (const std::vector<IterationView> shown = gantt_->views(); state_.filter().isOn() && !shown.empty()) {
        const QString words = filterText(state_.filter(), shown.front(), gantt_->picture().notation);
        chips.push_back(
            {kFilter, tr("filter: %1 ×").arg(words), tr("filter ×"),
             sentencesText({tr("Pale: what the filter leaves out (%1).").arg(words),
                            tr("The iteration's numbers cover everything; a measured range states which of "
                               "its numbers are filtered. Click to show everything (Esc).")}),
             true});
    }
    if (hand_costs_.plan())
        chips.push_back({kByHand, tr("costs by hand ×"), tr("by hand ×"),
                         tr("A plan with costs given by hand. Click to see the run again."), true});
    else if (asked_plan_)
        chips.push_back({kAsked, tr("the plan of %1 ×").arg(scheduleTitle(asked_plan_->config.schedule)),
                         tr("plan ×"), tr("The plan that was asked for. Click to see the run again."), true});
    else if (advice_.plan() || !advice_.stacked().empty())
        chips.push_back({kAdvice, tr("what if ×"), tr("what if ×"),
                         tr("A plan with the costs of the run. Click to see the run again."), true});
    if (player_.active())
        chips.push_back(
            {kPlayed, player_.playing() ? tr("playing ×") : tr("played up to here ×"), tr("play ×"),
             tr("The iteration as it was at the time of the line, which can be dragged along the ruler; "
                "Shift+P plays and pauses, Alt+. and Alt+, step, with Shift by whole micro-batches. Click to "
                "see all of it again."),
             true});
    for (GanttView::TitleChip& chip : baselines_->chips()) chips.push_back(std::move(chip));
    for (GanttView::TitleChip& chip : notes_->chips()) chips.push_back(std::move(chip));
    return chips;
}

void TimelineController::chipClicked(const QString& id) {
    if (baselines_->chipClicked(id) || notes_->chipClicked(id)) return;
    if (id == kAdvice) return advice_.leavePlan();
    if (id == kByHand) return hand_costs_.close();
    if (id == kAsked) return leavePlan();
    if (id == kPlayed) return player_.leave();
    if (id == kFilter) return state_.setFilter({});
    if (id == kCalibrated) {
        RunConfig raw = session_.wanted();
        raw.durations = Durations::Raw;
        session_.edit(raw);
        return shell_.showBriefly(tr("Raw durations, as they were timed, until another run begins"));
    }
    session_.edit(withCalibrated(session_.wanted()));
    shell_.showBriefly(tr(
        "Calibrated durations: the median of each stage and operation over the last iterations, 8 at most"));
}

}  // namespace bscope::ui
