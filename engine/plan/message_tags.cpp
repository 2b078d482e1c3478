#include "plan/message_tags.h"

#include <algorithm>

namespace bscope {

namespace {

std::optional<MessageTag> tag(int stage, int microbatch, Direction direction) {
    if (stage < 0) return std::nullopt;
    return MessageTag{stage, microbatch, direction};
}

}  // namespace

std::optional<MessageTag> inputOf(const Schedule& schedule, const Action& action) {
    switch (action.op) {
        case Op::Forward:
            if (schedule.previousStage(action.stage) < 0) return std::nullopt;
            return tag(action.stage, action.microbatch, Direction::Forward);
        case Op::Backward:
        case Op::BackwardInput:
        case Op::Recompute:
            if (schedule.nextStage(action.stage) < 0) return std::nullopt;
            return tag(action.stage, action.microbatch, Direction::Backward);
        default:
            return std::nullopt;
    }
}

std::optional<MessageTag> outputOf(const Schedule& schedule, const Action& action) {
    switch (action.op) {
        case Op::Forward:
        case Op::SendForward:
            return tag(schedule.nextStage(action.stage), action.microbatch, Direction::Forward);
        case Op::Backward:
        case Op::BackwardInput:
        case Op::SendBackward:
            return tag(schedule.previousStage(action.stage), action.microbatch, Direction::Backward);
        default:
            return std::nullopt;
    }
}

GradientSlice gradientSlice(std::size_t floats, int replicas, int chain) {
    constexpr std::size_t kLine = 16;  // floats of a cache line
    const auto count = static_cast<std::size_t>(replicas);
    const std::size_t each = (floats + count * kLine - 1) / (count * kLine) * kLine;
    const auto place = static_cast<std::size_t>(chain);
    return {std::min(floats, place * each), std::min(floats, (place + 1) * each)};
}

MessageTag gradientsTo(const Schedule& schedule, int copy, int from) {
    return {copy, -1 - schedule.chainOf(from), Direction::Backward};
}

MessageTag sumsTo(const Schedule& schedule, int copy, int from) {
    return {copy, -1 - schedule.replicas() - schedule.chainOf(from), Direction::Backward};
}

int senderStage(const Schedule& schedule, const MessageTag& tag) {
    if (tag.microbatch < 0)
        return schedule.copiesOf(
            tag.stage)[static_cast<std::size_t>((-1 - tag.microbatch) % schedule.replicas())];
    return tag.direction == Direction::Forward ? schedule.previousStage(tag.stage)
                                               : schedule.nextStage(tag.stage);
}

Action receivedAs(const MessageTag& tag) {
    return {tag.stage, tag.direction == Direction::Forward ? Op::RecvForward : Op::RecvBackward,
            tag.microbatch};
}

Action sentAs(const Schedule& schedule, const MessageTag& tag) {
    return {senderStage(schedule, tag),
            tag.direction == Direction::Forward ? Op::SendForward : Op::SendBackward, tag.microbatch};
}

}  // namespace bscope
