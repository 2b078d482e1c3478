// Messages that the server itself makes: the first one of every stream and of every recording, which says who
// runs what, where; and sentences for a person.
#pragma once

#include <cstdint>
#include <string>

#include "schedule/run_config.h"
#include "wire/bubblescope.pb.h"
#include "words/sentence.h"

namespace bscope {

std::int64_t unixTime_ms();

wire::Message helloMessage(const RunConfig& config, wire::RunState state, std::int64_t started_unix_ms,
                           bool controls);

wire::Message logMessage(const Sentence& what);
// Without rank and kept state.
wire::Message failureMessage(const Sentence& what, const Sentence& advice);

}  // namespace bscope
