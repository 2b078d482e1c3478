#include "app/window/file_controller.h"

#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QInputDialog>
#include <utility>

#include "app/import/part_dialog.h"
#include "app/schedules/schedule_files.h"
#include "app/window/connect_dialog.h"
#include "hang/dump_files.h"
#include "lessons/lesson_file.h"
#include "report/start_up_note.h"
#include "widgets/text/config_text.h"
#include "wire/convert.h"

namespace bscope::ui {

FileController::FileController(const Parts& parts, Preferences& preferences, Shell& shell)
    : QObject(shell.widget()), parts_(parts), preferences_(preferences), shell_(shell) {
    Session& session = parts_.session;
    connect(&session, &Session::stateChanged, this, [this] {
        const bool replays = parts_.session.state() == SessionState::Replaying;
        if (std::exchange(replays_, replays) && !replays && !parts_.session.replayer().opening())
            source_ = live_source_;
        syncRecording();
    });
    connect(&session, &Session::recordingChanged, this, &FileController::syncRecording);
    connect(&session, &Session::problemsChanged, this, [this] {
        if (!parts_.session.problems().empty()) setSource({});  // nothing runs under its name
    });
    connect(&import_, &ImportJob::progress, this, [this](int percent) {
        if (!imports_again_) parts_.notices.setJob(tr("Reading %1: %2 %").arg(import_.name()).arg(percent));
    });
    // Of files that grow the next reading may succeed; until then what was read before is shown.
    connect(&import_, &ImportJob::failed, this, [this](const Notice& notice) {
        if (waits_ && (import_.isUnfinished() || follower_.ranks().areMissing())) return showWhatIsAwaited();
        reads_all_ = reads_all_ || !import_.isUnfinished();
        const bool is_first = std::exchange(waits_, false);
        if (is_first) parts_.notices.endJob();
        opening_.clear();
        if (is_first || !imports_again_) shell_.say(notice);
    });
    connect(&import_, &ImportJob::severalReplicas, this, &FileController::chooseReplica);
    connect(&import_, &ImportJob::partOfPipeline, this, &FileController::showPart);
    connect(&import_, &ImportJob::done, this, &FileController::showImported);
    connect(&follower_, &ImportFollower::grown, this, &FileController::importAgain);
    connect(&follower_, &ImportFollower::goesOnIn, this,
            [this](const QString& folder) { importRun({folder}); });
    // A large recording takes its time. What is followed is read without a word.
    Replayer& replayer = session.replayer();
    connect(&replayer, &Replayer::progress, this, [this](int percent) {
        if (imports_again_) return;
        const QString sentence = tr("Reading %1: %2 %").arg(textOf(source_, shell_.language())).arg(percent);
        if (!reads_recording_)
            parts_.notices.beginJob(sentence, [this] { cancelRecording(); });
        else
            parts_.notices.setJob(sentence);
        reads_recording_ = true;
    });
    connect(&replayer, &Replayer::loaded, this, [this] {
        if (!opening_.isEmpty()) preferences_.remember(std::exchange(opening_, {}));
        endReading();
    });
    connect(&replayer, &Replayer::failed, this, [this] {
        opening_.clear();
        setSource(former_source_);  // what is shown is still that
        endReading();
    });
    connect(&replayer, &Replayer::cancelled, this, [this] {
        if (std::exchange(reads_recording_, false)) parts_.notices.endJob();
    });
}

void FileController::endReading() {
    if (std::exchange(reads_recording_, false)) parts_.notices.endJob();
    if (follower_.following()) follower_.readIn(reading_.elapsed());
}

void FileController::cancelRecording() {
    Replayer& replayer = parts_.session.replayer();
    const bool shown = replayer.readsOn();
    replayer.cancelOpening();
    follower_.stop();
    if (!shown) setSource({});
}

void FileController::addActions(WindowActions& actions) {
    using enum MenuName;
    Session& session = parts_.session;
    const auto replays = [&session] { return session.state() == SessionState::Replaying; };
    actions.add(
        File, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&Open recording, scenario, schedule or trace…"),
        {QKeySequence(Qt::CTRL | Qt::Key_O)}, [this] { chooseFile(); });
    actions.add(File, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&Import the run in a folder…"),
                {QKeySequence(Qt::CTRL | Qt::Key_I)}, [this] {
                    const QString path = QFileDialog::getExistingDirectory(
                        shell_.widget(), tr("Import the run in a folder"), preferences_.folder);
                    if (!path.isEmpty()) openFile(path);
                });
    QAction* start_up = actions.add(
        File, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "Import the start-up iteration &too"), {},
        [this] { importRun(imported_, replica_, startUpLeftOut()); });
    actions.setCondition(
        start_up, [this] { return startUpLeftOut().has_value(); },
        QT_TRANSLATE_NOOP("bscope::ui::WindowActions",
                          "no imported run is open of which an iteration is left out"));
    recent_menu_ = actions.addSubmenu(File, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "Open &recent"));
    connect(recent_menu_, &QMenu::aboutToShow, this, &FileController::refillRecentFiles);
    actions.add(File, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&Connect to an engine…"),
                {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O)}, [this] { askForAddress(); });
    QAction* leave = actions.add(File, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&Leave the recording"),
                                 {QKeySequence(Qt::CTRL | Qt::Key_W)}, [this, &session] {
                                     follower_.stop();
                                     session.closeRecording();
                                 });
    actions.setCondition(leave, replays,
                         QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "no recording is open"));
    QAction* save =
        actions.add(File, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "Save the recordin&g as…"),
                    {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_R)}, [this] { askForCopy(); });
    actions.setCondition(save, replays,
                         QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "no recording is open"));
    actions.addSeparator(File);
    record_action_ =
        actions.addCheckable(File, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&Record to a file…"),
                             {QKeySequence(Qt::CTRL | Qt::Key_R)}, [this](bool) { toggleRecording(); });
    actions.setCondition(
        record_action_, [=] { return !replays(); },
        QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "the replayed run is a recording already"));
    actions.add(File, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&Save weights and optimizer…"),
                {QKeySequence(Qt::CTRL | Qt::Key_S)}, [this] { chooseState(true); });
    actions.add(File, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "Load &weights and optimizer…"), {},
                [this] { chooseState(false); });
    syncRecording();
}

QString FileController::summary() const {
    const StreamRecorder& recorder = parts_.session.recorder();
    QString recording = recorder.active() ? tr("recording to %1").arg(recorder.path()) : tr("not recording");
    if (parts_.session.state() == SessionState::Replaying)
        recording = follower_.following()           ? tr("updated as the file grows")
                    : parts_.session.shown().import ? tr("an imported run")
                                                    : tr("a recording");
    const QString source = textOf(source_, shell_.language());
    return source.isEmpty() ? recording : source + QStringLiteral(" · ") + recording;
}

void FileController::setSource(const wire::Text& name) {
    source_ = name;
    emit summaryChanged();
}

void FileController::syncRecording() {
    record_action_->setChecked(parts_.session.recorder().active());
    record_action_->setEnabled(parts_.session.state() != SessionState::Replaying);
    emit summaryChanged();
}

void FileController::openScenario(const wire::Scenario& scenario, bool run_at_once) {
    Session& session = parts_.session;
    session.closeRecording();
    if (scenario.has_lesson()) {
        setSource(scenario.title());
        shell_.showView(MainView::Lessons);
        return parts_.lessons.open(scenario);
    }
    RunConfig config;
    if (const auto unknown = overlay(scenario.config(), config); !unknown.empty())
        return shell_.showRefusal(scenario.title(), unknown);
    setSource(scenario.title());
    session.edit(config);
    if (run_at_once && session.problems().empty()) session.run();
}

void FileController::openFiles(const QStringList& paths) {
    if (paths.size() == 1) return openFile(paths.front());
    follower_.stop();
    if (!paths.isEmpty() && looksLikeFlightDumps(QFile::encodeName(paths.front()).toStdString())) {
        shell_.showView(MainView::Timeline);
        return parts_.schedules.openDumps(paths);
    }
    if (!paths.isEmpty()) importRun(paths);
}

void FileController::importRun(const QStringList& paths, std::optional<int> replica,
                               std::optional<int> start_up) {
    shell_.showView(MainView::Timeline);
    imports_again_ = false;
    imported_ = paths;
    replica_ = replica;
    start_up_ = start_up;
    reading_.start();
    const QString folder = QFileInfo(paths.front()).absoluteFilePath();
    const bool has_begun = paths.size() > 1 || !ImportFollower::awaits(folder);
    if (has_begun)
        import_.start(paths, replica, false, start_up);
    else
        import_.cancel();
    if (paths.size() == 1) follower_.follow(folder);
    waits_ = follower_.following();
    parts_.notices.beginJob(tr("Reading %1").arg(import_.name()), [this] { cancelImport(); });
    reads_all_ = !has_begun;
    if (!has_begun) showWhatIsAwaited();
}

void FileController::cancelImport() {
    import_.cancel();
    if (!std::exchange(waits_, false)) return;
    follower_.stop();
    parts_.notices.endJob();
}

// Of a training that has not begun, or has not ended its first iteration.
void FileController::showWhatIsAwaited() {
    const QString name = QFileInfo(follower_.path()).fileName();
    const ImportFollower::Ranks ranks = follower_.ranks();
    const QString written = QString::number(ranks.written);
    const QString of = ranks.of > 0 ? QString::number(ranks.of) : QStringLiteral("?");
    if (!QFileInfo::exists(follower_.path()))
        parts_.notices.setJob(
            tr("%1 does not exist yet: waiting for ranks: %2 of %3 have written").arg(name, written, of));
    else if (ranks.areMissing())
        parts_.notices.setJob(tr("%1: waiting for ranks: %2 of %3 have written").arg(name, written, of));
    else
        parts_.notices.setJob(tr("%1: waiting for the first whole iteration").arg(name));
}

// Pipelines that ran side by side are looked at one at a time.
void FileController::chooseReplica(const QList<QList<int>>& replicas) {
    parts_.notices.endJob();
    follower_.stop();
    QStringList names;
    for (qsizetype at = 0; at < replicas.size(); ++at) {
        QStringList ranks;
        for (const int rank : replicas[at]) ranks << QString::number(rank);
        names << tr("Replica %1: ranks %2").arg(QString::number(at), ranks.join(QStringLiteral(", ")));
    }
    auto* dialog = new QInputDialog(shell_.widget());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Which replica?"));
    dialog->setLabelText(
        tr("%1 contains %2 replicas of the pipeline, which ran at the same time. One is shown at a time.")
            .arg(import_.name(), QString::number(replicas.size())));
    dialog->setComboBoxItems(names);
    connect(dialog, &QInputDialog::textValueSelected, this,
            [this, names, paths = imported_](const QString& name) {
                importRun(paths, static_cast<int>(names.indexOf(name)));
            });
    dialog->open();
}

// Ranks whose files come later make it whole: while they are awaited it is not shown.
void FileController::showPart(const QJsonObject& part) {
    if (waits_ && follower_.ranks().areMissing()) return showWhatIsAwaited();
    waits_ = false;
    parts_.notices.endJob();
    if (imports_again_) return;
    auto* dialog = new PartDialog(import_.name(), part, preferences_.count_from_zero, shell_.widget());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

void FileController::importAgain() {
    if (import_.running() || parts_.session.replayer().opening()) return follower_.reportAgain();
    const SessionState state = parts_.session.state();
    if (!waits_ && state != SessionState::Replaying && state != SessionState::Idle) return follower_.stop();
    imports_again_ = true;
    reading_.start();
    // What was left out of a reading that failed, or is not shown, is read once more.
    import_.start({follower_.path()}, replica_, !std::exchange(reads_all_, false), start_up_);
}

// Of files that grew the newest iteration is shown, unless another one is looked at.
void FileController::showImported(const QString& recording) {
    waits_ = false;
    parts_.notices.endJob();
    if (import_.isPart()) {
        follower_.readIn(reading_.elapsed());
        reads_all_ = !parts_.session.replayer().append(recording);
        if (reads_all_) follower_.reportAgain();
        return;
    }
    Session& session = parts_.session;
    const int shown = session.shownIteration();
    const bool earlier = !session.bars().empty() && shown != session.bars().back().iteration;
    if (imports_again_ && earlier)
        connect(
            &session.replayer(), &Replayer::loaded, this, [&session, shown] { session.select(shown); },
            Qt::SingleShotConnection);
    openRecording(recording, import_.name(),
                  imports_again_ ? Replayer::Show::Whole : Replayer::Show::FirstPart);
}

void FileController::openRecording(const QString& path, const QString& name, Replayer::Show show) {
    wire::Text source;
    source.set_en(name.toStdString());
    if (!parts_.session.replayer().opening()) {
        former_source_ = source_;
        if (!replays_) live_source_ = source_;
    }
    setSource(source);
    parts_.session.openRecording(path, show);
}

void FileController::openFile(const QString& path) {
    preferences_.folder = QFileInfo(path).absolutePath();
    follower_.stop();
    imports_again_ = false;
    opening_.clear();
    if (looksLikeFlightDumps(QFile::encodeName(path).toStdString())) {
        shell_.showView(MainView::Timeline);
        preferences_.remember(path);
        return parts_.schedules.openDumps({path});
    }
    opening_ = path;  // remembered once it is read
    if (looksLikeImport(path) || ImportFollower::awaits(path)) return importRun({path});
    if (looksLikeScheduleFile(path)) {
        shell_.showView(MainView::Timeline);
        preferences_.remember(std::exchange(opening_, {}));
        return parts_.schedules.openFile(path);
    }
    if (!path.endsWith(QStringLiteral(".json"), Qt::CaseInsensitive)) {
        shell_.showView(MainView::Timeline);
        return openRecording(path, QFileInfo(path).fileName(), Replayer::Show::FirstPart);
    }
    opening_.clear();
    try {
        openScenario(loadLessonFile(path.toStdString()), false);
        preferences_.remember(path);
    } catch (const WireError& error) {
        shell_.say(
            {error.said, tr("Choose a recording (.bscope), a scenario (.json) or a schedule (.csv)."), {}});
    }
}

void FileController::chooseFile() {
    const QStringList paths = QFileDialog::getOpenFileNames(
        shell_.widget(), tr("Open recording, scenario, schedule or trace"), preferences_.folder,
        tr("Recordings, scenarios, schedules and traces (*.bscope *.json *.csv *.tsv *.txt *.gz *.sqlite "
           "*.db *.jsonl *.pftrace);;All files (*)"));
    openFiles(paths);
}

void FileController::refillRecentFiles() {
    recent_menu_->clear();
    for (const QString& path : preferences_.openableFiles())
        connect(recent_menu_->addAction(QFileInfo(path).fileName()), &QAction::triggered, this,
                [this, path] { openFile(path); });
    if (recent_menu_->isEmpty()) recent_menu_->addAction(tr("None yet"))->setEnabled(false);
}

void FileController::toggleRecording() {
    Session& session = parts_.session;
    if (session.recorder().active()) {
        session.stopRecording();
        preferences_.remember(session.recorder().path());
        return;
    }
    const QString path = QFileDialog::getSaveFileName(shell_.widget(), tr("Record to a file"),
                                                      preferences_.folder + QStringLiteral("/run.bscope"),
                                                      tr("Recordings (*.bscope)"));
    if (!path.isEmpty()) session.startRecording(path);
    syncRecording();
}

// With its notes; of an imported run the recording that was made of it.
bool FileController::askForCopy() {
    Replayer& replayer = parts_.session.replayer();
    const QString name = QFileInfo(replayer.path()).completeBaseName() + QStringLiteral("-notes.bscope");
    const QString path =
        QFileDialog::getSaveFileName(shell_.widget(), tr("Save the recording"),
                                     preferences_.folder + u'/' + name, tr("Recordings (*.bscope)"));
    if (path.isEmpty()) return false;
    follower_.stop();
    if (const Sentence why = replayer.saveAs(path); !why.empty()) {
        shell_.say({tr("%1 could not be written: %2.").arg(QFileInfo(path).fileName(), said(why)), {}, {}});
        return false;
    }
    preferences_.remember(path);
    wire::Text source;
    source.set_en(QFileInfo(path).fileName().toStdString());
    setSource(source);
    shell_.showBriefly(tr("Saved: %1").arg(QFileInfo(path).fileName()));
    return true;
}

std::optional<int> FileController::startUpLeftOut() const {
    const Session& session = parts_.session;
    const auto import = session.shown().import;
    const bool is_ours =
        session.state() == SessionState::Replaying && import && import_.made(session.replayer().path());
    return is_ours ? bscope::startUpLeftOut(import->notes) : std::nullopt;
}

bool FileController::hasUnsavedNotes() const {
    const Session& session = parts_.session;
    return session.state() == SessionState::Replaying && import_.made(session.replayer().path()) &&
           !session.notes().all().empty();
}

void FileController::chooseState(bool save) {
    Session& session = parts_.session;
    if (!session.connection().isOwn() || session.connection().phase() != EngineConnection::Phase::Attached)
        return shell_.say(
            {tr("States are files on the engine's machine, and this window has no running engine."),
             tr("Press Run first."),
             {}});
    const QString kinds = tr("States (*.safetensors)");
    const QString path =
        save ? QFileDialog::getSaveFileName(shell_.widget(), tr("Save weights and optimizer"),
                                            preferences_.folder + QStringLiteral("/state.safetensors"), kinds)
             : QFileDialog::getOpenFileName(shell_.widget(), tr("Load weights and optimizer"),
                                            preferences_.folder, kinds);
    if (path.isEmpty()) return;
    preferences_.folder = QFileInfo(path).absolutePath();
    if (save)
        session.states().save(path);
    else
        session.states().load(path);
}

void FileController::askForAddress() {
    auto* dialog = new ConnectDialog(shell_.widget());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ConnectDialog::chosen, this,
            [this](const EngineAddress& address) { parts_.session.connectTo(address, false); });
    dialog->open();
}

}  // namespace bscope::ui
