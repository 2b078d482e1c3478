// The pieces the plugin's table is put together from, one function a file, and the launches that matrix
// products need around themselves.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "kernels/plugin/plugin_abi.h"

namespace bscope::cuda {

void addMachine(BscopePlugin& plugin);
void addElementwiseOps(BscopePlugin& plugin);
void addRowOps(BscopePlugin& plugin);
void addAttentionOps(BscopePlugin& plugin);
void addLinearOps(BscopePlugin& plugin);
void addTracer(BscopePlugin& plugin);
void addRanges(BscopePlugin& plugin);
void addLinks(BscopePlugin& plugin);

// As in elementwise.cuh and sums.cuh, on a stream.
void launchRound(cudaStream_t stream, BscopeOperand to, const float* from, std::size_t rows,
                 std::size_t columns, std::size_t ld);
void launchGeluBackward(cudaStream_t stream, BscopeOperand dx, BscopeConstOperand dy, BscopeConstOperand x,
                        std::size_t count);
void launchBiasGelu(cudaStream_t stream, BscopeOperand y, BscopeOperand x, BscopeConstOperand bias,
                    std::size_t rows, std::size_t columns);
void launchAddBias(cudaStream_t stream, BscopeOperand y, BscopeConstOperand bias, std::size_t rows,
                   std::size_t columns);
void launchAddBiasResidual(cudaStream_t stream, float* y, const float* bias, const float* residual,
                           std::size_t rows, std::size_t columns);
void launchAdd(cudaStream_t stream, float* y, const float* x, std::size_t count);
std::size_t biasBackwardScratch(std::size_t rows, std::size_t columns);
void launchBiasBackward(cudaStream_t stream, float* d_bias, BscopeConstOperand dy, std::size_t rows,
                        std::size_t columns, void* scratch);

}  // namespace bscope::cuda
