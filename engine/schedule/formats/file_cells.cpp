#include "schedule/formats/file_cells.h"

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
            {sentence("there are more problems; the first {0} are listed", kMostErrors), -1, -1});
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
    file.notes.push_back(
        sentence("old spelling: B is the input gradient here and was read as I, BW the whole backward "
                 "and was read as B"));
}

void inferShape(ScheduleFile& file) {
    Schedule& schedule = file.schedule;
    int stages = 0, m = 0, segments = 1;
    for (const std::vector<Action>& order : schedule.orders)
        for (const Action& action : order) {
            stages = std::max(stages, action.stage + 1);
            m = std::max(m, action.microbatch + 1);
            segments = std::max(segments, action.segment() + 1);
        }
    const auto p = static_cast<int>(schedule.orders.size());
    if (stages == 0) return file.errors.push_back({sentence("the file holds no actions"), -1, -1});
    if (p > kMaxRanks || stages > p * kMaxChunks)
        return file.errors.push_back(
            {sentence("the file has {0} ranks and {1} stages; there may be {2} ranks with {3} stages each", p,
                      stages, kMaxRanks, kMaxChunks),
             -1, -1});
    if (static_cast<long>(stages) * m * segments > kMaxCells)
        return file.errors.push_back({sentence("the file names too many actions"), -1, -1});
    for (int rank = 0; rank < p; ++rank)
        if (schedule.orders[at(rank)].empty())
            addError(file, {sentence("{0} has no operation: every rank runs at least one stage",
                                     file.names[at(rank)]),
                            rank, -1});
    schedule.params = {.p = p, .v = (stages + p - 1) / p, .m = m, .segments = segments};
    schedule.placement.assign(at(stages), -1);
    for (int rank = 0; rank < p; ++rank)
        for (const Action& action : schedule.orders[at(rank)]) {
            int& owner = schedule.placement[at(action.stage)];
            if (owner < 0) owner = rank;
        }
    for (int stage = 0; stage < stages; ++stage)
        if (schedule.placement[at(stage)] < 0)
            addError(file, {sentence("no rank runs stage {0}", stage), -1, -1});
    std::vector<int>& chain = schedule.chains.emplace_back(at(stages));
    std::iota(chain.begin(), chain.end(), 0);
}

void addErrors(ScheduleFile& file, const Columns& columns, int first_microbatch) {
    std::set<std::pair<int, int>> known;  // row, column
    for (const CellError& error : file.errors) known.emplace(error.row, error.column);
    for (const ScheduleError& error : locateErrors(file.schedule, first_microbatch)) {
        const int column = error.position < 0 ? -1 : columns[at(error.rank)][at(error.position)];
        if (column >= 0 && !known.emplace(error.rank, column).second) continue;
        const bool of_cell = column >= 0 && file.form == FileForm::TimeTable && !error.why.empty();
        const Sentence what =
            of_cell      ? sentence("{0} on {1} at t={2}: {3}", file.cells[at(error.rank)][at(column)],
                                    file.names[at(error.rank)], file.times[at(column)], error.why)
            : column < 0 ? error.what
                         : placed(file, error.rank, column, error.what);
        addError(file, {what, error.rank, column});
    }
}

Sentence placed(const ScheduleFile& file, int row, int column, const Sentence& what) {
    if (file.form == FileForm::TimeTable)
        return sentence("{0}, t={1}: {2}", file.names[at(row)], file.times[at(column)], what);
    return sentence("row {0}, cell {1}: {2}", row + 1, column + 1, what);
}

}  // namespace bscope
