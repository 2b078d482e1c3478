// Runs of other programs in the window: opened by folder and by several files, shown as what they are,
// explained when they cannot be.
#include <QInputDialog>
#include <QProcess>
#include <QSignalSpy>
#include <QTemporaryDir>

#include "app/export/export_job.h"
#include "app/import/import_follower.h"
#include "app/import/import_job.h"
#include "app/import/part_dialog.h"
#include "app/schedules/schedule_controller.h"
#include "app/tune/tune_controller.h"
#include "app/window/file_controller.h"
#include "opened_window.h"
#include "registered_test.h"
#include "unnamed_traces.h"
#include "widgets/dock/comparison_section.h"
#include "widgets/dock/import_section.h"
#include "widgets/text/format.h"
#include "wire/recording.h"

namespace tst_import_window {

using namespace bscope;
using namespace bscope::ui;

namespace {

const QString kRuns = QStringLiteral(BUBBLESCOPE_SOURCE_DIR "/tests/data/real-runs");
constexpr int kPatience_ms = 60'000;

}  // namespace

class TestImportWindow : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        OpenedWindow::useTestSettings();
        qputenv("BSCOPE", BUBBLESCOPE_BIN_DIR "/bscope");
    }

    void aFolderIsShown() {
        const LessonBook book = LessonBook::embedded();
        OpenedWindow opened(book);
        MainWindow& window = opened.window;
        window.openFiles({kRuns + QStringLiteral("/primus-pp8")});
        QTRY_COMPARE_WITH_TIMEOUT(part<Session>(window).state(), SessionState::Replaying, kPatience_ms);
        const IterationView view = part<Session>(window).shown();
        QVERIFY(view.import && view.report);
        QCOMPARE(view.import->source, std::string("Primus pp_vis"));
        QCOMPARE(view.number(), 20);  // as the files number it
        QCOMPARE(view.ran->provenance(), Provenance::Imported);
        QVERIFY(view.layers_per_stage.empty());
        const ImportSection& reported = part<NumbersDock>(window).imported();
        QTRY_VERIFY(reported.isVisibleTo(&window));
        QVERIFY(reported.text().contains(QStringLiteral("micro-batches")));
        QVERIFY(reported.text().contains(QStringLiteral("0.71")));
        QVERIFY(part<FailureBar>(window).isHidden());
        QCOMPARE(part<ControlBar>(window).recompute()->currentIndex(), -1);

        // Another iteration, by the number that the files give it.
        part<Session>(window).select(7);
        QCOMPARE(part<Session>(window).shown().number(), 7);
        QVERIFY(std::abs(part<Session>(window).shown().report->bubble_of_total - 0.354) < 0.001);

        part<Session>(window).closeRecording();
        QVERIFY(!part<Session>(window).shown().import);
        QTRY_VERIFY(!reported.isVisibleTo(&window));
    }

    // What the window says of an iteration that is left out names its own menu, which then shows it.
    void theStartUpIterationIsShownFromTheMenu() {
        const LessonBook book = LessonBook::embedded();
        OpenedWindow opened(book);
        MainWindow& window = opened.window;
        Session& session = part<Session>(window);
        WindowActions& actions = part<WindowActions>(window);
        QAction* const too = opened.action(QStringLiteral("Import the start-up iteration too"));
        QVERIFY(too && !actions.whyNot(*too).isEmpty());
        window.openFiles({kRuns + QStringLiteral("/primus-pp8")});
        QTRY_COMPARE_WITH_TIMEOUT(session.state(), SessionState::Replaying, kPatience_ms);
        QTRY_VERIFY(!session.bars().empty());
        QCOMPARE(session.bars().front().number(), 2);
        const QString text = part<NumbersDock>(window).imported().text();
        QVERIFY2(!text.contains(QStringLiteral("--")), qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral("File > Import the start-up iteration too")), qPrintable(text));
        QCOMPARE(actions.whyNot(*too), QString());
        too->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(session.bars().front().number(), 1, kPatience_ms);
        QTRY_VERIFY(!actions.whyNot(*too).isEmpty());
    }

    // A key does not leave a file; the button that says so does, and then nothing of the file is left: neither
    // its name nor how many samples an iteration of it has.
    void aSweepLeavesTheWholeFile() {
        const LessonBook book = LessonBook::embedded();
        OpenedWindow opened(book);
        MainWindow& window = opened.window;
        Session& session = part<Session>(window);
        session.edit(smallRun());
        window.openFiles({kRuns + QStringLiteral("/primus-pp8")});
        QTRY_COMPARE_WITH_TIMEOUT(session.state(), SessionState::Replaying, kPatience_ms);
        auto& files = part<FileController>(window);
        QVERIFY2(files.summary().startsWith("primus-pp8"), qPrintable(files.summary()));
        window.showView(MainView::Improve);
        TuneController& tune = part<TuneController>(window);
        tune.enter();
        tune.startSweep();
        QCOMPARE(session.state(), SessionState::Replaying);
        QCOMPARE(tune.page()->startButton()->text(), QStringLiteral("Leave the file and sweep the built-in model"));
        QSignalSpy started(tune.page(), &TuneView::startSweep);
        tune.page()->startButton()->click();
        QVERIFY(session.state() != SessionState::Replaying);
        QCOMPARE(started.size(), 1);
        QCOMPARE(std::int64_t{started.front().front().value<SweepForm>().samples}, session.wanted().samples());
        QVERIFY2(!files.summary().contains("primus"), qPrintable(files.summary()));
        tune.page()->startButton()->click();  // cancels
    }

    // By how much a bubble may be too low where no file names the operations; nothing of it where one does.
    void whatIsLeftOpenIsSaid() {
        for (const bool named : {false, true}) {
            const LessonBook book = LessonBook::embedded();
            OpenedWindow opened(book);
            QTemporaryDir folder;
            putUnnamedTraces(folder.path().toStdString(), playedTimeline("1f1b", {2, 1, 4}),
                             {.world_size = 2, .plain = named, .host_us = 150});
            opened.window.openFiles({folder.path()});
            QTRY_COMPARE_WITH_TIMEOUT(part<Session>(opened.window).state(), SessionState::Replaying,
                                      kPatience_ms);
            const ImportSection& reported = part<NumbersDock>(opened.window).imported();
            QTRY_VERIFY(reported.text().contains(QStringLiteral("hold no kernels")));
            const double bound = part<Session>(opened.window).shown().import->understated_by;
            QCOMPARE(bound > 0, !named);
            const QString words =
                QStringLiteral("may be too low, by up to %1 percentage").arg(numberText(100 * bound, 1));
            QCOMPARE(reported.text().contains(words), !named);
        }
    }

    // What contradicts itself opens nothing.
    void contradictionsAreExplained() {
        const LessonBook book = LessonBook::embedded();
        OpenedWindow opened(book);
        QTemporaryDir folder;
        const auto file = [&folder](int rank, const std::vector<std::string>& events) {
            std::string text = kinetoFile(events, R"({"rank":)" + std::to_string(rank) + "}");
            text.insert(1, R"("host_name":"a",)");
            put(folder.filePath(QStringLiteral("rank%1.json").arg(rank)).toStdString(), text);
        };
        file(0, {kinetoX("user_annotation", "PP:0F0", 0, 10), kinetoX("user_annotation", "PP:0B0", 20, 10)});
        file(1, {kinetoX("user_annotation", "PP:1F0", 0, 10), kinetoX("user_annotation", "PP:1B0", 12, 10)});
        QSignalSpy failed(&part<ImportJob>(opened.window), &ImportJob::failed);
        opened.window.openFiles({folder.path()});
        QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 1, kPatience_ms);
        const Notice notice = failed.front().front().value<Notice>();
        QVERIFY2((notice.sentence.text() + notice.what_to_do.text() + notice.details)
                     .contains("no number would be right"),
                 qPrintable(notice.what_to_do.text()));
        QVERIFY(part<Session>(opened.window).state() != SessionState::Replaying);
        QVERIFY(!part<Session>(opened.window).shown().import);
    }

    // Files of some ranks are shown as what they are.
    void filesOfSomeRanksAreShown() {
        const LessonBook book = LessonBook::embedded();
        OpenedWindow opened(book);
        QTemporaryDir folder;
        putUnnamedTraces(folder.path().toStdString(), playedTimeline("1f1b", {4, 1, 6}),
                         {.files = {2, 3}, .world_size = 4, .groups = "[0,1,2,3]"});
        opened.window.openFiles({folder.path()});
        const auto dialog = [&opened] { return opened.window.findChild<PartDialog*>(); };
        QTRY_VERIFY_WITH_TIMEOUT(dialog() != nullptr, kPatience_ms);
        QVERIFY(part<FailureBar>(opened.window).isHidden());
        QCOMPARE(dialog()->title(), QStringLiteral("ranks 2, 3 of 4"));
        const auto& rows = dialog()->table().rows();
        QCOMPARE(rows.size(), std::size_t{2});
        QCOMPARE(rows[1].cells.mid(0, 4), (QStringList{"3", "3", "6", "6"}));
        const auto& lanes = dialog()->lanes().lanes();
        QCOMPARE(lanes.size(), std::size_t{2});
        QCOMPARE(lanes[1].boxes.size(), std::size_t{12});
        QCOMPARE(lanes[1].boxes[1].action.op, Op::Backward);
        QCOMPARE(lanes[0].boxes[0].start_ms, 0.0);
        QVERIFY(dialog()->lanes().boxRect(1, 11).right() <= dialog()->lanes().width() + 1);
        dialog()->close();
        QVERIFY(!part<Session>(opened.window).shown().import);
    }

    void severalFilesAreOneRun() {
        const LessonBook book = LessonBook::embedded();
        OpenedWindow opened(book);
        const QString folder = kRuns + QStringLiteral("/kineto-interleaved-p2-v2-m4");
        opened.window.openFiles({folder + QStringLiteral("/rank0_trace.json.gz"),
                                 folder + QStringLiteral("/rank1_trace.json.gz")});
        QTRY_COMPARE_WITH_TIMEOUT(part<Session>(opened.window).state(), SessionState::Replaying,
                                  kPatience_ms);
        QCOMPARE(part<Session>(opened.window).shown().config.schedule, std::string("interleaved"));
        QCOMPARE(part<Session>(opened.window).shown().config.params.p, 2);
    }

    // Pipelines that ran side by side: one is chosen, by mouse or keyboard, and only then read.
    void ofSeveralReplicasOneIsChosen() {
        QTemporaryDir folder;
        const std::filesystem::path root = folder.path().toStdString(), second = root / "second";
        std::filesystem::create_directory(second);
        const auto played = [](const char* name) {
            return predict(lower(makeSchedule(name, {2, 1, 4})), unitCosts(2, 1, 1, 1, 0));
        };
        putProbeFiles(root, played("1f1b"));
        putProbeFiles(second, played("gpipe"), true, 2);  // ranks 2 and 3
        const LessonBook book = LessonBook::embedded();
        OpenedWindow opened(book);
        MainWindow& window = opened.window;
        window.openFiles({folder.path()});
        QInputDialog* dialog = nullptr;
        QTRY_VERIFY_WITH_TIMEOUT((dialog = window.findChild<QInputDialog*>()) != nullptr, kPatience_ms);
        QCOMPARE(dialog->comboBoxItems(), QStringList({QStringLiteral("Replica 0: ranks 0, 1"),
                                                       QStringLiteral("Replica 1: ranks 2, 3")}));
        QVERIFY(part<FailureBar>(window).isHidden());
        dialog->setTextValue(dialog->comboBoxItems().back());
        dialog->accept();
        QTRY_COMPARE_WITH_TIMEOUT(part<Session>(window).state(), SessionState::Replaying, kPatience_ms);
        QCOMPARE(part<Session>(window).shown().config.schedule, std::string("gpipe"));
        QCOMPARE(part<Session>(window).shown().config.params.p, 2);
        QVERIFY(part<NumbersDock>(window).imported().text().contains(QStringLiteral("left out")));
    }

    // Rank 1 runs micro-batch 3 before 2, as no schedule does.
    void theFirstDifferenceIsShown() {
        Schedule schedule = makeSchedule("gpipe", {3, 1, 6});
        std::swap(schedule.orders[1][2], schedule.orders[1][3]);
        QTemporaryDir folder;
        putProbeFiles(folder.path().toStdString(), predict(lower(schedule), unitCosts(3, 1, 1, 1, 0)));
        const LessonBook book = LessonBook::embedded();
        OpenedWindow opened(book);
        MainWindow& window = opened.window;
        QAction* jump = nullptr;
        for (QAction* each : part<WindowActions>(window).all())
            if (withoutMnemonic(each->text()) == u"Difference from the nearest schedule") jump = each;
        QVERIFY(jump && !part<WindowActions>(window).whyNot(*jump).isEmpty());
        window.openFiles({folder.path()});
        QTRY_COMPARE_WITH_TIMEOUT(part<Session>(window).state(), SessionState::Replaying, kPatience_ms);
        QVERIFY(part<WindowActions>(window).whyNot(*jump).isEmpty());
        jump->trigger();
        GridStrip& strip = *part<ScheduleController>(window).strip();
        QVERIFY(strip.isVisible());
        const GridPlace place{1, 2};
        QVERIFY(strip.grid().mark() == place && strip.grid().current() == place);
        QCOMPARE(toText(strip.grid().model()->cell(place).action), std::string("1F3"));
        const QString sentence = strip.difference();
        for (const char* part : {"GPipe", "operation 2 (counted from 0) of rank 1", "1F2", "1F3 ran"})
            QVERIFY2(sentence.contains(QLatin1String(part)), qPrintable(sentence));
        QVERIFY(part<NumbersDock>(window).imported().text().contains(sentence));
        const auto selected = canvasOf(window).state().selection();
        QVERIFY(selected && selected->rank == 1);
        QCOMPARE(selected->action.microbatch, 3);

        // Again by the link of the strip; a schedule of the catalog has none.
        canvasOf(window).state().select(std::nullopt);
        QTest::mouseClick(strip.jumpButton(), Qt::LeftButton);
        QVERIFY(canvasOf(window).state().selection());
        window.openFiles({kRuns + QStringLiteral("/primus-pp8")});
        QTRY_VERIFY_WITH_TIMEOUT(part<Session>(window).shown().config.params.p == 8, kPatience_ms);
        QVERIFY(!strip.grid().mark() && strip.difference().isEmpty());
        QVERIFY(!part<WindowActions>(window).whyNot(*jump).isEmpty());
    }

    // A training that goes on: its next iterations come by themselves, and a window that shows an earlier one
    // stays there.
    void filesThatGrowAreFollowed() {
        const auto addIteration = [](const QTemporaryDir& folder, int iteration) {
            const Timeline timeline = playedTimeline("gpipe", {2, 1, 4});
            for (int rank = 0; rank < 2; ++rank) {
                QFile file(folder.filePath(QStringLiteral("probe_rank_%1.jsonl").arg(rank)));
                QVERIFY(file.open(QIODevice::Append));
                for (const Event& event : timeline.compute(rank)) {
                    if (!isCompute(event.op)) continue;
                    const std::int64_t shift = iteration * 100'000'000'000;
                    file.write(QStringLiteral(R"({"i":%1,"op":"%2","s":%3,"mb":%4,"t0":%5,"t1":%6})")
                                   .arg(iteration)
                                   .arg(QLatin1String(opText(event.op)))
                                   .arg(event.stage)
                                   .arg(event.microbatch)
                                   .arg(event.start_ns + shift)
                                   .arg(event.end_ns + shift)
                                   .toUtf8() +
                               '\n');
                }
                file.write(QStringLiteral("{\"i\":%1,\"end\":true}\n").arg(iteration).toUtf8());
            }
        };
        QTemporaryDir folder;
        putProbeFiles(folder.path().toStdString(), playedTimeline("gpipe", {2, 1, 4}));
        const LessonBook book = LessonBook::embedded();
        OpenedWindow opened(book);
        MainWindow& window = opened.window;
        part<ImportFollower>(window).setEvery(50);
        window.openFiles({folder.path()});
        QTRY_COMPARE_WITH_TIMEOUT(part<Session>(window).state(), SessionState::Replaying, kPatience_ms);
        QCOMPARE(part<Session>(window).shown().number(), 0);
        addIteration(folder, 1);
        QTRY_COMPARE_WITH_TIMEOUT(part<Session>(window).shown().number(), 1, kPatience_ms);
        QCOMPARE(part<Session>(window).bars().size(), std::size_t{2});
        QVERIFY(part<ImportJob>(window).isPart());  // only what came since was read
        QCOMPARE(part<Session>(window).shown().import->source, std::string("Bubblescope probe (PyTorch)"));
        part<Session>(window).select(0);
        addIteration(folder, 2);
        QTRY_COMPARE_WITH_TIMEOUT(part<Session>(window).bars().size(), std::size_t{3}, kPatience_ms);
        QTRY_COMPARE(part<Session>(window).shown().number(), 0);
        part<Session>(window).select(2);
        QCOMPARE(part<Session>(window).shown().number(), 2);
        // The file that is open holds all of them.
        RecordingReader reader(part<Session>(window).replayer().path().toStdString());
        int reports = 0;
        while (const auto message = reader.next()) reports += message->has_iteration_report();
        QVERIFY(reader.warning().empty());
        QCOMPARE(reports, 3);
        // A training that was started anew: other files under the same names.
        putProbeFiles(folder.path().toStdString(), playedTimeline("1f1b", {2, 1, 4}));
        QTRY_COMPARE_WITH_TIMEOUT(part<Session>(window).shown().config.schedule, std::string("1f1b"),
                                  kPatience_ms);
        QCOMPARE(part<Session>(window).bars().size(), std::size_t{1});
        // Something else is opened: no more of it.
        window.openFiles({kRuns + QStringLiteral("/primus-pp8")});
        QVERIFY(!part<ImportFollower>(window).following());
    }

    // The window is there before the folder, the folder before the files, and they before the first
    // iteration.
    void aTrainingThatHasNotBegunIsAwaited_data() {
        QTest::addColumn<bool>("exists");
        QTest::newRow("no folder yet") << false;
        QTest::newRow("an empty folder") << true;
    }
    void aTrainingThatHasNotBegunIsAwaited() {
        QFETCH(bool, exists);
        QTemporaryDir parent;
        const QString folder = parent.filePath(QStringLiteral("x"));
        if (exists) QVERIFY(QDir().mkdir(folder));
        const LessonBook book = LessonBook::embedded();
        OpenedWindow opened(book);
        MainWindow& window = opened.window;
        const auto said = [&window] { return part<FailureBar>(window).sentence(); };
        part<ImportFollower>(window).setEvery(50);
        window.openFiles({folder});
        QVERIFY2(said().contains(QStringLiteral("waiting for ranks: 0 of ? have written")),
                 qPrintable(said()));
        QCOMPARE(said().contains(QStringLiteral("does not exist yet")), !exists);
        QVERIFY(QDir().mkpath(folder));

        const Timeline timeline = playedTimeline("gpipe", {2, 1, 4});
        QTemporaryDir whole;
        putProbeFiles(whole.path().toStdString(), timeline);
        const auto write = [&](int rank, bool header) {
            const QString name = QStringLiteral("/probe_rank_%1.jsonl").arg(rank);
            QFile from(whole.path() + name), to(folder + name);
            QVERIFY(from.open(QIODevice::ReadOnly) && to.open(QIODevice::WriteOnly));
            to.write(header ? from.readLine() : from.readAll());
        };
        write(0, true);
        QTRY_VERIFY_WITH_TIMEOUT(said().contains(QStringLiteral("waiting for ranks: 1 of 2 have written")),
                                 kPatience_ms);
        write(1, true);
        QTRY_VERIFY_WITH_TIMEOUT(said().contains(QStringLiteral("waiting for the first whole iteration")),
                                 kPatience_ms);
        QVERIFY(part<Session>(window).state() != SessionState::Replaying);
        for (const int rank : {0, 1}) write(rank, false);
        QTRY_COMPARE_WITH_TIMEOUT(part<Session>(window).state(), SessionState::Replaying, kPatience_ms);
        QCOMPARE(part<Session>(window).shown().config.schedule, std::string("gpipe"));
        QTRY_VERIFY(part<FailureBar>(window).isHidden());

        // The next training of the same collector.
        QVERIFY(QDir().mkdir(folder + QStringLiteral("-2")));
        putProbeFiles((folder + QStringLiteral("-2")).toStdString(), playedTimeline("1f1b", {2, 1, 4}));
        QTRY_COMPARE_WITH_TIMEOUT(part<Session>(window).shown().config.schedule, std::string("1f1b"),
                                  kPatience_ms);
    }

    void whatIsAwaitedCanBeCancelled() {
        QTemporaryDir folder;
        const LessonBook book = LessonBook::embedded();
        OpenedWindow opened(book);
        part<ImportFollower>(opened.window).setEvery(50);
        opened.window.openFiles({folder.path()});
        QVERIFY(part<ImportFollower>(opened.window).following());
        emit part<FailureBar>(opened.window).actionChosen(QStringLiteral("cancel"));
        QVERIFY(!part<ImportFollower>(opened.window).following());
        QVERIFY(part<FailureBar>(opened.window).isHidden());
    }

    void whatMayBeAFolderToCome() {
        QVERIFY(ImportFollower::awaits(QStringLiteral("/nowhere/runs/x")));
        QVERIFY(ImportFollower::awaits(QStringLiteral("/nowhere/runs/x.1")));
        QVERIFY(!ImportFollower::awaits(QStringLiteral("/nowhere/run.bscope")));
        QVERIFY(!ImportFollower::awaits(kRuns));
    }

    // What takes longer to read is read less often.
    void whatIsLongIsFollowedLessOften() {
        QTemporaryDir folder;
        putProbeFiles(folder.path().toStdString(), playedTimeline("gpipe", {2, 1, 4}));
        ImportFollower follower;
        follower.follow(folder.path());
        const int at_first = follower.interval();
        follower.readIn(1);
        QCOMPARE(follower.interval(), at_first);
        follower.readIn(5000);
        QCOMPARE(follower.interval(), 50'000);
        follower.follow(folder.path());
        QCOMPARE(follower.interval(), at_first);
    }

    // A run of another program beside a second one: the first one's iteration stays pinned.
    void twoRunsAreCompared() {
        const LessonBook book = LessonBook::embedded();
        OpenedWindow opened(book);
        MainWindow& window = opened.window;
        Session& session = part<Session>(window);
        const ComparisonSection& comparison = part<NumbersDock>(window).comparison();
        window.openFiles({kRuns + QStringLiteral("/primus-pp8")});
        QTRY_COMPARE_WITH_TIMEOUT(session.state(), SessionState::Replaying, kPatience_ms);
        session.select(7);
        QTRY_VERIFY(session.shown().number() == 7 && session.shown().summary);
        const IterationView first = session.shown();
        QTest::keyClick(&window, Qt::Key_N);
        QVERIFY(comparison.isHidden());  // beside itself there is nothing to say
        QTemporaryDir folder;
        putProbeFiles(folder.path().toStdString(), playedTimeline("interleaved", {8, 2, 16}));
        window.openFiles({folder.path()});
        QTRY_VERIFY_WITH_TIMEOUT(session.shown().config.schedule == "interleaved", kPatience_ms);
        QTRY_VERIFY_WITH_TIMEOUT(!comparison.isHidden(), kPatience_ms);
        const IterationView second = session.shown();
        QVERIFY(second.import && second.summary);
        const auto ms = [](std::int64_t ns) { return numberText(static_cast<double>(ns) / 1e6, 1); };
        const std::vector<FigureRow>& rows = comparison.table().rows();
        QCOMPARE(rows.front().cells[1], ms(first.summary->iteration_ns));
        QCOMPARE(rows.front().cells[2], ms(second.summary->iteration_ns));
        std::size_t ranks = 0;
        for (const FigureRow& row : rows) ranks += row.cells[0].startsWith(QStringLiteral("Rank "));
        QCOMPARE(ranks, std::size_t{2 * 8});
    }

    // The picture of a recording that an import made, without a window.
    void aPictureOfARecordingIsWritten() {
        QTemporaryDir folder;
        const QString recording = folder.filePath(QStringLiteral("run.bscope"));
        QProcess import;
        import.start(QStringLiteral(BUBBLESCOPE_BIN_DIR "/bscope"),
                     {QStringLiteral("import"), kRuns + QStringLiteral("/primus-pp8"), QStringLiteral("-o"),
                      recording});
        QVERIFY(import.waitForFinished(kPatience_ms) && import.exitCode() == 0);
        ProgramOptions options;
        options.files = {recording};
        options.export_path = folder.filePath(QStringLiteral("run.svg"));
        options.export_format = FigureFormat::Svg;
        options.figure.svg_text = SvgText::Text;
        ExportJob job(options, RunConfig(), 1);
        QSignalSpy finished(&job, &ExportJob::finished);
        job.start();
        QTRY_COMPARE_WITH_TIMEOUT(finished.size(), 1, kPatience_ms);
        QVERIFY2(finished.front()[0].toBool(), qPrintable(finished.front()[1].toString()));
        QFile picture(options.export_path);
        QVERIFY(picture.open(QIODevice::ReadOnly));
        const QString svg = QString::fromUtf8(picture.readAll());
        for (const char* words : {"IMPORTED", "Primus pp_vis", "Rank 7"})
            QVERIFY2(svg.contains(QLatin1String(words)), words);
    }

    void halfASetIsExplained() {
        const LessonBook book = LessonBook::embedded();
        OpenedWindow opened(book);
        QTemporaryDir folder;
        for (const char* name : {"config.json", "pp_rank_0.json", "pp_rank_1.json"})
            QVERIFY(QFile::copy(kRuns + QStringLiteral("/primus-pp8/") + QLatin1String(name),
                                folder.filePath(QLatin1String(name))));
        QSignalSpy failed(&part<ImportJob>(opened.window), &ImportJob::failed);
        opened.window.openFiles({folder.path()});
        QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 1, kPatience_ms);
        const Notice notice = failed.front().front().value<Notice>();
        QVERIFY2(notice.what_to_do.text().contains(QStringLiteral("2, 3, 4, 5, 6, 7")),
                 qPrintable(notice.what_to_do.text()));
        QVERIFY2(notice.details.contains(QStringLiteral("a rank of a Primus pp_vis run")),
                 qPrintable(notice.details));
        QVERIFY(part<FailureBar>(opened.window).isVisible());
        QVERIFY(part<Session>(opened.window).state() != SessionState::Replaying);
    }

    void cancelLeavesTheWindowAsItWas() {
        const LessonBook book = LessonBook::embedded();
        OpenedWindow opened(book);
        QSignalSpy done(&part<ImportJob>(opened.window), &ImportJob::done);
        opened.window.openFiles({kRuns + QStringLiteral("/primus-pp8")});
        QVERIFY(part<ImportJob>(opened.window).running());
        part<ImportJob>(opened.window).cancel();
        QVERIFY(!part<ImportJob>(opened.window).running());
        QCOMPARE(done.size(), 0);
        QVERIFY(part<Session>(opened.window).state() != SessionState::Replaying);
    }

    void scenariosAreNotTakenForTraces() {
        QVERIFY(!looksLikeImport(
            QStringLiteral(BUBBLESCOPE_SOURCE_DIR "/scenarios/01-nobody-works-together.json")));
        QVERIFY(!looksLikeImport(QStringLiteral("run.bscope")));
        QVERIFY(!looksLikeImport(QStringLiteral("mine.csv")));
        QVERIFY(looksLikeImport(kRuns));
        QVERIFY(looksLikeImport(kRuns + QStringLiteral("/primus-pp8/pp_rank_0.json")));
        QVERIFY(looksLikeImport(kRuns + QStringLiteral("/kineto-interleaved-p2-v2-m4/rank0_trace.json.gz")));
    }
};

BUBBLESCOPE_WINDOW_TEST(TestImportWindow)

}  // namespace tst_import_window

#include "tst_import_window.moc"
