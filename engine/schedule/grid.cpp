#include "schedule/grid.h"

#include <algorithm>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "schedule/playback.h"
#include "words/sentence_error.h"

namespace bscope {

std::vector<std::vector<GridBox>> gridRows(const Schedule& schedule) {
    Playback playback(schedule);
    std::vector<std::vector<GridBox>> rows(schedule.orders.size());
    for (std::size_t rank = 0; rank < rows.size(); ++rank) rows[rank].reserve(schedule.orders[rank].size());
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
        throw SentenceError<std::invalid_argument>(
            sentence("{0}: rank {1} can never run {2}", schedule.name, stuck->rank, toText(stuck->action)));
    return rows;
}

namespace {

std::size_t digits(int number) {
    std::size_t count = 1;
    for (; number >= 10; number /= 10) ++count;
    return count;
}

// The picture: a name at the head of each line, then cells of one width, none of them empty.
class GridText {
public:
    GridText(std::size_t lines, std::size_t steps, std::size_t width)
        : width_(width + 1), line_(kNameWidth + steps * width_, ' ') {
        text_.reserve(lines * (line_.size() + 1));
    }
    void begin(const std::string& name) {
        std::ranges::fill(line_, ' ');
        line_.replace(0, name.size(), name);
        end_ = name.size();
    }
    void put(std::size_t step, std::string_view cell) {
        const std::size_t place = kNameWidth + step * width_;
        std::ranges::copy(cell, line_.begin() + static_cast<std::ptrdiff_t>(place));
        end_ = place + cell.size();
    }
    void end() { text_.append(line_, 0, end_).append(1, '\n'); }
    std::string take() && { return std::move(text_); }

private:
    static constexpr std::size_t kNameWidth = 9;  // that of the last rank there can be
    std::size_t width_;
    std::string line_, text_;
    std::size_t end_ = 0;  // of what the line holds
};

}  // namespace

std::string toGrid(const Schedule& schedule) {
    const std::vector<std::vector<GridBox>> rows = gridRows(schedule);
    const bool one_stage_a_rank = schedule.stageCount() == static_cast<int>(rows.size());
    std::size_t steps = 0, width = 1;
    for (const std::vector<GridBox>& row : rows)
        for (const GridBox& box : row) {
            width = std::max(width, (one_stage_a_rank ? 0 : digits(box.action.stage)) +
                                        opText(box.action.op).size() +
                                        pieceText(box.action.microbatch, box.action.segment()).size());
            steps = std::max(steps, at(box.step + box.length));
        }
    width = std::max(width, std::to_string(steps).size());

    GridText text(rows.size() + 1, steps, width);
    text.begin("step");
    for (std::size_t step = 0; step < steps; ++step) text.put(step, std::to_string(step));
    text.end();
    std::string cell;
    for (std::size_t rank = 0; rank < rows.size(); ++rank) {
        text.begin("rank " + std::to_string(rank));
        std::size_t step = 0;
        for (const GridBox& box : rows[rank]) {
            while (step < at(box.step)) text.put(step++, ".");
            cell.clear();
            appendText(cell, box.action);
            text.put(step++, std::string_view(cell).substr(one_stage_a_rank ? digits(box.action.stage) : 0));
            if (box.length == 2) text.put(step++, "=");
        }
        while (step < steps) text.put(step++, ".");
        text.end();
    }
    return std::move(text).take();
}

}  // namespace bscope
