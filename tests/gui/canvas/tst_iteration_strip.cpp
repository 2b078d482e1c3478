// The strip: bars stand where they are clicked, only the last 200 are kept, keys ask for neighbours, the pill
// leads back.
#include <QSignalSpy>
#include <QTest>

#include "paint_recorder.h"
#include "registered_test.h"
#include "widgets/bars/iteration_strip.h"
#include "widgets/controls/focus_ring.h"

namespace tst_iteration_strip {

using namespace bscope;
using namespace bscope::ui;

class TestIterationStrip : public QObject {
    Q_OBJECT

    static std::vector<IterationBar> bars(int count) {
        std::vector<IterationBar> made;
        for (int i = 0; i < count; ++i) {
            IterationBar bar;
            bar.iteration = i;
            bar.iteration_ms = 100 + i % 3;
            bar.bubble_of_total = 0.3;
            bar.group = i < 10 ? "GPipe · m=4" : "1F1B · m=8";
            made.push_back(bar);
        }
        return made;
    }
    static void show(IterationStrip& strip) {
        setTheme(Theme::make(ThemeKind::Light));
        strip.resize(1156, 84);
        strip.show();
        QVERIFY(QTest::qWaitForWindowExposed(&strip));
    }

private slots:
    void clickOnEveryBarChoosesIt() {
        IterationStrip strip;
        show(strip);
        strip.setBars(bars(37));
        QSignalSpy chosen(&strip, &IterationStrip::iterationChosen);
        for (int i = 0; i < 37; ++i) {
            QTest::mouseClick(&strip, Qt::LeftButton, {}, strip.barRect(i).center().toPoint());
            QCOMPARE(chosen.count(), i + 1);
            QCOMPARE(chosen.last().first().toInt(), i);
        }
        const int empty_slot =
            static_cast<int>(2 * strip.barRect(36).right() - strip.barRect(35).left()) + 10;
        QTest::mouseClick(&strip, Qt::LeftButton, {}, QPoint(empty_slot, 60));
        QCOMPARE(chosen.count(), 37);
    }

    // A frame when Tab comes to it, none after a click.
    void theFocusOfTabIsFramed() {
        IterationStrip strip;
        show(strip);
        strip.setBars(bars(20));
        const auto* const ring = strip.findChild<FocusRing*>();
        strip.setFocus(Qt::MouseFocusReason);
        QVERIFY(strip.hasFocus() && !ring->isVisible());
        strip.clearFocus();
        strip.setFocus(Qt::TabFocusReason);
        QVERIFY(strip.hasFocus() && ring->isVisible());
        QCOMPARE(ring->geometry(), strip.rect());
    }

    // As the canvas writes them: in F, and of ideal.
    void tipsFollowTheCanvas() {
        IterationStrip strip;
        show(strip);
        strip.setBars(bars(3));
        const auto plain = [&] { return strip.tipOf(1).section(u'\n', 0, 0).replace(QChar::Nbsp, u' '); };
        QCOMPARE(plain(), QStringLiteral("Iteration 2: 101.0 ms, bubble 30.0 %, loss 0.000"));
        bscope::ui::Notation notation;
        notation.unit = TimeUnit::MedianForward;
        notation.median_forward_ns = 20e6;
        notation.definition = BubbleDefinition::OfIdeal;
        strip.setNotation(notation);
        QCOMPARE(plain(), QStringLiteral("Iteration 2: 5.05 F, bubble 42.9 %, loss 0.000"));
        QVERIFY(strip.tipOf(7).isEmpty());
    }

    void axisOfShortIterationsHasTwoDigits() {
        IterationStrip strip;
        show(strip);
        const auto axis = [&strip] {
            PaintRecorder recorder(strip.size());
            strip.render(&recorder);
            QString found;
            for (const PaintRecorder::Text& text : recorder.texts)
                if (text.text.startsWith(QStringLiteral("0–"))) found = text.text;
            return found.replace(QChar::Nbsp, u' ');
        };
        std::vector<IterationBar> made = bars(3);
        strip.setBars(made);
        QVERIFY2(QRegularExpression("^0–1\\d\\d ms$").match(axis()).hasMatch(), qPrintable(axis()));
        for (IterationBar& bar : made) bar.iteration_ms /= 1000;
        strip.setBars(made);
        QVERIFY2(QRegularExpression("^0–0\\.1\\d ms$").match(axis()).hasMatch(), qPrintable(axis()));
    }

    // What stands out is marked, with the cause that is recorded and no other; a drift has its line and
    // words.
    void oddBarsAndDriftAreMarked() {
        IterationStrip strip;
        show(strip);
        std::vector<IterationBar> made;
        for (int i = 0; i < 40; ++i) {
            IterationBar bar;
            bar.iteration = i;
            bar.iteration_ms = 100 + i % 3;
            bar.group = "1F1B · m=8";
            bar.since = 0;
            made.push_back(bar);
        }
        made[0].iteration_ms = 200;
        made[10].iteration_ms = 150;
        made[10].disturbance = Disturbance::Cores;
        made[20].iteration_ms = 130;
        strip.setBars(made);
        const auto says = [&](int iteration, const char* words) {
            return strip.tipOf(iteration).replace(QChar::Nbsp, u' ').contains(QString::fromUtf8(words));
        };
        QVERIFY2(says(0, "outlier: +98.0 % from the median of 38 iterations, 101.0 ms\nit is the first one"),
                 qPrintable(strip.tipOf(0)));
        QVERIFY(says(10, "other programs took time"));
        QVERIFY(says(20, "no cause is recorded; whether heat lowered a clock is not recorded"));
        for (const int calm : {1, 19, 39}) {
            QVERIFY(!says(calm, "outlier"));
            QVERIFY(!says(calm, "drift"));
        }
        // A diamond above each, and above no other.
        const auto isMarked = [&](int iteration) {
            const QRectF box = strip.barRect(iteration);
            const QImage image = strip.grab().toImage();
            const int y = std::max(static_cast<int>(box.top()) - 7, 18),
                      x = static_cast<int>(box.center().x());
            for (int down = 0; down < 6; ++down)
                if (image.pixelColor(x, std::min(y + down, static_cast<int>(box.top()) - 4)) ==
                    currentTheme().text)
                    return true;
            return false;
        };
        QVERIFY(isMarked(10));
        QVERIFY(!isMarked(11));
        // Another configuration is another series: nothing of the former is in it.
        for (std::size_t i = 20; i < 40; ++i) made[i].iteration_ms = 300, made[i].since = 20;
        strip.setBars(made);
        QVERIFY(!says(25, "outlier"));
        for (int i = 0; i < 40; ++i) made[static_cast<std::size_t>(i)].since = 0;
        for (int i = 1; i < 40; ++i) {
            made[static_cast<std::size_t>(i)].iteration_ms = 100 + i;
            made[static_cast<std::size_t>(i)].disturbance = Disturbance::None;
        }
        strip.setBars(made);
        // 39 iterations, from 101 to 139 ms, the median is 120: each takes 1 ms more.
        QVERIFY2(says(30, "drift: +31.7 % over 39 undisturbed iterations"), qPrintable(strip.tipOf(30)));
        QVERIFY(says(30, "; no cause is recorded; whether heat lowered a clock is not recorded"));
        for (IterationBar& bar : made) bar.throttles = 0;
        strip.setBars(made);
        QVERIFY(strip.tipOf(30).endsWith(QStringLiteral("; no cause is recorded")));
        for (const std::size_t hot : {20u, 25u, 30u}) made[hot].throttles = 2;
        strip.setBars(made);
        QVERIFY2(says(30, "; in 3 of them heat lowered a clock (thermal)"), qPrintable(strip.tipOf(30)));
        QVERIFY(says(30, "throttled: the processor lowered its clock because of heat, 2×"));
    }

    // Heat is the cause where the counters rose in an iteration that is longer, and only there; that they did
    // not rise and that there are none are two things.
    void heatIsACauseWhereItIsCounted() {
        IterationStrip strip;
        show(strip);
        std::vector<IterationBar> made = bars(40);
        for (IterationBar& bar : made) bar.group = "1F1B · m=8", bar.since = 0, bar.throttles = 0;
        made[8].iteration_ms = made[9].iteration_ms = made[11].iteration_ms = 150;
        made[10].iteration_ms = 60;
        made[8].throttles = made[10].throttles = 3;
        made[11].disturbance = Disturbance::Requests;
        made[12].throttles = 1;
        strip.setBars(made);
        const auto says = [&](int iteration, const char* words) {
            return strip.tipOf(iteration).replace(QChar::Nbsp, u' ').contains(QString::fromUtf8(words));
        };
        QVERIFY2(says(8, "cause: heat; the processor lowered its clock 3× during it (thermal)"),
                 qPrintable(strip.tipOf(8)));
        QVERIFY(says(9, "no cause is recorded") && !says(9, "not recorded"));
        QVERIFY(says(10, "no cause is recorded") && !says(10, "cause: heat"));
        QVERIFY(says(11, "cause: the stream waited until more iterations were requested"));
        QVERIFY(says(12, "throttled: the processor lowered its clock because of heat, 1×"));
        QVERIFY(!says(12, "outlier") && !says(13, "throttled"));
        // Without counters nothing is said of heat but that it is not recorded.
        for (IterationBar& bar : made) bar.throttles.reset();
        strip.setBars(made);
        QVERIFY(says(8, "whether heat lowered a clock is not recorded") && !says(8, "cause: "));
        QVERIFY(!says(10, "not recorded"));  // heat makes nothing shorter
    }

    // A run's name has the time of a message as the canvas writes times, and names different links
    // differently.
    void theLinkIsInTheUnitOfTheCanvas() {
        IterationStrip strip;
        show(strip);
        std::vector<IterationBar> made = bars(20);
        for (IterationBar& bar : made) bar.group = "1F1B · p=4 m=8 r2×1.5", bar.link_ns = 2e6;
        made[10].link_ns = made[11].link_ns = 0;
        strip.setBars(made);
        const auto name = [&](int iteration) {
            return strip.tipOf(iteration).section(u'\n', 1, 1).replace(QChar::Nbsp, u' ');
        };
        QCOMPARE(name(3), QStringLiteral("1F1B · p=4 m=8 r2×1.5 ⇄ 2.0 ms"));
        QCOMPARE(name(10), QStringLiteral("1F1B · p=4 m=8 r2×1.5"));
        Notation notation;
        notation.unit = TimeUnit::MedianForward;
        notation.median_forward_ns = 8e6;
        strip.setNotation(notation);
        QCOMPARE(name(3), QStringLiteral("1F1B · p=4 m=8 r2×1.5 ⇄ 0.25 F"));
        QVERIFY(!made[9].sharesBracket(made[10]) && made[10].sharesBracket(made[11]));
    }

    void axisGrowsAndKeepsTheLast200() {
        IterationStrip strip;
        show(strip);
        strip.setBars(bars(50));
        QCOMPARE(strip.slotCount(), 50);
        strip.setBars(bars(51));
        QCOMPARE(strip.slotCount(), 100);
        strip.setBars(bars(500));
        QCOMPARE(strip.slotCount(), 200);
        QVERIFY(strip.barRect(299).isEmpty());
        QVERIFY(!strip.barRect(300).isEmpty());
        QVERIFY(!strip.barRect(499).isEmpty());
        strip.setRunning(500);
        QVERIFY(!strip.barRect(500).isEmpty());
        QVERIFY(strip.barRect(500).right() <= strip.width());
    }

    void heightIsTime() {
        IterationStrip strip;
        show(strip);
        std::vector<IterationBar> two = bars(2);
        two[0].iteration_ms = 100;
        two[1].iteration_ms = 200;
        strip.setBars(two);
        QVERIFY(std::abs(strip.barRect(1).height() / strip.barRect(0).height() - 2) < 0.01);
        QCOMPARE(strip.barRect(0).bottom(), strip.barRect(1).bottom());
    }

    void keysAskForNeighbours() {
        IterationStrip strip;
        show(strip);
        strip.setBars(bars(5));
        QSignalSpy stepped(&strip, &IterationStrip::stepRequested);
        for (const auto& [key, direction] :
             {std::pair{Qt::Key_PageUp, -1}, {Qt::Key_PageDown, 1}, {Qt::Key_J, -1}, {Qt::Key_K, 1}}) {
            QTest::keyClick(&strip, key);
            QCOMPARE(stepped.last().first().toInt(), direction);
        }
        QCOMPARE(stepped.count(), 4);
    }

    void pillLeadsBackToTheNewest() {
        IterationStrip strip;
        show(strip);
        strip.setBars(bars(37));
        strip.setShown(33);
        QVERIFY(strip.pillRect().isEmpty());
        strip.setFollow(false);
        QCOMPARE(strip.newerCount(), 3);
        QSignalSpy follow(&strip, &IterationStrip::followRequested);
        QTest::mouseClick(&strip, Qt::LeftButton, {}, strip.pillRect().center().toPoint());
        QCOMPARE(follow.count(), 1);
        strip.setShown(36);
        QVERIFY(strip.pillRect().isEmpty());
    }
};

BUBBLESCOPE_WINDOW_TEST(TestIterationStrip)

}  // namespace tst_iteration_strip

#include "tst_iteration_strip.moc"
