// Batches of events, memory points and kernels between the stream's packed columns and the plain types.
#include <algorithm>
#include <initializer_list>
#include <limits>
#include <unordered_map>

#include "wire/convert.h"
#include "wire/ranges.h"

namespace bscope {
namespace {

std::int16_t checkedRank(std::int64_t rank) {
    if (rank < 0 || rank >= kMaxRanks)
        throw WireError(sentence("the stream names rank {0}, which cannot exist", rank));
    return static_cast<std::int16_t>(rank);
}

void checkColumns(int size, std::initializer_list<int> others) {
    for (const int other : others)
        if (other != size) throw WireError(sentence("a batch of the stream has columns of different length"));
}

bool hasSegment(const auto& of_action) {
    return of_action.segment >= 0;
}
std::int8_t checkedSegment(std::int32_t segment) {
    return static_cast<std::int8_t>(inRange("segment", segment, -1, kMaxSegments - 1));
}

bool hasVersion(const Event& event) {
    return event.weight_version != kNoVersion || event.staleness != 0;
}

Op checkedOp(std::uint32_t op) {
    if (op >= static_cast<std::uint32_t>(kOpCount))
        throw WireError(sentence("the stream names operation {0}, which this program does not know", op));
    return static_cast<Op>(op);
}

std::int64_t laterBy(std::int64_t time_ns, std::int64_t difference_ns) {
    std::int64_t sum_ns = 0;
    if (__builtin_add_overflow(time_ns, difference_ns, &sum_ns))
        throw WireError(sentence("the stream names a time that cannot be"));
    return checkedTime(sum_ns);
}

std::int32_t checkedStage(std::int32_t stage) {
    return inRange("stage", stage, -1, kMostStages - 1);
}
std::int32_t checkedMicrobatch(std::int32_t microbatch) {
    return inRange("micro-batch", microbatch, -1, std::numeric_limits<std::int32_t>::max() / 2);
}
std::int16_t checkedCount(const char* what, std::int32_t count) {
    return static_cast<std::int16_t>(
        inRange<std::int32_t>(what, count, 0, std::numeric_limits<std::int16_t>::max()));
}

std::int64_t endOf(std::int64_t start_ns, std::uint64_t duration_ns) {
    if (duration_ns > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
        throw WireError(sentence("the stream names a time that cannot be"));
    return laterBy(start_ns, static_cast<std::int64_t>(duration_ns));
}

KernelEvent::Kind checkedKind(std::uint32_t kind) {
    if (kind > static_cast<std::uint32_t>(KernelEvent::Kind::AllGather))
        throw WireError(sentence("the stream names a kind of kernel that this program does not know"));
    return static_cast<KernelEvent::Kind>(kind);
}

}  // namespace

wire::EventBatch toWire(int rank, std::span<const Event> events) {
    wire::EventBatch out;
    out.set_rank(rank);
    const int size = static_cast<int>(events.size());
    out.mutable_start_delta_ns()->Reserve(size);
    out.mutable_duration_ns()->Reserve(size);
    const bool versioned = std::any_of(events.begin(), events.end(), hasVersion);
    const bool cut = std::ranges::any_of(events, [](const Event& event) { return hasSegment(event); });
    std::int64_t previous_ns = 0;
    for (const Event& event : events) {
        out.add_start_delta_ns(event.start_ns - previous_ns);
        previous_ns = event.start_ns;
        out.add_duration_ns(static_cast<std::uint64_t>(event.duration_ns()));
        out.add_transfer_offset_ns(isReceive(event.op) ? event.transfer_ns - event.start_ns : 0);
        out.add_bytes(event.bytes);
        out.add_iteration(event.iteration);
        out.add_stage(event.stage);
        out.add_microbatch(event.microbatch);
        out.add_op(static_cast<std::uint32_t>(event.op));
        out.add_disturbed(event.disturbed);
        if (cut) out.add_segment(event.segment);
        if (!versioned) continue;
        out.add_weight_version(event.weight_version);
        out.add_staleness(event.staleness);
    }
    return out;
}

std::vector<Event> fromWire(const wire::EventBatch& batch) {
    const int size = batch.start_delta_ns_size();
    checkColumns(size, {batch.duration_ns_size(), batch.transfer_offset_ns_size(), batch.bytes_size(),
                        batch.iteration_size(), batch.stage_size(), batch.microbatch_size(), batch.op_size(),
                        batch.disturbed_size()});
    const bool versioned = batch.weight_version_size() > 0 || batch.staleness_size() > 0;
    if (versioned) checkColumns(size, {batch.weight_version_size(), batch.staleness_size()});
    const bool cut = batch.segment_size() > 0;
    if (cut) checkColumns(size, {batch.segment_size()});
    const std::int16_t rank = checkedRank(batch.rank());
    std::vector<Event> events(static_cast<std::size_t>(size));
    std::int64_t start_ns = 0;
    for (int i = 0; i < size; ++i) {
        Event& event = events[static_cast<std::size_t>(i)];
        start_ns = laterBy(start_ns, batch.start_delta_ns(i));
        event.start_ns = start_ns;
        event.end_ns = endOf(start_ns, batch.duration_ns(i));
        event.op = checkedOp(batch.op(i));
        if (isSend(event.op))
            throw WireError(sentence("the stream names a send, but messages are recorded where they arrive"));
        event.transfer_ns = isReceive(event.op) ? laterBy(start_ns, batch.transfer_offset_ns(i)) : 0;
        event.bytes = checkedBytes(batch.bytes(i));
        event.iteration = checkedIteration(batch.iteration(i));
        event.stage = checkedStage(batch.stage(i));
        event.microbatch = checkedMicrobatch(batch.microbatch(i));
        event.rank = rank;
        event.disturbed = batch.disturbed(i);
        if (cut) event.segment = checkedSegment(batch.segment(i));
        if (!versioned) continue;
        event.weight_version = inRange("weight version", batch.weight_version(i), kNoVersion,
                                       std::numeric_limits<std::int32_t>::max() / 2);
        event.staleness = checkedCount("staleness", batch.staleness(i));
    }
    return events;
}

wire::MemoryBatch toWire(int rank, std::span<const MemoryPoint> points) {
    wire::MemoryBatch out;
    out.set_rank(rank);
    std::int64_t previous_ns = 0;
    for (const MemoryPoint& point : points) {
        out.add_time_delta_ns(point.time_ns - previous_ns);
        previous_ns = point.time_ns;
        out.add_live_bytes(point.live_bytes);
        out.add_in_flight(point.in_flight);
        out.add_iteration(point.iteration);
    }
    return out;
}

std::vector<MemoryPoint> fromWire(const wire::MemoryBatch& batch) {
    const int size = batch.time_delta_ns_size();
    checkColumns(size, {batch.live_bytes_size(), batch.in_flight_size(), batch.iteration_size()});
    const std::int16_t rank = checkedRank(batch.rank());
    std::vector<MemoryPoint> points(static_cast<std::size_t>(size));
    std::int64_t time_ns = 0;
    for (int i = 0; i < size; ++i) {
        MemoryPoint& point = points[static_cast<std::size_t>(i)];
        time_ns = laterBy(time_ns, batch.time_delta_ns(i));
        point = {time_ns, checkedBytes(batch.live_bytes(i)), checkedIteration(batch.iteration(i)), rank,
                 checkedCount("number of chunks in flight", batch.in_flight(i))};
    }
    return points;
}

wire::KernelBatch toWire(int rank, std::span<const KernelEvent> of_rank, std::size_t first) {
    wire::KernelBatch out;
    out.set_rank(rank);
    out.set_first(static_cast<std::uint32_t>(first));
    out.set_total(static_cast<std::uint32_t>(of_rank.size()));
    std::unordered_map<std::string_view, std::uint32_t> names;
    const bool waits = std::ranges::any_of(of_rank, [](const KernelEvent& one) { return one.wait_ns != 0; });
    const bool cut = std::ranges::any_of(of_rank, [](const KernelEvent& one) { return hasSegment(one); });
    std::int64_t previous_ns = 0;
    for (const KernelEvent& kernel :
         of_rank.subspan(first, std::min(kEventsPerBatch, of_rank.size() - first))) {
        out.add_start_delta_ns(kernel.start_ns - previous_ns);
        previous_ns = kernel.start_ns;
        out.add_duration_ns(static_cast<std::uint64_t>(kernel.end_ns - kernel.start_ns));
        out.add_bytes(kernel.bytes);
        out.add_iteration(kernel.iteration);
        out.add_stage(kernel.stage);
        out.add_microbatch(kernel.microbatch);
        out.add_op(static_cast<std::uint32_t>(kernel.op));
        out.add_kind(static_cast<std::uint32_t>(kernel.kind));
        if (waits) out.add_wait_ns(static_cast<std::uint64_t>(kernel.wait_ns));
        if (cut) out.add_segment(kernel.segment);
        const auto [name, is_new] = names.try_emplace(kernel.name, static_cast<std::uint32_t>(names.size()));
        if (is_new) out.add_names(kernel.name);
        out.add_name(name->second);
    }
    return out;
}

KernelPart fromWire(const wire::KernelBatch& batch) {
    const int size = batch.start_delta_ns_size();
    checkColumns(size,
                 {batch.duration_ns_size(), batch.bytes_size(), batch.iteration_size(), batch.stage_size(),
                  batch.microbatch_size(), batch.op_size(), batch.kind_size(), batch.name_size()});
    if (batch.wait_ns_size() > 0) checkColumns(size, {batch.wait_ns_size()});
    if (batch.segment_size() > 0) checkColumns(size, {batch.segment_size()});
    KernelPart part{checkedRank(batch.rank()), batch.first(), batch.total(), {}};
    if (part.first + static_cast<std::size_t>(size) > part.total)
        throw WireError(sentence("a batch of the stream holds more kernels than were announced"));
    part.kernels.resize(static_cast<std::size_t>(size));
    std::int64_t start_ns = 0;
    for (int i = 0; i < size; ++i) {
        if (batch.name(i) >= static_cast<std::uint32_t>(batch.names_size()))
            throw WireError(sentence("a batch of the stream names a kernel that is not in its table"));
        KernelEvent& kernel = part.kernels[static_cast<std::size_t>(i)];
        start_ns = laterBy(start_ns, batch.start_delta_ns(i));
        kernel.start_ns = start_ns;
        kernel.end_ns = endOf(start_ns, batch.duration_ns(i));
        if (batch.wait_ns_size() > 0)
            kernel.wait_ns = std::min(endOf(start_ns, batch.wait_ns(i)), kernel.end_ns) - start_ns;
        kernel.bytes = checkedBytes(batch.bytes(i));
        kernel.iteration = checkedIteration(batch.iteration(i));
        kernel.stage = checkedStage(batch.stage(i));
        kernel.microbatch = checkedMicrobatch(batch.microbatch(i));
        if (batch.segment_size() > 0) kernel.segment = checkedSegment(batch.segment(i));
        kernel.rank = checkedRank(batch.rank());
        kernel.op = checkedOp(batch.op(i));
        kernel.kind = checkedKind(batch.kind(i));
        kernel.name = batch.names(static_cast<int>(batch.name(i)));
    }
    return part;
}

}  // namespace bscope
