// Notices: the messages in the bar under the controls: problems of the session, which stay until they are
// over or closed; a configuration that the engine refuses, until another one is chosen; single messages; and
// the progress of a long job. Window thread only.
#pragma once

#include <QObject>
#include <functional>
#include <optional>
#include <vector>

#include "app/session/session.h"
#include "widgets/bars/failure_bar.h"
#include "wire/bubblescope.pb.h"

namespace bscope::ui {

class Notices : public QObject {
    Q_OBJECT
public:
    Notices(Session& session, FailureBar& bar);

    void say(const Notice& notice);
    void showRefusal(const QString& title, const std::vector<Problem>& problems);
    // A job begins, and can be cancelled; its sentence changes as it gets on. What is said meanwhile stands
    // before it until that is closed, and stays when the job ends.
    void beginJob(const QString& sentence, std::function<void()> cancel);
    void setJob(const QString& sentence);
    void endJob();
    // Ways on that a person may choose, by the ids of their buttons.
    void offer(const FailureNotice& notice, std::function<void(const QString& id)> chosen);
    void retranslate();

private:
    struct Job {
        QString sentence;
        std::function<void()> cancel;
    };
    void sync();
    void show(FailureNotice notice);
    void showJob();

    Session& session_;
    FailureBar& bar_;
    QString lasting_;  // the last notice of a state that lasts; empty: none
    std::optional<Job> job_;
    std::function<void(const QString&)> offered_;  // empty: nothing is
    bool shows_job_ = false;  // the bar does
};

}  // namespace bscope::ui
