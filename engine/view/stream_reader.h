// Hands the messages of a stream, live or recorded, to a RunHistory. Messages that are not about
// iterations are left to the caller.
#pragma once

#include "view/run_history.h"
#include "wire/bubblescope.pb.h"

namespace bscope {

enum class StreamChange { None, Progress, Started, Finished };

// Throws WireError for a message no engine sends, and for a start whose order cannot be had.
StreamChange applyToHistory(const wire::Message& message, RunHistory& history);

// The start of an iteration with its order: what travelled, else the catalog's or, of an old recording, the
// schedule file's. Throws WireError with a sentence when there is none, or when its plan would need far more
// memory than the message itself.
IterationStart startWithOrder(const wire::IterationStart& message);

}  // namespace bscope
