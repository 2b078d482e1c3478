#include "timeline/predict_summary.h"

#include <vector>

#include "timeline/player.h"
#include "timeline/predict.h"
#include "timeline/rank_tally.h"

namespace bscope {

namespace {

// As summarize() has it, the whole of a program is no piece of a stream, unless one rank alone does all of
// it.
class SummarySink {
public:
    explicit SummarySink(const Program& program) {
        if (program.schedule.step_every > 0 && program.actions.size() == 1) {
            ranks_.emplace_back(0, 0, std::nullopt);
            return;
        }
        for (std::size_t rank = 0; rank < program.actions.size(); ++rank)
            ranks_.emplace_back(static_cast<int>(rank));
    }

    void expect(std::size_t, std::size_t, std::size_t, std::size_t) {}
    void compute(const Event& event) { of(event.rank).compute(event); }
    void receive(const Event& event) { of(event.rank).receive(event); }
    void memory(const MemoryPoint& point) { of(point.rank).memory(point); }

    IterationSummary summary() const { return summaryOf(ranks_, Provenance::Predicted, 0); }

private:
    RankTally& of(std::int16_t rank) { return ranks_[static_cast<std::size_t>(rank)]; }
    std::vector<RankTally> ranks_;
};

}  // namespace

IterationSummary predictSummary(const Program& program, const Costs& costs) {
    SummarySink sink(program);
    Player(program, costs, Overlap::Serial, 0, 0, sink).run();
    return sink.summary();
}

IterationSummary predictSummary(const EndlessStream& stream, const Costs& costs) {
    return summarize(predict(stream, costs), stream.steadyIteration());
}

}  // namespace bscope
