#include "mpi/process_pipeline.h"

#include <algorithm>
#include <new>
#include <set>
#include <utility>

#include "model/model.h"
#include "mpi/packed_share.h"
#include "run/iteration_report.h"
#include "run/thread_time.h"

namespace bscope {

namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr auto kBuilding = std::chrono::minutes(2);  // that models may take to be made
constexpr auto kLookEvery = std::chrono::milliseconds(20);

std::size_t coresOf(const std::vector<Place>& places) {
    std::set<std::pair<std::string, int>> cores;
    for (const Place& place : places)
        for (const int core : place.cores) cores.insert({place.host, core});
    return cores.size();
}

}  // namespace

ProcessPipeline::ProcessPipeline(ProcessGroup& group, Training& training, const RunConfig& config,
                                 RunObserver& observer)
    : group_(group),
      training_(training),
      observer_(observer),
      training_config_(config.training),
      number_(group.pipelines++),
      replies_(group.places.size()) {
    const int ranks = makePlan(config).ranks();
    const std::vector<int> cores = assignCores(group.places, ranks);
    order_.pipeline = number_;
    order_.config = config;
    order_.provenance =
        onGpus() ? Provenance::Measured : chooseProvenance(config, ranksWithOwnCore(group.places, cores));
    device_name_ = onGpus() ? gpusText(group.places, ranks) + (config.dtype == Dtype::Bf16 ? ", bf16" : "")
                            : deviceName(training.model.device(), coresOf(group.places));
    device_name_ += ", " + placesText(group.places, ranks);
    for (std::size_t i = 0; i < training.model.layerCount(); ++i)  // some may be on a GPU
        training.model.layer(i).moveTo(training.model.device());
    between("the making of a pipeline", [&] { build(cores); });
}

// What fails here fails this pipeline alone, as it does in the other processes.
void ProcessPipeline::makeOwnRank(int core) {
    Reply& reply = replies_[0].emplace();
    try {
        if (onGpus()) order_.world = group_.gpu->nameWorld(ranksWithOwnGpu(group_.places));
        order_.core = core;
        rank_ = std::make_unique<ProcessRank>(training_.model, order_, group_.own, *group_.gpu);
        if (onGpus())
            books_ =
                std::make_unique<GpuBooks>(rank_->plan(), calibration_, observer_, rank_->gpu()->clock());
    } catch (const std::bad_alloc&) {
        reply = Reply::failure("there is no memory left for its model");
    } catch (const std::exception& error) {
        reply = Reply::failure(error.what());
    }
}

// Everybody has said that it can before anybody calls MPI_Comm_split, which waits for all without an end.
void ProcessPipeline::build(const std::vector<int>& cores) {
    Line& line = *group_.line;
    makeOwnRank(cores.front());
    for (int rank = 1; rank < group_.size(); ++rank) {
        BuildOrder its = order_;
        its.core = cores[std::min(static_cast<std::size_t>(rank), cores.size() - 1)];
        line.post(rank, kOrderTag, its.pack());
    }
    line.waitUntil([this] { return haveReplied(group_.size()); }, "the making of a pipeline", -1, kBuilding);
    for (int rank = 0; rank < group_.size(); ++rank)
        if (const auto& reply = replies_[static_cast<std::size_t>(rank)]; reply->kind != Reply::Kind::Done) {
            tell(packOrder(Order::Drop, number_), group_.size());
            fail(*reply, rank, "");
        }
    tell(packOrder(Order::Join, number_), group_.size());
    MPI_Comm comm = MPI_COMM_NULL;
    checkMpi(MPI_Comm_split(line.comm(), 0, 0, &comm), "split");
    rank_->join(
        comm, [this] { return look(); }, [this] { return group_.whoIsGone(); });
    for (int rank = 1; rank < ranks(); ++rank)
        sendLayers(line, rank, training_.model, layersOf(rank_->plan(), rank, Chains::All));
    if (measured()) alignClocks(kBuilding);
}

ProcessPipeline::~ProcessPipeline() {
    if (streams()) {
        abort("the pipeline ends");
        thread_->finish();
    }
    if (!rank_ || group_.lost) return;
    try {
        between("the end of a pipeline", [&] {
            tell(packOrder(Order::Drop, number_), ranks());
            rank_->settle();
        });
    } catch (const RunFailure&) {  // the group is lost now, which whoever needs it next says
    }
}

void ProcessPipeline::tell(const std::vector<char>& order, int processes) {
    for (int rank = 1; rank < processes; ++rank) group_.line->post(rank, kOrderTag, order);
}

template <typename Work>
void ProcessPipeline::between(const char* what, Work work) {
    group_.look = [this] { return look(); };
    heed_ = Heed::Life;
    std::fill(replies_.begin(), replies_.end(), std::nullopt);
    try {
        work();
    } catch (const RunFailure&) {
        throw;
    } catch (const std::exception& error) {
        loseGroup();
        throw RunFailure(
            "Rank 0 stopped between iterations, in " + std::string(what) + ": " + error.what() + ".",
            "Start the processes again with mpirun.", 0);
    }
}

void ProcessPipeline::loseGroup() {
    group_.lost = true;
    torn_ = true;
    tell(packOrder(Order::Leave, number_), group_.size());
    if (rank_) rank_->abandon();
    group_.line->abandon();
}

void ProcessPipeline::alignClocks(SteadyClock::duration at_least) {
    tell(packOrder(Order::AnswerProbes, number_), ranks());
    group_.clocks->refresh(ranks(), at_least);
}

void ProcessPipeline::beforeWork(bool align) {
    between("the alignment of clocks", [&] {
        if (align) alignClocks({});
    });
}

void ProcessPipeline::abort(const std::string& reason) {
    const std::lock_guard lock(mutex_);
    stop_wish_ = reason;
}

void ProcessPipeline::takeReplies() {
    while (const auto received = group_.line->poll(MPI_ANY_SOURCE, kReplyTag))
        takeReply(received->peer, Reply::unpack(received->message));
}

void ProcessPipeline::takeReply(int rank, Reply reply) {
    if (reply.kind != Reply::Kind::Share) {
        replies_[static_cast<std::size_t>(rank)] = std::move(reply);
        return;
    }
    Unpacker from(reply.share);
    gate_->deliver(rank, unpackShare(from));
}

bool ProcessPipeline::haveReplied(int processes) {
    takeReplies();
    return std::all_of(replies_.begin() + 1, replies_.begin() + processes,
                       [](const auto& reply) { return reply.has_value(); });
}

std::optional<Interruption> ProcessPipeline::look() {
    bool due = SteadyClock::now() - last_look_ >= kLookEvery;
    std::optional<Interruption> found;
    if (door_) door_->tell();
    if (door_ && measured()) group_.clocks->watch(ranks());
    if (heed_ == Heed::Everything) {
        const std::lock_guard lock(mutex_);
        if (stop_wish_) found = {Interruption::Kind::Stopped, *stop_wish_};
    }
    if (heed_ != Heed::Life) {
        takeReplies();
        for (const auto& reply : replies_)
            if (reply && reply->kind != Reply::Kind::Done)
                found = {Interruption::Kind::PeerFailed, reply->sentence};
    }
    if (!due && !found) return std::nullopt;
    last_look_ = SteadyClock::now();
    if (const auto gone = group_.whoIsGone())  // whatever else happened, this is why
        return Interruption{Interruption::Kind::PeerGone, *gone};
    return found;
}

IterationStart ProcessPipeline::describe(std::int64_t start_ns) const {
    RunConfig config = rank_->plan().config;
    config.training = training_config_;
    return {training_.iteration,
            config,
            rank_->provenance(),
            start_ns,
            device_name_,
            rank_->plan().program.schedule.placement,
            rank_->plan().layers_per_stage};
}

IterationOrder ProcessPipeline::nextOrder(std::int64_t start_ns) const {
    IterationOrder order;
    order.pipeline = number_;
    order.iteration = training_.iteration;
    order.start_ns = start_ns;
    order.step = adamWStep(training_config_, training_.optimizer_steps + 1);
    order.clip_norm = training_config_.clip_norm;
    const auto samples = static_cast<std::size_t>(rank_->plan().config.samples());
    Batch batch = training_.data.batch(training_.next_sample, samples, rank_->plan().shape.T);
    order.tokens = std::move(batch.tokens);
    order.targets = std::move(batch.targets);
    return order;
}

IterationReport ProcessPipeline::iterate(std::int64_t start_ns, int more_to_come) {
    if (rank_->plan().stream) {
        if (!streams()) startStream(start_ns);
        gate_->admitFor(more_to_come);
        IterationReport report = nextOfStream();
        if (gate_->isOver()) finishStream();
        return report;
    }
    beforeWork(measured() && group_.clocks->isDue());
    const std::int64_t host_start_ns = monotonic_ns();
    std::vector<RankShare> of_ranks = runOn(nextOrder(start_ns));
    const std::int64_t host_ns = monotonic_ns() - host_start_ns;
    std::vector<Share> shares;
    std::vector<GpuTold> told;
    for (RankShare& of_rank : of_ranks) {
        shares.push_back(std::move(of_rank.share));
        told.push_back(std::move(of_rank.gpu));
    }
    start_ns_ = start_ns;
    if (books_) books_->write(training_.iteration, shares, told, host_ns);
    timeline_ = Timeline(ranks(), rank_->provenance());
    return report(shares, loss(of_ranks), rank_->gradientNorm(), host_ns);
}

// Once the sum over all ranks is out, nothing is waited for any more that could break off the iteration.
std::vector<RankShare> ProcessPipeline::runOn(IterationOrder order) {
    at_home_ = false;
    std::vector<RankShare> shares;
    heed_ = Heed::Everything;
    try {
        for (int rank = 1; rank < ranks(); ++rank) {
            if (measured()) order.clock = group_.clocks->lineOf(rank);
            group_.line->post(rank, kOrderTag, order.pack());
        }
        for (int rank = ranks(); onGpus() && !rank_->isWarm() && rank < order_.world.size; ++rank)
            group_.line->post(rank, kOrderTag, order_.pack(Order::SitOut));
        order.clock = {};
        shares.push_back(RankShare::unpack(rank_->iterate(order), onGpus()));
        heed_ = Heed::Failures;
        group_.line->waitUntil([this] { return haveReplied(ranks()); }, "the report of an iteration", -1);
        if (const auto interruption = look()) throw WaitBroken(interruption->reason, interruption->kind, -1);
    } catch (const std::exception&) {
        breakOff(std::current_exception());
    }
    heed_ = Heed::Life;
    for (int rank = 1; rank < ranks(); ++rank)
        shares.push_back(RankShare::unpack(replies_[static_cast<std::size_t>(rank)]->share, onGpus()));
    return shares;
}

void ProcessPipeline::bringHome() {
    if (at_home_) return;
    between("the return of the layers", [&] {
        tell(packOrder(Order::GiveLayers, number_), ranks());
        for (int rank = 1; rank < ranks(); ++rank)
            receiveLayers(*group_.line, rank, training_.model, layersOf(rank_->plan(), rank, Chains::First));
    });
    at_home_ = true;
}

// What an iteration says, and the training is one iteration further. Of a stream everything is settled up to
// where the rank that is behind all others has ended it.
IterationReport ProcessPipeline::report(const std::vector<Share>& shares, double loss, double gradient_norm,
                                        std::int64_t host_ns) {
    const Plan& plan = rank_->plan();
    std::int64_t settled_ns = shares.front().end_ns;
    end_ns_ = 0;
    for (std::size_t rank = 0; rank < shares.size(); ++rank) {
        const Share& share = shares[rank];
        for (const Event& event : share.events) timeline_.append(event);
        for (const MemoryPoint& point : share.memory) timeline_.append(point);
        observer_.events(static_cast<int>(rank), share.events);
        observer_.memory(static_cast<int>(rank), share.memory);
        calibration_.add(share.samples);
        end_ns_ = std::max(end_ns_, share.end_ns);
        settled_ns = std::min(settled_ns, share.end_ns);
    }
    observer_.watermark(streams() ? settled_ns : end_ns_);
    calibration_.endIteration();
    const Costs costs = calibratedCosts(plan, calibration_);
    IterationReport report =
        timeline_.empty()
            ? describeUntraced(plan, rank_->provenance(), training_.iteration, costs, end_ns_ - start_ns_)
            : describeIteration(plan, timeline_, training_.iteration, costs);
    report.device = device_name_;
    report.loss = loss;
    report.grad_norm = gradient_norm;
    addSharesToReport(report, shares, host_ns);
    if (books_) books_->complete(report);
    if (measured()) report.clock_residual_us = group_.clocks->residual_us(ranks());
    training_.advance(plan.config.samples(), plan.optimizerSteps());
    return report;
}

// Mean over the micro-batches, summed in their order: the same bits as with threads.
double ProcessPipeline::loss(const std::vector<RankShare>& shares) const {
    double sum = 0;
    for (std::size_t chain = 0; chain < rank_->plan().program.schedule.chains.size(); ++chain)
        for (const RankShare& share : shares)
            for (const double of_microbatch : share.losses[chain]) sum += of_microbatch;
    return sum / rank_->plan().config.params.microbatches();
}

}  // namespace bscope
