// MeasureJob: schedules that run in turn with a configuration's own, by `bscope advise --measure`. One at a
// time; window thread only.
#pragma once

#include <QObject>
#include <QTemporaryDir>
#include <vector>

#include "app/engine/bscope_command.h"
#include "schedule/run_config.h"
#include "widgets/tune/schedule_choice_dialog.h"

namespace bscope::ui {

class MeasureJob : public QObject {
    Q_OBJECT
public:
    explicit MeasureJob(QObject* parent = nullptr);

    void start(const RunConfig& config,
               const std::vector<ScheduleAndChunks>& schedules);  // ends one that is running
    void cancel() { command_.cancel(); }
    bool running() const { return command_.running(); }

signals:
    void progress(int done, int total);  // iterations
    void done(const bscope::ui::MeasuredMs& ms);
    void failed(const QString& why);

private:
    void finish(int code, QProcess::ExitStatus status);

    QTemporaryDir folder_;
    BscopeCommand command_;
};

}  // namespace bscope::ui
