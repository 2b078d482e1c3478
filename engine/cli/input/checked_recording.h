// A recording checked against its own events, iteration by iteration: what `bscope check` prints. Pure, over
// a log that keeps everything.
#pragma once

#include <cstdint>
#include <vector>

#include "check/invariants.h"
#include "cli/input/run_log.h"

namespace bscope::cli {

struct CheckedRecording {
    std::vector<Violation> violations;
    std::size_t whole = 0;               // iterations, held against every rule
    std::vector<std::int32_t> untraced;  // nothing but their length was recorded
    std::vector<std::int32_t> unproven;  // operations of theirs are missing
};

// audit: of the reading that filled the log. Throws what makeSchedule() throws when an order did not travel and
// cannot be made again.
CheckedRecording checkRecording(const RunLog& log, const ReportAudit& audit);

}  // namespace bscope::cli
