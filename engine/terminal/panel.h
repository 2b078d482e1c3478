// The numbers beside the lanes: bubble in both definitions, time, throughput, each rank, the loss so far.
#pragma once

#include "terminal/grid.h"
#include "terminal/layout.h"

namespace bscope::terminal {

// `view` of the scene and panel_x of the layout are there.
void drawPanel(Grid& grid, const Scene& scene, const Layout& layout, const Colours& colours);

}  // namespace bscope::terminal
