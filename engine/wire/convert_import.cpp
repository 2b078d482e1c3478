// Where an imported run comes from, between the stream's message and the plain type.
#include <limits>

#include "wire/convert.h"
#include "wire/ranges.h"

namespace bscope {

wire::ImportOrigin toWire(const ImportOrigin& origin) {
    wire::ImportOrigin out;
    out.set_source(origin.source);
    out.set_numbers_inferred(origin.numbers_inferred);
    out.set_operations_inferred(origin.operations_inferred);
    out.set_times(static_cast<std::uint32_t>(origin.times));
    out.set_understated_by(origin.understated_by);
    out.set_clocks(static_cast<std::uint32_t>(origin.clocks));
    out.set_aligned(origin.aligned);
    out.set_max_shift_ns(origin.max_shift_ns);
    if (origin.slack_ns >= 0) out.set_slack_ns(origin.slack_ns);
    for (const Sentence& said : origin.contradictions) *out.add_contradictions() = toWire(said);
    out.set_knows_transfers(origin.knows_transfers);
    out.set_nearest_schedule(origin.nearest_schedule);
    if (origin.first_difference) {
        auto* difference = out.mutable_first_difference();
        difference->set_rank(origin.first_difference->rank);
        difference->set_position(origin.first_difference->position);
        difference->set_expected(origin.first_difference->expected);
        difference->set_found(origin.first_difference->found);
    }
    for (const Sentence& note : origin.notes) *out.add_notes() = toWire(note);
    *out.mutable_costs() = toWire(origin.costs);
    out.set_handovers(origin.handovers);
    out.set_messages(origin.messages);
    if (origin.grid) *out.mutable_grid() = toWire(*origin.grid);
    return out;
}

ImportOrigin fromWire(const wire::ImportOrigin& origin) {
    using Times = ImportOrigin::Times;
    using Clocks = ImportOrigin::Clocks;
    ImportOrigin out;
    out.source = origin.source();
    out.numbers_inferred = origin.numbers_inferred();
    out.operations_inferred = origin.operations_inferred();
    out.times = static_cast<Times>(
        inRange("kind of times", origin.times(), 0u, static_cast<std::uint32_t>(Times::Ranges)));
    out.understated_by = inRange("share", origin.understated_by(), 0.0, 1.0);
    out.clocks = static_cast<Clocks>(
        inRange("kind of clocks", origin.clocks(), 0u, static_cast<std::uint32_t>(Clocks::PerIteration)));
    out.aligned = origin.aligned();
    out.max_shift_ns = checkedTime(origin.max_shift_ns());
    if (origin.has_slack_ns()) out.slack_ns = checkedTime(origin.slack_ns());
    for (const auto& text : origin.contradictions_in_english()) out.contradictions.push_back({text, {}});
    for (const auto& said : origin.contradictions()) out.contradictions.push_back(fromWire(said));
    out.knows_transfers = origin.knows_transfers();
    out.nearest_schedule = origin.nearest_schedule();
    if (origin.has_first_difference()) {
        const auto& message = origin.first_difference();
        out.first_difference = {inRange("rank", message.rank(), 0, kMaxRanks - 1),
                                inRange("position", message.position(), 0, kLastIteration),
                                message.expected(), message.found()};
    }
    for (const auto& text : origin.notes_in_english()) out.notes.push_back({text, {}});
    for (const auto& note : origin.notes()) out.notes.push_back(fromWire(note));
    out.costs = fromWire(origin.costs());
    out.handovers = inRange("handovers", origin.handovers(), 0, std::numeric_limits<int>::max());
    out.messages = inRange("messages", origin.messages(), 0, std::numeric_limits<int>::max());
    if (origin.has_grid()) out.grid = std::make_shared<const ReplicaGrid>(fromWire(origin.grid()));
    return out;
}

}  // namespace bscope
