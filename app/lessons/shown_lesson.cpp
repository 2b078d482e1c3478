// The open lesson on the canvas and in the panel: its step, its runs, its table, its marks, its texts.
#include "app/lessons/lesson_controller.h"

#include <utility>

#include "app/lessons/lesson_curtain.h"
#include "app/lessons/lesson_words.h"
#include "schedule/formats/schedule_file.h"
#include "widgets/schedule/grid_model.h"
#include "wire/convert.h"

namespace bscope::ui {

// A step is about the lesson's own runs: they are shown again after others.
void LessonController::showStep() {
    if (open_ && isRevealed()) keepGuess();
    if (!isRevealed()) forgetMark();
    moveCurtain();
    if (open_ && lesson_runs_ && (trying_ >= 0 || (runner_.ranOn() && isRevealed()))) {
        trying_ = -1;
        walk_.setTry(-1);
        runner_.show(*lesson_runs_);
    } else {
        showRuns();
        showTexts();
    }
    lightFirst();
}

// It opens when the reveal is reached and all is there, and is open at once otherwise.
void LessonController::moveCurtain() {
    const bool before = std::exchange(was_revealed_, open_ && isRevealed());
    const bool opens = was_revealed_ && !before && trying_ < 0 && runner_.finished() && !runner_.ranOn();
    if (opens && coversRuns(open_->lesson()) && !session_.reducedMotion())
        opening_.begin();
    else
        opening_.end();
}

void LessonController::keepGuess() {
    const bool waits = walk_.estimate() && !lesson_runs_;  // what the runs say is not known yet
    if (!walk_.hasGuessed() || waits || std::exchange(guess_kept_, true)) return;
    const int guess = walk_.guess();
    bool right = guess >= 0 && open_->lesson().choices(guess).right();
    if (const auto estimate = walk_.estimate())
        right = estimateOf(open_->lesson(), *estimate, numbers(), shell_.language()).right;
    const QString trouble = progress_.add(QString::fromStdString(open_->id()), guess + 1, right,
                                          static_cast<int>(since_open_.elapsed() / 1000));
    if (!trouble.isEmpty()) shell_.showBriefly(tr("Progress was not saved: %1").arg(trouble));
}

void LessonController::showRuns() {
    if (!open_ || !runner_.active()) return;
    showTable();
    const bool shows_session = runner_.ranOn() && isRevealed();
    shows_session ? showSession() : showPictures();
    std::vector<std::size_t> to_fit{table_->isVisibleTo(page_) ? table_->model()->rows.size() : 0};
    for (const auto& group : gantt_->picture().layout.groups) to_fit.push_back(group.size());
    if (std::exchange(to_fit_, to_fit) != to_fit && presents()) emit presentationChanged();
    if (shows_session) return;
    const LessonCourse& course = runner_.made().course;
    walk_.setProgress(
        runner_.finished() ? QString() : tr("iteration %1 of %2").arg(course.done() + 1).arg(course.total()));
}

void LessonController::showPictures() {
    if (!open_ || !runner_.active()) return;
    const wire::Lesson& lesson = open_->lesson();
    std::vector<IterationView> views = runner_.views();
    if (const auto share = opening_.share())
        views = drawnUpTo(lesson, std::move(views), *share);
    else if (trying_ < 0 && !isRevealed())
        views = curtained(lesson, std::move(views));
    gantt_->setStacked(views);
    if (!opening_.share()) legend_->setGroups(gantt_->picture().groups);
}

// A table as it is written; what is wrong with it is marked after the guess.
void LessonController::showTable() {
    const LessonCourse& course = runner_.made().course;
    std::string text;
    for (std::size_t run = 0; run < course.runs(); ++run) text += course.tableOf(run);
    table_->setVisible(!text.empty());
    std::vector<std::pair<GridPlace, Sentence>> broken;
    if (text.empty()) return marks_.setBroken({});
    const ScheduleFile file = readScheduleFile(text, "table", FileForm::TimeTable);
    GridModel model = gridOf(file);
    if (isRevealed()) {
        for (const CellError& error : file.errors)
            if (const auto place = placeOf(model, error)) broken.emplace_back(*place, error.what);
    } else {
        for (std::vector<Sentence>& row : model.missing) row.clear();
        for (auto& row : model.rows)
            for (GridCell& cell : row) cell.errors.clear();
    }
    marks_.setBroken(std::move(broken));
    table_->setModel(std::make_shared<const GridModel>(std::move(model)), false);
}

// Of the lesson's own runs, with their numbers in the words; those of tries have none.
LessonMarks::Marks LessonController::marksNow() const {
    if (!open_ || trying_ >= 0) return {};
    LessonMarks::Marks marks = open_->lesson().marks();
    if (!lesson_runs_) return marks;
    const LessonRuns runs = numbers();
    for (wire::LessonMark& mark : marks)
        for (std::string* words : {mark.mutable_words()->mutable_en(), mark.mutable_words()->mutable_zh()})
            *words = fillNumbers(*words, runs);
    return marks;
}

// While the curtain opens, the first is yet to light up.
void LessonController::nextMark() {
    if (opening_.share()) return opening_.end();
    marks_.next(marksNow(), gantt_->picture(), shell_.language());
    if (presents() && !marks_.words().isEmpty()) shell_.showBriefly(marks_.words());
    showMark();
}

// Once the answer may be seen and nothing moves any more.
void LessonController::lightFirst() {
    const bool shown = open_ && walk_.step() == LessonStep::Reveal && !opening_.share() && trying_ < 0 &&
                       runner_.finished() && lesson_runs_;
    if (shown && marks_.at() < 0) nextMark();
}

void LessonController::forgetMark() {
    marks_.reset();
    showMark();
}

void LessonController::showMark() {
    const bool stands = isRevealed() && lesson_runs_;  // pictures that change have no marks yet
    walk_.setMark(marks_.at(), stands ? marks_.count(marksNow()) : 0, marks_.words());
}

void LessonController::showTexts() {
    if (!open_) return;
    walk_.setLesson(data());
    const auto estimate = walk_.estimate();
    const bool judged = estimate && isRevealed() && lesson_runs_;
    walk_.setEstimate(
        judged ? std::optional(estimateOf(open_->lesson(), *estimate, numbers(), shell_.language()))
               : std::nullopt);
}

// Of the lesson's runs and of the tries that were made; after the guess, of what has run so far.
LessonRuns LessonController::numbers() const {
    LessonRuns made;
    if (lesson_runs_)
        made = lesson_runs_->course.kept();
    else if (isRevealed() && runner_.active())
        made = runner_.numbersSoFar();
    for (const auto& [set, of_set] : try_numbers_) made.insert(of_set.begin(), of_set.end());
    return withAllNames(open_->lesson(), std::move(made));
}

LessonData LessonController::data() const {
    const bool settles = !lesson_runs_ && isRevealed() && runner_.active();
    LessonData data = lessonData(*open_, numbers(), shell_.language(), !settles);
    if (settles) {
        const LessonCourse& course = runner_.made().course;
        data.settling = settlingText(course.done(), course.total(), course.runs(), runner_.predictedRuns());
    }
    data.number = book_.numberOf(open_->id());
    data.builds_on = buildsOnText(book_, open_->lesson(), shell_.language());
    data.count = static_cast<int>(book_.lessons().size());
    return data;
}

QString LessonController::statusNote() const {
    return open_ ? tr("your settings come back after the lesson") : QString();
}

}  // namespace bscope::ui
