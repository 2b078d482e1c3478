#include "app/lessons/cards_controller.h"

#include <QRandomGenerator>
#include <QScreen>
#include <QStandardPaths>
#include <algorithm>

#include "analysis/bubble_stack.h"
#include "cards/card_numbers.h"
#include "schedule/formats/csv.h"

namespace bscope::ui {
namespace {

constexpr int kFrame = 4;  // px that a frame may add once it is shown

QString text(const std::string& utf8) {
    return QString::fromStdString(utf8);
}

}  // namespace

CardsController::CardsController(Session& session, const LessonBook& book, Shell& shell,
                                 std::function<void(const QString&)> explain)
    : QObject(shell.widget()),
      session_(session),
      book_(book),
      shell_(shell),
      explain_(std::move(explain)),
      cards_page_(new PracticePage(shell.widget())),
      quiz_page_(new PracticePage(shell.widget())) {
    connect(&quiz_time_, &Countdown::changed, this, &CardsController::showTime);
    connect(&quiz_time_, &Countdown::over, this, [this] {
        question_ = questions_.size();
        showOutcome();
    });
    connect(cards_page_, &PracticePage::begun, this, [this] {
        chosen_.clear();
        openCards();
    });
    connect(cards_page_, &PracticePage::chosen, this,
            [this](const QString& id) { openCard(id.toStdString()); });
    connect(quiz_page_, &PracticePage::begun, this, &CardsController::openQuiz);
    connect(quiz_page_, &PracticePage::chosen, this, [this](const QString& belief) {
        const auto all = misconceptions();
        const auto found = std::ranges::find(all, belief.toStdString(), &Misconception::id);
        if (found != all.end()) shell_.showMe(QStringLiteral("lesson:") + QLatin1String(found->lesson));
    });
    for (PracticePage* page : {cards_page_, quiz_page_}) {
        connect(page, &PracticePage::shown, this, &CardsController::fillPages);
        connect(page, &PracticePage::languageChanged, this, &CardsController::fillPages);
    }
}

// What is known of each card, and what the last quiz showed of each belief.
void CardsController::fillPages() {
    CardBoxes boxes;
    if (deck_) {
        boxes = deck_->boxes();
    } else {
        try {
            boxes = readCardBoxes(boxesFile());
        } catch (const SentenceError<>&) {
            boxes = {};  // said when a session begins
        }
    }
    PracticeFace all{tr("Interview cards"),
                     tr("Answer aloud in half a minute, then turn the card. A card that you know goes one "
                        "box up; those of the last box come least often."),
                     tr("Begin"),
                     tr("Or one of them:"),
                     {}};
    int number = 0;
    for (const Card& card : bscope::cards()) {
        const int box = boxes.of(card.id);
        LessonEntry entry{text(card.id), text(card.id), text(card.question.in(shell_.language())),
                          box == kCardBoxes ? LessonMark::Right : LessonMark::None, ++number};
        if (boxes.box.contains(card.id)) entry.remark = tr("box %1 of %2").arg(box).arg(kCardBoxes);
        all.entries.push_back(std::move(entry));
    }
    cards_page_->setFace(std::move(all));
    PracticeFace beliefs{
        tr("Quiz"),
        tr("Ten questions; every wrong option is a common mistake, which is named when it is chosen."),
        tr("Begin"),
        tr("Common misconceptions, each with the lesson that corrects it:"),
        {}};
    number = 0;
    for (const Misconception& each : misconceptions()) {
        const wire::Scenario* lesson = book_.find(QLatin1String(each.lesson));
        LessonEntry entry{QLatin1String(each.id), text(say(Sentence{each.belief, {}}, shell_.language())),
                          lesson == nullptr ? QString() : textOf(lesson->title(), shell_.language()),
                          LessonMark::None, ++number};
        for (const QuizResult& result : results_)
            if (result.misconception->id == std::string_view(each.id)) {
                entry.remark = tr("%1 of %2").arg(result.avoided).arg(result.offered);
                entry.mark = result.avoided == result.offered ? LessonMark::Right : LessonMark::Wrong;
            }
        beliefs.entries.push_back(std::move(entry));
    }
    quiz_page_->setFace(std::move(beliefs));
}

void CardsController::openCard(const std::string& id) {
    chosen_.clear();
    // Cards of the hour are some of them only.
    if (!deck_ || deck_->finished() || !deck_->ask(id)) {
        begin();
        deck_->ask(id);
    }
    openCards();
    showCard();
    cards_->raise();
    cards_->activateWindow();
}

void CardsController::openCardsOf(const std::vector<std::string>& ids) {
    std::vector<Card> wanted;
    for (const std::string& id : ids)
        for (const Card& card : bscope::cards())
            if (card.id == id) wanted.push_back(card);
    const bool goes_on = deck_ && !deck_->finished() && !chosen_.empty();
    if (!goes_on) {
        deck_.reset();
        chosen_ = std::move(wanted);
        if (cards_) begin();
    }
    openCards();
}

std::filesystem::path CardsController::boxesFile() {
    return (QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QStringLiteral("/cards.json"))
        .toStdString();
}

void CardsController::openCards() {
    if (cards_) return;
    cards_ = new CardDialog(shell_.widget());
    cards_->setAttribute(Qt::WA_DeleteOnClose);
    connect(cards_, &QDialog::finished, this, &CardsController::cardsClosed);
    connect(cards_, &CardDialog::answered, this, &CardsController::answered);
    connect(cards_, &CardDialog::again, this, &CardsController::begin);
    connect(cards_, &CardDialog::nextAsked, this, [this] {
        cards_->close();
        emit nextAsked();
    });
    connect(cards_, &CardDialog::foldedChanged, this, &CardsController::placeCards);
    connect(cards_, &CardDialog::explain, this, explain_);
    connect(cards_, &CardDialog::showMe, this, [this] {
        const CardShow& show = deck_->current().show;
        const std::string schedule = show.schedule.empty() ? session_.inForce().schedule : show.schedule;
        cards_->setFolded(true);
        shell_.showMe(QStringLiteral("schedule:%1#%2").arg(text(schedule), text(show.light)));
    });
    connect(cards_, &CardDialog::openLesson, this, [this] {
        const QString lesson = QStringLiteral("lesson:") + text(deck_->current().show.lesson);
        cards_->close();
        shell_.showMe(lesson);
    });
    if (deck_ && deck_->finished()) chosen_.clear();
    if (!deck_ || deck_->finished())
        begin();
    else
        showCard();  // where one left to be shown something
    cards_->followTheme();
    cards_->show();  // what it shows is looked at beside it
    placeCards();
}

// In the lower right corner of the window; folded in the lower left one, over the iterations: the lanes and
// the numbers of what is shown stay free.
void CardsController::placeCards() {
    const QWidget* window = shell_.widget()->window();
    const QRect room = window->screen()->availableGeometry();
    const QPoint corner =
        window->mapToGlobal(QPoint(cards_->isFolded() ? 0 : window->width(), window->height()));
    const QSize frame = cards_->frameGeometry().size();
    const int right = cards_->isFolded() ? corner.x() + frame.width() : corner.x();
    cards_->move(std::max(room.left(), std::min(right, room.right() - kFrame) - frame.width()),
                 std::max(room.top(), std::min(corner.y(), room.bottom() - kFrame) - frame.height()));
}

void CardsController::begin() {
    CardBoxes boxes;
    keeps_boxes_ = true;
    try {
        boxes = readCardBoxes(boxesFile());
    } catch (const SentenceError<>& error) {
        shell_.say({error.said, whatBecomesOfTheFile(), {}});
    }
    const bool all = chosen_.empty();
    deck_.emplace(all ? bscope::cards() : std::span<const Card>(chosen_), boxes, !all);
    asked_ = deck_->left();
    if (cards_) showCard();
}

// One that cannot be read is out of the way of the next.
QString CardsController::whatBecomesOfTheFile() {
    try {
        return tr("All cards start again in the first box; the old file is kept as %1.")
            .arg(text(setAside(boxesFile()).string()));
    } catch (const SentenceError<>&) {
        keeps_boxes_ = false;
        return tr("Progress with the cards is not saved.");
    }
}

void CardsController::answered(bool knew) {
    deck_->answer(knew);
    if (keeps_boxes_) keepBoxes();
    if (cards_page_->isVisible()) fillPages();
    showCard();
}

void CardsController::keepBoxes() {
    try {
        writeCardBoxes(boxesFile(), deck_->boxes());
    } catch (const SentenceError<>& error) {
        shell_.say({error.said, tr("Progress with the cards is not saved."), {}});
    }
}

void CardsController::showCard() {
    if (!deck_->finished()) return cards_->setCard(face());
    if (!chosen_.empty()) emit cardsOfFinished();
    cards_->setNext(chosen_.empty() ? nullptr : next_);
    cards_->setFinished({deck_->known(), asked_});
}

CardFace CardsController::face() const {
    const Card& card = deck_->current();
    const IterationView shown = session_.shown();
    const auto numbers = session_.numbersOfShown();
    // The run that is open: its configuration, not one that waits or that of the model behind a file, and its
    // numbers, not those of a run before a change.
    CardSubject subject{.config = session_.wanted(), .knows_model = shown.import == nullptr};
    if (!shown.ran->empty() || session_.state() == SessionState::Replaying) subject.config = shown.config;
    if (numbers && numbers->report && numbers->report->isTraced())
        subject.ran = LessonRun{numbers->config, *numbers->report, numbers->ran};
    const FilledCard full = filled(card, subject, shell_.language());
    // A card about chunks speaks of two where the run has one.
    const ScheduleParams& params = subject.config.params;
    return {text(card.id),     text(full.question),
            text(full.answer), text(full.numbers),
            text(full.trap),   text(full.ran),
            deck_->left(),     bubbleStack(card.stack, params.p, std::max(2, params.v), params.m)};
}

void CardsController::openQuiz() {
    constexpr quint32 kSeeds = 100'000;  // few digits: people tell it each other
    if (quiz_) return;
    if (cards_) cards_->close();
    quiz_ = new QuizDialog(shell_.widget());
    quiz_->setAttribute(Qt::WA_DeleteOnClose);
    connectQuiz();
    if (question_ < questions_.size())
        showQuestion();
    else
        beginQuiz(QRandomGenerator::global()->bounded(kSeeds));
    showTime();
    quiz_->followTheme();
    quiz_->open();
}

void CardsController::connectQuiz() {
    connect(quiz_, &QuizDialog::explain, this, explain_);
    connect(quiz_, &QuizDialog::answered, this, [this](int option) {
        answers_[question_] = option;
        quiz_time_.run(false);  // what is read of the answer takes as long as it takes
        showGrids();
    });
    connect(quiz_, &QDialog::finished, this, [this] {
        quiz_time_.run(false);
        emit quizClosed();
    });
    connect(quiz_, &QuizDialog::unlimited, this, [this] {
        quiz_is_limited_ = false;
        quiz_time_.run(false);
        showTime();
    });
    connect(quiz_, &QuizDialog::next, this, [this] {
        if (++question_ < questions_.size())
            showQuestion();
        else
            showOutcome();
    });
    connect(quiz_, &QuizDialog::again, this, [this] {
        constexpr std::uint64_t kNext = 1;
        beginQuiz(seed_ + kNext);
    });
    connect(quiz_, &QuizDialog::showMe, this, [this] {
        const QString schedule = text(questions_[question_].schedule);
        quiz_->close();
        shell_.showMe(QStringLiteral("schedule:%1#gap").arg(schedule));
    });
    connect(quiz_, &QuizDialog::openLesson, this, [this](const QString& id) {
        quiz_->close();
        shell_.showMe(QStringLiteral("lesson:") + id);
    });
}

void CardsController::beginQuiz(std::uint64_t seed) {
    seed_ = seed;
    questions_ = makeQuiz(seed);
    answers_.assign(questions_.size(), -1);
    question_ = 0;
    quiz_time_.setLimit(kSecondsAQuestion * static_cast<int>(questions_.size()));
    showQuestion();
}

void CardsController::showTime() {
    if (quiz_) quiz_->setTime(timeOfQuiz());
}

std::optional<QuizTime> CardsController::timeOfQuiz() const {
    if (!quiz_is_limited_) return std::nullopt;
    return QuizTime{quiz_time_.used_s(), quiz_time_.limit_s()};
}

void CardsController::showQuestion() {
    const QuizQuestion& question = questions_[question_];
    const auto words = [this](const Sentence& sentence) { return text(say(sentence, shell_.language())); };
    QuizPage page{static_cast<int>(question_) + 1,
                  static_cast<int>(questions_.size()),
                  words(question.text),
                  words(question.because),
                  {}};
    for (const QuizOption& option : question.options)
        page.options.push_back(
            {words(option.text), option.mistake.empty() ? QString() : words(option.mistake)});
    quiz_->setQuestion(page, answers_[question_]);
    quiz_time_.run(quiz_is_limited_ && answers_[question_] < 0);
    if (answers_[question_] >= 0) showGrids();
}

// An order that cannot run stands as it is written, with what is broken in it.
void CardsController::showGrids() {
    std::vector<QuizGrid> grids;
    for (const QuizPicture& picture : quizPictures(questions_[question_], answers_[question_])) {
        GridModel model =
            picture.played
                ? gridOf(picture.schedule, *picture.played, picture.step_ns)
                : gridOf(readScheduleFile(toComputeCsv(picture.schedule), "answer", FileForm::Order));
        model.names.clear();  // ranks, in the language of the window
        grids.push_back({text(say(picture.title, shell_.language())),
                         std::make_shared<const GridModel>(std::move(model))});
    }
    quiz_->setGrids(grids);
}

void CardsController::showOutcome() {
    QuizOutcome outcome;
    outcome.right = rightAnswers(questions_, answers_);
    outcome.answered =
        static_cast<int>(std::ranges::count_if(answers_, [](int answer) { return answer >= 0; }));
    outcome.count = static_cast<int>(questions_.size());
    outcome.seed = seed_;
    outcome.time = timeOfQuiz();
    results_ = resultsOf(questions_, answers_);
    for (const QuizResult& result : results_) {
        const QString id = text(result.misconception->lesson);
        const wire::Scenario* lesson = book_.find(id);
        outcome.rows.push_back({text(say(Sentence{result.misconception->belief, {}}, shell_.language())), id,
                                lesson == nullptr ? id : textOf(lesson->title(), shell_.language()),
                                result.avoided, result.offered});
    }
    quiz_->setOutcome(outcome);
    if (quiz_page_->isVisible()) fillPages();
    emit quizFinished();
}

}  // namespace bscope::ui
