#include "app/lessons/lesson_curtain.h"

#include <algorithm>

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

std::shared_ptr<const Timeline> withoutMemory(const Timeline& timeline) {
    auto bare = std::make_shared<Timeline>(timeline.ranks(), timeline.provenance());
    for (int rank = 0; rank < timeline.ranks(); ++rank) {
        for (const Event& event : timeline.compute(rank)) bare->append(event);
        for (const Event& event : timeline.receives(rank)) bare->append(event);
    }
    return bare;
}

}  // namespace

std::vector<IterationView> curtained(const wire::Lesson& lesson, std::vector<IterationView> views) {
    for (std::size_t run = 0; run < views.size(); ++run) {
        IterationView& view = views[run];
        view.numbers_hidden = true;
        if (isCovered(lesson, static_cast<int>(run))) {
            view = blank(view);
        } else if (coversMemory(lesson)) {
            view.ran = withoutMemory(*view.ran);
            view.planned = withoutMemory(*view.planned);
        }
    }
    return views;
}

}  // namespace bscope::ui
