// Names that do not hold all of the work, or hold it on some ranks alone: what follows is stated or refused,
// and never counted as if the names were whole.
#include <QTemporaryDir>
#include <QTest>
#include <cmath>

#include "import_files.h"
#include "imported_runs.h"
#include "registered_test.h"

namespace tst_import_names {

using namespace bscope;

namespace {

namespace fs = std::filesystem;
using Events = std::vector<std::string>;

constexpr int kOp_us = 10'000, kBefore_us = 1000;

struct Names {
    int lost = -1;             // micro-batch without names, on every rank
    int half_rank = -1;        // its ranges hold half of each operation
    int unnamed_rank = -1;     // names nothing
    int fewer_calls_rank = -1;  // the second call of each of its operations was not kept
    bool late_rank = false;     // the first call of each operation of rank 1 comes late
    bool no_calls = false;      // none was, but those of messages
    bool all_stage_0 = false;  // every rank calls its stage 0
    bool messages = true, plain = false, kernels = false;
    int beside_us = 0;  // work where rank 0 waits for its first backward
};

// Calls of an operation, or kernels: two of half its time; a range around them.
void addOperation(Events& events, const Event& event, int ranks, const Names& how, int& correlation) {
    const auto us = [](std::int64_t ns) { return kBefore_us + static_cast<int>(ns / 100'000); };
    const int start = us(event.start_ns), end = us(event.end_ns), middle = (start + end) / 2;
    const bool forward = event.op == Op::Forward;
    const char* const call = forward ? "aten::linear" : "autograd::engine::evaluate_function: AddmmBackward0";
    const int work_end = end - 400;
    for (const auto& [from, to] : {std::pair(start, middle), std::pair(middle, work_end)}) {
        if (how.no_calls || (event.rank == how.fewer_calls_rank && from == middle)) continue;
        if (how.late_rank && event.rank == 1 && from == start) continue;
        if (how.kernels) {
            events.push_back(
                kinetoX("cuda_runtime", "cudaLaunchKernel", from, 2, forward ? 1 : 2, ++correlation));
            events.push_back(kinetoX("kernel", "gemm", from + 4, to - from - 4, 7, correlation));
        } else {
            events.push_back(kinetoX("cpu_op", call, from, to - from - 2));
        }
    }
    const bool sends = event.rank != (forward ? ranks - 1 : 0);
    if (how.messages && sends) {
        events.push_back(kinetoX("cpu_op", "c10d::send", work_end + 100, 50));
        events.push_back(kinetoX("user_annotation", "gloo:send", work_end + 120, 40));
    }
    if (how.messages && event.rank != (forward ? 0 : ranks - 1))
        events.push_back(kinetoX("user_annotation", "gloo:recv", start - 300, 300));
    if (how.beside_us > 0 && forward && event.rank == 0 && event.microbatch == ranks - 1)
        events.push_back(kinetoX("cpu_op", "aten::cumsum", work_end + 200, how.beside_us));
    if (event.microbatch == how.lost || event.rank == how.unnamed_rank) return;
    const std::string number = std::to_string(event.microbatch);
    const std::string stage = std::to_string(how.all_stage_0 ? 0 : event.stage);
    const std::string name = how.plain ? (forward ? "Forward " : "Backward ") + number
                                       : "PP:" + stage + std::string(opText(event.op)) + number;
    const int begin = start - (how.plain ? 310 : 4), past = event.rank == how.half_rank ? middle : work_end;
    events.push_back(kinetoX("user_annotation", name, begin, past - begin - 2));
}

class Files {
public:
    explicit Files(const Timeline& timeline, const Names& how) {
        for (int rank = 0; rank < timeline.ranks(); ++rank) {
            Events events;
            int correlation = 0;
            for (const Event& event : timeline.compute(rank))
                if (isCompute(event.op)) addOperation(events, event, timeline.ranks(), how, correlation);
            std::string text = kinetoFile(events, R"({"rank":)" + std::to_string(rank) + "}");
            text.insert(1, R"("host_name":"a",)");
            put(root() / ("rank" + std::to_string(rank) + ".json"), text);
        }
    }
    fs::path root() const { return folder_.path().toStdString(); }

private:
    QTemporaryDir folder_;
};

QString noteWith(const ImportedRun& run, const QString& words) {
    for (const Sentence& note : run.origin.notes)
        if (const QString text = QString::fromStdString(say(note, Language::English)); text.contains(words))
            return text;
    return {};
}

// The number before a word.
double numberBefore(const QString& text, const QString& word) {
    return text.left(text.indexOf(word)).trimmed().section(u' ', -1).toDouble();
}

}  // namespace

class TestImportNames : public QObject {
    Q_OBJECT

private slots:
    void wholeNamesSayNothing() {
        for (const bool kernels : {false, true})
            for (const char* schedule : {"1f1b", "gpipe"}) {
                const Files files(playedTimeline(schedule, {3, 1, 5}), {.kernels = kernels});
                const ImportedRun run = imported(files.root());
                QCOMPARE(run.schedule.params.m, 5);
                QCOMPARE(noteWith(run, "no name covers"), QString());
            }
    }

    // The last one: of another the numbers show that it is missing.
    void aMicrobatchWithoutNamesIsRefused_data() {
        QTest::addColumn<bool>("kernels");
        QTest::addColumn<bool>("plain");
        QTest::addColumn<QString>("schedule");
        for (const char* schedule : {"1f1b", "gpipe"}) {
            QTest::addRow("host %s", schedule) << false << false << QString(schedule);
            QTest::addRow("kernels %s", schedule) << true << false << QString(schedule);
        }
        QTest::addRow("plain") << false << true << QString("gpipe");
    }
    void aMicrobatchWithoutNamesIsRefused() {
        QFETCH(bool, kernels);
        QFETCH(bool, plain);
        QFETCH(QString, schedule);
        for (int lost = 0; lost < 5; ++lost) {
            const Files files(playedTimeline(schedule.toStdString(), {3, 1, 5}),
                              {.lost = lost, .plain = plain, .kernels = kernels});
            const QString refusal = refusalOf(files.root());
            QVERIFY2(!refusal.isEmpty(), qPrintable(QString::number(lost)));
            if (lost == 4)
                QVERIFY2(refusal.contains("names of micro-batches are missing"), qPrintable(refusal));
        }
    }

    // By as much as the bubble is too high.
    void rangesOfAPartSayHowMuchTheyCover() {
        const Timeline timeline = playedTimeline("1f1b", {3, 1, 5});
        const double truth = 100 * imported(Files(timeline, {}).root()).reports.front().bubble_of_total;
        for (const bool kernels : {false, true})
            for (int rank = 0; rank < 3; ++rank) {
                const ImportedRun run =
                    imported(Files(timeline, {.half_rank = rank, .kernels = kernels}).root());
                const QString note = noteWith(run, "no name covers");
                QVERIFY2(note.contains(QString("on rank %1,").arg(rank)), qPrintable(note));
                const double covered = numberBefore(note, "% of what"),
                             too_high = numberBefore(note, "percentage points");
                QVERIFY2(covered > 40 && covered < 60, qPrintable(note));
                const double bubble = 100 * run.reports.front().bubble_of_total;
                QVERIFY2(bubble > truth + 2 && std::abs(bubble - too_high - truth) < 4, qPrintable(note));
            }
        QVERIFY(refusalOf(Files(timeline, {.half_rank = 1}).root()).isEmpty());
    }

    void littleWorkBesideIsStatedAndNothingWhereItIsNone() {
        const Timeline timeline = playedTimeline("1f1b", {3, 1, 5});
        QCOMPARE(noteWith(imported(Files(timeline, {.beside_us = 900}).root()), "no name covers"), QString());
        const ImportedRun run = imported(Files(timeline, {.beside_us = 9000}).root());
        const QString note = noteWith(run, "no name covers");
        QVERIFY2(note.contains("on rank 0") && note.contains("% of what"), qPrintable(note));
    }

    // The end of an operation lies between its last call and what follows.
    void missingCallsSayHowFarOffTheBubbleMayBe() {
        const Timeline timeline = playedTimeline("1f1b", {3, 1, 5});
        const double truth = 100 * imported(Files(timeline, {}).root()).reports.front().bubble_of_total;
        const ImportedRun run = imported(Files(timeline, {.fewer_calls_rank = 1}).root());
        const QString note = noteWith(run, "where operations begin and end is not sure");
        const double off = 100 * run.reports.front().bubble_of_total - truth;
        QVERIFY2(off > 2 && off < numberBefore(note, "percentage points") + 0.1,
                 qPrintable(note + QString::number(off)));
        QCOMPARE(noteWith(imported(Files(timeline, {}).root()), "where operations begin"), QString());
    }

    // The message is there, and the host, without a core, comes to the operation later.
    void callsThatBeginLateSayHowFarOffTheBubbleMayBe() {
        for (const char* schedule : {"1f1b", "gpipe"}) {
            const Timeline timeline = playedTimeline(schedule, {3, 1, 5});
            const ImportedRun run = imported(Files(timeline, {.late_rank = true}).root());
            const QString note = noteWith(run, "where operations begin and end is not sure");
            double late_ns = 0;  // what may be none of rank 1's work
            for (const Event& event : run.timeline.compute(1))
                if (isCompute(event.op)) late_ns += static_cast<double>(event.duration_ns()) / 2;
            const double share = late_ns / (3 * run.reports.front().iteration_ms * 1e6);
            QVERIFY2(numberBefore(note, "percentage points") > 100 * share - 2, qPrintable(note));
        }
    }

    // Without any calls nothing says that a backward did no work.
    void backwardsOfFilesWithoutCallsAreNotIdle() {
        const ImportedRun run = imported(Files(playedTimeline("1f1b", {3, 1, 5}), {.no_calls = true}).root());
        QCOMPARE(recognised(run), std::string("1f1b"));
        QCOMPARE(noteWith(run, "forward only"), QString());
    }

    void ranksWithAndWithoutNamesAreNamed() {
        const QString refusal =
            refusalOf(Files(playedTimeline("1f1b", {3, 1, 5}), {.unnamed_rank = 1}).root());
        QVERIFY2(refusal.contains("ranks 0, 2 name their operations, those of ranks 1 do not"),
                 qPrintable(refusal));
    }

    // One stage on every rank is that of replicas, unless messages pass between them.
    void stagesOfOneNameAreNoReplicasWhereMessagesPass() {
        const Timeline timeline = playedTimeline("1f1b", {3, 1, 5});
        const QString refusal = refusalOf(Files(timeline, {.all_stage_0 = true}).root());
        QVERIFY2(refusal.contains("PP:1F0 on the next one"), qPrintable(refusal));
        const QString silent = refusalOf(Files(timeline, {.all_stage_0 = true, .messages = false}).root());
        QVERIFY2(silent.contains("--replica"), qPrintable(silent));
    }
};

BUBBLESCOPE_TEST(TestImportNames)

}  // namespace tst_import_names

#include "tst_import_names.moc"
