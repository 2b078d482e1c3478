// The dock: what it prints is what the report says, differences are those of printed numbers, the formula has
// p, v and m put in, the waterfall adds up, selection and causes take turns.
#include <QClipboard>
#include <QGuiApplication>
#include <QMap>
#include <QSignalSpy>
#include <QTest>
#include <QTextLayout>
#include <numeric>

#include "../unit/formula.h"
#include "paint_recorder.h"
#include "sample_view.h"
#include "schedule/catalog.h"
#include "timeline/mean_durations.h"
#include "widgets/controls/figure_table.h"
#include "widgets/dock/numbers_dock.h"
#include "widgets/prepared/gap.h"
#include "widgets/text/format.h"

using namespace bscope;
using namespace bscope::ui;

class TestNumbersDock : public QObject {
    Q_OBJECT

    static QString plain(QString text) { return text.replace(QChar(0x00A0), ' '); }

    static IterationView view(const SampleOptions& options = {}) {
        IterationView made = sampleView(options);
        if (!made.report) return made;
        IterationReport& report = *made.report;
        report.provenance = Provenance::Reconstructed;
        report.iteration_ms = static_cast<double>(made.summary->iteration_ns) / 1e6;
        report.bubble_of_total = made.summary->bubble_of_total;
        report.predicted_bubble_of_total = made.plan_summary.bubble_of_total;
        report.predicted_iteration_ms = static_cast<double>(made.plan_summary.iteration_ns) / 1e6;
        report.costs = sampleCosts(options.p * options.v, options.v, false);
        for (int rank = 0; rank < options.p; ++rank) {
            RankReport one;
            one.rank = rank;
            one.weight_bytes = rank == 0 ? 7'100'000 : 6'300'000;
            one.gradient_bytes = 6'300'000;
            one.optimizer_bytes = 12'600'000;
            one.buffer_bytes = 800'000;
            report.ranks.push_back(one);
        }
        return made;
    }

    // Where everything stands when the page is painted for the first time.
    class FirstPaint : public QObject {
    public:
        explicit FirstPaint(QWidget* page) : page_(page) { page->installEventFilter(this); }
        QMap<const QWidget*, QRect> places() const {
            QMap<const QWidget*, QRect> all;
            for (const QWidget* each : page_->findChildren<QWidget*>())
                if (each->isVisible()) all.insert(each, each->geometry());
            return all;
        }
        QMap<const QWidget*, QRect> first;

    protected:
        bool eventFilter(QObject* watched, QEvent* event) override {
            if (watched == page_ && event->type() == QEvent::Paint && first.isEmpty()) first = places();
            return false;
        }

    private:
        QWidget* page_;
    };

private slots:
    // No row comes a moment after the others.
    void theFirstPictureIsWhole_data() {
        QTest::addColumn<int>("change");
        QTest::newRow("first numbers") << 0;
        QTest::newRow("more ranks") << 1;
        QTest::newRow("selection") << 2;
        QTest::newRow("change of language") << 3;
    }

    void theFirstPictureIsWhole() {
        QFETCH(int, change);
        ViewState state;
        NumbersDock dock(state);
        setTheme(Theme::make(ThemeKind::Light));
        dock.resize(284, 760);
        dock.setView(view(change == 0 ? SampleOptions{.ran = false} : SampleOptions{}));
        dock.show();
        QVERIFY(QTest::qWaitForWindowExposed(&dock));
        QTest::qWait(80);
        FirstPaint paint(dock.widget());
        if (change < 2) dock.setView(view(change == 0 ? SampleOptions{} : SampleOptions{.p = 8}));
        if (change == 2) state.select(Selection{1, Action{1, Op::Forward, 2}, 36});
        if (change == 3) {
            QEvent event(QEvent::LanguageChange);
            for (QWidget* each : dock.findChildren<QWidget*>()) QCoreApplication::sendEvent(each, &event);
        }
        dock.widget()->update();
        QTRY_VERIFY(!paint.first.isEmpty());
        const auto first = paint.first;
        QTest::qWait(120);
        QCOMPARE(first, paint.places());
    }

    // The life of a micro-batch ends with the operation that lets go of it, and only what takes a message
    // waits for one.
    void theLifeNamesItsLastOperation() {
        const auto wordsOf = [](const std::string& schedule, Op op) {
            ViewState state;
            NumbersDock dock(state);
            setTheme(Theme::make(ThemeKind::Light));
            dock.resize(284, 1400);
            SampleOptions options;
            options.schedule = schedule;
            const IterationView shown = view(options);
            dock.setView(shown);
            for (const Event& event : shown.ran->compute(1))
                if (event.op == op && event.microbatch == 2)
                    state.select(Selection{1, Action{event.stage, event.op, event.microbatch}, 36});
            dock.setView(shown);
            PaintRecorder recorder(dock.size());
            dock.render(&recorder);
            QStringList words;
            for (const PaintRecorder::Text& text : recorder.texts) words << text.text;
            return words.join(' ');
        };
        const QString one = wordsOf("1f1b", Op::Backward), split = wordsOf("zb-h1", Op::BackwardInput),
                      weight = wordsOf("zb-h1", Op::BackwardWeight),
                      inference = wordsOf("forward-only", Op::Forward);
        QVERIFY2(one.contains("B ends") && one.contains("Waited"), qPrintable(one));
        QVERIFY2(split.contains("W ends") && split.contains("Waited"), qPrintable(split));
        QVERIFY2(weight.contains("W ends") && !weight.contains("Waited"), qPrintable(weight));
        QVERIFY2(inference.contains("F ends"), qPrintable(inference));
    }

    // A piece of a stream has no theory to lead from.
    void aStreamHasNoWaterfall() {
        IterationView stream = view({.schedule = "pipedream"});
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

    void formats() {
        QCOMPARE(plain(shareText(0.3097)), QStringLiteral("31.0 %"));
        QCOMPARE(plain(msText(282.43)), QStringLiteral("282.4 ms"));
        QCOMPARE(plain(msText(1019.2)), QStringLiteral("1019 ms"));
        QCOMPARE(plain(msText(0.8)), QStringLiteral("0.8 ms"));
        QCOMPARE(plain(msText(284'883)), QStringLiteral("284.9 s"));
        QCOMPARE(plain(rateNumber(14500)), QStringLiteral("14.50 k"));
        QCOMPARE(plain(bytesText(75.23e6)), QStringLiteral("75.2 MB"));
        QCOMPARE(plain(bytesText(25.1e9)), QStringLiteral("25.1 GB"));
        QCOMPARE(plain(pointsText(0.3101, 0.3056)),
                 QStringLiteral("−0.4 pt"));  // 30.6 − 31.0, not 30.56 − 31.01
        QCOMPARE(plain(changeText(44.8, 48.2)), QStringLiteral("+7.6 %"));
        QCOMPARE(numberText(-0.04, 1), QStringLiteral("0.0"));
    }

    // However narrow a paragraph is.
    void unitsAndValuesStayOnOneLine() {
        Label label(TextRole::Body);
        label.setText(QStringLiteral("at m = 32 it does 7.21 k tokens/s, with v = 2 more by 12 %."));
        for (int width = 20; width < 300; width += 5) {
            QTextLayout layout(label.text(), label.font());
            layout.beginLayout();
            for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
                line.setLineWidth(width);
                const QString said = label.text().mid(line.textStart(), line.textLength()).trimmed();
                QVERIFY2(!said.endsWith(u'/') && !said.endsWith(u'=') && !said.endsWith(u"12") &&
                             !said.endsWith(u'k'),
                         qPrintable(said));
            }
            layout.endLayout();
        }
    }

    void differencesAreThoseOfPrintedNumbers() {
        ViewState state;
        NumbersDock dock(state);
        setTheme(Theme::make(ThemeKind::Light));
        dock.setView(view());
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
        dock.setView(view(options));
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
                    dock.setView(view(options));
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

    void definitionSwitchChangesEveryNumber() {
        ViewState state;
        NumbersDock dock(state);
        setTheme(Theme::make(ThemeKind::Light));
        dock.resize(284, 900);
        dock.show();
        const IterationView shown = view();
        dock.setView(shown);
        QTest::mouseClick(dock.bubble().definitionSwitch()->segment(1), Qt::LeftButton);
        QCOMPARE(state.bubbleDefinition(), BubbleDefinition::OfIdeal);
        const double x = shown.report->bubble_of_total;
        QCOMPARE(dock.bubble().bigNumber(), shareText(x / (1 - x)));
    }

    // From the closed form to the run: the printed steps add up, in points and in time, in both definitions
    // and units, and name the stage.
    void theWaterfallAddsUpOnScreen() {
        const IterationView shown = view();
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
                QVERIFY(rows.front().cells[0].startsWith("closed form"));
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
        QVERIFY(theory->tip.contains("this run's mean F"));
        const FigureRow& first = dock.waterfall().table().rows().front();
        QVERIFY(first.cells[0].endsWith("F = I = W"));
        QCOMPARE(first.cells[1], numberText(100 * 3.0 / (8 * 3 + 3), 1));
        QVERIFY(first.cells[1] != numberText(100 * own, 1));
        options.schedule = "1f1b";
        dock.setView(view(options));
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

    void wordsAreJoinedAsTheLanguageWants() {
        QCOMPARE(sentencesText({"One.", "Two."}), QStringLiteral("One. Two."));
        QCOMPARE(sentencesText({QStringLiteral("一。"), QStringLiteral("二。")}), QStringLiteral("一。二。"));
        QCOMPARE(sentenceText("there is none"), QStringLiteral("There is none."));
        QCOMPARE(sentenceText("hidden = 3 is odd."), QStringLiteral("hidden = 3 is odd."));
        QCOMPARE(spaced(QStringLiteral("(a)")), QStringLiteral(" (a)"));
        QCOMPARE(spaced(QStringLiteral("（甲）")), QStringLiteral("（甲）"));
        QCOMPARE(listText({"p", "m"}), QStringLiteral("p, m"));
        QCOMPARE(deviceWords("CPU, 2 cores"), QStringLiteral("CPU · 2 cores"));
        QCOMPARE(deviceWords("4 x H200"), QStringLiteral("4 × H200"));
    }

    void planSaysThatNothingRan() {
        ViewState state;
        NumbersDock dock(state);
        setTheme(Theme::make(ThemeKind::Light));
        SampleOptions options;
        options.ran = false;
        const IterationView plan = view(options);
        dock.setView(plan);
        QCOMPARE(dock.bubble().bigNumber(), shareText(plan.plan_summary.bubble_of_total));
        QCOMPARE(dock.bubble().rows().rows().front().look, BarLook::Dashed);
        QVERIFY(dock.bubble().note().contains("No iteration is complete"));
    }

    void memoryIsPerRankWithTheRestApart() {
        ViewState state;
        NumbersDock dock(state);
        setTheme(Theme::make(ThemeKind::Light));
        dock.setView(view());
        const std::vector<BarRow>& rows = dock.memory().rows().rows();
        QCOMPARE(rows.size(), 4u);
        QCOMPARE(plain(rows[0].value), QStringLiteral("75.2 MB"));
        QCOMPARE(rows[0].remark, QStringLiteral("4 in flight"));
        QCOMPARE(rows[3].remark, QStringLiteral("1 in flight"));
        QVERIFY(std::abs(rows[0].fraction - 75.2 / 96) < 1e-3);  // the cap is the scale
        QVERIFY(dock.memory().apart().contains("6.3–7.1"));
        QVERIFY(dock.memory().apart().contains("12.6"));
    }

    void selectionShowsALifeAndEscBringsTheCausesBack() {
        ViewState state;
        NumbersDock dock(state);
        setTheme(Theme::make(ThemeKind::Light));
        dock.setView(view());
        QVERIFY(!dock.detail().showsSelection());
        double shares = 0;
        for (const BarRow& row : dock.detail().causes().causes().rows())
            shares += plain(row.remark).section(' ', 0, 0).toDouble();
        QVERIFY(std::abs(shares - 100) <= 2);
        state.select(Selection{1, {1, Op::Backward, 4}, 36});
        QVERIFY(dock.detail().showsSelection());
        QVERIFY2(dock.detail().sentence().startsWith("B5 on Rank 1, stage 1:"),
                 qPrintable(dock.detail().sentence()));
        const std::vector<FigureRow>& rows = dock.detail().life().rows();
        QCOMPARE(rows.size(), 4u);
        QCOMPARE(rows[1].look, FigureRow::Look::Marked);
        for (const FigureRow& row : rows) {  // held = printed end − printed start
            const double held = row.cells[2].toDouble() - row.cells[1].toDouble();
            QCOMPARE(QString::number(held, 'f', 1), row.cells[3]);
        }
        state.select(std::nullopt);
        QVERIFY(!dock.detail().showsSelection());
    }

    // A box that is reached by keys says what its card says: its bytes and who gives them back, its slack.
    void aSelectedBoxSaysWhatItDoesToOthers() {
        ViewState state;
        NumbersDock dock(state);
        const IterationView shown = view();
        dock.setView(shown);
        const PreparedView prepared(shown);
        const Notation notation = notationOf(state, shown);
        int critical = 0, with_slack = 0;
        for (const Event& event : shown.ran->compute(1)) {
            if (event.microbatch < 0 || event.bytes <= 0) continue;
            state.select(Selection{1, event.action(), event.iteration});
            const QString sentence = plain(dock.detail().sentence());
            const bool takes = event.op == Op::Forward;
            const QString size = plain(bytesText(static_cast<double>(event.bytes)));
            const QString other =
                (takes ? "freed by B" : "taken by F") + QString::number(event.microbatch + 1);
            QVERIFY2(sentence.contains((takes ? "Takes " : "Frees ") + size + ", " + other + " at "),
                     qPrintable(sentence));
            const auto slack_ns = prepared.analysis()->slackOf(event);
            QVERIFY(slack_ns);
            if (*slack_ns == 0)
                QVERIFY2(sentence.contains("It is on the critical path."), qPrintable(sentence));
            else
                QVERIFY2(sentence.contains("Slack " +
                                           plain(notation.duration(static_cast<double>(*slack_ns))) + '.'),
                         qPrintable(sentence));
            ++(*slack_ns == 0 ? critical : with_slack);
        }
        QVERIFY(critical > 0 && with_slack > 0);
    }

    // What lasts less than the last decimal is not printed as nothing.
    void shortTimesHaveTheDecimalsThatTheyNeed() {
        Notation ms;
        QCOMPARE(ms.fineFor(22e3).length(4.1e6, 4.122e6), QString("0.02"));
        QCOMPARE(ms.fineFor(22e3).number(4.1e6), QString("4.10"));
        QCOMPARE(ms.fineFor(3e5).number(4.1e6), ms.number(4.1e6));
        QCOMPARE(ms.fineFor(0).number(4.1e6), ms.number(4.1e6));
        QCOMPARE(ms.fineFor(150).length(4.1e6, 4.1e6 + 150), QString("0.00015"));
        Notation forwards;
        forwards.unit = TimeUnit::MedianForward;
        forwards.median_forward_ns = 1e6;
        QCOMPARE(forwards.fineFor(4e3).length(4.1e6, 4.104e6), QString("0.004"));
        QCOMPARE(forwards.fineFor(4e5).length(4.1e6, 4.5e6), QString("0.40"));
    }

    // The two right columns of these tables stand apart.
    void headsOfTheTablesDoNotTouch() {
        ViewState state;
        NumbersDock dock(state);
        setTheme(Theme::make(ThemeKind::Light));
        state.setLayers([&] {
            Layers layers = state.layers();
            layers.critical_path = true;
            return layers;
        }());
        dock.resize(284, 2000);
        const IterationView shown = view();
        dock.setView(shown);
        state.selectGap(gapsBySize(PreparedView(shown)).front());
        dock.show();
        int seen = 0;
        for (const FigureTable* table : dock.findChildren<FigureTable*>()) {
            if (!table->isVisible() || table->header().size() != 3 || table->header()[2].isEmpty()) continue;
            const QFontMetricsF metrics(currentTheme().font(11.5));
            QVERIFY2(table->columnWidth(2) >= metrics.horizontalAdvance(table->header()[2]) + 6,
                     qPrintable(table->header().join('|')));
            ++seen;
        }
        QVERIFY(seen >= 4);
    }

    void oneRankIsNoSum() {
        ViewState state;
        NumbersDock dock(state);
        dock.setView(view({.p = 1}));
        QCOMPARE(dock.detail().aside()->text(), QString("of one rank"));
    }

    // Every gap: length and share of the idle time, its causes, and the chain from its end back.
    void everyGapIsToldFromTheEvents() {
        for (const TimeUnit unit : {TimeUnit::Milliseconds, TimeUnit::MedianForward}) {
            ViewState state;
            state.setTimeUnit(unit);
            NumbersDock dock(state);
            setTheme(Theme::make(ThemeKind::Light));
            const IterationView shown = view();
            dock.setView(shown);
            const PreparedView prepared(shown);
            double idle_ns = 0, shares = 0;
            for (const IdleGap& gap : shown.summary->gaps)
                idle_ns += static_cast<double>(gap.end_ns - gap.start_ns);
            const std::vector<GapSelection> gaps = gapsBySize(prepared);
            const Notation notation = notationOf(state, shown);
            const QString unit_name = unit == TimeUnit::Milliseconds ? "ms" : "F";
            for (std::size_t i = 0; i < gaps.size(); ++i) {
                state.selectGap(gaps[i]);
                QVERIFY(dock.detail().showsSelection());
                const IdlePeriod period = *gapOf(prepared, gaps[i]);
                const Gap& gap = *prepared.gapOf(period);
                const auto length_ns = static_cast<double>(period.end_ns - period.start_ns);
                const QString head = plain(dock.detail().head()->text());
                QVERIFY2(
                    head.contains(plain(notation.duration(length_ns))) && head.endsWith(causeName(gap.cause)),
                    qPrintable(head));
                const QString told = plain(dock.detail().sentence());
                QVERIFY2(
                    told.contains(plain(shareText(length_ns / idle_ns)) + " of the iteration's idle time"),
                    qPrintable(told));
                QVERIFY2(told.contains(QString("gap %1 of %2").arg(i + 1).arg(gaps.size())),
                         qPrintable(told));
                shares += length_ns / idle_ns;
                const FigureTable& parts = dock.detail().gap().parts();
                QVERIFY(parts.header()[1].endsWith(unit_name));
                double of_parts = 0;
                for (const FigureRow& row : parts.rows()) of_parts += row.cells[1].toDouble();
                QVERIFY(std::abs(of_parts - notation.number(length_ns).toDouble()) <
                        0.06 * static_cast<double>(parts.rows().size() + 1));
                const std::vector<Reason> chain = prepared.causes()->reasons(gap);
                const std::vector<FigureRow>& links = dock.detail().gap().chain().rows();
                QCOMPARE(links.size(), chain.size());
                std::int64_t shortest_ns = gap.length_ns();
                for (const Reason& each : chain)
                    if (each.end_ns > each.start_ns)
                        shortest_ns = std::min(shortest_ns, each.end_ns - each.start_ns);
                const Notation fine = notation.fineFor(static_cast<double>(shortest_ns));
                for (std::size_t link = 0; link < links.size(); ++link) {
                    QCOMPARE(links[link].cells[1], fine.number(prepared.relative(chain[link].start_ns)));
                    if (chain[link].end_ns > chain[link].start_ns)
                        QVERIFY2(links[link].cells[2].toDouble() > 0,
                                 qPrintable(links[link].cells.join('|')));
                }
            }
            QVERIFY(std::abs(shares - 1) < 1e-9);  // the periods are all there is
            dock.detail().copyButton()->click();
            const QString copied = QGuiApplication::clipboard()->text();
            QVERIFY2(copied.startsWith(plain(dock.detail().head()->text())), qPrintable(copied));
            QVERIFY(copied.contains(plain(dock.detail().sentence())));
            state.select(std::nullopt);
            QVERIFY(!dock.detail().showsSelection());
        }
    }

    // A link that is chosen is the shared state's, and the row that is marked.
    void linksOfTheChainAreChosen() {
        ViewState state;
        NumbersDock dock(state);
        const IterationView shown = view();
        dock.setView(shown);
        state.selectGap(gapsBySize(PreparedView(shown)).front());
        FigureTable& chain = dock.detail().gap().chain();
        chain.resize(chain.sizeHint());
        QTest::keyClick(&chain, Qt::Key_Down);
        QTest::keyClick(&chain, Qt::Key_Return);
        QCOMPARE(state.link(), 1);
        for (std::size_t row = 0; row < chain.rows().size(); ++row)
            QCOMPARE(chain.rows()[row].look == FigureRow::Look::Accent, row == 1);
        state.setLink(std::nullopt);
        QVERIFY(chain.rows()[1].look == FigureRow::Look::Normal);
    }

    // Its parts are the whole iteration.
    void criticalPathHasItsComposition() {
        ViewState state;
        NumbersDock dock(state);
        const IterationView shown = view();
        dock.setView(shown);
        QVERIFY(dock.path().isHidden());
        Layers layers = state.layers();
        layers.critical_path = true;
        state.setLayers(layers);
        QVERIFY(!dock.path().isHidden());
        double sum = 0, shares = 0;
        for (const FigureRow& row : dock.path().table().rows()) {
            sum += row.cells[1].toDouble();
            shares += plain(row.cells[2]).section(' ', 0, 0).toDouble();
        }
        QVERIFY(std::abs(sum - static_cast<double>(shown.summary->iteration_ns) / 1e6) < 0.5);
        QVERIFY(std::abs(shares - 100) < 0.5);
        QVERIFY(dock.path().table().rows().front().cells[0] == opName(Op::Forward));
    }

    // The longest gaps, the longest first; choosing one selects it.
    void longestGapsAreListed() {
        ViewState state;
        NumbersDock dock(state);
        const IterationView shown = view();
        dock.setView(shown);
        const PreparedView prepared(shown);
        const std::vector<GapSelection> gaps = gapsBySize(prepared);
        FigureTable& list = dock.detail().causes().gaps();
        QCOMPARE(list.rows().size(), std::min<std::size_t>(8, gaps.size()));
        const Notation notation = notationOf(state, shown);
        for (std::size_t i = 0; i < list.rows().size(); ++i) {
            const IdlePeriod period = *gapOf(prepared, gaps[i]);
            QCOMPARE(list.rows()[i].cells[0], "Rank " + QString::number(gaps[i].rank) + " · " +
                                                  causeName(prepared.gapOf(period)->cause));
            QCOMPARE(list.rows()[i].cells[2],
                     notation.length(prepared.relative(period.start_ns), prepared.relative(period.end_ns)));
        }
        list.resize(list.sizeHint());
        QTest::mouseClick(&list, Qt::LeftButton, {}, QPoint(list.width() / 2, list.height() - 8));
        QCOMPARE(state.gap(), std::optional(gaps[list.rows().size() - 1]));
    }

    // The numbers are those of the last complete iteration, but what is selected may be in the one that runs.
    void selectionInARunningIterationIsTold() {
        ViewState state;
        NumbersDock dock(state);
        setTheme(Theme::make(ThemeKind::Light));
        IterationView complete = view();
        SampleOptions options;
        options.until = 0.6;
        const IterationView running = sampleView(options);
        complete.iteration = 35;
        dock.setView(complete);
        dock.setShown(running);
        const std::vector<GapSelection> gaps = gapsBySize(PreparedView(running));
        QVERIFY(!gaps.empty());
        state.selectGap(gaps.front());
        QVERIFY(dock.detail().showsSelection());
        QVERIFY2(dock.detail().sentence().contains("of the idle time so far"),
                 qPrintable(dock.detail().sentence()));
        QCOMPARE(dock.detail().aside()->text(), QStringLiteral("#37 · Esc clears"));
        state.select(Selection{1, {1, Op::Forward, 2}, 36});
        QCOMPARE(dock.detail().aside()->text(), QStringLiteral("#37 · Esc clears"));
        QVERIFY(dock.detail().sentence().startsWith("F3 on Rank 1"));
        state.selectGap({0, 12, 345});  // of an iteration that nobody holds any more
        QVERIFY(!dock.detail().showsSelection());
    }

    // Before any iteration is complete the dock has the plan of the very iteration that runs.
    void selectionInTheFirstRunningIterationIsTold() {
        ViewState state;
        NumbersDock dock(state);
        SampleOptions plan, part;
        plan.ran = false;
        part.until = 0.6;
        const IterationView running = sampleView(part);
        dock.setView(sampleView(plan));
        dock.setShown(running);
        const std::vector<GapSelection> gaps = gapsBySize(PreparedView(running));
        state.selectGap(gaps.front());
        QVERIFY(dock.detail().showsSelection());
        QVERIFY2(dock.detail().sentence().contains("of the idle time so far"),
                 qPrintable(dock.detail().sentence()));
        part.until = 0.8;  // the longest gap may be another one by now; the share is of more idle time
        const QString before = dock.detail().sentence();
        dock.setShown(sampleView(part));
        QVERIFY2(dock.detail().sentence() != before, qPrintable(before));
        dock.setView(sampleView());
        QVERIFY2(dock.detail().sentence().contains("of the iteration's idle time"),
                 qPrintable(dock.detail().sentence()));
    }

    void pendingChangeGetsItsRow() {
        ViewState state;
        NumbersDock dock(state);
        setTheme(Theme::make(ThemeKind::Light));
        const IterationView shown = view();
        dock.setView(shown);
        SampleOptions options;
        options.m = 12;
        const IterationView next = view(options);
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
        const IterationView shown = view();
        dock.setView(shown);
        QCOMPARE(dock.rate().unit(), QStringLiteral("ms"));
        state.setTimeUnit(TimeUnit::MedianForward);
        QCOMPARE(dock.rate().unit(), QStringLiteral("F"));
        const double forwards = static_cast<double>(shown.summary->iteration_ns) / shown.medianForward_ns();
        QCOMPARE(dock.rate().iteration(), numberText(forwards, 2));
        for (const BarRow& row : dock.detail().causes().causes().rows()) QVERIFY(row.value.endsWith(u'F'));
    }

    void namesOfATableLeaveTheFiguresTheirRoom() {
        setTheme(Theme::make(ThemeKind::Light));
        FigureTable table;
        table.setHeader({"Step", "points", "ms"}, {0, 0.74, 1});
        table.setRows({{{"Unequal stages of a model whose head is heavy: stage 7", "+12.3", "4.56"}},
                       {{"Slow link", "+0.1", "0.02"}},
                       {{"Slow rank that runs beside another program: GPU 3", "+1.3", "0.21"},
                        FigureRow::Look::Marked}});
        table.resize(200, table.sizeHint().height());
        QVERIFY(table.isElided(table.rows()[0]));
        QVERIFY(!table.isElided(table.rows()[1]));
        QVERIFY(table.isElided(table.rows()[2]));
        PaintRecorder recorder(table.size());
        table.render(&recorder, {}, {}, QWidget::RenderFlags());
        QCOMPARE(recorder.texts.size(), 12u);
        for (const auto& one : recorder.texts)
            for (const auto& other : recorder.texts)
                QVERIFY2(&one == &other || !one.place.intersects(other.place),
                         qPrintable(one.text + " over " + other.text));
        table.resize(600, table.height());
        QVERIFY(!table.isElided(table.rows()[0]));
    }

    void numbersHideBehindAGuess() {
        ViewState state;
        NumbersDock dock(state);
        setTheme(Theme::make(ThemeKind::Light));
        dock.resize(284, 900);
        dock.show();
        dock.setView(view());
        dock.setNumbersHidden(true);
        QVERIFY(!dock.bubble().isVisible());
        dock.setNumbersHidden(false);
        QVERIFY(dock.bubble().isVisible());
    }
};

QTEST_MAIN(TestNumbersDock)
#include "tst_numbers_dock.moc"
