#include "timeline/report_audit.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "schedule/catalog.h"
#include "timeline/analysis.h"
#include "timeline/measured_report.h"
#include "timeline/stream_pieces.h"
#include "words/number_text.h"

namespace bscope {
namespace {

constexpr double kSame = 1e-9;  // relative: the numbers are sums of the same integers, and doubles in the file
constexpr int kMostNamed = 8;   // iterations in a sentence

bool isSame(double a, double b) {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
    return a == b || std::abs(a - b) <= kSame * std::max(std::abs(a), std::abs(b));
}

bool countsAsOperation(Op op, bool is_stream) {
    return is_stream ? op == Op::Backward : isCompute(op) && op != Op::Recompute;
}

std::string listed(const std::vector<std::int32_t>& iterations, int first) {
    std::string text;
    const std::size_t shown = std::min<std::size_t>(iterations.size(), kMostNamed);
    for (std::size_t i = 0; i < shown; ++i) text += (i > 0 ? ", " : "") + std::to_string(first + iterations[i]);
    return shown < iterations.size() ? text + ", ..." : text;
}

template <class Item>
void dropFrom(std::int32_t iteration, std::vector<Item>& items, const auto& iterationOf) {
    std::erase_if(items, [&](const Item& item) { return iterationOf(item) >= iteration; });
}

}  // namespace

// Of an order that did not travel and cannot be made again nothing is whole.
void ReportAudit::started(const IterationStart& start) {
    start_ = start;
    operations_.clear();
    seen_.erase(seen_.lower_bound(start.iteration), seen_.end());
    dropFrom(start.iteration, disagreements_, [](const Disagreement& each) { return each.iteration; });
    dropFrom(start.iteration, unproven_, [](std::int32_t iteration) { return iteration; });
    try {
        const Schedule order =
            start.schedule ? *start.schedule : makeSchedule(start.config.schedule, start.config.params);
        is_stream_ = order.step_every > 0;
        if (is_stream_) {  // the order is a piece of it; EndlessStream::share()
            operations_.assign(order.orders.size(), static_cast<std::size_t>(start.config.params.m));
            return;
        }
        for (const std::vector<Action>& of_rank : order.orders)
            operations_.push_back(static_cast<std::size_t>(std::ranges::count_if(
                of_rank, [this](const Action& a) { return countsAsOperation(a.op, is_stream_); })));
    } catch (const std::exception&) {
        operations_.clear();
    }
}

ReportAudit::Seen* ReportAudit::seenOf(std::int32_t iteration) {
    if (!start_ || iteration < start_->iteration) return nullptr;
    Seen& seen = seen_[iteration];
    if (!seen.timeline) seen.timeline.emplace(start_->config.params.layout().world(), start_->provenance);
    return &seen;
}

template <class Item>
void ReportAudit::append(std::span<const Item> items) {
    Seen* seen = nullptr;
    std::int32_t of = -1;
    for (const Item& item : items) {
        if (!seen || item.iteration != of) seen = seenOf(of = item.iteration);
        if (!seen) continue;
        try {
            seen->timeline->append(item);
        } catch (const std::invalid_argument&) {
            seen->misfits = true;
        }
    }
}

void ReportAudit::events(std::span<const Event> events) {
    append(events);
}

void ReportAudit::memory(std::span<const MemoryPoint> points) {
    append(points);
}

bool ReportAudit::isWhole(const Timeline& timeline) const {
    if (operations_.size() != static_cast<std::size_t>(timeline.ranks())) return false;
    for (int rank = 0; rank < timeline.ranks(); ++rank) {
        const auto ran = std::ranges::count_if(timeline.compute(rank), [this](const Event& event) {
            return countsAsOperation(event.op, is_stream_);
        });
        if (static_cast<std::size_t>(ran) != operations_[static_cast<std::size_t>(rank)]) return false;
    }
    return true;
}

IterationReport ReportAudit::finished(IterationReport report) {
    const auto seen = seen_.find(report.iteration);
    const bool has_events = seen != seen_.end() && hasComputed(*seen->second.timeline, report.iteration);
    const bool is_of_start = start_ && report.iteration >= start_->iteration;
    if (!has_events && (!report.isTraced() || !is_of_start)) return report;
    const auto own_ranks = static_cast<std::size_t>(is_of_start ? start_->config.params.layout().world() : 0);
    if (!has_events || seen->second.misfits || report.ranks.size() != own_ranks ||
        !isWhole(*seen->second.timeline)) {
        unproven_.push_back(report.iteration);
        return report;
    }
    const auto before = seen_.find(report.iteration - 1);
    const bool goes_on =
        before != seen_.end() && continues(*before->second.timeline, *seen->second.timeline);
    const IterationSummary summary =
        summarize(goes_on ? *joined(*before->second.timeline, *seen->second.timeline) : *seen->second.timeline,
                  report.iteration);
    IterationReport recomputed = report;
    if (start_->import) {
        fillImported(recomputed, summary, start_->import->knows_transfers);
    } else {
        fillMeasured(recomputed, summary);
        recomputed.tokens_per_s = tokensPerSecond(start_->config, summary.iteration_ns);
    }
    compare(report, recomputed);
    ++audited_;
    seen_.erase(seen_.begin(), seen);
    return recomputed;
}

void ReportAudit::compare(const IterationReport& reported, const IterationReport& recomputed) {
    const auto hold = [&](const std::string& number, double stated, double found) {
        if (!isSame(stated, found))
            disagreements_.push_back({reported.iteration, number, stated, found});
    };
    hold("iteration_ms", reported.iteration_ms, recomputed.iteration_ms);
    hold("span_ms", reported.span_ms, recomputed.span_ms);
    hold("optimizer_ms", reported.optimizer_ms, recomputed.optimizer_ms);
    hold("bubble_of_total", reported.bubble_of_total, recomputed.bubble_of_total);
    hold("bubble_of_ideal", reported.bubble_of_ideal, recomputed.bubble_of_ideal);
    hold("tokens_per_s", reported.tokens_per_s, recomputed.tokens_per_s);
    for (std::size_t i = 0; i < reported.ranks.size(); ++i) {
        const RankReport &stated = reported.ranks[i], &found = recomputed.ranks[i];
        const std::string rank = "ranks[" + std::to_string(i) + "].";
        hold(rank + "rank", stated.rank, found.rank);
        hold(rank + "busy_ms", stated.busy_ms, found.busy_ms);
        hold(rank + "wait_ms", stated.wait_ms, found.wait_ms);
        hold(rank + "transfer_ms", stated.transfer_ms, found.transfer_ms);
        hold(rank + "bubble_of_total", stated.bubble_of_total, found.bubble_of_total);
        hold(rank + "peak_activation_bytes", static_cast<double>(stated.peak_activation_bytes),
             static_cast<double>(found.peak_activation_bytes));
        hold(rank + "peak_in_flight", stated.peak_in_flight, found.peak_in_flight);
    }
}

std::vector<Sentence> ReportAudit::sentences(int first) const {
    if (start_ && start_->import) first = 0;
    std::vector<Sentence> said;
    if (!disagreements_.empty()) {
        std::vector<std::int32_t> iterations;
        for (const Disagreement& each : disagreements_)
            if (iterations.empty() || iterations.back() != each.iteration)
                iterations.push_back(each.iteration);
        const Disagreement& one = disagreements_.front();
        said.push_back(sentence(
            "The recording contradicts itself: reports state numbers that do not follow from their events "
            "(iterations: {0}; numbers: {1}; first: {2} of iteration {3} is reported as {4} and is {5}). "
            "The numbers shown are those of the events.",
            listed(iterations, first), disagreements_.size(), one.number, first + one.iteration,
            shortText(one.reported, 6), shortText(one.recomputed, 6)));
    }
    if (!unproven_.empty())
        said.push_back(sentence(
            "Operations of these iterations are missing in the file: {0}. Their numbers are those of their "
            "reports and could not be checked.",
            listed(unproven_, first)));
    return said;
}

}  // namespace bscope
