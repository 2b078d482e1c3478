#include "export/trace_parts.h"

#include <set>

#include "schedule/formats/utf8.h"
#include "timeline/iteration_events.h"

namespace bscope {

std::string kindOf(const KernelEvent& kernel) {
    static constexpr const char* kKinds[] = {"kernel",     "copy",           "fill",
                                             "all_reduce", "reduce_scatter", "all_gather"};
    return kKinds[static_cast<std::size_t>(kernel.kind)];
}

std::string spansLike(const KernelEvent& kernel) {
    return kernel.isCollective() ? "collectives" : "kernels";
}

std::string printableName(const KernelEvent& kernel) {
    if (kernel.name.empty()) return kindOf(kernel);
    const bool readable = isUtf8(kernel.name);
    std::string out;
    for (const char c : kernel.name) {
        const auto byte = static_cast<unsigned char>(c);
        out += byte < ' ' ? ' ' : byte >= 0x80 && !readable ? '?' : c;
    }
    return out;
}

std::vector<std::pair<const char*, std::int64_t>> numbersOf(const Event& event) {
    std::vector<std::pair<const char*, std::int64_t>> numbers{{"iteration", event.iteration},
                                                              {"stage", event.stage},
                                                              {"microbatch", event.microbatch},
                                                              {"bytes", event.bytes}};
    if (event.segment >= 0) numbers.emplace_back("segment", event.segment);
    if (event.weight_version != kNoVersion) {
        numbers.emplace_back("weight_version", event.weight_version);
        numbers.emplace_back("staleness", event.staleness);
    }
    return numbers;
}

std::vector<TraceArrow> arrowsOf(const Timeline& timeline) {
    std::set<std::int32_t> iterations;
    for (int rank = 0; rank < timeline.ranks(); ++rank)
        for (const Event& event : timeline.compute(rank)) iterations.insert(event.iteration);
    std::vector<TraceArrow> arrows;
    for (const std::int32_t iteration : iterations) {
        const IterationEvents events(timeline, iteration);
        for (int rank = 0; rank < events.ranks(); ++rank)
            for (const Event& consumer : events.compute(rank)) {
                const EventRef receive = events.receiveOf(consumer);
                const EventRef producer = receive ? events.producerOf(*receive) : EventRef();
                if (producer) arrows.push_back({*producer, consumer});
            }
    }
    return arrows;
}

}  // namespace bscope
