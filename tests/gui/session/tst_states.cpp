// One word for one state: title, status line and button say the same of every state that a session can be in.
// And a start is always one of what is shown: nothing runs under the name of something that was refused.
#include <QLabel>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "app/find/command_palette.h"
#include "app/lessons/lesson_controller.h"
#include "app/schedules/schedule_controller.h"
#include "registered_test.h"
#include "required.h"
#include "watched_window.h"
#include "widgets/picture/timeline_painter.h"
#include "widgets/text/format.h"
#include "wire/recording.h"

namespace tst_states {

using namespace bscope;
using namespace bscope::ui;

class TestStates : public QObject {
    Q_OBJECT
    LessonBook book_ = LessonBook::embedded();
    QTemporaryDir folder_;

    struct Opened : WatchedWindow {
        using WatchedWindow::WatchedWindow;
        void beginIteration(int iteration) {
            for (const auto& message :
                 playedMessages(config, iteration, end_ns, false, &end_ns))
                engine.send(message);
            REQUIRE_SOON(session().history().newest() == iteration);
        }
        int said(wire::Control::Verb verb) const {
            int count = 0;
            for (const wire::Message& message : engine.said())
                count += message.has_control() && message.control().verb() == verb;
            return count;
        }
        QString status() { return part<StatusLine>(window).stateText(); }
        QString button() { return part<ControlBar>(window).runButton()->text(); }
        IterationState iterationState() { return canvasOf(window).views().front().iteration_state; }
    };

    QString write(const QString& name, const QByteArray& text) const {
        QFile file(folder_.filePath(name));
        if (file.open(QIODevice::WriteOnly)) file.write(text);
        return file.fileName();
    }

private slots:
    void initTestCase() { OpenedWindow::useTestSettings(); }

    void everyStateHasOneWord() {
        Opened o(book_);
        QCOMPARE(o.session().state(), SessionState::Idle);
        QCOMPARE(o.status(), QStringLiteral("Ready"));
        QCOMPARE(o.button(), QStringLiteral("Run"));

        o.attach(wire::IDLE);
        QTRY_COMPARE(o.status(), QStringLiteral("Ready"));
        o.engine.status(wire::STARTING);
        QTRY_COMPARE(o.status(), QStringLiteral("Starting"));
        QCOMPARE(o.button(), QStringLiteral("Cancel"));

        o.run(2);
        o.beginIteration(2);
        QTRY_COMPARE(o.session().state(), SessionState::Running);
        QTRY_VERIFY(o.status().startsWith(QStringLiteral("Running · iteration 3")));
        QCOMPARE(o.button(), QStringLiteral("Pause"));
        QTRY_COMPARE(o.iterationState(), IterationState::Live);

        o.session().pause();
        QCOMPARE(o.session().state(), SessionState::Pausing);
        QCOMPARE(o.status(), QStringLiteral("Pausing after 3"));
        QCOMPARE(o.button(), QStringLiteral("Pausing"));
        QCOMPARE(o.iterationState(), IterationState::Live);
        QTest::mouseClick(part<ControlBar>(o.window).runButton(), Qt::LeftButton);  // once more: it goes on
        QCOMPARE(o.session().state(), SessionState::Running);
        QTRY_COMPARE(o.said(wire::Control::RUN), 1);
        o.session().pause();

        // As an asynchronous schedule does, which has begun the next iteration when it rests.
        o.engine.status(wire::PAUSED);
        QTRY_COMPARE(o.session().state(), SessionState::Paused);
        QCOMPARE(o.status(), QStringLiteral("Paused at 2"));
        QCOMPARE(o.button(), QStringLiteral("Run"));
        QCOMPARE(o.iterationState(), IterationState::Paused);
        o.session().select(0);  // looked at, not where the engine stands
        QCOMPARE(o.status(), QStringLiteral("Paused at 2"));
        o.session().follow();

        wire::Message failure;
        failure.mutable_failure()->set_sentence("Rank 1 stopped.");
        o.engine.send(failure);
        QTRY_COMPARE(o.session().state(), SessionState::Failed);
        QCOMPARE(o.status(), QStringLiteral("Failed"));
        QCOMPARE(o.button(), QStringLiteral("Run again"));
        QCOMPARE(o.iterationState(), IterationState::Interrupted);

        // Ready again: what was cut off is not live because of that.
        o.engine.status(wire::IDLE);
        QTRY_COMPARE(o.session().state(), SessionState::Idle);
        QCOMPARE(o.status(), QStringLiteral("Ready"));
        QCOMPARE(o.iterationState(), IterationState::Interrupted);

        o.engine.hangUp();
        QTRY_COMPARE(o.session().state(), SessionState::Disconnected);
        QVERIFY(o.status().startsWith(QStringLiteral("Disconnected")));
        QCOMPARE(o.button(), QStringLiteral("Reconnect"));
        QCOMPARE(o.iterationState(), IterationState::Interrupted);
    }

    void theFirstPlanIsNotSaidToBeOfAnEarlierRun() {
        Session session;
        QVERIFY(!session.shown().costs_measured);
        Opened o(book_);
        o.attach(wire::RUNNING);
        o.run(1);
        RunConfig other = o.config;
        other.params.m = 12;
        QVERIFY(o.session().planOf(other).costs_measured);
        other.device = DeviceChoice::Cuda;  // of which nothing is known
        QVERIFY(!o.session().planOf(other).costs_measured);
    }

    // The gain is one of two plans and stands between them, in the strip; the dock, which shows what ran,
    // says the same predicted rate without a gain.
    void aPendingChangePromisesOneNumber() {
        Opened o(book_);
        o.attach(wire::RUNNING);
        o.run(2);
        RunConfig other = o.config;
        other.params.m = 12;
        o.session().edit(other);
        QVERIFY(o.session().pending());
        const QRegularExpression share(QStringLiteral("[+−-][0-9.]+.%"));
        const auto promised = [&](const QString& text) { return share.match(text).captured(); };
        const QString strip = promised(part<PendingStrip>(o.window).effectText());
        QVERIFY2(!strip.isEmpty(), qPrintable(part<PendingStrip>(o.window).effectText()));
        const PendingChange& change = *o.session().pending();
        QCOMPARE(strip, changeText(change.tokens_per_s_now, change.tokens_per_s));
        const QString dock = part<NumbersDock>(o.window).rate().throughputNote();
        QCOMPARE(dock, "→ predicted " + rateNumber(change.tokens_per_s));
    }

    void aRefusedScenarioStartsNothing_data() {
        QTest::addColumn<QByteArray>("config");
        QTest::newRow("a word that is none") << QByteArray(R"({"recompute": "ful"})");
        QTest::newRow("illegal sizes")
            << QByteArray(R"({"schedule": "interleaved", "p": 4, "v": 2, "m": 6})");
        QTest::newRow("no ranks") << QByteArray(R"({"schedule": "interleaved", "p": 0, "v": 2, "m": 8})");
    }
    void aRefusedScenarioStartsNothing() {
        QFETCH(QByteArray, config);
        Opened o(book_);
        const QString path = write(QStringLiteral("refused.json"),
                                   R"({"id": "x", "title": {"en": "Mine"}, "config": )" + config + "}");
        o.attach(wire::IDLE);
        wire::Scenario scenario;
        scenario.mutable_title()->set_en("Mine");
        o.window.openFiles({path});
        QVERIFY(part<FailureBar>(o.window).isVisible());
        QTest::qWait(50);
        const bool unknown_word = config.contains("ful");
        QCOMPARE(o.session().problems().empty(), unknown_word);
        if (unknown_word) return;
        // Its own title over an empty picture, not the default's plan.
        QCOMPARE(canvasOf(o.window).views().front().config.schedule, std::string("interleaved"));
        QVERIFY(canvasOf(o.window).views().front().planned->empty());
        QVERIFY(!part<NumbersDock>(o.window).rate().isVisible());  // no "0 tokens/s, predicted"
        QTest::mouseClick(part<ControlBar>(o.window).runButton(), Qt::LeftButton);
        QTest::qWait(100);
        QCOMPARE(o.said(wire::Control::RUN), 0);
        QVERIFY(part<FailureBar>(o.window).isVisible());
    }

    // What looks legal here may be refused there: the engine's own configuration does not run instead.
    void whatTheEngineRefusesDoesNotStart() {
        for (const bool refuses : {false, true}) {
            Opened o(book_);
            o.attach(wire::IDLE);
            RunConfig other;
            other.params.m = 12;
            o.session().edit(other);
            o.session().run();
            QTRY_VERIFY(o.engine.last(wire::Message::kConfigure));
            QTest::qWait(50);
            QCOMPARE(o.said(wire::Control::RUN), 0);
            wire::Message reply;
            reply.mutable_configure_reply()->set_request(
                o.engine.last(wire::Message::kConfigure)->configure().request());
            if (refuses) reply.mutable_configure_reply()->add_problems()->set_message("too much memory");
            o.engine.send(reply);
            if (!refuses) QTRY_COMPARE(o.said(wire::Control::RUN), 1);
            if (!refuses) continue;
            QTRY_VERIFY(!o.session().problems().empty());
            o.session().run();
            QTest::qWait(50);
            QCOMPARE(o.said(wire::Control::RUN), 0);
        }
    }

    // The chip of a disturbed iteration: what it means, and one click to calibrated durations.
    void theDisturbedChipChoosesCalibratedDurations() {
        Opened o(book_);
        o.attach(wire::RUNNING);
        o.engine.start(o.config, 0, 0);
        for (wire::Message message : playedMessages(o.config, 0, 0, true, &o.end_ns)) {
            if (message.has_iteration_report()) {
                message.mutable_iteration_report()->set_disturbed(true);
                message.mutable_iteration_report()->set_wall_over_cpu(13.77);
            }
            o.engine.send(message);
        }
        const auto chip = [&]() -> Button* {
            for (Button* each : canvasOf(o.window).titleChips())
                if (each->text().startsWith(QStringLiteral("disturbed"))) return each;
            return nullptr;
        };
        QTRY_VERIFY(chip() != nullptr);
        QVERIFY2(chip()->toolTip().contains("13.77 times"), qPrintable(chip()->toolTip()));
        QVERIFY(chip()->toolTip().contains("Click for calibrated durations"));
        QCOMPARE(o.config.durations, Durations::Raw);
        QTest::mouseClick(chip(), Qt::LeftButton);
        QTRY_VERIFY(o.engine.last(wire::Message::kConfigure));
        const RunConfig asked = fromWire(o.engine.last(wire::Message::kConfigure)->configure().config());
        QCOMPARE(asked.durations, Durations::Calibrated);
        RunConfig but_durations = asked;
        but_durations.durations = Durations::Raw;
        QCOMPARE(but_durations, o.config);
        QCOMPARE(o.session().wanted().durations, Durations::Calibrated);
    }

    // Iterations long enough to be watched that other programs disturb, one after the other, are calibrated by
    // themselves; raw ones are a click away, and stay for the run.
    void aBusyMachineIsCalibratedByItself() {
        Opened o(book_);
        QAction* const by_itself = o.action("Calibrate durations on a busy machine");
        QVERIFY(by_itself && !by_itself->isChecked());  // as the tests' windows begin
        o.attach(wire::RUNNING);
        const auto disturbed = [&](const RunConfig& config, int iteration) {
            for (wire::Message message :
                 playedMessages(config, iteration, o.end_ns, true, &o.end_ns)) {
                if (message.has_iteration_report()) {
                    message.mutable_iteration_report()->set_disturbed(true);
                    message.mutable_iteration_report()->set_wall_over_cpu(2.5);
                }
                o.engine.send(message);
            }
            REQUIRE_SOON(o.session().history().newestComplete() == iteration);
        };
        const auto chip = [&](const QString& words) -> Button* {
            for (Button* each : canvasOf(o.window).titleChips())
                if (each->text().startsWith(words)) return each;
            return nullptr;
        };
        o.engine.start(o.config, 0, 0);
        disturbed(o.config, 0);
        QVERIFY(o.engine.last(wire::Message::kConfigure) == nullptr);  // one alone says little
        disturbed(o.config, 1);
        QTest::qWait(50);
        QVERIFY(o.engine.last(wire::Message::kConfigure) == nullptr);  // off
        by_itself->trigger();
        disturbed(o.config, 2);
        QTRY_VERIFY(o.engine.last(wire::Message::kConfigure));
        const RunConfig asked = fromWire(o.engine.last(wire::Message::kConfigure)->configure().config());
        QCOMPARE(asked, withCalibrated(o.config));
        QVERIFY(!o.session().announcedPending());  // the program's own doing
        o.engine.accept(o.engine.last(wire::Message::kConfigure)->configure().request(), 3);
        o.engine.start(asked, 3, o.end_ns);
        for (int iteration = 3; iteration < 13; ++iteration) disturbed(asked, iteration);
        QCOMPARE(o.session().history().view(3)->calibrated_over, 0);
        QCOMPARE(o.session().history().view(6)->calibrated_over, 3);
        QCOMPARE(o.session().history().view(12)->calibrated_over, 8);
        QVERIFY(calibratedText(*o.session().history().view(12)).contains("medians of 8 iterations"));
        QTRY_VERIFY(chip("calibrated") != nullptr && chip("disturbed") == nullptr);
        QTest::mouseClick(chip("calibrated"), Qt::LeftButton);
        QTRY_COMPARE(o.session().wanted(), o.config);
        const auto request = [&] { return o.engine.last(wire::Message::kConfigure)->configure().request(); };
        QTRY_VERIFY(request() >= 2);
        const auto last = request();
        o.engine.accept(last, 13);
        o.engine.start(o.config, 13, o.end_ns);
        for (int iteration = 13; iteration < 17; ++iteration) disturbed(o.config, iteration);
        QTest::qWait(50);
        QCOMPARE(request(), last);  // raw stays
        QCOMPARE(o.session().wanted().durations, Durations::Raw);
    }

    // A baseline in the place of the run is there in the dock, too, and goes from both.
    void theDockShowsTheSwappedBaseline() {
        Opened o(book_);
        o.attach(wire::RUNNING);
        o.run(1);
        const auto trigger = [&](const QString& name) {
            for (QAction* action : part<WindowActions>(o.window).all())
                if (plainActionText(*action) == name) return action->trigger();
            QFAIL(qPrintable(name));
        };
        const auto big = [&](double share) {
            const QString wanted = shareText(share);
            for (const QLabel* label : part<NumbersDock>(o.window).findChildren<QLabel*>())
                if (label->isVisible() && label->font().pixelSize() > 20 && label->text() == wanted)
                    return true;
            return false;
        };
        trigger(QStringLiteral("Pin as baseline"));
        o.config.params.m = 4;
        o.engine.start(o.config, 1, o.end_ns);
        o.end_ns = o.engine.iteration(o.config, 1, o.end_ns);
        QTRY_COMPARE(o.session().history().newestComplete(), 1);
        const double before = o.session().history().view(0)->report->bubble_of_total,
                     after = o.session().history().view(1)->report->bubble_of_total;
        QVERIFY(shareText(before) != shareText(after));
        QTRY_VERIFY(big(after) && !big(before));
        trigger(QStringLiteral("Swap with the baseline"));
        QTRY_VERIFY(big(before) && !big(after));
        QCOMPARE(canvasOf(o.window).views().front().iteration, 0);
        trigger(QStringLiteral("Swap with the baseline"));
        QTRY_VERIFY(big(after) && !big(before));
    }

    // The big Run starts the opened file, whose plan is on the canvas.
    // The fields name the file's schedule while its plan is on the canvas; another choice there closes it.
    void theToolBarIsOfWhatIsShown() {
        Opened o(book_);
        o.attach(wire::IDLE);
        const QString path = write(QStringLiteral("bar.csv"), "0F0,0F1,0B0,0B1\n1F0,1B0,1F1,1B1\n");
        const ControlBar& bar = part<ControlBar>(o.window);
        const RunConfig before = bar.inForce();
        o.window.openFiles({path});
        QCOMPARE(bar.inForce().schedule, "file:" + path.toStdString());
        QCOMPARE(bar.inForce().params, (ScheduleParams{2, 1, 2, 0}));
        QCOMPARE(bar.inForce(), canvasOf(o.window).views().front().config);
        part<ScheduleController>(o.window).closeFile();
        QCOMPARE(bar.inForce(), before);
        o.window.openFiles({path});
        RunConfig other = before;
        other.schedule = "gpipe";
        emit part<ControlBar>(o.window).configEdited(other);
        QVERIFY(!part<ScheduleController>(o.window).showsFile());
        QCOMPARE(o.session().wanted().schedule, std::string("gpipe"));
        QCOMPARE(canvasOf(o.window).views().front().config.schedule, std::string("gpipe"));
    }

    void oneRunOfWhatIsShown() {
        Opened o(book_);
        o.attach(wire::IDLE);
        const QString path = write(QStringLiteral("mine.csv"), "0F0,0F1,0B0,0B1\n1F0,1B0,1F1,1B1\n");
        o.window.openFiles({path});
        const std::string name = "file:" + path.toStdString();
        QCOMPARE(canvasOf(o.window).views().front().config.schedule, name);
        QCOMPARE(canvasOf(o.window).views().front().planned->ranks(), 2);
        QTest::mouseClick(part<ControlBar>(o.window).runButton(), Qt::LeftButton);
        QTRY_VERIFY(o.engine.last(wire::Message::kConfigure));
        QCOMPARE(fromWire(o.engine.last(wire::Message::kConfigure)->configure().config()).schedule, name);
        QVERIFY(!part<ScheduleController>(o.window).showsFile());
        o.engine.accept(o.engine.last(wire::Message::kConfigure)->configure().request(), 0);
        QTRY_COMPARE(o.said(wire::Control::RUN), 1);
        o.engine.status(wire::PAUSED);
        QTRY_COMPARE(o.session().state(), SessionState::Paused);

        // One that breaks the rules says so and starts nothing else.
        const auto configured = o.said(wire::Control::RUN);
        o.window.openFiles({write(QStringLiteral("wrong.csv"), "0F0,0B0\n1B0,1F0\n")});
        QTest::mouseClick(part<ControlBar>(o.window).runButton(), Qt::LeftButton);
        QTest::qWait(50);
        QCOMPARE(o.said(wire::Control::RUN), configured);
        QVERIFY(part<FailureBar>(o.window).isVisible());
        QVERIFY(part<ScheduleController>(o.window).showsFile());
    }

    // A lesson's own settings and their reset are no requests of the user.
    void aLessonAnnouncesNoPendingChange() {
        Opened o(book_);
        o.attach(wire::RUNNING);
        o.run(2);
        o.window.showView(MainView::Lessons);
        part<LessonController>(o.window).openFirst();
        QVERIFY(o.session().pending());
        QVERIFY(!part<PendingStrip>(o.window).isVisibleTo(&o.window));
        o.window.showView(MainView::Timeline);
        QVERIFY(!part<PendingStrip>(o.window).isVisibleTo(&o.window));
    }
};

BUBBLESCOPE_WINDOW_TEST(TestStates)

}  // namespace tst_states

#include "tst_states.moc"
