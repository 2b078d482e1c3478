// Schedules in the whole window: panel and grid by key and button, the grid linked with the timeline, files
// opened, judged and run, and the search, all against an engine that only records its requests.
#include <pthread.h>

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <new>

#include "analysis/planned_iteration.h"
#include "app/schedules/schedule_controller.h"
#include "app/settings/program_options.h"
#include "app/shell/background.h"
#include "catalog/catalog.h"
#include "fake_engine.h"
#include "flight_dumps.h"
#include "opened_window.h"
#include "registered_test.h"
#include "required.h"
#include "timeline/iteration_events.h"
#include "timeline/predict.h"

namespace tst_schedule_window {

using namespace bscope;
using namespace bscope::ui;

class TestScheduleWindow : public QObject {
    Q_OBJECT
    LessonBook book_ = LessonBook::embedded();
    QTemporaryDir folder_;
    ViewState opened_state_;

    struct Opened : OpenedWindow {
        using OpenedWindow::OpenedWindow;
        SchedulePanel& panel() { return *part<ScheduleController>(window).panel(); }
        StepGrid& grid() { return part<ScheduleController>(window).strip()->grid(); }
        void key(Qt::Key key) { QTest::keyClick(&canvasOf(window), key); }
        void attach(FakeEngine& engine) {
            window.connectTo({"127.0.0.1", engine.port(), {}}, false);
            REQUIRE_SOON(engine.last(wire::Message::kAttach));
            engine.hello(RunConfig{}, wire::RUNNING);
            engine.start(RunConfig{}, 0, 0);
            engine.iteration(RunConfig{}, 0, 0);
            REQUIRE_SOON(part<Session>(window).history().newestComplete() == 0);
        }
    };

    // A history that hears of an endless stream; iteration 5 begins with micro-batch 40.
    struct Streamed {
        Streamed() {
            config.schedule = "pipedream";
            plan = planIteration(config, estimateCosts(config, nullptr), 0, 5, 40);
            history.iterationStarted(playedStart(config, 0, plan.timeline->begin_ns()));
        }
        void tell(std::vector<Event> events) {
            std::ranges::stable_sort(events, {}, &Event::iteration);
            history.events(events);
        }

        RunConfig config;
        PlannedIteration plan;
        RunHistory history;
    };

    static IterationReport reportOf(const RunConfig& config, int iteration) {
        IterationReport report;
        report.iteration = iteration;
        report.p = config.params.p;
        report.m = config.params.m;
        report.v = config.params.v;
        for (int rank = 0; rank < config.params.layout().world(); ++rank) report.ranks.emplace_back().rank = rank;
        return report;
    }
    QString write(const char* name, const QByteArray& text) {
        QFile file(folder_.filePath(QString::fromLatin1(name)));
        if (file.open(QIODevice::WriteOnly)) file.write(text);
        return file.fileName();
    }
    static RunConfig asked(const FakeEngine& engine) {
        const wire::Message* message = engine.last(wire::Message::kConfigure);
        return message ? fromWire(message->configure().config()) : RunConfig{};
    }

private slots:
    void initTestCase() { OpenedWindow::useTestSettings(); }

    void keyAndButtonOpenThePanel() {
        Opened opened(book_);
        QVERIFY(!opened.panel().isVisible());
        opened.key(Qt::Key_E);
        QVERIFY(opened.panel().isVisible());
        QCOMPARE(opened.panel().title(), QStringLiteral("1F1B"));
        QVERIFY(part<ControlBar>(opened.window).explainButton()->isChecked());
        const QString english = opened.panel().explanation().plainText();
        QTest::mouseClick(part<StatusLine>(opened.window).languageButton(), Qt::LeftButton);
        QTRY_VERIFY(opened.panel().explanation().plainText() != english);
        QTest::mouseClick(part<StatusLine>(opened.window).languageButton(), Qt::LeftButton);
        QTRY_COMPARE(opened.panel().explanation().plainText(), english);
        QTest::mouseClick(part<ControlBar>(opened.window).explainButton(), Qt::LeftButton);
        QVERIFY(!opened.panel().isVisible());
        QVERIFY(part<NumbersDock>(opened.window).isVisible());
        opened.key(Qt::Key_E);
        QTest::mouseClick(opened.panel().closeButton(), Qt::LeftButton);
        QVERIFY(!opened.panel().isVisible());
    }

    void panelFollowsTheSchedule() {
        Opened opened(book_);
        opened.key(Qt::Key_E);
        opened.key(Qt::Key_G);
        RunConfig config;
        config.schedule = "zb-v";
        config.params.v = 2;
        part<Session>(opened.window).edit(config);
        QTRY_COMPARE(opened.panel().title(), QStringLiteral("ZB-V"));
        QTRY_VERIFY(opened.grid().model() && opened.grid().model()->places.lettered());
    }

    // A change of durations alone is no other schedule from an iteration on.
    void onlyAnotherScheduleIsExplainedAhead() {
        Opened opened(book_);
        FakeEngine engine;
        opened.attach(engine);
        opened.key(Qt::Key_E);
        Session& session = part<Session>(opened.window);
        RunConfig config = session.wanted();
        config.durations = Durations::Calibrated;
        session.edit(config, true);
        QVERIFY(session.pending());
        QCOMPARE(opened.panel().remark(), QString());
        config.params.m = 12;
        session.edit(config);
        QTRY_COMPARE(opened.panel().remark(), QStringLiteral("from iteration 2"));
    }

    void gridAndTimelineSelectEachOther() {
        Opened opened(book_);
        opened.key(Qt::Key_G);
        QVERIFY(part<ScheduleController>(opened.window).strip()->isVisible());
        const auto place = opened.grid().model()->find(2, {2, Op::Backward, 4});
        QVERIFY(place);
        QTest::mouseClick(opened.grid().viewport(), Qt::LeftButton, {},
                          opened.grid().cellRect(*place).center());
        QVERIFY(canvasOf(opened.window).state().selection());
        QVERIFY(canvasOf(opened.window).picture().selection);
        QCOMPARE(canvasOf(opened.window).picture().lives.front().boxes.size(), std::size_t{8});
        canvasOf(opened.window).setFocus();
        QTest::keyClick(&canvasOf(opened.window), Qt::Key_Period);  // next box on the lane
        QCOMPARE(opened.grid().current()->row, 2);
        QCOMPARE(opened.grid().current()->index, place->index + 1);
    }

    void gridBringsItsBoxIntoSight() {
        Opened opened(book_);
        opened.key(Qt::Key_G);
        GanttView& gantt = canvasOf(opened.window);
        const double end = gantt.fitRange().to_ns;
        canvasOf(opened.window).state().setRange({0, end / 8});
        opened.grid().setFocus();
        QTest::keyClick(&opened.grid(), Qt::Key_End);
        QVERIFY(canvasOf(opened.window).state().range().from_ns > 0);
        QVERIFY(canvasOf(opened.window).state().range().to_ns >= 0.9 * end);
    }

    // Valid by the rules of PyTorch's runtime; two neighbours that send first wait for each other elsewhere.
    void anOrderThatStandsStillShowsItsCircle() {
        Opened opened(book_);
        opened.window.openFiles({write("late.csv",
                                       "0F0,0SEND_F0,0F1,0SEND_F1,0RECV_B0,0B0,0RECV_B1,0B1\n"
                                       "1RECV_F0,1F0,1B0,1SEND_B0,1RECV_F1,1F1,1B1,1SEND_B1\n")});
        FileReport& report = opened.panel().file();
        QCOMPARE(report.rules()->count(), 0);
        QVERIFY(report.runButton()->isVisible());
        QCOMPARE(report.messages()->count(), 4);
        QVERIFY(report.messages()->isVisible());
        QCOMPARE(report.messages()->currentRow(), 1);
        QVERIFY(report.messages()->item(0)->text().contains(QStringLiteral("runs")));
        QVERIFY(report.messages()->item(1)->text().contains(
            QStringLiteral("rank 0 stands at 0SEND_F1 until rank 1 does 1RECV_F1")));
        const GridModel* model = opened.grid().model();
        QVERIFY(model->as_written);
        QCOMPARE(model->waits.size(), std::size_t{2});
        QCOMPARE(model->cell(model->waits[0].first).written, QStringLiteral("0SEND_F1"));
        QCOMPARE(model->cell(model->waits[1].first).written, QStringLiteral("1SEND_B0"));
        QCOMPARE(opened.grid().current(), model->waits.front().first);
        report.messages()->setCurrentRow(0);  // runs: played
        QVERIFY(!opened.grid().model()->as_written);
        QVERIFY(opened.grid().model()->waits.empty());
        report.messages()->setCurrentRow(2);
        QCOMPARE(opened.grid().model()->waits.size(), std::size_t{2});
        // The same rule of the next file is shown as well.
        opened.window.openFiles({write("crossed.csv", "0F0,0B0,0F1,0B1\n1F1,1B1,1F0,1B0\n")});
        QVERIFY(report.messages()->count() == 0 && !report.messages()->isVisible());
        QCOMPARE(opened.grid().model()->waits.size(), std::size_t{2});
    }

    // Dumps of two ranks that run what the window shows: rank 1 never ends 1B1.
    void dumpsOfAProgramThatHangs() {
        Opened opened(book_);
        const ScheduleParams params = part<Session>(opened.window).wanted().params;
        QCOMPARE(part<Session>(opened.window).wanted().schedule, std::string("1f1b"));
        const Program program = lower(makeSchedule("1f1b", params));
        const QTemporaryDir folder;
        const int last = params.p - 1;
        for (const MadeDump& each : MadeRun{program, 1, last, {last, Op::Backward, 1}}.run()) {
            QFile file(folder.filePath(QStringLiteral("nccl_trace_rank_%1").arg(each.rank)));
            QVERIFY(file.open(QIODevice::WriteOnly));
            const std::string bytes = each.pickle(2);
            file.write(bytes.data(), static_cast<qint64>(bytes.size()));
        }
        QFile stack(folder.filePath(QStringLiteral("pyspy_rank_%1.txt").arg(last)));
        QVERIFY(stack.open(QIODevice::WriteOnly));
        stack.write("Process 7: python train.py\nPython v3.11.7 (/usr/bin/python3)\n\nThread 7 (active): "
                    "\"MainThread\"\n    tokenize (data.py:31)\n    <module> (train.py:9)\n");
        stack.close();
        opened.window.openFiles({folder.path()});
        FileReport& report = opened.panel().file();
        QVERIFY(!report.isVisible());  // they are read on a thread of their own
        QTRY_VERIFY(report.isVisible());
        QVERIFY(report.rules()->item(params.p)->text().endsWith(QStringLiteral("tokenize (data.py:31) < <module> (train.py:9)")));
        QVERIFY(!report.runButton()->isVisible());
        QCOMPARE(report.rules()->count(), 1 + params.p);  // what was found, and every rank
        QVERIFY2(report.rules()->item(0)->text().startsWith(QStringLiteral("rank %1 never posted").arg(last)),
                 qPrintable(report.rules()->item(0)->text()));
        const GridModel* model = opened.grid().model();
        QVERIFY(model && !model->waits.empty());
        const auto owed = model->find(last, {last, Op::Backward, 1});
        QVERIFY(owed && !model->cell(*owed).stands.empty());
        QCOMPARE(opened.grid().current(), owed);
        report.rules()->setCurrentRow(1);
        QCOMPARE(opened.grid().current()->row, 0);
        QTest::mouseClick(report.closeButton(), Qt::LeftButton);
        QVERIFY(!part<ScheduleController>(opened.window).showsFile());
    }

    void brokenFileIsJudgedRuleByRule() {
        Opened opened(book_);
        opened.window.openFiles({write("broken.csv", "0F0,0F1,0B0,0B1\n1B0,1F0,1F1\n")});
        QVERIFY(part<ScheduleController>(opened.window).showsFile());
        QVERIFY(opened.panel().isVisible());
        QVERIFY(part<ScheduleController>(opened.window).strip()->isVisible());
        FileReport& report = opened.panel().file();
        QVERIFY(report.rules()->count() >= 2);
        QVERIFY(!report.runButton()->isVisible());
        report.rules()->setCurrentRow(1);
        QVERIFY(opened.grid().current());
        const auto second = opened.grid().current();
        report.rules()->setCurrentRow(0);
        QVERIFY(opened.grid().current() != second);
        QTest::mouseClick(opened.grid().viewport(), Qt::LeftButton, {},
                          opened.grid().cellRect(*second).center());
        QCOMPARE(report.rules()->currentRow(), 1);
        QTest::mouseClick(report.closeButton(), Qt::LeftButton);
        QVERIFY(!part<ScheduleController>(opened.window).showsFile());
        QVERIFY(!opened.panel().isVisible());  // as before
        QVERIFY(!part<ScheduleController>(opened.window).strip()->isVisible());
    }

    void legalFileRuns_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("order") << QByteArray("0F0,0F1,0B0,0B1\n1F0,1B0,1F1,1B1\n");
        QTest::newRow("old spelling") << QByteArray("0F0,0F1,0B0,0W0,0BW1\n1F0,1B0,1W0,1F1,1BW1\n");
        QTest::newRow("time table") << QByteArray(
            "time,1,2,3,4,5,6\nGPU1,F1,F2,-,B1,-,B2\nGPU2,-,F1,B1,F2,B2,-\n");
    }
    void legalFileRuns() {
        QFETCH(QByteArray, text);
        FakeEngine engine;
        Opened opened(book_);
        opened.attach(engine);
        opened.window.openFiles({write("mine.csv", text)});
        Button* run = opened.panel().file().runButton();
        QVERIFY2(run->isVisible() && run->isEnabled(), qPrintable(opened.panel().file().verdict()));
        QTest::mouseClick(run, Qt::LeftButton);
        QTRY_VERIFY(asked(engine).schedule.starts_with("file:"));
        QCOMPARE(asked(engine).params, (ScheduleParams{2, 1, 2, 0}));
        QVERIFY(scheduleProblems(asked(engine).schedule, asked(engine).params).empty());
        QVERIFY(part<Session>(opened.window).pending());
        QVERIFY(!part<ScheduleController>(opened.window).showsFile());
    }

    void refusalIsSaidInPlace() {
        Opened opened(book_);
        RunConfig config;
        config.model.layers = 4;
        part<Session>(opened.window).edit(config);
        QByteArray five;
        for (int rank = 0; rank < 5; ++rank) five += QStringLiteral("%1F0,%1B0\n").arg(rank).toLatin1();
        opened.window.openFiles({write("five.csv", five)});
        QVERIFY(!opened.panel().file().runButton()->isEnabled());
        QVERIFY(opened.panel().file().verdict().contains(QStringLiteral("layers")));
        config.model.layers = 8;
        part<Session>(opened.window).edit(config);
        QVERIFY(opened.panel().file().runButton()->isEnabled());
    }

    void unreadableFilesHaveTheirSentence() {
        Opened opened(book_);
        opened.window.openFiles({QStringLiteral("/nowhere/mine.csv")});
        QVERIFY(part<FailureBar>(opened.window).isVisible());
        QVERIFY(part<FailureBar>(opened.window).sentence().contains(QStringLiteral("mine.csv")));
        opened.window.openFiles({write("binary.csv", QByteArray("\0\1\2", 3))});
        QVERIFY(part<FailureBar>(opened.window).sentence().contains(QStringLiteral("not a text")));
        QVERIFY(!part<ScheduleController>(opened.window).showsFile());
        opened.window.openFiles({write("empty.csv", {})});
        QVERIFY(part<ScheduleController>(opened.window).showsFile());
        QCOMPARE(opened.panel().file().rules()->count(), 1);
    }

    void fileCanBeNamedOnTheCommandLine() {
        QStringList problems;
        const ProgramOptions options =
            parseOptions({QStringLiteral("bubblescope"), QStringLiteral("mine.csv")}, problems);
        QVERIFY(problems.isEmpty());
        QCOMPARE(options.files, QStringList{QStringLiteral("mine.csv")});
    }

    void searchFindsAndRuns() {
        FakeEngine engine;
        Opened opened(book_);
        opened.attach(engine);
        opened.key(Qt::Key_E);
        SearchSection& search = opened.panel().search();
        QTest::mouseClick(search.searchButton(), Qt::LeftButton);
        QVERIFY(search.running());
        QTRY_VERIFY_WITH_TIMEOUT(search.finding(), 30'000);
        QVERIFY(search.finding()->found_ms < search.finding()->now_ms);
        QVERIFY(search.finding()->gap >= 0);
        QTest::mouseClick(search.runButton(), Qt::LeftButton);
        QTRY_VERIFY(asked(engine).schedule.starts_with("file:"));
        QCOMPARE(asked(engine).params, RunConfig{}.params);
        QVERIFY(part<Session>(opened.window).problems().empty());
        QTRY_VERIFY(!search.runButton()->isEnabled());  // chosen
    }

    // A stack larger than the address space: the system cannot make such a thread.
    void aSearchWithoutAThreadIsReported() {
        Opened opened(book_);
        opened.key(Qt::Key_E);
        SearchSection& search = opened.panel().search();
        pthread_attr_t usual, impossible;
        pthread_getattr_default_np(&usual);
        pthread_attr_init(&impossible);
        pthread_attr_setstacksize(&impossible, std::size_t{1} << 47);
        pthread_setattr_default_np(&impossible);
        QTest::mouseClick(search.searchButton(), Qt::LeftButton);
        pthread_setattr_default_np(&usual);
        QVERIFY(!search.running());
        QCOMPARE(part<FailureBar>(opened.window).sentence(),
                 QStringLiteral("The system cannot create a thread for the search."));
        QTest::mouseClick(search.searchButton(), Qt::LeftButton);
        QVERIFY(search.running());
        QTRY_VERIFY_WITH_TIMEOUT(search.finding(), 30'000);
    }

    // Fails, and ends the program, when what the computation throws leaves its thread.
    void aComputationWithoutMemoryGivesNothing() {
        Background<int> work(*this);
        int answers = 0;
        bool gave = true;
        QCOMPARE(work.start([](const std::stop_token&) -> int { throw std::bad_alloc(); },
                            [&](const std::shared_ptr<const int>& result) {
                                ++answers;
                                gave = result != nullptr;
                            }),
                 QString());
        QTRY_COMPARE(answers, 1);
        QVERIFY(!gave && !work.running());
    }

    void searchCanBeCancelled() {
        Opened opened(book_);
        opened.key(Qt::Key_E);
        SearchSection& search = opened.panel().search();
        QTest::mouseClick(search.searchButton(), Qt::LeftButton);
        QVERIFY(search.running());
        QTest::mouseClick(search.searchButton(), Qt::LeftButton);
        QVERIFY(!search.running());
        QTest::qWait(50);
        QVERIFY(!search.finding());
    }

    void anotherConfigurationForgetsWhatWasFound() {
        Opened opened(book_);
        opened.key(Qt::Key_E);
        SearchSection& search = opened.panel().search();
        QTest::mouseClick(search.searchButton(), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(search.finding(), 30'000);
        RunConfig config;
        config.params.m = 12;
        part<Session>(opened.window).edit(config);
        QTRY_VERIFY(!search.finding());
    }

    void streamIsPlannedInItsSteadyState() {
        RunConfig config;
        config.schedule = "pipedream";
        Session session;
        const IterationView view = session.planOf(config);
        QVERIFY(view.isStream());
        for (int rank = 0; rank < 4; ++rank) {
            int backwards = 0;
            for (const Event& event : ofIteration(view.planned->compute(rank), 0)) {
                backwards += event.op == Op::Backward;
                if (isCompute(event.op)) QVERIFY(event.weight_version >= 0);
            }
            QCOMPARE(backwards, config.params.m);
        }
        QVERIFY(view.planned->begin_ns() < view.start_ns);  // the iteration before runs into it
        GanttView gantt(opened_state_);
        gantt.setView(view);
        const PreparedView& picture = gantt.picture().groups.front();
        QVERIFY(!picture.neighbour(0, -1).empty());  // gradients come back to rank 0 last
        QCOMPARE(gantt.picture().notation.microbatch(config.params.m), QStringLiteral("1"));
    }

    void streamedIterationsRunThroughEachOther() {
        Streamed stream;
        std::vector<Event> events;
        for (int rank = 0; rank < 4; ++rank)
            for (const Event& event : stream.plan.timeline->compute(rank))
                if (event.iteration >= 4 && event.iteration <= 6) events.push_back(event);
        stream.tell(std::move(events));
        stream.history.watermark(stream.plan.timeline->end_ns());
        const auto view = stream.history.view(5);
        QVERIFY(view);
        QCOMPARE(view->first_microbatch, 40);
        QVERIFY(view->before && view->after);
        const PreparedView picture(*view);
        QVERIFY(!picture.neighbour(0, -1).empty());  // still at the iteration before
        QVERIFY(!picture.neighbour(3, +1).empty());  // already at the next one
        for (const Event& event : picture.neighbour(0, -1)) {
            QCOMPARE(event.iteration, 4);
            QVERIFY(event.end_ns > view->start_ns);
        }
    }

    // After a drain the ranks start together again: what lay between the two streams is not their bubble.
    void aStreamThatBeganAnewIsMeasuredByItself() {
        RunConfig config;
        config.schedule = "pipedream";
        const EndlessStream stream(makeSchedule(config.schedule, config.params), config.params.m,
                                   config.recompute);
        const Timeline played = predict(stream, estimateCosts(config, nullptr));
        const std::int64_t pause_ns = played.end_ns();
        RunHistory history;
        history.iterationStarted(playedStart(config, 0, 0));
        Timeline second(4, Provenance::Predicted);
        for (const int iteration : {0, 1}) {
            std::vector<Event> events;
            for (int rank = 0; rank < 4; ++rank)
                for (Event event : ofIteration(played.compute(rank), 0)) {
                    event.iteration = iteration;
                    event.start_ns += iteration * 2 * pause_ns;
                    event.end_ns += iteration * 2 * pause_ns;
                    events.push_back(event);
                    if (iteration == 1) second.append(event);
                }
            history.events(events);
            history.iterationFinished(reportOf(config, iteration));
        }
        const auto view = history.view(1);
        QVERIFY(view && view->summary && !view->before);
        QCOMPARE(view->summary->bubble_of_total, summarize(second, 1).bubble_of_total);
    }

    // Whatever comes of an iteration first, its picture begins with its first operation.
    void aPictureBeginsWithTheFirstOperation() {
        RunConfig config;
        RunHistory history;
        history.iterationStarted(playedStart(config, 0, 0));
        const PlannedIteration plan = planIteration(config, estimateCosts(config, nullptr), 5'000'000'000, 3);
        Event step;
        step.op = Op::OptimizerStep, step.rank = 0, step.stage = -1, step.iteration = 3;
        step.start_ns = 9'000'000'000, step.end_ns = 9'001'000'000;
        history.events(std::array{step});
        for (const Event& event : plan.timeline->compute(1)) history.events({&event, 1});
        history.watermark(plan.timeline->end_ns());
        QCOMPARE(history.view(3)->start_ns, plan.timeline->compute(1).front().start_ns);
    }

    // It has fewer forwards than the others; canvas and dock show one bubble all the same.
    void aStreamsLastIterationIsSummedUpAsTheEngineDoes() {
        Streamed stream;
        Timeline all(4, Provenance::Reconstructed);
        std::vector<Event> events;
        for (int rank = 0; rank < 4; ++rank) {
            const auto own = ofIteration(stream.plan.timeline->compute(rank), 5);
            for (const Event& event : stream.plan.timeline->compute(rank)) {
                const bool missing =
                    rank == 0 && event.op == Op::Forward && event.start_ns >= own[own.size() - 6].start_ns;
                if (event.iteration < 4 || event.iteration > 5 || (missing && event.iteration == 5)) continue;
                all.append(event);
                events.push_back(event);
            }
        }
        stream.tell(std::move(events));
        stream.history.iterationFinished(reportOf(stream.config, 4));
        IterationReport report = reportOf(stream.config, 5);
        report.bubble_of_total = summarize(all, 5).bubble_of_total;
        stream.history.iterationFinished(report);
        const auto view = stream.history.view(5);
        QVERIFY(view->summary);
        QCOMPARE(view->summary->bubble_of_total, report.bubble_of_total);
    }

    void visibilityIsRemembered() {
        {
            Opened opened(book_);
            opened.key(Qt::Key_E);
            opened.key(Qt::Key_G);
            opened.window.close();
        }
        Opened again(book_, Preferences::load());
        QVERIFY(again.panel().isVisible());
        QVERIFY(part<ScheduleController>(again.window).strip()->isVisible());
        again.key(Qt::Key_E);
        again.key(Qt::Key_G);
        again.window.close();
        QVERIFY(!Preferences::load().step_grid);
    }
};

BUBBLESCOPE_WINDOW_TEST(TestScheduleWindow)

}  // namespace tst_schedule_window

#include "tst_schedule_window.moc"
