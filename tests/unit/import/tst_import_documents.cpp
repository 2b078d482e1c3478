// One file that holds more than one trace: whole documents one behind the other, or two runs in one document
// whose profiler saw no steps. What is shown is of one run, and a note says that there were others.
#include <QTemporaryDir>
#include <QTest>

#include "imported_runs.h"
#include "registered_test.h"
#include "step_traces.h"
#include "unnamed_traces.h"

namespace tst_import_documents {

using namespace bscope;

namespace {

namespace fs = std::filesystem;

std::string textOf(const fs::path& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::string notesOf(const ImportedRun& run) {
    std::string all;
    for (const Sentence& note : run.origin.notes) all += say(note, Language::English) + "\n";
    return all;
}

bool noted(const ImportedRun& run, const std::string& text) {
    return notesOf(run).find(text) != std::string::npos;
}

// Every "ts" of it that much later.
std::string later(const std::string& text, int by_us) {
    std::string out;
    const std::string key = quoted("ts") + ":";
    std::size_t at = 0;
    for (std::size_t next; (next = text.find(key, at)) != std::string::npos;) {
        std::size_t length = 0;
        const int ts = std::stoi(text.substr(next + key.size()), &length);
        out += text.substr(at, next + key.size() - at) + std::to_string(ts + by_us);
        at = next + key.size() + length;
    }
    return out + text.substr(at);
}

// The events of both in one document, the second ones half a second behind.
std::string joinedEvents(const std::string& old, const std::string& fresh) {
    const std::string moved = later(fresh, 500'000);
    return old.substr(0, old.rfind(']')) + "," +
           moved.substr(moved.find('[', moved.find("traceEvents")) + 1);
}

// Of iterations that only the optimizer's steps tell apart.
UnnamedTraces withoutSteps() {
    UnnamedTraces how{.world_size = 2, .marks_steps = false};
    how.more = [](int, int, int, int until, std::vector<std::string>& events) {
        events.push_back(kinetoX("user_annotation", "Optimizer.step#AdamW.step", until + 10, 100));
    };
    return how;
}

struct TwoRuns {
    QTemporaryDir folder;
    fs::path root = folder.path().toStdString(), a = root / "a", b = root / "b";
    // Puts what `join` makes of both files of a rank.
    template <class Join>
    void put(const Join& join) {
        for (const char* name : {"rank0.json", "rank1.json"})
            bscope::put(root / name, join(textOf(a / name), textOf(b / name)));
        fs::remove_all(a);
        fs::remove_all(b);
    }
};

}  // namespace

class TestImportDocuments : public QObject {
    Q_OBJECT

private slots:
    void theLastDocumentOfARankIsShown_data() {
        QTest::addColumn<QString>("between");
        QTest::newRow("nothing") << "";
        QTest::newRow("a line") << "\n";
        QTest::newRow("a document that is no trace") << "\n{\"loss\": [1, 2]}\n";
    }
    void theLastDocumentOfARankIsShown() {
        QFETCH(const QString, between);
        TwoRuns runs;
        putUnnamedTraces(runs.a, playedTimeline("gpipe", {2, 1, 6}), {.world_size = 2});
        putUnnamedTraces(runs.b, playedTimeline("1f1b", {2, 1, 4}), {.world_size = 2});
        runs.put([&](const std::string& old, std::string fresh) {
            fresh.insert(1, quoted("baseTimeNanoseconds") + ":9000000000,");
            return old + between.toStdString() + fresh;
        });
        const ImportedRun run = imported(runs.root);
        QCOMPARE(recognised(run), std::string("1f1b"));
        QCOMPARE(run.schedule.params.m, 4);
        QCOMPARE(run.reports.size(), std::size_t{3});
        QVERIFY2(noted(run, "rank0.json holds 2 traces"), notesOf(run).c_str());
    }

    // What stands behind a trace and is none changes nothing.
    void whatIsNoTraceBehindItIsLeftAlone() {
        TwoRuns runs;
        putUnnamedTraces(runs.a, playedTimeline("1f1b", {2, 1, 4}), {.world_size = 2});
        putUnnamedTraces(runs.b, playedTimeline("1f1b", {2, 1, 4}), {.world_size = 2});
        runs.put([](const std::string& text, const std::string&) { return text + "\n{\"loss\": 1}\n[]"; });
        const ImportedRun run = imported(runs.root);
        QCOMPARE(recognised(run), std::string("1f1b"));
        QVERIFY2(!noted(run, "traces of a rank"), notesOf(run).c_str());
    }

    // cat rank0.json rank1.json > all.json
    void ranksInOneFileAreRanks() {
        TwoRuns runs;
        putUnnamedTraces(runs.a, playedTimeline("1f1b", {2, 1, 4}), {.world_size = 2});
        put(runs.root / "all.json", textOf(runs.a / "rank0.json") + textOf(runs.a / "rank1.json"));
        fs::remove_all(runs.a);
        const ImportedRun run = imported(runs.root);
        QCOMPARE(recognised(run), std::string("1f1b"));
        QCOMPARE(run.schedule.params.p, 2);
        QVERIFY2(!noted(run, "traces of a rank"), notesOf(run).c_str());
    }

    void ranksThatDoNotSayWhichTheyAreAreRefused() {
        TwoRuns runs;
        putUnnamedTraces(runs.a, playedTimeline("1f1b", {2, 1, 4}));
        std::string all;
        for (const char* name : {"rank0.json", "rank1.json"}) {
            std::string text = textOf(runs.a / name);
            text.replace(text.find("\"rank\":"), 7, "\"none\":");
            all += text;
        }
        fs::remove_all(runs.a);
        put(runs.root / "all.json", all);
        const QString refused = refusalOf(runs.root);
        QVERIFY2(refused.contains("all.json") && refused.contains("split it into one file per rank"),
                 qPrintable(refused));
    }

    // Durations are multiplied on the way to an operation: none may be so long that it leaves its type.
    void aRangeOfDecadesIsRefused_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("plain");
        for (const bool plain : {true, false})
            for (const char* name : {"Forward 7", "PP:0F7", "gloo:send", "gloo:recv", "Optimizer.step#SGD.step"})
                QTest::addRow("%s, %s", name, plain ? "named" : "without names") << QString(name) << plain;
    }
    void aRangeOfDecadesIsRefused() {
        QFETCH(const QString, name);
        QFETCH(const bool, plain);
        const int in_a_decade_us = 315'360'000;  // in millions
        UnnamedTraces how{.world_size = 2, .plain = plain};
        how.more = [&](int place, int step, int from_us, int, std::vector<std::string>& events) {
            if (place != 0 || step != 1) return;
            std::string event = kinetoX("user_annotation", name.toStdString(), from_us, 4 * in_a_decade_us);
            const std::string length = std::to_string(4 * in_a_decade_us);
            event.insert(event.find(length) + length.size(), "000000");
            events.push_back(event);
            events.push_back(kinetoX("user_annotation", "gloo:send", from_us + 1, 1));
        };
        QTemporaryDir folder;
        const fs::path files = folder.path().toStdString();
        putUnnamedTraces(files, playedTimeline("1f1b", {2, 1, 4}), how);
        const QString refused = refusalOf(files);
        QVERIFY2(refused.contains("rank0.json") && refused.contains("more than a year apart"),
                 qPrintable(refused));
    }

    void theLastOfTwoStepTracesIsShown() {
        QTemporaryDir folder;
        const fs::path file = folder.filePath("trace.json").toStdString();
        const auto played = [](const char* name, int m) {
            return StepIterations(2, {playedTimeline(name, {2, 1, m})});
        };
        put(file, megatronAppText(played("gpipe", 6)) + "\n" + megatronAppText(played("1f1b", 4)));
        const ImportedRun run = imported(file);
        QCOMPARE(recognised(run), std::string("1f1b"));
        QCOMPARE(run.schedule.params.m, 4);
        QVERIFY2(noted(run, "holds 2 traces"), notesOf(run).c_str());
    }

    void theLastOfTwoExportsIsShown() {
        QTemporaryDir folder;
        const fs::path file = folder.filePath("trace.json").toStdString();
        put(file, chromeText(playedTimeline("gpipe", {2, 1, 6})) + chromeText(playedTimeline("1f1b", {2, 1, 4})) +
                      "{}");
        const ImportedRun run = imported(file);
        QCOMPARE(recognised(run), std::string("1f1b"));
        QVERIFY2(noted(run, "holds 2 traces"), notesOf(run).c_str());
    }

    void theLastOfTwoTracesOfAscendIsShown() {
        TwoRuns runs;
        putAscendTraces(runs.a, playedTimeline("gpipe", {2, 1, 6}));
        putAscendTraces(runs.b, playedTimeline("1f1b", {2, 1, 4}));
        for (const char* worker : {"worker0_ascend_pt", "worker1_ascend_pt"}) {
            const fs::path file = fs::path(worker) / "ASCEND_PROFILER_OUTPUT" / "trace_view.json";
            put(runs.a / file, textOf(runs.a / file) + textOf(runs.b / file));
        }
        const ImportedRun run = imported(runs.a);
        QCOMPARE(recognised(run), std::string("1f1b"));
        QVERIFY2(noted(run, "holds 2 traces"), notesOf(run).c_str());
    }

    // Of two runs that no step separates the newer one is shown, and what differs is said.
    void theNewerOfTwoRunsWithoutStepsIsShown_data() {
        QTest::addColumn<QString>("first");
        QTest::addColumn<int>("first_m");
        QTest::addColumn<QString>("second");
        QTest::addColumn<int>("second_m");
        QTest::addColumn<QString>("says");
        QTest::newRow("fewer micro-batches") << "gpipe" << 6 << "1f1b" << 4
                                             << "up to iteration 2 a rank ran 6 forwards in an iteration, from "
                                                "iteration 3 on 4";
        QTest::newRow("more micro-batches") << "1f1b" << 4 << "1f1b" << 6
                                            << "up to iteration 2 a rank ran 4 forwards in an iteration, from "
                                               "iteration 3 on 6";
        QTest::newRow("another order") << "gpipe" << 4 << "1f1b" << 4
                                       << "up to iteration 2 operations ran in another order than from "
                                          "iteration 3 on";
    }
    void theNewerOfTwoRunsWithoutStepsIsShown() {
        QFETCH(const QString, first);
        QFETCH(const int, first_m);
        QFETCH(const QString, second);
        QFETCH(const int, second_m);
        QFETCH(const QString, says);
        for (const bool plain : {false, true}) {
            TwoRuns runs;
            UnnamedTraces how = withoutSteps();
            how.plain = plain;
            putUnnamedTraces(runs.a, playedTimeline(first.toStdString(), {2, 1, first_m}), how);
            putUnnamedTraces(runs.b, playedTimeline(second.toStdString(), {2, 1, second_m}), how);
            runs.put(joinedEvents);
            const ImportedRun run = imported(runs.root);
            QCOMPARE(recognised(run), second.toStdString());
            QCOMPARE(run.schedule.params.m, second_m);
            QCOMPARE(run.reports.size(), std::size_t{3});
            QVERIFY2(noted(run, says.toStdString()), notesOf(run).c_str());
        }
    }

    // Ranks of two recordings of the same training: each is whole, and their times say that they never met.
    void ranksOfTwoRecordingsAreRefused() {
        for (const bool plain : {false, true}) {
            TwoRuns runs;
            putUnnamedTraces(runs.a, playedTimeline("1f1b", {2, 1, 4}), {.world_size = 2, .plain = plain});
            put(runs.root / "rank0.json", textOf(runs.a / "rank0.json"));
            put(runs.root / "rank1.json", later(textOf(runs.a / "rank1.json"), 60'000'000));
            fs::remove_all(runs.a);
            const QString refused = refusalOf(runs.root);
            QVERIFY2(refused.contains("not of one run") && refused.contains("rank1.json begins 59."),
                     qPrintable(refused));
        }
    }

    // An odd iteration now and then makes no second run.
    void oneOddIterationIsNoRun() {
        QTemporaryDir folder;
        StepIterations iterations(5, {playedTimeline("1f1b", {2, 1, 4})});
        iterations[2] = {playedTimeline("gpipe", {2, 1, 4})};
        const fs::path file = folder.filePath("trace.json").toStdString();
        put(file, megatronAppText(iterations));
        QVERIFY(!noted(imported(file), "two runs"));
        iterations[4] = {playedTimeline("gpipe", {2, 1, 4})};  // both kinds go on to the end
        put(file, megatronAppText(iterations));
        QVERIFY(!noted(imported(file), "two runs"));
    }
};

BUBBLESCOPE_TEST(TestImportDocuments)

}  // namespace tst_import_documents

#include "tst_import_documents.moc"
