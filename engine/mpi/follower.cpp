#include "mpi/follower.h"

#include <iostream>
#include <utility>

#include "kernels/cpu/cpu_device.h"
#include "model/model.h"
#include "mpi/told_gate.h"

namespace bscope {

namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr auto kForEver = std::chrono::hours(24 * 365);
constexpr auto kLookEvery = std::chrono::milliseconds(20);
constexpr auto kGrace = std::chrono::milliseconds(1500);  // for the first process to take the lead

}  // namespace

Follower::Follower(ProcessGroup& group) : group_(group), device_(makeCpuDevice()) {
    group_.look = [this] { return lookIdle(); };
}

Follower::~Follower() {
    group_.look = nullptr;
}

bool Follower::obeyToTheEnd() {
    try {
        while (obey(nextOrder())) {
        }
        return !group_.lost;
    } catch (const std::exception& error) {
        const std::string rank = "rank " + std::to_string(group_.line->rank());
        say(found_wrong_.empty() ? rank + " stopped between iterations: " + error.what() : found_wrong_);
        leave();
        return false;
    }
}

void Follower::leave() {
    for (auto& [number, pipeline] : pipelines_)
        if (pipeline.rank) pipeline.rank->abandon();
    group_.line->abandon();
    group_.lost = true;
}

std::vector<char> Follower::nextOrder() {
    if (waiting_.empty())
        waiting_.push_back(
            group_.line->receive(0, kOrderTag, "an order", kForEver, Line::Pace::Idle).message);
    std::vector<char> order = std::move(waiting_.front());
    waiting_.pop_front();
    answer_until_.reset();
    return order;
}

bool Follower::obey(const std::vector<char>& order) {
    Unpacker from(order);
    switch (from.next<Order>()) {
        case Order::Build:
            build(BuildOrder::unpack(from));
            break;
        case Order::Join:
            join(from.next<int>());
            break;
        case Order::SitOut:
            sitOut(BuildOrder::unpack(from));
            break;
        case Order::Iterate:
            iterate(IterationOrder::unpack(from));
            break;
        case Order::Stream:
            stream(StreamOrder::unpack(from));
            break;
        case Order::Admit:
        case Order::Stop:  // what it belongs to was over before it came
            break;
        case Order::GiveLayers:
            giveLayers(from.next<int>());
            break;
        case Order::Drop:
            drop(from.next<int>());
            break;
        case Order::AnswerProbes:
            ClockSync::answer(*group_.line, group_.own);
            break;
        case Order::Quit:
            return false;
        case Order::Leave:
            leave();
            return false;
    }
    return true;
}

// A process that will be no rank of the pipeline answers too: the communicator is split by all.
void Follower::build(const BuildOrder& order) {
    Reply answer;
    try {
        Pipeline pipeline;
        if (group_.line->rank() < makePlan(order.config).ranks()) {
            pipeline.model =
                std::make_unique<Model>(*device_, modelShape(order.config.model), order.config.seed);
            pipeline.rank = std::make_unique<ProcessRank>(*pipeline.model, order, group_.own, *group_.gpu);
        }
        pipelines_[order.pipeline] = std::move(pipeline);
    } catch (const std::exception&) {
        answer = Reply::notMade(group_.line->rank(), std::current_exception());
    }
    reply(answer);
}

void Follower::join(int number) {
    Pipeline& pipeline = pipelines_.at(number);
    const int rank = group_.line->rank();
    MPI_Comm comm = MPI_COMM_NULL;
    checkMpi(MPI_Comm_split(group_.line->comm(), pipeline.rank ? 0 : MPI_UNDEFINED, rank, &comm), "split");
    if (!pipeline.rank) {
        pipelines_.erase(number);
        return;
    }
    pipeline.joined = true;
    pipeline.rank->join(
        comm, [this] { return lookAtWork(); }, [this] { return group_.whoIsGone(); });
    receiveLayers(*group_.line, 0, *pipeline.model, layersOf(pipeline.rank->plan(), rank, Chains::All));
}

// A GPU that is no rank of the pipeline takes part in the splits. Who is, finds out when that fails.
void Follower::sitOut(const BuildOrder& order) {
    try {
        const Plan plan = makePlan(order.config);
        GpuLinks links(group_.gpu->gpus().api(), plan);
        if (!links.areNeeded()) return;
        GpuWorld& world = group_.gpu->world(order.world, order.config.dtype);
        links.open(world, nullptr, [this] {
            if (const auto why = lookAtWork()) throw WaitBroken(why->reason, why->kind, -1);
        });
    } catch (const std::exception& error) {
        group_.gpu->dropWorld();
        if (dynamic_cast<const WaitBroken*>(&error) != nullptr) return;
        Reply answer = Reply::notMade(group_.line->rank(), std::current_exception());
        answer.failure.cause =
            "rank " + std::to_string(group_.line->rank()) + ", which is idle: " + error.what();
        reply(answer);
    }
}

void Follower::iterate(const IterationOrder& order) {
    ProcessRank& rank = *pipelines_.at(order.pipeline).rank;
    Reply answer;
    try {
        answer.share = rank.packed(rank.iterate(order));
    } catch (const std::exception&) {
        answer = rank.failed(std::current_exception());
    }
    conclude(answer);
}

// Open MPI may have left the first process no say, if it had a connection to the one that ended: a process
// then hangs until mpirun has ended it.
void Follower::conclude(const Reply& answer) {
    reply(answer);
    const bool is_silent = answer.has(FailureKind::PeerSilent);
    if (!is_silent && !answer.has(FailureKind::PeerGone)) return;
    found_wrong_ = whatStopped(answer.failure);
    answer_until_ = SteadyClock::now() + kGrace;
    const bool may_be_heard = group_.places.front().seen || is_silent;
    if (!may_be_heard) say(found_wrong_);
}

void Follower::say(const std::string& what) {
    if (what == std::exchange(said_, what)) return;
    std::cerr << "bscope: " + what + "\n" << std::flush;
}

void Follower::giveLayers(int number) {
    const Pipeline& pipeline = pipelines_.at(number);
    sendLayers(*group_.line, 0, *pipeline.model,
               layersOf(pipeline.rank->plan(), pipeline.rank->rank(), Chains::First));
}

void Follower::drop(int number) {
    const auto found = pipelines_.find(number);
    if (found == pipelines_.end()) return;
    if (found->second.joined) found->second.rank->settle();
    pipelines_.erase(found);
}

void Follower::reply(const Reply& reply) {
    group_.line->post(0, kReplyTag, reply.pack());
}

bool Follower::isDue() {
    if (SteadyClock::now() - last_look_ < kLookEvery) return false;
    last_look_ = SteadyClock::now();
    return true;
}

// Those that can wait are kept for later.
std::optional<Interruption> Follower::takeOrders() {
    while (auto received = group_.line->poll(0, kOrderTag)) {
        Unpacker from(received->message);
        const auto order = from.next<Order>();
        if (order == Order::Stop) return Interruption{Interruption::Kind::Stopped, from.nextText()};
        if (order == Order::Admit && gate_ != nullptr)
            gate_->obey(AdmitOrder::unpack(from));
        else
            waiting_.push_back(std::move(received->message));
    }
    if (gate_ != nullptr) ClockSync::answerWatch(*group_.line, group_.own);
    for (const auto& order : waiting_)
        if (Unpacker(order).next<Order>() == Order::Leave)
            return Interruption{Interruption::Kind::Stopped, "the run has ended"};
    return std::nullopt;
}

std::optional<Interruption> Follower::lookAtWork() {
    if (auto interruption = takeOrders()) return interruption;
    if (!isDue()) return std::nullopt;
    if (const auto gone = group_.whoIsGone()) return Interruption{Interruption::Kind::PeerGone, *gone};
    return std::nullopt;
}

// Between iterations, and at the gate of a stream. Whoever else is gone is the first process's concern. It
// may take its time with the next order as long as it lives.
std::optional<Interruption> Follower::lookIdle() {
    if (gate_ != nullptr)
        if (auto interruption = takeOrders()) return interruption;
    if (!isDue()) return std::nullopt;
    if (group_.lifeOf(0) != Life::Here) return Interruption{Interruption::Kind::PeerGone, group_.fateOf(0)};
    if (answer_until_ && SteadyClock::now() > *answer_until_)
        return Interruption{Interruption::Kind::PeerGone, "rank 0 does not answer"};
    return std::nullopt;
}

}  // namespace bscope
