#include "app/lessons/lesson_controller.h"

#include <QVBoxLayout>
#include <algorithm>

#include "app/lessons/lesson_curtain.h"
#include "app/lessons/lesson_words.h"
#include "schedule/formats/schedule_file.h"
#include "widgets/schedule/grid_model.h"
#include "wire/convert.h"

namespace bscope::ui {
namespace {

constexpr QSize kRoomyScreen{1280, 720};  // memory curves and text find room on it

}  // namespace

LessonController::LessonController(Session& session, const LessonBook& book, ViewState& timeline,
                                   Shell& shell)
    : QObject(shell.widget()),
      session_(session),
      book_(book),
      shell_(shell),
      runner_(session),
      opening_(this),
      hour_(progress_, book),
      page_(new QWidget(shell.widget())),
      table_(new StepGrid(state_, page_)),
      gantt_(new GanttView(state_, page_)),
      legend_(new LegendBar(state_, page_)),
      marks_(state_, *table_),
      list_(new LessonList(shell.widget())),
      panel_(new LessonPanel(shell.widget())),
      side_(new LearningPlace(list_, panel_, shell.widget())),
      presented_(new PresentedLesson(panel_->walk(), page_)),
      walk_(panel_->walk()) {
    auto* column = new QVBoxLayout(page_);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    table_->setHeightFixedToRows();
    column->addWidget(table_);
    column->addWidget(gantt_, 1);
    table_->hide();
    column->addWidget(legend_);
    column->addWidget(presented_);
    presented_->hide();
    connect(side_->hour(), &HourBar::nextAsked, &hour_, &InterviewHour::goOn);
    connect(side_->hour(), &HourBar::pauseAsked, &hour_, &InterviewHour::pauseOrGoOn);
    connect(side_->hour(), &HourBar::endAsked, &hour_, &InterviewHour::end);
    connect(&hour_, &InterviewHour::changed, this, &LessonController::followHour);
    connect(&hour_, &InterviewHour::stepAsked, this, &LessonController::takeStep);
    connect(list_, &LessonList::pathChosen, this, &LessonController::followHour);
    connect(side_, &LearningPlace::pageChosen, this, &LessonController::followHour);
    connect(list_, &LessonList::openLesson, this, [this](const QString& id) {
        if (const wire::Scenario* lesson = book_.find(id)) open(*lesson);
    });
    connect(&walk_, &LessonWalk::leave, this, &LessonController::showList);
    connect(&walk_, &LessonWalk::finished, this, [this] {
        if (open_) hour_.finish({InterviewHour::Step::Kind::Lesson, open_->id()});
        showList();
        if (hour_.begun()) side_->hour()->nextButton()->setFocus();
    });
    connect(&walk_, &LessonWalk::stepChanged, this, &LessonController::showStep);
    connect(&walk_, &LessonWalk::tryRun, this, &LessonController::runTry);
    connect(&walk_, &LessonWalk::again, this, &LessonController::start);
    connect(&walk_, &LessonWalk::nextMark, this, &LessonController::nextMark);
    connect(&walk_, &LessonWalk::tune, this, [this] {
        const wire::LessonTune& tune = open_->lesson().tune();
        SweepForm form;
        form.values.assign(tune.m().begin(), tune.m().end());
        form.fixed_batch = true;
        form.samples = tune.samples();
        emit tuneAsked(runner_.made().course.configOf(0), form);
    });
    connect(&walk_, &LessonWalk::changeLanguage, this, &LessonController::changeLanguage);
    connect(presented_, &PresentedLesson::left, this, &LessonController::presentationLeft);
    connect(presented_, &PresentedLesson::fitted, this, &LessonController::presentationChanged);
    connect(presented_, &PresentedLesson::memoryToggled, this,
            [this] { gantt_->toggleLayer(&Layers::memory); });
    connect(presented_, &PresentedLesson::blackened, this, [this] {
        connect(new BlackScreen(page_->window()), &QObject::destroyed, this, &LessonController::takeFocus);
    });
    connect(&runner_, &LessonRunner::changed, this, [this] {
        if (trying_ < 0 && runner_.finished()) lesson_runs_ = runner_.made();
        const bool same = open_ && walk_.lesson().id == QString::fromStdString(open_->id());
        if (same && isRevealed() && lesson_runs_) keepGuess();
        if (trying_ >= 0 && runner_.finished())
            try_numbers_[trying_] = runner_.made().course.kept(setName(trying_));
        showRuns();
        showTexts();
        showMark();
        if (open_ && isRevealed()) lightFirst();
    });
    connect(&opening_, &RevealAnimation::changed, this, [this] {
        showPictures();
        lightFirst();
    });
    connect(&session, &Session::shownChanged, this, [this] {
        if ((!open_ || (runner_.ranOn() && isRevealed())) && page_->isVisible()) showSession();
    });
    connect(&timeline, &ViewState::followChanged, this,
            [this, &timeline] { state_.setFollow(timeline.follow()); });
    connect(&state_, &ViewState::followChanged, this,
            [this, &timeline] { timeline.setFollow(state_.follow()); });
    connect(&timeline, &ViewState::presentationChanged, this, [this, &timeline] {
        state_.setBubbleDefinition(timeline.bubbleDefinition());
        state_.setCountFromZero(timeline.countFromZero());
        state_.setTimeUnit(timeline.timeUnit());
    });
}

void LessonController::addActions(WindowActions& actions) {
    const auto lessons = book_.lessons();
    for (std::size_t i = 0; i < lessons.size(); ++i) {
        auto* action = new QAction(this);
        connect(action, &QAction::triggered, this, [this, i] { openAt(static_cast<int>(i)); });
        actions_.push_back(action);
        const int level = lessons[i]->lesson().level();
        const auto known = std::ranges::find(levels_, level, &LevelMenu::level);
        if (known != levels_.end()) {
            known->menu->addAction(action);
            continue;
        }
        // By levels: all in one would be taller than a small screen.
        levels_.push_back({level, actions.menu(MenuName::Lessons)->addMenu(QString())});
        levels_.back().menu->addAction(action);
    }
    actions.addSeparator(MenuName::Lessons);
    actions.add(MenuName::Lessons, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "Interview &hour"), {},
                [this] {
                    shell_.showView(MainView::Lessons);
                    hour_.goOn();
                });
    actions.add(MenuName::Lessons, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&Forget progress"), {},
                [this] {
                    hour_.forget();
                    const QString trouble = progress_.forget();
                    if (!trouble.isEmpty()) shell_.showBriefly(tr("Progress was not saved: %1").arg(trouble));
                    retranslate();
                });
}

void LessonController::retranslate() {
    const auto lessons = book_.lessons();
    std::vector<LessonEntry> entries;
    for (const LevelMenu& each : levels_) each.menu->setTitle(levelName(each.level));
    for (std::size_t i = 0; i < lessons.size(); ++i) {
        const wire::Scenario& lesson = *lessons[i];
        const QString title = textOf(lesson.title(), shell_.language());
        actions_[i]->setText(QStringLiteral("%1  %2").arg(i + 1).arg(title));
        const QString id = QString::fromStdString(lesson.id());
        QStringList names{textOf(lesson.title(), Language::English),
                          textOf(lesson.title(), Language::Chinese), id};
        for (const std::string& tag : lesson.lesson().tags()) names << QString::fromStdString(tag);
        actions_[i]->setProperty(kFurtherNames, names);
        LessonEntry entry{id,
                          title,
                          textOf(lesson.lesson().question(), shell_.language()),
                          progress_.markOf(id),
                          static_cast<int>(i) + 1,
                          levelName(lesson.lesson().level())};
        entry.minutes = lesson.lesson().minutes();
        for (const std::string& before : lesson.lesson().after())
            entry.after.push_back(book_.numberOf(before));
        entries.push_back(std::move(entry));
    }
    list_->setPaths(lessonPaths(book_, shell_.language()));
    list_->setLessons(std::move(entries));
    followHour();
    showTexts();
    marks_.again(marksNow(), gantt_->picture(), shell_.language());
    showMark();
}

// Once it has begun it stands below whatever is open; before, beside its path.
void LessonController::followHour() {
    const LessonPath* path = list_->chosenPath();
    const bool offered = !open_ && side_->page() == LearningPlace::Page::Lessons && path != nullptr &&
                         path->id == QLatin1String("interview");
    side_->hour()->setFace(hour_.face(shell_.language()));
    side_->hour()->setVisible(hour_.begun() || offered);
    if (const QString trouble = hour_.trouble(); !trouble.isEmpty())
        shell_.showBriefly(tr("Progress was not saved: %1").arg(trouble));
}

void LessonController::takeStep(const InterviewHour::Step& step) {
    switch (step.kind) {
        case InterviewHour::Step::Kind::Lesson:
            if (const wire::Scenario* lesson = book_.find(QString::fromStdString(step.lesson))) open(*lesson);
            return;
        case InterviewHour::Step::Kind::Cards:
            if (open_) showList();
            emit cardsAsked(hour_.cards());
            return hour_.setAt(step);
        case InterviewHour::Step::Kind::Quiz:
            if (open_) showList();
            emit quizAsked();
            return hour_.setAt(step);
    }
}

void LessonController::enter() {
    if (!open_)
        showList();
    else
        takeFocus();
}

void LessonController::takeFocus() {
    presents() ? presented_->setFocus() : panel_->setFocus();
}

void LessonController::setPresenting(bool on) {
    presenting_ = on;
    followPresentation();
}

// Pictures without memory curves where the screen is small.
void LessonController::followPresentation() {
    presented_->setVisible(presents());
    emit presentationChanged();
    const bool small =
        page_->window()->width() < kRoomyScreen.width() || page_->window()->height() < kRoomyScreen.height();
    Layers layers = state_.layers();
    if (presents() && !memory_before_) {
        memory_before_ = layers.memory;
        layers.memory = layers.memory && !small;
    } else if (!presents() && memory_before_) {
        layers.memory = *memory_before_;
        memory_before_.reset();
    }
    state_.setLayers(layers);
    if (open_) takeFocus();
}

double LessonController::fittingScale(const std::vector<double>& scales) const {
    const LaneLayout& now = gantt_->picture().layout;
    LayoutRequest request;
    request.width = page_->width();
    request.lanes.clear();
    for (const auto& group : now.groups) request.lanes.push_back(static_cast<int>(group.size()));
    request.memory = state_.layers().memory;
    const int scaled = legend_->height() + (table_->isVisibleTo(page_) ? table_->height() : 0);
    const double per_scale = scaled / currentTheme().scale;
    double least = scales.front();
    for (const double scale : scales) {
        request.scale = least = scale;
        request.height = page_->height() - presented_->height() - per_scale * scale;
        if (LaneLayout::make(request).max_scroll <= 0) break;
    }
    return least;
}

void LessonController::openFirst() {
    openAt(0);
}

void LessonController::openAt(int index) {
    const auto lessons = book_.lessons();
    if (index >= static_cast<int>(lessons.size())) return;
    shell_.showView(MainView::Lessons);
    open(*lessons[static_cast<std::size_t>(index)]);
}

void LessonController::open(const wire::Scenario& scenario) {
    if (session_.refusesToControl()) return;
    if (!courseOf(scenario.lesson().runs())) return;
    open_ = scenario;
    try_numbers_.clear();
    guess_kept_ = false;
    since_open_.start();
    start();
    walk_.setLesson(data());
    side_->showLesson();
    hour_.setAt(InterviewHour::Step{InterviewHour::Step::Kind::Lesson, open_->id()});
    emit settingsTaken(runner_.made().course.configOf(0));
    followPresentation();
}

void LessonController::start() {
    opening_.end();
    trying_ = -1;
    lesson_runs_.reset();
    walk_.setTry(-1);
    state_.select(std::nullopt);
    forgetMark();
    if (auto course = courseOf(open_->lesson().runs())) runner_.start(std::move(*course));
}

// Not before the lesson's own runs are all there.
void LessonController::runTry(int index) {
    if (!lesson_runs_) return;
    auto course = courseOf(open_->lesson().tries(index).runs());
    if (!course) return;
    opening_.end();
    trying_ = index;
    forgetMark();
    try_numbers_.erase(index);
    walk_.setTry(index);
    runner_.start(std::move(*course));
}

// Unknown values are reported, and nothing runs under its name.
std::optional<LessonCourse> LessonController::courseOf(
    const google::protobuf::RepeatedPtrField<wire::LessonRun>& runs) {
    std::vector<CourseRun> course;
    for (const wire::LessonRun& run : runs) {
        CourseRun& made = course.emplace_back(courseRun(run));
        std::vector<Problem> found = overlay(run.config(), made.config);
        if (found.empty()) found = problems(made.config);
        if (found.empty()) continue;
        shell_.showRefusal(run.title(), found);
        return std::nullopt;
    }
    return LessonCourse(std::move(course));
}

void LessonController::showList() {
    leave();
    retranslate();
    side_->showPage(LearningPlace::Page::Lessons);
    list_->setFocus();
    showSession();
}

void LessonController::showSession() {
    IterationView view = session_.shown();
    view.numbers_hidden = open_ && !isRevealed();
    gantt_->setView(view);
    legend_->setGroups(gantt_->picture().groups);
}

void LessonController::leave() {
    if (!open_) return;
    forgetMark();
    open_.reset();
    hour_.setAt(std::nullopt);
    table_->hide();
    emit settingsTaken(std::nullopt);
    runner_.leave();
    followPresentation();
}

std::vector<IterationView> LessonController::views() const {
    return gantt_->views();
}

}  // namespace bscope::ui
