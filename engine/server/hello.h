// The first message of every stream and of every recording: who runs what, where.
#pragma once

#include <cstdint>

#include "schedule/run_config.h"
#include "wire/bubblescope.pb.h"

namespace bscope {

std::int64_t unixTime_ms();

wire::Message helloMessage(const RunConfig& config, wire::RunState state, std::int64_t started_unix_ms,
                           bool controls);

}  // namespace bscope
