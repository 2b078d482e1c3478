// A large recording in the window while it is read: its beginning is there, the bar says how far it is and
// offers to cancel. Cancelled, the beginning stays as what it is, and everything goes on with it; without a
// beginning nothing stays. What is said meanwhile does not take the way to cancel.
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "app/window/notices.h"
#include "fake_engine.h"
#include "opened_window.h"
#include "registered_test.h"
#include "widgets/bars/iteration_strip.h"
#include "wire/recording.h"

namespace tst_reading_window {

using namespace bscope;
using namespace bscope::ui;

class TestReadingWindow : public QObject {
    Q_OBJECT
    LessonBook book_ = LessonBook::embedded();
    QTemporaryDir folder_;
    QString path_;

    static Button* cancelButton(const MainWindow& window) {
        const FailureBar& bar = part<FailureBar>(window);
        return bar.isHidden() ? nullptr : bar.action(QStringLiteral("cancel"));
    }

private slots:
    // Four iterations with so much between them that each is given out before the next is read.
    void initTestCase() {
        OpenedWindow::useTestSettings();
        path_ = folder_.filePath(QStringLiteral("large.bscope"));
        RecordingWriter writer(path_.toStdString(), nullptr);
        wire::Message start, filler;
        *start.mutable_iteration_start() = toWire(playedStart(RunConfig(), 0, 0));
        writer.write(encode(start));
        filler.mutable_log()->set_text(std::string(1 << 16, 'a'));
        std::int64_t end_ns = 0;
        const int before[] = {17, 64, 17, 17};
        for (int i = 0; i < 4; ++i)
            for (const auto& message : playedMessages(RunConfig(), i, end_ns, true, &end_ns)) {
                if (message.has_iteration_report())
                    for (int k = 0; k < before[i]; ++k) writer.write(encode(filler));
                writer.write(encode(message));
            }
    }

    void cancelKeepsTheBeginning() {
        OpenedWindow o(book_);
        Session& session = part<Session>(o.window);
        Replayer& replayer = session.replayer();
        const qint64 bytes = QFile(path_).size();
        bool clicked = false;
        connect(&replayer, &Replayer::began, &o.window, [&] {
            if (std::exchange(clicked, true)) return;
            Button* const cancel = cancelButton(o.window);
            QVERIFY2(cancel != nullptr, "the bar does not offer to cancel");
            QTest::mouseClick(cancel, Qt::LeftButton);
        });
        o.window.openFiles({path_});
        QTRY_VERIFY(clicked);
        QVERIFY(!replayer.opening() && replayer.isPart());
        QTRY_VERIFY(part<FailureBar>(o.window).isHidden());
        const auto kept = session.bars().size();
        QVERIFY(kept >= 1 && kept < 4);
        QTest::qWait(50);  // what the reader had sent before must not come any more
        QCOMPARE(session.bars().size(), kept);
        QCOMPARE(session.state(), SessionState::Replaying);

        // Everything goes on: played to its end, stepped, looked at, zoomed, noted, drawn in either theme.
        session.run();
        replayer.setSpeed(ReplayClock::kMaxSpeed);
        QTRY_VERIFY(replayer.atEnd() && !replayer.playing());
        for (const Qt::Key key : {Qt::Key_PageUp, Qt::Key_PageDown, Qt::Key_Semicolon, Qt::Key_Plus, Qt::Key_0})
            QTest::keyClick(&canvasOf(o.window), key);
        session.select(0);
        QVERIFY(session.shown().summary);
        QVERIFY(!o.window.grab().isNull());
        // A note cannot go into a file of which only the beginning is known: it says so and stays.
        session.note({replayer.notes().nextId(), 0, {}, -1, {}, "mine"});
        QVERIFY(part<FailureBar>(o.window).sentence().contains(QStringLiteral("not read to its end")));
        QCOMPARE(QFile(path_).size(), bytes);
        const QString copy = folder_.filePath(QStringLiteral("beginning.bscope"));
        QVERIFY(replayer.saveAs(copy).empty());

        // The whole of it can still be opened.
        QSignalSpy loaded(&replayer, &Replayer::loaded);
        o.window.openFiles({path_});
        QTRY_COMPARE(loaded.size(), 1);
        QCOMPARE(session.bars().size(), std::size_t{4});
        QVERIFY(!replayer.isPart());
        QTRY_VERIFY(!cancelButton(o.window));
    }

    // Before anything of it is shown, what was there stays.
    void cancelBeforeTheBeginningLeavesWhatWasThere() {
        OpenedWindow o(book_);
        Session& session = part<Session>(o.window);
        Replayer& replayer = session.replayer();
        bool clicked = false;
        connect(&replayer, &Replayer::progress, &o.window, [&] {
            Button* const cancel = replayer.isOpen() ? nullptr : cancelButton(o.window);
            if (cancel != nullptr && !std::exchange(clicked, true)) QTest::mouseClick(cancel, Qt::LeftButton);
        });
        o.window.openFiles({path_});
        QTRY_VERIFY(clicked);
        QTest::qWait(50);
        QVERIFY(!replayer.opening() && !replayer.isOpen());
        QCOMPARE(session.state(), SessionState::Idle);
        QTRY_VERIFY(part<FailureBar>(o.window).isHidden());
    }

    // A notice stands before the job until it is closed, and outlives it; then the job is there again.
    void whatIsSaidMeanwhileDoesNotTakeTheWayToCancel() {
        Session session;
        FailureBar bar;
        Notices notices(session, bar);
        bool cancelled = false;
        notices.beginJob(QStringLiteral("Reading a: 1"), [&] {
            cancelled = true;
            notices.endJob();
        });
        QVERIFY(bar.action(QStringLiteral("cancel")));
        notices.say({QStringLiteral("Something else."), {}, {}});
        notices.setJob(QStringLiteral("Reading a: 2"));
        QCOMPARE(bar.sentence(), QStringLiteral("Something else."));
        bar.clear();
        notices.setJob(QStringLiteral("Reading a: 3"));
        QVERIFY(!bar.isHidden());
        QCOMPARE(bar.sentence(), QStringLiteral("Reading a: 3"));
        QTest::mouseClick(bar.action(QStringLiteral("cancel")), Qt::LeftButton);
        QVERIFY(cancelled && bar.isHidden());
        notices.beginJob(QStringLiteral("Reading b: 1"), [] {});
        notices.say({QStringLiteral("It failed."), {}, {}});
        notices.endJob();
        QVERIFY(!bar.isHidden());
        QCOMPARE(bar.sentence(), QStringLiteral("It failed."));
    }
};

BUBBLESCOPE_WINDOW_TEST(TestReadingWindow)

}  // namespace tst_reading_window

#include "tst_reading_window.moc"
