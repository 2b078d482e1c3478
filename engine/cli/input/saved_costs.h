// The costs of a run, kept in a file of their own (docs/FILE_FORMATS.md): medians of every operation of every
// stage, from which other schedules are predicted. Written by `bscope import --save-costs`, read by
// `bscope schedule --costs-from`, which also takes a recording.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "import/imported_run.h"

namespace bscope::cli {

struct SavedCosts {
    std::string file, source, provenance;
    std::string schedule;     // that ran; empty: none of the catalog
    int p = 0, v = 0, m = 0;  // of the run
    int t = 1;                // shards that the stages were cut into: an operation's time is one shard's
    Costs costs;              // of its p v stages; of a link the latency of a message
    std::vector<Sentence> warnings = {};  // of the recording that they were read from
};

SavedCosts costsOf(const ImportedRun& run, const std::string& file);

// Throws std::runtime_error: it cannot be written.
void writeCosts(const SavedCosts& saved, const std::string& file);

// A file of costs, or a recording. Throws std::runtime_error that names everything that is wrong with it;
// ImportError and WireError for recordings.
SavedCosts readCosts(const std::string& file);

// For the stages of another schedule: those of each chain share the run's work evenly within its stages.
Costs costsFor(const SavedCosts& saved, const Schedule& schedule);

}  // namespace bscope::cli
