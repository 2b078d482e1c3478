// The legend by keyboard: Tab reaches one switch, arrows the others, Space and Enter switch; the focus stays
// when its entries are made again.
#include <QTest>
#include <QToolButton>

#include "registered_test.h"
#include "required.h"
#include "sample_view.h"
#include "widgets/gantt/legend_bar.h"

namespace tst_legend_keys {

using namespace bscope;
using namespace bscope::ui;

class TestLegendKeys : public QObject {
    Q_OBJECT
    struct Shown {
        ViewState state;
        QWidget window;
        LegendBar legend{state, &window};
        Shown() {
            setTheme(Theme::make(ThemeKind::Light));
            const PreparedView view(sampleView());
            legend.setGroups({&view, 1});
            window.resize(1600, 60);
            legend.setGeometry(0, 0, 1600, 26);
            window.show();
            window.activateWindow();
            REQUIRE(QTest::qWaitForWindowActive(&window));
        }
    };

private slots:
    void theBarIsOneStop() {
        Shown s;
        QCOMPARE(s.legend.focusPolicy(), Qt::TabFocus);
        QVERIFY(s.legend.stops().size() > 4);
        for (const QToolButton* button : s.legend.findChildren<QToolButton*>())
            QCOMPARE(button->focusPolicy(), Qt::NoFocus);
    }

    void arrowsGoOnAndSpaceSwitches() {
        Shown s;
        s.legend.setFocus();
        QCOMPARE(s.legend.current(), s.legend.stops().front());
        QTest::keyClick(&s.legend, Qt::Key_Right);
        QToolButton* const second = s.legend.stops()[1];
        QCOMPARE(s.legend.current(), second);
        const bool was = second->isChecked();
        const Filter filter = s.state.filter();
        const Layers layers = s.state.layers();
        QTest::keyClick(&s.legend, Qt::Key_Space);
        QCOMPARE(second->isChecked(), !was);
        QVERIFY(s.state.filter() != filter || !(s.state.layers() == layers));
        QTest::keyClick(&s.legend, Qt::Key_Return);
        QCOMPARE(second->isChecked(), was);
        QVERIFY(s.state.filter() == filter && s.state.layers() == layers);
        QTest::keyClick(&s.legend, Qt::Key_End);
        QCOMPARE(s.legend.current(), s.legend.stops().back());
        QTest::keyClick(&s.legend, Qt::Key_Right);
        QCOMPARE(s.legend.current(), s.legend.stops().back());
        QTest::keyClick(&s.legend, Qt::Key_Home);
        QCOMPARE(s.legend.current(), s.legend.stops().front());
    }

    void theCurrentOneStaysWhenEntriesAreMadeAgain() {
        Shown s;
        s.legend.setFocus();
        QTest::keyClick(&s.legend, Qt::Key_Right);
        s.legend.followTheme();
        QVERIFY(s.legend.hasFocus());
        QCOMPARE(s.legend.current(), s.legend.stops()[1]);
        s.legend.resize(300, 26);  // what has no room is in the menu
        QVERIFY(s.legend.stops().contains(s.legend.current()));
    }
};

BUBBLESCOPE_WINDOW_TEST(TestLegendKeys)

}  // namespace tst_legend_keys

#include "tst_legend_keys.moc"
