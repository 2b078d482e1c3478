#include "mpi/process_pipeline.h"

#include <algorithm>
#include <new>
#include <set>
#include <utility>

#include "model/model.h"
#include "run/iteration_report.h"

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
    gate_->deliver(rank, unpackRankShare(from, onGpus()));
}

bool ProcessPipeline::haveReplied(int processes) {
    takeReplies();
    return std::all_of(replies_.begin() + 1, replies_.begin() + processes,
                       [](const auto& reply) { return reply.has_value(); });
}

// Idle processes take part in the splits of the GPUs' communicator for the first piece of work.
template <typename AnyOrder>
void ProcessPipeline::sendOut(AnyOrder order) {
    for (int rank = 1; rank < ranks(); ++rank) {
        if (measured()) order.clock = group_.clocks->lineOf(rank);
        group_.line->post(rank, kOrderTag, order.pack());
    }
    for (int rank = ranks(); onGpus() && !rank_->isWarm() && rank < order_.world.size; ++rank)
        group_.line->post(rank, kOrderTag, order_.pack(Order::SitOut));
}
template void ProcessPipeline::sendOut(IterationOrder order);
template void ProcessPipeline::sendOut(StreamOrder order);

void ProcessPipeline::awaitReplies(const std::string& what) {
    heed_ = Heed::Failures;
    group_.line->waitUntil([this] { return haveReplied(ranks()); }, what, -1);
    if (const auto interruption = look()) throw WaitBroken(interruption->reason, interruption->kind, -1);
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
            rank_->plan().layers_per_stage,
            std::make_shared<const Schedule>(rank_->plan().program.schedule)};
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

}  // namespace bscope
