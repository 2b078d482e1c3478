// ReportAudit: checks the reports of a recording against the events beside them. An iteration all of whose
// operations are there is summed up anew; a report that states other numbers is corrected, and the
// disagreement is kept. What no event says (loss, durations on the host, predictions) stays as reported.
// Follows a recording message by message in its order; keeps the events of the last two iterations only.
// Plain data; one thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "timeline/report.h"
#include "timeline/timeline.h"

namespace bscope {

class ReportAudit {
public:
    // A number of a report that its events contradict; NaN where a side has none.
    struct Disagreement {
        std::int32_t iteration = 0;
        std::string number;  // as `bscope run --json` names it: "bubble_of_total", "ranks[2].busy_ms"
        double reported = 0, recomputed = 0;
        bool operator==(const Disagreement&) const = default;
    };

    void started(const IterationStart& start);
    void events(std::span<const Event> events);
    void memory(std::span<const MemoryPoint> points);
    // The report as the events of its iteration have it.
    IterationReport finished(IterationReport report);

    // Of the iterations that are still valid, as are the following.
    const std::vector<Disagreement>& disagreements() const { return disagreements_; }
    // Iterations whose report stands alone: operations of theirs are missing.
    const std::vector<std::int32_t>& unproven() const { return unproven_; }
    // Iterations that were summed up anew.
    std::size_t audited() const { return audited_; }
    // For the reader of the recording: at most one sentence a kind. first: the number that the first
    // iteration of an own run is shown with; those of other programs have their own.
    std::vector<Sentence> sentences(int first = 0) const;

private:
    struct Seen {
        std::optional<Timeline> timeline;
        bool misfits = false;  // events that no rank could have
    };
    Seen* seenOf(std::int32_t iteration);
    template <class Item>
    void append(std::span<const Item> items);
    bool isWhole(const Timeline& timeline) const;
    void compare(const IterationReport& reported, const IterationReport& recomputed);

    std::optional<IterationStart> start_;
    std::vector<std::size_t> operations_;  // (ranks,) of one iteration; empty: the order is not known
    bool is_stream_ = false;
    std::map<std::int32_t, Seen> seen_;
    std::vector<Disagreement> disagreements_;
    std::vector<std::int32_t> unproven_;
    std::size_t audited_ = 0;
};

}  // namespace bscope
