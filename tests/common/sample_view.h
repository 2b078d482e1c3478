// One iteration to draw: a schedule played with unequal stage costs (the run) over the same with equal ones
// (the plan). Deterministic; nothing runs.
#pragma once

#include <memory>
#include <string>

#include "catalog/catalog.h"
#include "timeline/predict.h"
#include "view/view_data.h"

namespace bscope::ui {

struct SampleOptions {
    std::string schedule = "1f1b";
    int p = 4, m = 8, v = 1, d = 1, zero = 0;
    Recompute recompute = Recompute::None;
    Provenance provenance = Provenance::Reconstructed;
    bool ran = true;
    double until = 1;  // share of the iteration that has run; below 1 it is still running
    double pace = 1;   // everything takes so many times as long
    int segments = 1;  // of every sequence
};

inline Costs sampleCosts(int stages, int v, bool real, double pace = 1) {
    Costs costs;
    for (int i = 0; i < stages; ++i) {
        const double factor = pace * (real ? 1.02 + 0.03 * (i % 3) : 1.0) / v;
        StageCosts stage;
        stage.forward_ns = 8e6 * factor;
        stage.backward_ns = 16e6 * factor;
        stage.input_ns = 8e6 * factor;
        stage.weight_ns = 7.5e6 * factor;
        stage.recompute_ns = 8e6 * factor;
        stage.activation_bytes = 18'800'000 / v;
        stage.kept_for_weight_bytes = 6'000'000 / v;
        costs.stages.push_back(stage);
    }
    costs.optimizer_ns = pace * 5e6;
    costs.reduce_ns = costs.gather_ns = pace * 2e6;
    costs.link.latency_us = pace * 800;
    return costs;
}

inline IterationView sampleView(const SampleOptions& options = {}) {
    IterationView view;
    view.config.schedule = options.schedule;
    view.config.params = {options.p, options.v, options.m, 0};
    view.config.params.d = options.d;
    view.config.params.zero = options.zero;
    view.config.params.segments = options.segments;
    view.config.recompute = options.recompute;
    view.config.link.latency_us = 800;
    view.config.memory_cap_mb = 96;
    view.iteration = 36;
    view.start_ns = 5'000'000'000;
    view.device = "CPU, 2 cores";
    const Program program = lower(makeSchedule(options.schedule, view.config.params), options.recompute);
    const int stages = program.schedule.stageCount();
    view.layers_per_stage.assign(static_cast<std::size_t>(stages), 2);
    auto plan =
        std::make_shared<Timeline>(predict(program, sampleCosts(stages, options.v, false, options.pace),
                                           Overlap::Serial, view.start_ns, view.iteration));
    view.planned = plan;
    view.plan_summary = summarize(*plan, view.iteration);

    const Timeline real = predict(program, sampleCosts(stages, options.v, true, options.pace),
                                  Overlap::Serial, view.start_ns, view.iteration);
    auto ran = std::make_shared<Timeline>(real.ranks(), options.provenance);
    const auto length = static_cast<double>(real.end_ns() - view.start_ns);
    const std::int64_t now = view.start_ns + static_cast<std::int64_t>(length * options.until);
    for (int rank = 0; rank < real.ranks() && options.ran; ++rank) {
        for (const Event& event : real.compute(rank))
            if (event.end_ns <= now) ran->append(event);
        for (const Event& event : real.receives(rank))
            if (event.end_ns <= now) ran->append(event);
        for (const MemoryPoint& point : real.memory(rank))
            if (point.time_ns <= now) ran->append(point);
    }
    view.ran = ran;
    if (!options.ran) return view;
    if (options.until < 1) {
        view.now_ns = now;
        return view;
    }
    view.summary = summarize(*ran, view.iteration);
    IterationReport report;
    report.iteration = view.iteration;
    report.theory_bubble_of_total = 3.0 / 11.0;
    report.tokens_per_s = 14'500;
    view.report = report;
    return view;
}

}  // namespace bscope::ui
