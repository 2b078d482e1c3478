#include "export/perfetto_trace.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl.h>

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "export/perfetto.pb.h"
#include "export/trace_parts.h"

namespace bscope {

namespace {

using perfetto::TracePacket;
using perfetto::TrackDescriptor;
using perfetto::TrackEvent;

constexpr std::uint64_t kRoot = 1;
enum class Row : std::uint8_t { Rank, Kernels, Receives, Memory };
constexpr std::uint64_t kRows = 4;

std::uint64_t trackOf(int rank, Row row) {
    return kRoot + 1 + kRows * static_cast<std::uint64_t>(rank) + static_cast<std::uint64_t>(row);
}

// Which box an arrow begins or ends at.
using Box = std::tuple<int, std::int64_t, Op, std::int32_t, std::int32_t>;
Box boxOf(const Event& event) {
    return {event.rank, event.start_ns, event.op, event.stage, event.microbatch};
}

class PerfettoWriter {
public:
    PerfettoWriter(std::ostream& out, const Timeline& timeline, std::span<const KernelEvent> kernels)
        : stream_(&out), coded_(&stream_), timeline_(timeline), kernels_(kernels) {
        forTimes([this](std::int64_t time_ns) { origin_ns_ = std::min(origin_ns_, time_ns); });
        std::uint64_t id = 0;
        for (const TraceArrow& each : arrowsOf(timeline)) {
            leaving_[boxOf(each.from)].push_back(++id);
            arriving_[boxOf(each.to)].push_back(id);
        }
    }

    void write() {
        std::map<int, std::string> spans;  // by rank
        for (const KernelEvent& kernel : kernels_) spans.try_emplace(kernel.rank, spansLike(kernel));
        root();
        for (int rank = 0; rank < timeline_.ranks(); ++rank) {
            const std::string name = "rank " + std::to_string(rank);
            track(rank, Row::Rank, name);
            if (spans.contains(rank)) track(rank, Row::Kernels, name + ' ' + spans.at(rank));
            track(rank, Row::Receives, name + " receives");
            track(rank, Row::Memory, "activations of " + name);
            for (const Event& event : timeline_.compute(rank)) box(rank, event);
            for (const Event& event : timeline_.receives(rank)) receive(rank, event);
            for (const MemoryPoint& point : timeline_.memory(rank)) memory(rank, point);
        }
        for (const KernelEvent& each : kernels_) kernel(each);
    }

private:
    template <class Take>
    void forTimes(Take&& take) const {
        for (int rank = 0; rank < timeline_.ranks(); ++rank) {
            for (const Event& event : timeline_.compute(rank)) take(event.start_ns);
            for (const Event& event : timeline_.receives(rank))
                take(std::min(event.start_ns, event.transfer_ns));
            for (const MemoryPoint& point : timeline_.memory(rank)) take(point.time_ns);
        }
        for (const KernelEvent& each : kernels_) take(each.start_ns);
    }

    // Of any two times, without an overflow.
    std::uint64_t since(std::int64_t time_ns) const {
        return static_cast<std::uint64_t>(time_ns) - static_cast<std::uint64_t>(origin_ns_);
    }

    // A packet of the trace is a field of its one message, so that none is held longer than it takes to write
    // it.
    void put(const TracePacket& packet) {
        constexpr std::uint32_t field = 1 << 3 | 2;
        coded_.WriteTag(field);
        coded_.WriteVarint32(static_cast<std::uint32_t>(packet.ByteSizeLong()));
        packet.SerializeToCodedStream(&coded_);
    }

    void root() {
        TracePacket packet;
        TrackDescriptor& track = *packet.mutable_track_descriptor();
        track.set_uuid(kRoot);
        track.set_name(std::string("pipeline (") + toText(timeline_.provenance()) +
                       "), bubblescope " BUBBLESCOPE_VERSION);
        track.set_child_ordering(TrackDescriptor::EXPLICIT);
        put(packet);
    }

    void track(int rank, Row row, const std::string& name) {
        TracePacket packet;
        TrackDescriptor& track = *packet.mutable_track_descriptor();
        track.set_uuid(trackOf(rank, row));
        track.set_parent_uuid(kRoot);
        track.set_name(name);
        track.set_sibling_order_rank(static_cast<int>(trackOf(rank, row)));
        if (row == Row::Memory)
            track.mutable_counter()->set_unit(perfetto::CounterDescriptor::UNIT_SIZE_BYTES);
        put(packet);
    }

    TrackEvent& at(TracePacket& packet, std::int64_t time_ns, std::uint64_t track,
                   TrackEvent::Type type) const {
        packet.set_timestamp(since(time_ns));
        packet.set_trusted_packet_sequence_id(1);
        TrackEvent& event = *packet.mutable_track_event();
        event.set_track_uuid(track);
        event.set_type(type);
        return event;
    }

    static void number(TrackEvent& event, const char* name, std::int64_t value) {
        perfetto::DebugAnnotation& annotation = *event.add_debug_annotations();
        annotation.set_name(name);
        annotation.set_int_value(value);
    }

    // Its beginning, and its end with it: slices of one track do not overlap.
    void slice(TracePacket& begin, std::uint64_t track, std::int64_t end_ns) {
        put(begin);
        TracePacket end;
        at(end, 0, track, TrackEvent::TYPE_SLICE_END);
        end.set_timestamp(std::max(begin.timestamp(), since(end_ns)));
        put(end);
    }

    void slice(std::uint64_t track, const Event& event, const std::string& name, std::int64_t start_ns,
               std::int64_t end_ns) {
        TracePacket begin;
        TrackEvent& slice_begin = at(begin, start_ns, track, TrackEvent::TYPE_SLICE_BEGIN);
        slice_begin.set_name(name);
        slice_begin.add_categories(std::string(opText(event.op)));
        for (const auto& [what, value] : numbersOf(event)) number(slice_begin, what, value);
        perfetto::DebugAnnotation& disturbed = *slice_begin.add_debug_annotations();
        disturbed.set_name("disturbed");
        disturbed.set_bool_value(event.disturbed);
        if (const auto arrows = leaving_.find(boxOf(event)); arrows != leaving_.end())
            for (const std::uint64_t id : arrows->second) slice_begin.add_flow_ids(id);
        if (const auto arrows = arriving_.find(boxOf(event)); arrows != arriving_.end())
            for (const std::uint64_t id : arrows->second) slice_begin.add_terminating_flow_ids(id);
        slice(begin, track, end_ns);
    }

    void box(int rank, const Event& event) {
        slice(trackOf(rank, Row::Rank), event, toText(event.action()), event.start_ns, event.end_ns);
    }

    void receive(int rank, const Event& event) {
        const std::uint64_t track = trackOf(rank, Row::Receives);
        const std::string name = toText(event.action());
        if (event.transfer_ns > event.start_ns)
            slice(track, event, "wait " + name, event.start_ns, event.transfer_ns);
        slice(track, event, name, event.transfer_ns, event.end_ns);
    }

    void kernel(const KernelEvent& each) {
        const std::uint64_t track = trackOf(each.rank, Row::Kernels);
        TracePacket begin;
        TrackEvent& event = at(begin, each.start_ns, track, TrackEvent::TYPE_SLICE_BEGIN);
        event.set_name(printableName(each));
        event.add_categories(kindOf(each));
        perfetto::DebugAnnotation& of = *event.add_debug_annotations();
        of.set_name("of");
        of.set_string_value(toText(bscope::boxOf(each)));
        number(event, "iteration", each.iteration);
        number(event, "bytes", each.bytes);
        if (each.isCollective()) number(event, "wait_ns", each.wait_ns);
        slice(begin, track, each.end_ns);
    }

    void memory(int rank, const MemoryPoint& point) {
        TracePacket packet;
        at(packet, point.time_ns, trackOf(rank, Row::Memory), TrackEvent::TYPE_COUNTER)
            .set_counter_value(point.live_bytes);
        put(packet);
    }

    google::protobuf::io::OstreamOutputStream stream_;
    google::protobuf::io::CodedOutputStream coded_;
    const Timeline& timeline_;
    std::span<const KernelEvent> kernels_;
    std::int64_t origin_ns_ = 0;
    std::map<Box, std::vector<std::uint64_t>> leaving_, arriving_;  // ids of arrows
};

}  // namespace

void writePerfettoTrace(std::ostream& out, const Timeline& timeline, std::span<const KernelEvent> kernels) {
    PerfettoWriter(out, timeline, kernels).write();
}

}  // namespace bscope
