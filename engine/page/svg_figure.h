// svgFigure: one iteration as an SVG for a page, whose style draws the signs (figure_drawing.h) as classes.
// The script stretches what is in groups of class z and moves the texts in those of class t; without it the
// picture stands as it is. Values; any thread.
#pragma once

#include "page/figure_drawing.h"
#include "page/page_words.h"
#include "view/prepared_view.h"
#include "view/signs.h"

namespace bscope::page {

// Width of the time axis as it is written, in units of the picture.
inline constexpr double kPlotWidth = 1000;
// At most three decimals, none that is needless.
std::string lengthText(double value);

struct Figure {
    std::string svg;
    // What is said of its boxes, messages and gaps (box_cards.h), in the order in which they stand in it:
    // b, m, g; a: the lives that its arrows belong to; ms: how long the time axis is.
    nlohmann::json data;
};

// extent: of the time axis, relative to the iteration's start; the same for all figures of a page.
Figure svgFigure(const PreparedView& view, const TimeRange& extent, Templates& words);

// What explains the signs of these figures, as HTML.
std::string legendOf(const Signs& signs);

// Patterns of the hatches, once a page; colours of the data as variables of the style, light and dark.
std::string hatchPatterns();
const DataPalette& pagePalette(bool on_dark);
std::string paletteStyle(bool on_dark);

}  // namespace bscope::page
