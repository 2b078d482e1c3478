// Host memory, aligned to cache lines and to AVX-512 registers.
#include "kernels/cpu/cpu_device.h"

#include <omp.h>
#include <oneapi/dnnl/dnnl.h>

#include <cstring>
#include <new>

#include "host/large_pages.h"
#include "kernels/cpu/cpu_ops.h"

namespace bscope {

namespace {

constexpr std::align_val_t kAlignment{64};

class CpuStream final : public Stream {
public:
    void synchronize() override {}
};

class CpuDevice final : public Device {
public:
    std::string name() const override { return "CPU"; }
    bool isHost() const override { return true; }
    std::unique_ptr<Stream> makeStream() override { return std::make_unique<CpuStream>(); }
    std::unique_ptr<Ops> makeOps(Stream&) override { return std::make_unique<CpuOps>(); }
    void prepareThread() override { omp_set_num_threads(1); }

    void* allocate(std::size_t bytes) override {
        void* const memory = ::operator new(bytes, kAlignment);
        preferLargePages(memory, bytes);
        return memory;
    }
    void release(void* memory, std::size_t) noexcept override { ::operator delete(memory, kAlignment); }
    void copy(void* to, const void* from, std::size_t bytes) override {
        if (bytes > 0) std::memcpy(to, from, bytes);
    }
    void fillZero(void* memory, std::size_t bytes) override {
        if (bytes > 0) std::memset(memory, 0, bytes);
    }
};

}  // namespace

std::unique_ptr<Device> makeCpuDevice() {
    return std::make_unique<CpuDevice>();
}

bool hasProductLoops() {
    return simd::bestLevel().products != nullptr;
}

std::string productsName(Products products) {
    if (simd::bestLevel().loopsFor(products) != nullptr) return "own loops";
    const dnnl_version_t& version = *dnnl_version();
    return "oneDNN " + std::to_string(version.major) + '.' + std::to_string(version.minor) + '.' +
           std::to_string(version.patch);
}

}  // namespace bscope
