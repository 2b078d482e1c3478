// The tool bar: edits settle, illegal values are explained in place with the nearest legal one, a waiting
// change is marked and can be undone, the run button says what it does, and a narrow bar keeps its fields.
#include <QAction>
#include <QLayout>
#include <QMenu>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>

#include "schedule/catalog.h"
#include "widgets/bars/control_bar.h"
#include "widgets/text/config_text.h"

using namespace bscope;
using namespace bscope::ui;

class TestControls : public QObject {
    Q_OBJECT

    static void show(ControlBar& bar, int width = 1440) {
        setTheme(Theme::make(ThemeKind::Light));
        bar.resize(width, 48);
        bar.show();
        QVERIFY(QTest::qWaitForWindowExposed(&bar));
    }
    static void pressUpArrow(NumberField& field) {
        QTest::mouseClick(&field, Qt::LeftButton, {}, QPoint(field.width() - 8, 7));
    }
    static RunConfig sent(const QSignalSpy& spy) { return spy.last().first().value<RunConfig>(); }

private slots:
    void editsSettleIntoOneSignal() {
        ControlBar bar;
        show(bar);
        QSignalSpy edited(&bar, &ControlBar::configEdited);
        pressUpArrow(*bar.m());
        pressUpArrow(*bar.m());
        QCOMPARE(edited.count(), 0);
        QTRY_COMPARE(edited.count(), 1);
        QCOMPARE(sent(edited).params.m, 10);
    }

    void enterTakesEffectAtOnceAndGivesTheFocusBack() {
        ControlBar bar;
        show(bar);
        QSignalSpy edited(&bar, &ControlBar::configEdited), back(&bar, &ControlBar::focusReturned);
        bar.m()->setFocus();
        bar.m()->selectAll();
        QTest::keyClicks(bar.m(), "16");
        QTest::keyClick(bar.m(), Qt::Key_Return);
        QCOMPARE(edited.count(), 1);
        QCOMPARE(sent(edited).params.m, 16);
        QCOMPARE(back.count(), 1);
        QTest::keyClick(bar.m(), Qt::Key_Escape);
        QCOMPARE(back.count(), 2);
        QCOMPARE(edited.count(), 1);
    }

    void illegalValueStaysAndOffersTheNearestLegalOne() {
        ControlBar bar;
        show(bar);
        QSignalSpy edited(&bar, &ControlBar::configEdited);
        bar.schedule()->setCurrentIndex(bar.schedule()->findData("interleaved"));
        bar.v()->setValue(2);
        bar.m()->setValue(6);
        QTRY_VERIFY(bar.problemChip()->isVisible());
        QCOMPARE(edited.count(), 0);
        QCOMPARE(bar.m()->number(), 6);
        QCOMPARE(bar.m()->look(), FieldLook::Illegal);
        QCOMPARE(bar.p()->look(), FieldLook::Normal);
        QVERIFY(bar.problemChip()->reason().contains("m = 6"));
        QVERIFY(bar.problemChip()->fix()->text().contains("m = "));
        QTest::mouseClick(bar.problemChip()->fix(), Qt::LeftButton);
        QCOMPARE(edited.count(), 1);
        QVERIFY(problems(sent(edited)).empty());
        QCOMPARE(sent(edited).params.m, bar.m()->number());
        QVERIFY(!bar.problemChip()->isVisible());
        QCOMPARE(bar.m()->look(), FieldLook::Normal);
    }

    // Of two values as near as each other the one in force is offered first, the other beside it.
    void offersBothSidesAndTheValueInForceFirst() {
        ControlBar bar;
        show(bar);
        RunConfig interleaved;
        interleaved.schedule = "interleaved";
        interleaved.params = {4, 2, 8, 0};
        QSignalSpy edited(&bar, &ControlBar::configEdited);
        const auto offered = [&](int in_force, int typed) {
            interleaved.params.m = in_force;
            bar.setConfig(interleaved);
            bar.m()->setValue(typed);
            [&] { QTRY_VERIFY(bar.problemChip()->isVisible()); }();
            return QStringList{bar.problemChip()->fix()->text(), bar.problemChip()->otherFix()->text()};
        };
        QCOMPARE(offered(8, 6), (QStringList{"Use m = 8", "m = 4"}));
        QCOMPARE(offered(4, 6), (QStringList{"Use m = 4", "m = 8"}));
        QCOMPARE(offered(16, 9), (QStringList{"Use m = 8", "m = 12"}));
        QTest::mouseClick(bar.problemChip()->otherFix(), Qt::LeftButton);
        QCOMPARE(sent(edited).params.m, 12);
        QVERIFY(bar.currentProblems().empty());
        QVERIFY(!bar.problemChip()->isVisible());
    }

    // The whole reason can be read at every width, and nothing stands over anything else.
    void reasonsAreNeverCut_data() {
        QTest::addColumn<int>("width");
        QTest::addColumn<double>("scale");
        for (const int width : {640, 760, 1024, 1280, 1440, 1920, 3840})
            for (const double scale : {1.0, 1.5, 2.0})
                if (width >= 620 * scale) QTest::addRow("%d at %g", width, scale) << width << scale;
    }
    void reasonsAreNeverCut() {
        QFETCH(int, width);
        QFETCH(double, scale);
        ControlBar bar;
        show(bar, width);
        setTheme(Theme::make(ThemeKind::Light, ColourScheme::Bubblescope, scale));
        RunConfig interleaved;
        interleaved.schedule = "interleaved";
        interleaved.params = {4, 2, 8, 0};
        bar.setConfig(interleaved);
        bar.m()->setValue(6);
        QTRY_VERIFY(bar.problemChip()->isVisible());
        bar.layout()->activate();
        ProblemChip* chip = bar.problemChip();
        QVERIFY(bar.rect().contains(chip->geometry()));
        QVERIFY(chip->height() >= chip->heightForWidth(chip->width()));
        for (Button* button : {chip->fix(), chip->otherFix()})
            QVERIFY(chip->rect().contains(button->geometry()));
        QCOMPARE(chip->toolTip(), problemText(bar.currentProblems().front()));
        for (QWidget* part : std::initializer_list<QWidget*>{bar.m(), bar.schedule(), bar.runButton()})
            QVERIFY(!part->geometry().intersects(chip->geometry()));
        const int low = bar.height();
        QTest::mouseClick(chip->fix(), Qt::LeftButton);
        QVERIFY(!chip->isVisible());
        QVERIFY(bar.height() <= low);
    }

    // Chosen by its name, a schedule comes with a v that it makes use of; going back brings v back.
    void scheduleComesWithItsV() {
        ControlBar bar;
        show(bar);
        QSignalSpy edited(&bar, &ControlBar::configEdited), said(&bar, &ControlBar::said);
        RunConfig two_ranks;  // with layers for v = 4
        two_ranks.params.p = 2;
        bar.setConfig(two_ranks);
        const auto pick = [&](const char* name) {
            bar.chooseSchedule(QString::fromLatin1(name));
            return bar.v()->number();
        };
        QCOMPARE(pick("interleaved"), 2);
        QCOMPARE(sent(edited).params.v, 2);
        QVERIFY2(said.last().first().toString().contains("v = 2, the usual v of Interleaved 1F1B"),
                 qPrintable(said.last().first().toString()));
        QCOMPARE(pick("1f1b"), 1);
        QCOMPARE(pick("zb-v"), 2);
        QCOMPARE(pick("gpipe"), 1);
        QCOMPARE(pick("interleaved"), 2);
        bar.v()->setValue(4);  // asked for
        QTRY_COMPARE(sent(edited).params.v, 4);
        QCOMPARE(pick("gpipe"), 1);
        QCOMPARE(pick("interleaved"), 4);
        const auto told = said.count();
        bar.setConfig(RunConfig{});
        QCOMPARE(pick("eager-1f1b"), 1);  // as before: nothing to say
        QCOMPARE(said.count(), told);
    }

    // What is there to be interleaved is, and the strip below says so too.
    void everyScheduleThatCanInterleaveDoes() {
        int interleaving = 0;
        for (const CatalogEntry& entry : catalog()) {
            if (entry.fixed_v > 0 || entry.forward_only) continue;
            ControlBar bar;
            show(bar);
            bar.setConfig(RunConfig{});
            QSignalSpy edited(&bar, &ControlBar::configEdited), said(&bar, &ControlBar::said);
            bar.chooseSchedule(QString::fromLatin1(entry.name));
            QVERIFY2(sent(edited).params.v == 2, entry.name);
            QCOMPARE(said.last().first().toString(),
                     QStringLiteral("v = 2, the usual v of %1").arg(scheduleTitle(entry.name)));
            ++interleaving;
        }
        QVERIFY(interleaving > 4);
    }

    // One click ends several problems, also where one depends on the other, and what was changed gives way.
    void nearestLegalValuesFitTogether() {
        ControlBar bar;
        show(bar);
        QSignalSpy edited(&bar, &ControlBar::configEdited);
        bar.p()->setValue(99);
        bar.v()->setValue(7);
        QTRY_VERIFY(bar.problemChip()->isVisible());
        QCOMPARE(bar.p()->look(), FieldLook::Illegal);
        QCOMPARE(bar.problemChip()->fix()->text(), QStringLiteral("Use v = 1, p = 8"));
        QTest::mouseClick(bar.problemChip()->fix(), Qt::LeftButton);
        QCOMPARE(edited.count(), 1);
        QCOMPARE(sent(edited).params.p, 8);
        QCOMPARE(sent(edited).model.layers, 8);

        NumberField* hidden = bar.setupPanel()->number("hidden");
        hidden->setValue(250);
        QTRY_VERIFY(bar.problemChip()->isVisible());
        QCOMPARE(hidden->look(), FieldLook::Illegal);
        QTest::mouseClick(bar.problemChip()->fix(), Qt::LeftButton);
        QCOMPARE(sent(edited).model.hidden, 252);
        QCOMPARE(sent(edited).model.heads, 4);
        bar.setupPanel()->number("heads")->setValue(5);
        QTRY_VERIFY(bar.problemChip()->isVisible());
        QTest::mouseClick(bar.problemChip()->fix(), Qt::LeftButton);
        QCOMPARE(sent(edited).model.hidden, 252);
        QVERIFY(bar.currentProblems().empty());
    }

    // What only the engine knows: memory over the cap, a file that cannot be read.
    void whatTheEngineRefusesStaysInItsField() {
        ControlBar bar;
        show(bar);
        QSignalSpy edited(&bar, &ControlBar::configEdited);
        NumberField* cap = bar.setupPanel()->number("memory_cap_mb");
        cap->setValue(1);
        QTRY_COMPARE(edited.count(), 1);
        const RunConfig refused = sent(edited);
        bar.setRefused(refused, {{"memory_cap_mb", "too little", {}, {}}});
        bar.setInForce(RunConfig{});
        QCOMPARE(cap->value(), 1.0);
        QCOMPARE(cap->look(), FieldLook::Illegal);
        QVERIFY(bar.setupButton()->isIllegal());
        QVERIFY(bar.problemChip()->isVisible());
        QTest::keyClick(cap, Qt::Key_Return);
        QCOMPARE(cap->look(), FieldLook::Illegal);  // still the one that was refused
        cap->setValue(100);
        QTRY_COMPARE(edited.count(), 2);
        bar.setRefused(sent(edited), {});
        QCOMPARE(cap->look(), FieldLook::Normal);
        QVERIFY(!bar.problemChip()->isVisible());
    }

    // It names what would fit; the button takes it as it takes the values of the window's own rules.
    void whatTheEngineAllowsIsOneClickAway() {
        ControlBar bar;
        show(bar);
        QSignalSpy edited(&bar, &ControlBar::configEdited);
        const auto refuse = [&](const Problem& problem, const Fix& use) {
            RunConfig refused;
            refused.memory_cap_mb = 5.0 + static_cast<double>(edited.count());
            bar.setRefused(refused, {problem});
            QCOMPARE(bar.problemChip()->fix()->text(), QStringLiteral("Use ") + fixText(use));
            QTest::mouseClick(bar.problemChip()->fix(), Qt::LeftButton);
        };
        refuse({"m", "too much", {}, {2}}, {"m", 2});
        QCOMPARE(sent(edited).params.m, 2);
        QCOMPARE(sent(edited).memory_cap_mb, 5.0);
        refuse({"memory_cap_mb", "too much", {}, {76}}, {"memory_cap_mb", 76});
        QCOMPARE(sent(edited).memory_cap_mb, 76.0);
        refuse({"recompute", "checkpointing {0} fits", {sentence("full")}, {}}, {"recompute", 1});
        QCOMPARE(sent(edited).recompute, Recompute::Full);
        QCOMPARE(edited.count(), 3);
    }

    void scheduleThatDemandsAnotherVIsExplained() {
        ControlBar bar;
        show(bar);
        pressUpArrow(*bar.v());  // 1F1B knows no virtual stages
        QTRY_VERIFY(bar.problemChip()->isVisible());
        QCOMPARE(bar.v()->look(), FieldLook::Illegal);
        QVERIFY(bar.problemChip()->reason().contains("1F1B"));
        QTest::mouseClick(bar.problemChip()->fix(), Qt::LeftButton);
        QCOMPARE(bar.v()->number(), 1);
        QVERIFY(bar.currentProblems().empty());
    }

    void pendingChangeIsMarkedAndUndone() {
        ControlBar bar;
        show(bar);
        QSignalSpy undo(&bar, &ControlBar::undoPending), edited(&bar, &ControlBar::configEdited);
        PendingChange pending;
        pending.config.params.m = 12;
        pending.from_iteration = 37;
        bar.setPending(pending);
        QCOMPARE(bar.m()->look(), FieldLook::Pending);
        QCOMPARE(bar.m()->text(), QStringLiteral("8 → 12"));
        QCOMPARE(bar.p()->look(), FieldLook::Normal);
        QVERIFY(bar.pendingChip()->isVisible());
        QVERIFY(bar.pendingChip()->text().contains("38"));
        QTest::mouseClick(bar.pendingChip(), Qt::LeftButton);
        QCOMPARE(undo.count(), 1);
        QCOMPARE(bar.m()->text(), QStringLiteral("8"));
        QVERIFY(!bar.pendingChip()->isVisible());
        QTest::qWait(200);
        QCOMPARE(edited.count(), 0);
    }

    void pendingFieldCanBeEditedOn() {
        ControlBar bar;
        show(bar);
        PendingChange pending;
        pending.config.params.m = 12;
        bar.setPending(pending);
        QSignalSpy edited(&bar, &ControlBar::configEdited);
        pressUpArrow(*bar.m());
        QCOMPARE(bar.m()->text(), QStringLiteral("8 → 13"));
        QTRY_COMPARE(edited.count(), 1);
        QCOMPARE(sent(edited).params.m, 13);
    }

    void boundaryDoesNotOverwriteWhatIsBeingTyped() {
        ControlBar bar;
        show(bar);
        bar.m()->setValue(24);  // not settled yet
        RunConfig config;
        config.params.m = 12;
        bar.setInForce(config);
        QCOMPARE(bar.m()->number(), 24);
        QSignalSpy edited(&bar, &ControlBar::configEdited);
        QTRY_COMPARE(edited.count(), 1);
        QCOMPARE(sent(edited).params.m, 24);
    }

    void runButtonFollowsTheState() {
        ControlBar bar;
        show(bar);
        QSignalSpy run(&bar, &ControlBar::runClicked), pause(&bar, &ControlBar::pauseClicked),
            cancel(&bar, &ControlBar::cancelClicked), reconnect(&bar, &ControlBar::reconnectClicked);
        const auto click = [&](SessionState state, bool moves = false) {
            bar.setState(state, moves);
            QTest::mouseClick(bar.runButton(), Qt::LeftButton);
        };
        click(SessionState::Idle);
        click(SessionState::Paused);
        click(SessionState::Failed);
        click(SessionState::Replaying);
        QCOMPARE(run.count(), 4);
        click(SessionState::Running);
        click(SessionState::Replaying, true);
        QCOMPARE(pause.count(), 2);
        click(SessionState::Starting);
        QCOMPARE(cancel.count(), 1);
        click(SessionState::Disconnected);
        QCOMPARE(reconnect.count(), 1);
        bar.setState(SessionState::Running);
        QVERIFY(!bar.stepButton()->isEnabled());
        bar.setState(SessionState::Paused);
        QVERIFY(bar.stepButton()->isEnabled());
        bar.setState(SessionState::Replaying);
        QVERIFY(!bar.m()->isEnabled());
    }

    void runUsesTheValuesOnScreen() {
        ControlBar bar;
        show(bar);
        QStringList order;
        connect(&bar, &ControlBar::configEdited, this, [&] { order << "edited"; });
        connect(&bar, &ControlBar::runClicked, this, [&] { order << "run"; });
        bar.m()->setValue(12);
        QTest::mouseClick(bar.runButton(), Qt::LeftButton);
        QCOMPARE(order, (QStringList{"edited", "run"}));
    }

    void viewsAreExclusiveAndHaveKeys() {
        ControlBar bar;
        show(bar);
        QSignalSpy chosen(&bar, &ControlBar::viewChosen);
        QTest::mouseClick(bar.viewSwitch()->segment(1), Qt::LeftButton);
        QCOMPARE(chosen.count(), 1);
        QVERIFY(bar.viewSwitch()->segment(1)->isChecked());
        QVERIFY(!bar.viewSwitch()->segment(0)->isChecked());
        QTest::keyClick(&bar, Qt::Key_3, Qt::ControlModifier);
        QCOMPARE(chosen.count(), 2);
        QCOMPARE(bar.viewSwitch()->current(), 2);
        QCOMPARE(chosen.last().first().value<MainView>(), MainView::Lessons);
    }

    // It would tell which rank is the slow one.
    void summaryOfALessonGivesNothingAway() {
        ControlBar bar;
        show(bar);
        const QString healthy = bar.setupButton()->summary();
        RunConfig config;
        config.slow_ranks = {{3, 1.5}};
        bar.setConfig(config);
        const QString slow = bar.setupButton()->summary();
        QVERIFY2(slow != healthy, qPrintable(slow));
        bar.setLessonSettings(RunConfig{});
        bar.setInForce(config);  // the run that is made now
        QCOMPARE(bar.setupButton()->summary(), QStringLiteral("set by the lesson"));
        QCOMPARE(bar.edited(), RunConfig{});
        bar.setLessonSettings(std::nullopt);
        bar.setInForce(config);
        QCOMPARE(bar.setupButton()->summary(), slow);
    }

    void setupFormEditsTheRest() {
        ControlBar bar;
        show(bar);
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

    void replicasAreSetAndTakeTheirSlowRanksAlong() {
        ControlBar bar;
        show(bar);
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

    // A screen reader says which field it is at.
    void fieldsOfTheSetupFormHaveNames() {
        ControlBar bar;
        for (const NumberField* field : bar.setupPanel()->findChildren<NumberField*>())
            QVERIFY2(!field->accessibleName().isEmpty(), qPrintable(field->objectName()));
        QCOMPARE(bar.setupPanel()->number("memory_cap_mb")->accessibleName(), QStringLiteral("Memory cap"));
    }

    void tabGoesDownTheSetupForm() {
        ControlBar bar;
        show(bar);
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
        show(bar);
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
        QTest::keyClick(split, Qt::Key_Right);
        QTRY_COMPARE(edited.count(), 1);
        QCOMPARE(sent(edited).layers_per_stage, (std::vector<int>{3, 1, 2, 2}));
        bar.p()->setValue(2);  // a split for four stages means nothing for two
        QTRY_COMPARE(edited.count(), 2);
        QVERIFY(sent(edited).layers_per_stage.empty());
    }

    void narrowBarKeepsItsFields_data() {
        QTest::addColumn<int>("width");
        for (int width : {1920, 1440, 1280, 1024}) QTest::addRow("%d", width) << width;
    }
    void narrowBarKeepsItsFields() {
        QFETCH(int, width);
        ControlBar bar;
        show(bar, width);
        const auto fits = [&](QWidget* part) {
            return part->isVisible() && part->x() >= 0 && part->geometry().right() < width &&
                   part->width() >= part->minimumSizeHint().width();
        };
        for (QWidget* part : std::initializer_list<QWidget*>{
                 bar.runButton(), bar.stepButton(), bar.schedule(), bar.p(), bar.m(), bar.v(),
                 bar.recompute(), bar.setupButton(), bar.viewSwitch(), bar.exportButton()})
            QVERIFY2(fits(part), part->metaObject()->className());
    }

    // Nothing visible is cut; what has left the bar is in its menu, so that all can be reached at every size.
    void nothingIsCutAndNothingIsLost_data() {
        QTest::addColumn<int>("width");
        QTest::addColumn<double>("scale");
        QTest::addColumn<QString>("schedule");
        for (const char* schedule : {"1f1b", "interleaved-pytorch"})
            for (const int width : {640, 700, 760, 900, 1024, 1280, 1440, 1920, 3840})
                for (const double scale : {0.7, 1.0, 1.4, 2.0, 3.0})
                    if (width >= 640 * scale)
                        QTest::addRow("%s %d at %g", schedule, width, scale)
                            << width << scale << QString::fromLatin1(schedule);
    }
    void nothingIsCutAndNothingIsLost() {
        QFETCH(int, width);
        QFETCH(double, scale);
        QFETCH(QString, schedule);
        ControlBar bar;
        show(bar, width);
        setTheme(Theme::make(ThemeKind::Light, ColourScheme::Bubblescope, scale));
        QMenu exports(QStringLiteral("Export"));
        exports.addAction(QStringLiteral("PNG"));
        bar.setExportMenu(&exports);
        RunConfig config;
        config.schedule = schedule.toStdString();
        bar.setConfig(config);
        bar.layout()->activate();
        emit bar.overflowMenu()->aboutToShow();
        QStringList in_menu;
        for (const QAction* action : bar.overflowMenu()->actions()) in_menu << action->text();
        int right = 0;
        for (QWidget* part : std::initializer_list<QWidget*>{
                 bar.runButton(), bar.stepButton(), bar.schedule(), bar.explainButton(), bar.gridButton(),
                 bar.p(), bar.m(), bar.v(), bar.recompute(), bar.setupButton(), bar.viewSwitch(),
                 bar.exportButton(), bar.overflowButton()}) {
            if (!part->isVisible()) continue;
            QVERIFY2(part->x() >= right, part->metaObject()->className());
            right = part->geometry().right();
            QVERIFY2(part->width() >= part->minimumSizeHint().width(), part->metaObject()->className());
        }
        QVERIFY(right < width);
        QVERIFY(bar.schedule()->width() >= bar.schedule()->minimumSizeHint().width());
        for (QWidget* always :
             std::initializer_list<QWidget*>{bar.runButton(), bar.schedule(), bar.p(), bar.m(), bar.v()})
            QVERIFY(always->isVisible());
        const auto reachable = [&](const QWidget* part, const QString& name) {
            return part->isVisible() || (bar.overflowButton()->isVisible() && in_menu.contains(name));
        };
        QVERIFY(reachable(bar.stepButton(), bar.stepButton()->accessibleName()));
        QVERIFY(reachable(bar.explainButton(), bar.explainButton()->accessibleName()));
        QVERIFY(reachable(bar.gridButton(), bar.gridButton()->accessibleName()));
        QVERIFY(reachable(bar.recompute(), bar.recompute()->accessibleName()));
        QVERIFY(reachable(bar.setupButton(), bar.setupButton()->text()));
        QVERIFY(reachable(bar.exportButton(), QStringLiteral("Export")));
        for (int i = 0; i < 3; ++i)
            QVERIFY(reachable(bar.viewSwitch(), bar.viewSwitch()->segment(i)->text()));
    }

    void everyProblemHasItsChinese() {
        std::vector<RunConfig> wrong(6);
        wrong[0].schedule = "none";
        wrong[0].params = {0, 0, 0, -1};
        wrong[0].micro_batch = wrong[0].model.sequence = wrong[0].model.hidden = wrong[0].model.heads =
            wrong[0].model.layers = 0;
        wrong[0].model.vocabulary = 1;
        wrong[0].link = {-1, -1};
        wrong[0].training = {-1, -1, -1};
        wrong[0].memory_cap_mb = -1;
        wrong[1].params.v = 2;
        wrong[1].model.heads = 3;
        wrong[1].layers_per_stage = {0, 1};
        wrong[2].schedule = "interleaved";
        wrong[2].slow_ranks = {{9, 2.0}, {1, 0.5}, {1, 2.0}};
        wrong[3].params.p = 16;
        wrong[4].params = {64, 1, 1 << 16, 0};
        wrong[5].schedule = "interleaved";
        wrong[5].params = {4, 2, 6, 3};
        wrong.push_back(wrong[5]);
        wrong.back().params.group_size = 0;
        for (const auto& [schedule, d] : {std::pair{"1f1b", 0}, {"1f1b", 900}, {"chimera", 2}}) {
            wrong.emplace_back().schedule = schedule;
            wrong.back().params.d = d;
        }
        for (const RunConfig& config : wrong) {
            const std::vector<Problem> found = problems(config);
            QVERIFY(!found.empty());
            for (const Problem& problem : found)
                QVERIFY2(chineseWords().contains(problem.words.id), problem.words.id.c_str());
        }
    }

    void wordsChangeWithTheLanguage() {
        ControlBar bar;
        show(bar);
        bar.runButton()->setText("?");
        QEvent change(QEvent::LanguageChange);
        QCoreApplication::sendEvent(&bar, &change);
        QCOMPARE(bar.runButton()->text(), QStringLiteral("Run"));
    }
};

QTEST_MAIN(TestControls)
#include "tst_controls.moc"
