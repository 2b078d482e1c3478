// bscope validate: reads a schedule from a file, as an order of actions or as a time table, and tells
// every broken rule with the cell. Exit status 0 when it is valid, 2 when it is not.
#include <iostream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/json_text.h"
#include "cli/line_teller.h"
#include "cli/schedule_text.h"
#include "files/user_file.h"
#include "schedule/schedule_file.h"
#include "words/catalog.h"

namespace bscope::cli {
namespace {

constexpr int kInvalid = 2;

std::string contentsOf(const std::string& path) {
    try {
        return readUserFile(path, kMaxScheduleFileBytes);
    } catch (const FileError& error) {
        throw std::runtime_error("cannot read " + path + ": " + error.what());
    }
}

std::vector<std::string> englishOf(const std::vector<Sentence>& sentences) {
    std::vector<std::string> texts;
    for (const Sentence& each : sentences) texts.push_back(say(each, Language::English));
    return texts;
}

Sentence formText(const ScheduleFile& file) {
    if (file.form == FileForm::TimeTable) return sentence("time table");
    return file.has_communication ? sentence("order of actions with communication")
                                  : sentence("order of actions");
}

void printJson(const ScheduleFile& file, const UnitDurations& durations) {
    nlohmann::ordered_json problems = nlohmann::ordered_json::array();
    for (const CellError& error : file.errors) {
        nlohmann::ordered_json problem = {{"text", error.text()}, {"row", nullptr}, {"column", nullptr}};
        if (error.row >= 0) problem["row"] = error.row;
        if (error.column >= 0) problem["column"] = error.column;
        problems.push_back(std::move(problem));
    }
    nlohmann::ordered_json json = {{"valid", file.errors.empty()},
                                   {"form", say(formText(file), Language::English)},
                                   {"notes", englishOf(file.notes)},
                                   {"problems", std::move(problems)}};
    std::cout << (file.errors.empty() ? scheduleJson(file.schedule, {durations}, {.before = std::move(json)})
                                      : jsonText(json))
              << '\n';
}

// The picture and the first problem go to the output, all problems to the errors.
void printText(const LineTeller& tell, const std::string& path, const ScheduleFile& file,
               const UnitDurations& durations) {
    const ScheduleParams& params = file.schedule.params;
    std::ostream& out = tell.out();
    out << path << ": " << tell.words(formText(file));
    if (!file.schedule.placement.empty()) out << ", p=" << params.p << " v=" << params.v << " m=" << params.m;
    out << '\n';
    for (const Sentence& note : file.notes) tell.line("note: {0}", note);
    out << '\n';
    if (file.errors.empty()) {
        if (file.form == FileForm::TimeTable) {
            out << markedGrid(file) << '\n';
            tell.line("as an order, as early as possible:");
        }
        printScheduleGrid(tell, file.schedule, {durations});
        tell.line("valid");
        return;
    }
    out << markedGrid(file) << '\n';
    tell.line("not valid: {0}", file.errors.front().what);
    out << std::flush;
    std::cerr << "bscope validate: "
              << tell.words(file.errors.size() == 1 ? "{0} problem" : "{0} problems", file.errors.size())
              << '\n';
    for (const CellError& error : file.errors) std::cerr << "  - " << tell.words(error.what) << '\n';
}

}  // namespace

int validateCommand(const Arguments& arguments) {
    CommandLine line(
        "validate",
        "Checks a schedule that somebody wrote: PyTorch's CSV (2F0,2B0,...), or a time table as textbooks "
        "draw it (F1,B3,-, a column a unit of time), whose times are checked too. Exit status 2 when a "
        "rule is broken.",
        "bscope validate my_schedule.csv");
    std::string path;
    bool table = false, order = false, json = false;
    line.argument("FILE", "the schedule", path);
    line.flag("--table", "it is a time table (default: by its cells)", table);
    line.flag("--order", "it is an order of actions: blanks mean nothing", order);
    line.flag("--json", "one JSON object: valid, problems with row and column from 0", json);
    UnitDurations durations;
    addCostsOption(line, durations);
    if (!line.parse(arguments)) return 0;
    if (path.empty()) line.refuse(sentence("which file? Give its name"));
    if (table && order) line.refuse(sentence("choose one of --table and --order"));
    line.check();

    const FileForm form = table ? FileForm::TimeTable : order ? FileForm::Order : FileForm::Detect;
    const ScheduleFile file = readScheduleFile(contentsOf(path), path, form);
    if (json)
        printJson(file, durations);
    else
        printText({std::cout, line.language()}, path, file, durations);
    return file.errors.empty() ? 0 : kInvalid;
}

}  // namespace bscope::cli
