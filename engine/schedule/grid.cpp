#include "schedule/grid.h"

#include <algorithm>
#include <iomanip>
#include <sstream>
#include <stdexcept>

#include "schedule/playback.h"
#include "words/said.h"

namespace bscope {

std::vector<std::vector<GridBox>> gridRows(const Schedule& schedule) {
    Playback playback(schedule);
    std::vector<std::vector<GridBox>> rows(schedule.orders.size());
    const auto stuck = playAll(
        schedule.orders, playback,
        [&](std::size_t rank, std::size_t i) { return playback.isReady(schedule.orders[rank][i]); },
        [&](std::size_t rank, std::size_t i) {
            const Action& action = schedule.orders[rank][i];
            std::vector<GridBox>& row = rows[rank];
            const int free = row.empty() ? 0 : row.back().step + row.back().length;
            const int start = std::max(free, static_cast<int>(playback.inputEnd(action)));
            row.push_back({start, action.op == Op::Backward ? 2 : 1, action});
            playback.finish(action, start + row.back().length);
        });
    if (stuck)
        throw SaidError<std::invalid_argument>(
            sentence("{0}: rank {1} can never run {2}", schedule.name, stuck->rank, toText(stuck->action)));
    return rows;
}

std::string toGrid(const Schedule& schedule) {
    const std::vector<std::vector<GridBox>> boxes = gridRows(schedule);
    const std::size_t ranks = boxes.size();
    std::vector<std::vector<std::string>> rows(ranks);
    const bool one_stage_a_rank = schedule.stageCount() == static_cast<int>(ranks);
    for (std::size_t rank = 0; rank < ranks; ++rank)
        for (const GridBox& box : boxes[rank]) {
            std::vector<std::string>& row = rows[rank];
            row.resize(static_cast<std::size_t>(box.step), ".");
            row.push_back(one_stage_a_rank
                              ? std::string(opText(box.action.op)) + std::to_string(box.action.microbatch)
                              : toText(box.action));
            if (box.length == 2) row.push_back("=");
        }

    std::size_t steps = 0, width = 1;
    for (const auto& row : rows) {
        steps = std::max(steps, row.size());
        for (const std::string& cell : row) width = std::max(width, cell.size());
    }
    width = std::max(width, std::to_string(steps).size());
    std::ostringstream text;
    const auto line = [&](const std::string& name, const std::vector<std::string>& cells) {
        text << std::left << std::setw(9) << name;
        for (std::size_t i = 0; i < cells.size(); ++i)
            text << (i > 0 ? " " : "") << std::setw(i + 1 < cells.size() ? static_cast<int>(width) : 0)
                 << cells[i];
        text << '\n';
    };
    std::vector<std::string> numbers;
    for (std::size_t step = 0; step < steps; ++step) numbers.push_back(std::to_string(step));
    line("step", numbers);
    for (std::size_t rank = 0; rank < ranks; ++rank) {
        rows[rank].resize(steps, ".");
        line("rank " + std::to_string(rank), rows[rank]);
    }
    return text.str();
}

}  // namespace bscope
