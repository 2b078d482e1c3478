// A worker process's part of an endless stream: admissions come as commands, shares go back as replies in
// their order, and a last reply says how it ended.
#include <utility>

#include "mpi/remote_gate.h"
#include "mpi/worker_process.h"

namespace bscope {

namespace {

constexpr auto kForEver = std::chrono::hours(24 * 365);  // somebody may ask for more whenever he likes
const char* const kWhat = "the next iteration";

}  // namespace

void WorkerProcess::stream(const StreamCommand& command) {
    ProcessRank& rank = *pipelines_.at(command.pipeline).rank;
    RemoteGate gate(
        command.tokens.size(), [&](const std::function<bool()>& until) { listen(rank, until); },
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
        rank.runStream(command, gate);
    } catch (const std::exception&) {
        answer = rank.failed(std::current_exception());
    }
    gate_ = nullptr;
    conclude(answer);
}

// In a wait lookIdle() takes in the commands.
void WorkerProcess::listen(ProcessRank& rank, const std::function<bool()>& until) {
    group_.channel->glance(kWhat, 0);
    if (until()) return;
    rank.rest([&] { group_.channel->waitUntil(until, kWhat, 0, kForEver, Channel::Pace::Idle); });
}

}  // namespace bscope
