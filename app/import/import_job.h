// ImportJob: runs of other programs become a recording by `bscope import`, a process of its own, so that a
// file of gigabytes neither stops the window nor takes it along. One at a time; window thread only.
#pragma once

#include <QJsonObject>
#include <QObject>
#include <QTemporaryDir>
#include <QTimer>
#include <optional>

#include "app/engine/bscope_command.h"
#include "app/engine/notice.h"

namespace bscope::ui {

// Whether a path is for ImportJob: a folder, or a file that looks like no recording, scenario or schedule.
bool looksLikeImport(const QString& path);

class ImportJob : public QObject {
    Q_OBJECT
public:
    explicit ImportJob(QObject* parent = nullptr);

    // Ends one that is running. replica: which, from 0, of pipelines that ran side by side.
    // goes_on: the paths are those of the last call, and only what came since is read where that is possible.
    void start(const QStringList& paths, std::optional<int> replica = std::nullopt, bool goes_on = false,
               std::optional<int> start_up = std::nullopt);  // an iteration that would be left out
    void cancel();
    // Whether it is a recording that this made, which ends with the program.
    bool made(const QString& path) const { return path.startsWith(folder_.path() + u'/'); }
    bool running() const { return command_.running() || explain_.running(); }
    QString name() const { return name_; }  // of the folder or file, for titles
    // It failed as no iteration is whole: what writes the files may have just begun.
    bool isUnfinished() const { return unfinished_; }
    // The recording holds only what the files held more than at the last reading.
    bool isPart() const { return part_; }

signals:
    void progress(int percent);
    void done(const QString& recording);
    void failed(const bscope::ui::Notice& notice);
    // In place of failed(): the files are of several pipelines, and one of these is to be chosen.
    void severalReplicas(const QList<QList<int>>& ranks);
    // In place of failed(): they are of some ranks of a pipeline alone. part: as PartDialog takes it.
    void partOfPipeline(const QJsonObject& part);

private:
    void finish(int code, QProcess::ExitStatus status);
    void explained();

    QTemporaryDir folder_;
    BscopeCommand command_, explain_;  // the import; of one that failed, what every file was taken for
    QTimer explain_limit_;
    Notice failure_;  // while that is found out
    QStringList paths_;
    QList<QList<int>> replicas_;  // as reported by a refusal
    QJsonObject partial_;         // so is this
    bool unfinished_ = false, part_ = false;
    QString name_, recording_;
    int made_ = 0;
};

}  // namespace bscope::ui
