// What the memory strip shows besides the live activations: weights, gradients, optimizer state and buffers
// as an iteration reported them, weights as many as the engine's formula gives; and the curves of the other
// kinds of checkpointing, whose peaks are those that such a run then reports.
#include <QTest>
#include <map>

#include "analysis/planned_iteration.h"
#include "opened_window.h"
#include "paint_recorder.h"
#include "plan/plan.h"
#include "plan/plan_memory.h"
#include "registered_test.h"
#include "sample_view.h"
#include "timeline/iteration_events.h"
#include "widgets/dock/memory_section.h"
#include "widgets/picture/describe.h"
#include "widgets/picture/memory_shades.h"
#include "widgets/picture/timeline_painter.h"
#include "widgets/text/format.h"

namespace tst_memory_bands {

using namespace bscope;
using namespace bscope::ui;

namespace {

std::vector<std::int64_t> peaksOf(const Timeline& planned, int iteration) {
    std::vector<std::int64_t> peaks(static_cast<std::size_t>(planned.ranks()), 0);
    for (int rank = 0; rank < planned.ranks(); ++rank)
        for (const MemoryPoint& point : ofIteration(planned.memory(rank), iteration))
            peaks[static_cast<std::size_t>(rank)] =
                std::max(peaks[static_cast<std::size_t>(rank)], point.live_bytes);
    return peaks;
}

std::vector<std::int64_t> reportedPeaks(const IterationReport& report) {
    std::vector<std::int64_t> peaks;
    for (const RankReport& rank : report.ranks) peaks.push_back(rank.peak_activation_bytes);
    return peaks;
}

QString megabytesOf(std::int64_t bytes) {
    return numberText(static_cast<double>(bytes) / 1e6, 1);
}

// Rows of exactly this colour in a column of pixels.
int rowsOf(const QImage& image, int x, const QRectF& area, const QColor& colour) {
    int rows = 0;
    for (int y = static_cast<int>(area.top()); y < static_cast<int>(area.bottom()); ++y)
        rows += image.pixelColor(x, y) == colour;
    return rows;
}

}  // namespace

class TestMemoryBands : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { OpenedWindow::useBuiltEngine(); }

    void bandsAreAsHighAsTheirBytes() {
        ViewState state;
        GanttView canvas(state);
        canvas.resize(1200, 1400);
        IterationView view = sampleView({.p = 2, .m = 4});
        view.config.memory_cap_mb = 0;
        view.held = {{20'000'000, 30'000'000, 50'000'000, 10'000'000},
                     {40'000'000, 20'000'000, 10'000'000, 30'000'000}};
        canvas.setView(view);
        const auto areas = [&](const QImage& image, std::size_t rank) {
            const Lane& lane = canvas.picture().layout.groups.front()[rank];
            std::vector<int> rows;
            // Before the first box, where nothing is live and no words stand.
            for (std::size_t band = 0; band < kMemoryBands.size(); ++band)
                rows.push_back(rowsOf(image, static_cast<int>(lane.memory.right()) - 3, lane.memory,
                                      memoryBandColour(band, canvas.picture().theme)));
            return rows;
        };
        canvas.fit();
        QVERIFY((areas(canvas.grab().toImage(), 0) == std::vector<int>{0, 0, 0, 0}));
        canvas.toggleLayer(&Layers::memory_bands);
        const QImage image = canvas.grab().toImage();
        const PreparedView& group = canvas.picture().groups.front();
        for (std::size_t rank = 0; rank < 2; ++rank) {
            const Lane& lane = canvas.picture().layout.groups.front()[rank];
            const double room = lane.memory.height() - 4 * canvas.picture().theme.scale;
            const std::vector<int> rows = areas(image, rank);
            for (std::size_t band = 0; band < kMemoryBands.size(); ++band) {
                const auto bytes = static_cast<double>(view.held[rank].*kMemoryBands[band].bytes);
                const double expected = bytes / group.memoryScale(true) * room;
                QVERIFY2(std::abs(rows[band] - expected) <= 2,  // its edge, and pixels
                         qPrintable(QStringLiteral("rank %1 band %2: %3 rows of %4")
                                        .arg(rank)
                                        .arg(band)
                                        .arg(rows[band])
                                        .arg(expected)));
            }
        }
        // What the arena has reserved: a line of its own over the whole width, at its height.
        const double before = group.memoryScale(true), curve_alone = group.memoryScale(false);
        view.held[0].reserved = static_cast<std::int64_t>(2 * before);
        canvas.setView(view);
        const QImage with_line = canvas.grab().toImage();
        const Lane& lane = canvas.picture().layout.groups.front().front();
        const PreparedView& now = canvas.picture().groups.front();
        QCOMPARE(now.memoryScale(true),
                 static_cast<double>(view.held[0].sum() + view.held[0].reserved));  // it has room
        QCOMPARE(now.memoryScale(false), curve_alone);
        const QColor colour = canvas.picture().theme.memory_line;
        std::map<int, int> drawn;  // by row, pixels of the line's colour
        for (int y = static_cast<int>(lane.memory.top()); y < static_cast<int>(lane.memory.top()) + 9; ++y)
            for (int x = static_cast<int>(lane.memory.left()); x < static_cast<int>(lane.memory.right()); ++x)
                drawn[y] += with_line.pixelColor(x, y) == colour;
        const auto most = std::ranges::max_element(drawn, {}, [](const auto& row) { return row.second; });
        QVERIFY2(most->second > lane.memory.width() / 3, qPrintable(QString::number(most->second)));
        QVERIFY(std::abs(most->first - (lane.memory.top() + 4 * canvas.picture().theme.scale)) <= 2);
        // Hidden numbers stay hidden.
        view.numbers_hidden = true;
        canvas.setView(view);
        QVERIFY(!canvas.picture().groups.front().knowsHeld());
    }

    // Whatever has run, the words beside that line lie on no number, and are there once all has.
    void wordsOfWhatIsReservedLieOnNoNumber() {
        bool whole_has_words = false;
        for (const double until : {0.3, 0.45, 0.6, 0.75, 0.9, 1.0}) {
            ViewState state;
            GanttView canvas(state);
            canvas.resize(1000, 560);
            IterationView view = sampleView({.p = 4, .m = 8, .until = until});
            view.held.assign(4, {5'000'000, 5'000'000, 10'000'000, 1'000'000});
            for (ResidentBytes& held : view.held) held.reserved = 100'000'000;
            canvas.setView(view);
            canvas.fit();
            canvas.toggleLayer(&Layers::memory_bands);
            const Picture& picture = canvas.picture();
            PaintRecorder recorder(picture.layout.all.size().toSize());
            QPainter painter(&recorder);
            TimelinePainter(painter, picture).draw();
            painter.end();
            std::vector<PaintRecorder::Text> words, others;
            for (const PaintRecorder::Text& text : recorder.texts)
                (text.text.startsWith(u"reserved") ? words : others).push_back(text);
            for (const PaintRecorder::Text& word : words)
                for (const PaintRecorder::Text& other : others)
                    QVERIFY2(
                        !word.place.adjusted(1, 1, -1, -1).intersects(other.place),
                        qPrintable(QStringLiteral("%1 of %2: %3").arg(until).arg(word.text, other.text)));
            whole_has_words = until >= 1 && !words.empty();
        }
        QVERIFY(whole_has_words);
    }

    // With the memory switched off, a key for a part of it shows it.
    void aPartOfTheMemoryShowsTheMemory() {
        ViewState state;
        GanttView canvas(state);
        canvas.setView(sampleView({}));
        canvas.toggleLayer(&Layers::memory);
        canvas.toggleLayer(&Layers::memory_bands);
        QVERIFY(state.layers().memory && state.layers().memory_bands);
        canvas.toggleLayer(&Layers::memory_bands);
        QVERIFY(state.layers().memory && !state.layers().memory_bands);
    }

    void bytesAreTheEnginesOwn() {
        const LessonBook book = LessonBook::embedded();
        OpenedWindow of(book);
        MainWindow& window = of.window;
        Session& session = part<Session>(window);
        RunConfig config = smallRun();
        config.params.m = 6;
        of.trainAndPause(config);
        canvasOf(window).toggleLayer(&Layers::memory_bands);
        canvasOf(window).toggleLayer(&Layers::checkpointing);
        const IterationView shown = canvasOf(window).views().front();
        const IterationView whole = *session.numbers();
        QVERIFY(whole.report);
        const Plan plan = makePlan(config);
        QCOMPARE(whole.held.size(), std::size_t{2});
        for (std::size_t rank = 0; rank < whole.held.size(); ++rank) {
            const RankReport& report = whole.report->ranks[rank];
            const ResidentBytes& held = whole.held[rank];
            // One stage a rank; what the engine predicts of it.
            QCOMPARE(held.weights, static_cast<std::int64_t>(weightBytes(plan.shape, plan.ranges[rank])));
            QCOMPARE(held.gradients, held.weights);
            QCOMPARE(held.optimizer, 2 * held.weights);
            QCOMPARE(held.buffers, report.buffer_bytes);
            QVERIFY(held.buffers > 0);
            QCOMPARE(report.peak_activation_bytes, predictedPeakBytes(plan)[rank]);
            QCOMPARE(held.reserved, report.reserved_bytes);
            QVERIFY(held.reserved >= report.peak_activation_bytes);
        }
        QCOMPARE(shown.held, whole.held);
        // The dock and the lane say it; of an older recording without it they say that.
        MemorySection& section = part<MemorySection>(window);
        const auto noteAt = [&](const IterationView& view) {
            ViewState state;
            GanttView canvas(state);
            canvas.resize(1000, 800);
            canvas.setView(view);
            const Lane& lane = canvas.picture().layout.groups.front().front();
            return noteOf(canvas.picture(), hitTest(canvas.picture(), lane.memory.center()));
        };
        const QString reserved = megabytesOf(whole.report->ranks.front().reserved_bytes);
        QVERIFY2(section.reserved().contains(reserved), qPrintable(section.reserved()));
        QVERIFY2(noteAt(whole).contains(bytesText(static_cast<double>(whole.held.front().reserved))),
                 qPrintable(noteAt(whole)));
        IterationView older = whole;
        older.report->ranks.back().reserved_bytes = 0;
        older.report->ranks.front().reserved_bytes = 0;
        MemorySection of_older;
        of_older.setView(older);
        QVERIFY2(of_older.reserved().contains(QStringLiteral("unknown")), qPrintable(of_older.reserved()));
        QVERIFY2(noteAt(older).contains(QStringLiteral("unknown")), qPrintable(noteAt(older)));

        // The ghosts, and then runs of their configurations.
        QCOMPARE(shown.checkpointing.size(), std::size_t{2});
        QVERIFY2(part<MemorySection>(window).checkpointing().contains("Where a curve ends later"),
                 qPrintable(part<MemorySection>(window).checkpointing()));
        for (const CheckpointingPlan& ghost : shown.checkpointing) {
            QVERIFY(ghost.recompute != Recompute::None);
            RunConfig other = config;
            other.recompute = ghost.recompute;
            const int before = session.history().newestComplete();
            session.edit(other);
            session.run();
            QTRY_VERIFY_WITH_TIMEOUT(
                session.history().newestComplete() > before + 1 &&
                    session.history().view(session.history().newestComplete())->config == other,
                kEngineMs);
            session.pause();
            QTRY_COMPARE_WITH_TIMEOUT(session.state(), SessionState::Paused, kEngineMs);
            const IterationView ran = *session.history().view(session.history().newestComplete());
            QCOMPARE(peaksOf(*ghost.planned, shown.iteration), reportedPeaks(*ran.report));
        }
        // Of the last one, the run without checkpointing is a ghost in its turn.
        const IterationView last = canvasOf(window).views().front();
        QCOMPARE(last.config.recompute, shown.checkpointing.back().recompute);
        QCOMPARE(last.checkpointing.front().recompute, Recompute::None);
        QCOMPARE(peaksOf(*last.checkpointing.front().planned, last.iteration), reportedPeaks(*whole.report));
        const QString words = part<MemorySection>(window).checkpointing();
        const auto peaks = reportedPeaks(*whole.report);
        QVERIFY2(words.contains(bytesText(static_cast<double>(std::ranges::max(peaks))) +
                                QStringLiteral(" without checkpointing")),
                 qPrintable(words));
    }
};

BUBBLESCOPE_WINDOW_TEST(TestMemoryBands)

}  // namespace tst_memory_bands

#include "tst_memory_bands.moc"
