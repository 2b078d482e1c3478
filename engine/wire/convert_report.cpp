// Provenance, costs, iteration starts, reports and sweeps between the stream's messages and the plain types.
#include "wire/convert.h"

namespace bscope {

wire::Provenance toWire(Provenance provenance) {
    switch (provenance) {
        case Provenance::Measured:
            return wire::MEASURED;
        case Provenance::Reconstructed:
            return wire::RECONSTRUCTED;
        case Provenance::Predicted:
            return wire::PREDICTED;
    }
    throw WireError("a provenance that does not exist");
}

Provenance fromWire(wire::Provenance provenance) {
    switch (provenance) {
        case wire::MEASURED:
            return Provenance::Measured;
        case wire::RECONSTRUCTED:
            return Provenance::Reconstructed;
        case wire::PREDICTED:
            return Provenance::Predicted;
        default:
            throw WireError("the stream names a provenance that this program does not know");
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
    }
    out.set_optimizer_ns(costs.optimizer_ns);
    out.set_reduce_ns(costs.reduce_ns);
    out.set_message_bytes(costs.message_bytes);
    out.mutable_link()->set_latency_us(costs.link.latency_us);
    out.mutable_link()->set_gbps(costs.link.gbps);
    return out;
}

Costs fromWire(const wire::Costs& costs) {
    Costs out;
    for (const auto& s : costs.stages()) {
        StageCosts stage;
        stage.forward_ns = s.forward_ns();
        stage.backward_ns = s.backward_ns();
        stage.input_ns = s.input_ns();
        stage.weight_ns = s.weight_ns();
        stage.recompute_ns = s.recompute_ns();
        stage.activation_bytes = s.activation_bytes();
        stage.kept_for_weight_bytes = s.kept_for_weight_bytes();
        stage.recompute_bytes = s.recompute_bytes();
        out.stages.push_back(stage);
    }
    out.optimizer_ns = costs.optimizer_ns();
    out.reduce_ns = costs.reduce_ns();
    out.message_bytes = costs.message_bytes();
    out.link = {costs.link().latency_us(), costs.link().gbps()};
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
    return out;
}

IterationStart fromWire(const wire::IterationStart& start) {
    return {start.iteration(),
            fromWire(start.config()),
            fromWire(start.provenance()),
            start.start_ns(),
            start.device(),
            {start.placement().begin(), start.placement().end()},
            {start.layers_per_stage().begin(), start.layers_per_stage().end()}};
}

wire::IterationReport toWire(const IterationReport& report) {
    wire::IterationReport out;
    out.set_iteration(report.iteration);
    out.set_schedule(report.schedule);
    out.set_p(report.p);
    out.set_m(report.m);
    out.set_v(report.v);
    out.set_d(report.d);
    out.set_recompute(toText(report.recompute));
    out.set_device(report.device);
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
    out.set_tracing_share(report.tracing_share);
    if (report.tracing_cost) out.set_tracing_cost(*report.tracing_cost);
    out.set_timing(report.timing);
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
    }
    *out.mutable_costs() = toWire(report.costs);
    return out;
}

IterationReport fromWire(const wire::IterationReport& report) {
    IterationReport out;
    out.iteration = report.iteration();
    out.schedule = report.schedule();
    out.p = report.p();
    out.m = report.m();
    out.v = report.v();
    out.d = report.has_d() ? report.d() : 1;
    const auto recompute = parseRecompute(report.recompute());
    if (!recompute) throw WireError("the stream names a recompute mode that this program does not know");
    out.recompute = *recompute;
    out.device = report.device();
    out.provenance = fromWire(report.provenance());
    out.iteration_ms = report.iteration_ms();
    out.span_ms = report.span_ms();
    out.host_ms = report.host_ms();
    out.optimizer_ms = report.optimizer_ms();
    out.bubble_of_total = report.bubble_of_total();
    out.bubble_of_ideal = report.bubble_of_ideal();
    out.predicted_bubble_of_total = report.predicted_bubble_of_total();
    out.predicted_iteration_ms = report.predicted_iteration_ms();
    if (report.has_theory_bubble_of_total()) out.theory_bubble_of_total = report.theory_bubble_of_total();
    out.tokens_per_s = report.tokens_per_s();
    out.loss = report.loss();
    out.grad_norm = report.grad_norm();
    out.disturbed = report.disturbed();
    out.wall_over_cpu = report.wall_over_cpu();
    out.tracing_share = report.tracing_share();
    if (report.has_tracing_cost()) out.tracing_cost = report.tracing_cost();
    out.timing = report.timing();
    if (report.has_clock_residual_us()) out.clock_residual_us = report.clock_residual_us();
    out.dropped_events = report.dropped_events();
    for (const auto& r : report.ranks())
        out.ranks.push_back({r.rank(), r.busy_ms(), r.wait_ms(), r.transfer_ms(), r.bubble_of_total(),
                             r.peak_activation_bytes(), r.peak_in_flight(), r.weight_bytes(),
                             r.gradient_bytes(), r.optimizer_bytes(), r.buffer_bytes(),
                             r.has_weight_versions() ? r.weight_versions() : 1, r.stashed_weight_bytes(),
                             r.staleness(), r.launch_gap_ms(), r.driver_bytes()});
    out.costs = fromWire(report.costs());
    return out;
}

wire::SweepState toWire(const SweepState& state) {
    wire::SweepState out;
    for (const auto& point : state.points) {
        auto* p = out.add_points();
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
    out.set_best_m(state.best_m);
    out.set_why(state.why);
    return out;
}

SweepState fromWire(const wire::SweepState& state) {
    SweepState out;
    for (const auto& p : state.points()) {
        SweepPoint point;
        point.m = p.m();
        point.micro_batch = p.micro_batch();
        point.iterations_done = p.iterations_done();
        point.iterations = p.iterations();
        point.over_cap = p.over_cap();
        for (const auto& problem : p.problems()) point.problems.push_back(fromWire(problem));
        if (p.has_median()) point.median = fromWire(p.median());
        point.tokens_per_s_min = p.tokens_per_s_min();
        point.tokens_per_s_max = p.tokens_per_s_max();
        point.predicted_tokens_per_s = p.predicted_tokens_per_s();
        point.predicted_bubble_of_total = p.predicted_bubble_of_total();
        point.predicted_peak_bytes = p.predicted_peak_bytes();
        out.points.push_back(std::move(point));
    }
    out.finished = state.finished();
    out.cancelled = state.cancelled();
    out.best_m = state.best_m();
    out.why = state.why();
    return out;
}

}  // namespace bscope
