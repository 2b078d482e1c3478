// What is an iteration and when an operation ran, in traces of PyTorch's profiler that a person records in
// the plainest ways: without steps, with names around everything, with validation and accumulation in a step.
#include <QTemporaryDir>
#include <QTest>

#include "import_files.h"
#include "imported_runs.h"
#include "registered_test.h"

namespace tst_import_passes {

using namespace bscope;

namespace {

namespace fs = std::filesystem;
using Events = std::vector<std::string>;

std::string range(const std::string& name, int ts, int dur) {
    return kinetoX("user_annotation", name, ts, dur);
}
std::string op(const std::string& name, int ts, int dur) {
    return kinetoX("cpu_op", name, ts, dur);
}
std::string backward(int ts, int dur) {
    return op("autograd::engine::evaluate_function: MmBackward0", ts, dur);
}

// A file a rank, all of one host.
class Trace {
public:
    explicit Trace(std::vector<Events> ranks) {
        for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
            std::string text = kinetoFile(ranks[rank], R"({"rank":)" + std::to_string(rank) + "}");
            text.insert(1, R"("host_name":"a",)");
            put(root() / ("rank" + std::to_string(rank) + ".json"), text);
        }
    }
    fs::path root() const { return folder_.path().toStdString(); }
    ImportedRun run() const { return imported(root()); }
    QString refusal() const { return refusalOf(root()); }

private:
    QTemporaryDir folder_;
};

void append(Events& to, const Events& more) {
    to.insert(to.end(), more.begin(), more.end());
}

bool notes(const ImportedRun& run, const std::string& words) {
    return std::ranges::any_of(run.origin.notes, [&words](const Sentence& note) {
        return say(note, Language::English).find(words) != std::string::npos;
    });
}

std::vector<int> iterations(const ImportedRun& run) {
    std::vector<int> numbers;
    for (const IterationReport& report : run.reports) numbers.push_back(report.iteration);
    return numbers;
}

// Start and end in us, of the first operation of its name in an iteration.
std::pair<double, double> when(const ImportedRun& run, int iteration, const Action& of) {
    for (int rank = 0; rank < run.timeline.ranks(); ++rank)
        for (const Event& event : run.timeline.compute(rank))
            if (event.iteration == iteration && event.op == of.op && event.stage == of.stage &&
                event.microbatch == of.microbatch)
                return {static_cast<double>(event.start_ns) / 1e3, static_cast<double>(event.end_ns) / 1e3};
    throw std::out_of_range("no such operation");
}
double length(const ImportedRun& run, int iteration, const Action& of) {
    const auto [start, end] = when(run, iteration, of);
    return end - start;
}

// GPipe of two ranks as ScheduleGPipe names it, m = 2, on gloo: from `at` on, 20'000 us long. trains: what is
// named Backward does something.
Events gpipe(int rank, int at, bool trains = true) {
    Events events;
    for (int mb = 0; mb < 2; ++mb) {
        const std::string number = std::to_string(mb);
        const int start = at + 2000 * mb;
        if (rank == 0) {
            append(events, {range("Forward " + number, start, 1100), range("gloo:send", start + 1000, 500)});
        } else {
            append(events, {range("Forward " + number, start, 2000), range("gloo:recv", start + 100, 900)});
        }
    }
    for (int mb = 0; mb < 2; ++mb) {
        const std::string number = std::to_string(mb);
        const int start = at + 6000 + 4000 * mb;
        if (!trains) {
            events.push_back(range("Backward " + number, start, 20));
        } else if (rank == 1) {
            append(events, {range("Backward " + number, start, 2100), range("gloo:send", start + 2000, 500)});
        } else {
            append(events, {range("Backward " + number, start, 4000), range("gloo:recv", start + 100, 1900)});
        }
    }
    return events;
}

std::string profilerStep(int number, int ts, int dur) {
    return range("ProfilerStep#" + std::to_string(number), ts, dur);
}

}  // namespace

class TestImportPasses : public QObject {
    Q_OBJECT

private slots:
    // An optimizer step is of the iteration before it, whether the profiler marks steps or not.
    void namedOperationsWithoutSteps() {
        std::vector<Events> ranks(2);
        for (int iteration = 0; iteration < 3; ++iteration) {
            const int at = 100'000 * iteration;
            append(ranks[0], {range("PP:0F0", at, 10'000), range("PP:0B0", at + 40'000, 10'000),
                              range("Optimizer.step#SGD.step", at + 60'000, 5000)});
            append(ranks[1], {range("PP:1F0", at + 12'000, 10'000), range("PP:1B0", at + 24'000, 10'000),
                              range("Optimizer.step#SGD.step", at + 50'000, 5000)});
        }
        const ImportedRun run = Trace(ranks).run();
        QCOMPARE(iterations(run), (std::vector<int>{0, 1, 2}));
        QCOMPARE(recognised(run), std::string("naive"));
        for (const IterationReport& report : run.reports) {
            QCOMPARE(std::lround(report.iteration_ms), 50L);
            QCOMPARE(std::lround(100 * report.bubble_of_total), 60L);
            QCOMPARE(std::lround(report.optimizer_ms), 5L);
        }
        for (const DurationSpread& each : run.durations)
            if (each.op != Op::OptimizerStep) QCOMPARE(each.least_ns, 1e7);
    }

    void plainRangesWithoutSteps() {
        std::vector<Events> ranks(2);
        for (int rank = 0; rank < 2; ++rank)
            for (int iteration = 0; iteration < 3; ++iteration) {
                append(ranks[static_cast<std::size_t>(rank)], gpipe(rank, 30'000 * iteration));
                ranks[static_cast<std::size_t>(rank)].push_back(
                    range("Optimizer.step#SGD.step", 30'000 * iteration + 20'000, 1000));
            }
        const ImportedRun run = Trace(ranks).run();
        QCOMPARE(iterations(run), (std::vector<int>{0, 1, 2}));
        QCOMPARE(recognised(run), std::string("gpipe"));
        for (const IterationReport& report : run.reports) QCOMPARE(std::lround(report.iteration_ms), 14L);
    }

    // Without names and steps the optimizer is what ends an iteration: m = 1 three times, not m = 3. Parts of
    // a model may have an optimizer each.
    void unnamedOperationsWithoutSteps() {
        std::vector<Events> ranks(2);
        for (int iteration = 0; iteration < 3; ++iteration) {
            const int at = 100'000 * iteration;
            append(ranks[0], {op("aten::linear", at, 10'000), op("c10d::send", at + 10'100, 100),
                              range("gloo:send", at + 10'200, 500), op("c10d::recv_", at + 10'400, 100),
                              range("gloo:recv", at + 10'500, 24'500), backward(at + 35'000, 10'000)});
            append(ranks[1], {op("c10d::recv_", at, 100), range("gloo:recv", at + 100, 11'000),
                              op("aten::linear", at + 11'200, 10'000), backward(at + 22'000, 10'000),
                              op("c10d::send", at + 32'100, 100), range("gloo:send", at + 32'200, 500)});
            for (Events& events : ranks)
                append(events, {range("Optimizer.step#SGD.step", at + 60'000, 5000),
                                op("aten::add_", at + 61'000, 1000),
                                range("Optimizer.step#SGD.step", at + 66'000, 5000)});
        }
        const ImportedRun run = Trace(ranks).run();
        QCOMPARE(run.schedule.params.m, 1);
        QCOMPARE(iterations(run), (std::vector<int>{0, 1, 2}));
        for (const IterationReport& report : run.reports) QCOMPARE(std::lround(report.iteration_ms), 45L);
    }

    // Gradient accumulation: a step of the profiler holds two passes.
    void passesOfAStepAreIterations() {
        std::vector<Events> ranks(2);
        for (int rank = 0; rank < 2; ++rank)
            for (int step = 0; step < 2; ++step) {
                Events& events = ranks[static_cast<std::size_t>(rank)];
                const int at = 100'000 * step;
                events.push_back(profilerStep(5 + step, at, 90'000));
                append(events, gpipe(rank, at + 1000));
                append(events, gpipe(rank, at + 31'000));
            }
        const ImportedRun run = Trace(ranks).run();
        QCOMPARE(iterations(run), (std::vector<int>{0, 1, 2, 3}));
        QVERIFY(notes(run, "more than one pass"));
        for (const IterationReport& report : run.reports) QCOMPARE(std::lround(report.iteration_ms), 14L);
    }

    // A validation runs forward only, although its calls are named Backward; wherever it is, it is no
    // iteration of the training.
    void aValidationIsNoIteration_data() {
        QTest::addColumn<bool>("own_step");
        QTest::addColumn<bool>("first");
        QTest::newRow("after the training, in its step") << false << false;
        QTest::newRow("before the training, in its step") << false << true;
        QTest::newRow("in a step of its own") << true << false;
    }
    void aValidationIsNoIteration() {
        QFETCH(bool, own_step);
        QFETCH(bool, first);
        std::vector<Events> ranks(2);
        for (int rank = 0; rank < 2; ++rank)
            for (int step = 0; step < 3; ++step) {
                Events& events = ranks[static_cast<std::size_t>(rank)];
                const int at = 100'000 * step;
                events.push_back(profilerStep(2 + 2 * step, at, own_step ? 30'000 : 90'000));
                if (own_step) events.push_back(profilerStep(3 + 2 * step, at + 30'001, 50'000));
                append(events, gpipe(rank, at + 1000, !first));
                append(events, gpipe(rank, at + 31'000, first));
            }
        const ImportedRun run = Trace(ranks).run();
        QCOMPARE(iterations(run), (std::vector<int>{2, 4, 6}));
        QCOMPARE(recognised(run), std::string("gpipe"));
        QVERIFY(notes(run, "3 passes without a backward"));
        for (const DurationSpread& each : run.durations) QVERIFY(each.least_ns >= 1e6);
    }

    void aRunOfValidationsIsForwardOnly_data() {
        QTest::addColumn<bool>("messages");
        QTest::newRow("no gradient passes between the ranks") << true;
        QTest::newRow("backwards take no time") << false;
    }
    void aRunOfValidationsIsForwardOnly() {
        QFETCH(bool, messages);
        std::vector<Events> ranks(2);
        for (int rank = 0; rank < 2; ++rank)
            for (int iteration = 0; iteration < 2; ++iteration)
                for (const std::string& event :
                     gpipe(rank, 30'000 * iteration + (messages ? 0 : 1200 * rank), false)) {
                    std::string named = event;
                    if (!messages) {
                        if (named.find("gloo") != std::string::npos) continue;
                        const auto at = named.find("ward ");
                        named.replace(named.rfind('"', at) + 1, at + 5 - named.rfind('"', at) - 1,
                                      "PP:" + std::to_string(rank) +
                                          (named.find("Forward") != std::string::npos ? "F" : "B"));
                    }
                    ranks[static_cast<std::size_t>(rank)].push_back(named);
                }
        const ImportedRun run = Trace(ranks).run();
        QCOMPARE(recognised(run), std::string("forward-only"));
        QVERIFY(notes(run, "the run is forward only"));
        for (int rank = 0; rank < 2; ++rank)
            for (const Event& event : run.timeline.compute(rank)) QCOMPARE(event.op, Op::Forward);
    }

    // What autograd does has no name: no forward-only run.
    void forwardsAloneAreNoTraining() {
        for (const bool trains : {false, true}) {
            std::vector<Events> ranks(2);
            for (int rank = 0; rank < 2; ++rank)
                for (int i = 0; i < 3; ++i) {
                    Events& events = ranks[static_cast<std::size_t>(rank)];
                    const int at = 2000 * (i + rank);
                    events.push_back(range("PP:" + std::to_string(rank) + "F" + std::to_string(i), at, 1800));
                    events.push_back(op("aten::mm", at + 10, 1700));
                    events.push_back(range(rank == 0 ? "gloo:send" : "gloo:recv", rank == 0 ? at + 1850 : at - 100, 50));
                    if (trains) events.push_back(backward(10'000 + 2000 * i, 1500));
                }
            const Trace trace(ranks);
            if (trains)
                QVERIFY2(trace.refusal().contains("names forwards alone"), qPrintable(trace.refusal()));
            else
                QCOMPARE(recognised(trace.run()), std::string("forward-only"));
        }
    }

    // A range around receive, work and send, whatever its name: it is the work.
    void messagesInARangeAreNotTheOperation_data() {
        QTest::addColumn<bool>("plain");
        QTest::newRow("PP:1F0") << false;
        QTest::newRow("Forward 0") << true;
    }
    void messagesInARangeAreNotTheOperation() {
        QFETCH(bool, plain);
        const auto name = [plain](int stage, const char* kind) {
            return plain ? (*kind == 'F' ? std::string("Forward 0") : std::string("Backward 0"))
                         : "PP:" + std::to_string(stage) + kind + "0";
        };
        const Trace trace({{range(name(0, "F"), 0, 1200), range("gloo:send", 1000, 9000),
                            range(name(0, "B"), 1300, 11'000), range("gloo:recv", 1400, 8600)},
                           {range(name(1, "F"), 0, 4000), range("gloo:recv", 100, 1500),
                            range(name(1, "B"), 4000, 5500), range("gloo:send", 9000, 1000)}});
        const ImportedRun run = trace.run();
        QCOMPARE(length(run, 0, {0, Op::Forward, 0}), 1000.0);
        QCOMPARE(length(run, 0, {0, Op::Backward, 0}), 2300.0);
        QCOMPARE(length(run, 0, {1, Op::Forward, 0}), 2400.0);
        QCOMPARE(length(run, 0, {1, Op::Backward, 0}), 5000.0);
        QVERIFY(run.origin.aligned);
        QVERIFY(run.origin.knows_transfers);
        QCOMPARE(run.timeline.receives(1)[0].end_ns, 1'600'000);
    }

    // An operation ends where its result is handed over; gloo says so later, sometimes much later. Where no
    // call says it, it has ended when its message is there.
    void anOperationEndsWhereItsMessageIsHandedOver_data() {
        QTest::addColumn<bool>("calls");
        QTest::addColumn<double>("end");
        QTest::newRow("c10d::send") << true << 1000.0;
        QTest::newRow("the receiver") << false << 1600.0;
    }
    void anOperationEndsWhereItsMessageIsHandedOver() {
        QFETCH(bool, calls);
        QFETCH(double, end);
        Events first = {range("Forward 0", 0, 9100), range("gloo:send", 9000, 1000),
                        range("Backward 0", 10'000, 5000), range("gloo:recv", 10'100, 1900)};
        Events second = {range("Forward 0", 0, 4000), range("gloo:recv", 100, 1500),
                         range("Backward 0", 4000, 6100), range("gloo:send", 10'000, 1000)};
        if (calls) {
            append(first,
                   {op("aten::linear", 10, 990), op("c10d::send", 1000, 8100), backward(12'000, 3000)});
            append(second,
                   {op("aten::linear", 1600, 2400), backward(4000, 6000), op("c10d::send", 10'000, 100)});
        }
        const ImportedRun run = Trace({first, second}).run();
        QCOMPARE(when(run, 0, {0, Op::Forward, 0}).second, end);
        QVERIFY(run.origin.aligned);
    }

    // Ranges alone do not say where an operation ends and its hand-over begins: by how much the bubble may be
    // too low is said.
    void rangesAloneSayHowFarOffTheyMayBe() {
        std::vector<Events> ranks(2);
        const auto steps = [&ranks](bool calls) {
            for (Events& events : ranks) events.clear();
            for (int iteration = 0; iteration < 3; ++iteration) {
                const int at = 100'000 * iteration,
                          late = iteration == 2 ? 6000 : 0;  // the rank lost its core
                append(ranks[0],
                       {range("Forward 0", at, 4200 + late), range("gloo:send", at + 4000 + late, 400),
                        range("Backward 0", at + 5000 + late, 9000),
                        range("gloo:recv", at + 5100 + late, 6900)});
                append(ranks[1],
                       {range("Forward 0", at, 8000 + late), range("gloo:recv", at + 100, 4000 + late),
                        range("Backward 0", at + 8000 + late, 4000),
                        range("gloo:send", at + 11'900 + late, 200)});
                if (!calls) continue;
                append(ranks[0], {op("aten::linear", at, 3900), op("c10d::send", at + 3950, 50 + late),
                                  backward(at + 12'000 + late, 1900)});
                append(ranks[1],
                       {op("aten::linear", at + 4200 + late, 3700), backward(at + 8000 + late, 3900),
                        op("c10d::send", at + 11'900 + late, 50)});
            }
        };
        steps(false);
        const ImportedRun bare = Trace(ranks).run();
        QVERIFY(bare.origin.times == ImportOrigin::Times::Ranges);
        ranks[0].erase(ranks[0].begin(), ranks[0].begin() + 4);
        ranks[1].erase(ranks[1].begin(), ranks[1].begin() + 4);
        const ImportedRun half = Trace(ranks).run();
        // The late iteration is the one that is shown: 6 ms of 2 ranks for 20 ms.
        const double understated_by = 6000 / (2 * 20'000.0);
        for (const ImportedRun* run : {&bare, &half})
            QVERIFY2(std::abs(run->origin.understated_by - understated_by) < 0.002,
                     qPrintable(QString::number(run->origin.understated_by)));
        steps(true);
        const ImportedRun whole = Trace(ranks).run();
        QVERIFY(whole.origin.times == ImportOrigin::Times::Host);
        QCOMPARE(whole.origin.understated_by, 0.0);
        const double truth = whole.reports.back().bubble_of_total,
                     shown = bare.reports.back().bubble_of_total;
        const double shorter =
            0.02;  // each operation by the way to its send, the shortest one of its kind, too
        QVERIFY(shown + 0.1 < truth && truth <= shown + bare.origin.understated_by + shorter);
    }

    // With calls it is known where an operation ends: a message that is there before is of another clock, and
    // no operation is shortened by it.
    void aMessageBeforeItsOperationEndsIsRefused() {
        const auto ranks = [](int received) {
            return std::vector<Events>{
                {range("Forward 0", 0, 2100), op("aten::linear", 0, 2000), op("c10d::send", 2000, 50),
                 range("gloo:send", 2010, 40), range("Backward 0", 2200, 6000),
                 range("gloo:recv", 2210, 3990), backward(6200, 1900)},
                {range("Forward 0", 0, received + 2000), range("gloo:recv", 100, received - 100),
                 op("aten::linear", received, 1900), range("Backward 0", received + 2000, 2100),
                 backward(received + 2000, 1900), op("c10d::send", received + 3950, 50),
                 range("gloo:send", received + 3960, 40)}};
        };
        const ImportedRun run = Trace(ranks(2100)).run();
        QCOMPARE(recognised(run), std::string("naive"));
        const QString refused = Trace(ranks(1700)).refusal();
        QVERIFY2(refused.contains("1F0 begins 0.3") && refused.contains("no number would be right"),
                 qPrintable(refused));
    }

    // A file without messages beside others with them: what its rank waited for would be its work.
    void messagesAreThoseOfAllRanksOrOfNone() {
        const Events first{range("Forward 0", 0, 2100), op("aten::linear", 0, 2000), backward(6200, 1900),
                           range("Backward 0", 2200, 6000)};
        const Events second{range("Forward 0", 0, 4100),    range("gloo:recv", 100, 2000),
                            op("aten::linear", 2100, 1900), range("Backward 0", 4100, 2100),
                            backward(4100, 1900),           op("c10d::send", 6050, 50)};
        const QString refused = Trace({first, second}).refusal();
        QVERIFY2(refused.contains("rank0.json holds no message"), qPrintable(refused));
    }

    // A gradient that is sent was made, whether or not the file holds the calls that made it.
    void whatSendsAGradientWorked() {
        const ImportedRun run =
            Trace(
                {{range("PP:0F0", 0, 1900), op("aten::linear", 0, 1900), range("PP:0SEND_F0", 1950, 100),
                  op("c10d::send", 1960, 20), range("gloo:send", 1970, 50), range("PP:0RECV_B0", 2100, 50),
                  range("gloo:recv", 2110, 4090), range("PP:0B0", 2200, 6000)},
                 {range("PP:1RECV_F0", 0, 50), range("gloo:recv", 10, 2090), range("PP:1F0", 60, 3900),
                  op("aten::linear", 2110, 1800), range("PP:1B0", 4000, 2000),
                  range("PP:1SEND_B0", 6050, 100), op("c10d::send", 6060, 20), range("gloo:send", 6070, 50)}})
                .run();
        QCOMPARE(recognised(run), std::string("naive"));
        QVERIFY(!notes(run, "the run is forward only"));
        // In the range, where that names no stage.
        const ImportedRun plain = Trace({{range("Forward 0", 0, 2100), op("aten::linear", 0, 2000),
                                          op("c10d::send", 2000, 50), range("gloo:send", 2010, 40),
                                          range("Backward 0", 2200, 6000), range("gloo:recv", 2210, 3990)},
                                         {range("Forward 0", 0, 4100), range("gloo:recv", 100, 2000),
                                          op("aten::linear", 2100, 1900), range("Backward 0", 4100, 2100),
                                          op("c10d::send", 6050, 50), range("gloo:send", 6060, 40)}})
                                      .run();
        QCOMPARE(recognised(plain), std::string("naive"));
    }

    // The second half's message comes while the first half runs.
    void anOverlappedCellStartsWithItsFirstHalf() {
        const Trace trace(
            {{range("PP:0F0", 0, 1000), range("PP:0SEND_F0", 1000, 100), range("gloo:send", 1050, 500),
              range("PP:0RECV_B0", 1150, 50), range("gloo:recv", 1160, 4840),
              range("PP:(0F1;0B0)OVERLAP_F_B", 1300, 7000), range("PP:0SEND_F1", 8300, 100),
              range("gloo:send", 8350, 500), range("PP:0RECV_B1", 8450, 50), range("gloo:recv", 8460, 8540),
              range("PP:0B1", 8600, 10'400)},
             {range("PP:1RECV_F0", 0, 50), range("gloo:recv", 10, 1090), range("PP:1F0", 100, 2000),
              range("PP:1B0", 2100, 2900), range("PP:1SEND_B0", 5000, 100), range("gloo:send", 5050, 500),
              range("PP:1RECV_F1", 5200, 50), range("gloo:recv", 5210, 3190), range("PP:1F1", 5300, 5000),
              range("PP:1B1", 10'300, 5000), range("PP:1SEND_B1", 15'300, 100),
              range("gloo:send", 15'350, 500)}});
        const ImportedRun run = trace.run();
        QCOMPARE(when(run, 0, {0, Op::Forward, 1}), std::pair(1300.0, 6000.0));
        QCOMPARE(when(run, 0, {0, Op::Backward, 0}), std::pair(6000.0, 8300.0));
        QVERIFY(run.schedule.orders[0][1].overlaps_next);
        QVERIFY(run.origin.aligned);
    }

    // A rank does one thing at a time: what would be shortened to nothing is no number.
    void anIterationWithOverlapsIsLeftOut() {
        Events events;
        for (int iteration = 0; iteration < 2; ++iteration)
            append(events, {range("PP:0F0", 20'000 * iteration, 5000),
                            range("PP:0B0", 20'000 * iteration + (iteration == 0 ? 1000 : 6000), 3000)});
        const ImportedRun run = Trace({events}).run();
        QCOMPARE(iterations(run), (std::vector<int>{1}));
        QVERIFY(
            notes(run,
                  "iteration 0 is impossible as the files describe it and is left out: on rank 0 0B0 runs "
                  "while 0F0 does"));
        events.resize(2);
        QVERIFY2(Trace({events}).refusal().contains("on rank 0 0B0 runs while 0F0 does"),
                 qPrintable(Trace({events}).refusal()));
    }

    // One iteration whose order is impossible costs that iteration.
    void anImpossibleIterationIsLeftOut() {
        std::vector<Events> ranks(2);
        for (int iteration = 0; iteration < 3; ++iteration) {
            const int at = 30'000 * iteration;
            append(ranks[0], {profilerStep(iteration + 1, at, 29'000), range("PP:0F0", at, 1000),
                              range("PP:0F1", at + 1000, 1000), range("PP:0B0", at + 6000, 2000),
                              range("PP:0B1", at + 12'000, 2000)});
            append(ranks[1], {profilerStep(iteration + 1, at, 29'000),
                              range(iteration == 0 ? "PP:1B0" : "PP:1F0", at + 2000, 1000),
                              range(iteration == 0 ? "PP:1F0" : "PP:1B0", at + 4000, 2000),
                              range("PP:1F1", at + 7000, 1000), range("PP:1B1", at + 9000, 2000)});
        }
        const ImportedRun run = Trace(ranks).run();
        QCOMPARE(iterations(run), (std::vector<int>{2, 3}));
        QCOMPARE(recognised(run), std::string("1f1b"));
        QVERIFY(notes(run,
                      "iteration 1 is impossible as the files describe it and is left out: rank 1 runs 1B0 "
                      "before 1F0"));
    }

    // Beginnings and ends are whole events, whose arguments may stand at the end alone and which need not lie
    // in each other.
    void beginningsAndEndsAreOperations() {
        const auto mark = [](char phase, const std::string& name, const char* ts) {
            const std::string named =
                name.empty() ? std::string() : quoted("name") + ":" + quoted(name) + ",";
            return "{" + quoted("ph") + ":" + quoted(std::string(1, phase)) + "," + quoted("cat") + ":" +
                   quoted("user_annotation") + "," + named + quoted("pid") + ":" + quoted("a") + "," +
                   quoted("tid") + ":1," + quoted("ts") + ":" + ts + "}";
        };
        const Trace trace(
            {{mark('B', "PP:0F0", "-1000.5"), mark('B', "PP:0F1", "-500.25"), mark('E', "PP:0F0", "-500.25"),
              mark('E', "PP:0F1", "0"), mark('B', "PP:0B0", "3000"), mark('E', "", "4000.125"),
              mark('B', "PP:0B1", "5000"), mark('E', "PP:0B1", "6000"), mark('E', "PP:9B9", "6001"),
              mark('B', "PP:8F8", "6002")},
             {range("PP:1F0", 0, 1000), range("PP:1B0", 1000, 1000), range("PP:1F1", 2000, 1000),
              range("PP:1B1", 3000, 1000)}});
        const ImportedRun run = trace.run();
        QCOMPARE(recognised(run), std::string("1f1b"));
        QCOMPARE(length(run, 0, {0, Op::Forward, 0}), 500.25);
        QCOMPARE(length(run, 0, {0, Op::Forward, 1}), 500.25);
        QCOMPARE(length(run, 0, {0, Op::Backward, 0}), 1000.125);
    }

    // A correlation may come again, of joined files or of a counter that ran over: a kernel is of the last
    // launch before it.
    void correlationsComeAgain() {
        std::vector<Events> ranks(2);
        for (int rank = 0; rank < 2; ++rank)
            for (int iteration = 0; iteration < 2; ++iteration) {
                const int at = 100'000 * iteration;
                Events& events = ranks[static_cast<std::size_t>(rank)];
                const std::string stage = "PP:" + std::to_string(rank);
                events.push_back(profilerStep(iteration + 1, at, 99'000));
                const auto operation = [&](const std::string& name, int from, int correlation) {
                    append(events,
                           {range(stage + name, at + from, 10),
                            kinetoX("cuda_runtime", "cudaLaunchKernel", at + from + 2, 2, 1, correlation),
                            kinetoX("kernel", "gemm", at + from + 1000, 5000, 7, correlation)});
                };
                operation("F0", rank == 0 ? 100 : 6100, 1);
                operation("B0", rank == 0 ? 17'100 : 12'100, 2);
            }
        const ImportedRun run = Trace(ranks).run();
        QCOMPARE(recognised(run), std::string("naive"));
        QCOMPARE(run.reports.size(), std::size_t{2});
        for (const DurationSpread& each : run.durations) {
            QCOMPARE(each.count, 2);
            QCOMPARE(each.least_ns, 5e6);
            QCOMPARE(each.greatest_ns, 5e6);
        }
    }

    // Who sends to whom stands in the arguments of NCCL's kernels.
    void kernelsNameTheirPeers() {
        std::vector<Events> ranks(2);
        const auto message = [](const char* name, const char* key, int peer, int ts) {
            std::string event =
                kinetoX("kernel", "ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)", ts, 50, 20, 90);
            event.insert(event.rfind("}}"), "," + quoted("Collective name") + ":" + quoted(name) + "," +
                                                quoted(key) + ":" + quoted(std::to_string(peer)));
            return event;
        };
        const auto operation = [](const std::string& name, int ts, int correlation) {
            return Events{range(name, ts, 10),
                          kinetoX("cuda_runtime", "cudaLaunchKernel", ts + 2, 2, 1, correlation),
                          kinetoX("kernel", "gemm", ts + 20, 900, 7, correlation)};
        };
        append(ranks[0], operation("PP:0F0", 0, 1));
        append(ranks[0], {message("send", "Dst Rank", 2, 950)});
        append(ranks[0], operation("PP:0B0", 9000, 2));
        append(ranks[1], {message("recv", "Src Rank", 0, 1000)});
        append(ranks[1], operation("PP:1F0", 2000, 1));
        append(ranks[1], operation("PP:1B0", 4000, 2));
        QVERIFY2(Trace(ranks).refusal().contains("missing: 2"), qPrintable(Trace(ranks).refusal()));
    }

    // The same calls with names and without: one definition of an operation.
    void namesDoNotChangeTimes() {
        const auto ranks = [](bool named) {
            std::vector<Events> events(2);
            for (int step = 0; step < 2; ++step) {
                const int at = 100'000 * step;
                for (Events& of : events) of.push_back(profilerStep(step + 1, at, 99'000));
                append(events[0], {op("aten::linear", at + 1050, 9000), op("c10d::send", at + 10'200, 100),
                                   range("gloo:send", at + 10'290, 500), op("c10d::recv_", at + 10'400, 50),
                                   range("gloo:recv", at + 10'440, 44'560), backward(at + 55'200, 18'000),
                                   op("aten::detach_", at + 73'300, 10)});
                append(events[1],
                       {op("c10d::recv_", at + 900, 50), range("gloo:recv", at + 940, 10'060),
                        op("aten::linear", at + 11'050, 9000), op("aten::mse_loss", at + 20'150, 500),
                        backward(at + 21'000, 18'000), op("aten::detach_", at + 39'100, 10),
                        op("c10d::send", at + 39'200, 100), range("gloo:send", at + 39'290, 500)});
                if (!named) continue;
                append(events[0],
                       {range("PP:0F0", at + 1000, 9150), range("PP:0SEND_F0", at + 10'180, 130),
                        range("PP:0RECV_B0", at + 10'380, 80), range("PP:0B0", at + 10'500, 62'900)});
                append(events[1],
                       {range("PP:1RECV_F0", at + 880, 80), range("PP:1F0", at + 1000, 19'700),
                        range("PP:1B0", at + 20'750, 18'430), range("PP:1SEND_B0", at + 39'190, 130)});
            }
            return events;
        };
        const ImportedRun with = Trace(ranks(true)).run(), without = Trace(ranks(false)).run();
        QCOMPARE(recognised(with), recognised(without));
        QVERIFY(!with.origin.operations_inferred && without.origin.operations_inferred);
        for (int stage = 0; stage < 2; ++stage)
            for (const Op kind : {Op::Forward, Op::Backward}) {
                const double named = length(with, 2, {stage, kind, 0}),
                             unnamed = length(without, 2, {stage, kind, 0});
                QVERIFY2(std::abs(named - unnamed) < 0.04 * named,
                         qPrintable(QString("%1 %2").arg(named).arg(unnamed)));
            }
        QVERIFY(std::abs(with.reports.back().bubble_of_total - without.reports.back().bubble_of_total) <
                0.01);
    }
};

BUBBLESCOPE_TEST(TestImportPasses)

}  // namespace tst_import_passes

#include "tst_import_passes.moc"
