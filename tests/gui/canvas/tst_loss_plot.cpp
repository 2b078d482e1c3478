// The loss plot: a point an iteration, a rule at every change, the value under the pointer.
#include <QSignalSpy>
#include <QTest>

#include "registered_test.h"
#include "widgets/dock/loss_plot.h"

namespace tst_loss_plot {

using namespace bscope;
using namespace bscope::ui;

class TestLossPlot : public QObject {
    Q_OBJECT

    static std::vector<IterationBar> bars() {
        std::vector<IterationBar> made(30);
        for (int i = 0; i < 30; ++i) {
            IterationBar& bar = made[static_cast<std::size_t>(i)];
            bar.iteration = i;
            bar.loss = 5.55 - 0.08 * i;
            bar.group = i < 8 ? "a" : i < 20 ? "b" : "c";
        }
        return made;
    }

private slots:
    void rulesStandAtChanges() {
        LossPlot plot;
        plot.setBars(bars());
        QCOMPARE(plot.changes(), (std::vector<int>{8, 20}));
        QCOMPARE(plot.pointCount(), 30);
        QCOMPARE(plot.rangeText(), QStringLiteral("5.55 → 3.23"));
    }

    void lossesThatAreNoNumbersAreLeftOut() {
        std::vector<IterationBar> made = bars();
        made[3].loss = std::numeric_limits<double>::quiet_NaN();
        LossPlot plot;
        plot.setBars(made);
        QCOMPARE(plot.pointCount(), 29);
        plot.setBars({});
        QCOMPARE(plot.pointCount(), 0);
        QVERIFY(plot.rangeText().isEmpty());
    }

    void hoverNamesTheNearestIteration() {
        LossPlot plot;
        setTheme(Theme::make(ThemeKind::Dark));
        plot.resize(252, 84);
        plot.show();
        QVERIFY(QTest::qWaitForWindowExposed(&plot));
        plot.setBars(bars());
        QCoreApplication::processEvents();
        QSignalSpy hovered(&plot, &LossPlot::hovered);
        const QPoint at(static_cast<int>(plot.xAxis->coordToPixel(12.2)), 40);
        QTest::mouseMove(&plot, at);
        QTRY_VERIFY(hovered.count() > 0);
        QCOMPARE(hovered.last().at(0).toInt(), 12);
        QCOMPARE(hovered.last().at(1).toDouble(), 5.55 - 0.08 * 12);
    }
};

BUBBLESCOPE_WINDOW_TEST(TestLossPlot)

}  // namespace tst_loss_plot

#include "tst_loss_plot.moc"
