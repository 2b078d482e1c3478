// The memory that the window shows for a configuration before it has run is what the engine predicts and
// checks: for every schedule, precision, device and kind of checkpointing, also where another configuration
// was measured.
#include <QTest>
#include <algorithm>

#include "analysis/planned_iteration.h"
#include "catalog/catalog.h"
#include "plan/plan.h"
#include "plan/plan_memory.h"
#include "registered_test.h"
#include "widgets/tune/sweep_model.h"

namespace tst_ghost_memory {

using namespace bscope;

namespace {

std::vector<std::int64_t> ghostPeaks(const RunConfig& config, const KnownCosts* known) {
    const PlannedIteration plan = planIteration(config, estimateCosts(config, known));
    std::vector<std::int64_t> peaks;
    for (const RankSummary& rank : plan.summary.ranks) peaks.push_back(rank.peak_activation_bytes);
    return peaks;
}

}  // namespace

class TestGhostMemory : public QObject {
    Q_OBJECT
private slots:
    void ghostIsTheEnginesPrediction() {
        RunConfig measured;
        measured.device = DeviceChoice::Cuda;
        const KnownCosts known{measured, estimateCosts(measured, nullptr)};
        int compared = 0;
        for (const CatalogEntry& entry : catalog())
            for (const auto& [device, dtype] :
                 {std::pair(DeviceChoice::Cpu, Dtype::Fp32), std::pair(DeviceChoice::Cuda, Dtype::Fp32),
                  std::pair(DeviceChoice::Cuda, Dtype::Bf16)})
                for (const Recompute recompute : {Recompute::None, Recompute::Full, Recompute::Selective})
                    for (const int d : {1, 2}) {
                        RunConfig config;
                        config.schedule = entry.name;
                        config.device = device;
                        config.dtype = dtype;
                        config.recompute = recompute;
                        config.params = {4, defaultChunks(entry), 8, 0};
                        config.params.d = d;
                        config.model.layers = 16;
                        if (!problems(config).empty()) continue;
                        const QString where = QString("%1 device %2 dtype %3 recompute %4 d=%5")
                                                  .arg(entry.name)
                                                  .arg(static_cast<int>(device))
                                                  .arg(static_cast<int>(dtype))
                                                  .arg(static_cast<int>(recompute))
                                                  .arg(d);
                        const std::vector<std::int64_t> predicted = predictedPeakBytes(makePlan(config));
                        QVERIFY2(ghostPeaks(config, nullptr) == predicted, qPrintable(where));
                        QVERIFY2(ghostPeaks(config, &known) == predicted, qPrintable(where));
                        ++compared;
                    }
        QVERIFY2(compared > 100, qPrintable(QString::number(compared)));
    }

    // Also for other micro-batches than the one that was measured, where bytes do not grow in proportion.
    void sweepPredictsWithTheSameBytes() {
        RunConfig base;
        base.device = DeviceChoice::Cuda;
        base.dtype = Dtype::Bf16;
        base.micro_batch = 5;
        base.model.sequence = 7;
        base.model.hidden = 9;
        base.model.heads = 3;
        QVERIFY(problems(base).empty());
        const KnownCosts known{base, estimateCosts(base, nullptr)};
        ui::SweepForm form;
        form.values = {1, 2, 4, 8, 16};
        form.fixed_batch = true;
        form.samples = 48;
        for (const Recompute recompute : {Recompute::None, Recompute::Full}) {
            base.recompute = recompute;
            const auto costs_of = [&](const RunConfig& config) { return estimateCosts(config, &known); };
            for (const ui::SweepRow& row : ui::sweepRows(form, {base, costs_of}, nullptr)) {
                const std::vector<std::int64_t> predicted =
                    predictedPeakBytes(makePlan(ui::sweepConfig(base, form, row.value).config));
                QCOMPARE(row.predicted_peak_bytes, static_cast<double>(std::ranges::max(predicted)));
            }
        }
    }

    void bf16HoldsLess() {
        RunConfig config;
        config.device = DeviceChoice::Cuda;
        const std::int64_t fp32 = ghostPeaks(config, nullptr).front();
        config.dtype = Dtype::Bf16;
        QVERIFY(static_cast<double>(ghostPeaks(config, nullptr).front()) < 0.7 * static_cast<double>(fp32));
    }
};

BUBBLESCOPE_TEST(TestGhostMemory)

}  // namespace tst_ghost_memory

#include "tst_ghost_memory.moc"
