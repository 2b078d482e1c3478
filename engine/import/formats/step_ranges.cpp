#include "import/formats/step_ranges.h"

#include <algorithm>
#include <deque>
#include <tuple>

namespace bscope {
namespace {

using Phase = StepEvent::Phase;

StepEvent joined(const StepEvent& begin, const StepEvent& end) {
    StepEvent whole = begin;
    whole.phase = Phase::Whole;
    whole.end_ns = end.start_ns;
    if (end.microbatch >= 0) whole.microbatch = end.microbatch;
    if (end.chunk >= 0) whole.chunk = end.chunk;
    return whole;
}

// Every end has a beginning before it, and every beginning its end.
bool closes(const std::vector<StepEvent>& marks) {
    int open = 0;
    for (const StepEvent& mark : marks) {
        open += mark.phase == Phase::Begin ? 1 : -1;
        if (open < 0) return false;
    }
    return open == 0;
}

// How many found no partner.
int pairMarks(std::vector<StepEvent>& marks, std::vector<StepEvent>& wholes) {
    std::ranges::stable_sort(marks, {}, &StepEvent::start_ns);
    const bool first_with_first = closes(marks);
    std::deque<StepEvent> open;
    int alone = 0;
    for (const StepEvent& mark : marks) {
        if (mark.phase == Phase::Begin) {
            open.push_back(mark);
        } else if (open.empty()) {
            ++alone;
        } else {
            wholes.push_back(joined(first_with_first ? open.front() : open.back(), mark));
            first_with_first ? open.pop_front() : open.pop_back();
        }
    }
    return alone + static_cast<int>(open.size());
}

// Some programs count on over all iterations, from 1, or over the chunks of a rank: the place among those of
// the same operation is the number.
void numberFromZero(std::vector<TracedOp>& ops) {
    std::map<std::tuple<int, Op, int>, std::vector<int>> numbers;
    for (const TracedOp& op : ops)
        if (op.microbatch >= 0) numbers[{op.iteration, op.op, op.chunk}].push_back(op.microbatch);
    for (auto& [key, all] : numbers) {
        std::ranges::sort(all);
        all.erase(std::unique(all.begin(), all.end()), all.end());
    }
    for (TracedOp& op : ops) {
        if (op.microbatch < 0) continue;
        const std::vector<int>& all = numbers[{op.iteration, op.op, op.chunk}];
        op.microbatch = static_cast<int>(std::ranges::lower_bound(all, op.microbatch) - all.begin());
    }
}

}  // namespace

StepOperations stepOperations(std::vector<StepEvent> events) {
    StepOperations out;
    std::map<std::pair<int, Op>, std::vector<StepEvent>> marks;
    std::vector<StepEvent> wholes;
    for (StepEvent& event : events) {
        if (event.phase == Phase::Whole)
            wholes.push_back(event);
        else
            marks[{event.iteration, event.op}].push_back(event);
    }
    for (auto& [key, of] : marks) {
        const int alone = pairMarks(of, wholes);
        if (alone > 0 && isCompute(key.second)) out.unpaired[key.first] += alone;
    }
    std::ranges::stable_sort(wholes, {}, &StepEvent::start_ns);
    // Without iterations: how often the operation came before, and an optimizer step belongs to what it
    // follows.
    std::map<std::tuple<Op, int, int>, int> seen;
    int last = 0;
    for (const StepEvent& event : wholes) {
        if (out.unpaired.contains(event.iteration)) continue;
        TracedOp& op = out.ops.emplace_back();
        op.op = event.op;
        op.chunk = event.chunk;
        op.microbatch = event.microbatch;
        op.iteration = event.iteration >= 0   ? event.iteration
                       : !isCompute(event.op) ? last
                       : event.microbatch < 0 ? 0
                                              : seen[{event.op, event.chunk, event.microbatch}]++;
        last = op.iteration;
        op.start_ns = event.start_ns;
        op.end_ns = event.end_ns;
    }
    numberFromZero(out.ops);
    std::ranges::stable_sort(out.ops, [](const TracedOp& a, const TracedOp& b) {
        return std::tie(a.iteration, a.start_ns) < std::tie(b.iteration, b.start_ns);
    });
    return out;
}

}  // namespace bscope
