// A recording as a stream on a time base: the same pictures as live, at any speed, by steps, and back again.
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <random>

#include "app/recording/replay_steps.h"
#include "app/session/session.h"
#include "fake_engine.h"
#include "registered_test.h"
#include "wire/recording.h"

namespace tst_replay {

using namespace bscope;
using namespace bscope::ui;

class TestReplay : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    QString path_;
    RunConfig first_, second_;
    RunHistory live_;

    // The same three iterations, with so much between them that the first two are given out before the rest.
    QString growing() const {
        const QString path = folder_.filePath(QStringLiteral("growing.bscope"));
        RecordingWriter writer(path.toStdString(), [](const Sentence& why) { QFAIL(why.id.c_str()); });
        wire::Message filler;
        filler.mutable_log()->set_text(std::string(1 << 16, 'a'));
        const int before[] = {17, 64, 17};  // 64 KiB each
        RecordingReader reader(path_.toStdString());
        int reports = 0;
        while (const auto message = reader.next()) {
            if (message->has_iteration_report())
                for (int i = 0; i < before[reports]; ++i) writer.write(encode(filler));
            reports += message->has_iteration_report() ? 1 : 0;
            writer.write(encode(*message));
        }
        wire::Message note;
        *note.mutable_note() = toWire(RunNote{1, 0, {}, -1, {}, "of the file"});
        writer.write(encode(note));
        return path;
    }

private slots:
    // Three iterations, two configurations.
    void initTestCase() {
        second_.params.m = 12;
        path_ = folder_.filePath(QStringLiteral("run.bscope"));
        RecordingWriter writer(path_.toStdString(), [](const Sentence& why) { QFAIL(why.id.c_str()); });
        std::int64_t end_ns = 0;
        int iteration = 0;
        for (const RunConfig& config : {first_, first_, second_}) {
            if (iteration != 1) {
                const IterationStart start = playedStart(config, iteration, end_ns);
                wire::Message message;
                *message.mutable_iteration_start() = toWire(start);
                writer.write(encode(message));
                live_.iterationStarted(start);
            }
            for (const auto& message :
                 playedMessages(config, iteration, end_ns, true, &end_ns)) {
                writer.write(encode(message));
                if (message.has_events()) live_.events(fromWire(message.events()));
                if (message.has_memory()) live_.memory(fromWire(message.memory()));
                if (message.has_iteration_report())
                    live_.iterationFinished(fromWire(message.iteration_report()));
            }
            ++iteration;
        }
    }

    void showsWhatLiveShowed() {
        Replayer replayer;
        QSignalSpy loaded(&replayer, &Replayer::loaded);
        replayer.open(path_);
        QTRY_COMPARE(loaded.size(), 1);
        QVERIFY(loaded[0][0].value<NoticeWords>().isEmpty());
        QCOMPARE(replayer.bars().size(), std::size_t{3});
        for (int i = 0; i < 3; ++i) {
            replayer.seekIteration(i);
            const auto view = replayer.history().view(i), expected = live_.view(i);
            QVERIFY(view && view->summary);
            QVERIFY(view->recording);
            QCOMPARE(view->file, path_.toStdString());
            for (int rank = 0; rank < 4; ++rank) {
                QVERIFY(std::ranges::equal(view->ran->compute(rank), expected->ran->compute(rank)));
                QVERIFY(std::ranges::equal(view->ran->receives(rank), expected->ran->receives(rank)));
                QVERIFY(std::ranges::equal(view->ran->memory(rank), expected->ran->memory(rank)));
            }
            QCOMPARE(view->summary->bubble_of_total, expected->summary->bubble_of_total);
        }
        QCOMPARE(replayer.history().misfits(), 0u);
    }

    // No checksums, and events behind the report of their iteration, which are left out.
    void whatAFileLacksIsSaid() {
        const QString path = folder_.filePath(QStringLiteral("old.bscope"));
        QFile out(path);
        QVERIFY(out.open(QIODevice::WriteOnly));
        out.write(QByteArray::fromStdString(recordingHeader(Framing::Unchecked)));
        std::optional<wire::Message> last_events;
        RecordingReader reader(path_.toStdString());
        while (const auto message = reader.next()) {
            out.write(QByteArray::fromStdString(encode(*message, Framing::Unchecked)));
            if (message->has_events()) last_events = *message;
        }
        out.write(QByteArray::fromStdString(encode(*last_events, Framing::Unchecked)));
        out.close();
        Replayer replayer;
        QSignalSpy loaded(&replayer, &Replayer::loaded);
        replayer.open(path);
        QTRY_COMPARE(loaded.size(), 1);
        const QString said = loaded[0][0].value<NoticeWords>().text();
        QVERIFY2(said.contains("version 1, without checksums"), qPrintable(said));
        QVERIFY2(said.contains("come after their reports and are left out: 3"), qPrintable(said));
        replayer.seekIteration(2);
        for (int rank = 0; rank < 4; ++rank)
            QVERIFY(std::ranges::equal(replayer.history().view(2)->ran->compute(rank),
                                       live_.view(2)->ran->compute(rank)));
    }

    // A large file reports how far it is, and can be left.
    void openingIsReportedAndCancelled() {
        const QString large = folder_.filePath(QStringLiteral("large.bscope"));
        RecordingWriter writer(large.toStdString(), [](const Sentence& why) { QFAIL(why.id.c_str()); });
        wire::Message first;
        *first.mutable_iteration_start() = toWire(playedStart(first_, 0, 0));
        writer.write(encode(first));
        std::int64_t end_ns = 0;
        for (const auto& message : playedMessages(first_, 0, end_ns, true, &end_ns))
            writer.write(encode(message));
        wire::Message log;
        log.mutable_log()->set_text(std::string(1 << 16, 'a'));
        for (int i = 0; i < 100; ++i) writer.write(encode(log));
        writer.close();

        Replayer replayer;
        QSignalSpy loaded(&replayer, &Replayer::loaded), failed(&replayer, &Replayer::failed),
            progress(&replayer, &Replayer::progress);
        replayer.open(large);
        QTRY_COMPARE(loaded.size(), 1);
        QVERIFY(progress.size() > 1);
        for (int i = 1; i < progress.size(); ++i)
            QVERIFY(progress[i][0].toInt() > progress[i - 1][0].toInt());
        QVERIFY(progress.back()[0].toInt() <= 100);
        replayer.open(path_);
        QVERIFY(replayer.opening());
        replayer.cancelOpening();
        QVERIFY(!replayer.opening());
        replayer.open(large);
        QTRY_COMPARE(loaded.size(), 2);
        QCOMPARE(replayer.path(), large);
        QCOMPARE(failed.size(), 0);
    }

    // Its first iterations are there while the rest is read; then it goes on from where it stood.
    void theBeginningIsOpenBeforeTheRest() {
        const QString path = growing();
        Replayer replayer;
        QSignalSpy loaded(&replayer, &Replayer::loaded), grew(&replayer, &Replayer::grew),
            refused(&replayer, &Replayer::notesRefused);
        std::vector<std::size_t> bars;
        int began = 0;
        connect(&replayer, &Replayer::began, &replayer, [&] {
            if (++began > 1) return;
            QCOMPARE(loaded.size(), 0);
            QVERIFY(replayer.readsOn() && replayer.opening() && replayer.isPart());
            QCOMPARE(replayer.path(), path);
            bars.push_back(replayer.bars().size());
            replayer.seekIteration(0);
            QVERIFY(replayer.history().view(0)->summary);
            QVERIFY(!replayer.endsInCut());
            QVERIFY(replayer.note({replayer.notes().nextId(), 0, {}, -1, {}, "early"}).empty());
            QVERIFY(!replayer.saveAs(folder_.filePath(QStringLiteral("early.bscope"))).empty());
        });
        connect(&replayer, &Replayer::grew, &replayer, [&] {
            bars.push_back(replayer.bars().size());
            QCOMPARE(replayer.history().newestComplete(), 0);
            // Playing on to the end of what is there, it waits for more, which the event loop would bring.
            replayer.setSpeed(ReplayClock::kMaxSpeed);
            replayer.setPlaying(true);
            for (QDeadlineTimer most(60'000); !replayer.atEnd() && !most.hasExpired();) {
                QThread::msleep(1);
                replayer.tick();
            }
            QVERIFY(replayer.playing() && !replayer.tick());
        });
        replayer.open(path);
        QTRY_COMPARE(loaded.size(), 1);
        bars.push_back(replayer.bars().size());
        QCOMPARE(began, 1);
        QCOMPARE(grew.size(), 1);
        QCOMPARE(bars, (std::vector<std::size_t>{1, 2, 3}));
        QVERIFY(!replayer.readsOn() && !replayer.isPart() && !replayer.opening());
        QVERIFY(replayer.playing() && !replayer.atEnd());
        QCOMPARE(replayer.history().newestComplete(), 1);
        // The file's own note had the number that the early one was given at first.
        std::vector<std::string> notes;
        for (const RunNote& note : replayer.notes().all()) notes.push_back(note.text);
        QCOMPARE(notes, (std::vector<std::string>{"of the file", "early"}));
        // By now the file has it, too.
        QCOMPARE(refused.size(), 0);
        Replayer again;
        QSignalSpy loaded_again(&again, &Replayer::loaded);
        again.open(path, Replayer::Show::Whole);
        QTRY_COMPARE(loaded_again.size(), 1);
        QVERIFY(loaded_again[0][0].value<NoticeWords>().isEmpty());
        QCOMPARE(again.notes().all().size(), std::size_t{2});
        QCOMPARE(again.bars().size(), std::size_t{3});
        for (int i = 0; i < 3; ++i) {
            replayer.seekIteration(i);
            const auto view = replayer.history().view(i), expected = live_.view(i);
            for (int rank = 0; rank < 4; ++rank) {
                QVERIFY(std::ranges::equal(view->ran->compute(rank), expected->ran->compute(rank)));
                QVERIFY(std::ranges::equal(view->ran->memory(rank), expected->ran->memory(rank)));
            }
        }
        QCOMPARE(replayer.history().misfits(), 0u);
        const QString copy = folder_.filePath(QStringLiteral("copy.bscope"));
        QVERIFY(replayer.saveAs(copy).empty());
        replayer.open(copy, Replayer::Show::Whole);
        QTRY_COMPARE(loaded.size(), 2);
        QCOMPARE(began, 2);
        QCOMPARE(grew.size(), 1);
        QCOMPARE(replayer.notes().all().size(), std::size_t{2});
    }

    // What was shown of it stays, as the beginning that it is.
    void cancelledAfterItsBeginning() {
        Replayer replayer;
        QSignalSpy loaded(&replayer, &Replayer::loaded), cancelled(&replayer, &Replayer::cancelled);
        connect(&replayer, &Replayer::began, &replayer, [&] { replayer.cancelOpening(); });
        const QString path = growing();
        const qint64 file_bytes = QFile(path).size();
        replayer.open(path);
        QTRY_COMPARE(cancelled.size(), 1);
        QVERIFY(!replayer.opening() && !replayer.readsOn() && replayer.isPart());
        replayer.seekIteration(0);
        QVERIFY(replayer.history().view(0)->summary);
        QVERIFY(!replayer.note({1, 0, {}, -1, {}, "late"}).empty());
        QFile file(replayer.path());
        QCOMPARE(file.size(), file_bytes);  // nothing was put into its middle
        const QString copy = folder_.filePath(QStringLiteral("beginning.bscope"));
        QVERIFY(replayer.saveAs(copy).empty());
        QVERIFY(!replayer.isPart());
        disconnect(&replayer, &Replayer::began, nullptr, nullptr);
        replayer.open(copy, Replayer::Show::Whole);
        QTRY_COMPARE(loaded.size(), 1);
        QCOMPARE(loaded[0][0].value<NoticeWords>().isEmpty(), true);
        QCOMPARE(replayer.bars().size(), std::size_t{1});
        QCOMPARE(replayer.notes().all().size(), std::size_t{1});
    }

    // A note that could not be written since the reading was left is reported, however it was left.
    void aNoteOfAReadingThatIsLeftIsReported_data() {
        QTest::addColumn<int>("how");
        QTest::newRow("cancelled") << 0;
        QTest::newRow("closed") << 1;
        QTest::newRow("another file") << 2;
    }
    void aNoteOfAReadingThatIsLeftIsReported() {
        QFETCH(int, how);
        Session session;
        Replayer& replayer = session.replayer();
        QSignalSpy reported(&session, &Session::notice);
        bool left = false;
        connect(&replayer, &Replayer::began, &session, [&] {
            if (std::exchange(left, true)) return;
            session.note({replayer.notes().nextId(), 0, {}, -1, {}, "early"});
            QCOMPARE(reported.size(), 0);
            if (how == 0) replayer.cancelOpening();
            if (how == 1) session.closeRecording();
            if (how == 2) session.openRecording(path_);
        });
        session.openRecording(growing());
        QTRY_VERIFY(left);
        QTRY_COMPARE(reported.size(), 1);
        const Notice notice = reported[0][0].value<Notice>();
        QCOMPARE(notice.sentence.text(),
                 QStringLiteral("The note is not in the file: the recording was not read to its end."));
        QCOMPARE(notice.what_to_do.text().isEmpty(), how != 0);
        QTRY_VERIFY(!replayer.opening());
    }

    void anotherFileEndsTheReading() {
        Session session;
        QSignalSpy loaded(&session.replayer(), &Replayer::loaded);
        bool other = false;
        connect(&session.replayer(), &Replayer::began, &session, [&] {
            if (!std::exchange(other, true)) session.openRecording(path_);
        });
        session.openRecording(growing());
        QTRY_COMPARE(loaded.size(), 1);
        QCOMPARE(session.replayer().path(), path_);
        QCOMPARE(session.bars().size(), std::size_t{3});
        QVERIFY(!session.replayer().isPart());
    }

    void leavingEndsTheReading() {
        Session session;
        QSignalSpy loaded(&session.replayer(), &Replayer::loaded),
            cancelled(&session.replayer(), &Replayer::cancelled);
        connect(&session.replayer(), &Replayer::began, &session, [&] { session.closeRecording(); });
        session.openRecording(growing());
        QTRY_COMPARE(cancelled.size(), 1);
        QCOMPARE(session.state(), SessionState::Idle);
        QVERIFY(!session.replayer().isOpen() && !session.replayer().opening());
        QCOMPARE(loaded.size(), 0);
    }

    // Sorted in parts, at any places, steps stand as if sorted once: by time, equal ones as they came.
    void sortedInParts() {
        std::mt19937 random(7);
        for (const std::size_t part : {1u, 7u, 100u, 1000u}) {
            ReplaySteps steps;
            std::vector<std::pair<std::int64_t, int>> wanted;  // time, micro-batch
            for (int i = 0; i < 1000; ++i) {
                const std::int64_t time_ns =
                    i / 4 + static_cast<std::int64_t>(random() % (i % 97 == 0 ? 900 : 9));
                Event event;
                event.microbatch = i;
                steps.add(time_ns, event);
                wanted.emplace_back(time_ns, i);
                if (steps.unsorted() >= part) steps.sort();
            }
            steps.sort();
            std::ranges::sort(wanted);
            QCOMPARE(steps.size(), wanted.size());
            for (std::size_t i = 0; i < wanted.size(); ++i) {
                QCOMPARE(steps.time_ns(i), wanted[i].first);
                QCOMPARE(steps.event(i)->microbatch, wanted[i].second);
            }
        }
    }

    void seeksBackwards() {
        Replayer replayer;
        QSignalSpy loaded(&replayer, &Replayer::loaded);
        replayer.open(path_);
        QTRY_COMPARE(loaded.size(), 1);
        replayer.seekIteration(2);
        replayer.seekIteration(0);
        QCOMPARE(replayer.history().newestComplete(), 0);
        replayer.stepIteration(+1);
        QCOMPARE(replayer.history().newestComplete(), 1);
        replayer.stepIteration(-1);
        QCOMPARE(replayer.history().newestComplete(), 0);
    }

    void stepsByOperation() {
        Replayer replayer;
        QSignalSpy loaded(&replayer, &Replayer::loaded);
        replayer.open(path_);
        QTRY_COMPARE(loaded.size(), 1);
        std::size_t before = 0;
        for (int i = 1; i <= 5; ++i) {
            replayer.stepOperation();
            std::size_t boxes = 0;
            const auto view = replayer.history().view(0);
            QVERIFY(view);
            for (int rank = 0; rank < 4; ++rank) boxes += view->ran->compute(rank).size();
            QCOMPARE(boxes, before + 1);
            before = boxes;
        }
    }

    void playsToTheEndAndThenFromTheBeginning() {
        Replayer replayer;
        QSignalSpy loaded(&replayer, &Replayer::loaded);
        replayer.open(path_);
        QTRY_COMPARE(loaded.size(), 1);
        replayer.setSpeed(1e9);
        QCOMPARE(replayer.speed(), ReplayClock::kMaxSpeed);
        replayer.setPlaying(true);
        QTRY_VERIFY(!(replayer.tick(), replayer.playing()));
        QVERIFY(replayer.atEnd());
        QCOMPARE(replayer.history().newestComplete(), 2);
        replayer.setPlaying(true);
        QVERIFY(replayer.playing() && !replayer.atEnd());
    }

    void clockKeepsItsPace() {
        ReplayClock clock;
        clock.setSpeed(0.1);
        clock.advance(1000);
        QCOMPARE(clock.now_ns(), 0);
        clock.setPlaying(true);
        clock.advance(1000);
        QCOMPARE(clock.now_ns(), 100);
        clock.setSpeed(0.0001);
        QCOMPARE(clock.speed(), ReplayClock::kMinSpeed);
    }

    void cutFileOpensUpToItsLastWholeMessage() {
        QFile whole(path_);
        QVERIFY(whole.open(QIODevice::ReadOnly));
        const QString cut = folder_.filePath(QStringLiteral("cut.bscope"));
        QFile part(cut);
        QVERIFY(part.open(QIODevice::WriteOnly));
        part.write(whole.read(whole.size() - 7));
        part.close();
        Replayer replayer;
        QSignalSpy loaded(&replayer, &Replayer::loaded);
        replayer.open(cut);
        QTRY_COMPARE(loaded.size(), 1);
        QVERIFY(!loaded[0][0].value<NoticeWords>().isEmpty());
        QCOMPARE(replayer.bars().size(), std::size_t{2});
    }

    void notARecordingSaysSo_data() {
        QTest::addColumn<QString>("path");
        QTest::newRow("missing") << QStringLiteral("/nowhere/run.bscope");
        QTest::newRow("something else") << QStringLiteral(BUBBLESCOPE_SOURCE_DIR "/LICENSE");
    }
    void notARecordingSaysSo() {
        QFETCH(QString, path);
        Session session;
        QSignalSpy notice(&session, &Session::notice);
        session.openRecording(path);
        QTRY_COMPARE(notice.size(), 1);
        QVERIFY(notice[0][0].value<Notice>().sentence.text().contains(path));
        QCOMPARE(session.state(), SessionState::Idle);
    }

    void sessionReplaysAndComesBack() {
        Session session;
        session.openRecording(path_);
        QTRY_COMPARE(session.state(), SessionState::Replaying);
        QCOMPARE(session.bars().size(), std::size_t{3});
        session.select(1);
        QCOMPARE(session.shown().iteration, 1);
        QVERIFY(session.shown().recording);
        session.closeRecording();
        QCOMPARE(session.state(), SessionState::Idle);
        QVERIFY(session.shown().ran->empty());
    }
};

BUBBLESCOPE_TEST(TestReplay)

}  // namespace tst_replay

#include "tst_replay.moc"
