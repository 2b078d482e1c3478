// The canvas with a real mouse: zoom at the pointer, pan, measure, select, hover.
#include <QFrame>
#include <QTest>

#include "canvas_fixture.h"
#include "registered_test.h"
#include "view/gap.h"
#include "widgets/dock/numbers_dock.h"

namespace tst_gantt {

using namespace bscope;
using namespace bscope::ui;

class TestGantt : public QObject, CanvasFixture {
    Q_OBJECT

private slots:
    void init() { open(); }
    void cleanup() { close(); }

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
        const Event found = firstEvent(1, Op::Backward, 4), other = firstEvent(1, Op::Backward, 2);
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
        const Event f = firstEvent(1, Op::Forward, 4), b = firstEvent(1, Op::Backward, 4),
                    b5 = firstEvent(1, Op::Backward, 5);
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
        const Event b5 = firstEvent(1, Op::Backward, 4);
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
        const Event b3 = firstEvent(2, Op::Backward, 2);
        QTest::mouseMove(view_.get(), middle(b3));
        QVERIFY(view_->hoverText().isEmpty());
        QTRY_VERIFY(!view_->hoverText().isEmpty());
        QVERIFY2(view_->hoverText().startsWith("B3 · backward"), qPrintable(view_->hoverText()));
        QVERIFY(view_->hoverText().contains(QRegularExpression("\n.* to .*, lasts ")));
        QVERIFY(view_->hoverText().contains(QRegularExpression("waited |its input had arrived")));
        QVERIFY(view_->hoverText().count(u'\n') <= 3);
        const auto* card = view_->findChild<QFrame*>("hoverCard");
        QVERIFY(!QRectF(card->geometry())
                     .intersects(QRectF(x(group().relative(b3.start_ns)), lane(2).box.top(),
                                        x(group().relative(b3.end_ns)) - x(group().relative(b3.start_ns)),
                                        lane(2).box.height())));
        // Nor over another rank.
        for (const auto& other : view_->picture().layout.groups[0])
            if (other.box != lane(2).box) QVERIFY(!QRectF(card->geometry()).intersects(other.box));
        QTest::mouseMove(view_.get(), QPoint(20, 20));
        QVERIFY(view_->hoverText().isEmpty());
    }

    // What the card leaves out stands beside the picture once the box is selected.
    void theRestIsSaidOfTheSelectedBox() {
        NumbersDock dock(*state_);
        dock.setView(group().view());
        state_->select(Selection{2, {2, Op::Backward, 2}, group().view().iteration});
        const QString said = dock.detail().sentence();
        QVERIFY2(said.contains("micro-batch 3 of 8 (index 2 in files), stage 2, rank 2"), qPrintable(said));
        QVERIFY2(said.contains("Frees 18.8"), qPrintable(said));
    }

    // A gap is selected as a box is: one or the other, seen on the canvas, cleared beside it.
    void clickSelectsAGap() {
        const auto at = [this](int rank, double ns) {
            return QPoint(static_cast<int>(x(ns)), static_cast<int>(lane(rank).box.center().y()));
        };
        QTest::mouseClick(view_.get(), Qt::LeftButton, {}, middle(firstEvent(2, Op::Backward, 2)));
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
        QTest::mouseClick(view_.get(), Qt::LeftButton, {}, middle(firstEvent(2, Op::Backward, 2)));
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

    // The slack of a selected box is that of the critical-path analysis.
    void slackIsSaidOfTheSelectedBox() {
        NumbersDock dock(*state_);
        dock.setView(group().view());
        const PreparedView& group = view_->picture().groups.front();
        const BubbleCauses& causes = *group.causes();
        const std::vector<std::int64_t> slacks = slack(causes.graph());
        int on_path = 0, beside = 0;
        for (std::size_t i = 0; i < slacks.size(); ++i) {
            const Event& event = *causes.graph().nodes()[i].event;
            if (!isCompute(event.op)) continue;
            state_->select(Selection{event.rank, event.action(), event.iteration});
            const QString said = dock.detail().sentence();
            if (slacks[i] == 0) {
                ++on_path;
                QVERIFY2(said.contains("on the critical path"), qPrintable(said));
            } else if (slacks[i] == std::numeric_limits<std::int64_t>::max()) {
                QVERIFY2(said.contains("Nothing in the iteration waits for it"), qPrintable(said));
            } else {
                ++beside;
                const QString length = view_->picture().notation.duration(static_cast<double>(slacks[i]));
                QVERIFY2(said.contains("Slack " + length), qPrintable(said));
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
            view_->hoverText().contains(QRegularExpression("Rank 0 waits .* for B1 of rank 1, the end of a "
                                                           "chain of operations \\(4\\) and messages "
                                                           "\\(3\\)\\. Of that: ")),
            qPrintable(view_->hoverText()));
        QVERIFY2(view_->hoverText().contains(QRegularExpression("of the iteration's idle time; gap \\d+ of")),
                 qPrintable(view_->hoverText()));
    }
};

BUBBLESCOPE_WINDOW_TEST(TestGantt)

}  // namespace tst_gantt

#include "tst_gantt.moc"
