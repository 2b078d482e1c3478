// MainWindow: files, connections, search, baseline and words.
#include <QCoreApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <algorithm>

#include "app/export/figure_exporter.h"
#include "app/find/command_palette.h"
#include "app/lessons/lesson_controller.h"
#include "app/schedules/schedule_controller.h"
#include "app/schedules/schedule_files.h"
#include "app/tune/tune_controller.h"
#include "app/window/connect_dialog.h"
#include "app/window/main_window.h"
#include "app/window/palette_entries.h"
#include "widgets/text/config_text.h"
#include "widgets/text/format.h"
#include "wire/convert.h"
#include "wire/scenario.h"

namespace bscope::ui {

void MainWindow::openScenario(const wire::Scenario& scenario, bool run_at_once) {
    session_.closeRecording();
    if (scenario.has_lesson()) {
        source_ = scenario.title();
        showView(MainView::Lessons);
        lessons_->open(scenario);
        return syncState();
    }
    RunConfig config;
    if (const auto unknown = overlay(scenario.config(), config); !unknown.empty())
        return sayRefused(scenario.title(), unknown);
    source_ = scenario.title();
    session_.edit(config);
    if (run_at_once && session_.problems().empty()) session_.run();
    syncState();
}

void MainWindow::sayRefused(const wire::Text& title, const std::vector<Problem>& problems) {
    QStringList all;
    for (const Problem& problem : problems) all.append(sentenceText(problemText(problem)));
    const QString name = textOf(title, appearance_.language());
    say({tr("%1 cannot run.").arg(name.isEmpty() ? tr("This scenario") : name), sentencesText(all), {}});
}

void MainWindow::openFiles(const QStringList& paths) {
    if (paths.size() == 1) return openFile(paths.front());
    if (!paths.isEmpty()) importRun(paths);
}

void MainWindow::importRun(const QStringList& paths) {
    showView(MainView::Timeline);
    import_.start(paths);
    failure_bar_->setNotice(
        {tr("Reading %1").arg(import_.name()), {}, {}, {{QStringLiteral("cancel import"), tr("Cancel")}}});
}

void MainWindow::connectImport() {
    connect(&import_, &ImportJob::progress, this, [this](int percent) {
        failure_bar_->setSentence(tr("Reading %1: %2 %").arg(import_.name()).arg(percent));
    });
    connect(&import_, &ImportJob::failed, this, &MainWindow::say);
    connect(&import_, &ImportJob::done, this, [this](const QString& recording) {
        failure_bar_->clear();
        source_.Clear();
        source_.set_en(import_.name().toStdString());
        session_.openRecording(recording);
    });
}

void MainWindow::openFile(const QString& path) {
    preferences_.remember(path);
    if (looksLikeImport(path)) return importRun({path});
    if (looksLikeScheduleFile(path)) {
        showView(MainView::Timeline);
        return schedules_->openFile(path);
    }
    if (!path.endsWith(QStringLiteral(".json"), Qt::CaseInsensitive)) {
        source_.Clear();
        source_.set_en(QFileInfo(path).fileName().toStdString());
        showView(MainView::Timeline);
        return session_.openRecording(path);
    }
    try {
        openScenario(loadScenarioFile(path.toStdString()), false);
    } catch (const WireError& error) {
        say({error.said,
             tr("Choose a recording (.bscope), a scenario (.json) or a schedule (.csv)."),
             {}});
    }
}

void MainWindow::runShown() {
    const SessionState state = session_.state();
    const bool rests = state == SessionState::Idle || state == SessionState::Paused;
    if (rests && schedules_->showsFile()) return schedules_->runFile();
    session_.run();
}

void MainWindow::toggleRun() {
    const SessionState state = session_.state();
    const bool rests = state == SessionState::Idle || state == SessionState::Paused;
    rests ? runShown() : session_.toggleRun();
}

void MainWindow::chooseFile() {
    const QStringList paths = QFileDialog::getOpenFileNames(
        this, tr("Open recording, scenario, schedule or trace"), preferences_.folder,
        tr("Recordings, scenarios, schedules and traces (*.bscope *.json *.csv *.tsv *.txt *.gz *.sqlite "
           "*.db *.jsonl);;All files (*)"));
    openFiles(paths);
}

void MainWindow::chooseFolder() {
    const QString path =
        QFileDialog::getExistingDirectory(this, tr("Import the run in a folder"), preferences_.folder);
    if (!path.isEmpty()) openFile(path);
}

void MainWindow::refillRecentFiles() {
    recent_menu_->clear();
    for (const QString& path : preferences_.recent_files)
        connect(recent_menu_->addAction(QFileInfo(path).fileName()), &QAction::triggered, this,
                [this, path] { openFile(path); });
    if (recent_menu_->isEmpty()) recent_menu_->addAction(tr("None yet"))->setEnabled(false);
}

void MainWindow::toggleRecording() {
    if (session_.recorder().active()) {
        session_.stopRecording();
        preferences_.remember(session_.recorder().path());
        return;
    }
    const QString path = QFileDialog::getSaveFileName(this, tr("Record to a file"),
                                                      preferences_.folder + QStringLiteral("/run.bscope"),
                                                      tr("Recordings (*.bscope)"));
    if (!path.isEmpty()) session_.startRecording(path);
    syncState();
}

void MainWindow::chooseState(bool save) {
    if (!session_.connection().isOwn() || session_.connection().phase() != EngineConnection::Phase::Attached)
        return say({tr("States are files of the engine's machine, and no engine of this window runs."),
                    tr("Press Run first."),
                    {}});
    const QString kinds = tr("States (*.safetensors)");
    const QString path =
        save ? QFileDialog::getSaveFileName(this, tr("Save weights and optimizer"),
                                            preferences_.folder + QStringLiteral("/state.safetensors"), kinds)
             : QFileDialog::getOpenFileName(this, tr("Load weights and optimizer"), preferences_.folder,
                                            kinds);
    if (path.isEmpty()) return;
    preferences_.folder = QFileInfo(path).absolutePath();
    if (save)
        session_.saveState(path);
    else
        session_.loadState(path);
}

void MainWindow::askForAddress() {
    auto* dialog = new ConnectDialog(appearance_.theme(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ConnectDialog::chosen, this,
            [this](const EngineAddress& address) { connectTo(address, false); });
    dialog->open();
}

void MainWindow::goTo(const SearchHit& hit) {
    if (hit.action)
        state_.select(Selection{hit.rank, *hit.action, session_.shownIteration()});
    else
        state_.setMeasured(hit.range);
    const TimeRange visible = state_.range();
    if (hit.range.from_ns >= visible.from_ns && hit.range.to_ns <= visible.to_ns) return;
    const double width = std::max(visible.width(), 2.0 * hit.range.width());
    const double middle = (hit.range.from_ns + hit.range.to_ns) / 2;
    state_.setRange({middle - width / 2, middle + width / 2});
}

void MainWindow::openPalette() {
    const Theme& theme = appearance_.theme();
    const QSize most(std::min(theme.px(620), width()), theme.px(360));
    auto* palette = new CommandPalette(paletteEntries(*this), most, this);
    palette->move(mapToGlobal(QPoint((width() - most.width()) / 2, theme.px(76))));
    palette->show();
    palette->field()->setFocus();
}

const char* const MainWindow::kPin = QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&Pin as baseline");
const char* const MainWindow::kUnpin = QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "Un&pin the baseline");

void MainWindow::toggleBaseline() {
    const bool pinned = baseline_.pinned().has_value();
    brief_->say(baseline_.toggle(session_.numbers()));
    if (pinned == baseline_.pinned().has_value()) return;
    actions_->reword(baseline_action_, pinned ? kPin : kUnpin);
    syncPicture();
}

// Half an iteration is no picture of a run: while one is under way, the last complete one stands for it.
std::vector<IterationView> MainWindow::viewsToExport() const {
    if (view_ == MainView::Lessons) return lessons_->views();
    std::vector<IterationView> views = gantt_->views();
    const bool under_way = isAtWork(session_.state()) && !views.empty() && views.front().now_ns >= 0;
    const auto whole = session_.numbers();
    if (under_way && whole && whole->report) views = {*whole};
    return views;
}

void MainWindow::swapBaseline() {
    baseline_.swap();
    syncPicture();
}

void MainWindow::retranslate() {
    setWindowTitle(QStringLiteral("Bubblescope"));
    actions_->retranslate();
    nameColours(false);
    lessons_->retranslate();
    schedules_->setLanguage(appearance_.language());
    told_trouble_.clear();
    syncState();
}

}  // namespace bscope::ui
