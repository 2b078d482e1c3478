// What would help, in the window: lines are those that the advisor gives, the same as on the command line; a
// line of a recording is shown as a plan and nothing else says that it ran; a line of a run that can be
// changed is a change whose plan has the same numbers.
#include <QClipboard>
#include <QGuiApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>

#include "app/tune/advice_controller.h"
#include "app/tune/advice_record.h"
#include "opened_window.h"
#include "schedule/catalog.h"
#include "timeline/median.h"
#include "widgets/text/config_text.h"
#include "widgets/text/format.h"
#include "words/catalog.h"

using namespace bscope;
using namespace bscope::ui;

namespace {

const QString kRun = QStringLiteral(BUBBLESCOPE_SOURCE_DIR "/tests/data/real-runs/primus-pp8");
constexpr int kPatience_ms = 60'000;

// With the searched order's line, where there is one.
AdviceDialog* opened(OpenedWindow& of) {
    part<AdviceController>(of.window).open();
    AdviceDialog* dialog = part<AdviceController>(of.window).dialog();
    [&] {
        QTRY_VERIFY_WITH_TIMEOUT(dialog->table()->rowCount() > 3 && !dialog->searching(), kPatience_ms);
    }();
    return dialog;
}

int rowOf(const AdviceDialog& dialog, const char* change) {
    for (int row = 0; row < dialog.table()->rowCount(); ++row)
        if (const Candidate* each = dialog.candidateAt(row);
            each && say(each->change, Language::English) == change)
            return row;
    return -1;
}

void clickRow(AdviceDialog& dialog, int row) {
    QVERIFY(row >= 0);
    dialog.table()->scrollToItem(dialog.table()->item(row, 0));
    const QRect cell = dialog.table()->visualItemRect(dialog.table()->item(row, 0));
    QTest::mouseClick(dialog.table()->viewport(), Qt::LeftButton, {}, cell.center());
}

QJsonObject bscopeJson(const QStringList& arguments) {
    QProcess bscope;
    bscope.start(QStringLiteral(BUBBLESCOPE_BIN_DIR "/bscope"), arguments);
    if (!bscope.waitForFinished(kPatience_ms) || bscope.exitCode() != 0)
        qWarning("%s", bscope.readAllStandardError().constData());
    return QJsonDocument::fromJson(bscope.readAllStandardOutput()).object();
}

// Line for line, but for the order that is searched in a time of its own.
void compareWithCommandLine(const Advice& advice, const QJsonObject& told) {
    const QJsonArray candidates = told["candidates"].toArray();
    QCOMPARE(static_cast<double>(advice.now.iteration_ns) / 1e6, told["predicted_iteration_ms"].toDouble());
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

    void ofARunOfAnotherProgram() {
        const LessonBook book = LessonBook::embedded();
        OpenedWindow opened_window(book);
        MainWindow& window = opened_window.window;
        window.openFiles({kRun});
        QTRY_COMPARE_WITH_TIMEOUT(part<Session>(window).state(), SessionState::Replaying, kPatience_ms);
        AdviceDialog* dialog = opened(opened_window);

        // The lines, by gain, and the run as it is where gain ends.
        const Advice advice = dialog->advice();
        QVERIFY(advice.candidates.size() > 15);
        QCOMPARE(dialog->table()->rowCount(), static_cast<int>(advice.candidates.size()) + 1);
        int own = -1;
        for (int row = 0; row < dialog->table()->rowCount(); ++row) {
            const auto cell = [&](int column) { return dialog->table()->item(row, column)->text(); };
            const Candidate* const each = dialog->candidateAt(row);
            if (!each) {
                own = row;
                QCOMPARE(cell(2), msNumber(static_cast<double>(advice.now.iteration_ns) / 1e6));
                continue;
            }
            QCOMPARE(cell(0), each->trainsDifferently() ? "asynchronous: " + said(each->change)
                                                        : said(each->change));
            if (!each->predicted) {
                QVERIFY(!each->excluded.empty() && !dialog->table()->item(row, 0)->toolTip().isEmpty());
                continue;
            }
            QVERIFY(own < 0 ? each->gain > 0 : each->gain <= 0 || each->trainsDifferently());
            QVERIFY(own >= 0 || !each->trainsDifferently());
            QCOMPARE(cell(1), changeText(advice.now.nsPerSample(), each->predicted->nsPerSample()));
            QCOMPARE(cell(5), shareText(each->predicted->bubble_of_total));
            QCOMPARE(cell(6), numberText(each->predicted->most_in_flight, 1));
            QCOMPARE(cell(8), QString::number(each->predicted->messages));
        }
        QVERIFY(own >= 0);
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
        QVERIFY(!isOut("schedule zb-v, v = 2"));
        dialog->frameworkField()->setCurrentIndex(3);
        emit dialog->frameworkField()->activated(3);
        QTRY_VERIFY_WITH_TIMEOUT(isOut("schedule zb-v, v = 2"), kPatience_ms);
        dialog->frameworkField()->setCurrentIndex(0);
        emit dialog->frameworkField()->activated(0);
        QTRY_VERIFY_WITH_TIMEOUT(rowOf(*dialog, "schedule zb-v, v = 2") >= 0 && !isOut("schedule zb-v, v = 2"),
                                 kPatience_ms);
        dialog->updates()->segment(1)->click();
        QTRY_VERIFY_WITH_TIMEOUT(isOut("schedule pipedream-2bw"), kPatience_ms);
        dialog->updates()->segment(0)->click();
        QTRY_VERIFY_WITH_TIMEOUT(!isOut("schedule pipedream-2bw"), kPatience_ms);

        // A line as a plan.
        const int row = rowOf(*dialog, "schedule zb-v, v = 2");
        clickRow(*dialog, row);
        QVERIFY(part<AdviceController>(window).plan());
        QVERIFY(!part<Session>(window).replayer().playing());
        const IterationView shown = canvasOf(window).views().front();
        QVERIFY(shown.ran->empty() && shown.alternative);
        QCOMPARE(shown.config.schedule, std::string("zb-v"));
        QCOMPARE(shown.plan_summary.iteration_ns, dialog->candidateAt(row)->predicted->iteration_ns);
        QVERIFY(
            !part<NumbersDock>(window).imported().isVisibleTo(&window));  // what it says is about what ran
        // The run itself, by another line's place in the list of iterations.
        QVERIFY(!dialog->isHidden());
        part<Session>(window).select(7);
        QVERIFY(!part<AdviceController>(window).plan());
        QCOMPARE(canvasOf(window).views().front().number(), 7);

        // A cap: what holds more is out, and says why.
        dialog->capField()->setValue(6);
        const auto gpipe = [&]() -> const Candidate* {
            const int at = rowOf(*dialog, "schedule gpipe");
            return at < 0 ? nullptr : dialog->candidateAt(at);
        };
        QTRY_VERIFY_WITH_TIMEOUT(gpipe() && !gpipe()->excluded.empty(), kPatience_ms);
        dialog->table()->setCurrentCell(rowOf(*dialog, "schedule gpipe"), 0);
        QVERIFY2(dialog->sentence().contains(QStringLiteral("16.00 micro-batches")),
                 qPrintable(dialog->sentence()));

        // By key, and away with the recording.
        dialog->table()->setCurrentCell(0, 0);
        QTest::keyClick(dialog->table(), Qt::Key_Return);
        QVERIFY(part<AdviceController>(window).plan());
        part<Session>(window).closeRecording();
        QVERIFY(!part<AdviceController>(window).plan());
        QTRY_VERIFY(part<AdviceController>(window).dialog() == nullptr);
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
        const auto check = [&](PredictionDialog& dialog, int row, bool deepspeed,
                               const QString& in_megatron) {
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
        AdviceDialog* dialog = opened(opened_window);
        check(*dialog, rowOf(*dialog, "schedule interleaved, v = 2"), false,
              "--num-virtual-stages-per-pipeline-rank 2");
        check(*dialog, rowOf(*dialog, "schedule zb-v, v = 2"), false, "--zero-bubble-v-schedule");
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
        part<AdviceController>(window).openSchedules();
        ScheduleChoiceDialog* const choice = part<AdviceController>(window).choice();
        QTRY_VERIFY_WITH_TIMEOUT(choice->table()->rowCount() > 3, kPatience_ms);
        for (int row = 0; row < choice->table()->rowCount(); ++row)
            if (const Candidate* each = choice->candidateAt(row);
                each && each->setting.config.schedule == "interleaved" && each->setting.config.params.v == 2)
                check(*choice, row, false, "--num-virtual-stages-per-pipeline-rank 2");
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
        AdviceDialog* dialog = opened(opened_window);
        compareWithCommandLine(dialog->advice(), bscopeJson({"advise", "--from", file, "--iteration", "2",
                                                             "--search-s", "0", "--json"}));
    }

    void ofARunThatCanBeChanged() {
        const LessonBook book = LessonBook::embedded();
        OpenedWindow opened_window(book);
        MainWindow& window = opened_window.window;
        Session& session = part<Session>(window);
        opened_window.trainAndPause(smallRun());
        AdviceDialog* dialog = opened(opened_window);
        for (const char* change : {"schedule gpipe", "m = 8", "recomputation: full"}) {
            const int row = rowOf(*dialog, change);
            const Candidate taken = *dialog->candidateAt(row);
            clickRow(*dialog, row);
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

    // A change that is taken and runs: its line has what came out, from the reports; a recording of it tells
    // the same when it is opened, in the window and on the command line; and the program remembers the error.
    void promiseAndOutcome() {
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("kept.bscope"));
        const LessonBook book = LessonBook::embedded();
        OpenedWindow opened_window(book);
        MainWindow& window = opened_window.window;
        Session& session = part<Session>(window);
        opened_window.trainAndPause(smallRun());
        const QString machine = session.shown().device;
        const std::size_t known = AdviceRecord::errorsOn(machine).size();
        AdviceDialog* dialog = opened(opened_window);
        QVERIFY(session.startRecording(file));
        const Candidate taken = *dialog->candidateAt(rowOf(*dialog, "m = 8"));
        clickRow(*dialog, rowOf(*dialog, "m = 8"));
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
        QVERIFY(std::abs(AdviceRecord::errorsOn(machine).back() - error) < 1e-12);
        QVERIFY(dialog->status().contains(QString::number(known + 1)));

        // Another list, of what runs now: the change stands below it.
        dialog = opened(opened_window);
        QTRY_VERIFY_WITH_TIMEOUT(rowOf(*dialog, "m = 32") >= 0 && !dialog->searching(), kPatience_ms);
        const int last = dialog->table()->rowCount() - 1;
        QVERIFY(dialog->table()->item(last, 0)->text().endsWith(QStringLiteral("m = 8")));
        QCOMPARE(dialog->table()->item(last, 3)->text(), msNumber(middle));
        QVERIFY(!dialog->candidateAt(last));
        dialog->close();

        window.openFiles({file});
        QTRY_COMPARE_WITH_TIMEOUT(session.state(), SessionState::Replaying, kPatience_ms);
        session.replayer().seekIteration(session.replayer().bars().back().iteration);
        QCOMPARE(session.history().outcomes().size(), std::size_t{1});
        QCOMPARE(got(), lengths);
        const QJsonObject told = bscopeJson({"advise", "--from", file, "--search-s", "0", "--json"});
        const QJsonObject line = told["outcomes"].toArray()[0].toObject();
        QCOMPARE(line["change"].toString(), QStringLiteral("m = 8"));
        QCOMPARE(line["got_iteration_ms"].toDouble(), middle);
        QCOMPARE(line["iterations"].toInt(), static_cast<int>(lengths.size()));
        QVERIFY(std::abs(told["median_absolute_error"].toDouble() - error) < 1e-12);
    }

    // The schedules alone: the advisor's lines, its questions, and taking one by keys.
    void whichScheduleWhen() {
        const LessonBook book = LessonBook::embedded();
        OpenedWindow opened_window(book);
        MainWindow& window = opened_window.window;
        Session& session = part<Session>(window);
        opened_window.trainAndPause(smallRun());
        AdviceController& controller = part<AdviceController>(window);
        const Advice advice = opened(opened_window)->advice();
        controller.openSchedules();
        ScheduleChoiceDialog* dialog = controller.choice();
        QVERIFY(dialog && !controller.dialog());  // one takes the place of the other
        QTableWidget& table = *dialog->table();
        QTRY_VERIFY_WITH_TIMEOUT(table.rowCount() > 3, kPatience_ms);

        std::vector<const Candidate*> expected;
        for (const Candidate& each : advice.candidates)
            if (changesScheduleAlone(each, session.wanted())) expected.push_back(&each);
        QCOMPARE(table.rowCount(), static_cast<int>(expected.size()) + 1);
        std::size_t at = 0;
        for (int row = 0; row < table.rowCount(); ++row) {
            const auto cell = [&](int column) { return table.item(row, column)->text(); };
            if (!dialog->candidateAt(row)) {
                QVERIFY(cell(0).startsWith("now: "));
                QCOMPARE(cell(2), msNumber(static_cast<double>(advice.now.iteration_ns) / 1e6));
                continue;
            }
            const Candidate& each = *expected[at++];
            QCOMPARE(cell(0), ScheduleChoiceDialog::nameOf(each));
            QVERIFY(cell(0).contains(scheduleTitle(each.setting.config.schedule)));
            QCOMPARE(cell(0).contains(QStringLiteral("v = 2")), each.setting.config.params.v == 2);
            QVERIFY(each.predicted || !cell(9).isEmpty());
            if (each.predicted) QCOMPARE(cell(4), shareText(each.predicted->bubble_of_total));
            if (each.predicted && each.predicted->bubble_of_span)
                QCOMPARE(cell(5), shareText(*each.predicted->bubble_of_span));
            if (!each.excluded.empty()) QVERIFY(cell(9).contains(said(each.excluded)));
        }
        // What is left out stands there with its reason, and in the sentence.
        const auto whyOf = [&](const char* schedule) {
            for (int row = 0; row < table.rowCount(); ++row)
                if (dialog->candidateAt(row) && dialog->candidateAt(row)->setting.config.schedule == schedule)
                    return table.item(row, 9)->text();
            return QStringLiteral("no such line");
        };
        QVERIFY2(whyOf("pipedream-2bw").isEmpty(), qPrintable(whyOf("pipedream-2bw")));
        for (Segments* limit : {dialog->updates(), dialog->copies()}) {
            limit->segment(1)->click();
            QTRY_VERIFY_WITH_TIMEOUT(whyOf("pipedream-2bw").startsWith("out: "), kPatience_ms);
        }
        QTRY_VERIFY_WITH_TIMEOUT(dialog->sentence().startsWith("With a flush, one copy of the weights"),
                                 kPatience_ms);
        for (Segments* limit : {dialog->updates(), dialog->copies()}) limit->segment(0)->click();
        QTRY_VERIFY_WITH_TIMEOUT(
            whyOf("pipedream-2bw").isEmpty() && dialog->sentence().contains("no further"), kPatience_ms);
        QCOMPARE(dialog->tree().size(), 9);
        QVERIFY(dialog->tree()[4].contains("m = 4, 4p = 8"));
        QVERIFY(dialog->tree()[dialog->chosenLine()].contains(QStringLiteral(" → ")));

        QCOMPARE(dialog->claims().size(), 4);  // a head and the three of the popular tree
        QVERIFY(dialog->claims()[1].startsWith("A small model: GPipe. "));

        // A stacks plans on the canvas, three at most; R runs what is stacked, beside the run's own.
        const auto legalRow = [&](int nth) {
            for (int row = 0; row < table.rowCount(); ++row)
                if (dialog->candidateAt(row) && dialog->candidateAt(row)->predicted && nth-- == 0) return row;
            return -1;
        };
        const auto onCanvas = [&] { return canvasOf(opened_window.window).views(); };
        const std::size_t before = onCanvas().size();
        QVERIFY(table.isColumnHidden(3));
        for (int nth = 0; nth < 4; ++nth) {
            table.setCurrentCell(legalRow(nth), 0);
            QTest::keyClick(&table, Qt::Key_A);
        }
        QCOMPARE(onCanvas().size(), before + 3);
        for (std::size_t i = 0; i < 3; ++i) {
            const Candidate& stacked = *dialog->candidateAt(legalRow(static_cast<int>(i)));
            QVERIFY(dialog->isMarked(stacked));
            QVERIFY(onCanvas()[before + i].config == stacked.setting.config);
            QCOMPARE(onCanvas()[before + i].plan_summary.iteration_ns, stacked.predicted->iteration_ns);
        }
        QVERIFY(!dialog->isMarked(*dialog->candidateAt(legalRow(3))));
        table.setCurrentCell(legalRow(0), 0);
        QTest::keyClick(&table, Qt::Key_A);
        QCOMPARE(onCanvas().size(), before + 2);
        const int marked = legalRow(1);
        QTest::keyClick(&table, Qt::Key_R);
        QVERIFY(!dialog->measuring().isEmpty());
        QTRY_VERIFY_WITH_TIMEOUT(!table.isColumnHidden(3), kPatience_ms);
        QVERIFY(table.item(marked, 3)->text().toDouble() > 0);
        QVERIFY(table.item(legalRow(0), 3)->text().isEmpty());
        controller.leavePlan();
        QCOMPARE(onCanvas().size(), before);

        // Under a cap that nothing keeps, no line is offered.
        dialog->capField()->setValue(0.1);
        emit dialog->capEdited();
        QTRY_VERIFY_WITH_TIMEOUT(dialog->sentence().contains("nothing is predicted"), kPatience_ms);
        dialog->capField()->setValue(0);
        emit dialog->capEdited();
        QTRY_VERIFY_WITH_TIMEOUT(
            !dialog->sentence().startsWith("At most") && !dialog->sentence().startsWith("Being"),
            kPatience_ms);
        int gpipe = 0;
        while (!dialog->candidateAt(gpipe) || dialog->candidateAt(gpipe)->setting.config.schedule != "gpipe")
            QVERIFY(++gpipe < table.rowCount());
        table.setCurrentCell(gpipe, 0);
        QTest::keyClick(&table, Qt::Key_Return);
        QCOMPARE(session.wanted().schedule, std::string("gpipe"));
        QVERIFY(session.pending());
    }

    void beforeAnythingRan() {
        const LessonBook book = LessonBook::embedded();
        OpenedWindow opened_window(book);
        AdviceDialog* dialog = opened(opened_window);
        const int row = rowOf(*dialog, "schedule gpipe");
        const std::int64_t predicted_ns = dialog->candidateAt(row)->predicted->iteration_ns;
        clickRow(*dialog, row);
        QCOMPARE(part<Session>(opened_window.window).wanted().schedule, std::string("gpipe"));
        const IterationView view = canvasOf(opened_window.window).views().front();
        QCOMPARE(view.config.schedule, std::string("gpipe"));
        QCOMPARE(view.plan_summary.iteration_ns, predicted_ns);
    }
};

QTEST_MAIN(TestAdviceWindow)
#include "tst_advice_window.moc"
