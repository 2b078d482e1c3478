// GradientJob: `bscope verify` as a process of its own, so that the window and the engine go on meanwhile and
// a check is ended by ending it. One at a time; window thread only.
#pragma once

#include <QObject>
#include <QProcess>
#include <QTemporaryDir>

#include "app/engine/notice.h"
#include "widgets/check/gradient_check.h"
#include "words/sentence.h"

namespace bscope::ui {

class GradientJob : public QObject {
    Q_OBJECT
public:
    explicit GradientJob(QObject* parent = nullptr);
    ~GradientJob() override;

    void start(const RunConfig& config);  // ends one that is running
    void cancel();
    bool running() const { return process_.state() != QProcess::NotRunning; }
    const RunConfig& config() const { return config_; }

signals:
    void progress(int done, int total);  // training iterations, of both sides
    void done(const bscope::ui::GradientCheck& check);
    void failed(const QString& why);

private:
    void readErrors();
    void finish(int code, QProcess::ExitStatus status);

    QTemporaryDir folder_;
    QProcess process_;
    RunConfig config_;
    QStringList errors_;
    Sentence refusal_;
    bool cancelled_ = false;
};

}  // namespace bscope::ui
