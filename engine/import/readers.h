// The readers: one a format, each in a file of its own. Each gives what its files say; names, numbers and
// clocks that the files lack are found later (numbering.h, clock_alignment.h).
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "import/trace/growing_files.h"
#include "import/trace/traced_run.h"
#include "schedule/schedule.h"
#include "timeline/timeline.h"

namespace bscope {

// Bytes read so far and in all, of all files; false cancels.
using ImportProgress = std::function<bool(std::uintmax_t done, std::uintmax_t total)>;

struct ReadOptions {
    ImportProgress progress;
    std::optional<int> replica;  // of several pipelines that ran side by side; none: there must be one
    // Of files that grow only what they hold more (the probe's); all of them where they are others by now.
    const GrowingFiles* since = nullptr;
};

// Kineto: PyTorch's profiler, a Chrome trace a rank, of torch.distributed.pipelining. Operations are known by
// the names of the runtime (PP:2F0, since PyTorch 2.9) or of ScheduleGPipe (Forward 3, Backward 3).
TracedRun readKineto(std::span<const std::filesystem::path> files, const ReadOptions& options);

// Primus pp_vis: config.json and pp_rank_R.json of every rank in one folder.
TracedRun readPrimus(const std::filesystem::path& config, std::span<const std::filesystem::path> files);

// This program's own Chrome traces, of any provenance; one file holds all ranks.
TracedRun readOwnTrace(const std::filesystem::path& file, const ReadOptions& options);

// What this program ran, of any provenance; `file` names it in sentences. Throws ImportError: the schedule
// has no iterations, or no order of one pipeline, to compare.
TracedRun tracedRun(const Timeline& timeline, const Schedule& schedule, const std::string& file,
                    std::optional<int> replica);

// event_times_PP...json, a file a rank.
bool isEventTimesFile(const std::filesystem::path& file);
TracedRun readEventTimes(std::span<const std::filesystem::path> files, const ReadOptions& options);

// Whether this program was built with SQLite, and so reads databases.
bool readsDatabases();

// What `nsys export --type sqlite` writes, a file a rank or one of several processes: ranges of sail's zero
// bubble, of torch.distributed.pipelining and of this program, else the messages that Megatron-LM names.
// Throws ImportError when this program was built without SQLite.
TracedRun readNsys(std::span<const std::filesystem::path> files, const ReadOptions& options);

// Ascend's PyTorch profiler, with the ranges that msprof-analyze's pp_chart requires: trace_view.json, or the
// databases ascend_pytorch_profiler_R.db to which it added the table StepTaskInfo; a file a rank.
bool isAscendTrace(const std::filesystem::path& file);
TracedRun readAscendTraces(std::span<const std::filesystem::path> files, const ReadOptions& options);
bool isAscendDatabase(const std::filesystem::path& file);
TracedRun readAscendDatabases(std::span<const std::filesystem::path> files, const ReadOptions& options);

// Chrome traces that name operations forward and backward and number them in their arguments, of MegatronApp
// or of the straggler analysis of a fleet: a file of all ranks, or a file a rank.
TracedRun readStepTraces(std::span<const std::filesystem::path> files, const ReadOptions& options);

// integrations/pytorch/bubblescope_probe.py, a file a rank.
TracedRun readProbe(std::span<const std::filesystem::path> files, const ReadOptions& options);

}  // namespace bscope
