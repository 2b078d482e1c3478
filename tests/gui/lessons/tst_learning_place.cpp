// Lessons, cards, quiz and puzzle beside each other in the window; and the interview hour: its steps one
// after the other, a clock that can be paused, and that a later window stands where one was.
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QWindow>

#include "app/lessons/cards_controller.h"
#include "app/lessons/lesson_controller.h"
#include "app/lessons/puzzle_controller.h"
#include "opened_window.h"
#include "registered_test.h"
#include "watched_window.h"

namespace tst_learning_place {

using namespace bscope;
using namespace bscope::ui;

class TestLearningPlace : public QObject {
    Q_OBJECT
    LessonBook book_ = LessonBook::embedded();
    using Step = InterviewHour::Step;

    // As a person: the key goes to whatever has the focus in the window that is active.
    static void press(QWidget* window, Qt::Key key) {
        REQUIRE_SOON(QGuiApplication::focusWindow() == window->windowHandle());
        QTest::keyClick(window->windowHandle(), key);
    }
    static void removeKept() {
        QFile::remove(LessonProgress::defaultFile());
        std::filesystem::remove(CardsController::boxesFile());
    }

private slots:
    void initTestCase() { OpenedWindow::useBuiltEngine(); }
    void init() { removeKept(); }
    void cleanupTestCase() { removeKept(); }

    void allFourStandSideBySide() {
        OpenedWindow opened(book_);
        opened.window.showView(MainView::Lessons);
        LearningPlace& place = *part<LessonController>(opened.window).side();
        QVERIFY(place.isVisible() && place.tabs()->isVisible());
        QCOMPARE(place.tabs()->count(), 4);
        CardsController& cards = part<CardsController>(opened.window);
        PuzzleController& puzzle = part<PuzzleController>(opened.window);
        PracticePage* const pages[]{cards.cardsPage(), cards.quizPage(), puzzle.page()};
        const std::size_t entries[]{bscope::cards().size(), misconceptions().size(), puzzleLevels().size()};
        for (int tab = 1; tab < 4; ++tab) {
            QTest::mouseClick(place.tabs()->segment(tab), Qt::LeftButton);
            for (int other = 1; other < 4; ++other) QCOMPARE(pages[other - 1]->isVisible(), other == tab);
            QCOMPARE(static_cast<std::size_t>(pages[tab - 1]->count()), entries[tab - 1]);
            QVERIFY(pages[tab - 1]->beginButton()->isVisible());
        }
        // A level opens as it is chosen.
        QTest::mouseClick(place.tabs()->segment(3), Qt::LeftButton);
        puzzle.page()->card(3)->click();
        QVERIFY(puzzle.dialog() && puzzle.dialog()->isVisible());
        QCOMPARE(std::string(puzzle.dialog()->level().id), std::string(puzzleLevels()[3].id));
        puzzle.dialog()->close();
        QTest::mouseClick(place.tabs()->segment(0), Qt::LeftButton);
        QVERIFY(part<LessonController>(opened.window).list().isVisible());
    }

    // A lesson has the side for itself, and the tabs come back after it.
    void aLessonHasTheSide() {
        OpenedWindow opened(book_);
        LessonController& lessons = part<LessonController>(opened.window);
        opened.window.showMe("lesson:how-many-in-flight");
        QVERIFY(lessons.panel().isVisible() && !lessons.side()->tabs()->isVisible());
        emit lessons.panel().walk().leave();
        QVERIFY(lessons.list().isVisible() && lessons.side()->tabs()->isVisible());
    }

    // The list stands beside the run: an iteration that was chosen on the timeline stays, and is not said to
    // be followed.
    void theListSaysWhetherTheRunIsFollowed() {
        WatchedWindow watched(book_);
        watched.attach(wire::RUNNING);
        watched.run(3);
        LessonController& lessons = part<LessonController>(watched.window);
        watched.session().select(0);
        watched.window.showView(MainView::Lessons);
        QVERIFY(!lessons.viewState().follow());
        lessons.viewState().setFollow(true);
        QVERIFY(watched.session().following() && canvasOf(watched.window).state().follow());
    }

    void theHourGoesStepByStep() {
        QTemporaryDir folder;
        const QString file = folder.filePath("progress.json");
        LessonProgress progress(file);
        {
            InterviewHour hour(progress, book_);
            QCOMPARE(hour.steps().size(), std::size_t(7));
            QCOMPARE(hour.cards().size(), std::size_t(12));
            QVERIFY(!hour.begun() && !hour.clock().running());
            QSignalSpy asked(&hour, &InterviewHour::stepAsked);
            hour.finish(hour.steps()[0]);  // it has not begun
            QCOMPARE(hour.done(), 0);
            hour.goOn();
            QCOMPARE(asked.count(), 1);
            QVERIFY(hour.begun() && hour.clock().running());
            hour.setAt(hour.steps()[0]);
            QVERIFY(hour.face(Language::English).here);
            hour.clock().pass(100);
            hour.pauseOrGoOn();
            hour.clock().pass(100);  // paused
            QCOMPARE(hour.clock().used_s(), 100);
            hour.pauseOrGoOn();
            hour.clock().pass(20);
            hour.finish(hour.steps()[3]);  // not its turn
            QCOMPARE(hour.done(), 0);
            hour.finish(hour.steps()[0]);
            QCOMPARE(hour.done(), 1);
            QCOMPARE(hour.face(Language::English).lessons_right, 0);
            progress.add(QString::fromStdString(hour.steps()[0].lesson), 0, true, 9);
            progress.add(QString::fromStdString(hour.steps()[1].lesson), 0, false, 9);
            QCOMPARE(hour.face(Language::English).lessons_right, 1);
            QCOMPARE(hour.face(Language::English).lessons, 5);
            QVERIFY(!hour.face(Language::English).here);
        }
        LessonProgress again(file);
        InterviewHour later(again, book_);
        QVERIFY(later.begun() && !later.clock().running());
        QCOMPARE(later.done(), 1);
        QCOMPARE(later.clock().used_s(), 120);
        QVERIFY(later.face(Language::Chinese).title.contains(QStringLiteral("1F1B")));
        QSignalSpy asked(&later, &InterviewHour::stepAsked);
        for (std::size_t step = 1; step < later.steps().size(); ++step) {
            later.goOn();
            QCOMPARE(asked.takeLast().first().value<Step>(), later.steps()[step]);
            later.finish(later.steps()[step]);
        }
        QCOMPARE(later.done(), 7);
        QVERIFY(!later.clock().running());
        QVERIFY(later.face(Language::English).next.isEmpty());
        later.end();
        QVERIFY(!later.begun());
        QVERIFY(LessonProgress(file).part("interview").isEmpty());
        later.goOn();
        QCOMPARE(later.done(), 0);
    }

    // Begun from its bar it opens the first lesson; finishing that offers the next, and cards are those of
    // the hour.
    void theHourIsTakenInTheWindow() {
        OpenedWindow opened(book_);
        LessonController& lessons = part<LessonController>(opened.window);
        opened.window.showView(MainView::Lessons);
        HourBar& bar = *lessons.side()->hour();
        QVERIFY(!bar.isVisible());
        QTest::mouseClick(lessons.list().paths()->segment(1), Qt::LeftButton);
        QVERIFY(bar.isVisible() && !bar.pauseButton()->isVisible());
        QTest::mouseClick(bar.nextButton(), Qt::LeftButton);
        QVERIFY(lessons.opened() && lessons.opened()->id() == lessons.hour().steps()[0].lesson);
        QVERIFY(bar.isVisible() && !bar.nextButton()->isVisible() && bar.pauseButton()->isVisible());
        LessonWalk& walk = lessons.panel().walk();
        walk.goTo(LessonStep::Guess);
        walk.choose(0);
        while (lessons.opened()) walk.goOn();
        QCOMPARE(lessons.hour().done(), 1);
        QTest::keyClick(bar.nextButton(), Qt::Key_Return);  // on which Finish leaves the focus
        QVERIFY(lessons.opened() && lessons.opened()->id() == lessons.hour().steps()[1].lesson);
        emit walk.leave();
        QVERIFY(bar.nextButton()->isVisible() && lessons.list().isVisible());
        QVERIFY2(bar.placeText().contains("2") && bar.nextButton()->toolTip().contains("1F1B"),
                 qPrintable(bar.nextButton()->text()));
        while (lessons.hour().done() < 5)
            lessons.hour().finish(lessons.hour().steps()[static_cast<std::size_t>(lessons.hour().done())]);
        opened.window.activateWindow();
        QTest::mouseClick(bar.nextButton(), Qt::LeftButton);
        CardsController& cards = part<CardsController>(opened.window);
        QVERIFY(cards.cardDialog() != nullptr);
        const auto is_here = [&] { return lessons.hour().face(Language::English).here; };
        QVERIFY(is_here());
        cards.cardDialog()->close();
        QVERIFY(!is_here());
        QTRY_VERIFY(cards.cardDialog() == nullptr);
        QTest::mouseClick(bar.nextButton(), Qt::LeftButton);
        QVERIFY(cards.cardDialog() != nullptr);
        for (int card = 0; card < 12; ++card) {
            QVERIFY(!cards.cardDialog()->isFinished());
            press(cards.cardDialog(), Qt::Key_Space);
            if (card == 11) opened.window.showView(MainView::Timeline);  // as what it shows does
            press(cards.cardDialog(), Qt::Key_1);
        }
        QVERIFY(cards.cardDialog()->isFinished());
        QCOMPARE(lessons.hour().done(), 6);
        // What comes next is said, and is a key away; where the hour is stands in the window again.
        QCOMPARE(opened.window.view(), MainView::Lessons);
        bool names_next = false;
        for (const Button* button : cards.cardDialog()->findChildren<Button*>())
            names_next = names_next || (button->isVisible() && button->text() == "Next: a quiz  Space");
        QVERIFY(names_next);
        press(cards.cardDialog(), Qt::Key_Space);
        QVERIFY(cards.quizDialog() != nullptr);
        QVERIFY(is_here());
        cards.quizDialog()->close();
        QVERIFY(!is_here());
        lessons.hour().finish(lessons.hour().steps()[6]);
        QVERIFY2(bar.placeText().contains("of 5"), qPrintable(bar.placeText()));
        QTest::mouseClick(bar.endButton(), Qt::LeftButton);
        QVERIFY(!lessons.hour().begun());
    }
};

BUBBLESCOPE_WINDOW_TEST(TestLearningPlace)

}  // namespace tst_learning_place

#include "required.h"
#include "tst_learning_place.moc"
