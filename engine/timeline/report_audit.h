// ReportAudit: checks the reports of a recording against the events beside them. An iteration all of whose
// operations are there is summed up anew; a report that states other numbers, or another configuration than
// the start that it belongs to, is corrected, and the disagreement is kept. What neither says (loss,
// durations on the host, predictions) stays as reported.
// Follows a recording message by message in its order; keeps the events of the last two iterations only.
// Plain data; one thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "schedule/schedule.h"
#include "timeline/report.h"
#include "timeline/timeline.h"

namespace bscope {

class ReportAudit {
public:
    // A value of a report that its events or its start contradict.
    struct Disagreement {
        enum class With : std::uint8_t { Events, Start };
        std::int32_t iteration = 0;
        std::string number = {};  // as `bscope run --json` names it: "bubble_of_total", "ranks[2].busy_ms"
        double reported = 0, recomputed = 0;  // NaN where a side has none, or where the value is words
        With with = With::Events;
        std::string reported_words = {}, recomputed_words = {};
        bool operator==(const Disagreement&) const = default;

        // Numbers with so many digits.
        std::string reportedText(int digits) const;
        std::string recomputedText(int digits) const;
    };

    void started(const IterationStart& start);
    void events(std::span<const Event> events);
    void memory(std::span<const MemoryPoint> points);
    // The report as the events of its iteration have it.
    IterationReport finished(IterationReport report);

    // Of the iterations that are still valid, as are the following.
    const std::vector<Disagreement>& disagreements() const { return disagreements_; }
    // Iterations whose report stands alone: operations of theirs are missing, or their start is.
    const std::vector<std::int32_t>& unproven() const { return unproven_; }
    // Iterations with a report after the one that counts: the last one does.
    const std::vector<std::int32_t>& repeated() const { return repeated_; }
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

    void compareStaleness(const Timeline& timeline, const IterationReport& reported,
                          IterationReport& corrected);
    void compareWithStart(const IterationReport& reported, IterationReport& corrected);
    // Of a start whose order is known; empty, of one that is not.
    std::optional<double> theoryOf(const IterationReport& report) const;

    std::optional<IterationStart> start_;
    std::optional<Schedule> order_;        // nullopt: neither travelled nor can be made again
    std::vector<std::size_t> operations_;  // (ranks,) of one iteration; empty: the order is not known
    bool is_stream_ = false;
    std::map<std::int32_t, Seen> seen_;
    std::vector<Disagreement> disagreements_;
    std::vector<std::int32_t> unproven_, repeated_;
    std::int32_t last_reported_ = -1;
    std::size_t audited_ = 0;
};

}  // namespace bscope
