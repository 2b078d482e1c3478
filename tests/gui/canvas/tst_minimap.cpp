// The strip under the lanes: there while less than the whole iteration is seen, its frame stands for exactly
// that, and what is dragged is what is seen then. What the title and a lane's end mean is said where they
// are.
#include <QTest>

#include "registered_test.h"
#include "sample_view.h"
#include "widgets/gantt/minimap.h"
#include "widgets/picture/describe.h"

namespace tst_minimap {

using namespace bscope;
using namespace bscope::ui;

class TestMinimap : public QObject {
    Q_OBJECT

    std::unique_ptr<ViewState> state_;
    std::unique_ptr<GanttView> canvas_;
    std::unique_ptr<Minimap> map_;

    double x(double ns) const {
        return map_->strip().left() + ns / canvas_->fitRange().width() * map_->strip().width();
    }
    void drag(double from, double to) {
        const int y = map_->height() / 2;
        const QPoint start(static_cast<int>(std::lround(from)), y), end(static_cast<int>(std::lround(to)), y);
        QTest::mousePress(map_.get(), Qt::LeftButton, {}, start);
        QTest::mouseMove(map_.get(), (start + end) / 2);
        QTest::mouseMove(map_.get(), end);
        QTest::mouseRelease(map_.get(), Qt::LeftButton, {}, end);
    }
    bool near(double ns, double wanted) const {
        return std::abs(ns - wanted) < 2 * canvas_->fitRange().width() / map_->strip().width();
    }

private slots:
    void init() {
        state_ = std::make_unique<ViewState>();
        canvas_ = std::make_unique<GanttView>(*state_);
        canvas_->resize(1156, 690);
        canvas_->setView(sampleView());
        map_ = std::make_unique<Minimap>(*canvas_, *state_);
        map_->resize(1156, map_->height());
        map_->sync();
    }
    void cleanup() {
        map_.reset();
        canvas_.reset();
        state_.reset();
    }

    void itIsThereWhileAPartIsSeen() {
        QVERIFY(map_->isHidden());
        state_->setRange({50e6, 120e6});
        QVERIFY(!map_->isHidden());
        QVERIFY(std::abs(map_->frame().left() - x(50e6)) < 0.5);
        QVERIFY(std::abs(map_->frame().right() - x(120e6)) < 0.5);
        canvas_->fit();
        QVERIFY(map_->isHidden());
    }

    // Boxes stand where the canvas has them when it shows all.
    void boxesStandWhereTheyRan() {
        const PreparedView& group = canvas_->picture().groups.front();
        const Event last = group.ran(0).back(), first = group.ran(3).front();
        const double at = x(group.relative((first.start_ns + first.end_ns) / 2));
        state_->setRange({0, canvas_->fitRange().width() * 0.9});
        const QImage image = map_->grab().toImage();
        const double row = map_->strip().height() / 4;
        const auto colour = [&](double px, int rank) {
            return QColor(image.pixel(static_cast<int>(px),
                                      static_cast<int>(map_->strip().top() + (rank + 0.4) * row)));
        };
        QCOMPARE(colour(at, 3), currentTheme().fill(first.op));
        QVERIFY(colour(at, 3) != colour(x(1e6), 3));  // before it the rank is idle
        QVERIFY(last.end_ns > first.end_ns);
    }

    void draggingMovesAndZooms() {
        state_->setRange({50e6, 120e6});
        drag(x(80e6), x(100e6));
        QVERIFY(near(state_->range().from_ns, 70e6) && near(state_->range().to_ns, 140e6));
        QVERIFY(!state_->follow());
        const double right = state_->range().to_ns;
        drag(x(state_->range().from_ns), x(100e6));
        QVERIFY(near(state_->range().from_ns, 100e6));
        QCOMPARE(state_->range().to_ns, right);
        drag(x(right), x(110e6));
        QVERIFY(near(state_->range().to_ns, 110e6));
        drag(x(20e6), x(20e6));  // beside the frame
        QVERIFY(near((state_->range().from_ns + state_->range().to_ns) / 2, 20e6));
        drag(x(20e6), x(-400e6));
        QCOMPARE(state_->range().from_ns, 0.0);
        QVERIFY(state_->undoZoom());
    }

    // A box says which others free what it takes, and took what it frees: their bytes are the same in sum.
    void aBoxSaysWhoFreesItsBytes() {
        for (const char* schedule : {"1f1b", "zb-h1"}) {
            const IterationView view = sampleView({.schedule = schedule, .recompute = Recompute::None});
            canvas_->setView(view);
            std::int64_t taken = 0, freed = 0;
            QString expected;
            for (const Event& event : view.ran->compute(1)) {
                if (event.microbatch != 2 || event.bytes <= 0 || !isCompute(event.op)) continue;
                if (event.op == Op::Forward) {
                    taken += event.bytes;
                    continue;
                }
                freed += event.bytes;
                const Notation& notation = canvas_->picture().notation;
                expected += (expected.isEmpty() ? "" : ", ") + notation.action(event.op, 2, -1) + " at " +
                            notation.duration(static_cast<double>(event.end_ns - view.start_ns));
            }
            QCOMPARE(taken, freed);
            QVERIFY(taken > 0);
            Hit hit;
            hit.part = Hit::Part::Box;
            hit.group = 0, hit.rank = 1;
            for (const Event& event : view.ran->compute(1))
                if (event.microbatch == 2 && event.op == Op::Forward) hit.event = event;
            const auto counterparts = [&](const Event& event) {
                return counterpartsText(canvas_->picture().groups.front(), canvas_->picture().notation, event,
                                        false);
            };
            QCOMPARE(counterparts(hit.event), expected);
            for (const Event& event : view.ran->compute(1))
                if (event.microbatch == 2 && event.op != Op::Forward && event.bytes > 0) hit.event = event;
            QVERIFY(counterparts(hit.event).contains("F3 at "));
        }
        // Not run yet: by the plan.
        const IterationView running = sampleView({.until = 0.2});
        canvas_->setView(running);
        Hit hit;
        hit.part = Hit::Part::Box;
        hit.group = 0, hit.rank = 0;
        hit.event = running.ran->compute(0).front();
        QVERIFY(
            counterpartsText(canvas_->picture().groups.front(), canvas_->picture().notation, hit.event, false)
                .endsWith(" as planned"));
    }

    void theTitleSaysWhatItsBadgeMeans() {
        const auto noteAt = [this](const QPointF& at) {
            return noteOf(canvas_->picture(), hitTest(canvas_->picture(), at));
        };
        const Lane& lane = canvas_->picture().layout.groups.front().front();
        QVERIFY(noteAt(canvas_->picture().layout.title.center()).startsWith("RECONSTRUCTED"));
        QVERIFY(noteAt(lane.end.center()).startsWith("To plan"));
        QVERIFY(noteAt(lane.box.center()).isEmpty());
        canvas_->setView(sampleView({.ran = false}));
        QVERIFY(noteAt(canvas_->picture().layout.title.center()).startsWith("PREDICTED"));
        QVERIFY(noteAt(lane.end.center()).isEmpty());  // nothing is compared with the plan
    }
};

BUBBLESCOPE_WINDOW_TEST(TestMinimap)

}  // namespace tst_minimap

#include "tst_minimap.moc"
