// Whatever a file of another program holds, there is a run or a sentence: files of every kind of source,
// changed at random. For the long run BSCOPE_IMPORT_MUTANTS=100000 and a QTEST_FUNCTION_TIMEOUT, in ms, that
// is long enough.
#include <QTemporaryDir>
#include <QTest>
#include <random>

#include "advice/advisor.h"
#include "import_files.h"
#include "imported_runs.h"
#include "registered_test.h"
#include "step_traces.h"

namespace tst_import_mutants {

using namespace bscope;

namespace fs = std::filesystem;

class TestImportMutants : public QObject {
    Q_OBJECT

private slots:
    void mutantsAreReadOrRefused_data() {
        QTest::addColumn<QString>("kind");
        for (const char* kind :
             {"kineto", "probe", "events", "own", "primus", "unnamed", "ascend", "pairs", "ranks", "steps"})
            QTest::newRow(kind) << QString(kind);
#ifdef BUBBLESCOPE_SQLITE
        for (const char* kind : {"nsys", "nsys-megatron", "ascend-db"}) QTest::newRow(kind) << QString(kind);
#endif
    }
    void mutantsAreReadOrRefused() {
        QFETCH(QString, kind);
        QTemporaryDir folder;
        const fs::path root = folder.path().toStdString();
        if (kind == "probe") putProbeFiles(root, playedTimeline("zb-h1", {2, 1, 3}));
        if (kind == "events") putEventTimes(root, playedTimeline("1f1b", {2, 1, 3}), 2, 1);
        if (kind == "kineto")
            put(root / "rank0.json", kinetoFile({kinetoX("user_annotation", "PP:0F0", 0, 10),
                                                 kinetoX("user_annotation", "PP:0F1", 10, 10),
                                                 kinetoX("user_annotation", "PP:0B0", 20, 10),
                                                 kinetoX("user_annotation", "PP:0B1", 30, 10)}));
        const StepIterations steps(2, {playedTimeline("1f1b", {2, 1, 2})});
        if (kind == "pairs") put(root / "trace.json", megatronAppText(steps));
        if (kind == "ranks") putMegatronAppRanks(root, steps);
        if (kind == "steps") put(root / "trace.json", stragglerText(steps));
        if (kind == "ascend") putAscendTraces(root, playedTimeline("1f1b", {2, 1, 3}));
#ifdef BUBBLESCOPE_SQLITE
        if (kind == "ascend-db") putAscendDatabases(root, playedTimeline("1f1b", {2, 1, 3}));
        if (kind == "nsys") putNsys(root / "run.sqlite", playedTimeline("zb-h1", {2, 1, 3}));
        if (kind == "nsys-megatron")
            putNsysOfMegatron(root / "run.sqlite", playedTimeline("1f1b", {2, 1, 3}));
#endif
        if (kind == "own") put(root / "trace.json", chromeText(playedTimeline("1f1b", {2, 1, 2})));
        if (kind == "primus") {
            fs::copy(kRuns / "primus-pp8/config.json", root / "config.json");
            for (int rank = 0; rank < 8; ++rank) {
                // One iteration of the sample is enough.
                const std::string name = "pp_rank_" + std::to_string(rank) + ".json";
                std::ifstream in(kRuns / "primus-pp8" / name);
                const std::string text(std::istreambuf_iterator<char>(in), {});
                put(root / name, text.substr(0, text.find(quoted("2") + ":") - 2) + "}");
            }
        }
        if (kind == "unnamed") {
            const char* const backward = "autograd::engine::evaluate_function: A";
            const std::vector<std::pair<const char*, int>> calls[2] = {
                {{"aten::mm", 10}, {"c10d::send", 16}, {"aten::mm", 20}, {"c10d::send", 26},
                 {"c10d::recv_", 35}, {backward, 40}, {"c10d::recv_", 56}, {backward, 60}},
                {{"c10d::recv_", 15}, {"aten::mm", 20}, {backward, 28}, {"c10d::send", 34},
                 {"c10d::recv_", 36}, {"aten::mm", 40}, {backward, 48}, {"c10d::send", 54}}};
            for (int rank = 0; rank < 2; ++rank) {
                std::vector<std::string> events = {kinetoX("user_annotation", "gloo:send", 1, 2)};
                for (const auto& [name, ts] : calls[rank]) events.push_back(kinetoX("cpu_op", name, ts, 3));
                put(root / ("rank" + std::to_string(rank) + ".json"),
                    kinetoFile(events, R"({"rank":)" + std::to_string(rank) + "}"));
            }
        }
        std::vector<std::pair<fs::path, std::string>> files;
        for (const auto& each : fs::recursive_directory_iterator(root)) {
            if (!each.is_regular_file() || each.file_size() < 3) continue;
            std::ifstream in(each.path(), std::ios::binary);
            files.emplace_back(each.path(), std::string(std::istreambuf_iterator<char>(in), {}));
        }
        std::sort(files.begin(), files.end());
        const int rounds = qEnvironmentVariableIsSet("BSCOPE_IMPORT_MUTANTS")
                               ? qEnvironmentVariableIntValue("BSCOPE_IMPORT_MUTANTS")
                               : 300;
        std::mt19937 random(5);
        int read = 0, refused = 0;
        for (int round = 0; round < rounds; ++round) {
            const auto& [path, whole] = files[random() % files.size()];
            std::string text = whole;
            for (unsigned change = 0; change <= random() % 3 && !text.empty(); ++change) {
                const std::size_t at = random() % text.size();
                switch (random() % 5) {
                    case 0:
                        text[at] = static_cast<char>(random());
                        break;
                    case 1:
                        text.erase(at, 1 + random() % 40);
                        break;
                    case 2:
                        text.insert(at, std::to_string(static_cast<std::int32_t>(random())));
                        break;
                    case 3:
                        text.insert(at, text.substr(random() % text.size(), random() % 200));
                        break;
                    default:
                        text.resize(at + 1);
                        break;
                }
            }
            put(path, text);
            try {
                const ImportedRun run = imported(root);
                QCOMPARE(run.timeline.ranks(), run.schedule.params.p);
                for (const IterationReport& report : run.reports)
                    QVERIFY(report.bubble_of_total >= 0 && report.bubble_of_total <= 1);
                AdviceRequest request;
                request.known.config.schedule = run.schedule.name;
                request.known.config.params = run.schedule.params;
                request.known.costs = run.origin.costs;
                request.known.order = std::make_shared<const Schedule>(run.schedule);
                request.knows_model = false;
                advise(request);
                ++read;
            } catch (const ImportError& error) {
                QVERIFY(*error.what() != '\0');
                ++refused;
            }
            put(path, whole);
        }
        QVERIFY(read > 0 && refused > 0);
    }
};

BUBBLESCOPE_TEST(TestImportMutants)

}  // namespace tst_import_mutants

#include "tst_import_mutants.moc"
