#include "timeline/predict_length.h"

#include <algorithm>

#include "timeline/player.h"

namespace bscope {
namespace {

class LengthSink {
public:
    LengthSink(const SingleDurations& durations, const ScheduleParams& params)
        : durations_(durations), params_(params) {}

    void expect(std::size_t, std::size_t, std::size_t, std::size_t) {}
    void compute(const Event& event) { end_ns_ = std::max(end_ns_, event.end_ns); }
    void receive(const Event&) {}
    void memory(const MemoryPoint&) {}
    std::int64_t duration_ns(const Action& a) const {
        return durations_.at(a.stage, a.op, params_.pieceOf(a));
    }

    std::int64_t end_ns() const { return end_ns_; }

private:
    const SingleDurations& durations_;
    const ScheduleParams& params_;
    std::int64_t end_ns_ = 0;
};

// The longest of every stage and kind: what bounds the sum of all.
Costs longest(const SingleDurations& durations) {
    Costs costs;
    for (int stage = 0; stage < durations.stages(); ++stage) {
        StageCosts& of = costs.stages.emplace_back();
        for (const DurationField& field : kDurationFields)
            for (int i = 0; i < durations.pieces(); ++i)
                of.*field.ns = std::max(of.*field.ns, static_cast<double>(durations.at(stage, field.op, i)));
    }
    return costs;
}

}  // namespace

SingleDurations::SingleDurations(int stages, int pieces)
    : stages_(stages),
      pieces_(pieces),
      ns_(static_cast<std::size_t>(stages) * kKinds * static_cast<std::size_t>(pieces)) {}

std::int64_t predictLength(const Program& program, const SingleDurations& durations) {
    LengthSink sink(durations, program.schedule.params);
    const Costs costs = longest(durations);
    Player(program, costs, Overlap::Serial, 0, 0, sink).run();
    return sink.end_ns();
}

}  // namespace bscope
