#include "widgets/lessons/lesson_walk.h"

#include <utility>

namespace bscope::ui {

void LessonWalk::setLesson(const LessonData& lesson) {
    const bool same = lesson.id == lesson_.id && lesson.choices.size() == lesson_.choices.size() &&
                      lesson.tries.size() == lesson_.tries.size();
    lesson_ = lesson;
    if (!same) {
        guess_ = try_ = -1;
        opened_ = false;
        estimate_.reset();
        judged_.reset();
        step_ = LessonStep::Look;
        progress_.clear();
        emit replaced();
    }
    emit changed();
    if (!same) emit stepChanged(step_);
}

QString LessonWalk::why() const {
    if (step_ < LessonStep::Reveal) return {};
    if (judged_) return judged_->right ? tr("Right: %1").arg(judged_->words) : judged_->words;
    return guess_ < 0 ? QString() : lesson_.choices[static_cast<std::size_t>(guess_)].why;
}

bool LessonWalk::canReach(LessonStep step) const {
    return step <= LessonStep::Guess || hasGuessed() || opened_;
}

bool LessonWalk::canGoOn() const {
    return step_ != LessonStep::Guess || canReach(LessonStep::Reveal);
}

void LessonWalk::goTo(LessonStep step) {
    if (step == step_ || !canReach(step)) return;
    step_ = step;
    emit changed();
    emit stepChanged(step_);
}

void LessonWalk::goOn() {
    if (!canGoOn()) return;
    if (step_ == LessonStep::FollowUp)
        emit finished(std::exchange(lesson_.id, {}));  // opened again, it begins anew
    else
        goTo(static_cast<LessonStep>(static_cast<int>(step_) + 1));
}

void LessonWalk::goBack() {
    if (step_ > LessonStep::Look) goTo(static_cast<LessonStep>(static_cast<int>(step_) - 1));
}

void LessonWalk::openCurtain() {
    if (step_ >= LessonStep::Reveal) return;
    opened_ = true;
    goTo(LessonStep::Reveal);
}

void LessonWalk::choose(int index) {
    if (step_ > LessonStep::Guess) return;  // the guess stands once the reveal was seen
    guess_ = index;
    emit changed();
    emit guessed(index, lesson_.choices[static_cast<std::size_t>(index)].right);
}

void LessonWalk::estimateIs(std::optional<double> estimate) {
    if (!lesson_.asks_number || step_ > LessonStep::Guess) return;
    estimate_ = estimate;
    emit changed();
}

void LessonWalk::setEstimate(const std::optional<LessonEstimate>& judged) {
    judged_ = judged;
    emit changed();
}

void LessonWalk::setTry(int index) {
    try_ = index;
    emit changed();
}

void LessonWalk::setMark(int mark, int marks, const QString& words) {
    if (mark == mark_ && marks == marks_ && words == mark_words_) return;
    mark_ = mark;
    marks_ = marks;
    mark_words_ = words;
    emit changed();
}

void LessonWalk::enter() {
    if (step_ == LessonStep::Reveal && mark_ + 1 < marks_)
        emit nextMark();
    else
        goOn();
}

void LessonWalk::setProgress(const QString& progress) {
    if (progress == progress_) return;
    progress_ = progress;
    emit changed();
}

}  // namespace bscope::ui
