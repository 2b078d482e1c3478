// integrations/pytorch/bubblescope_probe.py without PyTorch: what it asks of it is stood in for
// (tests/pytorch/stand_ins.py). What it records is imported, and what it should not do is not in its files.
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <map>
#include <random>
#include <sstream>

#include "import_files.h"
#include "imported_runs.h"
#include "registered_test.h"

namespace tst_probe {

using namespace bscope;

namespace {

constexpr int kPatience_ms = 60'000;

// Notes of an import, a line each.
QString notesOf(const ImportedRun& run) {
    QStringList notes;
    for (const Sentence& note : run.origin.notes)
        notes << QString::fromStdString(say(note, Language::English));
    return notes.join('\n');
}

std::string textOf(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

// One line of the probe's file for an operation of stage 0.
std::string operation(int iteration, const char* op, int microbatch, int from, int to) {
    return "{\"i\":" + std::to_string(iteration) + ",\"op\":\"" + op +
           "\",\"s\":0,\"mb\":" + std::to_string(microbatch) + ",\"t0\":" + std::to_string(from) +
           ",\"t1\":" + std::to_string(to) + "}\n";
}
std::string endOf(int iteration) {
    return "{\"i\":" + std::to_string(iteration) + ",\"end\":true}\n";
}
const std::string kHeader = "{\"bubblescope_probe\":1,\"rank\":0,\"world_size\":1,\"host\":\"a\"}\n";

}  // namespace

class TestProbe : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    std::filesystem::path root_;
    QByteArray warnings_;

    void record(QStringList words) {
        QProcess training;
        words.insert(1, folder_.path());
        training.start(
            QStringLiteral("python3"),
            QStringList{QStringLiteral(BUBBLESCOPE_SOURCE_DIR "/tests/pytorch/record_alone.py")} + words);
        if (!training.waitForStarted()) QSKIP("no Python here");
        QVERIFY(training.waitForFinished(kPatience_ms));
        warnings_ = training.readAllStandardError();
        QVERIFY2(training.exitCode() == 0, warnings_.constData());
    }

private slots:
    void init() {
        folder_ = QTemporaryDir();
        root_ = folder_.path().toStdString();
    }

    // Its forwards are marked, its backwards, which do nothing, are none.
    void evaluationIsNoTraining() {
        record({"eval"});
        if (QTest::currentTestFailed()) return;
        const std::string text = textOf(root_ / "probe_rank_0.jsonl");
        QCOMPARE(QByteArray::fromStdString(text).count("\"op\":\"B\""), 2 * 4);
        QCOMPARE(QByteArray::fromStdString(text).count("\"op\":\"F\",\"eval\":true"), 2 * 8);
        const ImportedRun run = imported(root_);
        QCOMPARE(recognised(run), std::string("gpipe"));
        QCOMPARE(run.schedule.params.m, 4);
        QCOMPARE(run.reports.size(), std::size_t{2});
        for (const DurationSpread& each : run.durations) QCOMPARE(each.count, 2 * 4);
        QVERIFY2(notesOf(run).contains("2 iterations hold forwards without a backward"),
                 qPrintable(notesOf(run)));
    }

    // A folder that a job of four ranks and then one of two wrote into.
    void twoJobsInOneFolderAreNamed() {
        putProbeFiles(root_, playedTimeline("1f1b", {4, 1, 4}), true, 0, 4);
        putProbeFiles(root_, playedTimeline("1f1b", {2, 1, 4}), true, 0, 2);
        const QString refused = refusalOf(root_);
        QVERIFY2(refused.contains("of a job of 2 ranks and ") && refused.contains("of one of 4"),
                 qPrintable(refused));
    }

    void evaluationAloneRunsForwardOnly() {
        const std::string marked = "{\"i\":0,\"op\":\"F\",\"eval\":true,\"s\":0,\"mb\":";
        put(root_ / "probe_rank_0.jsonl",
            kHeader + marked + "0,\"t0\":1,\"t1\":5}\n" + marked + "1,\"t0\":6,\"t1\":9}\n" + endOf(0));
        QCOMPARE(recognised(imported(root_)), std::string("forward-only"));
    }

    // Files of the probe before it marked evaluations, of an iteration of its own.
    void anIterationWithoutABackwardIsNoTraining() {
        std::string text = kHeader;
        for (const int i : {0, 1}) {
            const int from = 100 * i;
            for (int mb = 0; mb < 3; ++mb)
                text += operation(2 * i, "F", mb, from + 2 * mb, from + 2 * mb + 1);
            text += endOf(2 * i);
            text += operation(2 * i + 1, "F", 0, from + 50, from + 60) +
                    operation(2 * i + 1, "B", 0, from + 60, from + 80) + endOf(2 * i + 1);
        }
        put(root_ / "probe_rank_0.jsonl", text);
        const ImportedRun run = imported(root_);
        QCOMPARE(run.schedule.params.m, 1);
        QCOMPARE(run.reports.size(), std::size_t{2});
        QCOMPARE(run.reports.front().iteration, 1);
        QVERIFY2(notesOf(run).contains("2 iterations hold forwards"), qPrintable(notesOf(run)));
    }

    void attachedTwiceIsCountedOnce() {
        record({"twice"});
        if (QTest::currentTestFailed()) return;
        QVERIFY2(warnings_.contains("it is counted once"), warnings_.constData());
        const ImportedRun run = imported(root_);
        QCOMPARE(recognised(run), std::string("gpipe"));
        QCOMPARE(notesOf(run), QString());
        for (const DurationSpread& each : run.durations) QCOMPARE(each.count, 2 * 4);
    }

    // As the probe wrote them before: the inner range first.
    void operationsWithinThemselvesAreCountedOnce() {
        std::string text = kHeader;
        for (const int i : {0, 2}) {
            const int from = 100 * i;
            for (const auto& [op, at] : {std::pair{"F", 10}, std::pair{"B", 40}})
                text += operation(i, op, 0, from + at + 1, from + at + 9) +
                        operation(i, op, 0, from + at, from + at + 10);
            text += endOf(i) + endOf(i + 1);
        }
        put(root_ / "probe_rank_0.jsonl", text);
        const ImportedRun run = imported(root_);
        QCOMPARE(run.reports.size(), std::size_t{2});
        QCOMPARE(run.durations.front().count, 2);
        QCOMPARE(run.durations.front().median_ns, 8.0);
        QVERIFY2(notesOf(run).contains("attach() called twice"), qPrintable(notesOf(run)));
    }

    void pipelinesOfMegatronAreReplicas_data() {
        QTest::addColumn<QString>("d");
        QTest::addColumn<QString>("tp");
        QTest::newRow("two replicas") << "2"
                                      << "1";
        QTest::newRow("two tensor-parallel ranks") << "1"
                                                   << "2";
        QTest::newRow("both") << "2"
                              << "2";
    }
    void pipelinesOfMegatronAreReplicas() {
        QFETCH(QString, d);
        QFETCH(QString, tp);
        record({"megatron", d, tp});
        if (QTest::currentTestFailed()) return;
        const int side_by_side = d.toInt() * tp.toInt();
        QVERIFY2(refusalOf(root_).contains(QStringLiteral("%1 replicas of the pipeline").arg(side_by_side)),
                 qPrintable(refusalOf(root_)));
        for (int replica = 0; replica < side_by_side; ++replica) {
            const ImportedRun run = imported(root_, {{}, replica});
            QCOMPARE(recognised(run), std::string("gpipe"));
            QCOMPARE(run.schedule.params.p, 2);
            QCOMPARE(run.schedule.params.m, 4);
            QCOMPARE(run.reports.size(), std::size_t{2});  // without the evaluation in each
            QVERIFY(run.origin.aligned);
        }
        QVERIFY(!refusalOf(root_, {{}, side_by_side}).isEmpty());
        // Ranks of one pipeline of which a file is missing are no smaller one.
        std::filesystem::remove(root_ / "probe_rank_0.jsonl");
        QVERIFY2(refusalOf(root_, {{}, 0}).contains("the files of these are missing: 0"),
                 qPrintable(refusalOf(root_, {{}, 0})));
    }

    // Two pipelines of two ranks without their groups, on one clock: no pipeline of four.
    void ranksInTheirOrderMustBeOnePipeline() {
        const Timeline timeline = playedTimeline("1f1b", {2, 1, 4});
        for (const int replica : {0, 1}) {
            QTemporaryDir one;
            const std::filesystem::path of = one.path().toStdString();
            putProbeFiles(of, timeline, false);
            for (const int stage : {0, 1}) {
                const std::string number = std::to_string(2 * stage + replica);
                std::string text = textOf(of / ("probe_rank_" + std::to_string(stage) + ".jsonl"));
                text.replace(text.find("\"rank\":") + 7, 1, number);
                put(root_ / ("probe_rank_" + number + ".jsonl"), text);
            }
        }
        QVERIFY2(refusalOf(root_).contains("as one pipeline of 4 ranks they contradict their clocks"),
                 qPrintable(refusalOf(root_)));
        std::filesystem::remove(root_ / "probe_rank_1.jsonl");
        std::filesystem::remove(root_ / "probe_rank_3.jsonl");
        QCOMPARE(recognised(imported(root_)), std::string("1f1b"));
    }

    void someIterationsAreRecorded() {
        record({"long", "3", "1000000"});
        if (QTest::currentTestFailed()) return;
        const std::vector paths{root_};
        const ImportedRun run = importRun(readTracedRun(paths), 0);  // whatever it takes to start up
        std::vector<int> numbers;
        for (const IterationReport& report : run.reports) numbers.push_back(report.iteration);
        QCOMPARE(numbers, (std::vector{0, 3, 6, 9, 12, 15, 18}));
        QVERIFY2(notesOf(run).contains("one of 3 iterations"), qPrintable(notesOf(run)));
    }

    void aFileHasAnEnd() {
        record({"long", "1", "6000"});
        if (QTest::currentTestFailed()) return;
        QVERIFY2(warnings_.contains("has reached its 6000 bytes"), warnings_.constData());
        for (const char* rank : {"0", "1"}) {
            const std::string text = textOf(root_ / (std::string("probe_rank_") + rank + ".jsonl"));
            QVERIFY(text.size() > 5000 && text.size() <= 6000);
            QVERIFY(text.ends_with("{\"full\":true}\n"));
        }
        const ImportedRun run = imported(root_);
        QVERIFY(run.reports.size() > 3 && run.reports.size() < 20);
        QVERIFY2(notesOf(run).contains("byte limit of the probe"), qPrintable(notesOf(run)));
    }

    // A file that grows is read on behind the last whole iteration, and its times go on.
    void onlyWhatCameSinceIsRead() {
        const auto iteration = [](int i) {
            return operation(i, "F", 0, 100 * i + 10, 100 * i + 20) +
                   operation(i, "B", 0, 100 * i + 20, 100 * i + 40) + endOf(i);
        };
        const std::filesystem::path file = root_ / "probe_rank_0.jsonl";
        const std::vector paths{root_};
        const std::string begun = operation(2, "F", 0, 210, 220);
        put(file, kHeader + iteration(0) + iteration(1) + begun);
        const ImportedRun first = importRun(readTracedRun(paths));
        QCOMPARE(first.reports.size(), std::size_t{2});
        QVERIFY(!first.goes_on);

        // A byte of what was read before is another one: it is not looked at.
        std::string spoilt = kHeader + iteration(0) + iteration(1);
        spoilt[kHeader.size()] = 'x';
        put(file, spoilt + iteration(2) + iteration(3));
        const ReadOptions on{{}, {}, &first.growing};
        const ImportedRun second = importRun(readTracedRun(paths, on));
        QVERIFY(second.goes_on);
        QCOMPARE(second.reports.size(), std::size_t{2});
        QCOMPARE(second.reports.front().iteration, 2);
        QCOMPARE(second.timeline.begin_ns() - first.timeline.begin_ns(), std::int64_t{200});
        put(file, spoilt + iteration(2) + iteration(3) + "no JSON\n");
        const ReadOptions further{{}, {}, &second.growing};
        const auto line = QStringLiteral("line %1:").arg(2 + 4 * 3);
        QVERIFY2(refusalOf(root_, further).contains(line), qPrintable(refusalOf(root_, further)));
        put(file, spoilt + iteration(2) + iteration(3));
        QVERIFY_THROWS_EXCEPTION(UnfinishedRun, importRun(readTracedRun(paths, further)));

        // Another file by that name is read from its beginning.
        put(file, kHeader + operation(0, "F", 0, 1, 2) + iteration(5) + iteration(6) + iteration(7));
        const ImportedRun anew = importRun(readTracedRun(paths, further));
        QVERIFY(!anew.goes_on);
        QCOMPARE(anew.reports.size(), std::size_t{3});
    }

    // Whatever is changed in what the probe wrote: its iteration is left out, and named.
    void linesThatWereAlteredOrLostAreNoticed() {
        record({"long", "1", "1000000"});
        if (QTest::currentTestFailed()) return;
        const std::vector paths{root_};
        const auto files = {root_ / "probe_rank_0.jsonl", root_ / "probe_rank_1.jsonl"};
        const ImportedRun whole = importRun(readTracedRun(paths), 0);
        QCOMPARE(whole.reports.size(), std::size_t{20});
        QVERIFY(!notesOf(whole).contains("checksums"));
        const std::string first = textOf(*files.begin());
        const std::size_t from = first.find("{\"i\":7,"), end = first.find("{\"i\":7,\"end\"");
        const auto without7 = [&](const std::string& changed) {
            put(*files.begin(), changed);
            const ImportedRun run = importRun(readTracedRun(paths), 0);
            QVERIFY2(notesOf(run).contains("iteration 7 is left out: lines of it in"),
                     qPrintable(notesOf(run)));
            QCOMPARE(run.reports.size(), std::size_t{19});
            QVERIFY(std::ranges::none_of(run.reports, [](const auto& each) { return each.iteration == 7; }));
        };
        std::string changed = first;
        char& digit = changed[changed.find('}', changed.find("\"t1\":", from)) - 1];  // of the ns
        digit = digit == '3' ? '4' : '3';
        without7(changed);
        without7(std::string(first).erase(from, first.find('\n', from) + 1 - from));
        without7(std::string(first).insert(from, first.substr(from, first.find('\n', from) + 1 - from)));
        changed = first;
        changed[changed.find('}', end) - 1] ^= 1;
        without7(changed);
        put(*files.begin(), first);
        // The last micro-batch of every iteration, on every rank alike.
        for (const auto& file : files) {
            std::string kept;
            std::istringstream lines(textOf(file));
            for (std::string line; std::getline(lines, line);)
                if (line.find("\"mb\":3,") == std::string::npos) kept += line + '\n';
            put(file, kept);
        }
        QVERIFY2(refusalOf(root_).contains("no iteration is as the probe wrote it"),
                 qPrintable(refusalOf(root_)));
    }

    // Every bit of a file: its own times are shown, or it is said that something is wrong.
    void noBitOfAFileGivesOtherNumbersInSilence() {
        record({"long", "1", "1000000"});
        if (QTest::currentTestFailed()) return;
        const std::vector paths{root_};
        const auto file = root_ / "probe_rank_0.jsonl";
        const std::string text = textOf(file);
        const auto numbers = [](const ImportedRun& run) {
            std::map<int, double> of;
            for (const IterationReport& report : run.reports) of[report.iteration] = report.bubble_of_total;
            return of;
        };
        const auto right = numbers(importRun(readTracedRun(paths), 0));
        std::mt19937 random(20261128);
        for (int i = 0; i < 120; ++i) {
            std::string changed = text;
            changed[random() % changed.size()] ^= static_cast<char>(1u << random() % 8);
            put(file, changed);
            try {
                const ImportedRun run = importRun(readTracedRun(paths), 0);
                const auto shown = numbers(run);
                for (const auto& [iteration, bubble] : shown)
                    QVERIFY2(right.contains(iteration) && right.at(iteration) == bubble,
                             qPrintable(notesOf(run)));
                QVERIFY2(shown.size() == right.size() || notesOf(run).contains("left out"),
                         qPrintable(notesOf(run)));
            } catch (const std::runtime_error&) {
                continue;  // refused, which says it
            }
        }
    }

    // Of an older probe nothing of the kind can be known.
    void filesWithoutChecksumsSayThatTheyHaveNone() {
        put(root_ / "probe_rank_0.jsonl",
            kHeader + operation(0, "F", 0, 1, 2) + operation(0, "B", 0, 2, 4) + endOf(0));
        QVERIFY2(notesOf(imported(root_)).contains("the files have no checksums"),
                 qPrintable(notesOf(imported(root_))));
    }

    // Files of the present probe are read on as those of older ones.
    void onlyWhatCameSinceIsReadWithChecksumsToo() {
        record({"long", "1", "1000000"});
        if (QTest::currentTestFailed()) return;
        const std::vector paths{root_};
        std::vector<std::pair<std::filesystem::path, std::string>> whole;
        for (const char* name : {"probe_rank_0.jsonl", "probe_rank_1.jsonl"}) {
            whole.emplace_back(root_ / name, textOf(root_ / name));
            put(root_ / name, whole.back().second.substr(0, whole.back().second.find("{\"i\":9,")));
        }
        const ImportedRun first = importRun(readTracedRun(paths), 0);
        QCOMPARE(first.reports.size(), std::size_t{9});
        for (const auto& [file, text] : whole) put(file, text);
        const ReadOptions on{{}, {}, &first.growing};
        const ImportedRun second = importRun(readTracedRun(paths, on), 12);
        QVERIFY(second.goes_on);
        QCOMPARE(second.reports.size(), std::size_t{11});
        QVERIFY2(!notesOf(second).contains("left out"), qPrintable(notesOf(second)));
    }

    // What is still being written is no iteration.
    void anIterationCountsWhenItHasEnded() {
        const std::string whole =
                              kHeader + operation(0, "F", 0, 1, 2) + operation(0, "B", 0, 2, 4) + endOf(0),
                          begun = operation(1, "F", 0, 5, 6) + operation(1, "B", 0, 6, 8);
        put(root_ / "probe_rank_0.jsonl", whole + begun);
        QCOMPARE(imported(root_).reports.size(), std::size_t{1});
        put(root_ / "probe_rank_0.jsonl", whole + begun + "{\"closed\":true}\n");
        QCOMPARE(imported(root_).reports.size(), std::size_t{2});
    }
};

BUBBLESCOPE_TEST(TestProbe)

}  // namespace tst_probe

#include "tst_probe.moc"
