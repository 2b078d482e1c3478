#include "schedule/formats/schedule_file.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "schedule/formats/communication_check.h"
#include "schedule/formats/csv.h"
#include "schedule/formats/file_cells.h"
#include "schedule/index.h"
#include "schedule/formats/text_cells.h"
#include "schedule/formats/time_table.h"
#include "words/catalog.h"

namespace bscope {

namespace {

// UNSHARD and RESHARD are no actions of ours; a stage is read as that of an action with the same number.
std::optional<Cell> parseWeightCell(std::string_view text) {
    for (const auto& [word, kind] : {std::pair<std::string_view, Cell::Kind>{"UNSHARD", Cell::Kind::Unshard},
                                     {"RESHARD", Cell::Kind::Reshard}}) {
        if (!text.ends_with(word)) continue;
        const std::string_view stage = text.substr(0, text.size() - word.size());
        const auto action = parseAction(std::string(stage) + "F0");
        if (action) return Cell{kind, {action->stage, Op::Forward, -1}};
    }
    return std::nullopt;
}

class OrderReader {
public:
    explicit OrderReader(std::vector<std::vector<std::string>> rows) {
        file_.form = FileForm::Order;
        file_.cells = std::move(rows);
        file_.schedule.orders.resize(file_.cells.size());
        columns_.resize(file_.cells.size());
        rows_.resize(file_.cells.size());
    }

    ScheduleFile read() {
        for (int row = 0; row < static_cast<int>(file_.cells.size()); ++row) readRow(row);
        translateOldSpelling(file_, has_whole_backward_);
        takeTranslation();
        if (file_.errors.empty()) inferShape(file_);
        if (file_.errors.empty()) addErrors(file_, columns_, 0);
        file_.computes = file_.errors.empty();
        if (file_.computes) checkCommunication(file_, rows_);
        file_.rows = std::move(rows_);
        return std::move(file_);
    }

private:
    void readRow(int row) {
        file_.names.push_back("rank " + std::to_string(row));
        const std::vector<std::string>& cells = file_.cells[at(row)];
        for (int column = 0; column < static_cast<int>(cells.size()); ++column) {
            const std::string_view cell = cells[at(column)];
            if (cell.empty()) continue;
            if (const auto weights = parseWeightCell(cell))
                rows_[at(row)].push_back({*weights, column});
            else if (cell.front() == '(' && cell.ends_with(kOverlapEnd))
                readPair(cell.substr(1, cell.size() - 1 - kOverlapEnd.size()), row, column);
            else
                readAction(cell, row, column);
        }
    }

    void readPair(std::string_view text, int row, int column) {
        const auto pair = splitText(text, ';');
        const std::size_t before = file_.schedule.orders[at(row)].size();
        for (const std::string_view half : pair) readAction(trimmed(half), row, column);
        std::vector<Action>& order = file_.schedule.orders[at(row)];
        if (pair.size() != 2) return fail(row, column, "\"{0}\" must overlap exactly two actions");
        const bool whole = order.size() == before + 2 && order[before].op == Op::Forward &&
                           (order[before + 1].op == Op::Backward || order[before + 1].op == Op::Recompute);
        if (!whole) return fail(row, column, "\"{0}\" must overlap a forward and then a whole backward");
        order[before].overlaps_next = true;
    }

    // The computation as it was understood in the end.
    void takeTranslation() {
        for (std::size_t row = 0; row < rows_.size(); ++row) {
            auto next = file_.schedule.orders[row].begin();
            for (auto& [cell, column] : rows_[row])
                if (cell.kind == Cell::Kind::Action && isCompute(cell.action.op)) cell.action = *next++;
        }
    }

    void readAction(std::string_view text, int row, int column) {
        std::string spelled(text);
        const std::size_t whole = spelled.find("BW");
        if (whole != std::string::npos) spelled.erase(whole + 1, 1);
        auto action = parseAction(spelled);
        if (action && action->op == Op::ReduceGradients) {
            rows_[at(row)].push_back({{Cell::Kind::Action, *action}, column});
            return;
        }
        if (!action || action->op == Op::Recompute || action->op == Op::OptimizerStep ||
            action->op == Op::GatherWeights)
            return fail(row, column, "\"{0}\" is not a forward or backward such as 2F0, 2B0, 2I0 or 2W0");
        if (action->stage >= kMaxRanks * kMaxChunks || action->microbatch >= kMaxMicrobatches)
            return fail(row, column, "\"{0}\" has a number that is too large");
        rows_[at(row)].push_back({{Cell::Kind::Action, *action}, column});
        if (isCommunication(action->op)) {
            file_.has_communication = true;
            return;
        }
        if (whole != std::string::npos) {
            action->op = Op::Recompute;  // until the spelling of the whole file is known
            has_whole_backward_ = true;
        }
        file_.schedule.orders[at(row)].push_back(*action);
        columns_[at(row)].push_back(column);
    }

    void fail(int row, int column, const char* id) {
        addError(file_,
                 {placed(file_, row, column, sentence(id, file_.cells[at(row)][at(column)])), row, column});
    }

    ScheduleFile file_;
    Columns columns_;
    std::vector<std::vector<FileCell>> rows_;  // (p, ...) with communication and cells about weights
    bool has_whole_backward_ = false;
};

// Far above the largest schedule, also as a table with empty lines; keeps what is read within memory.
bool isTooLarge(std::string_view text) {
    constexpr std::ptrdiff_t kMostLines = 100 * kMaxRanks, kMostCells = 4 * kMaxCells;
    return std::count(text.begin(), text.end(), '\n') > kMostLines ||
           std::count_if(text.begin(), text.end(),
                         [](char c) { return c == ',' || c == ';' || c == '\t' || c == '|'; }) > kMostCells;
}

std::size_t widthOf(std::string_view text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

}  // namespace

std::string CellError::text() const {
    return say(what, Language::English);
}

ScheduleFile readScheduleFile(std::string_view text, const std::string& name, FileForm form) {
    if (isTooLarge(text)) {
        ScheduleFile file;
        file.schedule.name = name;
        file.errors.push_back({sentence("the file has too many rows or cells for a schedule"), -1, -1});
        return file;
    }
    auto rows = splitCells(text);
    if (form == FileForm::Detect) form = looksLikeTimeTable(rows) ? FileForm::TimeTable : FileForm::Order;
    ScheduleFile file =
        form == FileForm::TimeTable ? readTimeTable(std::move(rows)) : OrderReader(std::move(rows)).read();
    if (form == FileForm::TimeTable) file.computes = file.errors.empty();
    file.schedule.name = name;
    return file;
}

std::string markedGrid(const ScheduleFile& file) {
    std::vector<std::vector<std::string>> rows = file.cells;
    std::vector<bool> incomplete(rows.size(), false);
    for (const CellError& error : file.errors) {
        if (error.row < 0) continue;
        if (error.column < 0) {
            incomplete[at(error.row)] = true;
            continue;
        }
        std::string& cell = rows[at(error.row)][at(error.column)];
        if (!cell.starts_with('>')) cell.insert(0, 1, '>').push_back('<');
    }
    std::vector<std::string> head;
    if (file.form == FileForm::TimeTable)
        for (const long time : file.times) head.push_back(std::to_string(time));
    std::vector<std::size_t> widths(head.size(), 1);
    std::size_t label = 4;
    for (const std::string& name : file.names) label = std::max(label, widthOf(name));
    const auto widen = [&](const std::vector<std::string>& row) {
        widths.resize(std::max(widths.size(), row.size()), 1);
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], widthOf(row[i]));
    };
    widen(head);
    for (const auto& row : rows) widen(row);
    std::string text;
    const auto line = [&](const std::string& name, const std::vector<std::string>& cells,
                          const char* ending) {
        text += name + std::string(label - std::min(label, widthOf(name)) + 2, ' ');
        for (std::size_t i = 0; i < cells.size(); ++i)
            text += cells[i] + std::string(widths[i] - widthOf(cells[i]) + 1, ' ');
        text.erase(text.find_last_not_of(' ') + 1);
        text += std::string(ending) + "\n";
    };
    if (!head.empty()) line("time", head, "");
    for (std::size_t row = 0; row < rows.size(); ++row) {
        for (std::string& cell : rows[row])
            if (cell.empty()) cell.push_back('.');
        line(file.names[row], rows[row], incomplete[row] ? "  <- incomplete" : "");
    }
    return text;
}

}  // namespace bscope
