// drawFigure: one iteration as a figure: a lane a rank with boxes, gaps, messages and memory over one time
// axis. It is the picture of widgets/picture for other materials: the same colours (view/palette.h), hatches
// and signs, which are named, so that each material draws them in its way. Lengths are units of the figure;
// texts are about 12 of them high. Values; any thread.
#pragma once

#include <string>
#include <vector>

#include "page/bilingual.h"
#include "view/palette.h"
#include "view/prepared_view.h"

namespace bscope::page {

// A part of a text that a material may leave out.
struct FigureWord {
    enum class Kind : unsigned char { Always, OfTotal, OfIdeal, More, Chunk };
    Bilingual text;
    Kind kind = Kind::Always;
};

struct FigureText {
    std::string sign;  // what it is: "name", "gl"; or of what it stands on: "f0"
    double x = 0, y = 0;
    std::vector<FigureWord> words;
    // Of what it stands in the middle of; below least it is left out, below whole its words of kind More are.
    // -1: it begins at x, and has all the room it needs.
    double room = -1, least = 0, whole = 0;
};

struct FigurePoint {
    double x = 0, y = 0;
    bool drawn = true;  // a line from the point before
};

// What a figure is drawn on.
class FigureMaterial {
public:
    virtual ~FigureMaterial() = default;
    // What follows belongs to this part, and stands so much further; until endGroup().
    virtual void group(const char* part, double dx, double dy) = 0;
    virtual void endGroup() = 0;
    virtual void rect(const std::string& sign, double x, double width, double height) = 0;
    // is_area: from its end back to its beginning.
    virtual void path(const char* sign, const std::vector<FigurePoint>& points, bool is_area) = 0;
    virtual void text(const FigureText& text) = 0;

    // Comes before what it is: for a material that says more of what is pointed at.
    virtual void aboutBox(const Event&) {}
    virtual void aboutGap(const Gap&, std::size_t /* rank among all, from 1 */) {}
    virtual void aboutMessage(const Event& /* receive */) {}
    // Whether it has every message as an arrow, too.
    virtual bool hasArrows() const { return false; }
    virtual void aboutArrow(int /* stage */, int /* microbatch */) {}
};

// Sizes of a figure: what stands left and right of the time axis, and its own width.
struct FigureFrame {
    double left = 92, plot = 1000, right = 128;
    bool low = false;  // lanes as low as those of many ranks
    double width() const { return left + plot + right; }
};

double figureHeight(const PreparedView& view, const FigureFrame& frame);
// extent: of the time axis, relative to the iteration's start. palette: decides what a box's shade is of.
void drawFigure(const PreparedView& view, const TimeRange& extent, const FigureFrame& frame,
                const DataPalette& palette, FigureMaterial& material);

}  // namespace bscope::page
