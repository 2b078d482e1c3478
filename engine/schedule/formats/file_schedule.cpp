#include "schedule/formats/file_schedule.h"

#include <stdexcept>

#include "files/user_file.h"
#include "schedule/formats/csv.h"
#include "words/sentence_error.h"

namespace bscope {

namespace {

constexpr std::string_view kPrefix = "file:";

std::string contentsOf(const std::string& path) {
    try {
        return readUserFile(path, kMaxScheduleFileBytes, NamedBy::Configuration);
    } catch (const FileError& error) {
        throw SentenceError<std::invalid_argument>(
            sentence("the schedule file {0} cannot be read: {1}", path, sentenceOf(error)));
    }
}

void compare(std::vector<Problem>& found, const char* field, int given, int of_file) {
    if (given == of_file) return;
    found.push_back({field,
                     "{0} = {1} must be {2}, as in the schedule's file",
                     {field, std::to_string(given), std::to_string(of_file)},
                     {of_file}});
}

}  // namespace

bool isFileSchedule(std::string_view name) {
    return name.starts_with(kPrefix);
}

Schedule readFileSchedule(std::string_view name) {
    Schedule schedule =
        readComputeCsv(contentsOf(std::string(name.substr(kPrefix.size()))), std::string(name));
    if (schedule.stageCount() != schedule.params.p * schedule.params.v)
        throw SentenceError<std::invalid_argument>(
            sentence("the file has {0} stages on {1} ranks; every rank must own as many stages",
                     schedule.stageCount(), schedule.params.p));
    return schedule;
}

ScheduleParams fileScheduleParams(std::string_view name) {
    return readFileSchedule(name).params;
}

std::vector<Problem> fileScheduleProblems(std::string_view name, const ScheduleParams& params) {
    Schedule schedule;
    try {
        schedule = readFileSchedule(name);
    } catch (const std::invalid_argument& error) {
        return {{"schedule", "{0}", {sentenceOf(error)}, {}}};
    }
    const ScheduleParams& of_file = schedule.params;
    std::vector<Problem> found;
    compare(found, "p", params.p, of_file.p);
    compare(found, "v", params.v, of_file.v);
    compare(found, "m", params.m, of_file.m);
    compare(found, "segments", params.segments, of_file.segments);
    if (params.d > 1 && schedule.isForwardOnly())
        found.push_back({"d",
                         "d = {0} must be 1 for a file without a backward: there are no gradients to add",
                         {std::to_string(params.d)},
                         {1}});
    return found;
}

}  // namespace bscope
