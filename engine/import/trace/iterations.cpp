#include "import/trace/iterations.h"

#include <algorithm>
#include <limits>
#include <set>
#include <tuple>

namespace bscope {
namespace {

// What a pass has once: operations and messages with a number. A recomputation may come again.
bool comesOnce(const Action& action) {
    return action.microbatch >= 0 && action.op != Op::Recompute &&
           (isCompute(action.op) || isReceive(action.op) || isSend(action.op));
}

}  // namespace

Iterations::Iterations(const RawTrace& trace) : steps_(trace.steps) {
    std::stable_sort(steps_.begin(), steps_.end(), byStart);
    std::vector<OperationRange> ranges = trace.named.empty() ? trace.plain : trace.named;
    std::stable_sort(ranges.begin(), ranges.end(), byStart);
    const bool numbered = std::ranges::any_of(ranges, [](const OperationRange& range) {
        return std::ranges::any_of(range.actions, comesOnce);
    });
    if (numbered) {
        cutAtRepetitions(ranges);
        return;
    }
    std::vector<HostRange> backwards;
    for (const OperationRange& range : ranges)
        if (isBackward(range.actions.back().op)) backwards.push_back(range);
    for (const HostCall& call : trace.calls)
        if (call.kind == HostCall::Kind::Autograd) backwards.push_back(call);
    cutAtOptimizer(std::move(backwards), trace.optimizer);
}

// Steps are not nested: the last one that starts at or before the time.
const ProfilerStep* Iterations::stepAt(std::int64_t host_ns) const {
    const auto after = std::upper_bound(
        steps_.begin(), steps_.end(), host_ns,
        [](std::int64_t time, const ProfilerStep& step) { return time < step.start_ns; });
    if (after == steps_.begin() || host_ns > std::prev(after)->end_ns) return nullptr;
    return &*std::prev(after);
}

void Iterations::cutAtRepetitions(const std::vector<OperationRange>& ranges) {
    std::set<std::tuple<int, int, Op, int>> seen;  // chunk, stage, operation or message, micro-batch
    Place now;
    for (const OperationRange& range : ranges) {
        const ProfilerStep* step = stepAt(range.start_ns);
        if (!steps_.empty() && step == nullptr) continue;
        if (!std::ranges::any_of(range.actions, comesOnce)) continue;
        const auto key = [&range](const Action& action) {
            return std::tuple(range.chunk, action.stage, action.op, action.microbatch);
        };
        const int iteration = step == nullptr ? 0 : step->number;
        const bool again = std::ranges::any_of(range.actions, [&](const Action& action) {
            return comesOnce(action) && seen.contains(key(action));
        });
        if (begins_.empty() || iteration != now.iteration)
            begin(range.start_ns, now = {iteration, 0}), seen.clear();
        else if (again)
            begin(range.start_ns, now = {iteration, now.pass + 1}), seen.clear();
        for (const Action& action : range.actions)
            if (comesOnce(action)) seen.insert(key(action));
    }
}

void Iterations::cutAtOptimizer(std::vector<HostRange> backwards, std::vector<HostRange> optimizer) {
    std::sort(backwards.begin(), backwards.end(), byStart);
    std::sort(optimizer.begin(), optimizer.end(), byStart);
    std::vector<std::int64_t> cuts;
    auto next = backwards.begin();
    std::int64_t worked_until_ns = std::numeric_limits<std::int64_t>::min();
    for (auto step = optimizer.begin(); step != optimizer.end(); ++step) {
        const auto from = next;
        for (; next != backwards.end() && next->start_ns <= step->start_ns; ++next)
            worked_until_ns = std::max(worked_until_ns, next->end_ns);
        if (step->start_ns < worked_until_ns) continue;  // within a backward
        if (next != from || cuts.empty()) {
            if (next != backwards.begin()) cuts.push_back(step->end_ns);
        } else {
            cuts.back() = step->end_ns;  // the next one of several that follow one backward
        }
    }
    constexpr std::int64_t first_ns = std::numeric_limits<std::int64_t>::min();
    if (steps_.empty()) begin(first_ns, {0, 0});
    for (const ProfilerStep& step : steps_) begin(step.start_ns, {step.number, 0});
    for (const std::int64_t cut_ns : cuts) {
        const ProfilerStep* step = stepAt(cut_ns);
        if (!steps_.empty() && step == nullptr) continue;
        begin(cut_ns, {step == nullptr ? 0 : step->number, 1});
    }
    std::stable_sort(begins_.begin(), begins_.end(),
                     [](const Begin& a, const Begin& b) { return a.start_ns < b.start_ns; });
    for (std::size_t at = 1; at < begins_.size(); ++at)
        if (begins_[at].place.pass > 0) begins_[at].place.pass = begins_[at - 1].place.pass + 1;
}

Iterations::Place Iterations::before(std::int64_t host_ns) const {
    const auto after =
        std::upper_bound(begins_.begin(), begins_.end(), host_ns,
                         [](std::int64_t time, const Begin& begin) { return time < begin.start_ns; });
    return after == begins_.begin() ? Place{} : std::prev(after)->place;
}

Iterations::Place Iterations::at(std::int64_t host_ns) const {
    const ProfilerStep* step = stepAt(host_ns);
    if (!steps_.empty() && step == nullptr) return {};
    const Place place = before(host_ns);
    // What comes before the first numbered operation of its step is of that step.
    if (step != nullptr && place.iteration != step->number) return {step->number, 0};
    return place.iteration < 0 ? Place{0, 0} : place;
}

}  // namespace bscope
