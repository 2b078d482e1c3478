// The dock: what it prints is what the report says, differences are those of printed numbers, the formula has
// p, v and m put in, the waterfall adds up.
#include <QTest>

#include "catalog/catalog.h"
#include "formula.h"
#include "registered_test.h"
#include "reported_view.h"
#include "timeline/mean_durations.h"
#include "widgets/controls/figure_table.h"
#include "widgets/controls/scroll_fade.h"
#include "widgets/dock/numbers_dock.h"
#include "widgets/text/format.h"

namespace tst_numbers_dock {

using namespace bscope;
using namespace bscope::ui;

class TestNumbersDock : public QObject {
    Q_OBJECT

private slots:
    // A piece of a stream has no theory to lead from.
    void aStreamHasNoWaterfall() {
        IterationView stream = reportedView({.schedule = "pipedream"});
        auto later = std::make_shared<Timeline>(stream.ran->ranks(), Provenance::Reconstructed);
        for (int rank = 0; rank < stream.ran->ranks(); ++rank)
            for (Event each : stream.ran->compute(rank)) {
                if (each.op == Op::Backward && each.microbatch == 0) continue;  // of the iteration before
                each.weight_version = 3;
                later->append(each);
            }
        stream.ran = later;
        stream.summary = summarize(*later, stream.iteration);
        stream.first_microbatch = 0;
        QVERIFY(stream.summary->is_stream);
        ViewState state;
        NumbersDock dock(state);
        dock.setView(stream);
        QVERIFY(dock.waterfall().isHidden());
    }

    // What counts as a stream's iteration is said where its bubble is.
    void theDefinitionFitsAStream() {
        QVERIFY(!definitionText(BubbleDefinition::OfTotal, false).contains("iteration before"));
        for (const BubbleDefinition definition : {BubbleDefinition::OfTotal, BubbleDefinition::OfIdeal})
            QVERIFY(definitionText(definition, true).contains("iteration before"));
    }

    void differencesAreThoseOfPrintedNumbers() {
        ViewState state;
        NumbersDock dock(state);
        setTheme(Theme::make(ThemeKind::Light));
        dock.setView(reportedView());
        const std::vector<BarRow>& rows = dock.bubble().rows().rows();
        QCOMPARE(rows.size(), 3u);
        const auto printed = [](const QString& text) {
            QString number = plain(text).section(' ', 0, 0);
            return number.replace(QChar(0x2212), '-').toDouble();
        };
        for (const BarRow& row : rows) {
            if (row.remark.isEmpty()) continue;
            QCOMPARE(QString::number(printed(row.value) - printed(rows.front().value), 'f', 1),
                     QString::number(printed(row.remark), 'f', 1));
        }
        QCOMPARE(dock.bubble().bigNumber(), rows.front().value);
        QCOMPARE(rows[2].value, shareText(3.0 / 11.0));
    }

    void formulaHasTheValuesPutIn_data() {
        QTest::addColumn<QString>("schedule");
        QTest::addColumn<int>("v");
        QTest::addColumn<int>("definition");
        QTest::addColumn<QString>("numbers");
        QTest::newRow("1f1b") << "1f1b" << 1 << 0 << "= 3 / (8 + 3) = 27.3 %";
        QTest::newRow("1f1b of ideal") << "1f1b" << 1 << 1 << "= 3 / 8 = 37.5 %";
        QTest::newRow("interleaved") << "interleaved" << 2 << 0 << "= 3 / (2×8 + 3) = 15.8 %";
        QTest::newRow("interleaved of ideal") << "interleaved" << 2 << 1 << "= 3 / (2×8) = 18.8 %";
        QTest::newRow("naive") << "naive" << 1 << 0 << "= 3 / 4 = 75.0 %";
    }

    void formulaHasTheValuesPutIn() {
        QFETCH(QString, schedule);
        QFETCH(int, v);
        QFETCH(int, definition);
        QFETCH(QString, numbers);
        ViewState state;
        state.setBubbleDefinition(static_cast<BubbleDefinition>(definition));
        NumbersDock dock(state);
        setTheme(Theme::make(ThemeKind::Light));
        SampleOptions options;
        options.schedule = schedule.toStdString();
        options.v = v;
        options.ran = false;
        dock.setView(reportedView(options));
        QCOMPARE(plain(dock.bubble().formulaNumbers()), numbers);
    }

    // With the costs of the run, which differ between F, I and W and from stage to stage.
    void everyFormulaEvaluatesToItsNumber() {
        int with_durations = 0, whole = 0;
        for (const CatalogEntry& entry : catalog())
            for (const int m : {4, 8})
                for (const int definition : {0, 1}) {
                    SampleOptions options;
                    options.schedule = entry.name;
                    options.v = defaultChunks(entry);
                    options.m = m;
                    if (!scheduleProblems(entry.name, {options.p, options.v, m, 0}).empty()) continue;
                    ViewState state;
                    state.setBubbleDefinition(static_cast<BubbleDefinition>(definition));
                    NumbersDock dock(state);
                    setTheme(Theme::make(ThemeKind::Light));
                    dock.setView(reportedView(options));
                    QString text = plain(dock.bubble().formulaNumbers());
                    QVERIFY2(dock.widget()->minimumSizeHint().width() <= dock.minimumWidth(),
                             entry.name);  // nothing is cut off
                    if (text.isEmpty()) continue;
                    text.replace(QChar(0x2212), '-').replace(QChar(0x00D7), '*').remove(' ');
                    const QStringList parts = text.split('=', Qt::SkipEmptyParts);
                    QCOMPARE(parts.size(), 2);
                    RealFormula formula(parts[0].toStdString());
                    const double value = 100 * formula.value();
                    QVERIFY2(formula.isWhole(), qPrintable(text));
                    QVERIFY2(std::abs(value - parts[1].chopped(1).toDouble()) < 0.06, qPrintable(text));
                    ++whole;
                    if (entry.idle_formula[0] != '\0') ++with_durations;
                }
        QVERIFY(whole > 30 && with_durations > 8);
    }

    // However many digits the times have.
    void noFormulaIsWiderThanTheDock() {
        int with_durations = 0;
        for (const CatalogEntry& entry : catalog())
            for (const TimeUnit unit : {TimeUnit::Milliseconds, TimeUnit::MedianForward}) {
                SampleOptions options;
                options.schedule = entry.name;
                options.v = defaultChunks(entry);
                options.pace = 2.33613;
                if (!scheduleProblems(entry.name, {options.p, options.v, options.m, 0}).empty()) continue;
                ViewState state;
                state.setTimeUnit(unit);
                NumbersDock dock(state);
                setTheme(Theme::make(ThemeKind::Light));
                IterationView view = reportedView(options);
                view.report->costs = sampleCosts(options.p * options.v, options.v, true, options.pace);
                dock.setView(view);
                dock.resize(dock.minimumWidth(), 700);
                dock.show();
                for (const Section* section : dock.findChildren<Section*>())
                    QVERIFY2(section->minimumSizeHint().width() <= dock.minimumWidth(), entry.name);
                QCOMPARE(dock.widget()->width(), dock.viewport()->width());
                if (dock.bubble().formulaNumbers().isEmpty()) continue;
                if (entry.idle_formula[0] != '\0') ++with_durations;
            }
        QVERIFY(with_durations >= 8);
    }

    void definitionSwitchChangesEveryNumber() {
        ViewState state;
        NumbersDock dock(state);
        setTheme(Theme::make(ThemeKind::Light));
        dock.resize(284, 900);
        dock.show();
        const IterationView shown = reportedView();
        dock.setView(shown);
        QTest::mouseClick(dock.bubble().definitionSwitch()->segment(1), Qt::LeftButton);
        QCOMPARE(state.bubbleDefinition(), BubbleDefinition::OfIdeal);
        const double x = shown.report->bubble_of_total;
        QCOMPARE(dock.bubble().bigNumber(), shareText(x / (1 - x)));
    }

    // From the closed form to the run: the printed steps add up, in points and in time, in both definitions
    // and units, and name the stage.
    void theWaterfallAddsUpOnScreen() {
        const IterationView shown = reportedView();
        for (const BubbleDefinition definition : {BubbleDefinition::OfTotal, BubbleDefinition::OfIdeal})
            for (const TimeUnit unit : {TimeUnit::Milliseconds, TimeUnit::MedianForward}) {
                ViewState state;
                state.setBubbleDefinition(definition);
                state.setTimeUnit(unit);
                NumbersDock dock(state);
                dock.setView(shown);
                QVERIFY(!dock.waterfall().isHidden());
                const std::vector<FigureRow>& rows = dock.waterfall().table().rows();
                QVERIFY(rows.size() > 3);
                for (const int column : {1, 2}) {
                    const auto number = [&](const FigureRow& row) {
                        return plain(row.cells[column]).replace(QChar(0x2212), '-').toDouble();
                    };
                    double sum = 0;
                    for (std::size_t i = 0; i + 1 < rows.size(); ++i) sum += number(rows[i]);
                    QVERIFY2(std::abs(sum - number(rows.back())) < 1e-6, qPrintable(QString::number(sum)));
                }
                const double x = shown.summary->bubble_of_total;
                const double bubble = definition == BubbleDefinition::OfTotal ? x : x / (1 - x);
                QCOMPARE(rows.back().cells[1], numberText(100 * bubble, 1));
                QVERIFY(rows.front().cells[0].startsWith("theory"));
                QCOMPARE(rows.front().cells[1],
                         numberText(100 * (definition == BubbleDefinition::OfTotal ? 3.0 / 11 : 3.0 / 8), 1));
            }
    }

    // Every number beside the baseline's, from the events, and the printed difference of what is printed.
    void theBaselineIsCompared() {
        ViewState state;
        NumbersDock dock(state);
        SampleOptions options;
        options.m = 12;
        const IterationView shown = sampleView(options), baseline = sampleView();
        dock.setView(shown);
        QVERIFY(dock.comparison().isHidden());
        dock.setBaseline(baseline);
        QVERIFY(!dock.comparison().isHidden());
        const auto row = [&](const QString& name) {
            for (const FigureRow& each : dock.comparison().table().rows())
                if (plain(each.cells[0]) == name) return each.cells;
            return QStringList();
        };
        const auto ms = [](std::int64_t ns) { return numberText(static_cast<double>(ns) / 1e6, 1); };
        QCOMPARE(row("iteration")[1], ms(baseline.summary->iteration_ns));
        QCOMPARE(row("iteration")[2], ms(shown.summary->iteration_ns));
        QCOMPARE(row("bubble, %")[2], numberText(100 * shown.summary->bubble_of_total, 1));
        for (int rank = 0; rank < 4; ++rank) {
            std::int64_t busy_ns = 0;
            for (const Event& event : shown.ran->compute(rank))
                if (isCompute(event.op)) busy_ns += event.end_ns - event.start_ns;
            QCOMPARE(row(QString("Rank %1 busy").arg(rank))[2], ms(busy_ns));
            QCOMPARE(row(QString("Rank %1 idle").arg(rank))[2], ms(shown.summary->iteration_ns - busy_ns));
        }
        for (const FigureRow& each : dock.comparison().table().rows()) {
            const auto number = [&each](int column) {
                return plain(each.cells[column]).replace(QChar(0x2212), '-').toDouble();
            };
            QVERIFY2(std::abs(number(2) - number(1) - number(3)) < 1e-6, qPrintable(each.cells.join(' ')));
        }
        dock.setNumbersHidden(true);
        QVERIFY(dock.comparison().isHidden());
        dock.setNumbersHidden(false);
        IterationView again = baseline;  // the baseline itself, its events read once more
        again.ran = sampleView().ran;
        dock.setView(again);
        QVERIFY(dock.comparison().isHidden());
        dock.setView(shown);
        dock.setBaseline(std::nullopt);
        QVERIFY(dock.comparison().isHidden());
    }

    void shortIterationsAreComparedWithTwoDigits() {
        ViewState state;
        NumbersDock dock(state);
        SampleOptions options;
        options.pace = 1e-3;
        const IterationView baseline = sampleView(options);
        options.m = 12;
        const IterationView shown = sampleView(options);
        dock.setView(shown);
        dock.setBaseline(baseline);
        const QStringList row = dock.comparison().table().rows().front().cells;
        QCOMPARE(row[1], numberText(static_cast<double>(baseline.summary->iteration_ns) / 1e6, 2));
        QCOMPARE(row[2], numberText(static_cast<double>(shown.summary->iteration_ns) / 1e6, 2));
    }

    // With unequal F, I and W theory takes the run's, the waterfall begins with equal ones; both say so.
    void theTwoTheoriesAreNamed() {
        ViewState state;
        NumbersDock dock(state);
        SampleOptions options;
        options.schedule = "zb-h1";
        IterationView shown = sampleView(options);
        shown.report->costs = sampleCosts(4, 1, true);
        const double own =
            closedFormBubble(makeSchedule("zb-h1", shown.config.params), shown.report->costs, Recompute::None)
                .value();
        shown.report->theory_bubble_of_total = own;
        dock.setView(shown);
        const auto theory = std::ranges::find(dock.bubble().rows().rows(), BarLook::Outline, &BarRow::look);
        QVERIFY(theory != dock.bubble().rows().rows().end());
        QCOMPARE(theory->value, shareText(own));
        QVERIFY(theory->tip.contains("this run's mean durations"));
        const FigureRow& first = dock.waterfall().table().rows().front();
        QVERIFY(first.cells[0].endsWith("F = I = W"));
        QCOMPARE(first.cells[1], numberText(100 * 3.0 / (8 * 3 + 3), 1));
        QVERIFY(first.cells[1] != numberText(100 * own, 1));
        options.schedule = "1f1b";
        dock.setView(reportedView(options));
        QVERIFY(
            std::ranges::find(dock.bubble().rows().rows(), BarLook::Outline, &BarRow::look)->tip.isEmpty());
    }

    // A plan has no difference, nor has a piece of a stream a theory.
    void onlyACompleteIterationHasAWaterfall() {
        ViewState state;
        NumbersDock dock(state);
        SampleOptions options;
        options.ran = false;
        dock.setView(sampleView(options));
        QVERIFY(dock.waterfall().isHidden());
    }

    void planSaysThatNothingRan() {
        ViewState state;
        NumbersDock dock(state);
        setTheme(Theme::make(ThemeKind::Light));
        SampleOptions options;
        options.ran = false;
        const IterationView plan = reportedView(options);
        dock.setView(plan);
        QCOMPARE(dock.bubble().bigNumber(), shareText(plan.plan_summary.bubble_of_total));
        QCOMPARE(dock.bubble().rows().rows().front().look, BarLook::Dashed);
        QVERIFY(dock.bubble().note().contains("No iteration is complete"));
    }

    void memoryIsPerRankWithTheRestApart() {
        ViewState state;
        NumbersDock dock(state);
        setTheme(Theme::make(ThemeKind::Light));
        dock.setView(reportedView());
        const std::vector<BarRow>& rows = dock.memory().rows().rows();
        QCOMPARE(rows.size(), 4u);
        QCOMPARE(plain(rows[0].value), QStringLiteral("75.2 MB"));
        QCOMPARE(rows[0].remark, QStringLiteral("4 in flight"));
        QCOMPARE(rows[3].remark, QStringLiteral("1 in flight"));
        QVERIFY(std::abs(rows[0].fraction - 75.2 / 96) < 1e-3);  // the cap is the scale
        QVERIFY(dock.memory().apart().contains("6.3–7.1"));
        QVERIFY(dock.memory().apart().contains("12.6"));
    }

    void littleMemoryHasTwoDigits() {
        ViewState state;
        NumbersDock dock(state);
        setTheme(Theme::make(ThemeKind::Light));
        IterationView tiny = reportedView();
        for (RankReport& rank : tiny.report->ranks) rank.weight_bytes = 43'210;
        dock.setView(tiny);
        QVERIFY2(dock.memory().apart().contains("weights 0.043,"), qPrintable(dock.memory().apart()));
    }

    void pendingChangeGetsItsRow() {
        ViewState state;
        NumbersDock dock(state);
        setTheme(Theme::make(ThemeKind::Light));
        const IterationView shown = reportedView();
        dock.setView(shown);
        SampleOptions options;
        options.m = 12;
        const IterationView next = reportedView(options);
        PendingChange pending{next.config, next.planned, next.plan_summary, 15'200, 37, false};
        pending.tokens_per_s_now = 14'700;  // of the plan in force, not of what the dock shows
        dock.setPending(pending);
        const BarRow& row = dock.bubble().rows().rows().back();
        QCOMPARE(row.look, BarLook::PendingDashed);
        QVERIFY(row.name.contains("m=12"));
        QCOMPARE(dock.rate().throughputNote(), "→ predicted " + rateNumber(15'200));
        dock.setPending(std::nullopt);
        QCOMPARE(dock.bubble().rows().rows().size(), 3u);
    }

    void unitOfTimeIsTheDocks() {
        ViewState state;
        NumbersDock dock(state);
        setTheme(Theme::make(ThemeKind::Light));
        const IterationView shown = reportedView();
        dock.setView(shown);
        QCOMPARE(dock.rate().unit(), QStringLiteral("ms"));
        state.setTimeUnit(TimeUnit::MedianForward);
        QCOMPARE(dock.rate().unit(), QStringLiteral("F"));
        const double forwards = static_cast<double>(shown.summary->iteration_ns) / shown.medianForward_ns();
        QCOMPARE(dock.rate().iteration(), numberText(forwards, 2));
        for (const BarRow& row : dock.detail().causes().causes().rows()) QVERIFY(row.value.endsWith(u'F'));
    }

    void numbersHideBehindAGuess() {
        ViewState state;
        NumbersDock dock(state);
        setTheme(Theme::make(ThemeKind::Light));
        dock.resize(284, 900);
        dock.show();
        dock.setView(reportedView());
        dock.setNumbersHidden(true);
        QVERIFY(!dock.bubble().isVisible());
        dock.setNumbersHidden(false);
        QVERIFY(dock.bubble().isVisible());
    }

    // What was selected while it ran can be read on when its iteration has ended and others have followed.
    void theTableOfASelectionStaysWhenItsIterationEnds() {
        ViewState state;
        NumbersDock dock(state);
        const auto at = [](int iteration, double until) {
            IterationView view = sampleView({.until = until});
            const int by = iteration - view.iteration;
            const auto moved = [&](const Timeline& of) {
                auto other = std::make_shared<Timeline>(of.ranks(), of.provenance());
                for (int rank = 0; rank < of.ranks(); ++rank) {
                    for (Event event : of.compute(rank)) {
                        event.iteration += by;
                        other->append(event);
                    }
                    for (Event event : of.receives(rank)) {
                        event.iteration += by;
                        other->append(event);
                    }
                }
                return other;
            };
            view.ran = moved(*view.ran);
            view.planned = moved(*view.planned);
            view.iteration = iteration;
            return view;
        };
        dock.setView(at(36, 1));
        dock.setShown(at(37, 0.9));
        state.select(Selection{1, {1, Op::Forward, 0}, 37});
        const std::vector<FigureRow> rows = dock.detail().life().rows();
        QCOMPARE(rows.size(), std::size_t{4});
        QVERIFY(!dock.detail().sentence().isEmpty());
        for (const int now : {37, 38, 39}) {
            dock.setView(at(now, 1));
            dock.setShown(at(now + 1, 0.4));
            const std::vector<FigureRow> kept = dock.detail().life().rows();
            QCOMPARE(kept.size(), rows.size());
            for (std::size_t i = 0; i < rows.size(); ++i) QCOMPARE(kept[i].cells, rows[i].cells);
            QVERIFY(!dock.detail().sentence().isEmpty());
            QCOMPARE(dock.detail().aside()->text().startsWith("#38"), now > 37);  // counted from 1
        }
        dock.setShown(at(39, 1));  // paused
        QCOMPARE(dock.detail().life().rows().size(), rows.size());
    }

    // No line looks cut: the foot fades out as long as there is more below it.
    void theFootFadesWhereThereIsMore() {
        ViewState state;
        NumbersDock dock(state);
        dock.resize(284, 260);
        dock.setView(sampleView());
        dock.show();
        const auto* fade = dock.findChild<ScrollFade*>();
        QTRY_VERIFY(fade->isVisible());
        QCOMPARE(fade->geometry().bottom(), dock.viewport()->geometry().bottom());
        dock.verticalScrollBar()->setValue(dock.verticalScrollBar()->maximum());
        QVERIFY(!fade->isVisible());
        dock.resize(284, 3000);
        QTRY_VERIFY(!fade->isVisible());
    }

    // Three sections at first; the rest is opened by a click on its head or by its button, and remembered.
    void theRestIsFoldedUntilItIsOpened() {
        ViewState state;
        QStringList opened;
        {
            NumbersDock dock(state);
            dock.resize(284, 900);
            dock.setView(sampleView());
            dock.show();
            QVERIFY(dock.opened().isEmpty());
            QVERIFY(dock.bubble().isVisible() && dock.rate().isVisible() && dock.memory().rows().isVisible());
            QVERIFY(!dock.detail().causes().isVisible());
            QTest::mouseClick(&dock.detail(), Qt::LeftButton, {}, QPoint(120, 18));
            QVERIFY(dock.detail().causes().isVisible());
            dock.detail().foldButton()->click();
            QVERIFY(!dock.detail().causes().isVisible());
            QTest::keyClick(dock.detail().foldButton(), Qt::Key_Space);
            QVERIFY(dock.detail().causes().isVisible());
            QVERIFY(dock.detail().foldButton()->accessibleName().contains(dock.detail().head()->text()));
            dock.detail().foldButton()->click();
            // What is asked for is never folded.
            state.select(Selection{1, {1, Op::Forward, 0}, 36});
            QVERIFY(dock.detail().life().isVisible());
            state.select(std::nullopt);
            QVERIFY(!dock.detail().causes().isVisible());
            dock.memory().held()->foldButton()->click();
            opened = dock.opened();
            QCOMPARE(opened, QStringList{"held"});
        }
        NumbersDock again(state);
        again.setView(sampleView());
        again.setOpened(opened);
        QCOMPARE(again.opened(), opened);
        QVERIFY(again.memory().held()->isOpen() && !again.detail().isOpen());
    }
};

BUBBLESCOPE_WINDOW_TEST(TestNumbersDock)

}  // namespace tst_numbers_dock

#include "tst_numbers_dock.moc"
