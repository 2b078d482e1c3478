// Provenance, costs, reports and sweeps between the stream's messages and the plain types.
#include <cmath>
#include <limits>

#include "catalog/catalog.h"
#include "wire/convert.h"
#include "wire/ranges.h"
#include "words/catalog.h"

namespace bscope {

wire::Provenance toWire(Provenance provenance) {
    switch (provenance) {
        case Provenance::Measured:
            return wire::MEASURED;
        case Provenance::Reconstructed:
            return wire::RECONSTRUCTED;
        case Provenance::Predicted:
            return wire::PREDICTED;
        case Provenance::Imported:
            return wire::IMPORTED;
    }
    throw WireError(sentence("a provenance that does not exist"));
}

Provenance fromWire(wire::Provenance provenance) {
    switch (provenance) {
        case wire::MEASURED:
            return Provenance::Measured;
        case wire::RECONSTRUCTED:
            return Provenance::Reconstructed;
        case wire::PREDICTED:
            return Provenance::Predicted;
        case wire::IMPORTED:
            return Provenance::Imported;
        default:
            throw WireError(sentence("the stream names a provenance that this program does not know"));
    }
}

wire::Costs toWire(const Costs& costs) {
    wire::Costs out;
    for (const auto& stage : costs.stages) {
        auto* s = out.add_stages();
        s->set_forward_ns(stage.forward_ns);
        s->set_backward_ns(stage.backward_ns);
        s->set_input_ns(stage.input_ns);
        s->set_weight_ns(stage.weight_ns);
        s->set_recompute_ns(stage.recompute_ns);
        s->set_activation_bytes(stage.activation_bytes);
        s->set_kept_for_weight_bytes(stage.kept_for_weight_bytes);
        s->set_recompute_bytes(stage.recompute_bytes);
        s->set_forward_peak_bytes(stage.forward_peak_bytes);
        s->set_input_peak_bytes(stage.input_peak_bytes);
        s->set_backward_peak_bytes(stage.backward_peak_bytes);
    }
    out.set_optimizer_ns(costs.optimizer_ns);
    out.set_reduce_ns(costs.reduce_ns);
    out.set_gather_ns(costs.gather_ns);
    out.set_handover_ns(costs.handover_ns);
    out.set_message_bytes(costs.message_bytes);
    out.mutable_link()->set_latency_us(costs.link.latency_us);
    out.mutable_link()->set_gbps(costs.link.gbps);
    return out;
}

Costs fromWire(const wire::Costs& costs) {
    Costs out;
    inRange("number of stages", costs.stages_size(), 0, kMostStages);
    for (const auto& s : costs.stages()) {
        StageCosts stage;
        stage.forward_ns = checkedAmount(s.forward_ns());
        stage.backward_ns = checkedAmount(s.backward_ns());
        stage.input_ns = checkedAmount(s.input_ns());
        stage.weight_ns = checkedAmount(s.weight_ns());
        stage.recompute_ns = checkedAmount(s.recompute_ns());
        stage.activation_bytes = checkedBytes(s.activation_bytes());
        stage.kept_for_weight_bytes = checkedBytes(s.kept_for_weight_bytes());
        stage.recompute_bytes = checkedBytes(s.recompute_bytes());
        stage.forward_peak_bytes = checkedBytes(s.forward_peak_bytes());
        stage.input_peak_bytes = checkedBytes(s.input_peak_bytes());
        stage.backward_peak_bytes = checkedBytes(s.backward_peak_bytes());
        out.stages.push_back(stage);
    }
    out.optimizer_ns = checkedAmount(costs.optimizer_ns());
    out.reduce_ns = checkedAmount(costs.reduce_ns());
    out.gather_ns = checkedAmount(costs.gather_ns());
    out.handover_ns = checkedAmount(costs.handover_ns());
    out.message_bytes = checkedAmount(costs.message_bytes());
    out.link = {checkedAmount(costs.link().latency_us()), checkedAmount(costs.link().gbps())};
    return out;
}

wire::IterationReport toWire(const IterationReport& report) {
    wire::IterationReport out;
    out.set_iteration(report.iteration);
    out.set_schedule(report.schedule);
    out.set_p(report.p);
    out.set_m(report.m);
    out.set_v(report.v);
    out.set_d(report.d);
    if (report.t > 1) out.set_t(report.t);
    if (report.segments > 1) out.set_segments(report.segments);
    out.set_sequence_parallel(report.sequence_parallel);
    out.set_zero(report.zero);
    out.set_recompute(toText(report.recompute));
    if (report.checkpoint_every != CheckpointEvery::Stage)
        out.set_checkpoint_every(toText(report.checkpoint_every));
    out.set_device(report.device);
    out.set_matrix_products(report.matrix_products);
    out.set_provenance(toWire(report.provenance));
    out.set_iteration_ms(report.iteration_ms);
    out.set_span_ms(report.span_ms);
    out.set_host_ms(report.host_ms);
    out.set_optimizer_ms(report.optimizer_ms);
    out.set_bubble_of_total(report.bubble_of_total);
    out.set_bubble_of_ideal(report.bubble_of_ideal);
    out.set_predicted_bubble_of_total(report.predicted_bubble_of_total);
    out.set_predicted_iteration_ms(report.predicted_iteration_ms);
    if (report.theory_bubble_of_total) out.set_theory_bubble_of_total(*report.theory_bubble_of_total);
    out.set_tokens_per_s(report.tokens_per_s);
    out.set_loss(report.loss);
    out.set_grad_norm(report.grad_norm);
    out.set_disturbed(report.disturbed);
    out.set_wall_over_cpu(report.wall_over_cpu);
    out.set_held_share(report.held_share);
    out.set_tracing_share(report.tracing_share);
    if (report.tracing_cost) out.set_tracing_cost(*report.tracing_cost);
    if (report.timing.ofGpus()) {
        out.set_timing(say(wordsOf(report.timing), Language::English));
        out.set_timing_source(static_cast<wire::TimingSource>(report.timing.source));
        if (!report.timing.why.empty()) *out.mutable_timing_why() = toWire(report.timing.why);
    }
    if (report.clock_residual_us) out.set_clock_residual_us(*report.clock_residual_us);
    out.set_dropped_events(report.dropped_events);
    for (const auto& rank : report.ranks) {
        auto* r = out.add_ranks();
        r->set_rank(rank.rank);
        r->set_busy_ms(rank.busy_ms);
        r->set_wait_ms(rank.wait_ms);
        r->set_transfer_ms(rank.transfer_ms);
        r->set_bubble_of_total(rank.bubble_of_total);
        r->set_peak_activation_bytes(rank.peak_activation_bytes);
        r->set_peak_in_flight(rank.peak_in_flight);
        r->set_weight_bytes(rank.weight_bytes);
        r->set_gradient_bytes(rank.gradient_bytes);
        r->set_optimizer_bytes(rank.optimizer_bytes);
        r->set_buffer_bytes(rank.buffer_bytes);
        r->set_weight_versions(rank.weight_versions);
        r->set_stashed_weight_bytes(rank.stashed_weight_bytes);
        r->set_staleness(rank.staleness);
        r->set_launch_gap_ms(rank.launch_gap_ms);
        r->set_driver_bytes(rank.driver_bytes);
        r->set_reserved_activation_bytes(rank.reserved_bytes);
        if (!std::isnan(rank.bubble_of_source)) r->set_bubble_of_source(rank.bubble_of_source);
        if (rank.throttles) r->set_throttles(*rank.throttles);
        r->set_shards_wait_ms(rank.shards_wait_ms);
        r->set_shards_transfer_ms(rank.shards_transfer_ms);
        r->set_shards_bytes(rank.shards_bytes);
    }
    *out.mutable_costs() = toWire(report.costs);
    return out;
}

namespace {

// Streams written before there was a source have its English alone.
Timing timingOf(const wire::IterationReport& report) {
    if (report.timing_source() != wire::HOST) {
        if (!wire::TimingSource_IsValid(report.timing_source()))
            throw WireError(sentence("a report names a source of its times that does not exist"));
        return {static_cast<TimingSource>(report.timing_source()), fromWire(report.timing_why())};
    }
    const std::string& said = report.timing();
    if (said.empty()) return {};
    if (said == "CUPTI") return {TimingSource::Cupti, {}};
    if (said == kKernelsComeLater) return kernelsComeLater();
    const Sentence why{said, {}};
    return {said.starts_with("not traced") ? TimingSource::Untraced : TimingSource::Events, why};
}

RankReport fromWire(const wire::RankReport& r, int ranks) {
    const auto count = [](std::int32_t number) { return inRange("number", number, 0, kLastIteration); };
    return {inRange("rank", r.rank(), 0, ranks - 1),
            checkedAmountOrNaN(r.busy_ms()),
            checkedAmountOrNaN(r.wait_ms()),
            checkedAmountOrNaN(r.transfer_ms()),
            checkedAmountOrNaN(r.bubble_of_total()),
            checkedBytes(r.peak_activation_bytes()),
            count(r.peak_in_flight()),
            checkedBytes(r.weight_bytes()),
            checkedBytes(r.gradient_bytes()),
            checkedBytes(r.optimizer_bytes()),
            checkedBytes(r.buffer_bytes()),
            r.has_weight_versions() ? count(r.weight_versions()) : 1,
            checkedBytes(r.stashed_weight_bytes()),
            count(r.staleness()),
            checkedAmountOrNaN(r.launch_gap_ms()),
            checkedBytes(r.driver_bytes()),
            checkedBytes(r.reserved_activation_bytes()),
            r.has_bubble_of_source() ? checkedAmountOrNaN(r.bubble_of_source())
                                     : std::numeric_limits<double>::quiet_NaN(),
            r.has_throttles() ? std::optional(inRange<std::int64_t>("number", r.throttles(), 0, kLastTime_ns))
                              : std::nullopt,
            checkedAmountOrNaN(r.shards_wait_ms()),
            checkedAmountOrNaN(r.shards_transfer_ms()),
            checkedBytes(r.shards_bytes())};
}

}  // namespace

IterationReport fromWire(const wire::IterationReport& report) {
    IterationReport out;
    out.iteration = checkedIteration(report.iteration());
    out.schedule = report.schedule();
    out.p = report.p();
    out.m = report.m();
    out.v = report.v();
    out.d = report.has_d() ? report.d() : 1;
    out.t = report.has_t() ? report.t() : 1;
    out.segments = report.has_segments() ? report.segments() : 1;
    out.sequence_parallel = report.sequence_parallel();
    out.zero = report.zero();
    const ScheduleParams params = out.params();
    if (const auto problems = sizeProblems(params); !problems.empty())
        throw WireError(
            sentence("a report of the stream names sizes that cannot be: {0}", problems.front().withLegal()));
    inRange("number of ranks", report.ranks_size(), 0, params.layout().world());
    const auto recompute = parseWord<Recompute>(report.recompute());
    if (!recompute)
        throw WireError(sentence("the stream names a recompute mode that this program does not know"));
    out.recompute = *recompute;
    if (report.has_checkpoint_every()) {
        const auto every = parseWord<CheckpointEvery>(report.checkpoint_every());
        if (!every)
            throw WireError(sentence("the stream names a recompute mode that this program does not know"));
        out.checkpoint_every = *every;
    }
    out.device = report.device();
    out.matrix_products = report.matrix_products();
    out.provenance = fromWire(report.provenance());
    out.iteration_ms = checkedAmountOrNaN(report.iteration_ms());
    out.span_ms = checkedAmountOrNaN(report.span_ms());
    out.host_ms = checkedAmountOrNaN(report.host_ms());
    out.optimizer_ms = checkedAmountOrNaN(report.optimizer_ms());
    out.bubble_of_total = checkedAmountOrNaN(report.bubble_of_total());
    out.bubble_of_ideal = checkedAmountOrNaN(report.bubble_of_ideal());
    out.predicted_bubble_of_total = checkedAmountOrNaN(report.predicted_bubble_of_total());
    out.predicted_iteration_ms = checkedAmountOrNaN(report.predicted_iteration_ms());
    if (report.has_theory_bubble_of_total())
        out.theory_bubble_of_total = checkedAmountOrNaN(report.theory_bubble_of_total());
    out.tokens_per_s = checkedAmountOrNaN(report.tokens_per_s());
    out.loss = report.loss();
    out.grad_norm = report.grad_norm();
    out.disturbed = report.disturbed();
    out.wall_over_cpu = checkedAmountOrNaN(report.wall_over_cpu());
    out.held_share = checkedAmountOrNaN(report.held_share());
    out.tracing_share = checkedAmountOrNaN(report.tracing_share());
    if (report.has_tracing_cost()) out.tracing_cost = checkedAmountOrNaN(report.tracing_cost());
    out.timing = timingOf(report);
    if (report.has_clock_residual_us())
        out.clock_residual_us = checkedAmountOrNaN(report.clock_residual_us());
    out.dropped_events = report.dropped_events();
    for (const auto& r : report.ranks()) out.ranks.push_back(fromWire(r, params.layout().world()));
    out.costs = fromWire(report.costs());
    return out;
}

wire::SweepAxis toWire(SweepAxis axis) {
    return static_cast<wire::SweepAxis>(axis);
}

SweepAxis fromWire(wire::SweepAxis axis) {
    return static_cast<SweepAxis>(inRange("axis of a sweep", static_cast<int>(axis), 0, kSweepAxes - 1));
}

wire::SweepState toWire(const SweepState& state) {
    wire::SweepState out;
    out.set_axis(toWire(state.axis));
    for (const auto& point : state.points) {
        auto* p = out.add_points();
        p->set_value(point.value);
        p->set_setting(point.setting);
        p->set_m(point.m);
        p->set_micro_batch(point.micro_batch);
        p->set_iterations_done(point.iterations_done);
        p->set_iterations(point.iterations);
        p->set_over_cap(point.over_cap);
        for (const auto& problem : point.problems) *p->add_problems() = toWire(problem);
        if (point.median) *p->mutable_median() = toWire(*point.median);
        p->set_tokens_per_s_min(point.tokens_per_s_min);
        p->set_tokens_per_s_max(point.tokens_per_s_max);
        p->set_predicted_tokens_per_s(point.predicted_tokens_per_s);
        p->set_predicted_bubble_of_total(point.predicted_bubble_of_total);
        p->set_predicted_peak_bytes(point.predicted_peak_bytes);
    }
    out.set_finished(state.finished);
    out.set_cancelled(state.cancelled);
    out.set_best_m(state.best);
    if (!state.why.empty()) *out.mutable_why() = toWire(state.why);
    return out;
}

SweepState fromWire(const wire::SweepState& state) {
    SweepState out;
    out.axis = fromWire(state.axis());
    for (const auto& p : state.points()) {
        SweepPoint point;
        point.value = inRange("value of a sweep", p.value() != 0 ? p.value() : p.m(), 0, kLastIteration);
        point.setting = p.setting();
        point.m = inRange("m", p.m(), 0, kMaxMicrobatches);
        point.micro_batch = inRange("micro-batch size", p.micro_batch(), 0, kLastIteration);
        point.iterations_done = inRange("iteration", p.iterations_done(), 0, kLastIteration);
        point.iterations = inRange("iteration", p.iterations(), 0, kLastIteration);
        point.over_cap = p.over_cap();
        for (const auto& problem : p.problems()) point.problems.push_back(fromWire(problem));
        if (p.has_median()) point.median = fromWire(p.median());
        point.tokens_per_s_min = checkedAmountOrNaN(p.tokens_per_s_min());
        point.tokens_per_s_max = checkedAmountOrNaN(p.tokens_per_s_max());
        point.predicted_tokens_per_s = checkedAmountOrNaN(p.predicted_tokens_per_s());
        point.predicted_bubble_of_total = checkedAmountOrNaN(p.predicted_bubble_of_total());
        point.predicted_peak_bytes = checkedBytes(p.predicted_peak_bytes());
        out.points.push_back(std::move(point));
    }
    out.finished = state.finished();
    out.cancelled = state.cancelled();
    out.best = inRange("value of a sweep", state.best_m(), 0, kLastIteration);
    if (state.has_why()) out.why = fromWire(state.why());
    return out;
}

wire::Promise toWire(const Promise& promise) {
    wire::Promise out;
    *out.mutable_change() = toWire(promise.change);
    *out.mutable_config() = toWire(promise.config);
    out.set_provenance(toWire(promise.provenance));
    out.set_predicted_ns(promise.predicted_ns);
    out.set_taken_back(promise.taken_back);
    return out;
}

Promise fromWire(const wire::Promise& promise) {
    return {fromWire(promise.change()), fromWire(promise.config()), fromWire(promise.provenance()),
            inRange<std::int64_t>("time", promise.predicted_ns(), 0, kLastTime_ns), promise.taken_back()};
}

}  // namespace bscope
