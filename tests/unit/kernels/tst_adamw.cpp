// AdamW and clipping against the formulas, step by step in double precision.
#include <QTest>
#include <cmath>

#include "gpt_reference.h"
#include "kernels/cpu/cpu_ops.h"
#include "model/optimizer.h"
#include "registered_test.h"

namespace tst_adamw {

using namespace bscope;

class AdamWTest : public QObject {
    Q_OBJECT

private slots:
    // w = 1, g = 0.5: after step 1 the corrected moments are g and g^2, so w moves by lr, after its decay.
    void byHand() {
        CpuOps ops;
        float weight = 1.0F, m = 0.0F, v = 0.0F;
        const float gradient = 0.5F;
        ops.run(AdamW{.weight = &weight,
                      .m = &m,
                      .v = &v,
                      .gradient = &gradient,
                      .count = 1,
                      .step = {.learning_rate = 0.1F, .weight_decay = 0.02F, .step = 1}});
        QVERIFY(std::abs(m - 0.05F) < 1e-7F);
        QVERIFY(std::abs(v - 0.0125F) < 1e-8F);
        QVERIFY(std::abs(weight - (1.0F - 0.1F * 0.02F - 0.1F)) < 1e-6F);
    }

    void manySteps() {
        const std::size_t count = 37;
        std::vector<float> weight = reference::noise(count, 1), m(count), v(count);
        reference::Values w = reference::toDouble(weight), m_exact(count), v_exact(count);
        CpuOps ops;
        for (int t = 1; t <= 50; ++t) {
            const std::vector<float> gradient = reference::noise(count, static_cast<std::uint64_t>(t) + 1);
            const AdamWStep step{
                .learning_rate = 0.01F, .weight_decay = 0.1F, .gradient_scale = 0.25F, .step = t};
            ops.run(AdamW{.weight = weight.data(),
                          .m = m.data(),
                          .v = v.data(),
                          .gradient = gradient.data(),
                          .count = count,
                          .step = step});
            for (std::size_t i = 0; i < count; ++i) {
                const double g = 0.25 * static_cast<double>(gradient[i]);
                m_exact[i] = 0.9 * m_exact[i] + 0.1 * g;
                v_exact[i] = 0.95 * v_exact[i] + 0.05 * g * g;
                w[i] -= 0.01 * 0.1 * w[i];
                w[i] -= 0.01 * (m_exact[i] / (1 - std::pow(0.9, t))) /
                        (std::sqrt(v_exact[i] / (1 - std::pow(0.95, t))) + 1e-8);
            }
        }
        QVERIFY(reference::difference(m, m_exact) < 1e-6);
        QVERIFY(reference::difference(v, v_exact) < 1e-6);
        QVERIFY(reference::difference(weight, w) < 1e-5);
    }

    void clipping() {
        const double squares[] = {9.0, 16.0};
        QCOMPARE(gradientNorm(squares), 5.0);
        QCOMPARE(clipFactor(5.0, 1.0), static_cast<float>(1.0 / (5.0 + 1e-6)));
        QCOMPARE(clipFactor(0.5, 1.0), 1.0F);
        QCOMPARE(clipFactor(5.0, 0.0), 1.0F);
    }
};

BUBBLESCOPE_TEST(AdamWTest)

}  // namespace tst_adamw

#include "tst_adamw.moc"
