// Iterations beside their baseline, for tests of what is drawn and said of both.
#pragma once

#include <functional>

#include "app/timeline/baseline.h"
#include "sample_view.h"
#include "timeline/iteration_events.h"
#include "widgets/gantt/gantt_view.h"

namespace bscope::ui {

// The sample, each of its operations longer by a factor.
inline IterationView slowed(const std::function<double(const Event&)>& factor, SampleOptions options = {}) {
    IterationView view = sampleView(options);
    auto ran = std::make_shared<Timeline>(view.ran->ranks(), view.ran->provenance());
    for (int rank = 0; rank < view.ran->ranks(); ++rank) {
        std::int64_t later_ns = 0;
        for (Event event : view.ran->compute(rank)) {
            const auto longer_ns =
                static_cast<std::int64_t>(static_cast<double>(event.duration_ns()) * (factor(event) - 1));
            event.start_ns += later_ns;
            later_ns += longer_ns;
            event.end_ns += later_ns;
            ran->append(event);
        }
    }
    view.ran = ran;
    view.summary = summarize(*ran, view.iteration);
    return view;
}

inline IterationView another(SampleOptions options = {}) {
    IterationView view = sampleView(options);
    view.report->iteration_ms = 1;  // another one than the baseline
    return view;
}

inline Baseline pinned(const IterationView& view, Alignment alignment) {
    Baseline baseline;
    baseline.pin(view);
    baseline.setLook({BaselinePlace::Below, alignment});
    return baseline;
}

inline std::vector<Event> operations(const IterationView& view) {
    std::vector<Event> all;
    for (int rank = 0; rank < view.ran->ranks(); ++rank)
        for (const Event& event : ofIteration(view.ran->compute(rank), view.iteration))
            if (isCompute(event.op)) all.push_back(event);
    return all;
}

inline double instant(const IterationView& view, Alignment alignment, int microbatch) {
    double found = alignment == Alignment::LastForward ? 0 : 1e30;
    for (const Event& event : operations(view)) {
        const auto start = static_cast<double>(event.start_ns - view.start_ns),
                   end = static_cast<double>(event.end_ns - view.start_ns);
        if (alignment == Alignment::LastForward && event.op == Op::Forward) found = std::max(found, end);
        if (alignment == Alignment::FirstBackward && event.op != Op::Forward) found = std::min(found, start);
        if (alignment == Alignment::Microbatch && event.microbatch == microbatch)
            found = std::min(found, start);
    }
    return found;
}

inline Picture shown(GanttView& canvas, const std::vector<IterationView>& views) {
    canvas.resize(1156, 690);
    canvas.setStacked(views);
    return canvas.picture();
}

inline ViewState& state(GanttView& canvas) {
    return canvas.state();
}

}  // namespace bscope::ui
