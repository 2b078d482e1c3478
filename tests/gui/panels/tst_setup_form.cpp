// The form for what has no field in the tool bar: values, names, order of the keys, borders of the split.
#include <QComboBox>
#include <QSignalSpy>
#include <QTest>

#include "registered_test.h"
#include "shown_bar.h"

namespace tst_setup_form {

using namespace bscope;
using namespace bscope::ui;

class TestSetupForm : public QObject {
    Q_OBJECT

private slots:
    void setupFormEditsTheRest() {
        ControlBar bar;
        showBar(bar);
        QSignalSpy edited(&bar, &ControlBar::configEdited);
        QTest::mouseClick(bar.setupButton(), Qt::LeftButton);
        QVERIFY(bar.setupPanel()->isVisible());
        QCOMPARE(bar.setupPanel()->height(),  // whole, also on a low screen
                 bar.setupPanel()->layout()->totalHeightForWidth(bar.setupPanel()->width()));
        bar.setupPanel()->number("latency_us")->setValue(800);
        bar.setupPanel()->number("micro_batch")->setValue(2);
        QTRY_COMPARE(edited.count(), 1);
        QCOMPARE(sent(edited).link.latency_us, 800.0);
        QCOMPARE(sent(edited).micro_batch, 2);
        QVERIFY(bar.setupButton()->summary().contains("batch 2"));
        bar.setupPanel()->number("heads")->setValue(3);  // 256 is no multiple of 3
        QTRY_VERIFY(bar.problemChip()->isVisible());
        QVERIFY(bar.setupButton()->isIllegal());
        QCOMPARE(edited.count(), 1);
    }

    void checkpointsAreOfStagesOrLayers() {
        ControlBar bar;
        showBar(bar);
        QSignalSpy edited(&bar, &ControlBar::configEdited);
        QTest::mouseClick(bar.setupButton(), Qt::LeftButton);
        for (const CheckpointEvery every : {CheckpointEvery::Layer, CheckpointEvery::Stage}) {
            edited.clear();
            QTest::mouseClick(bar.setupPanel()->checkpointEvery()->segment(static_cast<int>(every)),
                              Qt::LeftButton);
            QTRY_COMPARE(edited.count(), 1);
            QVERIFY(sent(edited).checkpoint_every == every);
        }
    }

    // Without shards there is nothing to cut the tokens over.
    void sequenceParallelismNeedsShards() {
        ControlBar bar;
        showBar(bar);
        QSignalSpy edited(&bar, &ControlBar::configEdited);
        QTest::mouseClick(bar.setupButton(), Qt::LeftButton);
        SetupPanel& panel = *bar.setupPanel();
        QVERIFY(!panel.sequenceParallel()->isEnabled());
        panel.number("t")->setValue(2);
        QTRY_COMPARE(edited.count(), 1);
        QVERIFY(panel.sequenceParallel()->isEnabled());
        QTest::mouseClick(panel.sequenceParallel()->segment(1), Qt::LeftButton);
        QTRY_COMPARE(edited.count(), 2);
        QVERIFY(sent(edited).sequence_parallel);
        QVERIFY(bar.setupButton()->summary().contains("SP"));
        panel.number("t")->setValue(1);
        QTRY_VERIFY(bar.problemChip()->isVisible());
        QVERIFY(panel.sequenceParallel()->isEnabled());  // to be turned off
    }

    void matrixProductsAreChosen() {
        ControlBar bar;
        showBar(bar);
        QSignalSpy edited(&bar, &ControlBar::configEdited);
        QTest::mouseClick(bar.setupButton(), Qt::LeftButton);
        for (const MatrixLibrary library :
             {MatrixLibrary::OneDnn, MatrixLibrary::Loops, MatrixLibrary::Auto}) {
            edited.clear();
            QTest::mouseClick(bar.setupPanel()->matrixLibrary()->segment(static_cast<int>(library)),
                              Qt::LeftButton);
            QTRY_COMPARE(edited.count(), 1);
            QCOMPARE(sent(edited).matrix_library, library);
            QCOMPARE(bar.setupButton()->summary().contains(matrixLibraryText(library)),
                     library != MatrixLibrary::Auto);
        }
        bar.setupPanel()->matrixLibrary()->segment(2)->click();
        bar.setupPanel()->device()->segment(1)->click();  // CUDA
        QTRY_VERIFY(bar.problemChip()->isVisible());
        QVERIFY(bar.setupButton()->isIllegal());
    }

    void replicasAreSetAndTakeTheirSlowRanksAlong() {
        ControlBar bar;
        showBar(bar);
        QSignalSpy edited(&bar, &ControlBar::configEdited);
        RunConfig slow;
        slow.params.d = 2;
        slow.slow_ranks = {{7, 1.5}};  // of eight
        bar.setConfig(slow);
        QVERIFY(bar.setupButton()->summary().contains("d = 2"));
        bar.setupPanel()->number("d")->setValue(1);
        QTRY_COMPARE(edited.count(), 1);
        QCOMPARE(sent(edited).params.d, 1);
        QVERIFY(sent(edited).slow_ranks.empty());
        bar.setupPanel()->number("d")->setValue(kMaxRanks);
        QTRY_VERIFY(bar.problemChip()->isVisible());
        QVERIFY(bar.setupButton()->isIllegal());
        QCOMPARE(edited.count(), 1);
        QTest::mouseClick(bar.problemChip()->fix(), Qt::LeftButton);
        QCOMPARE(sent(edited).params.d, 256);
    }

    // Iterations of a small model end by the hundred: what did not change is not laid out again.
    void whatStaysIsNotFilledAgain() {
        ControlBar bar;
        showBar(bar);
        RunConfig config;
        bar.setConfig(config);
        int filled = 0;
        for (auto* choice : bar.setupPanel()->findChildren<QComboBox*>())
            connect(choice->model(), &QAbstractItemModel::rowsInserted, &bar, [&filled] { ++filled; });
        PendingChange pending;
        pending.config = config;
        pending.config.params.m = 12;
        for (int i = 0; i < 3; ++i) {
            bar.setPending(pending);
            bar.setConfig(config);
        }
        QCOMPARE(filled, 0);
        config.params.p = 3;  // the slow rank is one of fewer
        bar.setConfig(config);
        QVERIFY(filled > 0);
    }

    // A screen reader says which field it is at.
    void fieldsOfTheSetupFormHaveNames() {
        ControlBar bar;
        for (const NumberField* field : bar.setupPanel()->findChildren<NumberField*>())
            QVERIFY2(!field->accessibleName().isEmpty(), qPrintable(field->objectName()));
        QCOMPARE(bar.setupPanel()->number("memory_cap_mb")->accessibleName(), QStringLiteral("Memory cap"));
    }

    void tabGoesDownTheSetupForm() {
        ControlBar bar;
        showBar(bar);
        QTest::mouseClick(bar.setupButton(), Qt::LeftButton);
        SetupPanel* form = bar.setupPanel();
        const QWidget* first = form->number("micro_batch");
        int y = -1, stops = 0;
        for (const QWidget* each = first; stops == 0 || each != first; each = each->nextInFocusChain()) {
            ++stops;
            const bool is_stop = (each->focusPolicy() & Qt::TabFocus) != 0 && each->isVisible() &&
                                 each->focusProxy() == nullptr && each != form;
            if (!is_stop || !form->isAncestorOf(each)) continue;
            const int row = each->mapTo(form, each->rect().center()).y();
            QVERIFY2(row >= y - 2, each->metaObject()->className());
            y = row;
        }
        QVERIFY(stops > 15);
    }

    void splitBordersAreDraggedAndReset() {
        ControlBar bar;
        showBar(bar);
        QSignalSpy edited(&bar, &ControlBar::configEdited);
        QTest::mouseClick(bar.setupButton(), Qt::LeftButton);
        SplitEditor* split = bar.setupPanel()->split();
        QCOMPARE(split->layers(), (std::vector<int>{2, 2, 2, 2}));
        const int y = split->height() / 2, layer = split->width() / 8;
        QTest::mousePress(split, Qt::LeftButton, {}, QPoint(2 * layer, y));
        QTest::mouseMove(split, QPoint(3 * layer, y));
        QTest::mouseRelease(split, Qt::LeftButton, {}, QPoint(3 * layer, y));
        QCOMPARE(split->layers(), (std::vector<int>{3, 1, 2, 2}));
        QTest::keyClick(split, Qt::Key_Left);
        QCOMPARE(split->layers(), (std::vector<int>{2, 2, 2, 2}));
        for (int i = 0; i < 9; ++i) QTest::keyClick(split, Qt::Key_Left);
        QCOMPARE(split->layers(), (std::vector<int>{0, 4, 2, 2}));  // the embedding alone
        for (int i = 0; i < 9; ++i) QTest::keyClick(split, Qt::Key_Right);
        QCOMPARE(split->layers(), (std::vector<int>{3, 1, 2, 2}));
        QTest::keyClick(split, Qt::Key_Left);
        QTest::keyClick(split, Qt::Key_Right);
        QTRY_COMPARE(edited.count(), 1);
        QCOMPARE(sent(edited).layers_per_stage, (std::vector<int>{3, 1, 2, 2}));
        bar.p()->setValue(2);  // a split for four stages means nothing for two
        QTRY_COMPARE(edited.count(), 2);
        QVERIFY(sent(edited).layers_per_stage.empty());
    }
};

BUBBLESCOPE_WINDOW_TEST(TestSetupForm)

}  // namespace tst_setup_form

#include "tst_setup_form.moc"
