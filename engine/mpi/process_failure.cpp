// How an iteration or a stream over processes is broken off: the first process stops all others, and their
// replies show where each of them stood and which one does not answer.
#include <algorithm>
#include <functional>
#include <utility>

#include "mpi/patience.h"
#include "mpi/process_workers.h"

namespace bscope {

namespace {

constexpr auto kGrace = std::chrono::milliseconds(1500);  // for an answer, when a rank is silent anyway
constexpr auto kLongest = std::chrono::minutes(5);        // that one operation may take
constexpr auto kLongestOnGpu = std::chrono::seconds(9);   // in which nothing gets on
constexpr auto kStartOnGpu = std::chrono::seconds(15);    // the same while libraries are loaded

// Of the ranks that waited, the one that waited for cause_rank; else the first that waited or failed.
int witness(const std::vector<std::optional<Reply>>& replies, int cause_rank) {
    for (std::size_t rank = 0; rank < replies.size(); ++rank)
        if (replies[rank] && replies[rank]->kind == Reply::Kind::Failed &&
            replies[rank]->failure.peer == cause_rank)
            return static_cast<int>(rank);
    return 0;
}

// For an answer of hosts that only wait for their GPUs: what is left when these have stood for a while.
SteadyClock::duration longestOnGpu(const RankGpus& gpu) {
    const std::chrono::duration<double> stood(gpu.standing(0).seconds);
    return std::max<SteadyClock::duration>(
        kGrace, kLongestOnGpu - std::chrono::duration_cast<SteadyClock::duration>(stood));
}

}  // namespace

void ProcessWorkers::fail(const RankFailure& failure) {
    throw runFailure(
        failure, group_.lost ? sentence("All processes end now; start them again with mpirun.") : Sentence());
}

void ProcessWorkers::breakOff(const std::exception_ptr& error) {
    replies_[0] = rank_->failed(error);
    breaks_ = Breaks::LostProcess;
    takeReplies();
    const auto active = static_cast<std::size_t>(ranks());
    const auto any = [&](const std::function<bool(const Reply&)>& is) {
        return std::any_of(replies_.begin(), replies_.end(),
                           [&](const auto& reply) { return reply && is(*reply); });
    };
    // By its own fault, and not because of another rank.
    const auto failedItself = [](const Reply& reply) {
        return reply.kind == Reply::Kind::Failed && reply.failure.kind < FailureKind::PeerSilent;
    };
    const auto isSilent = [](const Reply& reply) { return reply.has(FailureKind::PeerSilent); };
    int gone = group_.firstGone();
    if (gone < 0) {
        for (int rank = 1; rank < asked_; ++rank)
            if (!replies_[static_cast<std::size_t>(rank)])
                group_.channel->post(rank, kCommandTag, packStop(replies_[0]->failure.cause));
        const SteadyClock::duration longest = !onGpus()         ? SteadyClock::duration(kLongest)
                                              : rank_->isWarm() ? longestOnGpu(*rank_->gpu())
                                                                : kStartOnGpu;
        const auto limit = SteadyClock::now() + (any(isSilent) ? kGrace : longest);
        try {
            group_.channel->waitUntil([&] { return haveReplied(asked_) || SteadyClock::now() > limit; },
                                      sentence("the end of an iteration"), -1, 2 * kLongest);
        } catch (const WaitBroken&) {
            gone = group_.firstGone();
        }
    }
    if (onGpus() && (!rank_->isWarm() || any(failedItself))) group_.gpu->dropWorld();
    int silent = -1;
    for (auto rank = static_cast<std::size_t>(asked_); rank-- > 1;)
        if (!replies_[rank]) silent = static_cast<int>(rank);

    const bool some_stepped =
        !rank_->plan().forward_only &&
        std::any_of(replies_.begin(), replies_.begin() + ranks(),
                    [](const auto& reply) { return reply && reply->kind == Reply::Kind::Done; });
    is_partially_stepped_ = some_stepped || streams() ||
                            std::any_of(replies_.begin(), replies_.end(),
                                        [](const auto& reply) { return reply && reply->step_begun; });
    if (const int cause_rank = gone >= 0 ? gone : silent; cause_rank >= 0) {
        loseGroup();
        const int reported_by = witness(replies_, cause_rank);
        RankFailure failure = replies_[static_cast<std::size_t>(reported_by)]->failure;
        failure.kind = gone >= 0 ? FailureKind::PeerGone : FailureKind::PeerSilent;
        if (failure.cause_rank != cause_rank)
            failure.cause = sentence(
                "{0}; {1}", failure.cause,
                gone >= 0 ? group_.fateOf(cause_rank) : sentence("rank {0} does not answer", cause_rank));
        fail(failure);
    }
    std::vector<RankFailure> failures;
    for (std::size_t rank = 0; rank < active; ++rank)
        if (replies_[rank]->kind == Reply::Kind::Failed) failures.push_back(replies_[rank]->failure);
    RankFailure cause = firstCause(failures);
    const std::lock_guard lock(mutex_);
    if (cause.kind == FailureKind::Stopped && stop_request_) cause.cause = *stop_request_;
    fail(cause);
}

}  // namespace bscope
