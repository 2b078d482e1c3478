// What tests of the fake CUDA call it with, and how they ask whether a rule was broken.
#pragma once

#include <cuda_runtime_api.h>
#include <nccl.h>

#include <stdexcept>

#include "checked_gpu.h"
#include "kernels/cuda/known_kernel.h"

namespace bscope {

inline void succeeds(cudaError_t error) {
    if (error != cudaSuccess) throw std::runtime_error(cudaGetErrorString(error));
}

inline cudaStream_t makeStream(bool urgent = true) {
    cudaStream_t stream = nullptr;
    int least = 0, greatest = 0;
    succeeds(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    succeeds(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, urgent ? greatest : least));
    return stream;
}
inline cudaEvent_t makeEvent() {
    cudaEvent_t event = nullptr;
    succeeds(cudaEventCreate(&event));
    return event;
}
inline char* makeMemory(std::size_t bytes = 1024) {
    void* memory = nullptr;
    succeeds(cudaMalloc(&memory, bytes));
    return static_cast<char*>(memory);
}

// A communicator of two ranks, one a GPU, that has come up.
struct Pair {
    ncclComm_t rank[2] = {};
    explicit Pair(int cluster = 0) {
        ncclUniqueId id{};
        ncclGetUniqueId(&id);
        ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
        config.blocking = 0;
        config.maxCTAs = 4;
        config.cgaClusterSize = cluster;
        for (int i : {0, 1}) {
            succeeds(cudaSetDevice(i));
            ncclCommInitRankConfig(&rank[i], 2, id, i, &config);
        }
        settle();
        succeeds(cudaSetDevice(0));
    }
    // Until nothing is in progress.
    void settle() const {
        for (int tries = 0; tries < 10; ++tries)
            for (const ncclComm_t each : rank) {
                ncclResult_t state = ncclSuccess;
                ncclCommGetAsyncError(each, &state);
            }
    }
    void receive(void* data, std::size_t bytes, cudaStream_t stream) const {
        ncclGroupStart();
        ncclRecv(data, bytes, ncclInt8, 1, rank[0], stream);
        ncclGroupEnd();
        settle();
    }
    void send(const void* data, std::size_t bytes, cudaStream_t stream) const {
        ncclGroupStart();
        ncclSend(data, bytes, ncclInt8, 0, rank[1], stream);
        ncclGroupEnd();
        settle();
    }
    void abort() const {
        ncclGroupStart();
        for (const ncclComm_t each : rank) ncclCommAbort(each);
        ncclGroupEnd();
    }
};

// Adds one to every byte; known to the fake as the plugin's kernels are.
inline void addOneKernel(char* bytes, unsigned count) {
    for (unsigned i = 0; i < count; ++i) bytes[i] = static_cast<char>(bytes[i] + 1);
}
// What an illegal address comes to.
inline void faultyKernel(char*, unsigned) {
    throw std::logic_error("a misaligned load");
}
inline cudaError_t launch(void (*kernel)(char*, unsigned), char* bytes, unsigned count, cudaStream_t stream,
                          dim3 grid = 1) {
    cuda::know(kernel);
    void* arguments[] = {&bytes, &count};
    return cudaLaunchKernel(reinterpret_cast<const void*>(kernel), grid, dim3(1), arguments, 0, stream);
}

}  // namespace bscope

#define BREAKS(words)                                        \
    do {                                                     \
        const QByteArray rules = brokenRules();              \
        QVERIFY2(rules.contains(words), "broken: " + rules); \
    } while (false)
#define BREAKS_NOTHING QCOMPARE(brokenRules(), QByteArray())
