#include "mpi/worker_process.h"

#include <iostream>
#include <utility>

#include "kernels/cpu/cpu_device.h"
#include "model/model.h"
#include "mpi/patience.h"
#include "mpi/remote_gate.h"

namespace bscope {

namespace {

constexpr auto kLeadGrace = std::chrono::milliseconds(1500);  // for the first process to take the lead

}  // namespace

WorkerProcess::WorkerProcess(ProcessGroup& group) : group_(group), device_(makeCpuDevice()) {
    group_.look = [this] { return lookIdle(); };
}

WorkerProcess::~WorkerProcess() {
    group_.look = nullptr;
}

bool WorkerProcess::executeToTheEnd() {
    try {
        while (execute(nextCommand())) {
        }
        return !group_.lost;
    } catch (const std::exception& error) {
        print(found_wrong_.empty() ? sentence("rank {0} stopped between iterations: {1}",
                                              group_.channel->rank(), sentenceOf(error))
                                   : found_wrong_);
        leave();
        return false;
    }
}

void WorkerProcess::leave() {
    for (auto& [number, pipeline] : pipelines_)
        if (pipeline.rank) pipeline.rank->abandon();
    group_.channel->abandon();
    group_.lost = true;
}

std::vector<char> WorkerProcess::nextCommand() {
    if (waiting_.empty())
        waiting_.push_back(
            group_.channel->receive(0, kCommandTag, sentence("a command"), kForEver, Channel::Pace::Idle)
                .message);
    std::vector<char> command = std::move(waiting_.front());
    waiting_.pop_front();
    answer_until_.reset();
    return command;
}

bool WorkerProcess::execute(const std::vector<char>& command) {
    Unpacker from(command);
    switch (from.next<Command>()) {
        case Command::Build:
            build(BuildCommand::unpack(from));
            break;
        case Command::Join:
            join(from.next<int>());
            break;
        case Command::SitOut:
            sitOut(BuildCommand::unpack(from));
            break;
        case Command::Iterate:
            iterate(IterateCommand::unpack(from));
            break;
        case Command::Stream:
            stream(StreamCommand::unpack(from));
            break;
        case Command::Admit:
        case Command::Stop:  // what it belongs to was over before it came
            break;
        case Command::GiveLayers:
            giveLayers(from.next<int>());
            break;
        case Command::Drop:
            drop(from.next<int>());
            break;
        case Command::AnswerProbes:
            ClockSync::answer(*group_.channel, group_.own);
            break;
        case Command::Quit:
            return false;
        case Command::Leave:
            leave();
            return false;
    }
    return true;
}

// A process that will be no rank of the pipeline answers too: the communicator is split by all.
void WorkerProcess::build(const BuildCommand& command) {
    Reply answer;
    try {
        Pipeline pipeline;
        if (group_.channel->rank() < command.plan().ranks()) {
            pipeline.model =
                std::make_unique<Model>(*device_, modelShape(command.config.model), command.config.seed);
            pipeline.rank = std::make_unique<ProcessRank>(*pipeline.model, command, group_.own, *group_.gpu);
        }
        pipelines_[command.pipeline] = std::move(pipeline);
    } catch (const std::exception&) {
        answer = Reply::notMade(group_.channel->rank(), std::current_exception());
    }
    reply(answer);
}

void WorkerProcess::join(int number) {
    Pipeline& pipeline = pipelines_.at(number);
    const int rank = group_.channel->rank();
    MPI_Comm comm = MPI_COMM_NULL;
    checkMpi(MPI_Comm_split(group_.channel->comm(), pipeline.rank ? 0 : MPI_UNDEFINED, rank, &comm), "split");
    if (!pipeline.rank) {
        pipelines_.erase(number);
        return;
    }
    pipeline.joined = true;
    pipeline.rank->join(
        comm, [this] { return lookAtWork(); }, [this] { return group_.whoIsGone(); });
    receiveLayers(*group_.channel, 0, *pipeline.model, layersOf(pipeline.rank->plan(), rank, Chains::All));
}

// A GPU that is no rank of the pipeline takes part in the splits. Who is, finds out when that fails.
void WorkerProcess::sitOut(const BuildCommand& command) {
    Reply answer;
    try {
        const Plan plan = command.plan();
        GpuLinks links(group_.gpu->gpus().api(), plan);
        if (links.areNeeded())
            links.open(group_.gpu->world(command.world, command.config.dtype), nullptr, [this] {
                if (const auto why = lookAtWork()) throw WaitBroken(why->reason, *why, -1);
            });
    } catch (const WaitBroken&) {
        group_.gpu->dropWorld();
    } catch (const std::exception& error) {
        group_.gpu->dropWorld();
        answer = Reply::notMade(group_.channel->rank(), std::current_exception());
        answer.failure.cause =
            sentence("rank {0}, which is idle: {1}", group_.channel->rank(), sentenceOf(error));
    }
    reply(answer);
}

void WorkerProcess::iterate(const IterateCommand& command) {
    ProcessRank& rank = *pipelines_.at(command.pipeline).rank;
    Reply answer;
    try {
        answer.share = rank.packed(rank.iterate(command));
    } catch (const std::exception&) {
        answer = rank.failed(std::current_exception());
    }
    conclude(answer);
}

void WorkerProcess::stream(const StreamCommand& command) {
    ProcessRank& rank = *pipelines_.at(command.pipeline).rank;
    RemoteGate gate(
        command.tokens.size(), [&](const std::function<bool()>& until) { listen(rank, until); },
        [&](RankIteration share) {
            rank.shareDone(share);
            Reply answer;
            answer.kind = Reply::Kind::Share;
            answer.share = rank.packed(share);
            reply(answer);
        });
    gate_ = &gate;
    Reply answer;
    try {
        rank.runStream(command, gate);
    } catch (const std::exception&) {
        answer = rank.failed(std::current_exception());
    }
    gate_ = nullptr;
    conclude(answer);
}

// In a wait lookIdle() takes in the commands.
void WorkerProcess::listen(ProcessRank& rank, const std::function<bool()>& until) {
    group_.channel->glance(kNextIteration, 0);
    if (until()) return;
    rank.rest([&] { group_.channel->waitUntil(until, kNextIteration, 0, kForEver, Channel::Pace::Idle); });
}

// Open MPI may have left the first process no say, if it had a connection to the one that ended: a process
// then hangs until mpirun has ended it.
void WorkerProcess::conclude(const Reply& answer) {
    reply(answer);
    const bool is_silent = answer.has(FailureKind::PeerSilent);
    if (!is_silent && !answer.has(FailureKind::PeerGone)) return;
    found_wrong_ = whatStopped(answer.failure);
    answer_until_ = SteadyClock::now() + kLeadGrace;
    const bool may_be_heard = group_.places.front().seen || is_silent;
    if (!may_be_heard) print(found_wrong_);
}

void WorkerProcess::print(const Sentence& what) {
    if (what == std::exchange(printed_, what)) return;
    std::cerr << "bscope: " + say(what, Language::English) + "\n" << std::flush;
}

void WorkerProcess::giveLayers(int number) {
    const Pipeline& pipeline = pipelines_.at(number);
    pipeline.rank->awaitGpu();
    sendLayers(*group_.channel, 0, *pipeline.model,
               layersOf(pipeline.rank->plan(), pipeline.rank->rank(), Chains::First));
}

void WorkerProcess::drop(int number) {
    const auto found = pipelines_.find(number);
    if (found == pipelines_.end()) return;
    if (found->second.joined) found->second.rank->settle();
    pipelines_.erase(found);
}

void WorkerProcess::reply(const Reply& reply) {
    group_.channel->post(0, kReplyTag, reply.pack());
}

bool WorkerProcess::isDue() {
    if (SteadyClock::now() - last_look_ < kLookEvery) return false;
    last_look_ = SteadyClock::now();
    return true;
}

// Those that can wait are kept for later.
std::optional<Interruption> WorkerProcess::takeCommands() {
    while (auto received = group_.channel->poll(0, kCommandTag)) {
        Unpacker from(received->message);
        const auto command = from.next<Command>();
        if (command == Command::Stop) return Interruption{Interruption::Kind::Stopped, unpackSentence(from)};
        if (command == Command::Admit && gate_ != nullptr)
            gate_->execute(AdmitCommand::unpack(from));
        else
            waiting_.push_back(std::move(received->message));
    }
    if (gate_ != nullptr) ClockSync::answerWatch(*group_.channel, group_.own);
    for (const auto& command : waiting_)
        if (Unpacker(command).next<Command>() == Command::Leave)
            return Interruption{Interruption::Kind::Stopped, sentence("the run has ended")};
    return std::nullopt;
}

std::optional<Interruption> WorkerProcess::lookAtWork() {
    if (auto interruption = takeCommands()) return interruption;
    if (!isDue()) return std::nullopt;
    return group_.whoIsGone();
}

// Between iterations, and at the gate of a stream. Other lost processes are the first process's concern. The
// next command may come late as long as that one lives.
std::optional<Interruption> WorkerProcess::lookIdle() {
    if (gate_ != nullptr)
        if (auto interruption = takeCommands()) return interruption;
    if (!isDue()) return std::nullopt;
    if (group_.lifeOf(0) != Life::Here)
        return Interruption{Interruption::Kind::PeerGone, group_.fateOf(0), 0};
    if (answer_until_ && SteadyClock::now() > *answer_until_)
        return Interruption{Interruption::Kind::PeerGone, sentence("rank {0} does not answer", 0), 0};
    return std::nullopt;
}

}  // namespace bscope
