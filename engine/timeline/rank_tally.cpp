#include "timeline/rank_tally.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace bscope {

namespace {

bool isBackwardStart(Op op) {
    return op == Op::Backward || op == Op::BackwardInput || op == Op::Recompute;
}

void addGap(IterationSummary& summary, int rank, std::int64_t start_ns, std::int64_t end_ns,
            std::optional<Action> next) {
    if (end_ns > start_ns)
        summary.gaps.push_back({start_ns, end_ns, phaseOf(summary, rank, start_ns, end_ns), rank, next});
}

}  // namespace

RankTally::RankTally(int rank, int carried_over, std::optional<std::int64_t> began_ns)
    : is_stream_(true), began_ns_(began_ns), until_weight_(carried_over), until_input_(carried_over) {
    summary_.rank = rank;
    summary_.peak_in_flight = summary_.peak_in_flight_dgrad = carried_over;
}

void RankTally::compute(const Event& event) {
    has_events_ = true;
    over_ns_ = event.end_ns;
    if (isCompute(event.op) || is_stream_) endIdleTime(event);
    if (!isCompute(event.op)) {
        summary_.optimizer_ns += event.duration_ns();
        return;
    }
    summary_.busy_ns += event.duration_ns();
    if (!computes_) summary_.first_start_ns = event.start_ns;
    if (!starts_backward_) summary_.first_backward_ns = summary_.first_start_ns;
    computes_ = true;
    summary_.last_end_ns = event.end_ns;
    latest_end_ns_ = std::max(latest_end_ns_, event.end_ns);
    if (event.op == Op::Recompute) summary_.recompute_ns += event.duration_ns();
    if (!starts_backward_ && isBackwardStart(event.op)) {
        summary_.first_backward_ns = event.start_ns;
        starts_backward_ = true;
    }
    // A chunk is in flight from its F to its B, or to its W (I).
    if (event.op == Op::Forward) {
        summary_.last_forward_end_ns = event.end_ns;
        summary_.peak_in_flight = std::max(summary_.peak_in_flight, ++until_weight_);
        summary_.peak_in_flight_dgrad = std::max(summary_.peak_in_flight_dgrad, ++until_input_);
    }
    if (event.op == Op::Backward || event.op == Op::BackwardWeight) --until_weight_;
    if (event.op == Op::Backward || event.op == Op::BackwardInput) {
        --until_input_;
        goes_backward_ = true;
    }
}

void RankTally::endIdleTime(const Event& event) {
    if (!first_) {
        first_.emplace(Gap{0, event.start_ns, event.action()});
        idle_since_ns_ = event.end_ns;
        return;
    }
    if (event.start_ns > idle_since_ns_) gaps_.push_back({idle_since_ns_, event.start_ns, event.action()});
    idle_since_ns_ = std::max(idle_since_ns_, event.end_ns);
}

void RankTally::addTo(IterationSummary& summary, std::int64_t start_ns, std::int64_t end_ns) const {
    if (first_) addGap(summary, summary_.rank, start_ns, first_->end_ns, first_->next);
    for (const Gap& gap : gaps_) addGap(summary, summary_.rank, gap.start_ns, gap.end_ns, gap.next);
    addGap(summary, summary_.rank, first_ ? std::max(start_ns, idle_since_ns_) : start_ns, end_ns,
           std::nullopt);
}

// Without a backward anywhere activations are dropped when their F ends, so that one chunk is in flight at a
// time.
IterationSummary summaryOf(std::span<const RankTally> ranks, Provenance provenance, std::int32_t iteration) {
    std::int64_t start_ns = std::numeric_limits<std::int64_t>::max(), end_ns = -1;
    bool computes = false, forward_only = true;
    for (const RankTally& each : ranks) {
        if (!each.computes_) continue;
        start_ns = std::min(start_ns, each.summary_.first_start_ns);
        end_ns = computes ? std::max(end_ns, each.latest_end_ns_) : each.latest_end_ns_;
        computes = true;
        forward_only = forward_only && !each.goes_backward_;
    }
    if (!computes)
        throw std::out_of_range("the timeline holds nothing of iteration " + std::to_string(iteration));
    IterationSummary summary;
    summary.iteration = iteration;
    summary.provenance = provenance;
    summary.is_stream = ranks.front().is_stream_;
    summary.start_ns = start_ns;
    double busy_ns = 0, total_ns = 0;
    for (const RankTally& tally : ranks) {
        const bool own_window = tally.is_stream_ && tally.has_events_;
        const std::int64_t from_ns = own_window ? tally.began_ns_.value_or(start_ns) : start_ns;
        const std::int64_t to_ns = own_window ? tally.over_ns_ : end_ns;  // no gap follows its last event
        RankSummary& each = summary.ranks.emplace_back(tally.summary_);
        if (forward_only) each.peak_in_flight = each.peak_in_flight_dgrad = each.busy_ns > 0 ? 1 : 0;
        const std::int64_t own_ns = to_ns - from_ns - (tally.is_stream_ ? each.optimizer_ns : 0);
        each.bubble_of_total =
            own_ns > 0 ? 1 - static_cast<double>(each.busy_ns) / static_cast<double>(own_ns) : 0;
        tally.addTo(summary, from_ns, to_ns);
        busy_ns += static_cast<double>(each.busy_ns);
        total_ns += static_cast<double>(own_ns);
        summary.start_ns = std::min(summary.start_ns, from_ns);
        summary.end_ns = std::max(summary.end_ns, to_ns);
        summary.span_ns = std::max(summary.span_ns, each.last_end_ns - each.first_start_ns);
        summary.optimizer_ns = std::max(summary.optimizer_ns, each.optimizer_ns);
    }
    summary.iteration_ns = std::llround(total_ns / std::max(1.0, static_cast<double>(ranks.size())));
    if (total_ns > 0) summary.bubble_of_total = 1 - busy_ns / total_ns;
    if (busy_ns > 0) summary.bubble_of_ideal = (total_ns - busy_ns) / busy_ns;
    return summary;
}

}  // namespace bscope
