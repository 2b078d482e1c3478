// What a session has an engine made of a script do for others: the runs of a lesson, a sweep. Settings are as
// before when it is over.
#include <QTest>

#include "app/lessons/lesson_runner.h"
#include "attached_session.h"
#include "registered_test.h"
#include "timeline/iteration_events.h"

namespace tst_session_work {

using namespace bscope;
using namespace bscope::ui;

class TestSessionWork : public QObject {
    Q_OBJECT

private slots:
    void lessonRunsItsConfigurationsAndGivesTheSettingsBack() {
        AttachedSession a(1);
        LessonRunner lesson(a.session);
        const RunConfig first = withM(a.config, 4), second = withM(a.config, 16);
        lesson.start(LessonCourse({{first}, {second}}));
        int iteration = 1;
        for (int turn = 0; turn < 2 * LessonCourse::kRounds; ++turn) {
            const RunConfig config = turn % 2 == 0 ? first : second;
            QTRY_VERIFY(a.request() > 0 &&
                        fromWire(a.engine.last(wire::Message::kConfigure)->configure().config()) == config);
            QCOMPARE(lesson.views()[0].config, first);
            a.engine.accept(a.request(), iteration);
            a.engine.start(config, iteration, a.end_ns);
            const int done = lesson.made().course.done();
            for (int i = 0; i < LessonCourse::kEachTurn; ++i)
                a.end_ns = a.engine.iteration(config, iteration++, a.end_ns);
            QTRY_COMPARE(lesson.made().course.done(), done + LessonCourse::kEachTurn);
        }
        QVERIFY(lesson.finished());
        QCOMPARE(lesson.views()[0].config, first);
        QCOMPARE(lesson.views()[1].config, second);
        QCOMPARE(lesson.views()[1].ran->compute(0).size(), std::size_t{2 * 16 + 1});

        // After a pause the engine may still be at work; started after that, it goes on because that was
        // requested.
        a.engine.status(wire::RUNNING);
        a.engine.status(wire::PAUSED);
        QTRY_COMPARE(a.session.state(), SessionState::Paused);
        QVERIFY(!lesson.ranOn());
        a.engine.status(wire::RUNNING);
        QTRY_VERIFY(lesson.ranOn());
        QVERIFY(lesson.finished());
        const int kept = lesson.views()[1].iteration;
        lesson.show(lesson.made());
        QVERIFY(lesson.finished());
        QVERIFY(!lesson.ranOn());
        QCOMPARE(lesson.views()[1].iteration, kept);
        lesson.leave();
        QCOMPARE(a.session.wanted(), a.config);
    }

    // A change of m meanwhile holds, but its iterations are none of the lesson's.
    void lessonCountsItsOwnConfigurationsOnly() {
        AttachedSession a(1);
        LessonRunner lesson(a.session);
        lesson.start(LessonCourse({{withM(a.config, 4)}}));
        const RunConfig other = withM(a.config, 12);
        a.session.edit(other);
        a.engine.start(other, 1, a.end_ns);
        for (int i = 1; i <= 3; ++i) a.end_ns = a.engine.iteration(other, i, a.end_ns);
        QTRY_COMPARE(a.session.history().newestComplete(), 3);
        QCOMPARE(lesson.made().course.done(), 0);
        QVERIFY(!lesson.finished());
    }

    // The first iteration of each turn warms up; of the others the one in the middle is shown.
    void lessonShowsTheMedianIteration() {
        AttachedSession a(1);
        LessonRunner lesson(a.session);
        const RunConfig config = withM(a.config, 4);
        lesson.start(LessonCourse({{config}}));
        QTRY_VERIFY(a.request() > 0);
        a.engine.accept(a.request(), 1);
        a.engine.start(config, 1, a.end_ns);
        int iteration = 1;
        for (const double iteration_ms : {1.0, 110.0, 1.0, 90.0, 1.0, 100.0}) {
            for (wire::Message& message :
                 playedMessages(config, iteration, a.end_ns, true, &a.end_ns)) {
                if (message.has_iteration_report())
                    message.mutable_iteration_report()->set_iteration_ms(iteration_ms);
                a.engine.send(message);
            }
            ++iteration;
        }
        QTRY_VERIFY(lesson.finished());
        QCOMPARE(lesson.views()[0].iteration, 6);
        QCOMPARE(lesson.views()[0].report->iteration_ms, 100.0);
    }

    // A training that counts its steps begins with the first weights: another seed is trained in between.
    void lessonBeginsATrainingAnew() {
        AttachedSession a(1);
        LessonRunner lesson(a.session);
        const RunConfig config = withM(a.config, 4);
        RunConfig other = config;
        ++other.seed;
        lesson.start(LessonCourse({{.config = config, .iterations = 3}}));
        const auto asked = [&] {
            return a.request() > 0 ? fromWire(a.engine.last(wire::Message::kConfigure)->configure().config())
                                   : RunConfig{};
        };
        int iteration = 1;
        for (const RunConfig& trained : {other, config}) {
            QTRY_COMPARE(asked(), trained);
            a.engine.accept(a.request(), iteration);
            a.engine.start(trained, iteration, a.end_ns);
            const int count = trained == config ? 3 : 1;
            for (int i = 0; i < count; ++i) a.end_ns = a.engine.iteration(trained, iteration++, a.end_ns);
        }
        QTRY_VERIFY(lesson.finished());
        QCOMPARE(lesson.made().course.done(), 3);
    }

    void sweepIsAskedForAndReportedAsItGoes() {
        AttachedSession a(1);
        a.session.sweeps().start({SweepAxis::Ranks, {1, 2, 4}, 3, 32, 64});
        QVERIFY(!a.session.sweeps().state());
        QTRY_VERIFY(a.engine.last(wire::Message::kStartSweep));
        QCOMPARE(a.engine.last(wire::Message::kStartSweep)->start_sweep().fixed_batch(), 32);
        QCOMPARE(a.engine.last(wire::Message::kStartSweep)->start_sweep().m_size(), 3);
        QCOMPARE(a.engine.last(wire::Message::kStartSweep)->start_sweep().axis(), wire::RANKS);
        wire::Message reported;
        reported.mutable_sweep()->add_points()->set_m(2);
        a.engine.send(reported);
        QTRY_VERIFY(a.session.sweeps().state());
        QCOMPARE(a.session.sweeps().state()->points[0].m, 2);
        a.session.sweeps().cancel();
        QTRY_VERIFY(a.engine.last(wire::Message::kCancelSweep));
    }
};

BUBBLESCOPE_TEST(TestSessionWork)

}  // namespace tst_session_work

#include "tst_session_work.moc"
