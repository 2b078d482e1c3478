// The puzzle in the window by keyboard alone: placing, refusals with their arrow, undo, hints; stars that are
// kept; files; and that training runs the very order that was built.
#include <QScrollBar>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "app/lessons/puzzle_controller.h"
#include "opened_window.h"
#include "registered_test.h"

namespace tst_puzzle_window {

using namespace bscope;
using namespace bscope::ui;

class TestPuzzleWindow : public QObject {
    Q_OBJECT
    LessonBook book_ = LessonBook::embedded();

    static void removeProgress() { std::filesystem::remove(PuzzleController::progressFile()); }
    static PuzzleDialog* opened(OpenedWindow& opened) {
        part<PuzzleController>(opened.window).open();
        PuzzleDialog* dialog = part<PuzzleController>(opened.window).dialog();
        REQUIRE(QTest::qWaitForWindowExposed(dialog));
        dialog->board().setFocus();
        return dialog;
    }
    // 1F1B of two ranks and two micro-batches.
    static void buildTheBest(PuzzleDialog& dialog) {
        PuzzleBoard& board = dialog.board();
        QTest::keyClicks(&board, "ff");
        QTest::keyClick(&board, Qt::Key_Down);
        QTest::keyClick(&board, Qt::Key_End);
        QTest::keyClicks(&board, "fbfb");
        QTest::keyClick(&board, Qt::Key_Up);
        QTest::keyClick(&board, Qt::Key_End);
        QTest::keyClicks(&board, "bb");
    }

private slots:
    void initTestCase() { OpenedWindow::useBuiltEngine(); }
    void init() { removeProgress(); }
    void cleanupTestCase() { removeProgress(); }

    void aLevelIsSolvedByKeys() {
        OpenedWindow window(book_);
        PuzzleDialog* dialog = opened(window);
        dialog->levels().setCurrentRow(1);
        QCOMPARE(std::string(dialog->level().id), std::string("two-ranks"));
        PuzzleBoard& board = dialog->board();
        QTest::keyClick(&board, Qt::Key_Down);
        QTest::keyClicks(&board, "f");
        QCOMPARE(dialog->message(), QString("1F1 on rank 1 needs 0F1 of rank 0, which is not placed"));
        QVERIFY(!board.arrowFrom().isEmpty());
        QTest::keyClick(&board, Qt::Key_Up);
        QVERIFY(board.arrowFrom().isEmpty());
        buildTheBest(*dialog);
        QVERIFY(dialog->standing().isComplete());
        QCOMPARE(dialog->standing().stars, 3);
        QCOMPARE(dialog->standing().steps, 9);
        QVERIFY(dialog->levels().item(1)->text().startsWith(QString(3, u'★')));
        QCOMPARE(readPuzzleProgress(PuzzleController::progressFile()).starsOf("two-ranks"), 3);

        QTest::keyClick(&board, Qt::Key_Delete);  // the caret is at the end
        QVERIFY(dialog->standing().isComplete());
        QTest::keyClick(&board, Qt::Key_Backspace);
        QCOMPARE(dialog->standing().missing, 1);
        QTest::keyClick(&board, Qt::Key_Home);
        QTest::keyClick(&board, Qt::Key_Delete);
        QVERIFY(dialog->message().startsWith("0F1 cannot be removed"));
        dialog->levels().setCurrentRow(0);
        dialog->levels().setCurrentRow(1);
        QCOMPARE(dialog->standing().missing, 1);  // as it was left
    }

    // Micro-batches are counted as in the window, and the grid has the room that is there.
    void theGridFillsItsWindowAndCountsAsTheWindowDoes() {
        OpenedWindow window(book_);
        PuzzleDialog* dialog = opened(window);
        dialog->resize(1400, 800);  // room for the longest level
        for (int level = 0; level < dialog->levels().count(); ++level) {
            dialog->levels().setCurrentRow(level);
            QTRY_COMPARE(dialog->board().horizontalScrollBar()->maximum(), 0);
            QCOMPARE(dialog->board().verticalScrollBar()->maximum(), 0);
            QVERIFY2(dialog->board().cellRect({0, -1}).height() > 30,
                     qPrintable(QString::number(dialog->board().cellRect({0, -1}).height())));
        }
        dialog->levels().setCurrentRow(1);
        QCOMPARE(dialog->tray().chips()[0].text, QString("F1"));
        canvasOf(window.window).state().setCountFromZero(true);
        QCOMPARE(dialog->tray().chips()[0].text, QString("F0"));
        canvasOf(window.window).state().setCountFromZero(false);
        QCOMPARE(dialog->tray().chips()[0].text, QString("F1"));
    }

    void operationsAreMovedAndPlacedFromTheTray() {
        OpenedWindow window(book_);
        PuzzleDialog* dialog = opened(window);
        dialog->levels().setCurrentRow(1);
        PuzzleTray& tray = dialog->tray();
        QCOMPARE(tray.chips().size(), std::size_t(4));
        QVERIFY(tray.chips()[0].possible && !tray.chips()[2].possible);
        tray.setFocus();
        QTest::keyClick(&tray, Qt::Key_Right);
        QTest::keyClick(&tray, Qt::Key_Return);
        QCOMPARE(toText(dialog->grid().order(0)[0]), std::string("0F1"));
        QTest::mouseClick(&tray, Qt::LeftButton, {}, tray.chipRect(0).center().toPoint());
        QCOMPARE(dialog->grid().order(0).size(), std::size_t(2));
        QTest::keyClick(&dialog->board(), Qt::Key_Home);
        QTest::keyClick(&dialog->board(), Qt::Key_Right, Qt::ControlModifier);
        QCOMPARE(toText(dialog->grid().order(0)[0]), std::string("0F0"));
    }

    void lettersPlaceWhereverTheFocusIs() {
        OpenedWindow window(book_);
        PuzzleDialog* dialog = opened(window);
        dialog->levels().setCurrentRow(1);
        QVERIFY2(dialog->figures().contains(QStringLiteral("bubble –")), qPrintable(dialog->figures()));
        dialog->levels().setFocus();
        QTest::keyClick(&dialog->levels(), Qt::Key_F);
        dialog->tray().setFocus();
        QTest::keyClick(&dialog->tray(), Qt::Key_F);
        QCOMPARE(dialog->grid().order(0).size(), std::size_t(2));
        QCOMPARE(dialog->levels().currentRow(), 1);
        QVERIFY(!dialog->figures().contains(QStringLiteral("bubble –")));
    }

    void aGridIsSavedAndOpened() {
        OpenedWindow window(book_);
        PuzzleDialog* dialog = opened(window);
        dialog->levels().setCurrentRow(1);
        QTemporaryDir folder;
        dialog->startFrom("1f1b");
        const auto orders = dialog->grid().schedule().orders;
        part<PuzzleController>(window.window).saveGrid(folder.filePath("mine.csv"));
        dialog->startFrom("gpipe");
        QVERIFY(dialog->grid().schedule().orders != orders);
        part<PuzzleController>(window.window).openGrid(folder.filePath("mine.csv"));
        QCOMPARE(dialog->grid().schedule().orders, orders);
        dialog->startFrom("pipedream");
        QVERIFY(dialog->message().contains("endless"));
        QCOMPARE(dialog->grid().schedule().orders, orders);
    }

    void whatWasBuiltTrains() {
        OpenedWindow window(book_);
        Session& session = part<Session>(window.window);
        session.edit(smallRun());
        PuzzleDialog* dialog = opened(window);
        dialog->levels().setCurrentRow(1);
        buildTheBest(*dialog);
        QVERIFY(dialog->standing().isComplete());
        QTest::keyClick(dialog, Qt::Key_T);
        QTRY_VERIFY_WITH_TIMEOUT(!dialog->comparison()->isHidden(), kEngineMs);
        const std::vector<IterationView> views = dialog->comparison()->views();
        QCOMPARE(views.size(), std::size_t(3));
        QVERIFY(views[0].ran->empty() && views[2].ran->empty());
        QCOMPARE(views[2].config.schedule, std::string("1f1b"));
        const Timeline& ran = *views[1].ran;
        QVERIFY(ran.provenance() != Provenance::Predicted);
        for (int rank = 0; rank < 2; ++rank) {
            std::vector<Action> order;
            for (const Event& event : ran.compute(rank))
                if (isCompute(event.op)) order.push_back({event.stage, event.op, event.microbatch});
            QCOMPARE(order, dialog->grid().order(rank));
        }
        // Another grid is none that was trained.
        QTest::keyClick(&dialog->board(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(dialog->standing().missing, 1);
        QVERIFY(dialog->comparison()->isHidden());
    }

    void aGridStaysWhileItsWindowIsClosed() {
        OpenedWindow window(book_);
        PuzzleDialog* dialog = opened(window);
        dialog->levels().setCurrentRow(1);
        QTest::keyClicks(&dialog->board(), "ff");
        QTest::keyClick(dialog, Qt::Key_Escape);
        QVERIFY(!dialog->isVisible());
        dialog = opened(window);
        QCOMPARE(std::string(dialog->level().id), std::string("two-ranks"));
        QCOMPARE(dialog->grid().order(0).size(), std::size_t(2));
    }

    void whatCannotTrainSaysSo() {
        OpenedWindow window(book_);
        Session& session = part<Session>(window.window);
        RunConfig config = smallRun();
        config.model.layers = 1;  // for two stages
        session.edit(config);
        PuzzleDialog* dialog = opened(window);
        dialog->levels().setCurrentRow(1);
        buildTheBest(*dialog);
        QTest::keyClick(dialog, Qt::Key_T);
        QVERIFY(dialog->message().startsWith("This cannot be trained now"));
        QVERIFY(dialog->comparison()->isHidden());
    }
};

BUBBLESCOPE_WINDOW_TEST(TestPuzzleWindow)

}  // namespace tst_puzzle_window

#include "required.h"
#include "tst_puzzle_window.moc"
