#include "analysis/range_numbers.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "timeline/iteration_events.h"

namespace bscope {

namespace {

std::int64_t overlap(std::int64_t start_ns, std::int64_t end_ns, const RangeQuery& query) {
    return std::max<std::int64_t>(0, std::min(end_ns, query.to_ns) - std::max(start_ns, query.from_ns));
}

// Whole nanoseconds of each cause whose sum is `inside`: differences of rounded running sums, so that none is
// below zero.
void addInProportion(CauseParts& to, const CauseParts& parts, std::int64_t length_ns,
                     std::int64_t inside_ns) {
    std::int64_t running = 0, given = 0;
    for (std::size_t cause = 0; cause < parts.size(); ++cause) {
        running += parts[cause];
        const double share = static_cast<double>(running) / static_cast<double>(length_ns);
        const std::int64_t until =
            std::clamp<std::int64_t>(std::llround(share * static_cast<double>(inside_ns)), given, inside_ns);
        to[cause] += until - given;
        given = until;
    }
}

class Counter {
public:
    Counter(const RangeQuery& query, std::vector<int> ranks) : query_(query) {
        for (const int rank : ranks) numbers_.ranks.push_back({rank, {}});
    }

    void events(const Timeline& timeline, std::int32_t iteration) {
        for (RangeNumbers::OfRank& each : numbers_.ranks)
            for (const Event& event : ofIteration(timeline.compute(each.rank), iteration))
                if (isCompute(event.op)) add(each, event);
    }
    void gap(int rank, std::int64_t start_ns, std::int64_t end_ns, const std::optional<Action>& next,
             const CauseParts* parts) {
        const auto own = std::ranges::find(numbers_.ranks, rank, &RangeNumbers::OfRank::rank);
        const std::int64_t inside_ns = overlap(start_ns, end_ns, query_);
        if (own == numbers_.ranks.end() || inside_ns == 0) return;
        const bool passes = !query_.passes || (next && query_.passes(rank, *next));
        for (RangeNumbers::Share* share : {&own->all, &numbers_.all, passes ? &numbers_.passing : nullptr}) {
            if (share == nullptr) continue;
            share->idle_ns += inside_ns;
            if (parts != nullptr) addInProportion(share->causes, *parts, end_ns - start_ns, inside_ns);
        }
    }
    RangeNumbers numbers() const {
        RangeNumbers numbers = numbers_;
        if (forwards_ > 0) numbers.forward_share = forwards_inside_ / forwards_;
        if (backwards_ > 0) numbers.backward_share = backwards_inside_ / backwards_;
        return numbers;
    }

private:
    void add(RangeNumbers::OfRank& own, const Event& event) {
        const bool forward = event.op == Op::Forward,
                   backward = event.op == Op::Backward || event.op == Op::BackwardInput;
        forwards_ += forward, backwards_ += backward;
        const std::int64_t inside_ns = overlap(event.start_ns, event.end_ns, query_);
        if (inside_ns == 0) return;
        own.all.busy_ns += inside_ns;
        numbers_.all.busy_ns += inside_ns;
        if (query_.passes && !query_.passes(event.rank, {event.stage, event.op, event.microbatch})) return;
        numbers_.passing.busy_ns += inside_ns;
        const double share = static_cast<double>(inside_ns) / static_cast<double>(event.duration_ns());
        if (forward) forwards_inside_ += share;
        if (backward) backwards_inside_ += share;
    }

    const RangeQuery& query_;
    RangeNumbers numbers_;
    double forwards_ = 0, backwards_ = 0, forwards_inside_ = 0, backwards_inside_ = 0;
};

}  // namespace

double RangeNumbers::Share::bubbleOfTotal() const {
    const std::int64_t total_ns = idle_ns + busy_ns;
    return total_ns > 0 ? static_cast<double>(idle_ns) / static_cast<double>(total_ns) : 0;
}

RangeNumbers rangeNumbers(const IterationSummary& summary, const BubbleCauses* causes,
                          const Timeline& timeline, const RangeQuery& query) {
    std::vector<int> ranks = query.ranks;
    if (ranks.empty()) {
        ranks.resize(static_cast<std::size_t>(timeline.ranks()));
        std::iota(ranks.begin(), ranks.end(), 0);
    }
    std::erase_if(ranks, [&](int rank) { return rank < 0 || rank >= timeline.ranks(); });
    Counter counter(query, std::move(ranks));
    counter.events(timeline, summary.iteration);
    if (causes != nullptr) {
        for (const Gap& gap : causes->gaps())
            counter.gap(gap.rank, gap.start_ns, gap.end_ns, gap.next, &gap.parts);
    } else {
        for (const IdleGap& gap : summary.gaps)
            counter.gap(gap.rank, gap.start_ns, gap.end_ns, gap.next, nullptr);
    }
    return counter.numbers();
}

double amountOfIteration(const RunConfig& config, bool in_tokens) {
    return in_tokens ? static_cast<double>(config.samples()) * config.model.sequence
                     : config.params.microbatches();
}

std::optional<MemoryPoint> peakIn(MemoryPoints points, std::int64_t from_ns, std::int64_t to_ns) {
    const auto first_inside = std::ranges::upper_bound(points, from_ns, {}, &MemoryPoint::time_ns);
    const auto past = std::ranges::lower_bound(points, to_ns, {}, &MemoryPoint::time_ns);
    const auto first = first_inside == points.begin() ? first_inside : first_inside - 1;
    if (first >= past) return std::nullopt;
    return *std::ranges::max_element(first, past, {}, &MemoryPoint::live_bytes);
}

}  // namespace bscope
