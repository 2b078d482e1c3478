// A GPU made of threads, behind the same C interface as the CUDA plugin: memory is the host's, every stream
// is a thread that works off what it is handed, and operations compute what the CPU's do, bit by bit. It is
// as asynchronous as a GPU: nothing is done when a call returns, fresh memory holds nonsense and freed memory
// is wiped, so what is not waited for shows as a wrong number. Faults are switched on by the environment,
// read at each use:
//   BSCOPE_EMULATED_GPUS=n           how many there are (1; 0: the machine has none)
//   BSCOPE_EMULATED_BYTES=n          memory of each (1 GiB)
//   BSCOPE_EMULATED_COMPUTE=n        what each can compute (80: sm_80)
//   BSCOPE_EMULATED_NO_CUPTI=1       tracing is refused
//   BSCOPE_EMULATED_NO_NCCL=1        links are refused
//   BSCOPE_EMULATED_RANGES=file      gets a line for every named range
//   BSCOPE_EMULATED_DROP=n           the tracer loses the spans of the first n operations it sees
//   BSCOPE_EMULATED_LINK_DELAY_US=n  every message takes that long
//   BSCOPE_EMULATED_LINK_ERROR=n     the n-th message fails, and its link with it
//   BSCOPE_EMULATED_LINK_SILENT=n    the n-th message is never sent, and no error is reported
//   BSCOPE_EMULATED_LINK_ABORT_MS=n  aborting links takes that long
//   BSCOPE_EMULATED_LINK_CLOSE_MS=n  closing a link takes that long
//   BSCOPE_EMULATED_LINK_REFUSED=n   the n-th link to come up fails
//   BSCOPE_EMULATED_LINK_ABSENT=n    the n-th link to come up never meets the others
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "clock/thread_time.h"
#include "kernels/plugin/error_text.h"

namespace emulated {

// A number of the environment.
long setting(const char* name, long otherwise);
using bscope::guarded;
using bscope::lastError;
using bscope::monotonic_ns;

// The tracer's side of a call: called when its operations are handed over, and when each has run. 0: not
// traced.
std::uint32_t traceCall(std::size_t operations);
void traceSpan(std::uint32_t call, int kind, const char* name, std::uint64_t bytes, std::int64_t start_ns,
               int device, int stream);

void addMachine(BscopePlugin& plugin);
void addOps(BscopePlugin& plugin);
void addTracer(BscopePlugin& plugin);
void addLinks(BscopePlugin& plugin);

}  // namespace emulated

struct BscopeStream;

struct BscopeDevice {
    int index = 0;
    std::mutex mutex;
    std::set<BscopeStream*> streams;
};

struct BscopeGraph {
    struct Operation {
        int kind;
        const char* name;
        std::uint64_t bytes;
        std::function<void()> work;
    };
    std::vector<std::shared_ptr<const Operation>> operations;
};

struct BscopeStream {
    BscopeStream(BscopeDevice& its_device, int its_number);
    BscopeStream(const BscopeStream&) = delete;
    BscopeStream& operator=(const BscopeStream&) = delete;
    ~BscopeStream();

    using Work = std::function<void()>;
    void hand(Work work);  // untraced
    void hand(int kind, const char* name, std::uint64_t bytes, Work work);
    void launch(const BscopeGraph& graph);
    // From the one to the other what is handed over is not done.
    void beginCapture() { captured_ = std::make_unique<BscopeGraph>(); }
    std::unique_ptr<BscopeGraph> endCapture() { return std::move(captured_); }
    void synchronize();  // throws what an operation threw
    void drain();        // the same without throwing

    BscopeDevice& device;
    const int number;

private:
    void live();

    std::unique_ptr<BscopeGraph> captured_;  // by the thread that hands over
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Work> queue_;
    bool busy_ = false, ending_ = false;
    std::string error_;
    std::thread thread_;
};
