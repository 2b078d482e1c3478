// What a rank did, from the ranges and kernels of its file.
//
// An operation's time is that of its kernels: those whose launch (the runtime event of the same correlation)
// lies in the operation's host range, on any thread, since autograd launches from its own; a message during
// which none of them runs is not part of it. Without kernels, on CPUs, it is that of HostTimes.
#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "import/trace/host_times.h"
#include "import/trace/iterations.h"
#include "import/trace/kernel_launches.h"
#include "import/trace/raw_trace.h"

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

// Of the kernels of one range those between its messages, where most of the work is. By start, not empty.
HostRange betweenMessages(const std::vector<KernelRange>& kernels, const std::vector<KernelRange>& messages) {
    const auto isHole = [&](const KernelRange& message) {
        return std::ranges::none_of(kernels, [&](const KernelRange& kernel) {
            return kernel.start_ns < message.end_ns && kernel.end_ns > message.start_ns;
        });
    };
    std::vector<KernelRange> holes;
    std::ranges::copy_if(messages, std::back_inserter(holes), isHole);
    sortByStart(holes);
    HostRange most;
    double most_ns = -1;
    auto at = kernels.begin();
    for (std::size_t hole = 0; at != kernels.end(); ++hole) {
        HostRange part = *at;
        double busy_ns = 0;  // kernels may overlap, however many there are
        while (at != kernels.end() && (hole >= holes.size() || at->start_ns < holes[hole].start_ns)) {
            part.end_ns = std::max(part.end_ns, at->end_ns);
            busy_ns += static_cast<double>(at->end_ns - at->start_ns);
            ++at;
        }
        if (busy_ns > most_ns && busy_ns > 0) most = part, most_ns = busy_ns;
    }
    return most_ns > 0 ? most : HostRange{kernels.front().start_ns, kernels.back().end_ns};
}

class Operations {
public:
    // With kernels an operation is found in the same way whether its stage is named or not.
    explicit Operations(RawTrace& trace) : trace_(prepared(trace)), iterations_(trace), host_(trace) {}

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
        }
        for (const OperationRange& range : trace_.named.empty() ? trace_.plain : trace_.named)
            if (isCompute(range.actions.front().op)) compute(rank, range);
        for (const HostRange& range : trace_.optimizer) optimizer(rank, range);
        sortByStart(rank.ops);
        findWork(rank);
        const auto of_none = [](const auto& item) { return item.iteration < 0; };
        std::erase_if(rank.ops, of_none);
        std::erase_if(rank.receives, of_none);
        std::erase_if(rank.sends, of_none);
        std::erase_if(rank.work, of_none);
        return rank;
    }

private:
    static RawTrace& prepared(RawTrace& trace) {
        if (trace.named.empty() && trace.hasKernels()) trace.named.swap(trace.plain);
        sortByStart(trace.named);
        sortByStart(trace.plain);
        sortByStart(trace.steps);
        sortByStart(trace.receives);
        sortByStart(trace.sends);
        sortByStart(trace.optimizer);
        return trace;
    }

    // (named,) kernels of the operation, and the message's kernels.
    void sumKernels() {
        kernels_.assign(trace_.named.size(), {});
        messages_.assign(trace_.named.size(), {});
        optimizer_kernels_.assign(trace_.optimizer.size(), {});
        const KernelLaunches launches(trace_);
        for (const KernelRange& kernel : trace_.kernels) {
            const Launch* launch = launches.of(kernel);
            if (launch == nullptr) continue;
            if (const OperationRange* range = containing(trace_.named, launch->time_ns)) {
                auto& of = kernel.kind == KernelRange::Kind::SendRecv ? messages_ : kernels_;
                of[indexOf(*range)].push_back(kernel);
            } else if (const HostRange* step = containing(trace_.optimizer, launch->time_ns)) {
                widen(optimizer_kernels_[static_cast<std::size_t>(step - trace_.optimizer.data())], kernel);
            }
        }
        for (auto& kernels : kernels_) {
            sortByStart(kernels);
            // A collective at the beginning gathers weights for the operation: it is not yet the operation.
            const auto first = std::ranges::find(kernels, KernelRange::Kind::Compute, &KernelRange::kind);
            kernels.erase(kernels.begin(), first);
        }
    }
    static void widen(std::optional<HostRange>& range, const HostRange& by) {
        if (!range) range = by;
        range->start_ns = std::min(range->start_ns, by.start_ns);
        range->end_ns = std::max(range->end_ns, by.end_ns);
    }
    std::optional<HostRange> messageOf(const OperationRange& range) const {
        std::optional<HostRange> whole;
        for (const KernelRange& message : messages_[indexOf(range)]) widen(whole, message);
        return whole;
    }
    std::size_t indexOf(const OperationRange& range) const {
        return static_cast<std::size_t>(&range - trace_.named.data());
    }

    template <class Item>
    Item& place(std::vector<Item>& items, const OperationRange& range, const Action& action) {
        Item& item = items.emplace_back();
        item.op = action.op;
        item.stage = action.stage;
        item.microbatch = action.microbatch;
        const Iterations::Place place = iterations_.at(range.start_ns);
        item.iteration = place.iteration;
        item.pass = place.pass;
        return item;
    }

    using Message = std::tuple<Iterations::Place, int, int, bool>;  // stage, micro-batch, forward
    Message messageOf(const OperationRange& range, const Action& action) const {
        const bool forward =
            action.op == Op::Forward || action.op == Op::RecvForward || action.op == Op::SendForward;
        return {iterations_.at(range.start_ns), action.stage, action.microbatch, forward};
    }

    void receive(TracedRank& rank, const OperationRange& range) {
        const Action& action = range.actions.front();
        std::optional<HostRange> arrival;
        if (trace_.hasKernels()) {
            arrival = messageOf(range);
        } else {
            const auto first = std::lower_bound(
                trace_.receives.begin(), trace_.receives.end(), range.start_ns,
                [](const HostRange& each, std::int64_t time) { return each.start_ns < time; });
            if (first != trace_.receives.end() && first->start_ns <= range.end_ns) arrival = *first;
        }
        if (!arrival) return;
        TracedReceive& received = place(rank.receives, range, action);
        received.start_ns = arrival->start_ns;
        received.end_ns = arrival->end_ns;
        arrivals_[messageOf(range, action)] = arrival->end_ns;
    }

    void send(TracedRank& rank, const OperationRange& range) {
        const Action& action = range.actions.front();
        TracedSend& sent = place(rank.sends, range, action);
        sent.start_ns = range.start_ns;
        if (!trace_.hasKernels()) {
            if (host_.sendIn(range)) sent_.insert(messageOf(range, action));
        } else if (const auto message = messageOf(range)) {
            sent.start_ns = message->start_ns;
        }
    }

    void compute(TracedRank& rank, const OperationRange& range) {
        if (trace_.hasKernels()) {
            const auto& kernels = kernels_[indexOf(range)];
            if (kernels.empty()) return;
            const HostRange when = betweenMessages(kernels, messages_[indexOf(range)]);
            const std::int64_t middle_ns = when.start_ns + (when.end_ns - when.start_ns) / 2;
            if (range.actions.size() == 1)
                add(rank, range, 0, when, TracedOp::Evidence::Worked);
            else
                addPair(rank, range, {{when.start_ns, middle_ns}, {middle_ns, when.end_ns}});
        } else if (range.actions.size() == 1) {
            onHost(rank, range);
        } else {
            const auto arrival = [&](std::size_t half) -> std::optional<std::int64_t> {
                const auto found = arrivals_.find(messageOf(range, range.actions[half]));
                return found == arrivals_.end() ? std::nullopt : std::optional(found->second);
            };
            addPair(rank, range, host_.pair(range, arrival(0), arrival(1)));
        }
    }

    // What is received in the range or sent from it is the operation's own, whatever the range is named.
    void onHost(TracedRank& rank, const OperationRange& range) {
        const Action& action = range.actions.front();
        HostRange when = host_.operation(range);
        const Message message = messageOf(range, action);
        const auto arrival = arrivals_.find(message);
        if (arrival != arrivals_.end())
            when.start_ns = std::clamp(std::max(arrival->second, when.start_ns), when.start_ns, when.end_ns);
        add(rank, range, 0, when,
            isBackward(action.op) ? host_.evidence(range, sent_.contains(message)) : TracedOp::Evidence::None)
            .around_ns = host_.unsureEdges_ns(when);
        if (action.op == Op::BackwardWeight || action.op == Op::Recompute) return;
        const bool forward = action.op == Op::Forward;
        const HostRange before{range.start_ns, when.start_ns}, after{when.start_ns, range.end_ns};
        if (const auto received = host_.receiveIn(before); received && arrival == arrivals_.end()) {
            TracedReceive& item =
                place(rank.receives, range,
                      {action.stage, forward ? Op::RecvForward : Op::RecvBackward, action.microbatch});
            item.start_ns = received->start_ns;
            item.end_ns = received->end_ns;
        }
        if (const auto sent_ns = host_.sendIn(after)) {
            TracedSend& item =
                place(rank.sends, range,
                      {action.stage, forward ? Op::SendForward : Op::SendBackward, action.microbatch});
            item.start_ns = *sent_ns;
        }
    }

    TracedOp& add(TracedRank& rank, const OperationRange& range, std::size_t half, const HostRange& when,
                  TracedOp::Evidence evidence) {
        TracedOp& op = place(rank.ops, range, range.actions[half]);
        op.chunk = range.chunk;
        op.evidence = evidence;
        op.start_ns = when.start_ns;
        op.end_ns = when.end_ns;
        return op;
    }
    void addPair(TracedRank& rank, const OperationRange& range, const HostTimes::Pair& times) {
        const TracedOp::Evidence evidence =
            trace_.hasKernels()
                ? TracedOp::Evidence::Worked
                : host_.evidence(range, sent_.contains(messageOf(range, range.actions.back())));
        TracedOp& first = add(rank, range, 0, times.first, TracedOp::Evidence::None);
        first.overlaps_next = true;
        if (!trace_.hasKernels()) first.around_ns = host_.unsureEdges_ns(times.first);
        TracedOp& second = add(rank, range, 1, times.second, evidence);
        second.overlaps_before = true;
        if (!trace_.hasKernels()) second.around_ns = host_.unsureEdges_ns(times.second);
    }

    // Within a backward (hooks that step) it is a part of that.
    void optimizer(TracedRank& rank, const HostRange& range) {
        const OperationRange* of =
            containing(trace_.named.empty() ? trace_.plain : trace_.named, range.start_ns);
        if (of != nullptr && isCompute(of->actions.front().op)) return;
        HostRange when = range;
        if (trace_.hasKernels()) {
            const auto& ran = optimizer_kernels_[static_cast<std::size_t>(&range - trace_.optimizer.data())];
            if (!ran) return;
            when = *ran;
        }
        const Iterations::Place place = iterations_.before(range.start_ns);
        TracedOp& op = rank.ops.emplace_back();
        op.op = Op::OptimizerStep;
        op.iteration = place.iteration;
        op.pass = place.pass;
        op.start_ns = when.start_ns;
        op.end_ns = when.end_ns;
    }

    // Kernels or calls that compute and lie in no operation, no message's range and no optimizer step. ops:
    // by start.
    void findWork(TracedRank& rank) const {
        std::vector<HostRange> named = trace_.optimizer;
        for (const OperationRange& range : trace_.named)
            if (!isCompute(range.actions.front().op)) named.push_back(range);
        named = merged(std::move(named));
        if (trace_.hasKernels()) {
            // Autograd launches from threads of its own.
            std::set<std::int64_t> forward_threads;
            for (const Launch& launch : trace_.launches)
                if (const OperationRange* of = containing(trace_.named, launch.time_ns);
                    of != nullptr && of->actions.front().op == Op::Forward)
                    forward_threads.insert(launch.thread);
            const KernelLaunches launches(trace_);
            for (const KernelRange& kernel : trace_.kernels) {
                const Launch* launch =
                    kernel.kind == KernelRange::Kind::Compute ? launches.of(kernel) : nullptr;
                if (launch != nullptr && containing(named, launch->time_ns) == nullptr)
                    addWork(rank, kernel, launch->time_ns, !forward_threads.contains(launch->thread));
            }
        } else {
            for (const HostRange& work : host_.workOutside(named))
                addWork(rank, work, work.start_ns, host_.isAutograd(work));
        }
        sortByStart(rank.work);
    }
    void addWork(TracedRank& rank, const HostRange& work, std::int64_t host_ns, bool backward) const {
        const TracedOp* of = containing(rank.ops, work.start_ns);
        if (of != nullptr && work.end_ns <= of->end_ns) return;
        const Iterations::Place place = iterations_.at(host_ns);
        rank.work.push_back({work.start_ns, work.end_ns, place.iteration, place.pass, backward});
    }

    RawTrace& trace_;
    Iterations iterations_;
    HostTimes host_;
    std::map<Message, std::int64_t> arrivals_;
    std::set<Message> sent_;
    std::vector<std::vector<KernelRange>> kernels_, messages_;  // (named, ...)
    std::vector<std::optional<HostRange>> optimizer_kernels_;   // (optimizer,)
};

}  // namespace

TracedRank namedOperations(RawTrace& trace) {
    requireOneRun(trace);
    TracedRank rank = Operations(trace).find();
    // sail calls the input half of a split backward B.
    const bool splits = std::any_of(rank.ops.begin(), rank.ops.end(),
                                    [](const TracedOp& op) { return op.op == Op::BackwardWeight; });
    for (TracedOp& op : rank.ops)
        if (splits && op.chunk >= 0 && op.op == Op::Backward) op.op = Op::BackwardInput;
    return rank;
}

}  // namespace bscope
