// From a change of m to its plan on the screen, while the run goes on: CPU time of the window's thread until
// the strip of the waiting change was painted, against a frame of a screen (16.7 ms).
#include <QTest>
#include <algorithm>

#include "bench/timed.h"
#include "registered_test.h"
#include "watched_window.h"
#include "widgets/bars/pending_strip.h"

namespace bench_plan_change {

using namespace bscope;
using namespace bscope::ui;

class BenchPlanChange : public QObject {
    Q_OBJECT
    LessonBook book_ = LessonBook::embedded();

private slots:
    void initTestCase() { OpenedWindow::useTestSettings(); }

    void fromTheChangeToItsPlan_data() {
        QTest::addColumn<int>("p");
        QTest::addColumn<int>("m");
        for (const auto& [p, m] : {std::pair{4, 16}, {8, 64}, {8, 256}})
            QTest::addRow("p=%d m=%d", p, m) << p << m;
    }
    void fromTheChangeToItsPlan() {
        QFETCH(int, p);
        QFETCH(int, m);
        constexpr double kFrame_ms = 1000.0 / 60;
        WatchedWindow o(book_);
        o.config.params.p = p;
        o.config.params.m = m;
        o.attach(wire::RUNNING);
        o.run(2);
        QTest::qWait(300);  // what the window does by itself is done
        RunConfig next = o.config;
        int round = 0;
        const double change_ms = 1e3 * bench::bestSeconds(
                                           1,
                                           [&] {
                                               next.params.m = m + 1 + round++ % 2;
                                               o.session().edit(next);
                                               QCoreApplication::sendPostedEvents();
                                               o.window.repaint();
                                           },
                                           8);
        QVERIFY(part<PendingStrip>(o.window).isVisible());
        qInfo("p=%d m=%d: %.1f ms from the change to its plan, %.2f of a frame", p, m, change_ms,
              change_ms / kFrame_ms);
    }
};

BUBBLESCOPE_WINDOW_TEST(BenchPlanChange)

}  // namespace bench_plan_change

#include "bench_plan_change.moc"
