// FlightChannels: the sends and receives of all dumps, by group and by the two ranks, and which belong
// together. Also the collectives, by group and number. Indices refer to the dumps given, which must outlive
// it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "hang/flight_dump.h"

namespace bscope {

struct FlightChannel {
    std::vector<std::size_t> sends, receives;  // entries of the dump of the one and of the other rank
    // Receive k meets send k + ahead; nullopt while one side left no dump.
    std::optional<std::ptrdiff_t> ahead;
    bool is_counted = false;  // from the beginning of the program, not from the last that ended
};

class FlightChannels {
public:
    // A group is the same on two ranks when its name and its ranks are; it has a number here.
    using Key = std::tuple<int, int, int>;  // group, source, destination

    explicit FlightChannels(const std::vector<FlightDump>& dumps);

    const std::map<Key, FlightChannel>& channels() const { return channels_; }
    const FlightDump* dumpOf(int rank) const;
    const FlightEntry& entry(int rank, std::size_t index) const { return dumpOf(rank)->entries[index]; }
    const FlightGroup& groupOf(int rank, const FlightEntry& entry) const;
    Key keyOf(int rank, const FlightEntry& message) const;
    // Its place among those of its channel and direction.
    std::size_t placeOf(int rank, std::size_t index) const;
    // The entry of the other rank that meets this send or receive; nullopt when it is not there.
    std::optional<std::size_t> otherSide(int rank, std::size_t index) const;
    // Of a collective of a group: the entry of another rank with its number.
    std::optional<std::size_t> collectiveOf(int rank, int group, std::int64_t number) const;
    int identity(int rank, const FlightEntry& entry) const;  // number of its group

private:
    void align(const Key& key, FlightChannel& channel) const;

    const std::vector<FlightDump>& dumps_;
    std::map<int, std::size_t> dump_of_rank_;
    std::vector<std::vector<int>> identities_;  // (dumps, groups)
    std::map<Key, FlightChannel> channels_;
    std::vector<std::vector<std::size_t>> places_;  // (dumps, entries)
    std::map<std::tuple<int, int, std::int64_t>, std::size_t> collectives_;
};

}  // namespace bscope
