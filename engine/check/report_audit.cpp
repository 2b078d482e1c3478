#include "check/report_audit.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "check/invariants.h"
#include "timeline/analysis.h"
#include "report/measured_report.h"
#include "timeline/stream_pieces.h"

namespace bscope {
namespace {

constexpr int kMostNamed = 8;  // iterations in a sentence

std::string listed(const std::vector<std::int32_t>& iterations, int first) {
    std::string text;
    const std::size_t shown = std::min<std::size_t>(iterations.size(), kMostNamed);
    for (std::size_t i = 0; i < shown; ++i)
        text += (i > 0 ? ", " : "") + std::to_string(first + iterations[i]);
    return shown < iterations.size() ? text + ", ..." : text;
}

void addOnce(std::vector<std::int32_t>& iterations, std::int32_t iteration) {
    const auto place = std::ranges::lower_bound(iterations, iteration);
    if (place == iterations.end() || *place != iteration) iterations.insert(place, iteration);
}

}  // namespace

IterationStart ReportAudit::started(IterationStart start) {
    const std::int32_t first = start.iteration;
    expected_.emplace(start);
    last_reported_ = first - 1;
    seen_.erase(seen_.lower_bound(first), seen_.end());
    std::erase_if(disagreements_, [&](const Disagreement& each) { return each.iteration >= first; });
    for (std::vector<std::int32_t>* of : {&unproven_, &repeated_, &late_, &disordered_})
        std::erase_if(*of, [&](std::int32_t iteration) { return iteration >= first; });
    correct(start, expected_->start());
    return start;
}

template <class Value>
void ReportAudit::correct(Value& stated, Value expected) {
    const std::vector<Disagreement> found = differences(stated, expected);
    disagreements_.insert(disagreements_.end(), found.begin(), found.end());
    stated = std::move(expected);
}

ReportAudit::Seen* ReportAudit::seenOf(std::int32_t iteration) {
    if (!expected_) return nullptr;
    const int ranks = expected_->start().config.params.layout().world();
    return &seen_
                .try_emplace(iteration, Seen{Timeline(ranks, expected_->start().provenance),
                                             std::vector<ShardSpans>(static_cast<std::size_t>(ranks))})
                .first->second;
}

template <class Item>
std::vector<Item> ReportAudit::taken(std::vector<Item> items) {
    std::erase_if(items, [this](const Item& item) {
        if (item.iteration > last_reported_) return false;
        addOnce(late_, item.iteration);
        return true;
    });
    Seen* seen = nullptr;
    std::int32_t of = -1;
    for (const Item& item : items) {
        if (!seen || item.iteration != of) seen = seenOf(of = item.iteration);
        if (!seen) continue;
        try {
            seen->timeline.append(item);
        } catch (const std::invalid_argument&) {
            seen->misfits = true;
        }
    }
    return items;
}

std::vector<Event> ReportAudit::events(std::vector<Event> events) {
    return taken(std::move(events));
}

std::vector<MemoryPoint> ReportAudit::memory(std::vector<MemoryPoint> points) {
    return taken(std::move(points));
}

// Kernels of a stream of GPUs come after the report of their iteration, and none of them is a sum.
void ReportAudit::kernels(const KernelPart& part) {
    if (part.kernels.empty() || part.kernels.front().iteration <= last_reported_) return;
    Seen* const seen = seenOf(part.kernels.front().iteration);
    const auto rank = static_cast<std::size_t>(part.rank);
    if (!seen || rank >= seen->shards.size()) return;
    seen->shards[rank].parts.take(part);
    addShardSums(seen->shards[rank].sums, part.kernels);
}

const ReportAudit::Seen* ReportAudit::proofOf(const IterationReport& report) const {
    const auto seen = seen_.find(report.iteration);
    if (seen == seen_.end() || report.iteration < expected_->start().iteration || seen->second.misfits ||
        report.ranks.size() != static_cast<std::size_t>(seen->second.timeline.ranks()) ||
        !hasComputed(seen->second.timeline, report.iteration) || !expected_->isWhole(seen->second.timeline))
        return nullptr;
    return &seen->second;
}

std::shared_ptr<const Timeline> ReportAudit::timelineOf(std::int32_t iteration, const Seen& seen) const {
    const auto before = seen_.find(iteration - 1);
    if (before != seen_.end() && continues(before->second.timeline, seen.timeline))
        return joined(before->second.timeline, seen.timeline);
    return {std::shared_ptr<const Timeline>(), &seen.timeline};
}

IterationReport ReportAudit::finished(IterationReport report) {
    if (std::exchange(last_reported_, std::max(last_reported_, report.iteration)) >= report.iteration)
        addOnce(repeated_, report.iteration);
    const auto seen = seen_.find(report.iteration);
    const bool has_events = seen != seen_.end() && hasComputed(seen->second.timeline, report.iteration);
    if (const Seen* const proof = proofOf(report)) {
        const std::shared_ptr<const Timeline> timeline = timelineOf(report.iteration, *proof);
        correct(report, expected_->ofEvents(report, proof->timeline, summarize(*timeline, report.iteration),
                                            proof->shards));
        if (looks_at_operations_ &&
            !operationsHold({expected_->start(), expected_->order(), report, *timeline}))
            addOnce(disordered_, report.iteration);
        ++audited_;
    } else if (!has_events && !report.isTraced() && expected_ && expected_->provesLength(report)) {
        correct(report, expected_->ofLength(report));
    } else {
        addOnce(unproven_, report.iteration);
    }
    seen_.erase(seen_.begin(), seen_.lower_bound(report.iteration));
    return report;
}

namespace {

// The disagreements of one kind: iterations, how many, the first.
struct Found {
    std::string iterations;
    std::size_t count = 0;
    const Disagreement* first = nullptr;
};

Found foundWith(const std::vector<Disagreement>& disagreements, Disagreement::With with, int first) {
    Found found;
    std::vector<std::int32_t> iterations;
    for (const Disagreement& each : disagreements) {
        if (each.with != with) continue;
        if (found.count++ == 0) found.first = &each;
        addOnce(iterations, each.iteration);
    }
    found.iterations = listed(iterations, first);
    return found;
}

const char* contradictionWith(Disagreement::With with) {
    switch (with) {
        case Disagreement::With::Events:
            return "The recording contradicts itself: reports state numbers that do not follow from their "
                   "events (iterations: {0}; numbers: {1}; first: {2} of iteration {3} is reported as {4} "
                   "and is {5}). The numbers shown are those of the events.";
        case Disagreement::With::Start:
            return "The recording contradicts itself: reports name another configuration than the one that "
                   "ran (iterations: {0}; values: {1}; first: {2} of iteration {3} is reported as {4} and is "
                   "{5}). What is shown is the one that ran.";
        case Disagreement::With::Own:
            return "The recording contradicts itself: values do not follow from others beside them "
                   "(iterations: {0}; values: {1}; first: {2} of iteration {3} is reported as {4} and is "
                   "{5}). What is shown follows from the others.";
    }
    return "";
}

}  // namespace

std::vector<Sentence> ReportAudit::sentences(int first) const {
    if (expected_ && expected_->start().import) first = 0;
    std::vector<Sentence> said;
    for (const auto with : {Disagreement::With::Events, Disagreement::With::Start, Disagreement::With::Own})
        if (const Found found = foundWith(disagreements_, with, first); found.count > 0)
            said.push_back(sentence(contradictionWith(with), found.iterations, found.count,
                                    found.first->number, first + found.first->iteration,
                                    found.first->reportedText(6), found.first->recomputedText(6)));
    if (!repeated_.empty())
        said.push_back(sentence("These iterations are reported more than once: {0}. The last report counts.",
                                listed(repeated_, first)));
    if (!late_.empty())
        said.push_back(sentence(
            "Events or memory points of these iterations come after their reports and are left out: {0}.",
            listed(late_, first)));
    if (!disordered_.empty())
        said.push_back(sentence(
            "Operations of these iterations overlap, are not those of their order, or begin before their "
            "input is there: {0}. bscope check lists them.",
            listed(disordered_, first)));
    if (!unproven_.empty())
        said.push_back(sentence(
            "Operations of these iterations, or the start of their run, are missing in the file: {0}. Their "
            "numbers are those of their reports and could not be checked.",
            listed(unproven_, first)));
    return said;
}

}  // namespace bscope
