// The numbers of a measured range: the dock says what the events say, on the lanes and of the operations that
// were chosen; the lanes' ends say the same.
#include <QClipboard>
#include <QGuiApplication>
#include <QTest>

#include "registered_test.h"
#include "sample_view.h"
#include "widgets/dock/numbers_dock.h"
#include "widgets/gantt/gantt_view.h"
#include "widgets/text/format.h"

namespace tst_range_section {

using namespace bscope;
using namespace bscope::ui;

class TestRangeSection : public QObject {
    Q_OBJECT

    std::unique_ptr<ViewState> state_;
    std::unique_ptr<GanttView> canvas_;
    std::unique_ptr<NumbersDock> dock_;
    IterationView view_;

    void show(const SampleOptions& options) {
        view_ = sampleView(options);
        canvas_->setView(view_);
        dock_->setView(view_);
    }
    static QString plain(QString text) { return text.replace(QChar::Nbsp, u' '); }
    QString figure(const QString& name) const {
        for (const FigureRow& row : dock_->range().figures().rows())
            if (row.cells.front() == name) return plain(row.cells.back());
        return QStringLiteral("no row ") + name;
    }
    // Busy time of a rank, nanosecond by microsecond: what runs at each of many moments.
    double sampledBusy(int rank, double from_ns, double to_ns) const {
        constexpr int kMoments = 20'000;
        int busy = 0;
        for (int i = 0; i < kMoments; ++i) {
            const auto time = view_.start_ns +
                              static_cast<std::int64_t>(from_ns + (to_ns - from_ns) * (i + 0.5) / kMoments);
            for (const Event& event : view_.ran->compute(rank))
                if (isCompute(event.op) && event.start_ns <= time && time < event.end_ns) ++busy;
        }
        return static_cast<double>(busy) / kMoments;
    }

private slots:
    void init() {
        state_ = std::make_unique<ViewState>();
        setTheme(Theme::make(ThemeKind::Light));
        canvas_ = std::make_unique<GanttView>(*state_);
        dock_ = std::make_unique<NumbersDock>(*state_);
        canvas_->resize(1156, 690);
        connect(canvas_.get(), &GanttView::rangeRead, dock_.get(),
                [this] { dock_->setReading(view_, canvas_->reading()); });
        show({});
    }
    void cleanup() {
        canvas_.reset();
        dock_.reset();
        state_.reset();
    }

    void theRangeSaysWhatItsEventsSay() {
        QVERIFY(dock_->range().isHidden());
        state_->setMeasured(TimeRange{30e6, 95e6}, LaneSpan{1, 2}, false);
        QVERIFY(!dock_->range().isHidden());
        const double busy = (sampledBusy(1, 30e6, 95e6) + sampledBusy(2, 30e6, 95e6)) / 2;
        QVERIFY(std::abs(canvas_->reading()->numbers.all.bubbleOfTotal() - (1 - busy)) < 1e-3);
        QCOMPARE(figure("Bubble"), plain(shareText(canvas_->reading()->numbers.all.bubbleOfTotal())));
        QVERIFY(plain(dock_->range().sentence()).contains("Rank 1 to rank 2."));
        const double idle = (1 - busy) * 2 * 65e6;
        const double said = figure("idle, sum of ranks").section(' ', 0, 0).toDouble() * 1e6;
        QVERIFY(std::abs(said - idle) < 0.2e6);
        double causes = 0;
        for (const BarRow& row : dock_->range().causes().rows())
            causes += plain(row.value).section(' ', 0, 0).toDouble() * 1e6;
        QVERIFY(std::abs(causes - idle) < 0.4e6);
        // In the other definition, and in units of F.
        const double of_total = canvas_->reading()->numbers.all.bubbleOfTotal();
        state_->setBubbleDefinition(BubbleDefinition::OfIdeal);
        QCOMPARE(figure("Bubble"), plain(shareText(of_total / (1 - of_total))));
        // What it is a share of is said of the range, not of the iteration.
        QVERIFY(dock_->range().lines().contains("Bubble: idle ÷ busy time of the range."));
        state_->setTimeUnit(TimeUnit::MedianForward);
        QVERIFY(figure("idle, sum of ranks").endsWith("F"));
        state_->setMeasured(std::nullopt);
        QVERIFY(dock_->range().isHidden());
    }

    // Of the whole iteration: its bubble, its causes, its throughput.
    void theWholeIterationHasItsOwnNumbers() {
        const double length = static_cast<double>(view_.summary->iteration_ns);
        state_->setMeasured(TimeRange{0, length});
        QCOMPARE(figure("Bubble"), plain(shareText(view_.summary->bubble_of_total)));
        const double rate =
            static_cast<double>(view_.config.samples()) * view_.config.model.sequence / (length / 1e9);
        QCOMPARE(figure("forward, tokens/s"), plain(rateNumber(rate)));
        QCOMPARE(figure("backward, tokens/s"), plain(rateNumber(rate)));
        QVERIFY(canvas_->reading()->numbers.all.causes ==
                canvas_->picture().groups.front().causes()->totals());
        std::int64_t peak = 0;
        for (const RankSummary& rank : view_.summary->ranks)
            peak = std::max(peak, rank.peak_activation_bytes);
        QVERIFY(
            plain(dock_->range().lines().join('\n')).contains(plain(bytesText(static_cast<double>(peak)))));
    }

    // A filter changes no number but those that are said to be of it.
    void aFilterIsSaidApart() {
        state_->setMeasured(TimeRange{0, 150e6});
        const QString bubble = figure("Bubble"), busy = figure("busy, sum of ranks");
        const QString big = dock_->bubble().bigNumber();
        state_->setFilter({.hidden_ops = {Op::Backward}, .hidden_ranks = {}, .stage = {}, .microbatch = {}});
        QCOMPARE(figure("Bubble"), bubble);
        QCOMPARE(figure("busy, sum of ranks"), busy);
        QCOMPARE(dock_->bubble().bigNumber(), big);
        double forwards = 0;
        for (int rank = 0; rank < 4; ++rank)
            for (const Event& event : view_.ran->compute(rank))
                if (event.op == Op::Forward)
                    forwards += std::clamp(static_cast<double>(event.end_ns - view_.start_ns), 0.0, 150e6) -
                                std::clamp(static_cast<double>(event.start_ns - view_.start_ns), 0.0, 150e6);
        QCOMPARE(figure("busy with what the filter shows"),
                 plain(notationOf(*state_, view_).duration(forwards)));
        QVERIFY(figure("backward, tokens/s").startsWith("no row"));
        dock_->range().copy();
        const QString copied = QGuiApplication::clipboard()->text();
        QVERIFY2(copied.contains("Filter: without B") && copied.contains("Bubble\t" + bubble),
                 qPrintable(copied));
        state_->setFilter({});
        QVERIFY(figure("busy with what the filter shows").startsWith("no row"));
    }

    // A lesson that asks first shows no number of a range either; of a plan it is said that nothing ran.
    void hiddenNumbersStayHidden() {
        state_->setMeasured(TimeRange{0, 100e6});
        view_.numbers_hidden = true;
        canvas_->setView(view_);
        QVERIFY(!canvas_->reading() && dock_->range().isHidden());
        show({.ran = false});
        QVERIFY(dock_->range().sentence().contains("nothing ran"));
        show({.until = 0.5});
        QVERIFY(dock_->range().sentence().contains("so far"));
    }
};

BUBBLESCOPE_WINDOW_TEST(TestRangeSection)

}  // namespace tst_range_section

#include "tst_range_section.moc"
