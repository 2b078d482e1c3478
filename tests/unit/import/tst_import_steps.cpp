// Traces that number forwards and backwards in their arguments: MegatronApp's, in one file or a file a rank,
// and those of the straggler analysis. Every number is that of the schedule that was played.
#include <QTemporaryDir>
#include <QTest>

#include "imported_runs.h"
#include "registered_test.h"
#include "step_traces.h"
#include "timeline/analysis.h"
#include "report/start_up_note.h"

namespace tst_import_steps {

using namespace bscope;

namespace {

namespace fs = std::filesystem;

StepIterations played(const std::string& name, const ScheduleParams& params, int iterations = 1,
                      int replicas = 1) {
    return StepIterations(
        static_cast<std::size_t>(iterations),
        std::vector<Timeline>(static_cast<std::size_t>(replicas), playedTimeline(name, params)));
}

void sameNumbers(const ImportedRun& run, const Timeline& reported, int iteration) {
    const IterationSummary expected = summarize(reported, 0), found = summarize(run.timeline, iteration);
    QCOMPARE(found.iteration_ns, expected.iteration_ns);
    QCOMPARE(found.bubble_of_total, expected.bubble_of_total);
    for (std::size_t rank = 0; rank < expected.ranks.size(); ++rank)
        QCOMPARE(found.ranks[rank].busy_ns, expected.ranks[rank].busy_ns);
}

std::string notesOf(const ImportedRun& run) {
    std::string all;
    for (const Sentence& note : run.origin.notes) all += say(note, Language::English) + "\n";
    return all;
}

// Without the n-th line that holds all of these.
std::string without(const std::string& text, const QStringList& words, int n = 0) {
    QStringList lines = QString::fromStdString(text).split(u'\n');
    for (qsizetype at = 0; at < lines.size(); ++at) {
        const bool all =
            std::ranges::all_of(words, [&](const QString& word) { return lines[at].contains(word); });
        if (!all || n-- > 0) continue;
        lines.removeAt(at);
        return lines.join(u'\n').toStdString();
    }
    return {};
}

}  // namespace

class TestImportSteps : public QObject {
    Q_OBJECT

private slots:
    void everyScheduleComesBack_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("p");
        QTest::addColumn<int>("v");
        QTest::addColumn<int>("m");
        QTest::newRow("1f1b") << "1f1b" << 4 << 1 << 8;
        QTest::newRow("fewer micro-batches") << "1f1b" << 4 << 1 << 2;
        QTest::newRow("gpipe") << "gpipe" << 2 << 1 << 4;
        QTest::newRow("interleaved") << "interleaved" << 4 << 4 << 8;
        QTest::newRow("interleaved, 3 ranks") << "interleaved" << 3 << 2 << 6;
        QTest::newRow("looped-bfs") << "looped-bfs" << 4 << 2 << 6;
        QTest::newRow("one rank") << "gpipe" << 1 << 1 << 3;
    }
    void everyScheduleComesBack() {
        QFETCH(QString, name);
        QFETCH(int, p);
        QFETCH(int, v);
        QFETCH(int, m);
        QTemporaryDir folder;
        const fs::path root = folder.path().toStdString();
        const StepIterations iterations = played(name.toStdString(), {p, v, m}, 2);
        const Timeline& reported = iterations.front().front();
        StepTraceForm form;
        form.first_iteration = 10;
        put(root / "aggregated.json", megatronAppText(iterations, form));
        put(root / "timeline.json", stragglerText(iterations, form));
        fs::create_directory(root / "ranks");
        putMegatronAppRanks(root / "ranks", iterations);
        for (const char* from : {"aggregated.json", "timeline.json", "ranks"}) {
            const ImportedRun run = imported(root / from);
            QVERIFY2(recognised(run) == name.toStdString() || p == 1, from);
            QCOMPARE(run.schedule.params.v, v);
            QCOMPARE(run.schedule.params.m, m);
            QCOMPARE(run.reports.size(), 2U);
            QVERIFY(!run.origin.numbers_inferred);
            QCOMPARE(run.origin.max_shift_ns, 0);
            sameNumbers(run, reported, run.reports.back().iteration);
            QCOMPARE(run.reports.front().iteration, std::string_view(from) == "ranks" ? 0 : 10);
        }
    }

    void replicasAndTensorRanksHaveTheirPlaces() {
        QTemporaryDir folder;
        const fs::path root = folder.path().toStdString();
        StepIterations iterations = played("1f1b", {3, 1, 4}, 2, 3);
        for (auto& replicas : iterations)
            replicas[1] = predict(lower(makeSchedule("1f1b", {3, 1, 4})), unitCosts(3, 2, 1.2, 0.8, 0.1));
        StepTraceForm form;
        form.tensor_ranks = 2;
        form.iteration_stride = 3;
        put(root / "aggregated.json", megatronAppText(iterations, form));
        put(root / "timeline.json", stragglerText(iterations, form));
        fs::create_directory(root / "ranks");
        putMegatronAppRanks(root / "ranks", iterations);
        for (const char* from : {"aggregated.json", "timeline.json", "ranks"}) {
            QVERIFY2(refusalOf(root / from).contains("3 replicas of the pipeline (0: ranks 0, 1, 2"),
                     qPrintable(refusalOf(root / from)));
            for (int replica = 0; replica < 3; ++replica) {
                ReadOptions options;
                options.replica = replica;
                const ImportedRun run = imported(root / from, options);
                QCOMPARE(recognised(run), std::string("1f1b"));
                sameNumbers(run, iterations.front()[static_cast<std::size_t>(replica)],
                            run.reports.back().iteration);
                QCOMPARE(run.reports.back().iteration, std::string_view(from) == "ranks" ? 1 : 3);
                QCOMPARE(notesOf(run).find("tensor-parallel ranks") != std::string::npos,
                         std::string_view(from) != "ranks");
            }
        }
    }

    // A file a tensor rank, and two threads at one place beside two tensor ranks: the first stands for all.
    void tensorRanksHaveTheirPlacesInAnyFile() {
        QTemporaryDir folder;
        const fs::path root = folder.path().toStdString();
        const StepIterations iterations = played("1f1b", {2, 1, 4});
        StepTraceForm form;
        form.tensor_ranks = 2;
        std::vector<std::string> of_tensor[2];
        for (const QString& line : QString::fromStdString(megatronAppText(iterations, form)).split(u'\n')) {
            QString event = line;
            while (!event.isEmpty() && QStringLiteral("[],").contains(event.back())) event.chop(1);
            if (event.startsWith(u'[')) event.remove(0, 1);
            of_tensor[line.contains(QStringLiteral("\"tid\": 1"))].push_back(event.toStdString());
        }
        for (const int tensor : {0, 1})
            put(root / ("tensor" + std::to_string(tensor) + ".json"), listed(of_tensor[tensor]));
        const ImportedRun run = imported(root);
        sameNumbers(run, iterations.front().front(), 0);
        QVERIFY(notesOf(run).find("of 2 tensor-parallel ranks") != std::string::npos);
        QTemporaryDir other;
        const fs::path file = other.filePath("timeline.json").toStdString();
        form.tensor_ranks = 4;
        QString text = QString::fromStdString(stragglerText(iterations, form));
        text.replace(QStringLiteral("TP rank 2"), QStringLiteral("TP rank 0"));
        text.replace(QStringLiteral("TP rank 3"), QStringLiteral("TP rank 1"));
        put(file, text.toStdString());
        const ImportedRun twins = imported(file);
        QCOMPARE(twins.origin.notes.size(), 1U);
        sameNumbers(twins, iterations.front().front(), 0);
    }

    // Newer MegatronApp: whole events, a process a rank of the job, all places in the arguments.
    void placesInArgumentsCount() {
        QTemporaryDir folder;
        const fs::path file = folder.filePath("trace.json").toStdString();
        const Timeline reported = playedTimeline("1f1b", {2, 1, 4});
        std::vector<std::string> events;
        forEachStep({{reported, reported}}, [&](int i, int d, int rank, const Event& event,
                                                std::int64_t begin_ns) {
            events.push_back(R"({"name":")" + stepName(event.op) + R"(","ph":"X","tid":0,"pid":)" +
                             std::to_string(7 + rank * 2 + d) + R"(,"ts":)" +
                             std::to_string((begin_ns + event.start_ns) / 1000) + R"(,"dur":)" +
                             std::to_string(event.duration_ns() / 1000) + R"(,"args":{"iteration":)" +
                             std::to_string(i) + R"(,"microbatch":)" + std::to_string(event.microbatch) +
                             R"(,"dp_rk":)" + std::to_string(d) + R"(,"pp_rk":)" + std::to_string(rank) +
                             R"(,"tp_rk":0}})");
        });
        put(file, listed(events));
        ReadOptions options;
        options.replica = 1;
        const ImportedRun run = imported(file, options);
        QCOMPARE(recognised(run), std::string("1f1b"));
        sameNumbers(run, reported, 0);
    }

    // The first iteration compiles: it is no row, and in no median, unless it is asked for.
    void anIterationThatStartsUpIsLeftOut() {
        QTemporaryDir folder;
        const fs::path root = folder.path().toStdString();
        StepIterations iterations = played("1f1b", {2, 1, 4}, 4);
        const Timeline usual = iterations.front().front();
        iterations.front().front() =
            predict(lower(makeSchedule("1f1b", {2, 1, 4})), unitCosts(2, 5, 6, 4, 0.1));
        const auto written = [&](int count) {
            StepIterations some(iterations.begin(), iterations.begin() + count);
            StepTraceForm form;
            form.first_iteration = 7;
            put(root / "trace.json", megatronAppText(some, form));
            return root / "trace.json";
        };
        const ImportedRun run = imported(written(4));
        QCOMPARE(run.start_up.value_or(-1), 7);
        QCOMPARE(run.reports.size(), 3U);
        QCOMPARE(run.reports.front().iteration, 8);
        QCOMPARE(run.durations.front().count, 12);
        QCOMPARE(run.origin.costs.stages.front().forward_ns, 1e9);
        QVERIFY2(notesOf(run).find("iteration 7 starts up") != std::string::npos, notesOf(run).c_str());
        QCOMPARE(startUpLeftOut(run.origin.notes), std::optional(7));
        QVERIFY(notesOf(run).find("--") == std::string::npos);  // the window shows it, too
        const std::vector<fs::path> paths = {root / "trace.json"};
        const ImportedRun with = importRun(readTracedRun(paths), 7);
        QCOMPARE(with.reports.size(), 4U);
        QCOMPARE(with.reports.front().iteration, 7);
        QCOMPARE(with.durations.front().count, 12);
        QVERIFY(notesOf(with).find("starts up") == std::string::npos);
        // The median of the others needs two of them.
        QCOMPARE(imported(written(3)).reports.size(), 2U);
        QCOMPARE(imported(written(2)).reports.size(), 2U);
        // Half as long again as the others is no start; nor is a slow one later.
        iterations.front().front() =
            predict(lower(makeSchedule("1f1b", {2, 1, 4})), unitCosts(2, 1.4, 1.5, 1, 0.1));
        QCOMPARE(imported(written(4)).reports.size(), 4U);
        iterations[0] = iterations[1];
        iterations[2].front() = predict(lower(makeSchedule("1f1b", {2, 1, 4})), unitCosts(2, 5, 6, 4, 0.1));
        QCOMPARE(imported(written(4)).reports.size(), 4U);
        QVERIFY(summarize(usual, 0).iteration_ns > 0);
    }

    // Numbers may count on over all iterations, from 1, or over the chunks of a rank.
    void microbatchesAreNumberedFromZero() {
        QTemporaryDir folder;
        const fs::path file = folder.filePath("trace.json").toStdString();
        const StepIterations iterations = played("interleaved", {2, 2, 4}, 3);
        StepTraceForm form;
        form.microbatch = [](const Event& event, int i) {
            return 1 + event.microbatch + 4 * (event.stage / 2) + 8 * i;
        };
        for (const std::string& text : {megatronAppText(iterations, form), stragglerText(iterations, form)}) {
            put(file, text);
            const ImportedRun run = imported(file);
            QCOMPARE(recognised(run), std::string("interleaved"));
            QCOMPARE(run.reports.size(), 3U);
        }
    }

    void aSplitBackwardIsTwoOperations() {
        QTemporaryDir folder;
        const fs::path file = folder.filePath("trace.json").toStdString();
        const StepIterations iterations = played("zb-h1", {3, 1, 6});
        put(file, stragglerText(iterations));
        const ImportedRun run = imported(file);
        QCOMPARE(recognised(run), std::string("zb-h1"));
        sameNumbers(run, iterations.front().front(), 0);
    }

    // An operation without its end, or its beginning, costs its iteration and nothing else.
    void aMissingEndCostsItsIteration() {
        QTemporaryDir folder;
        const fs::path file = folder.filePath("trace.json").toStdString();
        const StepIterations iterations = played("1f1b", {2, 1, 4}, 3);
        const std::string text = megatronAppText(iterations);
        for (const char* phase : {R"("ph": "B")", R"("ph": "E")"}) {
            const std::string broken = without(text, {phase, R"("iteration": 1)", R"("pid": 1)"}, 2);
            QVERIFY(!broken.empty());
            put(file, broken);
            const ImportedRun run = imported(file);
            QCOMPARE(run.reports.size(), 2U);
            QCOMPARE(run.reports.back().iteration, 2);
            QVERIFY(notesOf(run).find("1 iteration is not whole") != std::string::npos);
            sameNumbers(run, iterations.front().front(), 2);
            sameNumbers(run, iterations.front().front(), 0);
        }
        put(file, without(megatronAppText(played("1f1b", {2, 1, 4})), {R"("ph": "E")", R"("pid": 1)"}, 2));
        QVERIFY2(
            refusalOf(file).contains("a forward or backward of rank 1 has no beginning or no end, first in "
                                     "iteration 0"),
            qPrintable(refusalOf(file)));
        put(file, text.substr(0, text.size() - 300));
        QCOMPARE(imported(file).reports.size(), 2U);
        QVERIFY(notesOf(imported(file)).find("is cut off") != std::string::npos);
        put(file, text.substr(0, text.size() / 4));
        QVERIFY2(refusalOf(file).contains("is cut off"), qPrintable(refusalOf(file)));
    }

    // The host may begin the next forward before it notes the end of the last one.
    void overlappingPairsAreNotNested() {
        QTemporaryDir folder;
        const fs::path file = folder.filePath("trace.json").toStdString();
        std::vector<std::string> events;
        const auto mark = [&](const char* name, const char* phase, int ts, int microbatch) {
            events.push_back(
                R"({"name": ")" + std::string(name) + R"(", "ph": ")" + phase + R"(", "ts": )" +
                std::to_string(ts) + R"(, "pid": 0, "tid": 0, "args": {"iteration": 0)" +
                (microbatch < 0 ? std::string() : R"(, "microbatch": )" + std::to_string(microbatch)) + "}}");
        };
        mark("forward", "B", 0, -1);
        mark("forward", "B", 90, -1);
        mark("forward", "E", 100, 0);
        mark("backward", "B", 190, -1);
        mark("forward", "E", 200, 1);
        mark("backward", "B", 290, -1);
        mark("backward", "E", 300, 0);
        mark("backward", "E", 400, 1);
        put(file, listed(events));
        const ImportedRun run = imported(file);
        QCOMPARE(run.timeline.compute(0).size(), 4U);
        for (int at = 0; at < 4; ++at) {
            const Event event = run.timeline.compute(0)[static_cast<std::size_t>(at)];
            QCOMPARE(event.microbatch, at % 2);
            QCOMPARE(event.op, at < 2 ? Op::Forward : Op::Backward);
            QCOMPARE(event.start_ns, at * 100'000);
            QCOMPARE(event.end_ns, (at + 1) * 100'000);
        }
    }

    // Of a file that another run was written behind, the last one.
    void theNewestOfTwoRunsIsShown() {
        QTemporaryDir folder;
        const fs::path file = folder.filePath("trace.json").toStdString();
        std::vector<std::string> events;
        for (int run = 0; run < 2; ++run)
            for (int iteration = 0; iteration < 3; ++iteration)
                for (int microbatch = 0; microbatch < 2 + run; ++microbatch)
                    for (const char* name : {"forward", "backward"})
                        events.push_back(R"({"name": ")" + std::string(name) + R"(-compute", "ph": "X", "ts": )" +
                                         std::to_string(1000 * (3 * run + iteration) + 100 * microbatch +
                                                        (*name == 'b' ? 50 : 0)) +
                                         R"(, "dur": 40, "pid": 0, "tid": 0, "args": {"step": )" +
                                         std::to_string(iteration) + R"(, "mb_id": )" +
                                         std::to_string(microbatch) + "}}");
        put(file, listed(events));
        const ImportedRun run = imported(file);
        QCOMPARE(run.schedule.params.m, 3);
        QCOMPARE(run.reports.size(), 3U);
        QVERIFY(notesOf(run).find("holds 2 runs") != std::string::npos);
    }

    // What begins when another operation ends contradicts no clock, however its times are rounded.
    void timesBetweenNanosecondsFit() {
        QTemporaryDir folder;
        const fs::path file = folder.filePath("trace.json").toStdString();
        constexpr int m = 40;
        std::vector<std::string> events;
        const auto add = [&](int rank, const char* name, int microbatch, double start_us, double length_us) {
            const auto number = [](double value) { return QString::number(value, 'g', 17).toStdString(); };
            events.push_back(R"({"name":")" + std::string(name) + R"(-compute","ph":"X","pid":0,"tid":)" +
                             std::to_string(5 * rank) + R"(,"ts":)" + number(start_us) + R"(,"dur":)" +
                             number(length_us) + R"(,"args":{"step":1,"mb_id":)" +
                             std::to_string(microbatch) + "}}");
        };
        double free_us[2] = {7.1234567, 0}, ends_us[m] = {};
        const auto length = [](int rank, int i) { return 10.0007 + 1.00093 * ((i * 7 + rank * 5) % 11); };
        for (int i = 0; i < m; ++i) {
            add(0, "forward", i, free_us[0], length(0, i));
            free_us[0] += length(0, i);
            free_us[1] = std::max(free_us[1], free_us[0]);
            add(1, "forward", i, free_us[1], length(1, i));
            free_us[1] += length(1, i);
        }
        for (int i = 0; i < m; ++i) {
            add(1, "backward", i, free_us[1], length(1, i));
            ends_us[i] = free_us[1] += length(1, i);
        }
        for (int i = 0; i < m; ++i) {
            free_us[0] = std::max(free_us[0], ends_us[i]);
            add(0, "backward", i, free_us[0], length(0, i));
            free_us[0] += length(0, i);
        }
        for (int rank = 0; rank < 2; ++rank)
            events.push_back(R"({"name":"thread_name","ph":"M","pid":0,"tid":)" + std::to_string(5 * rank) +
                             R"(,"args":{"name":"PP rank )" + std::to_string(rank) +
                             R"(, TP rank 0, compute"}})");
        put(file, listed(events));
        const ImportedRun run = imported(file);
        QCOMPARE(recognised(run), std::string("gpipe"));
        QVERIFY(run.origin.aligned && run.origin.contradictions.empty());
        QCOMPARE(run.origin.max_shift_ns, 0);
    }

    void whatIsNotOneRunIsRefused() {
        QTemporaryDir folder;
        const fs::path root = folder.path().toStdString();
        const StepIterations iterations = played("1f1b", {2, 1, 4}, 2);
        // A file that was made of those of the ranks beside them is not another run.
        putMegatronAppRanks(root, iterations);
        put(root / "aggregated.json", megatronAppText(iterations));
        const ImportedRun run = imported(root);
        QCOMPARE(recognised(run), std::string("1f1b"));
        QVERIFY(notesOf(run).find("aggregated.json is left out") != std::string::npos);
        put(root / "benchmark-data-0-pipeline-0-tensor-0.json", "[]");
        fs::remove(root / "benchmark-data-0-pipeline-1-tensor-0.json");
        put(root / "other.json", megatronAppText(iterations));
        QVERIFY2(!refusalOf(root).isEmpty(), "two runs are one");
        fs::remove(root / "benchmark-data-0-pipeline-0-tensor-0.json");
        QVERIFY2(refusalOf(root).contains("are both of rank 0"), qPrintable(refusalOf(root)));
        // A rank whose file is missing.
        QTemporaryDir some;
        const fs::path part = some.path().toStdString();
        putMegatronAppRanks(part, played("1f1b", {3, 1, 4}));
        fs::remove(part / "benchmark-data-0-pipeline-1-tensor-0.json");
        QVERIFY2(refusalOf(part).contains("the files of these are missing: 1"), qPrintable(refusalOf(part)));
    }
};

BUBBLESCOPE_TEST(TestImportSteps)

}  // namespace tst_import_steps

#include "tst_import_steps.moc"
