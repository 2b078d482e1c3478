// Notes in the window: written by keys on a box, a range and an iteration, gone to, changed, taken back,
// deleted; kept in the file of a recording, whose events stay as they are, and in recordings of a run that
// begin later.
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "app/timeline/notes_controller.h"
#include "fake_engine.h"
#include "opened_window.h"
#include "registered_test.h"
#include "timeline/iteration_events.h"
#include "widgets/picture/describe.h"
#include "widgets/picture/note_flags.h"
#include "wire/recording.h"

namespace tst_notes_window {

using namespace bscope;
using namespace bscope::ui;

class TestNotesWindow : public QObject {
    Q_OBJECT
    LessonBook book_ = LessonBook::embedded();
    QTemporaryDir folder_;

    // Three iterations.
    QString recorded(const char* name) const {
        const QString path = folder_.filePath(QLatin1String(name));
        recordPlayed(path, {}, 3);
        return path;
    }
    struct Read {
        RunNotes notes;
        std::vector<Event> events;
        bool whole = false;
    };
    static Read read(const QString& path) {
        Read read;
        RecordingReader reader(path.toStdString());
        reader.readAll([&read](const wire::Message& message) {
            if (message.has_note()) read.notes.take(fromWire(message.note()));
            if (message.has_events())
                for (const Event& event : fromWire(message.events())) read.events.push_back(event);
        });
        read.whole = reader.warning().empty();
        return read;
    }
    static std::vector<std::string> textsOf(const RunNotes& notes) {
        std::vector<std::string> texts;
        for (const RunNote& note : notes.all()) texts.push_back(note.text);
        return texts;
    }
    static void open(MainWindow& window, const QString& path) {
        Session& session = part<Session>(window);
        QSignalSpy loaded(&session.replayer(), &Replayer::loaded);
        window.openFiles({path});
        QTRY_COMPARE(loaded.size(), 1);
        session.pause();
        session.select(1);
        QCOMPARE(session.shownIteration(), 1);
    }
    static Event boxOf(const MainWindow& window, int rank, Op op, int microbatch) {
        const IterationView view = canvasOf(window).views().front();
        for (const Event& event : ofIteration(view.ran->compute(rank), view.iteration))
            if (event.op == op && event.microbatch == microbatch) return event;
        qFatal("no such box");
    }
    // A key of the window works while it is the active one, not while a dialog closes.
    static void press(MainWindow& window, Qt::Key key, Qt::KeyboardModifiers with = Qt::NoModifier) {
        window.activateWindow();  // there is no window manager
        QTRY_VERIFY(window.isActiveWindow());
        QTest::keyClick(&canvasOf(window), key, with);
    }
    static void writeNote(MainWindow& window, const QString& text, int place = 0) {
        NotesController& notes = part<NotesController>(window);
        press(window, Qt::Key_B, Qt::ControlModifier);
        QVERIFY(notes.editor() != nullptr);
        const int shown = part<Session>(window).shown().iteration;
        QVERIFY(notes.editor()->windowTitle().endsWith(QStringLiteral("iteration %1").arg(shown + 1)));
        notes.editor()->placeField()->setCurrentIndex(place);
        notes.editor()->textField()->setText(text);
        QTest::keyClick(notes.editor()->textField(), Qt::Key_Return);
        QTRY_VERIFY(notes.editor() == nullptr);
    }

private slots:
    void initTestCase() { OpenedWindow::useBuiltEngine(); }

    void onABoxInItsFile() {
        const QString path = recorded("box.bscope");
        const std::vector<Event> before = read(path).events;
        OpenedWindow o(book_);
        open(o.window, path);
        const Event box = boxOf(o.window, 2, Op::Backward, 3);
        canvasOf(o.window).state().select(selectionOf(box));
        writeNote(o.window, QStringLiteral("why so late? 气泡"));

        const Read after = read(path);
        QVERIFY(after.whole);
        QCOMPARE(after.events, before);
        QCOMPARE(after.notes.all().size(), std::size_t{1});
        const RunNote note = after.notes.all().front();
        QCOMPARE(note.text, std::string("why so late? 气泡"));
        QCOMPARE(note.iteration, 1);
        QCOMPARE(note.rank, 2);
        QVERIFY(note.action == (Action{box.stage, Op::Backward, 3}));
        QVERIFY(note.when == (RunNote::When{box.start_ns, box.end_ns}));

        // Its flag stands at the box, which says it, too.
        const Picture& picture = canvasOf(o.window).picture();
        QCOMPARE(picture.notes.size(), std::size_t{1});
        const QRectF flag = flagOf(picture, picture.notes.front());
        const QRectF lane = picture.layout.groups.front()[2].box;
        QVERIFY(std::abs(flag.left() - picture.xOf(picture.groups.front(), box.start_ns)) <= 1);
        QVERIFY(std::abs(flag.bottom() - lane.top()) <= 1);
        const Hit hit = hitTest(
            picture,
            {picture.xOf(picture.groups.front(), (box.start_ns + box.end_ns) / 2), lane.center().y()});
        QVERIFY(describe(picture, hit).lines.join(u'\n').contains(QStringLiteral("why so late?")));

        // Again on the same box: the note is changed, not a second one written.
        canvasOf(o.window).state().select(selectionOf(box));
        press(o.window, Qt::Key_B, Qt::ControlModifier);
        NotesController& notes = part<NotesController>(o.window);
        QCOMPARE(notes.editor()->textField()->text(), QStringLiteral("why so late? 气泡"));
        notes.editor()->reject();
    }

    void goneToChangedAndTakenBack() {
        const QString path = recorded("several.bscope");
        OpenedWindow o(book_);
        open(o.window, path);
        ViewState& state = canvasOf(o.window).state();
        Session& session = part<Session>(o.window);
        NotesController& notes = part<NotesController>(o.window);
        const Event box = boxOf(o.window, 0, Op::Forward, 1);
        state.select(selectionOf(box));
        writeNote(o.window, QStringLiteral("box"));
        state.select(std::nullopt);
        writeNote(o.window, QStringLiteral("iteration"));
        const double span = state.range().width();
        state.setMeasured(TimeRange{0.5 * span, 0.6 * span});
        writeNote(o.window, QStringLiteral("range"));
        state.setMeasured(std::nullopt);
        session.select(2);
        writeNote(o.window, QStringLiteral("later"));
        QCOMPARE(textsOf(session.notes()), (std::vector<std::string>{"iteration", "box", "range", "later"}));

        // Round and round by key, each with what it is on.
        session.select(0);
        press(o.window, Qt::Key_F2);
        QCOMPARE(session.shownIteration(), 1);
        QVERIFY(!state.selection() && !state.measured());
        press(o.window, Qt::Key_F2);
        QVERIFY(state.selection() == selectionOf(box));
        press(o.window, Qt::Key_F2);
        QVERIFY(state.measured() && std::abs(state.measured()->from_ns - 0.5 * span) < 1);
        press(o.window, Qt::Key_F2);
        QCOMPARE(session.shownIteration(), 2);
        press(o.window, Qt::Key_F2);
        QCOMPARE(session.shownIteration(), 1);
        press(o.window, Qt::Key_F2, Qt::ShiftModifier);
        QCOMPARE(session.shownIteration(), 2);

        // In the list: changed, deleted, and both taken back; the file follows.
        notes.openList();
        NotesList& list = *notes.list();
        QCOMPARE(list.table()->rowCount(), 4);
        const auto pressInList = [&](Qt::Key key, Qt::KeyboardModifiers with = Qt::NoModifier) {
            list.activateWindow();
            QTRY_VERIFY(list.isActiveWindow());
            QTest::keyClick(&list, key, with);
        };
        list.table()->setCurrentCell(1, 0);
        pressInList(Qt::Key_F2);
        notes.editor()->textField()->setText(QStringLiteral("a box"));
        QTest::keyClick(notes.editor()->textField(), Qt::Key_Return);
        list.table()->setCurrentCell(3, 0);
        pressInList(Qt::Key_Delete);
        QCOMPARE(textsOf(read(path).notes), (std::vector<std::string>{"iteration", "a box", "range"}));
        pressInList(Qt::Key_Z, Qt::ControlModifier);
        pressInList(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(textsOf(read(path).notes), (std::vector<std::string>{"iteration", "box", "range", "later"}));
        while (list.undoButton()->isEnabled()) pressInList(Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(read(path).notes.empty());
        QVERIFY(canvasOf(o.window).picture().notes.empty());
    }

    // What the file cannot take is said, shown, and goes into a copy.
    void whatTheFileCannotTake() {
        const QString path = recorded("cut.bscope"), copy = folder_.filePath(QStringLiteral("copy.bscope"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::Append));
        file.write("cut");
        file.close();
        OpenedWindow o(book_);
        open(o.window, path);
        Session& session = part<Session>(o.window);
        QSignalSpy said(&session, &Session::notice);
        writeNote(o.window, QStringLiteral("kept where?"));
        QCOMPARE(said.size(), 1);
        QVERIFY(!read(path).whole && read(path).notes.empty());
        QCOMPARE(textsOf(session.notes()), (std::vector<std::string>{"kept where?"}));
        QVERIFY(session.replayer().saveAs(copy).empty());
        QVERIFY(read(copy).whole);
        QCOMPARE(read(copy).events, read(path).events);
        writeNote(o.window, QStringLiteral("kept here"), 0);
        QCOMPARE(said.size(), 1);
        QCOMPARE(textsOf(read(copy).notes), textsOf(session.notes()));
    }

    // A recording of a run has what was noted before it began, and what is noted while it goes on.
    void inARecordingThatBeginsLater() {
        const QString path = folder_.filePath(QStringLiteral("live.bscope"));
        OpenedWindow o(book_);
        o.trainAndPause(smallRun());
        Session& session = part<Session>(o.window);
        session.select(0);
        writeNote(o.window, QStringLiteral("before"));
        QVERIFY(session.startRecording(path));
        writeNote(o.window, QStringLiteral("meanwhile"));
        canvasOf(o.window).state().select(selectionOf(boxOf(o.window, 1, Op::Forward, 0)));
        writeNote(o.window, QStringLiteral("a box"));
        session.stopRecording();
        QCOMPARE(textsOf(read(path).notes), textsOf(session.notes()));
        QVERIFY(!session.notes().empty());
    }
};

BUBBLESCOPE_WINDOW_TEST(TestNotesWindow)

}  // namespace tst_notes_window

#include "tst_notes_window.moc"
