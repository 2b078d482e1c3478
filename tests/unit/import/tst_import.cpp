// Importing runs of other programs: real files, and every schedule of the catalog played and read back.
#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <random>

#include "catalog/catalog.h"
#include "export/chrome_trace.h"
#include "import_files.h"
#include "imported_runs.h"
#include "registered_test.h"
#include "timeline/analysis.h"
#include "timeline/predict.h"

namespace tst_import {

using namespace bscope;

namespace {

namespace fs = std::filesystem;

const IterationReport& reportOf(const ImportedRun& run, int iteration) {
    for (const IterationReport& report : run.reports)
        if (report.iteration == iteration) return report;
    throw std::out_of_range("no such iteration");
}

// No operation starts before what it waits for has ended.
int brokenEdges(const ImportedRun& run) {
    std::map<std::tuple<int, int, int, bool>, std::int64_t> ends;
    const auto produces = [](Op op) {
        return op == Op::Forward || op == Op::Backward || op == Op::BackwardInput;
    };
    for (int rank = 0; rank < run.timeline.ranks(); ++rank)
        for (const Event& event : run.timeline.compute(rank))
            if (produces(event.op))
                ends[{event.iteration, event.stage, event.microbatch, event.op == Op::Forward}] =
                    event.end_ns;
    int broken = 0;
    for (int rank = 0; rank < run.timeline.ranks(); ++rank)
        for (const Event& event : run.timeline.compute(rank)) {
            if (!produces(event.op)) continue;
            const bool forward = event.op == Op::Forward;
            const auto source =
                ends.find({event.iteration, event.stage + (forward ? -1 : 1), event.microbatch, forward});
            broken += source != ends.end() && source->second > event.start_ns;
        }
    return broken;
}

// What every rank runs, in order; which cells overlap is not in a trace of operations.
QStringList cells(const Schedule& schedule) {
    QStringList rows;
    for (const auto& order : schedule.orders) {
        QString& row = rows.emplace_back();
        for (const Action& action : order)
            row += QString::fromStdString(toText({action.stage, action.op, action.microbatch})) + ' ';
    }
    return rows;
}

// A schedule played with costs, as a trace of its ranks.
TracedRun played(const Schedule& schedule, const std::vector<std::int64_t>& clock_shift_ns = {}) {
    const Timeline timeline = predict(lower(schedule), unitCosts(schedule.stageCount(), 1, 1.2, 0.8, 0.1));
    TracedRun run;
    run.source = "played";

    for (int rank = 0; rank < timeline.ranks(); ++rank) {
        TracedRank& of = run.ranks.emplace_back();
        of.rank = rank;
        of.file = "played";
        const std::int64_t shift =
            clock_shift_ns.empty() ? 0 : clock_shift_ns[static_cast<std::size_t>(rank)];
        for (const Event& event : timeline.compute(rank)) {
            if (!isCompute(event.op)) continue;
            TracedOp& op = of.ops.emplace_back();
            op.op = event.op;
            op.stage = event.stage;
            op.microbatch = event.microbatch;
            op.start_ns = event.start_ns + shift;
            op.end_ns = event.end_ns + shift;
        }
    }
    return run;
}

void writeText(const fs::path& file, const std::string& text) {
    QFile out(QString::fromStdString(file.string()));
    QVERIFY(out.open(QIODevice::WriteOnly));
    out.write(text.data(), static_cast<qint64>(text.size()));
}

std::string kinetoEvent(const std::string& name, double ts, double dur,
                        const std::string& category = "user_annotation", const std::string& args = "{}") {
    return R"({"ph":"X","cat":)" + quoted(category) + R"(,"name":)" + quoted(name) +
           R"(,"pid":1,"tid":1,"ts":)" + std::to_string(ts) + R"(,"dur":)" + std::to_string(dur) +
           R"(,"args":)" + args + "}";
}

std::string kinetoTrace(int rank, const std::vector<std::string>& events) {
    std::string text =
        R"({"schemaVersion":1,"distributedInfo":{"rank":)" + std::to_string(rank) + R"(},"traceEvents":[)";
    for (std::size_t at = 0; at < events.size(); ++at) text += (at > 0 ? ",\n" : "") + events[at];
    return text + "]}";
}

}  // namespace

class TestImport : public QObject {
    Q_OBJECT

private slots:
    // The numbers were computed from the files by hand: README of tests/data/real-runs.
    void primus() {
        const ImportedRun run = imported(kRuns / "primus-pp8");
        QCOMPARE(run.schedule.params.p, 8);
        QCOMPARE(run.schedule.params.v, 1);
        QCOMPARE(run.schedule.params.m, 16);
        QCOMPARE(run.reports.size(), std::size_t{19});
        QCOMPARE(run.start_up.value_or(-1), 1);  // 7.6 s; the others 3.2 s
        QCOMPARE(QString::fromStdString(run.recognition.schedule.value_or("")), QString("1f1b"));
        QVERIFY(run.origin.numbers_inferred);
        QVERIFY(run.origin.aligned);
        QVERIFY(run.origin.max_shift_ns > 0 && run.origin.max_shift_ns < 2'000'000);
        QCOMPARE(brokenEdges(run), 0);
        QCOMPARE(run.timeline.provenance(), Provenance::Imported);

        const IterationReport& seventh = reportOf(run, 7);
        const std::vector<double> busy_ms = {2059, 2039, 2060, 2085, 2084, 2105, 2027, 2266};
        for (std::size_t rank = 0; rank < 8; ++rank)
            QVERIFY(std::abs(seventh.ranks[rank].busy_ms - busy_ms[rank]) < 0.51);
        QVERIFY(std::abs(seventh.iteration_ms - 3237.3) < 1.0);
        QVERIFY(std::abs(seventh.bubble_of_total - 0.354) < 0.001);
        QVERIFY(std::abs(*seventh.theory_bubble_of_total - 7.0 / 23) < 1e-12);
        // What Primus prints for rank 0.
        QCOMPARE(std::lround(seventh.ranks[0].bubble_of_source * 1e4), 3641L);
        QVERIFY(!run.origin.knows_transfers);
        for (const RankReport& rank : seventh.ranks) QVERIFY(std::isnan(rank.transfer_ms));
        QVERIFY(std::isnan(seventh.loss) && std::isnan(seventh.tokens_per_s));
    }

    void kinetoOfTorch() {
        const ImportedRun run = imported(kRuns / "kineto-interleaved-p2-v2-m4");
        QCOMPARE(run.schedule.params.p, 2);
        QCOMPARE(run.schedule.params.v, 2);
        QCOMPARE(run.schedule.params.m, 4);
        QCOMPARE(run.reports.size(), std::size_t{3});
        QCOMPARE(run.reports.front().iteration, 2);
        QCOMPARE(QString::fromStdString(run.recognition.schedule.value_or("")), QString("interleaved"));
        QVERIFY(!run.origin.numbers_inferred);
        QVERIFY(run.origin.aligned);
        QVERIFY(run.origin.knows_transfers);
        QCOMPARE(brokenEdges(run), 0);
        for (const IterationReport& report : run.reports) {
            QVERIFY(report.bubble_of_total > 0 && report.bubble_of_total < 1);
            for (const RankReport& rank : report.ranks)
                QVERIFY(rank.wait_ms + rank.transfer_ms + rank.busy_ms <= report.iteration_ms * 1.000001);
        }
    }

    // An operation's time begins when the message it waits for is there, not when the host begins to wait.
    void aReceiveInsideAHostRangeIsNotCompute() {
        QTemporaryDir folder;
        const fs::path root = folder.path().toStdString();
        writeText(root / "rank0.json",
                  kinetoTrace(0, {kinetoEvent("PP:0F0", 0, 10), kinetoEvent("PP:0SEND_F0", 10, 1),
                                  kinetoEvent("PP:0RECV_B0", 12, 1), kinetoEvent("gloo:recv", 12.5, 30),
                                  kinetoEvent("PP:0B0", 13.5, 39.5)}));
        writeText(root / "rank1.json",
                  kinetoTrace(1, {kinetoEvent("PP:1RECV_F0", 0, 1), kinetoEvent("gloo:recv", 0.5, 11.5),
                                  kinetoEvent("PP:1F0", 2, 20), kinetoEvent("PP:1B0", 22, 18),
                                  kinetoEvent("PP:1SEND_B0", 40, 1)}));
        const ImportedRun run = imported(root);
        QCOMPARE(run.timeline.compute(1)[0].duration_ns(), 10'000);  // 12 to 22 us
        QCOMPARE(run.timeline.compute(0)[1].duration_ns(), 10'500);  // 42.5 to 53 us
        const Event receive = run.timeline.receives(1)[0];
        QCOMPARE(receive.transfer_ns, 10'000);  // sent at 10 us
        QCOMPARE(receive.end_ns, 12'000);
    }

    // Two halves are one cell as long as nothing was read between them; what else has the name of a cell is
    // no operation.
    void onlyAForwardAndItsBackwardAreACell() {
        QTemporaryDir folder;
        const fs::path root = folder.path().toStdString();
        const auto overlappedOf = [&](const std::vector<std::string>& events) {
            writeText(root / "rank0.json", kinetoTrace(0, events));
            const ImportedRun run = imported(root);
            std::string overlapped;
            for (const Action& action : run.schedule.orders.front())
                overlapped += action.overlaps_next ? toText(action) + " " : "";
            return overlapped;
        };
        const std::string before = kinetoEvent("PP:0F0", 0, 10), after = kinetoEvent("PP:0B1", 30, 10);
        const std::string cell = kinetoEvent("PP:(0F1;0B0)OVERLAP_F_B", 10, 10);
        QCOMPARE(overlappedOf({before, cell, after}), std::string("0F1 "));
        // What runs within a cell is no number, and no cell.
        writeText(root / "rank0.json", kinetoTrace(0, {before, cell, kinetoEvent("PP:0F2", 12, 3), after,
                                                       kinetoEvent("PP:0B2", 40, 5)}));
        QVERIFY2(refusalOf(root).contains("on rank 0 0F2 runs while 0F1 does"), qPrintable(refusalOf(root)));
        for (const char* other :
             {"0B0;0SEND_B0", "0B0;0RECV_B0", "0B0;0BW0", "0B0;0F0", "0F0;0F0", "0B0;0W0"})
            QCOMPARE(overlappedOf({before, kinetoEvent("PP:0B0", 10, 10),
                                   kinetoEvent("PP:(" + std::string(other) + ")OVERLAP_F_B", 25, 5)}),
                     std::string());
    }

    // A backward's kernels are launched from a thread of autograd; the host range has another length.
    void kernelsAreTheTimeOnGpus() {
        QTemporaryDir folder;
        const fs::path root = folder.path().toStdString();
        const auto launch = [](double ts, int id) {
            return kinetoEvent("cudaLaunchKernel", ts, 1, "cuda_runtime",
                               R"({"correlation":)" + std::to_string(id) + "}");
        };
        const auto kernel = [](const std::string& name, double ts, double dur, int id) {
            return kinetoEvent(name, ts, dur, "kernel",
                               R"({"correlation":)" + std::to_string(id) + R"(,"stream":7})");
        };
        writeText(root / "rank0.json",
                  kinetoTrace(0, {kinetoEvent("PP:0F0", 0, 5), launch(1, 1), launch(2, 2),
                                  kernel("gemm", 20, 10, 1), kernel("gelu", 30, 4, 2),
                                  kinetoEvent("PP:0B0", 6, 5), launch(7, 3), kernel("gemm", 40, 25, 3)}));
        const ImportedRun run = imported(root / "rank0.json");
        QCOMPARE(run.timeline.compute(0)[0].duration_ns(), 14'000);
        QCOMPARE(run.timeline.compute(0)[1].duration_ns(), 25'000);
    }

    // Every schedule with one chain, played and read back, is known by its name or by that of an equal one.
    void everyScheduleIsRecognised_data() {
        QTest::addColumn<QString>("name");
        for (const CatalogEntry& entry : catalog()) QTest::newRow(entry.name) << QString(entry.name);
    }
    void everyScheduleIsRecognised() {
        QFETCH(QString, name);
        const CatalogEntry* entry = findSchedule(name.toStdString());
        int tried = 0;
        for (int p = 2; p <= 4; ++p)
            for (int m = p; m <= 4 * p; m += p) {
                const ScheduleParams params{p, defaultChunks(*entry), m};
                if (!scheduleProblems(entry->name, params).empty()) continue;
                const Schedule schedule = makeSchedule(entry->name, params);
                if (schedule.chains.size() != 1 || schedule.weights != WeightRule::Flush) continue;
                ++tried;
                const ImportedRun run = importRun(played(schedule));
                QVERIFY(run.recognition.schedule.has_value());
                ScheduleParams found = params;
                found.group_size = run.recognition.group_size;
                const Schedule same = makeSchedule(*run.recognition.schedule, found);
                QCOMPARE(same.placement, schedule.placement);
                QCOMPARE(cells(same), cells(schedule));
                QCOMPARE(brokenEdges(run), 0);
            }
        if (entry->replicas == 1 && !name.startsWith("pipedream")) QVERIFY(tried > 0);
    }

    void anUnknownOrderIsComparedWithTheNearest() {
        Schedule schedule = makeSchedule("1f1b", {4, 1, 8});
        // Rank 3 runs F1 before B0.
        std::swap(schedule.orders[3][1], schedule.orders[3][2]);
        const ImportedRun run = importRun(played(schedule));
        QVERIFY(!run.recognition.schedule);
        QCOMPARE(QString::fromStdString(run.recognition.nearest.value_or("")), QString("1f1b"));
        QCOMPARE(run.recognition.first_difference->rank, 3);
        QCOMPARE(run.recognition.first_difference->position, 1);
        QCOMPARE(run.recognition.first_difference->expected, std::string("3B0"));
        QCOMPARE(run.recognition.first_difference->found, std::string("3F1"));
    }

    // Clocks of their own come together again: every operation lies where it lay, but for what nothing
    // bounds.
    void clocksAreAligned() {
        std::mt19937 random(7);
        for (const char* name : {"1f1b", "gpipe", "zb-h1", "interleaved"}) {
            const CatalogEntry* entry = findSchedule(name);
            const Schedule schedule = makeSchedule(name, {4, defaultChunks(*entry), 8});
            std::vector<std::int64_t> shift;
            for (int rank = 0; rank < 4; ++rank)
                shift.push_back(static_cast<std::int64_t>(random() % 4'000'000'000'000ull));
            const ImportedRun run = importRun(played(schedule, shift));
            QVERIFY(run.origin.aligned);
            QVERIFY(run.origin.max_shift_ns > 0);
            QCOMPARE(brokenEdges(run), 0);
        }
    }

    // Sums of times stay numbers, whatever a file says.
    void timesOfAnotherCenturyAreRefused() {
        constexpr std::int64_t century_ns = 3'155'760'000'000'000'000, year_ns = century_ns / 100;
        const auto refusal = [](int rank, std::int64_t start_ns, std::int64_t end_ns, Clocks clocks) {
            TracedRun run = played(makeSchedule("1f1b", {2, 1, 2}));
            run.clocks = clocks;
            run.ranks[static_cast<std::size_t>(rank)].ops.back().start_ns += start_ns;
            run.ranks[static_cast<std::size_t>(rank)].ops.back().end_ns += end_ns;
            try {
                importRun(std::move(run));
            } catch (const ImportError& error) {
                return QString(error.what());
            }
            return QString();
        };
        for (const Clocks clocks : {Clocks::Shared, Clocks::PerRank, Clocks::PerIteration})
            for (const int rank : {0, 1}) {
                QVERIFY(refusal(rank, century_ns, century_ns, clocks).contains("more than a year apart"));
                QVERIFY(refusal(rank, 0, 2 * century_ns, clocks).contains("more than a year apart"));
                QVERIFY(refusal(rank, 0, 2 * year_ns, clocks).contains("more than a year apart"));
                const QString near = refusal(rank, 0, year_ns / 2, clocks);
                QVERIFY2(rank == 0 ? near.isEmpty() : near.contains("0B1 needs 1B1"), qPrintable(near));
            }
        // Clocks that count from other beginnings are no such times.
        const ImportedRun apart = importRun(played(makeSchedule("1f1b", {2, 1, 2}), {0, century_ns / 2}));
        QVERIFY(apart.origin.aligned);
    }

    void anImpossibleOrderIsSaid() {
        Schedule schedule = makeSchedule("1f1b", {2, 1, 2});
        TracedRun run = played(schedule);
        // Rank 1's forward of micro-batch 1 lies before rank 0's whatever the clocks, because its micro-batch
        // 0 fits.
        for (TracedOp& op : run.ranks[1].ops)
            if (op.op == Op::Backward && op.microbatch == 0) {
                op.start_ns += 40'000'000'000;
                op.end_ns += 40'000'000'000;
            }
        try {
            importRun(std::move(run));
            QFAIL("numbers of what contradicts itself are wrong");
        } catch (const TimesContradict& error) {
            QVERIFY2(QString(error.what()).contains("0B0 needs 1B0"), error.what());
        }
    }

    // Operations that take no time are none, and no bubble is made of them.
    void workTakesTime() {
        for (const Op op : {Op::Forward, Op::Backward}) {
            TracedRun run = played(makeSchedule("1f1b", {2, 1, 4}));
            for (TracedOp& each : run.ranks[1].ops)
                if (each.op == op) each.end_ns = each.start_ns;
            QVERIFY_THROWS_EXCEPTION(ImportError, importRun(std::move(run)));
        }
        // One alone costs its iteration, and the run where that is all there is.
        for (const int iterations : {1, 3}) {
            const TracedRun one = played(makeSchedule("1f1b", {2, 1, 4}));
            TracedRun run = one;
            for (std::size_t rank = 0; rank < 2; ++rank)
                for (int iteration = 1; iteration < iterations; ++iteration)
                    for (TracedOp op : one.ranks[rank].ops) {
                        op.iteration = iteration;
                        op.start_ns += iteration * std::int64_t{400'000'000'000};
                        op.end_ns += iteration * std::int64_t{400'000'000'000};
                        run.ranks[rank].ops.push_back(op);
                    }
            TracedOp& lost = run.ranks[1].ops[2];
            QCOMPARE(lost.iteration, 0);
            lost.end_ns = lost.start_ns;
            if (iterations == 1) {
                QVERIFY_THROWS_EXCEPTION(ImportError, importRun(std::move(run)));
                continue;
            }
            const ImportedRun imported = importRun(std::move(run));
            QCOMPARE(imported.reports.size(), std::size_t{2});
            QVERIFY(std::ranges::any_of(imported.origin.notes, [](const Sentence& note) {
                return say(note, Language::English).find("takes no time") != std::string::npos;
            }));
        }
        // Nothing to do for some weights is possible.
        TracedRun run = played(makeSchedule("zb-h1", {2, 1, 4}));
        for (TracedOp& each : run.ranks[1].ops)
            if (each.op == Op::BackwardWeight) each.end_ns = each.start_ns;
        QVERIFY(importRun(std::move(run)).recognition.schedule);
    }

    // What is counted on stays a number: such names and numbers are of nothing that ran.
    void hugeNumbersAreNoOperations() {
        QTemporaryDir folder;
        const fs::path root = folder.path().toStdString();
        for (const char* name :
             {"PP:2147483647F0", "PP:0F2147483647", "PP:2147483647SEND_F0", "F0.2147483647.1",
              "Forward 2147483647", "PP:(2147483647F0;0B0)OVERLAP_F_B"}) {
            writeText(root / "rank0.json", kinetoTrace(0, {kinetoEvent(name, 0, 1)}));
            QVERIFY2(refusalOf(root).contains("holds no operation"), qPrintable(name + refusalOf(root)));
        }
        fs::remove(root / "rank0.json");
        QString own = QString::fromStdString(
            chromeText(predict(lower(makeSchedule("1f1b", {2, 1, 2})), unitCosts(2, 1, 1, 1, 0))));
        const QRegularExpression iteration("\"iteration\": ?0");
        QVERIFY(own.contains(iteration));
        writeText(root / "own.json",
                  own.replace(iteration, "\"iteration\":-9223372036854775808").toStdString());
        QVERIFY2(refusalOf(root).contains("an event has no \"iteration\""), qPrintable(refusalOf(root)));
    }

    // Clocks of two hosts that run apart are brought together anew for every iteration; what no clock runs
    // apart by is a contradiction. On one host a shift is none that a clock explains.
    void clocksRunApart() {
        const auto apart = [](double slower, Clocks clocks) {
            constexpr int iterations = 6;
            constexpr std::int64_t days_ns = 1'000'000'000'000'000;
            const TracedRun one = played(makeSchedule("1f1b", {2, 1, 4}));
            TracedRun run = one;
            run.clocks = clocks;
            const std::int64_t length_ns = 400'000'000'000;
            for (TracedRank& rank : run.ranks) rank.ops.clear();
            for (int iteration = 0; iteration < iterations; ++iteration)
                for (std::size_t rank = 0; rank < 2; ++rank)
                    for (TracedOp op : one.ranks[rank].ops) {
                        op.iteration = iteration;
                        for (std::int64_t* ns : {&op.start_ns, &op.end_ns}) {
                            *ns += iteration * length_ns;
                            if (rank == 1) *ns += std::llround(slower * static_cast<double>(*ns));
                            if (rank == 1 && clocks == Clocks::PerRank) *ns += days_ns;
                        }
                        run.ranks[rank].ops.push_back(op);
                    }
            return run;
        };
        const auto noted = [](const ImportedRun& run, const char* words) {
            return std::ranges::any_of(run.origin.notes, [words](const Sentence& note) {
                return say(note, Language::English).find(words) != std::string::npos;
            });
        };
        // By 0.4 s in half an hour, which is more than the messages leave open.
        const ImportedRun drifted = importRun(apart(2e-4, Clocks::PerRank));
        QVERIFY(drifted.origin.aligned);
        QCOMPARE(recognised(drifted), std::string("1f1b"));
        QVERIFY(noted(drifted, "ran apart during the recording"));
        const ImportedRun straight = importRun(apart(0, Clocks::PerRank));
        QVERIFY(!noted(straight, "ran apart during the recording"));
        for (std::size_t at = 0; at < straight.reports.size(); ++at)
            QVERIFY(std::abs(drifted.reports[at].bubble_of_total - straight.reports[at].bubble_of_total) <
                    0.002);
        for (const auto& [slower, clocks] : {std::pair(0.3, Clocks::PerRank), std::pair(0.3, Clocks::Shared)})
            QVERIFY_THROWS_EXCEPTION(TimesContradict, importRun(apart(slower, clocks)));
        TracedRun late = apart(0, Clocks::Shared);
        for (TracedOp& op : late.ranks[0].ops) op.start_ns += 3'000'000'000, op.end_ns += 3'000'000'000;
        QVERIFY_THROWS_EXCEPTION(TimesContradict, importRun(late));
        late.clocks = Clocks::PerRank;
        QVERIFY(importRun(late).origin.aligned);
    }

    void whatCannotBeImportedIsSaid() {
        QTemporaryDir folder;
        const fs::path root = folder.path().toStdString();
        QVERIFY(refusalOf(root / "absent").contains("does not exist"));
        QVERIFY(refusalOf(root).contains("nothing here can be imported"));
        writeText(root / "a.txt", "hello");
        QVERIFY(refusalOf(root / "a.txt").contains("no trace"));
        writeText(root / "rank0.json", kinetoTrace(0, {kinetoEvent("aten::mm", 0, 1, "cpu_op")}));
        QVERIFY(refusalOf(root / "rank0.json").contains("PP:2F0"));
        // Of two jobs; of one they would be two recordings, of which the newest counts.
        writeText(root / "rank0.json", R"({"distributedInfo":{"rank":0,"world_size":2},"traceEvents":[)" +
                                           kinetoEvent("PP:0F0", 0, 1) + "]}");
        writeText(root / "twin_rank0.json", kinetoTrace(0, {kinetoEvent("PP:0F0", 0, 1)}));
        QVERIFY(refusalOf(root).contains("both of rank 0"));

        const fs::path primus = root / "primus";
        fs::copy(kRuns / "primus-pp8", primus);
        fs::remove(primus / "pp_rank_3.json");
        QVERIFY(refusalOf(primus).contains("missing: 3"));
        writeText(primus / "pp_rank_3.json", R"({"7": {"fwd_start": [0], "fwd_end": []}})");
        QVERIFY(refusalOf(primus).contains("has 1 entries"));
        for (const char* number : {"-4294967296", "128", "-1", "0.5"}) {
            const QByteArray text =
                QByteArray(R"({"7": {"fwd_start": [0], "fwd_end": [1], "fwd_chunk": [)") + number + "]}}";
            writeText(primus / "pp_rank_3.json", text.toStdString());
            QVERIFY(refusalOf(primus).contains("\"fwd_chunk\" must hold whole numbers from 0 to 127"));
        }
        writeText(primus / "config.json", "{}");
        QVERIFY(refusalOf(primus).contains("nothing here") || refusalOf(primus).contains("config.json"));
    }
};

BUBBLESCOPE_TEST(TestImport)

}  // namespace tst_import

#include "tst_import.moc"
