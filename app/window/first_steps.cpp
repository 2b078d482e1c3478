#include "app/window/first_steps.h"

#include <QKeyEvent>
#include <QTimer>
#include <algorithm>
#include <utility>

#include "widgets/gantt/gantt_view.h"
#include "widgets/picture/landmarks.h"

namespace bscope::ui {

FirstSteps::FirstSteps(Session& session, TimelineController& timeline, ControlBar& controls, Shell& shell)
    : QObject(shell.widget()),
      session_(session),
      timeline_(timeline),
      controls_(controls),
      shell_(shell),
      callout_(new Callout(shell.widget())) {
    connect(&timeline, &TimelineController::synced, this, &FirstSteps::follow);
    connect(&controls, &ControlBar::viewChosen, this, &FirstSteps::end);
    connect(callout_, &Callout::nextClicked, this, &FirstSteps::next);
    connect(callout_, &Callout::closed, this, &FirstSteps::end);
    shell.widget()->installEventFilter(this);
    timeline.canvas()->installEventFilter(this);
    timeline.canvas()->keepCardsOutOf(callout_);
}

void FirstSteps::addActions(WindowActions& actions) {
    actions.add(MenuName::Help, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&First steps"), {},
                [this] { start(); });
}

void FirstSteps::startOnce() {
    waits_ = true;
    follow();
}

void FirstSteps::start() {
    waits_ = false;
    shell_.showView(MainView::Timeline);
    timeline_.canvas()->fit();
    steps_ = stepsNow();
    at_ = 0;
    if (steps_.empty()) return shell_.showBriefly(tr("There is no picture to explain yet"));
    tell();
    place();
    callout_->nextButton()->setFocus();
}

std::optional<QRect> FirstSteps::targetOf(Step step) const {
    const auto onCanvas = [this](const std::optional<QRectF>& place) -> std::optional<QRect> {
        if (!place) return std::nullopt;
        const QPoint corner = timeline_.canvas()->mapTo(shell_.widget(), QPoint(0, 0));
        return place->translated(corner).toAlignedRect();
    };
    switch (step) {
        case Step::Box:
            return onCanvas(boxToExplain(timeline_.canvas()->picture()));
        case Step::Bubble:
            return onCanvas(bubbleToExplain(timeline_.canvas()->picture()));
        case Step::Microbatches: {
            const NumberField* field = controls_.m();
            if (!field->isVisible() || !field->isEnabled()) return std::nullopt;
            return QRect(field->mapTo(shell_.widget(), QPoint(0, 0)), field->size());
        }
    }
    return std::nullopt;
}

std::vector<FirstSteps::Step> FirstSteps::stepsNow() const {
    std::vector<Step> steps;
    for (const Step step : {Step::Box, Step::Bubble, Step::Microbatches})
        if (targetOf(step)) steps.push_back(step);
    return steps;
}

void FirstSteps::follow() {
    if (waits_ && shell_.view() == MainView::Timeline && shell_.widget()->isVisible()) {
        // All three or none: what a missing one explains would stay unexplained.
        if (stepsNow().size() < 3) return;
        waits_ = false;
        steps_ = stepsNow();
        at_ = 0;
        tell();
        emit shown();
    }
    if (!steps_.empty() && shell_.view() != MainView::Timeline) return end();
    if (callout_->isHidden()) place();
}

// Once it is shown, it stays where it is, whatever the picture goes on to show: a hand is on its way to its
// buttons. Only another size of the window moves it.
void FirstSteps::place() {
    if (steps_.empty()) return;
    if (shell_.view() != MainView::Timeline) return end();
    if (const std::optional<QRect> target = targetOf(steps_[at_])) callout_->pointAt(*target);
}

void FirstSteps::tell() {
    if (steps_.empty()) return;
    const int number = static_cast<int>(at_) + 1, of = static_cast<int>(steps_.size());
    switch (steps_[at_]) {
        case Step::Box:
            return callout_->setText(
                tr("A box is one operation"),
                tr("Each lane of the picture is a rank, and each box is work on the micro-batch whose number "
                   "it shows. The colour is the kind of work, as in the legend below. Click a box to follow "
                   "its micro-batch from beginning to end."),
                number, of);
        case Step::Bubble:
            return callout_->setText(
                tr("A gap is a bubble"),
                tr("The rank has nothing to compute here: it waits, or it is done. Click the gap to learn "
                   "how long and why, or press ; to go from gap to gap."),
                number, of);
        case Step::Microbatches:
            return callout_->setText(tr("m is the number of micro-batches"),
                                     tr("Every iteration sends this many through the ranks. Change "
                                        "m, and the new plan with its bubble appears before anything "
                                        "runs."),
                                     number, of);
    }
}

void FirstSteps::next() {
    if (++at_ >= steps_.size()) return end();
    const bool has_keys = callout_->isAncestorOf(shell_.widget()->focusWidget());
    callout_->hide();
    tell();
    place();
    if (callout_->isHidden()) return next();  // no room beside it
    if (has_keys) callout_->nextButton()->setFocus();
}

void FirstSteps::end() {
    waits_ = false;
    if (std::exchange(steps_, {}).empty()) return;
    at_ = 0;
    const bool has_keys = callout_->isAncestorOf(shell_.widget()->focusWidget());
    callout_->hide();
    if (has_keys && shell_.view() == MainView::Timeline) shell_.focusCanvas();
}

void FirstSteps::retranslate() {
    tell();
    callout_->hide();
    place();
}

bool FirstSteps::eventFilter(QObject* watched, QEvent* event) {
    const bool of_canvas = qobject_cast<GanttView*>(watched) != nullptr;
    if (!of_canvas && (event->type() == QEvent::Resize || event->type() == QEvent::Show))
        QTimer::singleShot(0, this, [this] {  // once everything is laid out
            waits_ ? follow() : place();
        });
    const bool leaves = of_canvas && event->type() == QEvent::KeyPress && !steps_.empty() &&
                        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape;
    if (leaves) end();
    return leaves;
}

}  // namespace bscope::ui
