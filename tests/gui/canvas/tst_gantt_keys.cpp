// Every key of the canvas, by a real key event; keys by their place on the keyboard; no input method in
// between.
#include <QTest>

#include "canvas_fixture.h"
#include "registered_test.h"
#include "view/gap.h"

namespace tst_gantt_keys {

using namespace bscope;
using namespace bscope::ui;

class TestGanttKeys : public QObject, CanvasFixture {
    Q_OBJECT

    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        QTest::keyClick(view_.get(), key, modifiers);
    }
    double width() const { return state_->range().width(); }

private slots:
    void init() {
        open();
        view_->setFocus();
    }
    void cleanup() { close(); }

    void zoomKeys() {
        for (const auto& [in, out] :
             {std::pair(Qt::Key_W, Qt::Key_S), std::pair(Qt::Key_Plus, Qt::Key_Minus)}) {
            const double before = width();
            press(in);
            QVERIFY(width() < before);
            press(out);
            QVERIFY(std::abs(width() - before) < 1e-3);
        }
        const double before = width();
        press(Qt::Key_W);
        const double slow = width();
        view_->fit();
        press(Qt::Key_W, Qt::ShiftModifier);  // faster
        QVERIFY(width() < slow && slow < before);
    }

    void panKeys() {
        for (int i = 0; i < 5; ++i) press(Qt::Key_W);
        for (const auto& [left, right] :
             {std::pair(Qt::Key_A, Qt::Key_D), std::pair(Qt::Key_Left, Qt::Key_Right)}) {
            const TimeRange before = state_->range();
            press(right);
            QVERIFY(state_->range().from_ns > before.from_ns);
            press(left);
            QVERIFY(std::abs(state_->range().from_ns - before.from_ns) < 1e-3);
        }
        const double from = state_->range().from_ns;
        press(Qt::Key_Right, Qt::ControlModifier);
        const double fine = state_->range().from_ns - from;
        press(Qt::Key_Right);
        QVERIFY(state_->range().from_ns - from - fine > 2 * fine);
    }

    void fitAndUndo() {
        for (const Qt::Key key : {Qt::Key_0, Qt::Key_Home}) {
            press(Qt::Key_W);
            press(key);
            QCOMPARE(state_->range(), view_->fitRange());
        }
        press(Qt::Key_Backspace);
        QVERIFY(width() < view_->fitRange().width());
    }

    void measuredRange() {
        state_->setMeasured(TimeRange{1e7, 5e7});
        press(Qt::Key_Z);
        QCOMPARE(state_->range(), (TimeRange{1e7, 5e7}));
        state_->select(Selection{0, {0, Op::Forward, 1}, 36});
        press(Qt::Key_R);
        QVERIFY(std::abs(state_->measured()->width() - 8.16e6) < 1);
        press(Qt::Key_Escape);
        QVERIFY(!state_->measured());
        QVERIFY(!state_->selection());
    }

    // A range made by keys: from the selected box to another, on their lanes or on all.
    void rangesByKeys() {
        state_->select(Selection{1, {1, Op::Forward, 1}, 36});
        press(Qt::Key_R);
        const TimeRange first = *state_->measured();
        QVERIFY(!state_->measuredLanes());
        state_->select(Selection{2, {2, Op::Backward, 1}, 36});
        press(Qt::Key_R, Qt::ShiftModifier);
        const std::optional<Event> last = eventOf(view_->picture().groups.front(), *state_->selection());
        QCOMPARE(state_->measured()->from_ns, first.from_ns);
        QCOMPARE(state_->measured()->to_ns, view_->picture().groups.front().relative(last->end_ns));
        press(Qt::Key_L, Qt::ShiftModifier);
        QCOMPARE(state_->measuredLanes(), (LaneSpan{1, 2}));
        QVERIFY(!state_->layers().arrows);  // L alone
        QCOMPARE(view_->reading()->numbers.ranks.size(), std::size_t{2});
        press(Qt::Key_L, Qt::ShiftModifier);
        QVERIFY(!state_->measuredLanes());
        QCOMPARE(view_->reading()->numbers.ranks.size(), std::size_t{4});
    }

    // O, M with and without Shift keep what is like the selected box; again all; Esc clears it last.
    void filtersByKeys() {
        state_->select(Selection{1, {1, Op::Forward, 3}, 36});
        press(Qt::Key_M);
        QCOMPARE(state_->filter().microbatch, std::optional(3));
        press(Qt::Key_M);
        QVERIFY(!state_->filter().isOn());
        press(Qt::Key_M, Qt::ShiftModifier);
        QCOMPARE(state_->filter().stage, std::optional(1));
        press(Qt::Key_O, Qt::ShiftModifier);
        QCOMPARE(state_->filter().hidden_ranks, (std::set<int>{0, 2, 3}));
        press(Qt::Key_O);
        QVERIFY(!state_->filter().passes(1, {1, Op::Backward, 0}));
        QVERIFY(state_->filter().passes(1, {1, Op::Forward, 0}));
        press(Qt::Key_Escape);
        QVERIFY(!state_->selection() && state_->filter().isOn());
        press(Qt::Key_Escape);
        QVERIFY(!state_->filter().isOn());
    }

    // Without a selection the keys begin at the first box, and at a gap with the boxes beside it.
    void boxesWithoutASelection() {
        press(Qt::Key_Period);
        QCOMPARE(state_->selection()->action, (Action{0, Op::Forward, 0}));
        const PreparedView& group = view_->picture().groups.front();
        const IdlePeriod& gap = group.lane(1).idle[1];
        for (const Qt::Key key : {Qt::Key_Comma, Qt::Key_Period}) {
            state_->selectGap(gapSelection(group, 1, gap));
            press(key);
            const std::optional<Event> box = eventOf(group, *state_->selection());
            QCOMPARE(key == Qt::Key_Comma ? box->end_ns : box->start_ns,
                     key == Qt::Key_Comma ? gap.start_ns : gap.end_ns);
        }
    }

    void neighbours() {
        state_->select(Selection{0, {0, Op::Forward, 1}, 36});
        press(Qt::Key_Period);
        QCOMPARE(state_->selection()->action, (Action{0, Op::Forward, 2}));
        press(Qt::Key_Comma);
        press(Qt::Key_Comma);
        QCOMPARE(state_->selection()->action, (Action{0, Op::Forward, 0}));
        press(Qt::Key_Comma);  // the first box of the lane
        QCOMPARE(state_->selection()->action, (Action{0, Op::Forward, 0}));
    }

    // F0 .. F3, over to B at the last stage, and back to B0: the whole life, both ways.
    void dependencies() {
        state_->select(Selection{0, {0, Op::Forward, 4}, 36});
        const std::array<Action, 8> life{
            Action{0, Op::Forward, 4}, {1, Op::Forward, 4},  {2, Op::Forward, 4},  {3, Op::Forward, 4},
            {3, Op::Backward, 4},      {2, Op::Backward, 4}, {1, Op::Backward, 4}, {0, Op::Backward, 4}};
        for (std::size_t i = 1; i < life.size(); ++i) {
            press(Qt::Key_BracketRight);
            QCOMPARE(state_->selection()->action, life[i]);
            QCOMPARE(state_->selection()->rank, life[i].stage);
        }
        press(Qt::Key_BracketRight);
        QCOMPARE(state_->selection()->action, life.back());
        for (std::size_t i = life.size() - 1; i-- > 0;) {
            press(Qt::Key_BracketLeft);
            QCOMPARE(state_->selection()->action, life[i]);
        }
    }

    // ; walks from the largest gap down, Shift+; back, and the ends stay.
    void gapsByTheirSize() {
        const PreparedView& group = view_->picture().groups.front();
        std::vector<std::int64_t> lengths;
        for (const GapSelection& gap : gapsBySize(group)) {
            const auto period = gapOf(group, gap);
            QVERIFY(period.has_value());
            lengths.push_back(period->end_ns - period->start_ns);
        }
        QVERIFY(lengths.size() > 4);
        QVERIFY(std::ranges::is_sorted(lengths, std::greater()));
        const auto selected = [&] {
            const auto period = state_->gap() ? gapOf(group, *state_->gap()) : std::nullopt;
            return !period ? -1 : period->end_ns - period->start_ns;
        };
        for (std::size_t i = 0; i < lengths.size(); ++i) {
            press(Qt::Key_Semicolon);
            QCOMPARE(selected(), lengths[i]);
        }
        press(Qt::Key_Semicolon);
        QCOMPARE(selected(), lengths.back());
        for (std::size_t i = lengths.size() - 1; i-- > 0;) {
            press(Qt::Key_Semicolon, Qt::ShiftModifier);
            QCOMPARE(selected(), lengths[i]);
        }
        press(Qt::Key_Colon, Qt::ShiftModifier);  // what Shift+; writes
        QCOMPARE(selected(), lengths.front());
        press(Qt::Key_R);
        QVERIFY(std::abs(state_->measured()->width() - static_cast<double>(lengths.front())) < 1);
        press(Qt::Key_Escape);
        QVERIFY(!state_->gap() && !state_->measured());
    }

    // [ goes from the selected gap along its chain to the root, ] back to the gap; every link is drawn.
    void chainOfReasonsByKeys() {
        press(Qt::Key_Semicolon);
        const PreparedView& group = view_->picture().groups.front();
        const Gap& gap = *group.gapOf(*gapOf(group, *state_->gap()));
        const std::vector<Reason> chain = group.causes()->reasons(gap);
        QCOMPARE(view_->picture().chain, chain);
        QVERIFY(chain.size() > 2);
        QImage before = view_->grab().toImage();
        for (std::size_t i = 0; i < chain.size(); ++i) {
            press(Qt::Key_BracketLeft);
            QCOMPARE(state_->link(), static_cast<int>(i));
            const QImage now = view_->grab().toImage();
            if (chain[i].start_ns < chain[i].end_ns) QVERIFY(now != before);
            before = now;
        }
        press(Qt::Key_BracketLeft);
        QCOMPARE(state_->link(), static_cast<int>(chain.size()) - 1);
        for (std::size_t i = 0; i < chain.size(); ++i) press(Qt::Key_BracketRight);
        QVERIFY(!state_->link() && state_->gap());
        press(Qt::Key_Escape);
        QVERIFY(view_->picture().chain.empty());
    }

    // V draws the critical path: without a hole from the start of the iteration to its end.
    void criticalPathByKey() {
        const QImage before = view_->grab().toImage();
        QVERIFY(view_->picture().critical_path.empty());
        press(Qt::Key_V);
        const std::vector<Reason> path = view_->picture().critical_path;
        const IterationSummary& summary = *view_->picture().groups.front().view().summary;
        QVERIFY(!path.empty());
        std::int64_t until = summary.start_ns + summary.iteration_ns;
        for (const Reason& reason : path) {
            QCOMPARE(reason.end_ns, until);
            until = reason.start_ns;
        }
        QCOMPARE(until, summary.start_ns);
        QVERIFY(view_->grab().toImage() != before);
        press(Qt::Key_V);
        QVERIFY(view_->picture().critical_path.empty());
    }

    void gapsOutOfSightAreBroughtIntoIt() {
        for (int i = 0; i < 8; ++i) press(Qt::Key_W);
        const double before = width();
        for (int i = 0; i < 6; ++i) {
            press(Qt::Key_Semicolon);
            const PreparedView& group = view_->picture().groups.front();
            const auto period = gapOf(group, *state_->gap());
            const double from = group.relative(period->start_ns), to = group.relative(period->end_ns);
            QCOMPARE(width(), before);
            QVERIFY(to > state_->range().from_ns && from < state_->range().to_ns);
        }
    }

    void focus() {
        for (int i = 0; i < 6; ++i) press(Qt::Key_W);
        const double before = width();
        state_->select(Selection{0, {0, Op::Backward, 7}, 36});
        press(Qt::Key_F);
        QCOMPARE(width(), before);
        const PreparedView& group = view_->picture().groups.front();
        const auto event = eventOf(group, *state_->selection());
        QVERIFY(group.relative(event->start_ns) >= state_->range().from_ns &&
                group.relative(event->end_ns) <= state_->range().to_ns);
        press(Qt::Key_F);  // again: fit it
        QVERIFY(std::abs(width() - 1.5 * static_cast<double>(event->duration_ns())) < 2);
    }

    void lifeOfTheBoxUnderThePointer() {
        const auto& picture = view_->picture();
        const QPoint at(static_cast<int>(picture.axis.toPx(4e6)),
                        static_cast<int>(picture.layout.groups[0][0].box.center().y()));
        QTest::mouseMove(view_.get(), at);
        press(Qt::Key_H);
        QVERIFY(state_->selection());
        QCOMPARE(state_->selection()->action, (Action{0, Op::Forward, 0}));
    }

    void toggles() {
        const std::array<std::pair<Qt::Key, bool Layers::*>, 4> keys{{{Qt::Key_B, &Layers::bubbles},
                                                                      {Qt::Key_L, &Layers::arrows},
                                                                      {Qt::Key_T, &Layers::ghost},
                                                                      {Qt::Key_Y, &Layers::memory}}};
        for (const auto& [key, member] : keys) {
            const bool at_first = state_->layers().*member;
            press(key);
            QCOMPARE(state_->layers().*member, !at_first);
            press(key);
            QCOMPARE(state_->layers().*member, at_first);
        }
        press(Qt::Key_U);
        QCOMPARE(state_->timeUnit(), TimeUnit::MedianForward);
        press(Qt::Key_U);
        press(Qt::Key_Space);  // the window's
        QVERIFY(state_->follow());
        press(Qt::Key_F, Qt::ShiftModifier);
        QVERIFY(!state_->follow());
        press(Qt::Key_F, Qt::ShiftModifier);
        QVERIFY(state_->follow());
    }

    void everyCommandIsAnActionWithAWordAndAKey() {
        int count = 0;
        for (const auto group : {Commands::Group::Navigate, Commands::Group::Select, Commands::Group::Show})
            for (const QAction* action : view_->commands().actions(group)) {
                QVERIFY(!action->text().isEmpty());
                QVERIFY(!action->shortcuts().isEmpty());
                ++count;
            }
        QCOMPARE(count, 35);
        view_->commands().follow()->trigger();
        QVERIFY(!state_->follow());
        QVERIFY(!view_->commands().follow()->isChecked());
    }

    void keysAreReadByTheirPlace() {
        // AZERTY: the key right of Tab's neighbour, W on a US keyboard, writes Z.
        QCOMPARE(keyByPlace(25, Qt::Key_Z, "xcb"), Qt::Key_W);
        QCOMPARE(keyByPlace(38, Qt::Key_Q, "xcb"), Qt::Key_A);
        QCOMPARE(keyByPlace(25, Qt::Key_Z, "wayland"), Qt::Key_W);
        QCOMPARE(keyByPlace(17, Qt::Key_Z, "windows"), Qt::Key_W);
        QCOMPARE(keyByPlace(0, Qt::Key_W, "xcb"), Qt::Key_W);  // synthetic
        QCOMPARE(keyByPlace(25, Qt::Key_Z, "offscreen"), Qt::Key_Z);
        QCOMPARE(keyByPlace(113, Qt::Key_Left, "xcb"), Qt::Key_Left);
    }

    void noInputMethodTakesTheKeys() {
        QVERIFY(!view_->testAttribute(Qt::WA_InputMethodEnabled));
        QVERIFY(!view_->inputMethodQuery(Qt::ImEnabled).toBool());
    }

    void otherKeysAreLeftToTheWindow() {
        QKeyEvent event(QEvent::KeyPress, Qt::Key_Q, Qt::NoModifier);
        QApplication::sendEvent(view_.get(), &event);
        QVERIFY(!event.isAccepted());
        QKeyEvent save(QEvent::KeyPress, Qt::Key_S, Qt::ControlModifier);
        QApplication::sendEvent(view_.get(), &save);
        QVERIFY(!save.isAccepted());
    }
};

BUBBLESCOPE_WINDOW_TEST(TestGanttKeys)

}  // namespace tst_gantt_keys

#include "tst_gantt_keys.moc"
