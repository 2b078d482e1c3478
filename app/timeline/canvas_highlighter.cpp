#include "app/timeline/canvas_highlighter.h"

#include <algorithm>
#include <utility>

#include "timeline/iteration_events.h"
#include "view/life.h"

namespace bscope::ui {

void CanvasHighlighter::light(std::string schedule, const QString& what) {
    request_ = Request{std::move(schedule), what};
    follow();
}

// A run that goes on would take away what lights up with its next iteration. Choosing one comes back to
// follow().
bool CanvasHighlighter::holdsComplete() {
    if (!isAtWork(session_.state())) return true;
    const std::optional<IterationView> last = session_.numbers();
    if (!last || last->now_ns >= 0 || last->config.schedule != request_->schedule) return false;
    if (!session_.following() && session_.shownIteration() == last->iteration) return true;
    session_.select(last->iteration);
    return false;
}

void CanvasHighlighter::follow() {
    if (!request_ || canvas_.picture().groups.empty()) return;
    const std::vector<IterationView> views = canvas_.views();
    const bool is_plan = !views.empty() && views.front().alternative;  // nothing takes that away
    if (!is_plan && !holdsComplete()) return;
    if (views.empty() || views.front().config.schedule != request_->schedule) return;
    const QString what = std::exchange(request_, std::nullopt)->what;
    ViewState& state = canvas_.state();
    Layers layers = state.layers();
    layers.memory = layers.memory || what == u"memory";
    layers.bubbles = layers.bubbles || what == u"gap";
    state.setLayers(layers);
    state.select(std::nullopt);
    if (what == u"gap") canvas_.stepGap(+1);
    if (what == u"microbatch") selectFirstMicrobatch(views.front());
}

void CanvasHighlighter::selectFirstMicrobatch(const IterationView& view) {
    const Timeline& timeline = view.report ? *view.ran : *view.planned;
    if (timeline.ranks() == 0) return;
    const auto events = ofIteration(timeline.compute(0), view.iteration);
    const auto first = std::ranges::find(events, Op::Forward, &Event::op);
    if (first == events.end()) return;
    canvas_.state().select(selectionOf(*first, canvas_.picture().groups.front().isBaseline()));
}

}  // namespace bscope::ui
