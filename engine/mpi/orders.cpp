#include "mpi/orders.h"

#include "wire/convert.h"

namespace bscope {

std::vector<char> BuildOrder::pack(Order order) const {
    return Packer()
        .add(order)
        .add(pipeline)
        .add(toWire(config).SerializeAsString())
        .add(provenance)
        .add(core)
        .add(world)
        .take();
}

BuildOrder BuildOrder::unpack(Unpacker& from) {
    BuildOrder order;
    order.pipeline = from.next<int>();
    wire::RunConfig config;
    if (!config.ParseFromString(from.nextText())) throw std::logic_error("a configuration is no message");
    order.config = fromWire(config);
    order.provenance = from.next<Provenance>();
    order.core = from.next<int>();
    order.world = from.next<WorldName>();
    return order;
}

std::vector<char> IterationOrder::pack() const {
    return Packer()
        .add(Order::Iterate)
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

IterationOrder IterationOrder::unpack(Unpacker& from) {
    IterationOrder order;
    order.pipeline = from.next<int>();
    order.iteration = from.next<int>();
    order.start_ns = from.next<std::int64_t>();
    order.step = from.next<AdamWStep>();
    order.clip_norm = from.next<double>();
    order.clock = from.next<ClockLine>();
    order.tokens = from.nextVector<std::int32_t>();
    order.targets = from.nextVector<std::int32_t>();
    return order;
}

std::vector<char> StreamOrder::pack() const {
    return Packer()
        .add(Order::Stream)
        .add(pipeline)
        .add(start)
        .add(start_ns)
        .add(training)
        .add(clock)
        .add(tokens)
        .add(targets)
        .take();
}

StreamOrder StreamOrder::unpack(Unpacker& from) {
    StreamOrder order;
    order.pipeline = from.next<int>();
    order.start = from.next<StreamStart>();
    order.start_ns = from.next<std::int64_t>();
    order.training = from.next<TrainingConfig>();
    order.clock = from.next<ClockLine>();
    order.tokens = from.nextVector<std::int32_t>();
    order.targets = from.nextVector<std::int32_t>();
    return order;
}

std::vector<char> AdmitOrder::pack() const {
    return Packer().add(Order::Admit).add(admission).add(first).add(tokens).add(targets).take();
}

AdmitOrder AdmitOrder::unpack(Unpacker& from) {
    AdmitOrder order;
    order.admission = from.next<Admission>();
    order.first = from.next<int>();
    order.tokens = from.nextVector<std::int32_t>();
    order.targets = from.nextVector<std::int32_t>();
    return order;
}

std::vector<char> packOrder(Order order, int pipeline) {
    return Packer().add(order).add(pipeline).take();
}

std::vector<char> packStop(const std::string& reason) {
    return Packer().add(Order::Stop).add(reason).take();
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
