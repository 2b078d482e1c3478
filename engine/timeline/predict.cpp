#include "timeline/predict.h"

#include <utility>

#include "timeline/player.h"

namespace bscope {

namespace {

class TimelineSink {
public:
    explicit TimelineSink(const Program& program)
        : timeline_(static_cast<int>(program.actions.size()), Provenance::Predicted) {}

    void expect(std::size_t rank, std::size_t computes, std::size_t others, std::size_t receives) {
        timeline_.reserve(static_cast<int>(rank), computes + others, receives, 2 * computes);
    }
    void compute(const Event& event) { timeline_.append(event); }
    void receive(const Event& event) { timeline_.append(event); }
    void memory(const MemoryPoint& point) { timeline_.append(point); }

    Timeline take() && { return std::move(timeline_); }

private:
    Timeline timeline_;
};

}  // namespace

Timeline predict(const Program& program, const Costs& costs, Overlap overlap, std::int64_t start_ns,
                 std::int32_t iteration) {
    TimelineSink sink(program);
    Player(program, costs, overlap, start_ns, iteration, sink).run();
    return std::move(sink).take();
}

}  // namespace bscope
