// Every schedule of the catalog as the engine runs it: gradients, activations in flight under both
// conventions, and changes from any schedule to any other.
#include <QTest>

#include "catalog/catalog.h"
#include "host/cores.h"
#include "kernels/cpu/cpu_device.h"
#include "plan/plan_memory.h"
#include "registered_test.h"
#include "run/pipeline.h"
#include "run/training.h"
#include "run/verify.h"
#include "run_fixture.h"
#include "timeline/analysis.h"
#include "timeline/predict.h"
#include "workers/thread_workers.h"

namespace tst_executed_schedules {

using namespace bscope;

namespace {

RunConfig configOf(const CatalogEntry& entry, int p, int m) {
    return tinyConfig(entry.name, p, m, entry.usual_v);
}

void addEverySchedule() {
    QTest::addColumn<QString>("name");
    for (const CatalogEntry& entry : catalog())
        if (!entry.forward_only) QTest::newRow(entry.name) << QString(entry.name);
}

}  // namespace

class TestExecutedSchedules : public QObject {
    Q_OBJECT

private slots:
    void gradientsAreThoseOfOneRank_data() { addEverySchedule(); }
    void gradientsAreThoseOfOneRank() {
        QFETCH(QString, name);
        const CatalogEntry& entry = *findSchedule(name.toStdString());
        const RunConfig config = configOf(entry, 4, 8);
        const VerifyResult result = verify(config);
        QVERIFY2(result.within_tolerance, result.tensor.c_str());
        QCOMPARE(result.bitwise_equal, entry.replicas == 1);
        QVERIFY(result.replicas_equal);
    }

    // Chunks from F to B or W, chunks from F to B or I, and bytes.
    void whatIsInFlightIsWhatWasPredicted_data() { addEverySchedule(); }
    void whatIsInFlightIsWhatWasPredicted() {
        QFETCH(QString, name);
        const RunConfig config = configOf(*findSchedule(name.toStdString()), 4, 8);
        const std::unique_ptr<Device> device = makeCpuDevice();
        Training training(*device, config);
        EventCollector observer;
        Pipeline pipeline(training, makePlan(config),
                          std::make_unique<ThreadWorkers>(training.model, makePlan(config),
                                                          Provenance::Reconstructed, usableCores(), observer),
                          observer);
        const Plan& plan = pipeline.plan();
        IterationReport report;
        for (int more = 4; more > 0; --more) report = pipeline.iterate(pipeline.end_ns(), 8);
        const IterationSummary measured = summarize(pipeline.timeline(), report.iteration);
        const IterationSummary predicted =
            plan.stream ? summarize(predict(*plan.stream, report.costs), plan.stream->steadyIteration())
                        : summarize(predict(plan.program, report.costs), 0);
        const std::vector<std::int64_t> bytes = predictedPeakBytes(plan);
        for (std::size_t rank = 0; rank < 4; ++rank) {
            QCOMPARE(measured.ranks[rank].peak_in_flight, predicted.ranks[rank].peak_in_flight);
            QCOMPARE(measured.ranks[rank].peak_in_flight_dgrad, predicted.ranks[rank].peak_in_flight_dgrad);
            QCOMPARE(measured.ranks[rank].peak_activation_bytes, bytes[rank]);
            QCOMPARE(report.ranks[rank].peak_in_flight, measured.ranks[rank].peak_in_flight);
        }
        pipeline.drain();
        for (const auto& [rank, events] : observer.by_rank)
            for (const Event& event : events) {
                if (event.stage < 0 || isCommunication(event.op)) continue;
                const ActivationBytes& of = plan.activations[static_cast<std::size_t>(event.stage)];
                if (event.op == Op::BackwardInput)
                    QCOMPARE(event.bytes, static_cast<std::int64_t>(of.held - of.kept_for_weight));
                if (event.op == Op::BackwardWeight)
                    QCOMPARE(event.bytes, static_cast<std::int64_t>(of.kept_for_weight));
            }
    }

    void twoReplicasReduceAndHoldBothCopies() {
        for (const char* name : {"chimera", "dualpipe"}) {
            EventCollector observer;
            Run run(configOf(*findSchedule(name), 4, 8), observer);
            run.iterate();
            const IterationReport report = run.iterate();
            const std::vector<Event> reductions = observer.all(Op::ReduceGradients);
            QCOMPARE(reductions.size(), std::size_t{2 * 8});
            for (const Event& event : reductions) QVERIFY(event.bytes > 0);
            std::int64_t both = 0;
            for (const RankReport& rank : report.ranks) both += rank.weight_bytes;
            std::int64_t one = 0;
            EventCollector other;
            for (const RankReport& rank : Run(tinyConfig("1f1b", 4, 8), other).iterate().ranks)
                one += rank.weight_bytes;
            QCOMPARE(both, 2 * one);
            QVERIFY(report.costs.reduce_ns > 0);
        }
    }

    // Whatever follows whatever, training goes on: iterations and data are counted without a gap.
    void anyScheduleFollowsAnyOther() {
        const std::vector<const char*> names = {"1f1b",          "gpipe-lifo", "zb-v",     "chimera",
                                                "pipedream-2bw", "dualpipe",   "pipedream"};
        for (const char* first : names) {
            EventCollector observer;
            Run run(configOf(*findSchedule(first), 2, 4), observer);
            for (const char* second : names) {
                for (const char* name : {first, second}) {
                    run.configure(configOf(*findSchedule(name), 2, 4));
                    run.iterate(Run::kEndless);
                    run.iterate(Run::kEndless);
                }
            }
            run.configure(tinyConfig("1f1b", 2, 4));
            run.iterate();
            for (std::size_t i = 0; i < observer.reports.size(); ++i) {
                QCOMPARE(observer.reports[i].iteration, static_cast<int>(i));
                QVERIFY(std::isfinite(observer.reports[i].loss));
            }
            QVERIFY(observer.reports.back().loss < observer.reports.front().loss - 0.3);
            QCOMPARE(run.nextIteration(), static_cast<int>(observer.reports.size()));
            QVERIFY(observer.watermark_kept);
        }
    }

    // A second replica that comes and goes leaves nothing behind: the curve is that of one replica.
    void replicasComeAndGo() {
        const auto curve = [](const char* second) {
            EventCollector observer;
            Run run(tinyConfig("1f1b", 2, 4), observer);
            std::vector<double> losses = {run.iterate().loss};
            run.configure(configOf(*findSchedule(second), 2, 4));
            losses.push_back(run.iterate().loss);
            run.configure(tinyConfig("gpipe", 4, 4));
            losses.push_back(run.iterate().loss);
            return losses;
        };
        const std::vector<double> one = curve("1f1b"), two = curve("chimera");
        for (std::size_t i = 0; i < one.size(); ++i) QVERIFY(std::abs(one[i] - two[i]) < 1e-4);
    }
};

BUBBLESCOPE_TEST(TestExecutedSchedules)

}  // namespace tst_executed_schedules

#include "tst_executed_schedules.moc"
