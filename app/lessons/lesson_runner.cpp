#include "app/lessons/lesson_runner.h"

namespace bscope::ui {

LessonRunner::LessonRunner(Session& session, QObject* parent) : QObject(parent), session_(session) {
    connect(&session, &Session::iterationFinished, this, &LessonRunner::onIteration);
    connect(&session, &Session::stateChanged, this, &LessonRunner::onState);
}

void LessonRunner::start(std::vector<RunConfig> configs, std::vector<std::optional<IterationView>> kept) {
    if (!active_) {
        before_ = session_.wanted();
        ran_before_ = session_.state() == SessionState::Running || session_.state() == SessionState::Starting;
        session_.setRunAside();
    }
    active_ = true;
    configs_ = std::move(configs);
    kept_ = std::move(kept);
    kept_.resize(configs_.size());
    index_ = 0;
    while (index_ < kept_.size() && kept_[index_]) ++index_;
    begin();
}

void LessonRunner::begin() {
    finished_here_ = 0;
    quickest_.reset();
    rested_ = ran_on_ = false;
    if (index_ < configs_.size()) {
        session_.edit(configs_[index_], true);
        if (session_.state() != SessionState::Running) session_.run();
    } else {
        session_.pause();
    }
    emit changed();
}

void LessonRunner::onIteration(int iteration) {
    if (!active_ || index_ >= configs_.size() || session_.pending()) return;
    const auto view = session_.history().view(iteration);
    if (!view || !view->summary || !view->report || !(view->config == configs_[index_])) return;
    const bool quicker = !quickest_ || view->report->iteration_ms < quickest_->report->iteration_ms;
    if (++finished_here_ > 1 && quicker) quickest_ = *view;
    if (finished_here_ < kIterationsEach) {
        emit changed();
        return;
    }
    kept_[index_] = std::move(quickest_);
    ++index_;
    begin();
}

// The engine is paused after the last run; only a start after that was asked for by the user.
void LessonRunner::onState() {
    if (!finished()) return;
    rested_ = rested_ || session_.state() == SessionState::Paused;
    if (ran_on_ || !rested_ || session_.state() != SessionState::Running) return;
    ran_on_ = true;
    emit changed();
}

void LessonRunner::leave() {
    if (!active_) return;
    active_ = ran_on_ = false;
    session_.edit(before_, true);
    session_.bringRunBack();
    if (ran_before_)
        session_.run();
    else
        session_.pause();
    emit changed();
}

int LessonRunner::done() const {
    return static_cast<int>(index_) * kIterationsEach + (index_ < configs_.size() ? finished_here_ : 0);
}

std::vector<IterationView> LessonRunner::views() const {
    std::vector<IterationView> views;
    for (std::size_t i = 0; i < configs_.size(); ++i)
        views.push_back(kept_[i] ? *kept_[i] : session_.planOf(configs_[i]));
    return views;
}

}  // namespace bscope::ui
