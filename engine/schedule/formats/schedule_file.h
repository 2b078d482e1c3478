// schedule_file: a schedule from a file, with everything that is wrong with it cell by cell. Two forms:
// an order of actions (PyTorch's compute_only or compute_comms CSV: a row a rank; blanks mean nothing), and a
// time table as textbooks draw it (a row a rank, a column a unit of time, cells such as F1, B3 or -), whose
// times are checked as well (time_table.h).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "schedule/lowering.h"
#include "schedule/schedule.h"
#include "words/sentence.h"

namespace bscope {

enum class FileForm : std::uint8_t { Detect, Order, TimeTable };

struct CellError {
    Sentence what;
    int row = -1;     // index into cells; -1: about the whole file
    int column = -1;  // -1: about something that is not in the row

    std::string text() const;  // in English
};

struct FileCell {
    Cell cell;
    int column = 0;  // of the file
};

struct ScheduleFile {
    FileForm form = FileForm::Order;              // never Detect
    Schedule schedule;                            // as far as it could be understood
    std::vector<std::string> names;               // (rows,) as labelled, or "rank 0"; tables: "GPU0"
    std::vector<std::vector<std::string>> cells;  // (rows, ...) as written, without label and head line
    std::vector<long> times;         // (columns,) of a time table: from its head line, or 1, 2, ...
    std::vector<CellError> errors;   // of a time table: those about time first, the earliest first
    std::vector<Sentence> notes;     // what was translated or assumed
    bool has_communication = false;  // compute_comms
    // Of an order, (p, ...): every cell that was understood, messages and weights included.
    std::vector<std::vector<FileCell>> rows;
    bool computes = false;  // the computation alone is legal, whatever is wrong beside it
};

// Accepts LF and CRLF, spaces around cells, and the old spelling (BW for the whole backward, B for the input
// gradient), which is noted. p, v, m and placement follow from the rows. Never throws for what the text says.
ScheduleFile readScheduleFile(std::string_view text, const std::string& name,
                              FileForm form = FileForm::Detect);

// The cells in columns, wrong ones as >F1<; rows in which something is missing end in "<- incomplete".
std::string markedGrid(const ScheduleFile& file);

}  // namespace bscope
