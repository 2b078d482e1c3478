#include "mpi/commands.h"

#include "wire/convert.h"

namespace bscope {

std::vector<char> BuildCommand::pack(Command command) const {
    return Packer()
        .add(command)
        .add(pipeline)
        .add(toWire(config).SerializeAsString())
        .add(provenance)
        .add(core)
        .add(world)
        .take();
}

BuildCommand BuildCommand::unpack(Unpacker& from) {
    BuildCommand command;
    command.pipeline = from.next<int>();
    wire::RunConfig config;
    if (!config.ParseFromString(from.nextText())) throw std::logic_error("a configuration is no message");
    command.config = fromWire(config);
    command.provenance = from.next<Provenance>();
    command.core = from.next<int>();
    command.world = from.next<WorldName>();
    return command;
}

std::vector<char> IterateCommand::pack() const {
    return Packer()
        .add(Command::Iterate)
        .add(pipeline)
        .add(iteration)
        .add(start_ns)
        .add(step)
        .add(clip_norm)
        .add(clock)
        .add(tokens)
        .add(targets)
        .take();
}

IterateCommand IterateCommand::unpack(Unpacker& from) {
    IterateCommand command;
    command.pipeline = from.next<int>();
    command.iteration = from.next<int>();
    command.start_ns = from.next<std::int64_t>();
    command.step = from.next<AdamWStep>();
    command.clip_norm = from.next<double>();
    command.clock = from.next<ClockLine>();
    command.tokens = from.nextVector<std::int32_t>();
    command.targets = from.nextVector<std::int32_t>();
    return command;
}

std::vector<char> StreamCommand::pack() const {
    return Packer()
        .add(Command::Stream)
        .add(pipeline)
        .add(start)
        .add(start_ns)
        .add(training)
        .add(clock)
        .add(tokens)
        .add(targets)
        .take();
}

StreamCommand StreamCommand::unpack(Unpacker& from) {
    StreamCommand command;
    command.pipeline = from.next<int>();
    command.start = from.next<StreamStart>();
    command.start_ns = from.next<std::int64_t>();
    command.training = from.next<TrainingConfig>();
    command.clock = from.next<ClockLine>();
    command.tokens = from.nextVector<std::int32_t>();
    command.targets = from.nextVector<std::int32_t>();
    return command;
}

std::vector<char> AdmitCommand::pack() const {
    return Packer().add(Command::Admit).add(admission).add(first).add(tokens).add(targets).take();
}

AdmitCommand AdmitCommand::unpack(Unpacker& from) {
    AdmitCommand command;
    command.admission = from.next<Admission>();
    command.first = from.next<int>();
    command.tokens = from.nextVector<std::int32_t>();
    command.targets = from.nextVector<std::int32_t>();
    return command;
}

std::vector<char> packCommand(Command command, int pipeline) {
    return Packer().add(command).add(pipeline).take();
}

std::vector<char> packStop(const std::string& reason) {
    return Packer().add(Command::Stop).add(reason).take();
}

Reply Reply::notMade(int rank, const std::exception_ptr& error) {
    Reply reply;
    reply.kind = Kind::Failed;
    reply.failure = rankFailure(rank, {}, error);
    if (reply.failure.kind == FailureKind::OutOfMemory) reply.failure.cause += " for its model";
    return reply;
}

std::vector<char> Reply::pack() const {
    return Packer()
        .add(kind)
        .add(failure.kind)
        .add(failure.rank)
        .add(failure.action)
        .add(failure.peer)
        .add(failure.cause)
        .add(step_begun)
        .add(share)
        .take();
}

Reply Reply::unpack(const std::vector<char>& from) {
    Unpacker unpacker(from);
    Reply reply;
    reply.kind = unpacker.next<Kind>();
    reply.failure.kind = unpacker.next<FailureKind>();
    reply.failure.rank = unpacker.next<int>();
    reply.failure.action = unpacker.nextText();
    reply.failure.peer = unpacker.next<int>();
    reply.failure.cause = unpacker.nextText();
    reply.step_begun = unpacker.next<bool>();
    reply.share = unpacker.nextVector<char>();
    return reply;
}

}  // namespace bscope
