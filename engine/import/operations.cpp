// What a rank did, from the ranges and kernels of its file.
//
// An operation's time is that of its kernels: those whose launch (the runtime event of the same correlation)
// lies in the operation's host range, on any thread, since autograd launches from its own. Without kernels,
// on CPUs, it is the host range less the receive that the operation waits for.
#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>

#include "import/raw_trace.h"

namespace bscope {
namespace {

template <class Item>
void sortByStart(std::vector<Item>& items) {
    std::stable_sort(items.begin(), items.end(),
                     [](const Item& a, const Item& b) { return a.start_ns < b.start_ns; });
}

// The last range that starts at or before the time and reaches it; nullptr when none does. Sorted, not
// nested.
template <class Item>
const Item* containing(const std::vector<Item>& items, std::int64_t time_ns) {
    auto after = std::upper_bound(items.begin(), items.end(), time_ns,
                                  [](std::int64_t time, const Item& item) { return time < item.start_ns; });
    if (after == items.begin()) return nullptr;
    --after;
    return time_ns <= after->end_ns ? &*after : nullptr;
}

class Operations {
public:
    explicit Operations(RawTrace& trace) : trace_(trace) {
        // With kernels an operation is found in the same way whether its stage is named or not.
        if (trace_.named.empty() && trace_.hasKernels()) trace_.named.swap(trace_.plain);
        sortByStart(trace_.named);
        sortByStart(trace_.steps);
        sortByStart(trace_.receives);
        sortByStart(trace_.sends);
    }

    TracedRank find() {
        TracedRank rank;
        rank.rank = trace_.rank;
        rank.file = trace_.file;
        if (trace_.hasKernels()) sumKernels();
        for (const OperationRange& range : trace_.named) {
            const Action& action = range.actions.front();
            if (isReceive(action.op))
                receive(rank, range);
            else if (isSend(action.op))
                send(rank, range);
            else if (isCompute(action.op))
                compute(rank, range);
        }
        if (trace_.named.empty()) plain(rank);
        for (const HostRange& range : trace_.optimizer) {
            TracedOp op;
            op.op = Op::OptimizerStep;
            op.iteration = iterationAt(range.start_ns);
            op.start_ns = range.start_ns;
            op.end_ns = range.end_ns;
            rank.ops.push_back(op);
        }
        std::erase_if(rank.ops, [](const TracedOp& op) { return op.iteration < 0; });
        std::erase_if(rank.receives, [](const TracedReceive& each) { return each.iteration < 0; });
        std::erase_if(rank.sends, [](const TracedSend& each) { return each.iteration < 0; });
        sortByStart(rank.ops);
        return rank;
    }

private:
    // The profiler's step; without steps how often this action came before. -1: outside every step.
    int iterationAt(std::int64_t time_ns) const {
        if (trace_.steps.empty()) return 0;
        const ProfilerStep* step = containing(trace_.steps, time_ns);
        return step == nullptr ? -1 : step->number;
    }
    int iterationOf(const OperationRange& range) {
        const Action& action = range.actions.front();
        if (!trace_.steps.empty() || action.microbatch < 0) return iterationAt(range.start_ns);
        return seen_[{range.chunk >= 0 ? range.chunk : action.stage, static_cast<int>(action.op),
                      action.microbatch}]++;
    }

    // (named,) first and last compute kernel, and the message's kernel.
    void sumKernels() {
        on_device_.assign(trace_.named.size(), {});
        message_.assign(trace_.named.size(), {});
        std::unordered_map<std::int64_t, std::size_t> owner;  // correlation -> named range
        for (const Launch& launch : trace_.launches) {
            const OperationRange* range = containing(trace_.named, launch.time_ns);
            if (range != nullptr)
                owner[launch.correlation] = static_cast<std::size_t>(range - trace_.named.data());
        }
        for (const KernelRange& kernel : trace_.kernels) {
            const auto found = owner.find(kernel.correlation);
            if (found == owner.end()) continue;
            std::optional<HostRange>& of = kernel.kind == KernelRange::Kind::SendRecv
                                               ? message_[found->second]
                                               : on_device_[found->second];
            if (!of) {
                // A collective at the beginning gathers weights for the operation: it is not yet the
                // operation.
                if (kernel.kind == KernelRange::Kind::Collective) continue;
                of = kernel;
            }
            if (kernel.kind != KernelRange::Kind::Collective)
                of->start_ns = std::min(of->start_ns, kernel.start_ns);
            of->end_ns = std::max(of->end_ns, kernel.end_ns);
        }
    }
    std::size_t indexOf(const OperationRange& range) const {
        return static_cast<std::size_t>(&range - trace_.named.data());
    }

    void receive(TracedRank& rank, const OperationRange& range) {
        const Action& action = range.actions.front();
        std::optional<HostRange> arrival;
        if (trace_.hasKernels()) {
            arrival = message_[indexOf(range)];
        } else {
            const auto first = std::lower_bound(
                trace_.receives.begin(), trace_.receives.end(), range.start_ns,
                [](const HostRange& each, std::int64_t time) { return each.start_ns < time; });
            if (first != trace_.receives.end() && first->start_ns <= range.end_ns) arrival = *first;
        }
        if (!arrival) return;
        TracedReceive& told = rank.receives.emplace_back();
        told.op = action.op;
        told.stage = action.stage;
        told.microbatch = action.microbatch;
        told.iteration = iterationOf(range);
        told.start_ns = arrival->start_ns;
        told.end_ns = arrival->end_ns;
        arrivals_[{told.iteration, action.stage, action.microbatch, action.op == Op::RecvForward}] =
            arrival->end_ns;
    }

    void send(TracedRank& rank, const OperationRange& range) {
        const Action& action = range.actions.front();
        TracedSend& told = rank.sends.emplace_back();
        told.op = action.op;
        told.stage = action.stage;
        told.microbatch = action.microbatch;
        told.iteration = iterationOf(range);
        told.start_ns = range.start_ns;
        if (trace_.hasKernels() && message_[indexOf(range)])
            told.start_ns = message_[indexOf(range)]->start_ns;
    }

    void compute(TracedRank& rank, const OperationRange& range) {
        const int iteration = iterationOf(range);
        HostRange when = range;
        if (trace_.hasKernels()) {
            const auto& kernels = on_device_[indexOf(range)];
            if (!kernels) return;
            when = *kernels;
        } else {
            for (const Action& action : range.actions) {
                const auto arrival =
                    arrivals_.find({iteration, action.stage, action.microbatch, action.op == Op::Forward});
                if (arrival != arrivals_.end())
                    when.start_ns = std::clamp(arrival->second, when.start_ns, when.end_ns);
            }
        }
        const std::int64_t each =
            (when.end_ns - when.start_ns) / static_cast<std::int64_t>(range.actions.size());
        for (const Action& action : range.actions) {
            TracedOp& op = rank.ops.emplace_back();
            op.op = action.op;
            op.stage = action.stage;
            op.microbatch = action.microbatch;
            op.chunk = range.chunk;
            op.iteration = iteration;
            op.overlaps_next = action.overlaps_next;
            op.start_ns = when.start_ns;
            op.end_ns = action.overlaps_next ? when.start_ns + each : when.end_ns;
            when.start_ns = op.end_ns;
        }
    }

    // ScheduleGPipe names neither stage nor messages: the receive that comes first and the send that comes
    // last within the range are not the operation.
    void plain(TracedRank& rank) {
        for (const OperationRange& range : trace_.plain) {
            TracedOp& told = rank.ops.emplace_back();
            told.op = range.actions.front().op;
            told.microbatch = range.actions.front().microbatch;
            told.iteration = iterationOf(range);
            told.start_ns = range.start_ns;
            told.end_ns = range.end_ns;
            for (const HostRange& receive : trace_.receives)
                if (receive.start_ns >= told.start_ns && receive.end_ns <= told.end_ns)
                    told.start_ns = receive.end_ns;
            for (const HostRange& sent : trace_.sends)
                if (sent.start_ns > told.start_ns && sent.start_ns < told.end_ns) {
                    told.end_ns = sent.start_ns;
                    break;
                }
        }
    }

    RawTrace& trace_;
    std::map<std::tuple<int, int, int>, int> seen_;
    std::map<std::tuple<int, int, int, bool>, std::int64_t>
        arrivals_;  // iteration, stage, micro-batch, forward
    std::vector<std::optional<HostRange>> on_device_, message_;
};

}  // namespace

TracedRank namedOperations(RawTrace& trace) {
    TracedRank rank = Operations(trace).find();
    // sail calls the input half of a split backward B.
    const bool splits = std::any_of(rank.ops.begin(), rank.ops.end(),
                                    [](const TracedOp& op) { return op.op == Op::BackwardWeight; });
    for (TracedOp& op : rank.ops)
        if (splits && op.chunk >= 0 && op.op == Op::Backward) op.op = Op::BackwardInput;
    return rank;
}

}  // namespace bscope
