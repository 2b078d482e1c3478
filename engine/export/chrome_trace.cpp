#include "export/chrome_trace.h"

#include <algorithm>
#include <iomanip>
#include <set>
#include <sstream>
#include <string>

#include "export/trace_parts.h"

namespace bscope {

namespace {

class Writer {
public:
    Writer(std::ostream& out, const Timeline& timeline, std::span<const KernelEvent> kernels, int shards)
        : out_(out), timeline_(timeline), kernels_(kernels), shards_(shards) {}

    void write() {
        const std::string provenance = toText(timeline_.provenance());
        out_ << "{\"displayTimeUnit\":\"ms\",\"otherData\":{\"provenance\":\"" << provenance
             << "\",\"program\":\"bubblescope " BUBBLESCOPE_VERSION "\"";
        if (shards_ > 1) out_ << ",\"t\":" << shards_;
        out_ << "},\"traceEvents\":[";
        begin() << "\"ph\":\"M\",\"pid\":0,\"name\":\"process_name\",\"args\":{\"name\":\"pipeline ("
                << provenance << ")\"}}";
        for (int rank = 0; rank < timeline_.ranks(); ++rank) {
            name(row(rank), 3 * rank, "rank " + std::to_string(rank));
            name(row(rank) + 1, 3 * rank + 2, "rank " + std::to_string(rank) + " receives");
            for (const Event& e : timeline_.compute(rank))
                slice(row(rank), e, toText(e.action()), e.start_ns, e.end_ns);
            for (const Event& e : timeline_.receives(rank)) {
                if (e.transfer_ns > e.start_ns)
                    slice(row(rank) + 1, e, "wait " + toText(e.action()), e.start_ns, e.transfer_ns);
                slice(row(rank) + 1, e, toText(e.action()), e.transfer_ns, e.end_ns);
            }
            for (const MemoryPoint& point : timeline_.memory(rank)) memory(rank, point);
        }
        for (const TraceArrow& each : arrowsOf(timeline_)) {
            arrow("\"ph\":\"s\"", row(each.from.rank), each.from.end_ns);
            arrow("\"ph\":\"f\",\"bp\":\"e\"", row(each.to.rank), each.to.start_ns);
            ++arrow_id_;
        }
        std::set<int> named;
        for (const KernelEvent& kernel : kernels_) {
            if (named.insert(kernel.rank).second)
                name(kernelRow(kernel.rank), 3 * kernel.rank + 1,
                     "rank " + std::to_string(kernel.rank) + ' ' + spansLike(kernel));
            slice(kernel);
        }
        out_ << "\n]}\n";
    }

private:
    static int row(int rank) { return 2 * rank; }
    int kernelRow(int rank) const { return row(timeline_.ranks()) + rank; }
    // to - from in microseconds, exact for any two times: of a rank that is ahead of the first one's clock
    // times are negative.
    static std::string micros(std::int64_t to, std::int64_t from = 0) {
        const auto distance = [](std::int64_t low, std::int64_t high) {
            return static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
        };
        const std::uint64_t ns = to < from ? distance(to, from) : distance(from, to);
        std::ostringstream text;
        text << (to < from ? "-" : "") << ns / 1000 << '.' << std::setw(3) << std::setfill('0') << ns % 1000;
        return text.str();
    }

    std::ostream& begin() {
        out_ << (first_ ? "\n{" : ",\n{");
        first_ = false;
        return out_;
    }

    void name(int thread, int place, const std::string& text) {
        begin() << "\"ph\":\"M\",\"pid\":0,\"tid\":" << thread
                << ",\"name\":\"thread_name\",\"args\":{\"name\":\"" << text << "\"}}";
        begin() << "\"ph\":\"M\",\"pid\":0,\"tid\":" << thread
                << ",\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":" << place << "}}";
    }

    void slice(int thread, const Event& e, const std::string& label, std::int64_t start_ns,
               std::int64_t end_ns) {
        begin() << "\"ph\":\"X\",\"pid\":0,\"tid\":" << thread << ",\"ts\":" << micros(start_ns)
                << ",\"dur\":" << micros(std::max(start_ns, end_ns), start_ns) << ",\"name\":\"" << label
                << "\",\"cat\":\"" << opText(e.op) << "\",\"args\":{";
        for (const auto& [name, number] : numbersOf(e)) out_ << '"' << name << "\":" << number << ',';
        out_ << "\"disturbed\":" << (e.disturbed ? "true" : "false");
        out_ << "}}";
    }

    void slice(const KernelEvent& kernel) {
        begin() << "\"ph\":\"X\",\"pid\":0,\"tid\":" << kernelRow(kernel.rank)
                << ",\"ts\":" << micros(kernel.start_ns)
                << ",\"dur\":" << micros(std::max(kernel.start_ns, kernel.end_ns), kernel.start_ns)
                << ",\"name\":" << quoted(printableName(kernel)) << ",\"cat\":\"" << kindOf(kernel)
                << "\",\"args\":{\"of\":\"" << toText(boxOf(kernel))
                << "\",\"iteration\":" << kernel.iteration << ",\"bytes\":" << kernel.bytes;
        if (kernel.isCollective()) out_ << ",\"wait_us\":" << micros(kernel.wait_ns);
        out_ << "}}";
    }

    static std::string quoted(const std::string& name) {
        std::string out = "\"";
        for (const char c : name) {
            if (c == '"' || c == '\\') out += '\\';
            out += c;
        }
        return out + '"';
    }

    void memory(int rank, const MemoryPoint& point) {
        begin() << "\"ph\":\"C\",\"pid\":0,\"ts\":" << micros(point.time_ns)
                << ",\"name\":\"activations of rank " << rank << "\",\"args\":{\"bytes\":" << point.live_bytes
                << "}}";
    }

    void arrow(const char* phase, int thread, std::int64_t time_ns) {
        begin() << phase << ",\"pid\":0,\"tid\":" << thread << ",\"ts\":" << micros(time_ns)
                << ",\"id\":" << arrow_id_ << ",\"name\":\"message\",\"cat\":\"message\"}";
    }

    std::ostream& out_;
    const Timeline& timeline_;
    std::span<const KernelEvent> kernels_;
    const int shards_;
    bool first_ = true;
    int arrow_id_ = 0;
};

}  // namespace

void writeChromeTrace(std::ostream& out, const Timeline& timeline, std::span<const KernelEvent> kernels,
                      int shards) {
    Writer(out, timeline, kernels, shards).write();
}

}  // namespace bscope
