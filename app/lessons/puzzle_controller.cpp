#include "app/lessons/puzzle_controller.h"

#include <QFile>
#include <QFileDialog>
#include <QSaveFile>
#include <QStandardPaths>
#include <algorithm>

#include "app/schedules/schedule_files.h"
#include "cards/card_boxes.h"
#include "schedule/formats/csv.h"
#include "widgets/text/config_text.h"
#include "widgets/text/format.h"

namespace bscope::ui {

PuzzleController::PuzzleController(Session& session, ScheduleController& schedules, const ViewState& timeline,
                                   Shell& shell,
                                   std::function<void(const QString&)> explain)
    : QObject(shell.widget()),
      session_(session),
      schedules_(schedules),
      timeline_(timeline),
      shell_(shell),
      explain_(std::move(explain)),
      page_(new PracticePage(shell.widget())) {
    connect(page_, &PracticePage::begun, this, &PuzzleController::open);
    connect(page_, &PracticePage::chosen, this, &PuzzleController::openLevel);
    connect(page_, &PracticePage::shown, this, &PuzzleController::fillPage);
    connect(page_, &PracticePage::languageChanged, this, &PuzzleController::fillPage);
    connect(&session_, &Session::shownChanged, this, &PuzzleController::followTraining);
    connect(&session_, &Session::stateChanged, this, [this] {
        const SessionState state = session_.state();
        if (!waits_ || (state != SessionState::Failed && state != SessionState::Disconnected)) return;
        waits_ = false;
        dialog_->setComparison({}, tr("Training did not start: the main window shows the reason."));
    });
}

std::filesystem::path PuzzleController::progressFile() {
    return (QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) +
            QStringLiteral("/puzzle.json"))
        .toStdString();
}

void PuzzleController::open() {
    if (dialog_) {
        dialog_->show();
        dialog_->raise();
        return dialog_->activateWindow();
    }
    readProgress();
    dialog_ = new PuzzleDialog(shell_.widget());
    dialog_->setCountFromZero(timeline_.countFromZero());
    connect(&timeline_, &ViewState::presentationChanged, dialog_,
            [this] { dialog_->setCountFromZero(timeline_.countFromZero()); });
    connect(dialog_, &PuzzleDialog::explain, this, explain_);
    connect(dialog_, &PuzzleDialog::standingChanged, this, &PuzzleController::followGrid);
    connect(dialog_, &PuzzleDialog::trainClicked, this, &PuzzleController::train);
    connect(dialog_, &PuzzleDialog::openClicked, this, [this] {
        const QString path = QFileDialog::getOpenFileName(dialog_, tr("Open a grid"), {},
                                                          tr("Schedules (*.csv *.tsv *.txt);;All files (*)"));
        if (!path.isEmpty()) openGrid(path);
    });
    connect(dialog_, &PuzzleDialog::saveClicked, this, [this] {
        const QString path = QFileDialog::getSaveFileName(
            dialog_, tr("Save the grid"), QString::fromLatin1(dialog_->level().id) + QStringLiteral(".csv"),
            tr("Schedules (*.csv)"));
        if (!path.isEmpty()) saveGrid(path);
    });
    showStars();
    dialog_->followTheme();
    dialog_->show();
}

void PuzzleController::openLevel(const QString& id) {
    open();
    const auto levels = puzzleLevels();
    const auto found = std::ranges::find(levels, id.toStdString(), &PuzzleLevel::id);
    if (found != levels.end()) dialog_->levels().setCurrentRow(static_cast<int>(found - levels.begin()));
}

void PuzzleController::fillPage() {
    PuzzleProgress reached = progress_;
    if (!dialog_) {
        try {
            reached = readPuzzleProgress(progressFile());
        } catch (const SentenceError<>&) {
            reached = {};  // said when the puzzle opens
        }
    }
    PracticeFace face{tr("Build your own schedule"),
                      tr("Place every operation on its rank; three stars for the fewest steps. What is built "
                         "can be trained."),
                      tr("Open"),
                      {},
                      {}};
    int number = 0;
    for (const PuzzleLevel& level : puzzleLevels()) {
        LessonEntry entry{QString::fromLatin1(level.id), said(sentence(level.title)),
                          said(sentence(level.goal)), LessonMark::None, ++number};
        const int stars = reached.starsOf(level.id);
        if (stars > 0) {
            entry.remark = QString(stars, u'★') + QString(3 - stars, u'☆');
            entry.mark = stars == 3 ? LessonMark::Right : LessonMark::Wrong;
        }
        face.entries.push_back(std::move(entry));
    }
    page_->setFace(std::move(face));
}

void PuzzleController::readProgress() {
    keeps_progress_ = true;
    progress_ = {};
    try {
        progress_ = readPuzzleProgress(progressFile());
    } catch (const SentenceError<>& error) {
        QString then;
        try {
            then = tr("All levels start again; the old file is kept as %1.")
                       .arg(QString::fromStdString(setAside(progressFile()).string()));
        } catch (const SentenceError<>&) {
            keeps_progress_ = false;
            then = tr("Solved levels are not saved.");
        }
        shell_.say({error.said, then, {}});
    }
}

void PuzzleController::followGrid() {
    if (trained_ && (&dialog_->level() != level_ || dialog_->grid().schedule().orders != orders_)) {
        trained_.reset();
        waits_ = false;
        dialog_->setComparison({}, {});
    }
    if (!progress_.add(dialog_->level(), dialog_->standing())) return;
    showStars();
    if (!keeps_progress_) return;
    try {
        writePuzzleProgress(progressFile(), progress_);
    } catch (const SentenceError<>& error) {
        shell_.say({error.said, tr("Solved levels are not saved."), {}});
    }
}

void PuzzleController::showStars() {
    std::vector<int> stars;
    for (const PuzzleLevel& level : puzzleLevels()) stars.push_back(progress_.starsOf(level.id));
    dialog_->setStars(stars);
    if (page_->isVisible()) fillPage();
}

void PuzzleController::openGrid(const QString& path) {
    QString why;
    const auto file = openScheduleFile(path, why);
    file ? dialog_->openSchedule(*file) : dialog_->say(why);
}

void PuzzleController::saveGrid(const QString& path) {
    const QByteArray text = QByteArray::fromStdString(toComputeCsv(dialog_->grid().schedule()));
    QSaveFile file(path);
    const bool written = file.open(QIODevice::WriteOnly) && file.write(text) == text.size() && file.commit();
    dialog_->say(written ? tr("Saved as %1.").arg(path)
                         : tr("%1 could not be written: %2.").arg(path, file.errorString()));
}

void PuzzleController::train() {
    if (session_.refusesToControl())
        return dialog_->say(tr("This cannot be trained now: the main window shows the reason."));
    const std::optional<IterationView> before = session_.numbers();
    level_ = &dialog_->level();
    orders_ = dialog_->grid().schedule().orders;
    trained_ = schedules_.runBuilt(dialog_->grid().schedule(),
                                   QStringLiteral("puzzle-") + QString::fromLatin1(level_->id));
    if (!trained_) return dialog_->say(tr("This cannot be trained now: the main window shows the reason."));
    const SessionState state = session_.state();
    if (state == SessionState::Failed || state == SessionState::Disconnected) session_.run();
    seen_ = before && before->config.schedule == trained_->schedule ? before->iteration : -1;
    waits_ = true;
    dialog_->setComparison(
        {}, tr("Training with this schedule; its iteration appears here once it is complete."));
}

// Each complete iteration of what was built, once.
void PuzzleController::followTraining() {
    if (!trained_) return;
    const std::optional<IterationView> ran = session_.numbers();
    if (!ran || !ran->report || ran->ran->empty() || ran->config.schedule != trained_->schedule) return;
    if (ran->iteration == seen_) return;
    seen_ = ran->iteration;
    waits_ = false;
    RunConfig textbook = ran->config;
    textbook.schedule = level_->textbook;
    const bool has_book = session_.problemsOf(textbook).empty();
    const auto planned = [this](const RunConfig& config) {
        IterationView view = session_.planOf(config);
        view.alternative = true;
        return view;
    };
    std::vector<IterationView> views{planned(ran->config), *ran};
    if (has_book) views.push_back(planned(textbook));
    const auto share = [](const IterationView& view) { return shareText(view.plan_summary.bubble_of_total); };
    dialog_->setComparison(
        views,
        tr("Trained, iteration %1: bubble %2. Planned with the durations of that run: %3; the textbook's %4: %5.")
            .arg(ran->number())
            .arg(shareText(ran->report->bubble_of_total), share(views.front()),
                 scheduleTitle(textbook.schedule), has_book ? share(views.back()) : tr("cannot run here")));
}

}  // namespace bscope::ui
