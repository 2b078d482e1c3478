// A schedule that somebody wrote: order of actions, with or without communication, or time table. Whatever
// the text says, every error names a cell that exists; a schedule without errors plays to the end, by
// lowering, by both rules of message layers and by prediction, and is read again as the same from the CSV
// that is written.
#include "schedule/schedule_file.h"

#include <algorithm>

#include "schedule/csv.h"
#include "support/schedule_checks.h"
#include "support/text_mutator.h"

namespace bscope::fuzz {

namespace {

void checkErrors(const ScheduleFile& file) {
    const int rows = static_cast<int>(file.cells.size());
    // The sentences of a file with hundreds of errors are mostly the same one, and take most of the time.
    constexpr std::size_t kRead = 16;
    for (std::size_t at = 0; at < std::min(file.errors.size(), kRead); ++at)
        require(!file.errors[at].text().empty(), "an error says nothing");
    for (const CellError& error : file.errors) {
        const auto text = [&error] { return error.text(); };
        require(error.row >= -1 && error.row < rows, "an error in a row that is not there", text);
        const int columns =
            error.row < 0 ? 0 : static_cast<int>(file.cells[static_cast<std::size_t>(error.row)].size());
        require(error.column >= -1 && error.column < columns,
                "an error in a cell that is not there", text);
    }
}

void run(std::string_view input) {
    for (const FileForm form : {FileForm::Detect, FileForm::Order, FileForm::TimeTable}) {
        const ScheduleFile file = readScheduleFile(input, "input", form);
        checkErrors(file);
        markedGrid(file);
        if (file.errors.empty()) checkThatItPlays(file.schedule);
    }
    try {
        readComputeCsv(input, "input");
    } catch (const std::invalid_argument&) {  // lists what is wrong
    }
}

}  // namespace

const Target& target() {
    static const Target schedule{"schedule_file", run, mutateCells};
    return schedule;
}

}  // namespace bscope::fuzz
