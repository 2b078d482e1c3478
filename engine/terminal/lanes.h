// The lanes of an iteration with the ruler above them: boxes, idle time, memory, what is said at the end of
// each lane. Pure functions over a scene.
#pragma once

#include "terminal/grid.h"
#include "terminal/layout.h"

namespace bscope::terminal {

// `view` of the scene is there.
void drawRuler(Grid& grid, const Scene& scene, const Layout& layout, const Colours& colours);
void drawLanes(Grid& grid, const Scene& scene, const Layout& layout, const Colours& colours);

// What a picture calls a micro-batch: counted from 1 within the iteration.
std::string microbatchNumber(const IterationView& view, const Event& event);

}  // namespace bscope::terminal
