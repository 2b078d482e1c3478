// What CUPTI does: records of calls made under an id, and of spans, in buffers that are handed over when they
// are asked for and nothing is under way that one of their records describes.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <list>
#include <utility>

#include "emulated.h"

namespace emulated {

namespace {

constexpr std::size_t kBufferRecords = 64;

struct TraceBuffer {
    std::vector<BscopeTraceRecord> records;
    std::size_t under_way = 0;  // spans that will be here
};

struct UnderWay {
    TraceBuffer* buffer = nullptr;
    std::size_t spans = 0;
};

struct Tracer {
    std::mutex mutex;
    int users = 0;
    std::uint32_t calls = 0;
    std::uint64_t dropped = 0, seen = 0;
    std::list<TraceBuffer> buffers;  // the last one is being filled
    std::map<std::uint32_t, UnderWay> of_calls;

    TraceBuffer& current() {
        if (buffers.empty() || buffers.back().records.size() + buffers.back().under_way >= kBufferRecords)
            buffers.emplace_back();
        return buffers.back();
    }
};

Tracer& tracer() {
    static Tracer* const only = new Tracer;
    return *only;
}

thread_local std::vector<std::uint64_t> externals;

BscopeError start() {
    if (setting("BSCOPE_EMULATED_NO_CUPTI", 0) != 0) return lastError("another profiler holds CUPTI");
    const std::lock_guard<std::mutex> lock(tracer().mutex);
    ++tracer().users;
    return nullptr;
}

BscopeError drain(BscopeTraceHandler handler, void* context, std::uint64_t* dropped) {
    std::list<TraceBuffer> complete;
    {
        const std::lock_guard<std::mutex> lock(tracer().mutex);
        std::list<TraceBuffer>& all = tracer().buffers;
        for (auto buffer = all.begin(); buffer != all.end();) {
            const auto next = std::next(buffer);
            if (buffer->under_way == 0) complete.splice(complete.end(), all, buffer);
            buffer = next;
        }
        *dropped = std::exchange(tracer().dropped, 0);
    }
    for (const TraceBuffer& buffer : complete)
        for (const BscopeTraceRecord& record : buffer.records) handler(context, &record);
    return nullptr;
}

}  // namespace

std::uint32_t traceCall(std::size_t operations) {
    const std::lock_guard<std::mutex> lock(tracer().mutex);
    if (tracer().users == 0) return 0;
    const std::uint32_t call = ++tracer().calls;
    TraceBuffer& buffer = tracer().current();
    buffer.under_way += operations;
    if (operations > 0) tracer().of_calls[call] = {&buffer, operations};
    if (!externals.empty()) {
        BscopeTraceRecord record{};
        record.kind = BSCOPE_CORRELATION;
        record.correlation = call;
        record.external = externals.back();
        buffer.records.push_back(record);
    }
    return call;
}

void traceSpan(std::uint32_t call, int kind, const char* name, std::uint64_t bytes, std::int64_t start_ns,
               int device, int stream) {
    if (call == 0) return;
    BscopeTraceRecord record{};
    record.kind = kind;
    record.correlation = call;
    record.start_ns = start_ns;
    record.end_ns = monotonic_ns();
    record.bytes = bytes;
    record.device = static_cast<std::uint32_t>(device);
    record.stream = static_cast<std::uint32_t>(stream);
    record.name = name;
    const std::lock_guard<std::mutex> lock(tracer().mutex);
    const auto its = tracer().of_calls.find(call);
    TraceBuffer& buffer = *its->second.buffer;
    --buffer.under_way;
    if (--its->second.spans == 0) tracer().of_calls.erase(its);
    if (++tracer().seen <= static_cast<std::uint64_t>(setting("BSCOPE_EMULATED_DROP", 0)))
        ++tracer().dropped;
    else
        buffer.records.push_back(record);
}

void addTracer(BscopePlugin& plugin) {
    plugin.trace_version = [](std::uint32_t* version) -> BscopeError {
        *version = 130001;
        return nullptr;
    };
    plugin.trace_start = &start;
    plugin.trace_stop = []() -> BscopeError {
        const std::lock_guard<std::mutex> lock(tracer().mutex);
        --tracer().users;
        return nullptr;
    };
    plugin.trace_push = [](std::uint64_t external) -> BscopeError {
        externals.push_back(external);
        return nullptr;
    };
    plugin.trace_pop = []() -> BscopeError {
        if (externals.empty()) return lastError("the tracer has no id to take back");
        externals.pop_back();
        return nullptr;
    };
    plugin.trace_drain = &drain;
    plugin.range_push = [](const char* name) {
        if (const char* const file = std::getenv("BSCOPE_EMULATED_RANGES"))
            std::ofstream(file, std::ios::app) << name << '\n';
    };
    plugin.range_pop = [] {};
}

}  // namespace emulated
