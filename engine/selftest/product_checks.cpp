// Matrix products and linear layers, plain, of parts of a matrix and of operands.
#include <algorithm>

#include "kernels/linear_products.h"
#include "selftest/op_check_list.h"

namespace bscope {

namespace {
using reference::plusBias;
using reference::Values;
}  // namespace

void addProducts(OpChecks& checks) {
    Ops& ops = checks.ops;
    const Precision p = checks.precision;
    const Floats x = checks.operandNoise(kRows * kIn, 11), weight = checks.operandNoise(kOut * kIn, 12),
                 bias = checks.operandNoise(kOut, 13), residual = noise(kRows * kOut, 14),
                 dy = checks.operandNoise(kRows * kOut, 15);
    const Values exact_x = toDouble(x), exact_weight = toDouble(weight), exact_dy = toDouble(dy);
    const Values plain = reference::product(exact_x, exact_weight, false, true, kRows, kOut, kIn);
    for (const bool a : {false, true})
        for (const bool b : {false, true})
            checks.add(std::string("matmul ") + (a ? "T" : "N") + (b ? "T" : "N"), checks.product_tolerance,
                       [&](OpRun& run) {
                           float *const left = run.floats(noise(kRows * kIn, 16)),
                                        *const right = run.floats(noise(kIn * kOut, 17)),
                                        *const c = run.floats(residual);
                           run.run([&] {
                               ops.run(Matmul{.c = c,
                                              .a = left,
                                              .b = right,
                                              .transpose_a = Transpose{a},
                                              .transpose_b = Transpose{b},
                                              .rows = kRows,
                                              .columns = kOut,
                                              .inner = kIn,
                                              .alpha = 0.5F,
                                              .beta = 2.0F,
                                              .lda = a ? kRows : kIn,
                                              .ldb = b ? kIn : kOut,
                                              .ldc = kOut});
                           });
                           Values expected =
                               reference::product(toDouble(noise(kRows * kIn, 16)),
                                                  toDouble(noise(kIn * kOut, 17)), a, b, kRows, kOut, kIn);
                           for (std::size_t i = 0; i < expected.size(); ++i)
                               expected[i] = 0.5 * expected[i] + 2.0 * static_cast<double>(residual[i]);
                           return run.error(c, expected);
                       });
    checks.add("matmul of a part", checks.product_tolerance, [&](OpRun& run) {  // leading dimensions
        float *const left = run.floats(x), *const right = run.floats(weight), *const c = run.floats(residual);
        run.run([&] {
            ops.run(Matmul{.c = c,
                           .a = left,
                           .b = right,
                           .transpose_a = Transpose::No,
                           .transpose_b = Transpose::Yes,
                           .rows = 40,
                           .columns = 24,
                           .inner = 32,
                           .alpha = 1.0F,
                           .beta = 0.0F,
                           .lda = kIn,
                           .ldb = kIn,
                           .ldc = kOut});
        });
        Values expected = toDouble(residual);
        for (std::size_t i = 0; i < 40; ++i)
            for (std::size_t j = 0; j < 24; ++j) {
                expected[i * kOut + j] = 0;
                for (std::size_t k = 0; k < 32; ++k)
                    expected[i * kOut + j] += exact_x[i * kIn + k] * exact_weight[j * kIn + k];
            }
        return run.error(c, expected);
    });
    checks.add("matmul of operands", checks.product_tolerance, [&](OpRun& run) {
        const Operand left = run.operands(x, p), right = run.operands(weight, p),
                      c = run.operands(plain.size(), p);
        run.run([&] { ops.run(forwardProduct(c, left, right, kRows, kIn, kOut)); });
        return run.error(c, plain);
    });
    checks.add("linear_forward", checks.product_tolerance, [&](OpRun& run) {
        const Operand in = run.operands(x, p), w = run.operands(weight, p),
                      rounded_bias = run.operands(bias, p), b = run.operands(dy.size(), p);
        float *const v = run.floats(bias), *const r = run.floats(residual), *const a = run.floats(dy.size()),
                     *const c = run.floats(dy.size());
        run.run([&] {
            LinearForward op{.y = a,
                             .x = in,
                             .weight = w,
                             .bias = nullptr,
                             .residual = nullptr,
                             .rows = kRows,
                             .in = kIn,
                             .out = kOut};
            ops.run(op);
            op.y = b;
            op.bias = rounded_bias;
            ops.run(op);
            op.y = c;
            op.bias = v;
            op.residual = r;
            ops.run(op);
        });
        return std::max({run.error(a, plain), run.error(b, plusBias(plain, toDouble(bias), {})),
                         run.error(c, plusBias(plain, toDouble(bias), toDouble(residual)))});
    });
    checks.add("linear_gelu_forward", checks.product_tolerance, [&](OpRun& run) {
        const Operand in = run.operands(x, p), w = run.operands(weight, p), v = run.operands(bias, p),
                      hidden = run.operands(dy.size(), p), out = run.operands(dy.size(), p);
        run.run([&] {
            ops.run(LinearGeluForward{.y = out,
                                      .hidden = hidden,
                                      .x = in,
                                      .weight = w,
                                      .bias = v,
                                      .rows = kRows,
                                      .in = kIn,
                                      .out = kOut});
        });
        const Values expected = plusBias(plain, toDouble(bias), {});
        return std::max(run.error(hidden, expected), run.error(out, mapped(expected, &reference::gelu)));
    });
    const Values d_input = reference::product(exact_dy, exact_weight, false, false, kRows, kIn, kOut);
    checks.add("linear_backward_input", checks.product_tolerance, [&](OpRun& run) {
        const Operand d = run.operands(dy, p), w = run.operands(weight, p), to = run.operands(x.size(), p);
        float *const d_fp32 = run.floats(dy), *const to_fp32 = run.floats(x.size());
        run.run([&] {
            ops.run(LinearBackwardInput{
                .dx = to_fp32, .dy = d, .weight = w, .rows = kRows, .in = kIn, .out = kOut});
            ops.run(LinearBackwardInput{
                .dx = to, .dy = d_fp32, .weight = w, .rows = kRows, .in = kIn, .out = kOut});
        });
        return std::max(run.error(to_fp32, d_input), run.error(to, d_input));
    });
    checks.add("linear_gelu_backward_input, in place too", checks.product_tolerance, [&](OpRun& run) {
        float* const d = run.floats(dy);
        const Operand w = run.operands(weight, p), hidden = run.operands(x, p),
                      work = run.operands(x.size(), p), elsewhere = run.operands(x.size(), p);
        run.run([&] {
            LinearGeluBackwardInput op{.d_hidden = elsewhere,
                                       .work = work,
                                       .dy = d,
                                       .weight = w,
                                       .hidden = hidden,
                                       .rows = kRows,
                                       .in = kIn,
                                       .out = kOut};
            ops.run(op);
            op.d_hidden = hidden;
            ops.run(op);
        });
        Values expected = mapped(exact_x, &reference::geluDerivative);
        for (std::size_t i = 0; i < expected.size(); ++i) expected[i] *= d_input[i];
        return std::max(run.error(hidden, expected), run.error(elsewhere, expected));
    });
    checks.add("linear_backward_weight", checks.product_tolerance, [&](OpRun& run) {
        const Operand d = run.operands(dy, p), in = run.operands(x, p);
        float *const d_fp32 = run.floats(dy), *const dw = run.floats(weight), *const db = run.floats(bias),
                     *const dw_fp32 = run.floats(weight), *const db_fp32 = run.floats(bias);
        run.run([&] {
            ops.run(LinearBackwardWeight{
                .d_weight = dw, .d_bias = db, .dy = d, .x = in, .rows = kRows, .in = kIn, .out = kOut});
            ops.run(LinearBackwardWeight{.d_weight = dw_fp32,
                                         .d_bias = db_fp32,
                                         .dy = d_fp32,
                                         .x = in,
                                         .rows = kRows,
                                         .in = kIn,
                                         .out = kOut});
        });
        Values expected = reference::product(exact_dy, exact_x, true, false, kOut, kIn, kRows);
        for (std::size_t i = 0; i < expected.size(); ++i) expected[i] += exact_weight[i];
        const Values sums = plusBias(toDouble(bias), reference::columnSums(exact_dy, kOut), {});
        return std::max({run.error(dw, expected), run.error(dw_fp32, expected), run.error(db, sums),
                         run.error(db_fp32, sums)});
    });
}

}  // namespace bscope
