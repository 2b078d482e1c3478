// Which messages a schedule needs: the tensors that travel between stages, and the gradients that copies of a
// stage add up. A tag names the consumer, so the same tag stands for a tensor at its producer and at its
// consumer. Pure functions.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "kernels/communicator.h"
#include "schedule/schedule.h"

namespace bscope {

// What a compute action reads: the activation of the previous stage (F), the gradient of the next (B, I, and
// R: its place in time is that of the backward it belongs to). nullopt at the ends of the chain and for W.
std::optional<MessageTag> inputOf(const Schedule& schedule, const Action& action);
// What F, B or I hands on, or what a SEND carries; nullopt when no stage needs it.
std::optional<MessageTag> outputOf(const Schedule& schedule, const Action& action);

// The copies of a stage in d replicas add their gradients in two rounds: each copy adds up its slice of all
// of them in the order of the replicas, and hands the sum to the others; under ZeRO it steps the slice first
// and hands on the weights. So a rank holds no more than two copies of its gradients at any d.

// A message of a round, from one copy of a stage to another. kind: Slice, Sum or Weights.
MessageTag reductionTag(const Schedule& schedule, MessageKind kind, int to, int from);

// The stage that a message comes from.
int senderStage(const Schedule& schedule, const MessageTag& tag);

// A message as the action of its receiver, and of its sender: RECV and SEND, or the REDUCE_GRAD or
// GATHER_WEIGHTS that it is of.
Action receivedAs(const MessageTag& tag);
Action sentAs(const Schedule& schedule, const MessageTag& tag);
// As its receiver is named: "2RECV_F0".
std::string messageText(const MessageTag& tag);
// The inverse of receivedAs(): of a RECV.
MessageTag messageOf(const Action& receive);

}  // namespace bscope
