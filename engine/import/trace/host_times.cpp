#include "import/trace/host_times.h"

#include <algorithm>

namespace bscope {
namespace {

bool byEnd(const HostRange& a, const HostRange& b) {
    return a.end_ns < b.end_ns;
}

// The first of `items` (by start) that starts at or after the time.
std::vector<HostRange>::const_iterator from(const std::vector<HostRange>& items, std::int64_t time_ns) {
    return std::lower_bound(items.begin(), items.end(), time_ns,
                            [](const HostRange& item, std::int64_t time) { return item.start_ns < time; });
}

std::int64_t length(const HostRange& range) {
    return range.end_ns - range.start_ns;
}

// Without those that lie in another one. Sorts by start.
std::vector<HostRange> outermost(std::vector<HostRange> ranges) {
    std::stable_sort(ranges.begin(), ranges.end(), [](const HostRange& a, const HostRange& b) {
        return a.start_ns != b.start_ns ? a.start_ns < b.start_ns : a.end_ns > b.end_ns;
    });
    std::vector<HostRange> outer;
    for (const HostRange& range : ranges)
        if (outer.empty() || range.end_ns > outer.back().end_ns) outer.push_back(range);
    return outer;
}

}  // namespace

std::vector<HostRange> merged(std::vector<HostRange> ranges) {
    std::stable_sort(ranges.begin(), ranges.end(), byStart);
    std::vector<HostRange> out;
    for (const HostRange& range : ranges) {
        if (out.empty() || range.start_ns > out.back().end_ns)
            out.push_back(range);
        else
            out.back().end_ns = std::max(out.back().end_ns, range.end_ns);
    }
    return out;
}

HostTimes::HostTimes(const RawTrace& trace)
    : receives_(trace.receives), has_calls_(trace.has_calls), has_messages_(trace.hasMessages()) {
    std::vector<HostRange> work;
    for (const HostCall& call : trace.calls) {
        if (call.kind == HostCall::Kind::Work || call.kind == HostCall::Kind::Autograd) work.push_back(call);
        if (call.kind == HostCall::Kind::Autograd) autograd_.push_back(call);
        if (call.kind == HostCall::Kind::Send) sends_.push_back(call);
        if (call.kind == HostCall::Kind::Bookkeeping || call.isMessage()) others_.push_back(call);
    }
    work_ = outermost(std::move(work));
    // Gloo's own range of a send begins after the message was handed over.
    if (sends_.empty())
        for (const HostRange& send : trace.sends) sends_.push_back({send.start_ns, send.start_ns});
    for (auto* of : {&autograd_, &sends_, &others_}) std::stable_sort(of->begin(), of->end(), byStart);
    std::stable_sort(receives_.begin(), receives_.end(), byEnd);
}

std::int64_t HostTimes::lastWork(std::int64_t from_ns, std::int64_t to_ns, std::int64_t otherwise) const {
    const auto past = from(work_, to_ns);
    if (past == work_.begin()) return otherwise;
    const HostRange& last = *std::prev(past);
    return last.end_ns > from_ns ? std::min(last.end_ns, to_ns) : otherwise;
}

// The host returns from an operation between its last call and the next one, or the end of the range: in the
// middle, so that neither is far off.
std::int64_t HostTimes::leaves(const HostRange& part) const {
    const std::int64_t worked_ns = lastWork(part.start_ns, part.end_ns, part.end_ns);
    const auto next = from(others_, worked_ns);
    const std::int64_t past_ns = next == others_.end() ? part.end_ns : std::min(next->start_ns, part.end_ns);
    return worked_ns + (past_ns - worked_ns) / 2;
}

std::int64_t HostTimes::unsureEdges_ns(const HostRange& operation) const {
    const auto first = from(work_, operation.start_ns);
    const bool begins = first != work_.end() && first->start_ns < operation.end_ns;
    const bool works_already = first != work_.begin() && std::prev(first)->end_ns > operation.start_ns;
    return (begins && !works_already ? first->start_ns - operation.start_ns : 0) + operation.end_ns -
           lastWork(operation.start_ns, operation.end_ns, operation.end_ns);
}

std::size_t HostTimes::workCount(const HostRange& range) const {
    return static_cast<std::size_t>(
        std::max<std::ptrdiff_t>(0, from(work_, range.end_ns) - from(work_, range.start_ns)));
}

std::vector<HostRange> HostTimes::workOutside(const std::vector<HostRange>& ranges) const {
    std::vector<HostRange> outside;
    auto next = ranges.begin();
    for (const HostRange& work : work_) {
        std::int64_t from_ns =
            std::max(work.start_ns, outside.empty() ? work.start_ns : outside.back().end_ns);
        while (next != ranges.end() && next->end_ns <= from_ns) ++next;
        for (auto each = next; each != ranges.end() && each->start_ns < work.end_ns; ++each) {
            if (each->start_ns > from_ns) outside.push_back({from_ns, each->start_ns});
            from_ns = std::max(from_ns, each->end_ns);
        }
        if (from_ns < work.end_ns) outside.push_back({from_ns, work.end_ns});
    }
    return outside;
}

bool HostTimes::isAutograd(const HostRange& work) const {
    const auto after = from(autograd_, work.end_ns);
    return after != autograd_.begin() && std::prev(after)->end_ns > work.start_ns;
}

std::optional<HostRange> HostTimes::receiveIn(const HostRange& range) const {
    const auto past =
        std::upper_bound(receives_.begin(), receives_.end(), range.end_ns,
                         [](std::int64_t time, const HostRange& each) { return time < each.end_ns; });
    if (past == receives_.begin() || std::prev(past)->end_ns <= range.start_ns) return std::nullopt;
    return *std::prev(past);
}

std::optional<std::int64_t> HostTimes::sendIn(const HostRange& range) const {
    const auto first = from(sends_, range.start_ns);
    if (first == sends_.end() || first->start_ns > range.end_ns) return std::nullopt;
    return first->start_ns;
}

// What of the range is neither waiting for a message nor handing one over; usual: the one after what is
// received before the first send.
std::vector<HostRange> HostTimes::segments(const HostRange& range, std::size_t& usual) const {
    struct Hole : HostRange {
        bool receive = false;
    };
    std::vector<Hole> holes;
    const auto first =
        std::upper_bound(receives_.begin(), receives_.end(), range.start_ns,
                         [](std::int64_t time, const HostRange& each) { return time < each.end_ns; });
    for (auto each = first; each != receives_.end() && each->end_ns <= range.end_ns; ++each) {
        // A receive may be asked for long before the rank waits for it: that begins after its last work.
        const std::int64_t asked_ns = std::max(each->start_ns, range.start_ns);
        holes.push_back(
            {{std::min(lastWork(asked_ns, each->end_ns, asked_ns), each->end_ns), each->end_ns}, true});
    }
    for (auto each = from(sends_, range.start_ns); each != sends_.end() && each->start_ns <= range.end_ns;
         ++each)
        holes.push_back({{each->start_ns, std::min(each->end_ns, range.end_ns)}, false});
    std::stable_sort(holes.begin(), holes.end(), byStart);
    std::vector<HostRange> segments;
    std::int64_t from_ns = range.start_ns;
    bool sent = false;
    usual = 0;
    for (const Hole& hole : holes) {
        sent = sent || !hole.receive;
        if (hole.start_ns > from_ns) segments.push_back({from_ns, hole.start_ns});
        from_ns = std::max(from_ns, hole.end_ns);
        if (!sent && from_ns < range.end_ns) usual = segments.size();
    }
    if (from_ns < range.end_ns) segments.push_back({from_ns, range.end_ns});
    return segments;
}

HostRange HostTimes::operation(const HostRange& range) const {
    std::size_t usual = 0;
    const std::vector<HostRange> parts = segments(range, usual);
    if (parts.empty()) return range;
    usual = std::min(usual, parts.size() - 1);
    HostRange part = parts[usual];
    // Sending what came before, or receiving what comes next, may be in the range, too: then the work is
    // elsewhere.
    constexpr std::size_t least_share = 3;
    constexpr std::int64_t least_time = 10;
    const std::size_t all = workCount(range);
    if (all > 0) {
        const auto most =
            std::ranges::max_element(parts, {}, [this](const HostRange& each) { return workCount(each); });
        if (workCount(part) * least_share < all) part = *most;
        part.end_ns = leaves(part);
    } else if (usual == 0) {
        // Nothing was received before: what is before a first send may be no more than the way to it.
        const auto most = std::ranges::max_element(parts, {}, length);
        if (length(part) * least_time < length(*most)) part = *most;
    }
    return part;
}

HostTimes::Pair HostTimes::pair(const HostRange& range, std::optional<std::int64_t> first_arrival_ns,
                                std::optional<std::int64_t> second_arrival_ns) const {
    HostRange whole = range;
    if (first_arrival_ns) whole.start_ns = std::clamp(*first_arrival_ns, range.start_ns, range.end_ns);
    whole.end_ns = leaves(whole);
    const auto call = from(autograd_, whole.start_ns);
    const bool known = call != autograd_.end() && call->start_ns < whole.end_ns;
    const std::int64_t middle_ns = known ? call->start_ns : whole.start_ns + length(whole) / 2;
    if (!second_arrival_ns || *second_arrival_ns <= whole.start_ns || *second_arrival_ns >= whole.end_ns) {
        const std::int64_t split_ns = known ? lastWork(whole.start_ns, middle_ns, middle_ns) : middle_ns;
        return {{whole.start_ns, split_ns}, {split_ns, whole.end_ns}};
    }
    // The second half waits for its message, so that the first one has ended when it is there.
    const std::int64_t split_ns =
        known ? std::min(*second_arrival_ns, middle_ns) : std::max(*second_arrival_ns, middle_ns);
    return {{whole.start_ns, lastWork(whole.start_ns, split_ns, split_ns)}, {split_ns, whole.end_ns}};
}

TracedOp::Evidence HostTimes::evidence(const HostRange& range, bool for_message) const {
    const auto backward = from(autograd_, range.start_ns);
    const bool worked = backward != autograd_.end() && backward->start_ns <= range.end_ns;
    if (worked || for_message || sendIn(range)) return TracedOp::Evidence::Worked;
    if (has_calls_ && !work_.empty()) return TracedOp::Evidence::Idle;  // else no call of any work was kept
    if (receiveIn(range)) return TracedOp::Evidence::Worked;
    return has_messages_ ? TracedOp::Evidence::Idle : TracedOp::Evidence::None;
}

}  // namespace bscope
