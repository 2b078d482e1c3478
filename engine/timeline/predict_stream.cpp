// The finite piece of a stream is predicted like any program; then every event is put into the iteration of
// the share that it belongs to.
#include <map>
#include <utility>

#include "timeline/predict.h"

namespace bscope {

Timeline predict(const EndlessStream& stream, const Costs& costs) {
    const Timeline played = predict(stream.piece(), costs);
    Timeline timeline(played.ranks(), played.provenance());
    for (int rank = 0; rank < played.ranks(); ++rank) {
        std::map<std::pair<int, bool>, std::int32_t> consumed_in;  // micro-batch, forward
        const MemoryPoints memory = played.memory(rank);
        std::size_t points = 0;
        int backwards = 0;
        for (Event event : played.compute(rank)) {
            const bool after = event.op == Op::OptimizerStep;
            event.iteration = (backwards - (after ? 1 : 0)) / stream.microbatches();
            if (event.op == Op::Backward) ++backwards;
            timeline.append(event);
            if (after) continue;
            consumed_in[{event.microbatch, event.op == Op::Forward}] = event.iteration;
            const StageCosts& stage = costs.stages[static_cast<std::size_t>(event.stage)];
            const ActivationStep step =
                activationStep(event.op, stage.chunk(stream.piece().recompute != Recompute::None), false);
            for (int left = step.changesAtStart() + step.changesAtEnd(); left > 0; --left) {
                MemoryPoint point = memory[points++];
                point.iteration = event.iteration;
                timeline.append(point);
            }
        }
        for (Event receive : played.receives(rank)) {
            receive.iteration = consumed_in.at({receive.microbatch, receive.op == Op::RecvForward});
            timeline.append(receive);
        }
    }
    return timeline;
}

}  // namespace bscope
