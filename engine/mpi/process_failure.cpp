// How an iteration or a stream over processes is broken off, and what is said about it: the first process
// stops all others, hears where each of them stood, and so knows who does not answer.
#include <algorithm>
#include <utility>

#include "mpi/process_pipeline.h"

namespace bscope {

namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr auto kGrace = std::chrono::milliseconds(1500);  // for an answer, when somebody is silent anyway
constexpr auto kLongest = std::chrono::minutes(5);        // that one operation may take
constexpr auto kLongestOnGpu = std::chrono::seconds(9);   // in which nothing gets on
constexpr auto kStartOnGpu = std::chrono::seconds(15);    // the same while libraries are loaded

bool isKind(const std::optional<Reply>& reply, Reply::Kind kind) {
    return reply && reply->kind == kind;
}

// Of those who waited, the one who waited for the culprit; else the first who waited or failed.
int witness(const std::vector<std::optional<Reply>>& replies, int culprit) {
    for (std::size_t rank = 0; rank < replies.size(); ++rank)
        if (replies[rank] && replies[rank]->peer == culprit) return static_cast<int>(rank);
    return 0;
}

// For an answer of hosts that only wait for their GPUs: what is left when these have stood for a while.
SteadyClock::duration longestOnGpu(const GpuRank& gpu) {
    const std::chrono::duration<double> stood(gpu.standing().seconds);
    return std::max<SteadyClock::duration>(
        kGrace, kLongestOnGpu - std::chrono::duration_cast<SteadyClock::duration>(stood));
}

}  // namespace

void ProcessPipeline::fail(const Reply& reply, int rank, const std::string& more) {
    const std::string name = "Rank " + std::to_string(rank) + " stopped ";
    const std::string where = reply.action.empty() ? "before its first operation" : "in " + reply.action;
    throw RunFailure(name + where + ": " + reply.sentence + more + ".",
                     group_.lost ? "All processes end now; start them again with mpirun."
                                 : adviceFor(reply.sentence, "Change the configuration and run again."),
                     rank, reply.action);
}

void ProcessPipeline::breakOff(const std::exception_ptr& error) {
    replies_[0] = rank_->failed(error);
    heed_ = Heed::Life;
    takeReplies();
    const auto active = static_cast<std::size_t>(ranks());
    const auto any = [&](Reply::Kind kind) {
        return std::any_of(replies_.begin(), replies_.end(),
                           [kind](const auto& reply) { return isKind(reply, kind); });
    };
    int gone = group_.firstGone();
    if (gone < 0) {
        for (std::size_t rank = 1; rank < active; ++rank)
            if (!replies_[rank])
                group_.line->post(static_cast<int>(rank), kOrderTag, packStop(replies_[0]->sentence));
        for (int rank = ranks(); onGpus() && rank < order_.world.size; ++rank)  // it may be sitting out
            group_.line->post(rank, kOrderTag, packStop(replies_[0]->sentence));
        const SteadyClock::duration longest = !onGpus()         ? SteadyClock::duration(kLongest)
                                              : rank_->isWarm() ? longestOnGpu(*rank_->gpu())
                                                                : kStartOnGpu;
        const auto limit = SteadyClock::now() + (any(Reply::Kind::Silent) ? kGrace : longest);
        try {
            group_.line->waitUntil([&] { return haveReplied(ranks()) || SteadyClock::now() > limit; },
                                   "the end of an iteration", -1, 2 * kLongest);
        } catch (const WaitBroken&) {
            gone = group_.firstGone();
        }
    }
    if (onGpus() && (!rank_->isWarm() || any(Reply::Kind::Failed))) group_.gpu->dropWorld();
    int silent = -1;
    for (std::size_t rank = active; rank-- > 1;)
        if (!replies_[rank]) silent = static_cast<int>(rank);

    const bool some_stepped = !rank_->plan().forwardOnly() && any(Reply::Kind::Done);
    torn_ = some_stepped || streams() || std::any_of(replies_.begin(), replies_.end(), [](const auto& reply) {
                return reply && reply->step_begun;
            });
    if (const int culprit = gone >= 0 ? gone : silent; culprit >= 0) {
        loseGroup();
        const int told_by = witness(replies_, culprit);
        const Reply& reply = *replies_[static_cast<std::size_t>(told_by)];
        const bool names_it = reply.sentence.find("rank " + std::to_string(culprit) +
                                                  (gone >= 0 ? " (process" : " in")) != std::string::npos;
        fail(reply, told_by,
             names_it    ? ""
             : gone >= 0 ? "; " + group_.fateOf(culprit)
                         : "; rank " + std::to_string(culprit) + " does not answer");
    }
    for (const Reply::Kind kind : {Reply::Kind::Failed, Reply::Kind::Silent, Reply::Kind::Gone})
        for (std::size_t rank = 0; rank < active; ++rank)
            if (isKind(replies_[rank], kind)) fail(*replies_[rank], static_cast<int>(rank), "");
    std::string reason = replies_[0]->sentence;
    const std::lock_guard lock(mutex_);
    if (stop_wish_) reason = *stop_wish_;
    throw RunFailure(reason, "Run again to go on with the same iteration.");
}

}  // namespace bscope
