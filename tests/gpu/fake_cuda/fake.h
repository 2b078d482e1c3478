// A CUDA runtime, cuBLASLt, CUPTI and NCCL without a GPU, that refuse what their documents forbid. The
// plugin's own sources are linked against it (bscope_cuda_checked.so), so that every call that the plugin
// makes is judged. What is handed to a stream is done as late as is legal, or as early, by chance (a seed): a
// stream's head runs when a host thread asks how far it is. Kernels run by the emulation of
// kernels/cuda/emulation.h, products as plain loops. All state is under one lock.
//
// A broken rule is a sentence in a list (fake_cuda.h); the call goes on as a real one might.
//   BSCOPE_FAKE_GPUS=n         how many GPUs there are (2)
//   BSCOPE_FAKE_SEED=n         chance (1)
//   BSCOPE_FAKE_PROCESSORS=n   multiprocessors of each (132)
//   BSCOPE_FAKE_MAJOR=n        compute capability of each, before the point (9)
//   BSCOPE_FAKE_BYTES=n        memory of each (2 GiB)
//   BSCOPE_FAKE_DRIVER=n       the driver's version (13000)
//   BSCOPE_FAKE_FAULT=n        the n-th kernel launch faults, as an illegal address would
//   BSCOPE_FAKE_FAULT_BEFORE_PRODUCT=n  the n-th product finds that a kernel before it has faulted
//   BSCOPE_FAKE_REFUSE=n       epilogue that cuBLASLt has no kernel for, known to the heuristic (0: all can)
//   BSCOPE_FAKE_REFUSE_LATE=n  the same, known to cublasLtMatmul only
//   BSCOPE_FAKE_INVALID=n      epilogue of which cublasLtMatmul says that it was called wrongly
//   BSCOPE_FAKE_SPLIT_FAILS=n  the n-th split of communicators fails on all its ranks; with ranks as
//   processes
//                              to be set in all of them
//   BSCOPE_FAKE_LINK_ERROR=n   the n-th exchange fails
//   BSCOPE_FAKE_LINK_SILENT=n  what the n-th exchange sends or receives never meets its other end
//   BSCOPE_FAKE_HANG_MS=n      who waits so long while nothing moves, hangs (20000)
//   BSCOPE_FAKE_STRICT=1       a process that broke a rule exits with 99
#pragma once

#include <cublasLt.h>
#include <cuda_runtime_api.h>

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace fake {

using Lock = std::unique_lock<std::recursive_mutex>;
using Clock = std::vector<std::uint64_t>;  // how far each stream is known to be; by the stream's row

// What a test has asked for breaks no rule.
struct AskedFor : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// The n-th call since the variable that names it was set.
class Nth {
public:
    explicit Nth(const char* name) : name_(name) {}
    bool now();

private:
    const char* name_;
    long calls_ = 0;
};

int connections();
void join(Clock& to, const Clock& from);
long setting(const char* name, long otherwise);
std::int64_t monotonic_ns();

// Bytes that an operation reads or writes. A kernel's pointer does not say how many it means: the range noted
// for it ends at the latest with the memory, and is taken to end where another operation is known to begin.
struct Access {
    const char* first;
    const char* past;
    bool writes;
    bool exact = true;
};

enum class Kind { Kernel, Copy, Fill, Other };

// What the tracer receives of an operation.
struct Traced {
    Kind kind = Kind::Other;
    const char* name = nullptr;
    std::uint64_t bytes = 0;
};

struct Operation {
    std::string what{};
    std::vector<Access> accesses{};
    std::function<bool()> ready{};     // null: at once
    std::function<void()> run{};       // null: nothing
    std::function<bool()> finished{};  // null: when it has run
    Traced traced{};
    unsigned processors = 1;        // that it keeps while it runs; 0: none
    unsigned cluster = 1;           // so many of them side by side
    const void* library = nullptr;  // what is loaded at its first use on a device

    // Filled in when it is handed over.
    std::uint64_t number = 0;
    std::uint32_t correlation = 0;
    bool started = false;
    std::vector<unsigned> where{};  // its processors
    std::int64_t start_ns = 0;
};

struct Device;

struct Stream {
    Device* device;
    int number, row, priority;
    Clock clock;
    std::uint64_t handed = 0, done = 0;  // operations
    std::deque<std::shared_ptr<Operation>> queue;
    struct Graph* captured = nullptr;
    std::uint64_t captured_by = 0;  // a thread
    cudaStreamCaptureMode capture_mode = cudaStreamCaptureModeGlobal;
    bool capture_broken = false;
    bool closed = false;
};

struct Event {
    Device* device;
    bool timing;
    struct Record {
        Stream* stream = nullptr;
        Clock clock;
        bool done = false;
        std::int64_t time_ns = 0;
        std::uint64_t order = 0;  // of completion
    };
    std::shared_ptr<Record> last;      // null: never recorded
    const Stream* captured = nullptr;  // recorded last while that stream was being captured
};

struct Graph {
    Device* device;
    std::vector<Operation> operations;
};

// Earlier accesses that are not known to be over.
struct Seen {
    Access access;
    int row;
    std::uint64_t tick;
    std::string what;
};

struct Block {
    int device;
    std::size_t bytes;
    std::vector<Seen> seen;
    std::set<const char*> begins;  // of all accesses so far
    const char* endOf(const Access& access) const;
};

struct Device {
    int index;
    cudaError_t fault = cudaSuccess;  // sticky
    std::size_t used = 0;
    std::vector<Stream*> streams;
    std::set<const void*> loaded;
};

struct Thread {
    std::uint64_t number = 0;
    int device = -1;  // -1: none was set
    cudaError_t last = cudaSuccess;
    std::string last_call;
};

class World {
public:
    static World& only();

    std::recursive_mutex mutex;
    std::vector<std::unique_ptr<Device>> devices;
    std::map<const char*, Block> blocks;    // by address
    std::set<const void*> streams, events;  // alive
    Clock host;                             // what some host thread has seen to be over
    std::vector<std::uint64_t> ticks;       // by row
    std::vector<Stream*> capturing;         // streams, in no order
    std::vector<int> free_rows;
    std::uint64_t numbers = 0;
    std::uint64_t completions = 0;
    std::minstd_rand chance;

    Device& device(int index);
    Thread& thread();
    void broken(const std::string& rule);
    std::string takeBroken();
    std::size_t brokenCount() const { return count_; }

    // The call's error, kept as the thread's last one.
    cudaError_t result(cudaError_t error, const char* call);
    // The current device, for a call that needs one.
    Device& current(const char* call);
    // False: a capture under way forbids it to this thread, and is lost.
    bool allocates(const char* call);
    // The same of any call that the runtime's manual calls potentially unsafe during a capture.
    bool isSafe(const char* call);

    Block* blockOf(const char* address);
    // From there to the block's end; a rule is broken when it is no memory of that device.
    Access touch(const void* address, std::size_t bytes, bool writes, const Device& device,
                 const std::string& what);

    // False when the device is dead or the stream is being captured in a way that forbids it.
    cudaError_t hand(Stream& stream, Operation operation);
    void put(Stream& stream, std::shared_ptr<Operation> operation);
    // One operation begins or ends; false when none can.
    bool advance();
    // Until that is so. False: nothing moves any more, which breaks a rule.
    bool advanceUntil(Lock& lock, const std::function<bool()>& condition, const std::string& what);

    // Reported by NCCL's side: what waits for a peer that has handed over nothing.
    std::function<std::string()> unmatched;
    // Asked before anything goes on: reads what other processes have written.
    std::function<void()> listen;
    // And when something began or ended, to CUPTI's.
    std::function<std::uint32_t(Kind, const char*)> called;
    std::function<void(const Operation&, const Stream&, std::int64_t)> ran;

private:
    World();
    bool canStart(const Stream& stream, const Operation& operation) const;
    std::optional<std::vector<unsigned>> place(const Device& device, const Operation& operation) const;
    void complete(Stream& stream);
    void order(Stream& stream, const Operation& operation, std::uint64_t tick);

    std::vector<std::string> broken_;
    std::size_t count_ = 0;
    std::condition_variable_any moved_;
};

// An entry of the C interface: takes the lock.
#define FAKE_ENTER                                \
    ::fake::World& world = ::fake::World::only(); \
    ::fake::Lock lock(world.mutex)

inline Stream* of(cudaStream_t stream) {
    return reinterpret_cast<Stream*>(stream);
}
inline Event* of(cudaEvent_t event) {
    return reinterpret_cast<Event*>(event);
}

}  // namespace fake
