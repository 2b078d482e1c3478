// The machine behind the rules: a list a rank, queues, and the times at which messages arrive.
#include <algorithm>
#include <deque>
#include <map>
#include <utility>

#include "hang/message_rules.h"
#include "schedule/index.h"
#include "schedule/playback.h"

namespace bscope {

namespace {

using Lists = std::vector<std::vector<Action>>;

bool isForwardMessage(Op op) {
    return op == Op::SendForward || op == Op::RecvForward;
}

bool needsInput(Op op) {
    return op == Op::Forward || op == Op::Backward || op == Op::BackwardInput || op == Op::Recompute;
}

class MessageMachine {
public:
    // rule: none for the computation alone.
    MessageMachine(const Schedule& schedule, const Lists& lists, std::optional<MessageRule> rule,
                   const RuleCosts& costs)
        : schedule_(schedule),
          lists_(lists),
          rule_(rule),
          costs_(costs),
          playback_(schedule),
          pieces_(at(schedule.piecesPerChain())),
          ranks_(lists.size()),
          arrived_(2 * schedule.placement.size() * pieces_, Playback::kNotYet) {}

    bool allHaveTwoEnds() const {
        for (std::size_t rank = 0; rank < lists_.size(); ++rank)
            for (const Action& action : lists_[rank])
                if (isCommunication(action.op) && !hasTwoEnds(static_cast<int>(rank), action)) return false;
        return true;
    }

    RuleOutcome run() {
        for (std::size_t rank = 0; rank < ranks_.size(); ++rank) wake(rank);
        while (!awake_.empty()) {
            const std::size_t rank = awake_.front();
            awake_.pop_front();
            ranks_[rank].is_awake = false;
            while (step(rank)) {
            }
        }
        RuleOutcome outcome;
        outcome.rule = rule_.value_or(MessageRule::Buffered);
        outcome.messages = messages_;
        for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
            outcome.makespan_ns = std::max(outcome.makespan_ns, ranks_[rank].now_ns);
            if (auto stands = standing(rank)) outcome.standing.push_back(*stands);
        }
        outcome.cycle = cycleOf(outcome.standing);
        return outcome;
    }

private:
    struct Posted {
        std::size_t position = 0;
        std::int64_t since_ns = 0;
    };
    struct Queue {
        std::deque<Posted> posted;
        std::int64_t free_ns = 0;
    };
    struct Rank {
        std::size_t next = 0;
        std::int64_t now_ns = 0;
        bool is_awake = false;
        std::map<int, Queue> queues;  // by peer; one, under -1, where a rank has a single one
    };

    bool queues() const { return rule_ == MessageRule::PairQueue || rule_ == MessageRule::RankQueue; }
    Queue& queueOf(std::size_t rank, int peer) {
        return ranks_[rank].queues[rule_ == MessageRule::PairQueue ? peer : -1];
    }
    void wake(std::size_t rank) {
        if (std::exchange(ranks_[rank].is_awake, true)) return;
        awake_.push_back(rank);
    }

    bool hasTwoEnds(int rank, const Action& message) const {
        if (message.stage < 0 || message.stage >= schedule_.stageCount() || message.microbatch < 0 ||
            !schedule_.params.hasSegment(message) || at(schedule_.params.pieceOf(message)) >= pieces_ ||
            playback_.rank(message.stage) != rank)
            return false;
        const int other = otherStage(message);
        return other >= 0 && playback_.crossesRanks(message.stage, other);
    }
    int otherStage(const Action& message) const {
        const Action compute = message.as(isForwardMessage(message.op) ? Op::Forward : Op::Backward);
        return isSend(message.op) ? playback_.outputStage(compute) : playback_.inputStage(compute);
    }
    int peerOf(const Action& message) const { return playback_.rank(otherStage(message)); }
    // What the other rank must do for this message.
    Action counterpart(const Action& message) const {
        const bool forward = isForwardMessage(message.op);
        const Op op = isSend(message.op) ? (forward ? Op::RecvForward : Op::RecvBackward)
                                         : (forward ? Op::SendForward : Op::SendBackward);
        return message.as(op, otherStage(message));
    }
    // Of the message that an action is about, at that stage.
    std::int64_t& arrival(int stage, bool forward, const Action& action) {
        return arrived_[(at(stage) * 2 + (forward ? 1 : 0)) * pieces_ + at(schedule_.params.pieceOf(action))];
    }
    void arrives(const Action& message, std::int64_t when_ns) {
        const int stage = isSend(message.op) ? otherStage(message) : message.stage;
        arrival(stage, isForwardMessage(message.op), message) = when_ns;
        ++messages_;
    }

    std::int64_t duration(Op op) const {
        if (op == Op::Forward || op == Op::Recompute) return costs_.f;
        if (op == Op::BackwardInput) return costs_.i;
        if (op == Op::BackwardWeight) return costs_.w;
        return op == Op::Backward ? costs_.i + costs_.w : 0;
    }

    // When everything that the action needs is there; kNotYet while it is not.
    std::int64_t inputAt(const Action& action) {
        if (!isCompute(action.op)) return 0;
        if (!playback_.isReady(action)) return Playback::kNotYet;
        if (!needsInput(action.op)) return 0;
        const int from = playback_.inputStage(action);
        if (from < 0) return 0;
        if (!rule_ || !playback_.crossesRanks(from, action.stage)) return playback_.inputEnd(action);
        return arrival(action.stage, action.op == Op::Forward, action);
    }
    // The other half of an overlapped pair; null when there is none.
    const Action* otherHalf(std::size_t rank, std::size_t position) const {
        const std::vector<Action>& list = lists_[rank];
        if (!list[position].overlaps_next) return nullptr;
        for (std::size_t i = position + 1; i < list.size(); ++i)
            if (isCompute(list[i].op)) return &list[i];
        return nullptr;
    }

    bool step(std::size_t rank) {
        Rank& own = ranks_[rank];
        if (own.next == lists_[rank].size()) return false;
        const Action& action = lists_[rank][own.next];
        if (isCommunication(action.op)) {
            if (rule_ && !communicate(rank, action)) return false;
            ++own.next;
            if (queues()) drain(rank, peerOf(action));
            return true;
        }
        std::int64_t start_ns = inputAt(action);
        if (const Action* half = otherHalf(rank, own.next)) start_ns = std::max(start_ns, inputAt(*half));
        if (start_ns == Playback::kNotYet) return false;
        own.now_ns = std::max(own.now_ns, start_ns) + duration(action.op);
        ++own.next;
        if (!isCompute(action.op)) return true;
        playback_.finish(action, own.now_ns);
        if (const int to = playback_.outputStage(action); !rule_ && to >= 0) wake(at(playback_.rank(to)));
        return true;
    }

    // False while the rank must wait where it stands.
    bool communicate(std::size_t rank, const Action& action) {
        const auto peer = at(peerOf(action));
        Rank &own = ranks_[rank], &other = ranks_[peer];
        if (queues()) {
            queueOf(rank, static_cast<int>(peer)).posted.push_back({own.next, own.now_ns});
            return true;
        }
        if (rule_ == MessageRule::Buffered) {
            if (isSend(action.op)) {
                sent_[{rank, peer}].push_back({own.next, own.now_ns});
                wake(peer);
                return true;
            }
            std::deque<Posted>& sent = sent_[{peer, rank}];
            if (sent.empty() || lists_[peer][sent.front().position] != counterpart(action)) return false;
            own.now_ns = std::max(own.now_ns, sent.front().since_ns + costs_.c);
            sent.pop_front();
            arrives(action, own.now_ns);
            return true;
        }
        // The later of the two finds the other waiting.
        if (other.next == lists_[peer].size() || lists_[peer][other.next] != counterpart(action))
            return false;
        own.now_ns = other.now_ns = std::max(own.now_ns, other.now_ns) + costs_.c;
        arrives(action, own.now_ns);
        ++other.next;
        wake(peer);
        return true;
    }

    // The message at the head of the rank's queue, where the other side has its end at a head too, and what
    // gets to the heads by it.
    void drain(std::size_t rank, int peer) {
        std::vector<std::pair<std::size_t, int>> heads = {{rank, peer}};
        while (!heads.empty()) {
            const auto [from, its_peer] = heads.back();
            heads.pop_back();
            Queue& own = queueOf(from, its_peer);
            if (own.posted.empty()) continue;
            const Action& mine = lists_[from][own.posted.front().position];
            const auto to = at(peerOf(mine));
            Queue& other = queueOf(to, static_cast<int>(from));
            if (other.posted.empty() || lists_[to][other.posted.front().position] != counterpart(mine))
                continue;
            const std::int64_t done_ns = std::max({own.posted.front().since_ns, own.free_ns,
                                                   other.posted.front().since_ns, other.free_ns}) +
                                         costs_.c;
            own.free_ns = other.free_ns = done_ns;
            own.posted.pop_front();
            other.posted.pop_front();
            arrives(mine, done_ns);
            wake(from);
            wake(to);
            heads.emplace_back(from, static_cast<int>(to));
            heads.emplace_back(to, static_cast<int>(from));
        }
    }

    std::optional<WaitingRank> standing(std::size_t rank) {
        Rank& own = ranks_[rank];
        const bool is_done = own.next == lists_[rank].size();
        for (const auto& [peer, queue] : own.queues)
            if (!queue.posted.empty() && (is_done || holds(rank, queue)))
                return atMessage(rank, queue.posted.front().position);
        if (is_done) return std::nullopt;
        const Action& action = lists_[rank][own.next];
        if (isCommunication(action.op)) return atMessage(rank, own.next);
        WaitingRank stands{static_cast<int>(rank), static_cast<int>(own.next), action, -1, {}};
        const Action* half = otherHalf(rank, own.next);
        const Action& waiting = half && inputAt(action) != Playback::kNotYet ? *half : action;
        const int from = playback_.inputStage(waiting);
        if (from < 0 || playback_.inputEnd(waiting) != Playback::kNotYet) {
            // Its own forward, input gradient or receive comes later in its own list, or nowhere.
            stands.waits_for = static_cast<int>(rank);
            stands.until = ownMissing(waiting, from);
            return stands;
        }
        stands.waits_for = playback_.rank(from);
        stands.until = maker(from, waiting);
        return stands;
    }
    // The action that makes what an action waits for: as the list of that rank has it.
    Action maker(int stage, const Action& waiting) const {
        if (waiting.op == Op::Forward) return waiting.as(Op::Forward, stage);
        const std::vector<Action>& list = lists_[at(playback_.rank(stage))];
        const Action input = waiting.as(Op::BackwardInput, stage);
        return std::ranges::find(list, input) != list.end() ? input : waiting.as(Op::Backward, stage);
    }
    Action ownMissing(const Action& waiting, int from) {
        if (waiting.op == Op::BackwardWeight) return waiting.as(Op::BackwardInput);
        if (from >= 0 && playback_.isReady(waiting))
            return waiting.as(waiting.op == Op::Forward ? Op::RecvForward : Op::RecvBackward);
        return waiting.as(Op::Forward);
    }
    // Whether the queue keeps from the rank what its next action waits for.
    bool holds(std::size_t rank, const Queue& queue) const {
        const std::size_t next = ranks_[rank].next;
        const Action* half = otherHalf(rank, next);
        return std::ranges::any_of(queue.posted, [&](const Posted& posted) {
            const Action& message = lists_[rank][posted.position];
            const auto needs = [&message](const Action& action) {
                return needsInput(action.op) && isReceive(message.op) &&
                       message.as(action.op) == action.as(action.op) &&
                       isForwardMessage(message.op) == (action.op == Op::Forward);
            };
            return needs(lists_[rank][next]) || (half && needs(*half));
        });
    }
    WaitingRank atMessage(std::size_t rank, std::size_t position) const {
        const Action& message = lists_[rank][position];
        return {static_cast<int>(rank), static_cast<int>(position), message, peerOf(message),
                counterpart(message)};
    }

    static std::vector<WaitingRank> cycleOf(const std::vector<WaitingRank>& standing) {
        std::map<int, const WaitingRank*> of_rank;
        for (const WaitingRank& each : standing) of_rank[each.rank] = &each;
        std::map<int, int> seen;  // rank -> walk
        for (int walk = 0; walk < static_cast<int>(standing.size()); ++walk) {
            const WaitingRank* each = &standing[at(walk)];
            while (each && !seen.contains(each->rank)) {
                seen[each->rank] = walk;
                const auto next = of_rank.find(each->waits_for);
                each = next == of_rank.end() ? nullptr : next->second;
            }
            if (!each || seen[each->rank] != walk) continue;
            std::vector<WaitingRank> cycle;
            for (const WaitingRank* one = each; cycle.empty() || one != each; one = of_rank[one->waits_for])
                cycle.push_back(*one);
            std::rotate(cycle.begin(), std::ranges::min_element(cycle, {}, &WaitingRank::rank), cycle.end());
            return cycle;
        }
        return {};
    }

    const Schedule& schedule_;
    const Lists& lists_;
    std::optional<MessageRule> rule_;
    RuleCosts costs_;
    Playback playback_;
    std::size_t pieces_;
    std::vector<Rank> ranks_;
    std::vector<std::int64_t> arrived_;                                       // (stages, 2, m, segments)
    std::map<std::pair<std::size_t, std::size_t>, std::deque<Posted>> sent_;  // buffered: source, destination
    std::deque<std::size_t> awake_;
    std::size_t messages_ = 0;
};

}  // namespace

std::optional<RuleOutcome> playMessages(const Schedule& schedule, const Lists& lists, MessageRule rule,
                                        const RuleCosts& costs) {
    MessageMachine machine(schedule, lists, rule, costs);
    if (!machine.allHaveTwoEnds()) return std::nullopt;
    return machine.run();
}

std::optional<RuleOutcome> playComputation(const Schedule& schedule, const RuleCosts& costs) {
    const auto ranks = static_cast<int>(schedule.orders.size());
    const auto exists = [ranks](int rank) { return rank >= 0 && rank < ranks; };
    if (schedule.chains.empty() || !std::ranges::all_of(schedule.placement, exists)) return std::nullopt;
    for (std::size_t rank = 0; rank < schedule.orders.size(); ++rank)
        for (const Action& action : schedule.orders[rank])
            if (!isCompute(action.op) || action.stage < 0 || action.stage >= schedule.stageCount() ||
                action.microbatch < 0 || !schedule.params.hasSegment(action) ||
                schedule.params.pieceOf(action) >= schedule.piecesPerChain() ||
                schedule.placement[at(action.stage)] != static_cast<int>(rank))
                return std::nullopt;
    return MessageMachine(schedule, schedule.orders, std::nullopt, costs).run();
}

}  // namespace bscope
