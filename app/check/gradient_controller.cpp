#include "app/check/gradient_controller.h"

#include <utility>

#include "widgets/text/config_text.h"
#include "widgets/text/format.h"

namespace bscope::ui {

GradientController::GradientController(Session& session, Shell& shell)
    : QObject(shell.widget()), session_(session), shell_(shell) {
    connect(&session, &Session::stateChanged, this, [this] {
        // Run was pressed meanwhile: from now on running and pausing are the user's again.
        if (session_.state() == SessionState::Running) run_waits_ = false;
        follow();
    });
    connect(&session, &Session::configChanged, this, &GradientController::follow);
    connect(&session, &Session::problemsChanged, this, &GradientController::follow);
    connect(&session, &Session::shownChanged, this, &GradientController::follow);
    connect(&job_, &GradientJob::progress, this, [this](int done, int total) {
        if (dialog_) dialog_->setRunning(job_.config(), done, total, run_waits_);
    });
    connect(&job_, &GradientJob::done, this, [this](const GradientCheck& check) {
        found_ = check;
        if (dialog_) dialog_->setResult(check);
        letRunGoOn();
    });
    connect(&job_, &GradientJob::failed, this, [this](const QString& why) {
        found_.reset();
        if (dialog_) dialog_->setFailure(job_.config(), why);
        letRunGoOn();
    });
}

void GradientController::open() {
    if (!dialog_) {
        dialog_ = new GradientDialog(shell_.widget());
        dialog_->setAttribute(Qt::WA_DeleteOnClose);
        connect(dialog_, &GradientDialog::startClicked, this, &GradientController::start);
        connect(dialog_, &GradientDialog::cancelClicked, this, &GradientController::cancel);
        connect(dialog_, &QDialog::finished, this, &GradientController::cancel);
        if (found_) dialog_->setResult(*found_);
        follow();
    }
    dialog_->show();
    dialog_->raise();
    dialog_->activateWindow();
    if (!job_.running() && !(found_ && found_->config == current()) && obstacle().isEmpty()) start();
}

RunConfig GradientController::current() const {
    return session_.subject();
}

QString GradientController::obstacle() const {
    if (session_.state() == SessionState::Replaying)
        return session_.shown().import
                   ? tr("The run was recorded by another program, and its model is unknown.")
                   : QString();
    if (session_.problems().empty()) return {};
    return sentenceText(problemText(session_.problems().front()));
}

void GradientController::start() {
    if (!dialog_ || !obstacle().isEmpty()) return;
    if (session_.state() == SessionState::Running && session_.connection().isOwn() &&
        !session_.onlyWatches()) {
        session_.pause();
        run_waits_ = true;
    }
    dialog_->setRunning(current(), 0, 0, run_waits_);
    job_.start(current());
}

void GradientController::cancel() {
    job_.cancel();
    if (dialog_) dialog_->setCancelled();
    letRunGoOn();
}

void GradientController::letRunGoOn() {
    if (std::exchange(run_waits_, false) && session_.state() != SessionState::Replaying) session_.run();
}

void GradientController::follow() {
    if (dialog_) dialog_->setCurrent(current(), obstacle());
}

}  // namespace bscope::ui
