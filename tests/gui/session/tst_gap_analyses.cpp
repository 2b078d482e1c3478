// One analysis of what the Timeline view shows: canvas and numbers share it; of a large iteration it comes
// later, and only that of what is shown then.
#include <QSignalSpy>
#include <QTest>

#include "app/timeline/gap_analyses.h"
#include "opened_window.h"
#include "registered_test.h"
#include "sample_view.h"

namespace tst_gap_analyses {

using namespace bscope;
using namespace bscope::ui;

namespace {

constexpr int kPatience_ms = 60'000;

IterationView viewOf(int p, int m) {
    SampleOptions options;
    options.p = p;
    options.m = m;
    IterationView view = sampleView(options);
    view.order = std::make_shared<const Schedule>(makeSchedule(options.schedule, view.config.params));
    return view;
}

}  // namespace

class TestGapAnalyses : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { OpenedWindow::useBuiltEngine(); }

    void aSmallOneIsThereAtOnceAndKept() {
        GapAnalyses analyses(nullptr);
        const IterationView view = viewOf(4, 8);
        QVERIFY(isAnalysedAtOnce(view));
        const auto known = analyses.withAnalysis(view).analysis;
        QVERIFY(known);
        QCOMPARE(analyses.withAnalysis(view).analysis, known);
        const IterationView other = viewOf(4, 12);
        const auto of_other = analyses.withAnalysis(other).analysis;
        QVERIFY(of_other && of_other != known);
        QCOMPARE(of_other->causes.totals(), analysisOf(other, *other.order)->causes.totals());
    }

    void ofAnIterationThatRunsThereIsNone() {
        GapAnalyses analyses(nullptr);
        IterationView view = viewOf(4, 8);
        view.now_ns = view.start_ns + 1;
        QVERIFY(!analyses.withAnalysis(view).analysis);
    }

    void aLargeOneComesLater() {
        GapAnalyses analyses(nullptr);
        QSignalSpy ready(&analyses, &GapAnalyses::ready);
        const IterationView view = viewOf(8, 1300);
        QVERIFY(!isAnalysedAtOnce(view));
        QVERIFY(!analyses.withAnalysis(view).analysis);
        QVERIFY(!analyses.withAnalysis(view).analysis);  // begun once
        QTRY_COMPARE_WITH_TIMEOUT(ready.size(), 1, kPatience_ms);
        const auto known = analyses.withAnalysis(view).analysis;
        QVERIFY(known);
        const auto expected = analysisOf(view, *view.order);
        QCOMPARE(known->causes.totals(), expected->causes.totals());
        QCOMPARE(known->causes.gaps().size(), expected->causes.gaps().size());
        QCOMPARE(known->slack_ns, expected->slack_ns);
        QCOMPARE(analyses.withAnalysis(view).analysis, known);
        QCOMPARE(ready.size(), 1);
    }

    // Another iteration is shown meanwhile: the former's analysis never arrives.
    void onlyTheShownOnesArrives() {
        GapAnalyses analyses(nullptr);
        QSignalSpy ready(&analyses, &GapAnalyses::ready);
        const IterationView first = viewOf(8, 1300), second = viewOf(8, 1301), small = viewOf(4, 8);
        analyses.withAnalysis(first);
        QVERIFY(!analyses.withAnalysis(second).analysis);
        QTRY_COMPARE_WITH_TIMEOUT(ready.size(), 1, kPatience_ms);
        const auto known = analyses.withAnalysis(second).analysis;
        QVERIFY(known);
        QCOMPARE(known->events, second.ran);

        analyses.withAnalysis(first);
        const auto of_small = analyses.withAnalysis(small).analysis;
        QVERIFY(of_small);
        QCoreApplication::processEvents();
        QCOMPARE(ready.size(), 1);
        QCOMPARE(analyses.withAnalysis(small).analysis, of_small);
    }

    // Of the plan and of what ran.
    void canvasAndNumbersShareOne() {
        const LessonBook book = LessonBook::embedded();
        OpenedWindow opened(book);
        const auto isShared = [&] {
            const auto& of_canvas = canvasOf(opened.window).picture().groups.front().analysis();
            return of_canvas && of_canvas == part<NumbersDock>(opened.window).shown()->analysis();
        };
        QVERIFY(isShared());
        opened.trainAndPause(smallRun());
        part<Session>(opened.window).select(part<Session>(opened.window).history().newestComplete());
        QTRY_VERIFY_WITH_TIMEOUT(isShared(), kPatience_ms);
        QVERIFY(!part<NumbersDock>(opened.window).waterfall().isHidden());
    }
};

BUBBLESCOPE_WINDOW_TEST(TestGapAnalyses)

}  // namespace tst_gap_analyses

#include "tst_gap_analyses.moc"
