// Every weight's gradient, through every layer, against central differences of the double-precision network.
#include <QTest>

#include "chain.h"
#include "reference_model.h"
#include "registered_test.h"

namespace tst_gradients {

using namespace bscope;

namespace {

const ModelShape kShape{.L = 2, .C = 8, .heads = 2, .T = 5, .V = 11};
constexpr std::size_t kB = 2;
constexpr int kM = 3;

}  // namespace

class GradientsTest : public QObject {
    Q_OBJECT

    std::unique_ptr<Device> device = makeCpuDevice();
    std::unique_ptr<Model> model;
    reference::Weights weights;
    TestBatch batch{kM * kB * kShape.T, kShape.V};
    double loss = 0;

    double referenceLoss() const {
        return reference::gptLoss(weights, kShape.L, kShape.heads, kM * kB, kShape.T, batch.tokens,
                                  batch.targets);
    }

private slots:
    void initTestCase() {
        device->prepareThread();
        model = std::make_unique<Model>(*device, kShape, 1);
        disturb(*model);
        weights = weightsOf(*model);
        loss = Chain(*device, *model, {1, 1}, kB).iteration(batch.view(), kM);
    }

    void loss_is_the_mean_over_the_mini_batch() { QVERIFY(std::abs(loss - referenceLoss()) < 1e-6); }

    void gradient_data() {
        QTest::addColumn<int>("layer");
        QTest::addColumn<int>("parameter");
        const ModelShape& shape = kShape;
        const Model names(*device, shape, 1);
        for (std::size_t layer = 0; layer < names.layerCount(); ++layer)
            for (std::size_t i = 0; i < names.layer(layer).parameters().size(); ++i)
                QTest::newRow(names.layer(layer).parameters()[i].name.c_str())
                    << static_cast<int>(layer) << static_cast<int>(i);
    }
    void gradient() {
        QFETCH(int, layer);
        QFETCH(int, parameter);
        const auto l = static_cast<std::size_t>(layer), i = static_cast<std::size_t>(parameter);
        reference::Values& tensor = weights.at(model->layer(l).parameters()[i].name);
        const std::vector<float> gradient = model->read(l, i, TensorKind::Gradient);
        QCOMPARE(gradient.size(), tensor.size());
        const std::size_t stride = std::max<std::size_t>(1, tensor.size() / 16);  // some of the large ones
        for (std::size_t k = 0; k < tensor.size(); k += stride) {
            const double middle = tensor[k], h = 1e-5;
            tensor[k] = middle + h;
            const double up = referenceLoss();
            tensor[k] = middle - h;
            const double expected = (up - referenceLoss()) / (2 * h);
            tensor[k] = middle;
            QVERIFY2(std::abs(static_cast<double>(gradient[k]) - expected) < 2e-6,
                     qPrintable(QString("%1: %2 is not %3").arg(k).arg(gradient[k]).arg(expected)));
        }
    }
};

BUBBLESCOPE_TEST(GradientsTest)

}  // namespace tst_gradients

#include "tst_gradients.moc"
