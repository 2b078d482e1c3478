// Recordings that begin in the middle of a run or end in the middle of an iteration: what is missing is said,
// the plan is the file's own, time begins with the file, and what was cut is drawn and exported as cut.
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "app/session/session.h"
#include "fake_engine.h"
#include "registered_test.h"
#include "view/prepared_view.h"
#include "widgets/figure/caption.h"
#include "wire/recording.h"

namespace tst_part_recordings {

using namespace bscope;
using namespace bscope::ui;

class TestPartRecordings : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    static constexpr std::int64_t kBegin_ns = 60'000'000'000;

    static RunConfig twelve() {
        RunConfig config;
        config.params.m = 12;
        return config;
    }

    // Iterations 57 and 58 of a run, and half of 59.
    QString write() const {
        const QString path = folder_.filePath(QStringLiteral("part.bscope"));
        RecordingWriter writer(path.toStdString(), [](const Sentence& why) { QFAIL(why.id.c_str()); });
        wire::Message start;
        *start.mutable_iteration_start() = toWire(playedStart(twelve(), 0, 0));
        writer.write(encode(start));
        std::int64_t end_ns = kBegin_ns;
        for (int iteration = 57; iteration < 60; ++iteration) {
            const bool whole = iteration < 59;
            auto messages = playedMessages(twelve(), iteration, end_ns, whole, &end_ns);
            if (!whole) messages.resize(messages.size() / 2);
            for (const wire::Message& message : messages) writer.write(encode(message));
        }
        return path;
    }

private slots:
    void beginsWithItsOwnPlanAtItsOwnTime() {
        Session session;
        QSignalSpy notice(&session, &Session::notice);
        session.openRecording(write());
        QTRY_COMPARE(session.state(), SessionState::Replaying);
        const IterationView view = session.shown();
        QCOMPARE(view.iteration, 57);
        QCOMPARE(view.config, twelve());
        QCOMPARE(view.planned->compute(0).size(), std::size_t{25});
        QVERIFY(view.recording);
        QVERIFY(view.start_ns >= kBegin_ns);  // no minute in which nothing is seen
        QCOMPARE(notice.size(), 1);
        const QString reported = notice[0][0].value<Notice>().sentence.text();
        QVERIFY2(reported.contains(QStringLiteral("begins with iteration 58")), qPrintable(reported));
        QVERIFY2(reported.contains(QStringLiteral("Iteration 60 is cut")), qPrintable(reported));
        // Something happens within the length of one iteration.
        session.replayer().setSpeed(ReplayClock::kMaxSpeed);
        QTRY_VERIFY(!session.shown().ran->empty());
    }

    void endsCut() {
        Session session;
        session.openRecording(write());
        QTRY_COMPARE(session.state(), SessionState::Replaying);
        session.replayer().setSpeed(ReplayClock::kMaxSpeed);
        QTRY_VERIFY(session.replayer().atEnd());
        const IterationView view = session.shown();
        QCOMPARE(view.iteration, 59);
        QVERIFY(view.now_ns >= 0 && !view.report && !view.summary);
        QCOMPARE(view.iteration_state, IterationState::Cut);
        QVERIFY(view.now_ns <= view.ran->end_ns());  // it ends where the file does
        const std::vector<PreparedView> groups{PreparedView(view)};
        Notation notation;
        const QString caption = captionText(groups, notation, QDate(2026, 1, 1));
        QVERIFY2(caption.contains(QStringLiteral("The recording ends in this iteration")),
                 qPrintable(caption));
        session.select(58);
        QVERIFY(session.shown().report);
        QCOMPARE(session.shown().now_ns, -1);
    }

    // The whole run, or one that was loaded from a state: nothing is missing.
    void wholeRecordingsSayNothing() {
        const QString path = folder_.filePath(QStringLiteral("whole.bscope"));
        {
            RecordingWriter writer(path.toStdString(), nullptr);
            wire::Message start;
            *start.mutable_iteration_start() = toWire(playedStart(twelve(), 40, 0));
            writer.write(encode(start));
            std::int64_t end_ns = 0;
            for (const auto& message : playedMessages(twelve(), 40, 0, true, &end_ns))
                writer.write(encode(message));
        }
        Replayer replayer;
        QSignalSpy loaded(&replayer, &Replayer::loaded);
        replayer.open(path);
        QTRY_COMPARE(loaded.size(), 1);
        QVERIFY(loaded[0][0].value<NoticeWords>().isEmpty());
    }

    // The numbers beside a picture are those of the picture, whatever the file states, and it is said.
    void aReportThatContradictsItsEventsIsNotBelieved() {
        const QString path = folder_.filePath(QStringLiteral("forged.bscope"));
        IterationReport honest;
        {
            RecordingWriter writer(path.toStdString(), nullptr);
            wire::Message start;
            *start.mutable_iteration_start() = toWire(playedStart(twelve(), 0, 0));
            writer.write(encode(start));
            std::int64_t end_ns = 0;
            for (wire::Message message : playedMessages(twelve(), 0, 0, true, &end_ns)) {
                if (message.has_iteration_report()) {
                    honest = fromWire(message.iteration_report());
                    message.mutable_iteration_report()->set_tokens_per_s(1e9);
                    message.mutable_iteration_report()->set_bubble_of_total(0.02);
                }
                writer.write(encode(message));
            }
        }
        Session session;
        session.setReducedMotion(true);
        QSignalSpy notice(&session, &Session::notice);
        session.openRecording(path);
        QTRY_COMPARE(notice.size(), 1);
        const QString reported = notice[0][0].value<Notice>().sentence.text();
        QVERIFY2(reported.contains(QStringLiteral("contradicts itself")) &&
                     reported.contains(QStringLiteral("bubble_of_total of iteration 1 is reported as 0.02")),
                 qPrintable(reported));
        const std::optional<IterationReport> shown = session.shown().report;
        QVERIFY(shown);
        QCOMPARE(shown->tokens_per_s, honest.tokens_per_s);
        QCOMPARE(shown->bubble_of_total, honest.bubble_of_total);
    }
};

BUBBLESCOPE_TEST(TestPartRecordings)

}  // namespace tst_part_recordings

#include "tst_part_recordings.moc"
