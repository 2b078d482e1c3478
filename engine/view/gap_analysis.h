// GapAnalysis: why the ranks of an iteration stand still, with the events that this refers to. Immutable, so
// that views share it and any thread makes it.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "analysis/causes.h"
#include "analysis/critical_path.h"
#include "view/view_data.h"

namespace bscope {

struct GapAnalysis {
    GapAnalysis(std::shared_ptr<const Timeline> its_events, IterationSummary summary, const RunFacts& facts)
        : events(std::move(its_events)),
          causes(*events, std::move(summary), facts),
          slack_ns(slack(causes.graph())) {}

    // The critical path, from its end back.
    std::vector<Reason> criticalPath() const;
    // INT64_MAX: nothing follows; nullopt: it is not among the events.
    std::optional<std::int64_t> slackOf(const Event& event) const;

    std::shared_ptr<const Timeline> events;  // before the causes, which refer to them
    BubbleCauses causes;
    std::vector<std::int64_t> slack_ns;  // (nodes of its graph,)
};

// Of a complete iteration or, where nothing ran, of its plan; order: what it ran. Null when it has no
// operation.
std::shared_ptr<const GapAnalysis> analysisOf(const IterationView& view, const Schedule& order);
// Operations that it would look at.
std::size_t operationsOf(const IterationView& view);

// Of an iteration that still runs: `settled` is what of it is known for sure, summary without the gaps whose
// end is not known.
std::shared_ptr<const GapAnalysis> analysisSoFar(const IterationView& view, const Schedule& order,
                                                 std::shared_ptr<const Timeline> settled,
                                                 const IterationSummary& summary);

// The four hatches of idle time.
enum class CauseFamily : std::uint8_t { FillDrain, Dependency, Network, Other };
CauseFamily familyOf(BubbleCause cause);

}  // namespace bscope
