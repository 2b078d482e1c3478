#include "import/trace/host_pieces.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "import/trace/kernel_launches.h"

namespace bscope {
namespace {

// A call that lies in no other call of its thread, with the calls in it that compute something.
struct OuterCall : HostCall {
    int computing = 0;
};

std::map<std::int64_t, std::vector<OuterCall>> outermost(std::vector<HostCall> calls) {
    std::stable_sort(calls.begin(), calls.end(), [](const HostCall& a, const HostCall& b) {
        return a.start_ns != b.start_ns ? a.start_ns < b.start_ns : a.end_ns > b.end_ns;
    });
    std::map<std::int64_t, std::vector<OuterCall>> by_thread;
    for (const HostCall& call : calls) {
        auto& of = by_thread[call.thread];
        if (of.empty() || call.start_ns >= of.back().end_ns) of.push_back({call, 0});
        if (of.back().kind == HostCall::Kind::Bookkeeping) continue;
        of.back().computing += call.kind == HostCall::Kind::Work || call.kind == HostCall::Kind::Autograd;
    }
    return by_thread;
}

// The call that the time lies in; nullptr: none.
const OuterCall* around(const std::vector<OuterCall>& calls, std::int64_t time_ns) {
    const auto after =
        std::upper_bound(calls.begin(), calls.end(), time_ns,
                         [](std::int64_t time, const OuterCall& call) { return time < call.start_ns; });
    return after != calls.begin() && time_ns < std::prev(after)->end_ns ? &*std::prev(after) : nullptr;
}

class Pieces {
public:
    explicit Pieces(const RawTrace& trace) : trace_(trace) {
        findOptimizer();
        std::vector<HostCall> autograd, others;
        for (const HostCall& call : trace.calls)
            (call.kind == HostCall::Kind::Autograd ? autograd : others).push_back(call);
        autograd_ = outermost(std::move(autograd));
        for (const HostCall& call : others)
            if (call.isMessage())
                pieces_.push_back(
                    {call.start_ns,
                     call.kind == HostCall::Kind::Send ? Piece::Kind::Send : Piece::Kind::Receive, call});
        if (trace.hasKernels())
            addKernels();
        else
            addCalls();
        std::stable_sort(pieces_.begin(), pieces_.end(),
                         [](const Piece& a, const Piece& b) { return a.host_ns < b.host_ns; });
    }

    std::vector<Piece> take() { return std::move(pieces_); }

private:
    // Of a backward, for the node of autograd's call around it.
    void add(std::int64_t host_ns, const OuterCall* backward, bool nothing, const HostRange& ran,
             int computing, std::int64_t node) {
        const Piece::Kind kind = backward  ? Piece::Kind::Backward
                                 : nothing ? Piece::Kind::Bookkeeping
                                           : Piece::Kind::Forward;
        pieces_.push_back({host_ns, kind, ran, computing, backward ? backward->node : node});
    }
    const OuterCall* backwardAt(std::int64_t thread, std::int64_t time_ns) const {
        const auto of_thread = autograd_.find(thread);
        return of_thread != autograd_.end() ? around(of_thread->second, time_ns) : nullptr;
    }
    bool ofOptimizer(std::int64_t time_ns) const {
        const auto after =
            std::upper_bound(optimizer_.begin(), optimizer_.end(), time_ns,
                             [](std::int64_t time, const HostRange& range) { return time < range.start_ns; });
        return after != optimizer_.begin() && time_ns <= std::prev(after)->end_ns;
    }
    // Without those that lie in another one, so that they end in the order in which they begin.
    void findOptimizer() {
        optimizer_ = trace_.optimizer;
        std::stable_sort(optimizer_.begin(), optimizer_.end(), byStart);
        std::int64_t end_ns = std::numeric_limits<std::int64_t>::min();
        std::erase_if(optimizer_, [&end_ns](const HostRange& range) {
            const bool inner = range.end_ns <= end_ns;
            end_ns = std::max(end_ns, range.end_ns);
            return inner;
        });
    }
    void addKernels() {
        const KernelLaunches launches(trace_);
        const auto calls = outermost(trace_.calls);
        for (const KernelRange& kernel : trace_.kernels) {
            const Launch* from = kernel.kind == KernelRange::Kind::Compute ? launches.of(kernel) : nullptr;
            if (from == nullptr || ofOptimizer(from->time_ns)) continue;
            const OuterCall* const backward = backwardAt(from->thread, from->time_ns);
            const OuterCall* const call = callOf(calls, *from);
            const bool nothing = !backward && isBookkeeping(call);
            add(from->time_ns, backward, nothing, kernel, nothing ? 0 : 1, call ? call->node : -1);
        }
    }
    // A kernel of a call that is no operation's: a batch that is copied, gradients that are scaled.
    static bool isBookkeeping(const OuterCall* call) {
        return call != nullptr && call->kind == HostCall::Kind::Bookkeeping && call->computing == 0;
    }
    static const OuterCall* callOf(const std::map<std::int64_t, std::vector<OuterCall>>& calls,
                                   const Launch& launch) {
        const auto of = calls.find(launch.thread);
        return of == calls.end() ? nullptr : around(of->second, launch.time_ns);
    }
    void addCalls() {
        for (const auto& [thread, calls] : outermost(trace_.calls))
            for (const OuterCall& call : calls) {
                if (call.isMessage() || ofOptimizer(call.start_ns)) continue;
                add(call.start_ns, backwardAt(thread, call.start_ns), call.computing == 0, call,
                    call.computing, call.node);
            }
    }

    const RawTrace& trace_;
    std::map<std::int64_t, std::vector<OuterCall>> autograd_;
    std::vector<Piece> pieces_;
    std::vector<HostRange> optimizer_;  // by start, and so by end
};

}  // namespace

std::vector<Piece> hostPieces(const RawTrace& trace) {
    return Pieces(trace).take();
}

}  // namespace bscope
