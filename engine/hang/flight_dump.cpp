#include "hang/flight_dump.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "hang/flight_table.h"
#include "words/sentence_error.h"

namespace bscope {

namespace {

constexpr std::size_t kMostEntries = 1'000'000, kMostTensors = 4, kMostDimensions = 16, kMostFields = 256;
constexpr int kMostWorldRanks = 1 << 20;

std::optional<int> rankIn(std::int64_t number) {
    if (number < 0 || number >= kMostWorldRanks) return std::nullopt;
    return static_cast<int>(number);
}

// A pickle may name one value a million times at the cost of two bytes each: what is made of a file is
// limited as a whole.
class Budget {
public:
    void spend(std::size_t amount) {
        spent_ += amount;
        if (spent_ > kMost) throw SentenceError<>(sentence("it describes more than is read of a dump"));
    }

private:
    static constexpr std::uint64_t kMost =
        24'000'000;  // a file of 64 MiB that names nothing twice has half of it
    std::uint64_t spent_ = 0;
};

std::string shortText(std::string_view text) {
    constexpr std::size_t kLongest = 200;
    return std::string(text.substr(0, kLongest));
}

// "[0, 1, 2]", or a list of numbers.
std::vector<int> ranksOf(const DumpValue& value, Budget& budget) {
    std::vector<int> ranks;
    budget.spend(value.isList() ? value.size() : value.text().size());
    const auto add = [&ranks](std::int64_t number) {
        if (const auto rank = rankIn(number); rank && ranks.size() < kMostWorldRanks) ranks.push_back(*rank);
    };
    if (value.isList()) {
        for (std::size_t i = 0; i < std::min<std::size_t>(value.size(), kMostWorldRanks); ++i)
            add(value[i].integer(-1));
    } else {
        const std::string_view text = value.text();
        for (std::size_t at = 0; at < text.size();) {
            std::int64_t number = 0;
            const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), number);
            if (error == std::errc()) add(number);
            at = end == text.data() + at ? at + 1 : static_cast<std::size_t>(end - text.data());
        }
    }
    std::ranges::sort(ranks);
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
    return ranks;
}

// "send 0->1" or "recv 1<-0": the two numbers as they stand.
std::optional<std::pair<int, int>> endsOf(std::string_view name, std::string_view arrow) {
    const std::size_t space = name.rfind(' '), middle = name.find(arrow);
    if (space == std::string_view::npos || middle == std::string_view::npos || middle < space) return {};
    const auto numberOf = [](std::string_view digits) -> std::optional<int> {
        std::int64_t number = 0;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
        if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
        return rankIn(number);
    };
    const auto first = numberOf(name.substr(space + 1, middle - space - 1));
    const auto second = numberOf(name.substr(middle + arrow.size()));
    if (!first || !second) return {};
    return std::pair(*first, *second);
}

class DumpReader {
public:
    DumpReader(const DumpValue& dump, Budget& budget) : dump_(dump), budget_(budget) {}

    FlightDump read() {
        budget_.spend(dump_.size());
        read_.version = shortText(dump_.find("version").text());
        if (read_.version.empty() && dump_.find("entries").isNone() && dump_.find("pg_config").isNone())
            throw SentenceError<>(
                sentence("it is no flight recorder dump: it has no version, no entries and no "
                         "pg_config"));
        if (const auto rank = rankIn(dump_.find("rank").integer(-1))) read_.rank = *rank;
        readGroups();
        const DumpValue entries = dump_.find("entries");
        if (entries.size() > kMostEntries)
            throw SentenceError<>(sentence("it has more than {0} entries", kMostEntries));
        if (!entries.isNone() && !entries.isList())
            throw SentenceError<>(sentence("its entries are no list"));
        for (std::size_t i = 0; i < entries.size(); ++i) readEntry(entries[i], i);
        std::ranges::stable_sort(read_.entries, {}, &FlightEntry::record);
        joinCoalesced();
        read_.is_whole = !read_.entries.empty() && read_.entries.front().record == 0;
        return std::move(read_);
    }

private:
    void readGroups() {
        const DumpValue groups = dump_.find("pg_config");
        if (!groups.isDict()) return;
        for (std::size_t i = 0; i < groups.size(); ++i) {
            const DumpValue each = groups.value(i);
            budget_.spend(1 + (each.isDict() ? each.size() : 0));
            FlightGroup group;
            group.name = shortText(groups.key(i).text());
            group.description = shortText(each.find("desc").text());
            group.ranks = ranksOf(each.isDict() ? each.find("ranks") : each, budget_);
            addGroup(std::move(group));
        }
    }
    int addGroup(FlightGroup group) {
        const auto index = static_cast<int>(read_.groups.size());
        group_of_name_.emplace(group.name, index);
        read_.groups.push_back(std::move(group));
        return index;
    }
    int groupOf(const DumpValue& process_group) {
        const bool is_pair = process_group.isList() && process_group.size() > 0;
        const std::string name = shortText(is_pair ? process_group[0].text() : process_group.text());
        if (const auto known = group_of_name_.find(name); known != group_of_name_.end()) return known->second;
        FlightGroup group;  // nothing is known of its ranks
        group.name = name;
        if (is_pair && process_group.size() > 1) group.description = shortText(process_group[1].text());
        return addGroup(std::move(group));
    }
    // Names hold numbers of the group; where its ranks are not known they are taken as the world's.
    int worldRank(int group, int number) const {
        const std::vector<int>& ranks = read_.groups[static_cast<std::size_t>(group)].ranks;
        if (ranks.empty()) return number;
        return static_cast<std::size_t>(number) < ranks.size() ? ranks[static_cast<std::size_t>(number)] : -1;
    }

    void readSizes(const DumpValue& sizes, FlightEntry& entry) {
        if (!sizes.isList()) return;
        for (std::size_t i = 0; i < std::min(sizes.size(), kMostTensors); ++i) {
            std::vector<std::int64_t>& shape = entry.sizes.emplace_back();
            const DumpValue each = sizes[i];
            if (!each.isList()) continue;
            budget_.spend(1 + std::min(each.size(), kMostDimensions));
            for (std::size_t j = 0; j < std::min(each.size(), kMostDimensions); ++j)
                shape.push_back(each[j].integer());
        }
    }
    static std::string typeOf(const DumpValue& types) {
        if (types.isList() && types.size() > 0) return shortText(types[0].text());
        return shortText(types.text());
    }
    static std::string whereOf(const DumpValue& frames) {
        if (!frames.isList() || frames.size() == 0) return {};
        const DumpValue frame = frames[0];
        std::string_view file = frame.find("filename").text();
        file = file.substr(file.find_last_of("/\\") + 1);
        const std::int64_t line = frame.find("line").integer(-1);
        return shortText(frame.find("name").text()) + " at " + shortText(file) +
               (line >= 0 ? ":" + std::to_string(line) : "");
    }

    void readEntry(const DumpValue& value, std::size_t index) {
        if (!value.isDict() || value.size() > kMostFields)
            throw SentenceError<>(sentence("its entry {0} is no entry", index));
        budget_.spend(value.size());
        FlightEntry entry;
        std::string_view name = value.find("profiling_name").text();
        if (const std::size_t colon = name.find(':'); colon != std::string_view::npos)
            name.remove_prefix(colon + 1);
        entry.name = shortText(name);
        entry.group = groupOf(value.find("process_group"));
        entry.record = value.find("record_id").integer(static_cast<std::int64_t>(index));
        entry.collective = value.find("collective_seq_id").integer(value.find("seq_id").integer());
        entry.p2p = value.find("p2p_seq_id").integer();
        const bool sends = name.starts_with("send "), receives = name.starts_with("recv ");
        if (sends || receives) {
            const auto ends = endsOf(name, sends ? "->" : "<-");
            if (!ends)
                throw SentenceError<>(sentence("its entry {0} is called \"{1}\"; legal: send 0->1, recv 1<-0",
                                               index, entry.name));
            entry.kind = sends ? FlightKind::Send : FlightKind::Receive;
            entry.peer = worldRank(entry.group, ends->second);
            if (entry.peer < 0)
                throw SentenceError<>(
                    sentence("its entry {0} names rank {1} of a group of {2}", index, ends->second,
                             read_.groups[static_cast<std::size_t>(entry.group)].ranks.size()));
            if (const int own = worldRank(entry.group, ends->first); own_ < 0) own_ = own;
        } else if (name == "coalesced" || name.ends_with("_coalesced")) {
            entry.kind = name == "coalesced" ? FlightKind::Coalesced : FlightKind::Collective;
        }
        entry.is_p2p = sends || receives || value.find("is_p2p").truth();
        readSizes(value.find(receives ? "output_sizes" : "input_sizes"), entry);
        entry.type = typeOf(value.find(receives ? "output_dtypes" : "input_dtypes"));
        const std::string_view state = value.find("state").text();
        entry.created_ns = value.find("time_created_ns").integer();
        entry.completed_ns = value.find("time_discovered_completed_ns").integer();
        entry.is_done = state == "completed" || entry.completed_ns > 0 || value.find("retired").truth();
        entry.has_started = state == "started" || value.find("time_discovered_started_ns").integer() > 0;
        entry.where = whereOf(value.find("frames"));
        read_.entries.push_back(std::move(entry));
    }

    // The sends and receives of a batch have no state of their own: that of the entry that ends the batch
    // counts.
    void joinCoalesced() {
        std::vector<std::vector<std::size_t>> open(read_.groups.size());  // of each group, since its last end
        int batch = 0;
        const auto sequence = [](const FlightEntry& each) {
            return each.is_p2p ? each.p2p : each.collective;
        };
        for (std::size_t i = 0; i < read_.entries.size(); ++i) {
            FlightEntry& entry = read_.entries[i];
            std::vector<std::size_t>& own = open[static_cast<std::size_t>(entry.group)];
            if (!own.empty()) {
                const FlightEntry& last = read_.entries[own.back()];
                if (last.is_p2p != entry.is_p2p || sequence(last) != sequence(entry)) own.clear();
            }
            if (entry.kind != FlightKind::Coalesced) {
                own.push_back(i);
                continue;
            }
            for (const std::size_t each : own) {
                FlightEntry& member = read_.entries[each];
                member.batch = batch;
                member.is_done = entry.is_done;
                member.has_started = entry.has_started;
                member.completed_ns = entry.completed_ns;
            }
            own.clear();
            entry.batch = batch++;
        }
    }

    const DumpValue& dump_;
    Budget& budget_;
    FlightDump read_;
    std::map<std::string, int, std::less<>> group_of_name_;
    int own_ = -1;

public:
    int ownRank() const { return own_; }
};

FlightDump readOne(const DumpValue& value, const std::string& file, int rank_given, Budget& budget) {
    DumpReader reader(value, budget);
    FlightDump dump = reader.read();
    dump.file = file;
    if (dump.rank < 0) dump.rank = rank_given;
    if (dump.rank < 0) dump.rank = reader.ownRank();
    if (dump.rank < 0)
        throw SentenceError<>(
            sentence("it does not say of which rank it is; its name should end with the rank, as in "
                     "nccl_trace_rank_3"));
    if (reader.ownRank() >= 0 && reader.ownRank() != dump.rank)
        dump.notes.push_back(
            sentence("{0} is named after rank {1}, but its sends and receives are those of rank {2}; it is "
                     "taken as rank {2}",
                     file, dump.rank, reader.ownRank()));
    if (reader.ownRank() >= 0) dump.rank = reader.ownRank();
    return dump;
}

}  // namespace

std::string rankList(const std::vector<int>& ranks) {
    constexpr std::size_t kShown = 16;
    std::string text;
    for (std::size_t i = 0; i < std::min(ranks.size(), kShown); ++i)
        text += (text.empty() ? "" : ", ") + std::to_string(ranks[i]);
    return ranks.size() > kShown ? text + ", ..." : text;
}

int rankOfFileName(std::string_view name) {
    name.remove_prefix(name.find_last_of("/\\") + 1);
    for (const std::string_view ending : {".json", ".pickle", ".pkl", ".bin", ".dump", ".txt", ".log"})
        if (name.ends_with(ending)) name.remove_suffix(ending.size());
    std::size_t first = name.size();
    while (first > 0 && name[first - 1] >= '0' && name[first - 1] <= '9') --first;
    std::int64_t number = -1;
    const auto [end, error] = std::from_chars(name.data() + first, name.data() + name.size(), number);
    return error == std::errc() ? rankIn(number).value_or(-1) : -1;
}

std::vector<FlightDump> readFlightDumps(std::string bytes, const std::string& file) {
    if (looksLikeFlightTable(std::string_view(bytes).substr(0, 1 << 16))) return readFlightTable(bytes, file);
    const DumpTree tree = readDumpTree(std::move(bytes));
    const DumpValue root(tree);
    std::vector<FlightDump> dumps;
    Budget budget;
    const bool by_rank = root.isDict() && root.find("version").isNone() && root.find("entries").isNone() &&
                         root.find("pg_config").isNone() && root.size() > 0;
    constexpr std::size_t kMostInOne = 65536;
    if ((root.isList() || by_rank) && root.size() > kMostInOne)
        throw SentenceError<>(sentence("it has more than {0} dumps", kMostInOne));
    if (root.isList()) {
        for (std::size_t i = 0; i < root.size(); ++i)
            dumps.push_back(readOne(root[i], file, static_cast<int>(i), budget));
    } else if (by_rank) {
        for (std::size_t i = 0; i < root.size(); ++i)
            dumps.push_back(
                readOne(root.value(i), file, rankIn(root.key(i).integer(-1)).value_or(-1), budget));
    } else {
        dumps.push_back(readOne(root, file, rankOfFileName(file), budget));
    }
    return dumps;
}

}  // namespace bscope
