// What the handles of the C interface are. Each belongs to one GPU; work on it makes that GPU the calling
// thread's current one first.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <vector>

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
    std::mutex capturing{};  // held while its work becomes a graph
    bool captured = false;   // its work becomes a graph; read by the thread that submits work

    // BSCOPE_CUDA_SYNCHRONOUS=1: waits after each operation, so that an error names the one that caused it.
    // Messages stay asynchronous, which they do not with the driver's CUDA_LAUNCH_BLOCKING.
    void waitIfAsked() const {
        static const bool asked = [] {
            const char* const text = std::getenv("BSCOPE_CUDA_SYNCHRONOUS");
            return text && *text == '1';
        }();
        if (asked && !captured) BSCOPE_CUDA_CHECK(cudaStreamSynchronize(stream));
    }
};

struct BscopeGraph {
    BscopeDevice* device;
    cudaGraphExec_t graph;
};

namespace bscope::cuda {

// Device memory that only grows, in the first micro-batch. What was smaller stays: work under way and graphs
// still use it.
class Scratch {
public:
    Scratch() = default;
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    ~Scratch() {
        for (void* block : blocks_) cudaFree(block);
    }

    void* reserve(std::size_t bytes) {
        if (bytes > room_) {
            void* block = nullptr;
            BSCOPE_CUDA_CHECK(cudaMalloc(&block, bytes));
            blocks_.push_back(block);
            room_ = bytes;
            bytes_ += bytes;
        }
        return blocks_.empty() ? nullptr : blocks_.back();
    }
    std::size_t bytes() const { return bytes_; }

private:
    std::vector<void*> blocks_;
    std::size_t room_ = 0;   // of the last
    std::size_t bytes_ = 0;  // of all
};

}  // namespace bscope::cuda

struct BscopeOps {
    BscopeOps(BscopeStream& its_stream, bscope::Precision precision);
    ~BscopeOps();

    BscopeStream& stream;
    bscope::cuda::Scratch scratch;
    std::unique_ptr<bscope::cuda::Matmul> matmul;
};
