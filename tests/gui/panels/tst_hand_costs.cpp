// Costs given by hand: the plan on the canvas is the schedule played with them, says where it comes from,
// follows the fields and the configuration, goes back by undo, and leaves the run as it is.
#include <QSignalSpy>
#include <QTest>

#include "analysis/hand_costs.h"
#include "app/settings/translations.h"
#include "app/tune/hand_costs_controller.h"
#include "catalog/catalog.h"
#include "opened_window.h"
#include "registered_test.h"
#include "timeline/predict.h"

namespace tst_hand_costs {

using namespace bscope;
using namespace bscope::ui;

class TestHandCosts : public QObject {
    Q_OBJECT
    LessonBook book_ = LessonBook::embedded();

    static HandCostsDialog& open(MainWindow& window) {
        HandCostsController& hand = part<HandCostsController>(window);
        hand.open();
        return *hand.dialog();
    }
    static void set(HandCostsDialog& dialog, double f, double i, double w, double latency_us) {
        dialog.field(HandCostsDialog::Forward)->setValue(f);
        dialog.field(HandCostsDialog::Input)->setValue(i);
        dialog.field(HandCostsDialog::Weight)->setValue(w);
        dialog.field(HandCostsDialog::Latency)->setValue(latency_us);
        dialog.field(HandCostsDialog::Speed)->setValue(0);
    }
    static void press(FactorBars& bars, int bar) {
        QTest::mousePress(&bars, Qt::LeftButton, {}, bars.bar(bar).center().toPoint());
    }
    // In two moves by a quarter of the height.
    static void dragUp(FactorBars& bars, int bar) {
        const QPoint from = bars.bar(bar).center().toPoint();
        QTest::mouseMove(&bars, from - QPoint(0, bars.height() / 8));
        QTest::mouseMove(&bars, from - QPoint(0, bars.height() / 4));
        QTest::mouseRelease(&bars, Qt::LeftButton, {}, from - QPoint(0, bars.height() / 4));
    }
    // Of everything but bytes the same, without the window.
    static Timeline played(const char* schedule, const ScheduleParams& params, double f, double i, double w,
                           double latency_us, std::vector<double> factors = {}) {
        Costs costs;
        costs.stages.resize(static_cast<std::size_t>(params.p * params.v));
        factors.resize(costs.stages.size(), 1);
        for (std::size_t at = 0; at < costs.stages.size(); ++at) {
            StageCosts& stage = costs.stages[at];
            stage.forward_ns = factors[at] * f * 1e6;
            stage.input_ns = factors[at] * i * 1e6;
            stage.weight_ns = factors[at] * w * 1e6;
            stage.backward_ns = stage.input_ns + stage.weight_ns;
        }
        costs.link.latency_us = latency_us;
        return predict(lower(makeSchedule(schedule, params)), costs);
    }
    static void compare(const MainWindow& window, const Timeline& expected) {
        const IterationView shown = canvasOf(window).views().front();
        QVERIFY(shown.costs_by_hand && shown.ran->empty());
        QCOMPARE(shown.planned->ranks(), expected.ranks());
        for (int rank = 0; rank < expected.ranks(); ++rank) {
            const auto ours = shown.planned->compute(rank), theirs = expected.compute(rank);
            std::size_t computed = 0;
            for (const Event& event : theirs) {
                if (!isCompute(event.op)) continue;
                QVERIFY(computed < ours.size());
                QCOMPARE(ours[computed].start_ns, event.start_ns);
                QCOMPARE(ours[computed].end_ns, event.end_ns);
                ++computed;
            }
        }
    }

private slots:
    // The fields keep their height beside paragraphs of several lines, and where the form stands over the window
    // the picture ends before it.
    void nothingIsCoveredOrSqueezed() {
        for (const Language language : {Language::English, Language::Chinese}) {
            Translations translations;
            translations.setLanguage(language);
            OpenedWindow opened(book_);
            MainWindow& window = opened.window;
            window.resize(1024, 700);
            QTest::qWait(1);
            HandCostsController& hand = part<HandCostsController>(window);
            QSignalSpy covering(&hand, &HandCostsController::covering);
            HandCostsDialog& dialog = open(window);
            QTRY_VERIFY(dialog.isVisible());
            QCoreApplication::processEvents();
            QRect above;
            for (const auto field : {HandCostsDialog::Forward, HandCostsDialog::Input, HandCostsDialog::Weight,
                                     HandCostsDialog::Latency, HandCostsDialog::Speed}) {
                const QRect place = dialog.field(field)->geometry();
                QVERIFY(place.height() >= dialog.field(field)->minimumSizeHint().height());
                QVERIFY(above.isNull() || place.top() > above.bottom() + 3);
                above = place;
            }
            QCOMPARE(covering.size(), 1);
            const auto end = [&] {
                GanttView& canvas = canvasOf(window);
                return canvas.mapTo(&window, QPoint(canvas.width(), 0)).x();
            };
            emit hand.covering(true);  // as on a screen without room beside the window
            QTRY_VERIFY(end() <= window.width() - dialog.width());
            hand.close();
            QTRY_VERIFY(end() > window.width() - dialog.width());
        }
    }

    void initTestCase() { OpenedWindow::useTestSettings(); }

    void medianStageAndBack() {
        Costs costs;
        for (const double f_ms : {1.0, 2.0, 9.0}) {
            StageCosts stage;
            stage.forward_ns = f_ms * 1e6;
            stage.backward_ns = 6e6;
            stage.activation_bytes = 7;
            costs.stages.push_back(stage);
        }
        costs.link = {5, 10};
        const HandCosts hand = handCostsOf(costs);
        QCOMPARE(hand, (HandCosts{2, 3, 3, {5, 10}, {}}));
        const Costs alike = withHandCosts(costs, {2, 1, 4, {50, 0}, {}});
        for (const StageCosts& stage : alike.stages) {
            QCOMPARE(stage.forward_ns, 2e6);
            QCOMPARE(stage.backward_ns, 5e6);
            QCOMPARE(stage.recompute_ns, 2e6);
            QCOMPARE(stage.activation_bytes, std::int64_t{7});
        }
        QCOMPARE(alike.link.latency_us, 50.0);
        QCOMPARE(handCostsOf({}), HandCosts());
    }

    void manyStatesAreOnePlan() {
        OpenedWindow o(book_);
        open(o.window);
        QSignalSpy plans(&part<HandCostsController>(o.window), &HandCostsController::planChanged);
        for (int i = 0; i < 50; ++i) emit part<Session>(o.window).stateChanged();
        QTRY_VERIFY(plans.count() > 0);
        QTest::qWait(50);
        QVERIFY2(plans.count() <= 2, qPrintable(QString::number(plans.count())));
    }

    void theCanvasFollows() {
        OpenedWindow o(book_);
        Session& session = part<Session>(o.window);
        RunConfig config;
        config.schedule = "zb-h1";
        config.params = {4, 1, 8};
        session.edit(config);
        const IterationView before = canvasOf(o.window).views().front();
        HandCostsDialog& dialog = open(o.window);
        set(dialog, 2, 3, 1, 500);
        compare(o.window, played("zb-h1", config.params, 2, 3, 1, 500));
        QVERIFY2(dialog.outcome().contains(QStringLiteral("bubble")), qPrintable(dialog.outcome()));
        const QStringList chips = [&] {
            QStringList texts;
            for (const Button* chip : canvasOf(o.window).titleChips()) texts << chip->accessibleName();
            return texts;
        }();
        QVERIFY2(chips.join(u' ').contains(QStringLiteral("costs by hand")), qPrintable(chips.join(u' ')));

        // The configuration is the window's own; the costs stay.
        config.params.m = 12;
        session.edit(config);
        compare(o.window, played("zb-h1", config.params, 2, 3, 1, 500));
        // One step back, by key.
        dialog.field(HandCostsDialog::Weight)->setValue(2);
        compare(o.window, played("zb-h1", config.params, 2, 3, 2, 500));
        dialog.activateWindow();
        QTRY_VERIFY(dialog.isActiveWindow());
        QTest::keyClick(&dialog, Qt::Key_Z, Qt::ControlModifier);
        compare(o.window, played("zb-h1", config.params, 2, 3, 1, 500));
        // Forth again, and back; from a field too, and with either key of redo.
        QTest::keyClick(&dialog, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        compare(o.window, played("zb-h1", config.params, 2, 3, 2, 500));
        NumberField* const weight = dialog.field(HandCostsDialog::Weight);
        weight->setFocus();
        QTest::keyClick(weight, Qt::Key_Z, Qt::ControlModifier);
        compare(o.window, played("zb-h1", config.params, 2, 3, 1, 500));
        QTest::keyClick(weight, Qt::Key_Y, Qt::ControlModifier);
        compare(o.window, played("zb-h1", config.params, 2, 3, 2, 500));
        QVERIFY(!dialog.redoButton()->isEnabled());
        dialog.undoButton()->click();
        dialog.redoButton()->click();
        compare(o.window, played("zb-h1", config.params, 2, 3, 2, 500));
        // What is typed in one go is one step; what is typed after that leaves nothing to do again.
        weight->selectAll();
        QTest::keyClicks(weight, QStringLiteral("4.25"));
        compare(o.window, played("zb-h1", config.params, 2, 3, 4.25, 500));
        QTest::keyClick(weight, Qt::Key_Z, Qt::ControlModifier);
        compare(o.window, played("zb-h1", config.params, 2, 3, 2, 500));
        QVERIFY(dialog.redoButton()->isEnabled());
        QTest::keyClick(weight, Qt::Key_Up);
        compare(o.window, played("zb-h1", config.params, 2, 3, 3, 500));
        QVERIFY(!dialog.redoButton()->isEnabled());
        while (dialog.undoButton()->isEnabled()) dialog.undoButton()->click();
        QVERIFY(dialog.redoButton()->isEnabled());
        config.params.m = 8;
        session.edit(config);

        dialog.close();
        const IterationView after = canvasOf(o.window).views().front();
        QVERIFY(!after.costs_by_hand);
        QCOMPARE(after.planned->end_ns(), before.planned->end_ns());
    }

    // In units of F, I and W count in the F of the form, which a change of F keeps; undo, the unit and the
    // link's µs are what they were.
    void fieldsFollowTheUnitOfTheWindow() {
        OpenedWindow o(book_);
        Session& session = part<Session>(o.window);
        RunConfig config;
        config.schedule = "zb-h1";
        config.params = {4, 1, 8};
        session.edit(config);
        HandCostsDialog& dialog = open(o.window);
        set(dialog, 2, 3, 1, 500);
        ViewState& state = canvasOf(o.window).state();
        state.setTimeUnit(TimeUnit::MedianForward);
        const auto values = [&] {
            QList<double> all;
            for (std::size_t i = 0; i < HandCostsDialog::kFields; ++i)
                all << dialog.field(static_cast<HandCostsDialog::Field>(i))->value();
            return all;
        };
        QCOMPARE(values(), (QList<double>{2, 1.5, 0.5, 500, 0}));
        QCOMPARE(dialog.field(HandCostsDialog::Input)->accessibleName(), QStringLiteral("I, F"));
        QVERIFY(dialog.field(HandCostsDialog::Latency)->toolTip().endsWith(QStringLiteral("0.25\u00a0F")));
        compare(o.window, played("zb-h1", config.params, 2, 3, 1, 500));
        dialog.field(HandCostsDialog::Weight)->setValue(2);
        compare(o.window, played("zb-h1", config.params, 2, 3, 4, 500));
        dialog.field(HandCostsDialog::Forward)->setValue(4);
        QCOMPARE(values(), (QList<double>{4, 1.5, 2, 500, 0}));
        compare(o.window, played("zb-h1", config.params, 4, 6, 8, 500));
        dialog.undoButton()->click();
        dialog.undoButton()->click();
        compare(o.window, played("zb-h1", config.params, 2, 3, 1, 500));
        state.setTimeUnit(TimeUnit::Milliseconds);
        QCOMPARE(values(), (QList<double>{2, 3, 1, 500, 0}));
        QCOMPARE(dialog.field(HandCostsDialog::Input)->accessibleName(), QStringLiteral("I, ms"));
    }

    // A field that is not touched keeps what it has, also where it shows it rounded.
    void aFieldKeepsWhatItDoesNotShow() {
        HandCostsDialog dialog;
        const HandCosts basis{1.23456, 2.34567, 3.45678, {1.26, 3.333}, {}};
        dialog.setBasis(basis, true);
        dialog.field(HandCostsDialog::Forward)->setValue(2);
        HandCosts expected = basis;
        expected.forward_ms = 2;
        QVERIFY(dialog.costs() == expected);
        dialog.basisButton()->click();
        QVERIFY(dialog.costs() == basis);
    }

    // One stage is made heavier: by a drag, which is one step of undo, and by keys.
    void aStageIsDragged() {
        OpenedWindow o(book_);
        Session& session = part<Session>(o.window);
        RunConfig config;
        config.params = {4, 1, 8};
        session.edit(config);
        HandCostsDialog& dialog = open(o.window);
        set(dialog, 2, 3, 1, 500);
        FactorBars& stages = *dialog.factors();
        QCOMPARE(stages.factors(), std::vector<double>(4, 1));
        QSignalSpy edits(&stages, &FactorBars::edited);
        press(stages, 2);
        QVERIFY(edits.isEmpty() && stages.current() == 2);
        // A quarter of the height is the common time once more.
        dragUp(stages, 2);
        QVERIFY(edits.size() == 2 && std::abs(stages.factors()[2] - 2) < 1e-9);
        compare(o.window, played("1f1b", config.params, 2, 3, 1, 500, {1, 1, 2}));
        QTest::keyClick(&stages, Qt::Key_Z, Qt::ControlModifier);
        compare(o.window, played("1f1b", config.params, 2, 3, 1, 500));
        QCOMPARE(stages.factors(), std::vector<double>(4, 1));
        QTest::keyClick(&stages, Qt::Key_Y, Qt::ControlModifier);
        compare(o.window, played("1f1b", config.params, 2, 3, 1, 500, {1, 1, 2}));

        QTest::keyClick(&stages, Qt::Key_Right);
        QTest::keyClick(&stages, Qt::Key_Right);  // there is none beyond the last
        QCOMPARE(stages.current(), 3);
        for (int i = 0; i < 4; ++i) QTest::keyClick(&stages, Qt::Key_Down);
        compare(o.window, played("1f1b", config.params, 2, 3, 1, 500, {1, 1, 2, 0.8}));
        // The fields leave the stages as they are; another p has other stages.
        dialog.field(HandCostsDialog::Forward)->setValue(4);
        compare(o.window, played("1f1b", config.params, 4, 3, 1, 500, {1, 1, 2, 0.8}));
        config.params.p = 2;
        session.edit(config);
        QCOMPARE(stages.factors().size(), std::size_t{2});
        QCOMPARE(stages.current(), 1);
        config.params.p = 4;
        session.edit(config);
        compare(o.window, played("1f1b", config.params, 4, 3, 1, 500, {1, 1, 2, 0.8}));
        for (int i = 0; i < 200; ++i) QTest::keyClick(&stages, Qt::Key_PageDown);
        QCOMPARE(stages.factors()[1], FactorBars::kStep);
        QTest::keyClick(&stages, Qt::Key_Home);
        dialog.basisButton()->click();
        QCOMPARE(stages.factors(), std::vector<double>(4, 1));
    }

    // Two chunks on a rank share what its one stage took, in undo too; another p has stages as they were.
    void chunksShareTheWorkOfARank() {
        OpenedWindow o(book_);
        Session& session = part<Session>(o.window);
        RunConfig config;
        config.params = {4, 1, 8};
        session.edit(config);
        HandCostsDialog& dialog = open(o.window);
        const double estimated = dialog.costs().forward_ms;
        config.schedule = "interleaved";
        config.params.v = 2;
        session.edit(config);
        QCOMPARE(dialog.costs().forward_ms, estimated / 2);
        QCOMPARE(dialog.factors()->factors().size(), std::size_t{8});
        QVERIFY(!dialog.undoButton()->isEnabled());
        config.schedule = "1f1b";
        config.params.v = 1;
        session.edit(config);
        QCOMPARE(dialog.costs().forward_ms, estimated);
        set(dialog, 2, 3, 1, 500);
        set(dialog, 4, 3, 1, 500);
        config.schedule = "interleaved";
        config.params.v = 2;
        session.edit(config);
        compare(o.window, played("interleaved", config.params, 2, 1.5, 0.5, 500));
        QCOMPARE(dialog.field(HandCostsDialog::Forward)->value(), 2.0);
        dialog.undoButton()->click();
        compare(o.window, played("interleaved", config.params, 1, 1.5, 0.5, 500));
        dialog.redoButton()->click();
        config.schedule = "1f1b";
        config.params = {2, 1, 8};
        session.edit(config);
        compare(o.window, played("1f1b", config.params, 2, 1.5, 0.5, 500));
    }

    // The latency of the link, in F: by a drag, which is one step of undo, and by keys; bar and field agree.
    void aMessageIsDragged() {
        OpenedWindow o(book_);
        Session& session = part<Session>(o.window);
        RunConfig config;
        config.params = {4, 1, 8};
        session.edit(config);
        HandCostsDialog& dialog = open(o.window);
        set(dialog, 2, 3, 1, 500);
        FactorBars& message = *dialog.messageBar();
        NumberField& field = *dialog.field(HandCostsDialog::Latency);
        QCOMPARE(message.factors(), std::vector<double>{0.25});
        QVERIFY2(message.accessibleName().endsWith(QStringLiteral("0.25\u00a0F")),
                 qPrintable(message.accessibleName()));
        press(message, 0);
        dragUp(message, 0);
        QVERIFY(std::abs(field.value() - 2500) < 1e-6);
        compare(o.window, played("1f1b", config.params, 2, 3, 1, 2500));
        QTest::keyClick(&message, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(field.value(), 500.0);
        QCOMPARE(message.factors(), std::vector<double>{0.25});
        compare(o.window, played("1f1b", config.params, 2, 3, 1, 500));
        QTest::keyClick(&message, Qt::Key_Up);
        QVERIFY(std::abs(field.value() - 600) < 1e-6);
        QTest::keyClick(&message, Qt::Key_Home);
        compare(o.window, played("1f1b", config.params, 2, 3, 1, 0));
        // The bar follows what is typed, with F as well; beyond its end the latency stays what it is.
        field.setValue(1000);
        QCOMPARE(message.factors(), std::vector<double>{0.5});
        dialog.field(HandCostsDialog::Forward)->setValue(4);
        QCOMPARE(message.factors(), std::vector<double>{0.25});
        field.setValue(50000);
        QVERIFY(message.accessibleName().endsWith(QStringLiteral("12.5\u00a0F")));
        compare(o.window, played("1f1b", config.params, 4, 3, 1, 50000));
    }

    void whatIsIllegalIsSaid() {
        OpenedWindow o(book_);
        Session& session = part<Session>(o.window);
        HandCostsDialog& dialog = open(o.window);
        RunConfig config = session.wanted();
        config.schedule = "chimera";
        config.params.m = 7;
        session.edit(config);
        QVERIFY(!part<HandCostsController>(o.window).plan());
        QVERIFY(!dialog.outcome().isEmpty());
    }

    // Esc leaves it from every field, and with it the plan; it stands where it covers little of the picture.
    void escapeLeavesThePlan() {
        OpenedWindow opened(book_);
        MainWindow& window = opened.window;
        for (const HandCostsDialog::Field which : {HandCostsDialog::Forward, HandCostsDialog::Latency}) {
            QPointer<HandCostsDialog> dialog = &open(window);
            QVERIFY(part<HandCostsController>(window).plan());
            const GanttView& canvas = canvasOf(window);
            const QRect picture(canvas.mapToGlobal(QPoint(0, 0)), canvas.size());
            QVERIFY(dialog->frameGeometry().left() >= picture.center().x());
            QKeyEvent escape(QEvent::KeyPress, Qt::Key_Escape, Qt::NoModifier);
            QApplication::sendEvent(dialog->field(which), &escape);
            QTRY_VERIFY(dialog.isNull() || !dialog->isVisible());
            QTRY_VERIFY(!part<HandCostsController>(window).plan());
        }
    }
};

BUBBLESCOPE_WINDOW_TEST(TestHandCosts)

}  // namespace tst_hand_costs

#include "tst_hand_costs.moc"
