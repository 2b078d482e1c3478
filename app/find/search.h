// Search: what the search box understands. `F12`, `F12 @2`, `12`: boxes by operation, micro-batch (as
// pictures count) and rank; `bubble>5ms`, `bubble>5 @2`, `bubble>2F`: idle gaps by length. Pure functions
// over one iteration.
#pragma once

#include <QString>
#include <optional>
#include <vector>

#include "view/view_data.h"
#include "widgets/data/view_state.h"

namespace bscope::ui {

struct SearchHit {
    int rank = 0;
    TimeRange range;               // relative to the iteration's start
    std::optional<Action> action;  // a box; otherwise a gap
};

struct SearchQuery {
    std::optional<Op> op;
    std::optional<int> microbatch;  // counts from 0
    std::optional<int> rank;
    std::optional<double> longer_ms, longer_forwards;  // a gap; the second in units of F
};

// nullopt when it is not understood.
std::optional<SearchQuery> parseSearch(const QString& text, bool count_from_zero);
// In the order of time.
std::vector<SearchHit> findAll(const SearchQuery& query, const IterationView& view);

}  // namespace bscope::ui
