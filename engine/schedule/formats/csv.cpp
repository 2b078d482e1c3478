#include "schedule/formats/csv.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "schedule/formats/schedule_file.h"
#include "words/sentence_error.h"

namespace bscope {

namespace {

constexpr std::string_view kRowEnd = "\r\n";

void requireOneChain(const Schedule& schedule) {
    if (schedule.replicas() != 1)
        throw SentenceError<std::invalid_argument>(
            sentence("{0} has replicas of every stage; PyTorch's CSV cannot say that their chains are not "
                     "connected",
                     schedule.name));
}

std::string joinRow(const std::vector<std::string>& cells) {
    std::string row;
    for (const std::string& cell : cells) row += (row.empty() ? "" : ",") + cell;
    return row.append(kRowEnd);
}

std::string pairText(const Action& first, const Action& second) {
    std::string text = "(";
    text.append(toText(first)).append(";").append(toText(second)).append(kOverlapEnd);
    return text;
}

}  // namespace

std::string toText(const Cell& cell) {
    if (cell.kind == Cell::Kind::Action) return toText(cell.action);
    return std::to_string(cell.action.stage) + (cell.kind == Cell::Kind::Unshard ? "UNSHARD" : "RESHARD");
}

void appendRow(std::string& text, const std::vector<Action>& order, std::string_view separator) {
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (i > 0) text += separator;
        if (order[i].overlaps_next && i + 1 < order.size()) {
            text += pairText(order[i], order[i + 1]);
            ++i;
        } else {
            appendText(text, order[i]);
        }
    }
}

std::string toComputeCsv(const Schedule& schedule) {
    requireOneChain(schedule);
    std::string text;
    for (const std::vector<Action>& order : schedule.orders) {
        appendRow(text, order, ",");
        text += kRowEnd;
    }
    return text;
}

std::string toCommsCsv(const Schedule& schedule) {
    requireOneChain(schedule);
    return toCsv(lowerCells(schedule));
}

std::string toCsv(const std::vector<std::vector<Cell>>& lists) {
    std::string text;
    for (const std::vector<Cell>& list : lists) {
        std::vector<std::string> cells;
        bool second_half = false;  // the next compute action was already printed with the one it overlaps
        for (std::size_t i = 0; i < list.size(); ++i) {
            const bool compute = list[i].kind == Cell::Kind::Action && isCompute(list[i].action.op);
            if (compute && second_half) {
                second_half = false;
            } else if (compute && list[i].action.overlaps_next) {
                std::size_t other = i + 1;
                while (list[other].kind != Cell::Kind::Action || !isCompute(list[other].action.op)) ++other;
                cells.push_back(pairText(list[i].action, list[other].action));
                second_half = true;
            } else {
                cells.push_back(toText(list[i]));
            }
        }
        text += joinRow(cells);
    }
    return text;
}

Schedule readComputeCsv(std::string_view text, const std::string& name) {
    ScheduleFile file = readScheduleFile(text, name, FileForm::Order);
    if (file.has_communication)
        file.errors.push_back(
            {sentence("a SEND or RECV is not a forward or backward such as 2F0, 2B0, 2I0 or 2W0"), -1, -1});
    if (file.errors.empty()) return std::move(file.schedule);
    std::vector<Sentence> all;
    for (CellError& error : file.errors) all.push_back(std::move(error.what));
    throw SentenceError<std::invalid_argument>(inARow(all));
}

}  // namespace bscope
