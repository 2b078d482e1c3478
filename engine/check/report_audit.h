// ReportAudit: checks the reports of a recording against the events beside them. An iteration all of whose
// operations are there is summed up anew; what a report states otherwise than its events, the start that it
// belongs to or its own other values do (ExpectedReports) is corrected, and the disagreement is kept. What
// comes after the report of its iteration is left out. Follows a recording message by message in its order;
// keeps the events of the last two iterations only. Plain data; one thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "check/expected_report.h"
#include "check/report_differences.h"
#include "timeline/kernel_log.h"
#include "report/report.h"
#include "timeline/timeline.h"

namespace bscope {

class ReportAudit {
public:
    // Damage may have gone unnoticed: orders and dependencies of the operations are looked at as well.
    void lacksChecksums() { looks_at_operations_ = true; }
    // The start as its configuration and its order have it.
    IterationStart started(IterationStart start);
    // Those of iterations that are not yet reported.
    std::vector<Event> events(std::vector<Event> events);
    std::vector<MemoryPoint> memory(std::vector<MemoryPoint> points);
    void kernels(const KernelPart& part);
    // The report as the events of its iteration have it.
    IterationReport finished(IterationReport report);

    // Of the iterations that are still valid, as are the following.
    const std::vector<Disagreement>& disagreements() const { return disagreements_; }
    // Iterations whose report stands alone: operations of theirs are missing, or their start is.
    const std::vector<std::int32_t>& unproven() const { return unproven_; }
    // Iterations with a report after the one that counts: the last one does.
    const std::vector<std::int32_t>& repeated() const { return repeated_; }
    // Iterations with events or memory points that came after their report.
    const std::vector<std::int32_t>& late() const { return late_; }
    // Of files without checksums, iterations whose operations overlap, are not those of their order, or begin
    // before their input is there.
    const std::vector<std::int32_t>& disordered() const { return disordered_; }
    // Iterations that were summed up anew.
    std::size_t audited() const { return audited_; }
    // For the reader of the recording: at most one sentence a kind. first: the number that the first
    // iteration of an own run is shown with; those of other programs have their own.
    std::vector<Sentence> sentences(int first = 0) const;

private:
    struct Seen {
        Timeline timeline;
        std::vector<ShardSpans> shards;  // (ranks,)
        bool misfits = false;            // events that no rank could have
    };
    Seen* seenOf(std::int32_t iteration);
    template <class Item>
    std::vector<Item> taken(std::vector<Item> items);
    // Its events, when they prove its report.
    const Seen* proofOf(const IterationReport& report) const;
    // Of a stream that goes on with the iteration before.
    std::shared_ptr<const Timeline> timelineOf(std::int32_t iteration, const Seen& seen) const;
    template <class Value>
    void correct(Value& stated, Value expected);

    std::optional<ExpectedReports> expected_;  // nullopt: before the first start
    std::map<std::int32_t, Seen> seen_;
    std::vector<Disagreement> disagreements_;
    std::vector<std::int32_t> unproven_, repeated_, late_, disordered_;
    std::int32_t last_reported_ = -1;
    bool looks_at_operations_ = false;
    std::size_t audited_ = 0;
};

}  // namespace bscope
