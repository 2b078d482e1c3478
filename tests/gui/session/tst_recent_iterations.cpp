// What the window says of many iterations: the straggler with the number of iterations behind it, the median
// iteration, and how a box's duration scatters, against the events.
#include <QTemporaryDir>
#include <QTest>
#include <random>

#include "fake_engine.h"
#include "opened_window.h"
#include "registered_test.h"
#include "required.h"
#include "sample_view.h"
#include "timeline/median.h"
#include "widgets/controls/brief_notice.h"
#include "widgets/picture/describe.h"

namespace tst_recent_iterations {

using namespace bscope;
using namespace bscope::ui;

class TestRecentIterations : public QObject {
    Q_OBJECT
    LessonBook book_ = LessonBook::embedded();

    struct Opened : OpenedWindow {
        FakeEngine engine;
        RunConfig config;
        std::int64_t end_ns = 0;
        int next = 0;

        using OpenedWindow::OpenedWindow;
        Session& session() { return part<Session>(window); }
        void begin() {
            window.connectTo({"127.0.0.1", engine.port(), {}}, false);
            REQUIRE_SOON(engine.last(wire::Message::kAttach));
            engine.hello(config, wire::RUNNING);
            REQUIRE_SOON(session().hello().controller());
            engine.status(wire::RUNNING);
            engine.start(config, 0, 0);
        }
        // length_ms: what the report says of the next iteration; 0: what it took.
        // gaps_ms: GPUs whose kernels are known, and rank 2 has so much between them, the others nothing.
        void iterate(double length_ms = 0, double gaps_ms = -1) {
            for (wire::Message message : playedMessages(config, next, end_ns, true, &end_ns)) {
                if (message.has_iteration_report() && length_ms > 0)
                    message.mutable_iteration_report()->set_iteration_ms(length_ms);
                if (message.has_iteration_report() && gaps_ms >= 0) {
                    message.mutable_iteration_report()->set_timing_source(wire::CUPTI);
                    message.mutable_iteration_report()->mutable_ranks(2)->set_launch_gap_ms(gaps_ms);
                }
                engine.send(message);
            }
            REQUIRE_SOON(session().history().newestComplete() == next);
            ++next;
        }
        QStringList slow() const { return part<StatusLine>(window).parts().filter("iterations)"); }
    };

    static RunConfig slowed() {
        RunConfig config;
        config.params.p = 4;
        config.params.m = 8;
        config.slow_ranks = {{2, 1.5}};
        return config;
    }

    // Of a file, played to its end.
    static bool playsRecording(Opened& o, const QTemporaryDir& folder, const RunConfig& config,
                               const CostsChange& oddity = {}) {
        const QString path = folder.filePath(QStringLiteral("slow.bscope"));
        recordPlayed(path, config, 6, oddity);
        o.session().openRecording(path);
        if (!QTest::qWaitFor([&o] { return o.session().state() == SessionState::Replaying; })) return false;
        o.session().replayer().setSpeed(100);
        return QTest::qWaitFor([&o] { return o.session().history().newestComplete() == 5; });
    }
    // Its rank 2 is slow.
    static bool playsSlowRecording(Opened& o, const QTemporaryDir& folder) {
        return playsRecording(o, folder, slowed());
    }

private slots:
    void initTestCase() { OpenedWindow::useTestSettings(); }

    // Slow by itself, with one stage a rank: it may as well be the stage.
    void aRankThatMayBeItsStageIsNamedAsBoth() {
        Opened o(book_);
        o.config.params.p = 4;
        o.config.params.m = 8;
        o.begin();
        o.config.slow_ranks = {{2, 1.5}};  // what ran, not what was configured
        for (int i = 0; i < 5; ++i) o.iterate();
        QTRY_COMPARE(o.slow(), QStringList{"rank 2 or its stage 2 slow, ×1.50 (5 of 5 iterations)"});
    }

    void theStragglerIsNamedWithItsIterations() {
        Opened o(book_);
        o.config = slowed();
        o.begin();
        for (int i = 0; i < 4; ++i) o.iterate();
        QCoreApplication::processEvents();
        QVERIFY(o.slow().isEmpty());  // too few
        o.iterate();
        QTRY_COMPARE(o.slow(), QStringList{"rank 2 slow, ×1.50 (5 of 5 iterations)"});
        o.iterate();
        QTRY_COMPARE(o.slow(), QStringList{"rank 2 slow, ×1.50 (6 of 6 iterations)"});
        // At most the last twenty; another configuration begins anew.
        while (o.next < 25) o.iterate();
        QTRY_COMPARE(o.slow(), QStringList{"rank 2 slow, ×1.50 (20 of 20 iterations)"});
        o.config.slow_ranks.clear();
        o.engine.start(o.config, o.next, o.end_ns);
        o.iterate();
        QTRY_VERIFY(o.slow().isEmpty());
        for (int i = 0; i < 6; ++i) o.iterate();
        QTest::qWait(0);
        QVERIFY2(o.slow().isEmpty(), qPrintable(o.slow().join('\n')));
    }

    void launchGapsOfTheStragglerAreSaid() {
        Opened o(book_);
        o.config = slowed();
        o.begin();
        for (int i = 0; i < 5; ++i) o.iterate(0, 1e6);
        QTRY_COMPARE(
            o.slow().join("; ").replace(QChar::Nbsp, u' '),
            QStringLiteral("rank 2 slow, ×1.50 (5 of 5 iterations), including 100.0 % of launch gaps"));
    }

    // Of a file that plays to its end, and whose bars are there from the beginning.
    void theStragglerOfARecordingIsNamed() {
        const QTemporaryDir folder;
        Opened o(book_);
        QVERIFY(playsSlowRecording(o, folder));
        const StragglerLine& line = *part<TimelineController>(o.window).stragglerLine();
        QTRY_COMPARE(line.found(), QStringLiteral("Rank 2 slow, ×1.50 (6 of 6 iterations)"));
        QVERIFY(line.isVisible());
        QVERIFY2(o.slow().isEmpty(), "said twice");
        o.window.resize(1280, 800);
        QTRY_COMPARE(o.window.width(), 1280);
        for (const Label* words : line.findChildren<Label*>())
            QTRY_VERIFY2(words->width() >= words->fontMetrics().horizontalAdvance(words->text()),
                         qPrintable(words->text()));
        QTest::mouseClick(line.closeButton(), Qt::LeftButton);
        QVERIFY(line.isHidden());
        QTRY_COMPARE(o.slow(), QStringList{"rank 2 slow, ×1.50 (6 of 6 iterations)"});
    }

    // Show selects the longest operation of it and zooms; what if draws the run without it, and back.
    void theHeadlineOfARecordingShowsAndRepairs() {
        const QTemporaryDir folder;
        Opened o(book_);
        QVERIFY(playsSlowRecording(o, folder));
        TimelineController& timeline = part<TimelineController>(o.window);
        const StragglerLine& line = *timeline.stragglerLine();
        QTRY_VERIFY(line.isVisible());
        ViewState& state = canvasOf(o.window).state();
        const double whole = state.range().width();
        QTest::mouseClick(line.showButton(), Qt::LeftButton);
        QVERIFY(state.selection());
        QCOMPARE(state.selection()->rank, 2);
        QVERIFY(state.range().width() < whole);
        QVERIFY2(line.effect().contains("instead of"), qPrintable(line.effect()));
        const auto shownNs = [&] {
            const IterationView view = canvasOf(o.window).views().front();
            return view.plan_summary.iteration_ns;
        };
        QTest::mouseClick(line.withoutButton(), Qt::LeftButton);
        const IterationView repaired = canvasOf(o.window).views().front();
        QVERIFY(repaired.alternative);
        const double now_ms = line.effect().section("instead of ", 1, 1).section(u' ', 0, 0).toDouble();
        QVERIFY2(1e6 * now_ms > 1.1 * static_cast<double>(shownNs()), qPrintable(line.effect()));
        QCOMPARE(line.withoutButton()->text(), QStringLiteral("Back to the run"));
        QTest::mouseClick(line.withoutButton(), Qt::LeftButton);
        QVERIFY(!canvasOf(o.window).views().front().alternative);
    }

    // Of a link, what came over it; of a micro-batch, an operation of it: each with the run without it.
    void linksAndMicrobatchesAreShownAndRepaired_data() {
        QTest::addColumn<QString>("found");
        QTest::addColumn<bool>("link");
        QTest::newRow("link") << QStringLiteral("Link 1 → 2 slow, ×") << true;
        QTest::newRow("micro-batch") << QStringLiteral("Micro-batch 4 long, ×1.80 (6 of 6 iterations)")
                                     << false;
    }
    void linksAndMicrobatchesAreShownAndRepaired() {
        QFETCH(QString, found);
        QFETCH(bool, link);
        const QTemporaryDir folder;
        Opened o(book_);
        RunConfig config = slowed();
        config.slow_ranks.clear();
        const auto oddity = [link](Costs& costs) {
            if (link)
                costs.slow_link = {1, 2, 2 * costs.stages[0].duration_ns(Op::Forward)};
            else
                costs.long_microbatch = {3, 1.8};
        };
        QVERIFY(playsRecording(o, folder, config, oddity));
        const StragglerLine& line = *part<TimelineController>(o.window).stragglerLine();
        QTRY_VERIFY(line.isVisible());
        QTRY_VERIFY2(line.found().startsWith(found), qPrintable(line.found()));
        ViewState& state = canvasOf(o.window).state();
        const double whole = state.range().width();
        QTest::mouseClick(line.showButton(), Qt::LeftButton);
        QVERIFY(state.selection());
        const Selection selected = *state.selection();
        QVERIFY(state.range().width() < whole);
        if (link) {
            // A forward: the message of a backward comes from rank 3, though backwards take longer.
            QCOMPARE(selected.rank, 2);
            QCOMPARE(selected.action.op, Op::Forward);
            QCOMPARE(selected.action.stage, 2);
        } else {
            QCOMPARE(selected.action.microbatch, 3);
        }
        const auto numbers = line.effect().section("instead of ", 1, 1).section(u' ', 0, 0);
        const double now_ms = numbers.toDouble(),
                     then_ms = line.effect().section("ithout it ", 1, 1).section(u' ', 0, 0).toDouble();
        QVERIFY2(then_ms > 0 && 1.05 * then_ms < now_ms, qPrintable(line.effect()));
        QTest::mouseClick(line.withoutButton(), Qt::LeftButton);
        const IterationView repaired = canvasOf(o.window).views().front();
        QVERIFY(repaired.alternative);
        QVERIFY2(std::abs(static_cast<double>(repaired.plan_summary.iteration_ns) / 1e6 - then_ms) <
                     0.01 * then_ms,
                 qPrintable(line.effect()));
        QTest::mouseClick(line.withoutButton(), Qt::LeftButton);
        QVERIFY(!canvasOf(o.window).views().front().alternative);
    }

    void theMedianIterationIsARealOne() {
        Opened o(book_);
        o.begin();
        const std::vector<double> lengths{50, 10, 31, 12, 29, 11, 90};
        for (const double each : lengths) o.iterate(each);
        QTest::keyClick(&canvasOf(o.window), Qt::Key_J, Qt::ShiftModifier);
        QTRY_COMPARE(canvasOf(o.window).views().front().iteration, 4);
        QVERIFY(!o.session().following());
        const QString said = part<BriefNotice>(o.window).text().replace(QChar::Nbsp, u' ');
        QVERIFY2(said.contains("Iteration 5") && said.contains("7 iterations") && said.contains("29.0 ms"),
                 qPrintable(said));
        // Of the configuration of what is shown.
        o.config.params.m = 6;
        o.engine.start(o.config, o.next, o.end_ns);
        for (const double each : {300.0, 100.0, 200.0}) o.iterate(each);
        o.session().select(7);
        QTest::keyClick(&canvasOf(o.window), Qt::Key_J, Qt::ShiftModifier);
        QTRY_COMPARE(canvasOf(o.window).views().front().iteration, 9);
    }

    void aBoxKnowsItsSpread() {
        IterationView view = sampleView();
        std::mt19937 random(7);
        std::vector<Timeline> others;
        for (int i = 0; i < 6; ++i) {
            Timeline& other = others.emplace_back(view.ran->ranks(), view.ran->provenance());
            for (int rank = 0; rank < view.ran->ranks(); ++rank) {
                std::int64_t later_ns = 0;
                for (Event event : view.ran->compute(rank)) {
                    const std::int64_t more_ns = std::uniform_int_distribution<int>(0, 3'000'000)(random);
                    event.start_ns += later_ns;
                    later_ns += more_ns;
                    event.end_ns += later_ns;
                    other.append(event);
                }
            }
            view.recent.push_back(
                std::make_shared<const PairedDurations>(IterationPart{other, view.iteration, 0}));
        }
        ViewState state;
        GanttView canvas(state);
        canvas.resize(1156, 690);
        canvas.setView(view);
        int described = 0;
        for (int rank = 0; rank < view.ran->ranks(); ++rank)
            for (std::size_t i = 0; i < view.ran->compute(rank).size(); ++i) {
                const Event& event = view.ran->compute(rank)[i];
                if (!isCompute(event.op)) continue;
                std::vector<std::int64_t> lasted;
                for (const Timeline& other : others) lasted.push_back(other.compute(rank)[i].duration_ns());
                const auto written = [&](double ns) { return canvas.picture().notation.duration(ns); };
                const auto [least, most] = std::ranges::minmax(lasted);
                Hit hit;
                hit.group = 0;
                hit.rank = rank;
                hit.part = Hit::Part::Box;
                hit.event = event;
                const QString wanted = QStringLiteral("in the last 6 iterations: median %1, from %2 to %3")
                                           .arg(written(median(lasted)), written(static_cast<double>(least)),
                                                written(static_cast<double>(most)));
                const QStringList lines =
                    furtherLines(canvas.picture().groups.front(), canvas.picture().notation, hit.event);
                QVERIFY2(lines.contains(wanted), qPrintable(wanted + '\n' + lines.join('\n')));
                ++described;
            }
        QCOMPARE(described, 4 * 8 * 2);
    }
};

BUBBLESCOPE_WINDOW_TEST(TestRecentIterations)

}  // namespace tst_recent_iterations

#include "tst_recent_iterations.moc"
