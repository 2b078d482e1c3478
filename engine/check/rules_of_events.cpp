#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "check/rules.h"
#include "schedule/activation_ledger.h"
#include "schedule/program.h"
#include "shape/config_shape.h"
#include "timeline/iteration_events.h"

namespace bscope {
namespace {

bool isStream(const RecordedIteration& iteration) {
    return iteration.order.step_every > 0;
}

std::string nameOf(const Event& event) {
    return toText(event.action());
}

// What one rank computed in the iteration, by start, without recomputation.
std::vector<Action> computed(const RecordedIteration& iteration, int rank) {
    std::vector<Action> actions;
    for (const Event& event : ofIteration(iteration.timeline.compute(rank), iteration.report.iteration))
        if (isCompute(event.op) && event.op != Op::Recompute) actions.push_back(event.action());
    return actions;
}

std::vector<Action> planned(const Schedule& order, int rank) {
    std::vector<Action> actions = order.orders[static_cast<std::size_t>(rank)];
    for (Action& action : actions) action = action.as(action.op);
    return actions;
}

void comparePlace(int rank, const std::vector<Action>& ran, const std::vector<Action>& plan,
                  Findings& findings) {
    const auto [here, there] = std::ranges::mismatch(ran, plan);
    if (here == ran.end() && there == plan.end()) return;
    const auto text = [](const auto& at, const auto& end) { return at == end ? "-" : toText(*at); };
    findings.add(Invariant::Order,
                 sentence("rank {0}, operation {1}: {2} ran where the order has {3}", rank,
                          here - ran.begin(), text(here, ran.end()), text(there, plan.end())));
}

// In a stream the micro-batches of an iteration follow from where the stream began; each pass is there once.
void checkOnce(int rank, const std::vector<Action>& ran, int microbatches, Findings& findings) {
    std::set<Action> seen;
    for (const Action& action : ran)
        if (!seen.insert(action).second)
            findings.add(Invariant::Order, sentence("rank {0} ran {1} twice", rank, toText(action)));
    const auto backwards = std::ranges::count(ran, Op::Backward, &Action::op);
    if (backwards != microbatches)
        findings.add(Invariant::Order,
                     sentence("rank {0} ran {1} backwards in place of {2}", rank, backwards, microbatches));
}

// Where and when what an operation made was there: of the forward, or of the gradient for the stage before.
struct Made {
    int rank = 0;
    std::int64_t end_ns = 0;
};
using Product = std::tuple<int, bool, int, int>;  // stage, forward, micro-batch, segment

std::map<Product, Made> productsOf(const Timeline& timeline) {
    std::map<Product, Made> products;
    for (int rank = 0; rank < timeline.ranks(); ++rank)
        for (const Event& event : timeline.compute(rank))
            if (event.op == Op::Forward || event.op == Op::Backward || event.op == Op::BackwardInput)
                products[{event.stage, event.op == Op::Forward, event.microbatch, event.segment}] = {
                    rank, event.end_ns};
    return products;
}

// The bytes of each message by its receiver's stage, direction, micro-batch and segment.
std::map<Product, std::int64_t> bytesOf(const Timeline& timeline) {
    std::map<Product, std::int64_t> bytes;
    for (int rank = 0; rank < timeline.ranks(); ++rank)
        for (const Event& event : timeline.receives(rank))
            bytes[{event.stage, event.op == Op::RecvForward, event.microbatch, event.segment}] = event.bytes;
    return bytes;
}

class Dependencies {
public:
    Dependencies(const RecordedIteration& iteration, const std::optional<LinkModel>& link, Findings& findings)
        : iteration_(iteration),
          link_(link),
          findings_(findings),
          made_(productsOf(iteration.timeline)),
          bytes_(bytesOf(iteration.timeline)),
          clocks_ns_(
              static_cast<std::int64_t>(std::ceil(1e3 * iteration.report.clock_residual_us.value_or(0)))) {}

    void check() {
        for (int rank = 0; rank < iteration_.timeline.ranks(); ++rank)
            for (const Event& event :
                 ofIteration(iteration_.timeline.compute(rank), iteration_.report.iteration))
                check(rank, event);
    }

private:
    void check(int rank, const Event& event) {
        const Schedule& order = iteration_.order;
        if (!isCompute(event.op) || event.stage < 0 || event.stage >= order.stageCount()) return;
        switch (event.op) {
            case Op::Forward:
                needs(rank, event, order.previousStage(event.stage), true);
                return;
            case Op::Backward:
            case Op::BackwardInput:
                needs(rank, event, order.nextStage(event.stage), false);
                needs(rank, event, event.stage, true);
                return;
            case Op::Recompute:
                needs(rank, event, event.stage, true);
                return;
            case Op::BackwardWeight:
                needs(rank, event, event.stage, false);
                return;
            default:
                return;
        }
    }

    void needs(int rank, const Event& event, int stage, bool forward) {
        if (stage < 0) return;
        const auto made = made_.find({stage, forward, event.microbatch, event.segment});
        if (made == made_.end()) {
            // A recording that begins in the middle of a stream does not hold what was made before.
            if (!isStream(iteration_))
                findings_.add(Invariant::Dependencies,
                              sentence("rank {0}: the input of {1} was never made", rank, nameOf(event)));
            return;
        }
        const bool travels = made->second.rank != rank;
        const auto bytes = bytes_.find({event.stage, forward, event.microbatch, event.segment});
        double there_ns = static_cast<double>(made->second.end_ns);
        if (travels && link_ && bytes != bytes_.end())
            there_ns += link_->transferNs(static_cast<double>(bytes->second));
        const double early_ns = there_ns - static_cast<double>(event.start_ns);
        if (early_ns > 1 + static_cast<double>(travels ? clocks_ns_ : 0))
            findings_.add(Invariant::Dependencies,
                          sentence("rank {0}: {1} begins {2} ns before its input is there", rank,
                                   nameOf(event), std::llround(early_ns)));
    }

    const RecordedIteration& iteration_;
    std::optional<LinkModel> link_;
    Findings& findings_;
    std::map<Product, Made> made_;
    std::map<Product, std::int64_t> bytes_;
    std::int64_t clocks_ns_;
};

}  // namespace

void checkLanes(const RecordedIteration& iteration, Findings& findings) {
    for (int rank = 0; rank < iteration.timeline.ranks(); ++rank) {
        std::optional<Event> before;
        for (const Event& event : ofIteration(iteration.timeline.compute(rank), iteration.report.iteration)) {
            if (event.end_ns < event.start_ns)
                findings.add(Invariant::Lanes,
                             sentence("rank {0}: {1} ends before it begins", rank, nameOf(event)));
            if (before && event.start_ns < before->end_ns)
                findings.add(Invariant::Lanes,
                             sentence("rank {0}: {1} begins {2} ns before {3} has ended", rank, nameOf(event),
                                      before->end_ns - event.start_ns, nameOf(*before)));
            before = event;
        }
    }
}

// The iterations of an imported run may differ in their order: each has its operations once.
void checkOrder(const RecordedIteration& iteration, Findings& findings) {
    if (iteration.order.orders.size() != static_cast<std::size_t>(iteration.timeline.ranks())) {
        findings.add(Invariant::Order, sentence("the order is of {0} ranks, the events are of {1}",
                                                iteration.order.orders.size(), iteration.timeline.ranks()));
        return;
    }
    for (int rank = 0; rank < iteration.timeline.ranks(); ++rank) {
        std::vector<Action> ran = computed(iteration, rank);
        if (isStream(iteration)) {
            checkOnce(rank, ran, iteration.start.config.params.m, findings);
            continue;
        }
        std::vector<Action> plan = planned(iteration.order, rank);
        if (iteration.start.import) {
            std::ranges::sort(ran);
            std::ranges::sort(plan);
        }
        comparePlace(rank, ran, plan, findings);
    }
}

// Files of other programs whose clocks contradict each other say so themselves.
void checkDependencies(const RecordedIteration& iteration, const std::optional<LinkModel>& link,
                       Findings& findings) {
    if (iteration.start.import && !iteration.start.import->contradictions.empty()) return;
    Dependencies(iteration, link, findings).check();
}

namespace {

// (ranks,) by the order and the model; empty where that cannot be known.
std::vector<std::int64_t> peaksOf(const RecordedIteration& iteration) {
    const RunConfig& config = iteration.start.config;
    const Schedule& order = iteration.order;
    if (!problems(config, order).empty()) return {};
    const bool forward_only = order.isForwardOnly();
    const std::vector<ActivationBytes> activations = activationsOfStages(config, order);
    const auto chunk_of = [&activations](int stage) {
        return chunkBytes(activations[static_cast<std::size_t>(stage)]);
    };
    std::vector<std::int64_t> peaks;
    for (const auto& actions :
         lower(order, forward_only ? Recompute::None : config.recomputedApart()).actions)
        peaks.push_back(peakBytes(actions, chunk_of, forward_only));
    return peaks;
}

}  // namespace

// What other programs report of memory is not the activations alone, and a stream ends in the middle.
void checkMemory(const RecordedIteration& iteration, Findings& findings) {
    const bool is_own = !iteration.start.import, ends = is_own && !isStream(iteration);
    const std::vector<std::int64_t> peaks = ends ? peaksOf(iteration) : std::vector<std::int64_t>();
    for (int rank = 0; rank < iteration.timeline.ranks(); ++rank) {
        const MemoryPoints points = ofIteration(iteration.timeline.memory(rank), iteration.report.iteration);
        if (points.empty()) continue;
        int most_in_flight = 0;
        std::int64_t most_bytes = 0;
        for (const MemoryPoint& point : points) {
            most_bytes = std::max(most_bytes, point.live_bytes);
            most_in_flight = std::max(most_in_flight, static_cast<int>(point.in_flight));
            if (point.live_bytes < 0 || point.in_flight < 0)
                findings.add(Invariant::Memory, sentence("rank {0} holds {1} bytes and {2} chunks", rank,
                                                         point.live_bytes, point.in_flight));
        }
        if (!ends) continue;
        const MemoryPoint last = points.back();
        if (last.live_bytes != 0 || last.in_flight != 0)
            findings.add(Invariant::Memory,
                         sentence("rank {0} still holds {1} bytes and {2} chunks at the end", rank,
                                  last.live_bytes, last.in_flight));
        const int by_order = peakInFlight(iteration.order.orders[static_cast<std::size_t>(rank)],
                                          iteration.order.isForwardOnly());
        if (most_in_flight != by_order)
            findings.add(Invariant::Memory,
                         sentence("rank {0} has {1} chunks in flight at most, by its order {2}", rank,
                                  most_in_flight, by_order));
        if (const auto by_model = static_cast<std::size_t>(rank);
            by_model < peaks.size() && most_bytes != peaks[by_model])
            findings.add(Invariant::Memory,
                         sentence("rank {0} holds {1} bytes at most, by its order and model {2}", rank,
                                  most_bytes, peaks[by_model]));
    }
}

}  // namespace bscope
