// A pipeline works on anything that gives it micro-batches: here a model that only answers, without text
// data, losses or an optimizer, whose loss is none.
#include <QTest>
#include <numeric>

#include "host/cores.h"
#include "kernels/cpu/cpu_device.h"
#include "model/model.h"
#include "registered_test.h"
#include "run/pipeline.h"
#include "run_fixture.h"
#include "workers/thread_workers.h"

namespace tst_workload {

using namespace bscope;

namespace {

// Every sample counts up from the iteration's number.
class Questions final : public Workload {
public:
    Questions(Device& device, const Plan& plan) : model(device, plan.shape, plan.config.seed) {}

    int nextIteration() const override { return asked; }

    Work nextWork(const Plan& plan) const override {
        Work work;
        work.iteration = asked;
        work.batch.tokens.resize(static_cast<std::size_t>(plan.config.samples()) * plan.shape.T);
        std::iota(work.batch.tokens.begin(), work.batch.tokens.end(), asked);
        work.batch.targets = work.batch.tokens;
        return work;
    }

    void complete(const Plan&, std::span<const RankIteration> shares, IterationReport&) override {
        ++asked;
        ranks = shares.size();
    }

    Model model;
    int asked = 0;
    std::size_t ranks = 0;
};

}  // namespace

class TestWorkload : public QObject {
    Q_OBJECT

private slots:
    void aModelThatOnlyAnswers() {
        const Plan plan = makePlan(tinyConfig("forward-only", 2, 4, 1));
        const auto device = makeCpuDevice();
        Questions questions(*device, plan);
        EventCollector observer;
        Pipeline pipeline(questions, plan,
                          std::make_unique<ThreadWorkers>(questions.model, plan, Provenance::Reconstructed,
                                                          usableCores(), observer),
                          observer);
        const std::vector<float> before = questions.model.read(0, 0, TensorKind::Weight);
        for (int iteration = 0; iteration < 3; ++iteration) {
            const IterationReport report = pipeline.iterate(pipeline.end_ns());
            QCOMPARE(report.iteration, iteration);
            QVERIFY(report.iteration_ms > 0);
            QVERIFY(report.bubble_of_total > 0);
            QCOMPARE(report.loss, 0.0);
            QCOMPARE(questions.ranks, std::size_t{2});
        }
        QCOMPARE(observer.all(Op::Forward).size(), std::size_t{3 * 2 * 4});
        QVERIFY(observer.all(Op::OptimizerStep).empty());
        QCOMPARE(questions.model.read(0, 0, TensorKind::Weight), before);
    }
};

BUBBLESCOPE_TEST(TestWorkload)

}  // namespace tst_workload

#include "tst_workload.moc"
