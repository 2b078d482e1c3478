#include "widgets/help/import_help.h"

#include <QCoreApplication>

#include "widgets/text/config_text.h"

namespace bscope::ui {
namespace {

struct ImportHelp {
    Q_DECLARE_TR_FUNCTIONS(bscope::ui::ImportHelp)
};

constexpr const char* kMissing[] = {
    "no file runs stage {0}: the files of other ranks are missing, give those of all",
    "no rank runs stage {0}",
    "{0} says p = {1}; the files of these ranks are missing: {2}",
    "the pipeline has {0} ranks; the files of these are missing: {1}",
    "{0} needs the pp_rank_R.json of every rank beside it",
    "{0} needs its config.json beside it",
    "{0} does not say \"pp_size\", the number of ranks of the pipeline",
    "no iteration is whole on every rank",
    "there is no rank",
    "{0} does not exist"};
constexpr const char* kMixed[] = {
    "{0} and {1} are both of rank {2}; import the files of one run",
    "{0} ran {1} forwards in an iteration and rank {2} {3}: the files are of mixed runs",
    "{0} ran {1} backwards in an iteration and rank {2} {3}: the files are of mixed runs",
    "{0} says p = {1}, and there are files of {2} ranks: they are of mixed runs",
    "{0} is of another run than {1}: p and v differ",
    "{0} and {1} are of two runs: name one",
    ("the files are not of one run: {0} begins {1} s after {2} has ended, on one host. Import the files of "
     "one "
     "run"),
    "{0} and {1} are of two runs: name the folder of one",
    "{0} is of a job of {1} ranks and {2} of one of {3}: they are of two runs, name the files of one",
    "{0} is of {1} and {2} of {3}: name the files of one run",
    "{0} holds more than {1} files; name the folder of one run",
    "stage {0} is run by rank {1} and by rank {2}: import the files of one pipeline",
    "the times of the files lie more than a year apart: a time is wrong, or the files are of mixed runs"};
constexpr const char* kNoPipeline[] = {
    "{0} is not of a pipeline: {1}, and no messages between neighbours. That is data, tensor or expert "
    "parallelism; no pipeline schedule could change it"};
constexpr const char* kImpossible[] = {
    "the run that the files describe is impossible: in iteration {0} {1}",
    "rank {0} sends something on after forward {1} of an iteration: its chunks do not run one after the other",
    ("the files contradict each other although their ranks share one clock: {0}. Either what was read "
     "as an operation is not one, or the files are not of one pipeline and one run, so no number would "
     "be right. Give the files of one pipeline and one run; the range of an operation may contain its "
     "own receive and send, but none of another operation"),
    ("the files contradict each other however their clocks are shifted: {0}. Either what was read as "
     "an operation is not one, or the files are not of one pipeline and one run, so no number would be "
     "right. Give the files of one pipeline and one run"),
    ("{0} holds no message, and {1} does: what its rank waited for would count as work. Record the messages "
     "of "
     "all ranks, or of none and with ranges that hold no receive"),
    ("{0}: {1} of stage {2} takes no time, which no work does: its times are those of something else, and "
     "the "
     "bubble would be too high. Record again, with start and end of what the stage computes"),
    "the run that the files describe is impossible in all {0} iterations: in iteration {1} {2}"};
constexpr const char* kReplicas[] = {
    ("the files are of several pipelines that ran side by side: by their messages these ranks each begin "
     "one: "
     "{0}; these each end one: {1}. Give the files of one pipeline alone"),
    ("the files name no stage, and as one pipeline of {0} ranks they contradict their clocks ({1}). Where "
     "pipelines ran side by side (data or tensor parallelism), give the files of one, or record again with "
     "this "
     "version's probe, which writes the groups"),
    ("the files are of {0} replicas of the pipeline ({1}): choose one with --replica N, see all of them "
     "beside "
     "each other with --grid, or give only the files of one"),
    ("the file is of {0} replicas of the pipeline ({1}): choose one with --replica N, or see all of them "
     "beside "
     "each other with --grid"),
    "there is no replica {0}; the files are of {1} replicas of the pipeline: {2}",
    "there is no replica {0}: the files are of one pipeline, replica 0"};
constexpr const char* kRanks[] = {("it holds {0} traces of the same time that do not say their ranks: split "
                                   "it into one file per rank (rank0.json, rank1.json, ...)"),
                                  "{0} does not say its rank, neither inside nor in its name (rank0...)",
                                  ("{0} does not say its rank: neither its folders (rank0...) nor a "
                                   "profiler_info_0.json beside them name it"),
                                  "{0} does not say which rank a thread is",
                                  ("it does not say which rank of the pipeline its process {0} is, or one "
                                   "from {1} on, which cannot be shown"),
                                  "the ranks must be 0 to {0}, each of them once; it names rank {1}",
                                  "\"t\" is {0}, which must divide the number of ranks, {1}"};
constexpr const char* kPlaces[] = {
    "there is no rank {0}", "the places of the ranks must be 0 to {0}, each of them once",
    "places are given for {0} of {1} ranks", "{0} names its stages itself, so that no order can be given"};
constexpr const char* kUnnamed[] = {
    ("every rank did forward and backward work that no name covers, in an iteration at least half as much as "
     "a micro-batch takes: names of micro-batches are missing, or the ranges hold only a part of each "
     "operation, so that m and the bubble would be wrong. Name all of every forward and every backward"),
    ("the files of ranks {0} name their operations, those of ranks {1} do not: as one run they cannot be "
     "read. Name the operations of all ranks, as with torch.profiler.record_function(\"PP:0F0\"), or of "
     "none; "
     "or give the files of one run"),
    ("{0} holds no operation of a pipeline: no range named PP:2F0, Forward 3 or F0.1.0, and no message "
     "between "
     "ranks. If it is of a pipeline, record the files of its training processes with ProfilerActivity.CPU"),
    ("{0} names no operation of a pipeline, only messages, and lacks the calls that distinguish forwards from "
     "backwards: of PyTorch's autograd, or of its messages (c10d::send, c10d::recv_). Record with "
     "ProfilerActivity.CPU, too, or name operations with torch.profiler.record_function(\"PP:0F0\")"),
    ("{0} names forwards alone, and PyTorch's autograd worked beside them: its backwards have no name. Name "
     "them "
     "as well, as with torch.profiler.record_function(\"PP:0B0\")"),
    ("{0} names no operation, and the messages of its one rank show no rank before or after it, so it is not "
     "a pipeline: give the files of all ranks"),
    ("by their messages the files are of no pipeline with a stage a rank. Known is: {0}. Where a rank runs "
     "several stages (interleaved, or a V as of ZB-V and DualPipeV) or posts its receives ahead, names alone "
     "say "
     "what ran: torch.profiler.record_function(\"PP:2F0\") around forward 0 of stage 2, \"PP:2B0\" around "
     "its "
     "backward or \"PP:2I0\" and \"PP:2W0\" around the halves, which the schedules of PyTorch 2.9 and newer "
     "with "
     "several stages a rank write by themselves; or record with integrations/pytorch/bubblescope_probe.py. "
     "Of "
     "several pipelines side by side give the files of one"),
    ("the files name no operation, and the order that follows from their messages matches no schedule of the "
     "catalog. Name operations with torch.profiler.record_function(\"PP:0F0\")"),
    ("the files name no operation, and what follows from their messages is the order of no schedule of the "
     "catalog. Known is: {0}. Names of operations, torch.profiler.record_function(\"PP:0F0\"), leave nothing "
     "to infer, nor does integrations/pytorch/bubblescope_probe.py"),
    "{0} holds no operation of a pipeline",
    "it holds no forward and no backward",
    "no rank ran a forward"};
constexpr const char* kNsys[] = {
    ("{0} holds no NVTX ranges: record with nsys profile --trace=cuda,nvtx, export with nsys export --type "
     "sqlite"),
    ("{0} holds no operation of a pipeline: no NVTX range named F0.1.0 or PP:2F0, nor those of Megatron-LM's "
     "p2p_communication (--nvtx-ranges)")};
constexpr const char* kAscend[] = {
    ("{0} holds no forward and no backward on its track \"Ascend Hardware\": put mstx ranges around "
     "forward_step and backward_step, as msprof-analyze's pp_chart asks for"),
    "{0} has no table StepTaskInfo: run msprof-analyze cluster -m pp_chart on it first",
    "no name in the table StepTaskInfo of {0} says forward or backward; the first is \"{1}\"",
    "{0} holds {1} backwards and {2} weight gradients: which backwards were split is not recorded"};
constexpr const char* kCutOff[] = {
    "{0} is cut off before its first operation of a pipeline",
    "{0} is cut off before the end of its first iteration, so that nothing of the run can be shown",
    "{0} ends in the middle of its compressed data",
    "{0} is damaged: its compressed data cannot be unpacked",
    "a packet of the trace is damaged",
    ("in each iteration a forward or backward of rank {0} has no beginning or no end, first in iteration "
     "{1}"),
    "{0} holds no complete iteration",
    "{0} holds no events of an iteration",
    "it is empty"};
constexpr const char* kRecordings[] = {
    "{0} is a recording, a run by itself: name it alone",
    "{0} is of sequences that are cut into segments, which are not compared: look at its recording instead",
    "{0} is of an asynchronous schedule, which has no iterations to compare: look at its recording instead",
    "{0} is of a schedule with two chains of stages over the same ranks, which has no order of one pipeline "
    "to "
    "compare: look at its recording instead",
    "{0} does not say what ran"};
constexpr const char* kNumbers[] = {
    ("by the stages they name, ranks {0} and {1} are of two replicas of the pipeline, and one sends to the "
     "other: the stages have wrong names, or the files are of mixed runs"),
    ("the ranks {0} all name their work the same stages, as replicas do whose pipeline is one rank long, and "
     "rank {1} sends or receives, which no such rank does. If they are one pipeline, number its stages "
     "through "
     "all ranks: PP:0F0 on the first one, PP:1F0 on the next one"),
    "the ranks name {0} stages, which p = {1} ranks do not share evenly",
    "a rank ran {0} forwards, which is no multiple of v = {1}",
    "{0} names stage {1}; there are {2} stages",
    "{0} names chunk {1}; v = {2}",
    "{0} names micro-batch {1}; m = {2}",
    "{0} ran {1} twice in iteration {2}"};
constexpr const char* kFormat[] = {"it is no JSON object",
                                   "it is no JSON object or array",
                                   "\"{0}\" is no time",
                                   "\"{0}\" holds what is no time",
                                   "\"{0}\" is no number of an iteration",
                                   "\"{0}\" must hold whole numbers from 0 to {1}",
                                   "\"{0}_start\" has {1} entries and \"{0}_end\" {2}",
                                   "\"{0}\" number {1} ends before it starts",
                                   "{0} has no start",
                                   "{0} has no end",
                                   "{0} ends before it starts",
                                   "an event has no \"{0}\"",
                                   "an event has no time",
                                   "its times are outside the range of a clock",
                                   "{0}, line {1}: {2}",
                                   "a line is longer than any of the probe",
                                   "no iteration is as the probe wrote it: lines were altered, lost or added "
                                   "afterwards, first in {0}. Give the files that the probe wrote",
                                   "one of its values is larger than any that a profiler writes",
                                   "{0} cannot be opened: {1}"};
constexpr const char* kLarge[] = {"the pipeline is larger than what can be shown: p = {0}, v = {1}, m = {2}",
                                  "{0} is larger than the {1} MiB that such a file may have"};
constexpr const char* kBuild[] = {
    "{0} is a database; this program was built without SQLite (Debian: libsqlite3-dev)"};
constexpr const char* kUnknown[] = {
    "{0}. What can be imported: traces of PyTorch's profiler (one a rank, .json, .json.gz or .pftrace), "
    "files of "
    "Bubblescope's probe, databases of nsys (nsys export --type sqlite), folders of Primus pp_vis "
    "(config.json, pp_rank_R.json), trace_view.json and ascend_pytorch_profiler_R.db of Ascend's profiler, "
    "event_times_PP...json of Megatron-LM, traces of MegatronApp and of the straggler analysis, Chrome "
    "traces "
    "that Bubblescope exported"};

constexpr RefusalHelp kRefusals[] = {
    {QT_TRANSLATE_NOOP("bscope::ui::ImportHelp",
                       "Open the folder that holds the files of every rank of the pipeline."),
     kMissing},
    {QT_TRANSLATE_NOOP("bscope::ui::ImportHelp",
                       "Put the files of one run into a folder of their own, without files of other runs."),
     kMixed},
    {QT_TRANSLATE_NOOP("bscope::ui::ImportHelp",
                       "With data parallelism the files hold the same pipeline several times. In a terminal: "
                       "bscope import FOLDER --replica 0 -o RUN.bscope; open that recording."),
     kReplicas},
    {QT_TRANSLATE_NOOP("bscope::ui::ImportHelp",
                       "Give the files names with their rank, rank0.json, rank1.json; ranks count from 0."),
     kRanks},
    {QT_TRANSLATE_NOOP(
         "bscope::ui::ImportHelp",
         "--stages RANK:PLACE,... names each rank of the files once and each place once, where the "
         "files do not say which stage a rank runs."),
     kPlaces},
    {QT_TRANSLATE_NOOP(
         "bscope::ui::ImportHelp",
         "Nothing to import: no rank waits for another one's stage. A pipeline's run has messages "
         "between neighbouring ranks."),
     kNoPipeline},
    {QT_TRANSLATE_NOOP(
         "bscope::ui::ImportHelp",
         "The names of the ranges do not match what ran, or the files are of several runs: put a range "
         "around what a stage computes, without its receive, and give the files of one run."),
     kImpossible},
    {QT_TRANSLATE_NOOP("bscope::ui::ImportHelp",
                       "Record once more with the probe, or with names around what a stage computes: "
                       "torch.profiler.record_function(\"PP:0F0\") is stage 0, forward, micro-batch 0."),
     kUnnamed},
    {QT_TRANSLATE_NOOP("bscope::ui::ImportHelp",
                       "nsys profile --trace=cuda,nvtx, the training with its NVTX ranges on (Megatron-LM: "
                       "--nvtx-ranges), then nsys export --type sqlite."),
     kNsys},
    {QT_TRANSLATE_NOOP(
         "bscope::ui::ImportHelp",
         "Record with mstx ranges whose names say forward or backward; databases need msprof-analyze "
         "cluster -m pp_chart."),
     kAscend},
    {QT_TRANSLATE_NOOP(
         "bscope::ui::ImportHelp",
         "The program ended before its profiler had written the file, or the file was not copied completely. "
         "Record at least one whole iteration and wait until the profiler has written its file."),
     kCutOff},
    {QT_TRANSLATE_NOOP("bscope::ui::ImportHelp", "Open the recording by itself, with File > Open."),
     kRecordings},
    {QT_TRANSLATE_NOOP("bscope::ui::ImportHelp",
                       "The names contradict each other: check how the recording program numbers its stages, "
                       "chunks and micro-batches (all from 0)."),
     kNumbers},
    {QT_TRANSLATE_NOOP(
         "bscope::ui::ImportHelp",
         "The file differs from what its program writes: copy it again from where it was written."),
     kFormat},
    {QT_TRANSLATE_NOOP("bscope::ui::ImportHelp", "Record fewer iterations, or a smaller pipeline."), kLarge},
    {QT_TRANSLATE_NOOP("bscope::ui::ImportHelp",
                       "Install SQLite's development files and build the program again."),
     kBuild},
    {QT_TRANSLATE_NOOP("bscope::ui::ImportHelp",
                       "It contains no run: the message above lists what can be opened."),
     kUnknown},
};

// As it is shown, with a dot for what it names.
QString shownRefusal(const char* id) {
    Sentence sentence{id, {}};
    for (int argument = 0; argument < 4; ++argument) sentence.arguments.emplace_back("…");
    return said(sentence);
}

}  // namespace

std::span<const RefusalHelp> refusalHelp() {
    return kRefusals;
}

std::vector<HelpTable> importHelp() {
    HelpTable refused{ImportHelp::tr("When files are refused"), {}};
    for (const RefusalHelp& each : kRefusals) {
        QStringList refusals;
        for (const char* id : each.refusals) refusals << shownRefusal(id);
        refused.rows.push_back({refusals.join(u'\n'), ImportHelp::tr(each.advice)});
    }
    return {
        {ImportHelp::tr("How a run is opened"),
         {{ImportHelp::tr(
               "File > Import the run in a folder, or drop a folder or several files on the window"),
           ImportHelp::tr("All files of one run, those of every rank of the pipeline.")},
          {QStringLiteral("bubblescope PATH…"), ImportHelp::tr("The same from a terminal.")},
          {QStringLiteral("bscope import PATH… -o RUN.bscope"),
           ImportHelp::tr("Prints text and writes a recording, which can be used like one made by this "
                          "program. --explain lists what each file was recognised as.")},
          {QStringLiteral("bscope import A --against B"),
           ImportHelp::tr(
               "Two runs side by side; in the window, open one, pin it as the baseline (N), and open "
               "the other.")}}},
        {ImportHelp::tr("How a run is recorded"),
         {{ImportHelp::tr("PyTorch, TorchTitan"),
           ImportHelp::tr("torch.profiler.profile with ProfilerActivity.CPU and CUDA, export_chrome_trace to "
                          "rank0.json, rank1.json and so on. Since PyTorch 2.9, schedules with several "
                          "stages per rank name their operations; those of Schedule1F1B are inferred.")},
          {QStringLiteral("Megatron-LM"),
           ImportHelp::tr(
               "nsys profile --trace=cuda,nvtx, training with --nvtx-ranges; then nsys export --type "
               "sqlite. Or the event timers' event_times_PP...json.")},
          {ImportHelp::tr("zero bubble (sail)"),
           ImportHelp::tr("nsys as above: its NVTX ranges name every operation.")},
          {QStringLiteral("Primus"),
           ImportHelp::tr("The folder that pp_vis reads: config.json and pp_rank_R.json "
                          "of every rank.")},
          {ImportHelp::tr("Ascend"),
           ImportHelp::tr(
               "ASCEND_PROFILER_OUTPUT with trace_view.json and mstx ranges around forward_step and "
               "backward_step, or the databases after msprof-analyze cluster -m pp_chart.")},
          {ImportHelp::tr("MegatronApp, the straggler analysis"),
           ImportHelp::tr("The benchmark-data-...json of every rank or the trace that is made of them; the "
                          "timeline of StragglerAnalysis. A file may hold all ranks and replicas.")},
          {ImportHelp::tr("Everything else: the probe"),
           ImportHelp::tr(
               "Copy integrations/pytorch/bubblescope_probe.py into the project: with "
               "bubblescope_probe.record(\"runs/x\") as probe: probe.attach(schedule). Open runs/x "
               "while it grows, and the window follows. From another machine: bscope collect --listen "
               "ADDRESS:PORT -o FOLDER, and record(..., live=\"HOST:PORT\", token_file=...).")}}},
        {ImportHelp::tr("What IMPORTED means"),
         {{QStringLiteral("IMPORTED"),
           ImportHelp::tr(
               "Another program ran and timed it. Its files are read and nothing is added: loss, tokens "
               "and memory are absent where the files lack them. Predictions use the medians of its "
               "operations.")},
          {ImportHelp::tr("inferred"), ImportHelp::tr("Not in the files, but derived from the order of the "
                                                      "operations or from the messages between the ranks.")},
          {ImportHelp::tr("clocks as recorded"),
           ImportHelp::tr("No operation starts before what it waits for has ended: the recorded times of "
                          "different ranks are consistent.")},
          {ImportHelp::tr("clocks moved"),
           ImportHelp::tr("The ranks' clocks differed. They are shifted until every message arrives after it "
                          "was sent; times of different ranks remain uncertain. Durations, and intervals on "
                          "one rank, are not affected.")},
          {ImportHelp::tr("no shift of the clocks is consistent"),
           ImportHelp::tr("Two operations contradict each other, and both are named. No number of such files "
                          "would be right: check that they are of one run.")},
          {ImportHelp::tr("waiting and transfer are not separated"),
           ImportHelp::tr("The files record only one end of each message.")}}},
        refused};
}

}  // namespace bscope::ui
