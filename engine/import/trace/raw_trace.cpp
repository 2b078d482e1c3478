#include "import/trace/raw_trace.h"

#include <algorithm>
#include <limits>

#include "import/trace/import_error.h"

namespace bscope {

HostRange RawTrace::span() {
    HostRange span{std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()};
    forRanges([&span](const auto& items) {
        for (const auto& each : items) {
            span.start_ns = std::min(span.start_ns, each.start_ns);
            span.end_ns = std::max(span.end_ns, each.end_ns);
        }
    });
    return span;
}

void requireOneRun(RawTrace& trace) {
    const HostRange span = trace.span();
    if (span.start_ns < span.end_ns && span.end_ns - span.start_ns > kLongestRun_ns)
        refuseTimes(trace.file);
}

}  // namespace bscope
