#include <algorithm>
#include <functional>
#include <map>
#include <unordered_map>

#include "import/raw_trace.h"

namespace bscope {
namespace {

// Calls that lie in no other call of their thread, by thread and start; the others add nothing.
std::map<std::int64_t, std::vector<HostCall>> outermost(std::vector<HostCall> calls) {
    std::stable_sort(calls.begin(), calls.end(), [](const HostCall& a, const HostCall& b) {
        return a.start_ns != b.start_ns ? a.start_ns < b.start_ns : a.end_ns > b.end_ns;
    });
    std::map<std::int64_t, std::vector<HostCall>> by_thread;
    for (const HostCall& call : calls) {
        auto& of = by_thread[call.thread];
        if (of.empty() || call.start_ns >= of.back().end_ns) of.push_back(call);
    }
    return by_thread;
}

bool liesIn(const std::vector<HostCall>& calls, std::int64_t time_ns) {
    const auto after =
        std::upper_bound(calls.begin(), calls.end(), time_ns,
                         [](std::int64_t time, const HostCall& call) { return time < call.start_ns; });
    return after != calls.begin() && time_ns < std::prev(after)->end_ns;
}

// Work or a message, at its place on the host; when it ran on the device, or on the host where there is none.
struct Piece {
    std::int64_t host_ns = 0;
    enum class Kind : std::uint8_t { Forward, Backward, Message } kind = Kind::Forward;
    HostRange ran;
};

class Pieces {
public:
    explicit Pieces(const RawTrace& trace) : trace_(trace) {
        std::vector<HostCall> autograd, others;
        for (const HostCall& call : trace.calls)
            (call.kind == HostCall::Kind::Autograd ? autograd : others).push_back(call);
        autograd_ = outermost(std::move(autograd));
        for (const HostCall& call : others)
            if (call.kind == HostCall::Kind::Message) add(call.start_ns, Piece::Kind::Message, call);
        if (trace.hasKernels())
            addKernels();
        else
            addCalls();
        std::stable_sort(pieces_.begin(), pieces_.end(),
                         [](const Piece& a, const Piece& b) { return a.host_ns < b.host_ns; });
    }

    const std::vector<Piece>& all() const { return pieces_; }

private:
    void add(std::int64_t host_ns, Piece::Kind kind, const HostRange& ran) {
        pieces_.push_back({host_ns, kind, ran});
    }
    Piece::Kind kindAt(std::int64_t thread, std::int64_t time_ns) const {
        const auto of_thread = autograd_.find(thread);
        return of_thread != autograd_.end() && liesIn(of_thread->second, time_ns) ? Piece::Kind::Backward
                                                                                  : Piece::Kind::Forward;
    }
    bool ofOptimizer(std::int64_t time_ns) const {
        return std::any_of(trace_.optimizer.begin(), trace_.optimizer.end(),
                           [time_ns](const HostRange& range) {
                               return time_ns >= range.start_ns && time_ns <= range.end_ns;
                           });
    }
    void addKernels() {
        std::unordered_map<std::int64_t, const Launch*> launches;
        for (const Launch& launch : trace_.launches) launches[launch.correlation] = &launch;
        for (const KernelRange& kernel : trace_.kernels) {
            const auto launch = launches.find(kernel.correlation);
            if (kernel.kind != KernelRange::Kind::Compute || launch == launches.end()) continue;
            const Launch& from = *launch->second;
            if (!ofOptimizer(from.time_ns)) add(from.time_ns, kindAt(from.thread, from.time_ns), kernel);
        }
    }
    void addCalls() {
        for (const auto& [thread, calls] : outermost(trace_.calls))
            for (const HostCall& call : calls)
                if (call.kind != HostCall::Kind::Message && !ofOptimizer(call.start_ns))
                    add(call.start_ns, kindAt(thread, call.start_ns), call);
    }

    const RawTrace& trace_;
    std::map<std::int64_t, std::vector<HostCall>> autograd_;
    std::vector<Piece> pieces_;
};

// What is no forward: what comes after the last backward of its iteration (the division of gradients), since
// every forward has its backward on the same rank; then, as an iteration has as many forwards as backwards,
// what is smaller than these forwards (buffers, batches cut into micro-batches).
void dropOddWork(std::vector<TracedOp>& ops, const std::vector<std::int64_t>& work_ns) {
    std::map<int, std::size_t> backwards, last_backward;
    for (std::size_t at = 0; at < ops.size(); ++at)
        if (ops[at].op == Op::Backward) {
            ++backwards[ops[at].iteration];
            last_backward[ops[at].iteration] = at;
        }
    const auto early = [&](std::size_t at) { return at < last_backward[ops[at].iteration]; };
    std::map<int, std::vector<std::int64_t>> forwards;  // greatest first
    for (std::size_t at = 0; at < ops.size(); ++at)
        if (ops[at].op == Op::Forward && early(at)) forwards[ops[at].iteration].push_back(work_ns[at]);
    for (auto& [iteration, work] : forwards) std::sort(work.begin(), work.end(), std::greater<>());
    std::vector<TracedOp> kept;
    for (std::size_t at = 0; at < ops.size(); ++at) {
        const auto& work = forwards[ops[at].iteration];
        const std::size_t count = backwards[ops[at].iteration];
        const bool odd = ops[at].op == Op::Forward &&
                         (!early(at) || (work.size() > count && work_ns[at] < work[count - 1]));
        if (!odd) kept.push_back(ops[at]);
    }
    ops = std::move(kept);
}

}  // namespace

TracedRank unnamedOperations(RawTrace& trace) {
    TracedRank rank;
    rank.rank = trace.rank;
    rank.file = trace.file;
    std::stable_sort(trace.steps.begin(), trace.steps.end(),
                     [](const ProfilerStep& a, const ProfilerStep& b) { return a.start_ns < b.start_ns; });
    bool open = false;
    std::vector<std::int64_t> work_ns;  // (ops,)
    auto step = trace.steps.begin();
    const Pieces pieces(trace);
    for (const Piece& piece : pieces.all()) {
        while (step != trace.steps.end() && step->end_ns < piece.host_ns) ++step, open = false;
        const bool outside =
            !trace.steps.empty() && (step == trace.steps.end() || piece.host_ns < step->start_ns);
        if (outside || piece.kind == Piece::Kind::Message) {
            open = false;
            continue;
        }
        const Op op = piece.kind == Piece::Kind::Forward ? Op::Forward : Op::Backward;
        if (!open || rank.ops.back().op != op) {
            TracedOp& next = rank.ops.emplace_back();
            next.op = op;
            next.iteration = trace.steps.empty() ? 0 : step->number;
            next.start_ns = piece.ran.start_ns;
            next.end_ns = piece.ran.end_ns;
            work_ns.push_back(piece.ran.end_ns - piece.ran.start_ns);
            open = true;
            continue;
        }
        TracedOp& now = rank.ops.back();
        now.start_ns = std::min(now.start_ns, piece.ran.start_ns);
        now.end_ns = std::max(now.end_ns, piece.ran.end_ns);
        work_ns.back() += piece.ran.end_ns - piece.ran.start_ns;
    }
    dropOddWork(rank.ops, work_ns);
    return rank;
}

}  // namespace bscope
