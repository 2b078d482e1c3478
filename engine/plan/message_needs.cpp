#include "plan/message_needs.h"

#include <algorithm>
#include <set>

#include "plan/message_tags.h"

namespace bscope {

namespace {

// The messages that are posted, and the most that ever were, of each peer.
class Posted {
public:
    void add(int peer, const MessageTag& tag) {
        tags_.insert(tag);
        most_[peer] = std::max(most_[peer], ++now_[peer]);
    }
    void waitFor(int peer, const MessageTag& tag) {
        if (tags_.erase(tag) > 0) --now_[peer];
    }
    const std::map<int, int>& most() const { return most_; }

private:
    std::set<MessageTag> tags_;
    std::map<int, int> now_, most_;
};

}  // namespace

MessageNeeds messageNeeds(const Program& program, int rank) {
    const Schedule& schedule = program.schedule;
    const auto senderOf = [&](const MessageTag& tag) {
        return schedule.placement[static_cast<std::size_t>(senderStage(schedule, tag))];
    };
    MessageNeeds needs;
    Posted posted;
    int held = 0;
    const auto take = [&] { needs.held = std::max(needs.held, ++held); };
    for (const Action& action : program.actions[static_cast<std::size_t>(rank)]) {
        const auto input = inputOf(schedule, action), output = outputOf(schedule, action);
        if (isReceive(action.op)) {
            const MessageTag tag = messageOf(action);
            posted.add(senderOf(tag), tag);
            take();
        } else if (isSend(action.op)) {
            ++needs.sends[schedule.placement[static_cast<std::size_t>(output.value().stage)]];
            --held;
        } else {
            if (input) posted.waitFor(senderOf(*input), *input);
            if (output) take();
            if (input && action.op != Op::Recompute) --held;
        }
    }
    needs.receives = posted.most();
    return needs;
}

}  // namespace bscope
