// Notes of people between the stream and report/run_notes.h.
#include <limits>

#include "wire/convert.h"
#include "wire/frame.h"
#include "wire/ranges.h"

namespace bscope {

wire::Note toWire(const RunNote& note) {
    wire::Note out;
    out.set_id(note.id);
    out.set_iteration(note.iteration);
    if (note.when) {
        out.set_from_ns(note.when->from_ns);
        out.set_to_ns(note.when->to_ns);
    }
    if (note.rank >= 0) out.set_rank(note.rank);
    if (note.action) {
        out.set_op(static_cast<std::uint32_t>(note.action->op));
        out.set_stage(note.action->stage);
        out.set_microbatch(note.action->microbatch);
        if (note.action->segment() >= 0) out.set_segment(note.action->segment());
    }
    out.set_text(note.text);
    out.set_removed(note.removed);
    return out;
}

RunNote fromWire(const wire::Note& note) {
    RunNote out;
    out.id = inRange<std::int64_t>("note", note.id(), 1, std::numeric_limits<std::int64_t>::max() / 2);
    out.iteration = checkedIteration(note.iteration());
    if (note.has_from_ns() != note.has_to_ns())
        throw WireError(sentence("a note of the stream has one end of a time alone"));
    if (note.has_from_ns()) {
        const std::int64_t from_ns = checkedTime(note.from_ns());
        out.when = {from_ns, inRange("time", note.to_ns(), from_ns, kLastTime_ns)};
    }
    if (note.has_rank()) out.rank = inRange("rank", note.rank(), 0, kMaxRanks - 1);
    if (note.has_op()) {
        if (note.op() >= static_cast<std::uint32_t>(kOpCount))
            throw WireError(
                sentence("the stream names operation {0}, which this program does not know", note.op()));
        out.action = Action{
            inRange("stage", note.stage(), -1, kMostStages - 1), static_cast<Op>(note.op()),
            inRange("micro-batch", note.microbatch(), -1, std::numeric_limits<std::int32_t>::max() / 2),
            false, note.has_segment() ? inRange("segment", note.segment(), 0, kMaxSegments - 1) : -1};
    }
    if (note.text().size() > RunNote::kMostBytes)
        throw WireError(sentence("a note of the stream has more than {0} bytes", RunNote::kMostBytes));
    out.text = note.text();
    out.removed = note.removed();
    return out;
}

wire::Message messageOf(const RunNote& note) {
    wire::Message message;
    *message.mutable_note() = toWire(note);
    return message;
}

}  // namespace bscope
