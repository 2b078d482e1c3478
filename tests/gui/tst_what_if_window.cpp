// What other schedules would give, in the window: lines are those that the arithmetic gives, a line of a
// recording is shown as a plan and nothing else says that it ran, a line of a run that can be changed is a
// change whose plan has the same numbers.
#include <QSignalSpy>
#include <QTest>
#include <algorithm>
#include <cmath>

#include "app/tune/what_if_controller.h"
#include "opened_window.h"
#include "schedule/catalog.h"
#include "widgets/text/config_text.h"
#include "widgets/text/format.h"

using namespace bscope;
using namespace bscope::ui;

namespace {

const QString kRun = QStringLiteral(BUBBLESCOPE_SOURCE_DIR "/tests/data/real-runs/primus-pp8");
constexpr int kPatience_ms = 60'000;

WhatIfDialog* opened(OpenedWindow& of) {
    part<WhatIfController>(of.window).open();
    WhatIfDialog* dialog = part<WhatIfController>(of.window).dialog();
    [&] { QTRY_VERIFY_WITH_TIMEOUT(dialog->table()->rowCount() > 3, kPatience_ms); }();
    return dialog;
}

int rowOf(const WhatIfDialog& dialog, const std::string& schedule) {
    const auto& all = dialog.alternatives();
    const auto found = std::ranges::find_if(
        all, [&](const Alternative& each) { return each.schedule == schedule && !each.ran; });
    return found == all.end() ? -1 : static_cast<int>(found - all.begin());
}

void clickRow(WhatIfDialog& dialog, int row) {
    dialog.table()->scrollToItem(dialog.table()->item(row, 0));
    const QRect cell = dialog.table()->visualItemRect(dialog.table()->item(row, 0));
    QTest::mouseClick(dialog.table()->viewport(), Qt::LeftButton, {}, cell.center());
}

}  // namespace

class TestWhatIfWindow : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { OpenedWindow::useBuiltEngine(); }

    void ofARunOfAnotherProgram() {
        const LessonBook book = LessonBook::embedded();
        OpenedWindow opened_window(book);
        MainWindow& window = opened_window.window;
        window.openFiles({kRun});
        QTRY_COMPARE_WITH_TIMEOUT(part<Session>(window).state(), SessionState::Replaying, kPatience_ms);
        const IterationView ran = part<Session>(window).shown();
        WhatIfDialog* dialog = opened(opened_window);

        // The lines.
        const std::vector<Alternative> expected =
            whatIf(*ran.order, ran.import->costs, ran.config.recompute).alternatives;
        QCOMPARE(dialog->alternatives().size(), expected.size());
        const auto own = std::ranges::find_if(expected, &Alternative::ran);
        for (std::size_t row = 0; row < expected.size(); ++row) {
            const Alternative& each = expected[row];
            const auto cell = [&](int column) {
                return dialog->table()->item(static_cast<int>(row), column)->text();
            };
            QVERIFY(cell(0).startsWith(scheduleTitle(each.schedule)));
            QCOMPARE(cell(1), QString::number(each.params.m));
            QCOMPARE(cell(3), msNumber(each.iteration_ms));
            QCOMPARE(cell(5),
                     each.ran ? QString() : changeText(own->ms_per_microbatch, each.ms_per_microbatch));
            QCOMPARE(cell(6), shareText(each.bubble_of_total));
        }

        // A line as a plan.
        const int row = rowOf(*dialog, "zb-v");
        QVERIFY(row >= 0);
        clickRow(*dialog, row);
        QVERIFY(part<WhatIfController>(window).plan());
        QVERIFY(!part<Session>(window).replayer().playing());
        const IterationView shown = canvasOf(window).views().front();
        QVERIFY(shown.ran->empty() && shown.alternative);
        QCOMPARE(shown.config.schedule, std::string("zb-v"));
        QCOMPARE(static_cast<double>(shown.plan_summary.iteration_ns) / 1e6,
                 expected[static_cast<std::size_t>(row)].iteration_ms);
        QVERIFY(
            !part<NumbersDock>(window).imported().isVisibleTo(&window));  // what it says is about what ran
        // The run itself, by another line's place in the list of iterations.
        QVERIFY(!part<WhatIfController>(window).dialog()->isHidden());
        part<Session>(window).select(7);
        QVERIFY(!part<WhatIfController>(window).plan());
        QCOMPARE(canvasOf(window).views().front().number(), 7);

        // A cap: what holds more stands last and is said to.
        dialog->capField()->setValue(6);
        QTRY_VERIFY_WITH_TIMEOUT(dialog->alternatives().back().over_cap, kPatience_ms);
        const int rows = dialog->table()->rowCount();
        QVERIFY(!dialog->table()->item(rows - 1, 0)->toolTip().isEmpty());
        QVERIFY(dialog->alternatives().front().most_in_flight <= 6);

        // By key, and away with the recording.
        dialog->table()->setCurrentCell(0, 0);
        QTest::keyClick(dialog->table(), Qt::Key_Return);
        QVERIFY(part<WhatIfController>(window).plan());
        part<Session>(window).closeRecording();
        QVERIFY(!part<WhatIfController>(window).plan());
        QTRY_VERIFY(part<WhatIfController>(window).dialog() == nullptr);
    }

    void ofARunThatCanBeChanged() {
        const LessonBook book = LessonBook::embedded();
        OpenedWindow opened_window(book);
        MainWindow& window = opened_window.window;
        opened_window.trainAndPause(smallRun());
        WhatIfDialog* dialog = opened(opened_window);
        for (const Alternative& each : dialog->alternatives()) QVERIFY(!each.even_split);
        const int row = rowOf(*dialog, "gpipe");
        QVERIFY(row >= 0);
        const Alternative gpipe = dialog->alternatives()[static_cast<std::size_t>(row)];
        clickRow(*dialog, row);
        QVERIFY(!part<WhatIfController>(window).plan());
        QCOMPARE(part<Session>(window).wanted().schedule, std::string("gpipe"));
        QVERIFY(part<Session>(window).pending());
        const double planned_ms =
            static_cast<double>(part<Session>(window).pending()->summary.iteration_ns) / 1e6;
        QVERIFY2(std::abs(planned_ms - gpipe.iteration_ms) < 1e-9 * planned_ms + 1e-9,
                 qPrintable(QStringLiteral("%1, %2").arg(planned_ms).arg(gpipe.iteration_ms)));
    }

    void beforeAnythingRan() {
        const LessonBook book = LessonBook::embedded();
        OpenedWindow opened_window(book);
        WhatIfDialog* dialog = opened(opened_window);
        clickRow(*dialog, rowOf(*dialog, "gpipe"));
        QCOMPARE(part<Session>(opened_window.window).wanted().schedule, std::string("gpipe"));
        QCOMPARE(canvasOf(opened_window.window).views().front().config.schedule, std::string("gpipe"));
    }
};

QTEST_MAIN(TestWhatIfWindow)
#include "tst_what_if_window.moc"
