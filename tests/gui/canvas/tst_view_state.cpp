// ViewState: one signal a real change, none otherwise; zoom history.
#include <QSignalSpy>
#include <QTest>

#include "registered_test.h"
#include "widgets/data/view_state.h"

namespace tst_view_state {

using namespace bscope;
using namespace bscope::ui;

class TestViewState : public QObject {
    Q_OBJECT
private slots:
    void tellsChangesOnce() {
        ViewState state;
        QSignalSpy range(&state, &ViewState::rangeChanged), selection(&state, &ViewState::selectionChanged),
            measured(&state, &ViewState::measuredChanged), layers(&state, &ViewState::layersChanged),
            follow(&state, &ViewState::followChanged), presentation(&state, &ViewState::presentationChanged);
        for (int i = 0; i < 2; ++i) {
            state.setRange({0, 100});
            state.select(Selection{1, {1, Op::Backward, 3}, 0});
            state.setMeasured(TimeRange{10, 20});
            state.setLayers({false, true, true, true});
            state.setFollow(false);
            state.setTimeUnit(TimeUnit::MedianForward);
        }
        for (const QSignalSpy* spy : {&range, &selection, &measured, &layers, &follow, &presentation})
            QCOMPARE(spy->count(), 1);
        state.setBubbleDefinition(BubbleDefinition::OfIdeal);
        state.setCountFromZero(true);
        QCOMPARE(presentation.count(), 3);
        state.select(std::nullopt);
        QCOMPARE(selection.count(), 2);
    }

    void undoWalksBackThroughRememberedRanges() {
        ViewState state;
        QVERIFY(!state.undoZoom());
        state.setRange({0, 100});  // nothing shown before: nothing to return to
        state.setRange({10, 50});
        state.setRange({12, 50}, false);  // part of the same gesture
        state.setRange({20, 30});
        QVERIFY(state.undoZoom());
        QCOMPARE(state.range(), (TimeRange{12, 50}));
        QVERIFY(state.undoZoom());
        QCOMPARE(state.range(), (TimeRange{0, 100}));
        QVERIFY(!state.undoZoom());
    }

    void historyIsBounded() {
        ViewState state;
        for (int i = 0; i < 500; ++i) state.setRange({0, 1000.0 - i});
        int steps = 0;
        while (state.undoZoom()) ++steps;
        QCOMPARE(steps, 100);
    }
};

BUBBLESCOPE_TEST(TestViewState)

}  // namespace tst_view_state

#include "tst_view_state.moc"
