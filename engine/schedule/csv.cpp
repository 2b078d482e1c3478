#include "schedule/csv.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "schedule/lowering.h"
#include "schedule/validate.h"

namespace bscope {

namespace {

constexpr std::string_view kOverlap = ")OVERLAP_F_B";

void requireOneChain(const Schedule& schedule) {
    if (schedule.replicas() != 1)
        throw std::invalid_argument(
            schedule.name +
            " has two replicas of every stage; PyTorch's CSV cannot say that their two chains "
            "are not connected");
}

std::string joinRow(const std::vector<std::string>& cells) {
    std::string row;
    for (const std::string& cell : cells) row += (row.empty() ? "" : ",") + cell;
    return row + "\r\n";
}

std::string pairText(const Action& first, const Action& second) {
    return "(" + toText(first) + ";" + toText(second) + std::string(kOverlap);
}

std::string cellText(const Cell& cell) {
    if (cell.kind == Cell::Kind::Action) return toText(cell.action);
    return std::to_string(cell.action.stage) + (cell.kind == Cell::Kind::Unshard ? "UNSHARD" : "RESHARD");
}

// Splits at `separator`; the last piece may be empty.
std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> pieces;
    for (;;) {
        const std::size_t end = text.find(separator);
        pieces.push_back(text.substr(0, end));
        if (end == std::string_view::npos) return pieces;
        text.remove_prefix(end + 1);
    }
}

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view kSpace = " \t\r";
    const std::size_t first = text.find_first_not_of(kSpace);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

class Reader {
public:
    Reader(std::string_view text, const std::string& name)
        : text_(text), old_spelling_(text.find("BW") != std::string_view::npos) {
        schedule_.name = name;
    }

    Schedule read() {
        std::vector<std::string_view> rows = split(text_, '\n');
        while (!rows.empty() && trimmed(rows.back()).empty()) rows.pop_back();
        for (std::string_view row : rows) readRow(row);
        if (errors_.empty()) infer();
        if (errors_.empty()) errors_ = scheduleErrors(schedule_);
        if (!errors_.empty())
            throw std::invalid_argument(std::accumulate(
                std::next(errors_.begin()), errors_.end(), errors_.front(),
                [](std::string all, const std::string& one) { return std::move(all) + "\n" + one; }));
        return std::move(schedule_);
    }

private:
    void readRow(std::string_view row) {
        schedule_.orders.emplace_back();
        column_ = 0;
        for (std::string_view cell : split(row, ',')) {
            ++column_;
            cell = trimmed(cell);
            if (cell.empty()) continue;
            if (cell.front() == '(' && cell.ends_with(kOverlap)) {
                const auto pair = split(cell.substr(1, cell.size() - 1 - kOverlap.size()), ';');
                for (std::string_view half : pair) readAction(trimmed(half), cell);
                if (pair.size() != 2)
                    fail(cell, "must overlap exactly two actions");
                else if (schedule_.orders.back().size() >= 2)
                    std::prev(schedule_.orders.back().end(), 2)->overlaps_next = true;
            } else {
                readAction(cell, cell);
            }
        }
    }

    void readAction(std::string_view text, std::string_view cell) {
        std::string spelled(text);
        if (const std::size_t whole = spelled.find("BW"); whole != std::string::npos)
            spelled.erase(whole + 1, 1);
        else if (const std::size_t input = spelled.find('B'); old_spelling_ && input != std::string::npos)
            spelled[input] = 'I';
        const auto action = parseAction(spelled);
        if (!action || !isCompute(action->op) || action->op == Op::Recompute)
            return fail(cell, "is not a forward or backward such as 2F0, 2B0, 2I0 or 2W0");
        if (action->stage >= kMaxRanks * kMaxChunks || action->microbatch >= kMaxMicrobatches)
            return fail(cell, "has a number that is too large");
        schedule_.orders.back().push_back(*action);
    }

    void fail(std::string_view cell, const std::string& what) {
        errors_.push_back("row " + std::to_string(schedule_.orders.size()) + ", cell " +
                          std::to_string(column_) + ": \"" + std::string(cell) + "\" " + what);
    }

    // p, v, m, placement and the chain, from the actions alone.
    void infer() {
        int stages = 0, m = 0;
        for (const std::vector<Action>& order : schedule_.orders)
            for (const Action& action : order) {
                stages = std::max(stages, action.stage + 1);
                m = std::max(m, action.microbatch + 1);
            }
        const auto p = static_cast<int>(schedule_.orders.size());
        if (stages == 0) return errors_.push_back("the file holds no actions");
        if (static_cast<long>(stages) * m > kMaxCells)
            return errors_.push_back("the file names too many actions");
        schedule_.params = {p, (stages + p - 1) / p, m, 0};
        schedule_.placement.assign(static_cast<std::size_t>(stages), -1);
        for (int rank = 0; rank < p; ++rank)
            for (const Action& action : schedule_.orders[static_cast<std::size_t>(rank)]) {
                int& owner = schedule_.placement[static_cast<std::size_t>(action.stage)];
                if (owner < 0) owner = rank;
            }
        for (int stage = 0; stage < stages; ++stage)
            if (schedule_.placement[static_cast<std::size_t>(stage)] < 0)
                errors_.push_back("no rank runs stage " + std::to_string(stage));
        std::vector<int>& chain = schedule_.chains.emplace_back(static_cast<std::size_t>(stages));
        std::iota(chain.begin(), chain.end(), 0);
    }

    std::string_view text_;
    bool old_spelling_;
    Schedule schedule_;
    int column_ = 0;
    std::vector<std::string> errors_;
};

}  // namespace

std::vector<std::string> toCells(const std::vector<Action>& order) {
    std::vector<std::string> cells;
    cells.reserve(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (order[i].overlaps_next && i + 1 < order.size()) {
            cells.push_back(pairText(order[i], order[i + 1]));
            ++i;
        } else {
            cells.push_back(toText(order[i]));
        }
    }
    return cells;
}

std::string toComputeCsv(const Schedule& schedule) {
    requireOneChain(schedule);
    std::string text;
    for (const std::vector<Action>& order : schedule.orders) text += joinRow(toCells(order));
    return text;
}

std::string toCommsCsv(const Schedule& schedule) {
    requireOneChain(schedule);
    std::string text;
    for (const std::vector<Cell>& list : lowerCells(schedule)) {
        std::vector<std::string> cells;
        bool second_half = false;  // the next compute action was already printed with the one it overlaps
        for (std::size_t i = 0; i < list.size(); ++i) {
            const bool compute = list[i].kind == Cell::Kind::Action && isCompute(list[i].action.op);
            if (compute && second_half) {
                second_half = false;
            } else if (compute && list[i].action.overlaps_next) {
                std::size_t other = i + 1;
                while (!isCompute(list[other].action.op)) ++other;
                cells.push_back(pairText(list[i].action, list[other].action));
                second_half = true;
            } else {
                cells.push_back(cellText(list[i]));
            }
        }
        text += joinRow(cells);
    }
    return text;
}

Schedule readComputeCsv(std::string_view text, const std::string& name) {
    return Reader(text, name).read();
}

}  // namespace bscope
