// Random values of every type that travels, for the round-trip tests of the stream and of recordings. Seeded:
// the same values in every run.
#pragma once

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "catalog/catalog.h"
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

    double amount() { return std::abs(real()); }
    // As great as the stream allows.
    std::int64_t bytes() { return integer(0, INT64_MAX / 8); }
    std::int64_t time() { return integer(-1000, INT64_MAX / 16); }

    // One that an engine can run, as its IterationStart says.
    RunConfig legalConfig() {
        for (;;) {
            RunConfig c = config();
            const auto entries = catalog();
            c.schedule =
                entries[static_cast<std::size_t>(number(0, static_cast<int>(entries.size()) - 1))].name;
            c.params = {number(1, 6), number(1, 4), number(1, 16)};
            c.micro_batch = number(1, 64);
            c.model = {number(24, 96), 64 * number(1, 64), 4, number(1, 4096), number(256, 65536)};
            c.layers_per_stage.clear();
            c.slow_ranks.clear();
            if (coin()) c.slow_ranks.emplace_back(number(0, c.params.p - 1), 1 + amount());
            c.link = {amount(), coin() ? 0.0 : amount()};
            c.training = {amount(), amount(), coin() ? 0.0 : amount()};
            c.memory_cap_mb = amount();
            c.device = DeviceChoice::Cuda;
            c.trace_cost = number(2, 100);
            if (problems(c).empty()) return c;
        }
    }

    RunConfig config() {
        RunConfig c;
        c.schedule = word();
        c.params = {number(-3, 64), number(-3, 8), number(-3, 1024), number(0, 8)};
        c.micro_batch = number(-1, 64);
        c.model = {number(0, 96), number(0, 4096), number(0, 64), number(0, 4096), number(0, 65536)};
        c.recompute = static_cast<Recompute>(number(0, 2));
        c.checkpoint_every = static_cast<CheckpointEvery>(number(0, 1));
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
        c.matrix_library = static_cast<MatrixLibrary>(number(0, 2));
        return c;
    }

    // At most so many sentences in one another.
    Argument argument(int depth) {
        return depth > 0 && coin() ? Argument(sentence(depth - 1)) : Argument(word());
    }
    Sentence sentence(int depth = 2) {
        Sentence s{"s" + word(), {}};
        for (int i = number(0, 3); i > 0; --i) s.arguments.push_back(argument(depth));
        return s;
    }

    Problem problem() {
        Problem p{word(), word(), {}, {}};
        for (int i = number(0, 3); i > 0; --i) p.words.arguments.push_back(argument(2));
        for (int i = number(0, 3); i > 0; --i) p.legal.push_back(static_cast<long>(integer(-1000, 100000)));
        return p;
    }

    Event event(int rank) {
        Event e;
        e.start_ns = time();
        e.end_ns = e.start_ns + integer(0, 1'000'000'000'000);
        do e.op = static_cast<Op>(number(0, kOpCount - 1));
        while (isSend(e.op));
        e.transfer_ns = isReceive(e.op) ? e.start_ns + integer(0, e.end_ns - e.start_ns) : 0;
        e.bytes = bytes();
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
            k.start_ns = time();
            k.end_ns = k.start_ns + integer(0, 1'000'000'000);
            k.bytes = bytes();
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
            out.push_back({time(), bytes(), number(0, 1000), static_cast<std::int16_t>(rank),
                           static_cast<std::int16_t>(number(0, 4096))});
        return out;
    }

    Costs costs() {
        Costs c;
        for (int i = number(0, 4); i > 0; --i)
            c.stages.push_back({amount(), amount(), amount(), amount(), amount(), bytes(),
                                integer(0, 1 << 30), integer(0, 1 << 30)});
        c.optimizer_ns = amount();
        c.reduce_ns = amount();
        c.gather_ns = amount();
        c.link = {amount(), amount()};
        c.message_bytes = amount();
        return c;
    }

    IterationStart start() {
        IterationStart s{
            number(0, 1000), legalConfig(), static_cast<Provenance>(number(0, 2)), time(), word(), {}, {}};
        for (int i = number(0, 8); i > 0; --i) s.placement.push_back(number(0, 7));
        for (int i = number(0, 8); i > 0; --i) s.layers_per_stage.push_back(number(0, 7));
        if (coin())
            s.schedule = std::make_shared<const Schedule>(makeSchedule(s.config.schedule, s.config.params));
        return s;
    }

    IterationReport report() {
        IterationReport r;
        r.iteration = number(0, 1'000'000);
        r.schedule = word();
        r.p = number(4, 64);
        r.m = number(1, 1024);
        r.v = number(1, 8);
        r.recompute = static_cast<Recompute>(number(0, 2));
        r.checkpoint_every = static_cast<CheckpointEvery>(number(0, 1));
        r.device = word();
        r.matrix_products = word();
        r.provenance = static_cast<Provenance>(number(0, 2));
        for (double* value :
             {&r.iteration_ms, &r.span_ms, &r.host_ms, &r.optimizer_ms, &r.bubble_of_total,
              &r.bubble_of_ideal, &r.predicted_bubble_of_total, &r.predicted_iteration_ms, &r.tokens_per_s,
              &r.loss, &r.grad_norm, &r.wall_over_cpu, &r.held_share, &r.tracing_share})
            *value = real();
        if (coin()) r.theory_bubble_of_total = real();
        if (coin()) r.tracing_cost = real();
        r.timing.source = static_cast<TimingSource>(number(0, 4));
        if (r.timing.source >= TimingSource::KernelsLater) r.timing.why = sentence();
        if (coin()) r.clock_residual_us = real();
        r.disturbed = coin();
        r.dropped_events = static_cast<std::uint64_t>(integer(0, INT64_MAX));
        for (int i = number(0, 4); i > 0; --i)
            r.ranks.push_back({i - 1, real(), real(), real(), real(), bytes(), number(0, 4096), bytes(),
                               bytes(), bytes(), bytes(), number(0, 64), bytes(), number(0, 64), real(),
                               bytes()});
        for (RankReport& rank : r.ranks)
            if (coin()) rank.throttles = integer(0, 1000);
        r.costs = costs();
        return r;
    }

    SweepState sweep() {
        SweepState s;
        s.axis = static_cast<SweepAxis>(number(0, kSweepAxes - 1));
        for (int i = number(0, 4); i > 0; --i) {
            SweepPoint p;
            p.value = number(1, 64);
            p.setting = word();
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
            p.predicted_peak_bytes = bytes();
            s.points.push_back(std::move(p));
        }
        s.finished = coin();
        s.cancelled = coin();
        s.best = number(0, 64);
        s.why = sentence();
        return s;
    }

private:
    std::mt19937 engine_;
};

}  // namespace bscope
