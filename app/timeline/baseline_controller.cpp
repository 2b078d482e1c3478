#include "app/timeline/baseline_controller.h"

#include <QDir>
#include <algorithm>

#include "widgets/text/alignment_text.h"
#include "widgets/text/iteration_name.h"

namespace bscope::ui {
namespace {

const QString kPinned = QStringLiteral("baseline"), kAlignment = QStringLiteral("alignment");

// What N does next.
constexpr const char* kPin = QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&Pin as baseline");
constexpr const char* kUnpin = QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "Un&pin the baseline");
constexpr const char* kNoBaseline =
    QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "no baseline is pinned (N)");
constexpr const char* kNothingComplete =
    QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "no iteration is complete yet");

// In the order of Alignment.
constexpr std::array kAlignments{
    QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "Align with the baseline by &time"),
    QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "Align with the baseline by the selected &micro-batch"),
    QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "Align with the baseline by the end of the &warm-up"),
    QT_TRANSLATE_NOOP("bscope::ui::WindowActions",
                      "Align with the baseline by the beginning of the &cool-down")};

}  // namespace

BaselineController::BaselineController(Session& session, GanttView& canvas, Shell& shell, QObject* parent)
    : QObject(parent), session_(session), canvas_(canvas), shell_(shell) {
    connect(&analyses_, &GapAnalyses::ready, this, [this] {
        if (!baseline_.pinned()) return;
        baseline_.setAnalysis(analyses_.withAnalysis(*baseline_.pinned()).analysis);
        emit changed();
    });
    connect(&canvas.state(), &ViewState::selectionChanged, this, [this] {
        const int followed = followedMicrobatch();
        if (followed == microbatch_) return;
        microbatch_ = followed;
        if (baseline_.pinned() && baseline_.look().alignment == Alignment::Microbatch) emit changed();
    });
}

void BaselineController::addActions(WindowActions& actions) {
    using enum MenuName;
    actions_ = &actions;
    const auto is_pinned = [this] { return baseline_.pinned().has_value(); };
    pin_ = actions.add(Analyze, kPin, {QKeySequence(Qt::Key_N)}, [this] { toggle(); });
    actions.setCondition(
        pin_, [this] { return baseline_.pinned() || (session_.numbers() && session_.numbers()->report); },
        kNothingComplete);
    QAction* swap =
        actions.add(Analyze, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&Swap with the baseline"),
                    {QKeySequence(Qt::Key_X)}, [this] { this->swap(); });
    actions.setCondition(swap, is_pinned, kNoBaseline);
    const auto placeAction = [&](const char* text, const QKeySequence& keys, BaselinePlace place) {
        QAction* action = actions.addCheckable(Analyze, text, {keys}, [this, place](bool on) {
            setLook({on ? place : BaselinePlace::Hidden, baseline_.look().alignment});
        });
        actions.setCondition(action, is_pinned, kNoBaseline);
        return action;
    };
    below_ = placeAction(QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&Baseline below, on one time axis"),
                         {Qt::SHIFT | Qt::Key_X}, BaselinePlace::Below);
    side_by_side_ = placeAction(
        QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "Baseline side by si&de, on one time axis"),
        {Qt::CTRL | Qt::SHIFT | Qt::Key_X}, BaselinePlace::SideBySide);
    QMenu* alignment = actions.addSubmenu(
        Analyze, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&Align with the baseline"));
    for (std::size_t i = 0; i < kAlignments.size(); ++i) {
        alignments_[i] = actions.make(
            kAlignments[i], [this, i] { show(static_cast<Alignment>(i)); }, true);
        actions.addTo(alignment, alignments_[i]);
        actions.setCondition(alignments_[i], is_pinned, kNoBaseline);
    }
    QAction* open =
        actions.add(Analyze, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "Compare with another &run…"),
                    {QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_O)}, [this] { openBeside(); });
    actions.setCondition(
        open, [this] { return session_.numbers() && session_.numbers()->report; }, kNothingComplete);
    syncActions();
}

void BaselineController::syncActions() {
    if (actions_ == nullptr) return;
    below_->setChecked(baseline_.look().place == BaselinePlace::Below);
    side_by_side_->setChecked(baseline_.look().place == BaselinePlace::SideBySide);
    for (std::size_t i = 0; i < alignments_.size(); ++i)
        alignments_[i]->setChecked(i == static_cast<std::size_t>(baseline_.look().alignment));
}

void BaselineController::setLook(const BaselineLook& look) {
    baseline_.setLook(look);
    syncActions();
    emit changed();
}

void BaselineController::show(Alignment alignment) {
    const BaselinePlace now = baseline_.look().place;
    setLook({now == BaselinePlace::Hidden ? BaselinePlace::Below : now, alignment});
}

void BaselineController::swap() {
    baseline_.swap();
    emit changed();
}

int BaselineController::followedMicrobatch() const {
    const auto selection = canvas_.state().selection();
    if (!selection || selection->action.microbatch < 0) return microbatch_;
    for (const PreparedView& group : canvas_.picture().groups)
        if (group.view().iteration == selection->iteration && group.isBaseline() == selection->of_baseline)
            return group.view().microbatchInIteration(selection->action.microbatch);
    return microbatch_;
}

std::vector<IterationView> BaselineController::with(const IterationView& now) const {
    return baseline_.with(now, microbatch_);
}

void BaselineController::pin(const std::optional<IterationView>& whole) {
    if (!whole || !whole->report) return;
    baseline_.pin(analyses_.withAnalysis(*whole), session_.bars());  // kept with it
    actions_->reword(pin_, kUnpin);
}

void BaselineController::toggle() {
    if (const auto& pinned = baseline_.pinned()) {
        const int number = pinned->number();
        baseline_.unpin();
        actions_->reword(pin_, kPin);
        shell_.showBriefly(tr("Iteration %1 is no longer the baseline").arg(number));
        return emit changed();
    }
    pin(session_.numbers());
    if (const auto& pinned = baseline_.pinned())
        shell_.showBriefly(tr("Iteration %1 is the baseline: N unpins it, X swaps, Shift+X shows it below, "
                              "Ctrl+Shift+X side "
                              "by side, Shift+T colours the differences")
                               .arg(pinned->number()));
    else
        shell_.showBriefly(tr("No iteration is complete yet: nothing to pin as baseline"));
    emit changed();
}

void BaselineController::layBeside(int iteration) {
    const auto whole = session_.history().view(iteration);
    if (!whole || !whole->report)
        return shell_.showBriefly(tr("The events of this iteration are no longer kept"));
    pin(whole);
    show(baseline_.look().alignment);
    const int number = baseline_.pinned()->number();
    if (canvas_.views().size() < 2)
        return shell_.showBriefly(
            tr("Iteration %1 is the baseline, and the one on the canvas: J and K show another one")
                .arg(number));
    shell_.showBriefly(baseline_.look().place == BaselinePlace::SideBySide
                           ? tr("Iteration %1 is the baseline, beside the one on the canvas").arg(number)
                           : tr("Iteration %1 is the baseline, below the one on the canvas").arg(number));
}

void BaselineController::openBeside() {
    pin(session_.numbers());
    if (!baseline_.pinned()) return;
    show(baseline_.look().alignment);
    emit openRequested();
}

std::vector<GanttView::TitleChip> BaselineController::chips() const {
    const auto& pinned = baseline_.pinned();
    if (!pinned) return {};
    std::vector<GanttView::TitleChip> chips;
    const std::vector<PreparedView>& groups = canvas_.picture().groups;
    if (!groups.empty() && groups.front().view().beside) {
        const Beside& beside = *groups.front().view().beside;
        const QString name = alignmentName(beside.alignment);
        chips.push_back({kAlignment, tr("aligned %1").arg(name), name,
                         alignmentMeaning(beside, canvas_.picture().notation) + u'\n' +
                             tr("Click for the next alignment."),
                         true});
    }
    const auto now = std::ranges::find_if_not(groups, &PreparedView::isBaseline);
    const QString name = iterationName(*pinned, now != groups.end() ? now->view().file : std::string());
    const QString meaning = pinned->file.empty()
                                ? QString()
                                : QDir::toNativeSeparators(QString::fromStdString(pinned->file)) + u'\n';
    chips.push_back({kPinned, tr("baseline %1 ×").arg(name), QStringLiteral("#%1 ×").arg(pinned->number()),
                     meaning + tr("Click to unpin (N)"), true});
    return chips;
}

bool BaselineController::chipClicked(const QString& id) {
    if (id == kPinned) toggle();
    if (id == kAlignment) {
        const auto next = (static_cast<std::size_t>(baseline_.look().alignment) + 1) % alignments_.size();
        show(static_cast<Alignment>(next));
    }
    return id == kPinned || id == kAlignment;
}

}  // namespace bscope::ui
