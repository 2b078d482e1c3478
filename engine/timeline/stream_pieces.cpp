#include "timeline/stream_pieces.h"

namespace bscope {
namespace {

template <class Row>
bool liesBefore(const Row& earlier, const Row& later, std::int64_t Row::value_type::*time_ns) {
    return earlier.empty() || later.empty() || earlier.back().*time_ns <= later.front().*time_ns;
}

}  // namespace

std::optional<Event> firstOfStream(const Timeline& iteration) {
    if (iteration.ranks() == 0) return std::nullopt;
    std::optional<Event> first;
    for (const Event& event : iteration.compute(iteration.ranks() - 1)) {
        if (event.weight_version == kNoVersion || event.microbatch < 0) continue;
        if (event.op == Op::Backward) return event;
        if (!first) first = event;
    }
    return first;
}

bool continues(const Timeline& before, const Timeline& after) {
    const auto former = firstOfStream(before), first = firstOfStream(after);
    if (!former || !first || before.ranks() != after.ranks() || former->microbatch >= first->microbatch)
        return false;
    for (int rank = 0; rank < after.ranks(); ++rank)
        if (!liesBefore(before.compute(rank), after.compute(rank), &Event::start_ns) ||
            !liesBefore(before.memory(rank), after.memory(rank), &MemoryPoint::time_ns))
            return false;
    return true;
}

std::shared_ptr<const Timeline> joined(const Timeline& earlier, const Timeline& later) {
    auto both = std::make_shared<Timeline>(later.ranks(), later.provenance());
    for (const Timeline* part : {&earlier, &later})
        for (int rank = 0; rank < part->ranks(); ++rank) {
            for (const Event& event : part->compute(rank)) both->append(event);
            for (const Event& event : part->receives(rank)) both->append(event);
            for (const MemoryPoint& point : part->memory(rank)) both->append(point);
        }
    return both;
}

}  // namespace bscope
