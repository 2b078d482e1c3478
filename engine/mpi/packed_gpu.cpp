#include "mpi/packed_gpu.h"

#include <map>

#include "mpi/commands.h"

namespace bscope {

namespace {

struct PackedKernel {
    std::uint32_t name;  // which of the names
    std::int32_t kind;
    std::int64_t start_ns, end_ns;
    std::uint64_t bytes;
};

// A kernel's name is long and comes again and again.
void packSpans(Packer& into, const std::vector<WorkSpan>& all, const ClockLine& clock) {
    std::map<std::string, std::uint32_t> numbers;
    std::vector<std::string> names;
    Packer spans;
    for (const WorkSpan& span : all) {
        std::vector<PackedKernel> kernels;
        for (const KernelSpan& kernel : span.kernels) {
            const auto [at, is_new] =
                numbers.try_emplace(kernel.name, static_cast<std::uint32_t>(names.size()));
            if (is_new) names.push_back(kernel.name);
            kernels.push_back({at->second, kernel.kind, clock.toFirst(kernel.start_ns),
                               clock.toFirst(kernel.end_ns), kernel.bytes});
        }
        spans.add(span.traced).add(clock.toFirst(span.start_ns)).add(clock.toFirst(span.end_ns));
        spans.add(span.gap_ns).add(kernels);
    }
    into.add(names.size());
    for (const std::string& name : names) into.add(name);
    into.add(all.size()).add(spans.take());
}

std::vector<WorkSpan> unpackSpans(Unpacker& from) {
    std::vector<std::string> names(from.next<std::size_t>());
    for (std::string& name : names) name = from.nextText();
    std::vector<WorkSpan> all(from.next<std::size_t>());
    const auto bytes = from.nextVector<char>();
    Unpacker spans(bytes);
    for (WorkSpan& span : all) {
        span.traced = spans.next<TracedWork>();
        span.start_ns = spans.next<std::int64_t>();
        span.end_ns = spans.next<std::int64_t>();
        span.gap_ns = spans.next<std::int64_t>();
        for (const PackedKernel& kernel : spans.nextVector<PackedKernel>())
            span.kernels.push_back(
                {names.at(kernel.name), kernel.kind, kernel.start_ns, kernel.end_ns, kernel.bytes});
    }
    return all;
}

}  // namespace

void pack(Packer& into, const std::vector<LaunchedOperation>& notes) {
    into.add(notes.size());
    for (const LaunchedOperation& note : notes)
        into.add(note.action).add(note.handed_over).add(note.used).add(note.memory);
}

std::vector<LaunchedOperation> unpackLaunchedOperations(Unpacker& from) {
    std::vector<LaunchedOperation> notes(from.next<std::size_t>());
    for (LaunchedOperation& note : notes) {
        note.action = from.next<Action>();
        note.handed_over = from.next<OpTime>();
        note.used = from.next<UsedWeights>();
        note.memory = from.nextVector<ArenaRecord>();
    }
    return notes;
}

void pack(Packer& into, const GpuSamples& samples, const ClockLine& clock) {
    packSpans(into, samples.spans, clock);
    packSpans(into, samples.later, clock);
    into.add(samples.dropped).add(samples.link_bytes).add(samples.driver_bytes);
    into.add(samples.timing.source);
    packSentence(into, samples.timing.why);
}

GpuSamples unpackSamples(Unpacker& from) {
    GpuSamples samples;
    samples.spans = unpackSpans(from);
    samples.later = unpackSpans(from);
    samples.dropped = from.next<std::uint64_t>();
    samples.link_bytes = from.next<std::int64_t>();
    samples.driver_bytes = from.next<std::int64_t>();
    samples.timing.source = from.next<TimingSource>();
    samples.timing.why = unpackSentence(from);
    return samples;
}

}  // namespace bscope
