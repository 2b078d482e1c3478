#include "cli/input/import_recording.h"

#include "timeline/iteration_events.h"
#include "wire/convert.h"
#include "wire/recording.h"
#include "words/sentence_error.h"

namespace bscope::cli {
namespace {

IterationStart startOf(const ImportedRun& run) {
    IterationStart start;
    start.iteration = run.reports.front().iteration;
    start.config.schedule = run.schedule.name;
    start.config.params = run.schedule.params;
    start.config.recompute = run.recompute;
    // The model is not known; a stage without a layer would be illegal.
    start.config.model.layers = run.schedule.stageCount();
    start.provenance = Provenance::Imported;
    start.start_ns = run.timeline.begin_ns();
    start.device = run.origin.source;
    start.placement = run.schedule.placement;
    start.schedule = std::make_shared<const Schedule>(run.schedule);
    start.import = std::make_shared<const ImportOrigin>(run.origin);
    return start;
}

void writeEvents(RecordingWriter& writer, int rank, const EventSlice& events) {
    for (std::size_t first = 0; first < events.size(); first += kEventsPerBatch) {
        wire::Message message;
        const auto batch = events.subspan(first, std::min(kEventsPerBatch, events.size() - first));
        *message.mutable_events() = toWire(rank, std::vector<Event>(batch.begin(), batch.end()));
        writer.write(encode(message));
    }
}

}  // namespace

void writeRecording(const ImportedRun& run, const std::filesystem::path& file) {
    const IterationStart start = startOf(run);
    if (const auto problems = bscope::problems(start.config, *start.schedule); !problems.empty())
        throw SentenceError<>(sentence("this run cannot be recorded: {0}", problems.front().withLegal()));
    Sentence failure;
    RecordingWriter writer(file, [&](const Sentence& what) { failure = what; });
    wire::Message first;
    *first.mutable_iteration_start() = toWire(start);
    if (!first.iteration_start().has_schedule())
        throw SentenceError<>(sentence("this run cannot be recorded: its order is too long for a recording"));
    writer.write(encode(first));
    for (const IterationReport& report : run.reports) {
        for (int rank = 0; rank < run.timeline.ranks(); ++rank) {
            writeEvents(writer, rank, ofIteration(run.timeline.compute(rank), report.iteration));
            writeEvents(writer, rank, ofIteration(run.timeline.receives(rank), report.iteration));
        }
        wire::Message finished;
        *finished.mutable_iteration_report() = toWire(report);
        writer.write(encode(finished));
    }
    writer.close();
    if (!failure.empty())  // of a run that goes on, so only its cause is right here
        throw SentenceError<>(
            sentence("{0} could not be written whole: {1}. What is in it is a part of the run; make room, or "
                     "choose another place with -o",
                     file.string(), failure.arguments.back()));
}

}  // namespace bscope::cli
