#include "plan/rank_failure.h"

#include <algorithm>
#include <new>
#include <tuple>

#include "kernels/communicator.h"
#include "kernels/plugin/plugin.h"
#include "words/sentence_error.h"

namespace bscope {

Sentence rankName(int rank) {
    return rank < 0 ? sentence("all ranks") : sentence("rank {0}", rank);
}

RankFailure rankFailure(int rank, const Action& action, const std::exception_ptr& error) {
    RankFailure failure;
    failure.rank = rank;
    const bool has_begun = action != Action{};
    if (has_begun) failure.action = toText(action);
    try {
        std::rethrow_exception(error);
    } catch (const std::bad_alloc&) {
        failure.kind = FailureKind::OutOfMemory;
        failure.cause = sentence("there is no memory left");
    } catch (const std::exception& thrown) {
        failure.cause = sentenceOf(thrown);
        if (const auto* detail = dynamic_cast<const FailureDetail*>(&thrown)) {
            failure.kind = detail->kind;
            failure.peer = detail->peer;
            failure.cause_rank = detail->cause_rank;
            if (!detail->action.empty()) failure.action = detail->action;
        } else if (const auto* hang = dynamic_cast<const CommunicationHang*>(&thrown)) {
            failure.kind = FailureKind::NothingToCome;
            failure.peer = hang->peer;
        } else if (dynamic_cast<const CommunicationAborted*>(&thrown) != nullptr) {
            failure.kind = FailureKind::Stopped;
        }
        const auto* const of_device = dynamic_cast<const DeviceError*>(&thrown);
        if (of_device != nullptr && of_device->gpu_is_lost) failure.kind = FailureKind::GpuLost;
    }
    return failure;
}

const RankFailure& firstCause(std::span<const RankFailure> failures) {
    const auto order = [](const RankFailure& failure) {
        const bool is_own = failure.kind < FailureKind::PeerSilent;
        return std::tuple(is_own ? FailureKind::Error : failure.kind, failure.rank);
    };
    return *std::min_element(failures.begin(), failures.end(),
                             [&](const RankFailure& a, const RankFailure& b) { return order(a) < order(b); });
}

}  // namespace bscope
