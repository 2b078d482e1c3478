// GradientJob: the check of a configuration's gradients by `bscope verify`. One at a time; window thread
// only.
#pragma once

#include <QObject>
#include <QTemporaryDir>

#include "app/engine/bscope_command.h"
#include "widgets/dialogs/gradient_check.h"

namespace bscope::ui {

class GradientJob : public QObject {
    Q_OBJECT
public:
    explicit GradientJob(QObject* parent = nullptr);

    void start(const RunConfig& config);  // ends one that is running
    void cancel() { command_.cancel(); }
    bool running() const { return command_.running(); }
    const RunConfig& config() const { return config_; }

signals:
    void progress(int done, int total);  // training iterations, of both sides
    void done(const bscope::ui::GradientCheck& check);
    void failed(const QString& why);

private:
    void finish(int code, QProcess::ExitStatus status);

    QTemporaryDir folder_;
    BscopeCommand command_;
    RunConfig config_;
};

}  // namespace bscope::ui
