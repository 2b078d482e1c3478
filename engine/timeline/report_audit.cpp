#include "timeline/report_audit.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "catalog/catalog.h"
#include "timeline/analysis.h"
#include "timeline/mean_durations.h"
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
    order_.reset();
    operations_.clear();
    last_reported_ = start.iteration - 1;
    seen_.erase(seen_.lower_bound(start.iteration), seen_.end());
    dropFrom(start.iteration, disagreements_, [](const Disagreement& each) { return each.iteration; });
    for (std::vector<std::int32_t>* of : {&unproven_, &repeated_})
        dropFrom(start.iteration, *of, [](std::int32_t iteration) { return iteration; });
    try {
        order_ = start.schedule ? *start.schedule : makeSchedule(start.config.schedule, start.config.params);
        const Schedule& order = *order_;
        is_stream_ = order.step_every > 0;
        if (is_stream_) {  // the order is a piece of it; EndlessStream::share()
            operations_.assign(order.orders.size(), static_cast<std::size_t>(start.config.params.m));
            return;
        }
        for (const std::vector<Action>& of_rank : order.orders)
            operations_.push_back(static_cast<std::size_t>(std::ranges::count_if(
                of_rank, [this](const Action& a) { return countsAsOperation(a.op, is_stream_); })));
    } catch (const std::exception&) {
        order_.reset();
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
    if (std::exchange(last_reported_, std::max(last_reported_, report.iteration)) >= report.iteration)
        repeated_.push_back(report.iteration);
    if (!has_events && !report.isTraced()) return report;
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
    if (is_stream_) compareStaleness(*seen->second.timeline, report, recomputed);
    compareWithStart(report, recomputed);
    ++audited_;
    seen_.erase(seen_.begin(), seen);
    return recomputed;
}

void ReportAudit::compare(const IterationReport& reported, const IterationReport& recomputed) {
    const auto hold = [&](const std::string& number, double stated, double found) {
        if (!isSame(stated, found))
            disagreements_.push_back(
                {.iteration = reported.iteration, .number = number, .reported = stated, .recomputed = found});
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

// OPT events say by how much the gradients of a step were late.
void ReportAudit::compareStaleness(const Timeline& timeline, const IterationReport& reported,
                                   IterationReport& corrected) {
    for (RankReport& rank : corrected.ranks) rank.staleness = 0;
    for (int rank = 0; rank < timeline.ranks(); ++rank)
        for (const Event& event : timeline.compute(rank))
            if (event.op == Op::OptimizerStep && event.iteration == reported.iteration) {
                int& found = corrected.ranks[static_cast<std::size_t>(rank)].staleness;
                found = std::max<int>(found, event.staleness);
            }
    for (std::size_t i = 0; i < reported.ranks.size(); ++i)
        if (reported.ranks[i].staleness != corrected.ranks[i].staleness)
            disagreements_.push_back({.iteration = reported.iteration,
                                      .number = "ranks[" + std::to_string(i) + "].staleness",
                                      .reported = static_cast<double>(reported.ranks[i].staleness),
                                      .recomputed = static_cast<double>(corrected.ranks[i].staleness)});
}

std::optional<double> ReportAudit::theoryOf(const IterationReport& report) const {
    if (is_stream_) return 0.0;
    const Costs& costs = start_->import ? start_->import->costs : report.costs;
    return closedFormBubble(*order_, costs, report.recompute);
}

// What a report repeats of the start that it belongs to.
void ReportAudit::compareWithStart(const IterationReport& reported, IterationReport& corrected) {
    using With = Disagreement::With;
    const RunConfig& config = start_->config;
    const auto words = [&](const char* name, std::string& field, const std::string& of_start) {
        if (field == of_start) return;
        disagreements_.push_back({.iteration = reported.iteration,
                                  .number = name,
                                  .with = With::Start,
                                  .reported_words = field,
                                  .recomputed_words = of_start});
        field = of_start;
    };
    const auto number = [&]<class Number>(const char* name, Number& field, Number of_start) {
        if (field == of_start) return;
        disagreements_.push_back({.iteration = reported.iteration,
                                  .number = name,
                                  .reported = static_cast<double>(field),
                                  .recomputed = static_cast<double>(of_start),
                                  .with = With::Start});
        field = of_start;
    };
    const auto value = [&]<class Value>(const char* name, Value& field, Value of_start) {
        std::string text = toText(field);
        words(name, text, toText(of_start));
        field = of_start;
    };
    words("schedule", corrected.schedule, order_->name);
    number("p", corrected.p, config.params.p);
    number("m", corrected.m, config.params.m);
    number("v", corrected.v, config.params.v);
    number("d", corrected.d, config.params.d);
    number("t", corrected.t, config.params.t);
    number("sequence_parallel", corrected.sequence_parallel, config.sequence_parallel);
    value("recompute", corrected.recompute, order_->isForwardOnly() ? Recompute::None : config.recompute);
    if (!start_->import) value("checkpoint_every", corrected.checkpoint_every, config.checkpoint_every);
    value("provenance", corrected.provenance, start_->provenance);
    const std::optional<double> theory = theoryOf(corrected), stated = corrected.theory_bubble_of_total;
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    if (!stated || isSame(theory.value_or(none), *stated)) return;
    disagreements_.push_back({.iteration = reported.iteration,
                              .number = "theory_bubble_of_total",
                              .reported = *stated,
                              .recomputed = theory.value_or(none),
                              .with = With::Start});
    corrected.theory_bubble_of_total = theory;
}

std::string ReportAudit::Disagreement::reportedText(int digits) const {
    return reported_words.empty() && recomputed_words.empty() ? shortText(reported, digits) : reported_words;
}
std::string ReportAudit::Disagreement::recomputedText(int digits) const {
    return reported_words.empty() && recomputed_words.empty() ? shortText(recomputed, digits)
                                                              : recomputed_words;
}

std::vector<Sentence> ReportAudit::sentences(int first) const {
    if (start_ && start_->import) first = 0;
    std::vector<Sentence> said;
    struct Found {
        std::string iterations;
        std::size_t count = 0;
        const Disagreement* first = nullptr;
    };
    const auto foundWith = [&](Disagreement::With with) {
        Found found;
        std::vector<std::int32_t> iterations;
        for (const Disagreement& each : disagreements_) {
            if (each.with != with) continue;
            if (found.count++ == 0) found.first = &each;
            if (iterations.empty() || iterations.back() != each.iteration)
                iterations.push_back(each.iteration);
        }
        found.iterations = listed(iterations, first);
        return found;
    };
    if (const Found found = foundWith(Disagreement::With::Events); found.count > 0)
        said.push_back(sentence(
            "The recording contradicts itself: reports state numbers that do not follow from their events "
            "(iterations: {0}; numbers: {1}; first: {2} of iteration {3} is reported as {4} and is {5}). "
            "The numbers shown are those of the events.",
            found.iterations, found.count, found.first->number, first + found.first->iteration,
            found.first->reportedText(6), found.first->recomputedText(6)));
    if (const Found found = foundWith(Disagreement::With::Start); found.count > 0)
        said.push_back(sentence(
            "The recording contradicts itself: reports name another configuration than the one that ran "
            "(iterations: {0}; values: {1}; first: {2} of iteration {3} is reported as {4} and is {5}). "
            "What is shown is the one that ran.",
            found.iterations, found.count, found.first->number, first + found.first->iteration,
            found.first->reportedText(6), found.first->recomputedText(6)));
    if (!repeated_.empty())
        said.push_back(sentence("These iterations are reported more than once: {0}. The last report counts.",
                                listed(repeated_, first)));
    if (!unproven_.empty())
        said.push_back(sentence(
            "Operations of these iterations, or the start of their run, are missing in the file: {0}. Their "
            "numbers are those of their reports and could not be checked.",
            listed(unproven_, first)));
    return said;
}

}  // namespace bscope
