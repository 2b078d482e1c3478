// Iterations of an endless stream as pieces of it: which micro-batch begins one, and whether one goes on where
// another ended. Pure functions; any thread.
#pragma once

#include <memory>
#include <optional>

#include "timeline/timeline.h"

namespace bscope {

// Streams, whose events have versions, count their micro-batches on; those that the last rank sends back are
// the iteration's own. The first of them; nullopt when the iteration is of no stream.
std::optional<Event> firstOfStream(const Timeline& iteration);

// Both are of one stream. One that began anew, after a pause or a change, counts its micro-batches from 0.
bool continues(const Timeline& before, const Timeline& after);

// The rows of every rank one after the other; the iterations of `later` come after those of `earlier`. Throws
// std::invalid_argument when they do not.
std::shared_ptr<const Timeline> joined(const Timeline& earlier, const Timeline& later);

}  // namespace bscope
