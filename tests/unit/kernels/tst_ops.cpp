// Every operation on the CPU, with every set of loops that this machine runs, against the double-precision
// reference and its central differences.
#include <QTest>
#include <algorithm>
#include <cmath>
#include <limits>

#include "gpt_reference.h"
#include "kernels/cpu/cpu_device.h"
#include "kernels/cpu/cpu_ops.h"
#include "kernels/linear_products.h"
#include "registered_test.h"

namespace tst_ops {

using namespace bscope;
using reference::difference;
using reference::noise;
using reference::toDouble;
using reference::Values;
using Floats = std::vector<float>;

namespace {

std::vector<std::int32_t> indices(std::size_t count, std::size_t below) {
    std::vector<std::int32_t> result(count);
    for (std::size_t i = 0; i < count; ++i) result[i] = static_cast<std::int32_t>((i * 7 + i / 3) % below);
    return result;
}

Floats scaled(Floats x, float factor, float offset = 0.0F) {
    for (float& value : x) value = value * factor + offset;
    return x;
}

}  // namespace

class OpsTest : public QObject {
    Q_OBJECT

    static CpuOps ops() {
        QFETCH_GLOBAL(int, level);
        return CpuOps(simd::levels()[static_cast<std::size_t>(level)]);
    }

private slots:
    void initTestCase_data() {
        QTest::addColumn<int>("level");
        for (std::size_t i = 0; i < simd::levels().size(); ++i)
            QTest::newRow(simd::levels()[i].name) << static_cast<int>(i);
    }
    void initTestCase() { makeCpuDevice()->prepareThread(); }

    // Less than a tile, more than a block each way, and factors that are copied in parts before oneDNN
    // multiplies: two more numbers make their rows 8 and 4 KiB apart.
    void matmul_data() {
        QTest::addColumn<bool>("transpose_a");
        QTest::addColumn<bool>("transpose_b");
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("columns");
        QTest::addColumn<int>("inner");
        for (const bool a : {false, true})
            for (const bool b : {false, true}) {
                QTest::addRow("small %d%d", a, b) << a << b << 5 << 7 << 9;
                QTest::addRow("high %d%d", a, b) << a << b << 101 << 37 << 12;
                QTest::addRow("wide %d%d", a, b) << a << b << 7 << 1041 << 8;
                QTest::addRow("deep %d%d", a, b) << a << b << 12 << 35 << 1030;
            }
        QTest::addRow("first copied") << true << false << 2046 << 130 << 300;
        QTest::addRow("second transposed") << false << true << 5 << 603 << 1022;
        QTest::addRow("narrow, transposed") << false << true << 260 << 131 << 1030;
    }
    void matmul() {
        QFETCH(bool, transpose_a);
        QFETCH(bool, transpose_b);
        QFETCH(int, rows);
        QFETCH(int, columns);
        QFETCH(int, inner);
        const auto size = [](int n) { return static_cast<std::size_t>(n); };
        const std::size_t M = size(rows), N = size(columns), K = size(inner), extra = 2;
        const std::size_t lda = (transpose_a ? M : K) + extra, ldb = (transpose_b ? K : N) + extra,
                          ldc = N + extra;
        const Floats a = noise((transpose_a ? K : M) * lda, 1), b = noise((transpose_b ? N : K) * ldb, 2);
        Floats c = noise(M * ldc, 3);
        Values expected = toDouble(c);
        for (std::size_t i = 0; i < M; ++i)
            for (std::size_t j = 0; j < N; ++j) {
                double sum = 0;
                for (std::size_t k = 0; k < K; ++k)
                    sum += static_cast<double>(a[transpose_a ? k * lda + i : i * lda + k]) *
                           static_cast<double>(b[transpose_b ? j * ldb + k : k * ldb + j]);
                expected[i * ldc + j] = 0.5 * sum + 2.0 * expected[i * ldc + j];
            }
        Matmul product{.c = c.data(),
                       .a = a.data(),
                       .b = b.data(),
                       .transpose_a = Transpose{transpose_a},
                       .transpose_b = Transpose{transpose_b},
                       .rows = M,
                       .columns = N,
                       .inner = K,
                       .alpha = 0.5F,
                       .beta = 2.0F,
                       .lda = lda,
                       .ldb = ldb,
                       .ldc = ldc};
        const Floats start = c;
        ops().run(product);
        QVERIFY(difference(c, expected) < 1e-5);  // also that the columns beyond N are left alone

        // What is not kept is not read either.
        Floats fresh(c.size(), std::numeric_limits<float>::quiet_NaN());
        product.c = fresh.data();
        product.beta = 0;
        ops().run(product);
        for (std::size_t i = 0; i < c.size(); ++i) {
            if (i % ldc >= N) continue;
            QVERIFY(std::abs(fresh[i] + 2 * start[i] - c[i]) < 1e-4F);
        }
    }

    // Loops and oneDNN add in different orders: the bits show which was chosen.
    void productsAsChosen() {
        QFETCH_GLOBAL(int, level);
        const simd::Level& own = simd::levels()[static_cast<std::size_t>(level)];
        const std::size_t M = 65, N = 70, K = 1100;
        const Floats a = noise(M * K, 1), b = noise(K * N, 2);
        Values expected(M * N, 0.0);
        for (std::size_t i = 0; i < M; ++i)
            for (std::size_t j = 0; j < N; ++j)
                for (std::size_t k = 0; k < K; ++k)
                    expected[i * N + j] +=
                        static_cast<double>(a[i * K + k]) * static_cast<double>(b[k * N + j]);
        CpuOps chosen = ops();
        const auto product = [&](Products products) {
            chosen.choose(products);
            Floats c(M * N);
            chosen.run(backwardInputProduct(c.data(), a.data(), b.data(), M, N, K));
            return c;
        };
        const Floats usual = product(Products::Usual), library = product(Products::OneDnn);
        QVERIFY(difference(library, expected) < 1e-4);
        QCOMPARE(product(Products::OneDnn), library);
        if (own.products == nullptr) {
            QCOMPARE(usual, library);
            QVERIFY_THROWS_EXCEPTION(std::invalid_argument, chosen.choose(Products::Loops));
            return;
        }
        const Floats loops = product(Products::Loops);
        QVERIFY(difference(loops, expected) < 1e-4);
        QVERIFY(loops != library);
        QCOMPARE(usual, own.multiplies_quicker ? loops : library);
    }

    // Rows of a factor a multiple of 1 KiB apart, as a weight's gradient has them: computed in parts, of
    // which several are needed each way here. What lies beside the result is left alone, and the same call
    // gives the same bits, whatever ran before.
    void matmulOfColumns_data() {
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("columns");
        QTest::addColumn<int>("stride_a");
        QTest::addColumn<int>("stride_b");
        QTest::newRow("first") << 1030 << 130 << 1280 << 133;
        QTest::newRow("second") << 130 << 1030 << 133 << 1280;
        QTest::newRow("both") << 140 << 130 << 256 << 256;
    }
    void matmulOfColumns() {
        QFETCH(int, rows);
        QFETCH(int, columns);
        QFETCH(int, stride_a);
        QFETCH(int, stride_b);
        const auto size = [](int n) { return static_cast<std::size_t>(n); };
        const std::size_t M = size(rows), N = size(columns), K = 260, lda = size(stride_a),
                          ldb = size(stride_b), ldc = N + 2;
        const Floats a = noise(K * lda, 1), b = noise(K * ldb, 2), start = noise(M * ldc, 3);
        Values expected = toDouble(start);
        Values sums(N);
        for (std::size_t i = 0; i < M; ++i) {
            std::fill(sums.begin(), sums.end(), 0.0);
            for (std::size_t k = 0; k < K; ++k)
                for (std::size_t j = 0; j < N; ++j)
                    sums[j] += static_cast<double>(a[k * lda + i]) * static_cast<double>(b[k * ldb + j]);
            for (std::size_t j = 0; j < N; ++j)
                expected[i * ldc + j] = 0.5 * sums[j] + 2.0 * expected[i * ldc + j];
        }
        const auto run = [&](CpuOps& now, Floats& c, std::size_t first_rows) {
            now.run(Matmul{.c = c.data(),
                           .a = a.data(),
                           .b = b.data(),
                           .transpose_a = Transpose::Yes,
                           .transpose_b = Transpose::No,
                           .rows = first_rows,
                           .columns = N,
                           .inner = K,
                           .alpha = 0.5F,
                           .beta = 2.0F,
                           .lda = lda,
                           .ldb = ldb,
                           .ldc = ldc});
        };
        CpuOps now = ops();
        Floats small = start, c = start, again = start;
        run(now, small, 20);
        run(now, c, M);
        QVERIFY(difference(c, expected) < 1e-5);
        CpuOps fresh = ops();
        run(fresh, again, M);
        QVERIFY(again == c);
    }

    void elementwise() {
        const std::size_t rows = 11, columns = 37;
        const Floats bias = noise(columns, 1), residual = noise(rows * columns, 2),
                     start = noise(rows * columns, 3);
        Values expected = toDouble(start), column_sums(columns, 0.25), squares_of = toDouble(start);
        for (std::size_t i = 0; i < expected.size(); ++i) {
            column_sums[i % columns] += expected[i];
            expected[i] += static_cast<double>(bias[i % columns]) + static_cast<double>(residual[i]);
        }
        Floats y = start;
        ops().run(AddBiasResidual{.y = y.data(),
                                  .bias = bias.data(),
                                  .residual = residual.data(),
                                  .rows = rows,
                                  .columns = columns});
        QVERIFY(difference(y, expected) < 1e-6);
        y = start;
        ops().run(AddBias{.y = y.data(), .bias = bias.data(), .rows = rows, .columns = columns});
        ops().run(Add{.y = y.data(), .x = residual.data(), .count = y.size()});
        QVERIFY(difference(y, expected) < 1e-6);
        Floats sums(columns, 0.25F);
        ops().run(BiasBackward{.d_bias = sums.data(), .dy = start.data(), .rows = rows, .columns = columns});
        QVERIFY(difference(sums, column_sums) < 1e-5);
        double squares = 0;
        ops().run(SumOfSquares{.result = &squares, .x = start.data(), .count = start.size()});
        QVERIFY(std::abs(squares - reference::dot(squares_of, squares_of)) < 1e-10);
    }

    void layernorm_data() {
        QTest::addColumn<int>("C");
        for (const int C : {1, 8, 19, 48, 64, 83}) QTest::addRow("%d", C) << C;
    }
    void layernorm() {
        QFETCH(int, C);
        const std::size_t rows = 6, width = static_cast<std::size_t>(C);
        const Floats x = scaled(noise(rows * width, 1), 2.0F, 0.5F), weight = noise(width, 2),
                     bias = noise(width, 3);
        const Floats dy = noise(rows * width, 4), d_residual = noise(rows * width, 5);
        Floats y(x.size()), mean(rows), rstd(rows), dx = x, weight_sum(width), bias_sum(width);
        CpuOps now = ops();
        now.run(LayernormForward{.y = y.data(),
                                 .mean = mean.data(),
                                 .rstd = rstd.data(),
                                 .x = x.data(),
                                 .weight = weight.data(),
                                 .bias = bias.data(),
                                 .rows = rows,
                                 .C = width});
        QVERIFY(difference(y, reference::layernorm(toDouble(x), toDouble(weight), toDouble(bias))) < 2e-6);

        now.run(LayernormBackward{.dx = dx.data(),
                                  .weight_sum = weight_sum.data(),
                                  .bias_sum = bias_sum.data(),
                                  .dy = dy.data(),
                                  .x = dx.data(),
                                  .mean = mean.data(),
                                  .rstd = rstd.data(),
                                  .weight = weight.data(),
                                  .d_residual = d_residual.data(),
                                  .rows = rows,
                                  .C = width});
        const auto f = [&](const Values& input, const Values& w, const Values& b) {
            return reference::dot(reference::layernorm(input, w, b), toDouble(dy));
        };
        Values expected = reference::gradient(
            [&](const Values& v) { return f(v, toDouble(weight), toDouble(bias)); }, toDouble(x));
        for (std::size_t i = 0; i < expected.size(); ++i) expected[i] += static_cast<double>(d_residual[i]);
        QVERIFY(difference(dx, expected) < 1e-5);
        expected = reference::gradient([&](const Values& v) { return f(toDouble(x), v, toDouble(bias)); },
                                       toDouble(weight));
        QVERIFY(difference(weight_sum, expected) < 1e-5);
        expected = reference::gradient([&](const Values& v) { return f(toDouble(x), toDouble(weight), v); },
                                       toDouble(bias));
        QVERIFY(difference(bias_sum, expected) < 1e-5);

        Floats without(x.size());
        now.run(LayernormBackward{.dx = without.data(),
                                  .weight_sum = weight_sum.data(),
                                  .bias_sum = bias_sum.data(),
                                  .dy = dy.data(),
                                  .x = x.data(),
                                  .mean = mean.data(),
                                  .rstd = rstd.data(),
                                  .weight = weight.data(),
                                  .d_residual = nullptr,
                                  .rows = rows,
                                  .C = width});
        now.run(Add{.y = without.data(), .x = d_residual.data(), .count = without.size()});
        QVERIFY(difference(without, toDouble(dx)) < 1e-6);
    }

    void gelu() {
        Floats x(403), dy = noise(403, 1);
        for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i) * 0.05F - 10.0F;
        x[401] = 1e4F;
        x[402] = -1e4F;
        const Floats bias = scaled(noise(31, 2), 0.1F);
        Values expected(x.size()), slope(x.size());
        for (std::size_t i = 0; i < x.size(); ++i) {
            const double at = static_cast<double>(x[i] + bias[i % 31]);
            expected[i] = reference::gelu(at);
            slope[i] =
                static_cast<double>(dy[i]) * (reference::gelu(at + 1e-5) - reference::gelu(at - 1e-5)) / 2e-5;
        }
        Floats y(x.size());
        CpuOps now = ops();
        now.run(
            BiasGeluForward{.y = y.data(), .x = x.data(), .bias = bias.data(), .rows = 13, .columns = 31});
        QVERIFY(difference(y, expected) < 1e-6);
        Floats again(x.size());
        now.run(
            BiasGeluForward{.y = again.data(), .x = x.data(), .bias = nullptr, .rows = 13, .columns = 31});
        QVERIFY(again == y);
        now.run(GeluBackward{.dx = x.data(), .dy = dy.data(), .x = x.data(), .count = x.size()});
        QVERIFY(difference(x, slope) < 2e-6);
    }

    // A training that has diverged must be seen to have: what is no number stays none.
    void notANumberStaysNone() {
        const std::size_t width = 40;
        for (const std::size_t at : {0UL, 3UL, 17UL, 39UL}) {
            CpuOps now = ops();
            Floats x = noise(width, 1), y(width), dx(width), dy(width, 1.0F), logits = noise(width, 2);
            x[at] = logits[at] = NAN;
            now.run(
                BiasGeluForward{.y = y.data(), .x = x.data(), .bias = nullptr, .rows = 1, .columns = width});
            now.run(GeluBackward{.dx = dx.data(), .dy = dy.data(), .x = x.data(), .count = width});
            for (std::size_t i = 0; i < width; ++i) {
                QCOMPARE(std::isnan(y[i]), i == at);
                QCOMPARE(std::isnan(dx[i]), i == at);
            }
            double loss = 0;
            const std::int32_t target = 5;
            now.run(SoftmaxCrossEntropy{.mean_loss = &loss,
                                        .logits = logits.data(),
                                        .targets = &target,
                                        .rows = 1,
                                        .V = width,
                                        .gradient_scale = 1.0});
            QVERIFY(std::isnan(loss));
        }
    }

    void attention_data() {
        QTest::addColumn<int>("T");
        for (const int T : {1, 5, 16, 33}) QTest::addRow("%d", T) << T;
    }
    void attention() {
        QFETCH(int, T);
        const std::size_t B = 2, C = 6, heads = 2, length = static_cast<std::size_t>(T);
        const Floats qkv = scaled(noise(B * length * 3 * C, 1), 2.0F), dy = noise(B * length * C, 2);
        Floats y(dy.size()), p(B * heads * length * length, NAN), d_qkv(qkv.size());
        CpuOps now = ops();
        now.run(AttentionForward{
            .y = y.data(), .kept = p.data(), .qkv = qkv.data(), .B = B, .T = length, .C = C, .heads = heads});
        QVERIFY(difference(y, reference::attention(toDouble(qkv), B, length, C, heads)) < 2e-6);
        for (std::size_t row = 0; row < B * heads * length; ++row) {
            double sum = 0;
            for (std::size_t j = 0; j < length; ++j) {
                if (j > row % length) QCOMPARE(p[row * length + j], 0.0F);
                sum += static_cast<double>(p[row * length + j]);
            }
            QVERIFY(std::abs(sum - 1.0) < 1e-6);
        }
        now.run(AttentionBackward{.d_qkv = d_qkv.data(),
                                  .dy = dy.data(),
                                  .y = y.data(),
                                  .kept = p.data(),
                                  .qkv = qkv.data(),
                                  .B = B,
                                  .T = length,
                                  .C = C,
                                  .heads = heads});
        const Values expected = reference::gradient(
            [&](const Values& v) {
                return reference::dot(reference::attention(v, B, length, C, heads), toDouble(dy));
            },
            toDouble(qkv));
        QVERIFY(difference(d_qkv, expected) < 1e-5);
        Floats in_place = qkv;
        now.run(AttentionBackward{.d_qkv = in_place.data(),
                                  .dy = dy.data(),
                                  .y = y.data(),
                                  .kept = p.data(),
                                  .qkv = in_place.data(),
                                  .B = B,
                                  .T = length,
                                  .C = C,
                                  .heads = heads});
        QVERIFY(in_place == d_qkv);
    }

    // More rows than one block: forward against the reference, backward along one random direction.
    void longAttention() {
        const std::size_t B = 1, T = 300, C = 8, heads = 1;
        const Floats qkv = noise(B * T * 3 * C, 1), dy = noise(B * T * C, 2),
                     direction = noise(qkv.size(), 3);
        Floats y(dy.size()), p(heads * T * T), d_qkv(qkv.size());
        CpuOps now = ops();
        now.run(AttentionForward{
            .y = y.data(), .kept = p.data(), .qkv = qkv.data(), .B = B, .T = T, .C = C, .heads = heads});
        QVERIFY(difference(y, reference::attention(toDouble(qkv), B, T, C, heads)) < 2e-6);
        now.run(AttentionBackward{.d_qkv = d_qkv.data(),
                                  .dy = dy.data(),
                                  .y = y.data(),
                                  .kept = p.data(),
                                  .qkv = qkv.data(),
                                  .B = B,
                                  .T = T,
                                  .C = C,
                                  .heads = heads});
        const auto along = [&](const Values& step) {
            Values v = toDouble(qkv);
            for (std::size_t i = 0; i < v.size(); ++i) v[i] += step[0] * static_cast<double>(direction[i]);
            return reference::dot(reference::attention(v, B, T, C, heads), toDouble(dy));
        };
        const double slope = reference::dot(toDouble(d_qkv), toDouble(direction));
        QVERIFY(std::abs(slope - reference::gradient(along, {0.0})[0]) < 1e-4);
    }

    void embedding() {
        const std::size_t B = 3, T = 4, C = 5, V = 6;
        const std::vector<std::int32_t> tokens = indices(B * T, V);
        const Floats token_weight = noise(V * C, 1), position_weight = noise(T * C, 2),
                     dy = noise(B * T * C, 3);
        Floats y(dy.size()), token_gradient(V * C, 1.0F), position_gradient(T * C, 1.0F);
        Values expected(dy.size()), d_token(V * C, 1.0), d_position(T * C, 1.0);
        for (std::size_t i = 0; i < expected.size(); ++i) {
            const std::size_t token = static_cast<std::size_t>(tokens[i / C]) * C + i % C;
            const std::size_t position = i / C % T * C + i % C;
            expected[i] =
                static_cast<double>(token_weight[token]) + static_cast<double>(position_weight[position]);
            d_token[token] += static_cast<double>(dy[i]);
            d_position[position] += static_cast<double>(dy[i]);
        }
        CpuOps now = ops();
        now.run(EmbeddingForward{.y = y.data(),
                                 .tokens = tokens.data(),
                                 .token_weight = token_weight.data(),
                                 .position_weight = position_weight.data(),
                                 .B = B,
                                 .T = T,
                                 .C = C,
                                 .first = 0,
                                 .V = V});
        now.run(EmbeddingBackward{.token_gradient = token_gradient.data(),
                                  .position_gradient = position_gradient.data(),
                                  .dy = dy.data(),
                                  .tokens = tokens.data(),
                                  .B = B,
                                  .T = T,
                                  .C = C,
                                  .first = 0,
                                  .V = V});
        QVERIFY(difference(y, expected) < 1e-6);
        QVERIFY(difference(token_gradient, d_token) < 1e-6);
        QVERIFY(difference(position_gradient, d_position) < 1e-6);
    }

    void crossEntropy_data() {
        QTest::addColumn<float>("size");
        for (const double size : {1.0, 20.0, 1000.0}) QTest::addRow("%g", size) << static_cast<float>(size);
    }
    void crossEntropy() {
        QFETCH(float, size);
        const std::size_t rows = 5, V = 23;
        const std::vector<std::int32_t> targets = indices(rows, V);
        Floats logits = scaled(noise(rows * V, 1), size);
        const Values start = toDouble(logits);
        Values expected =
            reference::gradient([&](const Values& v) { return reference::crossEntropy(v, targets); }, start);
        for (double& value : expected) value *= static_cast<double>(rows) * 0.5;
        double loss = 0;
        ops().run(SoftmaxCrossEntropy{.mean_loss = &loss,
                                      .logits = logits.data(),
                                      .targets = targets.data(),
                                      .rows = rows,
                                      .V = V,
                                      .gradient_scale = 0.5F});
        QVERIFY(std::abs(loss - reference::crossEntropy(start, targets)) < 1e-6 * static_cast<double>(size));
        QVERIFY(difference(logits, expected) < 1e-6);
    }
};

BUBBLESCOPE_TEST(OpsTest)

}  // namespace tst_ops

#include "tst_ops.moc"
