// findDeadlock: executes a Program under the rules of a message layer, without time, and returns the first
// action that can never run. The stages, ranks and micro-batches it names must exist. Buffered and Rendezvous
// are stricter than our own communicators, whose receives are posted early and whose sends do not block: a
// Program that passes them cannot hang there.
//
// All rules: every rank executes its list strictly in order. Between two ranks the messages of one direction
// form a channel (src, dst): the k-th SEND of src to dst belongs to the k-th RECV of dst from src, and they
// must name the same message. A compute action needs its remote inputs received and its local inputs
// computed.
//   Posted:     SEND and RECV never block; a message is there once both have run. PyTorch's runtime.
//   Buffered:   SEND never blocks; RECV blocks until its message has been sent.
//   Rendezvous: SEND blocks the rank until the peer stands at the matching RECV, RECV until the peer stands
//   at the
//               matching SEND; then both are done.
// Under rendezvous a Program whose receives stand just before their consumers hangs for 1F1B (two neighbours
// send to each other first), while GPipe passes; one in which the sender placed the receive never hangs: its
// global order is a witness.
#pragma once

#include <optional>

#include "schedule/program.h"
#include "words/sentence.h"

namespace bscope {

enum class Transport { Posted, Buffered, Rendezvous };

struct Deadlock {
    int rank = 0;
    Action action;    // the action at which the rank stands for ever
    Sentence reason;  // "waits for rank 1, which stands at 1SEND_B0"
};

std::optional<Deadlock> findDeadlock(const Program& program, Transport transport);

}  // namespace bscope
