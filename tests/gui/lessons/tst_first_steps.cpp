// Three callouts for a user who sees the window for the first time: each points at what it is about and
// covers none of it, at every size of the window and in both languages; once they were shown they come by
// themselves never again, but from the Help menu.
#include <QSettings>
#include <QTest>

#include "app/window/first_steps.h"
#include "registered_test.h"
#include "watched_window.h"
#include "widgets/gantt/gantt_view.h"
#include "widgets/picture/hit_test.h"

namespace tst_first_steps {

using namespace bscope;
using namespace bscope::ui;

namespace {

// What stands under the middle of the callout's target.
Hit::Part under(const MainWindow& window, const Callout& callout) {
    const GanttView& canvas = canvasOf(window);
    return hitTest(canvas.picture(), canvas.mapFrom(&window, callout.target().center())).part;
}

void coversNothing(const MainWindow& window, const Callout& callout) {
    QVERIFY(callout.isVisible());
    QVERIFY(window.rect().contains(callout.geometry()));
    QVERIFY(!callout.geometry().intersects(callout.target()));
    QVERIFY(callout.width() >= callout.layout()->minimumSize().width());
    QVERIFY(callout.height() >= callout.layout()->totalHeightForWidth(callout.width()));
}

}  // namespace

class TestFirstSteps : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        OpenedWindow::useTestSettings();
        QSettings().clear();
    }
    void cleanupTestCase() { QSettings().clear(); }

    void pointsAtWhatItExplains_data() {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<double>("scale");
        QTest::addColumn<bool>("chinese");
        for (const bool chinese : {false, true}) {
            const char* language = chinese ? "zh" : "en";
            QTest::addRow("1024x700 %s", language) << QSize(1024, 700) << 1.0 << chinese;
            QTest::addRow("1280x800 %s", language) << QSize(1280, 800) << 1.0 << chinese;
            QTest::addRow("4K %s", language) << QSize(3840, 2160) << 1.0 << chinese;
            QTest::addRow("4K at 150 %% %s", language) << QSize(3840, 2160) << 1.5 << chinese;
        }
    }
    void pointsAtWhatItExplains() {
        QFETCH(QSize, size);
        QFETCH(double, scale);
        QFETCH(bool, chinese);
        const LessonBook book = LessonBook::embedded();
        Preferences preferences;
        preferences.scale = scale;
        preferences.language = chinese ? Language::Chinese : Language::English;
        OpenedWindow of(book, preferences);
        MainWindow& window = of.window;
        window.resize(size);
        QTRY_COMPARE(window.size(), size);
        part<FirstSteps>(window).start();
        const Callout& callout = *part<FirstSteps>(window).callout();
        coversNothing(window, callout);
        // Nothing ran: boxes and gaps are the plan's.
        QCOMPARE(under(window, callout), Hit::Part::PlannedBox);
        QTest::keyClick(callout.nextButton(), Qt::Key_Return);
        coversNothing(window, callout);
        QCOMPARE(under(window, callout), Hit::Part::Idle);
        callout.nextButton()->click();
        coversNothing(window, callout);
        const NumberField* m = part<ControlBar>(window).m();
        QCOMPARE(callout.target().topLeft(), m->mapTo(&window, QPoint(0, 0)));
        QVERIFY(callout.title().startsWith(QStringLiteral("m ")));
        callout.nextButton()->click();
        QVERIFY(callout.isHidden());
        QVERIFY(canvasOf(window).hasFocus());
    }

    // What a hover says of the box that a callout explains stands beside the callout.
    void hoverCardsKeepOutOfIt() {
        const LessonBook book = LessonBook::embedded();
        OpenedWindow of(book, Preferences());
        MainWindow& window = of.window;
        part<FirstSteps>(window).start();
        const Callout& callout = *part<FirstSteps>(window).callout();
        const GanttView& canvas = canvasOf(window);
        QTest::mouseMove(&canvasOf(window), canvas.mapFrom(&window, callout.target().center()));
        QTRY_VERIFY(!canvas.hoverText().isEmpty());
        const QWidget* card = canvas.findChild<QWidget*>(QStringLiteral("hoverCard"));
        const QRect place(card->mapTo(&window, QPoint(0, 0)), card->size());
        QVERIFY(!place.intersects(callout.geometry()));
        QVERIFY(!place.intersects(callout.target()));
        QVERIFY(window.rect().contains(place));
    }

    // The first window shows them and leaves the keys alone; a second one does not.
    void comesOnce() {
        const LessonBook book = LessonBook::embedded();
        {
            OpenedWindow of(book, Preferences::load());
            const Callout& callout = *part<FirstSteps>(of.window).callout();
            QTRY_VERIFY(callout.isVisible());
            QVERIFY(canvasOf(of.window).hasFocus());
            of.window.resize(1100, 760);
            QTRY_VERIFY(!callout.geometry().intersects(callout.target()) &&
                        of.window.rect().contains(callout.geometry()));
            QTest::keyClick(&canvasOf(of.window), Qt::Key_Escape);
            QVERIFY(callout.isHidden());
        }
        OpenedWindow again(book, Preferences::load());
        QTest::qWait(100);
        QVERIFY(part<FirstSteps>(again.window).callout()->isHidden());
        for (QAction* action : again.window.findChildren<QAction*>())
            if (action->text().contains(QStringLiteral("First steps"))) action->trigger();
        QVERIFY(part<FirstSteps>(again.window).callout()->isVisible());
        QTest::keyClick(part<FirstSteps>(again.window).callout()->nextButton(), Qt::Key_Escape);
        QVERIFY(part<FirstSteps>(again.window).callout()->isHidden());
        QVERIFY(canvasOf(again.window).hasFocus());
        for (QAction* action : again.window.findChildren<QAction*>())
            if (action->text().contains(QStringLiteral("First steps"))) action->trigger();
        part<FirstSteps>(again.window).callout()->closeButton()->click();
        QVERIFY(part<FirstSteps>(again.window).callout()->isHidden());
    }

    // However the picture changes meanwhile, a callout and its buttons stand where they appeared.
    void staysWhereItAppeared() {
        const LessonBook book = LessonBook::embedded();
        WatchedWindow watched(book);
        watched.attach(wire::RUNNING);
        watched.run(1);
        part<FirstSteps>(watched.window).start();
        Callout& callout = *part<FirstSteps>(watched.window).callout();
        for (int step = 0; step < 2; ++step) {
            const QRect place = callout.geometry(), target = callout.target();
            const QString title = callout.title();
            for (int i = 1; i < 4; ++i) {
                RunConfig other = watched.config;  // its boxes and gaps are elsewhere
                other.params.m = 4 * i + step;
                watched.engine.start(other, 4 * step + i, watched.end_ns);
                watched.end_ns = watched.engine.iteration(other, 4 * step + i, watched.end_ns);
                QTRY_COMPARE(watched.session().history().newestComplete(), 4 * step + i);
                QTest::qWait(60);
                QVERIFY(callout.isVisible());
                QCOMPARE(callout.geometry(), place);
                QCOMPARE(callout.target(), target);
            }
            QCOMPARE(callout.title(), title);
            callout.nextButton()->click();
        }
        QVERIFY(callout.title().startsWith(QStringLiteral("m ")));
    }

    // An iteration none of whose operations is settled yet is explained by its plan.
    void explainsWhatHasJustBegun() {
        const LessonBook book = LessonBook::embedded();
        WatchedWindow watched(book);
        watched.attach(wire::RUNNING);
        watched.run(1);
        watched.engine.start(watched.config, 1, watched.end_ns);
        std::int64_t end_ns = 0;
        for (const wire::Message& message :
             playedMessages(watched.config, 1, watched.end_ns, false, &end_ns))
            if (message.has_events()) watched.engine.send(message);
        const GanttView& canvas = canvasOf(watched.window);
        QTRY_COMPARE(canvas.picture().groups.front().view().iteration, 1);
        part<FirstSteps>(watched.window).start();
        const Callout& callout = *part<FirstSteps>(watched.window).callout();
        coversNothing(watched.window, callout);
        QCOMPARE(under(watched.window, callout), Hit::Part::PlannedBox);
    }

    // Without a gap that can be seen there are two.
    void leavesOutWhatIsNotThere() {
        const LessonBook book = LessonBook::embedded();
        OpenedWindow of(book);
        RunConfig config = smallRun();
        config.params.p = 1;
        part<Session>(of.window).edit(config);
        part<FirstSteps>(of.window).start();
        const Callout& callout = *part<FirstSteps>(of.window).callout();
        QCOMPARE(callout.title(), QStringLiteral("A box is one operation"));
        callout.nextButton()->click();
        QVERIFY(callout.title().startsWith(QStringLiteral("m ")));
        // Another view ends them.
        of.window.showView(MainView::Improve);
        part<Session>(of.window).edit(smallRun());
        QVERIFY(callout.isHidden());
    }

    void followsTheLanguage() {
        const LessonBook book = LessonBook::embedded();
        OpenedWindow of(book);
        part<FirstSteps>(of.window).start();
        const Callout& callout = *part<FirstSteps>(of.window).callout();
        const QString english = callout.text();
        part<Appearance>(of.window).changeLanguage();
        QTRY_VERIFY(callout.text() != english);
        coversNothing(of.window, callout);
        part<Appearance>(of.window).changeLanguage();
    }
};

BUBBLESCOPE_WINDOW_TEST(TestFirstSteps)

}  // namespace tst_first_steps

#include "tst_first_steps.moc"
