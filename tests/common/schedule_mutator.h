// One change in a legal schedule file (csv.h): one that breaks a rule for sure, or one that changes nothing
// about what is computed and sent. For the test of the validator and for fuzzing; no Qt, deterministic for a
// seed on every machine.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "schedule/action.h"

namespace mutate {

using Row = std::vector<std::string>;
using Table = std::vector<Row>;

class Random {
public:
    explicit Random(std::uint64_t seed) : numbers_(seed) {}
    // 0 .. count-1, of at least one.
    std::size_t below(std::size_t count) { return static_cast<std::size_t>(numbers_() % count); }

private:
    std::mt19937_64 numbers_;
};

inline Table tableOf(const std::string& csv) {
    Table table(1, Row(1));
    for (const char c : csv)
        if (c == '\n')
            table.emplace_back(1);
        else if (c == ',')
            table.back().emplace_back();
        else if (c != '\r')
            table.back().back() += c;
    table.pop_back();  // after the last line
    return table;
}

inline std::string csvOf(const Table& table, const char* line_end = "\n") {
    std::string text;
    for (const Row& row : table) {
        for (std::size_t i = 0; i < row.size(); ++i) text += (i > 0 ? "," : "") + row[i];
        text += line_end;
    }
    return text;
}

enum class Breakage {
    Drop,               // a cell is gone
    Double,             // a cell is there twice
    OtherRow,           // a cell stands in another rank's row
    FarMicrobatch,      // a micro-batch that does not exist
    OtherMicrobatch,    // one that another cell is about
    OtherStage,         //
    OtherOperation,     // F for B, SEND for RECV, forward for backward, ...
    SendBeforeCompute,  //
    ReceiveAfterNeed,   //
    ReceivesSwapped,    // two messages of one rank to another are received in the wrong order
    BackwardFirst,      // B or I before F, W before I
    Truncated,          // the end of a row is missing
    Garbage,            // a cell that is no action
};
inline constexpr int kBreakages = static_cast<int>(Breakage::Garbage) + 1;

enum class Harmless {
    Blanks,          // empty cells more
    Spelling,        // spaces and line ends
    EarlierReceive,  // a receive is posted earlier
    LaterSend,       // a send stands behind a neighbouring message that is not in its channel
};
inline constexpr int kHarmless = static_cast<int>(Harmless::LaterSend) + 1;

struct Place {
    std::size_t row = 0, column = 0;
};

class Mutator {
public:
    // The table must be a legal file of at least two ranks and micro-batches.
    Mutator(Table table, std::uint64_t seed) : table_(std::move(table)), random_(seed) {
        for (std::size_t row = 0; row < table_.size(); ++row)
            for (const std::string& cell : table_[row]) {
                const auto action = bscope::parseAction(cell);
                if (!action || action->stage < 0) continue;
                const auto stage = static_cast<std::size_t>(action->stage);
                owners_.resize(std::max(owners_.size(), stage + 1), table_.size());
                if (bscope::isCompute(action->op)) owners_[stage] = row;
                microbatches_ = std::max(microbatches_, action->microbatch + 1);
            }
    }

    // nullopt when the file has no cell of which this could be said.
    std::optional<std::string> broken(Breakage how);
    std::optional<std::string> equivalent(Harmless how);

private:
    using Op = bscope::Op;

    std::string& cell(Place place) { return table_[place.row][place.column]; }
    std::optional<bscope::Action> action(Place place) { return bscope::parseAction(cell(place)); }
    static bool isWeights(const std::string& text) {
        return text.ends_with("SHARD") || text.ends_with("REDUCE_GRAD");
    }

    // A place whose cell is one of those.
    template <class Predicate>
    std::optional<Place> pick(Predicate predicate) {
        std::vector<Place> places;
        for (std::size_t row = 0; row < table_.size(); ++row)
            for (std::size_t column = 0; column < table_[row].size(); ++column)
                if (!table_[row][column].empty() && predicate(Place{row, column}))
                    places.push_back({row, column});
        if (places.empty()) return std::nullopt;
        return places[random_.below(places.size())];
    }
    std::optional<Place> pickAnyAction() {
        return pick([this](Place place) { return !isWeights(cell(place)); });
    }
    std::optional<Place> pickSingle() {
        return pick([this](Place place) {
            const auto found = action(place);
            return found && found->microbatch >= 0;
        });
    }
    std::optional<Place> pickOp(bool (*is)(Op)) {
        return pick([this, is](Place place) {
            const auto found = action(place);
            return found && is(found->op);
        });
    }

    std::string take(Place place) {
        std::string text = cell(place);
        Row& row = table_[place.row];
        row.erase(row.begin() + static_cast<std::ptrdiff_t>(place.column));
        return text;
    }
    void put(std::size_t row, std::size_t before, std::string text) {
        table_[row].insert(table_[row].begin() + static_cast<std::ptrdiff_t>(before), std::move(text));
    }
    void replace(Place place, const bscope::Action& with) { cell(place) = toText(with); }

    // Where the computation of a message stands in its row: F, or B or I; alone or in a pair.
    std::size_t computeColumn(std::size_t row, const bscope::Action& message) {
        const bool forward = message.op == Op::SendForward || message.op == Op::RecvForward;
        for (std::size_t column = 0; column < table_[row].size(); ++column)
            for (const Op op : {forward ? Op::Forward : Op::Backward, Op::BackwardInput}) {
                if (forward && op == Op::BackwardInput) continue;
                const std::string text = toText(bscope::Action{message.stage, op, message.microbatch});
                const std::string& each = table_[row][column];
                if (each == text || each.starts_with("(" + text + ";") ||
                    each.find(";" + text + ")") != std::string::npos)
                    return column;
            }
        return table_[row].size();
    }

    // The rank at the other end of a message of a chain whose stages follow each other.
    std::size_t peer(const bscope::Action& message) const {
        const bool up = message.op == Op::SendForward || message.op == Op::RecvBackward;
        const int stage = message.stage + (up ? 1 : -1);
        return owners_.at(static_cast<std::size_t>(stage));
    }
    bool sameChannel(const bscope::Action& a, const bscope::Action& b) const {
        return bscope::isSend(a.op) == bscope::isSend(b.op) && peer(a) == peer(b);
    }

    bool change(Place place, Breakage how);
    bool swapReceives();
    bool putBackwardFirst();

    Table table_;
    Random random_;
    std::vector<std::size_t> owners_;  // (stages,) row
    int microbatches_ = 0;
};

inline bool Mutator::change(Place place, Breakage how) {
    bscope::Action changed = *action(place);
    if (how == Breakage::FarMicrobatch)
        changed.microbatch = microbatches_ + 500 * static_cast<int>(random_.below(3));
    if (how == Breakage::OtherMicrobatch)
        changed.microbatch = (changed.microbatch + 1 +
                              static_cast<int>(random_.below(static_cast<std::size_t>(microbatches_ - 1)))) %
                             microbatches_;
    if (how == Breakage::OtherStage) {
        const int stages = static_cast<int>(owners_.size());
        changed = changed.withStage(
            (changed.stage + 1 + static_cast<int>(random_.below(static_cast<std::size_t>(stages)))) %
            (stages + 1));
    }
    if (how == Breakage::OtherOperation) {
        constexpr Op ops[] = {Op::Forward,     Op::Backward,    Op::BackwardInput, Op::BackwardWeight,
                              Op::SendForward, Op::RecvForward, Op::SendBackward,  Op::RecvBackward};
        const Op before = changed.op;
        while (changed.op == before) changed.op = ops[random_.below(std::size(ops))];
    }
    replace(place, changed);
    return true;
}

inline bool Mutator::swapReceives() {
    const auto first = pickOp(bscope::isReceive);
    if (!first) return false;
    for (std::size_t column = first->column + 1; column < table_[first->row].size(); ++column) {
        const auto other = action({first->row, column});
        if (!other || !bscope::isReceive(other->op) || !sameChannel(*other, *action(*first))) continue;
        std::swap(cell(*first), table_[first->row][column]);
        return true;
    }
    return false;
}

inline bool Mutator::putBackwardFirst() {
    const auto later = pick([this](Place place) {
        const auto found = action(place);
        return found && (found->op == Op::Backward || found->op == Op::BackwardInput ||
                         found->op == Op::BackwardWeight);
    });
    if (!later) return false;
    bscope::Action needed = *action(*later);
    needed.op = needed.op == Op::BackwardWeight ? Op::BackwardInput : Op::Forward;
    Row& row = table_[later->row];
    const auto found = std::find(row.begin(), row.end(), toText(needed));
    if (found == row.end()) return false;  // in a pair
    std::swap(*found, cell(*later));
    return true;
}

inline std::optional<std::string> Mutator::broken(Breakage how) {
    bool done = false;
    if (how == Breakage::SendBeforeCompute || how == Breakage::ReceiveAfterNeed) {
        const bool sends = how == Breakage::SendBeforeCompute;
        if (const auto place = pickOp(sends ? bscope::isSend : bscope::isReceive)) {
            const bscope::Action message = *action(*place);
            const std::string text = take(*place);
            const std::size_t compute = computeColumn(place->row, message);
            put(place->row,
                sends ? random_.below(compute + 1)
                      : compute + 1 + random_.below(table_[place->row].size() - compute),
                text);
            done = true;
        }
    } else if (how == Breakage::ReceivesSwapped) {
        done = swapReceives();
    } else if (how == Breakage::BackwardFirst) {
        done = putBackwardFirst();
    } else if (how == Breakage::Truncated) {
        const auto place = pick([](Place each) { return each.column > 0; });
        Row& row = table_[place->row];
        row.resize(place->column);
        done = true;
    } else if (how == Breakage::Drop || how == Breakage::Double || how == Breakage::OtherRow ||
               how == Breakage::Garbage) {
        const auto place = pickAnyAction();
        const std::string text = how == Breakage::Double ? cell(*place) : take(*place);
        std::size_t row = place->row;
        if (how == Breakage::OtherRow) row = (row + 1 + random_.below(table_.size() - 1)) % table_.size();
        if (how != Breakage::Drop)
            put(row, random_.below(table_[row].size() + 1), how == Breakage::Garbage ? text + "x" : text);
        done = true;
    } else if (const auto place = pickSingle()) {
        done = change(*place, how);
    }
    return done ? std::optional(csvOf(table_)) : std::nullopt;
}

inline std::optional<std::string> Mutator::equivalent(Harmless how) {
    if (how == Harmless::Blanks) {
        for (int i = 0; i < 5; ++i) {
            const std::size_t row = random_.below(table_.size());
            put(row, random_.below(table_[row].size() + 1), "");
        }
        return csvOf(table_);
    }
    if (how == Harmless::Spelling) {
        for (Row& row : table_)
            for (std::string& each : row)
                if (random_.below(3) == 0) each = " " + each + "\t ";
        return csvOf(table_, random_.below(2) == 0 ? "\r\n" : "\n");
    }
    const bool sends = how == Harmless::LaterSend;
    const auto place = pickOp(sends ? bscope::isSend : bscope::isReceive);
    if (!place) return std::nullopt;
    const bscope::Action message = *action(*place);
    std::size_t column = place->column;
    Row& row = table_[place->row];
    // Steps over cells that it does not depend on; a channel keeps its order.
    const auto mayPass = [&](const std::string& other) {
        const auto passed = bscope::parseAction(other);
        const bool is_message = passed && bscope::isCommunication(passed->op);
        if (is_message) return !sameChannel(*passed, message);
        return !sends;
    };
    std::size_t steps = 1 + random_.below(4);
    if (sends)
        for (; steps > 0 && column + 1 < row.size() && mayPass(row[column + 1]); --steps, ++column)
            std::swap(row[column], row[column + 1]);
    else
        for (; steps > 0 && column > 0 && mayPass(row[column - 1]); --steps, --column)
            std::swap(row[column], row[column - 1]);
    return column == place->column ? std::nullopt : std::optional(csvOf(table_));
}

}  // namespace mutate
