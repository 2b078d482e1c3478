// What is handed over, what runs when, and in which order memory is touched.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "fake.h"
#include "fake_cuda.h"

namespace fake {

namespace {

constexpr std::size_t kQueue = 1024;  // operations that a stream takes before handing over blocks
constexpr int kConnections = 32;      // hardware queues; a device has no more

}  // namespace

// CUDA_DEVICE_MAX_CONNECTIONS as it was when CUDA was first called.
int connections() {
    static const int only = [] {
        const char* const text = std::getenv("CUDA_DEVICE_MAX_CONNECTIONS");
        return text ? std::clamp(std::atoi(text), 1, kConnections) : 8;
    }();
    return only;
}

bool Nth::now() {
    const long wanted = setting(name_, 0);
    calls_ = wanted == 0 ? 0 : calls_ + 1;
    return wanted != 0 && calls_ == wanted;
}

void join(Clock& to, const Clock& from) {
    if (to.size() < from.size()) to.resize(from.size());
    for (std::size_t i = 0; i < from.size(); ++i) to[i] = std::max(to[i], from[i]);
}

long setting(const char* name, long otherwise) {
    const char* const text = std::getenv(name);
    return text && *text ? std::strtol(text, nullptr, 10) : otherwise;
}

std::int64_t monotonic_ns() {
    std::timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1'000'000'000 + now.tv_nsec;
}

World& World::only() {
    static World* const world = new World;
    return *world;
}

World::World() : chance(static_cast<unsigned>(setting("BSCOPE_FAKE_SEED", 1))) {
    static_cast<void>(connections());
    for (int i = 0; i < setting("BSCOPE_FAKE_GPUS", 2); ++i)
        devices.push_back(std::unique_ptr<Device>(new Device{.index = i, .streams = {}, .loaded = {}}));
    if (setting("BSCOPE_FAKE_STRICT", 0) != 0)
        std::atexit([] {
            if (World::only().brokenCount() > 0) ::_exit(99);
        });
}

Device& World::device(int index) {
    return *devices.at(static_cast<std::size_t>(index));
}

Thread& World::thread() {
    static thread_local Thread self;
    static std::uint64_t threads = 0;
    if (self.number == 0) self.number = ++threads;
    return self;
}

void World::broken(const std::string& rule) {
    ++count_;
    std::fprintf(stderr, "fake CUDA: %s\n", rule.c_str());
    if (broken_.size() < 100) broken_.push_back(rule);
}

std::string World::takeBroken() {
    std::string all;
    for (const std::string& rule : std::exchange(broken_, {})) all += rule + "\n";
    return all;
}

cudaError_t World::result(cudaError_t error, const char* call) {
    if (error == cudaSuccess) return error;
    thread().last = error;
    thread().last_call = call;
    return error;
}

Device& World::current(const char* call) {
    Thread& self = thread();
    if (self.device < 0) broken(std::string(call) + ": this thread has set no device");
    return device(std::max(self.device, 0));
}

// By the mode of each capture under way (runtime manual, cudaThreadExchangeStreamCaptureMode; no thread here
// changes its own): one that a thread began forbids it the call unless it is relaxed, a global one of another
// thread forbids it too.
bool World::isSafe(const char* call) {
    bool safe = true;
    for (Stream* const stream : capturing) {
        const bool own = stream->captured_by == thread().number;
        if (own ? stream->capture_mode == cudaStreamCaptureModeRelaxed
                : stream->capture_mode != cudaStreamCaptureModeGlobal)
            continue;
        broken(std::string(call) + (own ? " while this thread captures a stream"
                                        : " while another thread captures a stream, for all threads"));
        stream->capture_broken = true;
        safe = false;
    }
    return safe;
}

// Memory is given and taken back for all peers: the call waits for whatever runs on them.
bool World::allocates(const char* call) {
    const bool safe = isSafe(call);
    if (!unmatched) return safe;
    if (const std::string waits = unmatched(); !waits.empty())
        broken(std::string(call) + " may wait for all GPUs, where " + waits + " waits for a peer");
    return safe;
}

Block* World::blockOf(const char* address) {
    auto found = blocks.upper_bound(address);
    if (found == blocks.begin()) return nullptr;
    --found;
    return address < found->first + found->second.bytes ? &found->second : nullptr;
}

Access World::touch(const void* address, std::size_t bytes, bool writes, const Device& on,
                    const std::string& what) {
    const char* const first = static_cast<const char*>(address);
    Block* const block = blockOf(first);
    if (!block) {
        broken(what + ": not memory of a GPU, or freed");
        return {first, first, writes, true};
    }
    if (block->device != on.index)
        broken(what + ": memory of GPU " + std::to_string(block->device) + " used by GPU " +
               std::to_string(on.index));
    const char* const end = std::prev(blocks.upper_bound(first))->first + block->bytes;
    if (bytes > static_cast<std::size_t>(end - first)) broken(what + ": beyond the end of its memory");
    return {first, bytes == 0 ? end : first + bytes, writes, bytes != 0};
}

const char* Block::endOf(const Access& access) const {
    if (access.exact) return access.past;
    const auto next = begins.upper_bound(access.first);
    return next == begins.end() ? access.past : std::min(access.past, *next);
}

// An access must follow all earlier ones that it clashes with: in the same stream, over an event, or because
// a host thread has seen them to be over.
void World::order(Stream& stream, const Operation& operation, std::uint64_t tick) {
    for (const Access& access : operation.accesses) {
        Block* const block = blockOf(access.first);
        if (!block || access.first == access.past) continue;
        const auto knows = [](const Clock& clock, int row) {
            const auto at = static_cast<std::size_t>(row);
            return at < clock.size() ? clock[at] : 0;
        };
        std::erase_if(block->seen, [&](const Seen& seen) { return seen.tick <= knows(host, seen.row); });
        block->begins.insert(access.first);
        for (const Seen& seen : block->seen) {
            if (seen.row == stream.row || seen.tick <= knows(stream.clock, seen.row)) continue;
            if (!(seen.access.writes || access.writes)) continue;
            if (block->endOf(seen.access) <= access.first || block->endOf(access) <= seen.access.first)
                continue;
            broken(operation.what + (access.writes ? " writes" : " reads") + " what " + seen.what +
                   (seen.access.writes ? " writes" : " reads") + " in another stream, in no order");
        }
        std::erase_if(block->seen, [&](const Seen& seen) {
            return seen.row == stream.row && seen.access.first >= access.first &&
                   block->endOf(seen.access) <= block->endOf(access) &&
                   (access.writes || !seen.access.writes);
        });
        block->seen.push_back({access, stream.row, tick, operation.what});
    }
}

cudaError_t World::hand(Stream& stream, Operation operation) {
    if (stream.device->fault != cudaSuccess) return stream.device->fault;
    if (stream.captured && stream.capture_broken) return cudaErrorStreamCaptureInvalidated;
    if (stream.captured) {
        if (operation.library && !stream.device->loaded.contains(operation.library))
            broken(operation.what + ": first used, and loaded, while a stream is captured");
        stream.captured->operations.push_back(std::move(operation));
        return cudaSuccess;
    }
    const Traced traced = operation.traced;
    if (called) operation.correlation = called(traced.kind, operation.what.c_str());
    put(stream, std::make_shared<Operation>(std::move(operation)));
    return cudaSuccess;
}

void World::put(Stream& stream, std::shared_ptr<Operation> operation) {
    if (operation->library && stream.device->loaded.insert(operation->library).second && unmatched)
        if (const std::string waits = unmatched(); !waits.empty())
            broken(operation->what + ": its first use may wait for the GPU to load it, where " + waits +
                   " waits for a peer");
    if (stream.queue.size() >= kQueue) {
        Lock lock(mutex);
        advanceUntil(
            lock, [&] { return stream.queue.size() < kQueue; }, "a full queue");
    }
    const auto row = static_cast<std::size_t>(stream.row);
    const std::uint64_t tick = ++ticks[row];
    join(stream.clock, host);
    if (stream.clock.size() <= row) stream.clock.resize(row + 1);
    stream.clock[row] = tick;
    order(stream, *operation, tick);
    operation->number = ++numbers;
    ++stream.handed;
    stream.queue.push_back(std::move(operation));
    while (chance() % 4 == 0 && advance()) {
    }
}

// Free processors for it, if there are enough. Blocks without clusters are spread, as on a GPU: they take one
// of each four before they take a second one. A cluster takes neighbours, counted off from the first one.
std::optional<std::vector<unsigned>> World::place(const Device& on, const Operation& operation) const {
    constexpr unsigned kApart = 4;
    const auto all = static_cast<unsigned>(setting("BSCOPE_FAKE_PROCESSORS", 132));
    std::set<unsigned> taken;
    for (const Stream* stream : on.streams)
        if (!stream->queue.empty() && stream->queue.front()->started)
            taken.insert(stream->queue.front()->where.begin(), stream->queue.front()->where.end());
    const unsigned cluster = operation.cluster, step = cluster > 1 ? cluster : kApart;
    std::vector<unsigned> found;
    for (unsigned first = 0; first < (cluster > 1 ? 1 : step); ++first)
        for (unsigned at = first; at + cluster <= all && found.size() < operation.processors; at += step) {
            const auto next = taken.lower_bound(at);
            if (next != taken.end() && *next < at + cluster) continue;
            for (unsigned i = 0; i < cluster; ++i) found.push_back(at + i);
        }
    if (found.size() < operation.processors) return std::nullopt;
    return found;
}

// Streams that share a hardware queue begin in the order of handing over.
bool World::canStart(const Stream& stream, const Operation& operation) const {
    if (operation.ready && !operation.ready()) return false;
    for (const Stream* other : stream.device->streams)
        if (other != &stream && other->number % connections() == stream.number % connections())
            for (const auto& waiting : other->queue)
                if (!waiting->started && waiting->number < operation.number) return false;
    return operation.processors == 0 || place(*stream.device, operation).has_value();
}

void World::complete(Stream& stream) {
    const std::shared_ptr<Operation> operation = stream.queue.front();
    stream.queue.pop_front();
    ++stream.done;
    if (ran) ran(*operation, stream, monotonic_ns());
    moved_.notify_all();
}

bool World::advance() {
    if (listen) listen();
    std::vector<Stream*> able;
    for (const auto& on : devices)
        for (Stream* const stream : on->streams) {
            if (stream->queue.empty()) continue;
            const Operation& head = *stream->queue.front();
            if (on->fault != cudaSuccess || (head.started ? head.finished() : canStart(*stream, head)))
                able.push_back(stream);
        }
    if (able.empty()) return false;
    // Of kernels that could begin, those of the highest priority do.
    const auto begins = [](const Stream* stream) {
        return !stream->queue.front()->started && stream->queue.front()->processors > 0;
    };
    int highest = 0;
    for (const Stream* stream : able)
        if (begins(stream)) highest = std::min(highest, stream->priority);
    std::erase_if(able, [&](const Stream* stream) { return begins(stream) && stream->priority > highest; });
    Stream& stream = *able[chance() % able.size()];
    const std::shared_ptr<Operation> head = stream.queue.front();
    if (stream.device->fault != cudaSuccess) {
        complete(stream);
        return true;
    }
    if (!head->started) {
        if (head->processors > 0) head->where = place(*stream.device, *head).value();
        head->started = true;
        head->start_ns = monotonic_ns();
        try {
            if (head->run) head->run();
        } catch (const AskedFor&) {
            stream.device->fault = cudaErrorIllegalAddress;
        } catch (const std::exception& error) {
            broken(head->what + " faults: " + error.what());
            stream.device->fault = cudaErrorIllegalAddress;
        }
        if (head->finished) return true;
    }
    complete(stream);
    return true;
}

bool World::advanceUntil(Lock& lock, const std::function<bool()>& condition, const std::string& what) {
    auto last = std::chrono::steady_clock::now();
    std::uint64_t seen = numbers + completions;
    while (!condition()) {
        if (advance() || seen != numbers + completions) {
            last = std::chrono::steady_clock::now();
            seen = numbers + completions;
            continue;
        }
        moved_.wait_for(lock, std::chrono::milliseconds(1));
        if (std::chrono::steady_clock::now() - last >
            std::chrono::milliseconds(setting("BSCOPE_FAKE_HANG_MS", 20'000))) {
            broken("hangs: " + what);
            return false;
        }
    }
    return true;
}

}  // namespace fake

extern "C" void fake_cuda_restart() {
    FAKE_ENTER;
    for (const auto& device : world.devices) device->fault = cudaSuccess;
    world.thread().last = cudaSuccess;
}

extern "C" const char* fake_cuda_broken() {
    static std::string last;
    FAKE_ENTER;
    last = world.takeBroken();
    return last.c_str();
}
