// Random values of every type that travels, for the round-trip tests of the stream and of recordings. Seeded:
// the same values in every run.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "wire/convert.h"

namespace bscope {

class Samples {
public:
    explicit Samples(unsigned seed) : engine_(seed) {}

    std::int64_t integer(std::int64_t low, std::int64_t high) {
        return std::uniform_int_distribution<std::int64_t>(low, high)(engine_);
    }
    int number(int low, int high) { return static_cast<int>(integer(low, high)); }
    double real() { return std::uniform_real_distribution<double>(-1e6, 1e6)(engine_) / 3.0; }
    bool coin() { return integer(0, 1) == 1; }
    std::string word() {
        std::string text;
        for (int i = number(0, 12); i > 0; --i)
            text += coin() ? "气" : std::string(1, static_cast<char>(number(32, 126)));
        return text;
    }

    RunConfig config() {
        RunConfig c;
        c.schedule = word();
        c.params = {number(-3, 64), number(-3, 8), number(-3, 1024), number(0, 8)};
        c.micro_batch = number(-1, 64);
        c.model = {number(0, 96), number(0, 4096), number(0, 64), number(0, 4096), number(0, 65536)};
        c.recompute = static_cast<Recompute>(number(0, 2));
        for (int i = number(0, 6); i > 0; --i) c.layers_per_stage.push_back(number(0, 9));
        c.link = {real(), coin() ? 0.0 : real()};
        for (int i = number(0, 3); i > 0; --i) c.slow_ranks.emplace_back(number(0, 7), real());
        c.clock = static_cast<ClockChoice>(number(0, 2));
        c.durations = static_cast<Durations>(number(0, 1));
        c.training = {real(), real(), coin() ? 0.0 : real()};
        c.seed = static_cast<std::uint64_t>(integer(INT64_MIN, INT64_MAX));
        c.data_file = word();
        c.memory_cap_mb = real();
        c.device = static_cast<DeviceChoice>(number(0, 2));
        c.dtype = static_cast<Dtype>(number(0, 1));
        c.trace_cost = number(-1, 100);
        c.cuda_graphs = number(0, 1) == 1;
        return c;
    }

    Problem problem() {
        Problem p{word(), word(), {}, {}};
        for (int i = number(0, 3); i > 0; --i) p.arguments.push_back(word());
        for (int i = number(0, 3); i > 0; --i) p.legal.push_back(static_cast<long>(integer(-1000, 100000)));
        return p;
    }

    Event event(int rank) {
        Event e;
        e.start_ns = integer(-1000, INT64_MAX / 4);
        e.end_ns = e.start_ns + integer(0, 1'000'000'000'000);
        do e.op = static_cast<Op>(number(0, kOpCount - 1));
        while (isSend(e.op));
        e.transfer_ns = isReceive(e.op) ? e.start_ns + integer(0, e.end_ns - e.start_ns) : 0;
        e.bytes = integer(0, INT64_MAX);
        e.iteration = number(0, 1'000'000);
        e.stage = number(-1, 511);
        e.microbatch = number(-1, 4095);
        e.rank = static_cast<std::int16_t>(rank);
        e.disturbed = coin();
        e.weight_version = number(-1, 1'000'000);
        e.staleness = static_cast<std::int16_t>(number(0, 1024));
        return e;
    }
    std::vector<Event> events(int rank, int count) {
        std::vector<Event> out;
        for (int i = 0; i < count; ++i) out.push_back(event(rank));
        return out;
    }

    std::vector<KernelEvent> kernels(int rank, int count) {
        std::vector<KernelEvent> out;
        for (int i = 0; i < count; ++i) {
            KernelEvent& k = out.emplace_back();
            k.start_ns = integer(-1000, INT64_MAX / 4);
            k.end_ns = k.start_ns + integer(0, 1'000'000'000);
            k.bytes = integer(0, INT64_MAX);
            k.iteration = number(0, 1'000'000);
            k.stage = number(-1, 511);
            k.microbatch = number(-1, 4095);
            k.rank = static_cast<std::int16_t>(rank);
            k.op = static_cast<Op>(number(0, kOpCount - 1));
            k.kind = static_cast<KernelEvent::Kind>(number(0, 2));
            if (k.kind == KernelEvent::Kind::Kernel) k.name = word();
        }
        return out;
    }

    std::vector<MemoryPoint> memory(int rank, int count) {
        std::vector<MemoryPoint> out;
        for (int i = 0; i < count; ++i)
            out.push_back({integer(0, INT64_MAX / 4), integer(0, INT64_MAX / 2), number(0, 1000),
                           static_cast<std::int16_t>(rank), static_cast<std::int16_t>(number(0, 4096))});
        return out;
    }

    Costs costs() {
        Costs c;
        for (int i = number(0, 4); i > 0; --i)
            c.stages.push_back({real(), real(), real(), real(), real(), integer(0, INT64_MAX),
                                integer(0, 1 << 30), integer(0, 1 << 30)});
        c.optimizer_ns = real();
        c.reduce_ns = real();
        c.link = {real(), real()};
        c.message_bytes = real();
        return c;
    }

    IterationStart start() {
        IterationStart s{number(0, 1000),
                         config(),
                         static_cast<Provenance>(number(0, 2)),
                         integer(0, INT64_MAX),
                         word(),
                         {},
                         {}};
        for (int i = number(0, 8); i > 0; --i) s.placement.push_back(number(0, 7));
        for (int i = number(0, 8); i > 0; --i) s.layers_per_stage.push_back(number(0, 7));
        return s;
    }

    IterationReport report() {
        IterationReport r;
        r.iteration = number(0, 1'000'000);
        r.schedule = word();
        r.p = number(1, 64);
        r.m = number(1, 1024);
        r.v = number(1, 8);
        r.recompute = static_cast<Recompute>(number(0, 2));
        r.device = word();
        r.provenance = static_cast<Provenance>(number(0, 2));
        for (double* value : {&r.iteration_ms, &r.span_ms, &r.host_ms, &r.optimizer_ms, &r.bubble_of_total,
                              &r.bubble_of_ideal, &r.predicted_bubble_of_total, &r.predicted_iteration_ms,
                              &r.tokens_per_s, &r.loss, &r.grad_norm, &r.wall_over_cpu, &r.tracing_share})
            *value = real();
        if (coin()) r.theory_bubble_of_total = real();
        if (coin()) r.tracing_cost = real();
        if (coin()) r.timing = word();
        if (coin()) r.clock_residual_us = real();
        r.disturbed = coin();
        r.dropped_events = static_cast<std::uint64_t>(integer(0, INT64_MAX));
        for (int i = number(0, 4); i > 0; --i)
            r.ranks.push_back({i, real(), real(), real(), real(), integer(0, INT64_MAX), number(0, 4096),
                               integer(0, INT64_MAX), integer(0, INT64_MAX), integer(0, INT64_MAX),
                               integer(0, INT64_MAX), number(0, 64), integer(0, INT64_MAX), number(0, 64),
                               real(), integer(0, INT64_MAX)});
        r.costs = costs();
        return r;
    }

    SweepState sweep() {
        SweepState s;
        for (int i = number(0, 4); i > 0; --i) {
            SweepPoint p;
            p.m = number(1, 64);
            p.micro_batch = number(1, 64);
            p.iterations_done = number(0, 9);
            p.iterations = number(0, 9);
            p.over_cap = coin();
            for (int k = number(0, 2); k > 0; --k) p.problems.push_back(problem());
            if (coin()) p.median = report();
            p.tokens_per_s_min = real();
            p.tokens_per_s_max = real();
            p.predicted_tokens_per_s = real();
            p.predicted_bubble_of_total = real();
            p.predicted_peak_bytes = integer(0, INT64_MAX);
            s.points.push_back(std::move(p));
        }
        s.finished = coin();
        s.cancelled = coin();
        s.best_m = number(0, 64);
        s.why = word();
        return s;
    }

private:
    std::mt19937 engine_;
};

}  // namespace bscope
