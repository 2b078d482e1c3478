// The tool bar: edits settle, illegal values are explained in place with the nearest legal one, a waiting
// change is marked and can be undone, the run button says what it does.
#include <QSignalSpy>
#include <QTest>

#include "catalog/catalog.h"
#include "registered_test.h"
#include "required.h"
#include "shown_bar.h"
#include "widgets/text/config_text.h"

namespace tst_controls {

using namespace bscope;
using namespace bscope::ui;

class TestControls : public QObject {
    Q_OBJECT

private slots:
    void editsSettleIntoOneSignal() {
        ControlBar bar;
        showBar(bar);
        QSignalSpy edited(&bar, &ControlBar::configEdited);
        pressUpArrow(*bar.m());
        pressUpArrow(*bar.m());
        QCOMPARE(edited.count(), 0);
        QTRY_COMPARE(edited.count(), 1);
        QCOMPARE(sent(edited).params.m, 10);
    }

    void enterTakesEffectAtOnceAndGivesTheFocusBack() {
        ControlBar bar;
        showBar(bar);
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
        showBar(bar);
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
        showBar(bar);
        RunConfig interleaved;
        interleaved.schedule = "interleaved";
        interleaved.params = {4, 2, 8, 0};
        QSignalSpy edited(&bar, &ControlBar::configEdited);
        const auto offered = [&](int in_force, int typed) {
            interleaved.params.m = in_force;
            bar.setConfig(interleaved);
            bar.m()->setValue(typed);
            REQUIRE_SOON(bar.problemChip()->isVisible());
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

    // Chosen by its name, a schedule comes with a v that it makes use of; going back brings v back.
    void scheduleComesWithItsV() {
        ControlBar bar;
        showBar(bar);
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
        const auto reported = said.count();
        bar.setConfig(RunConfig{});
        QCOMPARE(pick("eager-1f1b"), 1);  // as before: nothing to say
        QCOMPARE(said.count(), reported);
    }

    // What is there to be interleaved is, and the strip below says so too.
    void everyScheduleThatCanInterleaveDoes() {
        int interleaving = 0;
        for (const CatalogEntry& entry : catalog()) {
            if (entry.fixed_v > 0 || entry.forward_only) continue;
            ControlBar bar;
            showBar(bar);
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
        showBar(bar);
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
        showBar(bar);
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
        showBar(bar);
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
        showBar(bar);
        pressUpArrow(*bar.v());  // 1F1B knows no virtual stages
        QTRY_VERIFY(bar.problemChip()->isVisible());
        QCOMPARE(bar.v()->look(), FieldLook::Illegal);
        QVERIFY(bar.problemChip()->reason().contains("1F1B"));
        QTest::mouseClick(bar.problemChip()->fix(), Qt::LeftButton);
        QCOMPARE(bar.v()->number(), 1);
        QVERIFY(bar.currentProblems().empty());
    }

    // Who sets a v that the schedule does not know may mean the schedule that does.
    void aChunkTooManyLeadsToTheInterleavedSchedule() {
        const std::vector<std::pair<const char*, QString>> relatives{
            {"1f1b", QStringLiteral("interleaved")},
            {"gpipe", QStringLiteral("interleaved")},
            {"zb-h1", QStringLiteral("zb-interleaved")}};
        for (const auto& [name, relative] : relatives) {
            ControlBar bar;
            showBar(bar);
            RunConfig config;
            config.schedule = name;
            bar.setConfig(config);
            QSignalSpy edited(&bar, &ControlBar::configEdited);
            bar.v()->setValue(2);
            QTRY_VERIFY(bar.problemChip()->isVisible());
            QCOMPARE(bar.problemChip()->fix()->text(), QStringLiteral("Use v = 1"));
            QCOMPARE(bar.problemChip()->otherFix()->text(), scheduleTitle(relative.toStdString()));
            QTest::mouseClick(bar.problemChip()->otherFix(), Qt::LeftButton);
            QCOMPARE(QString::fromStdString(sent(edited).schedule), relative);
            QCOMPARE(sent(edited).params.v, 2);
            QVERIFY(bar.currentProblems().empty());
        }
    }

    // A schedule that is chosen by its name comes with a v that is legal: eight layers on eight ranks leave
    // one.
    void aScheduleComesWithALegalV() {
        for (const CatalogEntry& entry : catalog()) {
            if (entry.fixed_v > 0 || entry.min_v > 1 || entry.forward_only) continue;
            ControlBar bar;
            showBar(bar);
            RunConfig config;
            config.params.p = 8;
            bar.setConfig(config);
            QSignalSpy edited(&bar, &ControlBar::configEdited), said(&bar, &ControlBar::said);
            bar.chooseSchedule(QString::fromLatin1(entry.name));
            QVERIFY2(bar.currentProblems().empty(), entry.name);
            QCOMPARE(sent(edited).params.v, 1);
            QVERIFY(said.last().first().toString().contains("v = 2 is not possible"));
        }
    }

    void pendingChangeIsMarkedAndUndone() {
        ControlBar bar;
        showBar(bar, 1920);
        QSignalSpy undo(&bar, &ControlBar::undoPending), edited(&bar, &ControlBar::configEdited);
        PendingChange pending;
        pending.config.params.m = 12;
        pending.from_iteration = 37;
        bar.setPending(pending);
        QCOMPARE(bar.m()->look(), FieldLook::Pending);
        QCOMPARE(bar.m()->text(), QStringLiteral("12"));
        QCOMPARE(bar.m()->formerText(), QStringLiteral("8 → "));
        QCOMPARE(bar.p()->look(), FieldLook::Normal);
        QVERIFY(bar.pendingChip()->isVisible());
        QVERIFY(bar.pendingChip()->text().contains("38"));
        QTest::mouseClick(bar.pendingChip(), Qt::LeftButton);
        QCOMPARE(undo.count(), 1);
        QCOMPARE(bar.m()->text(), QStringLiteral("8"));
        QVERIFY(bar.m()->formerText().isEmpty());
        QVERIFY(!bar.pendingChip()->isVisible());
        QTest::qWait(200);
        QCOMPARE(edited.count(), 0);
    }

    void pendingFieldCanBeEditedOn() {
        ControlBar bar;
        showBar(bar);
        PendingChange pending;
        pending.config.params.m = 12;
        bar.setPending(pending);
        QSignalSpy edited(&bar, &ControlBar::configEdited);
        pressUpArrow(*bar.m());
        QCOMPARE(bar.m()->text(), QStringLiteral("13"));
        const QString selected = bar.m()->findChild<QLineEdit*>()->selectedText();
        QVERIFY2(selected.isEmpty() || selected == u"13", qPrintable(selected));  // never a digit of it
        QTRY_COMPARE(edited.count(), 1);
        QCOMPARE(sent(edited).params.m, 13);
    }

    void boundaryDoesNotOverwriteWhatIsBeingTyped() {
        ControlBar bar;
        showBar(bar);
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
        showBar(bar);
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
        showBar(bar);
        QStringList order;
        connect(&bar, &ControlBar::configEdited, this, [&] { order << "edited"; });
        connect(&bar, &ControlBar::runClicked, this, [&] { order << "run"; });
        bar.m()->setValue(12);
        QTest::mouseClick(bar.runButton(), Qt::LeftButton);
        QCOMPARE(order, (QStringList{"edited", "run"}));
    }

    void viewsAreExclusiveAndHaveKeys() {
        ControlBar bar;
        showBar(bar);
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
        showBar(bar);
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
};

BUBBLESCOPE_WINDOW_TEST(TestControls)

}  // namespace tst_controls

#include "tst_controls.moc"
