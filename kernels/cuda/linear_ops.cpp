// Matrix products and linear layers of the C interface: fused where cuBLASLt can, else the product followed
// by the kernel of elementwise.cuh or sums.cuh. Also copies and fills on the stream, and the operations' own
// handle.
#include "kernels/cuda/matmul.h"
#include "kernels/cuda/plugin_parts.h"

BscopeOps::BscopeOps(BscopeStream& its_stream, int precision)
    : stream(its_stream), matmul(std::make_unique<bscope::cuda::Matmul>(its_stream, precision)) {}

BscopeOps::~BscopeOps() = default;

namespace bscope::cuda {

namespace {

template <class Work>
BscopeError onStream(BscopeOps* ops, Work work) {
    return guarded([&] {
        ops->stream.device->enter();
        work(*ops->matmul, ops->stream.stream);
        ops->stream.waitIfAsked();
    });
}

// y (rows, out) = x W^T
Product forwardProduct(BscopeOperand y, BscopeConstOperand x, BscopeConstOperand weight, std::size_t rows,
                       std::size_t in, std::size_t out) {
    return {.c = y,
            .a = x,
            .b = weight,
            .transpose_a = false,
            .transpose_b = true,
            .rows = rows,
            .columns = out,
            .inner = in,
            .lda = in,
            .ldb = in,
            .ldc = out};
}

// dx (rows, in) = dy W
Product backwardProduct(BscopeOperand dx, BscopeConstOperand dy, BscopeConstOperand weight, std::size_t rows,
                        std::size_t in, std::size_t out) {
    return {.c = dx,
            .a = dy,
            .b = weight,
            .transpose_a = false,
            .transpose_b = false,
            .rows = rows,
            .columns = in,
            .inner = out,
            .lda = out,
            .ldb = in,
            .ldc = in};
}

BscopeError opsOpen(BscopeStream* stream, int32_t precision, BscopeOps** opened) {
    return guarded([&] {
        if (precision != BSCOPE_FP32 && precision != BSCOPE_BF16)
            throw std::invalid_argument("the plugin computes in fp32 or bf16");
        stream->device->enter();
        *opened = new BscopeOps(*stream, precision);
    });
}

void opsClose(BscopeOps* ops) {
    cudaSetDevice(ops->stream.device->index);
    delete ops;
}

uint64_t workspaceBytes(const BscopeOps* ops) {
    return ops->scratch.bytes() + ops->matmul->bytes();
}

void opsFused(const BscopeOps* ops, uint32_t* fused, uint32_t* apart) {
    *fused = ops->matmul->fused();
    *apart = ops->matmul->apart();
}

BscopeError opCopy(BscopeOps* ops, float* to, const float* from, uint64_t count) {
    return onStream(ops, [&](Matmul&, cudaStream_t stream) {
        BSCOPE_CUDA_CHECK(cudaMemcpyAsync(to, from, count * sizeof(float), cudaMemcpyDeviceToDevice, stream));
    });
}

BscopeError opFillZero(BscopeOps* ops, float* x, uint64_t count) {
    return onStream(ops, [&](Matmul&, cudaStream_t stream) {
        BSCOPE_CUDA_CHECK(cudaMemsetAsync(x, 0, count * sizeof(float), stream));
    });
}

BscopeError opMatmul(BscopeOps* ops, BscopeOperand c, BscopeConstOperand a, BscopeConstOperand b,
                     int32_t transpose_a, int32_t transpose_b, uint64_t rows, uint64_t columns,
                     uint64_t inner, float alpha, float beta, uint64_t lda, uint64_t ldb, uint64_t ldc) {
    return onStream(ops, [&](Matmul& matmul, cudaStream_t) {
        matmul.run(
            {c, a, b, transpose_a != 0, transpose_b != 0, rows, columns, inner, lda, ldb, ldc, alpha, beta});
    });
}

// What is only read.
void* readable(BscopeConstOperand operand) {
    return const_cast<void*>(operand.data);
}

// The residual goes in as what is added to the product.
BscopeError opLinearForward(BscopeOps* ops, BscopeOperand y, BscopeConstOperand x, BscopeConstOperand weight,
                            BscopeConstOperand bias, const float* residual, uint64_t rows, uint64_t in,
                            uint64_t out) {
    return onStream(ops, [&](Matmul& matmul, cudaStream_t stream) {
        const Product product = forwardProduct(y, x, weight, rows, in, out);
        if (!bias.data) {
            matmul.run(product);
            return;
        }
        Product fused = product;
        fused.added = residual;
        fused.beta = residual ? 1.0F : 0.0F;
        if (matmul.run(fused, Fused::Bias, readable(bias))) return;
        matmul.run(product);
        if (residual)
            launchAddBiasResidual(stream, static_cast<float*>(y.data), static_cast<const float*>(bias.data),
                                  residual, rows, out);
        else
            launchAddBias(stream, y, bias, rows, out);
    });
}

BscopeError opLinearGeluForward(BscopeOps* ops, BscopeOperand y, BscopeOperand hidden, BscopeConstOperand x,
                                BscopeConstOperand weight, BscopeConstOperand bias, uint64_t rows,
                                uint64_t in, uint64_t out) {
    return onStream(ops, [&](Matmul& matmul, cudaStream_t stream) {
        if (matmul.run(forwardProduct(y, x, weight, rows, in, out), Fused::BiasGelu, readable(bias),
                       hidden.data))
            return;
        matmul.run(forwardProduct(hidden, x, weight, rows, in, out));
        launchBiasGelu(stream, y, hidden, bias, rows, out);
    });
}

// The fused product reads all of `hidden` while it writes. Where the result takes its place, it would have to
// be copied there, which moves as many bytes as a kernel of our own that does the rest.
BscopeError opLinearGeluBackwardInput(BscopeOps* ops, BscopeOperand d_hidden, BscopeOperand work,
                                      BscopeConstOperand dy, BscopeConstOperand weight,
                                      BscopeConstOperand hidden, uint64_t rows, uint64_t in, uint64_t out) {
    return onStream(ops, [&](Matmul& matmul, cudaStream_t stream) {
        if (d_hidden.data != hidden.data && matmul.run(backwardProduct(d_hidden, dy, weight, rows, in, out),
                                                       Fused::GeluBackward, nullptr, readable(hidden)))
            return;
        matmul.run(backwardProduct(work, dy, weight, rows, in, out));
        launchGeluBackward(stream, d_hidden, {work.data, work.precision}, hidden, rows * in);
    });
}

BscopeError opLinearBackwardWeight(BscopeOps* ops, float* d_weight, float* d_bias, BscopeConstOperand dy,
                                   BscopeConstOperand x, uint64_t rows, uint64_t in, uint64_t out) {
    return onStream(ops, [&](Matmul& matmul, cudaStream_t stream) {
        const Product product{.c = {d_weight, BSCOPE_FP32},
                              .a = dy,
                              .b = x,
                              .transpose_a = true,
                              .transpose_b = false,
                              .rows = out,
                              .columns = in,
                              .inner = rows,
                              .lda = out,
                              .ldb = in,
                              .ldc = in,
                              .alpha = 1.0F,
                              .beta = 1.0F};
        if (!d_bias) {
            matmul.run(product);
            return;
        }
        auto* const sums = static_cast<float*>(
            ops->scratch.reserve(std::max(out * sizeof(float), biasBackwardScratch(rows, out))));
        if (matmul.run(product, Fused::RowSums, sums)) {
            launchAdd(stream, d_bias, sums, out);
            return;
        }
        matmul.run(product);
        launchBiasBackward(stream, d_bias, dy, rows, out, sums);
    });
}

}  // namespace

void addLinearOps(BscopePlugin& plugin) {
    plugin.ops_open = &opsOpen;
    plugin.ops_close = &opsClose;
    plugin.ops_workspace_bytes = &workspaceBytes;
    plugin.ops_fused = &opsFused;
    plugin.op_copy = &opCopy;
    plugin.op_fill_zero = &opFillZero;
    plugin.op_matmul = &opMatmul;
    plugin.op_linear_forward = &opLinearForward;
    plugin.op_linear_gelu_forward = &opLinearGeluForward;
    plugin.op_linear_gelu_backward_input = &opLinearGeluBackwardInput;
    plugin.op_linear_backward_weight = &opLinearBackwardWeight;
}

}  // namespace bscope::cuda
