// The canvas with a real mouse: zoom at the pointer, pan, measure, select, hover; following a run; exact
// columns.
#include <QBuffer>
#include <QMenu>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QSvgGenerator>
#include <QWheelEvent>
#include <QtTest>

#include "sample_view.h"
#include "widgets/gantt/gantt_view.h"
#include "widgets/gantt/legend_bar.h"
#include "widgets/paint/text_runs.h"
#include "widgets/picture/describe.h"
#include "widgets/picture/legend_items.h"
#include "widgets/picture/timeline_painter.h"
#include "widgets/prepared/gap.h"

using namespace bscope;
using namespace bscope::ui;

class TestGantt : public QObject {
    Q_OBJECT

    std::unique_ptr<ViewState> state_;
    std::unique_ptr<GanttView> view_;

    const PreparedView& group() const { return view_->picture().groups.front(); }
    const Lane& lane(int rank) const {
        return view_->picture().layout.groups.front()[static_cast<std::size_t>(rank)];
    }
    double x(double ns) const { return view_->picture().axis.toPx(ns); }
    double ns(double x_px) const { return view_->picture().axis.toNs(x_px); }

    // The first box of an operation and micro-batch on a rank.
    Event event(int rank, Op op, int microbatch) const {
        for (const Event& each : group().ran(rank))
            if (each.op == op && each.microbatch == microbatch) return each;
        return {};
    }
    QPoint middle(const Event& e) const {
        return QPointF((x(group().relative(e.start_ns)) + x(group().relative(e.end_ns))) / 2,
                       lane(e.rank).box.center().y())
            .toPoint();
    }
    // The timeline, pixel by pixel.
    QImage painted() const {
        QImage image(view_->size(), QImage::Format_RGB32);
        image.fill(view_->picture().theme.canvas);
        QPainter painter(&image);
        TimelinePainter(painter, view_->picture()).draw();
        painter.end();
        return image;
    }
    void drag(Qt::MouseButton button, Qt::KeyboardModifiers modifiers, QPoint from, QPoint to) {
        QTest::mousePress(view_.get(), button, modifiers, from);
        for (const QPoint at : {from + QPoint(6, 0), (from + to) / 2, to}) {
            QMouseEvent move(QEvent::MouseMove, at, view_->mapToGlobal(at), Qt::NoButton, button, modifiers);
            QApplication::sendEvent(view_.get(), &move);
        }
        QTest::mouseRelease(view_.get(), button, modifiers, to);
    }
    void wheel(QPoint at, int notches, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        QWheelEvent event(at, view_->mapToGlobal(at), {}, QPoint(0, 120 * notches), Qt::NoButton, modifiers,
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(view_.get(), &event);
    }

    // All words of the picture.
    QString drawnText() const {
        QBuffer svg;
        QSvgGenerator generator;
        generator.setOutputDevice(&svg);
        generator.setSize(view_->size());
        {
            QPainter painter(&generator);
            TimelinePainter(painter, view_->picture()).draw();
        }
        QString text = QString::fromUtf8(svg.data());
        return text.remove(QRegularExpression("<[^>]*>")).replace(QChar::Nbsp, u' ').simplified();
    }

private slots:
    void init() {
        state_ = std::make_unique<ViewState>();
        view_ = std::make_unique<GanttView>(*state_);
        view_->resize(1156, 690);
        view_->show();
        view_->setView(sampleView());
        QVERIFY(QTest::qWaitForWindowExposed(view_.get()));
    }

    void cleanup() {
        view_.reset();
        state_.reset();
    }

    void showsTheWholeIterationAtFirst() {
        QCOMPARE(state_->range(), view_->fitRange());
        QVERIFY(x(0) == lane(0).box.left());
        QVERIFY(x(group().extent().to_ns) <= lane(0).box.right());
    }

    void wheelZoomsAtThePointer() {
        const QPoint at(400, 200);
        const double before = ns(at.x());
        wheel(at, 3);
        QVERIFY(state_->range().width() < view_->fitRange().width());
        QVERIFY(std::abs(ns(at.x()) - before) < 1);
        wheel(at, 2, Qt::ControlModifier);
        QVERIFY(std::abs(ns(at.x()) - before) < 1);
        QVERIFY(state_->undoZoom());
        QCOMPARE(state_->range(), view_->fitRange());  // one gesture, one step back
    }

    void zoomReachesOneNanosecondAndComesBack() {
        for (int i = 0; i < 200; ++i) wheel({600, 200}, 2);
        QCOMPARE(state_->range().width(), 1.0);
        QVERIFY(!view_->grab().isNull());
        for (int i = 0; i < 200; ++i) wheel({600, 200}, -2);
        QCOMPARE(state_->range(), view_->fitRange());
    }

    void pansWithShiftWheelRightAndShiftDrag() {
        wheel({500, 200}, 6);
        const TimeRange start = state_->range();
        wheel({500, 200}, -1, Qt::ShiftModifier);
        QVERIFY(state_->range().from_ns > start.from_ns);
        for (const auto& [button, modifiers] :
             {std::pair(Qt::RightButton, Qt::KeyboardModifiers()),
              std::pair(Qt::LeftButton, Qt::KeyboardModifiers(Qt::ShiftModifier))}) {
            const TimeRange before = state_->range();
            const double under = ns(600);
            drag(button, modifiers, {600, 200}, {640, 200});
            QVERIFY(std::abs(ns(640) - under) < 1);
            QCOMPARE(state_->range().width(), before.width());
            QVERIFY(!state_->measured());
        }
    }

    void leftDragMeasures() {
        const double from = ns(300), to = ns(520);
        drag(Qt::LeftButton, Qt::NoModifier, {300, 200}, {520, 260});
        QVERIFY(state_->measured());
        QVERIFY(std::abs(state_->measured()->from_ns - from) < 1 &&
                std::abs(state_->measured()->to_ns - to) < 1);
        QCOMPARE(state_->range(), view_->fitRange());
        QTest::mouseClick(view_.get(), Qt::LeftButton, {}, {700, 200});
        QVERIFY(!state_->measured());
    }

    void altAndMiddleDragZoomToTheRange() {
        for (const auto& [button, modifiers] :
             {std::pair(Qt::LeftButton, Qt::KeyboardModifiers(Qt::AltModifier)),
              std::pair(Qt::MiddleButton, Qt::KeyboardModifiers())}) {
            view_->fit();
            const double from = ns(300), to = ns(520);
            drag(button, modifiers, {520, 200}, {300, 200});  // leftwards as well
            QVERIFY(std::abs(state_->range().from_ns - from) < 1 && std::abs(state_->range().to_ns - to) < 1);
            QVERIFY(!state_->measured());
        }
    }

    void controlDragMeasuresOnItsLanesAlone() {
        const auto at = [this](double px, int rank) {
            return QPoint(static_cast<int>(px), static_cast<int>(lane(rank).box.center().y()));
        };
        drag(Qt::LeftButton, Qt::ControlModifier, at(300, 2), at(520, 1));
        QVERIFY(state_->measured() && std::abs(state_->measured()->from_ns - ns(300)) < 1);
        QCOMPARE(state_->measuredLanes(), (LaneSpan{1, 2}));
        drag(Qt::LeftButton, {}, at(300, 2), at(520, 1));
        QVERIFY(!state_->measuredLanes());
        QCOMPARE(state_->measuredFrom(), (LaneSpan{1, 2}));
    }

    // The name of a lane switches its rank in the filter.
    void aClickOnALaneNameFiltersItsRank() {
        const auto name = [this](int rank) {
            return QPoint(static_cast<int>(lane(rank).header.center().x()),
                          static_cast<int>(lane(rank).box.center().y()));
        };
        QTest::mouseClick(view_.get(), Qt::LeftButton, {}, name(2));
        QCOMPARE(state_->filter().hidden_ranks, std::set<int>{2});
        QTest::mouseClick(view_.get(), Qt::LeftButton, {}, name(2));
        QVERIFY(!state_->filter().isOn());
    }

    // What a search found has a frame in the accent colour, and nothing else has.
    void marksStandAroundWhatWasFound() {
        const Event found = event(1, Op::Backward, 4), other = event(1, Op::Backward, 2);
        const auto edgeOf = [this](const Event& box) {
            const QPointF at(middle(box).x(), lane(1).box.top());
            return QColor(view_->grab().toImage().pixel((at * view_->devicePixelRatioF()).toPoint()));
        };
        const QColor before = edgeOf(other);
        view_->setMarks({{1, TimeRange{group().relative(found.start_ns), group().relative(found.end_ns)}}});
        QCOMPARE(edgeOf(found), view_->picture().theme.accent);
        QCOMPARE(edgeOf(other), before);
        view_->setMarks({});
        QVERIFY(edgeOf(found) != view_->picture().theme.accent);
    }

    // What the filter leaves out is pale, all else keeps its colour; the summary is what it was.
    void aFilterMakesTheRestPale() {
        const auto colourOf = [this](const Event& box) {
            const QPoint place = middle(box) + QPoint(0, static_cast<int>(lane(0).box.height() / 2) - 3);
            return QColor(view_->grab().toImage().pixel(place * view_->devicePixelRatioF()));
        };
        const Event f = event(1, Op::Forward, 4), b = event(1, Op::Backward, 4),
                    b5 = event(1, Op::Backward, 5);
        const QColor forward = colourOf(f), backward = colourOf(b);
        const double bubble = view_->picture().groups.front().numbers()->bubble_of_total;
        state_->setFilter(
            Filter{.hidden_ops = {Op::Forward}, .hidden_ranks = {}, .stage = {}, .microbatch = 4});
        view_->replot();
        QVERIFY(colourOf(f) != forward);
        QVERIFY(colourOf(f).lightness() > forward.lightness());  // on white
        QCOMPARE(colourOf(b), backward);
        QVERIFY(colourOf(b5) != backward);
        QCOMPARE(view_->picture().groups.front().numbers()->bubble_of_total, bubble);
        state_->setFilter({});
        view_->replot();
        QCOMPARE(colourOf(f), forward);
    }

    void clickSelectsABoxAndItsLife() {
        const Event b5 = event(1, Op::Backward, 4);
        QTest::mouseClick(view_.get(), Qt::LeftButton, {}, middle(b5));
        QVERIFY(state_->selection());
        QCOMPARE(state_->selection()->rank, 1);
        QCOMPARE(state_->selection()->action, (Action{1, Op::Backward, 4}));
        const MicrobatchLife& life = view_->picture().lives.front();
        QCOMPARE(life.boxes.size(), std::size_t(8));     // F and B on four ranks
        QCOMPARE(life.messages.size(), std::size_t(6));  // three hops there, three back
        for (const MessageArrow& message : life.messages) {
            QCOMPARE(std::abs(message.from_rank - message.to_rank), 1);
            QVERIFY(message.arrived_ns > message.sent_ns);
        }
        QTest::mouseClick(view_.get(), Qt::LeftButton, {},
                          QPoint(static_cast<int>(x(40e6)), static_cast<int>(lane(0).box.center().y())));
        QVERIFY(!state_->selection());  // a click into a bubble clears
    }

    void doubleClickOnTheRulerFits() {
        wheel({500, 200}, 5);
        const QPoint ruler(500, static_cast<int>(view_->picture().layout.ruler.center().y()));
        QTest::mouseDClick(view_.get(), Qt::LeftButton, {}, ruler);
        QTest::mouseRelease(view_.get(), Qt::LeftButton, {}, ruler);
        QCOMPARE(state_->range(), view_->fitRange());
    }

    void hoverCardStandsBesideTheBoxAfterAMoment() {
        const Event b3 = event(2, Op::Backward, 2);
        QTest::mouseMove(view_.get(), middle(b3));
        QVERIFY(view_->hoverText().isEmpty());
        QTRY_VERIFY(!view_->hoverText().isEmpty());
        QVERIFY2(view_->hoverText().startsWith("B3 · backward"), qPrintable(view_->hoverText()));
        QVERIFY(view_->hoverText().contains("micro-batch 3 of 8 (index 2 in files), stage 2, Rank 2"));
        QVERIFY(view_->hoverText().contains("frees 18.8"));
        const auto* card = view_->findChild<QFrame*>("hoverCard");
        QVERIFY(!QRectF(card->geometry())
                     .intersects(QRectF(x(group().relative(b3.start_ns)), lane(2).box.top(),
                                        x(group().relative(b3.end_ns)) - x(group().relative(b3.start_ns)),
                                        lane(2).box.height())));
        QTest::mouseMove(view_.get(), QPoint(20, 20));
        QVERIFY(view_->hoverText().isEmpty());
    }

    // A gap is selected as a box is: one or the other, seen on the canvas, cleared beside it.
    void clickSelectsAGap() {
        const auto at = [this](int rank, double ns) {
            return QPoint(static_cast<int>(x(ns)), static_cast<int>(lane(rank).box.center().y()));
        };
        QTest::mouseClick(view_.get(), Qt::LeftButton, {}, middle(event(2, Op::Backward, 2)));
        QVERIFY(state_->selection() && !state_->gap());
        const QImage before = view_->grab().toImage();
        QTest::mouseClick(view_.get(), Qt::LeftButton, {}, at(0, 60e6));
        QVERIFY(!state_->selection());
        QVERIFY(state_->gap());
        QCOMPARE(state_->gap()->rank, 0);
        const auto period = gapOf(view_->picture().groups.front(), *state_->gap());
        QVERIFY(period.has_value());
        QVERIFY(period->start_ns <= 5'060'000'000 && 5'060'000'000 < period->end_ns);
        const QImage with_gap = view_->grab().toImage();
        QVERIFY(with_gap != before);
        state_->select(std::nullopt);
        QVERIFY(view_->grab().toImage() != with_gap);  // its outline is gone
        QTest::mouseClick(view_.get(), Qt::LeftButton, {}, at(0, 60e6));
        QTest::mouseClick(view_.get(), Qt::LeftButton, {}, middle(event(2, Op::Backward, 2)));
        QVERIFY(state_->selection() && !state_->gap());
    }

    // A click on a box of the selected gap's chain chooses that link, a second one selects the box.
    void linksOfAChainAreClicked() {
        const PreparedView& group = view_->picture().groups.front();
        state_->selectGap(gapsBySize(group).front());
        const std::vector<Reason> chain = view_->picture().chain;
        const auto link = std::ranges::find(chain, Reason::Kind::Operation, &Reason::kind);
        QVERIFY(link != chain.end());
        const double middle = group.relative((link->start_ns + link->end_ns) / 2);
        const QPoint at(static_cast<int>(x(middle)), static_cast<int>(lane(link->rank).box.center().y()));
        QTest::mouseClick(view_.get(), Qt::LeftButton, {}, at);
        QVERIFY(state_->gap());
        QCOMPARE(state_->link(), static_cast<int>(link - chain.begin()));
        QTest::mouseClick(view_.get(), Qt::LeftButton, {}, at);
        QVERIFY(!state_->gap() && !state_->link() && state_->selection());
        QCOMPARE(state_->selection()->action, link->action);
    }

    // The slack on a box's card is that of the critical-path analysis.
    void slackIsOnTheCard() {
        const PreparedView& group = view_->picture().groups.front();
        const BubbleCauses& causes = *group.causes();
        const std::vector<std::int64_t> slacks = slack(causes.graph());
        int on_path = 0, beside = 0;
        for (std::size_t i = 0; i < slacks.size(); ++i) {
            const Event& event = *causes.graph().nodes()[i].event;
            if (!isCompute(event.op)) continue;
            Hit hit;
            hit.part = Hit::Part::Box;
            hit.group = 0, hit.rank = event.rank, hit.event = event;
            const QString told = describe(view_->picture(), hit).lines.join(u'|');
            if (slacks[i] == 0) {
                ++on_path;
                QVERIFY2(told.contains("on the critical path"), qPrintable(told));
            } else {
                ++beside;
                const QString length = view_->picture().notation.duration(static_cast<double>(slacks[i]));
                QVERIFY2(told.contains("slack " + length + ":"), qPrintable(told));
            }
        }
        QVERIFY(on_path > 0 && beside > 0);
    }

    void gapSaysWhoWaitsForWhom() {
        QTest::mouseMove(view_.get(),
                         QPoint(static_cast<int>(x(60e6)), static_cast<int>(lane(0).box.center().y())));
        QTRY_VERIFY(!view_->hoverText().isEmpty());
        QVERIFY2(view_->hoverText().contains(QRegularExpression("idle .* · fill")),
                 qPrintable(view_->hoverText()));
        QVERIFY2(
            view_->hoverText().contains(QRegularExpression("Rank 0 waits .* for B1 of rank 1; operations on "
                                                           "the way there: 4, messages: 3\\. Of that: ")),
            qPrintable(view_->hoverText()));
        QVERIFY2(view_->hoverText().contains(QRegularExpression("of the iteration's idle time; gap \\d+ of")),
                 qPrintable(view_->hoverText()));
    }

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
        QTest::mouseMove(view_.get(), middle(event(2, Op::Backward, 2)));
        QTRY_VERIFY(view_->hoverText().startsWith("B2 · backward"));
    }

    void hiddenLayersLeaveThePicture() {
        const auto shown = [this](const QColor& colour) {
            const QImage image = view_->grab().toImage();
            for (int px_x = static_cast<int>(lane(0).box.left()); px_x < lane(0).box.right(); ++px_x)
                for (int px_y = static_cast<int>(lane(0).all.top()); px_y < lane(0).all.bottom(); ++px_y)
                    if (image.pixelColor(px_x, px_y) == colour) return true;
            return false;
        };
        const Theme& theme = view_->picture().theme;
        QVERIFY(shown(theme.bubble) && shown(theme.memory_fill) && shown(theme.fill(Op::Forward)));
        Layers layers;
        layers.bubbles = false;
        state_->setLayers(layers);
        QTRY_VERIFY(!shown(theme.bubble));
        layers.memory = false;
        state_->setLayers(layers);
        QTRY_VERIFY(!shown(theme.memory_fill));
        QVERIFY(shown(theme.fill(Op::Forward)));
    }

    void themesChangeTheCanvas() {
        setTheme(Theme::make(ThemeKind::Dark));
        QTRY_COMPARE(view_->grab().toImage().pixelColor(2, 2).name(), QStringLiteral("#14171c"));
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
        view.standing = Standing::Interrupted;
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

    void laneEndsKeepTheLastCompleteIteration() {
        SampleOptions running;
        running.until = 0.5;
        view_->setView(sampleView(running));
        QVERIFY(view_->picture().last_complete);
        QCOMPARE(view_->picture().last_complete->iteration, 36);
        SampleOptions other;
        other.p = 2;
        other.until = 0.5;
        view_->setView(sampleView(other));
        QVERIFY(!view_->picture().last_complete);  // other ranks: those numbers mean nothing here
        view_->setView(sampleView());
        view_->setView(sampleView(running));
        QVERIFY(view_->picture().last_complete);
        view_->setLastComplete(std::nullopt);  // another run has begun
        QVERIFY(!view_->picture().last_complete);
    }

    // However narrow the window and whatever stands beside them.
    void titleKeepsBubbleAndThroughput() {
        for (const char* schedule : {"1f1b", "interleaved-pytorch"})
            for (const int width : {600, 760, 1024, 1440}) {
                SampleOptions options;
                options.schedule = schedule;
                view_->resize(width, 400);
                const IterationView shown = sampleView(options);
                view_->setView(shown);
                const QString bubble = Notation{}.bubble(shown.summary->bubble_of_total);
                view_->setTitleChips({{"a", "disturbed: wall/CPU 13.77", "disturbed", "why", true}});
                const QString drawn = drawnText();
                for (QString word : {QStringLiteral("of total"), QStringLiteral("tokens/s"), bubble})
                    QVERIFY2(drawn.contains(word.replace(QChar::Nbsp, u' ')),
                             qPrintable(QString("%1 at %2: %3").arg(schedule).arg(width).arg(drawn)));
            }
    }

    void chipsOfTheTitleAreButtonsBesideTheNumbers() {
        view_->setTitleChips({{"a", "disturbed: wall/CPU 13.77", "disturbed", "why", true},
                              {"b", "baseline #3", "#3", "unpin", false}});
        QCOMPARE(view_->titleChips().size(), 2u);
        QSignalSpy clicked(view_.get(), &GanttView::titleChipClicked);
        Button* chip = view_->titleChips().front();
        QVERIFY(chip->isVisible());
        QCOMPARE(chip->text(), QStringLiteral("disturbed: wall/CPU 13.77"));
        QVERIFY(view_->picture().layout.title.contains(chip->geometry()));
        QVERIFY(!chip->geometry().intersects(view_->titleChips().back()->geometry()));
        QTest::mouseClick(chip, Qt::LeftButton);
        QCOMPARE(clicked.count(), 1);
        QCOMPARE(clicked.front().front().toString(), QStringLiteral("a"));
        QTest::mouseClick(view_->titleChips().back(), Qt::LeftButton);
        QCOMPARE(clicked.count(), 1);
        view_->resize(700, 400);
        QCOMPARE(chip->text(), QStringLiteral("disturbed"));
        view_->setTitleChips({});
        QCOMPARE(view_->picture().title_end, 0.0);
    }

    void laneEndsAreInTheUnitOfTime() {
        QVERIFY(drawnText().contains("ms to plan"));
        state_->setTimeUnit(TimeUnit::MedianForward);
        const QString drawn = drawnText();
        QVERIFY2(drawn.contains("F to plan") && !drawn.contains("ms to plan"), qPrintable(drawn));
    }

    // Three runs of a lesson in the room that common screens leave: all in sight, if need be without memory.
    void threeRunsAreInSight_data() {
        QTest::addColumn<QSize>("room");
        QTest::addColumn<int>("ranks");
        QTest::newRow("1440 x 900") << QSize(1068, 700) << 4;
        QTest::newRow("1440 x 900, eight ranks") << QSize(1068, 700) << 8;
        QTest::newRow("1280 x 720") << QSize(908, 540) << 4;
        QTest::newRow("1024 x 700") << QSize(652, 520) << 4;
    }
    void threeRunsAreInSight() {
        QFETCH(QSize, room);
        QFETCH(int, ranks);
        SampleOptions options;
        options.p = ranks;
        const IterationView one = sampleView(options);
        view_->resize(room);
        view_->setStacked({one, one, one});
        const LaneLayout& layout = view_->picture().layout;
        QCOMPARE(layout.max_scroll, 0.0);
        for (const auto& group : layout.groups)
            for (const Lane& each : group) {
                QVERIFY(each.box.height() >= 11);
                QVERIFY(each.all.bottom() <= room.height() + 1);
            }
        view_->resize(1068, 1800);
        QVERIFY(layout.metrics.memory > 0);  // as soon as there is room
    }

    void manyRanksScroll() {
        SampleOptions many;
        many.p = 16;
        view_->setView(sampleView(many));
        QVERIFY(view_->picture().layout.max_scroll > 0);
        const double before = lane(0).all.top();
        wheel({30, 300}, -2);
        QVERIFY(lane(0).all.top() < before);
        QCOMPARE(state_->range(), view_->fitRange());  // over the lane headers the wheel does not zoom
        QVERIFY(!view_->scrollBar()->isHidden());
        QVERIFY(view_->scrollBar()->value() > 0);
        view_->scrollBar()->setValue(view_->scrollBar()->maximum());
        QVERIFY(lane(15).memory.bottom() <= view_->height());
        QVERIFY(lane(15).end.right() <= view_->scrollBar()->x() + 1);
        view_->setView(sampleView());
        QVERIFY(view_->scrollBar()->isHidden());
    }

    void stackedIterationsShareTheTimeAxis() {
        SampleOptions gpipe;
        gpipe.schedule = "gpipe";
        view_->setStacked({sampleView(gpipe), sampleView()});
        QVERIFY(view_->picture().layout.stacked);
        QCOMPARE(view_->views().size(), std::size_t(2));
        QTest::mouseClick(view_.get(), Qt::LeftButton, {},
                          QPoint(static_cast<int>(x(12e6)),
                                 static_cast<int>(view_->picture().layout.groups[1][0].box.center().y())));
        QVERIFY(state_->selection());
        QCOMPARE(view_->picture().lives.size(), std::size_t(2));
    }

    // A lesson's texts speak of A and B; what differs may be in no parameter that the title names.
    void stackedIterationsAreLettered() {
        view_->setStacked({sampleView(), sampleView()});
        const auto nameOf = [&](std::size_t group) {
            const QRectF& title = view_->picture().layout.group_titles[group];
            return view_->grab().toImage().copy(16, static_cast<int>(title.center().y()) - 8, 60, 16);
        };
        QTRY_VERIFY(nameOf(0) != nameOf(1));
    }

    void everyReplicaHasItsLanes() {
        SampleOptions options;
        options.schedule = "interleaved";
        options.p = 2;
        options.v = 2;
        options.d = 2;
        view_->setView(sampleView(options));
        QCOMPARE(view_->picture().layout.groups.front().size(), std::size_t(4));
        QCOMPARE(group().lane(1).stages, (std::vector<int>{4, 6}));
        QCOMPARE(group().view().stageChunk(4), 0);
        QCOMPARE(group().view().stageChunk(6), 1);
        QCOMPARE(group().chunkLetterOf(6), group().chunkLetterOf(2));
        for (int rank = 0; rank < 4; ++rank)
            QCOMPARE(std::ranges::count(group().ran(rank), Op::ReduceGradients, &Event::op), 2);
        QTest::mouseClick(view_.get(), Qt::LeftButton, {}, middle(event(1, Op::Forward, 0)));
        QVERIFY(state_->selection());
        for (const Event& box : view_->picture().lives.front().boxes) QCOMPARE(box.rank % 2, 1);
        QVERIFY(parameterText(group().view()).contains("d=2"));
        const auto items = legendItems(signsOf(group(), false), view_->picture().theme,
                                       view_->picture().layers, LegendUse::Window, 96);
        QCOMPARE(std::ranges::count(items, Op::ReduceGradients, &LegendItem::op), 1);
        QVERIFY(!parameterText(sampleView()).contains("d="));
    }

    // However narrow, and whatever stands beside it.
    void theAdditionOfGradientsIsSeen() {
        SampleOptions options;
        options.p = 2;
        options.d = 2;
        options.m = 32;
        IterationView narrow = sampleView(options);
        auto ran = std::make_shared<Timeline>(narrow.ran->ranks(), Provenance::Reconstructed);
        for (int rank = 0; rank < narrow.ran->ranks(); ++rank)
            for (Event each : narrow.ran->compute(rank)) {
                if (each.op == Op::ReduceGradients) each.end_ns = each.start_ns + 100;
                ran->append(each);
            }
        narrow.ran = ran;
        view_->setView(narrow);
        view_->replot();
        const QImage image = view_->grab().toImage();
        const QColor reduction = view_->picture().theme.fill(Op::ReduceGradients);
        const double ratio = image.devicePixelRatio();
        for (int rank = 0; rank < 4; ++rank) {
            const QRectF box = lane(rank).box;
            const int at =
                static_cast<int>(x(group().relative(event(rank, Op::ReduceGradients, -1).start_ns)) * ratio);
            bool seen = false;  // the dotted end of the iteration may stand there
            for (int y = static_cast<int>(box.top() * ratio); y < box.bottom() * ratio; ++y)
                for (int near = at - 2; near <= at + 2; ++near)
                    seen |= image.pixelColor(near, y) == reduction;
            QVERIFY2(seen, qPrintable(QString::number(rank)));
        }
    }

    // GPipe keeps twice what 1F1B keeps, and the strips must look like it.
    void stackedIterationsShareTheMemoryScale() {
        SampleOptions gpipe;
        gpipe.schedule = "gpipe";
        IterationView left = sampleView(gpipe), right = sampleView();
        left.config.memory_cap_mb = right.config.memory_cap_mb = 0;
        QVERIFY(PreparedView(left).memoryScale() > PreparedView(right).memoryScale());
        view_->setStacked({left, right});
        QCOMPARE(view_->picture().groups[0].memoryScale(), PreparedView(left).memoryScale());
        QCOMPARE(view_->picture().groups[1].memoryScale(), PreparedView(left).memoryScale());
    }

    // A lesson asks before it tells: the picture stays, what came out goes, and it is not called live.
    void hiddenNumbersLeaveThePictureComplete() {
        IterationView view = sampleView();
        view.numbers_hidden = true;
        view_->setView(sampleView());
        QVERIFY(view_->picture().last_complete);
        view_->setView(view);
        QVERIFY(group().numbers() == nullptr);
        QVERIFY(!view_->picture().last_complete);
        QVERIFY(!view_->picture().last_report);
        QVERIFY(!group().running());
        QCOMPARE(group().ran(0).size(), view.ran->compute(0).size());
    }

    // Boxes below 2 px: every column shows the exact share of each operation in its time.
    void narrowBoxesBecomeExactColumns() {
        SampleOptions many;
        many.p = 2;
        many.m = 2000;
        const IterationView sample = sampleView(many);
        view_->setView(sample);
        state_->setLayers({true, false, false, true});
        const QImage image = painted();
        const Theme& theme = view_->picture().theme;
        for (int column = 400; column < 440; ++column) {
            int forward = 0, backward = 0;
            for (int y = static_cast<int>(lane(1).box.top()); y < lane(1).box.bottom(); ++y) {
                forward += image.pixelColor(column, y) == theme.fill(Op::Forward);
                backward += image.pixelColor(column, y) == theme.fill(Op::Backward);
            }
            const std::int64_t from = sample.start_ns + std::llround(ns(column)),
                               to = sample.start_ns + std::llround(ns(column + 1));
            const auto rows = [&](Op op) {
                return static_cast<double>(sample.ran->busy_ns(1, op, from, to)) /
                       static_cast<double>(to - from) * lane(1).box.height();
            };
            QVERIFY2(std::abs(forward - rows(Op::Forward)) <= 1.01, qPrintable(QString::number(column)));
            QVERIFY2(std::abs(backward - rows(Op::Backward)) <= 1.01, qPrintable(QString::number(column)));
        }
    }

    // Boxes of two and three pixels are painted with the columns beside them, curves of many steps column by
    // column: each stands where it ran, as high as it is.
    void boxesOfAFewPixelsAndTheirMemory() {
        SampleOptions many;
        many.p = 2;
        many.m = 200;
        const IterationView sample = sampleView(many);
        view_->setView(sample);
        const QImage image = painted();
        const Picture& picture = view_->picture();
        const Theme& theme = picture.theme;
        int narrow = 0;
        for (const Event& event : sample.ran->compute(1)) {
            if (event.op != Op::Backward) continue;
            const double left = picture.snapped(picture.xOf(picture.groups[0], event.start_ns));
            const double right = picture.snapped(picture.xOf(picture.groups[0], event.end_ns));
            if (right - left < 2 || right - left > 3) continue;
            ++narrow;
            for (const double y : {lane(1).box.top() + 1, lane(1).box.center().y(), lane(1).box.bottom() - 2})
                QCOMPARE(image.pixelColor(static_cast<int>(left) + 1, static_cast<int>(y)),
                         theme.fill(Op::Backward));
        }
        QVERIFY(narrow > 100);

        const auto points = sample.ran->memory(0);
        const auto rowsAt = [&](int column) {
            int rows = 0;
            for (int y = static_cast<int>(lane(0).memory.top()); y < lane(0).memory.bottom(); ++y) {
                const QColor at = image.pixelColor(column, y);
                rows += at == theme.memory_fill || at == theme.memory_line;
            }
            return rows;
        };
        const auto highest = [&](int column) {  // live bytes in the column's time
            std::int64_t live = 0;
            for (const MemoryPoint& point : points) {
                const double x = picture.xOf(picture.groups[0], point.time_ns);
                if (x >= column + 1) break;
                live = x < column ? point.live_bytes : std::max(live, point.live_bytes);
            }
            return static_cast<double>(live);
        };
        double rows_of_peak = 0, peak = 0;
        const int first = static_cast<int>(picture.layout.plot.left()) + 40;
        for (int column = first; column < first + 400; ++column)
            if (highest(column) > peak) peak = highest(column), rows_of_peak = rowsAt(column);
        QVERIFY(rows_of_peak > 5);
        for (int column = first; column < first + 400; ++column)
            QVERIFY2(std::abs(rowsAt(column) - highest(column) / peak * rows_of_peak) <= 1.6,
                     qPrintable(QString::number(column)));
    }

    // Entries come and stay, so that the line does not jump from iteration to iteration; another
    // configuration has its own.
    void legendGrowsWithinAConfiguration() {
        LegendBar legend(*state_);
        legend.resize(2000, 26);
        legend.show();
        const IterationView whole = sampleView();
        IterationView quiet = whole;
        auto no_messages = std::make_shared<Timeline>(whole.ran->ranks(), Provenance::Reconstructed);
        for (int rank = 0; rank < whole.ran->ranks(); ++rank)
            for (const Event& each : whole.ran->compute(rank)) no_messages->append(each);
        quiet.ran = no_messages;
        const auto entries = [&legend](const IterationView& view) {
            const std::vector<PreparedView> groups{PreparedView(view)};
            legend.setGroups(groups);
            return std::ranges::count_if(legend.findChildren<QToolButton*>(),
                                         [](const QToolButton* each) { return each->isVisible(); });
        };
        const auto before = entries(quiet);
        const auto after = entries(whole);
        QVERIFY(after >= before + 3);  // transfer, wait, arrows, and idle time that messages cause
        QCOMPARE(entries(quiet), after);
        IterationView other = quiet;
        other.config.seed += 1;
        QCOMPARE(entries(other), before);
    }

    // Stacked iterations have no outlines: once all have run nothing predicted is seen.
    void theLegendOfALessonLosesThePlan() {
        LegendBar legend(*state_);
        legend.resize(2000, 26);
        legend.show();
        const auto hasPlan = [&](double until) {
            const std::vector<PreparedView> groups{PreparedView(sampleView({.schedule = "gpipe"})),
                                                   PreparedView(sampleView({.until = until}))};
            legend.setGroups(groups);
            return std::ranges::any_of(legend.findChildren<QToolButton*>(), [](const QToolButton* each) {
                return each->text() == u"predicted" && each->isVisible();
            });
        };
        QVERIFY(hasPlan(0.5));
        QVERIFY(!hasPlan(1));
    }

    void legendEntriesAreToggles() {
        LegendBar legend(*state_);
        legend.resize(2000, 26);
        legend.show();
        legend.setGroups(view_->picture().groups);
        const auto entry = [&legend](const char* word) -> QToolButton* {
            for (QToolButton* each : legend.findChildren<QToolButton*>())
                if (each->text().contains(QLatin1String(word))) return each;
            return nullptr;
        };
        QToolButton* bubbles = entry("fill");
        QVERIFY(bubbles != nullptr);
        QTest::mouseClick(bubbles, Qt::LeftButton);
        QVERIFY(!state_->layers().bubbles);
        QVERIFY(bubbles->font().strikeOut());  // seen to be off
        view_->toggleLayer(&Layers::bubbles);
        QVERIFY(bubbles->isChecked() && !bubbles->font().strikeOut());
        QTest::mouseClick(entry("messages"), Qt::LeftButton);
        QVERIFY(!state_->layers().arrows);
        QVERIFY(!entry("transfer")->font().strikeOut());  // the strips are still there
        auto* follow = legend.findChild<QToolButton*>("follow");
        QTest::mouseClick(follow, Qt::LeftButton);
        QVERIFY(!state_->follow());
    }

    // What has no room is in a menu and can still be switched.
    void aNarrowLegendKeepsItsEntriesInAMenu() {
        LegendBar legend(*state_);
        legend.resize(2000, 26);
        legend.show();
        legend.setGroups(view_->picture().groups);
        auto* more = legend.findChild<QToolButton*>("more");
        const auto shown = [&] {
            QStringList texts;
            for (const QToolButton* each : legend.findChildren<QToolButton*>())
                if (each != more && each->objectName() != u"follow" && each->isVisible())
                    texts << each->text();
            return texts;
        };
        const QStringList all = shown();
        QVERIFY(!more->isVisible());
        legend.resize(500, 26);
        QVERIFY(more->isVisible());
        const auto* follow = legend.findChild<QToolButton*>("follow");
        QTRY_VERIFY(more->geometry().right() < follow->geometry().left());
        emit more->menu()->aboutToShow();
        QStringList both = shown();
        QAction* memory = nullptr;
        for (QAction* action : more->menu()->actions()) {
            both << action->text();
            if (action->text().contains(QLatin1String("activations"))) memory = action;
        }
        QCOMPARE(QSet<QString>(both.begin(), both.end()), QSet<QString>(all.begin(), all.end()));
        QVERIFY(memory != nullptr && memory->isChecked());
        memory->trigger();
        QVERIFY(!state_->layers().memory);
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

    void everyStateCanBeDrawn_data() {
        QTest::addColumn<SampleOptions>("options");
        QTest::newRow("plan only") << SampleOptions{.ran = false};
        QTest::newRow("nothing yet") << SampleOptions{.until = 0};
        QTest::newRow("interleaved, running")
            << SampleOptions{.schedule = "interleaved", .v = 2, .until = 0.6};
        QTest::newRow("recompute") << SampleOptions{.recompute = Recompute::Full};
        QTest::newRow("eight ranks") << SampleOptions{.p = 8, .m = 32};
        QTest::newRow("one rank") << SampleOptions{.p = 1, .m = 1};
    }

    void everyStateCanBeDrawn() {
        QFETCH(SampleOptions, options);
        for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark, ThemeKind::Projector}) {
            setTheme(Theme::make(kind));
            view_->setView(sampleView(options));
            view_->replot(QCustomPlot::rpImmediateRefresh);
            QVERIFY(!view_->grab().isNull());
        }
    }
};

QTEST_MAIN(TestGantt)
#include "tst_gantt.moc"
