// What the dock says of a selection, a gap, its chain of reasons and the critical path, against the events.
#include <QClipboard>
#include <QGuiApplication>
#include <QTest>

#include "paint_recorder.h"
#include "registered_test.h"
#include "reported_view.h"
#include "view/gap.h"
#include "widgets/controls/figure_table.h"
#include "widgets/dock/numbers_dock.h"
#include "widgets/text/format.h"

namespace tst_dock_gaps {

using namespace bscope;
using namespace bscope::ui;

class TestDockGaps : public QObject {
    Q_OBJECT

private slots:
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
            const IterationView shown = reportedView(options);
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

    void selectionShowsALifeAndEscBringsTheCausesBack() {
        ViewState state;
        NumbersDock dock(state);
        setTheme(Theme::make(ThemeKind::Light));
        dock.setView(reportedView());
        QVERIFY(!dock.detail().showsSelection());
        double shares = 0;
        for (const BarRow& row : dock.detail().causes().causes().rows())
            shares += plain(row.remark).section(' ', 0, 0).toDouble();
        QVERIFY(std::abs(shares - 100) <= 2);
        state.select(Selection{1, {1, Op::Backward, 4}, 36});
        QVERIFY(dock.detail().showsSelection());
        QVERIFY2(dock.detail().sentence().startsWith("B5 on rank 1, stage 1:"),
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
        const IterationView shown = reportedView();
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

    // Every gap: length and share of the idle time, its causes, and the chain from its end back.
    void everyGapIsReportedFromTheEvents() {
        for (const TimeUnit unit : {TimeUnit::Milliseconds, TimeUnit::MedianForward}) {
            ViewState state;
            state.setTimeUnit(unit);
            NumbersDock dock(state);
            setTheme(Theme::make(ThemeKind::Light));
            const IterationView shown = reportedView();
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
                const QString reported = plain(dock.detail().sentence());
                QVERIFY2(reported.contains(plain(shareText(length_ns / idle_ns)) +
                                           " of the iteration's idle time"),
                         qPrintable(reported));
                QVERIFY2(reported.contains(QString("gap %1 of %2").arg(i + 1).arg(gaps.size())),
                         qPrintable(reported));
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
        const IterationView shown = reportedView();
        dock.setView(shown);
        state.selectGap(gapsBySize(PreparedView(shown)).front());
        FigureTable& chain = dock.detail().gap().chain();
        chain.resize(chain.sizeHint());
        QTest::keyClick(&chain, Qt::Key_Down);
        QTest::keyClick(&chain, Qt::Key_Return);
        QVERIFY(state.link() && *state.link() > 0);
        for (std::size_t row = 0; row < chain.rows().size(); ++row)
            QCOMPARE(chain.rows()[row].look == FigureRow::Look::Accent, row == 1);
        state.setLink(std::nullopt);
        QVERIFY(chain.rows()[1].look == FigureRow::Look::Normal);
    }

    // Its parts are the whole iteration.
    void criticalPathHasItsComposition() {
        ViewState state;
        NumbersDock dock(state);
        const IterationView shown = reportedView();
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
        const IterationView shown = reportedView();
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
    void selectionInARunningIterationIsReported() {
        ViewState state;
        NumbersDock dock(state);
        setTheme(Theme::make(ThemeKind::Light));
        IterationView complete = reportedView();
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
        QVERIFY(dock.detail().sentence().startsWith("F3 on rank 1"));
        state.selectGap({0, 12, 345});  // of an iteration that is not kept any more
        QVERIFY(!dock.detail().showsSelection());
    }

    // Before any iteration is complete the dock has the plan of the very iteration that runs.
    void selectionInTheFirstRunningIterationIsReported() {
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

    // What the dock has of it was begun before anything ended, and shares its events with what is shown.
    void aLifeInTheFirstRunningIterationGrows() {
        ViewState state;
        NumbersDock dock(state);
        const IterationView later = sampleView({.until = 0.6});
        const auto ran = std::make_shared<Timeline>(later.ran->ranks(), Provenance::Reconstructed);
        IterationView begun = sampleView({.ran = false});
        begun.ran = ran;
        begun.now_ns = begun.start_ns;
        dock.setView(begun);
        state.select(Selection{1, {1, Op::Forward, 2}, 36});
        for (int rank = 0; rank < later.ran->ranks(); ++rank)
            for (const Event& event : later.ran->compute(rank)) ran->append(event);
        IterationView shown = later;
        shown.ran = ran;
        dock.setShown(shown);
        QVERIFY2(dock.detail().sentence().startsWith("F3 on rank 1"), qPrintable(dock.detail().sentence()));
    }
};

BUBBLESCOPE_WINDOW_TEST(TestDockGaps)

}  // namespace tst_dock_gaps

#include "tst_dock_gaps.moc"
