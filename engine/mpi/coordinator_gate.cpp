#include "mpi/coordinator_gate.h"

#include <utility>

#include "mpi/patience.h"

namespace bscope {

namespace {

int endOfChain(const Schedule& schedule) {
    return schedule.placement[static_cast<std::size_t>(schedule.chains.front().back())];
}

}  // namespace

CoordinatorGate::CoordinatorGate(LocalGate& gate, ProcessRank& rank, Channel& channel)
    : gate_(gate), rank_(rank), channel_(channel), end_of_chain_(endOfChain(rank.plan().program.schedule)) {}

void CoordinatorGate::sendAdmissions() {
    AdmitCommand command;
    command.admission = gate_.admission();
    if (command.admission == sent_) return;
    for (int rank = 1; rank < rank_.plan().ranks(); ++rank)
        if (rank != end_of_chain_) channel_.post(rank, kCommandTag, command.pack());
    command.first = sent_.limit;
    for (int mb = sent_.limit; end_of_chain_ > 0 && mb < command.admission.limit; ++mb) {
        const Batch batch = gate_.samples(mb);
        command.tokens.insert(command.tokens.end(), batch.tokens.begin(), batch.tokens.end());
        command.targets.insert(command.targets.end(), batch.targets.begin(), batch.targets.end());
    }
    if (end_of_chain_ > 0) channel_.post(end_of_chain_, kCommandTag, command.pack());
    sent_ = command.admission;
}

bool CoordinatorGate::has(int microbatch) {
    sendAdmissions();
    return gate_.has(microbatch);
}

bool CoordinatorGate::waitFor(int microbatch) {
    sendAdmissions();
    channel_.glance(kNextIteration, -1);
    const auto is_known = [&] { return gate_.admission().knows(microbatch); };
    if (!is_known())
        rank_.rest([&] { channel_.waitUntil(is_known, kNextIteration, -1, kForEver, Channel::Pace::Idle); });
    sendAdmissions();
    return gate_.has(microbatch);
}

void CoordinatorGate::deliver(int rank, RankIteration share) {
    rank_.shareDone(share);
    gate_.deliver(rank, std::move(share));
    channel_.glance(kNextIteration, -1);
}

}  // namespace bscope
