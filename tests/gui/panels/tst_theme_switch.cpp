// A theme that is chosen while the window is open: it then looks, pixel for pixel, like a window that was
// opened with that theme, so that no part of it has kept anything of the one before.
#include <QApplication>
#include <QTest>
#include <array>

#include "opened_window.h"
#include "registered_test.h"
#include "widgets/controls/themed.h"
#include "widgets/tune/improve_table.h"

namespace tst_theme_switch {

using namespace bscope;
using namespace bscope::ui;

class TestThemeSwitch : public QObject {
    Q_OBJECT
    LessonBook book_ = LessonBook::embedded();

    static Preferences preferences(ThemeChoice theme, double scale, ColourScheme scheme) {
        Preferences preferences;
        preferences.theme = theme;
        preferences.scale = scale;
        preferences.scheme = scheme;
        preferences.schedule_panel = true;
        preferences.step_grid = true;
        return preferences;
    }

private slots:
    void initTestCase() {
        OpenedWindow::useTestSettings();
        QApplication::setCursorFlashTime(0);  // no caret that is in one picture and not in the other
    }

    void aSwitchedWindowLooksLikeOneThatWasOpenedSo_data() {
        QTest::addColumn<ThemeChoice>("theme");
        QTest::addColumn<double>("scale");
        QTest::addColumn<ColourScheme>("scheme");
        QTest::newRow("dark") << ThemeChoice::Dark << 1.0 << ColourScheme::Bubblescope;
        QTest::newRow("larger") << ThemeChoice::Light << 1.2 << ColourScheme::Bubblescope;
        QTest::newRow("dark, smaller, other colours") << ThemeChoice::Dark << 0.9 << ColourScheme::ZeroBubble;
    }

    void aSwitchedWindowLooksLikeOneThatWasOpenedSo() {
        QFETCH(ThemeChoice, theme);
        QFETCH(double, scale);
        QFETCH(ColourScheme, scheme);
        const std::array views{MainView::Timeline, MainView::Improve, MainView::Lessons};
        std::array<QImage, 3> expected;
        {
            OpenedWindow opened(book_, preferences(theme, scale, scheme));
            for (std::size_t i = 0; i < views.size(); ++i) {
                show(opened.window, views[i]);
                expected[i] = settled(opened.window);
            }
        }
        OpenedWindow opened(book_, preferences(ThemeChoice::Light, 1.0, ColourScheme::Bubblescope));
        QVERIFY(settled(opened.window) != expected[0]);
        Appearance& looks = part<Appearance>(opened.window);
        looks.setThemeChoice(theme);
        looks.setScale(scale);
        looks.setScheme(scheme);
        part<BriefNotice>(opened.window).hide();  // it names the colours
        for (std::size_t i = 0; i < views.size(); ++i) {
            show(opened.window, views[i]);
            QVERIFY2(settled(opened.window) == expected[i], qPrintable(QStringLiteral("view %1").arg(i)));
        }
    }

    // Another scheme colours boxes alone: the window's sheet is not set anew, which would style all that is
    // in it.
    void anotherSchemeStylesNothingAnew() {
        OpenedWindow opened(book_, preferences(ThemeChoice::Light, 1.0, ColourScheme::Bubblescope));
        StyleChanges changes(opened.window);
        Appearance& looks = part<Appearance>(opened.window);
        looks.setScheme(ColourScheme::ZeroBubble);
        QCOMPARE(changes.seen, 0);
        looks.setThemeChoice(ThemeChoice::Dark);
        QVERIFY(changes.seen > 0);
    }

private:
    // With all that is worked out for it; an order that is searched for a time is no line of schedules alone.
    static void show(MainWindow& window, MainView view) {
        window.showView(view);
        if (view != MainView::Improve) return;
        ImproveTable& table = part<ImproveTable>(window);
        table.kinds()->segment(1)->click();
        QTRY_VERIFY_WITH_TIMEOUT(!table.playing() && !table.searching() && table.table()->rowCount() > 3,
                                 kEngineMs);
    }

    // How often a window was styled anew.
    struct StyleChanges : QObject {
        explicit StyleChanges(MainWindow& window) { window.installEventFilter(this); }
        bool eventFilter(QObject*, QEvent* event) override {
            seen += event->type() == QEvent::StyleChange ? 1 : 0;
            return false;
        }
        int seen = 0;
    };

    // The window once its layouts are done.
    static QImage settled(MainWindow& window) {
        QImage last;
        for (QImage now = window.grab().toImage(); now != last; now = window.grab().toImage()) {
            last = now;
            QCoreApplication::sendPostedEvents();
            QCoreApplication::processEvents();
        }
        return last;
    }
};

BUBBLESCOPE_WINDOW_TEST(TestThemeSwitch)

}  // namespace tst_theme_switch

#include "tst_theme_switch.moc"
