// What an engine says, as sentences; of an engine that does not send sentences yet, its English. Pure
// functions.
#pragma once

#include "wire/bubblescope.pb.h"
#include "words/sentence.h"

namespace bscope {

Sentence whatOf(const wire::Failure& failure);
Sentence adviceOf(const wire::Failure& failure);
Sentence whatOf(const wire::Log& log);

}  // namespace bscope
