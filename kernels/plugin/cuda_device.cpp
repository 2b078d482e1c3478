#include "kernels/plugin/cuda_device.h"

#include <chrono>
#include <new>
#include <string>
#include <thread>

#include "kernels/plugin/cuda_ops.h"
#include "kernels/plugin/gpu_event.h"

namespace bscope {

namespace {

constexpr auto kPollEvery = std::chrono::microseconds(20);
constexpr auto kLookEvery = std::chrono::microseconds(500);

// Owns the plugin's handle.
class StreamHandle {
public:
    StreamHandle(const BscopePlugin& api, BscopeDevice* device, bool urgent = false) : api_(api) {
        check(api.stream_open(device, urgent ? 1 : 0, &handle_));
    }
    StreamHandle(const StreamHandle&) = delete;
    StreamHandle& operator=(const StreamHandle&) = delete;
    ~StreamHandle() { api_.stream_close(handle_); }
    BscopeStream* get() const { return handle_; }

private:
    const BscopePlugin& api_;
    BscopeStream* handle_ = nullptr;
};

class CudaStream final : public Stream {
public:
    CudaStream(const BscopePlugin& api, BscopeDevice* device, std::shared_ptr<StreamHandle> handle)
        : api_(api), device_(device), handle_(std::move(handle)) {}

    void synchronize() override {
        if (watch_) {
            GpuEvent end(api_, device_);
            end.record(handle());
            auto next_look = std::chrono::steady_clock::now();
            while (!end.done()) {
                if (std::chrono::steady_clock::now() >= next_look) {
                    watch_();
                    next_look = std::chrono::steady_clock::now() + kLookEvery;
                }
                std::this_thread::sleep_for(kPollEvery);
            }
            watch_();  // what was aborted ends too, with undefined data
        }
        check(api_.stream_synchronize(handle()));
    }
    BscopeStream* handle() const { return handle_->get(); }
    void watchWith(std::function<void()> watch) { watch_ = std::move(watch); }

private:
    const BscopePlugin& api_;
    BscopeDevice* device_;
    std::shared_ptr<StreamHandle> handle_;
    std::function<void()> watch_;
};

class CudaDevice final : public Device {
public:
    CudaDevice(std::shared_ptr<const CudaPlugin> plugin, int index, Precision precision, Streams streams)
        : plugin_(std::move(plugin)), api_(plugin_->api()), precision_(precision) {
        if (const int count = plugin_->count(); index < 0 || index >= count)
            throw PluginError(sentence("there is no GPU {0}; this machine has 0 to {1}", index, count - 1));
        name_ = plugin_->describe(index).name;
        check(api_.device_open(index, &handle_));
        if (streams == Streams::Shared) shared_ = std::make_shared<StreamHandle>(api_, handle_);
    }
    CudaDevice(const CudaDevice&) = delete;
    CudaDevice& operator=(const CudaDevice&) = delete;
    ~CudaDevice() override {
        shared_.reset();
        api_.device_close(handle_);
    }
    BscopeDevice* handle() const { return handle_; }

    std::string name() const override { return name_; }
    Precision operandPrecision() const override { return precision_; }
    std::unique_ptr<Stream> makeStream() override {
        return std::make_unique<CudaStream>(
            api_, handle_, shared_ ? shared_ : std::make_shared<StreamHandle>(api_, handle_));
    }
    std::unique_ptr<Stream> makeMessageStream() {
        return std::make_unique<CudaStream>(api_, handle_,
                                            std::make_shared<StreamHandle>(api_, handle_, true));
    }
    std::unique_ptr<Ops> makeOps(Stream& stream) override {
        return std::make_unique<CudaOps>(api_, cudaStreamOf(stream), precision_);
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
    std::shared_ptr<StreamHandle> shared_;
};

}  // namespace

std::unique_ptr<Device> makeCudaDevice(std::shared_ptr<const CudaPlugin> plugin, int index,
                                       Precision precision, Streams streams) {
    return std::make_unique<CudaDevice>(std::move(plugin), index, precision, streams);
}

BscopeDevice* cudaDeviceOf(Device& device) {
    return dynamic_cast<CudaDevice&>(device).handle();
}

BscopeStream* cudaStreamOf(Stream& stream) {
    return dynamic_cast<CudaStream&>(stream).handle();
}

std::unique_ptr<Stream> makeMessageStream(Device& device) {
    return dynamic_cast<CudaDevice&>(device).makeMessageStream();
}

FusedForms fusedForms(const Ops& ops) {
    FusedForms forms;
    dynamic_cast<const CudaOps&>(ops).fused(&forms.fused, &forms.apart);
    return forms;
}

void watchWhileWaiting(Stream& stream, std::function<void()> watch) {
    dynamic_cast<CudaStream&>(stream).watchWith(std::move(watch));
}

}  // namespace bscope
