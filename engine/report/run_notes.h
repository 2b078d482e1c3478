// RunNotes: what people write about an iteration, a time in it or one of its operations, kept in the
// recording beside what ran (docs/FILE_FORMATS.md, "Notes"). A note that comes again replaces the one of its
// id; one that comes as removed takes it away. What was noted of iterations that became void is void with
// them. Plain data; one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "schedule/action.h"

namespace bscope {

struct RunNote {
    static constexpr std::size_t kMostBytes = 4000;  // of the text, UTF-8

    std::int64_t id = 0;  // from 1
    std::int32_t iteration = 0;
    // On the run's device clocks, as events have them; nullopt: on the iteration as a whole.
    struct When {
        std::int64_t from_ns = 0, to_ns = 0;  // equal: an instant
        bool operator==(const When&) const = default;
    };
    std::optional<When> when;
    int rank = -1;                 // -1: on no rank in particular
    std::optional<Action> action;  // the operation of that rank which it is on
    std::string text;
    bool removed = false;
    bool operator==(const RunNote&) const = default;
};

class RunNotes {
public:
    void take(const RunNote& note);
    // Another run, a loaded state or a failure: that iteration and later ones begin anew.
    void startedFrom(std::int32_t iteration);
    void clear() { *this = {}; }

    std::vector<RunNote> all() const;  // by iteration, then time, then id
    bool empty() const { return notes_.empty(); }
    std::int64_t nextId() const { return last_id_ + 1; }

private:
    // Iteration, time, id: a note on a whole iteration stands before those on its parts.
    using Place = std::tuple<std::int32_t, std::int64_t, std::int64_t>;
    static Place placeOf(const RunNote& note);

    std::map<Place, RunNote> notes_;
    std::map<std::int64_t, Place> places_;  // by id
    std::int64_t last_id_ = 0;              // of all that ever came, so that none is used twice
};

}  // namespace bscope
