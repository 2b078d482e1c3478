// What a rank did where no file names it: its work, cut where it sends, receives, or turns from forwards to
// backwards. What is an operation is decided by calls and messages, never by how long something took: a
// rank that loses its core makes anything long.
//
// With kernels an operation is their time, as in operations.cpp. Without them it is the host's, as of named
// ranges: from the end of what was received for it to the next call that is not its own, the host's own time
// in between included.
#include <algorithm>
#include <limits>
#include <map>
#include <optional>

#include "import/trace/host_pieces.h"
#include "import/trace/iterations.h"
#include "import/trace/raw_trace.h"
#include "timeline/median.h"

namespace bscope {
namespace {

Piece::Kind pieceOf(Op op) {
    return op == Op::Forward ? Piece::Kind::Forward : Piece::Kind::Backward;
}

// An operation with what lies around it.
struct FoundOp {
    TracedOp op;
    int computing = 0;
    bool received = false, sent = false;  // between the operation before and this, this and the next
    // On the host: the end of the last message before it; the first call after it that is not its own.
    std::optional<std::int64_t> free_ns, until_ns;
    std::vector<Piece> pieces = {};  // of the first operation of an iteration
    // Of autograd's graph: of a forward its first one, if it has any; of a backward those that it works for.
    std::vector<std::int64_t> nodes = {};

    void takeNode(std::int64_t node) {
        if (node >= 0 && (op.op == Op::Backward || nodes.empty())) nodes.push_back(node);
    }
};

// How many calls that compute something a forward of this rank has: the greatest number that comes half as
// often as backwards do; where none does, that which comes most often.
int usualWork(const std::vector<FoundOp>& ops) {
    std::map<int, int> times;
    int backwards = 0;
    for (const FoundOp& each : ops) {
        if (each.op.op == Op::Forward)
            ++times[each.computing];
        else
            ++backwards;
    }
    int usual = 0, most = 0, greatest = 0;
    for (const auto& [computing, count] : times) {
        if (backwards > 0 && 2 * count >= backwards) greatest = computing;
        if (count >= most) usual = computing, most = count;
    }
    return greatest > 0 ? greatest : usual;
}

// How unlike a forward of this rank, the strongest sign first: of the messages that most of its forwards
// have, one before and one behind, it is without so many; it has fewer calls; it has more, as the last
// stage's have that end in the loss.
struct Unlike {
    int lacks_messages = 0;
    int fewer = 0, more = 0;
    auto operator<=>(const Unlike&) const = default;
};

class Forwards {
public:
    explicit Forwards(const std::vector<FoundOp>& ops) : usual_(usualWork(ops)) {
        const auto most = [&ops](bool FoundOp::*flag) {
            std::ptrdiff_t all = 0, with = 0;
            for (const FoundOp& each : ops)
                if (each.op.op == Op::Forward) ++all, with += each.*flag;
            return 2 * with > all;
        };
        receive_ = most(&FoundOp::received);
        send_ = most(&FoundOp::sent);
    }
    Unlike unlike(const FoundOp& each) const {
        return {static_cast<int>(receive_ && !each.received) + static_cast<int>(send_ && !each.sent),
                std::max(usual_ - each.computing, 0), std::max(each.computing - usual_, 0)};
    }
    // Of a rank that runs no backward, so that nothing says how many there are: what has no message at all,
    // where most have one, and where none has, what has not the usual calls.
    bool isNone(const FoundOp& each) const {
        return receive_ || send_ ? !each.received && !each.sent : each.computing != usual_;
    }

private:
    int usual_;
    bool receive_ = false, send_ = false;
};

// (ops,) whether a backward works for nodes of the forward: it has those from its own first one up to the
// next forward's. Empty: the file does not say it of every backward, or of forwards of one thread.
std::vector<bool> trainedOf(const std::vector<FoundOp>& ops) {
    std::map<std::int64_t, std::size_t> forwards;  // by first node
    std::vector<bool> trained(ops.size());
    for (std::size_t at = 0; at < ops.size(); ++at) {
        const std::vector<std::int64_t>& nodes = ops[at].nodes;
        if (ops[at].op.op == Op::Forward) {
            if (nodes.empty()) continue;
            if (!forwards.empty() && forwards.rbegin()->first >= nodes.front()) return {};
            forwards.emplace(nodes.front(), at);
            continue;
        }
        bool known = false;
        for (const std::int64_t node : nodes) {
            const auto next = forwards.upper_bound(node);
            if (next == forwards.begin()) continue;
            known = trained[std::prev(next)->second] = true;
        }
        if (!known) return {};
    }
    return trained;
}

// Those that received or sent; what only prepares a batch does neither.
std::ptrdiff_t forwardsOfPipeline(const std::vector<FoundOp>& ops) {
    return std::ranges::count_if(
        ops, [](const FoundOp& each) { return each.op.op == Op::Forward && (each.received || each.sent); });
}

// Without those that are odd: what they received is for the next one, what they sent is of the one before.
void leaveOut(std::vector<FoundOp>& ops, const std::vector<bool>& odd) {
    std::vector<FoundOp> kept;
    bool received = false;
    for (std::size_t at = 0; at < ops.size(); ++at) {
        FoundOp& each = ops[at];
        if (odd[at]) {
            received = received || each.received;
            if (!kept.empty() && kept.back().op.iteration == each.op.iteration)
                kept.back().sent = kept.back().sent || each.sent;
            continue;
        }
        each.received = each.received || received;
        received = false;
        kept.push_back(std::move(each));
    }
    ops = std::move(kept);
}

// Forwards of a validation within a step, where the file says that no backward works for them. In a file that
// ends too early, those of the last iteration may have had theirs.
void dropUntrained(std::vector<FoundOp>& ops, bool whole) {
    const std::vector<bool> trained = trainedOf(ops);
    if (std::ranges::count(trained, true) == 0) return;
    std::vector<bool> odd;
    for (std::size_t at = 0; at < ops.size(); ++at) {
        const bool may_come = !whole && ops[at].op.iteration == ops.back().op.iteration;
        odd.push_back(ops[at].op.op == Op::Forward && !trained[at] && !may_come);
    }
    leaveOut(ops, odd);
}

// What is no forward: what comes after the last backward of its iteration (the division of gradients), since
// every forward has its backward on the same rank; then, as an iteration has as many forwards as backwards,
// what is most unlike a forward of this rank (buffers, batches cut into micro-batches).
void dropOddWork(std::vector<FoundOp>& ops) {
    std::map<int, std::size_t> backwards, last_backward;  // by iteration
    for (std::size_t at = 0; at < ops.size(); ++at)
        if (ops[at].op.op == Op::Backward) {
            ++backwards[ops[at].op.iteration];
            last_backward[ops[at].op.iteration] = at;
        }
    std::vector<FoundOp> early;
    for (std::size_t at = 0; at < ops.size(); ++at) {
        const auto last = last_backward.find(ops[at].op.iteration);
        const bool comes_after = last != last_backward.end() ? at > last->second : !backwards.empty();
        if (ops[at].op.op != Op::Forward || !comes_after) early.push_back(ops[at]);
    }
    const Forwards forwards(early);
    std::map<int, std::vector<Unlike>> unlike;  // by iteration, the most alike first
    for (const FoundOp& each : early)
        if (each.op.op == Op::Forward) unlike[each.op.iteration].push_back(forwards.unlike(each));
    for (auto& [iteration, of] : unlike) std::ranges::sort(of);
    const bool forward_only = backwards.empty();
    std::vector<bool> odd;
    for (const FoundOp& each : early) {
        const std::vector<Unlike>& all = unlike[each.op.iteration];
        const std::size_t count = backwards[each.op.iteration];
        const bool too_many = count > 0 && all.size() > count;
        const bool is_none =
            forward_only ? forwards.isNone(each) : too_many && forwards.unlike(each) > all[count - 1];
        odd.push_back(each.op.op == Op::Forward && is_none);
    }
    leaveOut(early, odd);
    ops = std::move(early);
}

// Where nothing is received for the first forward of an iteration, nothing parts it from what made its batch:
// the calls before those that a forward of this rank has are none of it.
void trimFirstForwards(std::vector<FoundOp>& ops) {
    const auto isFirst = [&ops](const FoundOp& each) {
        return &each == &ops.front() || (&each - 1)->op.iteration != each.op.iteration;
    };
    std::map<int, int> times;  // by calls, of the other forwards
    int others = 0, usual = 0;
    for (const FoundOp& each : ops)
        if (each.op.op == Op::Forward && !isFirst(each)) ++times[each.computing], ++others;
    for (const auto& [computing, count] : times)
        if (2 * count > others) usual = computing;
    if (usual == 0) return;
    for (FoundOp& each : ops) {
        if (each.op.op != Op::Forward || each.received || each.computing <= usual || !isFirst(each)) continue;
        int more = each.computing - usual;
        auto own = each.pieces.begin();
        while (own != each.pieces.end() && more > 0) more -= (own++)->computing;
        if (more != 0 || own == each.pieces.end()) continue;
        each.computing = usual;
        each.op.start_ns = own->ran.start_ns;
        for (; own != each.pieces.end(); ++own)
            each.op.start_ns = std::min(each.op.start_ns, own->ran.start_ns);
    }
}

// What the messages of most iterations say: received before its first forward; sent after that and received
// before its first backward.
void findNeighbours(TracedRank& rank, const std::vector<FoundOp>& ops, const RawTrace& trace) {
    int iterations = 0, before = 0, backwards = 0, after = 0, forwards = 0, received = 0;
    for (std::size_t at = 0; at < ops.size();) {
        const int iteration = ops[at].op.iteration;
        ++iterations;
        before += ops[at].op.op == Op::Forward && ops[at].received;
        bool sent = false, seen = false;
        for (; at < ops.size() && ops[at].op.iteration == iteration; ++at) {
            if (ops[at].op.op == Op::Backward && !seen) {
                seen = true;
                ++backwards;
                after += sent && ops[at].received;
            }
            sent = sent || ops[at].sent;
            if (ops[at].op.op == Op::Forward) ++forwards, received += ops[at].received;
        }
    }
    // In a training every rank receives and sends; a file without one of them does not hold all calls.
    const bool all_calls = !trace.sent.empty() && !trace.received.empty();
    if (iterations == 0 || (backwards > 0 && !all_calls)) return;
    rank.before = 2 * before > iterations ? Neighbour::There : Neighbour::None;
    rank.forwards_return = rank.before == Neighbour::None && forwards > 0 && 2 * received >= forwards;
    // Where nothing goes backward, what is sent after a forward goes on.
    if (backwards > 0)
        rank.after = 2 * after > backwards ? Neighbour::There : Neighbour::None;
    else
        rank.after = std::ranges::any_of(ops, &FoundOp::sent) ? Neighbour::There : Neighbour::None;
}

// What lies between messages and calls is the operation's, or that of the code around it. Where a rank lost
// its core there it cannot be known: no more than several times the usual counts.
class Edges {
public:
    void add(std::int64_t length_ns) { lengths_ns_.push_back(length_ns); }
    void settle() {
        if (!lengths_ns_.empty()) usual_ns_ = static_cast<std::int64_t>(median(lengths_ns_));
    }
    std::int64_t bounded(std::int64_t length_ns) const { return clamped(length_ns, kTimes * usual_ns_); }
    std::int64_t usual(std::int64_t length_ns) const { return clamped(length_ns, usual_ns_); }

private:
    static constexpr std::int64_t kTimes = 4;
    static std::int64_t clamped(std::int64_t length_ns, std::int64_t most_ns) {
        return std::clamp<std::int64_t>(length_ns, 0, std::max<std::int64_t>(most_ns, 0));
    }
    std::vector<std::int64_t> lengths_ns_;
    std::int64_t usual_ns_ = 0;
};

// The host's time, from what an operation waited for to what comes after it.
void extend(std::vector<FoundOp>& ops, const RawTrace& trace) {
    std::vector<std::int64_t> ends;  // of messages
    for (const auto* of : {&trace.receives, &trace.sends})
        for (const HostRange& each : *of) ends.push_back(each.end_ns);
    std::sort(ends.begin(), ends.end());
    Edges lead;  // from what was received to the first call
    std::map<Op, Edges> tail;
    for (std::size_t at = 0; at < ops.size(); ++at) {
        FoundOp& each = ops[at];
        const bool straight = at + 1 < ops.size() && !ops[at + 1].free_ns;
        if (each.until_ns && !straight) tail[each.op.op].add(*each.until_ns - each.op.end_ns);
        if (!each.free_ns) continue;
        const auto message = std::upper_bound(ends.begin(), ends.end(), each.op.start_ns);
        if (message != ends.begin()) each.free_ns = std::max(*each.free_ns, *std::prev(message));
        if (each.received) lead.add(each.op.start_ns - *each.free_ns);
    }
    lead.settle();
    for (auto& [op, of] : tail) of.settle();
    FoundOp* last = nullptr;
    std::vector<HostRange> calls;  // (ops,) from the first call to the last one
    for (const FoundOp& each : ops) calls.push_back({each.op.start_ns, each.op.end_ns});
    for (std::size_t at = 0; at < ops.size(); ++at) {
        FoundOp& each = ops[at];
        const bool follows = last != nullptr && last->op.iteration == each.op.iteration;
        const bool straight = follows && !each.free_ns && last->until_ns;
        if (each.free_ns) {
            // What only follows a send begins as long before its first call as what was received for.
            const std::int64_t gap_ns = each.op.start_ns - *each.free_ns;
            each.op.start_ns -= each.received ? lead.bounded(gap_ns) : lead.usual(gap_ns);
        } else if (straight && each.op.op == Op::Backward) {
            // A forward and its own backward: nothing else comes between.
            last->op.end_ns = std::max(last->op.end_ns, *last->until_ns);
            each.op.start_ns = std::min(each.op.start_ns, last->op.end_ns);
        } else if (straight) {
            each.op.start_ns -= lead.usual(each.op.start_ns - last->op.end_ns);
        }
        if (follows) each.op.start_ns = std::max(each.op.start_ns, last->op.end_ns);
        const bool straight_on = at + 1 < ops.size() && !ops[at + 1].free_ns;
        if (each.until_ns) {
            const std::int64_t gap_ns = *each.until_ns - each.op.end_ns;
            each.op.end_ns += straight_on ? tail[each.op.op].usual(gap_ns) : tail[each.op.op].bounded(gap_ns);
        }
        each.op.end_ns = std::max(each.op.end_ns, each.op.start_ns);
        last = &each;
    }
    for (std::size_t at = 0; at < ops.size(); ++at) {
        TracedOp& op = ops[at].op;
        op.around_ns = std::max<std::int64_t>(calls[at].start_ns - op.start_ns, 0) +
                       std::max<std::int64_t>(op.end_ns - calls[at].end_ns, 0);
    }
}

}  // namespace

TracedRank unnamedOperations(RawTrace& trace) {
    requireOneRun(trace);
    TracedRank rank;
    rank.rank = trace.rank;
    rank.file = trace.file;
    std::vector<FoundOp> ops;
    bool open = false, received = false;
    std::optional<std::int64_t> free_ns;
    const Iterations iterations(trace);
    std::vector<Iterations::Place> places;  // of the iterations as they are counted here
    for (const Piece& piece : hostPieces(trace)) {
        const Iterations::Place place = iterations.at(piece.host_ns);
        if (place.iteration < 0) {
            open = false;
            continue;
        }
        if (places.empty() || places.back() != place) {
            const bool same_step = open && places.back().iteration == place.iteration;
            if (same_step && !ops.back().until_ns && piece.host_ns >= ops.back().op.end_ns)
                ops.back().until_ns = piece.host_ns;
            places.push_back(place);
            open = received = false;
            free_ns.reset();
        }
        const int iteration = static_cast<int>(places.size()) - 1;
        FoundOp* const last = !ops.empty() && ops.back().op.iteration == iteration ? &ops.back() : nullptr;
        if (open && last != nullptr && !last->until_ns && piece.host_ns >= last->op.end_ns &&
            piece.kind != pieceOf(last->op.op))
            last->until_ns = piece.host_ns;
        if (piece.kind == Piece::Kind::Bookkeeping) continue;
        if (piece.isMessage()) {
            if (last != nullptr) last->sent = last->sent || piece.kind == Piece::Kind::Send;
            received = received || piece.kind == Piece::Kind::Receive;
            free_ns = std::max(free_ns.value_or(piece.ran.end_ns), piece.ran.end_ns);
            open = false;
            continue;
        }
        const Op op = piece.kind == Piece::Kind::Forward ? Op::Forward : Op::Backward;
        if (!open || last == nullptr || last->op.op != op) {
            FoundOp& next = ops.emplace_back();
            next.op.op = op;
            next.op.iteration = iteration;
            next.op.start_ns = piece.ran.start_ns;
            next.op.end_ns = piece.ran.end_ns;
            next.computing = piece.computing;
            next.received = received;
            next.free_ns = free_ns;
            if (last == nullptr) next.pieces.push_back(piece);
            next.takeNode(piece.node);
            received = false;
            free_ns.reset();
            open = true;
            continue;
        }
        last->until_ns.reset();
        last->op.start_ns = std::min(last->op.start_ns, piece.ran.start_ns);
        last->op.end_ns = std::max(last->op.end_ns, piece.ran.end_ns);
        last->computing += piece.computing;
        last->takeNode(piece.node);
        if (!last->pieces.empty()) last->pieces.push_back(piece);
    }
    const std::ptrdiff_t forwards = forwardsOfPipeline(ops);
    dropUntrained(ops, trace.whole);
    dropOddWork(ops);
    rank.leaves_out_forwards = forwardsOfPipeline(ops) < forwards;
    trimFirstForwards(ops);
    findNeighbours(rank, ops, trace);
    if (!trace.hasKernels()) extend(ops, trace);
    for (FoundOp& each : ops) {
        const Iterations::Place& place = places[static_cast<std::size_t>(each.op.iteration)];
        each.op.iteration = place.iteration;
        each.op.pass = place.pass;
        each.op.sent = each.sent;
        rank.ops.push_back(each.op);
    }
    return rank;
}

}  // namespace bscope
