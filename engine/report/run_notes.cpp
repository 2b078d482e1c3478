#include "report/run_notes.h"

#include <algorithm>
#include <limits>

namespace bscope {

RunNotes::Place RunNotes::placeOf(const RunNote& note) {
    constexpr std::int64_t before_all_ns = std::numeric_limits<std::int64_t>::min();
    return {note.iteration, note.when ? note.when->from_ns : before_all_ns, note.id};
}

void RunNotes::take(const RunNote& note) {
    last_id_ = std::max(last_id_, note.id);
    if (const auto before = places_.find(note.id); before != places_.end()) {
        notes_.erase(before->second);
        places_.erase(before);
    }
    if (note.removed) return;
    places_.emplace(note.id, placeOf(note));
    notes_.emplace(placeOf(note), note);
}

void RunNotes::startedFrom(std::int32_t iteration) {
    constexpr std::int64_t first = std::numeric_limits<std::int64_t>::min();
    const auto begin = notes_.lower_bound({iteration, first, first});
    for (auto each = begin; each != notes_.end(); ++each) places_.erase(each->second.id);
    notes_.erase(begin, notes_.end());
}

std::vector<RunNote> RunNotes::all() const {
    std::vector<RunNote> all;
    all.reserve(notes_.size());
    for (const auto& [place, note] : notes_) all.push_back(note);
    return all;
}

}  // namespace bscope
