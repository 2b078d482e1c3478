// MeasureJob: schedules that run in turn with a configuration's own, by `bscope advise --measure`. One at a
// time; window thread only.
#pragma once

#include <QObject>
#include <QTemporaryDir>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "app/engine/bscope_command.h"
#include "config/run_config.h"

namespace bscope::ui {

using ScheduleAndChunks = std::pair<std::string, int>;   // v
using MeasuredMs = std::map<ScheduleAndChunks, double>;  // of an iteration

class MeasureJob : public QObject {
    Q_OBJECT
public:
    static constexpr int kIterations = 3;  // behind each number, a median

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
