#include "schedule/file_cells.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "schedule/index.h"
#include "schedule/validate.h"

namespace bscope {

void addError(ScheduleFile& file, CellError error) {
    if (file.errors.size() < kMostErrors)
        file.errors.push_back(std::move(error));
    else if (file.errors.size() == kMostErrors)
        file.errors.push_back(
            {"there are more problems; the first " + std::to_string(kMostErrors) + " are listed", -1, -1});
}

void translateOldSpelling(ScheduleFile& file, bool has_whole_backward) {
    const Schedule& read = file.schedule;
    const bool mixed = read.has(Op::BackwardWeight) && read.has(Op::Backward);
    if (read.has(Op::BackwardInput) || !(has_whole_backward || mixed)) return;
    // BW was read as a Recompute, which no file may hold, to keep it apart from B until here.
    for (std::vector<Action>& order : file.schedule.orders)
        for (Action& action : order) {
            if (action.op == Op::Backward)
                action.op = Op::BackwardInput;
            else if (action.op == Op::Recompute)
                action.op = Op::Backward;
        }
    file.notes.emplace_back(
        "old spelling: B is the input gradient here and was read as I, BW the whole backward "
        "and was read as B");
}

void inferShape(ScheduleFile& file) {
    Schedule& schedule = file.schedule;
    int stages = 0, m = 0;
    for (const std::vector<Action>& order : schedule.orders)
        for (const Action& action : order) {
            stages = std::max(stages, action.stage + 1);
            m = std::max(m, action.microbatch + 1);
        }
    const auto p = static_cast<int>(schedule.orders.size());
    if (stages == 0) return file.errors.push_back({"the file holds no actions", -1, -1});
    if (p > kMaxRanks || stages > p * kMaxChunks)
        return file.errors.push_back({"the file has " + std::to_string(p) + " ranks and " +
                                          std::to_string(stages) + " stages; there may be " +
                                          std::to_string(kMaxRanks) + " ranks with " +
                                          std::to_string(kMaxChunks) + " stages each",
                                      -1, -1});
    if (static_cast<long>(stages) * m > kMaxCells)
        return file.errors.push_back({"the file names too many actions", -1, -1});
    for (int rank = 0; rank < p; ++rank)
        if (schedule.orders[at(rank)].empty())
            addError(file, {file.names[at(rank)] + " has no operation: every rank runs at least one stage",
                            rank, -1});
    schedule.params = {p, (stages + p - 1) / p, m, 0};
    schedule.placement.assign(at(stages), -1);
    for (int rank = 0; rank < p; ++rank)
        for (const Action& action : schedule.orders[at(rank)]) {
            int& owner = schedule.placement[at(action.stage)];
            if (owner < 0) owner = rank;
        }
    for (int stage = 0; stage < stages; ++stage)
        if (schedule.placement[at(stage)] < 0)
            addError(file, {"no rank runs stage " + std::to_string(stage), -1, -1});
    std::vector<int>& chain = schedule.chains.emplace_back(at(stages));
    std::iota(chain.begin(), chain.end(), 0);
}

void addErrors(ScheduleFile& file, const Columns& columns, int first_microbatch) {
    std::set<std::pair<int, int>> known;  // row, column
    for (const CellError& error : file.errors) known.emplace(error.row, error.column);
    for (const ScheduleError& error : locateErrors(file.schedule, first_microbatch)) {
        const int column = error.position < 0 ? -1 : columns[at(error.rank)][at(error.position)];
        if (column >= 0 && !known.emplace(error.rank, column).second) continue;
        const std::string place = column < 0 ? "" : placeText(file, error.rank, column) + ": ";
        addError(file, {place + error.text, error.rank, column});
    }
}

std::string placeText(const ScheduleFile& file, int row, int column) {
    if (file.form == FileForm::TimeTable)
        return file.names[at(row)] + ", t=" + std::to_string(file.times[at(column)]);
    return "row " + std::to_string(row + 1) + ", cell " + std::to_string(column + 1);
}

}  // namespace bscope
