// FileController: everything that comes from a file or another machine, and what is written: scenarios,
// recordings, schedule files, runs of other programs, states of the training, an engine elsewhere. Shows its
// problems in the window. Window thread only.
#pragma once

#include <QElapsedTimer>
#include <QObject>

#include "app/import/import_follower.h"
#include "app/import/import_job.h"
#include "app/lessons/lesson_controller.h"
#include "app/schedules/schedule_controller.h"
#include "app/session/session.h"
#include "app/settings/preferences.h"
#include "app/shell/shell.h"
#include "app/shell/window_actions.h"
#include "app/window/notices.h"

namespace bscope::ui {

class FileController : public QObject {
    Q_OBJECT
public:
    struct Parts {
        Session& session;
        ScheduleController& schedules;
        LessonController& lessons;
        Notices& notices;
    };
    // preferences: the recent files and the folder are read and kept there.
    FileController(const Parts& parts, Preferences& preferences, Shell& shell);

    void addActions(WindowActions& actions);
    void openScenario(const wire::Scenario& scenario, bool run_at_once);
    void openFile(const QString& path);        // a recording, a scenario, a schedule, or a run to import
    void openFiles(const QStringList& paths);  // several are one run of another program
    void chooseFile();
    // Notes on a run that was imported, which end with the program.
    bool hasUnsavedNotes() const;
    bool askForCopy();  // whether a recording of what is replayed was written
    void askForAddress();
    ImportJob& imports() { return import_; }
    ImportFollower& follower() { return follower_; }
    // "GPipe, 8 micro-batches · not recording": what is open, and whether it is recorded.
    QString summary() const;

signals:
    void summaryChanged();

private:
    void importRun(const QStringList& paths, std::optional<int> replica = std::nullopt,
                   std::optional<int> start_up = std::nullopt);
    std::optional<int> startUpLeftOut() const;  // of what was imported here
    void cancelImport();
    void showWhatIsAwaited();
    void showPart(const QJsonObject& part);
    void chooseReplica(const QList<QList<int>>& replicas);
    void importAgain();
    void showImported(const QString& recording);
    void openRecording(const QString& path, const QString& name, Replayer::Show show);
    void endReading();
    void cancelRecording();
    void setSource(const wire::Text& name);
    void refillRecentFiles();
    void toggleRecording();
    void chooseState(bool save);
    void syncRecording();

    Parts parts_;
    Preferences& preferences_;
    Shell& shell_;
    ImportJob import_{this};
    ImportFollower follower_{this};
    bool imports_again_ = false;    // what is shown already, of which there is more
    bool waits_ = false;            // nothing is shown yet of what is followed
    bool reads_all_ = false;        // also what was read before
    bool reads_recording_ = false;  // so much of it that its progress is shown
    QStringList imported_;          // files and folders of the run that is imported
    std::optional<int> start_up_;   // the iteration that is shown although it starts up
    std::optional<int> replica_;    // which of several pipelines in them, where one was chosen
    QElapsedTimer reading_;         // since files of other programs are read
    bool replays_ = false;          // a recording is what is shown
    wire::Text live_source_;        // of what runs here, while a recording is shown
    wire::Text former_source_;      // of what was shown when a recording began to be read
    QString opening_;               // a file that is being read, remembered once it is; empty: none
    wire::Text source_;             // name of the scenario or file; empty: none
    QMenu* recent_menu_ = nullptr;
    QAction* record_action_ = nullptr;
};

}  // namespace bscope::ui
