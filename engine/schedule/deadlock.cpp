#include "schedule/deadlock.h"

#include <deque>
#include <map>
#include <set>
#include <utility>

#include "schedule/playback.h"

namespace bscope {

namespace {

using Channel = std::pair<std::size_t, std::size_t>;  // source rank, destination rank

struct Message {
    int stage = -1;  // of the receiver
    bool forward = true;
    int microbatch = -1, segment = -1;
    auto operator<=>(const Message&) const = default;
};

class Execution {
public:
    Execution(const Program& program, Transport transport)
        : program_(program),
          transport_(transport),
          playback_(program.schedule),
          position_(program.actions.size(), 0) {}

    std::optional<Deadlock> run() {
        for (bool progress = true; progress;) {
            progress = false;
            for (std::size_t rank = 0; rank < position_.size(); ++rank)
                while (step(rank)) progress = true;
        }
        for (std::size_t rank = 0; rank < position_.size(); ++rank)
            if (const Action* action = head(rank))
                return Deadlock{static_cast<int>(rank), *action, reason(*action)};
        return std::nullopt;
    }

private:
    const Action* head(std::size_t rank) const {
        const std::vector<Action>& list = program_.actions[rank];
        return position_[rank] < list.size() ? &list[position_[rank]] : nullptr;
    }

    // The message a SEND or RECV is about, and the channel it goes through; a negative stage when no rank is
    // at the other end.
    std::pair<Message, Channel> endpoints(const Action& action) const {
        const bool forward = action.op == Op::SendForward || action.op == Op::RecvForward;
        const Action compute = action.as(forward ? Op::Forward : Op::Backward);
        const int sender = isSend(action.op) ? action.stage : playback_.inputStage(compute);
        const int receiver = isSend(action.op) ? playback_.outputStage(compute) : action.stage;
        if (sender < 0 || receiver < 0) return {};
        return {{receiver, forward, action.microbatch, action.segment()},
                {static_cast<std::size_t>(playback_.rank(sender)),
                 static_cast<std::size_t>(playback_.rank(receiver))}};
    }

    bool step(std::size_t rank) {
        const Action* action = head(rank);
        if (action == nullptr) return false;
        if (isCommunication(action->op)) return communicate(rank, *action);
        if (action->op != Op::OptimizerStep) {
            const int from = playback_.inputStage(*action);
            const bool remote = from >= 0 && playback_.crossesRanks(from, action->stage);
            const bool forward = action->op == Op::Forward;
            if (remote &&
                !received_.contains({action->stage, forward, action->microbatch, action->segment()}))
                return false;
            if (!playback_.isReady(*action)) return false;
            playback_.finish(*action);
        }
        ++position_[rank];
        return true;
    }

    bool communicate(std::size_t rank, const Action& action) {
        const auto [message, channel] = endpoints(action);
        if (message.stage < 0) return false;
        if (transport_ == Transport::Posted) {
            std::deque<Message>& sent = in_transit_[channel];
            std::deque<Message>& posted = posted_[channel];
            (isSend(action.op) ? sent : posted).push_back(message);
            for (; !sent.empty() && !posted.empty() && sent.front() == posted.front();) {
                received_.insert(sent.front());
                sent.pop_front();
                posted.pop_front();
            }
            ++position_[rank];
            return true;
        }
        if (transport_ == Transport::Buffered) {
            std::deque<Message>& in_transit = in_transit_[channel];
            if (isSend(action.op)) {
                in_transit.push_back(message);
            } else {
                if (in_transit.empty() || in_transit.front() != message) return false;
                in_transit.pop_front();
                received_.insert(message);
            }
            ++position_[rank];
            return true;
        }
        const std::size_t peer = isSend(action.op) ? channel.second : channel.first;
        const Action* other = head(peer);
        if (other == nullptr || !isCommunication(other->op) || isSend(other->op) == isSend(action.op))
            return false;
        if (endpoints(*other) != std::pair(message, channel)) return false;
        received_.insert(message);
        ++position_[rank];
        ++position_[peer];
        return true;
    }

    Sentence reason(const Action& action) const {
        int peer = -1;
        if (isCommunication(action.op)) {
            const auto [message, channel] = endpoints(action);
            if (message.stage < 0) return sentence("there is no stage at the other end");
            peer = static_cast<int>(isSend(action.op) ? channel.second : channel.first);
        } else if (const int from = playback_.inputStage(action); from >= 0) {
            peer = playback_.rank(from);
        }
        if (peer < 0) return sentence("an earlier action of the same rank is missing");
        const Action* other = head(static_cast<std::size_t>(peer));
        return other != nullptr ? sentence("waits for rank {0}, which stands at {1}", peer, toText(*other))
                                : sentence("waits for rank {0}, which has finished", peer);
    }

    const Program& program_;
    Transport transport_;
    Playback playback_;
    std::vector<std::size_t> position_;
    std::map<Channel, std::deque<Message>> in_transit_;  // sent, not yet received
    std::map<Channel, std::deque<Message>> posted_;      // receives without their message
    std::set<Message> received_;
};

}  // namespace

std::optional<Deadlock> findDeadlock(const Program& program, Transport transport) {
    return Execution(program, transport).run();
}

}  // namespace bscope
