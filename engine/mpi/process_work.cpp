// How the first process has an iteration or an endless stream run: batches go out with the commands, shares
// come back with the replies. What breaks a stream off is found by rank 0's thread, which tells the others
// and says who is to blame; whoever asks for the next iteration hears it.
#include <algorithm>
#include <utility>

#include "clock/thread_time.h"
#include "mpi/process_crew.h"
#include "rank/optimizer_step.h"

namespace bscope {

void ProcessCrew::begin(Work work) {
    const bool aligns = measured() && (rank_->plan().stream || group_.clocks->isDue());
    between("the alignment of clocks", [&] {
        if (aligns) alignClocks({});
    });
    has_layers_ = false;
    if (rank_->plan().stream) {
        startStream(std::move(work));
        return;
    }
    iteration_ = {};
    iteration_.pipeline = number_;
    iteration_.iteration = work.iteration;
    iteration_.start_ns = work.start_ns;
    iteration_.step = adamWStep(work.training, work.optimizer_steps + 1);
    iteration_.clip_norm = work.training.clip_norm;
    iteration_.tokens = std::move(work.batch.tokens);
    iteration_.targets = std::move(work.batch.targets);
}

std::vector<Share> ProcessCrew::next() {
    std::vector<Share> shares = streams() ? nextOfStream() : runIteration();
    if (!onGpus()) tellObserver(shares);
    return shares;
}

// Once the sum over all ranks is out, nothing is waited for any more that could break off the iteration.
std::vector<Share> ProcessCrew::runIteration() {
    const std::int64_t begun_ns = monotonic_ns();
    std::vector<Share> shares;
    breaks_ = Breaks::StopWish;
    try {
        sendOut(iteration_);
        shares.push_back(rank_->iterate(iteration_));
        awaitReplies("the report of an iteration");
    } catch (const std::exception&) {
        breakOff(std::current_exception());
    }
    breaks_ = Breaks::LostProcess;
    for (int rank = 1; rank < ranks(); ++rank)
        shares.push_back(unpackRankShare(replies_[static_cast<std::size_t>(rank)]->share, onGpus()));
    run_ns_ = monotonic_ns() - begun_ns;
    return shares;
}

void ProcessCrew::startStream(Work work) {
    const Plan& plan = rank_->plan();
    StreamCommand command;
    command.pipeline = number_;
    command.start = {work.iteration, static_cast<int>(work.optimizer_steps)};
    command.start_ns = work.start_ns;
    command.training = work.training;
    command.tokens = std::move(work.batch.tokens);
    command.targets = std::move(work.batch.targets);
    if (measured()) group_.clocks->keepLines(ranks());
    gate_ = std::make_unique<LocalGate>(plan.stream->microbatches(), ranks(), std::move(work.samples));
    stream_failure_ = nullptr;
    if (!thread_) thread_ = std::make_unique<ThreadTeam>(1);
    job_ = [this, command = std::move(command)](int) { runStream(command); };
    thread_->start(job_);
}

void ProcessCrew::runStream(const StreamCommand& command) {
    breaks_ = Breaks::StopWish;
    try {
        sendOut(command);
        door_ = std::make_unique<CoordinatorGate>(*gate_, *rank_, *group_.channel);
        rank_->runStream(command, *door_);
        awaitReplies("the end of a stream");
    } catch (const std::exception&) {
        door_.reset();
        try {
            breakOff(std::current_exception());
        } catch (const std::exception&) {
            stream_failure_ = std::current_exception();
        }
        gate_->stop();
    }
    door_.reset();
    breaks_ = Breaks::LostProcess;
}

// The gate goes with the last iteration; when the stream has failed it stays, for then weights are of
// different iterations.
std::vector<Share> ProcessCrew::nextOfStream() {
    std::vector<Share> shares = gate_->await();
    if (shares.empty()) joinStream();
    if (gate_->isOver()) {
        joinStream();
        gate_.reset();
    }
    return shares;
}

void ProcessCrew::joinStream() {
    thread_->finish();
    if (stream_failure_) std::rethrow_exception(stream_failure_);
}

// Of a stream everything is settled up to where the rank that is behind all others has ended the iteration.
void ProcessCrew::tellObserver(const std::vector<Share>& shares) {
    std::int64_t settled_ns = shares.front().end_ns;
    for (std::size_t rank = 0; rank < shares.size(); ++rank) {
        observer_.events(static_cast<int>(rank), shares[rank].events);
        observer_.memory(static_cast<int>(rank), shares[rank].memory);
        settled_ns = std::min(settled_ns, shares[rank].end_ns);
    }
    if (rank_->plan().stream) observer_.watermark(settled_ns);
}

}  // namespace bscope
