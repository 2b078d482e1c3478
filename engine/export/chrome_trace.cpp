#include "export/chrome_trace.h"

#include <algorithm>
#include <iomanip>
#include <set>
#include <sstream>
#include <string>

#include "schedule/utf8.h"
#include "timeline/iteration_events.h"

namespace bscope {

namespace {

class Writer {
public:
    Writer(std::ostream& out, const Timeline& timeline, std::span<const KernelEvent> kernels)
        : out_(out), timeline_(timeline), kernels_(kernels) {}

    void write() {
        const std::string provenance = toText(timeline_.provenance());
        out_ << "{\"displayTimeUnit\":\"ms\",\"otherData\":{\"provenance\":\"" << provenance
             << "\",\"program\":\"bubblescope " BUBBLESCOPE_VERSION "\"},\"traceEvents\":[";
        begin() << "\"ph\":\"M\",\"pid\":0,\"name\":\"process_name\",\"args\":{\"name\":\"pipeline ("
                << provenance << ")\"}}";
        std::set<std::int32_t> iterations;
        for (int rank = 0; rank < timeline_.ranks(); ++rank) {
            name(row(rank), 3 * rank, "rank " + std::to_string(rank));
            name(row(rank) + 1, 3 * rank + 2, "rank " + std::to_string(rank) + " receives");
            for (const Event& e : timeline_.compute(rank)) {
                slice(row(rank), e, text(e), e.start_ns, e.end_ns);
                iterations.insert(e.iteration);
            }
            for (const Event& e : timeline_.receives(rank)) {
                if (e.transfer_ns > e.start_ns)
                    slice(row(rank) + 1, e, "wait " + text(e), e.start_ns, e.transfer_ns);
                slice(row(rank) + 1, e, text(e), e.transfer_ns, e.end_ns);
            }
            for (const MemoryPoint& point : timeline_.memory(rank)) memory(rank, point);
        }
        for (std::int32_t iteration : iterations) arrows(iteration);
        std::set<int> named;
        for (const KernelEvent& kernel : kernels_) {
            if (named.insert(kernel.rank).second)
                name(kernelRow(kernel.rank), 3 * kernel.rank + 1,
                     "rank " + std::to_string(kernel.rank) + " kernels");
            slice(kernel);
        }
        out_ << "\n]}\n";
    }

private:
    static int row(int rank) { return 2 * rank; }
    int kernelRow(int rank) const { return row(timeline_.ranks()) + rank; }
    template <class T>
    static std::string text(const T& e) {
        return toText(Action{e.stage, e.op, e.microbatch});
    }
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
                << "\",\"cat\":\"" << opText(e.op) << "\",\"args\":{\"iteration\":" << e.iteration
                << ",\"stage\":" << e.stage << ",\"microbatch\":" << e.microbatch << ",\"bytes\":" << e.bytes
                << ",\"disturbed\":" << (e.disturbed ? "true" : "false");
        if (e.weight_version != kNoVersion)
            out_ << ",\"weight_version\":" << e.weight_version << ",\"staleness\":" << e.staleness;
        out_ << "}}";
    }

    void slice(const KernelEvent& kernel) {
        const char* const kinds[] = {"kernel", "copy", "fill"};
        const char* kind = kinds[static_cast<std::size_t>(kernel.kind)];
        begin() << "\"ph\":\"X\",\"pid\":0,\"tid\":" << kernelRow(kernel.rank)
                << ",\"ts\":" << micros(kernel.start_ns)
                << ",\"dur\":" << micros(std::max(kernel.start_ns, kernel.end_ns), kernel.start_ns)
                << ",\"name\":" << quoted(kernel.name.empty() ? kind : kernel.name) << ",\"cat\":\"" << kind
                << "\",\"args\":{\"of\":\"" << text(kernel) << "\",\"iteration\":" << kernel.iteration
                << ",\"bytes\":" << kernel.bytes << "}}";
    }

    static std::string quoted(const std::string& name) {
        const bool readable = isUtf8(name);
        std::string out = "\"";
        for (const char c : name) {
            const auto byte = static_cast<unsigned char>(c);
            if (c == '"' || c == '\\') out += '\\';
            out += byte < ' ' ? ' ' : byte >= 0x80 && !readable ? '?' : c;
        }
        return out + '"';
    }

    void memory(int rank, const MemoryPoint& point) {
        begin() << "\"ph\":\"C\",\"pid\":0,\"ts\":" << micros(point.time_ns)
                << ",\"name\":\"activations of rank " << rank << "\",\"args\":{\"bytes\":" << point.live_bytes
                << "}}";
    }

    void arrows(std::int32_t iteration) {
        const IterationEvents events(timeline_, iteration);
        for (int rank = 0; rank < events.ranks(); ++rank)
            for (const Event& consumer : events.compute(rank)) {
                const EventRef receive = events.receiveOf(consumer);
                const EventRef producer = receive ? events.producerOf(*receive) : EventRef();
                if (!producer) continue;
                arrow("\"ph\":\"s\"", row(producer->rank), producer->end_ns);
                arrow("\"ph\":\"f\",\"bp\":\"e\"", row(rank), consumer.start_ns);
                ++arrow_id_;
            }
    }

    void arrow(const char* phase, int thread, std::int64_t time_ns) {
        begin() << phase << ",\"pid\":0,\"tid\":" << thread << ",\"ts\":" << micros(time_ns)
                << ",\"id\":" << arrow_id_ << ",\"name\":\"message\",\"cat\":\"message\"}";
    }

    std::ostream& out_;
    const Timeline& timeline_;
    std::span<const KernelEvent> kernels_;
    bool first_ = true;
    int arrow_id_ = 0;
};

}  // namespace

void writeChromeTrace(std::ostream& out, const Timeline& timeline, std::span<const KernelEvent> kernels) {
    Writer(out, timeline, kernels).write();
}

}  // namespace bscope
