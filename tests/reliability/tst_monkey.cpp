// Keys, clicks, drags and wheels at random on the window with a recording in it, and with a model training in
// it that is started, paused and changed meanwhile: it lives and goes on drawing. The same seed does the
// same, as far as the training lets it; BSCOPE_MONKEY_SEED=N is added to each. Dialogs that open are closed
// again. BSCOPE_MONKEY=N does so many things a seed (150; with a training 50), BSCOPE_MONKEY_S=N goes on for
// so many seconds (from 300 on together with QTEST_FUNCTION_TIMEOUT). It says how much CPU time of the
// window's thread the longest of them took: a freeze, as a person would call it (limit 200 ms); the offscreen
// display warns so often that only -maxwarnings 0 shows all of that.
#include <QAbstractButton>
#include <QApplication>
#include <QDrag>
#include <QElapsedTimer>
#include <QMap>
#include <QPointer>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QWheelEvent>
#include <algorithm>
#include <ctime>
#include <random>

#include "app/tune/hand_costs_controller.h"
#include "catalog/catalog.h"
#include "fake_engine.h"
#include "opened_window.h"
#include "registered_test.h"

namespace tst_monkey {

using namespace bscope;
using namespace bscope::ui;

namespace {

double threadCpu_ms() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

// The longest that the event loop was kept from its next turn, in CPU time of the window's thread and as it
// passed on the wall: what a person feels, and of that what the window itself did.
class TurnWatch {
public:
    TurnWatch() {
        since_.start();
        QObject::connect(&timer_, &QTimer::timeout, [this] {
            const double cpu_ms = threadCpu_ms();
            longest_cpu_ms_ = std::max(longest_cpu_ms_, cpu_ms - last_cpu_ms_);
            longest_wall_ms_ = std::max(longest_wall_ms_, 1e-6 * static_cast<double>(since_.nsecsElapsed()));
            last_cpu_ms_ = cpu_ms;
            since_.start();
            ++turns_;
        });
        timer_.start(1);
    }
    void report() const {
        qInfo("%d turns of the event loop; the longest time between two: %.0f ms of CPU, %.0f ms on the wall", turns_,
              longest_cpu_ms_, longest_wall_ms_);
    }

private:
    QTimer timer_;
    QElapsedTimer since_;
    double last_cpu_ms_ = threadCpu_ms(), longest_cpu_ms_ = 0, longest_wall_ms_ = 0;
    int turns_ = 0;
};

}  // namespace

class TestMonkey : public QObject {
    Q_OBJECT
    LessonBook book_ = LessonBook::embedded();
    QTemporaryDir folder_;

    // The part of the window under a point, as a pointer would find it.
    static QWidget* at(MainWindow& window, const QPoint& point) {
        QWidget* const child = window.childAt(point);
        return child != nullptr ? child : &window;
    }
    // What was done, in words.
    static QString act(MainWindow& window, std::mt19937& random) {
        const auto below = [&](int bound) {
            return static_cast<int>(random() % static_cast<unsigned>(bound));
        };
        const auto anyPoint = [&] { return QPoint(below(window.width()), below(window.height())); };
        const Qt::KeyboardModifiers modifiers = below(4) == 0 ? Qt::ShiftModifier : Qt::NoModifier;
        const QPoint point = anyPoint();
        QPointer<QWidget> widget = at(window, point);
        const QPoint local = widget->mapFrom(&window, point);
        const QString name = nameOf(widget);
        switch (below(6)) {
            case 0:
            case 1: {
                QWidget* const focused = QApplication::focusWidget();
                static const Qt::Key kKeys[] = {Qt::Key_Left,  Qt::Key_Right, Qt::Key_Up,     Qt::Key_Down,
                                                Qt::Key_Space, Qt::Key_Tab,   Qt::Key_Escape, Qt::Key_Home,
                                                Qt::Key_End,   Qt::Key_Plus,  Qt::Key_Minus,  Qt::Key_Return};
                const Qt::Key key = below(2) == 0 ? kKeys[below(std::size(kKeys))]
                                                  : static_cast<Qt::Key>(Qt::Key_A + below(26));
                const QString to = nameOf(focused != nullptr ? focused : &window);
                QTest::keyClick(focused != nullptr ? focused : &window, key, modifiers);
                return QStringLiteral("%1 in %2")
                    .arg(QKeySequence(QKeyCombination(modifiers, key)).toString(), to);
            }
            case 2:
                QTest::mouseClick(widget, Qt::LeftButton, modifiers, local);
                return QStringLiteral("click on ") + name;
            case 3:
                QTest::mouseDClick(widget, Qt::LeftButton, modifiers, local);
                return QStringLiteral("double click on ") + name;
            case 4: {
                QTest::mousePress(widget, Qt::LeftButton, modifiers, local);
                const QPoint to = anyPoint();
                if (widget) QTest::mouseMove(widget, widget->mapFrom(&window, to));
                if (widget)
                    QTest::mouseRelease(widget, Qt::LeftButton, modifiers, widget->mapFrom(&window, to));
                return QStringLiteral("drag from ") + name;
            }
            default: {
                QWheelEvent wheel(local, widget->mapToGlobal(local), {}, {0, below(2) == 0 ? 120 : -120},
                                  Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
                QApplication::sendEvent(widget, &wheel);
                return QStringLiteral("wheel on ") + name;
            }
        }
    }
    // "bscope::ui::GanttView", and of a button its words.
    static QString nameOf(const QWidget* widget) {
        const auto* const button = qobject_cast<const QAbstractButton*>(widget);
        return QString::fromLatin1(widget->metaObject()->className()) +
               (button != nullptr ? u' ' + button->text() : QString());
    }

    // What a person does to a run: starts, pauses, changes it, looks at it, and is about to leave.
    static QString actOnRun(MainWindow& window, std::mt19937& random) {
        const auto below = [&](int bound) {
            return static_cast<int>(random() % static_cast<unsigned>(bound));
        };
        ControlBar& bar = part<ControlBar>(window);
        switch (below(8)) {
            case 0:
                bar.runButton()->click();
                return QStringLiteral("run or pause");
            case 1:
                bar.m()->setValue(1 + below(24));
                return QStringLiteral("m");
            case 2:
                bar.p()->setValue(1 + below(4));
                return QStringLiteral("p");
            case 3:
                bar.v()->setValue(1 + below(3));
                return QStringLiteral("v");
            case 4: {
                const auto schedules = catalog();
                bar.chooseSchedule(QString::fromUtf8(schedules[random() % schedules.size()].name));
                return QStringLiteral("schedule");
            }
            case 5:
                if (below(4) != 0) return QStringLiteral("nothing");
                window.close();
                return QStringLiteral("close the window");
            default: {
                static const QKeyCombination kKeys[] = {
                    Qt::Key_F6,                  Qt::Key_N,
                    Qt::SHIFT | Qt::Key_X,       Qt::CTRL | Qt::SHIFT | Qt::Key_X,
                    Qt::CTRL | Qt::Key_Z,        Qt::CTRL | Qt::Key_1,
                    Qt::CTRL | Qt::Key_2,        Qt::CTRL | Qt::Key_3,
                    Qt::CTRL | Qt::Key_T,        Qt::CTRL | Qt::Key_E,
                    Qt::CTRL | Qt::Key_H,        Qt::Key_Semicolon,
                    Qt::Key_E,                   Qt::Key_G,
                    Qt::Key_I,                   Qt::SHIFT | Qt::Key_I,
                    Qt::CTRL | Qt::Key_F,        Qt::CTRL | Qt::SHIFT | Qt::Key_P,
                    Qt::CTRL | Qt::SHIFT | Qt::Key_B, Qt::Key_Question};
                const QKeyCombination key = kKeys[below(std::size(kKeys))];
                QTest::keyClick(&window, key.key(), key.keyboardModifiers());
                return QKeySequence(key).toString();
            }
        }
    }
    // Whether there is more to do.
    static bool goesOn(int done, int usual, const QElapsedTimer& since) {
        const int seconds = qEnvironmentVariableIntValue("BSCOPE_MONKEY_S");
        if (seconds > 0) return since.elapsed() < 1000 * seconds;
        bool given = false;
        const int requested = qEnvironmentVariableIntValue("BSCOPE_MONKEY", &given);
        return done < (given ? requested : usual);
    }

private slots:
    void initTestCase() {
        OpenedWindow::useTestSettings();
        recordPlayed(folder_.filePath("run.bscope"), smallRun(), 4);
    }

    void theWindowLives_data() {
        QTest::addColumn<unsigned>("seed");
        QTest::addColumn<Language>("language");
        for (const unsigned seed : {901u, 11u, 12u})
            QTest::addRow("seed %u", seed) << seed << (seed % 2 == 0 ? Language::Chinese : Language::English);
    }
    void theWindowLives() {
        qputenv("BSCOPE", "/nonexistent");  // no engine is started, whatever is pressed
        QFETCH(unsigned, seed);
        QFETCH(Language, language);
        play(seed, language, false);
    }

    void theWindowOfATrainingLives_data() {
        QTest::addColumn<unsigned>("seed");
        QTest::addColumn<Language>("language");
        QTest::addRow("English") << 21u << Language::English;
        QTest::addRow("Chinese") << 22u << Language::Chinese;
    }
    void theWindowOfATrainingLives() {
        OpenedWindow::useBuiltEngine();
        QFETCH(unsigned, seed);
        QFETCH(Language, language);
        play(seed, language, true);
    }

    // As many iterations as come, of the least work, while each makes costs given by hand a new plan.
    void tinyIterationsLeaveTheWindowItsTurns() {
        OpenedWindow::useBuiltEngine();
        OpenedWindow opened(book_);
        part<HandCostsController>(opened.window).open();
        RunConfig tiny = smallRun();
        tiny.model = {2, 8, 1, 4, 256};
        tiny.params = {1, 1, 1};
        Session& session = part<Session>(opened.window);
        session.edit(tiny);
        session.run();
        const TurnWatch watch;
        const int seconds = qEnvironmentVariableIntValue("BSCOPE_MONKEY_S");
        QElapsedTimer since;
        since.start();
        QTRY_VERIFY_WITH_TIMEOUT(
            session.history().newestComplete() >= 100 && since.elapsed() >= 1000 * seconds,
            kEngineMs + 1000 * seconds);
        watch.report();
        qInfo("%d iterations", session.history().newestComplete() + 1);
        session.pause();
        QTRY_COMPARE_WITH_TIMEOUT(session.state(), SessionState::Paused, kEngineMs);
    }

private:
    void play(unsigned seed, Language language, bool trains) {
        std::mt19937 random(seed + static_cast<unsigned>(qEnvironmentVariableIntValue("BSCOPE_MONKEY_SEED")));
        Preferences preferences;
        preferences.language = language;
        OpenedWindow opened(book_, preferences);
        Session& session = part<Session>(opened.window);
        QTimer closer;  // also inside a dialog's own loop
        connect(&closer, &QTimer::timeout, this, [] {
            QDrag::cancel();  // of a selected text: it waits for a button that no display has seen pressed
            if (QWidget* const popup = QApplication::activePopupWidget()) popup->close();
            if (QWidget* const modal = QApplication::activeModalWidget()) modal->close();
        });
        closer.start(trains ? 100 : 20);
        if (trains) {
            opened.runSmall();
        } else {
            session.openRecording(folder_.filePath("run.bscope"));
            QTRY_VERIFY(session.state() == SessionState::Replaying);
        }
        const TurnWatch watch;
        double longest_ms = 0;
        int longest = 0, i = 0;
        QMap<QString, std::vector<double>> freezes;  // of an act: ms of CPU of each that took long
        std::size_t frozen = 0;
        QElapsedTimer since;
        since.start();
        for (; goesOn(i, trains ? 50 : 150, since); ++i) {
            const double before_ms = threadCpu_ms();
            const bool on_run = trains && random() % 3 == 0;
            const QString done = on_run ? actOnRun(opened.window, random) : act(opened.window, random);
            QTest::qWait(trains ? 5 : 1);
            const double took_ms = threadCpu_ms() - before_ms;
            if (took_ms > 200) freezes[done].push_back(took_ms), ++frozen;
            if (took_ms > longest_ms) longest_ms = took_ms, longest = i;
            if (opened.window.isHidden()) opened.window.show();
        }
        qInfo("of %d the longest, number %d, took %.0f ms; over 200 ms: %zu; iterations at the end: %d", i,
              longest, longest_ms, frozen, session.history().newestComplete());
        watch.report();
        for (const auto& [what, times] : freezes.asKeyValueRange())
            qInfo("%zu x %s, up to %.0f ms", times.size(), qPrintable(what),
                  *std::ranges::max_element(times));
        QVERIFY(!opened.window.grab().isNull());
        session.openRecording(folder_.filePath("run.bscope"));
        QTRY_VERIFY_WITH_TIMEOUT(session.state() == SessionState::Replaying, kEngineMs);
    }
};

BUBBLESCOPE_WINDOW_TEST(TestMonkey)

}  // namespace tst_monkey

#include "tst_monkey.moc"
