// ImportedRun: a run of another program in the form of this program's runs: a Timeline with the provenance
// IMPORTED, the schedule that its ranks followed, the costs of its operations, and a report an iteration.
// Numbers that the files do not hold (loss, tokens, memory) are NaN or absent, never zero.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "import/readers.h"
#include "import/recognition.h"
#include "report/report.h"
#include "timeline/timeline.h"

namespace bscope {

// What a file was taken for.
struct RecognisedFile {
    std::string file;
    Sentence as;  // "trace of PyTorch's profiler", "not recognised: ..."
};

// Files and folders as a person names them, folders with everything below them. Throws ImportError when
// nothing in them can be imported, or two kinds of runs are mixed.
std::vector<RecognisedFile> recogniseFiles(std::span<const std::filesystem::path> paths);
TracedRun readTracedRun(std::span<const std::filesystem::path> paths, const ReadOptions& options = {});

// (rank as the files number them, its place in the pipeline, 0..p-1) of every rank. Throws ImportError when
// that is no permutation, or the files name the stages themselves.
void placeRanks(TracedRun& run, std::span<const std::pair<int, int>> places);

struct DurationSpread {
    int stage = 0;
    Op op = Op::Forward;
    double median_ns = 0, least_ns = 0, greatest_ns = 0;
    int count = 0;
};

struct ImportedRun {
    ImportOrigin origin;
    Schedule schedule;                      // its name is that of the catalog, or "imported"
    Recompute recompute = Recompute::None;  // Full: the ranks ran R, whether of whole layers or of parts
    Recognition recognition;
    Timeline timeline;
    std::vector<DurationSpread> durations;  // by stage and operation, over all iterations
    std::vector<IterationReport> reports;   // by iteration, numbered as the files number them
    std::optional<int> start_up;  // the first iteration, where it was left out of the medians, shown or not
    GrowingFiles growing;         // where its files may be read on; none: they do not grow
    bool goes_on = false;         // only what they held more than at the last reading
    int shards = 1;               // that computed each stage together; the times are those of the first
    bool recorded = false;        // an own run: the reports are those of its recording
    std::vector<Sentence> warnings = {};  // of a recording: what it lacks or contradicts; in the notes, too
};

// Of every operation, by stage, over all iterations but one.
std::vector<DurationSpread> durationsOf(const Timeline& timeline, std::optional<int> without = std::nullopt);

// A first iteration that lasts much longer than the others (start_up.h) started up or compiled: it is left
// out of everything and named in a note, unless it is the one that is asked for (`wanted`); then it is a row
// beside the others, and no median holds it. Runs of this program keep theirs. Throws ImportError.
ImportedRun importRun(TracedRun run, std::optional<int> wanted = std::nullopt);

}  // namespace bscope
