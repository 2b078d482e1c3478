// Before the guess nothing in the window depends on a run that is covered: whatever schedule it has, the
// picture is the same, pixel by pixel, except for its title. After the guess it is there. And what belongs to
// a lesson around it: runs that show something else are made again, progress is kept.
#include <QJsonDocument>
#include <QJsonObject>
#include <QPainter>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "app/lessons/lesson_controller.h"
#include "app/tune/tune_controller.h"
#include "fake_engine.h"
#include "opened_window.h"
#include "registered_test.h"
#include "required.h"
#include "wire/convert.h"

namespace tst_lesson_curtain {

using namespace bscope;
using namespace bscope::ui;

namespace {

wire::Text both(const char* text) {
    wire::Text made;
    made.set_en(text);
    made.set_zh(std::string("中") + text);
    return made;
}

RunConfig runOf(const char* schedule) {
    RunConfig config = smallRun();
    config.schedule = schedule;
    config.params = {2, 1, 4, 0};
    return config;
}

wire::Scenario lessonOf(const std::vector<RunConfig>& runs, const char* claim = "A.m = 4") {
    wire::Scenario scenario;
    scenario.set_id("99-own");
    *scenario.mutable_title() = both("Own");
    wire::Lesson& lesson = *scenario.mutable_lesson();
    *lesson.mutable_title() = both("Own");
    *lesson.mutable_story() = both("A story.");
    *lesson.mutable_look() = both("Compare A and B.");
    *lesson.mutable_question() = both("Which?");
    *lesson.mutable_reveal() = both(runs.size() > 1 ? "{A.bubble} and {B.bubble} %" : "{A.bubble} %");
    lesson.add_claims(claim);
    for (const char* text : {"one", "two", "three"}) *lesson.add_choices()->mutable_text() = both(text);
    lesson.mutable_choices(1)->set_right(true);
    for (const RunConfig& config : runs) {
        wire::LessonRun& run = *lesson.add_runs();
        *run.mutable_title() = both("Run");
        *run.mutable_config() = toWire(config);
    }
    return scenario;
}

struct Taken : OpenedWindow {
    FakeEngine engine;
    std::int64_t end_ns = 0;
    int iteration = 0;

    explicit Taken(const LessonBook& book, quint16 port = 0) : OpenedWindow(book), engine(port) {
        window.connectTo({"127.0.0.1", engine.port(), {}}, false);
        REQUIRE_SOON(engine.last(wire::Message::kAttach));
        RunConfig other = smallRun();
        other.params.m = 8;
        engine.hello(other, wire::IDLE);
        REQUIRE_SOON(part<Session>(window).hello().controller());
    }
    LessonController& lessons() { return part<LessonController>(window); }
    LessonPanel& panel() { return lessons().panel(); }
    const std::vector<PreparedView>& groups() { return lessons().canvas()->picture().groups; }
    void open(const wire::Scenario& scenario) {
        window.showView(MainView::Lessons);
        lessons().open(scenario);
        engine.status(wire::RUNNING);
        makeRuns();
    }
    // The engine makes what it was asked for last, until the lesson asks for nothing.
    void makeRuns() {
        while (!lessons().runner().finished() && makeTurn()) {}
        engine.status(wire::PAUSED);
        REQUIRE_SOON(part<Session>(window).state() == SessionState::Paused);
    }
    bool makeTurn() {
        const RunConfig config = lessons().runner().made().course.config();
        const auto asked = [&] {
            const auto last = engine.last(wire::Message::kConfigure);
            return last && fromWire(last->configure().config()) == config;
        };
        REQUIRE_SOON(asked());
        if (!asked()) return false;
        engine.accept(engine.last(wire::Message::kConfigure)->configure().request(), iteration);
        engine.start(config, iteration, end_ns);
        const int done = lessons().runner().made().course.done();
        for (int i = 0; i < LessonCourse::kEachTurn; ++i)
            end_ns = engine.iteration(config, iteration++, end_ns);
        REQUIRE_SOON(lessons().runner().made().course.done() == done + LessonCourse::kEachTurn);
        return lessons().runner().made().course.done() == done + LessonCourse::kEachTurn;
    }
    // The window without the titles of the runs: the badge of A may name those that share its durations.
    QImage seen() {
        QCoreApplication::processEvents();
        QImage image = window.grab().toImage();
        GanttView* canvas = lessons().canvas();
        QPainter painter(&image);
        for (const QRectF& title : canvas->picture().layout.group_titles)
            painter.fillRect(title.translated(canvas->mapTo(&window, QPoint())), Qt::gray);
        return image;
    }
};

}  // namespace

class TestLessonCurtain : public QObject {
    Q_OBJECT
    LessonBook book_ = LessonBook::embedded();

private slots:
    void initTestCase() {
        OpenedWindow::useTestSettings();
        QFile::remove(LessonProgress::defaultFile());
    }
    void cleanupTestCase() { QFile::remove(LessonProgress::defaultFile()); }

    // The guess is answered at once, with predicted numbers where nothing has run; what the lesson claims of
    // its runs is judged when all are there.
    void theRevealOpensWithWhatHasRun() {
        Taken taken(book_);
        taken.window.showView(MainView::Lessons);
        taken.lessons().open(lessonOf({runOf("1f1b"), runOf("gpipe")}, "A.bubble < 0"));
        taken.engine.status(wire::RUNNING);
        LessonPanel& panel = taken.panel();
        panel.walk().goTo(LessonStep::Guess);
        panel.walk().choose(1);
        panel.walk().goOn();
        QCOMPARE(panel.walk().step(), LessonStep::Reveal);
        QVERIFY2(panel.settlingText().contains("0 of 12 iterations") && panel.settlingText().contains("A, B"),
                 qPrintable(panel.settlingText()));
        const QString predicted = panel.revealText();
        QVERIFY2(predicted.contains('%') && !predicted.contains(QChar(0x2026)), qPrintable(predicted));
        QVERIFY(!panel.againButton()->isVisible() && !panel.marksButton()->isVisible());
        for (const PreparedView& drawn : taken.groups()) QVERIFY(!drawn.view().covered);

        QVERIFY(taken.makeTurn());
        QVERIFY2(panel.settlingText().contains("2 of 12 iterations") && !panel.settlingText().contains("A"),
                 qPrintable(panel.settlingText()));
        QVERIFY(panel.settlingText().contains("B"));
        QVERIFY(!panel.againButton()->isVisible());
        QSignalSpy tried(&taken.lessons().runner(), &LessonRunner::changed);
        emit panel.walk().tryRun(0);  // not while the lesson's own are made
        QCOMPARE(tried.count(), 0);

        taken.makeRuns();
        QVERIFY(panel.settlingText().isEmpty());
        QVERIFY(panel.againButton()->isVisible());  // what is claimed is not so
    }

    void nothingOfACoveredRunIsSeen() {
        std::vector<QImage> looks, guesses;
        quint16 port = 0;  // the status line names it
        for (const RunConfig& covered : {runOf("gpipe"), runOf("zb-h1"), runOf("eager-1f1b")}) {
            Taken taken(book_, port);
            port = taken.engine.port();
            taken.open(lessonOf({runOf("1f1b"), covered}));
            looks.push_back(taken.seen());
            QVERIFY(!taken.groups()[0].ran(0).empty());
            QVERIFY(taken.groups()[0].numbers() == nullptr);
            taken.panel().walk().goTo(LessonStep::Guess);
            QTest::keyClick(&taken.panel(), Qt::Key_1);
            guesses.push_back(taken.seen());
            // Started once more by hand: still nothing.
            taken.engine.status(wire::RUNNING);
            QTRY_VERIFY(taken.lessons().runner().ranOn());
            QCOMPARE(taken.groups().size(), std::size_t{2});
            QVERIFY(taken.groups()[1].view().covered);
            for (int rank = 0; rank < 2; ++rank)
                QVERIFY(taken.groups()[1].ran(rank).empty() && taken.groups()[1].planned(rank).empty());
            taken.engine.status(wire::PAUSED);
            QTRY_COMPARE(part<Session>(taken.window).state(), SessionState::Paused);

            QTest::keyClick(&taken.panel(), Qt::Key_Return);
            QCOMPARE(taken.panel().walk().step(), LessonStep::Reveal);
            QTRY_VERIFY(taken.groups().size() == 2 && !taken.groups()[1].view().covered);
            QVERIFY(!taken.groups()[1].ran(0).empty());
            QCOMPARE(taken.groups()[1].view().config, covered);
        }
        for (std::size_t i = 1; i < looks.size(); ++i) {
            QCOMPARE(looks[i], looks[0]);
            QCOMPARE(guesses[i], guesses[0]);
        }
        QVERIFY(looks[0] != guesses[0]);
    }

    // What was covered is drawn in order of time, and all of it within a second and a half of whatever clock;
    // the open run and the time axis stand still meanwhile.
    void theCurtainOpensInOrderOfTime() {
        Taken taken(book_);
        taken.open(lessonOf({runOf("1f1b"), runOf("gpipe"), runOf("zb-h1")}));
        taken.panel().walk().goTo(LessonStep::Guess);
        QTest::keyClick(&taken.panel(), Qt::Key_1);
        RevealAnimation& opening = taken.lessons().opening();
        QVERIFY(!opening.share());
        taken.panel().walk().goTo(LessonStep::Reveal);
        QCOMPARE(opening.share(), std::optional(0.0));
        const auto seen = [&](std::size_t run) {
            std::size_t boxes = 0;
            for (int rank = 0; rank < 2; ++rank) boxes += taken.groups()[run].ran(rank).size();
            return boxes;
        };
        const TimeRange axis = taken.lessons().canvas()->fitRange();
        const std::size_t of_open = seen(0);
        QCOMPARE(seen(1), std::size_t{0});
        QCOMPARE(seen(2), std::size_t{0});
        QVERIFY(of_open > 0);
        constexpr int kSteps = 15;
        std::size_t before = 0;
        int grew = 0;
        for (int step = 1; step < kSteps; ++step) {
            opening.advance(RevealAnimation::kWholeTakes_ms / kSteps);
            QVERIFY(opening.share());
            for (const std::size_t run : {std::size_t{1}, std::size_t{2}}) {
                const PreparedView& group = taken.groups()[run];
                if (!group.running()) continue;  // the shorter one is complete
                QVERIFY(group.numbers() == nullptr && group.planned(0).empty());
                const std::int64_t now_ns = group.view().now_ns;
                for (int rank = 0; rank < 2; ++rank)
                    for (const Event& event :
                         ofIteration(group.view().ran->compute(rank), group.view().iteration)) {
                        const auto drawn = group.ran(rank);
                        QCOMPARE(std::ranges::find(drawn, event) != drawn.end(), event.end_ns <= now_ns);
                    }
            }
            QCOMPARE(seen(0), of_open);
            QVERIFY(!taken.groups()[0].running());
            QCOMPARE(taken.lessons().canvas()->fitRange(), axis);
            const std::size_t now = seen(1) + seen(2);
            QVERIFY(now >= before);
            grew += now > before ? 1 : 0;
            before = now;
        }
        QVERIFY(grew > kSteps / 2);
        opening.advance(RevealAnimation::kWholeTakes_ms / kSteps + 1);
        QVERIFY(!opening.share());
        for (const PreparedView& group : taken.groups())
            QVERIFY(!group.running() && group.numbers() != nullptr);
        QCOMPARE(taken.lessons().canvas()->fitRange(), axis);

        // Going on shows everything at once; seen from the question on, it opens once more.
        LessonWalk& walk = taken.panel().walk();
        walk.goBack();
        QVERIFY(taken.groups()[1].view().covered);
        walk.goOn();
        QVERIFY(opening.share() && taken.groups()[1].running());
        walk.goOn();
        QVERIFY(!opening.share() && !taken.groups()[1].running());
        // Pictures that stand still: at once.
        walk.goTo(LessonStep::Guess);
        part<Session>(taken.window).setReducedMotion(true);
        walk.goOn();
        QVERIFY(!opening.share() && !taken.groups()[1].running() && seen(1) > 0);
    }

    void memoryCanBeCovered() {
        Taken taken(book_);
        wire::Scenario scenario = lessonOf({runOf("1f1b"), runOf("gpipe")});
        scenario.mutable_lesson()->add_curtain("memory");
        taken.open(scenario);
        QVERIFY(!haveMemory(taken.groups()));
        QVERIFY(!taken.groups()[0].ran(0).empty());
        QVERIFY(taken.groups()[1].view().covered);
        taken.panel().walk().goTo(LessonStep::Guess);
        QTest::keyClick(&taken.panel(), Qt::Key_2);
        taken.panel().walk().goTo(LessonStep::Reveal);
        QVERIFY(haveMemory(taken.groups()));

        scenario.mutable_lesson()->clear_curtain();
        scenario.mutable_lesson()->add_curtain("none");
        taken.open(scenario);
        QVERIFY(!taken.groups()[1].view().covered && haveMemory(taken.groups()));
    }

    // Of an open run how wide its boxes are, and what it received: the picture is that of the gaps.
    void widthsAndReceivesCanBeCovered() {
        Taken taken(book_);
        wire::Scenario scenario = lessonOf({runOf("1f1b"), runOf("1f1b")});
        for (const char* word : {"none", "widths", "receives"}) scenario.mutable_lesson()->add_curtain(word);
        taken.open(scenario);
        const auto boxes = [&](std::size_t run) {
            std::size_t count = 0;
            for (int rank = 0; rank < 2; ++rank) count += taken.groups()[run].ran(rank).size();
            return count;
        };
        const auto receives = [&](std::size_t run) {
            return taken.groups()[run].receives(0).size() + taken.groups()[run].receives(1).size();
        };
        const auto busy = [&](std::size_t run) {
            std::int64_t sum_ns = 0;
            for (int rank = 0; rank < 2; ++rank)
                for (const Event& event : taken.groups()[run].ran(rank)) sum_ns += event.duration_ns();
            return sum_ns;
        };
        const std::size_t all = boxes(0), blocks = boxes(1);
        const std::int64_t busy_ns = busy(1);
        QVERIFY2(blocks < all, qPrintable(QString("%1 of %2").arg(blocks).arg(all)));
        QCOMPARE(receives(0) + receives(1), std::size_t{0});
        QVERIFY(!taken.groups()[0].analysis() && !taken.groups()[1].analysis());
        const PreparedView& group = taken.groups()[1];
        const Event block = group.ran(0).front();
        const Picture& picture = taken.lessons().canvas()->picture();
        const QRectF lane = picture.layout.groups[1][0].box;
        const double x = picture.xOf(group, (block.start_ns + block.end_ns) / 2);
        QVERIFY(!hitTest(picture, {x, lane.center().y()}).isThing());
        taken.panel().walk().goTo(LessonStep::Guess);
        QTest::keyClick(&taken.panel(), Qt::Key_2);
        taken.panel().walk().goTo(LessonStep::Reveal);
        QCOMPARE(boxes(1), all);
        QVERIFY(receives(0) > 0 && receives(1) > 0);
        QVERIFY(busy(1) <= busy_ns);
        QVERIFY(taken.groups()[1].analysis());
        QVERIFY(hitTest(picture, {x, lane.center().y()}).isThing());
    }

    // What is wrong with a table is nowhere before the guess; then key M walks through it.
    void aTableTellsItsMistakesAfterTheGuess() {
        Taken taken(book_);
        wire::Scenario scenario = lessonOf({runOf("1f1b"), runOf("1f1b")});
        for (const char* line : {"t,0,1,2,3,4", "GPU0,F1,F2,-,B1,B2", "GPU1,-,F1,B1,B2,-"})
            scenario.mutable_lesson()->mutable_runs(1)->add_table(line);
        scenario.mutable_lesson()->mutable_reveal()->set_en("{B.problems}");
        taken.open(scenario);
        StepGrid* table = taken.lessons().table();
        const auto broken = [&] {
            int count = 0;
            for (const auto& row : table->model()->rows)
                for (const GridCell& cell : row) count += static_cast<int>(cell.errors.size());
            for (const auto& missing : table->model()->missing) count += static_cast<int>(missing.size());
            return count;
        };
        QVERIFY(table->isVisible());
        QCOMPARE(broken(), 0);
        QCOMPARE(table->model()->missing.size(), table->model()->rows.size());
        taken.panel().walk().goTo(LessonStep::Guess);
        QTest::keyClick(&taken.panel(), Qt::Key_2);
        QTest::keyClick(&taken.panel(), Qt::Key_M);
        QCOMPARE(broken(), 0);
        QVERIFY(!table->mark());
        taken.panel().walk().goTo(LessonStep::Reveal);
        QVERIFY(broken() > 0);
        QCOMPARE(taken.panel().revealText(), QString::number(broken()));
        taken.lessons().opening().advance(RevealAnimation::kWholeTakes_ms);
        QVERIFY(table->mark());  // the first one, without a key
        const GridPlace first = *table->mark();
        if (first.index >= 0) QVERIFY(!table->model()->cell(first).errors.empty());
        QTest::keyClick(&taken.panel(), Qt::Key_M);
        QVERIFY(table->mark() && !(*table->mark() == first));
        QCOMPARE(taken.panel().walk().marks(), broken());
        QVERIFY(!taken.panel().walk().markWords().isEmpty());
    }

    // A rank, a gap, a box: the first lights up when the answer does, Enter goes from one to the next.
    void marksLightUpOneAfterTheOther() {
        Taken taken(book_);
        wire::Scenario scenario = lessonOf({runOf("1f1b"), runOf("gpipe")});
        for (const auto& [rank, what] : {std::pair(1, "rank"), {0, "gap"}, {1, "1F0"}}) {
            wire::LessonMark& mark = *scenario.mutable_lesson()->add_marks();
            mark.set_run("B");
            mark.set_rank(rank);
            mark.set_what(what);
        }
        taken.open(scenario);
        ViewState& state = taken.lessons().viewState();
        LessonWalk& walk = taken.panel().walk();
        walk.goTo(LessonStep::Guess);
        QTest::keyClick(&taken.panel(), Qt::Key_2);
        QCOMPARE(walk.marks(), 0);
        walk.goTo(LessonStep::Reveal);
        QCOMPARE(walk.mark(), -1);  // the curtain opens
        taken.lessons().opening().advance(RevealAnimation::kWholeTakes_ms);
        QCOMPARE(walk.mark(), 0);
        QCOMPARE(walk.marks(), 3);
        QCOMPARE(walk.lesson().comparison->columns, (QStringList{"A  Run", "B  Run"}));
        QCOMPARE(state.filter().hidden_ranks, std::set<int>{0});
        QVERIFY(walk.markWords().startsWith("Rank 1 of run B: bubble "));
        QTest::keyClick(&taken.panel(), Qt::Key_Return);
        QCOMPARE(walk.step(), LessonStep::Reveal);
        QVERIFY(!state.filter().isOn());
        QVERIFY(state.gap() && state.gap()->rank == 0);
        const std::int32_t run_b = taken.lessons().canvas()->views()[1].iteration;
        QCOMPARE(state.gap()->iteration, run_b);
        QVERIFY2(walk.markWords().startsWith("idle "), qPrintable(walk.markWords()));
        QTest::keyClick(&taken.panel(), Qt::Key_Return);
        QVERIFY(state.selection() && state.selection()->rank == 1 && state.selection()->iteration == run_b);
        QTest::keyClick(&taken.panel(), Qt::Key_Return);
        QCOMPARE(walk.step(), LessonStep::FollowUp);
        walk.goBack();
        walk.goBack();
        QCOMPARE(walk.step(), LessonStep::Guess);
        QVERIFY(!state.selection() && !state.gap() && !state.filter().isOn());
    }

    // The lesson's sweep, of its first run's configuration; nothing starts by itself.
    void theTuneViewIsOpenedWithTheLessonsSweep() {
        Taken taken(book_);
        wire::Scenario scenario = lessonOf({runOf("gpipe"), runOf("1f1b")});
        for (const int m : {2, 4, 6}) scenario.mutable_lesson()->mutable_tune()->add_m(m);
        scenario.mutable_lesson()->mutable_tune()->set_samples(8);
        taken.open(scenario);
        LessonWalk& walk = taken.panel().walk();
        walk.goTo(LessonStep::Guess);
        QTest::keyClick(&taken.panel(), Qt::Key_2);
        walk.goTo(LessonStep::FollowUp);
        QCOMPARE(taken.panel().tuneButton()->text(), QString("Sweep: m = 2, 4, 6 at 8 samples"));
        taken.panel().tuneButton()->click();
        QCOMPARE(taken.window.view(), MainView::Improve);
        const TuneView& tune = *part<TuneController>(taken.window).page();
        const SweepForm form = tune.sidePanel()->form();
        QCOMPARE(form.values, (std::vector<int>{2, 4, 6}));
        QVERIFY(form.fixed_batch && form.samples == 8);
        QVERIFY(part<Session>(taken.window).wanted() == runOf("gpipe"));
        QVERIFY(!tune.running());
        QCOMPARE(tune.rows().size(), std::size_t{3});
        QVERIFY(tune.rows()[0].problem.isEmpty() && !tune.rows()[2].problem.isEmpty());  // 8 samples by 6
    }

    // L is another command on the canvas; in a lesson it changes the language, wherever the focus is.
    void aKeyChangesTheLanguage() {
        Taken taken(book_);
        taken.open(lessonOf({runOf("1f1b"), runOf("gpipe")}));
        QVERIFY(QTest::qWaitForWindowActive(&taken.window));
        const bool arrows = taken.lessons().viewState().layers().arrows;
        taken.panel().walk().goTo(LessonStep::Guess);
        for (QWidget* focused :
             {static_cast<QWidget*>(&taken.panel()), static_cast<QWidget*>(taken.panel().choices()[1])}) {
            focused->setFocus();
            const QString before = taken.panel().walk().lesson().question;
            QTest::keyClick(focused, Qt::Key_L);
            QTRY_VERIFY(taken.panel().walk().lesson().question != before);
        }
        QCOMPARE(taken.panel().walk().lesson().question, QString("Which?"));
        QCOMPARE(taken.lessons().viewState().layers().arrows, arrows);
        taken.lessons().canvas()->setFocus();
        QTest::keyClick(taken.lessons().canvas(), Qt::Key_L);
        QCOMPARE(taken.lessons().viewState().layers().arrows, !arrows);
    }

    // A claim that these runs belie: the reveal says so and offers another try, which begins from nothing.
    void runsThatShowSomethingElseAreMadeAgain() {
        Taken taken(book_);
        taken.open(lessonOf({runOf("1f1b"), runOf("gpipe")}, "A.m > B.m"));
        taken.panel().walk().goTo(LessonStep::Guess);
        QTest::keyClick(&taken.panel(), Qt::Key_2);
        taken.panel().walk().goTo(LessonStep::Reveal);
        QVERIFY2(taken.panel().revealText().contains("noise hides part of this"),
                 qPrintable(taken.panel().revealText()));
        QVERIFY(taken.panel().againButton()->isVisible());
        QTest::mouseClick(taken.panel().againButton(), Qt::LeftButton);
        QCOMPARE(taken.lessons().runner().made().course.done(), 0);
        QVERIFY(!taken.panel().revealText().contains("noise hides part of this"));
        QVERIFY(!taken.panel().againButton()->isVisible());
        taken.engine.status(wire::RUNNING);
        taken.makeRuns();
        QVERIFY(taken.panel().revealText().contains("noise hides part of this"));
    }

    void theFirstGuessIsKept() {
        QFile::remove(LessonProgress::defaultFile());
        {
            Taken taken(book_);
            taken.open(lessonOf({runOf("1f1b")}));
            taken.panel().walk().goTo(LessonStep::Guess);
            QTest::keyClick(&taken.panel(), Qt::Key_1);
            QVERIFY(!QFile::exists(LessonProgress::defaultFile()));
            QTest::keyClick(&taken.panel(), Qt::Key_2);  // changed before it counts
            taken.panel().walk().goTo(LessonStep::Reveal);
        }
        QCOMPARE(LessonProgress().markOf("99-own"), LessonMark::Right);
        QFile file(LessonProgress::defaultFile());
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QJsonObject kept = QJsonDocument::fromJson(file.readAll())["lessons"]["99-own"].toObject();
        QCOMPARE(kept["choice"].toInt(), 2);
        QVERIFY(kept["seconds"].toInt(-1) >= 0 && !kept["date"].toString().isEmpty());
    }

    // The user's file: what is not about lessons stays, what cannot be read is put aside.
    void progressIsCarefulWithItsFile() {
        QTemporaryDir folder;
        const QString path = folder.filePath("data/progress.json");
        const auto contents = [](const QString& name) {
            QFile file(name);
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        const auto write = [](const QString& name, const QByteArray& text) {
            QFile file(name);
            return file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
        };
        {
            LessonProgress progress(path);
            QCOMPARE(progress.markOf("a"), LessonMark::None);
            QVERIFY(progress.add("a", 1, false, 12).isEmpty());
            QVERIFY(progress.add("a", 2, true, 3).isEmpty());  // the first one counts
            QVERIFY(progress.add("b", 1, true, 3).isEmpty());
        }
        QCOMPARE(LessonProgress(path).markOf("a"), LessonMark::Wrong);
        QCOMPARE(LessonProgress(path).markOf("b"), LessonMark::Right);

        QVERIFY(write(path, R"({"cards": {"Q01": 2}, "lessons": {"a": {"right": true}, "b": 7}})"));
        {
            LessonProgress progress(path);
            QCOMPARE(progress.markOf("a"), LessonMark::Right);
            QCOMPARE(progress.markOf("b"), LessonMark::None);
            QVERIFY(progress.forget().isEmpty());
            QCOMPARE(progress.markOf("a"), LessonMark::None);
        }
        QCOMPARE(QJsonDocument::fromJson(contents(path))["cards"]["Q01"].toInt(), 2);
        for (const QByteArray& broken :
             {QByteArray("{\"lessons\": {"), QByteArray("[1, 2]"), QByteArray("\xff\x00", 2),
              QByteArray("{\"lessons\": 4}"), QByteArray()}) {
            QVERIFY(write(path, broken));
            LessonProgress progress(path);
            QCOMPARE(progress.markOf("a"), LessonMark::None);
            QCOMPARE(contents(path), broken);  // looking changes nothing
            QVERIFY(progress.add("a", 1, true, 3).isEmpty());
            QCOMPARE(contents(path + ".broken"), broken);
            QCOMPARE(LessonProgress(path).markOf("a"), LessonMark::Right);
        }
        LessonProgress nowhere("/dev/null/progress.json");
        QVERIFY(nowhere.add("a", 1, true, 3).contains("progress.json"));
    }
};

BUBBLESCOPE_WINDOW_TEST(TestLessonCurtain)

}  // namespace tst_lesson_curtain

#include "tst_lesson_curtain.moc"
