// Tuning: prediction stands before anything runs, points take its place, the cap refuses, the verdict names
// the best m and why its neighbour loses, the form starts a sweep and illegal values do not.
#include <QSignalSpy>
#include <QTest>

#include "analysis/cost_estimate.h"
#include "documented_columns.h"
#include "paint_recorder.h"
#include "registered_test.h"
#include "sample_view.h"
#include "widgets/text/format.h"
#include "widgets/tune/tune_view.h"

namespace tst_tune_view {

using namespace bscope;
using namespace bscope::ui;

class TestTuneView : public QObject {
    Q_OBJECT

    static RunConfig base() {
        RunConfig config;
        config.micro_batch = 8;
        config.link.latency_us = 800;
        return config;
    }
    // In proportion to the micro-batch, with the configuration's link.
    static CostsOf costsOf(const Costs& costs_of_base) {
        return [costs_of_base](const RunConfig& config) {
            Costs costs = costs_of_base;
            const int factor_of_8 = config.micro_batch;
            for (StageCosts& stage : costs.stages) {
                for (double* ns : {&stage.forward_ns, &stage.backward_ns, &stage.input_ns, &stage.weight_ns,
                                   &stage.recompute_ns})
                    *ns *= factor_of_8 / 8.0;
                for (std::int64_t* bytes :
                     {&stage.activation_bytes, &stage.kept_for_weight_bytes, &stage.recompute_bytes})
                    *bytes = *bytes * factor_of_8 / 8;
            }
            costs.message_bytes *= factor_of_8 / 8.0;
            costs.link = config.link;
            return costs;
        };
    }
    static SweepForm form() {
        SweepForm made;
        made.values = {1, 2, 4, 8, 16};
        made.fixed_batch = true;
        made.samples = 64;
        made.cap_mb = 140;
        return made;
    }
    static SweepPoint point(int m, double rate, int done) {
        SweepPoint made;
        made.value = made.m = m;
        made.micro_batch = 64 / m;
        made.iterations = 3;
        made.iterations_done = done;
        IterationReport report;
        report.tokens_per_s = rate;
        report.bubble_of_total = 3.0 / (m + 3);
        report.iteration_ms = 64 * 128 / rate * 1000;
        RankReport rank;
        rank.peak_activation_bytes = 300'000'000 / m;
        report.ranks = {rank};
        made.median = report;
        made.tokens_per_s_min = 0.98 * rate;
        made.tokens_per_s_max = 1.02 * rate;
        return made;
    }

private slots:
    void keptResultsHaveTheDocumentedColumns() {
        QCOMPARE(sweepCsv({}, SweepAxis::Microbatches).trimmed(),
                 documentedColumns(QStringLiteral("keeps its results as CSV, one row a point:")));
    }

    void valuesAreRead() {
        QCOMPARE(*parseSweepValues("8, 1 2;4 2"), (std::vector<int>{1, 2, 4, 8}));
        QVERIFY(!parseSweepValues("1 two 3"));
        QVERIFY(!parseSweepValues("0 1"));
        QVERIFY(!parseSweepValues("  "));
    }

    void predictionIsThePlayedScheduleWithScaledCosts() {
        const RunConfig config = base();
        const Costs costs = sampleCosts(4, 1, false);
        const std::vector<SweepRow> rows = sweepRows(form(), {config, costsOf(costs)}, nullptr);
        QCOMPARE(rows.size(), 5u);
        QCOMPARE(rows[3].micro_batch, 8);
        Costs same = costs;
        same.link = config.link;
        RunConfig eight = config;
        eight.params.m = 8;
        const IterationSummary played =
            summarize(predict(lower(makeSchedule("1f1b", eight.params)), same), 0);
        QCOMPARE(rows[3].planned_ms, static_cast<double>(played.iteration_ns) / 1e6);
        QCOMPARE(rows[3].predicted_bubble, played.bubble_of_total);
        QCOMPARE(rows[3].predicted_rate, 64.0 * 128 / rows[3].planned_ms * 1000);
        QVERIFY(rows[4].predicted_bubble < rows[3].predicted_bubble);
        QCOMPARE(rows[0].predicted_peak_bytes, 8 * 18'800'000.0);  // one micro-batch of 64 instead of 8
        QVERIFY(rows[0].over_cap);
        QVERIFY(!rows[3].over_cap);
    }

    // With equal stages and a free link no rank idles once it has filled; filled and drained, m = 8 idles.
    void anEndlessStreamIsPredictedAsItRunsOn() {
        RunConfig config = base();
        config.schedule = "pipedream-2bw";
        config.link = {};
        Costs costs = sampleCosts(4, 1, false);
        for (StageCosts& stage : costs.stages) stage = costs.stages.front();
        SweepForm all = form();
        all.cap_mb = 0;
        for (const SweepRow& row : sweepRows(all, {config, costsOf(costs)}, nullptr)) {
            if (row.value < 4) continue;
            QVERIFY2(row.predicted_bubble < 1e-9, qPrintable(QString::number(row.predicted_bubble)));
            QVERIFY(row.planned && !row.planned->compute(3).empty());
            QVERIFY(row.plan_ns >= static_cast<double>(row.planned->end_ns() - row.planned->begin_ns()));
        }
    }

    // As small as they are, with their decimals, in the table and at the marks.
    void megabytesHaveDecimals() {
        SweepState state;
        state.points = {point(4, 10'750, 3), point(8, 14'020, 3)};
        state.points[1].median->ranks[0].peak_activation_bytes = 4'460'000;
        const SweepForm asked = form();
        const std::vector<SweepRow> rows =
            sweepRows(asked, {base(), costsOf(sampleCosts(4, 1, false))}, &state);
        TunePlot plot;
        setTheme(Theme::make(ThemeKind::Light));
        plot.resize(900, 700);
        plot.setRows(rows, asked, sweepVerdict(rows, asked, {base()}), {base()});
        PaintRecorder recorder(plot.size());
        plot.render(&recorder);
        QStringList texts;
        for (const PaintRecorder::Text& text : recorder.texts) texts << text.text;
        QVERIFY2(texts.contains(QStringLiteral("4.5")), qPrintable(texts.join(' ')));
        QVERIFY(texts.contains(QStringLiteral("75.0")));
        QCOMPARE(megabytesNumber(4'460'000), QStringLiteral("4.5"));
        QCOMPARE(megabytesNumber(512e6), QStringLiteral("512"));
    }

    void valuesThatDoNotDivideTheSamplesAreRefused() {
        SweepForm uneven = form();
        uneven.values = {3, 4};
        uneven.cap_mb = 0;
        const std::vector<SweepRow> rows =
            sweepRows(uneven, {base(), costsOf(sampleCosts(4, 1, false))}, nullptr);
        QVERIFY(rows[0].problem.contains("64"));
        QVERIFY(rows[1].problem.isEmpty());
        QCOMPARE(sweepVerdict(rows, uneven, {base()}).best, 4);
    }

    void verdictFollowsTheRunsNotThePrediction() {
        SweepState state;
        state.points = {point(4, 10'750, 3), point(8, 14'020, 3), point(16, 13'000, 3)};
        const std::vector<SweepRow> rows =
            sweepRows(form(), {base(), costsOf(sampleCosts(4, 1, false))}, &state);
        const SweepVerdict verdict = sweepVerdict(rows, form(), {base()});
        QVERIFY(verdict.measured);
        QCOMPARE(verdict.best, 8);
        QVERIFY2(verdict.sentence.contains("m = 16 has a smaller bubble (15.8 against 27.3"),
                 qPrintable(verdict.sentence));
        QVERIFY2(verdict.sentence.contains("7.3"), qPrintable(verdict.sentence));  // 1 − 13000 / 14020
    }

    // Of a smaller value, too: what the sentence says of its bubble is what the reports say.
    void theNeighboursBubbleIsComparedAsItWas() {
        for (const auto& [bubble, words] :
             {std::pair{0.30, "m = 4 idles more (30.0 against 25.0 %) and is 23.3 % slower."},
              {0.20, "m = 4 has a smaller bubble (20.0 against 25.0 %), yet is 23.3 % slower."},
              {0.25, "m = 4 has the same bubble (25.0 %) and is 23.3 % slower."}}) {
            SweepState state;
            state.points = {point(4, 10'750, 3), point(8, 14'020, 3)};
            state.points[0].median->bubble_of_total = bubble;
            state.points[1].median->bubble_of_total = 0.25;
            SweepForm asked = form();
            asked.cap_mb = 0;
            const QString sentence =
                sweepVerdict(sweepRows(asked, {base(), costsOf(sampleCosts(4, 1, false))}, &state), asked, {base()})
                    .sentence.simplified()
                    .replace(QChar::Nbsp, ' ')
                    .replace(QChar(0x202f), ' ');
            QVERIFY2(sentence.contains(words), qPrintable(sentence));
            QVERIFY2(sentence.endsWith("m = 8 is the largest value tried; a larger one may be better still."),
                     qPrintable(sentence));
        }
    }

    // Three iterations each: bars that overlap are no difference, and what holds less is said.
    void noDifferenceIsAResult() {
        SweepState state;
        state.points = {point(8, 14'020, 3), point(16, 14'100, 3)};
        SweepForm asked = form();
        asked.cap_mb = 0;
        const SweepBase varied{base(), costsOf(sampleCosts(4, 1, false))};
        const SweepVerdict verdict = sweepVerdict(sweepRows(asked, varied, &state), asked, varied);
        QVERIFY(verdict.measured);
        QCOMPARE(verdict.best, 16);  // it holds less
        QCOMPARE(verdict.equals, std::vector{8});
        const QString words = verdict.sentence.simplified().replace(QChar::Nbsp, ' ').replace(QChar(0x202f), ' ');
        QVERIFY2(words.contains("no difference (within ") &&
                     words.contains("Of these, m = 16 takes the least memory"),
                 qPrintable(words));
        QVERIFY2(!words.contains("slower") && !words.contains("larger one"), qPrintable(words));
    }

    // While other values wait, too: none of those that overlap is ahead of the others.
    void noDifferenceSoFar() {
        SweepState state;
        state.points = {point(4, 10'750, 3), point(8, 14'020, 3), point(16, 14'100, 3), point(32, 0, 0)};
        state.points[3].median.reset();
        SweepForm asked = form();
        asked.cap_mb = 0;
        const SweepBase varied{base(), costsOf(sampleCosts(4, 1, false))};
        const std::vector<SweepRow> rows = sweepRows(asked, varied, &state);
        const SweepVerdict verdict = sweepVerdict(rows, asked, varied);
        QVERIFY(verdict.open);
        QCOMPARE(verdict.equals, std::vector{8});
        const QString words = verdict.sentence.simplified().replace(QChar::Nbsp, ' ').replace(QChar(0x202f), ' ');
        QVERIFY2(words.startsWith("So far, with 3 of 4 values, m = 8, m = 16: no difference (within "),
                 qPrintable(words));
        QVERIFY2(!words.contains("most tokens/s"), qPrintable(words));
        TunePlot plot;
        setTheme(Theme::make(ThemeKind::Light));
        plot.resize(900, 700);
        plot.setRows(rows, asked, verdict, varied);
        PaintRecorder recorder(plot.size());
        plot.render(&recorder);
        for (const PaintRecorder::Text& text : recorder.texts)
            QVERIFY2(!text.text.contains("ahead"), qPrintable(text.text));
    }

    void anUnfinishedSweepHasNoSweetSpot() {
        SweepState state;
        state.points = {point(4, 10'750, 3), point(8, 14'020, 3), point(16, 13'500, 1)};
        SweepForm asked = form();
        asked.cap_mb = 0;
        const SweepBase varied{base(), costsOf(sampleCosts(4, 1, false))};
        const std::vector<SweepRow> rows = sweepRows(asked, varied, &state);
        const SweepVerdict verdict = sweepVerdict(rows, asked, varied);
        QVERIFY(verdict.open);
        QVERIFY2(verdict.sentence.startsWith("So far, with 2 of 3 values, m"), qPrintable(verdict.sentence));
        TunePlot plot;
        setTheme(Theme::make(ThemeKind::Light));
        plot.resize(900, 700);
        plot.setRows(rows, asked, verdict, varied);
        PaintRecorder recorder(plot.size());
        plot.render(&recorder);
        for (const PaintRecorder::Text& text : recorder.texts)
            QVERIFY2(!text.text.contains("sweet"), qPrintable(text.text));
    }

    // What stands below a value fits its column, and is whole with six values in a window of 1024 px.
    void labelsFitTheirColumns() {
        SweepState state;
        for (const int m : {1, 2, 4, 8, 16, 32}) state.points.push_back(point(m, 1000.0 * m, m == 2 ? 1 : 3));
        SweepForm asked = form();
        asked.values = {1, 2, 4, 8, 16, 32};
        asked.cap_mb = 0;
        const SweepBase varied{base(), costsOf(sampleCosts(4, 1, false))};
        const std::vector<SweepRow> rows = sweepRows(asked, varied, &state);
        TunePlot plot;
        setTheme(Theme::make(ThemeKind::Light));
        for (const int width : {560, 740}) {
            plot.resize(width, 480);
            plot.setRows(rows, asked, sweepVerdict(rows, asked, varied), varied);
            PaintRecorder recorder(plot.size());
            plot.render(&recorder);
            std::vector<QRectF> below;
            for (const PaintRecorder::Text& text : recorder.texts)
                if (text.text.contains(" each")) below.push_back(text.place);
            QCOMPARE(below.size(), std::size_t{6});
            for (std::size_t i = 1; i < below.size(); ++i)
                QVERIFY(below[i - 1].right() <= below[i].left() + 1);
            const bool whole = std::ranges::any_of(recorder.texts, [](const PaintRecorder::Text& text) {
                return text.text == u"32 each · running";
            });
            QVERIFY(whole || width < 740);
        }
    }

    // Operations that take 2 ms and 1 ms a sample: the mini-batch of 64 samples is best cut into a few
    // pieces, and where that is follows from three sizes that ran.
    void aFixedCostShowsAnOptimum() {
        const auto timed = [](int size) {
            Costs of = sampleCosts(4, 1, false);
            for (StageCosts& stage : of.stages) {
                stage.forward_ns = 1e6 * (2 + size);
                stage.backward_ns = 2e6 * (2 + size);
                stage.input_ns = stage.weight_ns = stage.backward_ns / 2;
            }
            return of;
        };
        RunConfig config = base();
        config.link = {};
        // In proportion, as costs carry over before anything is known of a fixed part.
        const CostsOf linear = [&](const RunConfig& of) {
            Costs costs = timed(8);
            for (StageCosts& stage : costs.stages)
                for (const DurationField& field : kDurationFields) stage.*field.ns *= of.micro_batch / 8.0;
            return costs;
        };
        SweepForm all = form();
        all.cap_mb = 0;
        all.values = {1, 2, 4, 8, 16, 32, 64};
        SweepState state;
        state.points = {point(4, 10'750, 3), point(8, 14'020, 3)};
        const auto time = [&] {
            for (SweepPoint& each : state.points) each.median->costs = timed(each.micro_batch);
        };
        time();
        const SweepBase varied{config, linear};
        QVERIFY(!withSizeFit(varied, all, nullptr).fit);
        QVERIFY(!withSizeFit(varied, all, &state).fit);  // a line goes through any two
        state.points.push_back(point(16, 13'500, 3));
        time();
        const SweepBase fitted = withSizeFit(varied, all, &state);
        QVERIFY(fitted.fit);
        QVERIFY(std::abs(fitted.fit->fixed_ns / (4 * 3 * 2e6) - 1) < 1e-6);
        QVERIFY(std::abs(fitted.fit->sample_ns / (4 * 3 * 1e6) - 1) < 1e-6);
        const auto best = [&](const SweepBase& of) {
            const std::vector<SweepRow> rows = sweepRows(all, of, nullptr);
            return std::ranges::max_element(rows, {}, &SweepRow::predicted_rate)->value;
        };
        QVERIFY(best(fitted) > 1 && best(fitted) < best(varied));  // without it more pieces always seem better
        QVERIFY(sweepVerdict(sweepRows(all, fitted, &state), all, fitted)
                    .sentence.contains("regardless of its size"));
    }

    // What ran is held against what was predicted before, and other values that run change nothing of that: a
    // fit to the results is no prediction of them. It predicts the values that have not run.
    void whatRanKeepsItsPrediction() {
        SweepForm all = form();
        all.cap_mb = 0;
        all.values = {4, 8, 16, 32, 64};
        SweepState state;
        state.points = {point(4, 10'750, 3), point(8, 14'020, 3), point(16, 13'500, 3), point(32, 0, 0)};
        state.points[3].median.reset();
        const CostsOf linear = costsOf(sampleCosts(4, 1, false));
        for (SweepPoint& each : state.points) {
            if (!each.median) continue;
            RunConfig config = base();
            config.micro_batch = each.micro_batch;
            each.median->costs = linear(config);
            for (StageCosts& stage : each.median->costs.stages)
                for (const DurationField& field : kDurationFields)
                    if (stage.*field.ns > 0) stage.*field.ns += 2e6;
        }
        const SweepBase before{base(), linear};
        const SweepBase fitted = withSizeFit(before, all, &state);
        QVERIFY(fitted.fit);
        for (const double promised : {0.0, 9'000.0}) {  // by the window, or by the engine
            for (SweepPoint& each : state.points) each.predicted_tokens_per_s = promised;
            const std::vector<SweepRow> then = sweepRows(all, before, &state),
                                        now = sweepRows(all, fitted, &state);
            for (const std::size_t ran : {0, 1, 2}) QCOMPARE(now[ran].predicted_rate, then[ran].predicted_rate);
            QVERIFY(now[3].predicted_rate < 0.97 * then[3].predicted_rate || promised > 0);
            QVERIFY(now[3].predicted_rate != promised);
            TuneView view;
            view.setBase(before);
            view.setForm(all);
            QTest::mouseClick(view.startButton(), Qt::LeftButton);
            view.setState(state);
            QCOMPARE(view.rows()[0].predicted_rate, then[0].predicted_rate);
            QVERIFY2(view.verdict().sentence.contains("that have not run are predicted"),
                     qPrintable(view.verdict().sentence));
        }
    }

    // A fixed cost that the scatter of the sizes does not show is none, and moves no prediction.
    void noiseIsNoFixedCost() {
        const std::vector<MeasuredSize> noisy{
            {8, 8.0e6 * 1.03}, {4, 4.0e6 * 0.97}, {2, 2.0e6 * 1.04}, {16, 16e6}};
        const auto fit = sizeFit(noisy);
        QVERIFY(fit);
        QCOMPARE(fit->fixed_ns, 0.0);
        QVERIFY(std::abs(fit->sample_ns / 1e6 - 1) < 0.03);
        QVERIFY(fit->residual > 0.01 && fit->residual < 0.05);
        const std::vector<MeasuredSize> fixed{
            {8, 18.0e6 * 1.01}, {4, 14.0e6 * 0.99}, {2, 12.0e6}, {16, 26e6}};
        QVERIFY(std::abs(sizeFit(fixed)->fixed_ns / 10e6 - 1) < 0.1);
    }

    // One value that ran among others leads nothing: the prediction stands until a second one has.
    void oneValueThatRanDoesNotLead() {
        SweepForm all = form();
        all.cap_mb = 0;
        all.values = {4, 8, 16};
        const SweepBase known{base(), costsOf(sampleCosts(4, 1, false))};
        SweepState state;
        state.points = {point(4, 10'750, 3), point(8, 14'020, 0), point(16, 0, 0)};
        for (SweepPoint& each : state.points)
            if (each.iterations_done == 0) each.median.reset();
        const SweepVerdict one = sweepVerdict(sweepRows(all, known, &state), all, known);
        QVERIFY(!one.measured);
        QVERIFY2(one.sentence.startsWith("Predicted"), qPrintable(one.sentence));
        state.points[1] = point(8, 14'020, 3);
        const SweepVerdict two = sweepVerdict(sweepRows(all, known, &state), all, known);
        QVERIFY(two.measured && two.open && two.best == 8);
        all.values = {4};
        state.points.resize(1);
        QVERIFY(sweepVerdict(sweepRows(all, known, &state), all, known).measured);
    }

    // What was measured stays while the next sweep is thought out, and what it would add stands beside it.
    void editingKeepsTheResults() {
        TuneView view;
        setTheme(Theme::make(ThemeKind::Light));
        view.setBase({base(), costsOf(sampleCosts(4, 1, false))});
        SweepForm asked = form();
        asked.cap_mb = 0;
        asked.values = {4, 8};
        view.setForm(asked);
        view.sidePanel()->show();
        QTest::mouseClick(view.startButton(), Qt::LeftButton);
        SweepState state;
        state.points = {point(4, 10'750, 3), point(8, 14'020, 3)};
        state.finished = true;
        view.setState(state);
        TextField* values = view.sidePanel()->valuesField();
        values->selectAll();
        QTest::keyClicks(values, "8 16 x");
        QVERIFY(view.verdict().measured);
        QCOMPARE(view.rows().size(), 2u);
        QVERIFY2(view.sidePanel()->whyIllegal().contains("x") && view.sidePanel()->whyIllegal().contains("1 2 4 8"),
                 qPrintable(view.sidePanel()->whyIllegal()));
        QTest::keyClick(values, Qt::Key_Backspace);
        QVERIFY(view.sidePanel()->whyIllegal().isEmpty());
        QCOMPARE(view.rows().size(), 3u);  // 4 and 8 ran, 16 would
        QVERIFY(view.rows()[0].complete() && view.rows()[1].complete());
        QVERIFY(!view.rows()[2].run && view.rows()[2].predicted());
        QVERIFY(view.verdict().measured && !view.verdict().open);
        view.sidePanel()->iterationsField()->setValue(5);
        QVERIFY(view.rows()[0].complete());
    }

    // A split is of as many stages as it names: other values have an even one, and the head says so.
    void valuesOfAnotherSplitAreNamed() {
        TuneView view;
        setTheme(Theme::make(ThemeKind::Light));
        RunConfig config = base();
        for (const bool uneven : {false, true}) {
            config.layers_per_stage = uneven ? std::vector{1, 3, 2, 2} : std::vector<int>();
            view.setBase({config, costsOf(sampleCosts(4, 1, false))});
            for (const SweepAxis axis : {SweepAxis::Microbatches, SweepAxis::Ranks}) {
                SweepForm asked = form();
                asked.axis = axis;
                asked.values = {2, 4};
                view.setForm(asked);
                QCOMPARE(view.subtitle().contains("split the layers evenly"), uneven && axis == SweepAxis::Ranks);
            }
        }
    }

    // Another schedule has a prediction of its own, and not the results of the one before; they are there again
    // with it, and another m alone is no other sweep.
    void resultsAreOfTheirConfiguration() {
        TuneView view;
        setTheme(Theme::make(ThemeKind::Light));
        const CostsOf costs = costsOf(sampleCosts(4, 1, false));
        view.setBase({base(), costs});
        SweepForm asked = form();
        asked.cap_mb = 0;
        asked.values = {4, 8};
        view.setForm(asked);
        QTest::mouseClick(view.startButton(), Qt::LeftButton);
        SweepState state;
        state.points = {point(4, 10'750, 3), point(8, 14'020, 3)};
        state.finished = true;
        view.setState(state);
        QVERIFY(view.verdict().measured);
        RunConfig other = base();
        other.params.m = 16;
        view.setBase({other, costs});
        QVERIFY(view.verdict().measured);
        other.schedule = "gpipe";
        view.setBase({other, costs});
        QVERIFY(!view.verdict().measured);
        for (const SweepRow& row : view.rows()) QVERIFY(!row.run && row.predicted());
        QCOMPARE(view.badge()->text(), QStringLiteral("PREDICTED"));
        view.setBase({base(), costs});
        QVERIFY(view.verdict().measured);
    }

    // With a mini-batch of 8 samples a micro-batch cannot be smaller than at m = 8.
    void aLargerValueIsNamedOnlyWhereOneIsPossible() {
        SweepForm fixed;
        fixed.values = {2, 4, 8};
        fixed.fixed_batch = true;
        fixed.samples = 8;
        const SweepBase varied{base(), costsOf(sampleCosts(4, 1, false))};
        const SweepVerdict verdict = sweepVerdict(sweepRows(fixed, varied, nullptr), fixed, varied);
        QCOMPARE(verdict.best, 8);
        QVERIFY2(!verdict.sentence.contains("larger"), qPrintable(verdict.sentence));
        fixed.samples = 64;
        QVERIFY(sweepVerdict(sweepRows(fixed, varied, nullptr), fixed, varied).sentence.contains("larger"));
    }

    // A run of another program: its p, its schedule, micro-batches a second; no tokens, no bytes, and nothing runs.
    void anOpenFileIsPredictedByItself() {
        RunConfig config;
        config.schedule = "1f1b";
        config.params = {8, 1, 16};  // more stages than the built-in model has layers
        config.model.layers = 1;
        const Costs costs = sampleCosts(8, 1, false);
        TuneView view;
        SweepState ran;
        ran.points = {point(4, 10'750, 3)};
        ran.finished = true;
        view.setState(ran);
        view.setBase({.config = config,
                      .costs_of = [&](const RunConfig&) { return costs; },
                      .knows_model = false,
                      .file = QStringLiteral("their run"),
                      .scatter = 0.05});
        for (const SweepRow& row : view.rows()) {
            QVERIFY2(row.problem.isEmpty() && row.predicted() && !row.run, qPrintable(row.problem));
            QCOMPARE(row.config.params.p, 8);
            QCOMPARE(row.predicted_peak_bytes, 0.0);
            ScheduleParams params = config.params;
            params.m = row.value;
            const IterationSummary played =
                summarize(predict(lower(makeSchedule("1f1b", params)), costs), 0);
            QCOMPARE(row.predicted_rate, row.value * 1e9 / static_cast<double>(played.iteration_ns));
        }
        QVERIFY2(view.verdict().sentence.startsWith("Predicted from the costs in their run: m = 32"),
                 qPrintable(view.verdict().sentence));
        QCOMPARE(view.badge()->text(), QStringLiteral("PREDICTED"));
        QVERIFY(!view.sidePanel()->useButton()->isEnabled());
        QVERIFY(!view.sidePanel()->capField()->isEnabled());
        // Its micro-batches keep their costs, and the switch says so; the choice for one's own sweep stays.
        QCOMPARE(view.sidePanel()->batchSwitch()->current(), 1);
        QVERIFY(view.sidePanel()->form().fixed_batch);
        QVERIFY(view.startButton()->text().contains("built-in model"));
        setTheme(Theme::make(ThemeKind::Light));
        view.plot()->resize(900, 700);
        PaintRecorder recorder(view.plot()->size());
        view.plot()->render(&recorder);
        for (const PaintRecorder::Text& text : recorder.texts)
            QVERIFY2(!text.text.contains("tokens") && !text.text.contains("MB"), qPrintable(text.text));
        // The results of the live run are there again when the file is left.
        view.setBase({base(), costsOf(sampleCosts(4, 1, false))});
        QVERIFY(view.rows().front().run.has_value());
        QCOMPARE(view.sidePanel()->batchSwitch()->current(), 0);
    }

    void capIsGivenAsTheReason() {
        SweepForm growing;
        growing.fixed_batch = false;
        growing.values = {8, 16};
        growing.cap_mb = 200;
        RunConfig config = base();
        config.schedule = "gpipe";  // memory grows with m
        const std::vector<SweepRow> rows =
            sweepRows(growing, {config, costsOf(sampleCosts(4, 1, false))}, nullptr);
        const SweepVerdict verdict = sweepVerdict(rows, growing, {config});
        QCOMPARE(verdict.best, 8);
        QVERIFY2(verdict.sentence.contains("over the cap of"), qPrintable(verdict.sentence));
    }

    void startSendsTheFormAndCancelCancels() {
        TuneView view;
        setTheme(Theme::make(ThemeKind::Light));
        view.setBase({base(), costsOf(sampleCosts(4, 1, false))});
        view.sidePanel()->setForm(form());
        view.setBase({base(), costsOf(sampleCosts(4, 1, false))});
        view.resize(1156, 800);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        QVERIFY(!view.verdict().measured);
        QVERIFY(view.verdict().best > 0);
        QSignalSpy start(&view, &TuneView::startSweep), cancel(&view, &TuneView::cancelSweep);
        QTest::mouseClick(view.startButton(), Qt::LeftButton);
        QCOMPARE(start.count(), 1);
        QVERIFY(start.last().at(0).value<SweepForm>() == form());
        // What a click does now is said at once, before anything of the sweep runs.
        QCOMPARE(view.startButton()->text(), QStringLiteral("Cancel"));
        QTest::mouseClick(view.startButton(), Qt::LeftButton);
        QCOMPARE(cancel.count(), 1);
        QCOMPARE(view.startButton()->text(), QStringLiteral("Run sweep"));
        QTest::mouseClick(view.startButton(), Qt::LeftButton);
        QCOMPARE(start.count(), 2);
        SweepState state;
        state.points = {point(4, 10'750, 3), point(8, 14'020, 1)};
        view.setState(state);
        QVERIFY(view.running());
        QCOMPARE(view.startButton()->text(), QStringLiteral("Cancel"));
        QTest::mouseClick(view.startButton(), Qt::LeftButton);
        QCOMPARE(cancel.count(), 2);
        state.cancelled = true;
        view.setState(state);
        QVERIFY(view.rows()[0].complete());  // what was measured stays
        QCOMPARE(view.sidePanel()->table().rows().size(), 2u);
    }

    void useAndKeep() {
        TuneView view;
        setTheme(Theme::make(ThemeKind::Light));
        view.setBase({base(), costsOf(sampleCosts(4, 1, false))});
        view.sidePanel()->setForm(form());
        view.setBase({base(), costsOf(sampleCosts(4, 1, false))});
        view.resize(1156, 800);
        view.show();
        view.sidePanel()->show();
        QTest::mouseClick(view.startButton(), Qt::LeftButton);
        SweepState state;
        state.points = {point(4, 10'750, 3), point(8, 14'020, 3)};
        state.finished = true;
        view.setState(state);
        QSignalSpy use(&view, &TuneView::use), keep(&view, &TuneView::keepResults);
        QTest::mouseClick(view.sidePanel()->useButton(), Qt::LeftButton);
        QCOMPARE(use.last().at(0).value<RunConfig>().params.m, 8);
        QCOMPARE(use.last().at(0).value<RunConfig>().micro_batch, 8);
        // A click on a column picks its m.
        QTest::mouseClick(view.plot(), Qt::LeftButton, {},
                          QPoint(static_cast<int>(view.plot()->columnX(4)), 200));
        QTest::mouseClick(view.sidePanel()->useButton(), Qt::LeftButton);
        QCOMPARE(use.last().at(0).value<RunConfig>().params.m, 4);
        QCOMPARE(use.last().at(0).value<RunConfig>().micro_batch, 16);
        QTest::mouseClick(view.sidePanel()->keepButton(), Qt::LeftButton);
        const QStringList lines = keep.last().first().toString().split('\n', Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 3);
        QVERIFY(lines[2].startsWith("8,8,3,14020,"));
    }

    // v, p against d and checkpointing: what each value is, why one is refused, and that it is what is used
    // and kept.
    void otherAxes() {
        const RunConfig config = base();  // p = 4, v = 1
        const Costs costs = sampleCosts(4, 1, false);
        TuneView view;
        setTheme(Theme::make(ThemeKind::Light));
        const auto known = [&](const RunConfig& wanted) {
            const KnownCosts measured{.config = config, .costs = costs};
            return estimateCosts(wanted, &measured);
        };
        view.setBase({config, known});
        view.resize(1156, 800);
        view.show();
        view.sidePanel()->show();
        const auto choose = [&](SweepAxis axis) {
            ChoiceField* field = view.sidePanel()->axisField();
            field->setCurrentIndex(static_cast<int>(axis));
            emit field->activated(static_cast<int>(axis));
        };
        choose(SweepAxis::Ranks);
        QCOMPARE(view.rows().size(), std::size_t{3});  // 1, 2, 4
        for (const SweepRow& row : view.rows()) {
            QCOMPARE(row.config.params.p * row.config.params.d, 4);
            QCOMPARE(row.config.samples(), config.samples());
            QVERIFY2(row.problem.isEmpty() && row.predicted(), qPrintable(row.problem));
            QCOMPARE(row.planned->ranks(), 4);
        }
        QCOMPARE(view.rows()[1].name, QStringLiteral("p = 2, d = 2"));
        view.sidePanel()->valuesField()->setText(QStringLiteral("3 4"));
        emit view.sidePanel()->valuesField()->textEdited(QStringLiteral("3 4"));
        QVERIFY(view.rows()[0].problem.contains(u'3') && !view.rows()[0].predicted());
        const QString refused = view.sidePanel()->refused().replace(QChar::Nbsp, u' ');
        QVERIFY2(refused.contains(QString(view.rows()[0].problem).replace(QChar::Nbsp, u' ')),
                 qPrintable(refused));

        // 1F1B has one chunk a rank: more are refused, with the reason.
        choose(SweepAxis::Chunks);
        QVERIFY(view.rows().size() > 1 && view.rows()[0].problem.isEmpty());
        QVERIFY(!view.rows()[1].problem.isEmpty());

        choose(SweepAxis::Checkpointing);
        QCOMPARE(view.rows().size(), std::size_t{3});
        QVERIFY(!view.sidePanel()->batchSwitch()->isEnabled());
        const SweepRow &none = view.rows()[0], &full = view.rows()[2];
        QVERIFY(none.config.recompute == Recompute::None && full.config.recompute == Recompute::Full);
        QVERIFY(full.predicted_peak_bytes < none.predicted_peak_bytes && full.planned_ms > none.planned_ms);
        QSignalSpy use(&view, &TuneView::use);
        QTest::mouseClick(view.plot(), Qt::LeftButton, {},
                          QPoint(static_cast<int>(view.plot()->columnX(3)), 200));
        QTest::mouseClick(view.sidePanel()->useButton(), Qt::LeftButton);
        QVERIFY(use.last().at(0).value<RunConfig>().recompute == Recompute::Full);
        QVERIFY(sweepCsv(view.rows(), SweepAxis::Checkpointing)
                    .section(u'\n', 3, 3)
                    .startsWith(QStringLiteral("4,1,1,full,")));
    }

    void illegalValuesCannotStart() {
        TuneView view;
        setTheme(Theme::make(ThemeKind::Light));
        view.setBase({base(), costsOf(sampleCosts(4, 1, false))});
        view.sidePanel()->show();
        QVERIFY(view.startButton()->isEnabled());
        TextField* values = view.sidePanel()->valuesField();
        values->selectAll();
        QTest::keyClicks(values, "1 2 x");
        QVERIFY(!view.startButton()->isEnabled());
        values->selectAll();
        QTest::keyClicks(values, "4 8");
        QVERIFY(view.startButton()->isEnabled());
        QCOMPARE(view.rows().size(), 2u);
    }
};

BUBBLESCOPE_WINDOW_TEST(TestTuneView)

}  // namespace tst_tune_view

#include "tst_tune_view.moc"
