// What follows from calls and messages alone, and what is said where ranks are missing: never a smaller
// pipeline, and never a pipeline where there is none.
#include <zlib.h>

#include <QTemporaryDir>
#include <QTest>
#include <limits>
#include <sstream>

#include "export/perfetto_trace.h"
#include "import/part_of_pipeline.h"
#include "imported_runs.h"
#include "registered_test.h"
#include "timeline/analysis.h"
#include "unnamed_traces.h"

namespace tst_import_parts {

using namespace bscope;

namespace {

namespace fs = std::filesystem;

// What the files of some ranks tell; fails the test where they are whole or refused.
PipelinePart partIn(const fs::path& path) {
    try {
        imported(path);
    } catch (const PartOfPipeline& part) {
        return part.part;
    }
    throw std::logic_error("a whole pipeline");
}

std::vector<int> placesOf(const PipelinePart& part) {
    std::vector<int> places;
    for (const auto& rank : part.ranks) places.push_back(rank.place);
    return places;
}
std::vector<int> numbersOf(const PipelinePart& part) {
    std::vector<int> numbers;
    for (const auto& rank : part.ranks) numbers.push_back(rank.number);
    return numbers;
}

bool noted(const ImportedRun& run, const std::string& text) {
    return std::ranges::any_of(run.origin.notes, [&text](const Sentence& note) {
        return say(note, Language::English).find(text) != std::string::npos;
    });
}

QString said(const Sentence& text) {
    return QString::fromStdString(say(text, Language::English));
}

using Numbers = std::vector<int>;

}  // namespace

class TestImportParts : public QObject {
    Q_OBJECT

private slots:
    // An operation is the host's time from the end of its receive to what comes next, as of named ranges.
    void unnamedOperationsHaveTheirWholeTime() {
        QTemporaryDir folder;
        const Timeline timeline = playedTimeline("1f1b", {3, 1, 6});
        putUnnamedTraces(folder.path().toStdString(), timeline, {.world_size = 3, .groups = "[0,1,2]"});
        const ImportedRun run = imported(folder.path().toStdString());
        QCOMPARE(recognised(run), std::string("1f1b"));
        QCOMPARE(run.reports.size(), std::size_t{3});
        QVERIFY(run.origin.operations_inferred && run.origin.aligned);
        for (int rank = 0; rank < 2; ++rank) {
            std::vector<std::int64_t> reported, found;
            for (const Event& event : timeline.compute(rank))
                if (isCompute(event.op)) reported.push_back(toUs(event.duration_ns()) - 2 * kMargin_us);
            for (const Event& event : run.timeline.compute(rank))
                if (event.iteration == 3) found.push_back(event.duration_ns() / 1000);
            QCOMPARE(found.size(), reported.size());
            for (std::size_t at = 0; at < reported.size(); ++at)
                QVERIFY2(std::abs(found[at] - reported[at]) <= 2 * kHost_us + 1,
                         qPrintable(QString("%1: %2, not %3").arg(at).arg(found[at]).arg(reported[at])));
        }
    }

    // A call that a rank lost its core in is as long as anything: it is none of its operations, and costs no
    // iteration.
    void longOddCallsAreNoOperations() {
        for (const char* name : {"aten::detach_", "aten::add_", "aten::empty"}) {
            QTemporaryDir folder;
            UnnamedTraces how{.world_size = 3};
            how.more = [name](int place, int step, int from, int, std::vector<std::string>& events) {
                if (place == 0 && step == 1) {
                    events.push_back(kinetoX("cpu_op", name, from - 4900, 2000));
                    events.push_back(kinetoX("cpu_op", "c10d::send", from - 2500, 2));
                    events.push_back(kinetoX("cpu_op", name, from - 2400, 2300));
                    events.push_back(kinetoX("cpu_op", "c10d::send", from - 50, 2));
                }
            };
            putUnnamedTraces(folder.path().toStdString(), playedTimeline("1f1b", {3, 1, 7}), how);
            const ImportedRun run = imported(folder.path().toStdString());
            QCOMPARE(recognised(run), std::string("1f1b"));
            QCOMPARE(run.reports.size(), std::size_t{3});
        }
    }

    // What the code around it calls before the first forward of a rank, or behind its last one, takes no
    // forward away where nothing goes backward.
    void callsAroundAForwardLeaveItsNumber() {
        for (const int p : {2, 3}) {
            QTemporaryDir folder;
            UnnamedTraces how{.world_size = p};
            how.more = [p](int place, int, int from, int until, std::vector<std::string>& events) {
                events.push_back(kinetoX("cpu_op", "aten::randn", from - 150, 20));
                events.push_back(kinetoX("cpu_op", "aten::randn", from - 120, 20));
                if (place == p - 1) events.push_back(kinetoX("cpu_op", "aten::cat", until - 300, 20));
            };
            putUnnamedTraces(folder.path().toStdString(), playedTimeline("forward-only", {p, 1, 4}), how);
            const ImportedRun run = imported(folder.path().toStdString());
            QCOMPARE(recognised(run), std::string("forward-only"));
            QCOMPARE(run.schedule.params.m, 4);
            QCOMPARE(run.reports.size(), std::size_t{3});
        }
    }

    // Of ranks with several stages those of the last one send nothing on.
    void forwardsOfAllStagesCount() {
        QTemporaryDir folder;
        putUnnamedTraces(folder.path().toStdString(), playedTimeline("forward-only", {2, 3, 4}),
                         {.world_size = 2});
        const QString refused = refusalOf(folder.path().toStdString());
        if (!refused.isEmpty()) {
            QVERIFY2(refused.contains("12 forwards per rank"), qPrintable(refused));
            return;
        }
        const ImportedRun run = imported(folder.path().toStdString());
        QCOMPARE(run.schedule.params.v * run.schedule.params.m, 12);
        QCOMPARE(run.schedule.params.v, 3);
    }

    // Ranks of several stages send around: they are no larger pipeline of one stage a rank.
    void stagesOfOneRankAreFoundByTheirMessages() {
        for (const char* name : {"looped-bfs", "interleaved"})
            for (const ScheduleParams& params : {ScheduleParams{2, 2, 4}, ScheduleParams{3, 2, 6}}) {
                QTemporaryDir folder;
                const fs::path root = folder.path().toStdString();
                putUnnamedTraces(root, playedTimeline(name, params), {.world_size = params.p});
                const ImportedRun run = imported(root);
                QCOMPARE(recognised(run), std::string(name));
                QCOMPARE(run.schedule.params.v, params.v);
                QCOMPARE(run.schedule.params.m, params.m);
                fs::remove(root / ("rank" + std::to_string(params.p - 1) + ".json"));
                const PipelinePart part = partIn(root);
                QVERIFY(std::ranges::find(part.schedules, name) != part.schedules.end());
                QCOMPARE(part.v, 2);
            }
        QTemporaryDir folder;
        const fs::path root = folder.path().toStdString();
        // What cannot be distinguished is refused with what is known and what to do.
        putUnnamedTraces(root, playedTimeline("v-1f1b", {2, 2, 4}), {.world_size = 2});
        const QString refused = refusalOf(root);
        for (const char* words : {"the ranks run several stages each",
                                  "rank 1 ran 4 forwards and 4 backwards", "PP:0F0", "bubblescope_probe.py"})
            QVERIFY2(refused.contains(words), qPrintable(refused));
        QVERIFY(!refused.contains("ran side by side"));
    }

    // All forwards before all backwards is looped BFS only where messages say that a chunk runs after the
    // other.
    void chunksThatAlternateAreNoLoopedBfs() {
        Schedule schedule = makeSchedule("looped-bfs", {2, 2, 4});
        for (int rank = 0; rank < 2; ++rank) {
            std::vector<Action>& order = schedule.orders[static_cast<std::size_t>(rank)];
            const std::vector<Action> backwards(order.begin() + 8, order.end());
            order.clear();
            for (const auto& [stage, microbatch] :
                 {std::pair(0, 0), {0, 1}, {2, 0}, {0, 2}, {2, 1}, {2, 2}, {0, 3}, {2, 3}})
                order.emplace_back(stage + rank, Op::Forward, microbatch);
            order.insert(order.end(), backwards.begin(), backwards.end());
        }
        QTemporaryDir folder;
        putUnnamedTraces(folder.path().toStdString(),
                         predict(lower(schedule), unitCosts(4, 1, 1.2, 0.8, 0.1)), {.world_size = 2});
        const QString refused = refusalOf(folder.path().toStdString());
        QVERIFY2(refused.contains("the ranks run several stages each"), qPrintable(refused));
    }

    // One stage a rank, in no schedule's order: nothing is said of stages that there are not.
    void ofAnOrderOfNoScheduleNothingFalseIsSaid() {
        Schedule schedule = makeSchedule("gpipe", {2, 1, 4});
        for (int rank = 0; rank < 2; ++rank) {
            std::vector<Action>& order = schedule.orders[static_cast<std::size_t>(rank)];
            order.clear();
            for (const auto& [op, microbatch] : {std::pair(Op::Forward, 0),
                                                 {Op::Backward, 0},
                                                 {Op::Forward, 1},
                                                 {Op::Forward, 2},
                                                 {Op::Backward, 1},
                                                 {Op::Backward, 2},
                                                 {Op::Forward, 3},
                                                 {Op::Backward, 3}})
                order.emplace_back(rank, op, microbatch);
        }
        QTemporaryDir folder;
        putUnnamedTraces(folder.path().toStdString(),
                         predict(lower(schedule), unitCosts(2, 1, 1.2, 0.8, 0.1)), {.world_size = 2});
        const QString refused = refusalOf(folder.path().toStdString());
        QVERIFY2(refused.contains("no schedule of the catalog") || refused.contains("matches no schedule"),
                 qPrintable(refused));
        QVERIFY2(!refused.contains("impossible") && !refused.contains("accumulation"), qPrintable(refused));
    }

    // As many beginnings as ends are pipelines side by side; so are more of one where other ranks have no
    // file. Else the messages are misread, and nothing is claimed of several pipelines.
    void beginningsWithoutEndsAreNoPipelines() {
        const Timeline timeline = playedTimeline("1f1b", {2, 1, 4});
        for (const int world_size : {0, 4}) {
            QTemporaryDir folder;
            const fs::path root = folder.path().toStdString();
            for (const Numbers& numbers : {Numbers{0, 2}, Numbers{1, 3}})
                putUnnamedTraces(root, timeline, {.numbers = numbers, .world_size = world_size});
            QVERIFY(refusalOf(root).contains("ran side by side"));
            fs::remove(root / "rank3.json");
            const QString refused = refusalOf(root);
            QCOMPARE(refused.contains("ran side by side"), world_size > 0);
            if (world_size > 0) {
                QVERIFY2(refused.contains("begin one: 0, 1"), qPrintable(refused));
                continue;
            }
            for (const char* words :
                 {"ranks 0, 1 receive nothing before their first forward",
                  "rank 2 does not send and receive between its first forward",
                  "rank 0 ran 4 forwards and 4 backwards in iteration 2", "PP:2I0", "bubblescope_probe.py"})
                QVERIFY2(refused.contains(words), qPrintable(refused));
        }
    }

    // Where nothing marks an iteration all forwards are one, which is said.
    void inferenceWithoutStepsSaysThatItIsOneIteration() {
        for (const bool marks_steps : {true, false}) {
            QTemporaryDir folder;
            putUnnamedTraces(folder.path().toStdString(), playedTimeline("forward-only", {2, 1, 4}),
                             {.world_size = 2, .marks_steps = marks_steps});
            const ImportedRun run = imported(folder.path().toStdString());
            QCOMPARE(run.reports.size(), std::size_t{marks_steps ? 3U : 1U});
            QCOMPARE(noted(run, "the profiler recorded no steps and no optimizer: all 12 forwards"),
                     !marks_steps);
        }
    }

    // Forward and backward in turns may be one iteration or many: which is not in the files, and is said.
    void trainingsThatMayBeOneIterationSaySo() {
        for (const char* name : {"naive", "1f1b", "gpipe"}) {
            QTemporaryDir folder;
            putUnnamedTraces(folder.path().toStdString(), playedTimeline(name, {2, 1, 3}),
                             {.world_size = 2, .marks_steps = false});
            const ImportedRun run = imported(folder.path().toStdString());
            const bool open = std::string(name) == "naive";
            QCOMPARE(noted(run, "the profiler recorded no steps and no optimizer: all 9 forwards"), open);
            QCOMPARE(noted(run, "each time counts as an iteration"), !open);
            QCOMPARE(run.schedule.params.m, open ? 9 : 3);
        }
    }

    // The calls of a loss make a forward of the last stage as unlike the others as what makes a batch is.
    void aForwardWithALossIsNoOddWork() {
        QTemporaryDir folder;
        const Timeline timeline = playedTimeline("interleaved", {2, 3, 4});
        UnnamedTraces how{.world_size = 2};
        how.more = [&timeline](int place, int, int from, int, std::vector<std::string>& events) {
            if (place == 0) return;
            events.push_back(kinetoX("cpu_op", "aten::randn", from - 4000, 3000));
            for (const Event& event : timeline.compute(place))
                if (event.op == Op::Forward && event.stage == 5)  // sub of the loss, and two calls in it
                    for (int call = 0; call < 3; ++call)
                        events.push_back(kinetoX("cpu_op", "aten::sub",
                                                 from + toUs(event.end_ns) - kMargin_us - kHost_us + call,
                                                 8 - 2 * call));
        };
        putUnnamedTraces(folder.path().toStdString(), timeline, how);
        const ImportedRun run = imported(folder.path().toStdString());
        QCOMPARE(recognised(run), std::string("interleaved"));
        QCOMPARE(run.schedule.params.m, 4);
        QCOMPARE(run.reports.size(), std::size_t{3});
    }

    // What makes the batch of a rank that receives none runs straight before its first forward.
    void whatMakesABatchIsNoForward() {
        QTemporaryDir folder;
        const Timeline timeline = playedTimeline("1f1b", {2, 1, 4});
        UnnamedTraces how{.world_size = 2};
        how.more = [](int, int, int from, int, std::vector<std::string>& events) {
            events.push_back(kinetoX("cpu_op", "aten::randn", from - 4000, 3000));
            events.push_back(kinetoX("cpu_op", "aten::normal_", from - 3900, 2800));
            events.push_back(kinetoX("cpu_op", "aten::tensor_split", from - 900, 500));
        };
        putUnnamedTraces(folder.path().toStdString(), timeline, how);
        const ImportedRun run = imported(folder.path().toStdString());
        QCOMPARE(recognised(run), std::string("1f1b"));
        QCOMPARE(run.reports.size(), std::size_t{3});
        const auto first = [](const Timeline& of) { return of.compute(0)[0].duration_ns(); };
        const std::int64_t played_us = toUs(first(timeline)) - 2 * kMargin_us;
        QVERIFY2(std::abs(first(run.timeline) / 1000 - played_us) <= 2 * kHost_us + 1,
                 qPrintable(QString("%1, not %2").arg(first(run.timeline) / 1000).arg(played_us)));
    }

    // An iteration that did something else is left out, and the others are shown.
    void anOddIterationCostsItselfAlone() {
        QTemporaryDir folder;
        UnnamedTraces how{.world_size = 2};
        how.more = [](int place, int step, int, int until, std::vector<std::string>& events) {
            if (place == 1 && step == 0)  // another whole operation, with its messages
                for (int extra = 0; extra < 2; ++extra) {
                    const int at = until + 10 + 100 * extra;
                    events.push_back(kinetoX("cpu_op", "c10d::recv_", at, 5));
                    events.push_back(
                        kinetoX("cpu_op", "autograd::engine::evaluate_function: A", at + 10, 20));
                    events.push_back(kinetoX("cpu_op", "c10d::send", at + 40, 5));
                }
        };
        putUnnamedTraces(folder.path().toStdString(), playedTimeline("1f1b", {2, 1, 4}), how);
        const ImportedRun run = imported(folder.path().toStdString());
        QCOMPARE(recognised(run), std::string("1f1b"));
        QCOMPARE(run.reports.size(), std::size_t{2});
        QCOMPARE(run.reports.front().iteration, 3);
        QVERIFY(noted(run, "iterations 2"));
    }

    void filesOfSomeRanksAreAPart_data() {
        QTest::addColumn<QString>("schedule");
        QTest::addColumn<QList<int>>("files");
        QTest::addColumn<bool>("plain");
        for (const char* schedule : {"1f1b", "gpipe", "naive"})
            for (const bool plain : {false, true})
                for (const QList<int>& files :
                     {QList<int>{0}, {3}, {2, 3}, {1, 2}, {0, 1}, {1, 2, 3}, {0, 3}}) {
                    QString name = QString(schedule) + (plain ? " plain" : "");
                    for (const int file : files) name += " " + QString::number(file);
                    QTest::newRow(qPrintable(name)) << QString(schedule) << files << plain;
                }
    }
    void filesOfSomeRanksAreAPart() {
        QFETCH(QString, schedule);
        QFETCH(QList<int>, files);
        QFETCH(bool, plain);
        const Numbers wanted(files.begin(), files.end());
        const Timeline timeline = playedTimeline(schedule.toStdString(), {4, 1, 6});
        for (const bool knows_job : {true, false}) {
            QTemporaryDir folder;
            const fs::path root = folder.path().toStdString();
            putUnnamedTraces(root, timeline,
                             {.files = wanted,
                              .world_size = knows_job ? 4 : 0,
                              .groups = knows_job ? "[0,1,2,3]" : "",
                              .plain = plain});
            const PipelinePart part = partIn(root);
            // Nothing says of the first and the last rank alone that there are others between them, or none.
            if (!knows_job && files == QList<int>{0, 3})
                QVERIFY(said(missingOfPart(part)).contains("--stages 0:0,3:1"));
            QCOMPARE(numbersOf(part), wanted);
            QCOMPARE(part.p, knows_job ? 4 : 0);
            QCOMPARE(placesOf(part), knows_job ? wanted : Numbers(wanted.size(), -1));
            QCOMPARE(part.missing.size(), knows_job ? 4 - wanted.size() : 0);
            if (knows_job)
                QVERIFY(std::ranges::find(part.schedules, schedule.toStdString()) != part.schedules.end());
            for (std::size_t at = 0; at < wanted.size(); ++at) {
                const PipelinePart::Rank& rank = part.ranks[at];
                QCOMPARE(rank.before == Neighbour::There, rank.number > 0);
                QCOMPARE(rank.after == Neighbour::There, rank.number < 3);
                QCOMPARE(rank.forwards, 6);
                QCOMPARE(rank.backwards, 6);
                QCOMPARE(rank.iterations.size(), std::size_t{3});
                std::int64_t busy_us = 0;
                const auto events = timeline.compute(rank.number);
                const std::int64_t first = events[0].start_ns / 1'000'000;
                std::int64_t last = 0;
                for (const Event& event : events) {
                    if (!isCompute(event.op)) continue;
                    busy_us += event.duration_ns() / 1'000'000 - 2 * kMargin_us;
                    last = event.end_ns / 1'000'000;
                }
                const double idle =
                    1 - static_cast<double>(busy_us) / static_cast<double>(last - first - 2 * kMargin_us);
                QVERIFY2(std::abs(rank.idleShare() - idle) < 0.04,
                         qPrintable(QString("%1, not %2").arg(rank.idleShare()).arg(idle)));
            }
        }
    }

    // What needs all ranks is refused, with which are there and which are missing.
    void theRefusalNamesTheRanks() {
        QTemporaryDir folder;
        const fs::path root = folder.path().toStdString();
        putUnnamedTraces(root, playedTimeline("1f1b", {4, 1, 6}),
                         {.files = {2, 3}, .world_size = 4, .groups = "[0,1,2,3]"});
        const QString refused = refusalOf(root);
        QVERIFY2(refused.contains("ranks 2, 3 of 4") && refused.contains("missing: 0, 1") &&
                     refused.contains("rank 3 "),
                 qPrintable(refused));
        put(root / "rank1.json", "");
        QVERIFY2(refusalOf(root).contains("rank1.json: it is empty"), qPrintable(refusalOf(root)));
    }

    // The probe records no messages: the job's ranks and the orders are what is known.
    void probesOfSomeRanksAreAPart() {
        for (const char* name : {"1f1b", "gpipe"}) {
            QTemporaryDir folder;
            const fs::path root = folder.path().toStdString();
            const Timeline timeline = playedTimeline(name, {4, 1, 6});
            putProbeFiles(root, timeline, false, 0, 4);
            fs::remove(root / "probe_rank_0.jsonl");
            fs::remove(root / "probe_rank_1.jsonl");
            const PipelinePart part = partIn(root);
            QCOMPARE(part.p, 4);
            QCOMPARE(placesOf(part), (Numbers{2, 3}));
            QVERIFY(std::ranges::find(part.schedules, std::string(name)) != part.schedules.end());
        }
        // One of two replicas of 1F1B: its order is that of two ranks and not of four.
        QTemporaryDir folder;
        putProbeFiles(folder.path().toStdString(), playedTimeline("1f1b", {2, 1, 6}), false, 0, 4);
        QCOMPARE(recognised(imported(folder.path().toStdString())), std::string("1f1b"));
    }

    // A place for every rank is a person's word that they are all.
    void placesMakeThemWhole() {
        QTemporaryDir folder;
        putProbeFiles(folder.path().toStdString(), playedTimeline("gpipe", {2, 1, 4}), false, 0, 4);
        const std::vector<fs::path> paths = {folder.path().toStdString()};
        QVERIFY(!refusalOf(paths.front()).isEmpty());
        TracedRun run = readTracedRun(paths);
        const std::vector<std::pair<int, int>> places = {{0, 0}, {1, 1}};
        placeRanks(run, places);
        QCOMPARE(recognised(importRun(std::move(run))), std::string("gpipe"));
    }

    // One rank whose kernels are all-to-alls is no pipeline of one.
    void allToAllsAreNoMessagesOfAPipeline() {
        QTemporaryDir folder;
        const fs::path root = folder.path().toStdString();
        const auto rank = [&](int number, const std::string& kernel_arguments) {
            std::vector<std::string> events;
            for (int at = 0; at < 6; ++at) {
                const int ts = 100 * at;
                events.push_back(kinetoX(
                    "cpu_op", at < 3 ? "aten::mm" : "autograd::engine::evaluate_function: A", ts, 20));
                events.push_back(kinetoX("cuda_runtime", "cudaLaunchKernel", ts + 2, 1, 1, at + 1));
                events.push_back(kinetoX("kernel", "gemm", ts + 5, 40, 7, at + 1));
                events.push_back(kinetoX("cpu_op", "c10d::alltoall_base_", ts + 30, 5));
                std::string kernel = kinetoX("kernel", "ncclDevKernel_SendRecv", ts + 50, 10, 20, 100 + at);
                kernel.insert(kernel.rfind("}}"), kernel_arguments);
                events.push_back(kernel);
            }
            put(root / ("rank" + std::to_string(number) + ".json"),
                kinetoFile(events, R"({"rank":)" + std::to_string(number) + "}"));
        };
        for (const std::string& arguments :
             {std::string(R"(,"Collective name":"all_to_allv")"), std::string()}) {
            rank(0, arguments);
            const QString alone = refusalOf(root);
            QVERIFY2(alone.contains("all-to-alls") && alone.contains("not of a pipeline"), qPrintable(alone));
        }
    }

    // Ranks that average gradients run no pipeline, whatever the ranges are called.
    void dataParallelIsNoPipeline() {
        QTemporaryDir folder;
        const fs::path root = folder.path().toStdString();
        for (const bool named : {true, false}) {
            for (int rank = 0; rank < 2; ++rank) {
                std::vector<std::string> events = {
                    kinetoX("user_annotation", "gloo:all_reduce", 300, 50),
                    kinetoX("user_annotation", "nccl:_all_gather_base", 400, 50)};
                if (named) {
                    events.push_back(kinetoX("user_annotation", "Forward 0", 0, 100));
                    events.push_back(kinetoX("user_annotation", "Backward 0", 100, 200));
                }
                put(root / ("rank" + std::to_string(rank) + ".json"),
                    kinetoFile(events, R"({"rank":)" + std::to_string(rank) + "}"));
            }
            const QString refused = refusalOf(root);
            QVERIFY2(refused.contains("not of a pipeline: all-reduces; all-gathers") &&
                         refused.contains("no messages between neighbours"),
                     qPrintable(refused));
        }
    }

    // Inference is read where every rank but the first receives and every one but the last sends.
    void inferenceIsForwardOnlyWhereMessagesProveIt() {
        QTemporaryDir folder;
        const fs::path root = folder.path().toStdString();
        putUnnamedTraces(root, playedTimeline("forward-only", {3, 1, 4}), {.world_size = 3});
        const ImportedRun run = imported(root);
        QCOMPARE(recognised(run), std::string("forward-only"));
        QCOMPARE(run.schedule.params.m, 4);
        QTemporaryDir some;
        putUnnamedTraces(some.path().toStdString(), playedTimeline("forward-only", {3, 1, 4}),
                         {.files = {1, 2}, .world_size = 3});
        QCOMPARE(partIn(some.path().toStdString()).p, 3);
    }

    void whatIsKnownIsSaid() {
        QTemporaryDir folder;
        const fs::path root = folder.path().toStdString();
        const Timeline timeline = playedTimeline("1f1b", {3, 1, 6});
        putUnnamedTraces(root, timeline, {.world_size = 3, .marks_steps = false});
        // Work that comes once, before the others.
        UnnamedTraces how{.world_size = 3, .marks_steps = false};
        how.more = [](int place, int step, int from, int, std::vector<std::string>& events) {
            if (place > 0 || step > 0) return;
            events.push_back(kinetoX("cpu_op", "aten::linear", from - 4000, 100));
            events.push_back(kinetoX("cpu_op", "autograd::engine::evaluate_function: A", from - 3000, 100));
            events.push_back(kinetoX("cpu_op", "c10d::send", from - 2000, 5));
        };
        putUnnamedTraces(root, timeline, how);
        QVERIFY2(!refusalOf(root).isEmpty(), qPrintable(refusalOf(root)));
    }

    // Several runs of the schedule in a step, or in a file without steps, are iterations of their own.
    void passesWithoutNamesAreSplit_data() {
        QTest::addColumn<QString>("schedule");
        QTest::addColumn<int>("p");
        QTest::addColumn<int>("runs");
        QTest::addColumn<bool>("steps");
        for (const char* schedule : {"1f1b", "gpipe"})
            for (const int p : {2, 3})
                for (const int runs : {1, 2, 3})
                    for (const bool steps : {true, false})
                        QTest::newRow(qPrintable(QString("%1 p=%2 %3 runs%4")
                                                     .arg(schedule)
                                                     .arg(p)
                                                     .arg(runs)
                                                     .arg(steps ? "" : ", no steps")))
                            << QString(schedule) << p << runs << steps;
    }
    void passesWithoutNamesAreSplit() {
        QFETCH(QString, schedule);
        QFETCH(int, p);
        QFETCH(int, runs);
        QFETCH(bool, steps);
        QTemporaryDir folder;
        const fs::path root = folder.path().toStdString();
        const Timeline timeline = playedTimeline(schedule.toStdString(), {p, 1, 4});
        putUnnamedTraces(root, timeline, {.world_size = p, .marks_steps = steps, .runs_a_step = runs});
        const ImportedRun run = imported(root);
        QCOMPARE(recognised(run), schedule.toStdString());
        QCOMPARE(run.schedule.params.m, 4);
        QCOMPARE(run.reports.size(), static_cast<std::size_t>(3 * runs));
        QCOMPARE(noted(run, "each time counts as an iteration"), runs > 1 || !steps);
        const double bubble = summarize(timeline, 0).bubble_of_total;
        for (const IterationReport& report : run.reports)
            QVERIFY2(std::abs(report.bubble_of_total - bubble) < 0.06,
                     qPrintable(QString("%1, not %2").arg(report.bubble_of_total).arg(bubble)));
    }

    // Whom a rank sends to is in the names of some backends and in the kernels of NCCL: it proves which ranks
    // are of one pipeline, and which are missing.
    void whoSendsToWhomIsEvidence() {
        const auto named = [](const fs::path& file, int own, int before, int after) {
            std::ifstream in(file);
            QString text = QString::fromStdString(std::string(std::istreambuf_iterator<char>(in), {}));
            in.close();
            QString peers;
            for (const int peer : {before, after})
                for (const char* name : {"nccl:send %1->%2", "nccl:recv %1<-%2"})
                    if (peer >= 0)
                        peers +=
                            QString::fromStdString(kinetoX(
                                "user_annotation", QString(name).arg(own).arg(peer).toStdString(), 1, 1)) +
                            ',';
            text.insert(text.indexOf('[', text.indexOf("traceEvents")) + 1, peers);
            put(file, text.toStdString());
        };
        QTemporaryDir folder;
        const fs::path root = folder.path().toStdString();
        const Timeline timeline = playedTimeline("gpipe", {2, 1, 4});
        // Ranks 0 and 3 of four: their messages go to 1 and 2.
        putUnnamedTraces(root, timeline, {.numbers = {0, 3}, .plain = true});
        named(root / "rank0.json", 0, -1, 1);
        named(root / "rank3.json", 3, 2, -1);
        const PipelinePart part = partIn(root);
        QCOMPARE(part.missing, (Numbers{1, 2}));
        // The same ranks, each the other's neighbour.
        putUnnamedTraces(root, timeline, {.numbers = {0, 3}, .plain = true});
        named(root / "rank0.json", 0, -1, 3);
        named(root / "rank3.json", 3, 0, -1);
        QCOMPARE(recognised(imported(root)), std::string("gpipe"));
        // Two pipelines, without a group.
        putUnnamedTraces(root, timeline, {.numbers = {1, 2}, .plain = true});
        named(root / "rank1.json", 1, -1, 2);
        named(root / "rank2.json", 2, 1, -1);
        QVERIFY2(refusalOf(root).contains("0: ranks 0, 3; 1: ranks 1, 2"), qPrintable(refusalOf(root)));
        ReadOptions options;
        options.replica = 1;
        QCOMPARE(recognised(imported(root, options)), std::string("gpipe"));
    }

    // A file that holds two runs is that of the last one.
    void theNewestOfTwoRunsInAFileIsShown() {
        QTemporaryDir folder;
        const fs::path root = folder.path().toStdString();
        putUnnamedTraces(root / "a", playedTimeline("gpipe", {2, 1, 6}), {.world_size = 2});
        putUnnamedTraces(root / "b", playedTimeline("1f1b", {2, 1, 4}), {.world_size = 2});
        for (const char* name : {"rank0.json", "rank1.json"}) {
            const auto textOf = [name](const fs::path& from) {
                std::ifstream in(from / name);
                return std::string(std::istreambuf_iterator<char>(in), {});
            };
            std::string old = textOf(root / "a"), fresh = textOf(root / "b");
            // Half a second later.
            const auto later = [](std::string text) {
                std::string out;
                for (std::size_t at = 0; at < text.size();) {
                    const std::size_t next = text.find(quoted("ts") + ":", at);
                    if (next == std::string::npos) return out + text.substr(at);
                    std::size_t end = 0;
                    const int ts = std::stoi(text.substr(next + 5), &end);
                    out += text.substr(at, next + 5 - at) + std::to_string(ts + 500'000);
                    at = next + 5 + end;
                }
                return out;
            };
            fresh = later(fresh);
            const std::string events = fresh.substr(fresh.find('[', fresh.find("traceEvents")) + 1);
            put(root / name, old.substr(0, old.rfind(']')) + "," + events);
        }
        fs::remove_all(root / "a");
        fs::remove_all(root / "b");
        const ImportedRun run = imported(root);
        QCOMPARE(recognised(run), std::string("1f1b"));
        QCOMPARE(run.reports.size(), std::size_t{3});
        QVERIFY(noted(run, "holds 2 runs"));
    }

    void theNewestOfTwoRunsOfAProbeIsShown() {
        QTemporaryDir folder;
        const fs::path root = folder.path().toStdString();
        const auto textOf = [](const fs::path& file) {
            std::ifstream in(file);
            return std::string(std::istreambuf_iterator<char>(in), {});
        };
        putProbeFiles(root, playedTimeline("gpipe", {2, 1, 6}));
        std::map<std::string, std::string> old;
        for (const char* name : {"probe_rank_0.jsonl", "probe_rank_1.jsonl"}) old[name] = textOf(root / name);
        putProbeFiles(root, playedTimeline("1f1b", {2, 1, 4}));
        for (const auto& [name, text] : old) put(root / name, text + textOf(root / name));
        const ImportedRun run = imported(root);
        QCOMPARE(recognised(run), std::string("1f1b"));
        QCOMPARE(run.reports.size(), std::size_t{1});
        QVERIFY(noted(run, "holds 2 runs"));
    }

    // Groups of any name are tried; ranks that begin and end pipelines are named where no group fits.
    void replicasAreFoundByTheirMessages() {
        const Timeline timeline = playedTimeline("1f1b", {2, 1, 4});
        for (const bool plain : {false, true})
            for (const bool with_groups : {true, false}) {
                QTemporaryDir folder;
                const fs::path root = folder.path().toStdString();
                UnnamedTraces how{.world_size = 4, .plain = plain};
                if (with_groups) how.groups = "[0,1,2,3],[0,2],[1,3],[0,1],[2,3]";
                for (const Numbers& numbers : {Numbers{0, 2}, Numbers{1, 3}}) {
                    how.numbers = numbers;
                    putUnnamedTraces(root, timeline, how);
                }
                const QString refused = refusalOf(root);
                if (!with_groups) {
                    QVERIFY2(refused.contains("begin one: 0, 1") && refused.contains("end one: 2, 3"),
                             qPrintable(refused));
                    continue;
                }
                QVERIFY2(refused.contains("0: ranks 0, 2; 1: ranks 1, 3"), qPrintable(refused));
                ReadOptions options;
                options.replica = 1;
                QCOMPARE(recognised(imported(root, options)), std::string("1f1b"));
                // One replica alone is whole: its group has no other rank.
                fs::remove(root / "rank1.json");
                fs::remove(root / "rank3.json");
                QCOMPARE(recognised(imported(root)), std::string("1f1b"));
            }
    }

    void stagesStandInAnyOrder_data() {
        QTest::addColumn<QString>("schedule");
        QTest::addColumn<QList<int>>("numbers");
        for (const char* schedule : {"1f1b", "gpipe", "naive"}) {
            QTest::newRow(qPrintable(QString(schedule) + " 2")) << QString(schedule) << QList<int>{1, 0};
            QTest::newRow(qPrintable(QString(schedule) + " 3")) << QString(schedule) << QList<int>{2, 1, 0};
            QTest::newRow(qPrintable(QString(schedule) + " 4"))
                << QString(schedule) << QList<int>{0, 2, 1, 3};
        }
    }
    void stagesStandInAnyOrder() {
        QFETCH(QString, schedule);
        QFETCH(QList<int>, numbers);
        const auto p = static_cast<int>(numbers.size());
        QTemporaryDir folder;
        putUnnamedTraces(folder.path().toStdString(), playedTimeline(schedule.toStdString(), {p, 1, 6}),
                         {.numbers = Numbers(numbers.begin(), numbers.end()), .world_size = p});
        const ImportedRun run = imported(folder.path().toStdString());
        QCOMPARE(recognised(run), schedule.toStdString());
        QVERIFY(run.origin.aligned);
        std::string order;
        for (const int number : numbers) order += (order.empty() ? "" : ", ") + std::to_string(number);
        QVERIFY(noted(run, "order of the stages: " + order));
    }

    // Backwards without numbers may be those of either.
    void gpipeWithoutNumbersMayBeLifo() {
        QTemporaryDir folder;
        const fs::path root = folder.path().toStdString();
        putUnnamedTraces(root, playedTimeline("gpipe-lifo", {2, 1, 4}), {.world_size = 2});
        const ImportedRun run = imported(root);
        QCOMPARE(recognised(run), std::string("gpipe"));
        QVERIFY(noted(run, "GPipe (LIFO)"));
        putUnnamedTraces(root, playedTimeline("gpipe", {2, 1, 4}), {.world_size = 2, .plain = true});
        QVERIFY(!noted(imported(root), "GPipe (LIFO)"));
    }

    // What the host does beside the calls of an operation without a name may be its own or not: the true
    // bubble is not below the one that is shown, and not above it by more than is said. Of named ones nothing
    // is open.
    void whatLiesBesideTheCallsBoundsTheBubble() {
        QTemporaryDir folder;
        const fs::path root = folder.path().toStdString();
        for (const char* schedule : {"gpipe", "1f1b"})
            for (const int host_us : {10, 150}) {
                const Timeline timeline = playedTimeline(schedule, {2, 1, 4});
                double worked_us = 0;
                std::int64_t first_ns = std::numeric_limits<std::int64_t>::max(), last_ns = 0;
                for (int rank = 0; rank < 2; ++rank)
                    for (const Event& event : timeline.compute(rank)) {
                        worked_us += toUs(event.duration_ns()) - 2 * (kMargin_us + host_us);
                        first_ns = std::min(first_ns, event.start_ns);
                        last_ns = std::max(last_ns, event.end_ns);
                    }
                const double all_us = toUs(last_ns - first_ns) - 2 * (kMargin_us + host_us);
                const double calls_alone = 1 - worked_us / (2 * all_us);
                putUnnamedTraces(root, timeline, {.world_size = 2, .host_us = host_us});
                const ImportedRun run = imported(root);
                QCOMPARE(recognised(run), std::string(schedule));
                const double shown = run.reports.back().bubble_of_total;
                const double bound = run.origin.understated_by;
                const QString numbers = QString("%1 %2 us: %3 + %4, %5")
                                            .arg(schedule)
                                            .arg(host_us)
                                            .arg(shown)
                                            .arg(bound)
                                            .arg(calls_alone);
                QVERIFY2(bound > 0 && bound < 0.4, qPrintable(numbers));
                QVERIFY2(shown <= calls_alone && calls_alone <= shown + bound, qPrintable(numbers));
                QVERIFY2(shown + bound - calls_alone < 0.02, qPrintable(numbers));
                putUnnamedTraces(root, timeline, {.world_size = 2, .plain = true, .host_us = host_us});
                QCOMPARE(imported(root).origin.understated_by, 0.0);
            }
        // Of some ranks the same is said of each one's idle share.
        putUnnamedTraces(root, playedTimeline("1f1b", {4, 1, 6}),
                         {.files = {0, 1}, .world_size = 4, .groups = "[0,1,2,3]", .host_us = 150});
        try {
            imported(root);
            QFAIL("two ranks of four are no whole pipeline");
        } catch (const PartOfPipeline& part) {
            QVERIFY(std::ranges::any_of(part.part.notes, [](const Sentence& note) {
                return note.id.starts_with("idle shares may be too low, by up to {0}");
            }));
        }
    }

    // Several recordings of one run: the newest, and which others there are.
    void theNewestOfSeveralWindowsIsTaken() {
        QTemporaryDir folder;
        const fs::path root = folder.path().toStdString();
        const Timeline timeline = playedTimeline("1f1b", {2, 1, 4});
        const auto later = [&timeline](const fs::path& to, int first_step, const std::string& name) {
            QTemporaryDir made;
            const fs::path from = made.path().toStdString();
            putUnnamedTraces(from, timeline, {.world_size = 2, .steps = 2});
            fs::create_directories(to);
            for (int rank = 0; rank < 2; ++rank) {
                std::ifstream in(from / ("rank" + std::to_string(rank) + ".json"));
                std::string text(std::istreambuf_iterator<char>(in), {});
                for (int step = 3; step >= 2; --step) {
                    const std::string key = "ProfilerStep#" + std::to_string(step);
                    text.replace(text.find(key), key.size(),
                                 "ProfilerStep#" + std::to_string(step - 2 + first_step));
                }
                text.insert(1,
                            quoted("baseTimeNanoseconds") + ":" + std::to_string(first_step) + "000000000,");
                put(to / ("rank" + std::to_string(rank) + name + ".json"), text);
            }
        };
        later(root / "titan/iteration_10", 10, "_trace");
        later(root / "titan/iteration_9", 9, "_trace");
        later(root / "repeat", 20, ".0");
        later(root / "repeat", 30, ".1");
        const ImportedRun titan = imported(root / "titan"), repeat = imported(root / "repeat");
        QCOMPARE(titan.reports.front().iteration, 10);
        QVERIFY(noted(titan, "iteration_9/rank0_trace.json"));
        QCOMPARE(repeat.reports.front().iteration, 30);
        QVERIFY(noted(repeat, "rank0.0.json"));
        // Of a last window that is not whole, the one before.
        fs::remove(root / "titan/iteration_10/rank1_trace.json");
        QCOMPARE(imported(root / "titan").reports.front().iteration, 9);
    }

    void filesThatAreNoTracesAreLeftOutByName() {
        QTemporaryDir folder;
        const fs::path root = folder.path().toStdString();
        putUnnamedTraces(root, playedTimeline("1f1b", {2, 1, 4}), {.world_size = 2});
        put(root / "metrics.json", R"([{"loss":1.5},{"loss":1.4}])");
        put(root / "rank9.json", R"({"traceEvents":[]})");
        put(root / "notes.txt", "hello");
        const ImportedRun run = imported(root);
        QCOMPARE(recognised(run), std::string("1f1b"));
        QVERIFY(noted(run, "metrics.json: a JSON file that is no trace"));
        QVERIFY(!noted(run, "notes.txt"));
    }

    void oddFilesAreNamed() {
        QTemporaryDir folder;
        const fs::path root = folder.path().toStdString();
        const auto refused = [&root](const std::string& name, const std::string& text) {
            put(root / name, text);
            return refusalOf(root / name);
        };
        QVERIFY(refused("a.json", "version https://git-lfs.github.com/spec/v1\noid sha256:0\n")
                    .contains("git lfs pull"));
        QVERIFY(refused("a.parquet", "PAR1xxxx").contains("Parquet"));
        std::ostringstream perfetto;
        writePerfettoTrace(perfetto, playedTimeline("1f1b", {2, 1, 4}));
        QVERIFY(refused("a.pftrace", perfetto.str()).contains("a Perfetto trace that Bubblescope exported"));
        // A packet that begins with its time, or is longer than 127 bytes; a line that is none.
        QVERIFY(refused("b.pftrace", "\n\x05\x40\x01\x50\x01\x68").contains("Perfetto's own format"));
        QVERIFY(refused("c.pftrace", "\n\x80\x02\x62\x01").contains("Perfetto's own format"));
        QVERIFY(!refused("d.json", "\n{\"traceEvents\":[]}").contains("Perfetto's own format"));
        fs::remove(root / "d.json");
        QVERIFY(refused("a.zip", std::string("PK\x03\x04", 4)).contains("zip"));
        QVERIFY(refused("a.json.zst", "\x28\xb5\x2f\xfd...").contains("zstd -d"));
        QVERIFY(refused("a.json", "").contains("is empty"));
        std::string tar(512, '\0');
        tar.replace(257, 5, "ustar");
        gzFile archive = gzopen((root / "a.tar.gz").c_str(), "wb");
        QCOMPARE(gzwrite(archive, tar.data(), static_cast<unsigned>(tar.size())), 512);
        gzclose(archive);
        QVERIFY(refusalOf(root / "a.tar.gz").contains("tar xf"));
        // Several together, by name.
        QVERIFY2(refusalOf(root).contains("git lfs") || refusalOf(root).contains("a.parquet: a Parquet"),
                 qPrintable(refusalOf(root)));
    }

    // "PP::fwd_send (stage 0)".
    void messagesNamedByTheScheduleCount() {
        QTemporaryDir folder;
        const fs::path root = folder.path().toStdString();
        putUnnamedTraces(root, playedTimeline("gpipe", {3, 1, 4}), {.files = {1, 2}, .plain = true});
        for (const int rank : {1, 2}) {
            const fs::path file = root / ("rank" + std::to_string(rank) + ".json");
            std::ifstream in(file);
            QString text = QString::fromStdString(std::string(std::istreambuf_iterator<char>(in), {}));
            text.replace("gloo:send", QString("PP::fwd_send (stage %1)").arg(rank));
            text.replace("gloo:recv", QString("PP::fwd_recv (stage %1)").arg(rank));
            put(file, text.toStdString());
        }
        const PipelinePart part = partIn(root);
        QCOMPARE(part.ranks.front().before, Neighbour::There);
        QCOMPARE(part.ranks.back().after, Neighbour::None);
    }

    // Names of other backends are messages, too.
    void otherBackendsSendToo() {
        for (const char* backend : {"ncclx", "mpi", "xccl"}) {
            QTemporaryDir folder;
            const fs::path root = folder.path().toStdString();
            putUnnamedTraces(root, playedTimeline("gpipe", {3, 1, 4}), {.files = {1, 2}, .plain = true});
            for (const int rank : {1, 2}) {
                const fs::path file = root / ("rank" + std::to_string(rank) + ".json");
                std::ifstream in(file);
                QString text = QString::fromStdString(std::string(std::istreambuf_iterator<char>(in), {}));
                text.replace("gloo:send", QString(backend) + ":send 1->2");
                text.replace("gloo:recv", QString(backend) + ":recv 2<-1");
                put(file, text.toStdString());
            }
            const PipelinePart part = partIn(root);
            QCOMPARE(part.ranks.front().before, Neighbour::There);
            QCOMPARE(part.ranks.back().after, Neighbour::None);
        }
    }
};

BUBBLESCOPE_TEST(TestImportParts)

}  // namespace tst_import_parts

#include "tst_import_parts.moc"
