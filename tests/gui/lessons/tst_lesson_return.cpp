// A lesson borrows the engine and gives back what it found: with a real engine the training goes on after a
// lesson exactly where it was: iteration, loss curve, weights, configuration.
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>

#include "app/lessons/lesson_controller.h"
#include "attached_session.h"
#include "opened_window.h"
#include "registered_test.h"
#include "view/stream_reader.h"
#include "wire/recording.h"

namespace tst_lesson_return {

using namespace bscope;
using namespace bscope::ui;

class TestLessonReturn : public QObject {
    Q_OBJECT
    LessonBook book_ = LessonBook::embedded();

    static RunConfig otherModel() {
        RunConfig config = smallRun();
        config.model.hidden = 48;
        return config;
    }
    static std::vector<double> losses(const Session& session) {
        std::vector<double> out;
        for (const IterationBar& bar : session.bars()) out.push_back(bar.loss);
        return out;
    }

private slots:
    void initTestCase() { OpenedWindow::useBuiltEngine(); }

    void theTrainingComesBackWhereItWas() {
        // What it would have been without a lesson.
        std::vector<double> expected;
        {
            OpenedWindow opened(book_);
            Session& session = part<Session>(opened.window);
            session.edit(smallRun());
            session.run();
            QTRY_VERIFY_WITH_TIMEOUT(session.history().newestComplete() >= 5, kEngineMs);
            expected = losses(session);
        }
        for (const bool finished : {true, false}) {
            QTemporaryDir folder;
            OpenedWindow opened(book_);
            Session& session = part<Session>(opened.window);
            session.keeper().keepIn(folder.path());
            opened.trainAndPause(smallRun());
            const std::vector<double> before = losses(session);
            RunNote note;
            note.id = 1;
            note.text = "kept";
            session.note(note);

            LessonRunner lesson(session);
            lesson.start(LessonCourse({{otherModel()}}));  // a new run from its first iteration
            if (finished)
                QTRY_VERIFY_WITH_TIMEOUT(lesson.finished(), kEngineMs);
            else
                QTRY_VERIFY_WITH_TIMEOUT(lesson.made().course.done() > 0, kEngineMs);
            // What would be lost with the window is the training alone, all of it.
            QCOMPARE(session.keeper().iterations(), static_cast<int>(before.size()));
            QCOMPARE(session.keeper().notes(), 1);
            QCOMPARE(lesson.own(), smallRun());
            lesson.leave();
            QTRY_VERIFY_WITH_TIMEOUT(losses(session) == before, kEngineMs);
            QCOMPARE(session.wanted(), smallRun());
            QTRY_COMPARE_WITH_TIMEOUT(session.state(), SessionState::Paused, kEngineMs);
            QVERIFY(!session.pending());

            const int last = session.history().newestComplete();
            session.step();
            QTRY_COMPARE_WITH_TIMEOUT(session.history().newestComplete(), last + 1, kEngineMs);
            std::vector<double> after = losses(session);
            QCOMPARE(after.size(), before.size() + 1);
            expected.resize(std::max(expected.size(), after.size()));
            for (std::size_t i = 0; i < after.size() && i < expected.size(); ++i)
                if (expected[i] != 0) QCOMPARE(after[i], expected[i]);

            // And the file that is kept of the training is without the lesson.
            QCOMPARE(session.keeper().iterations(), static_cast<int>(after.size()));
            const QString kept = folder.filePath(QStringLiteral("kept.bscope"));
            QCOMPARE(session.keeper().saveAs(kept), QString());
            RunHistory read;
            RecordingReader(kept.toStdString()).readAll([&read](const wire::Message& message) {
                applyToHistory(message, read);
            });
            QCOMPARE(read.misfits(), std::uint64_t{0});
            QCOMPARE(read.bars().size(), after.size());
            for (std::size_t i = 0; i < after.size(); ++i) {
                QCOMPARE(read.bars()[i].iteration, session.bars()[i].iteration);
                QCOMPARE(read.bars()[i].loss, after[i]);
                QVERIFY(read.view(read.bars()[i].iteration)->config ==
                        session.history().view(session.bars()[i].iteration)->config);
            }
        }
    }

    // Or it computes an iteration more between two requests, as a busy machine does.
    void theEngineIsHeldBeforeTheTrainingComesBack_data() {
        QTest::addColumn<bool>("ran");
        QTest::newRow("it ran") << true;
        QTest::newRow("it was paused") << false;
    }
    void theEngineIsHeldBeforeTheTrainingComesBack() {
        QFETCH(bool, ran);
        AttachedSession attached(2);
        FakeEngine& engine = attached.engine;
        if (!ran) {
            engine.status(wire::PAUSED, 1);
            QTRY_COMPARE(attached.session.state(), SessionState::Paused);
        }
        LessonRunner lesson(attached.session);
        lesson.start(LessonCourse({{otherModel()}}));
        QTRY_VERIFY(attached.request() > 0);
        engine.accept(attached.request(), 2, true);
        engine.status(wire::RUNNING, 2);
        QTRY_COMPARE(attached.session.state(), SessionState::Running);

        const std::size_t said = engine.said().size();
        const std::uint64_t asked = attached.request();
        lesson.leave();
        QTRY_VERIFY(attached.request() > asked && engine.said().size() > said);
        QVERIFY(engine.said()[said].has_control());
        QCOMPARE(engine.said()[said].control().verb(), wire::Control::PAUSE);
        QCOMPARE(fromWire(engine.last(wire::Message::kConfigure)->configure().config()), attached.config);
        engine.accept(attached.request(), 2, true);
        const auto requested = ran ? wire::Control::RUN : wire::Control::PAUSE;
        QTRY_COMPARE(engine.last(wire::Message::kControl)->control().verb(), requested);
    }

    // The engine of a lesson dies, as one that the system ends: nothing is counted that did not run, and
    // leaving, with or without a new engine, brings the training back with the same bits.
    void anEngineThatDiesInALessonTakesNothingWithIt_data() {
        QTest::addColumn<bool>("goes_on");
        QTest::newRow("left at once") << false;
        QTest::newRow("gone on with") << true;
    }
    void anEngineThatDiesInALessonTakesNothingWithIt() {
        QFETCH(bool, goes_on);
        OpenedWindow opened(book_);
        Session& session = part<Session>(opened.window);
        opened.trainAndPause(smallRun());
        const std::vector<double> before = losses(session);

        LessonRunner lesson(session);
        RunConfig second = otherModel();
        second.params.m = 8192;  // does not end before the engine does
        lesson.start(LessonCourse({{otherModel()}, {second}}));
        const LessonCourse& course = lesson.made().course;
        QTRY_VERIFY_WITH_TIMEOUT(course.done() >= LessonCourse::kEachTurn, kEngineMs);
        const auto engine = static_cast<pid_t>(session.connection().enginePid());
        QVERIFY(engine > 0);
        ::kill(engine, SIGKILL);
        QTRY_COMPARE_WITH_TIMEOUT(session.state(), SessionState::Failed, kEngineMs);
        QVERIFY(!session.trouble().sentence.isEmpty());
        QVERIFY(lesson.active() && !lesson.finished());
        QCOMPARE(course.done(), LessonCourse::kEachTurn);
        QVERIFY(course.kept(0) && !course.kept(1));
        if (goes_on) {
            RunConfig quicker = otherModel();
            quicker.params.m = 8;
            lesson.start(LessonCourse({{otherModel()}, {quicker}}));
            QTRY_VERIFY_WITH_TIMEOUT(lesson.finished(), kEngineMs);
            QCOMPARE(lesson.views()[1].config, quicker);
        }
        lesson.leave();
        QTRY_VERIFY_WITH_TIMEOUT(losses(session) == before, kEngineMs);
        QCOMPARE(session.wanted(), smallRun());

        const int last = session.history().newestComplete();
        session.run();
        QTRY_VERIFY_WITH_TIMEOUT(session.history().newestComplete() > last, kEngineMs);
        const std::size_t next = static_cast<std::size_t>(last) + 1;
        QCOMPARE(session.bars()[next].iteration, last + 1);
        const double loss = session.bars()[next].loss;
        session.pause();
        // What it would have been without a lesson and with one engine.
        OpenedWindow calm(book_);
        part<Session>(calm.window).edit(smallRun());
        part<Session>(calm.window).run();
        QTRY_VERIFY_WITH_TIMEOUT(part<Session>(calm.window).history().newestComplete() > last, kEngineMs);
        QCOMPARE(loss, part<Session>(calm.window).bars()[next].loss);
    }
};

BUBBLESCOPE_WINDOW_TEST(TestLessonReturn)

}  // namespace tst_lesson_return

#include "tst_lesson_return.moc"
