#include "app/window/notices.h"

#include <utility>

#include "widgets/text/config_text.h"
#include "widgets/text/format.h"

namespace bscope::ui {
namespace {

const QString kRun = QStringLiteral("run"), kReconnect = QStringLiteral("reconnect"),
              kCancel = QStringLiteral("cancel");

QString problemsSentence(const std::vector<Problem>& problems) {
    QStringList all;
    for (const Problem& problem : problems) all.append(sentenceText(problemText(problem)));
    return sentencesText(all);
}

// The sender decides how long a message is; only its beginning is shown.
QString begunOf(const QString& text, qsizetype most) {
    if (text.size() <= most) return text;
    return text.left(most) + Notices::tr(" … (%1 more characters)").arg(text.size() - most);
}

constexpr qsizetype kMostSentence = 1000, kMostDetails = 50'000;  // characters

}  // namespace

Notices::Notices(Session& session, FailureBar& bar) : QObject(&bar), session_(session), bar_(bar) {
    connect(&session, &Session::notice, this, &Notices::say);
    connect(&session, &Session::stateChanged, this, &Notices::sync);
    connect(&session, &Session::problemsChanged, this, [this] {
        if (!session_.problems().empty()) lasting_.clear();  // said again, also when it was closed
        sync();
    });
    connect(&bar, &FailureBar::actionChosen, this, [this](const QString& id) {
        bar_.clear();
        if (const auto chosen = std::exchange(offered_, {});
            chosen && id != kRun && id != kReconnect && id != kCancel)
            return chosen(id);
        if (id == kRun) session_.run();
        if (id == kReconnect) session_.reconnect();
        if (id != kCancel || !job_) return;
        const std::function<void()> cancel = job_->cancel;  // which ends the job
        cancel();
    });
}

void Notices::say(const Notice& notice) {
    FailureNotice reported{notice.sentence.text(), notice.what_to_do.text(), notice.details, {}};
    if (session_.onlyWatches()) reported.actions = {{kReconnect, tr("Connect again")}};
    show(reported);
}

void Notices::offer(const FailureNotice& notice, std::function<void(const QString& id)> chosen) {
    show(notice);
    offered_ = std::move(chosen);
}

void Notices::showRefusal(const QString& title, const std::vector<Problem>& problems) {
    say({tr("%1 cannot run.").arg(title.isEmpty() ? tr("This scenario") : title),
         problemsSentence(problems),
         {}});
}

void Notices::beginJob(const QString& sentence, std::function<void()> cancel) {
    job_ = Job{sentence, std::move(cancel)};
    showJob();
}

void Notices::setJob(const QString& sentence) {
    if (!job_) return;
    job_->sentence = sentence;
    if (shows_job_)
        bar_.setSentence(sentence);
    else if (bar_.isHidden())  // what was said meanwhile has been read
        showJob();
}

void Notices::endJob() {
    job_.reset();
    if (std::exchange(shows_job_, false)) bar_.clear();
}

void Notices::showJob() {
    show({job_->sentence, {}, {}, {{kCancel, tr("Cancel")}}});
    shows_job_ = true;
}

void Notices::show(FailureNotice notice) {
    shows_job_ = false;
    notice.sentence = begunOf(notice.sentence, kMostSentence);
    notice.what_to_do = begunOf(notice.what_to_do, kMostSentence);
    notice.details = begunOf(notice.details, kMostDetails);
    bar_.setNotice(notice);
}

void Notices::retranslate() {
    lasting_.clear();
    sync();
}

void Notices::sync() {
    const SessionState state = session_.state();
    FailureNotice notice;
    if (state == SessionState::Failed || state == SessionState::Disconnected) {
        const Notice& trouble = session_.trouble();
        notice = {trouble.sentence.text(), trouble.what_to_do.text(), trouble.details, {}};
        const int last = session_.history().newestComplete();
        if (last >= 0)
            notice.what_to_do = sentencesText(
                {tr("Iteration %1 is the last complete one.").arg(last + 1), notice.what_to_do});
        using Phase = EngineConnection::Phase;
        const bool is_waiting = session_.connection().phase() == Phase::Waiting;
        if (state == SessionState::Disconnected || is_waiting)
            notice.actions = {{kReconnect, tr("Reconnect now")}};
        else if (session_.restartGoesOn())
            notice.actions = {{kRun, tr("Restart from the saved state")}};
        else
            notice.actions = {{kRun, tr("Run again")}};
    } else if (!session_.problems().empty()) {
        notice = {
            tr("The engine cannot run this configuration."), problemsSentence(session_.problems()), {}, {}};
    } else {
        if (!lasting_.isEmpty() && !shows_job_) bar_.clear();
        lasting_.clear();
        return;
    }
    QString reported = notice.sentence + notice.what_to_do;
    for (const FailureNotice::Action& action : notice.actions) reported += action.id;
    if (std::exchange(lasting_, reported) != reported) show(notice);  // not again once closed
}

}  // namespace bscope::ui
