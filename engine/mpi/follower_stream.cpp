// A follower's part of an endless stream: admissions come as orders, shares go back as replies in their
// order, and a last reply says how it ended.
#include <utility>

#include "mpi/follower.h"
#include "mpi/told_gate.h"

namespace bscope {

namespace {

constexpr auto kForEver = std::chrono::hours(24 * 365);  // somebody may ask for more whenever he likes
const char* const kWhat = "the next iteration";

}  // namespace

void Follower::stream(const StreamOrder& order) {
    ProcessRank& rank = *pipelines_.at(order.pipeline).rank;
    ToldGate gate(
        order.tokens.size(), [&](const std::function<bool()>& until) { listen(rank, until); },
        [&](Share share) {
            rank.shareDone(share);
            Reply answer;
            answer.kind = Reply::Kind::Share;
            answer.share = rank.packed(share);
            reply(answer);
        });
    gate_ = &gate;
    Reply answer;
    try {
        rank.runStream(order, gate);
    } catch (const std::exception&) {
        answer = rank.failed(std::current_exception());
    }
    gate_ = nullptr;
    conclude(answer);
}

// In a wait lookIdle() takes in the orders.
void Follower::listen(ProcessRank& rank, const std::function<bool()>& until) {
    group_.line->glance(kWhat, 0);
    if (until()) return;
    rank.rest([&] { group_.line->waitUntil(until, kWhat, 0, kForEver, Line::Pace::Idle); });
}

}  // namespace bscope
