// ImportedRun: a real run of another program as this one knows runs: a Timeline with the provenance IMPORTED,
// the schedule that its ranks followed, the costs of its operations, and a report an iteration. Numbers that
// the files do not hold (loss, tokens, memory) are NaN or absent, never zero.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "import/clock_alignment.h"
#include "import/numbering.h"
#include "import/readers.h"
#include "import/recognition.h"
#include "timeline/report.h"
#include "timeline/timeline.h"

namespace bscope {

// What a file was taken for.
struct RecognisedFile {
    std::string file;
    std::string as;  // "Kineto trace of a rank", "not recognised: ..."
};

// Files and folders as a person names them, folders with everything below them. Throws ImportError when
// nothing in them can be imported, or two kinds of runs are mixed.
std::vector<RecognisedFile> recogniseFiles(std::span<const std::filesystem::path> paths);
TracedRun readTracedRun(std::span<const std::filesystem::path> paths, const ImportProgress& progress = {});

struct DurationSpread {
    int stage = 0;
    Op op = Op::Forward;
    double median_ns = 0, least_ns = 0, greatest_ns = 0;
    int count = 0;
};

struct ImportedRun {
    std::string source;
    bool inferred = false;
    std::vector<std::string> notes;  // what was inferred or left out, a sentence each
    Schedule schedule;               // its name is that of the catalog, or "imported"
    Recognition recognition;
    ClockAlignment clock;
    // Messages have both ends in the files, so that waiting and transfer are told apart.
    bool knows_transfers = false;
    Timeline timeline;
    std::vector<DurationSpread> durations;  // by stage and operation, over all iterations
    Costs costs;                            // medians; links are free: their time is in the waiting
    // Primus: (iteration, rank) to what it calls the rank's bubble, (T - F - B - W) / T with the rank's own
    // T; a definition beside ours, which takes one iteration time for all ranks.
    std::map<std::pair<int, int>, double> primus_bubbles;
    std::vector<IterationReport> reports;  // by iteration, numbered as the files number them
};

// Throws ImportError.
ImportedRun importRun(TracedRun run);

}  // namespace bscope
