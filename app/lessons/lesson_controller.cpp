#include "app/lessons/lesson_controller.h"

#include <QRegularExpression>
#include <QVBoxLayout>
#include <algorithm>
#include <functional>

#include "widgets/text/format.h"
#include "wire/convert.h"

namespace bscope::ui {

namespace {

std::vector<IterationView> hideNumbers(std::vector<IterationView> views) {
    for (IterationView& view : views) view.numbers_hidden = true;
    return views;
}

}  // namespace

LessonController::LessonController(Session& session, const LessonBook& book, const ViewState& timeline,
                                   Shell& shell)
    : QObject(shell.widget()),
      session_(session),
      book_(book),
      shell_(shell),
      runner_(session),
      page_(new QWidget(shell.widget())),
      gantt_(new GanttView(state_, page_)),
      legend_(new LegendBar(state_, page_)),
      side_(new QStackedWidget(shell.widget())),
      list_(new LessonList(side_)),
      panel_(new LessonPanel(side_)) {
    auto* column = new QVBoxLayout(page_);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(gantt_, 1);
    column->addWidget(legend_);
    side_->addWidget(list_);
    side_->addWidget(panel_);
    connect(list_, &LessonList::openLesson, this, [this](const QString& id) {
        if (const wire::Scenario* lesson = book_.find(id)) open(*lesson);
    });
    connect(panel_, &LessonPanel::leave, this, &LessonController::showList);
    connect(panel_, &LessonPanel::finished, this, [this](const QString& id) {
        if (!done_.contains(id)) done_.append(id);
        showList();
    });
    connect(panel_, &LessonPanel::stepChanged, this, &LessonController::showStep);
    connect(panel_, &LessonPanel::tryRun, this, &LessonController::runTry);
    connect(&runner_, &LessonRunner::changed, this, [this] {
        if (!trying_ && runner_.active()) lesson_runs_ = runner_.kept();
        showRuns();
        showTexts();
    });
    connect(&session, &Session::shownChanged, this, [this] {
        if ((!open_ || runner_.ranOn()) && page_->isVisible()) showSession();
    });
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
        actions.addAll(MenuName::Lessons, {action});
    }
}

void LessonController::retranslate() {
    const auto lessons = book_.lessons();
    std::vector<LessonEntry> entries;
    for (std::size_t i = 0; i < lessons.size(); ++i) {
        const wire::Scenario& lesson = *lessons[i];
        const QString title = textOf(lesson.title(), shell_.language());
        actions_[i]->setText(QStringLiteral("%1  %2").arg(i + 1).arg(title));
        const QString id = QString::fromStdString(lesson.id());
        actions_[i]->setProperty(kFurtherNames, QStringList{textOf(lesson.title(), Language::English),
                                                            textOf(lesson.title(), Language::Chinese), id});
        entries.push_back(
            {id, title, textOf(lesson.lesson().question(), shell_.language()), done_.contains(id)});
    }
    list_->setLessons(std::move(entries));
    showTexts();
}

void LessonController::enter() {
    if (!open_)
        showList();
    else
        panel_->setFocus();
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
    std::vector<RunConfig> configs;
    for (const wire::LessonRun& run : scenario.lesson().runs()) {
        const auto config = legalConfig(run);
        if (!config) return;
        configs.push_back(*config);
    }
    open_ = scenario;
    trying_ = false;
    lesson_runs_.assign(configs.size(), std::nullopt);
    lesson_configs_ = configs;
    runner_.start(std::move(configs));
    panel_->setLesson(data());
    side_->setCurrentWidget(panel_);
    emit settingsTaken(true);
    panel_->setFocus();
}

void LessonController::runTry(int index) {
    const auto config = legalConfig(open_->lesson().try_next(index));
    if (!config) return;
    trying_ = true;
    runner_.start({*config});
}

// Unknown values are reported, and nothing runs under its name.
std::optional<RunConfig> LessonController::legalConfig(const wire::LessonRun& run) {
    RunConfig config;
    std::vector<Problem> found = overlay(run.config(), config);
    if (found.empty()) found = problems(config);
    if (found.empty()) return config;
    shell_.sayRefused(run.title(), found);
    return std::nullopt;
}

void LessonController::showList() {
    leave();
    retranslate();
    side_->setCurrentWidget(list_);
    list_->setFocus();
    showSession();
}

void LessonController::showSession() {
    IterationView view = session_.shown();
    view.numbers_hidden = open_ && panel_->numbersHidden();
    gantt_->setView(view);
    legend_->setGroups(gantt_->picture().groups);
}

void LessonController::leave() {
    if (!open_) return;
    open_.reset();
    runner_.leave();
    emit settingsTaken(false);
}

std::vector<IterationView> LessonController::views() const {
    return gantt_->views();
}

// A step is about the lesson's own runs: they are shown again after others.
void LessonController::showStep() {
    if (!open_ || !(trying_ || runner_.ranOn())) return showRuns();
    trying_ = false;
    runner_.start(lesson_configs_, lesson_runs_);
}

void LessonController::showRuns() {
    if (!open_ || !runner_.active()) return;
    if (runner_.ranOn()) return showSession();
    const std::vector<IterationView> views =
        panel_->numbersHidden() && !trying_ ? hideNumbers(runner_.views()) : runner_.views();
    gantt_->setStacked(views);
    legend_->setGroups(gantt_->picture().groups);
    panel_->setProgress(runner_.finished()
                            ? QString()
                            : tr("iteration %1 of %2").arg(runner_.done() + 1).arg(runner_.total()));
}

void LessonController::showTexts() {
    if (open_) panel_->setLesson(data());
}

int LessonController::number() const {
    const auto lessons = book_.lessons();
    const auto at = std::find_if(lessons.begin(), lessons.end(),
                                 [this](const wire::Scenario* each) { return each->id() == open_->id(); });
    return at == lessons.end() ? 0 : static_cast<int>(at - lessons.begin()) + 1;
}

LessonData LessonController::data() const {
    const wire::Lesson& lesson = open_->lesson();
    const auto words = [&](const wire::Text& text) { return textOf(text, shell_.language()); };
    const LessonRuns runs = lessonRuns(lesson_runs_);
    const auto filled = [&](const wire::Text& text) {
        return QString::fromStdString(fillNumbers(words(text).toStdString(), runs));
    };
    LessonData data;
    data.id = QString::fromStdString(open_->id());
    data.number = number();
    data.count = static_cast<int>(book_.lessons().size());
    data.title = words(lesson.title());
    data.story = words(lesson.story());
    data.look = words(lesson.look());
    data.question = words(lesson.question());
    data.reveal = claimsHold(runs)
                      ? filled(lesson.reveal())
                      : tr("The numbers of these runs do not show what this lesson is about: something "
                           "else kept this machine busy meanwhile. Leave the lesson and open it again "
                           "when the machine is quiet; all runs are then made anew.");
    data.follow_up = filled(lesson.follow_up());
    data.interview = words(lesson.interview());
    for (const wire::Choice& choice : lesson.choices())
        data.choices.push_back({words(choice.text()), choice.right(), words(choice.why())});
    for (const wire::LessonRun& run : lesson.try_next()) data.try_next.append(words(run.title()));
    data.comparison = comparison();
    data.source = lesson_runs_.size() == 1 ? tr("numbers of this run's quickest iteration")
                                           : tr("numbers of each run's quickest iteration");
    if (anyDisturbed(runs))
        data.source += QStringLiteral("; ") + tr("something else ran on this machine meanwhile");
    return data;
}

// False only when all numbers are there and one of them belies the text.
bool LessonController::claimsHold(const LessonRuns& runs) const {
    return std::ranges::all_of(open_->lesson().claims(), [&](const std::string& claim) {
        return claimHolds(claim, runs).value_or(true);
    });
}

// Micro-batches in flight on each rank, when the runs have the same ranks and differ in them.
std::optional<LessonComparison> LessonController::comparison() const {
    LessonComparison table;
    table.title = tr("In flight, most at one time");
    bool differs = false;
    std::size_t ranks = 0;
    for (std::size_t r = 0; r < lesson_runs_.size(); ++r) {
        if (!lesson_runs_[r] || !lesson_runs_[r]->report) return std::nullopt;
        const IterationReport& report = *lesson_runs_[r]->report;
        if (r > 0 && report.ranks.size() != ranks) return std::nullopt;
        ranks = report.ranks.size();
        const QString title = textOf(open_->lesson().runs(static_cast<int>(r)).title(), shell_.language());
        table.columns.append(title.section(QRegularExpression(QStringLiteral("[:：]")), 0, 0));
    }
    for (std::size_t rank = 0; rank < ranks; ++rank) {
        LessonComparison::Row row{rankText(static_cast<int>(rank), lesson_runs_.front()->ranksAreGpus()), {}};
        for (const auto& run : lesson_runs_) row.values.push_back(run->report->ranks[rank].peak_in_flight);
        differs = differs || std::adjacent_find(row.values.begin(), row.values.end(),
                                                std::not_equal_to<>()) != row.values.end();
        table.rows.push_back(std::move(row));
    }
    return differs ? std::optional(table) : std::nullopt;
}

QString LessonController::statusNote() const {
    return open_ ? tr("your settings come back after the lesson") : QString();
}

}  // namespace bscope::ui
