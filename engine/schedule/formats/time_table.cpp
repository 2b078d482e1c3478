#include "schedule/formats/time_table.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>

#include "schedule/formats/file_cells.h"
#include "schedule/index.h"

namespace bscope {

namespace {

using Rows = std::vector<std::vector<std::string>>;

// Upper case without spaces.
std::string folded(const std::string& cell) {
    std::string text;
    for (const char letter : cell)
        if (!std::isspace(static_cast<unsigned char>(letter)))
            text += static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
    return text;
}

bool isIdle(const std::string& cell) {
    const std::string text = folded(cell);
    for (const char* idle : {"", "-", "--", "\u2013", "\u2014", ".", "_", "IDLE"})
        if (text == idle) return true;
    return false;
}

bool continues(const std::string& cell) {
    return folded(cell) == "=";
}

// BW is kept apart as Recompute until the spelling of the whole file is known.
std::optional<Action> parseBox(const std::string& cell) {
    std::string text = folded(cell);
    const bool has_stage = !text.empty() && std::isdigit(static_cast<unsigned char>(text.front()));
    if (!has_stage) text.insert(0, 1, '0');
    const std::size_t whole = text.find("BW");
    if (whole != std::string::npos) text.erase(whole + 1, 1);
    std::optional<Action> action = parseAction(text);
    if (!action || !isCompute(action->op) || action->op == Op::Recompute || action->microbatch < 0)
        return std::nullopt;
    if (action->stage >= kMaxRanks * kMaxChunks || action->microbatch >= kMaxMicrobatches)
        return std::nullopt;
    if (whole != std::string::npos) action->op = Op::Recompute;
    if (!has_stage) action->stage = -1;
    return action;
}

std::optional<long> numberIn(const std::string& cell) {
    const std::size_t digit = cell.find_first_of("0123456789");
    if (digit == std::string::npos || cell.size() - digit > 9) return std::nullopt;
    if (cell.find_first_not_of("0123456789", digit) != std::string::npos) return std::nullopt;
    return std::stol(cell.substr(digit));
}

bool hasBox(const std::vector<std::string>& row) {
    return std::any_of(row.begin(), row.end(),
                       [](const std::string& cell) { return parseBox(cell).has_value(); });
}

struct Box {
    Action action;
    int row = 0, column = 0, length = 1;
};

class Reader {
public:
    explicit Reader(Rows rows) : rows_(std::move(rows)) {}

    ScheduleFile read() {
        file_.form = FileForm::TimeTable;
        takeHeadAndLabels();
        for (int row = 0; row < static_cast<int>(file_.cells.size()); ++row) readRow(row);
        translateOldSpelling(file_, has_whole_backward_);
        countFromZero();
        if (!file_.errors.empty()) return std::move(file_);
        inferShape(file_);
        if (!file_.errors.empty()) return std::move(file_);
        checkTimes();
        addErrors(file_, columns_, first_microbatch_);
        return std::move(file_);
    }

private:
    void takeHeadAndLabels() {
        std::vector<std::string> head;
        if (!rows_.empty() && !hasBox(rows_.front())) {
            head = std::move(rows_.front());
            rows_.erase(rows_.begin());
        }
        std::erase_if(rows_, [](const auto& row) {
            return std::all_of(row.begin(), row.end(), [](const auto& cell) { return cell.empty(); });
        });
        const bool labelled = std::any_of(rows_.begin(), rows_.end(), [](const auto& row) {
            return !row.empty() && !isIdle(row.front()) && !parseBox(row.front()) && numberIn(row.front());
        });
        std::size_t columns = 0;
        for (auto& row : rows_) {
            const auto number = std::to_string(file_.names.size());
            file_.names.push_back(labelled && !row.empty() && !row.front().empty() ? row.front()
                                                                                   : "GPU" + number);
            if (labelled && !row.empty()) row.erase(row.begin());
            columns = std::max(columns, row.size());
        }
        file_.cells = std::move(rows_);
        file_.schedule.orders.resize(file_.cells.size());
        columns_.resize(file_.cells.size());
        if (labelled && !head.empty()) head.erase(head.begin());
        for (std::size_t i = 0; i < columns; ++i) {
            const auto number = i < head.size() ? numberIn(head[i]) : std::nullopt;
            const long counted = file_.times.empty() ? 1 : file_.times.back() + 1;
            file_.times.push_back(number ? *number : counted);
        }
    }

    void readRow(int row) {
        const std::vector<std::string>& cells = file_.cells[at(row)];
        Box* last = nullptr;
        for (int column = 0; column < static_cast<int>(cells.size()); ++column) {
            const std::string& cell = cells[at(column)];
            if (isIdle(cell)) {
                last = nullptr;
                continue;
            }
            auto action = parseBox(cell);
            if (action && action->stage < 0) action = action->withStage(row);
            if (last != nullptr && (continues(cell) || action == last->action)) {
                ++last->length;
                continue;
            }
            if (!action) {
                addError(file_,
                         {placed(file_, row, column,
                                 sentence("\"{0}\" is not a box such as F1 or B3, and not idle (-)", cell)),
                          row, column});
                last = nullptr;
                continue;
            }
            has_whole_backward_ |= action->op == Op::Recompute;
            file_.schedule.orders[at(row)].push_back(*action);
            columns_[at(row)].push_back(column);
            boxes_.push_back({*action, row, column, 1});
            last = &boxes_.back();
        }
    }

    void countFromZero() {
        int least = kMaxMicrobatches;
        for (const Box& box : boxes_) least = std::min(least, box.action.microbatch);
        if (least != 1) return;
        first_microbatch_ = 1;
        for (std::vector<Action>& order : file_.schedule.orders)
            for (Action& action : order) --action.microbatch;
        file_.notes.push_back(sentence("micro-batches count from 1"));
    }

    // The first box in which a rank makes what another box waits for; nullptr when there is none.
    const Box* producer(const Action& product) const {
        const auto found = producers_.find(product);
        return found == producers_.end() ? nullptr : found->second;
    }

    void checkTimes() {
        std::size_t next = 0;
        for (std::size_t row = 0; row < file_.schedule.orders.size(); ++row)
            for (const Action& action : file_.schedule.orders[row]) boxes_[next++].action = action;
        std::vector<const Box*> in_time;
        for (const Box& box : boxes_) {
            in_time.push_back(&box);
            const bool forward = box.action.op == Op::Forward;
            if (box.action.op != Op::BackwardWeight)
                producers_.emplace(box.action.as(forward ? Op::Forward : Op::Backward), &box);
        }
        std::stable_sort(in_time.begin(), in_time.end(),
                         [](const Box* a, const Box* b) { return a->column < b->column; });
        const int last_stage = file_.schedule.stageCount() - 1;
        for (const Box* box : in_time) {
            const Action& action = box->action;
            const int stage = action.stage;
            if (action.op == Op::Forward) {
                if (stage > 0)
                    compare(*box, producer(action.as(Op::Forward, stage - 1)),
                            "{0} on {1} at t={2} needs the output of {3} on {4}, which ends after t={5}");
            } else if (action.op == Op::BackwardWeight) {
                compare(*box, producer(action.as(Op::Backward)),
                        "{0} on {1} at t={2} needs what {3} on {4} computes, which ends after t={5}");
            } else {
                compare(*box, producer(action.as(Op::Forward)),
                        "{0} on {1} at t={2} needs the activations of {3} on {4}, which ends after t={5}");
                if (stage < last_stage)
                    compare(*box, producer(action.as(Op::Backward, stage + 1)),
                            "{0} on {1} at t={2} needs the gradient of {3} on {4}, which ends after t={5}");
            }
        }
    }

    // needs: what the box takes from its input.
    void compare(const Box& box, const Box* input, const char* needs) {
        if (input == nullptr || input->column + input->length <= box.column) return;
        const auto cell = [this](const Box& each) { return file_.cells[at(each.row)][at(each.column)]; };
        const auto name = [this](const Box& each) { return file_.names[at(each.row)]; };
        const auto time = [this](int column) { return file_.times[at(column)]; };
        addError(file_, {sentence(needs, cell(box), name(box), time(box.column), cell(*input), name(*input),
                                  time(input->column + input->length - 1)),
                         box.row, box.column});
    }

    Rows rows_;
    ScheduleFile file_;
    Columns columns_;
    std::vector<Box> boxes_;                                      // of all rows, one row after the other
    std::map<Action, const Box*> producers_;                      // by F, and for a gradient by B
    bool has_whole_backward_ = false;
    int first_microbatch_ = 0;
};

}  // namespace

bool looksLikeTimeTable(const Rows& rows) {
    int boxes = 0, orders = 0, idle = 0;
    for (const auto& row : rows)
        for (const std::string& cell : row) {
            const auto action = parseBox(cell);
            if (action)
                ++(action->stage < 0 ? boxes : orders);
            else if (continues(cell) || (!cell.empty() && isIdle(cell)))
                ++idle;
        }
    return boxes > orders || (orders > 0 && idle > 0);
}

ScheduleFile readTimeTable(Rows rows) {
    return Reader(std::move(rows)).read();
}

}  // namespace bscope
