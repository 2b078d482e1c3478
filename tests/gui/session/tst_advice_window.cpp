// What would help, in the window: lines are those that the advisor gives, the same as on the command line; a
// line of a recording is shown as a plan and nothing else says that it ran; a line of a run that can be
// changed is a change whose plan has the same numbers.
#include <QClipboard>
#include <QGuiApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QScrollBar>
#include <QStyledItemDelegate>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <utility>

#include "app/tune/advice_controller.h"
#include "app/tune/advice_record.h"
#include "app/tune/tune_controller.h"
#include "app/window/help_controller.h"
#include "app/window/palette_entries.h"
#include "catalog/catalog.h"
#include "opened_window.h"
#include "paint_recorder.h"
#include "registered_test.h"
#include "timeline/median.h"
#include "watched_window.h"
#include "widgets/controls/scroll_fade.h"
#include "widgets/help/glossary.h"
#include "widgets/picture/timeline_painter.h"
#include "widgets/text/config_text.h"
#include "widgets/text/format.h"
#include "words/catalog.h"

namespace tst_advice_window {

using namespace bscope;
using namespace bscope::ui;

namespace {

const QString kRun = QStringLiteral(BUBBLESCOPE_SOURCE_DIR "/tests/data/real-runs/primus-pp8");
constexpr int kPatience_ms = 60'000;

// With the searched order's line, where there is one.
void wait(const ImproveTable& table) {
    QTRY_VERIFY_WITH_TIMEOUT(!table.playing() && !table.searching() && table.table()->rowCount() > 3,
                             kPatience_ms);
}

// All changes.
ImproveTable* opened(OpenedWindow& of) {
    of.window.showView(MainView::Improve);
    ImproveTable* const table = &part<ImproveTable>(of.window);
    table->kinds()->segment(2)->click();
    wait(*table);
    return table;
}

QString plain(QString text) {
    return text.replace(QChar::Nbsp, u' ');
}

QString runOf(const ImproveTable& table) {
    return plain(table.title());
}

int rowOf(const ImproveTable& dialog, const char* change) {
    for (int row = 0; row < dialog.table()->rowCount(); ++row)
        if (const Candidate* each = dialog.candidateAt(row);
            each && say(each->change, Language::English) == change)
            return row;
    return -1;
}

void takeRow(ImproveTable& dialog, int row) {
    QVERIFY(row >= 0);
    static_cast<MainWindow*>(dialog.window())->showView(MainView::Improve);
    dialog.table()->scrollToItem(dialog.table()->item(row, 0));
    const QRect cell = dialog.table()->visualItemRect(dialog.table()->item(row, 0));
    QTest::mouseClick(dialog.table()->viewport(), Qt::LeftButton, {}, cell.center());
    QCOMPARE(static_cast<MainWindow*>(dialog.window())->view(),
             MainView::Improve);  // it is chosen, not taken
    QTest::mouseDClick(dialog.table()->viewport(), Qt::LeftButton, {}, cell.center());
    QCOMPARE(static_cast<MainWindow*>(dialog.window())->view(), MainView::Timeline);
}

QJsonObject bscopeJson(const QStringList& arguments) {
    QProcess bscope;
    bscope.start(QStringLiteral(BUBBLESCOPE_BIN_DIR "/bscope"), arguments);
    if (!bscope.waitForFinished(kPatience_ms) || bscope.exitCode() != 0)
        qWarning("%s", bscope.readAllStandardError().constData());
    return QJsonDocument::fromJson(bscope.readAllStandardOutput()).object();
}

// Line for line, but for the order that is searched in a time of its own.
void compareWithCommandLine(const Advice& advice, const QJsonObject& reported) {
    const QJsonArray candidates = reported["candidates"].toArray();
    QCOMPARE(static_cast<double>(advice.now.iteration_ns) / 1e6,
             reported["predicted_iteration_ms"].toDouble());
    qsizetype at = 0;
    const QString searched = QStringLiteral("an order searched for these costs");
    const auto skip = [&] {
        while (at < candidates.size() && candidates[at].toObject()["change"].toString() == searched) ++at;
    };
    for (const Candidate& each : advice.candidates) {
        if (each.kind == Candidate::Kind::Searched) continue;
        skip();
        QVERIFY(at < candidates.size());
        const QJsonObject line = candidates[at++].toObject();
        QCOMPARE(line["change"].toString(), QString::fromStdString(say(each.change, Language::English)));
        QCOMPARE(line["predicted_gain"].isNull(), !each.predicted.has_value());
        if (!each.predicted) continue;
        QCOMPARE(line["predicted_gain"].toDouble(), each.gain);
        QCOMPARE(line["bubble_of_total"].toDouble(), each.predicted->bubble_of_total);
        QCOMPARE(line["excluded"].toString(), QString::fromStdString(say(each.excluded, Language::English)));
    }
    skip();
    QCOMPARE(at, candidates.size());
}

}  // namespace

class TestAdviceWindow : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { OpenedWindow::useBuiltEngine(); }

    // However narrow the window is, no change is cut.
    void everyChangeIsReadWhole() {
        const LessonBook book = LessonBook::embedded();
        OpenedWindow opened_window(book);
        ImproveTable* const improve = opened(opened_window);
        QTableWidget& table = *improve->table();
        for (const QSize size : {QSize(1024, 700), QSize(1280, 800), QSize(1920, 1080)}) {
            opened_window.window.resize(size);
            QString cut;
            const auto isWhole = [&] {
                cut.clear();
                for (int row = 0; row < table.rowCount() && cut.isEmpty(); ++row) {
                    const QTableWidgetItem& item = *table.item(row, 0);
                    const QRect room(0, 0, table.columnWidth(0) - 12, 1000);
                    const QSize needed =
                        QFontMetrics(item.font()).boundingRect(room, Qt::TextWordWrap, item.text()).size();
                    if (needed.height() > table.rowHeight(row) || needed.width() > table.columnWidth(0))
                        cut = QStringLiteral("%1 px, %2 of %3 x %4: %5")
                                  .arg(size.width())
                                  .arg(needed.height())
                                  .arg(table.columnWidth(0))
                                  .arg(table.rowHeight(row))
                                  .arg(item.text());
                }
                return cut.isEmpty();
            };
            QVERIFY2(QTest::qWaitFor(isWhole), qPrintable(cut));
            // No room is left at its right, and no line looks cut.
            QVERIFY(improve->width() - table.geometry().right() < 40);
            QVERIFY(size.width() < 1920 || table.columnWidth(0) < 640);
            QCOMPARE(table.findChild<ScrollFade*>()->isVisible(), table.verticalScrollBar()->maximum() > 0);
        }
        // And what runs is a sentence before the next one.
        improve->setRunning(QStringLiteral("Running: iteration 5 of 8"));
        QVERIFY2(improve->sentence().contains("5 of 8. "), qPrintable(improve->sentence()));
    }

    // Whose costs everything is predicted with is read whole, too, in both languages; one unit is said in
    // table and verdict, and what Enter does to a line of a file.
    void theFirstSentenceIsReadWhole() {
        const LessonBook book = LessonBook::embedded();
        OpenedWindow opened_window(book);
        MainWindow& window = opened_window.window;
        window.openFiles({kRun});
        QTRY_COMPARE_WITH_TIMEOUT(part<Session>(window).state(), SessionState::Replaying, kPatience_ms);
        ImproveTable* const improve = opened(opened_window);
        const Label& about = *improve->about();
        for (const bool chinese : {false, true}) {
            for (const QSize size : {QSize(1024, 700), QSize(1280, 800)}) {
                window.resize(size);
                QTRY_COMPARE(window.size(), size);
                QTRY_VERIFY(about.height() >= about.heightForWidth(about.width()));
            }
            const QString unit = chinese ? QStringLiteral("每个微批次") : QStringLiteral("per micro-batch"),
                          enter = chinese ? QStringLiteral("回车把一行显示为计划")
                                          : QStringLiteral("Enter shows a line as a plan");
            QTRY_VERIFY(part<DecisionPanel>(window).verdict().contains(unit));
            QTRY_VERIFY(improve->sentence().contains(enter));
            part<Appearance>(window).changeLanguage();
        }
    }

    void ofARunOfAnotherProgram() {
        const LessonBook book = LessonBook::embedded();
        OpenedWindow opened_window(book);
        MainWindow& window = opened_window.window;
        window.openFiles({kRun});
        QTRY_COMPARE_WITH_TIMEOUT(part<Session>(window).state(), SessionState::Replaying, kPatience_ms);
        ImproveTable* dialog = opened(opened_window);

        // The run as it is, then the lines by gain.
        const Advice advice = dialog->advice();
        QVERIFY(advice.candidates.size() > 15);
        QCOMPARE(dialog->table()->rowCount(), static_cast<int>(advice.candidates.size()) + 1);
        const auto cellOf = [&](int row, int column) { return dialog->table()->item(row, column)->text(); };
        QVERIFY(!dialog->candidateAt(0));
        QCOMPARE(cellOf(0, 0), QStringLiteral("now: 1F1B"));
        QCOMPARE(cellOf(0, 2), msNumber(static_cast<double>(advice.now.iteration_ns) / 1e6));
        QVERIFY2(runOf(*dialog).contains("p = 8, m = 16"), qPrintable(runOf(*dialog)));
        double gain = 1;
        bool asynchronous = false;
        for (int row = 1; row < dialog->table()->rowCount(); ++row) {
            const Candidate* const each = dialog->candidateAt(row);
            QVERIFY(each);
            QCOMPARE(plain(cellOf(row, 0)),
                     each->trainsDifferently() ? "asynchronous: " + said(each->change) : said(each->change));
            if (!each->predicted) {
                QVERIFY(!each->excluded.empty() && !dialog->table()->item(row, 0)->toolTip().isEmpty());
                continue;
            }
            if (std::exchange(asynchronous, each->trainsDifferently()) == each->trainsDifferently())
                QVERIFY(each->gain <= gain);
            QVERIFY(asynchronous || !each->trainsDifferently());
            gain = each->gain;
            QCOMPARE(cellOf(row, 1), changeText(advice.now.nsPerSample(), each->predicted->nsPerSample()));
            QCOMPARE(cellOf(row, 5), shareText(each->predicted->bubble_of_total));
            if (each->predicted->bubble_of_span)
                QCOMPARE(cellOf(row, 6), shareText(*each->predicted->bubble_of_span));
            QCOMPARE(cellOf(row, 7), numberText(each->predicted->most_in_flight, 1));
            QCOMPARE(cellOf(row, 9), QString::number(each->predicted->messages));
        }
        // The question that stands there at first: the mini-batch as it is. Another m alone is another one.
        dialog->kinds()->segment(0)->click();
        QVERIFY(rowOf(*dialog, "schedule GPipe") > 0 && rowOf(*dialog, "m = 32") < 0);
        dialog->kinds()->segment(2)->click();
        QVERIFY(rowOf(*dialog, "m = 32") > 0);
        compareWithCommandLine(advice, bscopeJson({"import", kRun, "--what-if", "--json"}));

        // Replicas exchange what the files do not tell: the line says so.
        dialog->table()->setCurrentCell(rowOf(*dialog, "p = 4, d = 2, m = 8"), 0);
        QVERIFY2(dialog->sentence().contains(QStringLiteral("not known and not counted")),
                 qPrintable(dialog->sentence()));

        // What another framework has: the others stay, with the reason.
        const auto isOut = [&](const char* change) {
            const int at = rowOf(*dialog, change);
            return at >= 0 && dialog->candidateAt(at) && !dialog->candidateAt(at)->excluded.empty();
        };
        QVERIFY(!isOut("schedule ZB-V, v = 2"));
        dialog->frameworkField()->setCurrentIndex(3);
        emit dialog->frameworkField()->activated(3);
        QTRY_VERIFY_WITH_TIMEOUT(isOut("schedule ZB-V, v = 2"), kPatience_ms);
        dialog->frameworkField()->setCurrentIndex(0);
        emit dialog->frameworkField()->activated(0);
        QTRY_VERIFY_WITH_TIMEOUT(
            rowOf(*dialog, "schedule ZB-V, v = 2") >= 0 && !isOut("schedule ZB-V, v = 2"), kPatience_ms);
        dialog->updates()->segment(1)->click();
        QTRY_VERIFY_WITH_TIMEOUT(isOut("schedule PipeDream-2BW"), kPatience_ms);
        dialog->updates()->segment(0)->click();
        QTRY_VERIFY_WITH_TIMEOUT(!isOut("schedule PipeDream-2BW"), kPatience_ms);

        // A line as a plan.
        const int row = rowOf(*dialog, "schedule ZB-V, v = 2");
        takeRow(*dialog, row);
        QVERIFY(part<AdviceController>(window).plan());
        QVERIFY(!part<Session>(window).replayer().playing());
        const IterationView shown = canvasOf(window).views().front();
        QVERIFY(shown.ran->empty() && shown.alternative);
        QCOMPARE(shown.config.schedule, std::string("zb-v"));
        QCOMPARE(shown.plan_summary.iteration_ns, dialog->candidateAt(row)->predicted->iteration_ns);
        QVERIFY(
            !part<NumbersDock>(window).imported().isVisibleTo(&window));  // what it says is about what ran
        // Played slowly, it is not given the numbers of what ran.
        IterationPlayer& player = part<TimelineController>(window).player();
        player.scrub(1e9);
        QVERIFY(player.active());
        const QString ran_bubble = shareText(part<Session>(window).numbers()->report->bubble_of_total);
        const Picture& picture = canvasOf(window).picture();
        PaintRecorder recorder(picture.layout.all.size().toSize());
        QPainter painter(&recorder);
        TimelinePainter(painter, picture).draw();
        painter.end();
        for (const PaintRecorder::Text& text : recorder.texts)
            QVERIFY2(!text.text.contains(ran_bubble), qPrintable(text.text));
        player.leave();
        // The run itself, by another line's place in the list of iterations.
        part<Session>(window).select(7);
        QVERIFY(!part<AdviceController>(window).plan());
        QCOMPARE(canvasOf(window).views().front().number(), 7);

        // A cap: what holds more is out, and says why.
        dialog->capField()->setValue(6);
        const auto gpipe = [&]() -> const Candidate* {
            const int at = rowOf(*dialog, "schedule GPipe");
            return at < 0 ? nullptr : dialog->candidateAt(at);
        };
        QTRY_VERIFY_WITH_TIMEOUT(gpipe() && !gpipe()->excluded.empty(), kPatience_ms);
        dialog->table()->setCurrentCell(rowOf(*dialog, "schedule GPipe"), 0);
        QVERIFY2(dialog->sentence().contains(QStringLiteral("16.00 micro-batches")),
                 qPrintable(dialog->sentence()));

        // At the least size of the window everything has its place, and the chosen line stays chosen.
        window.showView(MainView::Improve);
        window.resize(1024, 700);
        QTRY_COMPARE(window.width(), 1024);
        QVERIFY(dialog->geometry().right() < window.centralWidget()->width());
        QTRY_VERIFY(dialog->table()->columnWidth(0) > 150 && dialog->table()->isColumnHidden(9));
        wait(*dialog);
        const int chosen_row = rowOf(*dialog, "schedule ZB-V, v = 2");
        dialog->table()->setCurrentCell(chosen_row, 0);
        emit dialog->limitsEdited();
        wait(*dialog);
        QCOMPARE(dialog->table()->currentRow(), rowOf(*dialog, "schedule ZB-V, v = 2"));
        window.resize(1440, 900);
        QTRY_VERIFY(!dialog->table()->isColumnHidden(9));

        // By key, and away with the recording; the run as it is has nothing to take.
        window.showView(MainView::Improve);
        wait(*dialog);
        QVERIFY(dialog->table()->hasFocus());
        dialog->table()->setCurrentCell(0, 0);
        QTest::keyClick(dialog->table(), Qt::Key_Return);
        QVERIFY(!part<AdviceController>(window).plan() && !dialog->takeButton()->isEnabled());
        QTest::keyClick(dialog->table(), Qt::Key_Down);
        QCOMPARE(dialog->table()->currentRow(), 1);
        QVERIFY(dialog->takeButton()->isEnabled());
        QTest::keyClick(dialog->table(), Qt::Key_Return);
        QVERIFY(part<AdviceController>(window).plan());
        QCOMPARE(window.view(), MainView::Timeline);  // where the plan is
        part<Session>(window).closeRecording();
        QVERIFY(!part<AdviceController>(window).plan());
        // The view is of what is open now.
        window.showView(MainView::Improve);
        wait(*dialog);
        QVERIFY2(!runOf(*dialog).contains("p = 8"), qPrintable(runOf(*dialog)));
    }

    // What is typed into a framework: of the chosen line, disabled with the reason where it does not exist.
    void linesAreCopiedForFrameworks() {
        const LessonBook book = LessonBook::embedded();
        OpenedWindow opened_window(book);
        MainWindow& window = opened_window.window;
        window.openFiles({kRun});
        QTRY_COMPARE_WITH_TIMEOUT(part<Session>(window).state(), SessionState::Replaying, kPatience_ms);
        const auto shown = [](const CopyFlags* copy) {
            emit copy->menu()->aboutToShow();
            return copy->menu()->actions();
        };
        const auto check = [&](ImproveTable& dialog, int row, bool deepspeed, const QString& in_megatron) {
            QVERIFY(row >= 0);
            dialog.table()->setCurrentCell(row, 0);
            CopyFlags* const copy = dialog.copyFlags();
            QVERIFY(copy->button()->isEnabled() && copy->said().isEmpty());
            const QList<QAction*> actions = shown(copy);
            QCOMPARE(actions.size(), 3);
            QCOMPARE(actions[2]->isEnabled(), deepspeed);
            if (!deepspeed)
                QVERIFY2(actions[2]->toolTip().contains("1F1B"), qPrintable(actions[2]->toolTip()));
            QGuiApplication::clipboard()->clear();
            actions[2]->trigger();
            QCOMPARE(QGuiApplication::clipboard()->text().isEmpty(), !deepspeed);
            actions[0]->trigger();
            const QString copied = QGuiApplication::clipboard()->text();
            QVERIFY2(copied.split(u'\n').contains(in_megatron), qPrintable(copied));
            QVERIFY(copied.contains("--pipeline-model-parallel-size 8"));
            QVERIFY(copy->said().contains("Megatron-LM"));
        };
        ImproveTable* dialog = opened(opened_window);
        check(*dialog, rowOf(*dialog, "schedule Interleaved 1F1B, v = 2"), false,
              "--num-virtual-stages-per-pipeline-rank 2");
        check(*dialog, rowOf(*dialog, "schedule ZB-V, v = 2"), false, "--zero-bubble-v-schedule");
        QVERIFY(dialog->copyFlags()->menu()->actions()[0]->text().contains("sail-sg"));
        check(*dialog, rowOf(*dialog, "m = 32"), true, "--global-batch-size $((32 * MICRO_BATCH_SIZE))");
        dialog->table()->setCurrentCell(rowOf(*dialog, "every stage with equal work"), 0);
        for (const QAction* each : shown(dialog->copyFlags()))
            QVERIFY(!each->isEnabled() && !each->toolTip().isEmpty());
        for (int row = 0; row < dialog->table()->rowCount(); ++row) {
            dialog->table()->setCurrentCell(row, 0);
            const Candidate* const each = dialog->candidateAt(row);
            const bool legal = !each || each->predicted;
            QCOMPARE(dialog->copyFlags()->button()->isEnabled(), legal);
            if (!each)
                check(*dialog, row, true, "--global-batch-size $((16 * MICRO_BATCH_SIZE))");
            else if (!legal)
                QVERIFY(!dialog->copyFlags()->button()->toolTip().isEmpty());
        }
    }

    // An own recording: the same numbers here and on the command line.
    void ofARecording() {
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("run.bscope"));
        const QStringList run{"run",
                              "-p",
                              "2",
                              "-m",
                              "4",
                              "--iterations",
                              "3",
                              "--clock",
                              "reconstructed",
                              "--record",
                              file,
                              "--hidden",
                              "32",
                              "--heads",
                              "2",
                              "--seq",
                              "16",
                              "--layers",
                              "4",
                              "--micro-batch",
                              "2"};
        QProcess bscope;
        bscope.start(QStringLiteral(BUBBLESCOPE_BIN_DIR "/bscope"), run);
        QVERIFY(bscope.waitForFinished(kPatience_ms) && bscope.exitCode() == 0);
        const LessonBook book = LessonBook::embedded();
        OpenedWindow opened_window(book);
        MainWindow& window = opened_window.window;
        window.openFiles({file});
        QTRY_COMPARE_WITH_TIMEOUT(part<Session>(window).state(), SessionState::Replaying, kPatience_ms);
        part<Session>(window).select(2);
        ImproveTable* dialog = opened(opened_window);
        compareWithCommandLine(dialog->advice(), bscopeJson({"advise", "--from", file, "--iteration", "3",
                                                             "--search-s", "0", "--json"}));
    }

    void ofARunThatCanBeChanged() {
        const LessonBook book = LessonBook::embedded();
        OpenedWindow opened_window(book);
        MainWindow& window = opened_window.window;
        Session& session = part<Session>(window);
        opened_window.trainAndPause(smallRun());
        ImproveTable* dialog = opened(opened_window);
        for (const char* change : {"schedule GPipe", "m = 8", "recomputation: full"}) {
            const int row = rowOf(*dialog, change);
            const Candidate taken = *dialog->candidateAt(row);
            takeRow(*dialog, row);
            QVERIFY(!part<AdviceController>(window).plan());
            QCOMPARE(session.wanted().schedule, taken.setting.config.schedule);
            QCOMPARE(session.wanted().params, taken.setting.config.params);
            QCOMPARE(session.wanted().recompute, taken.setting.config.recompute);
            QVERIFY(session.pending());
            QCOMPARE(session.pending()->summary.iteration_ns, taken.predicted->iteration_ns);
            QCOMPARE(session.pending()->summary.bubble_of_total, taken.predicted->bubble_of_total);
            QCOMPARE(session.history().outcomes().size(), std::size_t{1});
            session.undoPending();
            QVERIFY(!session.pending());
            QCOMPARE(session.wanted().schedule, smallRun().schedule);
            QVERIFY(session.history().outcomes().empty());
        }
    }

    // A change that is taken and runs: its line has what came out, from the reports; a recording of it says
    // the same when it is opened, in the window and on the command line; and the program remembers the error.
    void promiseAndOutcome() {
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("kept.bscope"));
        const LessonBook book = LessonBook::embedded();
        OpenedWindow opened_window(book);
        MainWindow& window = opened_window.window;
        Session& session = part<Session>(window);
        opened_window.trainAndPause(smallRun());
        const QString machine = QString::fromStdString(session.shown().device);
        const std::size_t known = AdviceRecord::errorsOn(machine).size();
        ImproveTable* dialog = opened(opened_window);
        QVERIFY(session.startRecording(file));
        const Candidate taken = *dialog->candidateAt(rowOf(*dialog, "m = 8"));
        takeRow(*dialog, rowOf(*dialog, "m = 8"));
        const int before = session.history().newestComplete();
        const auto got = [&] { return session.history().outcomes().front().lengths_ms; };
        session.run();
        QTRY_VERIFY_WITH_TIMEOUT(got().size() >= 3, kPatience_ms);
        session.pause();
        QTRY_COMPARE_WITH_TIMEOUT(session.state(), SessionState::Paused, kPatience_ms);
        session.stopRecording();

        // From the reports: all under m = 8 but the first.
        std::vector<double> lengths;
        for (int i = before + 1; i <= session.history().newestComplete(); ++i)
            if (const auto view = session.history().view(i); view->config.params.m == 8)
                lengths.push_back(view->report->iteration_ms);
        lengths.erase(lengths.begin());
        QCOMPARE(got(), lengths);
        const double middle = median(lengths);
        const double error = std::abs(static_cast<double>(taken.predicted->iteration_ns) / 1e6 / middle - 1);
        const int row = rowOf(*dialog, "m = 8");
        QCOMPARE(dialog->table()->item(row, 2)->text(),
                 msNumber(static_cast<double>(taken.predicted->iteration_ns) / 1e6));
        QTRY_COMPARE_WITH_TIMEOUT(dialog->table()->item(row, 3)->text(), msNumber(middle), kPatience_ms);
        dialog->table()->setCurrentCell(row, 0);
        QVERIFY2(dialog->sentence().contains(msText(middle)), qPrintable(dialog->sentence()));
        QCOMPARE(AdviceRecord::errorsOn(machine).size(), known + 1);
        // It follows the last iteration a moment later.
        QTRY_VERIFY_WITH_TIMEOUT(std::abs(AdviceRecord::errorsOn(machine).back() - error) < 1e-12,
                                 kPatience_ms);
        QVERIFY(dialog->status().contains(QString::number(known + 1)));

        // Another list, of what runs now: the change stands below it.
        dialog = opened(opened_window);
        QVERIFY(rowOf(*dialog, "m = 32") >= 0);
        const int last = dialog->table()->rowCount() - 1;
        QVERIFY(plain(dialog->table()->item(last, 0)->text()).endsWith(QStringLiteral("m = 8")));
        QCOMPARE(dialog->table()->item(last, 3)->text(), msNumber(middle));
        QVERIFY(!dialog->candidateAt(last));

        window.openFiles({file});
        QTRY_COMPARE_WITH_TIMEOUT(session.state(), SessionState::Replaying, kPatience_ms);
        session.replayer().seekIteration(session.replayer().bars().back().iteration);
        QCOMPARE(session.history().outcomes().size(), std::size_t{1});
        QCOMPARE(got(), lengths);
        const QJsonObject reported = bscopeJson({"advise", "--from", file, "--search-s", "0", "--json"});
        const QJsonObject line = reported["outcomes"].toArray()[0].toObject();
        QCOMPARE(line["change"].toString(), QStringLiteral("m = 8"));
        QCOMPARE(line["got_iteration_ms"].toDouble(), middle);
        QCOMPARE(line["iterations"].toInt(), static_cast<int>(lengths.size()));
        QVERIFY(std::abs(reported["median_absolute_error"].toDouble() - error) < 1e-12);
    }

    // Filled anew, a cell is measured for its column a few times, however many lines there are.
    void fillingMeasuresNoCellForEachOther() {
        struct Measured : QStyledItemDelegate {
            mutable int count = 0;
            QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
                ++count;
                return QStyledItemDelegate::sizeHint(option, index);
            }
        } measured;
        const LessonBook book = LessonBook::embedded();
        OpenedWindow opened_window(book);
        opened_window.trainAndPause(smallRun());
        ImproveTable* const improve = opened(opened_window);
        QTableWidget& table = *improve->table();
        table.setItemDelegate(&measured);
        QCoreApplication::processEvents();
        measured.count = 0;
        improve->kinds()->segment(1)->click();
        improve->kinds()->segment(2)->click();
        QCoreApplication::processEvents();
        const int count = std::exchange(measured.count, 0);
        table.setItemDelegate(new QStyledItemDelegate(&table));
        QVERIFY(table.rowCount() > 10 && count > 0);
        QVERIFY2(count < 8 * table.rowCount() * table.columnCount(), qPrintable(QString::number(count)));
    }

    // The schedules alone: the advisor's lines, its questions beside them, stacked and run by keys.
    void whichScheduleWhen() {
        const LessonBook book = LessonBook::embedded();
        OpenedWindow opened_window(book);
        MainWindow& window = opened_window.window;
        Session& session = part<Session>(window);
        opened_window.trainAndPause(smallRun());
        ImproveTable* dialog = opened(opened_window);
        const Advice advice = dialog->advice();
        const int all = dialog->table()->rowCount();
        dialog->kinds()->segment(1)->click();
        QTableWidget& table = *dialog->table();
        QVERIFY(table.rowCount() < all && table.rowCount() > 3);
        std::vector<const Candidate*> expected;
        for (const Candidate& each : advice.candidates)
            if (changesScheduleAlone(each, session.wanted())) expected.push_back(&each);
        QCOMPARE(table.rowCount(), static_cast<int>(expected.size()) + 1);
        for (std::size_t at = 0; at < expected.size(); ++at)
            QVERIFY(plain(table.item(static_cast<int>(at) + 1, 0)->text()).endsWith(said(expected[at]->change)));
        // What is left out is pale and has its reason.
        const auto whyOf = [&](const char* schedule) {
            for (int row = 0; row < table.rowCount(); ++row)
                if (dialog->candidateAt(row) &&
                    dialog->candidateAt(row)->setting.config.schedule == schedule) {
                    table.setCurrentCell(row, 0);
                    return dialog->sentence();
                }
            return QStringLiteral("no such line");
        };
        QVERIFY2(whyOf("pipedream-2bw").startsWith("Asynchronous"), qPrintable(whyOf("pipedream-2bw")));
        DecisionPanel& side = part<DecisionPanel>(window);
        for (Segments* limit : {dialog->updates(), dialog->copies()}) {
            limit->segment(1)->click();
            wait(*dialog);
            QVERIFY2(whyOf("pipedream-2bw").startsWith("Excluded: "), qPrintable(whyOf("pipedream-2bw")));
        }
        QVERIFY2(side.verdict().startsWith("With a flush, one copy of the weights"),
                 qPrintable(side.verdict()));
        for (Segments* limit : {dialog->updates(), dialog->copies()}) limit->segment(0)->click();
        wait(*dialog);
        QVERIFY(whyOf("pipedream-2bw").startsWith("Asynchronous"));
        QVERIFY2(side.verdict().contains("no more copies"), qPrintable(side.verdict()));
        QCOMPARE(side.tree().size(), 9);
        QVERIFY(side.tree()[4].contains("No: m = 4, 4p = 8"));
        QVERIFY(side.tree()[side.chosenLine()].contains(QStringLiteral(" → ")));
        QCOMPARE(side.claims().size(), 3);
        QVERIFY(side.claims()[0].startsWith("A small model: GPipe. "));

        // A stacks plans on the canvas, three at most; R runs what is stacked, beside the run's own.
        const auto legalRow = [&](int nth) {
            for (int row = 0; row < table.rowCount(); ++row)
                if (dialog->candidateAt(row) && dialog->candidateAt(row)->predicted && nth-- == 0) return row;
            return -1;
        };
        const auto onCanvas = [&] { return canvasOf(opened_window.window).views(); };
        const std::size_t before = onCanvas().size();
        for (int nth = 0; nth < 4; ++nth) {
            table.setCurrentCell(legalRow(nth), 0);
            QTest::keyClick(&table, Qt::Key_A);
        }
        QCOMPARE(onCanvas().size(), before + 3);
        for (std::size_t i = 0; i < 3; ++i) {
            const int row = legalRow(static_cast<int>(i));
            const Candidate& stacked = *dialog->candidateAt(row);
            QVERIFY(dialog->isMarked(stacked) && table.item(row, 0)->text().startsWith(QStringLiteral("●")));
            QVERIFY(onCanvas()[before + i].config == stacked.setting.config);
            QCOMPARE(onCanvas()[before + i].plan_summary.iteration_ns, stacked.predicted->iteration_ns);
        }
        QVERIFY(!dialog->isMarked(*dialog->candidateAt(legalRow(3))));
        table.setCurrentCell(legalRow(0), 0);
        QTest::keyClick(&table, Qt::Key_A);
        QCOMPARE(onCanvas().size(), before + 2);
        const int marked = legalRow(1);
        QTest::keyClick(&table, Qt::Key_R);
        QVERIFY(!dialog->running().isEmpty());
        QTRY_VERIFY_WITH_TIMEOUT(dialog->running().isEmpty(), kPatience_ms);
        QVERIFY(table.item(0, 3)->text().toDouble() > 0 && table.item(marked, 3)->text().toDouble() > 0);
        QVERIFY(table.item(legalRow(0), 3)->text().isEmpty());
        table.setCurrentCell(marked, 0);
        QVERIFY2(dialog->sentence().contains("the median of 3 iterations"), qPrintable(dialog->sentence()));
        part<AdviceController>(window).leavePlan();
        QCOMPARE(onCanvas().size(), before);

        // Under a cap that nothing keeps, no line is offered.
        dialog->capField()->setValue(0.1);
        wait(*dialog);
        QVERIFY2(side.verdict().contains("nothing is predicted"), qPrintable(side.verdict()));
        dialog->capField()->setValue(0);
        wait(*dialog);
        QVERIFY2(!side.verdict().contains("nothing is predicted"), qPrintable(side.verdict()));
        table.setCurrentCell(rowOf(*dialog, "schedule GPipe"), 0);
        QTest::keyClick(&table, Qt::Key_Return);
        QCOMPARE(session.wanted().schedule, std::string("gpipe"));
        QVERIFY(session.pending());
        QCOMPARE(window.view(), MainView::Timeline);
    }

    // Durations that turn calibrated by themselves leave the marks and what they stand for.
    void marksStayWhenDurationsChange() {
        const LessonBook book = LessonBook::embedded();
        OpenedWindow opened_window(book);
        MainWindow& window = opened_window.window;
        Session& session = part<Session>(window);
        opened_window.trainAndPause(smallRun());
        ImproveTable* dialog = opened(opened_window);
        dialog->kinds()->segment(1)->click();
        QTableWidget& table = *dialog->table();
        const auto rowOfGPipe = [&] { return rowOf(*dialog, "schedule GPipe"); };
        const auto onCanvas = [&] { return canvasOf(window).views().size(); };
        const std::size_t before = onCanvas();
        table.setCurrentCell(rowOfGPipe(), 0);
        QTest::keyClick(&table, Qt::Key_A);
        QCOMPARE(onCanvas(), before + 1);
        RunConfig calibrated = session.wanted();
        calibrated.durations = Durations::Calibrated;
        session.edit(calibrated);
        session.run();
        const auto isCalibrated = [&] {
            const Candidate* const gpipe = dialog->candidateAt(rowOfGPipe());
            return gpipe != nullptr && gpipe->setting.config.durations == Durations::Calibrated;
        };
        QTRY_VERIFY_WITH_TIMEOUT(isCalibrated(), kPatience_ms);
        session.pause();
        QTRY_COMPARE(session.state(), SessionState::Paused);
        wait(*dialog);
        QVERIFY(dialog->isMarked(*dialog->candidateAt(rowOfGPipe())));
        QCOMPARE(onCanvas(), before + 1);
        table.setCurrentCell(rowOfGPipe(), 0);
        QTest::keyClick(&table, Qt::Key_R);
        QVERIFY(!dialog->running().isEmpty());
        QTRY_VERIFY_WITH_TIMEOUT(dialog->running().isEmpty(), kPatience_ms);
        QVERIFY(table.item(rowOfGPipe(), 3)->text().toDouble() > 0);
        table.setCurrentCell(rowOfGPipe(), 0);
        QTest::keyClick(&table, Qt::Key_A);
        QCOMPARE(onCanvas(), before);
    }

    // One view with one key: the old names of its parts lead there, and the table is of another run as soon
    // as that is open; what a sweep measured stands in it.
    void oneViewOfTheOpenRun() {
        const LessonBook book = LessonBook::embedded();
        OpenedWindow opened_window(book);
        MainWindow& window = opened_window.window;
        Session& session = part<Session>(window);
        opened_window.trainAndPause(smallRun());
        for (const char* words :
             {"What would help", "which schedule when", "tune", "何时用哪种调度", "调优"}) {
            window.showView(MainView::Timeline);
            const std::vector<PaletteEntry> entries = paletteEntries(
                part<WindowActions>(window), canvasOf(window).commands(), session, part<ControlBar>(window));
            entries[ranked(entries, QString::fromUtf8(words)).front()].run();
            QCOMPARE(window.view(), MainView::Improve);
        }
        window.showView(MainView::Timeline);
        QTest::keyClick(&canvasOf(window), Qt::Key_2, Qt::ControlModifier);
        QCOMPARE(window.view(), MainView::Improve);
        ImproveTable* table = opened(opened_window);
        QVERIFY(table->isVisible() && table->kind() == ImproveKind::All);
        const QPoint on_table = table->table()->viewport()->mapTo(&window, QPoint(12, 12));
        const QString asked = wordsUnder(window, on_table);  // by F1
        const std::vector<const GlossaryTerm*> terms = termsIn(asked);
        const auto is_improve = [](const GlossaryTerm* term) {
            return QString::fromUtf8(term->english) == QStringLiteral("Improve");
        };
        QVERIFY2(std::ranges::any_of(terms, is_improve), qPrintable(asked));

        SweepForm form;
        form.values = {2, 4};
        form.samples = 4;
        form.iterations = 1;
        part<TuneController>(window).propose(session.wanted(), form);
        part<TuneController>(window).startSweep();
        QTRY_VERIFY_WITH_TIMEOUT(session.sweeps().state() && session.sweeps().state()->finished,
                                 kPatience_ms);
        const auto medianOf = [&](int m) {
            for (const SweepPoint& point : session.sweeps().state()->points)
                if (point.value == m && point.median) return msNumber(point.median->iteration_ms);
            return QStringLiteral("did not run");
        };
        table = opened(opened_window);
        QCOMPARE(table->table()->item(0, 3)->text(), medianOf(4));
        const int two = rowOf(*table, "m = 2 with micro-batches of 2, the same mini-batch");
        QVERIFY(two > 0);
        QCOMPARE(table->table()->item(two, 3)->text(), medianOf(2));

        window.openFiles({kRun});
        QTRY_COMPARE_WITH_TIMEOUT(session.state(), SessionState::Replaying, kPatience_ms);
        window.showView(MainView::Improve);
        wait(*table);
        QVERIFY2(runOf(*table).contains("p = 8, m = 16"), qPrintable(runOf(*table)));
        // Of a file only the run itself ran.
        for (int row = 0; row < table->table()->rowCount(); ++row)
            QCOMPARE(table->table()->item(row, 3)->text().isEmpty(), row > 0);
        session.closeRecording();  // while it is shown
        QTRY_VERIFY_WITH_TIMEOUT(!runOf(*table).contains("p = 8"), kPatience_ms);
    }

    // What the run took stands in its own line; where its costs do not explain that, no line promises a small
    // gain without a word.
    void theRunsOwnTimeStandsBesideItsPrediction_data() {
        QTest::addColumn<double>("longer");
        QTest::newRow("as predicted") << 1.0;
        QTest::newRow("on busy cores") << 2.0;
    }
    void theRunsOwnTimeStandsBesideItsPrediction() {
        QFETCH(double, longer);
        const LessonBook book = LessonBook::embedded();
        WatchedWindow watched(book);
        watched.config = smallRun();
        watched.attach(wire::RUNNING);
        watched.engine.status(wire::RUNNING);
        watched.engine.start(watched.config, 0, 0);
        const auto stretch = [longer](Costs& costs) {
            for (StageCosts& stage : costs.stages) {
                stage.forward_ns *= longer;
                stage.backward_ns *= longer;
            }
        };
        std::vector<double> lengths_ms;
        for (int i = 0; i < 3; ++i)
            for (const wire::Message& message :
                 playedMessages(watched.config, i, watched.end_ns, true, &watched.end_ns, stretch)) {
                if (message.has_iteration_report())
                    lengths_ms.push_back(message.iteration_report().iteration_ms());
                watched.engine.send(message);
            }
        QTRY_COMPARE(watched.session().history().newestComplete(), 2);
        const ImproveTable& table = *opened(watched);
        const Notation notation;
        QCOMPARE(table.table()->item(0, ImproveLines::Ran)->text(),
                 notation.number(1e6 * median(lengths_ms)));
        table.table()->setCurrentCell(0, 0);
        QVERIFY(
            table.sentence().startsWith(QStringLiteral("The run took %1, the median of its iterations (3).")
                                            .arg(notation.duration(1e6 * median(lengths_ms)))));
        for (const int row : {0, 1}) {
            table.table()->setCurrentCell(row, 0);
            QCOMPARE(table.sentence().contains(QStringLiteral("Caution: the run took")), longer > 1);
        }
    }

    void beforeAnythingRan() {
        const LessonBook book = LessonBook::embedded();
        OpenedWindow opened_window(book);
        ImproveTable* dialog = opened(opened_window);
        const int row = rowOf(*dialog, "schedule GPipe");
        const std::int64_t predicted_ns = dialog->candidateAt(row)->predicted->iteration_ns;
        takeRow(*dialog, row);
        QCOMPARE(part<Session>(opened_window.window).wanted().schedule, std::string("gpipe"));
        const IterationView view = canvasOf(opened_window.window).views().front();
        QCOMPARE(view.config.schedule, std::string("gpipe"));
        QCOMPARE(view.plan_summary.iteration_ns, predicted_ns);
    }
};

BUBBLESCOPE_WINDOW_TEST(TestAdviceWindow)

}  // namespace tst_advice_window

#include "tst_advice_window.moc"
