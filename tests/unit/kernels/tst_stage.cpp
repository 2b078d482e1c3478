// Stages: the same bits whatever the split, the form of backward and the checkpointing; and activation bytes
// as predicted.
#include <QTest>

#include "chain.h"
#include "model/optimizer.h"
#include "registered_test.h"
#include "shape/activation_bytes.h"

namespace tst_stage {

using namespace bscope;

namespace {

const ModelShape kShape{.L = 4, .C = 32, .heads = 4, .T = 24, .V = 40};
constexpr std::size_t kB = 2;
constexpr int kM = 4;

}  // namespace

class StageTest : public QObject {
    Q_OBJECT

    std::unique_ptr<Device> device = makeCpuDevice();
    TestBatch batch{kM * kB * kShape.T, kShape.V};

private slots:
    void initTestCase() { device->prepareThread(); }

    void sameBits_data() {
        QTest::addColumn<std::vector<int>>("split");
        QTest::addColumn<BackwardForm>("form");
        QTest::addColumn<Checkpointing>("checkpointing");
        const std::pair<const char*, std::vector<int>> splits[] = {
            {"4", {4}}, {"2,2", {2, 2}}, {"0,3,1,0", {0, 3, 1, 0}}};
        const std::pair<const char*, BackwardForm> forms[] = {
            {"B", BackwardForm::Fused}, {"IW", BackwardForm::Split}, {"I..W", BackwardForm::SplitLate}};
        const std::pair<const char*, Checkpointing> modes[] = {{"none", Checkpointing::None},
                                                               {"full", Checkpointing::Full},
                                                               {"by layer", Checkpointing::FullByLayer},
                                                               {"selective", Checkpointing::Selective}};
        for (const auto& [split_name, split] : splits)
            for (const auto& [form_name, form] : forms)
                for (const auto& [mode_name, mode] : modes)
                    QTest::addRow("%s %s %s", split_name, form_name, mode_name) << split << form << mode;
    }
    void sameBits() {
        QFETCH(std::vector<int>, split);
        QFETCH(BackwardForm, form);
        QFETCH(Checkpointing, checkpointing);
        Model one(*device, kShape, 7), other(*device, kShape, 7);
        const double expected = Chain(*device, one, {4}, kB).iteration(batch.view(), kM);
        Chain chain(*device, other, split, kB, checkpointing);
        QCOMPARE(chain.iteration(batch.view(), kM, form), expected);
        QVERIFY(allValues(one, TensorKind::Gradient) == allValues(other, TensorKind::Gradient));
        for (const Stage& stage : chain.stages) QCOMPARE(stage.inFlight(), std::size_t{0});
    }

    // Two micro-batches in flight, so that peaks differ from what is held.
    void bytesAsPredicted_data() { sameBits_data(); }
    void bytesAsPredicted() {
        QFETCH(std::vector<int>, split);
        QFETCH(BackwardForm, form);
        QFETCH(Checkpointing, checkpointing);
        Model model(*device, kShape, 7);
        Chain chain(*device, model, split, kB, checkpointing);
        for (Stage& stage : chain.stages) stage.beginIteration(batch.view(), kM);
        std::vector<float> message(chain.stages[0].messageFloats(), 0.5F), out(message.size());
        for (std::size_t i = 0; i < chain.stages.size(); ++i) {
            Stage& stage = chain.stages[i];
            Arena& arena = chain.workplaces[i]->arena();
            const ActivationBytes predicted =
                activationBytes(kShape, stage.options().range, kB, checkpointing);
            const auto compare = [&](std::size_t live, std::size_t peak) {
                QCOMPARE(arena.liveBytes(), live);
                QCOMPARE(arena.peakBytes(), peak);
                arena.resetPeak();
            };
            stage.forward(0, message.data(), out.data());
            compare(predicted.held, predicted.forward_peak);
            stage.forward(1, message.data(), out.data());
            compare(2 * predicted.held, predicted.held + predicted.forward_peak);
            stage.recompute(0);
            const std::size_t full = 2 * predicted.held + predicted.recomputed;
            compare(full, full);
            if (form == BackwardForm::Fused) {
                stage.backward(0, message.data(), out.data());
                compare(predicted.held, full + predicted.backward_peak);
            } else {
                stage.backwardInput(0, message.data(), out.data());
                compare(predicted.held + predicted.kept_for_weight, full + predicted.input_peak);
                stage.backwardWeight(0);
                compare(predicted.held, predicted.held + predicted.kept_for_weight);
            }
            stage.abandon();
            QCOMPARE(arena.liveBytes(), std::size_t{0});
        }
    }

    // Of a stage of equal blocks: what is held are the inputs, and only one block's own numbers come to that.
    void oneLayerIsThereAtATime() {
        const auto bytes = [](std::size_t blocks, Checkpointing checkpointing) {
            return activationBytes(kShape, {.first_block = 1, .blocks = blocks}, kB, checkpointing);
        };
        const std::size_t input = kB * kShape.T * kShape.C * sizeof(float);
        const std::size_t block = bytes(1, Checkpointing::None).held;
        for (const std::size_t blocks : {1, 2, 3}) {
            const ActivationBytes by_layer = bytes(blocks, Checkpointing::FullByLayer);
            QCOMPARE(by_layer.held, blocks * input);
            QCOMPARE(by_layer.recomputed, std::size_t{0});
            QCOMPARE(by_layer.held + by_layer.backward_peak, blocks * input + block - input);
            QCOMPARE(bytes(blocks, Checkpointing::Full).recomputed, blocks * block - input);
        }
    }

    void forwardOnlyKeepsNothing() {
        Model model(*device, kShape, 7);
        const double expected = Chain(*device, model, {4}, kB).iteration(batch.view(), kM);
        Chain chain(*device, model, {1, 3}, kB, Checkpointing::None, true);
        for (Stage& stage : chain.stages) stage.beginIteration(batch.view(), kM);
        double loss = 0;
        for (int mb = 0; mb < kM; ++mb) {
            chain.forward(mb);
            loss += chain.stages.back().loss(mb) / kM;
        }
        QCOMPARE(loss, expected);
        for (std::size_t i = 0; i < 2; ++i) {
            const StageRange range = chain.stages[i].options().range;
            QCOMPARE(chain.workplaces[i]->arena().liveBytes(), std::size_t{0});
            QCOMPARE(chain.workplaces[i]->arena().peakBytes(),
                     activationBytes(kShape, range, kB, Checkpointing::None, true).forward_peak);
        }
    }

    // Training goes on, bit for bit, while the layers move between stages.
    void trainingDoesNotDependOnTheSplit() {
        const auto train = [&](const std::vector<std::vector<int>>& splits) {
            Model model(*device, kShape, 3);
            std::vector<double> losses;
            for (std::size_t i = 0; i < splits.size(); ++i) {
                Chain chain(*device, model, splits[i], kB);
                losses.push_back(chain.iteration(batch.view(), kM));
                std::vector<double> squares(model.tensorCount());
                for (Stage& stage : chain.stages) {
                    stage.sumSquares();
                    stage.gradientSquares(squares);
                }
                AdamWStep step{.learning_rate = 0.01F, .step = static_cast<std::int64_t>(i) + 1};
                const double norm = gradientNorm(squares);
                step.gradient_scale = clipFactor(norm, 0.5);
                losses.push_back(norm);
                for (Stage& stage : chain.stages) stage.step(step);
            }
            return losses;
        };
        const std::vector<double> one = train({{4}, {4}, {4}, {4}});
        QVERIFY(train({{4}, {2, 2}, {1, 1, 1, 1}, {3, 1}}) == one);
        QVERIFY(one[6] < 0.95 * one[0]);
    }

    void microBatchesAddUpToTheBatch() {
        Model model(*device, kShape, 7);
        const double whole = Chain(*device, model, {4}, kM * kB).iteration(batch.view(), 1);
        const std::vector<float> gradients = allValues(model, TensorKind::Gradient);
        const double cut = Chain(*device, model, {4}, kB).iteration(batch.view(), kM);
        QVERIFY(std::abs(whole - cut) < 1e-6);
        QVERIFY(reference::difference(allValues(model, TensorKind::Gradient),
                                      reference::toDouble(gradients)) < 1e-6);
    }

    void weightBytesAsPredicted() {
        Model model(*device, kShape, 7);
        Chain chain(*device, model, {0, 1, 3}, kB);
        std::size_t bytes = 0;
        for (const Stage& stage : chain.stages) bytes += stage.weightBytes();
        QCOMPARE(bytes, model.parameterCount() * sizeof(float));
    }

    void initialWeightsDependOnTheSeedOnly() {
        const std::vector<float> one = allValues(Model(*device, kShape, 7), TensorKind::Weight);
        QVERIFY(one == allValues(Model(*device, kShape, 7), TensorKind::Weight));
        QVERIFY(one != allValues(Model(*device, kShape, 8), TensorKind::Weight));
        const Model model(*device, kShape, 7);
        const std::vector<float> normal = model.read(1, 8, TensorKind::Weight);  // blocks.0.mlp.fc.weight
        double mean = 0, squares = 0;
        for (const float value : normal) {
            mean += static_cast<double>(value) / static_cast<double>(normal.size());
            squares +=
                static_cast<double>(value) * static_cast<double>(value) / static_cast<double>(normal.size());
        }
        QVERIFY(std::abs(mean) < 0.001);
        QVERIFY(std::abs(std::sqrt(squares) - 0.02) < 0.001);
    }

    void misuseIsRefused() {
        Model model(*device, kShape, 7);
        Chain chain(*device, model, {4}, kB);
        Stage& stage = chain.stages[0];
        QVERIFY_THROWS_EXCEPTION(std::invalid_argument, stage.beginIteration(batch.view(), kM + 1));
        const TestBatch other_vocabulary(kM * kB * kShape.T, kShape.V + 1);
        QVERIFY_THROWS_EXCEPTION(std::invalid_argument, stage.beginIteration(other_vocabulary.view(), kM));
        stage.beginIteration(batch.view(), kM);
        QVERIFY_THROWS_EXCEPTION(std::invalid_argument, stage.forward(kM, nullptr, nullptr));
        QVERIFY_THROWS_EXCEPTION(std::logic_error, stage.backward(0, nullptr, nullptr));
        stage.forward(0, nullptr, nullptr);
        QVERIFY_THROWS_EXCEPTION(std::logic_error, stage.forward(0, nullptr, nullptr));
        QVERIFY_THROWS_EXCEPTION(std::logic_error, stage.beginIteration(batch.view(), kM));
        stage.abandon();
        stage.beginIteration(batch.view(), kM);
        QVERIFY_THROWS_EXCEPTION(std::invalid_argument, stageRanges(kShape, std::vector<int>{2, 1}));
        QVERIFY_THROWS_EXCEPTION(std::invalid_argument, Stage(model, *chain.workplaces[0],
                                                              {.range = {.first_block = 3, .blocks = 2}}));
        QVERIFY_THROWS_EXCEPTION(std::invalid_argument,
                                 Model(*device, {.L = 1, .C = 6, .heads = 4, .T = 2, .V = 2}, 1));
    }
};

BUBBLESCOPE_TEST(StageTest)

}  // namespace tst_stage

#include "tst_stage.moc"
