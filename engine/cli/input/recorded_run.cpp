#include "cli/input/recorded_run.h"

#include <algorithm>

#include "catalog/catalog.h"
#include "cli/input/import_replicas.h"
#include "cli/input/run_log.h"
#include "files/user_file.h"
#include "import/trace/import_error.h"
#include "wire/frame.h"

namespace bscope::cli {
namespace {

// What ran under one configuration.
struct Segment {
    IterationStart start;
    std::vector<IterationReport> reports;
    int others = 0;  // iterations under other configurations
};

Segment segmentOf(const RunLog& log, std::optional<int> number, const std::string& file) {
    if (log.reports().empty()) throw ImportError(sentence("{0} holds no complete iteration", file));
    const int wanted = (number ? log.reportNumbered(*number) : log.lastTraced()).iteration;
    const auto start = log.startOf(wanted);
    if (!start) throw ImportError(sentence("{0} does not say what ran", file));
    Segment segment{*start, {}, 0};
    for (const IterationReport& report : log.reports()) {
        const auto own = log.startOf(report.iteration);
        if (own && own->iteration == start->iteration && report.isTraced())
            segment.reports.push_back(report);
        else if (report.isTraced())
            ++segment.others;
    }
    if (segment.reports.empty()) throw ImportError(sentence("{0} holds no events of an iteration", file));
    return segment;
}

Timeline timelineOf(const RunLog& log, const Segment& segment) {
    int ranks = 0;
    for (const IterationReport& report : segment.reports) ranks = std::max(ranks, report.layout().world());
    Timeline all(ranks, segment.reports.front().provenance);
    for (const IterationReport& report : segment.reports) {
        const Timeline one = log.timeline(report.iteration);
        for (int rank = 0; rank < std::min(ranks, one.ranks()); ++rank) {
            for (const Event& event : one.compute(rank)) all.append(event);
            for (const Event& event : one.receives(rank)) all.append(event);
        }
    }
    return all;
}

ImportedRun imported(const Segment& segment, Timeline timeline) {
    ImportedRun run;
    run.origin = *segment.start.import;
    run.schedule = *segment.start.schedule;
    run.recompute = segment.start.config.recomputedApart();
    if (findSchedule(run.schedule.name) != nullptr) {
        run.recognition.schedule = run.schedule.name;
        run.recognition.group_size = run.schedule.params.group_size;
    } else if (!run.origin.nearest_schedule.empty()) {
        run.recognition.nearest = run.origin.nearest_schedule;
        run.recognition.first_difference = run.origin.first_difference;
    }
    run.durations = durationsOf(timeline);
    run.timeline = std::move(timeline);
    run.reports = segment.reports;
    return run;
}

bool byIteration(const IterationReport& a, const IterationReport& b) {
    return a.iteration < b.iteration;
}

// Reports of the recording hold what events do not (loss, tokens); of one replica or shard alone there is
// none.
ImportedRun own(const Segment& segment, const Timeline& timeline, const std::string& file,
                std::optional<int> replica, bool with_grid) {
    const IterationStart& start = segment.start;
    std::optional<Schedule> schedule;
    try {
        schedule =
            start.schedule ? *start.schedule : makeSchedule(start.config.schedule, start.config.params);
    } catch (const std::invalid_argument& error) {
        throw ImportError(ofFile(file, sentenceOf(error)));
    }
    TracedRun traced = tracedRun(timeline, *schedule, file, replica);
    traced.source = "Bubblescope recording";
    if (segment.others > 0)
        traced.notes.push_back(sentence(
            "iterations under other configurations are left out: {0}; --iteration chooses one of them",
            segment.others));
    ImportedRun run = with_grid ? importWithGrid(std::move(traced), replica.value_or(0), std::nullopt)
                                : importRun(std::move(traced));
    const ScheduleParams& params = start.config.params;
    if (params.layout().world() > params.p || run.origin.max_shift_ns > 0) return run;
    run.recorded = true;
    std::vector<IterationReport> reports;
    for (const IterationReport& whole : run.reports) {
        const auto [first, past] =
            std::equal_range(segment.reports.begin(), segment.reports.end(), whole, byIteration);
        reports.insert(reports.end(), first, past);
    }
    if (reports.empty()) throw ImportError(sentence("{0} holds no complete iteration", file));
    run.reports = std::move(reports);
    return run;
}

}  // namespace

bool isRecording(const std::filesystem::path& file) {
    try {
        UserFile bytes(file);
        std::string head(kRecordingMagic.size(), '\0');
        return bytes.read(head.data(), head.size()) == head.size() && head == kRecordingMagic;
    } catch (const FileError&) {
        return false;
    }
}

ImportedRun readRecordedRun(const std::filesystem::path& file, std::optional<int> number,
                            std::optional<int> replica, const ImportProgress& progress, bool with_grid) {
    RunLog log(RunLog::Keep::Everything);
    std::vector<Sentence> warnings;
    try {
        warnings = readRecording(file, log, progress).warnings();
    } catch (const ReadingEnded&) {
        throw ImportCancelled();
    }
    const Segment segment = segmentOf(log, number, file.string());
    Timeline timeline = timelineOf(log, segment);
    const bool from_files = segment.start.import && segment.start.schedule;
    if (from_files && replica.value_or(0) > 0)
        throw ImportError(
            sentence("there is no replica {0}: the files are of one pipeline, replica 0", *replica));
    ImportedRun run = from_files ? imported(segment, std::move(timeline))
                                 : own(segment, timeline, file.string(), replica, with_grid);
    run.origin.notes.insert(run.origin.notes.end(), warnings.begin(), warnings.end());
    run.warnings = std::move(warnings);
    return run;
}

}  // namespace bscope::cli
