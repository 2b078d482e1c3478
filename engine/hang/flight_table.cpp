#include "hang/flight_table.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "words/sentence_error.h"

namespace bscope {
namespace {

constexpr std::size_t kMostTableEntries = 1'000'000, kMostTableTensors = 4, kMostTableDimensions = 16, kMostColumns = 65536;
constexpr int kMostTableRanks = 1 << 20;

class Lines {
public:
    explicit Lines(std::string_view text) : text_(text) {}
    std::optional<std::string_view> next() {
        if (at_ >= text_.size()) return std::nullopt;
        const std::size_t end = std::min(text_.find('\n', at_), text_.size());
        std::string_view line = text_.substr(at_, end - at_);
        at_ = end + 1;
        ++number_;
        if (line.ends_with('\r')) line.remove_suffix(1);
        return line;
    }
    int number() const { return number_; }

private:
    std::string_view text_;
    std::size_t at_ = 0;
    int number_ = 0;
};

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::optional<std::int64_t> numberOf(std::string_view text) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end == text.data()) return std::nullopt;
    return number;
}

// "Rank 0   Rank 1": the ranks of the columns; empty: another line.
std::vector<int> ranksOfHeader(std::string_view line) {
    std::vector<int> ranks;
    for (std::string_view rest = trimmed(line); !rest.empty(); rest = trimmed(rest)) {
        constexpr std::string_view word = "Rank ";
        if (!rest.starts_with(word)) return {};
        rest.remove_prefix(word.size());
        const std::size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
        const auto rank = numberOf(rest.substr(0, digits));
        if (!rank || *rank >= kMostTableRanks || ranks.size() == kMostColumns) return {};
        ranks.push_back(static_cast<int>(*rank));
        rest.remove_prefix(digits);
    }
    return ranks;
}

// "-----  -----": where the columns begin; empty: another line.
std::vector<std::size_t> columnsOf(std::string_view line) {
    std::vector<std::size_t> begins;
    if (trimmed(line).empty() || line.find_first_not_of("- \t") != std::string_view::npos) return {};
    for (std::size_t at = 0; at < line.size(); ++at)
        if (line[at] == '-' && (at == 0 || line[at - 1] != '-')) begins.push_back(at);
    return begins;
}

// What stands under a key, up to the next one.
std::string_view valueOf(std::string_view cell, std::string_view key) {
    std::size_t at = cell.find(key);
    while (at != std::string_view::npos && at > 0 && cell[at - 1] != '(' && cell[at - 1] != ' ' &&
           cell[at - 1] != '|')
        at = cell.find(key, at + 1);
    if (at == std::string_view::npos) return {};
    const std::string_view rest = cell.substr(at + key.size());
    int depth = 0;
    for (std::size_t end = 0; end < rest.size(); ++end) {
        depth += rest[end] == '[' ? 1 : rest[end] == ']' ? -1 : 0;
        const bool ends = rest[end] == ',' || rest[end] == ' ' || rest[end] == ')';
        if (depth <= 0 && ends) return rest.substr(0, end);
    }
    return rest;
}

// "[[4, 16], [4]]".
std::vector<std::vector<std::int64_t>> sizesOf(std::string_view text) {
    std::vector<std::vector<std::int64_t>> sizes;
    int depth = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] == '[' && ++depth == 2) {
            if (sizes.size() == kMostTableTensors) return sizes;
            sizes.emplace_back();
        }
        if (text[at] == ']') --depth;
        const bool digit = text[at] >= '0' && text[at] <= '9';
        if (!digit || depth != 2 || sizes.back().size() == kMostTableDimensions) continue;
        if (const auto number = numberOf(text.substr(at))) sizes.back().push_back(*number);
        while (at + 1 < text.size() && text[at + 1] >= '0' && text[at + 1] <= '9') ++at;
    }
    return sizes;
}

class Column {
public:
    Column(int rank, const std::string& file) {
        dump_.rank = rank;
        dump_.file = file;
        dump_.version = "torchfrtrace";
    }

    // nullopt: it holds what no cell does.
    bool take(std::string_view cell) {
        if (cell.empty()) return true;
        const std::size_t open = cell.find('(');
        if (open == std::string_view::npos || !cell.ends_with(')') || dump_.entries.size() == kMostTableEntries)
            return false;
        const std::string_view type = cell.substr(0, open), state = valueOf(cell, "state=");
        if (state.empty()) return false;
        FlightEntry entry;
        entry.name = std::string(type.substr(0, 100));
        entry.record = static_cast<std::int64_t>(dump_.entries.size());
        entry.group = groupOf(cell);
        entry.sizes = sizesOf(valueOf(cell, "input_sizes="));
        std::string_view types = valueOf(cell, "input_dtypes=");
        while (!types.empty() && (types.front() == '[' || types.front() == '\'')) types.remove_prefix(1);
        entry.type = std::string(types.substr(0, types.find_first_of("',]")));
        entry.created_ns = numberOf(valueOf(cell, "timestamp_created=")).value_or(0);
        const auto sequence = numberOf(valueOf(cell, "p2p_seq_id="));
        entry.is_done = state == "completed";
        entry.has_started = state == "started";
        if (type == "send" || type == "recv") {
            const bool sends = type == "send";
            const auto peer = numberOf(valueOf(cell, sends ? "d=" : "s="));
            if (!peer || *peer < 0 || *peer >= kMostTableRanks) return valueOf(cell, "s=") == "None";
            entry.kind = sends ? FlightKind::Send : FlightKind::Receive;
            entry.peer = static_cast<int>(*peer);
            entry.is_p2p = true;
            entry.p2p = sequence.value_or(0);
            entry.name += (sends ? " " + std::to_string(dump_.rank) + "->" : " " + std::to_string(dump_.rank) + "<-") +
                          std::to_string(entry.peer);
        } else if (type == "coalesced") {
            entry.kind = FlightKind::Coalesced;
            entry.batch = batch_;
        } else {
            entry.collective = sequence.value_or(collectives_++);
        }
        if (dump_.entries.empty()) begins_with_first_ = sequence && *sequence <= 1, dump_.is_counted = sequence.has_value();
        dump_.entries.push_back(std::move(entry));
        if (dump_.entries.back().kind == FlightKind::Coalesced) endBatch();
        return true;
    }

    FlightDump finish() {
        dump_.is_whole = begins_with_first_;
        return std::move(dump_);
    }

private:
    // The long form names the group; of the short one nothing is known.
    int groupOf(std::string_view cell) {
        const std::string name(valueOf(cell, "pg_name="));
        const auto known = std::ranges::find(dump_.groups, name, &FlightGroup::name);
        if (known != dump_.groups.end()) return static_cast<int>(known - dump_.groups.begin());
        FlightGroup group;
        group.name = name;
        group.description = std::string(valueOf(cell, "pg_description="));
        dump_.groups.push_back(std::move(group));
        return static_cast<int>(dump_.groups.size()) - 1;
    }

    // The sends and receives of a batch have no state of their own: that of the entry that ends it counts.
    void endBatch() {
        const FlightEntry end = dump_.entries.back();
        for (std::size_t at = dump_.entries.size() - 1; at-- > first_of_batch_;) {
            FlightEntry& member = dump_.entries[at];
            if (member.group != end.group || member.is_done || member.has_started) continue;
            member.batch = batch_;
            member.is_done = end.is_done;
            member.has_started = end.has_started;
        }
        first_of_batch_ = dump_.entries.size();
        ++batch_;
    }

    FlightDump dump_;
    std::size_t first_of_batch_ = 0;
    int batch_ = 0;
    std::int64_t collectives_ = 1;
    bool begins_with_first_ = false;
};

}  // namespace

bool looksLikeFlightTable(std::string_view beginning) {
    Lines lines(beginning);
    bool header = false;
    while (const auto line = lines.next()) {
        if (header && !columnsOf(*line).empty()) return true;
        header = !ranksOfHeader(*line).empty();
    }
    // Of a table of many ranks the line of dashes may lie beyond what was read.
    return header && ranksOfHeader(beginning.substr(0, beginning.find('\n'))).size() > 1;
}

std::vector<FlightDump> readFlightTable(std::string_view text, const std::string& file) {
    Lines lines(text);
    std::vector<int> ranks;
    std::vector<std::size_t> begins;
    while (const auto line = lines.next()) {
        if (!ranks.empty()) begins = columnsOf(*line);
        if (!begins.empty()) break;
        ranks = ranksOfHeader(*line);
    }
    if (begins.empty() || begins.size() != ranks.size())
        throw SentenceError<>(
            sentence("it holds no table of torchfrtrace -j: a line \"Rank 0  Rank 1\" over dashes"));
    std::vector<Column> columns;
    for (const int rank : ranks) columns.emplace_back(rank, file);
    while (const auto line = lines.next()) {
        if (trimmed(*line).starts_with("stack_id") || trimmed(*line).empty()) break;  // the next table
        for (std::size_t at = 0; at < begins.size() && begins[at] < line->size(); ++at) {
            const std::size_t end = at + 1 < begins.size() ? begins[at + 1] : line->size();
            const std::string_view cell = trimmed(line->substr(begins[at], end - begins[at]));
            if (!columns[at].take(cell))
                throw SentenceError<>(sentence("line {0}, rank {1}: \"{2}\" is no operation; legal: {3}",
                                               lines.number(), ranks[at], std::string(cell.substr(0, 80)),
                                               "send(s=0 d=1, input_sizes=[[4]], state=completed)"));
        }
    }
    std::vector<FlightDump> dumps;
    for (Column& column : columns) dumps.push_back(column.finish());
    return dumps;
}

}  // namespace bscope
