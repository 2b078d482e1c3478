// Scene: all that a picture is made of: what there is to see, how it is looked at, and what to draw it with.
// Values and references of the moment; one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "terminal/colours.h"
#include "view/prepared_view.h"
#include "view/run_history.h"
#include "view/selection.h"

namespace bscope::terminal {

// How a person looks at a run; kept while iterations come and go. Times are relative to the iteration.
struct Look {
    std::int32_t iteration = -1;                    // -1: none yet
    bool follow = true;                             // the newest one
    std::optional<TimeRange> range;                 // nullopt: the whole iteration
    std::vector<std::optional<TimeRange>> zooms{};  // before, to undo
    int first_lane = 0;
    std::optional<Selection> box;  // one of the two at most
    std::optional<GapSelection> gap;
    std::optional<double> cursor_ns;  // where zooming holds still; nullopt: the middle
    bool bubbles = true, memory = true;
    bool in_forwards = false;   // the ruler counts forward passes
    std::optional<bool> panel;  // nullopt: where there is space
};

// What the last line says of the run.
enum class RunMood { Quiet, Running, Waiting, Failed };

struct Scene {
    const PreparedView* view = nullptr;  // null: there is no iteration yet
    const RunHistory* history = nullptr;
    const Look* look = nullptr;
    Language language = Language::English;
    // Of the newest complete iteration under the same configuration, while another one runs.
    std::optional<IterationReport> earlier = {};
    Sentence state = {}, keys = {};
    RunMood mood = RunMood::Quiet;
    std::vector<Sentence> notices = {};  // in place of the facts of what is selected
};

// What the numbers of a scene are of; null: none are known.
const IterationReport* reportOf(const Scene& scene);
// Of the picture: the whole iteration, or what is looked at.
TimeRange rangeOf(const Scene& scene);

}  // namespace bscope::terminal
