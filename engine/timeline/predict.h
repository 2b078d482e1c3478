// predict: plays a Program with given Costs (no resource is shared, a rank runs one operation at a time in
// its order, an operation starts at max(rank free + hand-over, all inputs arrived), links are not occupied).
// Nothing runs: the result is PREDICTED. Overlapped pairs run one after the other unless fused.
#pragma once

#include "catalog/endless_stream.h"
#include "schedule/program.h"
#include "timeline/costs.h"
#include "timeline/timeline.h"
#include "words/sentence_error.h"

namespace bscope {

enum class Overlap : std::uint8_t { Serial, Fused };

// Times, or their sums over all ranks, that 64 bits of ns do not hold.
struct TimesDoNotFit : SentenceError<std::invalid_argument> {
    using SentenceError::SentenceError;
};

// Starts at start_ns on every rank; iteration number written into every event. Throws std::invalid_argument
// when costs.stages does not match the program or an action can never start, TimesDoNotFit.
Timeline predict(const Program& program, const Costs& costs, Overlap overlap = Overlap::Serial,
                 std::int64_t start_ns = 0, std::int32_t iteration = 0);

// The finite piece of an endless stream, every event and memory point in the iteration of its rank's share.
Timeline predict(const EndlessStream& stream, const Costs& costs);

}  // namespace bscope
