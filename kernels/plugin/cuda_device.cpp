#include "kernels/plugin/cuda_device.h"

#include <new>
#include <string>

#include "kernels/plugin/cuda_ops.h"

namespace bscope {

namespace {

class CudaStream final : public Stream {
public:
    CudaStream(const BscopePlugin& api, BscopeDevice* device) : api_(api) {
        check(api.stream_open(device, &handle_));
    }
    CudaStream(const CudaStream&) = delete;
    CudaStream& operator=(const CudaStream&) = delete;
    ~CudaStream() override { api_.stream_close(handle_); }

    void synchronize() override { check(api_.stream_synchronize(handle_)); }
    BscopeStream* handle() const { return handle_; }

private:
    const BscopePlugin& api_;
    BscopeStream* handle_ = nullptr;
};

class CudaDevice final : public Device {
public:
    CudaDevice(std::shared_ptr<const CudaPlugin> plugin, int index, Precision precision)
        : plugin_(std::move(plugin)), api_(plugin_->api()), precision_(precision) {
        const auto gpus = plugin_->gpus();
        if (index < 0 || static_cast<std::size_t>(index) >= gpus.size())
            throw PluginError("there is no GPU " + std::to_string(index) + "; this machine has 0 to " +
                              std::to_string(gpus.size() - 1));
        name_ = gpus[static_cast<std::size_t>(index)].name;
        check(api_.device_open(index, &handle_));
    }
    CudaDevice(const CudaDevice&) = delete;
    CudaDevice& operator=(const CudaDevice&) = delete;
    ~CudaDevice() override { api_.device_close(handle_); }

    std::string name() const override { return name_; }
    std::unique_ptr<Stream> makeStream() override { return std::make_unique<CudaStream>(api_, handle_); }
    std::unique_ptr<Ops> makeOps(Stream& stream) override {
        return std::make_unique<CudaOps>(api_, cudaStreamOf(stream),
                                         precision_ == Precision::Bf16 ? BSCOPE_BF16 : BSCOPE_FP32);
    }
    void prepareThread() override { check(api_.prepare_thread(handle_)); }

    void* allocate(std::size_t bytes) override {
        void* memory = nullptr;
        std::int32_t out_of_memory = 0;
        const BscopeError error = api_.allocate(handle_, bytes, &memory, &out_of_memory);
        if (out_of_memory != 0) throw std::bad_alloc();
        check(error);
        return memory;
    }
    void release(void* memory, std::size_t) noexcept override {
        if (memory) api_.release(handle_, memory);
    }
    void copy(void* to, const void* from, std::size_t bytes) override {
        if (bytes > 0) check(api_.copy(handle_, to, from, bytes));
    }
    void fillZero(void* memory, std::size_t bytes) override {
        if (bytes > 0) check(api_.fill_zero(handle_, memory, bytes));
    }

private:
    std::shared_ptr<const CudaPlugin> plugin_;
    const BscopePlugin& api_;
    Precision precision_;
    std::string name_;
    BscopeDevice* handle_ = nullptr;
};

}  // namespace

std::unique_ptr<Device> makeCudaDevice(std::shared_ptr<const CudaPlugin> plugin, int index,
                                       Precision precision) {
    return std::make_unique<CudaDevice>(std::move(plugin), index, precision);
}

BscopeStream* cudaStreamOf(Stream& stream) {
    return dynamic_cast<CudaStream&>(stream).handle();
}

}  // namespace bscope
