// The step-by-rank grid: its boxes are the schedule's, a click selects in both views, keys walk, large ones
// scroll and stay fast, and files show what is broken where.
#include <QElapsedTimer>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

#include "catalog/catalog.h"
#include "registered_test.h"
#include "sample_view.h"
#include "schedule/grid.h"
#include "widgets/gantt/gantt_view.h"
#include "widgets/schedule/grid_strip.h"
#include "words/catalog.h"

namespace tst_step_grid {

using namespace bscope;
using namespace bscope::ui;

class TestStepGrid : public QObject {
    Q_OBJECT

    static std::shared_ptr<const GridModel> modelOf(const char* name, ScheduleParams params) {
        return std::make_shared<const GridModel>(gridOf(makeSchedule(name, params)));
    }
    static std::shared_ptr<const GridModel> modelOf(const char* text, ScheduleFile& file) {
        file = readScheduleFile(text, "test.csv");
        return std::make_shared<const GridModel>(gridOf(file));
    }
    static void show(QWidget& widget, int width = 1000, int height = 160) {
        widget.resize(width, height);
        widget.show();
        QVERIFY(QTest::qWaitForWindowExposed(&widget));
    }
    static void click(StepGrid& grid, const GridPlace& place) {
        QTest::mouseClick(grid.viewport(), Qt::LeftButton, {}, grid.cellRect(place).center());
    }

private slots:
    void boxesAreTheSchedules() {
        const auto model = modelOf("1f1b", {4, 1, 8, 0});
        QCOMPARE(model->rows.size(), std::size_t{4});
        QCOMPARE(model->steps, 33);  // (m + p - 1) * (F + B)
        const GridCell& first_backward = model->cell(*model->find(3, {3, Op::Backward, 0}));
        QCOMPARE(first_backward.step, 4);
        QCOMPARE(first_backward.length, 2);
        QVERIFY(!model->find(3, {2, Op::Backward, 0}));
        QVERIFY(!model->places.lettered());
        QVERIFY(modelOf("zb-v", {4, 2, 8, 0})->places.lettered());
    }

    // Two arrows between the cells at which ranks wait for each other, and the words of both in their tips.
    void aCircleIsDrawnBetweenItsCells() {
        const ScheduleFile file = readScheduleFile(
            "0F0,0SEND_F0,0F1,0SEND_F1,0RECV_B0,0B0,0RECV_B1,0B1\n"
            "1RECV_F0,1F0,1B0,1SEND_B0,1RECV_F1,1F1,1B1,1SEND_B1\n",
            "late.csv");
        const RuleOutcome stands = judgeMessages(file)[1];
        QVERIFY(!stands.runs());
        const auto with = std::make_shared<const GridModel>(gridOf(file, stands.standing, stands.cycle));
        GridModel bare = *with;
        bare.waits.clear();
        for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark}) {
            setTheme(Theme::make(kind));
            ViewState state;
            StepGrid grid(state);
            const auto accents = [&grid](const std::shared_ptr<const GridModel>& model) {
                grid.setModel(model, false);
                const QImage image = grid.viewport()->grab().toImage();
                int count = 0;
                for (int y = 0; y < image.height(); ++y)
                    for (int x = 0; x < image.width(); ++x)
                        count += image.pixelColor(x, y).rgb() == currentTheme().accent.rgb();
                return count;
            };
            show(grid, 1000, 200);
            const int without = accents(std::make_shared<const GridModel>(bare));
            QVERIFY(accents(with) > without + 40);
            QCOMPARE(with->waits.size(), std::size_t{2});
            for (const auto& [waiting, other] : with->waits)
                QCOMPARE(with->cell(waiting).stands.size(), std::size_t{1});
        }
        setTheme(Theme::make(ThemeKind::Light));
    }

    void clickSelectsInBothViews() {
        ViewState state;
        StepGrid grid(state);
        GanttView gantt(state);
        const IterationView view = sampleView();
        gantt.setView(view);
        grid.setIteration(view.iteration);
        grid.setModel(modelOf("1f1b", view.config.params), true);
        show(grid);
        QSignalSpy chosen(&grid, &StepGrid::cellChosen);
        const Action wanted{2, Op::Backward, 3};
        click(grid, *grid.model()->find(2, wanted));
        QCOMPARE(chosen.count(), 1);
        QVERIFY(state.selection());
        QCOMPARE(state.selection()->rank, 2);
        QCOMPARE(state.selection()->action, wanted);
        QCOMPARE(state.selection()->iteration, view.iteration);
        QVERIFY(gantt.picture().selection);
        QCOMPARE(gantt.picture().lives.front().boxes.size(), std::size_t{8});  // F and B on every rank
        state.select(Selection{0, {0, Op::Forward, 6}, view.iteration});       // as a click on a box does
        QCOMPARE(grid.current(), grid.model()->find(0, {0, Op::Forward, 6}));
        QTest::mouseClick(grid.viewport(), Qt::LeftButton, {},
                          grid.cellRect({0, 0}).center() + QPoint(0, 3 * 22));  // idle: rank 3 at step 0
        QVERIFY(!state.selection());
        QVERIFY(!grid.current());
    }

    void recomputeLightsUpItsBackward() {
        ViewState state;
        StepGrid grid(state);
        grid.setModel(modelOf("1f1b", {4, 1, 8, 0}), true);
        state.select(Selection{1, {1, Op::Recompute, 2}, 0});
        QCOMPARE(grid.current(), grid.model()->find(1, {1, Op::Backward, 2}));
    }

    void keysWalk() {
        ViewState state;
        StepGrid grid(state);
        grid.setModel(modelOf("1f1b", {4, 1, 8, 0}), true);
        show(grid);
        click(grid, *grid.model()->find(0, {0, Op::Forward, 2}));
        QTest::keyClick(&grid, Qt::Key_Right);
        QCOMPARE(state.selection()->action, (Action{0, Op::Forward, 3}));
        QTest::keyClick(&grid, Qt::Key_Right);
        QCOMPARE(state.selection()->action, (Action{0, Op::Backward, 0}));
        QTest::keyClick(&grid, Qt::Key_Left);
        QTest::keyClick(&grid, Qt::Key_Down);
        QCOMPARE(state.selection()->rank, 1);
        QCOMPARE(state.selection()->action, (Action{1, Op::Forward, 2}));  // at the same step
        QTest::keyClick(&grid, Qt::Key_End);
        QCOMPARE(state.selection()->action, (Action{1, Op::Backward, 7}));
        QTest::keyClick(&grid, Qt::Key_Home);
        QCOMPARE(state.selection()->action, (Action{1, Op::Forward, 0}));
        QSignalSpy left(&grid, &StepGrid::left);
        QTest::keyClick(&grid, Qt::Key_Escape);
        QVERIFY(!state.selection());
        QTest::keyClick(&grid, Qt::Key_Escape);
        QCOMPARE(left.count(), 1);
    }

    void largeOnesScrollToTheSelectionAndPaintWhatIsSeen() {
        ViewState state;
        GridStrip strip(state);
        setTheme(Theme::make(ThemeKind::Light));
        strip.setRoom(900);
        strip.showSchedule(modelOf("1f1b", {64, 1, 512, 0}), QStringLiteral("1F1B"), {});
        show(strip, 1000, strip.height());
        QVERIFY(strip.height() <= 360);
        StepGrid& grid = strip.grid();
        QVERIFY(grid.cellWidth() >= 22);  // "512" can be read
        QVERIFY(grid.horizontalScrollBar()->maximum() > 30'000);
        state.select(Selection{63, {63, Op::Backward, 400}, 0});
        const QRect cell = grid.cellRect(*grid.current());
        QVERIFY(grid.viewport()->rect().contains(cell));
        grid.grab();
        ScheduleFile small;
        QElapsedTimer clock;
        clock.start();
        for (int i = 0; i < 10; ++i) grid.grab();
        const qint64 large_ns = clock.nsecsElapsed();
        strip.showSchedule(modelOf("1f1b", {64, 1, 64, 0}), QStringLiteral("1F1B"), {});
        state.select(Selection{63, {63, Op::Backward, 30}, 0});
        grid.grab();
        clock.start();
        for (int i = 0; i < 10; ++i) grid.grab();
        QVERIFY2(large_ns < 5 * clock.nsecsElapsed(), "painting must not depend on m");
    }

    // Outlined, explained by its tip, and not there where the order ends elsewhere.
    void aCellIsMarked() {
        ViewState state;
        GridStrip strip(state);
        setTheme(Theme::make(ThemeKind::Light));
        strip.setRoom(900);
        strip.showSchedule(modelOf("1f1b", {4, 1, 8, 0}), QStringLiteral("1F1B"), {});
        show(strip, 1000, strip.height());
        StepGrid& grid = strip.grid();
        const QImage before = grid.grab().toImage();
        const int low = strip.height();
        const GridPlace place{2, 3};
        strip.setDifference(place, QStringLiteral("other than expected"));
        QCOMPARE(grid.mark(), std::optional(place));
        QVERIFY(strip.height() > low && strip.jumpButton()->isVisible());
        QVERIFY(grid.grab().toImage() != before);
        QSignalSpy jumped(&strip, &GridStrip::jumpClicked);
        QTest::mouseClick(strip.jumpButton(), Qt::LeftButton);
        QCOMPARE(jumped.size(), 1);
        grid.chooseMark();
        QCOMPARE(state.selection()->action.microbatch, grid.model()->cell(place).action.microbatch);
        // What is missing stands behind the row's end; a place that the grid does not have is none.
        strip.setDifference(GridPlace{0, -1}, QStringLiteral("it ends here"));
        grid.chooseMark();
        QCOMPARE(grid.current(), std::optional(GridPlace{0, -1}));
        strip.setDifference(GridPlace{0, 100}, QStringLiteral("words alone"));
        QVERIFY(!grid.mark() && !strip.jumpButton()->isVisible());
        QCOMPARE(strip.difference(), QStringLiteral("words alone"));
        strip.setDifference(std::nullopt, {});
        QCOMPARE(strip.height(), low);
    }

    void zoomShowsMoreSteps() {
        ViewState state;
        StepGrid grid(state);
        grid.setModel(modelOf("1f1b", {8, 1, 64, 0}), true);
        show(grid);
        const double before = grid.cellWidth();
        QTest::keyClick(&grid, Qt::Key_Minus);
        QVERIFY(grid.cellWidth() < before);
        for (int i = 0; i < 40; ++i) QTest::keyClick(&grid, Qt::Key_Minus);
        QVERIFY(grid.cellWidth() >= 2);
        QTest::keyClick(&grid, Qt::Key_0);
        QCOMPARE(grid.cellWidth(), before);
    }

    void brokenCellsAreMarkedWhereTheyStand() {
        ScheduleFile file;
        const auto model = modelOf("0F0,0F1,0B0,0B1\n1B0,1F0,1F1\n", file);
        QVERIFY(model->as_written);
        QVERIFY(!file.errors.empty());
        QVERIFY(!model->rows[1][0].errors.empty());  // 1B0 before its forward
        QVERIFY(model->rows[0][0].errors.empty());
        QVERIFY(!model->missing[1].empty());  // 1B1
        for (const CellError& error : file.errors) {
            const auto place = placeOf(*model, error);
            QVERIFY(place);
            QCOMPARE(place->row, error.row);
        }
        ViewState state;
        GridStrip strip(state);
        strip.setRoom(900);
        strip.showFile(model, QStringLiteral("test.csv"));
        show(strip, 600, 160);
        QSignalSpy chosen(&strip.grid(), &StepGrid::cellChosen);
        click(strip.grid(), {1, 0});
        QCOMPARE(chosen.count(), 1);
        click(strip.grid(), {1, -1});
        QCOMPARE(chosen.count(), 2);
        QVERIFY(!state.selection());  // a file is not the run
    }

    void timeTablesStandAsWritten() {
        ScheduleFile file;
        const auto model = modelOf("time,1,2,3,4,5,6\nGPU1,F1,F2,B1,B1,B2,B2\nGPU2,-,F1,B1,-,F2,B2\n", file);
        QCOMPARE(model->names, QStringList({QStringLiteral("GPU1"), QStringLiteral("GPU2")}));
        QCOMPARE(model->rows[0][2].length, 2);
        QCOMPARE(model->rows[1][0].step, 1);
        QCOMPARE(model->times, (std::vector<long>{1, 2, 3, 4, 5, 6}));
    }

    void legalOrdersArePlayed() {
        ScheduleFile file;
        const auto model = modelOf("0F0,0F1,0B0,0B1\n1F0,1B0,1F1,1B1\n", file);
        QVERIFY(file.errors.empty());
        QVERIFY(!model->as_written);
        QCOMPARE(model->cell(*model->find(0, {0, Op::Backward, 0})).step, 4);
    }

    void everySentenceAboutFilesIsKnown() {
        const char* files[] = {
            "",
            "0F0,0F1,0B0\n1B0,1F0,1F1,1B1,1B1\n",
            "0F0,0B0\n1F0\n0F0,2F0,2B0\n",
            "0F0,0I0,0W0\n1F0,1W0,1I0\n",
            "0B0,0F0\n1F0,1B0\n",
            "0F1,0F0,0B0,0B1\n1F0,1F1,1B1,1B0\n",
            "0F0,0F1,0B1,0B0\n1F0,1B0,1F1,1B1\n",
            "0F0,0X0\n1F0,1B0\n",
            "(0F0;0B0;0F1)OVERLAP_F_B\n",
            "0F99999999\n",
            "2F0,2B0\n0F0,0B0\n",
            "0F0,0SEND_F0,0RECV_B0,0B0\n1F0,1B0,1SEND_B0\n",
            "0F0,0SEND_F0,0B0\n1RECV_F0,1F0,1B0,1SEND_B0\n",
            "0F0,0SEND_F0,0SEND_F0,0RECV_B0,0B0\n1RECV_F0,1F0,1B0,1SEND_B0\n",
            "0F0,0B0\n,100000RECV_F0\n",
            "0SEND_F0,0F0,0RECV_B0,0B0\n1F0,1RECV_F0,1B0,1SEND_B0\n",
            "0RECV_F0,0F0,0SEND_F0,1SEND_B0,0RECV_B0,0B0\n1RECV_F0,1F0,1SEND_F0,1B0,1SEND_B0\n",
            "0F0,0F1,0SEND_F0,0SEND_F1,0RECV_B0,0B0,0RECV_B1,0B1\n"
            "1RECV_F1,1RECV_F0,1F0,1B0,1SEND_B0,1F1,1B1,1SEND_B1\n",
            "0F0,0RECV_B0,0B0,0F1,0SEND_F0,0SEND_F1,0RECV_B1,0B1\n"
            "1RECV_F0,1F0,1B0,1SEND_B0,1RECV_F1,1F1,1B1,1SEND_B1\n",
            "0F0,0SEND_F0\n1RECV_F0,1F0,1SEND_B0\n",
            "0F0,0SEND_F0,1F0,1B0,0B0\n",
            "0UNSHARD,0UNSHARD,0F0,0RESHARD,0RESHARD,0REDUCE_GRAD,0B0,0REDUCE_GRAD,7UNSHARD\n",
            "(0F0;0F1)OVERLAP_F_B,0B0,0B1\n",
            "500F0,500B0\n",
            "0F0,0F1\n1F65000\n",
            "0F0,0F1,0B0,0W0,0BW1\n1F0,1B0,1W0,1F1,1BW1\n",
            "time,1,2,3,4\nGPU1,F1,B1,-,-\nGPU2,-,F1,B1,-\n",
            "time,1,2,3,4\nGPU1,F1,zz,B1,-\nGPU2,-,F1,B1,-\n",
            "time,1,2,3,4\nGPU1,F1,F1,-,B1\nGPU2,B1,F1,-,-\n",
        };
        int seen = 0;
        const auto isChinese = [](const Sentence& what) {
            const QString text = QString::fromStdString(say(what, Language::Chinese));
            return chineseWords().contains(what.id) &&
                   text != QString::fromStdString(say(what, Language::English));
        };
        for (const char* text : files) {
            const ScheduleFile file = readScheduleFile(text, "test.csv");
            for (const CellError& error : file.errors) {
                QVERIFY2(isChinese(error.what), error.text().c_str());
                ++seen;
            }
            for (const Sentence& note : file.notes) QVERIFY2(isChinese(note), note.id.c_str());
        }
        QVERIFY2(seen > 15, qPrintable(QString::number(seen)));
    }
};

BUBBLESCOPE_WINDOW_TEST(TestStepGrid)

}  // namespace tst_step_grid

#include "tst_step_grid.moc"
