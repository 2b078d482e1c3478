// GPUs, memory, streams and events.
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>
#include <new>

#include "emulated.h"
#include "kernels/cpu/cpu_device.h"

namespace emulated {

// Streams keep what they wait for, so closing an event waits for nothing.
struct Moment {
    std::mutex mutex;
    std::condition_variable came;
    std::uint64_t recorded = 0, done = 0;  // how often
    std::int64_t time_ns = 0;              // of the last that came

    void await(std::uint64_t which) {
        std::unique_lock<std::mutex> lock(mutex);
        came.wait(lock, [&] { return done >= which; });
    }
};

}  // namespace emulated

struct BscopeEvent {
    std::shared_ptr<emulated::Moment> moment = std::make_shared<emulated::Moment>();
};

BscopeStream::BscopeStream(BscopeDevice& its_device, int its_number)
    : device(its_device), number(its_number), thread_([this] { live(); }) {}

BscopeStream::~BscopeStream() {
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        ending_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

void BscopeStream::hand(Work work) {
    const std::lock_guard<std::mutex> lock(mutex_);
    queue_.push_back(std::move(work));
    changed_.notify_all();
}

void BscopeStream::hand(int kind, const char* name, std::uint64_t bytes, Work work) {
    const auto operation = std::make_shared<const BscopeGraph::Operation>(
        BscopeGraph::Operation{kind, name, bytes, std::move(work)});
    if (captured_)
        captured_->operations.push_back(operation);
    else
        launch({{operation}});
}

void BscopeStream::launch(const BscopeGraph& graph) {
    const std::uint32_t call = emulated::traceCall(graph.operations.size());
    for (const auto& operation : graph.operations)
        hand([this, operation, call] {
            const std::int64_t start_ns = bscope::monotonic_ns();
            const auto tell = [&] {
                emulated::traceSpan(call, operation->kind, operation->name, operation->bytes, start_ns,
                                    device.index, number);
            };
            try {
                operation->work();
            } catch (...) {
                tell();
                throw;
            }
            tell();
        });
}

void BscopeStream::drain() {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [&] { return queue_.empty() && !busy_; });
}

void BscopeStream::synchronize() {
    drain();
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!error_.empty()) throw std::runtime_error(error_);
}

void BscopeStream::live() {
    bscope::makeCpuDevice()->prepareThread();
    std::unique_lock<std::mutex> lock(mutex_);
    for (;;) {
        changed_.wait(lock, [&] { return ending_ || !queue_.empty(); });
        if (queue_.empty()) return;
        const Work work = std::move(queue_.front());
        queue_.pop_front();
        busy_ = true;
        lock.unlock();
        std::string error;
        try {
            work();
        } catch (const std::exception& thrown) {
            error = thrown.what();
        }
        lock.lock();
        busy_ = false;
        if (error_.empty()) error_ = error;
        if (queue_.empty()) changed_.notify_all();
    }
}

namespace emulated {

long setting(const char* name, long otherwise) {
    const char* const text = std::getenv(name);
    return text != nullptr && *text != 0 ? std::strtol(text, nullptr, 10) : otherwise;
}

namespace {

constexpr std::align_val_t kAlignment{64};
constexpr int kNonsense = 0xFF;  // a NaN in every float

int gpus() {
    return static_cast<int>(setting("BSCOPE_EMULATED_GPUS", 1));
}

std::uint64_t gpuBytes() {
    return static_cast<std::uint64_t>(setting("BSCOPE_EMULATED_BYTES", 1L << 30));
}

// What every GPU has given away; a GPU opened twice is one GPU.
class Memory {
public:
    void* take(int device, std::uint64_t bytes) {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (used_[device] + bytes > gpuBytes()) return nullptr;
        void* const memory = ::operator new(bytes, kAlignment);
        std::memset(memory, kNonsense, bytes);
        used_[device] += bytes;
        blocks_[memory] = bytes;
        return memory;
    }
    void giveBack(int device, void* memory) {
        const std::lock_guard<std::mutex> lock(mutex_);
        const auto block = blocks_.find(memory);
        if (block == blocks_.end()) std::abort();  // freed twice
        std::memset(memory, kNonsense, block->second);
        used_[device] -= block->second;
        blocks_.erase(block);
        ::operator delete(memory, kAlignment);
    }
    std::uint64_t used(int device) {
        const std::lock_guard<std::mutex> lock(mutex_);
        return used_[device];
    }

private:
    std::mutex mutex_;
    std::map<int, std::uint64_t> used_;
    std::map<void*, std::uint64_t> blocks_;
};

Memory& memory() {
    static Memory* const only = new Memory;
    return *only;
}

BscopeError deviceCount(std::int32_t* count) {
    *count = gpus();
    return nullptr;
}

BscopeError describe(std::int32_t device, BscopeGpu* gpu) {
    *gpu = {};
    std::string("Emulated GPU").copy(gpu->name, sizeof(gpu->name) - 1);
    ("0000:0" + std::to_string(device) + ":00.0").copy(gpu->bus_id, sizeof(gpu->bus_id) - 1);
    const auto compute = static_cast<int>(setting("BSCOPE_EMULATED_COMPUTE", 80));
    gpu->compute_major = compute / 10;
    gpu->compute_minor = compute % 10;
    gpu->processors = 1;
    gpu->total_bytes = gpuBytes();
    return nullptr;
}

// As freeing memory on a GPU does: everything on the device is done first.
void release(BscopeDevice* device, void* block) {
    {
        const std::lock_guard<std::mutex> lock(device->mutex);
        for (BscopeStream* stream : device->streams) stream->drain();
    }
    memory().giveBack(device->index, block);
}

BscopeError streamOpen(BscopeDevice* device, std::int32_t, BscopeStream** opened) {
    static std::atomic<int> number{0};
    *opened = new BscopeStream(*device, ++number);
    const std::lock_guard<std::mutex> lock(device->mutex);
    device->streams.insert(*opened);
    return nullptr;
}

void streamClose(BscopeStream* stream) {
    {
        const std::lock_guard<std::mutex> lock(stream->device.mutex);
        stream->device.streams.erase(stream);
    }
    delete stream;
}

BscopeError eventRecord(BscopeEvent* event, BscopeStream* stream) {
    const std::lock_guard<std::mutex> lock(event->moment->mutex);
    stream->hand([moment = event->moment, which = ++event->moment->recorded] {
        const std::lock_guard<std::mutex> coming(moment->mutex);
        moment->done = std::max(moment->done, which);
        moment->time_ns = monotonic_ns();
        moment->came.notify_all();
    });
    return nullptr;
}

BscopeError streamWait(BscopeStream* stream, BscopeEvent* event) {
    const std::lock_guard<std::mutex> lock(event->moment->mutex);
    stream->hand([moment = event->moment, which = event->moment->recorded] { moment->await(which); });
    return nullptr;
}

BscopeError eventElapsed(BscopeEvent* from, BscopeEvent* to, std::int64_t* elapsed_ns) {
    for (const BscopeEvent* event : {from, to}) event->moment->await(event->moment->recorded);
    *elapsed_ns = to->moment->time_ns - from->moment->time_ns;
    return nullptr;
}

}  // namespace

void addMachine(BscopePlugin& plugin) {
    plugin.driver_version = [](std::int32_t* version) -> BscopeError {
        *version = 13000;
        return nullptr;
    };
    plugin.device_count = &deviceCount;
    plugin.describe = &describe;
    plugin.peer = [](std::int32_t, std::int32_t, BscopePeer* found) -> BscopeError {
        *found = {1, 0, 0};
        return nullptr;
    };
    plugin.device_open = [](std::int32_t device, BscopeDevice** opened) -> BscopeError {
        *opened = new BscopeDevice;
        (*opened)->index = device;
        return nullptr;
    };
    plugin.device_close = [](BscopeDevice* device) { delete device; };
    plugin.prepare_thread = [](BscopeDevice*) -> BscopeError { return nullptr; };
    plugin.allocate = [](BscopeDevice* device, std::uint64_t bytes, void** block,
                         std::int32_t* out_of_memory) -> BscopeError {
        *block = bytes > 0 ? memory().take(device->index, bytes) : nullptr;
        *out_of_memory = bytes > 0 && *block == nullptr ? 1 : 0;
        return *out_of_memory != 0 ? lastError("out of memory") : nullptr;
    };
    plugin.release = &release;
    plugin.memory_used = [](BscopeDevice* device, std::uint64_t* bytes) -> BscopeError {
        *bytes = memory().used(device->index);
        return nullptr;
    };
    plugin.copy = [](BscopeDevice*, void* to, const void* from, std::uint64_t bytes) -> BscopeError {
        std::memcpy(to, from, bytes);
        return nullptr;
    };
    plugin.fill_zero = [](BscopeDevice*, void* block, std::uint64_t bytes) -> BscopeError {
        std::memset(block, 0, bytes);
        return nullptr;
    };
    plugin.stream_open = &streamOpen;
    plugin.stream_close = &streamClose;
    plugin.stream_synchronize = [](BscopeStream* stream) { return guarded([&] { stream->synchronize(); }); };
    plugin.stream_wait = &streamWait;
    plugin.graph_begin = [](BscopeStream* stream) -> BscopeError {
        stream->beginCapture();
        return nullptr;
    };
    plugin.graph_end = [](BscopeStream* stream, BscopeGraph** made) -> BscopeError {
        *made = stream->endCapture().release();
        return nullptr;
    };
    plugin.graph_launch = [](BscopeGraph* graph, BscopeStream* stream) -> BscopeError {
        stream->launch(*graph);
        return nullptr;
    };
    plugin.graph_close = [](BscopeGraph* graph) { delete graph; };
    plugin.event_open = [](BscopeDevice*, BscopeEvent** opened) -> BscopeError {
        *opened = new BscopeEvent;
        return nullptr;
    };
    plugin.event_close = [](BscopeEvent* event) { delete event; };
    plugin.event_record = &eventRecord;
    plugin.event_done = [](BscopeEvent* event, std::int32_t* done) -> BscopeError {
        const std::lock_guard<std::mutex> lock(event->moment->mutex);
        *done = event->moment->done >= event->moment->recorded ? 1 : 0;
        return nullptr;
    };
    plugin.event_elapsed = &eventElapsed;
}

}  // namespace emulated
