// A lesson asks before it answers: reveal and numbers stay closed until a guess; new language and new numbers
// keep the place. Also the list of lessons, the glossary and the help.
#include <QAction>
#include <QDirIterator>
#include <QMainWindow>
#include <QMenuBar>
#include <QRegularExpression>
#include <QSet>
#include <QSignalSpy>
#include <QTest>

#include "paint_recorder.h"
#include "registered_test.h"
#include "widgets/cards/stack_picture.h"
#include "widgets/help/glossary.h"
#include "widgets/help/glossary_dialog.h"
#include "widgets/help/help_dialog.h"
#include "widgets/lessons/lesson_card.h"
#include "widgets/lessons/lesson_panel.h"
#include "widgets/lessons/lesson_parts.h"

namespace tst_lesson_panel {

using namespace bscope;
using namespace bscope::ui;

class TestLessonPanel : public QObject {
    Q_OBJECT

    static LessonData lesson() {
        LessonData made;
        made.id = "04";
        made.number = 4;
        made.count = 8;
        made.title = "1F1B against GPipe";
        made.story = "Story.";
        made.look = "Look.";
        made.question = "Which finishes first?";
        made.choices = {{"GPipe", false}, {"1F1B", false, "It saves memory."}, {"Both at once", true}};
        made.reveal = "268.2 and 267.9 ms.";
        made.comparison =
            LessonComparison{"In flight", {"GPipe", "1F1B"}, {{"Rank 0", {8, 4}}, {"Rank 1", {8, 3}}}};
        made.follow_up = "And with m = 32?";
        made.interview = "It saves memory.";
        made.tries = {{"m = 32", "It was quicker."}, {"link 0.8 ms", ""}};
        return made;
    }
    static void show(LessonPanel& panel) {
        setTheme(Theme::make(ThemeKind::Light));
        panel.walk().setLesson(lesson());
        panel.resize(372, 800);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
    }

private slots:
    void revealWaitsForTheGuess() {
        LessonPanel panel;
        show(panel);
        QCOMPARE(panel.walk().step(), LessonStep::Look);
        QVERIFY(panel.walk().numbersHidden());
        QTest::mouseClick(panel.nextButton(), Qt::LeftButton);
        QCOMPARE(panel.walk().step(), LessonStep::Guess);
        QVERIFY(!panel.nextButton()->isEnabled());
        panel.walk().goTo(LessonStep::Reveal);
        QTest::mouseClick(panel.stepBar(), Qt::LeftButton, {},
                          panel.stepBar()->stepRect(2).center().toPoint());
        QCOMPARE(panel.walk().step(), LessonStep::Guess);
        QVERIFY(!panel.revealShown());

        QSignalSpy guessed(&panel.walk(), &LessonWalk::guessed);
        QTest::mouseClick(panel.choices()[0], Qt::LeftButton);
        QVERIFY(panel.why().isEmpty());
        QTest::mouseClick(panel.choices()[1], Qt::LeftButton);
        QVERIFY(panel.why().isEmpty());  // not before the reveal
        QCOMPARE(guessed.last().at(0).toInt(), 1);
        QCOMPARE(guessed.last().at(1).toBool(), false);
        QVERIFY(panel.walk().numbersHidden());
        QCOMPARE(panel.choices()[2]->verdict(), ChoiceCard::Verdict::Open);
        QTest::mouseClick(panel.nextButton(), Qt::LeftButton);
        QCOMPARE(panel.walk().step(), LessonStep::Reveal);
        QVERIFY(!panel.walk().numbersHidden());
        QVERIFY(panel.revealShown());
        QCOMPARE(panel.choices()[2]->verdict(), ChoiceCard::Verdict::Right);
        QCOMPARE(panel.why(), QString("It saves memory."));
        QTest::mouseClick(panel.choices()[2], Qt::LeftButton);  // too late
        QCOMPARE(panel.walk().guess(), 1);
        QVERIFY(panel.choices()[1]->isChecked());
    }

    // Three runs beside each other, in the narrowest panel: their heads are read whole, none over another.
    void headsOfThreeRunsAreWhole() {
        setTheme(Theme::make(ThemeKind::Light));
        const QStringList heads{"A  1F1B, m = 8", "B  1F1B, m = 3", "C  GPipe, m = 8"};
        PaintRecorder recorder(QSize(322, 200));
        QPainter painter(&recorder);
        paintComparison(painter, QRectF(0, 0, 322, 200), {"In flight", heads, {{"Rank 0", {4, 3, 8}}}}, 1);
        painter.end();
        double left = 0;
        QStringList drawn;
        for (const PaintRecorder::Text& text : recorder.texts) {
            if (!heads.contains(text.text)) continue;
            drawn << text.text;
            QVERIFY(text.place.left() > left);
            left = text.place.right();
        }
        QCOMPARE(drawn, heads);
        QVERIFY(left <= 322);
    }

    // More ranks than rows: what is left out has a row of its own.
    void aLongStackSaysThatRanksAreLeftOut() {
        setTheme(Theme::make(ThemeKind::Light));
        for (const int p : {6, 8}) {
            StackPicture picture;
            picture.setStack(bubbleStack("whole", p, 1, 8));
            picture.resize(400, picture.sizeHint().height());
            PaintRecorder recorder(picture.size());
            picture.render(&recorder);
            QStringList rows;
            for (const PaintRecorder::Text& text : recorder.texts)
                if (text.text.startsWith("Rank") || text.text == u"…") rows << text.text;
            const QString before_last = p == 6 ? "Rank 4" : "…", last = p == 6 ? "Rank 5" : "Rank 7";
            QCOMPARE(rows, (QStringList{"Rank 0", "Rank 1", "Rank 2", "Rank 3", before_last, last}));
        }
    }

    // The reveal opens with what has run; further runs wait until the lesson's own are there.
    void guessDoesNotWaitForTheRuns() {
        LessonPanel panel;
        show(panel);
        panel.walk().setProgress("iteration 1 of 12");
        panel.walk().goTo(LessonStep::Guess);
        QVERIFY(!panel.nextButton()->isEnabled());
        QTest::mouseClick(panel.choices()[0], Qt::LeftButton);
        QVERIFY(panel.nextButton()->isEnabled());
        QTest::mouseClick(panel.nextButton(), Qt::LeftButton);
        QVERIFY(panel.revealShown() && panel.settlingText().isEmpty());
        LessonData data = panel.walk().lesson();
        data.settling = "1 of 12 iterations have run.";
        panel.walk().setLesson(data);
        QCOMPARE(panel.settlingText(), data.settling);
        QVERIFY(!panel.tryButtons().front()->isEnabled());
        const auto says_why = [&] {
            for (const Label* label : panel.findChildren<Label*>())
                if (label->isVisible() && label->text() == "after these iterations") return true;
            return false;
        };
        QVERIFY(says_why());
        data.settling.clear();
        panel.walk().setLesson(data);
        QVERIFY(panel.settlingText().isEmpty() && panel.tryButtons().front()->isEnabled());
        QVERIFY(!says_why());
    }

    // What comes with the last iteration stands below what is read.
    void nothingMovesUnderWhoReadsTheReveal() {
        LessonPanel panel;
        LessonData data = lesson();
        data.source = "The numbers are those of each run's median iteration.";
        data.settling = "11 of 12 iterations have run. The numbers of B are predicted; all settle while you read.";
        show(panel);
        panel.walk().setLesson(data);
        panel.walk().goTo(LessonStep::Guess);
        panel.walk().choose(0);
        panel.walk().goTo(LessonStep::Reveal);
        const auto tops = [&] {
            for (int step = 0; step < 8; ++step)  // heights follow widths
                QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
            std::vector<int> all;
            for (const QWidget* part : panel.findChildren<QWidget*>()) {
                const auto* label = qobject_cast<const Label*>(part);
                const bool is_read = qobject_cast<const ComparisonTable*>(part) != nullptr ||
                                     (label != nullptr && label->text() == data.reveal);
                if (is_read) all.push_back(part->mapTo(&panel, QPoint(0, 0)).y());
            }
            return all;
        };
        const std::vector<int> before = tops();
        QCOMPARE(before.size(), std::size_t{2});
        data.settling.clear();
        panel.walk().setLesson(data);
        panel.walk().setMark(0, 3, "The first gap.");
        QCOMPARE(tops(), before);
    }

    // A mark comes with the first walk through a lesson; no title and no card below may move then.
    void aMarkTakesNoRoomOfATitle() {
        setTheme(Theme::make(ThemeKind::Light));
        LessonEntry entry{"05", "GPipe or 1F1B: who finishes first?", "p = 4, m = 8.", LessonMark::None, 5, ""};
        entry.minutes = 4;
        const auto heightOf = [&](LessonMark mark) {
            entry.mark = mark;
            LessonCard card(entry, nullptr);
            card.resize(328, 90);
            return card.sizeHint().height();
        };
        QCOMPARE(heightOf(LessonMark::Right), heightOf(LessonMark::None));
    }

    // Runs end while the user answers: the press before must meet the release after.
    void newNumbersLeaveTheCardsUnderThePointer() {
        LessonPanel panel;
        show(panel);
        panel.walk().goTo(LessonStep::Guess);
        ChoiceCard* card = panel.choices()[1];
        card->setFocus();
        QTest::mousePress(card, Qt::LeftButton);
        LessonData more = lesson();
        more.reveal = "270.1 and 269.8 ms.";
        panel.walk().setLesson(more);
        QCOMPARE(panel.choices()[1], card);
        QTest::mouseRelease(card, Qt::LeftButton);
        QCOMPARE(panel.walk().guess(), 1);
        QVERIFY(card->hasFocus());
    }

    void newTextsKeepThePlace() {
        LessonPanel panel;
        show(panel);
        panel.walk().goTo(LessonStep::Guess);
        QTest::keyClick(panel.choices()[2], Qt::Key_Space);
        panel.walk().goTo(LessonStep::Reveal);
        LessonData chinese = lesson();
        chinese.title = QStringLiteral("1F1B 对 GPipe");
        chinese.reveal = QStringLiteral("一样快");
        panel.walk().setLesson(chinese);
        QCOMPARE(panel.walk().step(), LessonStep::Reveal);
        QCOMPARE(panel.walk().guess(), 2);
        QCOMPARE(panel.revealText(), QStringLiteral("一样快"));
        chinese.id = "05";
        panel.walk().setLesson(chinese);
        QCOMPARE(panel.walk().step(), LessonStep::Look);
        QCOMPARE(panel.walk().guess(), -1);
    }

    void walksToTheEndAndTriesMore() {
        LessonPanel panel;
        show(panel);
        QSignalSpy steps(&panel.walk(), &LessonWalk::stepChanged), tried(&panel.walk(), &LessonWalk::tryRun),
            finished(&panel.walk(), &LessonWalk::finished), left(&panel.walk(), &LessonWalk::leave);
        panel.walk().goTo(LessonStep::Guess);
        QTest::mouseClick(panel.choices()[2], Qt::LeftButton);
        QTest::mouseClick(panel.nextButton(), Qt::LeftButton);
        QTest::mouseClick(panel.nextButton(), Qt::LeftButton);
        QCOMPARE(panel.walk().step(), LessonStep::FollowUp);
        QCOMPARE(steps.count(), 3);
        QTest::mouseClick(panel.tryButtons()[1], Qt::LeftButton);
        QCOMPARE(tried.last().first().toInt(), 1);
        QTest::mouseClick(panel.nextButton(), Qt::LeftButton);
        QCOMPARE(finished.last().first().toString(), QStringLiteral("04"));
        QTest::mouseClick(panel.backButton(), Qt::LeftButton);
        QCOMPARE(panel.walk().step(), LessonStep::Reveal);
        QTest::mouseClick(panel.allButton(), Qt::LeftButton);
        QCOMPARE(left.count(), 1);
        panel.walk().setLesson(lesson());  // opened again
        QCOMPARE(panel.walk().step(), LessonStep::Look);
        QCOMPARE(panel.walk().guess(), -1);
    }

    // Nothing but keys, from the first step to the last.
    void theKeyboardIsEnough() {
        LessonPanel panel;
        show(panel);
        panel.setFocus();
        QSignalSpy finished(&panel.walk(), &LessonWalk::finished),
            marks(&panel.walk(), &LessonWalk::nextMark);
        QTest::keyClick(&panel, Qt::Key_3);  // not yet asked
        QVERIFY(!panel.walk().hasGuessed());
        QTest::keyClick(&panel, Qt::Key_Return);
        QCOMPARE(panel.walk().step(), LessonStep::Guess);
        QTest::keyClick(&panel, Qt::Key_Return);  // no guess, no reveal
        QCOMPARE(panel.walk().step(), LessonStep::Guess);
        QTest::keyClick(&panel, Qt::Key_9);
        QVERIFY(!panel.walk().hasGuessed());
        QTest::keyClick(&panel, Qt::Key_2);
        QCOMPARE(panel.walk().guess(), 1);
        QTest::keyClick(&panel, Qt::Key_M);
        QCOMPARE(marks.count(), 0);
        panel.walk().setProgress("iteration 3 of 12");  // nothing waits for the runs
        QTest::keyClick(&panel, Qt::Key_Right);
        QCOMPARE(panel.walk().step(), LessonStep::Reveal);
        QTest::keyClick(&panel, Qt::Key_M);
        QCOMPARE(marks.count(), 1);
        QSignalSpy tried(&panel.walk(), &LessonWalk::tryRun);
        QVERIFY(panel.tryButtons()[1]->text().startsWith("2   "));
        QVERIFY(panel.choices()[2]->text().startsWith("3   "));
        QTest::keyClick(&panel, Qt::Key_2);
        QTest::keyClick(&panel, Qt::Key_3);  // there are two
        QCOMPARE(tried.count(), 1);
        QCOMPARE(tried.last().first().toInt(), 1);
        QCOMPARE(panel.walk().guess(), 1);
        panel.tryButtons()[0]->setFocus();  // what has the focus comes before the next step
        QTest::keyClick(panel.tryButtons()[0], Qt::Key_Return);
        QCOMPARE(tried.count(), 2);
        QCOMPARE(panel.walk().step(), LessonStep::Reveal);
        panel.setFocus();
        QTest::keyClick(&panel, Qt::Key_Left);
        QTest::keyClick(&panel, Qt::Key_Enter);
        QTest::keyClick(&panel, Qt::Key_Enter);
        QTest::keyClick(&panel, Qt::Key_Enter);
        QCOMPARE(finished.count(), 1);
    }

    // Enter walks through what is marked before it goes on; there is a button for it, too.
    void enterWalksThroughTheMarks() {
        LessonPanel panel;
        show(panel);
        LessonWalk& walk = panel.walk();
        QSignalSpy marks(&walk, &LessonWalk::nextMark), tunes(&walk, &LessonWalk::tune);
        walk.goTo(LessonStep::Guess);
        walk.choose(2);
        walk.goTo(LessonStep::Reveal);
        QVERIFY(panel.marksButton()->isHidden());
        walk.setMark(0, 2, "idle 5.0 ms");
        QCOMPARE(panel.markText(), QString("idle 5.0 ms"));
        QVERIFY(panel.marksButton()->isVisible() && panel.marksButton()->text().contains("1 of 2"));
        panel.setFocus();
        QTest::keyClick(&panel, Qt::Key_Return);
        QCOMPARE(marks.count(), 1);
        QCOMPARE(walk.step(), LessonStep::Reveal);
        walk.setMark(1, 2, {});
        QVERIFY(panel.markText().isEmpty());
        panel.marksButton()->click();
        QCOMPARE(marks.count(), 2);
        panel.setFocus();
        QTest::keyClick(&panel, Qt::Key_Return);
        QCOMPARE(walk.step(), LessonStep::FollowUp);
        QCOMPARE(marks.count(), 2);
        QVERIFY(panel.tuneButton()->isHidden());
        LessonData data = lesson();
        data.tune = "Tune: m = 4, 8 at 64 samples";
        walk.setLesson(data);
        QVERIFY(panel.tuneButton()->isVisible());
        panel.tuneButton()->click();
        QCOMPARE(tunes.count(), 1);
    }

    void anEstimateIsTyped() {
        LessonPanel panel;
        LessonData asking = lesson();
        asking.asks_number = true;
        asking.number_unit = "MB";
        show(panel);
        panel.walk().setLesson(asking);
        panel.walk().goTo(LessonStep::Guess);
        QVERIFY(panel.numberField()->isVisible() && !panel.choices()[0]->isVisible());
        QTest::keyClick(&panel, Qt::Key_2);
        QVERIFY(!panel.walk().hasGuessed());
        panel.numberField()->setFocus();
        QTest::keyClick(panel.numberField(), Qt::Key_Escape);  // nothing, and that is an estimate, too
        QCOMPARE(panel.walk().estimate(), std::optional(0.0));
        QVERIFY(panel.hasFocus());
        QCOMPARE(panel.walk().step(), LessonStep::Guess);
        panel.numberField()->setValue(12.5);
        QCOMPARE(panel.walk().estimate(), std::optional(12.5));
        panel.numberField()->setFocus();
        QTest::keyClick(panel.numberField(), Qt::Key_Return);  // one Enter gives it and shows the answer
        QCOMPARE(panel.walk().step(), LessonStep::Reveal);
        panel.walk().setEstimate(LessonEstimate{false, "your estimate is 12.5, the run says 17.9"});
        QCOMPARE(panel.why(), QString("your estimate is 12.5, the run says 17.9"));
        panel.walk().setEstimate(LessonEstimate{true, "close"});
        QCOMPARE(panel.why(), QString("Right: close"));
        asking.id = "another";
        panel.walk().setLesson(asking);
        QTest::keyClick(&panel, Qt::Key_Return);
        QCOMPARE(panel.focusWidget(), panel.numberField());
        QTest::keyClicks(panel.focusWidget(), "3");
        QTest::keyClick(panel.focusWidget(), Qt::Key_Return);
        QCOMPARE(panel.walk().estimate(), std::optional(3.0));
        QCOMPARE(panel.walk().step(), LessonStep::Reveal);
    }

    // However long a sentence, in a column as narrow as it gets, with a scroll bar.
    void nothingIsCutOff() {
        LessonPanel panel;
        LessonData wordy = lesson();
        wordy.source =
            "The numbers are those of each run's median iteration. Runs of equal stages share their "
            "durations. Other programs ran on this machine during the run.";
        wordy.tries[0].title = wordy.source;
        wordy.contradicted = true;
        show(panel);
        panel.walk().setLesson(wordy);
        panel.walk().goTo(LessonStep::Guess);
        QTest::keyClick(&panel, Qt::Key_1);
        panel.resize(372, 300);
        auto* area = panel.findChild<QScrollArea*>();
        for (const LessonStep step : {LessonStep::Reveal, LessonStep::FollowUp}) {
            panel.walk().goTo(step);
            QTRY_VERIFY2(
                area->widget()->width() <= area->viewport()->width(),
                qPrintable(QString("%1 > %2").arg(area->widget()->width()).arg(area->viewport()->width())));
        }
    }

    // Runs that show something else are made again; what a try shows stands under its button.
    void runsAreMadeAgainAndTriesHaveWords() {
        LessonPanel panel;
        show(panel);
        panel.walk().goTo(LessonStep::Guess);
        QTest::keyClick(&panel, Qt::Key_1);
        panel.walk().goTo(LessonStep::Reveal);
        QVERIFY(!panel.againButton()->isVisible());
        LessonData contradicted = lesson();
        contradicted.contradicted = true;
        panel.walk().setLesson(contradicted);
        QSignalSpy again(&panel.walk(), &LessonWalk::again);
        QVERIFY(panel.againButton()->isVisible());
        QTest::mouseClick(panel.againButton(), Qt::LeftButton);
        QCOMPARE(again.count(), 1);
        QVERIFY(panel.afterText().isEmpty());
        panel.walk().setTry(0);
        QCOMPARE(panel.afterText(), QString("It was quicker."));
        panel.walk().setTry(1);
        QVERIFY(panel.afterText().isEmpty());
    }

    // Where a lesson stands: how long it takes, what comes before it, what to read after it.
    void aLessonSaysItsPlace() {
        LessonPanel panel;
        show(panel);
        QCOMPARE(panel.placeText(), QString("Lesson 4 of 8"));
        QVERIFY(panel.buildsOnText().isEmpty() && panel.referencesText().isEmpty());
        LessonData placed = lesson();
        placed.minutes = 4;
        placed.builds_on = "Builds on lesson 2.";
        placed.references = "arXiv:2006.09503";
        panel.walk().setLesson(placed);
        QVERIFY(panel.placeText().contains("4 min"));
        QCOMPARE(panel.buildsOnText(), placed.builds_on);
        QVERIFY(panel.referencesText().isEmpty());
        panel.walk().choose(2);
        panel.walk().goTo(LessonStep::FollowUp);
        QVERIFY(panel.buildsOnText().isEmpty());
        QCOMPARE(panel.referencesText(), placed.references);
    }

    void everythingGrowsWithTheScale() {
        LessonPanel panel;
        show(panel);
        const auto left = [&panel] { return panel.backButton()->x(); };
        QCOMPARE(left(), 20);
        setTheme(Theme::make(ThemeKind::Light, ColourScheme::Bubblescope, 1.5));
        QTRY_COMPARE(left(), 30);
    }

    void listOpensLessons() {
        LessonList list;
        setTheme(Theme::make(ThemeKind::Dark));
        list.setLessons({{"01", "Nobody works together", "p = 4", LessonMark::Right, 1, "Basics"},
                         {"02", "Micro-batches", "m grows", LessonMark::None, 2, "Core"}});
        list.resize(372, 600);
        list.show();
        QSignalSpy opened(&list, &LessonList::openLesson);
        QTest::mouseClick(list.card(1), Qt::LeftButton);
        QCOMPARE(opened.last().first().toString(), QStringLiteral("02"));
        list.setPaths({{"a", "Backwards", "About it.", {{"", {2, 1}}}},
                       {"b", "Short", "", {{"", {2}}}},
                       {"c", "Other", "", {{"Week 1", {1}, {"Homework."}}, {"Week 2", {2}}}}});
        QTest::mouseClick(list.paths()->segment(1), Qt::LeftButton);
        QCOMPARE(list.card(0)->text(), QStringLiteral("Micro-batches"));
        QCOMPARE(list.card(1)->text(), QStringLiteral("Nobody works together"));
        QTest::mouseClick(list.paths()->segment(2), Qt::LeftButton);
        QCOMPARE(list.count(), 1);
        QTest::mouseClick(list.paths()->segment(3), Qt::LeftButton);  // week by week, with what goes with it
        QCOMPARE(list.count(), 2);
        QStringList lines;
        for (const Label* line : list.findChildren<Label*>()) lines << line->text();
        QVERIFY(lines.contains("Week 2") && lines.contains("Homework."));
        QTest::mouseClick(list.paths()->segment(0), Qt::LeftButton);
        QVERIFY(!list.hint().contains("minutes"));
        LessonEntry first{"03", "Only one", "", LessonMark::None, 1},
            second{"04", "Another", "", LessonMark::None, 2};
        first.minutes = 3;
        second.minutes = 4;
        second.after = {1};
        list.setLessons({first});
        const int low = list.card(0)->sizeHint().height();
        QCOMPARE(list.count(), 1);
        list.setLessons({first, second});
        QVERIFY2(list.hint().startsWith("2 lessons, about 7 minutes"), qPrintable(list.hint()));
        QVERIFY(list.card(1)->accessibleDescription().contains("4 min"));
        QVERIFY(list.card(1)->accessibleDescription().contains("builds on 1"));
        first.minutes = 0;
        list.setLessons({first});
        QVERIFY(list.card(0)->sizeHint().height() < low);
    }

    // Its lessons are one stop of Tab; arrows go from one to the next, which the list scrolls to.
    void listIsOneStop() {
        LessonList list;
        std::vector<LessonEntry> lessons;
        for (int n = 1; n <= 20; ++n)
            lessons.push_back({QString::number(n), "A lesson", "About it", LessonMark::None, n});
        list.setLessons(lessons);
        list.resize(372, 200);
        list.show();
        QVERIFY(QTest::qWaitForWindowActive(&list));
        list.card(0)->setFocus();
        const auto press = [](Qt::Key key) {
            QTest::keyClick(QApplication::focusWidget(), key);
            return QApplication::focusWidget();
        };
        QCOMPARE(press(Qt::Key_Up), list.card(0));
        QCOMPARE(press(Qt::Key_Down), list.card(1));
        QCOMPARE(press(Qt::Key_End), list.card(19));
        QVERIFY(list.viewport()->rect().contains(
            list.card(19)->mapTo(list.viewport(), list.card(19)->rect().center())));
        QCOMPARE(press(Qt::Key_Down), list.card(19));
        QCOMPARE(press(Qt::Key_Up), list.card(18));
        int stops = 0;
        while (press(Qt::Key_Tab) != list.card(18)) QVERIFY(++stops < 8);
        QSignalSpy opened(&list, &LessonList::openLesson);
        press(Qt::Key_Space);
        QCOMPARE(opened.last().first().toString(), QStringLiteral("19"));
        QCOMPARE(press(Qt::Key_Home), list.card(0));
        lessons[0].mark = LessonMark::Right;  // the same list: the place stays
        list.card(5)->setFocus();
        list.setLessons(lessons);
        QCOMPARE(list.card(5)->focusPolicy(), Qt::StrongFocus);
        QCOMPARE(list.card(0)->focusPolicy(), Qt::ClickFocus);
    }

    void glossaryIsFoundByAnyName() {
        GlossaryDialog dialog;
        dialog.show();
        QVERIFY(QTest::qWaitForWindowActive(&dialog));
        QTest::keyClick(dialog.focusWidget(), Qt::Key_Escape);
        QVERIFY(!dialog.isVisible());
        setTheme(Theme::make(ThemeKind::Light));
        QCOMPARE(dialog.shownTerms(), static_cast<int>(glossary().size()));
        const auto search = [&](const QString& text) {
            dialog.searchField()->setText(text);
            return dialog.shownText();
        };
        QVERIFY(search("VPP").contains("virtual pipeline"));
        QVERIFY(search(QStringLiteral("掉队者")).contains("straggler"));
        QVERIFY(search("RE-MATERIALISATION").contains(QStringLiteral("激活重计算")));
        // Megatron-LM's sequence parallelism and context parallelism are two things; a reduce is not an
        // all-reduce.
        const QString context = search("context parallelism");
        QVERIFY2(context.contains("Another thing than sequence parallelism"), qPrintable(context));
        QVERIFY(search(QStringLiteral("全归约")).contains("all-reduce"));
        for (const GlossaryTerm& term : glossary())
            QVERIFY(QString::fromUtf8(term.chinese) != QStringLiteral("归约"));
        search("no such word");
        QCOMPARE(dialog.shownTerms(), 0);
        for (const GlossaryTerm& term : glossary())
            for (const char* text : {term.english, term.chinese, term.meaning_en, term.meaning_zh})
                QVERIFY(*text != '\0');
    }

    void termsOfATextComeFirst() {
        const auto english = [](const QString& text) {
            QStringList names;
            for (const GlossaryTerm* term : termsIn(text)) names << QString::fromUtf8(term->english);
            return names;
        };
        QCOMPARE(english("Two stragglers, VPP"), (QStringList{"virtual pipeline", "straggler"}));
        QCOMPARE(english(QStringLiteral("峰值显存 12 MB")), QStringList{"peak memory"});
        QCOMPARE(english("a stager upstaged it, with dp"), QStringList{});
        QCOMPARE(english("DP"), QStringList{"data parallelism"});
        QCOMPARE(english("ZB-H1"), (QStringList{"zero bubble", "ZB-H1, ZB-H2"}));

        GlossaryDialog dialog(nullptr, QStringLiteral("峰值显存"));
        setTheme(Theme::make(ThemeKind::Light));
        QCOMPARE(dialog.shownTerms(), static_cast<int>(glossary().size()));
        QVERIFY(dialog.shownText().indexOf("peak memory") <
                dialog.shownText().indexOf("pipeline parallelism"));
        QSignalSpy shown(&dialog, &GlossaryDialog::showMe);
        QTest::keyClick(dialog.searchField(), Qt::Key_Return);
        QCOMPARE(shown.size(), 1);
        QCOMPARE(shown.front().front().toString(), QStringLiteral("lesson:how-many-in-flight"));
        dialog.searchField()->setText("CUPTI");
        QVERIFY(!dialog.shownText().contains("Show me"));  // needs a GPU
        QTest::keyClick(dialog.searchField(), Qt::Key_Return);
        QCOMPARE(shown.size(), 1);
    }

    // Each sentence with which reading other programs' files is refused stands once beside what to do about
    // it.
    void helpAnswersEveryRefusal() {
        QMap<QString, int> answered;
        for (const RefusalHelp& help : refusalHelp())
            for (const char* id : help.refusals) ++answered[QString::fromUtf8(id)];
        QSet<QString> refused;
        static const QRegularExpression seam(QStringLiteral("(?<!\\\\)\"\\s*\\n\\s*\"")),
            thrown(QStringLiteral("throw (?:ImportError|MissingStages|SeveralReplicas|TimesContradict)\\((.*?)\\);\\s*\\n"),
                   QRegularExpression::DotMatchesEverythingOption),
            said(QStringLiteral("\\bsentence\\(\\s*\"((?:[^\"\\\\]|\\\\.)*)\""));
        for (const char* module : {"import", "cli"})
            for (QDirIterator each(QStringLiteral(BUBBLESCOPE_SOURCE_DIR "/engine/") + module,
                                   {"*.cpp", "*.h"}, QDir::Files, QDirIterator::Subdirectories);
                 each.hasNext();) {
                QFile file(each.next());
                QVERIFY(file.open(QIODevice::ReadOnly));
                const QString text = QString::fromUtf8(file.readAll()).remove(seam);
                for (auto found = thrown.globalMatch(text); found.hasNext();)
                    for (auto id = said.globalMatch(found.next().captured(1)); id.hasNext();)
                        refused << id.next().captured(1).replace(QStringLiteral("\\\""),
                                                                 QStringLiteral("\""));
            }
        QVERIFY(refused.size() > 50);
        for (const QString& id : refused) QVERIFY2(answered.value(id) == 1, qPrintable(id));
        for (auto id = answered.begin(); id != answered.end(); ++id)
            QVERIFY2(refused.contains(id.key()), qPrintable(id.key()));
        HelpDialog help(nullptr, HelpDialog::Page::Imports);
        QVERIFY(help.shownText().contains("no file runs stage …: the files of other ranks are missing"));
    }

    void helpListsTheKeysOfTheMenus() {
        QMainWindow window;
        QMenu* menu = window.menuBar()->addMenu("&Go");
        QAction* zoom = menu->addAction("Zoom &in");
        zoom->setShortcuts({QKeySequence(Qt::Key_W), QKeySequence(Qt::Key_Plus)});
        HelpDialog help(&window);
        setTheme(Theme::make(ThemeKind::Light));
        QVERIFY(help.shownText().contains("Zoom in"));
        QVERIFY(help.shownText().contains("W, +"));
        help.show();
        QTest::mouseClick(help.pages()->segment(2), Qt::LeftButton);
        QVERIFY(help.shownText().contains("IMPORTED"));
        QTest::mouseClick(help.pages()->segment(3), Qt::LeftButton);
        QVERIFY(help.shownText().contains("GPL-3.0-or-later"));
    }
};

BUBBLESCOPE_WINDOW_TEST(TestLessonPanel)

}  // namespace tst_lesson_panel

#include "tst_lesson_panel.moc"
