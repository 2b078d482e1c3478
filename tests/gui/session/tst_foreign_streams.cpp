// Streams and recordings of elsewhere: orders that are neither in the catalog nor in a file of this machine
// are drawn as they travelled, and messages that make no sense end in a sentence, never in a crash.
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "app/session/session.h"
#include "catalog/catalog.h"
#include "fake_engine.h"
#include "registered_test.h"
#include "required.h"
#include "wire/recording.h"

namespace tst_foreign_streams {

using namespace bscope;
using namespace bscope::ui;

class TestForeignStreams : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;

    static RunConfig unknownHere() {
        RunConfig config;
        config.schedule = "file:/only/there/mine.csv";
        return config;
    }
    // GPipe's order under that name.
    static IterationStart startThere(int iteration, std::int64_t start_ns) {
        IterationStart start = playedStart(unknownHere(), iteration, start_ns);
        Schedule order = makeSchedule("gpipe", start.config.params);
        order.name = start.config.schedule;
        start.schedule = std::make_shared<const Schedule>(order);
        return start;
    }
    static RunConfig sameAsGpipe() {
        RunConfig config;
        config.schedule = "gpipe";
        return config;
    }
    static wire::Message messageOf(const IterationStart& start) {
        wire::Message message;
        *message.mutable_iteration_start() = toWire(start);
        return message;
    }
    QString write(const QString& name, const std::vector<wire::Message>& messages) const {
        const QString path = folder_.filePath(name);
        RecordingWriter writer(path.toStdString(), [](const Sentence& why) { QFAIL(why.id.c_str()); });
        for (const wire::Message& message : messages) writer.write(encode(message));
        return path;
    }

    struct Watcher {
        FakeEngine engine;
        Session session;
        QSignalSpy notice{&session, &Session::notice};

        Watcher() {
            session.connectTo({"127.0.0.1", engine.port(), {}}, false);
            REQUIRE_SOON(engine.last(wire::Message::kAttach));
            engine.hello(unknownHere(), wire::RUNNING, false);
            REQUIRE_SOON(session.onlyWatches());
        }
    };

private slots:
    // Of endless messages a few are shown, and how many were not.
    void aFloodOfMessagesIsCounted_data() {
        QTest::addColumn<bool>("fails");
        QTest::newRow("logs") << false;
        QTest::newRow("failures") << true;
    }
    void aFloodOfMessagesIsCounted() {
        QFETCH(bool, fails);
        constexpr int kSent = 3000;
        Watcher w;
        QSignalSpy state(&w.session, &Session::stateChanged);
        for (int i = 0; i < kSent; ++i) {
            wire::Message message;
            if (fails)
                message.mutable_failure()->set_sentence("trouble " + std::to_string(i));
            else
                message.mutable_log()->set_text("word " + std::to_string(i));
            w.engine.send(message);
        }
        const auto leftOut = [&] {
            int all = 0;
            static const QRegularExpression count("read: (\\d+) further messages left out");
            for (const QList<QVariant>& each : w.notice)
                all += count.match(each[0].value<Notice>().sentence.text()).captured(1).toInt();
            return all;
        };
        QTRY_VERIFY(leftOut() > 0);
        QTRY_VERIFY2(leftOut() >= kSent - 10 * MessageLimit::kMostASecond,
                     qPrintable(QString::number(leftOut())));
        QVERIFY(leftOut() < kSent);
        QVERIFY2(w.notice.size() <= 20 * MessageLimit::kMostASecond,
                 qPrintable(QString::number(w.notice.size())));
        if (fails) QVERIFY(w.session.trouble().sentence.text().startsWith("trouble"));
        // What became of a file is shown however much else is reported.
        wire::Message saved;
        saved.mutable_log()->set_text("saved");
        saved.mutable_log()->set_state_file(wire::STATE_SAVED);
        for (int i = 0; i < 100; ++i) {
            wire::Message noise;
            noise.mutable_log()->set_text("noise");
            w.engine.send(noise);
        }
        w.engine.send(saved);
        QTRY_VERIFY(std::ranges::any_of(w.notice, [](const QList<QVariant>& each) {
            return each[0].value<Notice>().sentence.text() == "saved";
        }));
    }

    void aWatcherNeedsNoFileOfTheEngine() {
        Watcher w;
        w.engine.send(messageOf(startThere(0, 0)));
        w.engine.iteration(sameAsGpipe(), 0, 0);
        QTRY_COMPARE(w.session.history().newestComplete(), 0);
        const IterationView view = w.session.shown();
        QCOMPARE(view.config.schedule, unknownHere().schedule);
        QVERIFY(view.order && view.summary);
        QCOMPARE(view.planned->compute(0).size(), std::size_t{17});
        QCOMPARE(view.planned->compute(0)[7].op, Op::Forward);  // as in GPipe, not as in 1F1B
        QCOMPARE(w.notice.size(), 0);
    }

    void whatMakesNoSenseIsSaidOnceAndTheNextStartGoesOn() {
        Watcher w;
        IterationStart illegal = startThere(0, 0);
        illegal.schedule = nullptr;
        for (const auto& [p, m] : {std::pair(4, 8), std::pair(0, 8), std::pair(4, 1'000'000'000)}) {
            illegal.config.params.p = p;
            illegal.config.params.m = m;
            const qsizetype before = w.notice.size();
            w.engine.send(messageOf(illegal));
            w.engine.send(messageOf(illegal));
            QTRY_COMPARE(w.notice.size(), before + 1);
        }
        w.engine.iteration(sameAsGpipe(), 0, 0);  // of no start
        QTRY_VERIFY(w.session.history().misfits() > 6);
        QVERIFY(w.session.history().empty());
        QCOMPARE(w.session.shown().report.has_value(), false);
        w.engine.send(messageOf(startThere(0, 0)));
        w.engine.iteration(sameAsGpipe(), 0, 0);
        QTRY_COMPARE(w.session.history().newestComplete(), 0);
    }

    void aRecordingNeedsNoFile() {
        std::int64_t end_ns = 0;
        std::vector<wire::Message> messages{messageOf(startThere(0, 0))};
        for (wire::Message each : playedMessages(sameAsGpipe(), 0, 0, true, &end_ns)) {
            if (each.has_iteration_report())
                each.mutable_iteration_report()->set_schedule(startThere(0, 0).schedule->name);
            messages.push_back(each);
        }
        Replayer replayer;
        QSignalSpy loaded(&replayer, &Replayer::loaded), failed(&replayer, &Replayer::failed);
        replayer.open(write(QStringLiteral("there.bscope"), messages));
        QTRY_COMPARE(loaded.size(), 1);
        QVERIFY(loaded[0][0].value<NoticeWords>().isEmpty());
        replayer.seekIteration(0);
        const auto view = replayer.history().view(0);
        QVERIFY(view && view->summary);
        QCOMPARE(view->planned->compute(0)[7].op, Op::Forward);

        // An old recording, whose order is in a file that is gone: a sentence that names it.
        messages[0].mutable_iteration_start()->clear_schedule();
        replayer.open(write(QStringLiteral("old.bscope"), messages));
        QTRY_COMPARE(failed.size(), 1);
        QVERIFY2(failed[0][0].value<Notice>().details.contains(QStringLiteral("/only/there/mine.csv")),
                 qPrintable(failed[0][0].value<Notice>().details));

        // One of the catalog opens as before.
        *messages[0].mutable_iteration_start()->mutable_config() = toWire(sameAsGpipe());
        replayer.open(write(QStringLiteral("catalog.bscope"), messages));
        QTRY_COMPARE(loaded.size(), 2);
    }

    // Of another rank's time, of stages and ranks that are not there: counted, not drawn, and nothing ends.
    void eventsThatDoNotFitAreCounted() {
        RunHistory history;
        history.iterationStarted(startThere(0, 0));
        Event event;
        event.end_ns = 10;
        event.stage = 4;
        history.events({&event, 1});
        event.stage = 0;
        event.rank = 4;
        history.events({&event, 1});
        QCOMPARE(history.misfits(), 2u);
        IterationReport report;
        report.p = 8;
        report.v = 1;
        report.m = 8;
        history.iterationFinished(report);
        QCOMPARE(history.misfits(), 3u);
        QCOMPARE(history.newestComplete(), -1);
    }

    // Costs that the stream allows, whose sum is more than 64 bits hold: there is no plan.
    void costsThatCannotBePredictedHaveNoPlan() {
        for (const char* schedule : {"gpipe", "pipedream"}) {
            RunConfig config;
            config.schedule = schedule;
            RunHistory history;
            std::int64_t end_ns = 0;
            history.iterationStarted(playedStart(config, 0, 0));
            for (const auto& message : playedMessages(config, 0, 0, true, &end_ns)) {
                if (message.has_events()) history.events(fromWire(message.events()));
                if (!message.has_iteration_report()) continue;
                IterationReport report = fromWire(message.iteration_report());
                QVERIFY(!report.costs.stages.empty());
                for (StageCosts& stage : report.costs.stages) stage.forward_ns = 1e18;
                history.iterationFinished(report);
            }
            const auto view = history.view(0);
            QVERIFY(view.has_value());
            QCOMPARE(view->planned->ranks(), config.params.p);
            QVERIFY(view->planned->compute(0).empty());
            QVERIFY(!view->ran->compute(0).empty());
        }
    }

    // The second iteration of a stream lies before the first.
    void iterationsInImpossibleOrderAreNotJoined() {
        RunHistory history;
        RunConfig config;
        config.schedule = "pipedream";
        IterationStart start = playedStart(config, 0, 0);
        start.schedule = std::make_shared<const Schedule>(makeSchedule(config.schedule, config.params));
        history.iterationStarted(start);
        for (int iteration = 0; iteration < 2; ++iteration) {
            std::int64_t end_ns = 0;
            for (const auto& message : playedMessages(
                     config, iteration, iteration == 0 ? 1'000'000'000'000 : 0, true, &end_ns)) {
                if (message.has_events()) {
                    auto events = fromWire(message.events());
                    std::erase_if(events, [&](const Event& e) { return e.iteration != iteration; });
                    for (Event& e : events)
                        if (isCompute(e.op)) e.microbatch += 8 * iteration, e.weight_version = iteration;
                    history.events(events);
                }
                if (message.has_memory()) history.memory(fromWire(message.memory()));
                if (message.has_iteration_report())
                    history.iterationFinished(fromWire(message.iteration_report()));
            }
        }
        QVERIFY(history.view(1));
        QVERIFY(!history.view(1)->before);
    }

    // As many pictures as are kept, however many iterations are named.
    void memoryIsBounded() {
        RunHistory history;
        history.iterationStarted(startThere(0, 0));
        for (int iteration = 0; iteration < 5000; ++iteration) {
            Event event;
            event.iteration = iteration;
            event.stage = 0;
            event.start_ns = event.end_ns = iteration;
            history.events({&event, 1});
        }
        QVERIFY(!history.has(0));
        QVERIFY(!history.has(5000 - 1 - static_cast<int>(RunHistory::kKeptIterations)));
        QVERIFY(history.has(4999));
    }
};

BUBBLESCOPE_TEST(TestForeignStreams)

}  // namespace tst_foreign_streams

#include "tst_foreign_streams.moc"
