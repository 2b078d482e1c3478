// Messages that the server itself makes: the first one of every stream and of every recording, which
// describes the engine, its configuration and its machine; and sentences for the user.
#pragma once

#include <cstdint>
#include <string>

#include "config/run_config.h"
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
