// The sources of imported runs, one by one: what is exported comes back with the same numbers, what is not
// named is inferred or refused, and whatever a file holds, there is a run or a sentence.
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <fstream>

#include "catalog/catalog.h"
#include "export/chrome_trace.h"
#include "import/formats/file_text.h"
#include "import_files.h"
#include "imported_runs.h"
#include "registered_test.h"
#include "timeline/analysis.h"
#include "timeline/predict.h"
#include "unnamed_traces.h"

namespace tst_import_sources {

using namespace bscope;

namespace {

namespace fs = std::filesystem;

}  // namespace

class TestImportSources : public QObject {
    Q_OBJECT

private slots:
    void ourExportGivesTheSameNumbers_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("v");
        for (const char* name : {"gpipe", "1f1b", "zb-h1"}) QTest::newRow(name) << QString(name) << 1;
        QTest::newRow("interleaved") << "interleaved" << 2;
        QTest::newRow("zb-v") << "zb-v" << 2;
    }
    void ourExportGivesTheSameNumbers() {
        QFETCH(QString, name);
        QFETCH(int, v);
        QTemporaryDir folder;
        const fs::path file = folder.filePath("trace.json").toStdString();
        const Timeline timeline = playedTimeline(name.toStdString(), {4, v, 8});
        put(file, chromeText(timeline));
        const ImportedRun run = imported(file);
        QCOMPARE(recognised(run), name.toStdString());
        QVERIFY(run.origin.knows_transfers);
        QCOMPARE(run.origin.max_shift_ns, 0);
        const IterationSummary reported = summarize(timeline, 0), found = summarize(run.timeline, 0);
        QCOMPARE(found.iteration_ns, reported.iteration_ns);
        QCOMPARE(found.bubble_of_total, reported.bubble_of_total);
        for (std::size_t rank = 0; rank < reported.ranks.size(); ++rank) {
            QCOMPARE(found.ranks[rank].busy_ns, reported.ranks[rank].busy_ns);
            QCOMPARE(found.ranks[rank].wait_ns, reported.ranks[rank].wait_ns);
            QCOMPARE(found.ranks[rank].transfer_ns, reported.ranks[rank].transfer_ns);
            QCOMPARE(found.ranks[rank].peak_in_flight, reported.ranks[rank].peak_in_flight);
        }
    }

    // Of several replicas each is read by itself, its stages counted from its own first one; chains over the
    // same ranks are refused, not taken for a longer pipeline.
    void replicasOfOurExportAreNoLongerPipeline_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("p");
        QTest::addColumn<int>("v");
        QTest::newRow("1f1b") << "1f1b" << 2 << 1;
        QTest::newRow("one rank each") << "gpipe" << 1 << 1;
        QTest::newRow("interleaved") << "interleaved" << 2 << 2;
        QTest::newRow("there and back") << "zb-v" << 3 << 2;
    }
    void replicasOfOurExportAreNoLongerPipeline() {
        QFETCH(QString, name);
        QFETCH(int, p);
        QFETCH(int, v);
        QTemporaryDir folder;
        const fs::path file = folder.filePath("trace.json").toStdString();
        ScheduleParams params{p, v, 6};
        const Timeline alone = playedTimeline(name.toStdString(), params);
        params.d = 3;
        const Timeline all = playedTimeline(name.toStdString(), params);
        QCOMPARE(all.ranks(), 3 * p);
        put(file, chromeText(all));
        const QString refused = refusalOf(file);
        QVERIFY2(refused.contains("the file is of 3 replicas of the pipeline (0: ranks 0"),
                 qPrintable(refused));
        for (int replica = 0; replica < 3; ++replica) {
            ReadOptions options;
            options.replica = replica;
            const ImportedRun run = imported(file, options);
            QCOMPARE(recognised(run), name.toStdString());
            QCOMPARE(run.schedule.params.p, p);
            QCOMPARE(run.schedule.params.v, v);
            QCOMPARE(summarize(run.timeline, 0).iteration_ns, summarize(alone, 0).iteration_ns);
            QCOMPARE(say(run.origin.notes.front(), Language::English),
                     "ranks of other replicas of the pipeline, which are left out: " + std::to_string(2 * p));
        }
        ReadOptions none;
        none.replica = 3;
        QVERIFY(refusalOf(file, none).contains("no replica 3"));
        for (const auto& [both_ways, m] : {std::pair("dualpipe", 8), std::pair("chimera", 4)}) {
            put(file, chromeText(playedTimeline(both_ways, {4, 2, m})));
            QVERIFY2(refusalOf(file).contains("two chains of stages over the same ranks"),
                     qPrintable(refusalOf(file)));
        }
    }

    // Ranks that compute a stage together are no replicas: the first of each is shown, and the file says it.
    void shardsOfOurExportAreShownOnce() {
        QTemporaryDir folder;
        const fs::path file = folder.filePath("trace.json").toStdString();
        ScheduleParams params{2, 2, 6};
        const Timeline alone = playedTimeline("interleaved", params);
        params.t = 2;
        const Timeline all = playedTimeline("interleaved", params);
        QCOMPARE(all.ranks(), 4);
        const std::string note =
            "of 2 tensor-parallel ranks of a stage, which share each operation, the times of the first one are "
            "shown";
        const auto showsOnePipeline = [&](const ImportedRun& run) {
            QCOMPARE(recognised(run), std::string("interleaved"));
            QCOMPARE(run.timeline.ranks(), 2);
            QCOMPARE(run.shards, 2);
            QCOMPARE(summarize(run.timeline, 0).iteration_ns, summarize(alone, 0).iteration_ns);
            QVERIFY(std::ranges::any_of(run.origin.notes, [&](const Sentence& each) {
                return say(each, Language::English) == note;
            }));
        };
        put(file, chromeText(all, 2));
        showsOnePipeline(imported(file));
        // Of a file that is cut off messages may be missing, and with them where replicas part.
        const std::string text = chromeText(all, 2);
        put(file, text.substr(0, text.rfind("\n]}")));
        showsOnePipeline(imported(file));
        params.d = 2;
        put(file, chromeText(playedTimeline("interleaved", params), 2));
        QVERIFY(refusalOf(file).contains("the file is of 2 replicas of the pipeline (0: ranks 0, 4; 1: ranks 2, 6)"));
        ReadOptions second;
        second.replica = 1;
        showsOnePipeline(imported(file, second));
        put(file, chromeText(all, 3));
        QVERIFY2(refusalOf(file).contains("\"t\" is 3, which must divide the number of ranks, 4"),
                 qPrintable(refusalOf(file)));
    }

    // Times count from the first operation, those of the messages too.
    void anExportThatStartsLateGivesTheSameNumbers() {
        QTemporaryDir folder;
        const fs::path file = folder.filePath("trace.json").toStdString();
        const Timeline early = playedTimeline("1f1b", {4, 1, 8});
        Timeline late(early.ranks(), early.provenance());
        constexpr std::int64_t later_ns = 7'000'000'000;
        for (int rank = 0; rank < early.ranks(); ++rank)
            for (const auto& events : {early.compute(rank), early.receives(rank)})
                for (Event event : events) {
                    event.start_ns += later_ns;
                    event.end_ns += later_ns;
                    event.transfer_ns += later_ns;
                    late.append(event);
                }
        put(file, chromeText(late));
        const IterationSummary reported = summarize(early, 0), found = summarize(imported(file).timeline, 0);
        for (std::size_t rank = 0; rank < reported.ranks.size(); ++rank) {
            QCOMPARE(found.ranks[rank].wait_ns, reported.ranks[rank].wait_ns);
            QCOMPARE(found.ranks[rank].transfer_ns, reported.ranks[rank].transfer_ns);
        }
    }

    void ranksOfAnExportAreThoseOfAPipeline() {
        QTemporaryDir folder;
        const fs::path file = folder.filePath("trace.json").toStdString();
        QString text = QString::fromStdString(chromeText(playedTimeline("1f1b", {2, 1, 2})));
        text.replace(QStringLiteral("\"rank 1\""), QStringLiteral("\"rank 1546393138\""));
        put(file, text.toStdString());
        const QString refusal = refusalOf(file);
        QVERIFY2(refusal.contains("must be 0 to 1") && refusal.contains("rank 1546393138"),
                 qPrintable(refusal));
    }

    void probeFilesAreRead() {
        QTemporaryDir folder;
        const fs::path root = folder.path().toStdString();
        const Timeline timeline = playedTimeline("interleaved", {2, 2, 4});
        putProbeFiles(root, timeline);
        const ImportedRun run = imported(root);
        QCOMPARE(recognised(run), std::string("interleaved"));
        QVERIFY(!run.origin.numbers_inferred);
        QCOMPARE(summarize(run.timeline, 0).bubble_of_total, summarize(timeline, 0).bubble_of_total);
        // Without numbers, as Megatron-LM's functions are recorded.
        QTemporaryDir bare;
        const fs::path bare_root = bare.path().toStdString();
        putProbeFiles(bare_root, playedTimeline("1f1b", {2, 1, 4}), false);
        const ImportedRun inferred = imported(bare_root);
        QCOMPARE(recognised(inferred), std::string("1f1b"));
        QVERIFY(inferred.origin.numbers_inferred);
        put(root / "probe_rank_1.jsonl", "{\"bubblescope_probe\":1,\"rank\":0}\n");
        QVERIFY(refusalOf(root).contains("both of rank 0"));
        put(root / "probe_rank_1.jsonl", "{\"bubblescope_probe\":2,\"rank\":1}\n");
        QVERIFY2(refusalOf(root).contains("version 1"), qPrintable(refusalOf(root)));
        put(root / "probe_rank_1.jsonl", "{\"bubblescope_probe\":1,\"rank\":1}\n{\"op\":\"F\"}\n");
        QVERIFY2(refusalOf(root).contains("line 2"), qPrintable(refusalOf(root)));
    }

    void eventTimesAreRead() {
        for (const int v : {1, 2}) {
            QTemporaryDir folder;
            const fs::path root = folder.path().toStdString();
            const Timeline timeline = playedTimeline(v == 1 ? "1f1b" : "interleaved", {2, v, 4});
            putEventTimes(root, timeline, 2, v);
            const ImportedRun run = imported(root);
            QCOMPARE(recognised(run), std::string(v == 1 ? "1f1b" : "interleaved"));
            QCOMPARE(run.schedule.params.v, v);
            QVERIFY(std::abs(summarize(run.timeline, 0).bubble_of_total -
                             summarize(timeline, 0).bubble_of_total) <
                    0.05);  // clocks without a common origin
            fs::remove(root / ("event_times_PP2_VPP" + std::to_string(v) +
                               "_TPxCPxDP_rank_0_pp_rank_1_rank_1.json"));
            QVERIFY2(refusalOf(root).contains("missing: 1"), qPrintable(refusalOf(root)));
        }
    }

    // Two pipelines side by side: named, and one of them chosen.
    void ofSeveralReplicasOneIsChosen() {
        QTemporaryDir folder;
        const fs::path root = folder.path().toStdString(), second = root / "second";
        const Timeline timeline = playedTimeline("1f1b", {2, 1, 4});
        fs::create_directory(second);
        putProbeFiles(root, timeline);
        putProbeFiles(second, timeline, true, 2);  // ranks 2 and 3 run stages 0 and 1, too
        const QString refused = refusalOf(root);
        QVERIFY2(refused.contains("2 replicas") && refused.contains("0: ranks 0, 1; 1: ranks 2, 3"),
                 qPrintable(refused));
        ReadOptions options;
        for (int replica = 0; replica < 2; ++replica) {
            options.replica = replica;
            const ImportedRun run = imported(root, options);
            QCOMPARE(recognised(run), std::string("1f1b"));
            QCOMPARE(run.schedule.params.p, 2);
            QCOMPARE(say(run.origin.notes.front(), Language::English),
                     std::string("2 files are of other replicas of the pipeline and left out"));
        }
        options.replica = 2;
        QVERIFY(refusalOf(root, options).contains("no replica 2"));
        QVERIFY(refusalOf(second, options).contains("one pipeline"));

        // Kineto says the groups; ranks 0 and 2 are one pipeline.
        QTemporaryDir traces;
        const fs::path reported = traces.path().toStdString();
        for (int rank = 0; rank < 4; ++rank) {
            const std::string stage = std::to_string(rank / 2);
            const std::string info = R"({"rank":)" + std::to_string(rank) +
                                     R"(,"pg_config":[{"pg_desc":"mesh_pp","ranks":[)" +
                                     std::to_string(rank % 2) + "," + std::to_string(rank % 2 + 2) + "]}]}";
            put(reported / ("rank" + std::to_string(rank) + ".json"),
                kinetoFile({kinetoX("user_annotation", "PP:" + stage + "F0", 10 + rank, 5),
                            kinetoX("user_annotation", "PP:" + stage + "B0", 40 - 10 * (rank / 2), 5)},
                           info));
        }
        QVERIFY2(refusalOf(reported).contains("0: ranks 0, 2; 1: ranks 1, 3"),
                 qPrintable(refusalOf(reported)));
        options.replica = 1;
        QCOMPARE(imported(reported, options).timeline.compute(0)[0].duration_ns(), 5'000);
        fs::remove(reported / "rank3.json");
        QVERIFY2(refusalOf(reported, options).contains("missing: 3"),
                 qPrintable(refusalOf(reported, options)));

        QTemporaryDir events;
        const fs::path dumps = events.path().toStdString();
        putEventTimes(dumps, timeline, 2, 1);
        putEventTimes(dumps, timeline, 2, 1, 1);
        QVERIFY2(refusalOf(dumps).contains("0: ranks 0, 1; 1: ranks 2, 3"), qPrintable(refusalOf(dumps)));
        QCOMPARE(recognised(imported(dumps, options)), std::string("1f1b"));
    }

    // What a refusal says is data: its Chinese has no English left but names.
    void refusalsAreSaidInChinese() {
        QTemporaryDir folder;
        const fs::path root = folder.path().toStdString();
        const auto chinese = [&root] {
            try {
                imported(root);
            } catch (const ImportError& error) {
                return QString::fromStdString(say(error.said, Language::Chinese))
                    .remove(QString::fromStdString(root.string()));
            }
            return QString();
        };
        putProbeFiles(root, playedTimeline("1f1b", {2, 1, 4}));
        put(root / "probe_rank_1.jsonl", "{\"bubblescope_probe\":1,\"rank\":1}\n{\"op\":\"F\"}\n");
        QCOMPARE(chinese(), QStringLiteral("/probe_rank_1.jsonl 第 2 行：没有以 ns 计的时间“t0”和“t1”"));
        put(root / "config.json", "{\"pp_size\": 2}");
        QCOMPARE(chinese(), QStringLiteral("/config.json 来自 Primus，/probe_rank_0.jsonl 来自 Bubblescope "
                                           "的探针：请只给出一次运行的文件"));
        for (const RecognisedFile& file : recogniseFiles(std::vector<fs::path>{root}))
            QVERIFY2(say(file.as, Language::Chinese) != say(file.as, Language::English), file.file.c_str());
    }

    // A rank's file is missing, or ends too early: said as that, and no smaller pipeline is made of the rest.
    void filesThatLackSomethingAreSaidTo() {
        QTemporaryDir folder;
        const fs::path root = folder.path().toStdString(), from = kRuns / "kineto-interleaved-p2-v2-m4";
        const std::string second = "rank1_trace.json.gz";
        fs::copy(from / "rank0_trace.json.gz", root / "rank0_trace.json.gz");
        QVERIFY2(refusalOf(root).contains("missing: 1"), qPrintable(refusalOf(root)));
        // The pipeline's last rank: its senders show that there is one.
        TracedRun run = readTracedRun(std::vector{kRuns / "kineto-interleaved-p2-v2-m4"});
        std::erase_if(run.ranks[1].ops, [](const TracedOp& op) { return op.stage == 3; });
        std::erase_if(run.ranks[0].ops, [](const TracedOp& op) { return op.stage == 2; });
        std::erase_if(run.ranks[0].sends, [](const TracedSend& each) { return each.stage == 2; });
        run.ranks.pop_back();
        try {
            importRun(std::move(run));
            QFAIL("a pipeline was made of its first half");
        } catch (const ImportError& error) {
            QVERIFY2(QString(error.what()).contains("missing: 1"), error.what());
        }
        std::string whole;
        FileText text(from / second);
        std::string piece(1 << 16, '\0');
        while (const std::size_t count = text.read(piece)) whole.append(piece, 0, count);
        const std::string first = quoted("PP:1F0");
        put(root / "rank1_trace.json", whole.substr(0, whole.find(first) - 100));
        QVERIFY2(refusalOf(root).contains("cut off before its first operation"), qPrintable(refusalOf(root)));
        put(root / "rank1_trace.json", whole.substr(0, whole.find(quoted("PP:1B3"))));
        QVERIFY2(refusalOf(root).contains("cut off before the end of its first iteration"),
                 qPrintable(refusalOf(root)));
        // The job is known to have had more ranks than there are files.
        QTemporaryDir probes;
        const fs::path probe_root = probes.path().toStdString();
        putProbeFiles(probe_root, playedTimeline("gpipe", {1, 1, 2}));
        QVERIFY2(refusalOf(probe_root).contains("rank 0 of 2"), qPrintable(refusalOf(probe_root)));
    }

    // PyTorch's Schedule1F1B names nothing; recorded with PyTorch 2.15 on CPUs over gloo.
    void unnamedOperationsAreInferred() {
        const ImportedRun run = imported(kRuns / "kineto-1f1b-p2-m4");
        QCOMPARE(recognised(run), std::string("1f1b"));
        QVERIFY(run.origin.operations_inferred);
        QCOMPARE(run.schedule.params.m, 4);
        QCOMPARE(run.reports.size(), std::size_t{3});
        QVERIFY(run.origin.aligned);
    }

    // Gradients are divided after the last backward, which on a busy machine takes longer than a forward.
    void longWorkAfterTheLastBackwardIsNoForward() {
        QTemporaryDir folder;
        const fs::path root = folder.path().toStdString(), from = kRuns / "kineto-1f1b-p2-m4";
        fs::copy(from / "rank1_trace.json.gz", root / "rank1_trace.json.gz");
        std::string whole;
        FileText text(from / "rank0_trace.json.gz");
        std::string piece(1 << 16, '\0');
        while (const std::size_t count = text.read(piece)) whole.append(piece, 0, count);
        const std::size_t division = whole.rfind(quoted("aten::div_")),
                          begin = whole.find('[', whole.find(quoted("traceEvents")));
        QVERIFY(division != std::string::npos && begin != std::string::npos);
        const double ts = std::stod(whole.substr(whole.find(quoted("ts"), division) + 5, 30));
        whole.insert(begin + 1, R"({"ph":"X","cat":"cpu_op","name":"aten::norm","pid":6032,"tid":1,"ts":)" +
                                    QString::number(ts, 'f', 3).toStdString() + R"(,"dur":5000,"args":{}},)");
        put(root / "rank0_trace.json", whole);
        const ImportedRun run = imported(root);
        QCOMPARE(recognised(run), std::string("1f1b"));
        QCOMPARE(run.reports.size(), std::size_t{3});
    }

    // PyTorch divides the gradients of a chunk after the last backward of that, between two operations of the
    // others, and posts receives for as far ahead as the neighbour's order shows: then the division is the
    // one that seems to have received, and a forward that seems not to.
    void scaledGradientsBetweenOperationsAreNoForward() {
        const Timeline timeline = playedTimeline("interleaved", {2, 2, 4});
        UnnamedTraces how{.world_size = 2};
        how.early = [](int place, const Event& event) {
            return place == 1 && event.op == Op::Forward && event.stage == 3 && event.microbatch == 3;
        };
        how.more = [&timeline](int place, int, int from_us, int, std::vector<std::string>& events) {
            int end_us = 0;  // of the last backward of the last chunk
            for (const Event& event : timeline.compute(place))
                if (event.op == Op::Backward && event.stage == place + 2)
                    end_us = from_us + toUs(event.end_ns) - kMargin_us;
            for (int call = 0; call < 4; ++call)
                events.push_back(kinetoX("cpu_op", "aten::div_", end_us + 30 + 5 * call, 3));
        };
        QTemporaryDir folder;
        putUnnamedTraces(folder.path().toStdString(), timeline, how);
        const ImportedRun run = imported(folder.path().toStdString());
        QCOMPARE(recognised(run), std::string("interleaved"));
        QCOMPARE(run.schedule.params.v, 2);
        QCOMPARE(run.schedule.params.m, 4);
        QCOMPARE(run.reports.size(), std::size_t{3});
    }

    // Forwards of a validation in the step are like those of the training, but for the nodes of autograd,
    // which no backward works for.
    void validationInAStepIsLeftOutByItsNodes_data() {
        QTest::addColumn<bool>("has_nodes");
        QTest::addColumn<bool>("first");
        QTest::newRow("before the training") << true << true;
        QTest::newRow("after it") << true << false;
        QTest::newRow("after it, without nodes") << false << false;
    }
    void validationInAStepIsLeftOutByItsNodes() {
        QFETCH(bool, has_nodes);
        QFETCH(bool, first);
        UnnamedTraces how{.world_size = 3, .has_nodes = has_nodes};
        how.more = [first](int place, int, int from_us, int until_us, std::vector<std::string>& events) {
            for (int at_us = first ? from_us - 3000 : until_us - 400, batch = 0; batch < 2;
                 ++batch, at_us += 190) {
                if (place > 0) events.push_back(kinetoX("cpu_op", "c10d::recv_", at_us, 5));
                events.push_back(kinetoX("cpu_op", "aten::linear", at_us + 20, 60));
                events.push_back(kinetoX("cpu_op", "aten::relu", at_us + 90, 40));
                if (place < 2) events.push_back(kinetoX("cpu_op", "c10d::send", at_us + 150, 5));
            }
        };
        QTemporaryDir folder;
        putUnnamedTraces(folder.path().toStdString(), playedTimeline("1f1b", {3, 1, 6}), how);
        const ImportedRun run = imported(folder.path().toStdString());
        QCOMPARE(recognised(run), std::string("1f1b"));
        QCOMPARE(run.schedule.params.m, 6);
        QCOMPARE(run.reports.size(), std::size_t{3});
        QCOMPARE(say(run.origin.notes.back(), Language::English),
                 std::string("forwards without a backward, as of a validation, are left out on every rank"));
    }
    // One that changes what the next step runs is named in the refusal.
    void validationIsNamedWhereTheOrderIsRefused() {
        UnnamedTraces how{.world_size = 3, .has_nodes = true};
        how.more = [](int place, int, int from_us, int until_us, std::vector<std::string>& events) {
            const auto forward = [&](int at_us, int node) {
                if (place > 0) events.push_back(kinetoX("cpu_op", "c10d::recv_", at_us, 5));
                events.push_back(kinetoX("cpu_op", "aten::linear", at_us + 20, 60, 1, 0, node));
                if (place < 2) events.push_back(kinetoX("cpu_op", "c10d::send", at_us + 150, 5));
            };
            forward(until_us - 400, -1);
            if (place != 1) return;
            forward(from_us - 3000, 1'000'000);  // a forward and a backward more on one rank
            events.push_back(kinetoX("cpu_op", "c10d::recv_", from_us - 2050, 5));
            events.push_back(kinetoX("cpu_op", "autograd::engine::evaluate_function: AddmmBackward0",
                                     from_us - 2000, 100, 1, 0, 1'000'000));
        };
        QTemporaryDir folder;
        putUnnamedTraces(folder.path().toStdString(), playedTimeline("1f1b", {3, 1, 6}), how);
        const QString why = refusalOf(folder.path().toStdString());
        QVERIFY2(why.contains(QStringLiteral("every rank ran forwards without a backward, as in a validation")),
                 qPrintable(why));
    }

    // On GPUs: a kernel is of a backward when autograd's thread launched it, whenever it runs; messages are
    // NCCL's. The host runs far ahead of the device. Gradients that are scaled behind every backward, by a
    // kernel of its own, are no forward.
    void unnamedOperationsOnGpusAreInferred_data() {
        QTest::addColumn<QString>("behind");
        for (const char* behind : {"", "aten::mul_", "aten::_foreach_div_", "aten::to"})
            QTest::addRow("%s", *behind == '\0' ? "nothing" : behind) << QString(behind);
    }
    void unnamedOperationsOnGpusAreInferred() {
        QFETCH(QString, behind);
        const Timeline timeline = playedTimeline("1f1b", {2, 1, 4});
        QTemporaryDir folder;
        const fs::path root = folder.path().toStdString();
        for (int rank = 0; rank < 2; ++rank) {
            std::vector<std::string> events;
            int host = 0, correlation = 0;
            const auto us = [](std::int64_t ns) { return static_cast<int>(ns / 1000); };
            for (const Event& event : timeline.compute(rank)) {
                if (!isCompute(event.op)) continue;
                const bool forward = event.op == Op::Forward;
                const int thread = forward ? 1 : 2;
                host += 10;
                if (!forward)
                    events.push_back(
                        kinetoX("cpu_op", "autograd::engine::evaluate_function: A", host, 5, thread));
                events.push_back(kinetoX("cpu_op", "aten::mm", host + 1, 3, thread));
                events.push_back(
                    kinetoX("cuda_runtime", "cudaLaunchKernel", host + 2, 1, thread, ++correlation));
                events.push_back(kinetoX("kernel", "gemm", us(event.start_ns),
                                         us(event.end_ns) - us(event.start_ns), 7, correlation));
                if (!forward && !behind.isEmpty()) {
                    events.push_back(kinetoX("cpu_op", behind.toStdString(), host + 5, 1));
                    events.push_back(
                        kinetoX("cuda_runtime", "cudaLaunchKernel", host + 5, 1, 1, ++correlation));
                    events.push_back(
                        kinetoX("kernel", "vectorized_elementwise", us(event.end_ns), 3, 7, correlation));
                }
                events.push_back(kinetoX("cpu_op", "c10d::send", host + 6, 1));
                events.push_back(
                    kinetoX("kernel", "ncclDevKernel_SendRecv", us(event.end_ns), 1, 20, 1000 + correlation));
            }
            put(root / ("rank" + std::to_string(rank) + ".json"),
                kinetoFile(events, R"({"rank":)" + std::to_string(rank) + "}"));
        }
        const ImportedRun run = imported(root);
        QCOMPARE(recognised(run), std::string("1f1b"));
        QVERIFY(run.origin.operations_inferred);
        QVERIFY(run.origin.times == ImportOrigin::Times::Kernels);
        const IterationSummary reported = summarize(timeline, 0), found = summarize(run.timeline, 0);
        for (std::size_t rank = 0; rank < 2; ++rank)
            QCOMPARE(found.ranks[rank].busy_ns, reported.ranks[rank].busy_ns);
    }

    void messagesAloneAreRefused() {
        QTemporaryDir folder;
        const fs::path file = folder.filePath("rank0.json").toStdString();
        const std::string message = kinetoX("user_annotation", "gloo:send", 1, 2);
        put(file, kinetoFile({message}));
        QVERIFY2(refusalOf(file).contains("ProfilerActivity.CPU"), qPrintable(refusalOf(file)));
        // One rank is no pipeline.
        put(file, kinetoFile({message, kinetoX("cpu_op", "autograd::engine::evaluate_function: A", 10, 5),
                              kinetoX("cpu_op", "aten::mm", 30, 5)}));
        QVERIFY2(refusalOf(file).contains("the messages of its one rank"), qPrintable(refusalOf(file)));
    }

    void placesCanBeGiven() {
        // Ranks in the opposite order of the stages, which nothing names.
        const Timeline timeline = playedTimeline("1f1b", {3, 1, 6});
        TracedRun run;
        run.source = "made up";
        for (int place = 2; place >= 0; --place) {
            TracedRank& rank = run.ranks.emplace_back();
            rank.rank = 2 - place;
            rank.file = "rank" + std::to_string(rank.rank);
            for (const Event& event : timeline.compute(place)) {
                TracedOp& op = rank.ops.emplace_back();
                op.op = event.op;
                op.start_ns = event.start_ns;
                op.end_ns = event.end_ns;
                if (!isCompute(op.op)) rank.ops.pop_back();
            }
        }
        const std::vector<std::pair<int, int>> places = {{0, 2}, {1, 1}, {2, 0}};
        TracedRun placed = run;
        placeRanks(placed, places);
        QCOMPARE(recognised(importRun(std::move(placed))), std::string("1f1b"));
        const std::vector<std::pair<int, int>> twice = {{0, 2}, {1, 2}, {2, 0}}, few = {{0, 0}},
                                               unknown = {{7, 0}};
        for (const auto& wrong : {twice, few, unknown}) {
            TracedRun copy = run;
            QVERIFY_THROWS_EXCEPTION(ImportError, placeRanks(copy, wrong));
        }
    }
};

BUBBLESCOPE_TEST(TestImportSources)

}  // namespace tst_import_sources

#include "tst_import_sources.moc"
