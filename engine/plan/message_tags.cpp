#include "plan/message_tags.h"

namespace bscope {

namespace {

// Of what the action reads or makes, to that stage.
MessageTag activationOf(const Action& forward) {
    return MessageTag::activation(forward.stage, forward.microbatch, forward.segment());
}
MessageTag gradientTo(int stage, const Action& action) {
    return MessageTag::gradient(stage, action.microbatch, action.segment());
}

}  // namespace

std::optional<MessageTag> inputOf(const Schedule& schedule, const Action& action) {
    switch (action.op) {
        case Op::Forward:
            if (schedule.forwardBefore(action).stage < 0) return std::nullopt;
            return activationOf(action);
        case Op::Backward:
        case Op::BackwardInput:
        case Op::Recompute:
            if (schedule.nextStage(action.stage) < 0) return std::nullopt;
            return gradientTo(action.stage, action);
        default:
            return std::nullopt;
    }
}

std::optional<MessageTag> outputOf(const Schedule& schedule, const Action& action) {
    switch (action.op) {
        case Op::Forward:
        case Op::SendForward:
            if (const Action to = schedule.forwardAfter(action); to.stage >= 0) return activationOf(to);
            return std::nullopt;
        case Op::Backward:
        case Op::BackwardInput:
        case Op::SendBackward:
            if (const int to = schedule.previousStage(action.stage); to >= 0) return gradientTo(to, action);
            return std::nullopt;
        default:
            return std::nullopt;
    }
}

namespace {

// That reads it.
Action forwardOf(const MessageTag& activation) {
    return {activation.stage, Op::Forward, activation.microbatch, false, activation.segment};
}

}  // namespace

MessageTag reductionTag(const Schedule& schedule, MessageKind kind, int to, int from) {
    return MessageTag::ofReduction(kind, to, schedule.replicaOf(schedule.chainOf(from)));
}

int senderStage(const Schedule& schedule, const MessageTag& tag) {
    switch (tag.kind) {
        case MessageKind::Activation:
            return schedule.forwardBefore(forwardOf(tag)).stage;
        case MessageKind::Gradient:
            return schedule.nextStage(tag.stage);
        case MessageKind::ShardRound:
        case MessageKind::ShardNext:
            return schedule.shardsOf(tag.stage)[static_cast<std::size_t>(tag.from)];
        default:
            return schedule.copiesOf(tag.stage)[static_cast<std::size_t>(tag.from)];
    }
}

namespace {

constexpr Op ofCopies(MessageKind kind) {
    return kind == MessageKind::Weights ? Op::GatherWeights : Op::ReduceGradients;
}

}  // namespace

Action receivedAs(const MessageTag& tag) {
    if (isOfReduction(tag.kind)) return {tag.stage, ofCopies(tag.kind)};
    return {tag.stage, tag.kind == MessageKind::Activation ? Op::RecvForward : Op::RecvBackward,
            tag.microbatch, false, tag.segment};
}

Action sentAs(const Schedule& schedule, const MessageTag& tag) {
    const int sender = senderStage(schedule, tag);
    if (isOfReduction(tag.kind)) return {sender, ofCopies(tag.kind)};
    if (tag.kind == MessageKind::Activation)
        return schedule.forwardBefore(forwardOf(tag)).as(Op::SendForward);
    return {sender, Op::SendBackward, tag.microbatch, false, tag.segment};
}

std::string messageText(const MessageTag& tag) {
    if (isOfShards(tag.kind))
        return std::to_string(tag.stage) + "SUM_SHARDS" + pieceText(tag.microbatch, tag.segment);
    return toText(receivedAs(tag));
}

MessageTag messageOf(const Action& receive) {
    return receive.op == Op::RecvForward ? activationOf(receive) : gradientTo(receive.stage, receive);
}

}  // namespace bscope
