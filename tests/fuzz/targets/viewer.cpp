// The window's way of a stream without a window: every message into the history, as Session does it live;
// then everything that views ask the history for. Refusals are WireError, counted as Session counts them.
#include "support/message_mutator.h"
#include "view/run_history.h"
#include "view/stream_reader.h"
#include "wire/convert.h"

namespace bscope::fuzz {

namespace {

// A plan of this many cells takes seconds under sanitizers, and no picture of it is another than a small
// one's.
constexpr long kMostCells = 4096;

bool isLarge(const wire::Message& message) {
    if (!message.has_iteration_start()) return false;
    const wire::RunConfig& config = message.iteration_start().config();
    const auto factor = [](int value) { return value > 0 ? static_cast<double>(value) : 1.0; };
    const double cells = factor(config.p()) * factor(config.v()) * factor(config.m()) * factor(config.d());
    return cells > kMostCells && cells <= static_cast<double>(kMaxCells);  // beyond is refused
}

void look(const RunHistory& history, std::int32_t iteration) {
    const auto view = history.view(iteration);
    require(view.has_value() == history.has(iteration), "an iteration that is kept has no view");
    if (!view) return;
    require(view->ran && view->planned, "a view without a timeline");
    require(view->ran->ranks() == view->config.params.layout().world(),
            "a view of other ranks than its configuration's");
    require(!view->summary || view->summary->iteration == iteration, "the summary of another iteration");
}

void run(std::string_view input) {
    RunHistory history;
    for (const wire::Message& message : messagesOf(input)) {
        if (isLarge(message)) return;
        try {
            if (message.has_hello()) history.attached(message.hello().started_unix_ms() == 1);
            applyToHistory(message, history);
        } catch (const WireError&) {
            history.countMisfit();
        }
        if (history.newest() >= 0) look(history, history.newest());
    }
    for (std::int32_t i = history.newest(), older = 0; i >= 0; i = older) {
        look(history, i);
        older = history.neighbour(i, -1);
        if (older == i) break;
    }
    std::int32_t before = -1;
    for (const IterationBar& bar : history.bars()) {
        require(bar.iteration > before || before < 0, "the bars are not in order");
        before = bar.iteration;
    }
}

}  // namespace

const Target& target() {
    static const Target viewer{"viewer", run, mutateStream};
    return viewer;
}

}  // namespace bscope::fuzz
