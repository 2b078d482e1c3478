// What CUPTI does: records of calls made under an id, and of spans, kept until they are asked for while
// nothing is under way that was traced.
#include <utility>

#include "emulated.h"

namespace emulated {

namespace {

struct Tracer {
    std::mutex mutex;
    int users = 0;
    std::uint32_t calls = 0;
    std::size_t under_way = 0;
    std::uint64_t dropped = 0, seen = 0;
    std::vector<BscopeTraceRecord> records;
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
    std::vector<BscopeTraceRecord> records;
    {
        const std::lock_guard<std::mutex> lock(tracer().mutex);
        if (tracer().under_way == 0) records = std::exchange(tracer().records, {});
        *dropped = std::exchange(tracer().dropped, 0);
    }
    for (const BscopeTraceRecord& record : records) handler(context, &record);
    return nullptr;
}

}  // namespace

std::uint32_t traceCall(std::size_t operations) {
    const std::lock_guard<std::mutex> lock(tracer().mutex);
    if (tracer().users == 0) return 0;
    const std::uint32_t call = ++tracer().calls;
    tracer().under_way += operations;
    if (!externals.empty()) {
        BscopeTraceRecord record{};
        record.kind = BSCOPE_CORRELATION;
        record.correlation = call;
        record.external = externals.back();
        tracer().records.push_back(record);
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
    --tracer().under_way;
    if (++tracer().seen <= static_cast<std::uint64_t>(setting("BSCOPE_EMULATED_DROP", 0)))
        ++tracer().dropped;
    else
        tracer().records.push_back(record);
}

void addTracer(BscopePlugin& plugin) {
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
}

}  // namespace emulated
