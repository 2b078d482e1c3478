#include "plan/message_tags.h"

namespace bscope {

namespace {

std::optional<MessageTag> activationTo(int stage, int microbatch) {
    return stage < 0 ? std::nullopt : std::optional(MessageTag::activation(stage, microbatch));
}

std::optional<MessageTag> gradientTo(int stage, int microbatch) {
    return stage < 0 ? std::nullopt : std::optional(MessageTag::gradient(stage, microbatch));
}

}  // namespace

std::optional<MessageTag> inputOf(const Schedule& schedule, const Action& action) {
    switch (action.op) {
        case Op::Forward:
            if (schedule.previousStage(action.stage) < 0) return std::nullopt;
            return activationTo(action.stage, action.microbatch);
        case Op::Backward:
        case Op::BackwardInput:
        case Op::Recompute:
            if (schedule.nextStage(action.stage) < 0) return std::nullopt;
            return gradientTo(action.stage, action.microbatch);
        default:
            return std::nullopt;
    }
}

std::optional<MessageTag> outputOf(const Schedule& schedule, const Action& action) {
    switch (action.op) {
        case Op::Forward:
        case Op::SendForward:
            return activationTo(schedule.nextStage(action.stage), action.microbatch);
        case Op::Backward:
        case Op::BackwardInput:
        case Op::SendBackward:
            return gradientTo(schedule.previousStage(action.stage), action.microbatch);
        default:
            return std::nullopt;
    }
}

MessageTag reductionTag(const Schedule& schedule, MessageKind kind, int to, int from) {
    return MessageTag::ofReduction(kind, to, schedule.replicaOf(schedule.chainOf(from)));
}

int senderStage(const Schedule& schedule, const MessageTag& tag) {
    switch (tag.kind) {
        case MessageKind::Activation:
            return schedule.previousStage(tag.stage);
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
            tag.microbatch};
}

Action sentAs(const Schedule& schedule, const MessageTag& tag) {
    const int sender = senderStage(schedule, tag);
    if (isOfReduction(tag.kind)) return {sender, ofCopies(tag.kind)};
    return {sender, tag.kind == MessageKind::Activation ? Op::SendForward : Op::SendBackward, tag.microbatch};
}

std::string messageText(const MessageTag& tag) {
    if (isOfShards(tag.kind))
        return std::to_string(tag.stage) + "SUM_SHARDS" + std::to_string(tag.microbatch);
    return toText(receivedAs(tag));
}

MessageTag messageOf(const Action& receive) {
    return receive.op == Op::RecvForward ? MessageTag::activation(receive.stage, receive.microbatch)
                                         : MessageTag::gradient(receive.stage, receive.microbatch);
}

}  // namespace bscope
