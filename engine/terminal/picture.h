// The picture of a run for a terminal: a scene made into cells. Pure: nothing here knows a terminal.
#pragma once

#include <string>
#include <vector>

#include "terminal/grid.h"
#include "terminal/layout.h"

namespace bscope::terminal {

Grid picture(const Scene& scene, const Colours& colours, int columns, int rows);

// Lines of text in place of the picture, from the line `scroll` on, with a line of state below.
struct Page {
    std::string title;
    std::vector<std::string> lines;  // not wrapped
    int chosen = -1;                 // a line that is marked; -1: none
};
// Of wrapped lines; `scroll` is brought to where there are some.
Grid pageGrid(const Page& page, int& scroll, const Scene& scene, const Colours& colours, int columns,
              int rows);

}  // namespace bscope::terminal
