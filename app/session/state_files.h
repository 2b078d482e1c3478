// StateFiles: weights, optimizer state and position in the data in files of the engine's machine. What an own
// engine has trained survives it: a file is saved at intervals, and the run can be put aside while a lesson
// uses the engine. Window thread only.
#pragma once

#include <QObject>
#include <QTemporaryDir>
#include <optional>

#include "app/session/engine_stream.h"

namespace bscope::ui {

class StateFiles : public QObject {
    Q_OBJECT
public:
    explicit StateFiles(EngineStream& stream, QObject* parent = nullptr);

    // The engine's log says how it went.
    void save(const QString& path);
    void load(const QString& path);

    // Saves the last complete iteration of an own engine, unless that is kept already.
    void keep();
    bool hasKept() const { return !kept_.isEmpty(); }
    void forgetKept() { kept_.clear(); }
    void loadKept();  // into an engine that replaces the one it is of

    // The state goes into a file, and comes back with the run's history. Nothing happens where there is
    // nothing to keep, or no file that both sides see.
    void putAside();
    void bringBack();

signals:
    void historyReturned();
    void notice(const bscope::ui::Notice& notice);

private:
    void onLog(const wire::Log& log);
    bool isOfAside(const wire::Log& log);
    void returnHistory();

    EngineStream& stream_;
    QTemporaryDir folder_;
    QString kept_;  // the last file that was written completely
    int kept_iteration_ = -1, keeps_ = 0;
    std::optional<QString> aside_;  // the file; once it is whole, the stream's run is put aside
};

}  // namespace bscope::ui
