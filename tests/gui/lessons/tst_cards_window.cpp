// Interview cards and the quiz in the window, by keyboard alone: turning, answering, being shown what a card
// says, what is kept of it, a file that is broken; the quiz to its outcome.
#include <QFile>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QWindow>
#include <filesystem>

#include "app/lessons/cards_controller.h"
#include "app/lessons/lesson_controller.h"
#include "opened_window.h"
#include "registered_test.h"

namespace tst_cards_window {

using namespace bscope;
using namespace bscope::ui;

class TestCardsWindow : public QObject {
    Q_OBJECT
    LessonBook book_ = LessonBook::embedded();

    // As a person: the key goes to whatever has the focus in the window that is active.
    static void press(QWidget* window, Qt::Key key) {
        REQUIRE_SOON(QGuiApplication::focusWindow() == window->windowHandle());
        QTest::keyClick(window->windowHandle(), key);
    }
    static QString plain(QString text) { return text.replace(QChar(QChar::Nbsp), u' '); }
    static void removeBoxes() {
        std::filesystem::path aside = CardsController::boxesFile();
        aside += ".unreadable";
        std::filesystem::remove(CardsController::boxesFile());
        std::filesystem::remove(aside);
    }
    static CardsController& controllerOf(MainWindow& window) {
        window.activateWindow();
        REQUIRE(QTest::qWaitForWindowActive(&window));
        return part<CardsController>(window);
    }

private slots:
    void initTestCase() { OpenedWindow::useBuiltEngine(); }
    void init() { removeBoxes(); }
    void cleanupTestCase() { removeBoxes(); }

    void cardsAreTurnedAndAnswered() {
        OpenedWindow opened(book_);
        CardsController& controller = controllerOf(opened.window);
        QTest::keyClick(&canvasOf(opened.window), Qt::Key_I);
        CardDialog* dialog = controller.cardDialog();
        QVERIFY(dialog != nullptr && dialog->isVisible());
        QVERIFY(QTest::qWaitForWindowActive(dialog));
        QVERIFY(!dialog->isTurned());
        QVERIFY2(!plain(dialog->shownText()).contains("37.5"),
                 "the answer is seen before the card is turned");
        press(dialog, Qt::Key_1);  // not before the card is turned
        QVERIFY(!std::filesystem::exists(CardsController::boxesFile()));
        press(dialog, Qt::Key_Space);
        QVERIFY(dialog->isTurned());
        const QString numbers = QStringLiteral("37.5 % of ideal, 27.3 % of total");
        QVERIFY2(plain(dialog->shownText()).contains(numbers), qPrintable(plain(dialog->shownText())));
        press(dialog, Qt::Key_2);  // not known: it comes again after five others
        for (int i = 0; i < 5; ++i) {
            press(dialog, Qt::Key_Space);
            press(dialog, Qt::Key_1);
        }
        press(dialog, Qt::Key_Space);
        QVERIFY2(plain(dialog->shownText()).contains(numbers), qPrintable(plain(dialog->shownText())));
        for (int i = 0; i < 100 && !dialog->isFinished(); ++i) {
            if (!dialog->isTurned()) press(dialog, Qt::Key_Space);
            press(dialog, Qt::Key_1);
        }
        QVERIFY(dialog->isFinished());
        const CardBoxes kept = readCardBoxes(CardsController::boxesFile());
        QCOMPARE(kept.session, 1);
        QCOMPARE(kept.of("Q01"), 1);
        QCOMPARE(kept.of("Q20"), 2);
        press(dialog, Qt::Key_Escape);
        QTRY_VERIFY(controller.cardDialog() == nullptr);
    }

    // The card is about what the controls show.
    void numbersFollowTheConfiguration() {
        OpenedWindow opened(book_);
        CardsController& controller = controllerOf(opened.window);
        RunConfig config;
        config.params.p = 2;
        config.params.m = 3;
        part<Session>(opened.window).edit(config);
        controller.openCards();
        press(controller.cardDialog(), Qt::Key_Space);
        QVERIFY2(plain(controller.cardDialog()->shownText()).contains("33.3 % of ideal, 25.0 % of total"),
                 qPrintable(plain(controller.cardDialog()->shownText())));
    }

    void whatACardSaysIsShown() {
        OpenedWindow opened(book_);
        CardsController& controller = controllerOf(opened.window);
        ControlBar& bar = part<ControlBar>(opened.window);
        bar.chooseSchedule(QStringLiteral("gpipe"));
        controller.openCards();
        press(controller.cardDialog(), Qt::Key_S);  // not before it is turned
        QCOMPARE(bar.edited().schedule, std::string("gpipe"));
        press(controller.cardDialog(), Qt::Key_Space);
        press(controller.cardDialog(), Qt::Key_S);
        GanttView& canvas = canvasOf(opened.window);
        QTRY_VERIFY(canvas.state().gap().has_value());  // the card about the bubble shows a gap
        QCOMPARE(canvas.views().front().config.schedule, std::string("1f1b"));
        QCOMPARE(bar.edited().schedule, std::string("gpipe"));  // what is wanted stays
        QVERIFY(!part<Session>(opened.window).pending());
        QVERIFY(controller.cardDialog() != nullptr && controller.cardDialog()->isVisible());
        QVERIFY(controller.cardDialog()->isTurned());
        const auto chips = canvas.titleChips();
        const auto plan = std::ranges::find_if(
            chips, [](const Button* each) { return each->text().contains("the plan of 1F1B"); });
        QVERIFY(plan != chips.end());
        QTest::mouseClick(*plan, Qt::LeftButton);
        QTRY_COMPARE(canvas.views().front().config.schedule, std::string("gpipe"));
    }

    // What a card lights up is seen beside it; S brings the card back. The screen of these tests is 800 high.
    void shownIsSeenBesideTheCard() {
        OpenedWindow opened(book_);
        CardsController& controller = controllerOf(opened.window);
        for (const QSize size : {QSize(1024, 700), QSize(1280, 760)}) {
            opened.window.resize(size);
            controller.openCards();
            CardDialog& dialog = *controller.cardDialog();
            press(&dialog, Qt::Key_Space);
            const QSize whole = dialog.size();
            press(&dialog, Qt::Key_S);
            QVERIFY(dialog.isFolded() && !dialog.shownText().isEmpty());
            GanttView& canvas = canvasOf(opened.window);
            QTRY_VERIFY(canvas.state().gap().has_value());
            QCoreApplication::processEvents();
            for (const auto& lane : canvas.picture().layout.groups.front()) {
                const QRect box = lane.box.toAlignedRect();
                const QRect seen(canvas.mapToGlobal(box.topLeft()), box.size());
                QVERIFY2(!seen.intersects(dialog.frameGeometry()),
                         qPrintable(QStringLiteral("%1 px wide").arg(size.width())));
            }
            press(&dialog, Qt::Key_S);
            QVERIFY(!dialog.isFolded() && dialog.isTurned());
            QCOMPARE(dialog.size(), whole);
            dialog.close();
            QTRY_VERIFY(controller.cardDialog() == nullptr);
        }
    }

    // Every line of the list opens the card that it names, face down, also while some cards of the hour are
    // being asked; and Show me lights on its schedule what that card is about.
    void aCardOfTheListIsTheOneThatOpens() {
        OpenedWindow opened(book_);
        CardsController& controller = controllerOf(opened.window);
        const auto all = bscope::cards();
        controller.openCardsOf({all[0].id, all[1].id});
        opened.window.showView(MainView::Lessons);
        LearningPlace& place = *part<LessonController>(opened.window).side();
        QTest::mouseClick(place.tabs()->segment(1), Qt::LeftButton);
        PracticePage& page = *controller.cardsPage();
        QCOMPARE(static_cast<std::size_t>(page.count()), all.size());
        for (std::size_t i = all.size(); i-- > 0;) {
            const Card& card = all[i];
            page.card(static_cast<int>(i))->click();
            CardDialog* const dialog = controller.cardDialog();
            QVERIFY(dialog != nullptr && dialog->isVisible() && !dialog->isTurned());
            QVERIFY2(
                dialog->shownText().contains(QString::fromStdString(card.question.in(Language::English))),
                qPrintable(dialog->shownText()));
            press(dialog, Qt::Key_Space);
            QVERIFY(dialog->isTurned());
            if (card.show.light.empty()) continue;
            GanttView& canvas = canvasOf(opened.window);
            ViewState& state = canvas.state();
            state.select(std::nullopt);
            Layers layers = state.layers();
            layers.memory = false;
            state.setLayers(layers);
            press(dialog, Qt::Key_S);
            const QByteArray name = QByteArray::fromStdString(card.id + ", " + card.show.light);
            if (!card.show.schedule.empty())
                QVERIFY2(canvas.views().front().config.schedule == card.show.schedule, name);
            QVERIFY2(state.gap().has_value() == (card.show.light == "gap"), name);
            QVERIFY2(state.selection().has_value() == (card.show.light == "microbatch"), name);
            QVERIFY2(state.layers().memory == (card.show.light == "memory"), name);
            if (const auto gap = state.gap()) {  // no other of the picture is longer
                const PreparedView& shown = canvas.picture().groups.front();
                const auto length = [](const IdlePeriod& each) { return each.end_ns - each.start_ns; };
                std::int64_t longest = 0, chosen = 0;
                for (int rank = 0; rank < shown.lanes(); ++rank)
                    for (const IdlePeriod& each : shown.lane(rank).idle) {
                        longest = std::max(longest, length(each));
                        if (rank == gap->rank && each.start_ns == gap->start_ns) chosen = length(each);
                    }
                QVERIFY2(chosen > 0 && chosen == longest, name);
            }
            QVERIFY(controller.cardDialog() == dialog && dialog->isTurned());
        }
    }

    // A run that goes on does not take away what a card shows of it.
    void runGoesOnBesideWhatIsShown() {
        OpenedWindow opened(book_);
        CardsController& controller = controllerOf(opened.window);
        Session& session = part<Session>(opened.window);
        session.edit(smallRun());
        session.run();
        QTRY_VERIFY_WITH_TIMEOUT(session.history().newestComplete() >= 0, kEngineMs);
        controller.openCards();
        press(controller.cardDialog(), Qt::Key_Space);
        press(controller.cardDialog(), Qt::Key_S);
        ViewState& state = canvasOf(opened.window).state();
        QTRY_VERIFY_WITH_TIMEOUT(state.gap().has_value(), kEngineMs);
        const int shown = session.shownIteration();
        QTRY_VERIFY_WITH_TIMEOUT(session.history().newestComplete() > shown + 1, kEngineMs);
        QVERIFY(state.gap().has_value());
        QCOMPARE(session.shownIteration(), shown);
    }

    void brokenFileIsSetAside() {
        std::filesystem::create_directories(CardsController::boxesFile().parent_path());
        QFile file(QString::fromStdString(CardsController::boxesFile().string()));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{\"session\": 2, \"boxes\": {\"Q01\": 7}}");
        file.close();
        OpenedWindow opened(book_);
        CardsController& controller = controllerOf(opened.window);
        controller.openCards();
        FailureBar& bar = part<FailureBar>(opened.window);
        QVERIFY(bar.isVisible());
        QVERIFY(QFile::exists(file.fileName() + ".unreadable") && !file.exists());
        press(controller.cardDialog(), Qt::Key_Space);
        press(controller.cardDialog(), Qt::Key_1);
        QCOMPARE(readCardBoxes(CardsController::boxesFile()).of("Q01"), 2);
    }

    void quizIsTakenByKeys() {
        OpenedWindow opened(book_);
        CardsController& controller = controllerOf(opened.window);
        QTest::keyClick(&canvasOf(opened.window), Qt::Key_I, Qt::ShiftModifier);
        QuizDialog* dialog = controller.quizDialog();
        QVERIFY(dialog != nullptr && dialog->isVisible());
        controller.beginQuiz(7);
        const std::vector<QuizQuestion> questions = makeQuiz(7);
        for (std::size_t i = 0; i < questions.size(); ++i) {
            press(dialog, Qt::Key_Return);  // nothing goes on before an answer
            for (const ChoiceCard* each : dialog->choices()) QVERIFY(!each->isChecked());
            QCOMPARE(plain(dialog->question()),
                     QString::fromStdString(say(questions[i].text, Language::English)));
            const bool wrong = i == 0;
            const std::size_t option = wrong ? (questions[i].right + 1) % 3 : questions[i].right;
            press(dialog, static_cast<Qt::Key>(Qt::Key_1 + static_cast<int>(option)));
            QCOMPARE(dialog->choices()[questions[i].right]->verdict(), ChoiceCard::Verdict::Right);
            if (wrong) {
                QCOMPARE(dialog->choices()[option]->verdict(), ChoiceCard::Verdict::Wrong);
                QVERIFY(plain(dialog->verdict())
                            .contains(QString::fromStdString(
                                say(questions[i].options[option].mistake, Language::English))));
            }
            QVERIFY(!dialog->grids().isVisible());
            press(dialog, Qt::Key_S);
            QVERIFY(dialog->showsGrids() && dialog->grids().isVisible() &&
                    !dialog->choices()[0]->isVisible());
            const auto pictures = quizPictures(questions[i], static_cast<int>(option));
            QCOMPARE(dialog->grids().titles().size(), static_cast<qsizetype>(pictures.size()));
            for (std::size_t k = 0; k < pictures.size(); ++k) {
                QCOMPARE(plain(dialog->grids().titles()[static_cast<qsizetype>(k)]),
                         QString::fromStdString(say(pictures[k].title, Language::English)));
                const GridModel& model = *dialog->grids().grids()[k]->model();
                QCOMPARE(model.as_written, !pictures[k].played);
                if (!pictures[k].played) continue;
                std::size_t cells = 0, boxes = 0;
                for (const auto& row : model.rows) cells += row.size();
                for (int rank = 0; rank < pictures[k].played->ranks(); ++rank)
                    boxes += pictures[k].played->compute(rank).size();
                QCOMPARE(cells, boxes);
            }
            QScrollBar& bar = *dialog->grids().grids()[0]->horizontalScrollBar();
            constexpr int kBeside = 48;
            QVERIFY2(bar.maximum() == 0 || dialog->width() == opened.window.width() - kBeside,
                     qPrintable(QString::number(dialog->width())));
            press(dialog, Qt::Key_Right);
            QCOMPARE(bar.value() > 0, bar.maximum() > 0);
            press(dialog, Qt::Key_Left);
            QCOMPARE(bar.value(), 0);
            press(dialog, Qt::Key_S);
            QVERIFY(!dialog->showsGrids() && dialog->choices()[0]->isVisible());
            press(dialog,
                  static_cast<Qt::Key>(Qt::Key_1 + static_cast<int>((option + 1) % 3)));  // shown already
            QCOMPARE(dialog->choices()[questions[i].right]->verdict(), ChoiceCard::Verdict::Right);
            press(dialog, Qt::Key_Return);
        }
        QVERIFY(dialog->hasOutcome());
        QCOMPARE(plain(dialog->question()), QStringLiteral("9 of 10 right"));
        QVERIFY(!dialog->lessonLinks().empty());
        press(dialog, Qt::Key_Return);  // another one
        QVERIFY(!dialog->hasOutcome());
    }

    // Both grids of eight ranks are in sight without scrolling.
    void gridsOfEightRanksFit() {
        OpenedWindow opened(book_);
        opened.window.resize(1280, 800);
        CardsController& controller = controllerOf(opened.window);
        controller.openQuiz();
        QuizDialog& dialog = *controller.quizDialog();
        int seen = 0;
        for (std::uint32_t seed = 1; seed < 200 && seen < 3; ++seed) {
            const QuizQuestion question = makeQuiz(seed).front();
            const std::size_t option = (question.right + 1) % question.options.size();
            const auto pictures = quizPictures(question, static_cast<int>(option));
            if (pictures.size() < 2 || !std::ranges::all_of(pictures, [](const QuizPicture& each) {
                    return each.played && each.played->ranks() == 8;
                }))
                continue;
            ++seen;
            controller.beginQuiz(seed);
            press(&dialog, static_cast<Qt::Key>(Qt::Key_1 + static_cast<int>(option)));
            press(&dialog, Qt::Key_S);
            QCoreApplication::processEvents();
            QVERIFY(dialog.showsGrids());
            const QScrollBar& bar = *dialog.findChild<QScrollArea*>()->verticalScrollBar();
            QVERIFY2(bar.maximum() == 0,
                     qPrintable(QStringLiteral("seed %1: %2 px").arg(seed).arg(bar.maximum())));
            press(&dialog, Qt::Key_S);
            QVERIFY(dialog.height() < opened.window.height() - 200);
        }
        QCOMPARE(seen, 3);
    }

    // A minute a question: what is read of an answer, and a quiz that is left, use nothing of it.
    void quizHasAMinuteAQuestion() {
        OpenedWindow opened(book_);
        CardsController& controller = controllerOf(opened.window);
        controller.openQuiz();
        controller.beginQuiz(7);
        const std::vector<QuizQuestion> questions = makeQuiz(7);
        Countdown& time = controller.quizTime();
        QCOMPARE(time.limit_s(), 600);
        QVERIFY(time.running());
        time.pass(31);
        QVERIFY2(controller.quizDialog()->place().contains("9:29"),
                 qPrintable(controller.quizDialog()->place()));
        press(controller.quizDialog(), static_cast<Qt::Key>(Qt::Key_1 + questions[0].right));
        QVERIFY(!time.running());
        time.pass(500);
        QCOMPARE(time.used_s(), 31);
        press(controller.quizDialog(), Qt::Key_Return);
        QVERIFY(time.running());
        press(controller.quizDialog(), Qt::Key_Escape);
        QTRY_VERIFY(controller.quizDialog() == nullptr);
        QVERIFY(!time.running());
        controller.openQuiz();  // the same question, with the time that is left
        QuizDialog* dialog = controller.quizDialog();
        QCOMPARE(time.used_s(), 31);
        QVERIFY(time.running());
        time.pass(568);
        QVERIFY(dialog->place().contains("0:01") && !dialog->hasOutcome());
        time.pass(1);
        QVERIFY(dialog->hasOutcome() && !time.running());
        QCOMPARE(plain(dialog->question()), QStringLiteral("1 of 10 right"));
        QVERIFY2(dialog->place().contains("time is up after 10:00: 1 of 10 answered"),
                 qPrintable(dialog->place()));
        press(dialog, Qt::Key_Return);  // another one has its time
        QVERIFY(time.running());
        QCOMPARE(time.left_s(), 600);
        press(dialog, Qt::Key_T);
        QVERIFY(!time.running());
        for (const QuizQuestion& question : makeQuiz(8)) {
            press(dialog, static_cast<Qt::Key>(Qt::Key_1 + question.right));
            press(dialog, Qt::Key_Return);
            QVERIFY(!time.running());
        }
        QCOMPARE(plain(dialog->question()), QStringLiteral("10 of 10 right"));
        QCOMPARE(plain(dialog->place()), QStringLiteral("Quiz 8"));
    }

    void everyLessonOfCardsAndQuizExists() {
        for (const Card& card : cards())
            QVERIFY2(book_.find(QString::fromStdString(card.show.lesson)) != nullptr,
                     card.show.lesson.c_str());
        for (const Misconception& each : misconceptions())
            QVERIFY2(book_.find(QString::fromUtf8(each.lesson)) != nullptr, each.lesson);
    }
};

BUBBLESCOPE_WINDOW_TEST(TestCardsWindow)

}  // namespace tst_cards_window

#include "required.h"
#include "tst_cards_window.moc"
