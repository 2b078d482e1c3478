// A schedule from a file: order of actions, with or without communication, or time table. Whatever
// the text says, every error names a cell that exists; a schedule without errors plays to the end, by
// lowering, by both rules of message layers and by prediction, and is read again as the same from the CSV
// that is written.
#include "schedule/formats/schedule_file.h"

#include <algorithm>

#include "hang/message_rules.h"
#include "schedule/formats/csv.h"
#include "support/schedule_checks.h"
#include "support/text_mutator.h"

namespace bscope::fuzz {

namespace {

// The sentences of a file with hundreds of errors are mostly the same one, and take most of the time.
constexpr std::size_t kRead = 16;

void checkErrors(const ScheduleFile& file) {
    const int rows = static_cast<int>(file.cells.size());
    for (std::size_t at = 0; at < std::min(file.errors.size(), kRead); ++at)
        require(!file.errors[at].text().empty(), "an error says nothing");
    for (const CellError& error : file.errors) {
        const auto text = [&error] { return error.text(); };
        require(error.row >= -1 && error.row < rows, "an error in a row that is not there", text);
        const int columns =
            error.row < 0 ? 0 : static_cast<int>(file.cells[static_cast<std::size_t>(error.row)].size());
        require(error.column >= -1 && error.column < columns, "an error in a cell that is not there", text);
    }
}

void checkAsOneList(std::string_view input, const ScheduleFile& order) {
    if (order.errors.size() > kRead) return;
    bool is_refused = false;
    try {
        readComputeCsv(input, "input");
    } catch (const std::invalid_argument&) {  // lists what is wrong
        is_refused = true;
    }
    require(is_refused == (order.has_communication || !order.errors.empty()),
            "a file that is read as orders is refused as a list of them, or the other way round");
}

void checkMessages(const ScheduleFile& file) {
    constexpr std::size_t kMostCells = 2048;
    std::size_t cells = 0;
    for (const auto& order : file.schedule.orders) cells += order.size();
    if (cells > kMostCells) return;
    if (!file.computes) {
        playComputation(file.schedule);
        return;
    }
    for (const RuleOutcome& each : judgeMessages(file))
        require(each.runs() || !each.standing.front().text().empty(), "a rank stands without a word");
    const std::string csv = toCsv(safeMessages(file));
    const ScheduleFile anew = readScheduleFile(csv, "anew", FileForm::Order);
    // What is wrong beside the messages, such as weights that are not there, stays, in a cell of another number:
    // the cell and what is wrong with it are arguments, that comes last.
    const auto was_there = [&](const CellError& error) {
        return std::ranges::any_of(file.errors, [&](const CellError& each) {
            return each.what.id == error.what.id && !each.what.arguments.empty() &&
                   !error.what.arguments.empty() && each.what.arguments.back() == error.what.arguments.back();
        });
    };
    require(std::ranges::all_of(anew.errors, was_there), "messages placed anew break a rule",
            [&] { return csv; });
    require(anew.schedule.orders == file.schedule.orders, "messages placed anew change the order",
            [&] { return csv; });
    if (!anew.computes) return;
    for (const RuleOutcome& each : judgeMessages(anew))
        require(each.runs(), "messages placed anew stand still", [&] { return csv; });
}

void check(std::string_view input, const ScheduleFile& file) {
    checkErrors(file);
    checkMessages(file);
    markedGrid(file);
    if (file.errors.empty()) checkThatItPlays(file.schedule);
    if (file.form == FileForm::Order) checkAsOneList(input, file);
}

// As what it looks like, and as the other form.
void run(std::string_view input) {
    const ScheduleFile file = readScheduleFile(input, "input", FileForm::Detect);
    check(input, file);
    check(input, readScheduleFile(input, "input",
                                  file.form == FileForm::Order ? FileForm::TimeTable : FileForm::Order));
}

}  // namespace

const Target& target() {
    static const Target schedule{"schedule_file", run, mutateCells};
    return schedule;
}

}  // namespace bscope::fuzz
