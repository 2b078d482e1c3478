// PipelinePart: what is known from files of some ranks of a pipeline: the operations of each rank in order
// and its own idle time. There is no bubble of the pipeline, no closed form, no prediction and no advice
// without the ranks that are missing, so that a part is never an ImportedRun.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "import/trace/import_error.h"
#include "import/trace/traced_run.h"

namespace bscope {

struct PipelinePart {
    struct Iteration {
        int number = 0;
        std::int64_t span_ns = 0, busy_ns = 0;  // from the rank's first operation to the end of its last one
        std::int64_t around_ns = 0;             // TracedOp::around_ns, of these
        double idleShare() const {
            return span_ns > 0 ? 1 - static_cast<double>(busy_ns) / static_cast<double>(span_ns) : 0;
        }
        double understatedBy() const {
            return span_ns > 0 ? static_cast<double>(around_ns) / static_cast<double>(span_ns) : 0;
        }
    };
    struct Rank {
        int number = 0;  // of the file
        int place = -1;  // in the pipeline, from 0; -1: not known
        std::string file;
        Neighbour before = Neighbour::Unknown, after = Neighbour::Unknown;
        int forwards = 0, backwards = 0;  // of an iteration
        std::string order;                // of the last iteration: "F0 F1 B0"
        std::vector<TracedOp> last;       // the same, numbered where they can be, by start
        std::vector<Iteration> iterations;
        double idleShare() const;  // median over its iterations
    };

    std::string source;
    Times times = Times::Recorded;
    Provenance provenance = Provenance::Imported;
    bool operations_inferred = false;
    int p = 0, v = 0;          // ranks of the pipeline, chunks a rank; 0: not known
    std::vector<int> missing;  // their numbers, where they are known
    Sentence why;              // how it is known that some are missing, where nothing else says it
    std::vector<Rank> ranks;
    std::vector<std::string> schedules;     // of the catalog, those that have these orders at these places
    std::vector<Sentence> left_out, notes;  // as in TracedRun
};

// "ranks 2, 3 of 4", or "rank 0" where the number of ranks is not known.
Sentence ranksOfPart(const PipelinePart& part);
// What is missing, and how that is known.
Sentence missingOfPart(const PipelinePart& part);

// The refusal where all ranks are needed: which ranks are there, which are missing, how long each that is
// there stood idle. Its `part` is for who shows it.
struct PartOfPipeline : ImportError {
    explicit PartOfPipeline(PipelinePart of);
    PipelinePart part;
};

// Whether the ranks of a run are all of its pipeline.
enum class Completeness : std::uint8_t {
    Whole,
    Part,
    // The job had more ranks, and nothing says whether the others belong to this pipeline: it is whole where
    // its order is that of a schedule for these ranks and not one for those of the job.
    Open,
};
Completeness completenessOf(const TracedRun& run);

// What the ranks tell by themselves; `why` as in PipelinePart. Throws ImportError: no iteration is whole.
PipelinePart partOf(const TracedRun& run, Sentence why = {});

}  // namespace bscope
