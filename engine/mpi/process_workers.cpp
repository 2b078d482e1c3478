#include "mpi/process_workers.h"

#include <algorithm>
#include <set>
#include <utility>

#include "catalog/catalog.h"
#include "clock/thread_time.h"
#include "model/model.h"
#include "mpi/patience.h"
#include "mpi/wait_notice.h"
#include "rank/optimizer_step.h"
#include "schedule/formats/file_schedule.h"

namespace bscope {

namespace {

constexpr auto kBuilding = std::chrono::minutes(2);  // that models may take to be made

std::size_t coresOf(const std::vector<ProcessPlace>& places) {
    std::set<std::pair<std::string, int>> cores;
    for (const ProcessPlace& place : places)
        for (const int core : place.cores) cores.insert({place.host, core});
    return cores.size();
}

}  // namespace

ProcessWorkers::ProcessWorkers(ProcessGroup& group, Model& model, const Plan& plan)
    : group_(group), model_(model), number_(group.pipelines++), replies_(group.places.size()) {
    const int ranks = plan.ranks();
    const std::vector<int> cores = assignCores(group.places, ranks);
    build_.pipeline = number_;
    build_.config = plan.config;
    if (isFileSchedule(plan.config.schedule))
        build_.order =
            std::make_shared<const Schedule>(makeSchedule(plan.config.schedule, plan.config.params));
    build_.provenance = onGpus() ? Provenance::Measured
                                 : chooseProvenance(plan.config, ranksWithOwnCore(group.places, cores));
    device_name_ = onGpus()
                       ? gpusText(group.places, ranks) + (plan.config.dtype == Dtype::Bf16 ? ", bf16" : "")
                       : deviceName(model.device(), coresOf(group.places));
    device_name_ += ", " + placesText(group.places, ranks);
    for (std::size_t i = 0; i < model.layerCount(); ++i)  // some may be on a GPU
        model.layer(i).moveTo(model.device());
    between(sentence("the making of a pipeline"), [&] { build(cores); });
    if (onGpus()) assembler_.emplace(rank_->plan(), rank_->provenance());
}

// What fails here fails this pipeline alone, as it does in the other processes.
void ProcessWorkers::makeOwnRank(int core) {
    Reply& reply = replies_[0].emplace();
    try {
        if (onGpus()) build_.world = group_.gpu->nameWorld(ranksWithOwnGpu(group_.places));
        build_.core = core;
        rank_ = std::make_unique<ProcessRank>(model_, build_, group_.own, *group_.gpu);
    } catch (const std::exception&) {
        reply = Reply::notMade(0, std::current_exception());
    }
}

// Everybody has said that it can before anybody calls MPI_Comm_split, which waits for all without an end.
void ProcessWorkers::build(const std::vector<int>& cores) {
    Channel& channel = *group_.channel;
    makeOwnRank(cores.front());
    for (int rank = 1; rank < group_.size(); ++rank) {
        BuildCommand its = build_;
        its.core = cores[std::min(static_cast<std::size_t>(rank), cores.size() - 1)];
        channel.post(rank, kCommandTag, its.pack());
    }
    channel.waitUntil([this] { return haveReplied(group_.size()); }, sentence("the making of a pipeline"), -1,
                      kBuilding);
    for (int rank = 0; rank < group_.size(); ++rank)
        if (const auto& reply = replies_[static_cast<std::size_t>(rank)]; reply->kind != Reply::Kind::Done) {
            sendToWorkers(packCommand(Command::Drop, number_), group_.size());
            fail(reply->failure);
        }
    sendToWorkers(packCommand(Command::Join, number_), group_.size());
    MPI_Comm comm = MPI_COMM_NULL;
    {
        const WaitNotice notice(sentence("joined the pipeline"));
        checkMpi(MPI_Comm_split(channel.comm(), 0, 0, &comm), "split");
    }
    rank_->join(
        comm, [this] { return look(); }, [this] { return group_.whoIsGone(); });
    for (int rank = 1; rank < ranks(); ++rank)
        sendLayers(channel, rank, model_, layersOf(rank_->plan(), rank, Chains::All));
    if (measured()) alignClocks(kBuilding);
}

ProcessWorkers::~ProcessWorkers() {
    if (streams()) {
        stop(sentence("the pipeline ends"));
        thread_->finish();
    }
    if (!rank_ || group_.lost) return;
    try {
        between(sentence("the end of a pipeline"), [&] {
            sendToWorkers(packCommand(Command::Drop, number_), ranks());
            rank_->settle();
        });
    } catch (const RunFailure&) {  // the group is lost now, which its next use reports
    }
}

void ProcessWorkers::sendToWorkers(const std::vector<char>& command, int processes) {
    for (int rank = 1; rank < processes; ++rank) group_.channel->post(rank, kCommandTag, command);
}

void ProcessWorkers::between(const Sentence& what, const std::function<void()>& work) {
    group_.look = [this] { return look(); };
    breaks_ = Breaks::LostProcess;
    std::fill(replies_.begin(), replies_.end(), std::nullopt);
    try {
        work();
    } catch (const RunFailure&) {
        throw;
    } catch (const std::exception& error) {
        loseGroup();
        throw RunFailure(sentence("Rank 0 stopped between iterations, in {0}: {1}.", what, sentenceOf(error)),
                         advice::startProcessesAgain(), 0);
    }
}

void ProcessWorkers::loseGroup() {
    group_.lost = true;
    is_partially_stepped_ = true;
    sendToWorkers(packCommand(Command::Leave, number_), group_.size());
    if (rank_) rank_->abandon();
    group_.channel->abandon();
}

void ProcessWorkers::alignClocks(SteadyClock::duration at_least) {
    sendToWorkers(packCommand(Command::AnswerProbes, number_), ranks());
    group_.clocks->refresh(ranks(), at_least);
}

void ProcessWorkers::stop(const Sentence& reason) {
    const std::lock_guard lock(mutex_);
    stop_request_ = reason;
}

void ProcessWorkers::takeReplies() {
    while (const auto received = group_.channel->poll(MPI_ANY_SOURCE, kReplyTag))
        takeReply(received->peer, Reply::unpack(received->message));
}

void ProcessWorkers::takeReply(int rank, Reply reply) {
    if (reply.kind != Reply::Kind::Share) {
        replies_[static_cast<std::size_t>(rank)] = std::move(reply);
        return;
    }
    gate_->deliver(rank, unpackRankIteration(reply.share, onGpus()));
}

bool ProcessWorkers::haveReplied(int processes) {
    takeReplies();
    return std::all_of(replies_.begin() + 1, replies_.begin() + processes,
                       [](const auto& reply) { return reply.has_value(); });
}

// Idle processes take part in the splits of the GPUs' communicator for the first piece of work.
template <typename AnyCommand>
void ProcessWorkers::sendOut(AnyCommand command) {
    asked_ = onGpus() && !rank_->isWarm() ? std::max(ranks(), build_.world.size) : ranks();
    for (int rank = 1; rank < ranks(); ++rank) {
        if (measured()) command.clock = group_.clocks->lineOf(rank);
        group_.channel->post(rank, kCommandTag, command.pack());
    }
    for (int rank = ranks(); rank < asked_; ++rank)
        group_.channel->post(rank, kCommandTag, build_.pack(Command::SitOut));
}

void ProcessWorkers::awaitReplies(const Sentence& what) {
    breaks_ = Breaks::FailedRank;
    group_.channel->waitUntil([this] { return haveReplied(asked_); }, what, -1);
    if (const auto interruption = look()) throw WaitBroken(interruption->reason, *interruption, -1);
}

std::optional<Interruption> ProcessWorkers::look() {
    bool due = SteadyClock::now() - last_look_ >= kLookEvery;
    std::optional<Interruption> found;
    if (door_) door_->sendAdmissions();
    if (door_ && measured()) group_.clocks->watch(ranks());
    if (breaks_ == Breaks::StopRequest) {
        const std::lock_guard lock(mutex_);
        if (stop_request_) found = {Interruption::Kind::Stopped, *stop_request_};
    }
    if (breaks_ != Breaks::LostProcess) {
        takeReplies();
        for (const auto& reply : replies_)
            if (reply && reply->kind != Reply::Kind::Done)
                found = {Interruption::Kind::PeerFailed, reply->failure.cause};
    }
    if (!due && !found) return std::nullopt;
    last_look_ = SteadyClock::now();
    if (const auto gone = group_.whoIsGone())  // whatever else happened, this is why
        return gone;
    return found;
}

WorkerGroupFacts ProcessWorkers::facts() const {
    WorkerGroupFacts facts;
    facts.provenance = rank_->provenance();
    facts.device = device_name_;
    facts.run_ns = run_ns_;
    if (assembler_) facts.tracing = assembler_->facts();
    if (measured()) facts.clock_residual_us = group_.clocks->residual_us(ranks());
    facts.is_partially_stepped = streams() || is_partially_stepped_;
    facts.keeps_copies = true;
    return facts;
}

void ProcessWorkers::gatherLayers() {
    if (has_layers_) return;
    rank_->awaitGpu();
    between(sentence("the return of the layers"), [&] {
        sendToWorkers(packCommand(Command::GiveLayers, number_), ranks());
        for (int rank = 1; rank < ranks(); ++rank)
            receiveLayers(*group_.channel, rank, model_, layersOf(rank_->plan(), rank, Chains::First));
    });
    has_layers_ = true;
}

void ProcessWorkers::begin(Work work) {
    const bool aligns = measured() && (rank_->plan().stream || group_.clocks->isDue());
    between(sentence("the alignment of clocks"), [&] {
        if (aligns) alignClocks({});
    });
    has_layers_ = false;
    first_iteration_ = work.iteration;
    done_ = 0;
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

std::vector<RankIteration> ProcessWorkers::next() {
    std::vector<RankIteration> shares = streams() ? nextOfStream() : runIteration();
    if (assembler_) {
        const HostToDevice times = rank_->gpu()->times();
        if (rank_->plan().stream && done_ == 0) assembler_->begin(times);
        assembler_->complete(first_iteration_ + done_, times, run_ns_, shares);
    }
    ++done_;
    return shares;
}

// Once the sum over all ranks is out, nothing is waited for any more that could break off the iteration.
std::vector<RankIteration> ProcessWorkers::runIteration() {
    const std::int64_t begun_ns = monotonic_ns();
    std::vector<RankIteration> shares;
    breaks_ = Breaks::StopRequest;
    try {
        sendOut(iteration_);
        shares.push_back(rank_->iterate(iteration_));
        awaitReplies(sentence("the report of an iteration"));
    } catch (const std::exception&) {
        breakOff(std::current_exception());
    }
    breaks_ = Breaks::LostProcess;
    for (int rank = 1; rank < ranks(); ++rank)
        shares.push_back(unpackRankIteration(replies_[static_cast<std::size_t>(rank)]->share, onGpus()));
    run_ns_ = monotonic_ns() - begun_ns;
    return shares;
}

void ProcessWorkers::startStream(Work work) {
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

void ProcessWorkers::runStream(const StreamCommand& command) {
    breaks_ = Breaks::StopRequest;
    try {
        sendOut(command);
        door_ = std::make_unique<CoordinatorGate>(*gate_, *rank_, *group_.channel);
        rank_->runStream(command, *door_);
        awaitReplies(sentence("the end of a stream"));
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
std::vector<RankIteration> ProcessWorkers::nextOfStream() {
    std::vector<RankIteration> shares = gate_->await();
    if (shares.empty()) joinStream();
    if (gate_->isOver()) {
        joinStream();
        gate_.reset();
    }
    return shares;
}

void ProcessWorkers::joinStream() {
    thread_->finish();
    if (stream_failure_) std::rethrow_exception(stream_failure_);
}

}  // namespace bscope
