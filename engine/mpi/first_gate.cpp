#include "mpi/first_gate.h"

#include <utility>

namespace bscope {

namespace {

constexpr auto kForEver = std::chrono::hours(24 * 365);  // somebody may ask for more whenever he likes
const char* const kWhat = "the next iteration";

int endOfChain(const Schedule& schedule) {
    return schedule.placement[static_cast<std::size_t>(schedule.chains.front().back())];
}

}  // namespace

FirstGate::FirstGate(LocalGate& gate, ProcessRank& rank, Line& line)
    : gate_(gate), rank_(rank), line_(line), end_of_chain_(endOfChain(rank.plan().program.schedule)) {}

void FirstGate::tell() {
    AdmitOrder order;
    order.admission = gate_.admission();
    if (order.admission == told_) return;
    for (int rank = 1; rank < rank_.plan().ranks(); ++rank)
        if (rank != end_of_chain_) line_.post(rank, kOrderTag, order.pack());
    order.first = told_.limit;
    for (int mb = told_.limit; end_of_chain_ > 0 && mb < order.admission.limit; ++mb) {
        const Batch batch = gate_.samples(mb);
        order.tokens.insert(order.tokens.end(), batch.tokens.begin(), batch.tokens.end());
        order.targets.insert(order.targets.end(), batch.targets.begin(), batch.targets.end());
    }
    if (end_of_chain_ > 0) line_.post(end_of_chain_, kOrderTag, order.pack());
    told_ = order.admission;
}

bool FirstGate::has(int microbatch) {
    tell();
    return gate_.has(microbatch);
}

bool FirstGate::waitFor(int microbatch) {
    tell();
    line_.glance(kWhat, -1);
    const auto is_known = [&] { return gate_.admission().knows(microbatch); };
    if (!is_known()) rank_.rest([&] { line_.waitUntil(is_known, kWhat, -1, kForEver, Line::Pace::Idle); });
    tell();
    return gate_.has(microbatch);
}

void FirstGate::deliver(int rank, Share share) {
    rank_.shareDone(share);
    gate_.deliver(rank, std::move(share));
    line_.glance(kWhat, -1);
}

}  // namespace bscope
