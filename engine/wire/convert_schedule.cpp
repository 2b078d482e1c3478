// Orders and iteration starts between the stream's messages and the plain types.
#include <algorithm>
#include <numeric>

#include "wire/convert.h"
#include "wire/ranges.h"

namespace bscope {
namespace {

constexpr std::size_t kMostActions = 1'500'000;  // at most 8 bytes each: fits a message

std::size_t actionsOf(const Schedule& schedule) {
    return std::accumulate(
        schedule.orders.begin(), schedule.orders.end(), std::size_t{0},
        [](std::size_t sum, const std::vector<Action>& order) { return sum + order.size(); });
}

WeightRule checkedRule(std::uint32_t rule) {
    return static_cast<WeightRule>(inRange("weight rule", rule, static_cast<std::uint32_t>(WeightRule::Flush),
                                           static_cast<std::uint32_t>(WeightRule::DoubleBuffer)));
}

Op checkedCompute(std::uint32_t op) {
    return static_cast<Op>(inRange("operation", op, static_cast<std::uint32_t>(Op::Forward),
                                   static_cast<std::uint32_t>(Op::BackwardWeight)));
}

void requireLegal(const std::vector<Problem>& problems) {
    if (!problems.empty())
        throw WireError(
            sentence("the stream names a configuration that cannot run: {0}", problems.front().withLegal()));
}

}  // namespace

wire::Schedule toWire(const Schedule& schedule) {
    wire::Schedule out;
    out.set_name(schedule.name);
    out.set_m(schedule.params.m);
    for (const int rank : schedule.placement) out.add_placement(rank);
    out.set_chains(static_cast<std::int32_t>(schedule.chains.size()));
    for (const int microbatches : schedule.chain_microbatches) out.add_chain_microbatches(microbatches);
    out.set_weights(static_cast<std::uint32_t>(schedule.weights));
    out.set_step_every(schedule.step_every);
    const bool overlaps =
        std::any_of(schedule.orders.begin(), schedule.orders.end(), [](const std::vector<Action>& order) {
            return std::any_of(order.begin(), order.end(), [](const Action& a) { return a.overlaps_next; });
        });
    for (const std::vector<Action>& order : schedule.orders) {
        out.add_actions(static_cast<std::uint32_t>(order.size()));
        for (const Action& action : order) {
            out.add_stage(static_cast<std::uint32_t>(action.stage));
            out.add_op(static_cast<std::uint32_t>(action.op));
            out.add_microbatch(static_cast<std::uint32_t>(action.microbatch));
            if (overlaps) out.add_overlaps_next(action.overlaps_next);
            if (schedule.params.segments > 1)
                out.add_segment(static_cast<std::uint32_t>(std::max(action.segment(), 0)));
        }
    }
    return out;
}

Schedule fromWire(const wire::Schedule& schedule, const ScheduleParams& params) {
    Schedule out;
    out.name = schedule.name();
    out.params = params;
    out.params.m = inRange("number of micro-batches", schedule.m(), 1, kMaxMicrobatches);
    const int stages = inRange("number of stages", schedule.placement_size(), 1, kMostStages);
    out.placement.assign(schedule.placement().begin(), schedule.placement().end());
    const int chains = inRange("number of chains", schedule.chains(), 1, stages);
    for (int chain = 0; chain < chains; ++chain) {
        std::vector<int>& of_chain = out.chains.emplace_back(static_cast<std::size_t>(stages / chains));
        std::iota(of_chain.begin(), of_chain.end(), chain * (stages / chains));
    }
    out.chain_microbatches.assign(schedule.chain_microbatches().begin(), schedule.chain_microbatches().end());
    out.weights = checkedRule(schedule.weights());
    out.step_every = inRange("number of micro-batches in a step", schedule.step_every(), 0, kMaxMicrobatches);

    const int size = schedule.stage_size();
    const std::uint64_t announced =
        std::accumulate(schedule.actions().begin(), schedule.actions().end(), std::uint64_t{0});
    const bool overlaps = schedule.overlaps_next_size() > 0, cut = schedule.segment_size() > 0;
    if (announced != static_cast<std::uint64_t>(size) || schedule.op_size() != size ||
        schedule.microbatch_size() != size || (overlaps && schedule.overlaps_next_size() != size) ||
        (cut && schedule.segment_size() != size))
        throw WireError(sentence("an order of the stream has columns of different length"));
    int i = 0;
    for (const std::uint32_t length : schedule.actions()) {
        std::vector<Action>& order = out.orders.emplace_back(length);
        for (Action& action : order) {
            const auto stage =
                inRange<std::uint32_t>("stage", schedule.stage(i), 0, static_cast<std::uint32_t>(stages) - 1);
            const Op op = checkedCompute(schedule.op(i));
            const auto microbatch =
                inRange<std::uint32_t>("micro-batch", schedule.microbatch(i), 0, kMaxMicrobatches);
            const auto segment =
                cut ? inRange<std::uint32_t>("segment", schedule.segment(i), 0, kMaxSegments - 1) : 0;
            action = {static_cast<std::int32_t>(stage), op, static_cast<std::int32_t>(microbatch),
                      overlaps && schedule.overlaps_next(i), cut ? static_cast<std::int32_t>(segment) : -1};
            ++i;
        }
    }
    return out;
}

wire::IterationStart toWire(const IterationStart& start) {
    wire::IterationStart out;
    out.set_iteration(start.iteration);
    *out.mutable_config() = toWire(start.config);
    out.set_provenance(toWire(start.provenance));
    out.set_start_ns(start.start_ns);
    out.set_device(start.device);
    for (const int rank : start.placement) out.add_placement(rank);
    for (const int layers : start.layers_per_stage) out.add_layers_per_stage(layers);
    if (start.schedule && actionsOf(*start.schedule) <= kMostActions)
        *out.mutable_schedule() = toWire(*start.schedule);
    if (start.import) *out.mutable_import() = toWire(*start.import);
    return out;
}

IterationStart fromWire(const wire::IterationStart& start) {
    IterationStart out{checkedIteration(start.iteration()),
                       fromWire(start.config()),
                       fromWire(start.provenance()),
                       checkedTime(start.start_ns()),
                       start.device(),
                       {start.placement().begin(), start.placement().end()},
                       {start.layers_per_stage().begin(), start.layers_per_stage().end()}};
    requireLegal(valueProblems(out.config));
    if (start.has_import()) out.import = std::make_shared<const ImportOrigin>(fromWire(start.import()));
    if (!start.has_schedule()) return out;
    out.schedule = std::make_shared<const Schedule>(fromWire(start.schedule(), out.config.params));
    requireLegal(problems(out.config, *out.schedule));
    return out;
}

}  // namespace bscope
