// What the handles of the C interface are. Each belongs to one GPU; work on it makes that GPU the calling
// thread's current one first.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <memory>

#include "kernels/cuda/check.h"
#include "kernels/plugin/plugin_abi.h"

namespace bscope::cuda {
class Matmul;
}

struct BscopeDevice {
    int index;
    cudaStream_t copies;  // copies and fills that the host waits for

    void enter() const { BSCOPE_CUDA_CHECK(cudaSetDevice(index)); }
};

struct BscopeStream {
    BscopeDevice* device;
    cudaStream_t stream;
};

namespace bscope::cuda {

// Device memory that only grows. Growing waits for the stream, which happens in the first micro-batch only.
class Scratch {
public:
    explicit Scratch(const BscopeStream& stream) : stream_(stream.stream) {}
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    ~Scratch() { cudaFree(memory_); }

    void* reserve(std::size_t bytes) {
        if (bytes > bytes_) {
            BSCOPE_CUDA_CHECK(cudaStreamSynchronize(stream_));
            BSCOPE_CUDA_CHECK(cudaFree(memory_));
            memory_ = nullptr;
            bytes_ = 0;
            BSCOPE_CUDA_CHECK(cudaMalloc(&memory_, bytes));
            bytes_ = bytes;
        }
        return memory_;
    }
    std::size_t bytes() const { return bytes_; }

private:
    cudaStream_t stream_;
    void* memory_ = nullptr;
    std::size_t bytes_ = 0;
};

}  // namespace bscope::cuda

struct BscopeOps {
    BscopeOps(BscopeStream& its_stream, int its_precision);
    ~BscopeOps();

    BscopeStream& stream;
    bscope::cuda::Scratch scratch;
    std::unique_ptr<bscope::cuda::Matmul> matmul;
};
