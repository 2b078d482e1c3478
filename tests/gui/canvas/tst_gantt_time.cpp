// The canvas over time: now and its labels, following a run, the axes of time and memory while an iteration
// grows.
#include <QTest>

#include "canvas_fixture.h"
#include "paint_recorder.h"
#include "registered_test.h"
#include "widgets/paint/text_runs.h"
#include "widgets/picture/hit_test.h"

namespace tst_gantt_time {

using namespace bscope;
using namespace bscope::ui;

class TestGanttTime : public QObject, CanvasFixture {
    Q_OBJECT

private slots:
    void init() { open(); }
    void cleanup() { close(); }

    void memoryAxisStaysWhileAnIterationGrows() {
        const auto scale = [](double until) {
            IterationView view = sampleView({.until = until});
            view.config.memory_cap_mb = 0;
            return PreparedView(view).memoryScale();
        };
        QVERIFY(scale(1) > 0);
        for (const double until : {0.0, 0.01, 0.1, 0.5, 0.99}) QCOMPARE(scale(until), scale(1));
    }

    void numbersCanCountFromZero() {
        state_->setCountFromZero(true);
        QTest::mouseMove(view_.get(), middle(firstEvent(2, Op::Backward, 2)));
        QTRY_VERIFY(view_->hoverText().startsWith("B2 · backward"));
    }

    void nowIsGreenOnlyWhileAnEngineRuns() {
        const auto isGreen = [this] {
            const QImage image = view_->grab().toImage();
            const QColor ok = view_->picture().theme.ok;
            const int below = static_cast<int>(view_->picture().layout.plot.bottom());
            for (int px_y = 0; px_y < below; ++px_y)
                for (int px_x = 0; px_x < image.width(); ++px_x)
                    if (image.pixelColor(px_x, px_y) == ok) return true;
            return false;
        };
        SampleOptions running;
        running.until = 0.5;
        IterationView view = sampleView(running);
        view_->setView(view);
        QTRY_VERIFY(isGreen());
        view.iteration_state = IterationState::Interrupted;
        view_->setView(view);
        QTRY_VERIFY(!isGreen());
    }

    // The label of "now" moves aside for the pointer's, whole.
    void pillsOfTheRulerStandBesideEachOther() {
        const auto greens = [this] {
            const QImage image = view_->grab().toImage();
            const Picture& picture = view_->picture();
            int count = 0;
            for (int px_y = 0; px_y < static_cast<int>(picture.layout.ruler.bottom()) - 5; ++px_y)
                for (int px_x = 0; px_x < image.width(); ++px_x)
                    count += image.pixelColor(px_x, px_y) == picture.theme.ok;
            return count;
        };
        SampleOptions running;
        running.until = 0.5;
        const IterationView view = sampleView(running);
        view_->setView(view);
        QTRY_VERIFY(greens() > 0);
        const int whole = greens();
        const double now = x(static_cast<double>(view.now_ns - view.start_ns));
        for (const int beside : {-50, -20, 20, 50}) {
            QTest::mouseMove(view_.get(),
                             QPoint(static_cast<int>(now) + beside,
                                    static_cast<int>(view_->picture().layout.ruler.bottom()) + 2));
            QTRY_VERIFY2(greens() > 0.9 * whole, qPrintable(QString::number(beside)));
        }
    }

    // However slow the plan is: no operation that ran is still to come, and one that is under way is not
    // missing.
    void everyOperationIsThereOnce_data() {
        QTest::addColumn<double>("pace");
        QTest::newRow("plan as quick as the run") << 1.0;
        QTest::newRow("slow plan") << 1.8;
    }
    void everyOperationIsThereOnce() {
        QFETCH(double, pace);
        view_->resize(2400, 690);
        for (const double until : {0.2, 0.33, 0.47, 0.5, 0.62, 0.8}) {
            IterationView view = sampleView({.until = until});
            const IterationView plan = sampleView({.ran = false, .pace = pace});
            view.planned = plan.planned;
            view.plan_summary = plan.plan_summary;
            view_->setView(view);
            PaintRecorder recorder(view_->size());
            QPainter painter(&recorder);
            TimelinePainter(painter, view_->picture()).draw();
            painter.end();
            const LaneLayout& layout = view_->picture().layout;
            for (int rank = 0; rank < 4; ++rank) {
                int numbers = 0;
                for (const PaintRecorder::Text& text : recorder.texts) {
                    const QPointF centre = text.place.center();
                    const bool inside = centre.x() > layout.plot.left() && centre.x() < layout.plot.right();
                    if (inside && lane(rank).box.contains(QPointF(lane(rank).box.center().x(), centre.y())) &&
                        text.text.size() == 1 && text.text.front().isDigit())
                        ++numbers;
                }
                // What is left of a box that is under way may be too narrow for its number; one that the plan
                // has behind it and the run does not is in neither.
                QVERIFY2(numbers <= 16 && numbers >= (pace > 1 ? 15 : 14),
                         qPrintable(QStringLiteral("rank %1 at %2: %3").arg(rank).arg(until).arg(numbers)));
            }
        }
        // The pointer finds what is drawn.
        const IterationView view = view_->picture().groups.front().view();
        if (pace == 1) return;
        const EventSlice ran = group().ran(0);
        for (const Event& planned : group().planned(0)) {
            const bool is_ahead = planned.end_ns > view.now_ns;
            if (!is_ahead || planned.op == Op::OptimizerStep) continue;
            bool has_run = false;
            for (const Event& event : ran)
                has_run = has_run || (event.op == planned.op && event.microbatch == planned.microbatch);
            const double right = x(group().relative(planned.end_ns)) - 2;
            const Hit hit = hitTest(view_->picture(), QPointF(right, lane(0).box.center().y()));
            QCOMPARE(hit.part == Hit::Part::PlannedBox, !has_run);
        }
    }

    // Also at the end of an iteration: the head of the right column, "bubble · peak", stays free.
    void nowCoversNoHead() {
        SampleOptions running;
        running.until = 0.5;
        const IterationView view = sampleView(running);
        view_->setView(view);
        state_->setFollow(false);
        state_->setRange({0, 1.005 * static_cast<double>(view.now_ns - view.start_ns)});
        const LaneLayout& layout = view_->picture().layout;
        const auto greens = [&](double from_x, double to_x) {
            const QImage image = view_->grab().toImage();
            int count = 0;
            for (int px_y = 0; px_y < static_cast<int>(layout.ruler.bottom()) - 5; ++px_y)
                for (int px_x = static_cast<int>(from_x); px_x < static_cast<int>(to_x); ++px_x)
                    count += image.pixelColor(px_x, px_y) == view_->picture().theme.ok;
            return count;
        };
        QTRY_VERIFY(greens(layout.ruler.right() - 60, layout.ruler.right()) > 200);
        QCOMPARE(greens(layout.ruler.right() + 2, view_->width()), 0);
    }

    // Signs of another font, as in Chinese, do not push the digits down.
    void labelsStandAtOneHeight() {
        const QFont font = view_->picture().theme.font(10.5);
        const auto firstDigitsTop = [&font](const QString& text) {
            QImage image(200, 60, QImage::Format_RGB32);
            image.fill(Qt::white);
            QPainter painter(&image);
            const double left = 100 - textWidth(text, font) / 2;
            drawCentred(painter, {100, 30}, text, font, Qt::black);
            painter.end();
            for (int y = 0; y < image.height(); ++y)
                for (int px_x = static_cast<int>(left); px_x < left + 10; ++px_x)
                    if (qGray(image.pixel(px_x, y)) < 128) return y;
            return -1;
        };
        QCOMPARE(firstDigitsTop(QStringLiteral("52.1 ms · 填充")), firstDigitsTop(QStringLiteral("52.1 ms")));
    }

    void followKeepsTheZoomAndTheNowLineInSight() {
        SampleOptions running;
        running.until = 0.2;
        view_->setView(sampleView(running));
        wheel({200, 200}, 6);
        const double width = state_->range().width();
        running.until = 0.8;
        const IterationView later = sampleView(running);
        view_->setView(later);
        QVERIFY(std::abs(state_->range().width() - width) < 1e-3);
        const double now = static_cast<double>(later.now_ns - later.start_ns);
        QVERIFY(now > state_->range().from_ns && now < state_->range().to_ns);
        view_->panBy(-0.5);  // scrolling back pauses
        QVERIFY(!state_->follow());
        const TimeRange kept = state_->range();
        running.until = 0.9;
        view_->setView(sampleView(running));
        QCOMPARE(state_->range(), kept);
        state_->setFollow(true);
        QVERIFY(state_->range() != kept);
        QVERIFY(std::abs(state_->range().width() - width) < 1e-3);
    }

    void fittedViewFollowsTheLengthOfTheIteration() {
        SampleOptions longer;
        longer.m = 16;
        view_->setView(sampleView(longer));
        QCOMPARE(state_->range(), view_->fitRange());
        wheel({500, 200}, 4);
        const TimeRange kept = state_->range();
        view_->setView(sampleView());
        QCOMPARE(state_->range(), kept);
    }

    // From the first moment of an iteration to its end, and into the next one.
    void theMemoryAxisStandsStill() {
        const double scale = group().memoryScale();
        QVERIFY(scale > 0);
        for (const double until : {0.02, 0.2, 0.5, 0.8}) {
            SampleOptions running;
            running.until = until;
            IterationView view = sampleView(running);
            view.config.memory_cap_mb = 0;
            view_->setView(view);
            const double begun = group().memoryScale();
            IterationView whole = sampleView();
            whole.config.memory_cap_mb = 0;
            view_->setView(whole);
            QCOMPARE(group().memoryScale(), begun);
        }
        // A higher peak raises it, and it stays: it falls with another configuration only.
        const auto peaked = [](double factor, int cap_mb) {
            IterationView view = sampleView();
            view.config.memory_cap_mb = cap_mb;
            auto ran = std::make_shared<Timeline>(view.ran->ranks(), Provenance::Reconstructed);
            for (int rank = 0; rank < view.ran->ranks(); ++rank) {
                for (const Event& each : view.ran->compute(rank)) ran->append(each);
                for (MemoryPoint each : view.ran->memory(rank)) {
                    each.live_bytes =
                        static_cast<std::int64_t>(factor * static_cast<double>(each.live_bytes));
                    ran->append(each);
                }
            }
            view.ran = ran;
            return view;
        };
        view_->setView(peaked(1, 0));
        const double usual = group().memoryScale();
        view_->setView(peaked(2, 0));
        const double most = group().memoryScale();
        QVERIFY(most > 1.5 * usual);
        view_->setView(peaked(1, 0));
        QCOMPARE(group().memoryScale(), most);
        view_->setView(peaked(1, 1));
        QCOMPARE(group().memoryScale(), usual);
    }
};

BUBBLESCOPE_WINDOW_TEST(TestGanttTime)

}  // namespace tst_gantt_time

#include "tst_gantt_time.moc"
