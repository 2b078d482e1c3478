// The session against an engine made of a script: the stream becomes pictures, bars and numbers; an edit
// becomes a plan at once and a pending change until its boundary; every way a run can end has its sentence.
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>
#include <QTimer>
#include <QTranslator>
#include <algorithm>

#include "app/lessons/lesson_runner.h"
#include "attached_session.h"
#include "registered_test.h"
#include "timeline/iteration_events.h"
#include "view/stream_reader.h"
#include "wire/recording.h"

namespace tst_session {

using namespace bscope;
using namespace bscope::ui;

class TestSession : public QObject {
    Q_OBJECT

private slots:
    void planWithoutAnyEngine() {
        Session session;
        QCOMPARE(session.state(), SessionState::Idle);
        const IterationView view = session.shown();
        QVERIFY(view.ran->empty());
        QVERIFY(!view.planned->empty());
        QVERIFY(qAbs(view.plan_summary.bubble_of_total - 3.0 / 11.0) < 0.05);
        QSignalSpy shown(&session, &Session::shownChanged);
        session.edit(withM(session.wanted(), 16));
        QCOMPARE(shown.size(), 1);
        QCOMPARE(session.shown().planned->compute(0).size(), std::size_t{33});
        QVERIFY(!session.pending());
    }

    void streamBecomesPicture() {
        AttachedSession a(3);
        QCOMPARE(a.session.shownIteration(), 2);
        const IterationView view = a.session.shown();
        QCOMPARE(view.now_ns, -1);
        QVERIFY(view.summary && view.report);
        QCOMPARE(view.ran->compute(0).size(), std::size_t{17});
        QVERIFY(qAbs(view.summary->bubble_of_total - view.report->bubble_of_total) < 1e-9);
        QCOMPARE(view.planned->begin_ns(), view.start_ns);
        QCOMPARE(view.device, std::string("CPU, 2 cores"));
        QCOMPARE(a.session.bars().size(), std::size_t{3});
        QVERIFY(a.session.bars()[0].loss > a.session.bars()[2].loss);
    }

    void runningIterationShowsItsNowLineAndTheNumbersOfTheLast() {
        AttachedSession a(2);
        a.engine.iteration(a.config, 2, a.end_ns, false);
        QTRY_COMPARE(a.session.shownIteration(), 2);
        QTRY_VERIFY(a.session.shown().now_ns > a.end_ns);
        QVERIFY(!a.session.shown().report);
        QCOMPARE(a.session.numbers()->iteration, 1);
    }

    // However many messages wait: input and drawing come in between, and the picture is announced once a tick.
    void manyMessagesLeaveTurnsBetween() {
        AttachedSession a(0);
        a.config.params = {1, 1, 1};
        constexpr int kIterations = 2500;
        int in_turn = 0, most_in_turn = 0, finished = 0, last = -1;
        bool in_order = true;
        connect(&a.session, &Session::iterationFinished, this, [&](int iteration) {
            most_in_turn = std::max(most_in_turn, ++in_turn);
            in_order = in_order && iteration == last + 1;
            last = iteration;
            ++finished;
        });
        QTimer turn;
        connect(&turn, &QTimer::timeout, this, [&] { in_turn = 0; });
        turn.start(0);
        QSignalSpy bars(&a.session, &Session::barsChanged);
        std::string bytes;
        const auto messages =
            static_cast<int>(playedMessages(a.config, 0, 0, true, &a.end_ns).size());
        QVERIFY(kIterations * messages > 2 * EngineStream::kMostAtOnce);
        for (int i = 0; i < kIterations; ++i)
            for (const wire::Message& message : playedMessages(a.config, i, a.end_ns, true, &a.end_ns))
                bytes += encode(message);
        a.engine.start(a.config, 0, 0);
        a.engine.sendBytes(bytes);
        while (a.engine.bytesToWrite() > 0) {  // all of it waits before the window looks
            QThread::msleep(1);
            a.engine.sendBytes({});
        }
        QThread::msleep(200);
        QTRY_COMPARE_WITH_TIMEOUT(finished, kIterations, 30'000);
        QVERIFY(in_order);
        QVERIFY2(most_in_turn <= EngineStream::kMostAtOnce / messages + 1,
                 qPrintable(QString::number(most_in_turn)));
        QTRY_COMPARE(a.session.bars().size(), std::size_t{kIterations});
        QVERIFY2(bars.count() <= kIterations / 2, qPrintable(QString::number(bars.count())));
    }

    // A state that is received again is no change.
    void theSameStateIsAnnouncedOnce() {
        AttachedSession a(1);
        QSignalSpy states(&a.session, &Session::stateChanged);
        for (int i = 0; i < 100; ++i) a.engine.status(wire::RUNNING, 1);
        a.engine.iteration(a.config, 1, a.end_ns);
        QTRY_COMPARE(a.session.history().newestComplete(), 1);
        QCOMPARE(states.count(), 0);
    }

    // A schedule from a file goes by the file's name, and a message takes what the engine's costs say of it.
    void groupsAreNamedByWhatRan() {
        RunConfig config;
        config.schedule = "file:/home/user/mine.csv";
        config.params.p = 4;
        config.params.m = 8;
        config.link.latency_us = 1000;
        config.link.gbps = 1;
        QCOMPARE(groupName(config), std::string("mine.csv · p=4 m=8"));
        for (const double bytes : {125'000.0, 250'000.0}) {
            RunHistory history;
            std::int64_t end_ns = 0;
            config.schedule = "1f1b";
            history.attached(false);
            history.iterationStarted(playedStart(config, 0, 0));
            for (wire::Message message : playedMessages(config, 0, 0, true, &end_ns)) {
                if (message.has_iteration_report())
                    message.mutable_iteration_report()->mutable_costs()->set_message_bytes(bytes);
                applyToHistory(message, history);
            }
            QCOMPARE(history.bars().size(), std::size_t{1});
            QCOMPARE(history.bars()[0].link_ns, 1e6 + 8 * bytes);
        }
    }

    void editIsPlannedAtOnceAndPendingUntilItsBoundary() {
        AttachedSession a(2);
        const RunConfig wanted = withM(a.config, 12);
        a.session.edit(wanted);
        QVERIFY(a.session.pending());
        QCOMPARE(a.session.pending()->planned->compute(0).size(), std::size_t{25});
        QVERIFY(a.session.pending()->tokens_per_s > 0);
        QTRY_VERIFY(a.request() > 0);
        QCOMPARE(fromWire(a.engine.last(wire::Message::kConfigure)->configure().config()), wanted);
        a.engine.accept(a.request(), 3);
        a.end_ns = a.engine.iteration(a.config, 2, a.end_ns);
        QTRY_COMPARE(a.session.history().newestComplete(), 2);
        QVERIFY(a.session.pending());
        QCOMPARE(a.session.pending()->from_iteration, 3);
        a.engine.start(wanted, 3, a.end_ns);
        a.engine.iteration(wanted, 3, a.end_ns);
        QTRY_COMPARE(a.session.history().newestComplete(), 3);
        QVERIFY(!a.session.pending());
        QCOMPARE(a.session.shown().config, wanted);
        QVERIFY(a.session.bars()[2].group != a.session.bars()[3].group);
    }

    void undoTakesThePendingChangeBack() {
        AttachedSession a(1);
        a.session.edit(withM(a.config, 12));
        QVERIFY(a.session.pending());
        a.session.undoPending();
        QVERIFY(!a.session.pending());
        QCOMPARE(a.session.wanted(), a.config);
        QTRY_VERIFY(a.engine.last(wire::Message::kConfigure) &&
                    fromWire(a.engine.last(wire::Message::kConfigure)->configure().config()) == a.config);
    }

    void illegalEditIsExplainedAndNotSent() {
        AttachedSession a(1);
        RunConfig illegal = a.config;
        illegal.model.heads = 3;
        a.session.edit(illegal);
        QVERIFY(!a.session.problems().empty());
        QVERIFY(!a.session.pending());
        QTest::qWait(60);
        QCOMPARE(a.request(), 0u);
    }

    void engineRefusesWithItsOwnProblem() {
        AttachedSession a(1);
        a.session.edit(withM(a.config, 12));
        QTRY_VERIFY(a.request() > 0);
        wire::Message reply;
        reply.mutable_configure_reply()->set_request(a.request());
        reply.mutable_configure_reply()->add_problems()->set_message("too much memory");
        a.engine.send(reply);
        QTRY_VERIFY(!a.session.problems().empty());
        QVERIFY(!a.session.pending());
    }

    void watcherMayNotEdit() {
        AttachedSession a(1, false);
        QSignalSpy notice(&a.session, &Session::notice);
        a.session.edit(withM(a.config, 12));
        QCOMPARE(notice.size(), 1);
        QCOMPARE(a.session.wanted(), a.config);
    }

    // What another window does is shown; what this one is asked for is refused here, before any message.
    void watcherFollowsTheOneWhoControls() {
        AttachedSession a(1, false);
        QSignalSpy notice(&a.session, &Session::notice);
        a.session.pause();
        a.session.run();
        a.session.step();
        a.session.states().save(QStringLiteral("state"));
        QCOMPARE(notice.size(), 4);
        const RunConfig theirs = withM(a.config, 12);
        a.engine.start(theirs, 1, a.end_ns);
        a.engine.iteration(theirs, 1, a.end_ns);
        QTRY_COMPARE(a.session.history().newestComplete(), 1);
        QCOMPARE(a.session.wanted(), theirs);
        QVERIFY(!a.session.pending());
        QVERIFY(!a.engine.last(wire::Message::kControl));
        QVERIFY(!a.engine.last(wire::Message::kSaveState));
    }

    void goingBackStopsFollowing() {
        AttachedSession a(4);
        a.session.select(1);
        QCOMPARE(a.session.shown().iteration, 1);
        a.session.selectNeighbour(+1);
        QCOMPARE(a.session.shown().iteration, 2);
        a.end_ns = a.engine.iteration(a.config, 4, a.end_ns);
        QTRY_COMPARE(a.session.bars().back().iteration, 4);
        QCOMPARE(a.session.shown().iteration, 2);
        a.session.follow();
        QCOMPARE(a.session.shown().iteration, 4);
    }

    void droppedEventsGiveNoFalseSummary() {
        AttachedSession a(1);
        std::int64_t end_ns = 0;
        auto messages = playedMessages(a.config, 1, a.end_ns, true, &end_ns);
        messages.erase(messages.begin());
        for (const auto& message : messages) a.engine.send(message);
        QTRY_COMPARE(a.session.history().newestComplete(), 1);
        QVERIFY(!a.session.shown().summary);
        QVERIFY(a.session.shown().report);
    }

    // It is summed up when it is looked at, perhaps after the iteration before it was forgotten.
    void aStreamsIterationIsTheSameWheneverItIsLookedAt() {
        RunConfig config;
        config.schedule = "pipedream";
        config.params = {2, 1, 2, 0};
        const Schedule order = makeSchedule(config.schedule, config.params);
        const Costs costs = estimateCosts(config, nullptr);
        const auto plan = [&](int i, std::int64_t start_ns) {
            return planIteration(config, order, costs, start_ns, i, i * config.params.m, i);
        };
        const Timeline steady = *plan(1, 0).timeline;
        const auto start_ns = [&](int i) { return ofIteration(steady.compute(0), i).front().start_ns; };
        const std::int64_t period_ns = start_ns(2) - start_ns(1);

        RunHistory followed, later;
        for (RunHistory* history : {&followed, &later})
            history->iterationStarted(playedStart(config, 0, 0));
        const int count = static_cast<int>(RunHistory::kKeptIterations) + 1;
        for (int i = 0; i < count; ++i) {
            const auto ran = aloneOf(*plan(i, i * period_ns).timeline, i);
            std::int64_t end_ns = 0;
            const auto messages = playedMessages(config, i, i * period_ns, true, &end_ns);
            for (RunHistory* history : {&followed, &later}) {
                for (int rank = 0; rank < ran->ranks(); ++rank)
                    for (const Event& event : ran->compute(rank)) history->events({&event, 1});
                history->iterationFinished(fromWire(messages.back().iteration_report()));
            }
            QVERIFY(followed.view(i)->summary);
        }
        QVERIFY(!later.has(0));
        const auto at_once = followed.view(1)->summary, now = later.view(1)->summary;
        QVERIFY(at_once && now);
        QCOMPARE(now->bubble_of_total, at_once->bubble_of_total);
        QCOMPARE(now->iteration_ns, at_once->iteration_ns);
        // What the one before has to do with it.
        QVERIFY(now->bubble_of_total != summarize(*later.view(1)->ran, 1).bubble_of_total);
    }

    void nonsenseIsCountedNotFatal() {
        AttachedSession a(1);
        wire::Message batch;
        batch.mutable_events()->set_rank(99);
        batch.mutable_events()->add_start_delta_ns(1);
        a.engine.send(batch);
        RunConfig unknown = a.config;
        unknown.schedule = "from-the-future";
        a.engine.start(unknown, 1, a.end_ns);
        QTRY_VERIFY(a.session.history().misfits() >= 2);
        QCOMPARE(a.session.state(), SessionState::Running);
    }

    void failureKeepsThePictureAndRunsAgain() {
        AttachedSession a(2);
        wire::Message failure;
        failure.mutable_failure()->set_sentence("Rank 1 stopped.");
        failure.mutable_failure()->set_what_to_do("Press Run.");
        a.engine.send(failure);
        QTRY_COMPARE(a.session.state(), SessionState::Failed);
        QCOMPARE(a.session.trouble().sentence.text(), QStringLiteral("Rank 1 stopped."));
        QCOMPARE(a.session.shown().iteration, 1);
        a.session.run();
        QTRY_VERIFY(a.engine.last(wire::Message::kControl));
        QCOMPARE(a.engine.last(wire::Message::kControl)->control().verb(), wire::Control::RUN);
        a.engine.status(wire::RUNNING, 2);
        QTRY_COMPARE(a.session.state(), SessionState::Running);
    }

    // As data, so that the window's language decides; an engine of before sends English alone.
    void failuresAreSaidInTheWindowsLanguage() {
        AttachedSession a(2);
        const Sentence what =
            sentence("Rank {0} stopped in {1}: {2}.", 1, "2F0", sentence("there is no memory left"));
        wire::Message failure;
        failure.mutable_failure()->set_sentence("Rank 1 stopped in 2F0: there is no memory left.");
        failure.mutable_failure()->set_what_to_do("Press Run.");
        a.engine.send(failure);
        QTRY_COMPARE(a.session.state(), SessionState::Failed);
        QCOMPARE(a.session.trouble().sentence.text(),
                 QStringLiteral("Rank 1 stopped in 2F0: there is no memory left."));
        a.engine.status(wire::RUNNING, 2);
        QTRY_COMPARE(a.session.state(), SessionState::Running);
        *failure.mutable_failure()->mutable_what() = toWire(what);
        a.engine.send(failure);
        QTRY_COMPARE(a.session.state(), SessionState::Failed);
        QTRY_VERIFY(a.session.trouble().sentence == NoticeWords(what));
        QTranslator chinese;
        QVERIFY(chinese.load(QStringLiteral(":/i18n/bubblescope_zh_CN.qm")));
        QCoreApplication::installTranslator(&chinese);
        const QString shown = a.session.trouble().sentence.text();
        QCoreApplication::removeTranslator(&chinese);
        QCOMPARE(shown, QStringLiteral("Rank 1 在 2F0 处停下：内存不足。"));
        QCOMPARE(a.session.trouble().what_to_do.text(), QStringLiteral("Press Run."));
    }

    void nothingIsLiveOnceItsEngineIsGone() {
        AttachedSession a(1);
        for (const auto& message : playedMessages(a.config, 1, a.end_ns, false, &a.end_ns))
            a.engine.send(message);
        QTRY_COMPARE(a.session.history().newest(), 1);
        QTRY_VERIFY(a.session.history().view(1)->now_ns >= 0);
        QCOMPARE(a.session.shown().iteration_state, IterationState::Live);
        a.engine.hangUp();
        QTRY_COMPARE(a.session.state(), SessionState::Disconnected);
        QCOMPARE(a.session.shown().iteration, 1);
        QCOMPARE(a.session.shown().iteration_state, IterationState::Interrupted);
        a.session.select(0);
        QCOMPARE(a.session.shown().now_ns, -1);
    }

    void brokenLineKeepsThePictureAndCountsDown() {
        AttachedSession a(2);
        a.engine.hangUp();
        QTRY_COMPARE(a.session.state(), SessionState::Disconnected);
        QVERIFY(!a.session.trouble().sentence.isEmpty());
        QCOMPARE(a.session.shown().iteration, 1);
        QVERIFY(a.session.connection().secondsToRetry() > 0);
    }

    void anEngineStartedAnewLeavesNothingOfTheOldOne() {
        AttachedSession a(3);
        QVERIFY(a.session.sweeps().obstacle().isEmpty());
        wire::Message reported;
        reported.mutable_sweep()->add_points()->set_m(2);
        a.engine.send(reported);
        QTRY_VERIFY(a.session.sweeps().state());
        a.engine.hangUp();
        QTRY_COMPARE(a.session.state(), SessionState::Disconnected);
        QVERIFY(!a.session.sweeps().obstacle().isEmpty());
        QVERIFY(!a.session.sweeps().state()->cancelled);  // the engine may still be at it

        QSignalSpy bars(&a.session, &Session::barsChanged), notice(&a.session, &Session::notice);
        const auto attaches = [&a] {
            return std::ranges::count(a.engine.said(), wire::Message::kAttach, &wire::Message::body_case);
        };
        const auto before = attaches();
        a.session.reconnect();
        QTRY_VERIFY(attaches() > before);
        a.engine.startAnew();
        a.engine.hello(a.config, wire::RUNNING);
        a.engine.start(a.config, 0, 0);
        QTRY_VERIFY(!bars.empty());  // at once, not only when an iteration is complete
        QVERIFY(a.session.bars().empty());
        QVERIFY(!a.session.numbers());
        QVERIFY(a.session.sweeps().state()->cancelled);
        QCOMPARE(notice.size(), 1);
    }

    void comingBackToTheSameRunKeepsItsPictures() {
        AttachedSession a(3);
        RunHistory history;
        std::int64_t end_ns = 0;
        const auto tell = [&](int from, int to, bool last_reported) {
            for (int i = from; i <= to; ++i)
                for (const auto& message : playedMessages(a.config, i, i * 1'000'000'000LL,
                                                                         i < to || last_reported, &end_ns))
                    applyToHistory(message, history);
        };
        history.iterationStarted(playedStart(a.config, 0, 0));
        tell(0, 2, false);  // the line breaks within iteration 2
        history.attached(true);
        history.iterationStarted(playedStart(a.config, 0, 0));
        tell(1, 3, true);  // catching up sends iteration 1 again
        for (int i = 0; i <= 3; ++i) {
            QVERIFY(history.view(i) && history.view(i)->summary);
            QCOMPARE(history.view(i)->ran->compute(0).size(), std::size_t{17});
        }
        QCOMPARE(history.bars().size(), std::size_t{4});
        QCOMPARE(history.misfits(), 0u);
    }

    void lateViewerGetsBarsOfEarlierConfigurations() {
        RunHistory history;
        std::int64_t end_ns = 0;
        RunConfig config;
        history.attached(false);
        history.iterationStarted(playedStart(withM(config, 16), 2, 0));
        for (int i = 0; i < 2; ++i)
            applyToHistory(playedMessages(config, i, 0, true, &end_ns).back(), history);
        for (const auto& message : playedMessages(withM(config, 16), 2, 0, true, &end_ns))
            applyToHistory(message, history);
        QCOMPARE(history.bars().size(), std::size_t{3});
        QVERIFY(history.bars()[0].group != history.bars()[2].group);
        QVERIFY(history.view(2)->summary);
    }

    void recordsTheStreamByteForByte() {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("run.bscope"));
        AttachedSession a(1);
        a.engine.status(wire::PAUSED);
        QTRY_COMPARE(a.session.state(), SessionState::Paused);
        QVERIFY(a.session.startRecording(path));
        std::int64_t end_ns = 0;
        const auto messages = playedMessages(a.config, 1, a.end_ns, true, &end_ns);
        for (const auto& message : messages) a.engine.send(message);
        QTRY_COMPARE(a.session.history().newestComplete(), 1);
        a.session.stopRecording();
        RecordingReader reader(path.toStdString());
        QVERIFY(reader.next()->has_hello());
        QVERIFY(reader.next()->has_iteration_start());
        for (const auto& message : messages) {
            const auto read = reader.next();
            QVERIFY(read);
            QCOMPARE(encode(*read), encode(message));
        }
        QVERIFY(!reader.next());
        QVERIFY(reader.warning().empty());
    }

    void fullDiskEndsTheRecordingNotTheRun() {
        AttachedSession a(1);
        QSignalSpy notice(&a.session, &Session::notice);
        a.session.startRecording(QStringLiteral("/dev/full"));
        a.end_ns = a.engine.iteration(a.config, 1, a.end_ns);
        a.engine.iteration(a.config, 2, a.end_ns);
        QTRY_COMPARE(a.session.history().newestComplete(), 2);
        QTRY_COMPARE(notice.size(), 1);
        QVERIFY(notice[0][0].value<Notice>().sentence.text().contains("/dev/full"));
        QVERIFY(!a.session.recorder().active());
        QCOMPARE(a.session.state(), SessionState::Running);
    }

    void aNewRunForgetsTheOldOne() {
        AttachedSession a(3);
        a.engine.start(a.config, 0, 0);
        a.engine.iteration(a.config, 0, 0);
        QTRY_COMPARE(a.session.bars().size(), std::size_t{1});
    }

    void estimateGivesBackWhatWasMeasuredAndScalesTheRest() {
        RunConfig config;
        KnownCosts known{config, estimateCosts(config, nullptr)};
        for (StageCosts& stage : known.costs.stages) stage.forward_ns *= 2, stage.backward_ns *= 3;
        const Costs same = estimateCosts(withM(config, 32), &known);
        for (std::size_t s = 0; s < same.stages.size(); ++s) {
            QVERIFY(qFuzzyCompare(same.stages[s].forward_ns, known.costs.stages[s].forward_ns));
            QVERIFY(qFuzzyCompare(same.stages[s].backward_ns, known.costs.stages[s].backward_ns));
            QCOMPARE(same.stages[s].activation_bytes, known.costs.stages[s].activation_bytes);
        }
        RunConfig replicated = config;
        replicated.params.d = 2;
        const Costs twice = estimateCosts(replicated, &known);
        QCOMPARE(twice.stages.size(), 2 * known.costs.stages.size());
        for (std::size_t s = 0; s < twice.stages.size(); ++s)
            QVERIFY(qFuzzyCompare(twice.stages[s].forward_ns,
                                  known.costs.stages[s % known.costs.stages.size()].forward_ns));
        QVERIFY(twice.reduce_ns > 0);
        QCOMPARE(same.reduce_ns, 0.0);
        RunConfig halved = config;
        halved.params.p = 2;
        halved.micro_batch = 8;
        const Costs fewer = estimateCosts(halved, &known);
        QCOMPARE(fewer.stages.size(), std::size_t{2});
        QVERIFY(fewer.stages[0].forward_ns > 3.9 * known.costs.stages[0].forward_ns);
        QVERIFY(fewer.stages[0].forward_ns < 4.2 * known.costs.stages[0].forward_ns);
        RunConfig recompute = config;
        recompute.recompute = Recompute::Full;
        const Costs full = estimateCosts(recompute, &known);
        QVERIFY(qFuzzyCompare(full.stages[1].recompute_ns, known.costs.stages[1].forward_ns));
        QVERIFY(full.stages[1].activation_bytes < known.costs.stages[1].activation_bytes / 10);
        RunConfig slow = config;
        slow.slow_ranks = {{2, 1.5}};
        QVERIFY(qFuzzyCompare(estimateCosts(slow, &known).stages[2].forward_ns,
                              1.5 * known.costs.stages[2].forward_ns));
    }
};

BUBBLESCOPE_TEST(TestSession)

}  // namespace tst_session

#include "tst_session.moc"
