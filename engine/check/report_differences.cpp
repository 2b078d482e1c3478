#include "check/report_differences.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "words/number_text.h"

namespace bscope {
namespace {

constexpr double kSame = 1e-9, kNone = std::numeric_limits<double>::quiet_NaN();

bool isSame(double a, double b) {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
    return a == b || std::abs(a - b) <= kSame * std::max(std::abs(a), std::abs(b));
}

class Differences {
public:
    explicit Differences(std::int32_t iteration) : iteration_(iteration) {}

    void with(Disagreement::With with) { with_ = with; }
    void number(const std::string& name, double stated, double expected) {
        if (isSame(stated, expected)) return;
        found_.push_back({.iteration = iteration_,
                          .number = name,
                          .reported = stated,
                          .recomputed = expected,
                          .with = with_});
    }
    void count(const std::string& name, std::int64_t stated, std::int64_t expected) {
        number(name, static_cast<double>(stated), static_cast<double>(expected));
    }
    void words(const std::string& name, const std::string& stated, const std::string& expected) {
        if (stated == expected) return;
        found_.push_back({.iteration = iteration_,
                          .number = name,
                          .with = with_,
                          .reported_words = stated,
                          .recomputed_words = expected});
    }
    std::vector<Disagreement> take() { return std::move(found_); }

private:
    std::int32_t iteration_;
    Disagreement::With with_ = Disagreement::With::Events;
    std::vector<Disagreement> found_;
};

std::string placeOf(const char* list, std::size_t index) {
    return std::string(list) + "[" + std::to_string(index) + "].";
}

void compareLengths(Differences& found, const IterationReport& stated, const IterationReport& expected) {
    found.number("iteration_ms", stated.iteration_ms, expected.iteration_ms);
    found.number("span_ms", stated.span_ms, expected.span_ms);
    found.number("optimizer_ms", stated.optimizer_ms, expected.optimizer_ms);
    found.number("bubble_of_total", stated.bubble_of_total, expected.bubble_of_total);
    found.number("bubble_of_ideal", stated.bubble_of_ideal, expected.bubble_of_ideal);
}

void compareRank(Differences& found, const std::string& rank, const RankReport& stated,
                 const RankReport& expected) {
    found.count(rank + "rank", stated.rank, expected.rank);
    found.number(rank + "busy_ms", stated.busy_ms, expected.busy_ms);
    found.number(rank + "wait_ms", stated.wait_ms, expected.wait_ms);
    found.number(rank + "transfer_ms", stated.transfer_ms, expected.transfer_ms);
    found.number(rank + "bubble_of_total", stated.bubble_of_total, expected.bubble_of_total);
    found.count(rank + "peak_activation_bytes", stated.peak_activation_bytes, expected.peak_activation_bytes);
    found.count(rank + "peak_in_flight", stated.peak_in_flight, expected.peak_in_flight);
    found.count(rank + "weight_versions", stated.weight_versions, expected.weight_versions);
    found.count(rank + "stashed_weight_bytes", stated.stashed_weight_bytes, expected.stashed_weight_bytes);
    found.count(rank + "staleness", stated.staleness, expected.staleness);
    found.number(rank + "shards_wait_ms", stated.shards_wait_ms, expected.shards_wait_ms);
    found.number(rank + "shards_transfer_ms", stated.shards_transfer_ms, expected.shards_transfer_ms);
    found.count(rank + "shards_bytes", stated.shards_bytes, expected.shards_bytes);
}

void compareState(Differences& found, const std::string& rank, const RankReport& stated,
                  const RankReport& expected) {
    found.count(rank + "weight_bytes", stated.weight_bytes, expected.weight_bytes);
    found.count(rank + "gradient_bytes", stated.gradient_bytes, expected.gradient_bytes);
    found.count(rank + "optimizer_bytes", stated.optimizer_bytes, expected.optimizer_bytes);
}

void compareConfiguration(Differences& found, const IterationReport& stated,
                          const IterationReport& expected) {
    found.words("schedule", stated.schedule, expected.schedule);
    found.count("p", stated.p, expected.p);
    found.count("m", stated.m, expected.m);
    found.count("v", stated.v, expected.v);
    found.count("d", stated.d, expected.d);
    found.count("zero", stated.zero, expected.zero);
    found.count("segments", stated.segments, expected.segments);
    found.count("t", stated.t, expected.t);
    found.count("sequence_parallel", stated.sequence_parallel, expected.sequence_parallel);
    found.words("recompute", toText(stated.recompute), toText(expected.recompute));
    found.words("checkpoint_every", toText(stated.checkpoint_every), toText(expected.checkpoint_every));
    found.words("provenance", toText(stated.provenance), toText(expected.provenance));
    found.words("device", stated.device, expected.device);
    found.number("theory_bubble_of_total", stated.theory_bubble_of_total.value_or(kNone),
                 expected.theory_bubble_of_total.value_or(kNone));
}

void compareBytes(Differences& found, const Costs& stated, const Costs& expected) {
    for (std::size_t stage = 0; stage < std::min(stated.stages.size(), expected.stages.size()); ++stage)
        for (const ByteField& field : kByteFields)
            found.count(placeOf("costs.stages", stage) + field.name, stated.stages[stage].*field.bytes,
                        expected.stages[stage].*field.bytes);
    found.number("costs.message_bytes", stated.message_bytes, expected.message_bytes);
    found.number("costs.link.latency_us", stated.link.latency_us, expected.link.latency_us);
    found.number("costs.link.gbps", stated.link.gbps, expected.link.gbps);
}

std::string listed(const std::vector<int>& numbers) {
    std::string text;
    for (const int number : numbers) text += (text.empty() ? "" : ",") + std::to_string(number);
    return text;
}

}  // namespace

std::string Disagreement::reportedText(int digits) const {
    return reported_words.empty() && recomputed_words.empty() ? shortText(reported, digits) : reported_words;
}

std::string Disagreement::recomputedText(int digits) const {
    return reported_words.empty() && recomputed_words.empty() ? shortText(recomputed, digits)
                                                              : recomputed_words;
}

std::vector<Disagreement> differences(const IterationReport& stated, const IterationReport& expected) {
    using With = Disagreement::With;
    Differences found(stated.iteration);
    compareLengths(found, stated, expected);
    found.number("tokens_per_s", stated.tokens_per_s, expected.tokens_per_s);
    for (std::size_t rank = 0; rank < stated.ranks.size(); ++rank)
        compareRank(found, placeOf("ranks", rank), stated.ranks[rank], expected.ranks[rank]);
    found.with(With::Start);
    compareConfiguration(found, stated, expected);
    for (std::size_t rank = 0; rank < stated.ranks.size(); ++rank)
        compareState(found, placeOf("ranks", rank), stated.ranks[rank], expected.ranks[rank]);
    compareBytes(found, stated.costs, expected.costs);
    found.with(With::Own);
    found.number("predicted_bubble_of_total", stated.predicted_bubble_of_total,
                 expected.predicted_bubble_of_total);
    found.number("predicted_iteration_ms", stated.predicted_iteration_ms, expected.predicted_iteration_ms);
    found.words("disturbed", stated.disturbed ? "true" : "false", expected.disturbed ? "true" : "false");
    return found.take();
}

std::vector<Disagreement> differences(const IterationStart& stated, const IterationStart& expected) {
    Differences found(stated.iteration);
    found.with(Disagreement::With::Own);
    found.words("placement", listed(stated.placement), listed(expected.placement));
    found.words("layers_per_stage", listed(stated.layers_per_stage), listed(expected.layers_per_stage));
    return found.take();
}

}  // namespace bscope
