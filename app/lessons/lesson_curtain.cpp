#include "app/lessons/lesson_curtain.h"

#include <algorithm>

#include "timeline/iteration_events.h"

namespace bscope::ui {
namespace {

// The run with nothing in it, its lanes included.
IterationView blank(const IterationView& view) {
    IterationView frame;
    frame.config = view.config;
    frame.ran = frame.planned = std::make_shared<const Timeline>(
        std::max(view.ran->ranks(), view.planned->ranks()), Provenance::Predicted);
    frame.covered = frame.numbers_hidden = true;
    return frame;
}

// Operations closer than this share of an F have no gap between them that could be seen.
constexpr double kTouching = 0.05;

// What a rank does without a pause is one box. The optimizer step is no part of it.
void appendBlocks(Timeline& blocks, const EventSlice& events, double touching_ns) {
    std::optional<Event> block;
    for (const Event& event : events) {
        const bool joins = block && isCompute(event.op) && event.iteration == block->iteration &&
                           static_cast<double>(event.start_ns - block->end_ns) <= touching_ns;
        if (joins) {
            block->end_ns = std::max(block->end_ns, event.end_ns);
            continue;
        }
        if (block) blocks.append(*block);
        block.reset();
        if (isCompute(event.op))
            block = event;
        else
            blocks.append(event);
    }
    if (block) blocks.append(*block);
}

struct Parts {
    bool memory = true, receives = true, widths = true;
};

std::shared_ptr<const Timeline> only(const Parts& parts, const Timeline& timeline, double touching_ns) {
    auto bare = std::make_shared<Timeline>(timeline.ranks(), timeline.provenance());
    for (int rank = 0; rank < timeline.ranks(); ++rank) {
        if (parts.widths)
            for (const Event& event : timeline.compute(rank)) bare->append(event);
        else
            appendBlocks(*bare, timeline.compute(rank), touching_ns);
        if (parts.receives)
            for (const Event& event : timeline.receives(rank)) bare->append(event);
        if (parts.memory)
            for (const MemoryPoint& point : timeline.memory(rank)) bare->append(point);
    }
    return bare;
}

// An open run with these parts of it. What the gaps hung on follows from receives and widths.
IterationView with(const Parts& parts, IterationView view) {
    if (parts.memory && parts.receives && parts.widths) return view;
    const double touching_ns = kTouching * view.medianForward_ns();
    view.ran = only(parts, *view.ran, touching_ns);
    view.planned = only(parts, *view.planned, touching_ns);
    if (parts.receives && parts.widths) return view;
    view.blocks = !parts.widths;
    view.unexplained = true;
    view.summed.reset();
    view.analysis.reset();
    view.kernels.reset();
    return view;
}

// For the scale of the memory strip, which stands still while the curve grows.
std::shared_ptr<const Timeline> memoryOf(const Timeline& timeline) {
    auto memory = std::make_shared<Timeline>(timeline.ranks(), timeline.provenance());
    for (int rank = 0; rank < timeline.ranks(); ++rank)
        for (const MemoryPoint& point : timeline.memory(rank)) memory->append(point);
    return memory;
}

// Relative to the iteration's start; 0 of what did not run.
std::int64_t lengthOf(const IterationView& view) {
    std::int64_t end_ns = view.start_ns;
    for (int rank = 0; rank < view.ran->ranks(); ++rank)
        for (const Event& event : ofIteration(view.ran->compute(rank), view.iteration))
            end_ns = std::max(end_ns, event.end_ns);
    return end_ns - view.start_ns;
}

IterationView upTo(IterationView view, std::int64_t time_ns) {
    view.now_ns = view.start_ns + time_ns;
    view.iteration_state = IterationState::Replayed;
    if (view.summary) view.plan_summary = *view.summary;  // the time axis is that of the whole
    view.planned = memoryOf(*view.ran);
    view.summary.reset();
    view.summed.reset();
    view.report.reset();
    view.analysis.reset();
    view.kernels.reset();
    return view;
}

}  // namespace

std::vector<IterationView> curtained(const wire::Lesson& lesson, std::vector<IterationView> views) {
    for (std::size_t run = 0; run < views.size(); ++run) {
        IterationView& view = views[run];
        view.numbers_hidden = true;
        if (isCovered(lesson, static_cast<int>(run))) {
            view = blank(view);
        } else {
            const bool is_first = run == 0;
            view = with({.memory = !covers(lesson, kCoverMemory),
                         .receives = !covers(lesson, kCoverReceives),
                         .widths = is_first || !covers(lesson, kCoverWidths)},
                        std::move(view));
        }
    }
    return views;
}

std::vector<IterationView> drawnUpTo(const wire::Lesson& lesson, std::vector<IterationView> views,
                                     double share) {
    std::vector<std::int64_t> lengths;
    for (std::size_t run = 0; run < views.size(); ++run)
        lengths.push_back(isCovered(lesson, static_cast<int>(run)) ? lengthOf(views[run]) : 0);
    const std::int64_t longest = lengths.empty() ? 0 : std::ranges::max(lengths);
    const auto time_ns = static_cast<std::int64_t>(share * static_cast<double>(longest));
    for (std::size_t run = 0; run < views.size(); ++run)
        if (lengths[run] > time_ns) views[run] = upTo(std::move(views[run]), time_ns);
    return views;
}

}  // namespace bscope::ui
