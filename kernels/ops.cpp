// The linear layers of a device without fused products.
#include "kernels/ops.h"

namespace bscope {

void Ops::linear_forward(Operand y, ConstOperand x, ConstOperand weight, ConstOperand bias,
                         const float* residual, std::size_t rows, std::size_t in, std::size_t out) {
    matmul(y, x, weight, Transpose::No, Transpose::Yes, rows, out, in, 1.0F, 0.0F, in, in, out);
    if (residual)
        add_bias_residual(y.fp32(), bias.fp32(), residual, rows, out);
    else if (bias)
        add_bias(y, bias, rows, out);
}

void Ops::linear_gelu_forward(Operand y, Operand hidden, ConstOperand x, ConstOperand weight,
                              ConstOperand bias, std::size_t rows, std::size_t in, std::size_t out) {
    matmul(hidden, x, weight, Transpose::No, Transpose::Yes, rows, out, in, 1.0F, 0.0F, in, in, out);
    bias_gelu_forward(y, hidden, bias, rows, out);
}

void Ops::linear_backward_input(Operand dx, ConstOperand dy, ConstOperand weight, std::size_t rows,
                                std::size_t in, std::size_t out) {
    matmul(dx, dy, weight, Transpose::No, Transpose::No, rows, in, out, 1.0F, 0.0F, out, in, in);
}

void Ops::linear_gelu_backward_input(Operand d_hidden, Operand work, ConstOperand dy, ConstOperand weight,
                                     ConstOperand hidden, std::size_t rows, std::size_t in, std::size_t out) {
    linear_backward_input(work, dy, weight, rows, in, out);
    gelu_backward(d_hidden, work, hidden, rows * in);
}

void Ops::linear_backward_weight(float* d_weight, float* d_bias, ConstOperand dy, ConstOperand x,
                                 std::size_t rows, std::size_t in, std::size_t out) {
    matmul(d_weight, dy, x, Transpose::Yes, Transpose::No, out, in, rows, 1.0F, 1.0F, out, in, in);
    if (d_bias) bias_backward(d_bias, dy, rows, out);
}

}  // namespace bscope
