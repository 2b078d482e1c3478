// Hands the messages of a stream, live or recorded, to a RunHistory. Messages that say nothing about
// iterations are left to the caller.
#pragma once

#include "run_history.h"
#include "wire/bubblescope.pb.h"

namespace bscope::ui {

enum class StreamChange { None, Progress, Started, Finished };

// Throws WireError for a message no engine sends.
StreamChange applyToHistory(const wire::Message& message, RunHistory& history);

}  // namespace bscope::ui
