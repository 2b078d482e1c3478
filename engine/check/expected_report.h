// ExpectedReports: what the reports of a run have to state, as far as the run's start, an iteration's events
// and a report's other values decide it. The rest stays as stated: loss and norm of the gradients, what the
// host timed, what only the machine knows (buffers, driver, reserved memory, throttling, launch gaps), and
// the durations of the costs. Immutable; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "catalog/endless_stream.h"
#include "schedule/program.h"
#include "timeline/analysis.h"
#include "timeline/kernel_log.h"
#include "report/report.h"
#include "timeline/timeline.h"

namespace bscope {

// One rank's sums over the shards of its stages in one iteration.
struct ShardSpans {
    RankReport sums;    // shards_*
    PartsOfRank parts;  // that came
};

class ExpectedReports {
public:
    explicit ExpectedReports(IterationStart start);

    // Its layers and its placement are those of its configuration and its order.
    const IterationStart& start() const { return start_; }
    // Only where isWhole() was true of an iteration.
    const Schedule& order() const { return *order_; }
    // Every rank has computed all its operations. False of a start whose order neither travelled nor can be
    // made again.
    bool isWhole(const Timeline& iteration) const;
    // An iteration without events: GPUs run some without being traced.
    bool provesLength(const IterationReport& stated) const;

    // summary: of events that are whole, which `own` holds without those of the iteration before. shards:
    // (ranks,). The stated report has all ranks.
    IterationReport ofEvents(const IterationReport& stated, const Timeline& own,
                             const IterationSummary& summary, std::span<const ShardSpans> shards) const;
    // Of an iteration that was not traced.
    IterationReport ofLength(const IterationReport& stated) const;

private:
    void takeOrder();
    void takeSizes();
    void takeProgram();
    void fillFromEvents(IterationReport& report, const Timeline& own, const IterationSummary& summary,
                        std::span<const ShardSpans> shards) const;
    void fillVersions(IterationReport& report, const Timeline& own) const;
    void fillFromStart(IterationReport& report) const;
    void fillFromCosts(IterationReport& report) const;

    IterationStart start_;
    std::optional<Schedule> order_;
    bool is_stream_ = false;
    std::optional<Program> program_;  // nullopt: the order cannot be played
    std::optional<EndlessStream> stream_;
    std::vector<std::size_t> operations_;     // (ranks,) of one iteration; empty: the order is not known
    std::vector<std::int64_t> weight_bytes_;  // (ranks,) of one version; empty: the sizes are not known
    std::vector<std::int64_t> optimizer_bytes_;  // likewise
    std::vector<ChunkBytes> chunks_;          // (stages,)
};

}  // namespace bscope
